"""The verifier beside the judge: what the small model says of each piece of evidence."""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from wkgfc.evidence import Evidence, Stance, Triple
from wkgfc.reasoning.embedded.facts.verbalise import verbalise
from wkgfc.state import BeliefState

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

MAX_PAIRS = 12  # pieces read for one verdict, the most relevant ones


class Scoring(Protocol):
    """A verifier: probabilities that each text supports, refutes or does neither to its claim, n x 3."""

    def score(self, evidence: Sequence[str], claims: Sequence[str]) -> "NDArray[float64]":
        """See ``wkgfc.reasoning.verifier.Verifier``."""
        ...


class SecondOpinion:
    """Asks a verifier about the evidence. ``is_shown``: the judge sees what it says before it judges."""

    def __init__(self, verifier: Scoring, *, is_shown: bool = False) -> None:
        self._verifier, self.is_shown = verifier, is_shown

    async def of(self, state: BeliefState, claim: str) -> dict[str, Stance]:
        """The stance of the pieces of evidence that count most, by their ids."""
        pieces = sorted(state.evidence, key=lambda piece: -(piece.relevance or 0.0))[:MAX_PAIRS]
        if not pieces:
            return {}
        rows = await asyncio.to_thread(self._verifier.score, [_text_of(each) for each in pieces], [claim] * len(pieces))
        return {piece.id: _stance(row) for piece, row in zip(pieces, rows, strict=True)}


def _text_of(piece: Evidence) -> str:
    if isinstance(piece.content, Triple):
        return verbalise(piece.content)
    title = f"{piece.content.title}: " if piece.content.title else ""
    return f"{title}{piece.quote or piece.content.text}"


def _stance(row: "NDArray[float64]") -> Stance:
    supports, refutes = float(row[0]), float(row[1])
    return Stance(supports=supports, refutes=refutes, neither=max(0.0, 1.0 - supports - refutes))
