"""A graph in plain RDF behind a real endpoint: labels by rdfs:label, facts as triples, ids as IRIs."""

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lookup_service import n_triples
from loopback_http import LoopbackHttp, ScriptedHttp
from oxigraph_server import oxigraph_server
from scripted import ScriptedReasoner
from small_graphs import HOSTILE, as_literal, ids, items, triples_around
from wkgfc.claim import read_claim
from wkgfc.evidence import Direction, Entity, Rank, Relation, Text
from wkgfc.http import Request, Unanswered
from wkgfc.kg import rdf_queries
from wkgfc.kg.expansion import DIRECTIONS, Beam, Counting, expand
from wkgfc.kg.graph import KnowledgeGraph
from wkgfc.kg.linking import link
from wkgfc.kg.plain_rdf import PlainRdf, open_plain_rdf
from wkgfc.reasoning.reasoner import Ranking
from wkgfc.state import BeliefState, Failed, Found, Nothing, Retrieved
from wkgfc.usage import metered

EX = "http://example.org/"
COUNTINGS: tuple[Counting, Counting] = ("batched", "faithful")


def dense() -> str:
    """Forty things with labels and facts among each other, some values being literals."""
    lines = [f'ex:N{n} rdfs:label "Thing {n}"@en' for n in range(40)]
    for n in range(320):
        lines.append(f"ex:N{n * 7 % 40} ex:relation{n * 11 % 6} ex:N{n * 13 % 41}")
    lines += [f'ex:N{n} ex:size "{n}"^^xsd:integer' for n in range(0, 40, 3)]
    lines += [
        'ex:N1 skos:altLabel "The First"@en',
        'ex:N2 skos:prefLabel "Second"',
        'ex:N6 skos:altLabel "Charlie Chaplin"@en',
        'ex:N3 rdfs:label "Drittes"@de',
        'ex:N3 rdfs:comment "what comes third"@en',
        "ex:N4 ex:unknown _:somebody",
        'ex:N5 ex:motto "fest"@de',
        'ex:N5 ex:motto "firm"@en',
        'ex:relation1 rdfs:label "comes before"@en',
        *(f"ex:N{n} rdf:type ex:Thing" for n in range(40)),
        *(f"ex:H{n} rdfs:label {as_literal(text)}" for n, text in enumerate(HOSTILE)),
        *(f"ex:H{n} ex:motto {as_literal(text)}" for n, text in enumerate(HOSTILE)),
    ]
    return "\n".join(lines)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("plain")
    (folder / "plain.nt").write_text(n_triples(dense()), encoding="utf-8")
    with oxigraph_server(folder, folder / "plain.nt") as url:
        yield url


def node(name: str) -> Entity:
    return Entity(id=EX + name, label=name)


def way(name: str) -> Relation:
    return Relation(id=EX + name, label=name)


def as_set(answer: Retrieved[Any]) -> list[str]:
    return sorted(each.model_dump_json() for each in items(answer))


async def test_relations_have_labels_or_the_end_of_their_iri(server: str) -> None:
    graph: KnowledgeGraph = open_plain_rdf(LoopbackHttp(), server)
    offered = items(await graph.relations([node("N1"), node("N2"), Entity(id="Q1", label="")]))
    named = {each.relation.id.removeprefix(EX): each.relation.label for each in offered if EX in each.relation.id}
    assert named["relation1"] == "comes before"
    assert named["relation2"] == "relation2"
    assert not {each.relation.label for each in offered} & {"label", "pref label", "alt label", "comment"}
    assert next(each.count for each in offered if each.relation.label == "type") == 2
    assert graph.version.startswith("127.0.0.1:")
    assert ", asked " in graph.version


async def test_triples_are_unqualified_and_of_normal_rank(server: str) -> None:
    graph = open_plain_rdf(LoopbackHttp(), server)
    (motto,) = items(await graph.triples([node("N5")], [(way("motto"), "out")], 5))
    assert motto.object == Text(value="firm", language="en")  # German was not asked for
    assert (motto.rank, motto.qualifiers, motto.references, motto.count) == (Rank.NORMAL, (), (), 1)
    assert motto.subject.label == "Thing 5"
    assert motto.source.url == EX + "N5"
    assert await graph.triples([node("N4")], [(way("unknown"), "out")], 5) == Nothing()  # a blank node names nothing


