"""The client that sends requests for real: polite to hosts, again where that may help, and never beyond its time.

>>> from wkgfc.http import Request
>>> async with LiveHttp(user_agent("newsroom@example.org")) as http:  # doctest: +SKIP
...     answer = await http.send(Request("https://www.wikidata.org/w/api.php", kind="entity"))
"""

import asyncio
import random
import ssl
import time
from collections.abc import Awaitable, Callable
from importlib.metadata import version
from types import TracebackType
from typing import Self

import httpcore2

from wkgfc.errors import NotConfigured
from wkgfc.http.addresses import Resolve, resolve_name
from wkgfc.http.courtesy import Courtesy, NotNow, process_courtesy
from wkgfc.http.deadline import GRACE_S, remaining_s
from wkgfc.http.dialling import Dialler, PublicOnly
from wkgfc.http.exchange import Exchanges, Failure
from wkgfc.http.proxy import Proxy
from wkgfc.http.redaction import redacted
from wkgfc.http.request import Answer, Request, Unanswered
from wkgfc.http.wire import Unsendable, Wire, to_wire


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
        proxy: what everything goes through that is not on this machine.
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
        proxy: Proxy | None = None,
        resolve: Resolve = resolve_name,
        network: httpcore2.AsyncNetworkBackend | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self._agent, self._courtesy = agent, courtesy or process_courtesy()
        self._attempts, self._backoff_s, self._patience_s = attempts, backoff_s, patience_s
        self._most_redirects = redirects
        self._sleep, self._chance = sleep, chance
        self._exchanges = Exchanges(
            self._courtesy,
            any_address=Dialler(resolve, None, network, proxy),
            public=Dialler(resolve, public or PublicOnly(), network, proxy),
            tls=tls,
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close the connections of this event loop. The client may be used again."""
        await self._exchanges.aclose()

    async def send(self, request: Request) -> Answer | Unanswered:
        """Send one request, again where that may help, within the deadline of the check.

        What a server or the network does comes back as ``Unanswered``, never as an exception.
        """
        left_s = remaining_s()
        if left_s == 0.0:
            return Unanswered("the time for the check is over")
        within_s = self._patience_s if left_s is None else min(left_s + GRACE_S, self._patience_s)
        try:
            wire = to_wire(request, self._agent)
        except Unsendable as error:
            return redacted(request, Unanswered(str(error)))
        try:
            async with asyncio.timeout(within_s):
                outcome = await self._attempt(request, wire, time.monotonic() + within_s)
        except TimeoutError:
            outcome = _too_late(wire)
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
            if outcome.status == 504 and request.kind == "query":
                return outcome.unanswered  # the query took the server too long, and would again
            delay_s = self._backoff_s * 2 ** (attempt - 1) * (1 - self._chance() / 2)
            if outcome.retry_after_s is None:  # else Courtesy waits before the next attempt
                if delay_s >= end - time.monotonic():
                    return outcome.unanswered
                await self._sleep(delay_s)
            attempt += 1

    async def _follow(self, request: Request, wire: Wire, end: float) -> Answer | Failure:
        """One attempt: the exchange, and those that redirects lead to."""
        first, left_s = wire, request.timeout_s
        for _ in range(self._most_redirects + 1):
            try:
                async with self._courtesy.turn(wire.host, end - time.monotonic()):
                    if remaining_s() == 0.0:  # it had waited for its turn: nothing is asked any more
                        return Failure(_too_late(wire))
                    started = time.monotonic()
                    outcome = await self._exchanges.exchange(request, wire, left_s)
                    left_s -= time.monotonic() - started
            except (NotNow, Unsendable) as error:
                return Failure(Unanswered(str(error)))
            if not isinstance(outcome, Wire):
                return outcome
            wire = outcome
            if request.hindrance and (reason := await request.hindrance(str(wire.url))) is not None:
                return Failure(Unanswered(reason))
        return Failure(Unanswered(f"{first.host} redirected more than {self._most_redirects} times"))


def _too_late(wire: Wire) -> Unanswered:
    return Unanswered(f"the time for the check was over before {wire.host} had answered")
