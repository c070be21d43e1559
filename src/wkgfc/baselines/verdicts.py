"""From what texts say to a verdict, for methods that judge texts one by one.

Where a paper's method asks a language model, a model of ours is asked; with the embedded reasoner the verifier reads
each text with the claim, and what is written here puts its answers together.
"""

from collections.abc import Iterable, Mapping, Sequence

from wkgfc.baselines.course import Course
from wkgfc.claim import Veracity
from wkgfc.evidence import Evidence, Passage, Stance
from wkgfc.quotes import best_sentence
from wkgfc.reasoning.reasoner import Judgement
from wkgfc.reasoning.verifier import Verifier
from wkgfc.result import Sentence

QUOTED_CHARACTERS = 600  # of a text that a justification shows
QUOTES = 2

Probabilities = dict[Veracity, float]


def text_of(passage: Passage) -> str:
    """A passage as the verifier was trained to read it: with its title."""
    return f"{passage.title}: {passage.text}" if passage.title else passage.text


def read(course: Course, verifier: Verifier, pieces: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """The verifier's stance on each piece, noted on it. What was read before keeps its stance."""
    found = []
    for piece in pieces:
        if piece.stance is None and isinstance(piece.content, Passage):
            supports, refutes, neither = verifier.score([text_of(piece.content)], [course.state.claim.text])[0].tolist()
            stance = Stance(supports=supports, refutes=refutes, neither=neither)
            piece = course.state.evidence.update(piece.id, stance=stance)  # noqa: PLW2901 - the same piece, with it
        found.append(piece)
    return tuple(found)


def strongest(pieces: Iterable[Evidence]) -> tuple[float, float]:
    """The greatest support and the greatest refutation that any piece gives; 0.0 where there is none."""
    stances = [piece.stance for piece in pieces if piece.stance is not None]
    return max((each.supports for each in stances), default=0.0), max((each.refutes for each in stances), default=0.0)


def four_answers(supports: float, refutes: float) -> Probabilities:
    """Four answers from two sides that are taken as independent: both are right, one of them is, or neither."""
    return {
        Veracity.SUPPORTED: supports * (1 - refutes),
        Veracity.REFUTED: refutes * (1 - supports),
        Veracity.CONFLICTING_EVIDENCE: supports * refutes,
        Veracity.NOT_ENOUGH_EVIDENCE: (1 - supports) * (1 - refutes),
    }


def three_answers(stance: Stance) -> Probabilities:
    """Three answers from one stance: it supports, refutes, or does neither."""
    return {
        Veracity.SUPPORTED: stance.supports,
        Veracity.REFUTED: stance.refutes,
        Veracity.CONFLICTING_EVIDENCE: 0.0,
        Veracity.NOT_ENOUGH_EVIDENCE: max(0.0, 1.0 - stance.supports - stance.refutes),
    }


def two_answers(supported: float) -> Probabilities:
    """Two answers: what is not Supported is Refuted."""
    return {
        Veracity.SUPPORTED: supported,
        Veracity.REFUTED: 1.0 - supported,
        Veracity.CONFLICTING_EVIDENCE: 0.0,
        Veracity.NOT_ENOUGH_EVIDENCE: 0.0,
    }


def undecided() -> Probabilities:
    """Nothing was found: Not Enough Evidence."""
    return three_answers(Stance(supports=0.0, refutes=0.0, neither=1.0))


def judgement(
    course: Course, probabilities: Mapping[Veracity, float], said: Sequence[Sentence] = (), otherwise: str = ""
) -> Judgement:
    """The likeliest answer, with ``said`` as its reasons, or quotations of the pieces that speak for it most.

    ``otherwise`` says the reason where there is no such piece; it cites the steps.
    """
    veracity = max(probabilities, key=lambda each: probabilities[each])
    pieces = list(course.state.evidence)
    sentences = tuple(said) or _quotations(course.state.claim.text, veracity, pieces)
    if not sentences:
        steps = tuple(step.observation.id for step in course.state.steps) or (f"S{len(course.state.steps) + 1}",)
        sentences = (Sentence(text=otherwise or "Nothing that was read decides the claim.", citations=steps),)
    return Judgement(
        veracity=veracity,
        probabilities=dict(probabilities),
        confidence=min(1.0, max(0.0, probabilities[veracity])),
        justification=sentences,
        stances={piece.id: piece.stance for piece in pieces if piece.stance is not None},
    )


def _quotations(claim: str, veracity: Veracity, pieces: Sequence[Evidence]) -> tuple[Sentence, ...]:
    sides = {
        Veracity.SUPPORTED: ("supports",),
        Veracity.REFUTED: ("refutes",),
        Veracity.CONFLICTING_EVIDENCE: ("supports", "refutes"),
        Veracity.NOT_ENOUGH_EVIDENCE: (),
    }[veracity]
    sentences = []
    for side in sides:
        speaking = [piece for piece in pieces if piece.stance is not None and getattr(piece.stance, side) > 0.2]
        speaking.sort(key=lambda piece: -getattr(piece.stance, side))
        sentences += [quotation(claim, piece) for piece in speaking[: QUOTES // len(sides)]]
    return tuple(sentences)


def quotation(claim: str, piece: Evidence) -> Sentence:
    """The sentence of a passage that shares most with the claim, quoted."""
    passage = piece.content
    if not isinstance(passage, Passage):
        raise TypeError(f"{piece.id} is no passage")
    quoted = (piece.quote or best_sentence(passage.text, claim) or passage.text)[:QUOTED_CHARACTERS]
    where = f"{passage.title}: " if passage.title else ""
    return Sentence(text=f"{where}“{quoted}”", citations=(piece.id,))
