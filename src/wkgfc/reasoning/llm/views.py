"""How a claim, the evidence and the history are shown to a model: compact, in one line a piece, with ids to cite.

Nothing that is shown keeps invisible characters, control tokens of a chat or line breaks of its own: a line that begins
with an id is ours. The borders around each field are the policy's (``policy.py``).
"""

import datetime as dt
import re
from collections.abc import Iterable, Mapping, Sequence

from wkgfc.claim import Claim, visible_text
from wkgfc.evidence import Entity, Evidence, Passage, Record, Stance, Triple
from wkgfc.quotes import best_sentence
from wkgfc.reasoning.debate import side_of
from wkgfc.reasoning.embedded.facts.verbalise import verbalise
from wkgfc.reasoning.reasoner import OfferedRelation
from wkgfc.sentences import sentence_spans
from wkgfc.state import BeliefState, SearchWeb, Step

NOTHING = "(none)"
_CONTROL_TOKENS = re.compile(r"<\|+|\|+>|\[/?INST\]|<</?SYS>>|</?s>|<(?:start|end)_of_turn>", re.IGNORECASE)


class ViewLimits(Record):
    """How much of everything is shown. What is left out is counted, never hidden."""

    relations: int = 60
    triples: int = 60
    evidence: int = 40
    passages: int = 10  # graded in one question
    passage_characters: int = 1_500
    quote_characters: int = 400
    label_characters: int = 90
    entities: int = 40


FULL = ViewLimits()
# A small model reads slowly and loses the thread: a question of a typical state stays under 800 tokens.
SHORT = ViewLimits(
    relations=16,
    triples=10,
    evidence=6,
    passages=3,
    passage_characters=450,
    quote_characters=220,
    label_characters=60,
    entities=8,
)


def clean(text: str, limit: int | None = None) -> str:
    """Text from outside in one line: without invisible characters and control tokens, at most ``limit`` long."""
    line = " ".join(_CONTROL_TOKENS.sub(" ", visible_text(text)).split())
    return line if limit is None or len(line) <= limit else f"{line[: limit - 1]}…"


def today_of(claim: Claim) -> dt.date:
    """Today, which is the day of the recording in a run that is run again."""
    return claim.today or dt.datetime.now(dt.UTC).date()


def claim_view(claim: Claim, text: str | None = None) -> str:
    """The claim, or ``text`` in its place, with the day that "now" means in it."""
    said = f"made on {claim.date}" if claim.date else f"without a date: now is {claim.reference_date}"
    who = f", by {clean(claim.speaker, 100)}" if claim.speaker else ""
    language = "" if claim.language.lower().startswith("en") else f", language {clean(claim.language, 12)}"
    return f"{clean(text or claim.text)}\n({said}{who}{language}; today is {today_of(claim)})"


def relations_view(offered: Mapping[str, OfferedRelation], left_out: int, limits: ViewLimits) -> str:
    """The relations on offer, one a line with the id to choose it by.

    ``out`` leads from the entities to others, ``in`` from others to them.
    """
    lines = []
    for shown_id, offer in offered.items():
        names = ", ".join(clean(entity.label, limits.label_characters) for entity in offer.entities[:4])
        arrow = f"{names} → …" if offer.direction == "out" else f"… → {names}"
        label = clean(offer.relation.label, limits.label_characters)
        lines.append(f"{shown_id} {offer.direction} “{label}” ({arrow}; {offer.count})")
    return _lines(lines, left_out)


def triples_view(triples: Mapping[str, Triple], left_out: int, limits: ViewLimits) -> str:
    """Statements, one a line with the id to choose it by."""
    return _lines([f"{shown_id} {_statement(triple, limits)}" for shown_id, triple in triples.items()], left_out)


def entities_view(entities: Mapping[str, Entity], left_out: int, limits: ViewLimits) -> str:
    """Entities, one a line with the id to choose it by."""
    return _lines([f"{shown_id} {_named(entity, limits)}" for shown_id, entity in entities.items()], left_out)


def _named(entity: Entity, limits: ViewLimits) -> str:
    label = clean(entity.label, limits.label_characters)
    return f"{label}: {clean(entity.description, limits.label_characters)}" if entity.description else label


def passages_view(passages: Mapping[str, Passage], claim: str, limits: ViewLimits) -> str:
    """Passages, one a line with the id to grade it by: where it is from, its date, its text."""
    return _lines(
        [
            f"{shown_id} [{_source(passage)}] {excerpt(passage.text, claim, limits.passage_characters)}"
            for shown_id, passage in passages.items()
        ],
        0,
    )


