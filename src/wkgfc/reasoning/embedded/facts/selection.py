"""What to follow in the knowledge graph: relations by how the claim says them, entities by what they could connect.

Both selections are deterministic; ties are broken by id.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from wkgfc.evidence import Direction, Entity, EvidenceGraph, Quantity, Relation, Time, Triple, Value
from wkgfc.reasoning.embedded.claims.reading import Argument, Reading, content_words, overlaps, read_claim_text
from wkgfc.reasoning.embedded.facts.supporting import widening_of
from wkgfc.reasoning.embedded.lexicon.cues import pieces_of
from wkgfc.reasoning.embedded.lexicon.kinds import character_of, may_be
from wkgfc.reasoning.embedded.lexicon.relations import Profile, TextSpan, match_relations, profile_of
from wkgfc.reasoning.embedded.values import compare_quantity, compare_time
from wkgfc.reasoning.reasoner import (
    ChosenRelation,
    EntitySelection,
    OfferedRelation,
    RelationSelection,
    ScoredEntity,
    ScoredTriple,
)
from wkgfc.state import BeliefState

LEAST = 0.1  # a relation with a lower score is not followed
LONE = 0.75  # of the fit where no other mention could be the object
WRONG_KIND = 0.3  # of the fit where the other mention is not of the kind that the relation's objects are
RIGHT_KIND = 0.15  # of a relation that no words say, where the other mention is of its objects' kind
TELLING_KINDS = {"place", "country", "continent", "language", "organisation", "event", "work", "time", "quantity"}
CONNECTS = 0.3  # for a relation that leaves one mention's entity and reaches another's
PER_MAGNITUDE = 0.02  # for each power of ten of statements: the direction with fewer is asked
WIDER = 0.6  # of what holds an entity, where the claim may name it
HALF = 0.7  # of a relation that the claim says of something it does not name
NAMED, AGREES, OTHER_VALUE, DESCRIBED, UNNAMED = 1.0, 1.0, 0.7, 0.5, 0.3  # what the far end of a triple is to a claim
PROMISING = 0.4  # the score of a frontier entity from which on a further hop is worth its query


def select_relations(
    state: BeliefState, offered: Sequence[OfferedRelation], max_relations: int, text: str | None = None
) -> RelationSelection:
    """The at most ``max_relations`` relations most relevant to the claim (or to ``text``), best first."""
    reading = read_claim_text(state, text)
    by_key = {(offer.relation.id, offer.direction): offer for offer in offered}
    scored: list[ChosenRelation] = []
    for offer in offered:
        other = by_key.get((offer.relation.id, _opposite(offer.direction)))
        score = _relevance(reading, offer)
        if score >= LEAST and other is not None and _connect(reading, offer.entities, other.entities):
            score += CONNECTS
        score -= PER_MAGNITUDE * math.log10(max(offer.count, 1))
        if score >= LEAST:
            share = score / (1.0 + CONNECTS)
            scored.append(ChosenRelation(relation=offer.relation, direction=offer.direction, score=share))
    scored.sort(key=lambda chosen: (-chosen.score, chosen.relation.id, chosen.direction))
    return RelationSelection(relations=tuple(scored[:max_relations]))


def in_turn(lists: Sequence[Sequence[ChosenRelation]], limit: int) -> tuple[ChosenRelation, ...]:
    """The best of each list, then the second best of each, and so on: what each part of a claim asks for has a place.

    A relation that only says the inverse of one before it waits until all others had their turn.
    """
    kept: dict[tuple[str, Direction], ChosenRelation] = {}
    waiting: dict[tuple[str, Direction], ChosenRelation] = {}
    for place in range(max(map(len, lists), default=0)):
        for chosen in (each[place] for each in lists if place < len(each)):
            key = (chosen.relation.id, chosen.direction)
            inverse = profile_of(chosen.relation.id, chosen.relation.label).inverse
            is_said = any((identifier, _opposite(chosen.direction)) in kept for identifier in inverse)
            (waiting if is_said else kept).setdefault(key, chosen)
    best = [*kept.values(), *(each for key, each in waiting.items() if key not in kept)][:limit]
    return tuple(sorted(best, key=lambda each: (-each.score, each.relation.id, each.direction)))


def _opposite(direction: Direction) -> Direction:
    return "in" if direction == "out" else "out"


def _relevance(reading: Reading, offer: OfferedRelation) -> float:
    """How far a relation of the frontier can tell something of the claim: for the entity that it tells most of."""
    best, unnamed = 0.0, list[Entity]()
    for entity in offer.entities:
        arguments = reading.arguments(entity)[:2]
        if not arguments:
            unnamed.append(entity)
        for argument in arguments:
            fit = _fit(reading, offer.relation, offer.direction, argument.span)
            best = max(best, math.sqrt(argument.score) * fit)
    return max(best, _relevance_of_unnamed(reading, offer, unnamed)) if unnamed else best


def _fit(reading: Reading, relation: Relation, direction: Direction, span: TextSpan) -> float:
    profile = profile_of(relation.id, relation.label)
    others = reading.others(span)
    alone = match_relations(reading.text, span, None, [(relation, direction)], others)[0].score * LONE
    best = alone
    for other in others:
        fit = match_relations(reading.text, span, other, [(relation, direction)], others)[0].score
        if direction == "in" or _may_be_object(reading, other, profile):
            is_telling = direction == "out" and profile.object in TELLING_KINDS
            best = max(best, fit, RIGHT_KIND if is_telling else 0.0)
        else:
            best = max(best, WRONG_KIND * fit)
    return best


def _may_be_object(reading: Reading, span: TextSpan, profile: Profile) -> bool:
    """Whether what stands at ``span`` is of the kind that the relation's objects are, as far as is known."""
    is_time = any(overlaps(TextSpan(time.value_start, time.end), span) for time in reading.times)
    is_quantity = any(overlaps(TextSpan(each.start, each.end), span) for each in reading.quantities)
    if profile.object in {"time", "quantity"}:
        return is_time if profile.object == "time" else is_quantity
    mention = next((each for each in reading.mentions if each.span == span), None)
    if mention is None:
        return False
    if profile.object == "class" and character_of(mention.entities[0]).kind is None:
        return True
    return may_be(mention.entities[0], profile.object) or (profile.object == "class" and mention.text[:1].islower())


