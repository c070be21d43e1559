"""How far a run is: rate, cost, time left, what came of the claims, and what their sources were spared."""

import time
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field

from wkgfc.batch.rows import Outcome
from wkgfc.batch.run import Counts
from wkgfc.batch.sharing import Asked

WINDOW_S = 60.0  # that the rate is the mean over: the pace of now, not of the beginning


@dataclass
class Progress:
    """The running totals. Only ``clock`` is looked at, which no change of the date moves.

    ``finished`` counts what earlier processes did too; ``now`` what this one did.
    """

    total: int
    finished: int
    errors: int = 0
    degraded: int = 0
    cost_usd: float = 0.0
    by_veracity: Counter[str] = field(default_factory=Counter)
    asked: Asked = field(default_factory=Asked)
    now: int = 0
    clock: Callable[[], float] = time.monotonic
    _marks: deque[tuple[float, int]] = field(default_factory=deque)

    @classmethod
    def of(cls, counts: Counts, clock: Callable[[], float] = time.monotonic) -> "Progress":
        """Progress that begins where the store says that the run is."""
        return cls(
            total=counts.claims,
            finished=counts.finished,
            errors=counts.errors + counts.problems,
            degraded=counts.degraded,
            cost_usd=counts.cost_usd,
            by_veracity=Counter(dict(counts.by_veracity)),
            clock=clock,
            _marks=deque([(clock(), 0)]),
        )

    def count(self, outcome: Outcome) -> None:
        """Count a claim that was kept."""
        self.now += 1
        self.cost_usd += outcome.cost_usd
        if outcome.state != "again":
            self.finished += 1
            self.errors += outcome.state == "error"
            self.degraded += outcome.state == "degraded"
            if outcome.veracity is not None:
                self.by_veracity[outcome.veracity] += 1
        moment = self.clock()
        if moment - self._marks[-1][0] >= 1.0:
            self._marks.append((moment, self.now))
            while len(self._marks) > 2 and moment - self._marks[1][0] > WINDOW_S:
                self._marks.popleft()

    @property
    def rate(self) -> float:
        """Claims a second over the last minute; 0 before there is one."""
        then, before = self._marks[0]
        seconds = self.clock() - then
        return (self.now - before) / seconds if seconds > 0 else 0.0

    @property
    def seconds_left(self) -> float | None:
        """At the pace of now; ``None`` where there is none yet."""
        rate = self.rate
        return (self.total - self.finished) / rate if rate > 0 else None

    def in_words(self) -> str:
        """One line for a terminal or a log."""
        parts = [f"{self.finished:,} of {self.total:,}", f"{self.rate:,.1f} a second"]
        if self.seconds_left is not None and self.finished < self.total:
            parts.append(f"{_clock_time(self.seconds_left)} left")
        known = sum(self.by_veracity.values())
        parts += [f"{name} {100 * number / known:.0f} %" for name, number in self.by_veracity.most_common()]
        if self.cost_usd:
            parts.append(f"${self.cost_usd:,.4f}")
        if self.errors or self.degraded:
            parts.append(f"{self.errors:,} errors, {self.degraded:,} with a failed source")
        if self.asked.saved:
            share = self.asked.saved / self.asked.wanted.total()
            parts.append(f"{self.asked.saved:,} questions saved ({100 * share:.0f} %)")
        return " · ".join(parts)


def _clock_time(seconds: float) -> str:
    hours, rest = divmod(int(seconds), 3_600)
    return f"{hours}:{rest // 60:02}:{rest % 60:02}" if hours else f"{rest // 60}:{rest % 60:02}"
