"""Whole checks over live sources: a graph by SPARQL, a search engine, pages; and what is said where they fail."""

import datetime as dt
import json
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from pydantic import SecretStr

from live_services import (
    API,
    CLAIM_OF_THE_GRAPH,
    CLAIM_OF_THE_WEB,
    GRAPH,
    OTHER,
    PAGE,
    QUERY,
    SEARCH,
    SENTENCE,
    Services,
    finds,
    live_services,
    page,
)
from misbehaving import HTML, cut, refuse, reply, silence
from oxigraph_server import oxigraph_server
from test_result import SCHEMA
from wkgfc.checker import FactChecker
from wkgfc.claim import Veracity, read_claim
from wkgfc.cli.main import run as run_command
from wkgfc.config import load_settings
from wkgfc.errors import BadInput, NotConfigured
from wkgfc.http import Request, Unanswered
from wkgfc.http.cassette import Recorder
from wkgfc.network import Network
from wkgfc.recording import note_check, note_result, read_run
from wkgfc.result import CheckResult
from wkgfc.sources import with_pages
from wkgfc.web.combined import Combined
from wkgfc.web.kept_pages import KeptPages
from wkgfc.web.providers.brave import Brave
from wkgfc.web.providers.searxng import SearXNG

RESULTS = "application/sparql-results+json"
TIMED_OUT = '{"head": {"vars": ["row"]}, "results": {"bindings": [ {"row": java.util.concurrent.TimeoutException'


@pytest.fixture(scope="module")
def query_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("live")
    (folder / "graph.nt").write_text(GRAPH, encoding="utf-8")
    with oxigraph_server(folder, folder / "graph.nt") as url:
        yield url


@pytest.fixture
async def services(query_service: str) -> AsyncIterator[Services]:
    async with live_services(query_service) as services:
        yield services


def apart_from_times(result: dict[str, Any]) -> dict[str, Any]:
    steps = [{**step, "started_at": None, "seconds": None} for step in result["trajectory"]["steps"]]
    return {**result, "checked_at": None, "seconds": None, "trajectory": {"steps": steps}}


def call(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["wkgfc", *arguments])
    with pytest.raises(SystemExit) as exit_:
        run_command()
    return int(exit_.value.code or 0)


async def test_what_the_graph_settles_costs_no_search(services: Services) -> None:
    result = await services.checker().check_async(CLAIM_OF_THE_GRAPH)
    assert result.veracity is Veracity.SUPPORTED
    assert services.server.asked(SEARCH) == 0
    assert result.errors == ()
    (cited,) = [each for each in result.evidence if each.used]
    assert (cited.source, cited.url) == ("wikidata", "https://www.wikidata.org/wiki/Q1")
    assert {"wikidata", "searxng"} <= {source.name for source in result.sources}


async def test_what_it_does_not_is_read_from_the_pages_that_a_search_finds(services: Services, tmp_path: Path) -> None:
    settings = services.settings(keep_pages=tmp_path / "kept")
    result = await services.checker(settings).check_async(CLAIM_OF_THE_WEB)
    assert result.veracity is Veracity.SUPPORTED, result
    (cited,) = [each for each in result.evidence if each.used and each.kind == "passage"]
    assert (cited.quote, cited.url) == (SENTENCE, services.server.url(PAGE))
    assert result.usage.pages >= 2
    assert services.server.asked("/robots.txt") == 1
    kept = KeptPages(tmp_path / "kept")
    assert SENTENCE in (kept.text(next(row.content_hash for row in kept if row.url == cited.url)) or "")
    jsonschema.validate(result.to_json(trace=True), SCHEMA)


