"""Where a service listens, and who can reach it there."""

import ipaddress
import socket

from wkgfc.errors import NotConfigured

BACKLOG = 1_024  # connections that wait to be taken


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens there; port 0 takes a free one.

    Raises:
        NotConfigured: nothing can listen there.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=BACKLOG)
    except OSError as error:
        raise NotConfigured(
            f"nothing can listen on {host} port {port} ({error.strerror or error}): choose another --host or --port"
        ) from error


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches an address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.casefold() == "localhost"


def address_of(host: str, listening: socket.socket) -> str:
    """Where a browser of this machine finds what listens."""
    port = listening.getsockname()[1]
    here = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{here}:{port}"
