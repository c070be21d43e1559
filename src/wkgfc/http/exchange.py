"""One request and its answer on the wire: connections, what a status means, and one line for everything that fails."""

import asyncio
import datetime as dt
import ssl
import weakref
from collections.abc import AsyncIterator, Mapping
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from functools import cache
from http import HTTPStatus

import httpcore2

from wkgfc.http.addresses import NameNotFound
from wkgfc.http.body import BodyFault, read_body, read_start
from wkgfc.http.courtesy import Courtesy, retry_after_s
from wkgfc.http.dialling import Dialler, Forbidden
from wkgfc.http.proxy import ProxyFault
from wkgfc.http.request import Answer, Request, Unanswered
from wkgfc.http.wire import Wire, sent_on

_KEPT_OF_AN_ERROR = 2_000  # what Unanswered promises
_REDIRECTS = {301, 302, 303, 307, 308}
_EMPTY = {204, 205}
_MAY_PASS = {408, 425, 429, 502, 503, 504}
_MAY_PASS_WITH_A_MODEL = {*_MAY_PASS, 409, 500, 529}  # as the makers' own clients do; 529: "overloaded"
_HOST_AT_FAULT = {502, 503, 504}  # a 500 is about the request as often as about the host
_CONNECT_S = 10.0
_PAUSE_UNSAID_S = 1.0  # after a 429 that does not say how long to wait


@dataclass(frozen=True)
class Failure:
    """An exchange that failed.

    ``may_pass``: sending it again may help. ``retry_after_s`` is how long the host asks to wait, where it says so.
    """

    unanswered: Unanswered
    may_pass: bool = False
    status: int | None = None
    retry_after_s: float | None = None


@dataclass(frozen=True)
class _Pools:
    any_address: httpcore2.AsyncConnectionPool
    public: httpcore2.AsyncConnectionPool


class Exchanges:
    """Connections, a pool of them for each event loop, and what is sent over them.

    Those of ``public_only`` requests are a pool apart: a connection that another request opened was not checked.

    Args:
        courtesy: is told how each host does.
        any_address, public: how connections are made.
        tls: whose certificates are trusted; the system's authorities by default.
    """

    def __init__(
        self, courtesy: Courtesy, any_address: Dialler, public: Dialler, tls: ssl.SSLContext | None = None
    ) -> None:
        self._courtesy, self._any_address, self._public, self._tls = courtesy, any_address, public, tls
        self._pools: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, _Pools] = weakref.WeakKeyDictionary()

    async def aclose(self) -> None:
        """Close the connections of this event loop."""
        pools = self._pools.pop(asyncio.get_running_loop(), None)
        if pools is not None:
            await pools.any_address.aclose()
            await pools.public.aclose()

    async def exchange(self, request: Request, wire: Wire, left_s: float) -> Answer | Wire | Failure:
        """Send ``wire`` and read what comes back, within ``left_s`` seconds: an answer, or where it is to be had.

        Raises:
            Unsendable: a redirect leads to where nothing can be sent.
        """
        host, pools = wire.host, self._of_this_loop()
        pool = pools.public if request.public_only else pools.any_address
        try:
            async with asyncio.timeout(left_s), _opened(pool, wire, left_s) as response:
                return await self._read(request, wire, response)
        except TimeoutError:
            self._courtesy.failed(host)
            return Failure(Unanswered(f"{host} did not answer within {request.timeout_s:g} s"))
        except Forbidden as error:
            return Failure(Unanswered(str(error)))
        except NameNotFound as error:
            self._courtesy.failed(host)
            return Failure(Unanswered(f"{host}: {error}"), may_pass=not error.lasting)
        except ProxyFault as error:  # that says nothing about the host
            return Failure(Unanswered(str(error)), may_pass=error.may_pass)
        except httpcore2.LocalProtocolError:
            return Failure(Unanswered(f"the request to {host} cannot be written"))
        except (
            httpcore2.TimeoutException,
            httpcore2.ProtocolError,
            httpcore2.NetworkError,
            ssl.SSLError,  # a broken record in the midst of an answer comes through httpcore2 as it is
        ) as error:
            self._courtesy.failed(host)
            return _of_connection(host, error)

    async def _read(self, request: Request, wire: Wire, response: httpcore2.Response) -> Answer | Wire | Failure:
        host, status, headers = wire.host, response.status, _headers(response)
        async with aclosing(response.aiter_stream()) as pieces:
            if status in _REDIRECTS and "location" in headers:
                self._courtesy.answered(host)
                return sent_on(request, wire, status, _location(headers["location"]))
            if not 200 <= status < 300 or status == 206:  # no part was asked for
                return await self._refusal(request, host, status, headers, pieces)
            self._courtesy.answered(host)
            kind = headers.get("content-type", "").partition(";")[0].strip().lower()
            if request.accepts and kind and status not in _EMPTY and not _is_among(kind, request.accepts):
                body = await read_start(headers, pieces, _KEPT_OF_AN_ERROR)
                wanted = " or ".join(request.accepts)
                return Failure(Unanswered(f"{host} sent {kind[:60]!a} and not {wanted}", status, body))
            try:
                body = await read_body(headers, pieces, request.max_bytes)
            except BodyFault as error:
                return Failure(Unanswered(f"{host} sent {error}", status), may_pass=error.may_pass)
        return self._judged(request, wire, Answer(str(wire.url), status, headers, body, dt.datetime.now(dt.UTC)))

    def _judged(self, request: Request, wire: Wire, answer: Answer) -> Answer | Failure:
        """The answer, unless it is one in name only."""
        if not answer.body:
            return Failure(Unanswered(f"{wire.host} sent an empty answer", answer.status))
        fault = request.fault(answer) if request.fault is not None else None
        if fault is None:
            return answer
        wait_s = self._wait_s(wire.host, answer.headers)
        unanswered = Unanswered(f"{wire.host} sent {fault}", answer.status, answer.body[:_KEPT_OF_AN_ERROR])
        return Failure(unanswered, wait_s is not None, answer.status, wait_s)

    async def _refusal(
        self, request: Request, host: str, status: int, headers: dict[str, str], pieces: AsyncIterator[bytes]
    ) -> Failure:
        """What another status than 2xx means, for this request and for the host."""
        if status in _HOST_AT_FAULT:
            self._courtesy.failed(host)
        wait_s = self._wait_s(host, headers) if status in {429, 503} else None
        if status == 429 and wait_s is None:
            self._courtesy.pause(host, _PAUSE_UNSAID_S)
        said = f"{host} answered {status}{_phrase(status)}"
        if wait_s:
            said += f" and asked to wait {wait_s:.0f} s"
        body = await read_start(headers, pieces, _KEPT_OF_AN_ERROR)
        may_pass = _MAY_PASS_WITH_A_MODEL if request.kind == "model" else _MAY_PASS
        return Failure(Unanswered(said, status, body), status in may_pass, status, wait_s)

    def _wait_s(self, host: str, headers: Mapping[str, str]) -> float | None:
        """What the host asks for in ``Retry-After``, which from now on holds for everybody."""
        wait_s = retry_after_s(headers.get("retry-after"), dt.datetime.now(dt.UTC))
        if wait_s is not None:
            self._courtesy.pause(host, wait_s)
        return wait_s

    def _of_this_loop(self) -> _Pools:
        loop = asyncio.get_running_loop()
        if loop not in self._pools:
            tls = self._tls or _system_trust()
            self._pools[loop] = _Pools(_pool(self._any_address, tls), _pool(self._public, tls))
        return self._pools[loop]


