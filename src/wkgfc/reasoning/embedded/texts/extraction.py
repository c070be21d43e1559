"""From a kept passage to triples and annotations aligned with the evidence graph (paper, section 4.3).

The deciding sentences of a passage are read. Where one names two entities of the evidence graph, or an entity and a
time, and its words fit a relation of the lexicon between them, that is a triple; where it states none, it explains the
entity that it names and is hung on it.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from wkgfc.evidence import Direction, Entity, Passage, Relation, StatementKey, Time, Triple
from wkgfc.reasoning.embedded.lexicon.kinds import character_of, may_be
from wkgfc.reasoning.embedded.lexicon.relations import RelationMatch, TextSpan, cued_relations, lexicon, match_relations
from wkgfc.reasoning.embedded.values.calendar_spans import Precision
from wkgfc.reasoning.embedded.values.lookback import just_before
from wkgfc.reasoning.embedded.values.times import TimeMention, read_times
from wkgfc.reasoning.reasoner import Extraction, Grade
from wkgfc.sentences import sentence_spans
from wkgfc.state import BeliefState

CERTAIN = 0.8  # the fit of a relation's cue from which a sentence is taken to state it
MAX_ENTITIES = 8  # of one sentence: pairs grow by the square
KNOWN_ONLY = {"language", "country"}  # kinds that an entity of which nothing is known is not taken for
LINKED_WELL = 0.5  # a mention's candidate is known to be meant above this share

_WIKIDATA_PRECISION = {Precision.DAY: 11, Precision.MONTH: 10, Precision.YEAR: 9}
_WORD = r"(?<!\w){}(?!\w)"


class _Place(NamedTuple):
    """An entity of the evidence graph where a sentence names it."""

    entity: Entity
    span: TextSpan


def extract(state: BeliefState, passage: Passage, grade: Grade) -> Extraction:
    """The triples that the deciding stretch of a passage states, and the texts that explain an entity.

    Entities are those of the evidence graph and the topic entities; relations are those of the lexicon. What cannot be
    aligned is left in the passage, which stays evidence itself.
    """
    known = _known_entities(state)
    about = _title_entity(passage, known)
    triples: dict[StatementKey, Triple] = {}
    annotations: dict[str, tuple[Entity, str]] = {}
    for start, end in sentence_spans(grade.quote):
        sentence = grade.quote[start:end]
        places = _places(sentence, known, about)
        stated = list(_stated(sentence, places, passage))
        triples.update((triple.key, triple) for triple in stated)
        if not stated and places:
            annotations.setdefault(places[0].entity.id, (places[0].entity, sentence))
    return Extraction(triples=tuple(triples.values()), annotations=tuple(annotations.values()))


def _known_entities(state: BeliefState) -> dict[str, Entity]:
    """Names in lower case with the entity that each means here; a name that two entities bear is left out."""
    names: dict[str, Entity | None] = {}
    for mention, candidates in state.topic_entities.items():
        entity, share = candidates[0]
        if share >= LINKED_WELL:
            names[mention.casefold()] = entity
            names[entity.label.casefold()] = entity
    for entity in state.evidence.entities().values():
        name = entity.label.casefold()
        if name in names and names[name] != entity:
            names[name] = names[name] if entity.id not in state.topic_ids and names[name] else None
        else:
            names[name] = entity
    return {name: entity for name, entity in names.items() if entity is not None and len(name) > 2}


def _title_entity(passage: Passage, known: dict[str, Entity]) -> Entity | None:
    """The entity that the passage's page is about, where its title names one."""
    title = re.sub(r"\s*\(.*\)$", "", passage.title or "").casefold()
    return known.get(title)


def _places(sentence: str, known: dict[str, Entity], about: Entity | None) -> tuple[_Place, ...]:
    """Where the sentence names known entities, longer names first; a pronoun at its head means the page's entity."""
    folded, taken, places = sentence.casefold(), [False] * len(sentence), list[_Place]()
    if len(folded) != len(sentence):  # folding moved the offsets: such a sentence is not read
        return ()
    for name in sorted(known, key=len, reverse=True):
        if name not in folded:
            continue
        for match in re.finditer(_WORD.format(re.escape(name)), folded):
            if not any(taken[match.start() : match.end()]):
                taken[match.start() : match.end()] = [True] * (match.end() - match.start())
                places.append(_Place(known[name], TextSpan(*match.span())))
    if about is not None and all(place.entity != about for place in places):
        pronoun = re.match(r"(?:he|she|it|they)\b", sentence, re.IGNORECASE)
        if pronoun:
            places.append(_Place(about, TextSpan(*pronoun.span())))
    return tuple(sorted(places, key=lambda place: place.span.start))[:MAX_ENTITIES]


