"""Expand and prune: the beam search over the knowledge graph (paper, section 4.2; Think-on-Graph).

A hop expands the whole frontier: its relations are offered to the reasoner, which keeps the best; their triples are
fetched and offered, and the best are stored with the entities that the next hop expands. It stops when the reasoner
finds the evidence sufficient, when nothing is left to expand, or after the last hop.

Two ways of asking gather the same evidence (DESIGN, "What is counted"):

* batched, ours: a hop asks one relations query, one triples query and makes two judgements: 2N queries;
* faithful, the paper's: a hop asks one query for each entity and direction, and prunes entities one by one: 2kN.
"""

from collections.abc import Iterable, Sequence
from typing import Literal

from wkgfc.evidence import Direction, Entity, Record, Relation, Triple
from wkgfc.kg.graph import KnowledgeGraph
from wkgfc.reasoning.reasoner import EntitySelection, OfferedRelation, Reasoner, ScoredEntity
from wkgfc.state import BeliefState, Failed, Found, Nothing, Retrieved, found

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
    failed had brought nothing before; what came before a failure is kept and returned.
    """
    gathered: list[str] = []
    for _ in range(hops):
        if not state.frontier or state.sufficient:
            break
        outcome = await _hop(graph, reasoner, state, beam)
        match outcome:
            case Failed():
                return Found(gathered) if gathered else outcome
            case Nothing():
                continue
            case Found(items=ids):
                gathered.extend(ids)
    return found(gathered)


async def _hop(graph: KnowledgeGraph, reasoner: Reasoner, state: BeliefState, beam: Beam) -> Retrieved[str]:
    frontier = state.frontier
    topics = [entity for candidates in state.topic_entities.values() for entity, _ in candidates]
    neighbourhood: Retrieved[Triple] = Nothing()
    if beam.counting == "faithful":
        neighbourhood = await _neighbourhood(graph, frontier, topics, beam)
        offer = _offer(frontier, neighbourhood)
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
    known = len(state.evidence)
    if isinstance(ranked, Found):
        places = [state.evidence.add_kg_triple(triple, hop=state.hops, relevance=1.0) for triple in ranked.items]
        state.ranked = tuple(dict.fromkeys(place.id for place in places))
    if not chosen:
        triples: Retrieved[Triple] = Nothing()
    elif beam.counting == "faithful":
        triples = _only(chosen, frontier, neighbourhood)
    else:
        triples = await graph.triples(frontier, chosen, beam.fetched, topics)
    if isinstance(triples, Failed):
        return triples

    pruned = await _prune(reasoner, state, frontier, triples.items if isinstance(triples, Found) else (), beam)
    for scored in pruned.triples:
        state.evidence.add_kg_triple(scored.triple, hop=state.hops, relevance=scored.score)
    state.frontier = tuple(scored.entity for scored in pruned.frontier)
    state.sufficient = pruned.sufficient
    return found([evidence.id for evidence in state.evidence][known:])


async def _neighbourhood(
    graph: KnowledgeGraph, frontier: Sequence[Entity], topics: Sequence[Entity], beam: Beam
) -> Retrieved[Triple]:
    """Every triple around the frontier, asked for one entity and direction after the other."""
    triples: list[Triple] = []
    for entity in frontier:
        for direction in DIRECTIONS:
            answer = await graph.neighbourhood(entity, direction, beam.fetched, topics)
            if isinstance(answer, Failed):
                return answer
            if isinstance(answer, Found):
                triples.extend(answer.items)
    return found(triples)


def _offer(frontier: Sequence[Entity], neighbourhood: Retrieved[Triple]) -> Retrieved[OfferedRelation]:
    """The relations that stand in the triples around the frontier, as one relations query would have listed them."""
    if not isinstance(neighbourhood, Found):
        return neighbourhood
    offered: dict[tuple[str, Direction], OfferedRelation] = {}
    counted: set[tuple[str, Direction, str]] = set()
    for triple in neighbourhood.items:
        for direction, entity in _ends(triple, frontier):
            key = (triple.relation.id, direction)
            if (*key, entity.id) in counted:
                continue
            counted.add((*key, entity.id))
            before = offered.get(key)
            offered[key] = OfferedRelation(
                relation=triple.relation,
                direction=direction,
                entities=(*before.entities, entity) if before else (entity,),
                count=(before.count if before else 0) + (triple.count or 1),
            )
    return found(list(offered.values()))


def _ends(triple: Triple, frontier: Sequence[Entity]) -> Iterable[tuple[Direction, Entity]]:
    """The entities of the frontier at the ends of a triple, with the direction in which the triple leaves them."""
    if triple.subject in frontier:
        yield "out", triple.subject
    if isinstance(triple.object, Entity) and triple.object in frontier:
        yield "in", triple.object


def _only(
    chosen: Sequence[tuple[Relation, Direction]], frontier: Sequence[Entity], neighbourhood: Retrieved[Triple]
) -> Retrieved[Triple]:
    """The triples of the chosen relations, each once."""
    if not isinstance(neighbourhood, Found):
        return neighbourhood
    wanted = {(relation.id, direction) for relation, direction in chosen}
    kept = {
        triple.key: triple
        for triple in neighbourhood.items
        if any((triple.relation.id, direction) in wanted for direction, _ in _ends(triple, frontier))
    }
    return found(list(kept.values()))


async def _prune(
    reasoner: Reasoner, state: BeliefState, frontier: Sequence[Entity], triples: Sequence[Triple], beam: Beam
) -> EntitySelection:
    """Entity pruning: one judgement for the hop, or the paper's one for each entity of the frontier."""
    if beam.counting == "batched":
        return await reasoner.select_entities(state, triples, beam.triples, beam.width)
    selections = [
        await reasoner.select_entities(state, around, beam.triples, beam.width)
        for entity in frontier
        if (around := [triple for triple in triples if any(end == entity for _, end in _ends(triple, frontier))])
    ]
    scores: dict[Entity, float] = {}
    for selection in selections:
        for scored in selection.frontier:
            scores[scored.entity] = max(scored.score, scores.get(scored.entity, 0.0))
    best = sorted(scores.items(), key=lambda pair: (-pair[1], pair[0].id))
    return EntitySelection(
        triples=tuple(scored for selection in selections for scored in selection.triples),
        frontier=tuple(ScoredEntity(entity=entity, score=score) for entity, score in best[: beam.width]),
        sufficient=any(selection.sufficient for selection in selections),
    )
