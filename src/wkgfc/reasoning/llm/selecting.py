"""What of the knowledge graph is shown to a model, and its choice read: relations to follow, statements, entities."""

from collections.abc import Mapping, Sequence

from wkgfc.evidence import Direction, Entity, Triple
from wkgfc.reasoning.embedded.facts.selection import select_relations
from wkgfc.reasoning.embedded.facts.verbalise import verbalise
from wkgfc.reasoning.embedded.lexicon.relations import lexicon
from wkgfc.reasoning.embedded.lexicon.terms import terms_of
from wkgfc.reasoning.llm.answers import EntitiesAnswer, RelationsAnswer, Scored
from wkgfc.reasoning.llm.asking import Complaint
from wkgfc.reasoning.reasoner import (
    ChosenRelation,
    EntitySelection,
    OfferedRelation,
    ScoredEntity,
    ScoredTriple,
)
from wkgfc.state import BeliefState

IDENTIFIERS = frozenset({"ExternalId", "CommonsMedia", "Url"})  # datatypes whose values decide no claim
NAMED = 12  # ids that a complaint lists


def shown_relations(state: BeliefState, offered: Sequence[OfferedRelation], limit: int) -> dict[str, OfferedRelation]:
    """The relations to choose from, by the ids that they are shown with: R1, R2 …

    All that state something; where that is too many, those that the rules find nearest to the claim come first, then
    those that the lexicon knows.
    """
    telling = [offer for offer in offered if offer.relation.datatype not in IDENTIFIERS] or list(offered)
    if len(telling) > limit:
        nearest = select_relations(state, telling, limit).relations
        place = {(chosen.relation.id, chosen.direction): number for number, chosen in enumerate(nearest)}
        known = lexicon()
        telling = sorted(
            telling,
            key=lambda offer: (
                place.get((offer.relation.id, offer.direction), limit),
                offer.relation.id not in known,
            ),
        )[:limit]
    return {f"R{number}": offer for number, offer in enumerate(telling, 1)}


def chosen_relations(
    answer: RelationsAnswer, shown: Mapping[str, OfferedRelation], limit: int, *, is_last: bool
) -> tuple[ChosenRelation, ...]:
    """The relations that an answer chooses, best first, at most ``limit``.

    Raises:
        Complaint: it names one that was not shown; on the last turn that one is left out, where others stand.
    """
    kept = _known(answer.relations, shown, is_last=is_last)
    return tuple(
        ChosenRelation(relation=shown[each.id].relation, direction=shown[each.id].direction, score=each.relevance)
        for each in kept[:limit]
    )


def shown_triples(state: BeliefState, triples: Sequence[Triple], limit: int) -> dict[str, Triple]:
    """The statements to choose from, by the ids that they are shown with: T1, T2 …

    Where there are too many, those that lead to a topic entity or share words with the claim come first.
    """
    shown = list(triples)
    if len(shown) > limit:
        wanted = set(terms_of(state.claim.text))
        topics = state.topic_ids
        nearness = {
            number: len(wanted & set(terms_of(verbalise(triple))))
            + 2 * sum(isinstance(end, Entity) and end.id in topics for end in (triple.subject, triple.object))
            for number, triple in enumerate(shown)
        }
        best = sorted(nearness, key=lambda number: (-nearness[number], number))[:limit]
        shown = [shown[number] for number in sorted(best)]
    return {f"T{number}": triple for number, triple in enumerate(shown, 1)}


def new_entities(state: BeliefState, triples: Sequence[Triple], limit: int) -> dict[str, Entity]:
    """The entities at the ends of triples that no hop has expanded, by the ids that they are shown with: E1, E2 …"""
    ends = {
        end.id: end
        for triple in triples
        for end in (triple.subject, triple.object)
        if isinstance(end, Entity) and end.id not in state.expanded
    }
    return {f"E{number}": entity for number, entity in enumerate(list(ends.values())[:limit], 1)}


def entity_selection_of(
    answer: EntitiesAnswer,
    state: BeliefState,
    triples: Mapping[str, Triple],
    entities: Mapping[str, Entity],
    max_triples: int,
    max_entities: int,
    *,
    is_last: bool,
) -> EntitySelection:
    """The selection that an answer makes: at most ``max_triples`` a relation, direction and entity.

    Raises:
        Complaint: it names what was not shown; on the last turn that is left out, where others stand.
    """
    kept: list[ScoredTriple] = []
    counts: dict[tuple[str, Direction, str], int] = {}
    for each in _known(answer.keep, triples, is_last=is_last):
        triple = triples[each.id]
        places = _places(state, triple)
        if places and all(counts.get(place, 0) >= max_triples for place in places):
            continue
        for place in places:
            counts[place] = counts.get(place, 0) + 1
        kept.append(ScoredTriple(triple=triple, score=each.relevance))
    following = _known(answer.next, entities, is_last=is_last) if entities else []
    return EntitySelection(
        triples=tuple(kept),
        frontier=tuple(
            ScoredEntity(entity=entities[each.id], score=each.relevance) for each in following[:max_entities]
        ),
        sufficient=answer.enough and bool(kept or len(state.evidence)),
    )


def _places(state: BeliefState, triple: Triple) -> list[tuple[str, Direction, str]]:
    """From which entities a triple was found, with the relation and the direction in which it leaves them."""
    places: list[tuple[str, Direction, str]] = []
    if triple.subject.id in state.expanded:
        places.append((triple.relation.id, "out", triple.subject.id))
    if isinstance(triple.object, Entity) and triple.object.id in state.expanded:
        places.append((triple.relation.id, "in", triple.object.id))
    return places


def _known(chosen: Sequence[Scored], shown: Mapping[str, object], *, is_last: bool) -> list[Scored]:
    """Those that were shown, each once, the most relevant first.

    Raises:
        Complaint: some were not; on the last turn, none was.
    """
    unknown = [each.id for each in chosen if each.id not in shown]
    known = {each.id: each for each in sorted(chosen, key=lambda each: each.relevance) if each.id in shown}
    if unknown and (not is_last or not known):
        ids = list(shown)
        more = " …" if len(ids) > NAMED else ""
        raise Complaint(f"{', '.join(unknown[:4])} was not on offer: choose of {', '.join(ids[:NAMED])}{more}")
    return sorted(known.values(), key=lambda each: -each.relevance)