async def test_both_ways_of_asking_bring_the_same_triples(server: str) -> None:
    graph = open_plain_rdf(LoopbackHttp(), server)
    for name in ("N1", "N5", "N17", "Thing"):
        offered = items(await graph.relations([node(name)]))
        for direction in DIRECTIONS:
            chosen = [(each.relation, direction) for each in offered if each.direction == direction]
            asked = await graph.triples([node(name)], chosen, 4, [node("N33")]) if chosen else Nothing()
            around = await graph.neighbourhood(node(name), direction, 4, [node("N33")])
            assert sorted(map(str, items(asked))) == sorted(map(str, triples_around(around)))
            counts = {each.relation.id: each.count for each in offered if each.direction == direction}
            assert all(each.count == counts[each.relation.id] for each in items(asked))


async def test_what_leads_to_the_claims_entities_comes_first_and_the_rest_is_counted(server: str) -> None:
    graph = open_plain_rdf(LoopbackHttp(), server)
    kind = Relation(id=rdf_queries.TYPE, label="type")
    things = items(await graph.triples([node("Thing")], [(kind, "in")], 3, [node("N33")]))
    assert things[0].subject == node("N33")
    assert (len(things), {each.count for each in things}) == (3, {40})


async def test_the_counts_of_the_design_hold_and_both_modes_gather_the_same(server: str) -> None:
    evidence: dict[Counting, set[Any]] = {}
    beam = Beam()
    for counting, expected in zip(COUNTINGS, (2 * beam.hops, 2 * beam.width * beam.hops), strict=True):
        client = LoopbackHttp()
        state = BeliefState(claim=read_claim("It is so."), frontier=tuple(node(f"N{n}") for n in (1, 2, 3, 4)))
        with metered() as meter:
            await expand(open_plain_rdf(client, server), ScriptedReasoner(), state, Beam(counting=counting), hops=4)
        evidence[counting] = {each.key for _, each in state.evidence.triples()}
        assert meter.total.kg_queries == expected
        assert meter.total.entity_searches == len(client.sent) - expected
    assert evidence["batched"] == evidence["faithful"]
    assert len(evidence["batched"]) > 60


async def test_names_are_met_to_the_letter_or_in_any_case(server: str) -> None:
    graph = open_plain_rdf(LoopbackHttp(), server)
    (first,) = items(await graph.candidates("The First"))
    assert (first.entity.id, first.entity.label, first.matched) == (EX + "N1", "Thing 1", "The First")
    assert first.links > 10
    assert ids(each.entity for each in items(await graph.candidates("THING 7"))) == {EX + "N7"}
    assert ids(each.entity for each in items(await graph.candidates("tHe fIrSt"))) == {EX + "N1"}
    assert ids(each.entity for each in items(await graph.candidates("Second"))) == {EX + "N2"}
    assert await graph.candidates("Drittes") == Nothing()  # German was not asked for
    german = graph.in_language("de")
    (third,) = items(await german.candidates("Drittes"))
    assert (third.entity.label, third.entity.description) == ("Drittes", "what comes third")
    assert [each.label for each in items(await german.entities([EX + "N1", EX + "none", "Q1"]))] == ["Thing 1"]


async def test_a_claim_is_linked(server: str) -> None:
    linked = await link(read_claim("Charlie Chaplin was born in London."), open_plain_rdf(LoopbackHttp(), server))
    assert not isinstance(linked, Failed)
    assert [each.entity.id for each in linked.ranked] == [EX + "N6"]


@pytest.mark.parametrize(("number", "text"), list(enumerate(HOSTILE)))
async def test_hostile_labels_are_data(server: str, number: int, text: str) -> None:
    graph = open_plain_rdf(LoopbackHttp(), server)
    (known,) = items(await graph.entities([f"{EX}H{number}"]))
    assert known.label == text
    (motto,) = items(await graph.triples([known], [(way("motto"), "out")], 5))
    assert motto.object == Text(value=text, language="en")
    if "\n" not in text:
        assert known in [each.entity for each in items(await graph.candidates(text))]


