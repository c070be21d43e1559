"""Two runs over the same claims: which claims changed, and why: evidence, another judgement of it, or an error."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from wkgfc.errors import BadInput
from wkgfc.evaluate.cell import read_cell
from wkgfc.evaluate.claims_data import points_of
from wkgfc.evaluate.records import ClaimRecord, Results
from wkgfc.evidence import Record
from wkgfc.result import CheckResult

Why = Literal["evidence", "judgement", "error"]
NAMED = 3  # pieces of evidence that a reason names


class Change(Record):
    """A claim that two runs do not say the same of.

    ``why``: ``error`` where one of them ended without a verdict, ``evidence`` where they had different evidence,
    ``judgement`` where they judged the same evidence differently. ``points`` are the two-way points before and after.
    """

    id: str
    claim: str
    label: str | None
    before: str
    after: str
    points: tuple[float | None, float | None]
    why: Why
    reason: str


class Comparison(Record):
    """What changed between two runs. ``shared`` claims are in both; ``settings`` say what differs in how they ran."""

    shared: int
    only_first: int
    only_second: int
    changes: tuple[Change, ...]
    settings: tuple[str, ...]

    @property
    def counts(self) -> dict[str, int]:
        """How many changed for each reason, most first."""
        return dict(Counter(change.why for change in self.changes).most_common())


def compare(first: Path, second: Path) -> Comparison:
    """Compare the runs of two folders.

    Raises:
        BadInput: a folder has no run, or one of another version; or they share no claim.
    """
    cells = read_cell(first), read_cell(second)
    before = {record.id: record for record in Results(first).read()}
    after = {record.id: record for record in Results(second).read()}
    shared = [claim_id for claim_id in before if claim_id in after]
    if not shared:
        raise BadInput(f"{first} and {second} share no claim")
    fields = ("method", "without", "set_name", "sight", "limit", "seed")
    return Comparison(
        shared=len(shared),
        only_first=len(before) - len(shared),
        only_second=len(after) - len(shared),
        changes=tuple(_changes([(before[claim_id], after[claim_id]) for claim_id in shared])),
        settings=tuple(
            f"{name}: {_shown(getattr(cells[0], name))} → {_shown(getattr(cells[1], name))}"
            for name in fields
            if getattr(cells[0], name) != getattr(cells[1], name)
        ),
    )


def _shown(value: object) -> str:
    text = getattr(value, "text", value)
    return "none" if text is None else str(text)


def _changes(pairs: Sequence[tuple[ClaimRecord, ClaimRecord]]) -> Iterator[Change]:
    for before, after in pairs:
        points = points_of(before), points_of(after)
        if before.result.veracity == after.result.veracity and points[0] == points[1]:
            continue
        why, reason = _why(before.result, after.result)
        yield Change(
            id=before.id,
            claim=before.claim,
            label=before.label,
            before=_said(before.result),
            after=_said(after.result),
            points=points,
            why=why,
            reason=reason,
        )


def _said(result: CheckResult) -> str:
    if result.veracity is None:
        return result.stop_reason
    return str(result.veracity) + (f" ({result.confidence:.2f})" if result.confidence is not None else "")


def _why(before: CheckResult, after: CheckResult) -> tuple[Why, str]:
    for result, when in ((before, "before"), (after, "after")):
        if result.veracity is None:
            reason = "; ".join(result.errors) or result.checkability.reason or result.stop_reason
            return "error", f"{when}: {reason}"
    had, has = _texts(before), _texts(after)
    lost, gained = [text for text in had if text not in has], [text for text in has if text not in had]
    if lost or gained:
        parts = [f"{len(gained)} pieces more"] * bool(gained) + [f"{len(lost)} fewer"] * bool(lost)
        named = [f"“{text[:80]}”" for text in (gained or lost)[:NAMED]]
        return "evidence", f"{', '.join(parts)}: {'; '.join(named)}"
    return "judgement", f"the same {len(has)} pieces of evidence, judged differently"


def _texts(result: CheckResult) -> list[str]:
    """The evidence by what it says, those that are cited first: ids differ between runs."""
    pieces = sorted(result.evidence, key=lambda piece: not piece.used)
    return list(dict.fromkeys(piece.text for piece in pieces))