def _relevance_of_unnamed(reading: Reading, offer: OfferedRelation, entities: Sequence[Entity]) -> float:
    """The relevance of a relation of entities that the claim does not name: what holds them, or what a cue says."""
    is_wider = offer.direction == "out" and any(offer.relation.id in _widening_of_entity(entity) for entity in entities)
    half = max(
        (
            match.score
            for span in reading.others()
            if (
                match := match_relations(
                    reading.text, span, None, [(offer.relation, _opposite(offer.direction))], reading.others(span)
                )[0]
            ).cue
        ),
        default=0.0,
    )
    return max(WIDER if is_wider else 0.0, HALF * half)


def _widening_of_entity(entity: Entity) -> set[str]:
    character = character_of(entity)
    if character.kind == "place":
        return {"P131", "P17", "P30", "P361", "P276"}
    return {"P279", "P131", "P17", "P361"} if character.kind is None else {"P279", "P361"}


def _connect(reading: Reading, entities: Sequence[Entity], others: Sequence[Entity]) -> bool:
    """Whether a mention of one side and another mention of the other are both in the claim."""
    spans = {argument.span for entity in entities for argument in reading.arguments(entity)[:1]}
    far = {argument.span for entity in others for argument in reading.arguments(entity)[:1]}
    return any(not overlaps(span, other) for span in spans for other in far)


@dataclass(frozen=True)
class Review:
    """What a look at the evidence with the kept triples says: whether it suffices, and what the claim turns on next."""

    suffices: bool
    meant: tuple[Entity, ...] = ()


def select_entities(
    state: BeliefState,
    triples: Sequence[Triple],
    max_triples: int,
    max_entities: int,
    review: Callable[[BeliefState], Review],
    questions: Sequence[tuple[BeliefState, str]] = (),
) -> EntitySelection:
    """The triples to keep (at most ``max_triples`` a relation, direction and entity), and the next frontier.

    ``review`` looks at the state as it would be with them. ``questions`` are the texts that the claim is read as,
    each under the linking that holds for it; without them the claim's text is the only one.
    """
    readings = [read_claim_text(asked, text) for asked, text in questions] or [read_claim_text(state)]
    scored = sorted(
        (
            ScoredTriple(triple=triple, score=max(_worth(reading, state, triple) for reading in readings))
            for triple in triples
        ),
        key=lambda each: (-each.score, each.triple.key),
    )
    counts: dict[tuple[str, Direction, str], int] = {}
    kept: list[ScoredTriple] = []
    for each in scored:
        places = [(each.triple.relation.id, direction, entity.id) for entity, direction in _ends(state, each.triple)]
        if not places or any(counts.get(place, 0) < max_triples for place in places):
            kept.append(each)
            for place in places:
                counts[place] = counts.get(place, 0) + 1
    reviewed = review(_with(state, [*state.beside, *(each.triple for each in kept)]))
    frontier: list[ScoredEntity] = []
    if not reviewed.suffices:
        frontier += [ScoredEntity(entity=each, score=1.0) for each in reviewed.meant if each.id not in state.expanded]
        further = _frontier(readings, state, [each.triple for each in kept])
        frontier += [each for each in further if each.entity not in reviewed.meant]
    return EntitySelection(triples=tuple(kept), frontier=tuple(frontier[:max_entities]), sufficient=reviewed.suffices)


