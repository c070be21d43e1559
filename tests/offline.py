"""The guard of all tests: nothing but this machine is reached. What tries to is told so, and fails the test."""

import ipaddress
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest


class Reached(OSError):
    """A test wanted to leave this machine."""


def is_here(host: Any) -> bool:
    """Whether ``host``, a name or an address, is this machine."""
    if host in {None, "", "localhost", b"localhost"}:
        return True
    try:
        return ipaddress.ip_address(str(host).partition("%")[0]).is_loopback
    except ValueError:
        return False


@contextmanager
def offline() -> Iterator[None]:
    """Let sockets connect to loopback alone, and names be looked up that need no name server."""
    wanted: list[str] = []
    look_up, connect, connect_ex, send_to = (
        socket.getaddrinfo,
        socket.socket.connect,
        socket.socket.connect_ex,
        socket.socket.sendto,
    )

    def refuse(what: Any) -> None:
        wanted.append(str(what))
        raise Reached(f"a test wanted to reach {what}")

    def check(sock: socket.socket, address: Any) -> None:
        if sock.family in {socket.AF_INET, socket.AF_INET6} and not is_here(address[0]):
            refuse(address)

    def guarded_look_up(host: Any, *rest: Any, **named: Any) -> Any:
        if not (named.get("flags", 0) & socket.AI_NUMERICHOST or is_here(host) or _numeric(look_up, host)):
            refuse(host)
        return look_up(host, *rest, **named)

    def guarded_connect(sock: socket.socket, address: Any) -> None:
        check(sock, address)
        connect(sock, address)

    def guarded_connect_ex(sock: socket.socket, address: Any) -> int:
        check(sock, address)
        return connect_ex(sock, address)

    def guarded_send_to(sock: socket.socket, data: Any, *rest: Any) -> int:
        check(sock, rest[-1])
        return send_to(sock, data, *rest)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket, "getaddrinfo", guarded_look_up)
        patch.setattr(socket.socket, "connect", guarded_connect)
        patch.setattr(socket.socket, "connect_ex", guarded_connect_ex)
        patch.setattr(socket.socket, "sendto", guarded_send_to)
        yield
    assert not wanted, f"tests are offline, and this one wanted to reach {wanted}"


def _numeric(look_up: Any, host: Any) -> bool:
    """Whether ``host`` is an address in some text, so that looking it up asks nobody."""
    try:
        look_up(host, None, flags=socket.AI_NUMERICHOST)
    except (OSError, UnicodeError):
        return False
    return True
