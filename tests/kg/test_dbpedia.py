"""DBpedia as it is asked live: its endpoint is a real Oxigraph, its lookup service a small server of the tests."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lookup_service import GRAPH, document, lookup, n_triples
from loopback_http import LoopbackHttp, ScriptedHttp
from misbehaving import Misbehaving, misbehaving, refuse, reply
from oxigraph_server import oxigraph_server
from small_graphs import HOSTILE, ids, items, triples_around
from wkgfc.evidence import Direction, Entity, Quantity, Relation, Text, Time
from wkgfc.http import Unanswered
from wkgfc.kg.dbpedia import ONTOLOGY, RESOURCE, open_dbpedia
from wkgfc.kg.graph import KnowledgeGraph
from wkgfc.kg.plain_rdf import PlainRdf
from wkgfc.state import Failed, Found, Nothing

HITS = [
    document(
        "Charlie_Chaplin",
        "Charlie <B>Chaplin</B>",
        refCount=["2512"],
        redirectlabel=["Charles <B>Chaplin</B>", "The Little Tramp"],
        typeName=["Person", "Artist"],
        comment=["Sir Charles Spencer <B>Chaplin</B> was an English comic actor. He rose to fame in silent film."],
    ),
    document("Chaplin_(disambiguation)", "Chaplin (disambiguation)", refCount=["3"]),
    document("Chaplin_(film)", "<B>Chaplin</B> (film)", refCount=["98"], typeName=["Film"]),
    document("London", "<B>London</B>", refCount=["80000"]),
]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("dbpedia")
    (folder / "dbpedia.nt").write_text(n_triples(GRAPH), encoding="utf-8")
    with oxigraph_server(folder, folder / "dbpedia.nt") as url:
        yield url


@pytest.fixture
async def finder() -> AsyncIterator[Misbehaving]:
    async with misbehaving() as server:
        server.on("/api/search", lookup(HITS))
        yield server


def dbpedia(service: str, finder: Misbehaving, language: str = "en") -> PlainRdf:
    return open_dbpedia(LoopbackHttp(), endpoint=service, lookup=finder.url("/api/search"), language=language)


def resource(name: str) -> Entity:
    return Entity(id=RESOURCE + name, label=name)


def ontology(name: str) -> Relation:
    return Relation(id=ONTOLOGY + name, label=name)


async def test_candidates_come_from_the_lookup_service(service: str, finder: Misbehaving) -> None:
    graph: KnowledgeGraph = dbpedia(service, finder)
    film, chaplin = items(await graph.candidates("Chaplin"))
    assert (film.entity.label, film.match > chaplin.match) == ("Chaplin (film)", True)
    assert (chaplin.entity.id, chaplin.entity.label, chaplin.links) == (
        RESOURCE + "Charlie_Chaplin",
        "Charlie Chaplin",
        2512,
    )
    assert chaplin.entity.description == "Sir Charles Spencer Chaplin was an English comic actor."
    (by_redirect,) = items(await graph.candidates("the little tramp"))
    assert (by_redirect.entity.id, by_redirect.matched) == (RESOURCE + "Charlie_Chaplin", "The Little Tramp")


async def test_what_the_lookup_service_does_not_know_is_asked_of_the_endpoint(
    service: str, finder: Misbehaving
) -> None:
    graph = dbpedia(service, finder)
    assert ids(each.entity for each in items(await graph.candidates("The Kid"))) == {RESOURCE + "The_Kid"}
    assert await graph.candidates("Nobody at all") == Nothing()
    without = open_dbpedia(LoopbackHttp(), endpoint=service, lookup=None)
    (redirected,) = items(await without.candidates("Charles Chaplin"))
    assert (redirected.entity.id, redirected.entity.label) == (RESOURCE + "Charlie_Chaplin", "Charlie Chaplin")
    assert await without.candidates("Chaplin") == Nothing()  # a page that only lists namesakes


async def test_only_the_ontology_is_offered(service: str, finder: Misbehaving) -> None:
    offered = items(await dbpedia(service, finder).relations([resource("Charlie_Chaplin")]))
    assert {(each.relation.label, each.direction, each.count) for each in offered} == {
        ("birth date", "out", 1),
        ("birth place", "out", 2),
        ("birth name", "out", 1),
        ("height", "out", 1),
        ("spouse", "out", 1),
        ("type", "out", 1),  # Person, and not owl:Thing
        ("spouse", "in", 1),
        ("director", "in", 2),
    }


async def test_values_have_their_types_and_units(service: str, finder: Misbehaving) -> None:
    graph = dbpedia(service, finder)
    chosen: list[tuple[Relation, Direction]] = [
        (ontology(name), "out") for name in ("birthDate", "height", "birthName")
    ]
    triples = items(await graph.triples([resource("Charlie_Chaplin")], chosen, 5))
    found = {each.relation.label: each.object for each in triples}
    assert found["birth date"] == Time(value="1889-04-16", precision=11)
    assert found["birth name"] == Text(value="Charles Spencer Chaplin", language="en")
    assert isinstance(found["height"], Quantity)
    assert found["height"].unit is not None
    assert (found["height"].amount, found["height"].unit.label) == (Decimal("1.65"), "metre")
    (area,) = items(await graph.triples([resource("London")], [(ontology("areaTotal"), "out")], 5))
    assert (area.object.amount, area.object.unit.label) == (Decimal("1572.0"), "square kilometre")
    (death,) = items(await graph.triples([resource("Julius_Caesar")], [(ontology("deathDate"), "out")], 5))
    assert death.object == Time(value="-0044-03-15", precision=11)


async def test_redirects_are_followed_where_a_fact_leads_to_one(service: str, finder: Misbehaving) -> None:
    (spouse,) = items(
        await dbpedia(service, finder).triples([resource("Charlie_Chaplin")], [(ontology("spouse"), "out")], 5)
    )
    assert (spouse.object.id, spouse.object.label) == (RESOURCE + "Oona_ONeill", "Oona O'Neill")
    assert [each.id for each in items(await dbpedia(service, finder).entities([RESOURCE + "Oona_Chaplin"]))] == [
        RESOURCE + "Oona_ONeill"
    ]


async def test_what_has_no_label_is_called_by_its_iri(service: str, finder: Misbehaving) -> None:
    films = items(
        await dbpedia(service, finder).triples([resource("Charlie_Chaplin")], [(ontology("director"), "in")], 5)
    )
    assert {each.subject.label for each in films} == {"The Kid", "Modern Times"}
    places = triples_around(await dbpedia(service, finder).neighbourhood(resource("Charlie_Chaplin"), "out", 5))
    born = [each.object for each in places if each.relation.label == "birth place"]
    assert {each.label for each in born if isinstance(each, Entity)} == {"London", "Walworth"}


async def test_names_are_in_the_claims_language_where_there_are_any(service: str, finder: Misbehaving) -> None:
    french = dbpedia(service, finder).in_language("fr")
    places = items(await french.triples([resource("Charlie_Chaplin")], [(ontology("birthPlace"), "out")], 5))
    assert {each.subject.label for each in places} == {"Charlot"}
    assert {each.relation.label for each in places} == {"lieu de naissance"}
    assert {each.object.label for each in places} == {"London", "Walworth"}


@pytest.mark.parametrize(
    "hit",
    [
        {"resource": ["http://dbpedia.org/resource/London"]},  # nothing but the id
        {
            "resource": [{"value": "http://dbpedia.org/resource/London"}],
            "label": [{"value": "London", "highlight": "x"}],
        },
        {"resource": "http://dbpedia.org/resource/London", "label": "London", "refCount": 7},
        {"resource": ["http://dbpedia.org/resource/London"], "label": None, "refCount": [], "comment": 5},
    ],
)
async def test_any_field_may_be_missing_or_of_another_kind(
    service: str, finder: Misbehaving, hit: dict[str, Any]
) -> None:
    finder.on("/api/search", reply(json.dumps({"docs": [None, [], hit]})))
    (found,) = items(await dbpedia(service, finder).candidates("London"))
    assert (found.entity.id, found.entity.label) == (RESOURCE + "London", "London")


@pytest.mark.parametrize(
    ("behaviour", "reason"),
    [
        (reply("{}"), "no list of hits"),
        (reply("null"), "no list of hits"),
        (reply('{"docs": null}'), "no list of hits"),
        (reply('{"docs": [{"label": ["London"]}]}'), "hits without resources"),
        (reply('{"docs": [{"resource"'), "cut off"),
        (reply("<result/>", "application/xml"), "application/xml"),
        (refuse(503), "503"),
    ],
)
async def test_what_goes_wrong_is_a_failure_with_its_reason(
    service: str, finder: Misbehaving, behaviour: Any, reason: str
) -> None:
    finder.on("/api/search", behaviour)
    outcome = await dbpedia(service, finder).candidates("London")
    assert isinstance(outcome, Failed)
    assert reason in outcome.reason


@pytest.mark.parametrize("text", HOSTILE)
async def test_hostile_names_are_data(service: str, finder: Misbehaving, text: str) -> None:
    finder.on("/api/search", reply(json.dumps({"docs": [document("London", text), document("x> } #", text)]})))
    (found,) = items(await dbpedia(service, finder).candidates(text))
    assert found.entity.label == " ".join(text.split())
    assert found.entity.id == RESOURCE + "London"


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=9)
    | st.sampled_from([RESOURCE + "London", "London", "<B>London</B>", "9" * 40]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["docs", "resource", "label", "redirectlabel", "refCount", "comment", "typeName", "value"]),
            inner,
            max_size=6,
        )
    ),
    max_leaves=25,
)


@given(JSON | st.builds(lambda hits: {"docs": hits}, st.lists(JSON, max_size=4)))
@settings(max_examples=150, deadline=None)
def test_whatever_the_service_answers_nothing_raises(answer: Any) -> None:
    client = ScriptedHttp(
        lambda request: json.dumps(answer).encode() if request.kind == "search" else Unanswered("no connection")
    )
    outcome = asyncio.run(open_dbpedia(client).candidates("London"))
    assert isinstance(outcome, (Found, Nothing, Failed))
    for each in outcome.items if isinstance(outcome, Found) else ():
        each.model_dump_json()