async def test_a_service_that_ran_out_of_time_and_a_search_that_fails_are_told(services: Services) -> None:
    services.server.on(QUERY, reply(TIMED_OUT, RESULTS))
    services.server.on(SEARCH, refuse(500))
    settings = services.settings(wikidata_endpoint=services.server.url(QUERY))
    result = await services.checker(settings).check_async(CLAIM_OF_THE_GRAPH)
    assert result.veracity is Veracity.NOT_ENOUGH_EVIDENCE
    assert result.stop_reason == "verdict"
    assert any("ran out of time" in error for error in result.errors)
    assert any("answered 500" in error for error in result.errors)
    assert result.evidence == ()
    assert {citation[0] for sentence in result.justification for citation in sentence.citations} == {"S"}


async def test_an_engine_that_fails_beside_another_is_told(services: Services) -> None:
    services.server.on("/brave", refuse(403))
    settings, key = services.settings(), SecretStr("geheim-geheim")
    engine = Combined(
        [Brave(services.http, key, url=services.server.url("/brave")), SearXNG(services.http, services.server.url())]
    )
    checker = services.checker(settings, web=with_pages(engine, settings, services.http))
    result = await checker.check_async(CLAIM_OF_THE_WEB)
    assert result.veracity is Veracity.SUPPORTED
    (error,) = [each for each in result.errors if "brave" in each]
    assert "403" in error
    assert "geheim" not in error


async def test_a_page_that_breaks_off_is_told_and_no_evidence_is_made_of_it(services: Services) -> None:
    services.server.on(PAGE, cut(page("Ada Verne", SENTENCE).encode(), HTML))
    result = await services.checker().check_async(CLAIM_OF_THE_WEB)
    assert result.veracity is Veracity.NOT_ENOUGH_EVIDENCE
    assert any(services.server.url(PAGE) in error and "cut off" in error for error in result.errors)
    assert all(SENTENCE not in each.text for each in result.evidence)


async def test_the_check_ends_in_its_time_though_nobody_answers(services: Services) -> None:
    services.server.on(API, silence())
    services.server.on(SEARCH, silence())
    result = await services.checker(services.settings(timeout_s=1.0)).check_async(CLAIM_OF_THE_GRAPH)
    assert (result.veracity, result.stop_reason) == (Veracity.NOT_ENOUGH_EVIDENCE, "time_limit")
    assert "time for the check was over" in result.errors[0]


async def test_names_come_in_the_language_of_the_claim(services: Services) -> None:
    environment = services.checker().open()
    entities = await environment.speaking("de").graph.entities(["Q1", "Q2"])
    assert [each.label for each in getattr(entities, "items", ())] == ["Ada von Verne", "Lyon"]


async def test_a_claim_of_a_day_sees_nothing_later(services: Services) -> None:
    later, dated, other = (
        services.server.url("/2021/05/03/dye"),
        services.server.url("/dated"),
        services.server.url(OTHER),
    )
    services.server.on(SEARCH, finds({later: SENTENCE, dated: "A dye.", other: "A city."}))
    stamp = '<meta property="article:published_time" content="2022-01-01T08:00:00Z"></head>'
    services.server.on("/dated", reply(page("Ada Verne", SENTENCE).replace("</head>", stamp), HTML))
    claim = read_claim(CLAIM_OF_THE_WEB, date=dt.date(2020, 1, 1))
    result = await services.checker().check_async(claim)
    assert result.veracity is Veracity.NOT_ENOUGH_EVIDENCE
    assert all(SENTENCE not in each.text for each in result.evidence)
    assert services.server.asked("/2021/05/03/dye") == 0, "what the address dates is not even fetched"
    assert any(f"{dated}: published later" in error for error in result.errors)


async def test_a_benchmark_sees_no_verdict_of_others(services: Services) -> None:
    snippets = {
        "https://www.snopes.com/fact-check/red-dye/": f"{CLAIM_OF_THE_WEB} True.",
        "https://paper.example/says": f"Fact check: {CLAIM_OF_THE_WEB} We rate this claim true.",
        services.server.url(PAGE): "Ada Verne was a chemist.",
    }
    services.server.on(SEARCH, finds(snippets))
    settings = services.settings(max_pages=0, benchmark=True)
    result = await services.checker(settings).check_async(CLAIM_OF_THE_WEB)
    assert "benchmark" in result.flags
    assert any(flag.startswith("held_back:") and flag.endswith("with a verdict") for flag in result.flags)
    assert {each.url for each in result.evidence if each.kind == "passage"} <= {services.server.url(PAGE)}


