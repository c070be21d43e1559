"""A run as the store knows it, how far it is, and what came of each of its claims."""

import datetime as dt
from dataclasses import dataclass

from wkgfc.batch.identity import Identity
from wkgfc.batch.rows import ClaimRow, State


@dataclass(frozen=True)
class Run:
    """A run as the store knows it. ``today`` is the day that claims without a date mean, however long it takes."""

    run: int
    label: str
    name: str
    variant: str
    identity: Identity
    claims: str
    digest: str
    today: dt.date
    begun_at: dt.datetime
    rows_read: int
    is_read: bool


@dataclass(frozen=True)
class Counts:
    """How far a run is. ``by_veracity`` counts results that have one; ``cost_usd`` is all that was paid so far."""

    claims: int = 0
    problems: int = 0
    done: int = 0
    degraded: int = 0
    errors: int = 0
    again: int = 0
    cost_usd: float = 0.0
    seconds: float = 0.0
    calls: int = 0
    by_veracity: tuple[tuple[str, int], ...] = ()

    @property
    def finished(self) -> int:
        """Claims that need no more work, rows that are no claims among them."""
        return self.problems + self.done + self.degraded + self.errors

    @property
    def pending(self) -> int:
        """Claims that are still to be checked."""
        return self.claims - self.finished


@dataclass(frozen=True)
class KeptResult:
    """A claim of a run with what came of it; ``state`` is ``None`` where nothing has yet."""

    claim: ClaimRow
    state: State | None
    veracity: str | None
    confidence: float | None
    stop_reason: str | None
    error: str | None
    cost_usd: float
    seconds: float
    attempts: int
    finished_at: str | None
    packed: bytes | None
