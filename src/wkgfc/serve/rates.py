"""How often somebody may ask: so many requests a minute, and no more than those at once."""

import math
import time
from collections import OrderedDict
from collections.abc import Callable

MOST_ASKERS = 10_000  # that are remembered: whoever asked longest ago is forgotten first


class Rates:
    """A bucket for each asker: ``per_minute`` tokens at most, which come back one by one.

    A request may take more than are there where there is one at least, and the next ones wait for it: a batch is never
    refused for ever.
    """

    def __init__(self, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_minute, self._clock = per_minute, clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()  # tokens, and when they were counted

    def take(self, asker: str, tokens: int = 1) -> int:
        """Take tokens for a request. 0, or the whole seconds after which there is one again: nothing was taken then."""
        now = self._clock()
        left, then = self._buckets.pop(asker, (float(self._per_minute), now))
        left = min(self._per_minute, left + (now - then) * self._per_minute / 60)
        wait = 0 if left >= 1 else max(1, math.ceil((1 - left) * 60 / self._per_minute))
        self._buckets[asker] = (left if wait else left - tokens, now)
        if len(self._buckets) > MOST_ASKERS:
            self._buckets.popitem(last=False)
        return wait

    def charge(self, asker: str, tokens: int) -> None:
        """Take further tokens for a request that was let in."""
        left, then = self._buckets.get(asker, (float(self._per_minute), self._clock()))
        self._buckets[asker] = (left - tokens, then)