async def test_a_recorded_run_is_the_same_run_with_everything_switched_off(
    query_service: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "run.jsonl.gz"
    claim = read_claim(CLAIM_OF_THE_WEB)
    async with live_services(query_service) as services:
        services.server.on(OTHER, refuse(404))
        settings = services.settings()
        recorder = Recorder(file)
        note_check(recorder, claim, settings)
        recorded = await services.checker(settings, recorder=recorder).check_async(claim)
        note_result(recorder, recorded)
        recorder.close()
    assert recorded.veracity is Veracity.SUPPORTED

    run = read_run(file)
    assert run.result == recorded
    monkeypatch.setenv("WKGFC_WIKIDATA_ENDPOINT", "http://127.0.0.1:9/nobody")  # the recording's are what count
    again = await FactChecker(run.settings(), http=run.http()).check_async(run.claim)
    assert apart_from_times(again.to_json(trace=True)) == apart_from_times(recorded.to_json(trace=True))

    assert call(monkeypatch, "replay", str(file)) == 0
    shown = capsys.readouterr().out
    for part in (CLAIM_OF_THE_WEB, "Supported", "trajectory", SEARCH, "404", "without an answer", "kg wikidata"):
        assert part in shown
    assert "desk@news.example" not in shown


@pytest.mark.parametrize(
    ("silent", "limits", "told"),
    [
        # What takes long on a busy machine is left out: the graph, and pages that are read.
        ((PAGE, OTHER), {"pages_timeout_s": 1.5}, "not read within the 1.5 s for all pages"),
        ((SEARCH,), {"timeout_s": 3.0, "kg": "none"}, "the time for the check was over"),
        ((API,), {"timeout_s": 2.0}, "the time for the check was over"),
    ],
)
async def test_a_run_that_gave_up_on_someone_gives_up_again(
    query_service: str, tmp_path: Path, silent: tuple[str, ...], limits: dict[str, Any], told: str
) -> None:
    file, claim = tmp_path / "run.jsonl.gz", read_claim(CLAIM_OF_THE_WEB)
    async with live_services(query_service) as services:
        for path in silent:
            services.server.on(path, silence())
        settings, recorder = services.settings(**limits), Recorder(file)
        note_check(recorder, claim, settings)
        recorded = await services.checker(settings, recorder=recorder).check_async(claim)
        note_result(recorder, recorded)
        recorder.close()
    assert any(told in error for error in recorded.errors), recorded.errors
    run = read_run(file)
    again = await FactChecker(run.settings(), http=run.http()).check_async(run.claim)
    assert apart_from_times(again.to_json(trace=True)) == apart_from_times(recorded.to_json(trace=True))


def test_the_command_replays_what_the_command_recorded(
    query_service: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(tmp_path / "run.jsonl.gz")
    monkeypatch.setenv("WKGFC_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("SERPER_API_KEY", "geheim-geheim")
    asked = ["check", "--json", "--trace", "--kg", query_service, "--web", "none", "--record", file]
    assert call(monkeypatch, *asked, CLAIM_OF_THE_GRAPH) == 0
    recorded = json.loads(capsys.readouterr().out)
    assert recorded["veracity"] == "Supported"
    assert call(monkeypatch, "check", "--json", "--trace", "--replay", file) == 0
    assert apart_from_times(json.loads(capsys.readouterr().out)) == apart_from_times(recorded)
    notes = read_run(Path(file)).cassette.notes
    assert notes["settings"]["kg"] == query_service
    assert "geheim" not in json.dumps(notes)
    for arguments in (["--replay", file, CLAIM_OF_THE_GRAPH], ["--replay", file, "--record", file + "2"]):
        assert call(monkeypatch, "check", *arguments) == 2
    assert not Path(file + "2").exists()


@pytest.mark.parametrize(
    ("kg", "web", "said"),
    [
        ("wikidata", "none", ["WKGFC_CONTACT"]),
        ("none", "serper", ["set SERPER_API_KEY"]),
        ("wikidata", "serper+google", ["WKGFC_CONTACT", "set SERPER_API_KEY and GOOGLE_API_KEY and GOOGLE_CX"]),
        ("none", "serper+embedded", ["set SERPER_API_KEY"]),
        ("none", "seper", ["no source of passages 'seper'", "serper"]),
        ("wikidatum", "none", ["no knowledge graph 'wikidatum'", "wikidata"]),
        ("ftp://x", "none", ["no kg store at ftp:/x"]),
    ],
)
def test_exactly_what_is_missing_is_named_and_nothing_is_left_behind(
    kg: str, web: str, said: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WKGFC_CACHE_DIR", str(tmp_path / "cache"))
    with pytest.raises(NotConfigured) as error:
        FactChecker(load_settings(kg=kg, web=web)).open()
    for part in said:
        assert part in str(error.value)
    names = {"SERPER_API_KEY", "GOOGLE_API_KEY", "GOOGLE_CX", "BRAVE_API_KEY", "WKGFC_CONTACT"}
    assert {name for name in names if name in str(error.value)} == {name for name in names if name in " ".join(said)}
    assert call(monkeypatch, "check", "--kg", kg, "--web", web, "--record", str(tmp_path / "run"), "Lyon is big.") == 1
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("parts", [{}, {"claim": None}, {"settings": []}, {"claim": {"text": ""}}, {"result": {}}])
def test_a_recording_of_something_else_is_refused(parts: dict[str, Any], tmp_path: Path) -> None:
    file = tmp_path / "run"
    recorder = Recorder(file)
    if parts:
        note_check(recorder, read_claim("Lyon is a city."), load_settings())
    for name, value in parts.items():
        recorder.note(name, value)
    recorder.close()
    with pytest.raises(BadInput, match=r"recording|damaged"):
        read_run(file)


async def test_the_connections_are_closed_with_the_last_check_or_the_block(services: Services) -> None:
    network = Network(services.settings(cache_bytes=0))
    closed: list[bool] = []

    async def note() -> None:
        closed.append(True)

    first, *_ = network._live
    first.aclose = note  # type: ignore[method-assign]
    async with network.connected():
        async with network.connected():
            pass
        assert not closed
    assert closed == [True]
    checker = services.checker()
    async with checker.connected():
        results = [await checker.check_async(CLAIM_OF_THE_GRAPH) for _ in range(2)]
    assert all(isinstance(result, CheckResult) and result.veracity is Veracity.SUPPORTED for result in results)


def test_a_recording_of_strangers_does_not_steer_the_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    escape = "\x1b[31mred\x1b]0;title\x07"
    file = tmp_path / "run"
    recorder = Recorder(file)
    note_check(recorder, read_claim("Lyon is a city."), load_settings(kg="none", web="none"))
    recorder.note("settings", {"kg": escape, "web": escape})
    result = CheckResult(
        claim=read_claim("Lyon is a city."),
        veracity=Veracity.NOT_ENOUGH_EVIDENCE,
        flags=(escape,),
        errors=(escape,),
        stop_reason="verdict",
        checked_at=dt.datetime(2030, 1, 1, tzinfo=dt.UTC),
    )
    note_result(recorder, result)
    recorder.exchange(Request("https://x.example/" + escape, kind="page"), Unanswered(escape))
    recorder.close()
    assert call(monkeypatch, "replay", str(file)) == 0
    shown = capsys.readouterr().out
    assert "red" in shown
    assert "\x1b" not in shown
    assert "\x07" not in shown