def _source(passage: Passage) -> str:
    parts = [
        passage.title or "",
        passage.url or passage.source.name,
        f"dated {passage.date}" if passage.date else "no date",
    ]
    return "; ".join(clean(part, 90).replace("]", ")") for part in parts if part)


def excerpt(text: str, claim: str, limit: int) -> str:
    """The stretch of a text around the sentence that shares most with the claim, in one line."""
    if len(text) <= limit:
        return clean(text)
    best = best_sentence(text, claim)
    spans = sentence_spans(text)
    middle = next((number for number, (start, end) in enumerate(spans) if text[start:end] == best), 0)
    first = last = middle
    while True:  # grow by a sentence, on the side that has less
        wider = [(first - 1, last), (first, last + 1)]
        if middle - first > last - middle:
            wider.reverse()
        fitting = [
            (low, high)
            for low, high in wider
            if low >= 0 and high < len(spans) and spans[high][1] - spans[low][0] <= limit
        ]
        if not fitting:
            break
        first, last = fitting[0]
    start, end = (spans[first][0], spans[last][1]) if spans else (0, limit)
    shown = clean(text[start:end], limit)
    return f"{'… ' if start > 0 else ''}{shown}{' …' if end < len(text) else ''}"


def evidence_view(state: BeliefState, limits: ViewLimits, opinions: Mapping[str, Stance] | None = None) -> str:
    """The evidence graph, one piece a line with the id to cite: statements of the knowledge graph, then what texts say.

    ``opinions`` are what the verifier says of pieces, where the judge is shown it. The most relevant are shown where
    there are too many.
    """
    pieces = list(state.evidence)
    ranked = sorted(pieces, key=lambda piece: -_weight(piece))
    shown = {piece.id for piece in ranked[: limits.evidence]}
    lines = [_piece(piece, limits, (opinions or {}).get(piece.id)) for piece in pieces if piece.id in shown]
    explained = [
        f"{note.passage_id} explains {clean(note.entity.label, limits.label_characters)}: "
        f"{clean(note.text, limits.quote_characters)}"
        for note in state.evidence.annotations
        if note.passage_id not in shown
    ]
    return _lines([*lines, *explained[: limits.evidence // 4]], len(pieces) - len(shown))


def _weight(piece: Evidence) -> float:
    """What is shown first where not all can be: what is relevant, and what takes a side."""
    lean = abs(piece.stance.polarity) if piece.stance else 0.0
    return (piece.relevance if piece.relevance is not None else 0.5) + lean


def _piece(piece: Evidence, limits: ViewLimits, opinion: Stance | None) -> str:
    seen = f" (a verifier: {_words(opinion)})" if opinion else ""
    match piece.content:
        case Triple() as triple:
            origin = f"read from {piece.from_passage}" if piece.from_passage else "knowledge graph"
            also = f"; also in {', '.join(piece.corroborated_by)}" if piece.corroborated_by else ""
            return f"{piece.id} [{origin}{also}] {_statement(triple, limits)}{seen}"
        case Passage() as passage:
            graded = f"; {_words(piece.stance)}" if piece.stance else ""
            text = clean(piece.quote or passage.text, limits.quote_characters)
            return f"{piece.id} [{_source(passage)}{graded}] “{text}”{seen}"


def _words(stance: Stance) -> str:
    best = max(
        ("supports", stance.supports), ("refutes", stance.refutes), ("neither", stance.neither), key=lambda x: x[1]
    )
    return f"{best[0]} {best[1]:.2f}"


def _statement(triple: Triple, limits: ViewLimits) -> str:
    text = clean(verbalise(triple), 3 * limits.label_characters)
    return f"{text} ({triple.count} in all)" if triple.count is not None and triple.count > 1 else text


def history_view(state: BeliefState) -> str:
    """What was done so far, one step a line with the id to cite. A failure is told as one, and says nothing."""
    return _lines([_step(step) for step in state.steps], 0)


def _step(step: Step) -> str:
    what: str = step.action.name
    if isinstance(step.action, SearchWeb):
        what += f"(“{clean(step.action.query, 200)}”)"
        if side_of(step) is not None:
            what += f" for {clean(step.reason, 300)}"
    observation = step.observation
    match observation.outcome:
        case "failed":
            told = f"FAILED, so nothing is known from it: {clean(observation.reason or observation.text, 160)}"
        case "nothing":
            told = f"found nothing: {clean(observation.text, 160)}"
        case "found":
            told = clean(observation.text, 160)
    return f"{observation.id} {what}: {told}"


def _lines(lines: Sequence[str] | Iterable[str], left_out: int) -> str:
    shown = list(lines)
    if left_out > 0:
        shown.append(f"({left_out} more are not shown)")
    return "\n".join(shown) or NOTHING
