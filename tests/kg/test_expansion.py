"""The beam: what it gathers, what it asks, and that both ways of asking gather the same."""

import random
from collections.abc import Sequence
from typing import Any

import pytest

from scripted import ListGraph, ScriptedReasoner, entity, triple
from wkgfc.claim import read_claim
from wkgfc.evidence import Entity, Qualifier, Relation, StatementKey, Text, Triple
from wkgfc.kg.expansion import Beam, Counting, expand
from wkgfc.reasoning.reasoner import EntitySelection, Ranking, RelationSelection
from wkgfc.state import BeliefState, Failed, Found, FoundInPart, Nothing
from wkgfc.usage import metered

CHAIN = [triple("A", "P1", "B"), triple("B", "P1", "C"), triple("C", "P1", "D"), triple("D", "P1", "E")]


def state_at(*ids: str) -> BeliefState:
    return BeliefState(claim=read_claim("A leads to E."), frontier=tuple(entity(each) for each in ids))


def objects(state: BeliefState) -> set[str]:
    return {each.object.id for _, each in state.evidence.triples() if isinstance(each.object, Entity)}


async def test_each_hop_follows_the_new_entities() -> None:
    state = state_at("A")
    outcome = await expand(ListGraph(CHAIN), ScriptedReasoner(), state, Beam(), hops=2)
    assert isinstance(outcome, Found)
    assert objects(state) == {"B", "C"}
    assert state.hops == 2
    assert state.expanded == {"A", "B"}
    assert [each.id for each in state.frontier] == ["C"]


async def test_it_stops_when_the_evidence_suffices() -> None:
    reasoner = ScriptedReasoner()
    reasoner.sufficient_after = 1
    state = state_at("A")
    await expand(ListGraph(CHAIN), reasoner, state, Beam(), hops=4)
    assert (state.hops, state.sufficient) == (1, True)


async def test_it_stops_when_nothing_is_left_to_expand() -> None:
    state = state_at("D")
    reasoner = ScriptedReasoner()
    await expand(ListGraph(CHAIN), reasoner, state, Beam(hops=8), hops=8)
    assert state.hops < 8
    assert objects(state) == {"B", "C", "D", "E"}  # D is also followed backwards


@pytest.mark.parametrize("counting", ["batched", "faithful"])
async def test_both_terms_of_one_office_are_gathered(counting: Counting) -> None:
    start = Relation(id="P580", label="start time")
    terms = [
        triple("A", "P39", "B").model_copy(update={"qualifiers": (Qualifier(relation=start, value=Text(value=year)),)})
        for year in ("1885", "1893")
    ]
    state = state_at("A")
    await expand(ListGraph(terms), ScriptedReasoner(), state, Beam(counting=counting), hops=1)
    assert [each.qualifiers for _, each in state.evidence.triples()] == [each.qualifiers for each in terms]


async def test_a_failure_is_told_as_one_and_changes_nothing() -> None:
    graph = ListGraph(CHAIN)
    graph.failure = "no connection"
    state = state_at("A")
    assert await expand(graph, ScriptedReasoner(), state, Beam(), hops=4) == Failed("no connection")
    assert len(state.evidence) == 0
    assert state.frontier == (entity("A"),)


async def test_a_hop_that_fails_at_its_triples_can_be_asked_for_again() -> None:
    class Failing(ScriptedReasoner):
        async def select_relations(self, *asked: Any) -> RelationSelection:
            graph.failure = "no connection"
            return await super().select_relations(*asked)

    graph, state = ListGraph(CHAIN), state_at("A")
    assert await expand(graph, Failing(), state, Beam(), hops=4) == Failed("no connection")
    assert (state.hops, state.expanded, state.frontier) == (0, set(), (entity("A"),))
    graph.failure = None
    assert isinstance(await expand(graph, ScriptedReasoner(), state, Beam(), hops=1), Found)


