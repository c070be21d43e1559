"""Two runs over the same claims: which claims changed, and why: evidence, another judgement of it, or an error."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

from wkgfc.errors import BadInput
from wkgfc.evaluate.cell import Description, differences, read_description
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
        BadInput: a folder has no run, or one of another version; they share no claim; or an id names another claim, or
            one of another label, in each.
    """
    one, two = (_said_of(read_description(folder)) for folder in (first, second))
    before = {record.id: record for record in Results(first).read()}
    after = {record.id: record for record in Results(second).read()}
    shared = [claim_id for claim_id in before if claim_id in after]
    if not shared:
        raise BadInput(f"{first} and {second} share no claim")
    pairs = [(before[claim_id], after[claim_id]) for claim_id in shared]
    other = [old.id for old, new in pairs if (old.claim, old.label) != (new.claim, new.label)]
    if other:
        raise BadInput(
            f"{first} and {second} are over other claims: {len(other)} of {len(shared)} ids, such as {other[0]!r}, "
            "name another claim, or one of another label, in each"
        )
    return Comparison(
        shared=len(shared),
        only_first=len(before) - len(shared),
        only_second=len(after) - len(shared),
        changes=tuple(_changes(pairs)),
        settings=tuple(
            f"{name}: {'none' if old is None else old} → {'none' if new is None else new}"
            for name, old, new in differences(one, two)
        ),
    )


def _said_of(description: Description) -> dict[str, Any]:
    """All that a run was, as a reader compares it: what it sees in words, and the digest of its claims."""
    cell = description.cell
    said = cell.model_dump(mode="json", exclude={"n", "ids"})
    said |= {"sight": cell.sight.text, "digest of the claims": cell.ids}
    return said | description.model_dump(mode="json", include={"settings", "sources", "version"})


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
