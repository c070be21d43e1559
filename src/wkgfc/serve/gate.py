"""The gate before every route: who asks, under which name, from which page, how often, and with how large a body."""

import asyncio
import base64
import ipaddress
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from wkgfc.config import Settings
from wkgfc.errors import NotConfigured
from wkgfc.serve.keys import KeyRing
from wkgfc.serve.listening import is_loopback
from wkgfc.serve.problems import problem
from wkgfc.serve.rates import Rates

OPEN_PATHS = frozenset({"/healthz", "/readyz"})  # whoever starts and stops the service has no key
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
BODY_S = 30.0  # that a body may take to arrive: 2 MB over the slowest line that anybody still has
LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})
_ASKER = "wkgfc.asker"  # who asks, in the scope of a request


class Gate:
    """Refuses what must not reach a route. It stands inside of whatever gives answers their headers."""

    def __init__(self, app: ASGIApp, settings: Settings, keys: KeyRing, rates: Rates) -> None:
        self._app, self._keys, self._rates = app, keys, rates
        self._most_bytes = settings.serve_body_bytes
        self._origins = frozenset(settings.serve_origins)
        self._hosts = frozenset(host.casefold() for host in settings.serve_hosts)
        if is_loopback(settings.serve_host):
            self._hosts |= LOOPBACK_NAMES | {settings.serve_host.casefold()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or answer it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        if refusal is not None:
            await refusal(scope, receive, send)
            return
        try:
            body = await asyncio.wait_for(_body(receive, self._most_bytes, Headers(scope=scope)), BODY_S)
        except TimeoutError:
            await problem(scope, 408, "too_slow", f"the body took more than {BODY_S:g} seconds")(scope, receive, send)
            return
        if body is None:
            said = f"the body has more than {self._most_bytes:,} bytes (serve_body_bytes)"
            await problem(scope, 413, "too_large", said, {"Connection": "close"})(scope, receive, send)
            return
        await self._app(scope, _once(body, receive), send)

    def _refusal(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        if not self._is_own_name(headers.get("host", "")):
            said = "the service is not called so: add the name to serve_hosts"
            return problem(scope, 421, "wrong_host", said)
        if scope["path"] in OPEN_PATHS:
            return None
        try:
            asker = self._asker(scope, headers)
        except NotConfigured as error:
            return problem(scope, 503, "not_configured", str(error))
        address = _network(scope)
        if wait := self._rates.take(asker or address):
            said = f"too many requests: the next one is answered in {wait} seconds (serve_rate)"
            return problem(scope, 429, "too_many_requests", said, {"Retry-After": str(wait)})
        if asker is None:
            return _who_are_you(scope, headers)
        scope[_ASKER] = asker
        if scope["method"] not in SAFE_METHODS:
            return self._refused_change(scope, headers)
        return None

    def _refused_change(self, scope: Scope, headers: Headers) -> Response | None:
        """Whether a request that changes something is a browser's, for a page that is not ours."""
        origin, site = headers.get("origin"), headers.get("sec-fetch-site")
        if origin is not None and origin not in self._origins:
            try:
                is_own = urlsplit(origin).netloc.casefold() == headers.get("host", "").casefold()
            except ValueError:
                is_own = False
            if not is_own:
                return problem(scope, 403, "foreign_origin", "another site's page may not do this")
        elif origin is None and site not in (None, "same-origin", "none"):
            return problem(scope, 403, "foreign_origin", "another site's page may not do this")
        kind = headers.get("content-type", "").partition(";")[0].strip().casefold()
        if scope["method"] != "DELETE" and kind != "application/json":
            return problem(scope, 415, "not_json", "send the body as application/json")
        return None

    def _is_own_name(self, host: str) -> bool:
        """Whether the service may be called so. A page of another name that was led here by its name server may not."""
        if not self._hosts:
            return True
        try:
            name = urlsplit(f"//{host}").hostname
        except ValueError:
            return False
        return name is not None and name.casefold() in self._hosts

    def _asker(self, scope: Scope, headers: Headers) -> str | None:
        """Who asks: the key, where one is asked for, or the address. ``None``: nobody who may."""
        if not self._keys.is_on:
            return _network(scope)
        key = self._keys.find(_presented(headers.get("authorization", "")))
        return f"key {key.id}" if key is not None else None


def asker_of(request: Request) -> str:
    """Who has asked, as ``Rates`` counts it."""
    return str(request.scope.get(_ASKER, ""))


def _presented(authorization: str) -> str:
    """The key of an ``Authorization`` header: a bearer's, or the password that a browser asked a person for."""
    scheme, _, value = authorization.partition(" ")
    if scheme.casefold() == "bearer":
        return value.strip()
    if scheme.casefold() == "basic":
        try:
            return base64.b64decode(value.strip(), validate=True).decode().partition(":")[2]
        except ValueError:
            return ""
    return ""


def _who_are_you(scope: Scope, headers: Headers) -> Response:
    """A browser that shows a page to a person asks for the key; a program is told to send it."""
    is_page = "text/html" in headers.get("accept", "")
    wanted = 'Basic realm="wkgfc: the API key as the password", charset="UTF-8"' if is_page else "Bearer"
    said = "send an API key: Authorization: Bearer KEY ('wkgfc serve keys add' makes one)"
    return problem(scope, 401, "no_key", said, {"WWW-Authenticate": wanted})


def _network(scope: Scope) -> str:
    """The address of whoever asks; of IPv6 the network, as one asker has as many addresses there as it likes."""
    client = scope.get("client")
    try:
        address = ipaddress.ip_address(client[0] if client else "")
    except ValueError:
        return "unknown"
    if address.version == 6 and address.ipv4_mapped is None:
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)


async def _body(receive: Receive, most: int, headers: Headers) -> bytes | None:
    """The whole body; ``None`` where it is longer than ``most`` bytes."""
    length = headers.get("content-length", "")
    if length.isdecimal() and int(length[:20]) > most:
        return None
    parts, size = list[bytes](), 0
    while True:
        message = await receive()
        if message["type"] != "http.request":  # whoever asked is gone
            return b"".join(parts)
        size += len(message.get("body", b""))
        if size > most:
            return None
        parts.append(message.get("body", b""))
        if not message.get("more_body", False):
            return b"".join(parts)


def _once(body: bytes, receive: Receive) -> Receive:
    """The body that was read, and then whatever comes."""
    left: list[Any] = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Message:
        return left.pop() if left else await receive()

    return again