def _ends(state: BeliefState, triple: Triple) -> list[tuple[Entity, Direction]]:
    """The ends from which the triple was found, with the direction in which it leaves them."""
    ends: list[tuple[Entity, Direction]] = []
    if triple.subject.id in state.expanded:
        ends.append((triple.subject, "out"))
    if isinstance(triple.object, Entity) and triple.object.id in state.expanded:
        ends.append((triple.object, "in"))
    return ends


def _worth(reading: Reading, state: BeliefState, triple: Triple) -> float:
    """How far a triple bears on the claim: what its far end is to the claim, and how well its relation fits."""
    ends = _ends(state, triple) or [(triple.subject, "out")]
    best = 0.0
    for near, direction in ends:
        far: Value = triple.object if direction == "out" else triple.subject
        spans = [argument.span for argument in reading.arguments(near)[:1]]
        fit = max((_fit(reading, triple.relation, direction, span) for span in spans), default=0.4)
        best = max(best, 0.6 * _far_end(reading, far, spans) + 0.4 * fit)
    return min(best, 1.0)


def _far_end(reading: Reading, value: Value, near: Sequence[TextSpan]) -> float:
    match value:
        case Entity() as entity:
            arguments: Iterable[Argument] = reading.arguments(entity)
            named = [a.score for a in arguments if not any(overlaps(a.span, span) for span in near)]
            if named:
                return NAMED * (0.5 + 0.5 * max(named))
            said = {word.stem for word in pieces_of(f"{entity.label} {entity.description or ''}")}
            words = {word.stem for word in content_words(reading.text)}
            return UNNAMED + (DESCRIBED - UNNAMED) * min(1.0, len(said & words) / 2)
        case Time() as stated:
            agrees = any(compare_time(time, stated).agrees for time in reading.times)
            return AGREES if agrees else OTHER_VALUE
        case Quantity() as stated:
            agrees = any(compare_quantity(quantity, stated).agrees for quantity in reading.quantities)
            return AGREES if agrees else OTHER_VALUE
        case _:
            return UNNAMED


def _with(state: BeliefState, triples: Sequence[Triple]) -> BeliefState:
    """The state as it would be with these triples; the given one stays as it is."""
    graph = EvidenceGraph.from_record(state.evidence.to_record())
    for triple in triples:
        graph.add_kg_triple(triple, hop=state.hops)
    return replace(state, evidence=graph)


def _frontier(readings: Sequence[Reading], state: BeliefState, triples: Sequence[Triple]) -> list[ScoredEntity]:
    """The entities worth expanding, best first: what the claim's other words may hold or say something of."""
    scores: dict[Entity, float] = {}
    for triple in triples:
        for near, direction in _ends(state, triple):
            far = triple.object if direction == "out" else triple.subject
            if not isinstance(far, Entity) or far.id in state.expanded:
                continue
            for reading in readings:
                if reading.arguments(far):
                    continue
                for argument in reading.arguments(near)[:1]:
                    fit = _fit(reading, triple.relation, direction, argument.span)
                    if direction == "in" or not widening_of(triple):
                        fit *= HALF
                    scores[far] = max(scores.get(far, 0.0), fit * argument.score**0.5)
    ranked = sorted(scores.items(), key=lambda pair: (-pair[1], pair[0].id))
    return [ScoredEntity(entity=entity, score=min(score, 1.0)) for entity, score in ranked if score >= LEAST]


def is_promising(state: BeliefState, least: float = PROMISING) -> bool:
    """Whether a further hop may connect what the claim names: a value of a fitting relation is not yet compared."""
    return promise(state) >= least


def promise(state: BeliefState) -> float:
    """The best score of an entity of the frontier, 0 where none has one."""
    reading = read_claim_text(state)
    triples = [triple for _, triple in state.evidence.triples()]
    frontier = {entity.id for entity in state.frontier}
    scores = (each.score for each in _frontier([reading], state, triples) if each.entity.id in frontier)
    return max(scores, default=0.0)
