"""What a check and a run may use, and the running totals that are held against it.

A check has a budget, and so has the run that it belongs to: the life of one ``FactChecker``. A limit is looked at
before a call is made, with what that call is expected to take and what a verdict will: a check that comes to its limit
concludes from what it has, and a run that comes to its limit begins no further check.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Literal

from wkgfc.errors import NotConfigured

VERDICT_TOKENS = 3_000  # kept free for the verdict: a prompt with some twenty pieces of evidence, and its answer
MAX_RESERVE = 0.25  # of a limit, kept free for the verdict: a small limit still leaves room to look for something

Measure = Literal["steps", "tokens", "cost", "seconds"]
Whose = Literal["check", "run"]


@dataclass(frozen=True)
class Limits:
    """The most that may be used; ``None`` is no limit."""

    steps: int | None = None
    tokens: int | None = None
    cost_usd: float | None = None
    seconds: float | None = None


@dataclass(frozen=True)
class Charge:
    """What a call takes. ``cost_usd`` is ``None`` where the price of the model is not known: that is not zero."""

    input_tokens: int
    output_tokens: int
    cost_usd: float | None = None

    @property
    def tokens(self) -> int:
        """Read and written."""
        return self.input_tokens + self.output_tokens


class LimitReached(Exception):
    """There is no room for another call. The text says which limit, and how much was used."""

    def __init__(self, whose: Whose, measure: Measure, text: str) -> None:
        super().__init__(text)
        self.whose, self.measure = whose, measure


class Budget:
    """The running total of a check or a run. Calls that are under way count with what is expected of them.

    Args:
        limits: what may be used.
        whose: whether it is a check's or a run's.
        within: the run's budget, which a check's calls count in too.
        clock: seconds that only grow.
    """

    def __init__(
        self,
        limits: Limits,
        whose: Whose = "check",
        *,
        within: "Budget | None" = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.limits, self.whose, self.within = limits, whose, within
        self.steps = self.calls = self.input_tokens = self.output_tokens = self.unpriced_tokens = 0
        self.cost_usd = 0.0
        self._pending: list[Charge] = []
        self._reached: LimitReached | None = None
        self._clock = clock
        self._started = clock()

    @property
    def tokens(self) -> int:
        """Read and written so far, calls under way apart."""
        return self.input_tokens + self.output_tokens

    def seconds_left(self) -> float | None:
        """Seconds until the time of this budget or of the one around it is over; ``None``: there is no such limit."""
        own = None if self.limits.seconds is None else self.limits.seconds - (self._clock() - self._started)
        around = self.within.seconds_left() if self.within else None
        left = [seconds for seconds in (own, around) if seconds is not None]
        return max(0.0, min(left)) if left else None

    def count_step(self) -> None:
        """Count a step that was made."""
        self.steps += 1
        if self.within:
            self.within.count_step()

    def reached(self) -> LimitReached | None:
        """The limit that leaves no room for more, once one has been reached; that of the run goes before the check's.

        A call that was refused is enough: what is left may be too little for the next one too.
        """
        around = self.within.reached() if self.within else None
        if around or self._reached:
            return around or self._reached
        limits = self.limits
        if limits.steps is not None and self.steps >= limits.steps:
            return self._over("steps", f"{limits.steps:,} steps")
        if limits.seconds is not None and self._clock() - self._started >= limits.seconds:
            return self._over("seconds", f"{limits.seconds:g} s")
        if limits.tokens is not None and self.tokens >= limits.tokens:
            return self._over("tokens", f"{limits.tokens:,} tokens")
        if limits.cost_usd is not None and self.cost_usd >= limits.cost_usd > 0:
            return self._over("cost", f"${limits.cost_usd:g}")
        return None

    @contextmanager
    def call(self, expected: Charge) -> Iterator[Callable[[Charge], None]]:
        """The block makes a call of ``expected`` size and says what it took, with the function that it is given.

        Within ``concluding`` it is never refused.

        Raises:
            LimitReached: there is no room for it.
            NotConfigured: money is limited, and the price is not known.
        """
        budgets = [self, *([self.within] if self.within else [])]
        for budget in budgets:
            budget._admit(expected)
        for budget in budgets:
            budget._pending.append(expected)

        def charge(taken: Charge) -> None:
            for budget in budgets:
                budget._add(taken)

        try:
            yield charge
        finally:
            for budget in budgets:
                budget._pending.remove(expected)

    def _admit(self, expected: Charge) -> None:
        limits = self.limits
        if limits.cost_usd is not None and expected.cost_usd is None:
            raise NotConfigured(
                f"the limit of ${limits.cost_usd:g} a {self.whose} cannot be kept, as the price of the model is not "
                "known: set price_input_usd and price_output_usd, or limit the tokens instead"
            )
        if _concluding.get():
            return
        if (reached := self.reached()) is not None:
            raise reached
        tokens = self.tokens + sum(each.tokens for each in self._pending) + expected.tokens
        if limits.tokens is not None and tokens + min(VERDICT_TOKENS, MAX_RESERVE * limits.tokens) > limits.tokens:
            raise self._over("tokens", f"{limits.tokens:,} tokens")
        if limits.cost_usd is not None and expected.cost_usd:
            cost = self.cost_usd + sum(each.cost_usd or 0.0 for each in self._pending) + expected.cost_usd
            verdict = expected.cost_usd * VERDICT_TOKENS / max(expected.tokens, 1)
            if cost + min(verdict, MAX_RESERVE * limits.cost_usd) > limits.cost_usd:
                raise self._over("cost", f"${limits.cost_usd:g}")

    def _add(self, taken: Charge) -> None:
        self.calls += 1
        self.input_tokens += taken.input_tokens
        self.output_tokens += taken.output_tokens
        if taken.cost_usd is None:
            self.unpriced_tokens += taken.tokens
        else:
            self.cost_usd += taken.cost_usd

    def _over(self, measure: Measure, limit: str) -> LimitReached:
        used = {"steps": f"{self.steps:,}", "tokens": f"{self.tokens:,}", "cost": f"${self.cost_usd:.4f}"}.get(measure)
        text = f"the limit of {limit} a {self.whose} leaves no room for more"
        self._reached = LimitReached(self.whose, measure, text + (f" ({used} used)" if used else ""))
        return self._reached


_budget: ContextVar[Budget | None] = ContextVar("wkgfc_budget", default=None)
_concluding: ContextVar[bool] = ContextVar("wkgfc_concluding", default=False)


@contextmanager
def spending(budget: Budget) -> Iterator[None]:
    """Let calls in the block, and in the tasks that it starts, count in ``budget``."""
    token = _budget.set(budget)
    try:
        yield
    finally:
        _budget.reset(token)


@contextmanager
def concluding() -> Iterator[None]:
    """Let calls in the block be made at the limit too: the verdict, for which room was kept."""
    token = _concluding.set(True)
    try:
        yield
    finally:
        _concluding.reset(token)


def limit_reached() -> LimitReached | None:
    """The limit that the check that runs has come to, if it has."""
    budget = _budget.get()
    return budget.reached() if budget else None


@contextmanager
def call(expected: Charge) -> Iterator[Callable[[Charge], None]]:
    """``Budget.call`` for the check that runs; outside of one nothing is limited and nothing is counted."""
    budget = _budget.get()
    if budget is None:
        yield lambda taken: None
        return
    with budget.call(expected) as charge:
        yield charge
