"""A graph in Wikidata's vocabulary behind a real endpoint: it answers as the embedded store does over the same data."""

import asyncio
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loopback_http import LoopbackHttp, ScriptedHttp
from oxigraph_server import oxigraph_server
from scripted import ScriptedReasoner
from small_graphs import (
    HOSTILE,
    WORLD,
    as_literal,
    entity,
    ids,
    items,
    n_triples,
    properties,
    relation,
    statement,
    store_of,
    triples_around,
)
from wkgfc.claim import read_claim
from wkgfc.evidence import Direction, Entity, Missing, Quantity, Rank, Text, Time
from wkgfc.http import Request, Unanswered
from wkgfc.kg import name_queries, queries, ranking_queries
from wkgfc.kg.expansion import DIRECTIONS, Beam, Counting, expand
from wkgfc.kg.graph import KnowledgeGraph, Neighbourhood
from wkgfc.kg.labels import SparqlNames
from wkgfc.kg.sparql import Endpoint
from wkgfc.kg.store import EmbeddedStore
from wkgfc.kg.wikibase import Wikibase
from wkgfc.reasoning.embedded.reasoner import EmbeddedReasoner
from wkgfc.reasoning.reasoner import Ranking
from wkgfc.state import BeliefState, Failed, Found, Nothing, Retrieved
from wkgfc.usage import Usage, metered

KNOWN = (
    "Q10",
    "Q20",
    "Q21",
    "Q22",
    "Q30",
    "Q31",
    "Q41",
    "Q42",
    "Q43",
    "Q46",
    "Q5",
    "Q50",
    "Q515",
    "Q516",
    "Q60",
    "Q99",
)


@dataclass(frozen=True)
class Pair:
    """The same data twice: a store on this machine, and a server. ``client`` knows what was asked of the latter."""

    store: EmbeddedStore
    live: Wikibase
    client: LoopbackHttp


def pair_of(folder: Path, text: str, url: str) -> Pair:
    client = LoopbackHttp()
    endpoint = Endpoint(client, url)
    return Pair(store_of(folder, text), Wikibase(endpoint, SparqlNames(endpoint), name="wikidata"), client)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    folder = tmp_path_factory.mktemp("world")
    (folder / "world.nt").write_text(n_triples(WORLD), encoding="utf-8")
    with oxigraph_server(folder, folder / "world.nt") as url:
        pair = pair_of(folder, WORLD, url)
        yield pair
        pair.store.close()


def as_set(answer: Retrieved[Any]) -> list[str]:
    """All that an answer says, in an order of its own."""
    return sorted(each.model_dump_json() for each in items(answer))


async def test_it_is_what_retrieval_and_linking_ask_for(world: Pair) -> None:
    graph: KnowledgeGraph = world.live
    assert isinstance(graph, Neighbourhood)
    assert items(await graph.relations([entity("Q10")]))
    assert re.fullmatch(r"127\.0\.0\.1:\d+, asked \d{4}-\d\d-\d\d", graph.version)


@pytest.mark.parametrize("identifier", KNOWN)
async def test_relations_and_triples_are_those_of_the_store(world: Pair, identifier: str) -> None:
    frontier = [entity(identifier)]
    offered = await world.store.relations(frontier)
    assert as_set(await world.live.relations(frontier)) == as_set(offered)
    chosen = [(each.relation, each.direction) for each in items(offered)]
    expected = await world.store.triples(frontier, chosen, 3)
    assert as_set(await world.live.triples(frontier, chosen, 3)) == as_set(expected)
    for direction in DIRECTIONS:
        around = await world.store.neighbourhood(entity(identifier), direction, 3)
        assert as_set(await world.live.neighbourhood(entity(identifier), direction, 3)) == as_set(around)


