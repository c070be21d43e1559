"""A proxy between this machine and the internet: each connection is a tunnel through it.

Everything goes by ``CONNECT`` (RFC 9110, section 9.3.6), http as well as https, so that the proxy sees hosts and ports
and no content, and so that it can be given an address instead of a name: what was checked is what it connects to.
"""

import base64
import ipaddress
import ssl
from collections.abc import Iterable
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

import httpcore2

from wkgfc.errors import NotConfigured
from wkgfc.http.addresses import Resolve

_LONGEST_HEAD = 16_384  # bytes of what the proxy says before the tunnel is open
_PORTS = {"http": 8080, "https": 443}


class ProxyFault(Exception):
    """A proxy that opened no tunnel. Its text is one line. ``may_pass``: trying again may help."""

    def __init__(self, text: str, *, may_pass: bool = False) -> None:
        self.may_pass = may_pass
        super().__init__(text)


@dataclass(frozen=True)
class Proxy:
    """Where a proxy is, how it is told who asks, and what does not go through it.

    ``exempt`` are host names that are reached without it, with all their subdomains; this machine always is.
    ``resolves``: it looks up the names of pages too, which are then not checked here (``dialling.py``).
    """

    host: str
    port: int
    is_tls: bool = False
    authorization: str | None = field(default=None, repr=False)
    exempt: frozenset[str] = frozenset()
    resolves: bool = False

    def is_exempt(self, host: str) -> bool:
        """Whether ``host``, a name or an address, is reached without the proxy."""
        name = host.lower().strip("[]").rstrip(".")
        if name == "localhost" or name.endswith(".localhost"):
            return True
        try:
            return ipaddress.ip_address(name).is_loopback or name in self.exempt
        except ValueError:
            pass
        labels = name.split(".")
        return any(".".join(labels[start:]) in self.exempt for start in range(len(labels)))

    async def connect(
        self, target: str, port: int, within_s: float | None, network: httpcore2.AsyncNetworkBackend, resolve: Resolve
    ) -> httpcore2.AsyncNetworkStream:
        """A connection to ``target``, a name or an address, through the proxy.

        Raises:
            ProxyFault: it cannot be reached, asks for a password, or refuses.
        """
        named = f"the proxy {self.host}:{self.port}"
        try:
            addresses = await resolve(self.host, self.port)
            stream = await network.connect_tcp(addresses[0] if addresses else self.host, self.port, within_s)
            try:
                if self.is_tls:
                    context = httpcore2.default_ssl_context()
                    stream = await stream.start_tls(context, server_hostname=self.host, timeout=within_s)
                await stream.write(self._request(target, port), within_s)
                status = await _status(stream, within_s)
                if not 200 <= status < 300:
                    raise _refusal(named, f"[{target}]" if ":" in target else target, status)
            except BaseException:
                await stream.aclose()
                raise
        except (httpcore2.NetworkError, httpcore2.TimeoutException, ssl.SSLError) as error:
            raise ProxyFault(f"{named} cannot be reached", may_pass=True) from error
        return stream

    def _request(self, target: str, port: int) -> bytes:
        where = f"[{target}]:{port}" if ":" in target else f"{target}:{port}"
        lines = [f"CONNECT {where} HTTP/1.1", f"Host: {where}"]
        if self.authorization is not None:
            lines.append(f"Proxy-Authorization: {self.authorization}")
        return ("\r\n".join(lines) + "\r\n\r\n").encode("ascii")


def read_proxy(url: str, exempt: Iterable[str] = (), *, resolves: bool = False) -> Proxy:
    """The proxy at an address as ``http://user:password@proxy.example:3128``.

    ``exempt`` are host names as in the variable ``NO_PROXY``: a dot or a star before one changes nothing.

    Raises:
        NotConfigured: it is no such address. The text does not repeat it, as a password may be in it.
    """
    try:
        parts = urlsplit(url.strip())
        host, port = parts.hostname, parts.port
    except ValueError:
        parts, host, port = urlsplit(""), None, None
    if parts.scheme not in _PORTS or not host or not host.isascii() or parts.path.strip("/") or parts.query:
        raise NotConfigured("setting proxy: give the address of an HTTP proxy, as http://proxy.example:3128")
    authorization = None
    if parts.username is not None:
        pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        authorization = "Basic " + base64.b64encode(pair.encode()).decode("ascii")
    names = (each.strip().lower().lstrip("*").lstrip(".").rstrip(".") for each in exempt)
    return Proxy(
        host=host,
        port=port or _PORTS[parts.scheme],
        is_tls=parts.scheme == "https",
        authorization=authorization,
        exempt=frozenset(name for name in names if name),
        resolves=resolves,
    )


async def _status(stream: httpcore2.AsyncNetworkStream, within_s: float | None) -> int:
    """The status of the answer, whose head is read and nothing beyond it.

    Raises:
        ProxyFault: it is no HTTP.
    """
    head = b""
    while b"\r\n\r\n" not in head and len(head) < _LONGEST_HEAD:
        piece = await stream.read(_LONGEST_HEAD - len(head), within_s)
        if not piece:
            break
        head += piece
    version, _, rest = head.partition(b" ")
    status = rest[:3]
    if not (version.startswith(b"HTTP/1.") and len(status) == 3 and status.isdigit()):
        raise ProxyFault("the proxy does not speak HTTP")
    if 200 <= int(status) < 300 and not head.endswith(b"\r\n\r\n"):  # the other end speaks second
        raise ProxyFault("the proxy sent more than its answer")
    return int(status)


def _refusal(named: str, target: str, status: int) -> ProxyFault:
    if status == 407:
        return ProxyFault(f"{named} asks for a user name and a password, or refuses those that it was given (407)")
    return ProxyFault(f"{named} opens no way to {target} ({status})", may_pass=status in {502, 503, 504})
