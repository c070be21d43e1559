"""An episode to learn from: a claim whose label is known, what was said of it, and every step of the way there."""

from collections.abc import Iterator, Mapping
from typing import Literal

from wkgfc.claim import Veracity
from wkgfc.evidence import Record, Stance
from wkgfc.metrics import Prediction, two_way_points
from wkgfc.result import CheckResult, CitedEvidence
from wkgfc.state import Step

Side = Literal["supports", "refutes"]
SIDES: Mapping[Veracity, Side] = {Veracity.SUPPORTED: "supports", Veracity.REFUTED: "refutes"}


class GoldFound(Record):
    """The shares of the data set's own evidence that were gathered; ``None``: it names none of that kind."""

    pages: float | None = None
    sentences: float | None = None
    entities: float | None = None

    @property
    def share(self) -> float | None:
        """The mean of the shares that are known."""
        known = [each for each in (self.pages, self.sentences, self.entities) if each is not None]
        return sum(known) / len(known) if known else None


class Episode(Record):
    """A finished check with the label that its claim has. ``source`` is what the set of claims is called."""

    claim_id: str
    source: str
    gold: Veracity
    found: GoldFound = GoldFound()
    result: CheckResult

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps, in order; none where the check ended before the first."""
        return self.result.trajectory.steps if self.result.trajectory else ()

    @property
    def evidence(self) -> Mapping[str, CitedEvidence]:
        """The evidence by its id."""
        return {piece.id: piece for piece in self.result.evidence}

    @property
    def cited(self) -> frozenset[str]:
        """The ids of what the justification cites, evidence and observations."""
        return frozenset(each for sentence in self.result.justification for each in sentence.citations)

    @property
    def is_right(self) -> bool:
        """Whether the stated veracity is the label."""
        return self.result.veracity is self.gold

    @property
    def points(self) -> float | None:
        """The two-way points of the forced choice; ``None`` where the label is neither Supported nor Refuted."""
        result = self.result
        return two_way_points(
            Prediction(gold=self.gold, veracity=result.veracity, probabilities=result.probabilities or None)
        )

    def new_evidence(self) -> Iterator[tuple[Step, tuple[str, ...]]]:
        """Each retrieval with the ids of the evidence that no step before it had brought."""
        seen: set[str] = set()
        for step in self.steps:
            if step.action.name == "verdict":
                continue
            new = tuple(each for each in step.observation.evidence if each not in seen)
            seen.update(new)
            yield step, new

    def redundant_steps(self) -> tuple[Step, ...]:
        """The retrievals after the first that worked and brought nothing new. One that failed is nobody's mistake."""
        return tuple(
            step
            for step, new in self.new_evidence()
            if not new and step.number > 1 and step.observation.outcome != "failed"
        )


def leaning(stance: Stance | None) -> Side | None:
    """The side that a piece of evidence is likelier on than not."""
    if stance is None or max(stance.supports, stance.refutes) <= 0.5:
        return None
    return "supports" if stance.supports > stance.refutes else "refutes"


def weight_of(piece: CitedEvidence) -> float:
    """How far a piece counts: the consistency of a passage; a statement of the graph is an anchor and counts whole."""
    return 1.0 if piece.kind == "triple" else piece.consistency if piece.consistency is not None else 0.5