async def test_a_whole_frontier_is_asked_in_two_queries(world: Pair) -> None:
    frontier = [entity(each) for each in KNOWN[:8]]
    chosen: list[tuple[Any, Direction]] = [
        (relation(each), way) for each in ("P31", "P27", "P1082", "P6", "P17") for way in DIRECTIONS
    ]
    towards = [entity("Q42"), entity("Q10")]
    assert as_set(await world.live.relations(frontier)) == as_set(await world.store.relations(frontier))
    expected = as_set(await world.store.triples(frontier, chosen, 2, towards))
    world.client.sent.clear()
    assert as_set(await world.live.triples(frontier, chosen, 2, towards)) == expected
    assert len([request for request in world.client.sent if "?statement ?predicate" in _text(request)]) == 1


def _text(request: Request) -> str:
    return (request.form or {}).get("query", "")


async def test_values_ranks_and_qualifiers_are_what_they_are(world: Pair) -> None:
    chosen: list[tuple[Any, Direction]] = [
        (relation(each), "out") for each in ("P569", "P2048", "P1559", "P20", "P40", "P19", "P27")
    ]
    found = {each.relation.id: each for each in items(await world.live.triples([entity("Q10")], chosen, 5))}
    assert found["P569"].object == Time(value="1889-04-16", precision=11)
    assert found["P569"].references == ("https://example.org/register",)
    assert found["P2048"].object == Quantity(amount=Decimal("1.65"), unit=Entity(id="Q11573", label="metre"))
    assert found["P2048"].object.unit.label == "metre"
    assert found["P1559"].object == Text(value="Charles Spencer Chaplin", language="en")
    assert (found["P20"].object, found["P40"].object) == (Missing(value="unknown"), Missing(value="none"))
    assert found["P19"].object.label == "London"  # a direct link without a statement
    qualifiers = {each.relation.label: each.value for each in found["P27"].qualifiers}
    assert qualifiers == {"start time": Time(value="1889-01-01", precision=9), "end time": Missing(value="none")}
    (death,) = items(await world.live.triples([entity("Q60")], [(relation("P570"), "out")], 5))
    assert death.object == Time(value="-0044-03-15", precision=11, calendar="julian")
    mayors = items(await world.live.triples([entity("Q20")], [(relation("P6"), "out")], 5))
    assert [(each.object.id, each.rank) for each in mayors] == [("Q42", Rank.PREFERRED), ("Q41", Rank.NORMAL)]


async def test_names_are_found_and_told(world: Pair) -> None:
    (chaplin,) = items(await world.live.candidates("Charles Chaplin"))
    assert (chaplin.entity.id, chaplin.entity.label, chaplin.matched) == ("Q10", "Charlie Chaplin", "Charles Chaplin")
    assert chaplin.entity.description == "English actor"
    (expected,) = items(await world.store.candidates("Charles Chaplin"))
    assert chaplin == expected
    assert ids(each.entity for each in items(await world.live.candidates("LONDON"))) == {"Q20"}
    assert [each.is_page for each in items(await world.live.candidates("Chaplin"))] == [True]
    assert await world.live.candidates("nobody of this name") == Nothing()
    assert await world.live.candidates("Charlot") == Nothing()  # French was not asked for
    assert [each.id for each in items(await world.live.entities(["Q99", "Q20", "Q10", "Q404", "no id"]))] == [
        "Q10",
        "Q20",
    ]


async def test_names_come_in_the_claims_language_where_there_are_any(world: Pair) -> None:
    french = world.live.in_language("fr-CA")
    assert [each.label for each in items(await french.entities(["Q10", "Q20"]))] == ["Charlot", "London"]
    assert ids(each.entity for each in items(await french.candidates("Charlot"))) == {"Q10"}
    assert [each.label for each in items(await world.live.entities(["Q10"]))] == ["Charlie Chaplin"]
    nonsense = world.live.in_language('x" } #')
    assert [each.label for each in items(await nonsense.entities(["Q10"]))] == ["Charlie Chaplin"]


