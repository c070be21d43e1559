"""One cheap question to each live source: what it answers, and what is missing."""

import sys
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from chat_server import CHAT, completion
from live_services import GRAPH, SEARCH, Services, live_services
from misbehaving import refuse
from oxigraph_server import oxigraph_server
from wkgfc.cli.main import run
from wkgfc.config import Settings, load_settings
from wkgfc.http.client import LiveHttp
from wkgfc.liveness import probe_all


@pytest.fixture(scope="module")
def query_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("probe")
    (folder / "graph.nt").write_text(GRAPH, encoding="utf-8")
    with oxigraph_server(folder, folder / "graph.nt") as url:
        yield url


@pytest.fixture
async def services(query_service: str) -> AsyncIterator[Services]:
    async with live_services(query_service) as services:
        yield services


async def probed(services: Services, settings: Settings) -> dict[str, tuple[bool, str]]:
    return {each.source: (each.works, each.text) for each in await probe_all(settings, http=services.http)}


async def test_every_source_is_asked_once(services: Services) -> None:
    answers = await probed(services, services.settings(web="searxng+embedded"))
    assert {name: works for name, (works, _) in answers.items()} == {
        "wikidata": True,
        "wikidata names": True,
        "searxng": True,
    }
    assert "answers queries" in answers["wikidata"][1]
    assert services.server.asked(SEARCH) == 1
    assert services.server.asked("/ada") == 0, "no page is read"


async def test_what_fails_or_is_missing_is_told_for_each(services: Services) -> None:
    services.server.on(SEARCH, refuse(403))
    answers = await probed(services, services.settings(contact="nobody", web="searxng+serper"))
    assert "WKGFC_CONTACT" in answers["wikidata"][1]
    assert "search.formats" in answers["searxng"][1]
    assert answers["serper"] == (False, "set SERPER_API_KEY, or choose --web embedded")
    assert not any(works for works, _ in answers.values())


async def test_any_endpoint_is_asked_for_one_row(services: Services) -> None:
    settings = services.settings(kg=services.query_service, web="none")
    assert list((await probed(services, settings)).values()) == [
        (True, f"{services.query_service.split('/')[2]} answers queries")
    ]


async def test_where_nothing_is_live_nobody_is_asked(services: Services) -> None:
    assert await probe_all(load_settings(), http=services.http) == []


def test_the_doctor_names_what_is_missing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def call(*arguments: Any) -> tuple[int, str]:
        monkeypatch.setattr(sys, "argv", ["wkgfc", "doctor", *arguments])
        with pytest.raises(SystemExit) as exit_:
            run()
        return int(exit_.value.code or 0), " ".join(capsys.readouterr().out.split())

    status, said = call("--live", "--kg", "wikidata", "--web", "brave")
    assert status == 1
    assert "fail wikidata: Wikidata needs a contact" in said
    assert "fail brave: set BRAVE_API_KEY" in said
    assert "ok knowledge graph: wikidata, live" in said
    status, said = call("--kg", "none", "--web", "none", "--live")
    assert (status, "none is chosen" in said) == (0, True)


async def test_every_language_model_is_asked_one_word(services: Services, http: LiveHttp) -> None:
    server = services.server
    server.on(CHAT, completion("yes"), refuse(401, body='{"error": {"message": "Incorrect API key provided"}}'))
    settings = load_settings(
        kg="none", web="none", reasoner="openai-compatible:tiny, judge=openai:gpt-4o", llm_url=server.url("/v1")
    )
    answers = await probe_all(settings, http=http)
    assert [(each.source, each.works, each.text) for each in answers] == [
        ("openai-compatible:tiny", True, "answers (12 tokens read, 3 written)"),
        (
            "openai:gpt-4o",
            False,
            "--reasoner openai:gpt-4o needs OPENAI_API_KEY: set it, or choose --reasoner embedded",
        ),
    ]
    (refused, _) = await probe_all(settings, http=http)
    assert "Incorrect API key provided" in refused.text
    assert not refused.works
