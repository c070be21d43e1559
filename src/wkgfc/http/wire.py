"""A request as it goes over the wire, and what becomes of it when a server sends it elsewhere."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import httpx2

from wkgfc.http.body import CODINGS
from wkgfc.http.request import Request

_SENT_ON_AS_GET = {301, 302, 303}  # what browsers do with a POST; 307 and 308 keep method and body
_LONGEST_URL = 16_000  # servers take 8 KB or so; a longer one is not worth the sending


class Unsendable(Exception):
    """A request, or the place a server sends it to, that cannot be sent. Its text is one line without secrets."""


@dataclass(frozen=True, repr=False)  # its secrets must not get into a trace
class Wire:
    """Method, address, headers and body, with the secrets in them."""

    method: str
    url: httpx2.URL
    headers: httpx2.Headers
    content: bytes

    @property
    def host(self) -> str:
        """The host as rate limits and reasons name it."""
        return _host(self.url)


def to_wire(request: Request, user_agent: str) -> Wire:
    """The request with its secrets, ready to send.

    Raises:
        Unsendable: the address is none, or names another scheme than http and https, or a user; or a header is none.
    """
    url = _checked(request.url)
    secret_params = {name: secret.get_secret_value() for name, secret in request.secret_params.items()}
    headers = {"User-Agent": user_agent, "Accept": ", ".join(request.accepts) or "*/*", "Accept-Encoding": CODINGS}
    secret_headers = {name: secret.get_secret_value() for name, secret in request.secret_headers.items()}
    try:
        if request.params or secret_params:
            url = url.copy_merge_params({**request.params, **secret_params})
        built = httpx2.Request(
            request.method,
            _checked(str(url)),
            headers=httpx2.Headers({}),
            json=request.json_body,
            content=urlencode(request.form).encode("ascii") if request.form is not None else None,
        )
        if request.form is not None:
            built.headers["Content-Type"] = "application/x-www-form-urlencoded"
        for name, value in (*headers.items(), *request.headers.items(), *secret_headers.items()):
            built.headers[name] = _header(name, value)
    except (httpx2.InvalidURL, UnicodeError, TypeError, ValueError) as error:
        # The text of the error may hold a value that is secret.
        raise Unsendable(f"the request to {_host(url)} cannot be written: {type(error).__name__}") from None
    return Wire(built.method, built.url, built.headers, built.content)


def sent_on(request: Request, wire: Wire, status: int, location: str) -> Wire:
    """Where a redirect leads.

    Secrets go to no other place than the first; a body goes to no other place either.

    Raises:
        Unsendable: the place cannot be used.
    """
    try:
        url = _checked(str(wire.url.join(location)))
    except (httpx2.InvalidURL, UnicodeError, ValueError):
        raise Unsendable(f"{wire.host} redirected to an address that cannot be used") from None
    headers, method, content = wire.headers.copy(), wire.method, wire.content
    elsewhere = (url.scheme, url.host, url.port) != (wire.url.scheme, wire.url.host, wire.url.port)
    if elsewhere:
        for name in request.secret_headers:
            headers.pop(name, None)
    headers["Host"] = url.netloc.decode("ascii")
    if method == "POST" and status in _SENT_ON_AS_GET:
        method, content = "GET", b""
        for name in ("Content-Length", "Content-Type"):
            headers.pop(name, None)
    if method == "POST" and elsewhere:
        raise Unsendable(f"{wire.host} redirected what was sent to it to {_host(url)}")
    return Wire(method, url, headers, content)


def _checked(text: str) -> httpx2.URL:
    if len(text) > _LONGEST_URL:
        raise Unsendable(f"an address of {len(text)} characters is too long")
    try:
        url = httpx2.URL(text)
        if url.scheme not in {"http", "https"} or not url.raw_host:
            raise Unsendable("the address is none of http or https")
        if url.port is not None and not 0 < url.port < 65_536:
            raise Unsendable("the port of the address is none")
        if url.userinfo:
            raise Unsendable(f"the address of {_host(url)} names a user or a password")
    except (httpx2.InvalidURL, UnicodeError, ValueError):
        raise Unsendable("the address cannot be used") from None
    return url


def _host(url: httpx2.URL) -> str:
    return url.netloc.decode("ascii", "replace")


def _header(name: str, value: Any) -> str:
    text = str(value)
    if not (name.isascii() and text.isascii() and text.isprintable() and name.isprintable()):
        raise ValueError("a header is printable ASCII")
    return text