def _stated(sentence: str, places: Sequence[_Place], passage: Passage) -> Iterator[Triple]:
    spans = [place.span for place in places]
    cued = cued_relations(sentence)
    directions: tuple[Direction, Direction] = ("out", "in")
    offered = [
        (relation, direction) for relation in _entity_relations() if relation.id in cued for direction in directions
    ]
    for left, right in combinations(places, 2):
        if left.entity == right.entity or _are_listed(sentence, left.span, right.span):
            continue
        others = [span for span in spans if span not in (left.span, right.span)]
        matches = [
            match
            for match in match_relations(sentence, left.span, right.span, offered, others)
            if match.score >= CERTAIN and match.cue is not None
        ]
        for match in sorted(matches, key=_most_basic):
            subject, object_ = (left, right) if match.direction == "out" else (right, left)
            if _is_possible(object_.entity, match.relation):
                yield Triple(
                    subject=subject.entity, relation=match.relation, object=object_.entity, source=passage.source
                )
                break
    of_time: list[tuple[Relation, Direction]] = [
        (relation, "out") for relation in _time_relations() if relation.id in cued
    ]
    for time in read_times(sentence) if of_time and places else ():
        value = _value_of(time)
        if value is None:
            continue
        best = match_relations(sentence, places[0].span, TextSpan(time.value_start, time.end), of_time, spans[1:])[0]
        if best.score >= CERTAIN and best.cue is not None:
            yield Triple(subject=places[0].entity, relation=best.relation, object=value, source=passage.source)


_COMMA = re.compile(r"\s*,(?:\s*(?:and|or))?\s+(?:the\s+)?", re.IGNORECASE)
_AND = re.compile(r"\s+(?:and|or)\s+(?:the\s+)?", re.IGNORECASE)
_LIST_BEFORE = re.compile(r"[A-Z][\w.’'-]*,\s+(?:the\s+)?$")


def _are_listed(sentence: str, left: TextSpan, right: TextSpan) -> bool:
    """Whether only a comma stands between two names, or an "and" at the end of a list.

    "X was born in Lyon, France" says nothing of both but what their names do; "France and Spain share a border" does.
    """
    between = sentence[left.end : right.start]
    if _COMMA.fullmatch(between):
        return True
    return bool(_AND.fullmatch(between) and just_before(_LIST_BEFORE, sentence, left.start))


def _most_basic(match: RelationMatch) -> tuple[float, int]:
    """The best fit first; of equals the older property: "written by" means an author before it means a developer."""
    return (-match.score, int(match.relation.id.removeprefix("P")))


def _is_possible(entity: Entity, relation: Relation) -> bool:
    """Whether an entity is of the kind that the relation's objects are; a language must be known to be one."""
    kind = lexicon()[relation.id].object
    return may_be(entity, kind) and (kind not in KNOWN_ONLY or character_of(entity).kind is not None)


def _entity_relations() -> list[Relation]:
    return [
        Relation(id=profile.id, label=profile.label)
        for profile in lexicon().values()
        if profile.object not in ("time", "quantity", "name", "class")
    ]


def _time_relations() -> list[Relation]:
    return [Relation(id=profile.id, label=profile.label) for profile in lexicon().values() if profile.object == "time"]


def _value_of(time: TimeMention) -> Time | None:
    """A time that a triple can state: a day, a month or a year, named plainly."""
    precision = _WIKIDATA_PRECISION.get(time.precision)
    if precision is None or time.bound != "at" or time.is_approximate or time.month_day or time.earliest is None:
        return None
    day = time.earliest
    sign = "-" if day.year < 0 else ""
    return Time(value=f"{sign}{abs(day.year):04d}-{day.month:02d}-{day.day:02d}", precision=precision)