async def test_neighbours_are_those_of_the_store(world: Pair) -> None:
    asked = [*KNOWN, "Q404", "no id"]
    assert as_set(await world.live.neighbours(asked, 4)) == as_set(await world.store.neighbours(asked, 4))


@pytest.mark.parametrize("within", [None, "Q30", "Q46"])
@pytest.mark.parametrize("descending", [True, False])
async def test_rankings_are_those_of_the_store(world: Pair, within: str | None, descending: bool) -> None:
    asked = Ranking(
        relation=relation("P1082"),
        instance_of=entity("Q515"),
        within=entity(within) if within else None,
        descending=descending,
    )
    expected = items(await world.store.ranking(asked, 5))
    assert items(await world.live.ranking(asked, 5)) == expected
    assert len(expected) >= 2


async def test_a_first_place_in_a_sample_is_none(world: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranking_queries, "COMPARED", 3)
    asked = Ranking(relation=relation("P1082"), instance_of=entity("Q515"))
    assert await world.live.ranking(asked, 5) == Nothing()


def state_at(*identifiers: str) -> BeliefState:
    return BeliefState(claim=read_claim("A leads to E."), frontier=tuple(map(entity, identifiers)))


async def gather(graph: Any, counting: Counting, hops: int, *frontier: str) -> tuple[set[Any], Usage]:
    state = state_at(*frontier)
    with metered() as meter:
        await expand(graph, ScriptedReasoner(), state, Beam(counting=counting), hops=hops)
    return {each.key for _, each in state.evidence.triples()}, meter.total