async def everything(graph: PlainRdf, text: str = "Thing 1") -> list[Retrieved[Any]]:
    chosen: list[tuple[Relation, Direction]] = [(way("relation1"), "out"), (way("relation1"), "in")]
    return [
        await graph.candidates(text),
        await graph.entities([EX + "N1", text]),
        await graph.relations([node("N1"), Entity(id=text, label=text)]),
        await graph.triples([node("N1")], chosen, 3, [node("N2")]),
        await graph.neighbourhood(node("N1"), "out", 3),
        await graph.neighbourhood(node("N1"), "in", 3),
    ]


async def test_a_source_that_fails_is_never_nothing() -> None:
    graph = open_plain_rdf(ScriptedHttp(lambda _: Unanswered("no connection")), "https://graph.example/sparql")
    assert await everything(graph) == [Failed("no connection")] * 6
    ranking = Ranking(relation=way("size"), instance_of=node("Thing"))
    assert await graph.ranking(ranking, 5) == Nothing()  # such graphs are not ranked


@given(st.text())
@settings(max_examples=30, deadline=None)
def test_any_text_is_a_legal_question(server: str, text: str) -> None:
    async def ask() -> None:
        graph = open_plain_rdf(LoopbackHttp(), server)
        for outcome in await everything(graph, text):
            assert isinstance(outcome, (Found, Nothing))
        assert await graph.triples([node("N1")], [(Relation(id=text, label=text), "out")], 3) == Nothing()

    asyncio.run(ask())


NUMBERS = st.integers(0, 3).map(lambda number: {"type": "literal", "value": str(number)})
TERMS = st.one_of(
    st.sampled_from([EX + "N1", EX + "N2", EX + "relation1", rdf_queries.TYPE, "urn:x", "http://a b", ""]).map(
        lambda iri: {"type": "uri", "value": iri}
    ),
    st.builds(
        lambda text, kind: {"type": "literal", "value": text, "datatype": f"http://www.w3.org/2001/XMLSchema#{kind}"},
        st.sampled_from(["1e999999999", "9" * 5000, "-0000-00-00", "0000", "1889-04-16"]) | st.text(max_size=9),
        st.sampled_from(["date", "gYear", "decimal", "string", "gYearMonth"]),
    ),
    st.text(max_size=9).map(lambda text: {"type": "literal", "value": text, "xml:lang": "en"}),
    st.just({"type": "bnode", "value": "b"}),
)
COLUMNS = sorted(
    {
        *rdf_queries.RELATION_COLUMNS,
        *rdf_queries.TRIPLE_COLUMNS,
        *rdf_queries.NEIGHBOURHOOD_COLUMNS,
        *rdf_queries.LABEL_COLUMNS,
        *rdf_queries.NAMED_COLUMNS,
        *rdf_queries.STANDING_COLUMNS,
    }
)
ROWS = st.lists(
    st.fixed_dictionaries(
        {}, optional={name: NUMBERS if name in {"branch", "count", "page"} else TERMS for name in COLUMNS}
    ),
    max_size=10,
)


@given(st.lists(ROWS, min_size=1, max_size=5))
@settings(max_examples=100, deadline=None)
def test_whatever_rows_come_nothing_raises(tables: list[list[dict[str, Any]]]) -> None:
    turn = iter(range(10_000))

    def answer(_: Request) -> bytes:
        rows = tables[next(turn) % len(tables)]
        return json.dumps({"head": {"vars": COLUMNS}, "results": {"bindings": rows}}).encode()

    graph = open_plain_rdf(ScriptedHttp(answer), "https://graph.example/sparql")
    for outcome in asyncio.run(everything(graph)):
        assert isinstance(outcome, (Found, Nothing, Failed))
        for each in outcome.items if isinstance(outcome, Found) else ():
            each.model_dump_json()