@asynccontextmanager
async def _opened(pool: httpcore2.AsyncConnectionPool, wire: Wire, left_s: float) -> AsyncIterator[httpcore2.Response]:
    """The answer with its body still to be read; the connection is closed where it was not read to its end."""
    url = httpcore2.URL(
        scheme=wire.url.raw_scheme, host=wire.url.raw_host, port=wire.url.port, target=wire.url.raw_path
    )
    limits = {"timeout": {"connect": min(left_s, _CONNECT_S)}}
    sent = httpcore2.Request(wire.method, url, headers=wire.headers.raw, content=wire.content, extensions=limits)
    response = await pool.handle_async_request(sent)
    try:
        yield response
    finally:
        await response.aclose()


@cache
def _system_trust() -> ssl.SSLContext:
    """The system's authorities. They take a tenth of a second to read, which no request's time is spent on twice."""
    return httpcore2.default_ssl_context()


def _pool(dialler: Dialler, tls: ssl.SSLContext) -> httpcore2.AsyncConnectionPool:
    return httpcore2.AsyncConnectionPool(
        ssl_context=tls,
        max_connections=100,  # more than the hosts of a check; how many a host takes is Courtesy's
        max_keepalive_connections=20,
        keepalive_expiry=5.0,
        network_backend=dialler,
    )


def _headers(response: httpcore2.Response) -> dict[str, str]:
    headers: dict[str, str] = {}
    for raw_name, raw_value in response.headers:
        name, value = raw_name.decode("latin-1").lower(), raw_value.decode("latin-1")
        headers[name] = f"{headers[name]}, {value}" if name in headers else value
    return headers


def _location(value: str) -> str:
    """The address of a redirect: many servers write its letters in UTF-8, though a header is no place for them."""
    try:
        return value.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return value


def _is_among(kind: str, accepts: tuple[str, ...]) -> bool:
    """Whether a content type is one of those that the caller reads; ``text/*`` is any text."""
    return any(
        wanted in {kind, "*/*"} or (wanted.endswith("/*") and kind.startswith(wanted[:-1]))
        for wanted in map(str.lower, accepts)
    )


def _phrase(status: int) -> str:
    try:
        return f" ({HTTPStatus(status).phrase})"
    except ValueError:
        return ""


def _of_connection(host: str, error: Exception) -> Failure:
    """What went wrong below HTTP."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return Failure(Unanswered(f"the certificate of {host} is not trusted ({cause.verify_message})"))
        if isinstance(cause, ssl.SSLError):
            return Failure(Unanswered(f"{host} does not speak TLS as it should"))
        if isinstance(cause, ConnectionRefusedError):
            return Failure(Unanswered(f"{host} refused the connection"), may_pass=True)
        cause = cause.__cause__ or cause.__context__
    if isinstance(error, httpcore2.ProtocolError):
        return Failure(Unanswered(f"{host} sent an answer that was cut off, or none that is HTTP"), may_pass=True)
    if isinstance(error, httpcore2.ConnectError | httpcore2.TimeoutException):
        return Failure(Unanswered(f"{host} cannot be reached"), may_pass=True)
    return Failure(Unanswered(f"{host} broke the connection off"), may_pass=True)