@pytest.fixture(scope="module")
def dense(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    """Forty items with facts among each other, some of which have qualifiers, and some of which no statement."""
    lines = [properties({f"P{n}": f"relation {n}" for n in range(1, 7)})]
    for number in range(320):
        subject, way, other = 1 + number * 7 % 40, 1 + number * 11 % 6, 1 + number * 13 % 41
        name = f"Q{subject}-{number}"
        if number % 5 == 0:
            lines.append(f"wd:Q{subject} wdt:P{way} wd:Q{other}")
            continue
        lines.append(statement(name, f"Q{subject}", f"P{way}", f"wd:Q{other}"))
        if number % 3 == 0:
            lines.append(f's:{name} pq:P580 "{1900 + number % 90}-01-01T00:00:00Z"^^xsd:dateTime')
    text = "\n".join(dict.fromkeys("\n".join(lines).splitlines()))
    folder = tmp_path_factory.mktemp("dense")
    (folder / "dense.nt").write_text(n_triples(text), encoding="utf-8")
    with oxigraph_server(folder, folder / "dense.nt") as url:
        pair = pair_of(folder, text, url)
        yield pair
        pair.store.close()


async def test_the_counts_of_the_design_hold_on_a_real_endpoint(dense: Pair) -> None:
    beam, start = Beam(), ("Q1", "Q2", "Q3", "Q4")
    evidence: dict[Counting, set[Any]] = {}
    counted: tuple[tuple[Counting, int], ...] = (
        ("batched", 2 * beam.hops),
        ("faithful", 2 * beam.width * beam.hops),
    )
    for counting, expected in counted:
        dense.client.sent.clear()
        evidence[counting], usage = await gather(dense.live, counting, beam.hops, *start)
        templates = [
            text for text in map(_text, dense.client.sent) if "?count" in text or "?statement ?predicate ?value" in text
        ]
        assert len(templates) == usage.kg_queries == expected  # what travelled is what was counted
        assert usage.entity_searches == len(dense.client.sent) - expected
    assert evidence["batched"] == evidence["faithful"]
    assert len(evidence["batched"]) > 60
    assert evidence["batched"] == (await gather(dense.store, "batched", beam.hops, *start))[0]


@pytest.mark.parametrize(
    ("claim", "topics"),
    [
        ("Charlie Chaplin was born in London.", ("Q10", "Q20")),
        ("Charlie Chaplin is a citizen of France.", ("Q10", "Q31")),
        ("The mayor of London is the first mayor.", ("Q20", "Q41")),
        ("London has a population of 9 million.", ("Q20",)),
    ],
)
async def test_under_the_embedded_reasoner_store_and_endpoint_and_both_modes_gather_the_same(
    world: Pair, claim: str, topics: tuple[str, ...]
) -> None:
    reasoner, evidence = EmbeddedReasoner(), []
    ways: tuple[tuple[Any, Counting], ...] = (
        (world.store, "batched"),
        (world.live, "batched"),
        (world.live, "faithful"),
    )
    entities = items(await world.store.entities(topics))
    for graph, counting in ways:
        state = BeliefState(claim=read_claim(claim), frontier=tuple(entities))
        state.topic_entities = {each.label: ((each, 1.0),) for each in entities}
        with metered() as meter:
            await expand(graph, reasoner, state, Beam(counting=counting), hops=4)
        assert meter.total.kg_queries == 2 * (state.hops if counting == "batched" else len(state.expanded))
        evidence.append({each.content.model_dump_json() for each in state.evidence})
    assert evidence[0] == evidence[1] == evidence[2]
    assert evidence[0]


async def test_a_dense_graph_gives_the_same_triples_with_qualifiers_ranks_and_counts(dense: Pair) -> None:
    for number in range(1, 41, 3):
        frontier = [entity(f"Q{number}"), entity(f"Q{number + 1}")]
        offered = items(await dense.store.relations(frontier))
        chosen = [(each.relation, each.direction) for each in offered]
        expected = await dense.store.triples(frontier, chosen, 4, [entity("Q7")])
        assert as_set(await dense.live.triples(frontier, chosen, 4, [entity("Q7")])) == as_set(expected)


async def test_direct_links_alone_lose_nothing(tmp_path: Path) -> None:
    """Neither statements, ranks, types nor a word about the properties: an extract of truthy facts."""
    text = 'wd:Q1 rdfs:label "Earth"@en\nwd:Q1 wdt:P31 wd:Q2\nwd:Q1 wdt:P2046 "510"^^xsd:decimal\nwd:Q3 wdt:P31 wd:Q2'
    (tmp_path / "truthy.nt").write_text(n_triples(text), encoding="utf-8")
    with oxigraph_server(tmp_path, tmp_path / "truthy.nt") as url:
        endpoint = Endpoint(LoopbackHttp(), url)
        graph = Wikibase(endpoint, SparqlNames(endpoint))
        offered = items(await graph.relations([entity("Q1"), entity("Q2")]))
        assert {(each.relation.id, each.direction, each.count) for each in offered} == {
            ("P31", "out", 1),
            ("P31", "in", 2),
            ("P2046", "out", 1),
        }
        chosen = [(each.relation, each.direction) for each in offered]
        triples = items(await graph.triples([entity("Q1"), entity("Q2")], chosen, 5))
        assert {each.key[:3] for each in triples} == {("Q1", "P31", "Q2"), ("Q3", "P31", "Q2"), ("Q1", "P2046", "510")}
        around = [
            each for way in DIRECTIONS for each in triples_around(await graph.neighbourhood(entity("Q2"), way, 5))
        ]
        assert {each.key[:3] for each in around} == {("Q1", "P31", "Q2"), ("Q3", "P31", "Q2")}


async def test_a_hub_is_sampled_and_its_triples_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queries, "COUNTED", 500)
    text = "\n".join(statement(f"Q{n}-a", f"Q{n}", "P31", "wd:Q5") for n in range(1000, 3000))
    (tmp_path / "hub.nt").write_text(n_triples(text), encoding="utf-8")
    with oxigraph_server(tmp_path, tmp_path / "hub.nt") as url:
        endpoint = Endpoint(LoopbackHttp(), url)
        graph = Wikibase(endpoint, SparqlNames(endpoint))
        (offered,) = items(await graph.relations([entity("Q5")]))
        assert 100 <= offered.count <= 500
        people = items(await graph.triples([entity("Q5")], [(relation("P31"), "in")], 7))
        assert len(people) == 7
        assert all(100 <= each.count <= 500 for each in people)


