"""The client that sends requests for real: pool, redirects, limits, retries, and one line for everything that fails.

>>> from wkgfc.http import Request
>>> async with LiveHttp(user_agent("newsroom@example.org")) as http:  # doctest: +SKIP
...     answer = await http.send(Request("https://www.wikidata.org/w/api.php", kind="entity"))
"""

import asyncio
import datetime as dt
import random
import ssl
import time
import weakref
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from http import HTTPStatus
from importlib.metadata import version
from types import TracebackType
from typing import Self

import httpcore2

from wkgfc.errors import NotConfigured
from wkgfc.http.addresses import NameNotFound, Resolve, resolve_name
from wkgfc.http.body import BodyFault, read_body, read_start
from wkgfc.http.courtesy import Courtesy, NotNow, process_courtesy, retry_after_s
from wkgfc.http.deadline import remaining_s
from wkgfc.http.dialling import Dialler, Forbidden, PublicOnly
from wkgfc.http.redaction import redacted
from wkgfc.http.request import Answer, Request, Unanswered
from wkgfc.http.wire import Unsendable, Wire, sent_on, to_wire

_KEPT_OF_AN_ERROR = 2_000
_REDIRECTS = {301, 302, 303, 307, 308}
_MAY_PASS = {408, 425, 429, 502, 503, 504}
_HOST_AT_FAULT = {502, 503, 504}  # a 500 is about the request as often as about the host
_CONNECT_S = 10.0


def user_agent(contact: str | None = None) -> str:
    """What this program calls itself: its name, its version, and whom an operator of a source can write to.

    Raises:
        NotConfigured: ``contact`` cannot stand in a header.
    """
    name = f"WKGFC/{version('wkgfc')}"
    if contact is None:
        return name
    if not contact.strip() or len(contact) > 200 or not (contact.isascii() and contact.isprintable()):
        raise NotConfigured("the contact is an address or a page, in at most 200 ASCII characters")
    return f"{name} ({contact.strip()})"


@dataclass(frozen=True)
class _Failure:
    unanswered: Unanswered
    may_pass: bool = False
    host: str = ""
    asks_for_less: bool = False  # too many requests, without saying how long to wait


@dataclass(frozen=True)
class _Pools:
    """Connections of one event loop. Those of ``public_only`` requests are apart: no other may open one for them."""

    any_address: httpcore2.AsyncConnectionPool
    public: httpcore2.AsyncConnectionPool