@pytest.mark.parametrize("counting", ["batched", "faithful"])
async def test_a_later_failure_is_told_with_what_was_gathered_before(counting: Counting) -> None:
    class Failing(ScriptedReasoner):
        async def select_entities(self, state: BeliefState, *rest: Any) -> EntitySelection:
            graph.failure = "no connection"
            return await super().select_entities(state, *rest)

    graph, state = ListGraph(CHAIN), state_at("A")
    outcome = await expand(graph, Failing(), state, Beam(counting=counting), hops=4)
    assert outcome == FoundInPart(["K1"], ("hop 2: no connection",))


async def test_entity_by_entity_the_last_judgement_knows_what_is_kept_of_all() -> None:
    """As a comparison of two things, of which neither alone says which is larger."""

    class Comparing(ScriptedReasoner):
        async def select_entities(self, state: BeliefState, triples: Sequence[Triple], *rest: int) -> EntitySelection:
            selection = await super().select_entities(state, triples, *rest)
            known = {each.subject.id for each in (*state.beside, *triples)}
            return selection.model_copy(update={"sufficient": known >= {"A", "B"}})

    sizes = [triple("A", "P2046", "510"), triple("B", "P2046", "149"), triple("510", "P1", "x")]
    for counting in ("batched", "faithful"):
        state = state_at("A", "B")
        await expand(ListGraph(sizes), Comparing(), state, Beam(counting=counting), hops=4)
        assert (state.hops, state.sufficient, state.beside) == (1, True, ())


async def test_an_entity_without_facts_is_nothing() -> None:
    assert await expand(ListGraph(CHAIN), ScriptedReasoner(), state_at("X"), Beam(), hops=4) == Nothing()


async def test_a_ranking_is_fetched_where_the_reasoner_asks_for_one() -> None:
    reasoner = ScriptedReasoner()
    heights = [triple("M1", "P2044", "8849"), triple("M2", "P2044", "8611")]
    reasoner.ranking = Ranking(relation=heights[0].relation, instance_of=entity("Q8502"))
    state = state_at("A")
    outcome = await expand(ListGraph([*CHAIN, *heights]), reasoner, state, Beam(), hops=1)
    assert isinstance(outcome, Found)
    assert {each.subject.id for _, each in state.evidence.triples()} == {"A", "M1", "M2"}


def dense_graph(seed: int) -> list[Triple]:
    chooser = random.Random(seed)
    names = [f"N{number}" for number in range(40)]
    edges = {(chooser.choice(names), f"P{chooser.randint(1, 6)}", chooser.choice(names)) for _ in range(300)}
    return [triple(*edge) for edge in sorted(edges)]


async def gather(counting: Counting, seed: int, hops: int) -> tuple[set[StatementKey], int, list[str]]:
    state, reasoner = state_at("N0", "N1", "N2", "N3"), ScriptedReasoner()
    with metered() as meter:
        await expand(ListGraph(dense_graph(seed)), reasoner, state, Beam(counting=counting), hops=hops)
    return {each.key for _, each in state.evidence.triples()}, meter.total.kg_queries, reasoner.asked


@pytest.mark.parametrize("seed", range(5))
async def test_both_ways_of_asking_gather_the_same_evidence(seed: int) -> None:
    batched, _, _ = await gather("batched", seed, 4)
    faithful, _, _ = await gather("faithful", seed, 4)
    assert batched == faithful
    assert len(batched) > 20


async def test_the_counts_are_those_of_the_design() -> None:
    beam = Beam()
    _, queries, judgements = await gather("batched", 1, beam.hops)
    assert queries == 2 * beam.hops == 8
    assert len(judgements) == 2 * beam.hops  # and one verdict: 2N + 1 = 9
    _, queries, judgements = await gather("faithful", 1, beam.hops)
    assert queries == 2 * beam.width * beam.hops == 32
    assert len(judgements) == beam.hops + beam.width * beam.hops  # and one verdict: N + kN + 1 = 21
