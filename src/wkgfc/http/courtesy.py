"""How a host is treated: few requests at a time, none while it asks to wait, none for a while when it fails.

It is one for the process (``process_courtesy``), as the hosts see one client: what one check was told holds for all,
in whatever thread or event loop they run. Sources: Wikimedia's rate limits (3 requests at once, ``Retry-After``
obeyed); RFC 9110, section 10.2.3 (the forms of ``Retry-After``).
"""

import asyncio
import datetime as dt
import threading
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from functools import cache

AT_ONCE = 3  # Wikimedia_APIs/Rate_limits
LONGEST_PAUSE_S = 86_400.0  # no host is believed that asks for more than a day
_MOST_HOSTS = 2_000  # remembered; those at rest are forgotten beyond that


class NotNow(Exception):
    """A host that is not asked now. Its text is one line that says why."""


@dataclass(eq=False)
class _Waiter:
    loop: asyncio.AbstractEventLoop
    called: "asyncio.Future[None]"
    has_place: bool = False


@dataclass
class _Host:
    at_work: int = 0
    waiting: deque[_Waiter] = field(default_factory=deque)
    paused_until: float = 0.0
    failures: int = 0
    left_alone_until: float = 0.0

    def is_at_rest(self, now: float) -> bool:
        return not (self.at_work or self.waiting or self.failures) and now >= self.paused_until


class Courtesy:
    """Places, pauses and failures of each host. It may be used from several threads and event loops.

    Args:
        at_once: requests to one host at the same time.
        failures: how many in a row it takes until a host is left alone for ``left_alone_s``. After that it is asked
            again, and one more failure is enough.
        clock: seconds, never backwards.
        sleep: waits so many seconds.
    """

    def __init__(
        self,
        *,
        at_once: int = AT_ONCE,
        failures: int = 5,
        left_alone_s: float = 30.0,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._at_once, self._failures, self._left_alone_s = at_once, failures, left_alone_s
        self._clock, self._sleep = clock, sleep
        self._lock = threading.Lock()
        self._hosts: dict[str, _Host] = {}

    @asynccontextmanager
    async def turn(self, host: str, within_s: float) -> AsyncIterator[None]:
        """Hold one of the places of ``host`` for the block, once it is free and no pause is on.

        Raises:
            NotNow: the host asked to wait longer than ``within_s``, or failed too often.
        """
        end = self._clock() + within_s
        await self._take(host)
        try:
            while (wait_s := self._wait_s(host)) > 0:
                if wait_s > end - self._clock():
                    raise NotNow(f"{host} asked to wait {wait_s:.0f} s, which is longer than there is time for")
                await self._sleep(wait_s)
            yield
        finally:
            self._give(host)

    def pause(self, host: str, seconds: float) -> None:
        """Send nothing to ``host`` for so long."""
        with self._lock:
            state = self._state(host)
            state.paused_until = max(state.paused_until, self._clock() + min(max(seconds, 0.0), LONGEST_PAUSE_S))

    def answered(self, host: str) -> None:
        """``host`` works."""
        with self._lock:
            state = self._state(host)
            state.failures, state.left_alone_until = 0, 0.0

    def failed(self, host: str) -> None:
        """``host`` could not be reached, or did not answer in time, or as a broken server does."""
        with self._lock:
            state = self._state(host)
            state.failures += 1
            if state.failures >= self._failures:
                state.left_alone_until = self._clock() + self._left_alone_s

    def _state(self, host: str) -> _Host:
        if host not in self._hosts and len(self._hosts) >= _MOST_HOSTS:
            now = self._clock()
            self._hosts = {name: state for name, state in self._hosts.items() if not state.is_at_rest(now)}
        return self._hosts.setdefault(host, _Host())

    def _wait_s(self, host: str) -> float:
        with self._lock:
            state, now = self._state(host), self._clock()
            if state.left_alone_until > now:
                raise NotNow(
                    f"{host} failed {state.failures} times in a row and is left alone for "
                    f"{state.left_alone_until - now:.0f} s"
                )
            return state.paused_until - now

    async def _take(self, host: str) -> None:
        with self._lock:
            state = self._state(host)
            if state.at_work < self._at_once and not state.waiting:
                state.at_work += 1
                return
            loop = asyncio.get_running_loop()
            waiter = _Waiter(loop, loop.create_future())
            state.waiting.append(waiter)
        try:
            await waiter.called
        except asyncio.CancelledError:
            with self._lock:
                if not waiter.has_place:
                    state.waiting.remove(waiter)
            if waiter.has_place:  # it was handed over while the waiter went away
                self._give(host)
            raise

    def _give(self, host: str) -> None:
        """Hand the place to who waits longest, in whichever event loop that is."""
        with self._lock:
            state = self._state(host)
            while state.waiting:
                waiter = state.waiting.popleft()
                try:
                    waiter.loop.call_soon_threadsafe(_call, waiter.called)
                except RuntimeError:  # its event loop is closed
                    continue
                waiter.has_place = True
                return
            state.at_work -= 1


def _call(waiter: "asyncio.Future[None]") -> None:
    if not waiter.done():
        waiter.set_result(None)


@cache
def process_courtesy() -> Courtesy:
    """The one of this process: a host counts the requests of the process, whoever in it sends them."""
    return Courtesy()


def retry_after_s(value: str | None, now: dt.datetime) -> float | None:
    """The seconds that a ``Retry-After`` asks for, 0 or more and at most a day; None where it says nothing usable.

    Args:
        value: a number of seconds, or an HTTP date.
        now: the present, with its time zone.
    """
    if value is None:
        return None
    text = value.strip()
    if text.isascii() and text.isdigit():
        return min(float(text[:12]), LONGEST_PAUSE_S)
    if len(text) > 64:  # no date is that long
        return None
    try:
        moment = parsedate_to_datetime(text)
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=dt.UTC)
        seconds = (moment - now).total_seconds()
    except (ValueError, TypeError, IndexError, OverflowError):  # what the library raises for text that is no date
        return None
    return min(max(seconds, 0.0), LONGEST_PAUSE_S)
