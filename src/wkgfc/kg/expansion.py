"""Expand and prune: the beam search over the knowledge graph (paper, section 4.2; Think-on-Graph).

A hop expands the whole frontier: its relations are offered to the reasoner, which keeps the best; their triples are
fetched and offered, and the best are stored with the entities that the next hop expands. It stops when the reasoner
finds the evidence sufficient, when nothing is left to expand, or after the last hop.

Two ways of asking gather the same evidence (DESIGN, "What is counted"):

* batched, ours: a hop asks one relations query, one triples query and makes two judgements: 2N queries;
* faithful, the paper's: a hop asks one query for each entity and direction, and prunes entities one by one: 2kN.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from wkgfc.evidence import Direction, Entity, Record, Relation, Triple
from wkgfc.kg.graph import KnowledgeGraph, RelatedTriples, distinct
from wkgfc.reasoning.reasoner import EntitySelection, OfferedRelation, Reasoner, ScoredEntity, ScoredTriple
from wkgfc.state import BeliefState, Failed, Found, FoundInPart, Nothing, Retrieved, found

DIRECTIONS: tuple[Direction, Direction] = ("out", "in")
RANKED = 10  # how many of a superlative's first places are fetched

Counting = Literal["batched", "faithful"]


class Beam(Record):
    """How far the search goes: N hops, k relations a hop and entities a frontier, m triples a relation and entity.

    ``fetched`` triples are offered to the reasoner for each relation, direction and entity, of which it keeps m.
    """

    hops: int = 4  # paper, section 5.6
    width: int = 4  # paper, section 5.6
    triples: int = 5
    fetched: int = 20
    counting: Counting = "batched"


async def expand(
    graph: KnowledgeGraph, reasoner: Reasoner, state: BeliefState, beam: Beam, hops: int
) -> Retrieved[str]:
    """Expand the state's frontier by up to ``hops`` hops; the ids of the evidence that is new.

    Changes ``state``: evidence, frontier, expanded entities, hops, sufficiency. ``Failed`` where the first hop that
    failed had brought nothing before; what came before a failure is kept and returned with it. The hop that failed
    changes nothing, so that it can be asked for again.
    """
    gathered: list[str] = []
    for _ in range(hops):
        if not state.frontier or state.sufficient:
            break
        before = state.hops, set(state.expanded), state.frontier
        outcome = await _hop(graph, reasoner, state, beam)
        match outcome:
            case Failed(reason=reason):
                state.hops, state.expanded, state.frontier = before
                return FoundInPart(gathered, (f"hop {state.hops + 1}: {reason}",)) if gathered else outcome
            case Nothing():
                continue
            case Found(items=ids):
                gathered.extend(ids)
    return found(gathered)


async def _hop(graph: KnowledgeGraph, reasoner: Reasoner, state: BeliefState, beam: Beam) -> Retrieved[str]:
    frontier = state.frontier
    topics = [entity for candidates in state.topic_entities.values() for entity, _ in candidates]
    around: Retrieved[RelatedTriples] = Nothing()
    if beam.counting == "faithful":
        around = await _neighbourhood(graph, frontier, topics, beam)
        offer = _offer(around)
    else:
        offer = await graph.relations(frontier)
    if isinstance(offer, Failed):
        return offer
    state.hops += 1
    state.expanded.update(entity.id for entity in frontier)
    state.frontier = ()
    if isinstance(offer, Nothing):
        return offer

    selection = await reasoner.select_relations(state, offer.items, beam.width)
    chosen = [(kept.relation, kept.direction) for kept in selection.relations[: beam.width]]
    ranked = await graph.ranking(selection.ranking, RANKED) if selection.ranking else Nothing()
    if isinstance(ranked, Failed):
        return ranked
    if not chosen:
        triples: Retrieved[Triple] = Nothing()
    elif beam.counting == "faithful":
        triples = _only(chosen, frontier, around)
    else:
        triples = await graph.triples(frontier, chosen, beam.fetched, topics)
    if isinstance(triples, Failed):
        return triples

    known = len(state.evidence)
    if isinstance(ranked, Found):
        places = [state.evidence.add_kg_triple(triple, hop=state.hops, relevance=1.0) for triple in ranked.items]
        state.ranked = tuple(dict.fromkeys(place.id for place in places))
    pruned = await _prune(reasoner, state, frontier, triples.items if isinstance(triples, Found) else (), beam)
    for scored in pruned.triples:
        state.evidence.add_kg_triple(scored.triple, hop=state.hops, relevance=scored.score)
    state.frontier = tuple(scored.entity for scored in pruned.frontier)
    state.sufficient = pruned.sufficient
    return found([evidence.id for evidence in state.evidence][known:])


async def _neighbourhood(
    graph: KnowledgeGraph, frontier: Sequence[Entity], topics: Sequence[Entity], beam: Beam
) -> Retrieved[RelatedTriples]:
    """All relations around the frontier with their triples, asked for one entity and direction after the other."""
    around: list[RelatedTriples] = []
    for entity in frontier:
        for direction in DIRECTIONS:
            answer = await graph.neighbourhood(entity, direction, beam.fetched, topics)
            if isinstance(answer, Failed):
                return answer
            if isinstance(answer, Found):
                around.extend(answer.items)
    return found(around)


def _offer(around: Retrieved[RelatedTriples]) -> Retrieved[OfferedRelation]:
    """The relations around the frontier, as one relations query would have listed them."""
    if not isinstance(around, Found):
        return around
    offered: dict[tuple[str, Direction], OfferedRelation] = {}
    for each in around.items:
        key = (each.relation.id, each.direction)
        before = offered.get(key)
        if each.count:
            offered[key] = OfferedRelation(
                relation=each.relation,
                direction=each.direction,
                entities=(*(before.entities if before else ()), each.entity),
                count=each.count + (before.count if before else 0),
            )
    return found(sorted(offered.values(), key=lambda each: (-each.count, each.relation.id, each.direction)))


def _only(
    chosen: Sequence[tuple[Relation, Direction]], frontier: Sequence[Entity], around: Retrieved[RelatedTriples]
) -> Retrieved[Triple]:
    """The triples of the chosen relations, in the order in which one triples query would have listed them."""
    if not isinstance(around, Found):
        return around
    found_at = {(each.entity.id, each.relation.id, each.direction): each.triples for each in around.items}
    asked = [(entity.id, relation.id, direction) for entity in frontier for relation, direction in chosen]
    return found(distinct(triple for key in asked for triple in found_at.get(key, ())))


async def _prune(
    reasoner: Reasoner, state: BeliefState, frontier: Sequence[Entity], triples: Sequence[Triple], beam: Beam
) -> EntitySelection:
    """Entity pruning: one judgement for the hop, or the paper's one for each entity of the frontier.

    Each of the latter knows what those before it kept, so that the last one says whether all of it suffices.
    """
    if beam.counting == "batched":
        return await reasoner.select_entities(state, triples, beam.triples, beam.width)
    around = [[triple for triple in triples if entity in (triple.subject, triple.object)] for entity in frontier]
    selections: list[EntitySelection] = []
    kept: list[ScoredTriple] = []
    for some in list(filter(None, around)) or [[]]:
        seen = replace(state, beside=tuple(each.triple for each in kept))
        selections.append(await reasoner.select_entities(seen, some, beam.triples, beam.width))
        kept += selections[-1].triples
    scores: dict[Entity, float] = {}
    for further in (each for selection in selections for each in selection.frontier):
        scores[further.entity] = max(further.score, scores.get(further.entity, 0.0))
    best = sorted(scores.items(), key=lambda pair: (-pair[1], pair[0].id))
    return EntitySelection(
        triples=tuple(sorted(kept, key=lambda scored: (-scored.score, scored.triple.key))),
        frontier=tuple(ScoredEntity(entity=entity, score=score) for entity, score in best[: beam.width]),
        sufficient=selections[-1].sufficient,
    )
