"""What a passage states, in the terms of the evidence graph: what is on offer, and the answer read."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from wkgfc.evidence import Entity, Passage, Relation, Time, Triple
from wkgfc.quotes import verbatim_quote
from wkgfc.reasoning.embedded.lexicon.relations import lexicon
from wkgfc.reasoning.embedded.lexicon.terms import terms_of
from wkgfc.reasoning.llm.answers import ExtractionAnswer
from wkgfc.reasoning.reasoner import Extraction
from wkgfc.state import BeliefState

SHORTEST_NAME = 3  # characters: a shorter name stands in every text
MAX_RELATIONS = 24
_DATE = re.compile(r"(?P<year>\d{3,4})(?:-(?P<month>0[1-9]|1[0-2])(?:-(?P<day>0[1-9]|[12]\d|3[01]))?)?")


@dataclass(frozen=True)
class Vocabulary:
    """What statements can be made of, by the ids that it is shown with."""

    entities: Mapping[str, Entity]
    relations: Mapping[str, Relation]


def vocabulary_of(state: BeliefState, passage: Passage, limit: int) -> Vocabulary:
    """The known entities that a passage names, and the relations that the evidence has or its words suggest."""
    text = f"{passage.title or ''} {passage.text}".casefold()
    known = [candidates[0][0] for candidates in state.topic_entities.values()] + list(
        state.evidence.entities().values()
    )
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
    )


def extraction_of(answer: ExtractionAnswer, passage: Passage, vocabulary: Vocabulary) -> Extraction:
    """The statements and explanations of an answer that hold: of what was on offer, with a quote that is verbatim.

    The others are left out: the passage itself stays evidence, whatever is read from it.
    """
    triples: dict[object, Triple] = {}
    for stated in answer.triples:
        subject, relation = vocabulary.entities.get(stated.subject), vocabulary.relations.get(stated.relation)
        quote = verbatim_quote(stated.quote, passage.text)
        if subject is None or relation is None or quote is None:
            continue
        value = vocabulary.entities.get(stated.object) or _time(stated.object, quote)
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


def _time(text: str, quote: str) -> Time | None:
    """A date at its own precision, whose year stands in the quote."""
    match = _DATE.fullmatch(text)
    if match is None or match["year"].lstrip("0") not in quote:
        return None
    precision = 11 if match["day"] else 10 if match["month"] else 9
    return Time(value=f"{int(match['year']):04d}-{match['month'] or '00'}-{match['day'] or '00'}", precision=precision)