async def test_hostile_labels_are_data(tmp_path: Path) -> None:
    lines = [properties({"P1559": "name"})]
    for number, text in enumerate(HOSTILE, start=1):
        lines += [
            f"wd:Q{number} rdfs:label {as_literal(text)}",
            statement(f"Q{number}-a", f"Q{number}", "P1559", as_literal(text)),
        ]
    (tmp_path / "hostile.nt").write_text(n_triples("\n".join(lines)), encoding="utf-8")
    with oxigraph_server(tmp_path, tmp_path / "hostile.nt") as url:
        endpoint = Endpoint(LoopbackHttp(), url)
        graph = Wikibase(endpoint, SparqlNames(endpoint))
        for number, text in enumerate(HOSTILE, start=1):
            (known,) = items(await graph.entities([f"Q{number}"]))
            assert known.label == text
            (named,) = items(await graph.triples([known], [(relation("P1559"), "out")], 5))
            assert named.object == Text(value=text, language="en")
            if "\n" not in text:  # what is searched is one line
                assert known in [each.entity for each in items(await graph.candidates(text))]


def failing(reason: str) -> Wikibase:
    endpoint = Endpoint(ScriptedHttp(lambda _: Unanswered(reason)), "https://query.example.org/sparql")
    return Wikibase(endpoint, SparqlNames(endpoint))


async def everything(graph: Wikibase) -> list[Retrieved[Any]]:
    return [
        await graph.candidates("Paris"),
        await graph.entities(["Q10"]),
        await graph.relations([entity("Q10")]),
        await graph.triples([entity("Q10")], [(relation("P31"), "out"), (relation("P6"), "in")], 5, [entity("Q1")]),
        await graph.neighbourhood(entity("Q10"), "out", 5),
        await graph.neighbourhood(entity("Q10"), "in", 5),
        await graph.neighbours(["Q10"]),
        await graph.ranking(Ranking(relation=relation("P1082"), instance_of=entity("Q515")), 5),
    ]


async def test_a_source_that_fails_is_never_nothing() -> None:
    assert await everything(failing("no connection")) == [Failed("no connection")] * 8


async def test_names_that_fail_fail_the_triples() -> None:
    """Without names a fact cannot be judged: "Q10 P31 Q5" is no evidence that anyone can read."""
    row = {
        "row": {"type": "literal", "value": "1"},
        "branch": {"type": "literal", "value": "0"},
        "object": {"type": "uri", "value": "http://www.wikidata.org/entity/Q5"},
    }

    def answer(request: Request) -> bytes | Unanswered:
        if "?branch" not in _text(request):
            return Unanswered("no names today")
        table = {"head": {"vars": list(queries.TRIPLE_COLUMNS)}, "results": {"bindings": [row]}}
        return json.dumps(table).encode()

    endpoint = Endpoint(ScriptedHttp(answer), "https://query.example.org/sparql")
    graph = Wikibase(endpoint, SparqlNames(endpoint))
    answered = await graph.triples([entity("Q10")], [(relation("P31"), "out")], 5)
    assert answered == Failed("no names today")


async def test_nothing_is_asked_where_there_is_nothing_to_ask(world: Pair) -> None:
    world.client.sent.clear()
    assert await world.live.relations([entity("'; DROP")]) == Nothing()
    assert await world.live.triples([entity("Q10")], [(relation("no id"), "out")], 5) == Nothing()
    assert await world.live.entities([]) == Nothing()
    assert await world.live.candidates("  ") == Nothing()
    assert world.client.sent == []


