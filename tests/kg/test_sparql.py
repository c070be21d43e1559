"""The client for any endpoint: what it reads, what it refuses; that a failure is never taken for an empty answer."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyoxigraph import BlankNode, Literal, NamedNode, QueryResultsFormat, QuerySolutions, Store

from loopback_http import AT, LoopbackHttp, ScriptedHttp
from oxigraph_server import free_port, oxigraph_server
from small_graphs import n_triples
from wkgfc.errors import NotConfigured
from wkgfc.http import Answer, Unanswered
from wkgfc.http.cache import Cache, CachingHttp
from wkgfc.kg.answers import Unreadable
from wkgfc.kg.sparql import Endpoint, read_results
from wkgfc.kg.values import Term
from wkgfc.kg.vocabulary import RDF, XSD
from wkgfc.state import Failed

GRAPH = """
wd:Q1 rdfs:label "Universe"@en
wd:Q1 rdfs:label "Universum"@de
wd:Q1 p:P1 "+3.5"^^xsd:decimal
wd:Q1 p:P2 _:somewhere
wd:Q1 p:P3 wd:Q2
wd:Q1 p:P4 "quoted \\"text\\"\\n in two lines"
"""
ALL = "SELECT ?s ?p ?o WHERE { ?s ?p ?o }"
ROW = {"s": {"type": "uri", "value": "http://a/"}, "n": {"type": "literal", "value": "5"}}


def table(*bindings: Any, columns: tuple[str, ...] = ("s", "n")) -> dict[str, Any]:
    return {"head": {"vars": list(columns)}, "results": {"bindings": list(bindings)}}


def read(document: Any) -> list[tuple[Term | None, ...]]:
    return read_results(json.dumps(document).encode(), ("s", "n"), {"n"})


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("server")
    (folder / "graph.nt").write_text(n_triples(GRAPH), encoding="utf-8")
    with oxigraph_server(folder, folder / "graph.nt") as url:
        yield url


async def test_a_real_endpoint_answers_with_typed_terms(server: str) -> None:
    endpoint = Endpoint(LoopbackHttp(), server)
    rows = await endpoint.select(ALL, ("p", "o"))
    assert not isinstance(rows, Failed)
    named = {(p.value.rpartition("/")[2], o) for p, o in rows if p and o}
    assert ("P3", Term("http://www.wikidata.org/entity/Q2")) in named
    assert ("P2", Term("")) in named  # a blank node: Wikidata's "unknown value" in a dump of its own
    assert ("P1", Term("3.5", XSD + "decimal")) in named
    assert ("P4", Term('quoted "text"\n in two lines', XSD + "string")) in named
    assert ("rdf-schema#label", Term("Universum", RDF + "langString", "de")) in named
    assert endpoint.answered_on is not None


async def test_an_empty_answer_is_an_empty_table(server: str) -> None:
    assert await Endpoint(LoopbackHttp(), server).select("SELECT ?s { ?s ?s ?s }", ("s",)) == []


async def test_a_column_that_is_unbound_is_none(server: str) -> None:
    query = "SELECT ?s ?n { { SELECT DISTINCT ?s { ?s ?p ?o } } OPTIONAL { ?s ?s ?n } }"
    (row,) = await Endpoint(LoopbackHttp(), server).select(query, ("s", "n"))  # type: ignore[misc]
    assert row == (Term("http://www.wikidata.org/entity/Q1"), None)


async def test_a_query_that_is_refused_is_a_failure(server: str) -> None:
    answer = await Endpoint(LoopbackHttp(), server).select("SELECT", ("s",))
    assert isinstance(answer, Failed)
    assert "answered 400" in answer.reason


async def test_no_server_is_a_failure() -> None:
    port = free_port()
    answer = await Endpoint(LoopbackHttp(), f"http://127.0.0.1:{port}/query").select(ALL, ("s",))
    assert answer == Failed(f"127.0.0.1:{port} refused the connection")


@pytest.mark.parametrize("url", ["", "ftp://example.org/", "example.org/sparql", "http://", "http://[", "http://h:x/"])
def test_what_is_no_address_is_told_at_once(url: str) -> None:
    with pytest.raises(NotConfigured, match="https://"):
        Endpoint(LoopbackHttp(), url)


async def test_the_query_travels_in_the_body_and_its_own_headers_with_it() -> None:
    client = ScriptedHttp(lambda _: json.dumps(table(ROW)).encode())
    await Endpoint(client, "https://user:word@example.org/sparql", headers={"User-Agent": "me"}).select(ALL, ("s",))
    (request,) = client.sent
    assert (request.method, request.form, request.params) == ("POST", {"query": ALL}, {})
    assert request.headers == {"Accept": "application/sparql-results+json", "User-Agent": "me"}
    assert request.idempotent


# What WDQS sends when its 60 seconds are over: a status of 200, the beginning of a table, and a trace of the stack.
CUT = (
    json.dumps(table(ROW, ROW))[:-40] + "\nSPARQL-QUERY: queryStr=SELECT\njava.util.concurrent.TimeoutException\n\tat …"
)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (CUT, "ran out of time"),
        (CUT.partition("\n")[0], "cut off"),
        ('{"head": {"vars": ["s"', "cut off"),
        ("", "an empty answer"),
        ("<html><title>Blocked</title></html>", "something else than JSON"),
        ("null", "no table"),
        ('{"head": {}, "boolean": true}', "no table"),
        (json.dumps(table(columns=("x",))), "another question"),
        (json.dumps(table(["http://a/"])), "a row that is none"),
        (json.dumps(table({"s": "http://a/"})), "a term that is none"),
        (json.dumps(table({"s": {"type": "uri"}})), "without a value"),
        (json.dumps(table({"s": {"type": "uri", "value": 5}})), "without a value"),
        (json.dumps(table({"s": {"type": "triple", "value": "x"}})), "unknown kind"),
        (json.dumps(table({"s": {"type": "literal", "value": "x", "xml:lang": 5}})), "language"),
        (json.dumps(table({"s": {"type": "literal", "value": "x", "datatype": []}})), "datatype"),
        (json.dumps(table({"n": {"type": "literal", "value": "many"}})), "a number belongs"),
        (json.dumps(table({"n": {"type": "literal", "value": "9" * 5_000}})), "a number belongs"),
        (json.dumps(table({"s": {"type": "literal", "value": "x" * 200_000}})), "endless"),
        ("[" * 100_000, "cut off or malformed"),
        ('{"head": NaN}', "cut off or malformed"),
        ("\xff\xfe", "something else than JSON"),
    ],
)
async def test_what_cannot_be_the_answer_is_a_failure_with_its_reason(body: str, reason: str) -> None:
    client = ScriptedHttp(lambda _: body.encode("latin-1", "replace"))
    answer = await Endpoint(client, "https://query.example.org/sparql").select(ALL, ("s", "n"), {"n"})
    assert isinstance(answer, Failed)
    assert "query.example.org" in answer.reason
    assert reason in answer.reason
    assert "\n" not in answer.reason


async def test_a_client_that_does_not_look_for_faults_changes_nothing() -> None:
    class Careless(ScriptedHttp):
        async def send(self, request: Any) -> Answer | Unanswered:
            return Answer("", 200, {}, CUT.encode(), AT)

    answer = await Endpoint(Careless(lambda _: b""), "https://query.example.org/sparql").select(ALL, ("s",))
    assert answer == Failed("query.example.org sent the beginning of an answer only: it ran out of time")


@pytest.mark.parametrize(
    ("status", "headers"),
    [(206, {}), (200, {"x-sql-state": "S1TAT"}), (200, {"x-sparql-maxrows": "2"}), (200, {"x-sparql-maxrows": "1"})],
)
async def test_a_part_of_the_rows_is_a_failure(status: int, headers: dict[str, str]) -> None:
    body = json.dumps(table(ROW, ROW)).encode()
    client = ScriptedHttp(lambda request: Answer(request.url, status, headers, body, AT))
    answer = await Endpoint(client, "https://dbpedia.example.org/sparql").select(ALL, ("s", "n"))
    assert isinstance(answer, Failed)
    assert "a part of the rows" in answer.reason


async def test_a_part_of_the_rows_is_not_kept(tmp_path: Path) -> None:
    body = json.dumps(table(ROW, ROW)).encode()
    turns = iter([{"x-sql-state": "S1TAT"}, {}])
    client = ScriptedHttp(lambda request: Answer(request.url, 200, next(turns), body, AT))
    endpoint = Endpoint(CachingHttp(client, Cache(tmp_path / "answers.sqlite")), "https://dbpedia.example.org/sparql")
    outcomes = [await endpoint.select(ALL, ("s", "n")) for _ in range(3)]
    assert [type(each) for each in outcomes] == [Failed, list, list]
    assert len(client.sent) == 2


@pytest.mark.parametrize("limit", ["3", "10000", "none"])
async def test_a_limit_that_was_not_reached_is_none(limit: str) -> None:
    body = json.dumps(table(ROW, ROW)).encode()
    client = ScriptedHttp(lambda request: Answer(request.url, 200, {"x-sparql-maxrows": limit}, body, AT))
    assert len(await Endpoint(client, "https://dbpedia.example.org/sparql").select(ALL, ("s", "n"))) == 2  # type: ignore[arg-type]


async def test_a_server_error_that_is_a_time_out_says_so() -> None:
    text = b"SPARQL-QUERY: queryStr=...\njava.util.concurrent.TimeoutException"
    client = ScriptedHttp(lambda _: Unanswered("status 500", 500, text))
    answer = await Endpoint(client, "https://query.example.org/sparql").select(ALL, ("s",))
    assert answer == Failed("query.example.org ran out of time (status 500)")


def test_the_name_of_a_time_out_in_a_label_is_a_label() -> None:
    label = {"type": "literal", "value": "java.util.concurrent.TimeoutException", "xml:lang": "en"}
    assert read(table({"s": label})) == [(Term(label["value"], RDF + "langString", "en"), None)]


def test_halves_of_characters_are_replaced() -> None:
    assert read(table({"s": {"type": "literal", "value": "a\ud800b"}})) == [(Term("a?b", XSD + "string"), None)]


TERMS = st.one_of(
    st.builds(NamedNode, st.from_regex(r"http://a/[a-z]{0,8}", fullmatch=True)),
    st.builds(BlankNode),
    st.text().map(Literal),
    st.builds(Literal, st.text(), language=st.sampled_from(["en", "de-AT", "zh-Hant"])),
    st.builds(Literal, st.integers()),
    st.builds(Literal, st.text(max_size=9), datatype=st.just(NamedNode(XSD + "dateTime"))),
)


@given(st.lists(TERMS, max_size=6))
@settings(max_examples=100, deadline=None)
def test_it_reads_what_a_reference_writes(terms: list[Any]) -> None:
    """pyoxigraph writes the answer, and says itself what is in it."""
    literals = [term for term in terms if isinstance(term, Literal)]
    values = " ".join(f"({term})" for term in literals)
    query = f"SELECT ?x WHERE {{ VALUES (?x) {{ {values} }} }}"
    solutions, again = Store().query(query), Store().query(query)
    assert isinstance(solutions, QuerySolutions)
    assert isinstance(again, QuerySolutions)
    written = solutions.serialize(format=QueryResultsFormat.JSON)
    assert written is not None
    expected = [Term(node.value, node.datatype.value, node.language) for (node,) in again]
    assert [row[0] for row in read_results(written, ("x",))] == expected


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=12),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["head", "vars", "results", "bindings", "s", "n", "type", "value", "xml:lang", "datatype"])
            | st.text(max_size=4),
            inner,
            max_size=5,
        )
    ),
    max_leaves=25,
)
TABLES = st.builds(lambda rows: table(*rows), st.lists(JSON, max_size=3))


@given(st.binary() | JSON.map(lambda value: json.dumps(value).encode()) | TABLES.map(lambda v: json.dumps(v).encode()))
@settings(max_examples=500, deadline=None)
def test_any_bytes_are_rows_or_a_failure(body: bytes) -> None:
    answer = asyncio.run(Endpoint(ScriptedHttp(lambda _: body), "https://a.example/").select(ALL, ("s", "n"), {"n"}))
    assert isinstance(answer, (list, Failed))
    try:
        assert read_results(body, ("s", "n"), {"n"}) == answer
    except Unreadable:
        assert isinstance(answer, Failed)
