"""What travels through a batch: a claim of the file, and what came of it."""

import datetime as dt
import zlib
from dataclasses import dataclass
from typing import Literal

from wkgfc.claim import Claim, read_claim
from wkgfc.result import CheckResult
from wkgfc.usage import Usage

# done: a result. degraded: a verdict, but a source failed as a whole on the way to it. error: no verdict.
# again: to be replaced: an error or a degraded one that is retried, or a verdict that the run's limit forced.
State = Literal["done", "degraded", "error", "again"]

_LEVEL = 1  # of zlib: a result is a quarter of its size, and no check notices the time


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """A row of the claims file. ``place`` counts the rows from 0, ``line`` is where it begins in the file.

    ``problem`` says why it is no claim; it then has no text.
    """

    place: int
    line: int
    id: str
    text: str = ""
    date: str | None = None
    speaker: str | None = None
    language: str | None = None
    problem: str | None = None

    def to_claim(self, today: dt.date | None = None) -> Claim:
        """The claim to check. ``today`` is what a claim without a date means by it.

        Raises:
            BadInput: nothing visible is in the text, or it is too long for one claim.
        """
        date = dt.date.fromisoformat(self.date) if self.date else None
        claim = read_claim(self.text, date=date, speaker=self.speaker, language=self.language)
        return claim if today is None else claim.model_copy(update={"today": today})


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one claim. ``packed`` is the result as JSON, compressed; without one, ``error`` says why."""

    place: int
    state: State
    veracity: str | None = None
    confidence: float | None = None
    stop_reason: str | None = None
    error: str | None = None
    cost_usd: float = 0.0
    seconds: float = 0.0
    calls: int = 0
    packed: bytes | None = None
    is_begun: bool = True  # False: the run's limit left no room for it, so that nothing came of it


def outcome_of(place: int, result: CheckResult, seconds: float, *, trace: bool = False) -> Outcome:
    """The outcome of a check that ended, with its result packed; the trajectory is left out but for ``trace``."""
    usage = result.usage
    is_error = result.stop_reason == "error"
    kept = result if trace else result.model_copy(update={"trajectory": None, "graph": None})
    return Outcome(
        place=place,
        state=_state(result),
        veracity=result.veracity.value if result.veracity else None,
        confidence=result.confidence,
        stop_reason=result.stop_reason,
        error=(result.errors[-1] if result.errors else "no reason was given") if is_error else None,
        cost_usd=usage.cost_usd,
        seconds=round(seconds, 4),
        calls=_calls(usage),
        packed=zlib.compress(kept.model_dump_json().encode(), _LEVEL),
        is_begun=result.stop_reason != "run_limit" or result.veracity is not None,
    )


def failed(place: int, error: str, seconds: float = 0.0, usage: Usage | None = None) -> Outcome:
    """The outcome of a claim whose check gave no result, and what was used for it all the same."""
    used = usage or Usage()
    return Outcome(
        place=place,
        state="error",
        stop_reason="error",
        error=error,
        cost_usd=used.cost_usd,
        seconds=round(seconds, 4),
        calls=_calls(used),
    )


def unpacked(packed: bytes) -> str:
    """The JSON of a packed result."""
    return zlib.decompress(packed).decode()


def _calls(usage: Usage) -> int:
    return usage.kg_queries + usage.entity_searches + usage.web_searches + usage.pages + usage.llm_calls


def _state(result: CheckResult) -> State:
    if result.stop_reason == "error":
        return "error"
    if result.stop_reason == "run_limit":
        return "again"
    steps = result.trajectory.steps if result.trajectory else ()
    return "degraded" if any(step.observation.outcome == "failed" for step in steps) else "done"