IRIS = st.sampled_from(
    [
        "http://www.wikidata.org/entity/Q10",
        "http://www.wikidata.org/entity/Q5",
        "http://www.wikidata.org/entity/P31",
        "http://www.wikidata.org/entity/statement/Q10-1",
        "http://www.wikidata.org/value/1",
        "http://www.wikidata.org/prop/P31",
        "http://www.wikidata.org/prop/P6",
        "http://www.wikidata.org/prop/direct/P31",
        "http://www.wikidata.org/prop/statement/P31",
        "http://www.wikidata.org/prop/statement/value/P31",
        "http://www.wikidata.org/prop/qualifier/P580",
        "http://www.wikidata.org/prop/novalue/P31",
        "http://www.w3.org/1999/02/22-rdf-syntax-ns#type",
        "http://wikiba.se/ontology#rank",
        "http://wikiba.se/ontology#timePrecision",
        "http://wikiba.se/ontology#quantityUnit",
        "urn:wkgfc:\ud800",
    ]
)
DATATYPES = st.sampled_from(["dateTime", "decimal", "integer", "string", "date"]).map(
    lambda name: f"http://www.w3.org/2001/XMLSchema#{name}"
)
VALUES = st.sampled_from(["1e999999999", "-1e99", "NaN", "9" * 5_000, "0", "1", "2", "11", "99999999999999999", ""])
TERM = st.one_of(
    IRIS.map(lambda iri: {"type": "uri", "value": iri}),
    st.builds(
        lambda text, kind: {"type": "literal", "value": text, "datatype": kind},
        VALUES | st.text(max_size=12) | st.from_regex(r"[+-]?\d{1,17}-\d\d-\d\dT00:00:00Z", fullmatch=True),
        DATATYPES,
    ),
    st.builds(lambda text: {"type": "literal", "value": text, "xml:lang": "en"}, st.text(max_size=12)),
    st.just({"type": "bnode", "value": "b0"}),
)
NUMBER = st.integers(0, 3).map(lambda number: {"type": "literal", "value": str(number)})
COLUMNS = tuple(
    dict.fromkeys(
        (
            *queries.TRIPLE_COLUMNS,
            *queries.RELATION_COLUMNS,
            *name_queries.LABEL_COLUMNS,
            *name_queries.PROPERTY_COLUMNS,
            *name_queries.NAMED_COLUMNS,
            *name_queries.STANDING_COLUMNS,
            *name_queries.NEIGHBOUR_COLUMNS,
            *ranking_queries.UNIT_COLUMNS,
        )
    )
)
ROWS = st.lists(
    st.fixed_dictionaries(
        {}, optional={name: NUMBER if name in {"row", "branch", "count"} else TERM for name in COLUMNS}
    ),
    max_size=12,
)


@given(st.lists(ROWS, min_size=1, max_size=6), st.integers(0, 5))
@settings(max_examples=150, deadline=None)
def test_whatever_rows_come_nothing_raises(tables: list[list[dict[str, Any]]], start: int) -> None:
    turn = iter(range(start, 10_000))

    def answer(_: Request) -> bytes:
        rows = tables[next(turn) % len(tables)]
        return json.dumps({"head": {"vars": COLUMNS}, "results": {"bindings": rows}}).encode()

    endpoint = Endpoint(ScriptedHttp(answer), "https://query.example.org/sparql")
    graph = Wikibase(endpoint, SparqlNames(endpoint))
    for answered in asyncio.run(everything(graph)):
        assert isinstance(answered, (Found, Nothing, Failed))
        for each in answered.items if isinstance(answered, Found) else ():
            each.model_dump_json()  # all of it can be written down


@given(st.text())
@settings(max_examples=40, deadline=None)
def test_any_text_is_a_legal_question(world: Pair, text: str) -> None:
    async def ask() -> None:
        stranger = Entity(id=text, label=text)
        for answer in (
            await world.live.candidates(text),
            await world.live.entities([text]),
            await world.live.relations([stranger]),
            await world.live.triples([stranger], [(relation(text), "in")], 3, [stranger]),
            await world.live.in_language(text).entities(["Q10"]),
        ):
            assert isinstance(answer, (Found, Nothing))

    asyncio.run(ask())