class LiveHttp:
    """Sends requests over the network. It may be used from several event loops; close it in each.

    Args:
        agent: the ``User-Agent`` (``user_agent``).
        courtesy: how hosts are treated; by default as everybody in this process treats them.
        public: what ``public_only`` requests may reach.
        attempts: how often an idempotent request is sent at most, when the failure is one that may pass.
        backoff_s: the wait before the second attempt, doubled for each later one, and shortened by chance to as little
            as half.
        patience_s: the most that one request may take with all its waits and attempts, where no deadline is nearer.
        redirects: the most that are followed.
        tls: whose certificates are trusted; the system's authorities by default.
        resolve, network: how names are looked up and connections made; for tests.
        chance: a number from 0 to 1.
    """

    def __init__(
        self,
        agent: str,
        *,
        courtesy: Courtesy | None = None,
        public: PublicOnly | None = None,
        attempts: int = 3,
        backoff_s: float = 0.5,
        patience_s: float = 120.0,
        redirects: int = 5,
        tls: ssl.SSLContext | None = None,
        resolve: Resolve = resolve_name,
        network: httpcore2.AsyncNetworkBackend | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self._agent, self._courtesy = agent, courtesy or process_courtesy()
        self._public = public or PublicOnly()
        self._attempts, self._backoff_s, self._patience_s = attempts, backoff_s, patience_s
        self._most_redirects, self._tls = redirects, tls
        self._resolve, self._network = resolve, network
        self._sleep, self._chance = sleep, chance
        self._pools: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, _Pools] = weakref.WeakKeyDictionary()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close the connections of this event loop. The client may be used again."""
        pools = self._pools.pop(asyncio.get_running_loop(), None)
        if pools is not None:
            await pools.any_address.aclose()
            await pools.public.aclose()

    async def send(self, request: Request) -> Answer | Unanswered:
        """Send one request, again where that may help, within the deadline of the check.

        What a server or the network does comes back as ``Unanswered``, never as an exception.
        """
        left_s = remaining_s()
        within_s = self._patience_s if left_s is None else min(left_s, self._patience_s)
        if within_s <= 0:
            return Unanswered("the time for the check is over")
        try:
            wire = to_wire(request, self._agent)
        except Unsendable as error:
            return redacted(request, Unanswered(str(error)))
        try:
            async with asyncio.timeout(within_s):
                outcome = await self._attempt(request, wire, time.monotonic() + within_s)
        except TimeoutError:
            outcome = Unanswered(f"the time for the check was over before {wire.host} had answered")
        return redacted(request, outcome)

    async def _attempt(self, request: Request, wire: Wire, end: float) -> Answer | Unanswered:
        """Once, and again after a failure that may pass."""
        attempt = 1
        while True:
            outcome = await self._follow(request, wire, end)
            if isinstance(outcome, Answer):
                return outcome
            if not (outcome.may_pass and request.idempotent and attempt < self._attempts):
                return outcome.unanswered
            delay_s = self._backoff_s * 2 ** (attempt - 1) * (1 - self._chance() / 2)
            if outcome.asks_for_less:
                self._courtesy.pause(outcome.host, delay_s)
            elif delay_s >= end - time.monotonic():
                return outcome.unanswered
            else:
                await self._sleep(delay_s)
            attempt += 1

    async def _follow(self, request: Request, wire: Wire, end: float) -> Answer | _Failure:
        """One attempt: the exchange, and those that redirects lead to."""
        first, left_s = wire, request.timeout_s
        for _ in range(self._most_redirects + 1):
            try:
                async with self._courtesy.turn(wire.host, end - time.monotonic()):
                    started = time.monotonic()
                    outcome = await self._exchange(request, wire, left_s)
                    left_s -= time.monotonic() - started
            except NotNow as error:
                return _Failure(Unanswered(str(error)))
            except Unsendable as error:
                return _Failure(Unanswered(str(error)))
            if not isinstance(outcome, Wire):
                return outcome
            wire = outcome
        return _Failure(Unanswered(f"{first.host} redirected more than {self._most_redirects} times"))

    async def _exchange(self, request: Request, wire: Wire, left_s: float) -> Answer | Wire | _Failure:
        """One request and its answer, or where the answer is to be had. Tells ``Courtesy`` how the host did."""
        host = wire.host
        try:
            async with asyncio.timeout(left_s), self._opened(request, wire, left_s) as response:
                outcome = await self._read(request, wire, response)
        except TimeoutError:
            self._courtesy.failed(host)
            return _Failure(Unanswered(f"{host} did not answer within {request.timeout_s:g} s"))
        except Forbidden as error:
            return _Failure(Unanswered(str(error)))
        except NameNotFound as error:
            self._courtesy.failed(host)
            return _Failure(Unanswered(f"{host}: {error}"), may_pass=not error.lasting)
        except httpcore2.TimeoutException:
            self._courtesy.failed(host)
            return _Failure(Unanswered(f"{host} does not take connections"), may_pass=True)
        except httpcore2.LocalProtocolError:
            return _Failure(Unanswered(f"the request to {host} cannot be written"))
        except httpcore2.RemoteProtocolError:
            self._courtesy.failed(host)
            return _Failure(Unanswered(f"{host} sent an answer that was cut off, or none that is HTTP"), may_pass=True)
        except httpcore2.NetworkError as error:
            self._courtesy.failed(host)
            return _Failure(*_connection_reason(host, error))
        return outcome

    @asynccontextmanager
    async def _opened(self, request: Request, wire: Wire, left_s: float) -> AsyncIterator[httpcore2.Response]:
        """The answer with its body still to be read; the connection is closed where it was not read to its end."""
        pools = self._of_this_loop()
        pool = pools.public if request.public_only else pools.any_address
        response = await pool.handle_async_request(
            httpcore2.Request(
                wire.method,
                httpcore2.URL(
                    scheme=wire.url.raw_scheme, host=wire.url.raw_host, port=wire.url.port, target=wire.url.raw_path
                ),
                headers=wire.headers.raw,
                content=wire.content,
                extensions={"timeout": {"connect": min(left_s, _CONNECT_S)}},
            )
        )
        try:
            yield response
        finally:
            await response.aclose()

    async def _read(self, request: Request, wire: Wire, response: httpcore2.Response) -> Answer | Wire | _Failure:
        host, status, headers = wire.host, response.status, _headers(response)
        if status in _REDIRECTS and "location" in headers:
            self._courtesy.answered(host)
            return sent_on(request, wire, status, headers["location"])
        pieces = response.aiter_stream()
        if not 200 <= status < 300:
            return await self._refusal(host, status, headers, pieces)
        self._courtesy.answered(host)
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if request.accepts and kind and not _is_among(kind, request.accepts):
            body = await read_start(headers, pieces, _KEPT_OF_AN_ERROR)
            wanted = " or ".join(request.accepts)
            return _Failure(Unanswered(f"{host} sent {kind[:60]!a} and not {wanted}", status, body))
        try:
            body = await read_body(headers, pieces, request.max_bytes)
        except BodyFault as error:
            return _Failure(Unanswered(f"{host} sent {error}", status), may_pass=error.may_pass)
        if not body:
            return _Failure(Unanswered(f"{host} sent an empty answer", status))
        fault = request.fault(body) if request.fault is not None else None
        if fault is not None:
            wait_s = retry_after_s(headers.get("retry-after"), dt.datetime.now(dt.UTC))
            if wait_s is not None:
                self._courtesy.pause(host, wait_s)
            unanswered = Unanswered(f"{host} sent {fault}", status, body[:_KEPT_OF_AN_ERROR])
            return _Failure(unanswered, may_pass=wait_s is not None)
        return Answer(str(wire.url), status, headers, body, dt.datetime.now(dt.UTC))

    async def _refusal(self, host: str, status: int, headers: dict[str, str], pieces: AsyncIterator[bytes]) -> _Failure:
        """What an answer of 300 and up means, for this request and for the host."""
        wait_s = retry_after_s(headers.get("retry-after"), dt.datetime.now(dt.UTC))
        if status in _HOST_AT_FAULT:
            self._courtesy.failed(host)
        if wait_s is not None and status in {429, 503}:
            self._courtesy.pause(host, wait_s)
        said = f"{host} answered {status}{_phrase(status)}"
        if wait_s:
            said += f" and asked to wait {wait_s:.0f} s"
        body = await read_start(headers, pieces, _KEPT_OF_AN_ERROR)
        return _Failure(
            Unanswered(said, status, body),
            may_pass=status in _MAY_PASS,
            host=host,
            asks_for_less=status == 429 and wait_s is None,
        )

    def _of_this_loop(self) -> _Pools:
        loop = asyncio.get_running_loop()
        if loop not in self._pools:
            tls = self._tls or httpcore2.default_ssl_context()
            self._pools[loop] = _Pools(
                *(
                    httpcore2.AsyncConnectionPool(
                        ssl_context=tls,
                        max_connections=100,
                        max_keepalive_connections=20,
                        keepalive_expiry=5.0,
                        network_backend=Dialler(self._resolve, public, self._network),
                    )
                    for public in (None, self._public)
                )
            )
        return self._pools[loop]


def _headers(response: httpcore2.Response) -> dict[str, str]:
    headers: dict[str, str] = {}
    for raw_name, raw_value in response.headers:
        name, value = raw_name.decode("latin-1").lower(), raw_value.decode("latin-1")
        headers[name] = f"{headers[name]}, {value}" if name in headers else value
    return headers


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


def _connection_reason(host: str, error: httpcore2.NetworkError) -> tuple[Unanswered, bool]:
    """What went wrong below HTTP, and whether it may pass."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return Unanswered(f"the certificate of {host} is not trusted ({cause.verify_message})"), False
        if isinstance(cause, ssl.SSLError):
            return Unanswered(f"{host} does not speak TLS as it should"), False
        if isinstance(cause, ConnectionRefusedError):
            return Unanswered(f"{host} refused the connection"), True
        cause = cause.__cause__ or cause.__context__
    if isinstance(error, httpcore2.ConnectError):
        return Unanswered(f"{host} cannot be reached"), True
    return Unanswered(f"{host} broke the connection off"), True
