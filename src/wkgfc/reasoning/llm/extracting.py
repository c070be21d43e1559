"""What a passage states, in the terms of the evidence graph: what is on offer, and the answer read."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from wkgfc.evidence import Entity, Passage, Relation, Time, Triple
from wkgfc.quotes import verbatim_quote
from wkgfc.reasoning.embedded.lexicon.relations import lexicon
from wkgfc.reasoning.embedded.lexicon.terms import terms_of
from wkgfc.reasoning.embedded.values.time_forms import read_points
from wkgfc.reasoning.llm.answers import ExtractionAnswer
from wkgfc.reasoning.reasoner import Extraction
from wkgfc.state import BeliefState

SHORTEST_NAME = 3  # characters: a shorter name stands in every text
MAX_RELATIONS = 24
# What a whole word does not stand next to: a letter of a script that has spaces between its words.
_LETTER = r"[^\W\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\u0e00-\u0e7f]"
_DATE = re.compile(r"(?P<year>\d{3,4})(?:-(?P<month>0[1-9]|1[0-2])(?:-(?P<day>0[1-9]|[12]\d|3[01]))?)?")


@dataclass(frozen=True)
class Vocabulary:
    """What statements can be made of, by the ids that it is shown with.

    ``mentions`` are the words that the claim has for an entity, by the entity's own id.
    """

    entities: Mapping[str, Entity]
    relations: Mapping[str, Relation]
    mentions: Mapping[str, Sequence[str]]


def vocabulary_of(state: BeliefState, passage: Passage, limit: int) -> Vocabulary:
    """The known entities that a passage names, and the relations that the evidence has or its words suggest."""
    text = f"{passage.title or ''} {passage.text}".casefold()
    linked = {mention: candidates[0][0] for mention, candidates in state.topic_entities.items()}
    known = [*linked.values(), *state.evidence.entities().values()]
    named = {
        entity.id: entity for entity in known if len(entity.label) >= SHORTEST_NAME and entity.label.casefold() in text
    }
    terms = set(terms_of(passage.text))
    relations = {triple.relation.id: triple.relation for _, triple in state.evidence.triples()}
    for profile in lexicon().values():
        if len(relations) >= MAX_RELATIONS:
            break
        if terms & set(terms_of(profile.label)):
            relations.setdefault(profile.id, Relation(id=profile.id, label=profile.label))
    return Vocabulary(
        {f"E{number}": entity for number, entity in enumerate(list(named.values())[:limit], 1)},
        {f"R{number}": relation for number, relation in enumerate(list(relations.values())[:MAX_RELATIONS], 1)},
        {entity.id: [each for each, other in linked.items() if other == entity] for entity in linked.values()},
    )


def extraction_of(answer: ExtractionAnswer, passage: Passage, vocabulary: Vocabulary) -> Extraction:
    """The statements and explanations of an answer that hold: of what was on offer, with a quote that says it.

    The quote of a statement is verbatim and has its object: a sentence that names no city gives none to anybody.

    The others are left out: the passage itself stays evidence, whatever is read from it.
    """
    triples: dict[object, Triple] = {}
    for stated in answer.triples:
        subject, relation = vocabulary.entities.get(stated.subject), vocabulary.relations.get(stated.relation)
        quote = verbatim_quote(stated.quote, passage.text)
        if subject is None or relation is None or quote is None:
            continue
        entity = vocabulary.entities.get(stated.object)
        if entity is not None and not _is_named(entity, quote, vocabulary):
            continue
        value = entity or _time(stated.object, quote)
        if value is None or value == subject:
            continue
        triple = Triple(subject=subject, relation=relation, object=value, source=passage.source)
        triples.setdefault(triple.key, triple)
    annotations = {
        entity.id: (entity, quote)
        for each in answer.explanations
        if (entity := vocabulary.entities.get(each.entity)) is not None
        and (quote := verbatim_quote(each.quote, passage.text)) is not None
    }
    return Extraction(triples=tuple(triples.values()), annotations=tuple(annotations.values()))


def _is_named(entity: Entity, quote: str, vocabulary: Vocabulary) -> bool:
    """Whether a quote has the entity's label, or a word that the claim has for it, as whole words."""
    names = (entity.label, *vocabulary.mentions.get(entity.id, ()))
    return any(
        re.search(rf"(?<!{_LETTER}){re.escape(name.casefold())}(?!{_LETTER})", quote.casefold())
        for name in names
        if name.strip()
    )


def _time(text: str, quote: str) -> Time | None:
    """A date at the precision at which the quote says it: its year at least."""
    match = _DATE.fullmatch(text)
    if match is None:
        return None
    year, month, day = (int(match[part] or 0) for part in ("year", "month", "day"))
    if not re.search(rf"(?<!\d)(?<!\d,)0*{year}(?!\d|[.,]\d{{3}}|\s*(?:BC|B\.\s?C))", quote):
        return None
    said = [point.span for point in read_points(quote)]
    if any(span.earliest == span.latest == (year, month, day) for span in said):
        return Time(value=f"{year:04d}-{month:02d}-{day:02d}", precision=11)
    if any(span.earliest[:2] == span.latest[:2] == (year, month) for span in said):
        return Time(value=f"{year:04d}-{month:02d}-00", precision=10)
    return Time(value=f"{year:04d}-00-00", precision=9)
