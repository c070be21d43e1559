"""A claim in another language: names, searches and judgements are in it, from the first look-up to the verdict."""

import gzip
import json
import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from action_api import Item, action_api
from live_services import API, GRAPH, PAGE, SEARCH, Services, live_services, page
from misbehaving import HTML, reply
from obedient_model import obedient
from oxigraph_server import oxigraph_server
from scripted import ListGraph, ListWeb
from scripted_model import ScriptedModel
from wkgfc.checker import FactChecker
from wkgfc.claim import Veracity, read_claim
from wkgfc.claim_language import language_of
from wkgfc.config import load_settings

CLAIM = "Ada Verne est née à Lyon et elle a découvert un colorant rouge."
FRENCH = {
    "Q1": Item({"en": "Ada Verne", "fr": "Ada Verne"}, {"en": "French chemist", "fr": "chimiste française"}, {}, 20),
    "Q2": Item({"en": "Lyons", "fr": "Lyon"}, {"en": "city in France", "fr": "ville de France"}, {}, 200),
    "Q5": Item({"en": "human", "fr": "être humain"}),
}
QUERY = "Ada Verne colorant rouge découverte"


@pytest.fixture(scope="module")
def query_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("languages")
    names = '<http://www.wikidata.org/entity/P19> <http://www.w3.org/2000/01/rdf-schema#label> "lieu de naissance"@fr .'
    (folder / "graph.nt").write_text(f"{GRAPH}\n{names}\n", encoding="utf-8")
    with oxigraph_server(folder, folder / "graph.nt") as url:
        yield url


@pytest.fixture
async def services(query_service: str) -> AsyncIterator[Services]:
    async with live_services(query_service) as services:
        services.server.on(API, action_api(FRENCH))
        text = "Ada Verne était une chimiste. Elle découvrit un colorant rouge en 1871."
        services.server.on(PAGE, reply(page("Ada Verne", text), HTML))
        yield services


async def test_everything_is_asked_in_the_language_of_the_claim(services: Services) -> None:
    model = ScriptedModel(otherwise=obedient(action={"missing": "qui", "action": "webSearch", "query": QUERY}))
    result = await services.checker(reasoner=model.reasoner()).check_async(CLAIM)

    assert result.claim.language == "fr"
    assert result.veracity is Veracity.SUPPORTED
    names = [seen.params for seen in services.server.seen if seen.params.get("action") == "wbsearchentities"]
    assert {asked["language"] for asked in names} <= {"fr", "en"}
    assert ("Ada Verne", "fr") in {(asked["search"], asked["language"]) for asked in names}
    searches = [seen.params for seen in services.server.seen if seen.path == SEARCH]
    assert [(asked["q"], asked["language"]) for asked in searches] == [(QUERY, "fr")]

    assert all("language fr" in asked.prompt for asked in model.asked if asked.judgement != "extract")
    shown = "\n".join(asked.prompt for asked in model.asked)
    assert "chimiste française" in shown
    assert "lieu de naissance" in shown
    assert any("Lyon" in each.text for each in result.evidence if each.kind == "triple")
    assert any("colorant rouge" in each.text for each in result.evidence if each.kind == "passage")


async def test_whether_it_can_be_checked_is_the_models_to_say(services: Services) -> None:
    model = ScriptedModel(otherwise=obedient())
    result = await services.checker(reasoner=model.reasoner()).check_async("Le vert est la plus belle des couleurs.")
    assert model.asked[0].judgement == "screen"
    assert result.usage.llm_calls == len(model.asked)


def french_claims() -> list[str]:
    """The French half of LIAR-New, where WKGFC_TEST_LIAR_NEW names the file (JSONL, gzip): it may not be shipped."""
    file = os.environ.get("WKGFC_TEST_LIAR_NEW")
    if not file or not Path(file).exists():
        return []
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        return [french for line in lines if (french := json.loads(line).get("meta", {}).get("french"))]


@pytest.mark.skipif(not french_claims(), reason="WKGFC_TEST_LIAR_NEW names no file")
def test_claims_of_liar_new_in_french_go_the_whole_way() -> None:
    """Plumbing: each is read, linked by its names, searched for and judged, and none ends as an error."""
    claims = french_claims()
    assert sum(language_of(claim) == "fr" for claim in claims) > 0.95 * len(claims)
    for text in claims[::10]:
        model = ScriptedModel(otherwise=obedient(action={"missing": "tout", "action": "webSearch", "query": text[:60]}))
        checker = FactChecker(load_settings(hops=1), graph=ListGraph(), web=ListWeb(), reasoner=model.reasoner())
        result = checker.check(read_claim(text, language="fr"))
        assert (result.veracity, result.stop_reason) == (Veracity.NOT_ENOUGH_EVIDENCE, "verdict")
