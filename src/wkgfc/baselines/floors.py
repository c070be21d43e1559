"""Two floors that any checker must beat: the most frequent answer, and how many words of the claim a text has.

Both know nothing of the claims that they are measured on: what they need comes from development claims, which are
named with every figure.
"""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from wkgfc.baselines.course import Course, run
from wkgfc.baselines.method import CannotCheck, Seen, Tools
from wkgfc.baselines.verdicts import Probabilities, judgement, quotation, two_answers, undecided
from wkgfc.claim import Claim, Veracity
from wkgfc.datasets import LabelledClaim
from wkgfc.evidence import Evidence, Passage, Record
from wkgfc.reasoning.embedded.lexicon.terms import load_term_statistics, terms_of
from wkgfc.reasoning.reasoner import Judgement
from wkgfc.result import CheckResult, Sentence

LEAST_CLAIMS = 20  # with a label of each class, below which nothing is fitted


class Fitted(Record):
    """What was learned of development claims. ``claims`` names them; ``n`` of them were used.

    ``supported`` is the share of Supported among them. ``threshold`` is the overlap that separates best, by balanced
    accuracy; ``above`` and ``below`` are the shares of Supported on both its sides.
    """

    claims: str
    n: int
    supported: float
    threshold: float | None = None
    above: float | None = None
    below: float | None = None


class Majority:
    """Answers every claim with the class that is most frequent among development claims."""

    name = "majority"

    def __init__(self, tools: Tools, fitted: Fitted) -> None:
        self._tools, self._fitted = tools, fitted

    async def check(self, claim: Claim, seen: Seen) -> CheckResult:
        """See ``Method``. Nothing is looked at."""

        async def work(course: Course) -> Judgement:
            async def judge() -> Judgement:
                share = self._fitted.supported
                text = f"{share:.1%} of {self._fitted.n} claims of {self._fitted.claims} are Supported."
                said = Sentence(text=text, citations=("S1",))
                return judgement(course, two_answers(share), [said])

            return await course.conclude(judge, "the most frequent answer")

        return await run(claim, seen, self._tools, work)


class LexicalOverlap:
    """Says Supported where one passage has enough of the claim's content words, each weighed by its rarity.

    It reads the given document, or else the passages that a search for the claim brings.
    """

    name = "lexical"

    def __init__(self, tools: Tools, fitted: Fitted) -> None:
        if fitted.threshold is None or fitted.above is None or fitted.below is None:
            raise CannotCheck("the lexical floor needs a threshold from development claims: name them with --fit")
        self._tools, self._fitted = tools, fitted

    async def check(self, claim: Claim, seen: Seen) -> CheckResult:
        """See ``Method``."""

        async def work(course: Course) -> Judgement:
            best = await most_alike(course)

            async def judge() -> Judgement:
                if best is None:
                    return judgement(course, undecided(), otherwise="No passage was found.")
                piece, overlap = best
                return judgement(course, self._answers(overlap), [quotation(claim.text, piece)])

            return await course.conclude(judge, f"an overlap of {best[1]:.2f}" if best else "nothing to compare with")

        return await run(claim, seen, self._tools, work)

    def _answers(self, overlap: float) -> Probabilities:
        threshold, above, below = self._fitted.threshold, self._fitted.above, self._fitted.below
        assert threshold is not None
        assert above is not None
        assert below is not None
        return two_answers(above if overlap >= threshold else below)


async def most_alike(course: Course) -> tuple[Evidence, float] | None:
    """The piece that has most of the claim's words, with its overlap in [0, 1]."""
    claim, seen = course.state.claim.text, course.seen
    pieces = (
        course.give(seen.documents)
        if seen.documents
        else await course.search(claim, "the claim itself is the query", limit=course.tools.settings.passages)
    )
    statistics, wanted = load_term_statistics(), terms_of(claim)
    overlaps = [
        (statistics.coverage(wanted, terms_of(f"{piece.content.title or ''} {piece.content.text}")), piece)
        for piece in pieces
        if isinstance(piece.content, Passage)
    ]
    if not overlaps:
        return None
    overlap, piece = max(overlaps, key=lambda pair: pair[0])
    return piece, overlap


def fit(
    rows: Sequence[LabelledClaim],
    name: str,
    tools: Tools,
    seen_of: Callable[[LabelledClaim], Seen] | None = None,
    run: Callable[[Coroutine[Any, Any, list[float]]], list[float]] = asyncio.run,
) -> Fitted:
    """What both floors need, from development claims. Without ``seen_of`` only the shares are counted.

    ``run`` is the event loop of the sources, where they are live.

    Raises:
        CannotCheck: too few of the claims are Supported or Refuted, or a search failed.
    """
    labelled = [(row, row.two_class) for row in rows if row.two_class is not None]
    right = [veracity is Veracity.SUPPORTED for _, veracity in labelled]
    if min(sum(right), len(right) - sum(right)) < LEAST_CLAIMS:
        raise CannotCheck(f"{name} has fewer than {LEAST_CLAIMS} claims of each class: nothing can be fitted on them")
    fitted = Fitted(claims=name, n=len(labelled), supported=sum(right) / len(right))
    if seen_of is None:
        return fitted
    overlaps = run(_overlaps([row for row, _ in labelled], tools, seen_of))
    return fitted.model_copy(update=_threshold(overlaps, right))


async def _overlaps(
    rows: Sequence[LabelledClaim], tools: Tools, seen_of: Callable[[LabelledClaim], Seen]
) -> list[float]:
    found = []
    for row in rows:
        course = Course(row.to_claim(), seen_of(row), tools)
        best = await most_alike(course)
        if failed := [step.observation.text for step in course.state.steps if step.observation.outcome == "failed"]:
            raise CannotCheck(f"the lexical floor was not fitted: the search for {row.id} {failed[0]}")
        found.append(best[1] if best is not None else 0.0)
    return found


def _threshold(overlaps: Sequence[float], supported: Sequence[bool]) -> dict[str, float]:
    """The threshold of the greatest balanced accuracy (the least of equals), and the shares on both its sides."""
    positives = sum(supported)
    negatives = len(supported) - positives

    def balanced(threshold: float) -> float:
        kept = [is_true for overlap, is_true in zip(overlaps, supported, strict=True) if overlap >= threshold]
        return (sum(kept) / positives + 1 - (len(kept) - sum(kept)) / negatives) / 2

    best = max(sorted(set(overlaps)), key=balanced)
    above = [is_true for overlap, is_true in zip(overlaps, supported, strict=True) if overlap >= best]
    below = [is_true for overlap, is_true in zip(overlaps, supported, strict=True) if overlap < best]
    return {"threshold": best, "above": _smoothed(above), "below": _smoothed(below)}


def _smoothed(right: Sequence[bool]) -> float:
    """The share, with one of each kind added: never 0 or 1 (Laplace)."""
    return (sum(right) + 1) / (len(right) + 2)
