"""Two ways of asking gather the same: a frontier for its relations and some triples, or every entity for everything.

The graphs here have hubs of which only a part is looked at, links with and without statements, deprecated ones, and
relations that most of what is looked at does not have.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from lookup_service import n_triples as plain_triples
from loopback_http import LoopbackHttp
from oxigraph_server import oxigraph_server
from small_graphs import entity, items, n_triples, properties, statement, store_of
from wkgfc.evidence import Entity
from wkgfc.kg import queries, rdf_queries, statements
from wkgfc.kg.expansion import DIRECTIONS
from wkgfc.kg.graph import KnowledgeGraph, RelatedTriples, distinct
from wkgfc.kg.labels import SparqlNames
from wkgfc.kg.plain_rdf import open_plain_rdf
from wkgfc.kg.sparql import Endpoint
from wkgfc.kg.wikibase import Wikibase
from wkgfc.reasoning.reasoner import OfferedRelation

EX = "http://example.org/"
HUBS = 3


@dataclass(frozen=True)
class Small:
    """Limits so small that the graphs of these tests exceed all of them."""

    sample: int = 60
    counted: int = 200
    outgoing: int = 7

    def set(self, patch: pytest.MonkeyPatch) -> None:
        for module in (queries, rdf_queries):
            patch.setattr(module, "SAMPLE", self.sample)
            patch.setattr(module, "COUNTED", self.counted)
            patch.setattr(module, "OUTGOING", self.outgoing)
        patch.setattr(statements, "OUTGOING", self.outgoing)
        patch.setattr("wkgfc.kg.plain_rdf.OUTGOING", self.outgoing)


def wikibase_lines(seed: int, has_statements: bool) -> str:
    chooser = random.Random(seed)
    lines = [properties({f"P{n}": f"relation {n}" for n in range(1, 10)})]
    for number in range(500):
        hub = f"wd:Q{1 + chooser.randrange(HUBS)}"
        subject, way = f"Q{100 + chooser.randrange(90)}", f"P{1 + int(9 * chooser.random() ** 3)}"
        name = f"{subject}-{number}"
        if not has_statements or chooser.random() < 0.3:
            lines.append(f"wd:{subject} wdt:{way} {hub}")
            continue
        rank = chooser.choice(["Normal", "Normal", "Preferred", "Deprecated"])
        lines.append(
            statement(name, subject, way, hub, rank=rank, best=rank != "Deprecated" and chooser.random() < 0.7)
        )
        if chooser.random() < 0.3:
            lines.append(f's:{name} pq:P580 "{1900 + number % 90}-01-01T00:00:00Z"^^xsd:dateTime')
    for number in range(40):  # more values than are fetched of one relation
        if has_statements:
            lines.append(statement(f"Q1-{number}", "Q1", "P1", f"wd:Q{100 + number}", best=number % 3 > 0))
        else:
            lines.append(f"wd:Q1 wdt:P1 wd:Q{100 + number}")
    return "\n".join(dict.fromkeys("\n".join(lines).splitlines()))


async def assert_alike(graph: KnowledgeGraph, frontier: list[Entity], towards: list[Entity], limit: int) -> list[Any]:
    """Both ways of asking, compared in every offer, triple, count and in their order; the triples."""
    around: list[RelatedTriples] = [
        each
        for one in frontier
        for way in DIRECTIONS
        for each in items(await graph.neighbourhood(one, way, limit, towards))
    ]
    offers: dict[tuple[str, str], tuple[list[Entity], int]] = {}
    for each in around:
        if each.count:
            entities, count = offers.get((each.relation.id, each.direction), ([], 0))
            offers[each.relation.id, each.direction] = ([*entities, each.entity], count + each.count)
    offered: list[OfferedRelation] = items(await graph.relations(frontier))
    assert offers == {(each.relation.id, each.direction): ([*each.entities], each.count) for each in offered}
    chosen = [(each.relation, each.direction) for each in offered]
    triples = items(await graph.triples(frontier, chosen, limit, towards))
    places = [(entity.id, relation.id, way) for entity in frontier for relation, way in chosen]
    of_place = {(each.entity.id, each.relation.id, each.direction): each.triples for each in around}
    assert distinct(triple for place in places for triple in of_place.get(place, ())) == triples
    return triples


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("has_statements", [True, False])
async def test_in_a_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int, has_statements: bool) -> None:
    graph = store_of(tmp_path, wikibase_lines(seed, has_statements))
    hubs = [entity(f"Q{n}") for n in range(1, 1 + HUBS)]
    towards = [entity(f"Q{n}") for n in (1, 105, 111, 140)]
    for limits in (None, Small(), Small(sample=20), Small(sample=20, counted=40, outgoing=100)):
        if limits is not None:
            limits.set(monkeypatch)
        for limit in (1, 4, 20):
            triples = await assert_alike(graph, hubs, towards, limit)
            assert len(triples) > 3
            await assert_alike(graph, [entity("Q105"), *hubs[:1]], [], limit)
    graph.close()


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("hubs")
    (folder / "hubs.nt").write_text(n_triples(wikibase_lines(7, True)), encoding="utf-8")
    with oxigraph_server(folder, folder / "hubs.nt") as url:
        yield url


@pytest.mark.parametrize("limits", [Small(), Small(sample=20)])
async def test_behind_an_endpoint(service: str, monkeypatch: pytest.MonkeyPatch, limits: Small) -> None:
    limits.set(monkeypatch)
    endpoint = Endpoint(LoopbackHttp(), service)
    graph = Wikibase(endpoint, SparqlNames(endpoint))
    hubs = [entity(f"Q{n}") for n in range(1, 1 + HUBS)]
    for limit in (1, 5):
        assert await assert_alike(graph, hubs, [entity("Q111"), entity("Q140")], limit)


async def test_no_qualifier_is_lost_of_a_hub_that_is_looked_at_in_part(
    service: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A link of which the statement was not looked at could be told without the time that it holds for."""
    endpoint = Endpoint(LoopbackHttp(), service)
    graph = Wikibase(endpoint, SparqlNames(endpoint))
    frontier = [entity("Q1")]
    chosen = [(each.relation, each.direction) for each in items(await graph.relations(frontier))]
    whole = {each.key for each in items(await graph.triples(frontier, chosen, 500))}
    for sample in (10, 25, 60):
        Small(sample=sample, outgoing=100).set(monkeypatch)
        part = {each.key for each in items(await graph.triples(frontier, chosen, 20, [entity("Q111")]))}
        assert part <= whole


def plain_lines(seed: int) -> str:
    chooser = random.Random(seed)
    lines = {f"ex:N{n} ex:relation{int(9 * chooser.random() ** 3)} ex:H{chooser.randrange(HUBS)}" for n in range(500)}
    lines |= {f"ex:H0 ex:relation0 ex:N{n}" for n in range(40)}
    return "\n".join(sorted(lines))


async def test_in_plain_rdf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "plain.nt").write_text(plain_triples(plain_lines(3)), encoding="utf-8")
    with oxigraph_server(tmp_path, tmp_path / "plain.nt") as url:
        graph = open_plain_rdf(LoopbackHttp(), url)
        hubs = [Entity(id=f"{EX}H{n}", label="hub") for n in range(HUBS)]
        towards = [Entity(id=f"{EX}N{n}", label="end") for n in (3, 77, 340)]
        for limits in (None, Small(), Small(sample=20)):
            if limits is not None:
                limits.set(monkeypatch)
            for limit in (1, 5, 20):
                assert await assert_alike(graph, hubs, [*towards, hubs[0]], limit)
