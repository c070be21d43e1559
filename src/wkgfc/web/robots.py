"""Whether a site lets machines read a page: robots.txt, the Robots Exclusion Protocol (RFC 9309).

Rules are matched by ``protego``: the longest rule wins and ``*`` and ``$`` mean what the protocol says, which Python's
own ``urllib.robotparser`` knows neither of.
"""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from wkgfc.http import Answer, Http, Request

if TYPE_CHECKING:
    from protego import Protego

PRODUCT = "wkgfc"  # what groups of rules name us by
PARSED_BYTES = 512_000  # RFC 9309, section 2.5: at least 500 KiB
MAX_BYTES = 2_000_000
FRESH_S = 3_600.0  # the protocol allows a day (section 2.4)
FRESH_UNREACHABLE_S = 60.0
MAX_HOSTS = 2_000


@dataclass(frozen=True)
class _Rules:
    """``parsed`` is ``None`` where everything is allowed; ``refusal`` is why nothing is."""

    until: float
    parsed: "Protego | None" = None
    refusal: str | None = None


class Robots:
    """What the sites' robots.txt say, each kept for ``fresh_s`` seconds in memory; a cached one is not older either.

    Section 2.3.1 of the protocol: a file that a site does not have (400 to 499) allows everything; one that cannot be
    had (500 to 599, no connection) forbids everything, for a minute. So does 429: the host asks for fewer requests.
    """

    def __init__(
        self,
        http: Http,
        *,
        product: str = PRODUCT,
        fresh_s: float = FRESH_S,
        public_only: bool = True,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._http, self._product, self._fresh_s = http, product, fresh_s
        self._public_only, self._clock = public_only, clock
        self._rules: dict[str, _Rules] = {}
        self._asking: dict[tuple[int, str], asyncio.Lock] = {}

    async def refusal(self, url: str) -> str | None:
        """Why ``url`` must not be read, in a few words; ``None`` if it may. ``url`` is an http(s) address."""
        parts = urlsplit(url)
        site = f"{parts.scheme}://{parts.netloc}"
        key = (id(asyncio.get_running_loop()), site)
        lock = self._asking.setdefault(key, asyncio.Lock())
        async with lock:  # one request for all pages of a site
            rules = self._rules.get(site)
            if rules is None or rules.until <= self._clock():
                rules = await self._fetch(site)
                while len(self._rules) >= MAX_HOSTS:
                    self._rules.pop(next(iter(self._rules)))
                self._rules[site] = rules
        self._asking.pop(key, None)
        if rules.refusal is not None:
            return rules.refusal
        if rules.parsed is not None and not rules.parsed.can_fetch(url, self._product):
            return f"the robots.txt of {parts.hostname} asks machines not to read this page"
        return None

    async def _fetch(self, site: str) -> _Rules:
        from protego import Protego  # noqa: PLC0415 - only where the setting is on

        answer = await self._http.send(
            Request(
                f"{site}/robots.txt",
                kind="page",
                max_bytes=MAX_BYTES,
                public_only=self._public_only,
                max_age_s=self._fresh_s,
            )
        )
        now = self._clock()
        if isinstance(answer, Answer):
            text = answer.body[:PARSED_BYTES].decode("utf-8", "replace").removeprefix("\ufeff")
            return _Rules(now + self._fresh_s, parsed=Protego.parse(text))
        # An answer that cannot be used though its status is good is empty, or no robots.txt at all.
        there_is_none = answer.status is not None and answer.status < 500 and answer.status != 429
        if there_is_none:
            return _Rules(now + self._fresh_s)
        return _Rules(now + FRESH_UNREACHABLE_S, refusal=f"its robots.txt cannot be had ({answer.reason})")
