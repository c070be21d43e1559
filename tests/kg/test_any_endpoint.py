"""An address alone: the endpoint itself says which vocabulary it speaks."""

from pathlib import Path

import pytest

import lookup_service
from loopback_http import LoopbackHttp, ScriptedHttp
from oxigraph_server import oxigraph_server
from small_graphs import WORLD, entity, ids, items, n_triples, relation, triples_around
from wkgfc.errors import NotConfigured
from wkgfc.evidence import Entity
from wkgfc.http import Request, Unanswered
from wkgfc.kg.any_endpoint import AnyEndpoint
from wkgfc.kg.graph import KnowledgeGraph
from wkgfc.reasoning.reasoner import Ranking
from wkgfc.state import Failed, Nothing


async def test_wikidatas_vocabulary(tmp_path: Path) -> None:
    (tmp_path / "world.nt").write_text(n_triples(WORLD), encoding="utf-8")
    with oxigraph_server(tmp_path, tmp_path / "world.nt") as url:
        graph: KnowledgeGraph = AnyEndpoint(LoopbackHttp(), url)
        (chaplin,) = items(await graph.candidates("Charlie Chaplin"))
        assert chaplin.entity.id == "Q10"
        assert "P569" in {each.relation.id for each in items(await graph.relations([chaplin.entity]))}
        ranking = Ranking(relation=relation("P1082"), instance_of=entity("Q515"))
        assert len(items(await graph.ranking(ranking, 5))) == 3
        assert graph.version.startswith("127.0.0.1:")


async def test_direct_links_alone(tmp_path: Path) -> None:
    (tmp_path / "truthy.nt").write_text(n_triples('wd:Q1 rdfs:label "Earth"@en\nwd:Q1 wdt:P31 wd:Q2'))
    with oxigraph_server(tmp_path, tmp_path / "truthy.nt") as url:
        graph = AnyEndpoint(LoopbackHttp(), url)
        (planet,) = triples_around(await graph.neighbourhood(entity("Q1"), "out", 5))
        assert (planet.subject.label, planet.relation.id, planet.object) == ("Earth", "P31", entity("Q2"))
        assert ids(each.other for each in items(await graph.neighbours(["Q1"]))) == {"Q2"}


async def test_plain_rdf(tmp_path: Path) -> None:
    (tmp_path / "plain.nt").write_text(lookup_service.n_triples(lookup_service.GRAPH), encoding="utf-8")
    with oxigraph_server(tmp_path, tmp_path / "plain.nt") as url:
        client = LoopbackHttp()
        graph = AnyEndpoint(client, url)
        london = Entity(id="http://dbpedia.org/resource/London", label="London")
        relations = items(await graph.relations([london]))
        assert "country" in {each.relation.label for each in relations}
        chosen = [(each.relation, each.direction) for each in relations if each.relation.label == "country"]
        assert [each.object.label for each in items(await graph.triples([london], chosen, 5))] == ["United Kingdom"]
        assert [each.label for each in items(await graph.entities([london.id]))] == ["London"]
        assert await graph.neighbours([london.id]) == Nothing()
        french = graph.in_language("fr")
        asked = len(client.sent)
        assert [each.entity.label for each in items(await french.candidates("Charlot"))] == ["Charlot"]
        assert not any("wikibase:directClaim" in (each.form or {})["query"] for each in client.sent[asked:])


async def test_a_vocabulary_that_cannot_be_asked_is_a_failure_and_asked_again() -> None:
    client = ScriptedHttp(lambda request: Unanswered("no connection"))
    graph = AnyEndpoint(client, "https://graph.example/sparql")
    ranking = Ranking(relation=relation("P1082"), instance_of=entity("Q515"))
    answers = [
        await graph.candidates("London"),
        await graph.entities(["Q1"]),
        await graph.relations([entity("Q1")]),
        await graph.triples([entity("Q1")], [(relation("P31"), "out")], 5),
        await graph.neighbourhood(entity("Q1"), "in", 5),
        await graph.ranking(ranking, 5),
        await graph.neighbours(["Q1"]),
    ]
    assert answers == [Failed("no connection")] * 7
    assert len(client.sent) == 7


def test_what_is_no_address_is_told_at_once() -> None:
    def answer(_: Request) -> Unanswered:
        return Unanswered("never asked")

    with pytest.raises(NotConfigured, match="https://"):
        AnyEndpoint(ScriptedHttp(answer), "graph.example")
