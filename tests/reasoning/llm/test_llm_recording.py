"""A check by a language model over HTTP, recorded, is the same check again with the model gone."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from chat_server import CHAT, completion
from loopback_http import LoopbackHttp
from misbehaving import Behaviour, Misbehaving, Seen, cut, hang_up, refuse, reply
from obedient_model import obedient
from scripted_model import Asked
from small_graphs import properties, statement, store_of
from wkgfc.checker import FactChecker
from wkgfc.claim import Veracity, read_claim
from wkgfc.cli.main import run as run_command
from wkgfc.config import Settings, load_settings
from wkgfc.http.cassette import Recorder
from wkgfc.recording import note_check, note_result, read_run
from wkgfc.result import CheckResult
from wkgfc.web.corpus import build_corpus

CLAIM = "Ada Verne was born in Lyon."
KEY = "sk-live-4f9aQwErTy-4f9aQwErTy"
OF_THE_CLOCK = {"seconds", "started_at", "checked_at"}
NAMES = {"Q1": "Ada Verne", "Q2": "Lyon", "Q3": "France"}
PAGES = {
    "Ada Verne": "Ada Verne was born in Lyon. She discovered a red dye in 1871.",
    "Lyon": "Lyon is a city in France. Ada Verne was born in Lyon.",
}


def does(**as_told: Any) -> Behaviour:
    """A server whose model does as the prompts ask, and answers in JSON."""
    answer = obedient(**as_told)

    async def behave(seen: Seen, writer: asyncio.StreamWriter) -> bool:
        messages = json.loads(seen.body)["messages"]
        asked = Asked(messages[-1]["content"], messages[0]["content"], (), len(messages), {}, None)
        return await completion(json.dumps(answer(asked)))(seen, writer)

    return behave


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("recorded")
    lines = [f'wd:{identifier} rdfs:label "{label}"@en' for identifier, label in NAMES.items()]
    lines += [statement("born", "Q1", "P19", "wd:Q2"), statement("in", "Q2", "P17", "wd:Q3")]
    store_of(folder, "\n".join([*lines, properties({"P19": "place of birth", "P17": "country"})]))
    rows = [{"title": title, "text": text, "url": f"https://example.org/{title}"} for title, text in PAGES.items()]
    (folder / "archive.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    build_corpus(folder / "archive.jsonl", folder / "index")
    return {"kg": str(folder / "store"), "web": str(folder / "index")}


def settings_for(server: Misbehaving, stores: dict[str, str]) -> Settings:
    return load_settings(
        **stores, reasoner="openai-compatible:tiny", llm_url=server.url("/v1"), llm_api_key=KEY, second_opinion="none"
    )


async def recorded(path: Path, settings: Settings) -> CheckResult:
    recorder = Recorder(path)
    claim = read_claim(CLAIM)
    note_check(recorder, claim, settings)
    result = await FactChecker(settings, http=LoopbackHttp(), recorder=recorder).check_async(claim)
    note_result(recorder, result)
    recorder.close()
    return result


async def replayed(path: Path) -> CheckResult:
    run = read_run(path)
    return await FactChecker(run.settings(), http=run.http()).check_async(run.claim)


def without_times(value: Any) -> Any:
    """A result as JSON without what a clock has written into it."""
    if isinstance(value, CheckResult):
        return without_times(value.to_json(trace=True))
    if isinstance(value, dict):
        return {name: without_times(each) for name, each in value.items() if name not in OF_THE_CLOCK}
    return [without_times(each) for each in value] if isinstance(value, list) else value


SEARCH = does(action={"missing": "where she was born", "action": "webSearch", "query": "Ada Verne birthplace"})
FAULTS: dict[str, list[Behaviour]] = {
    "none": [],
    "too many requests": [refuse(429, {"Retry-After": "3"})],
    "a fault of the server, twice": [refuse(500), refuse(503)],
    "a cut answer": [cut(b'{"choices": [{"message": ')],
    "hung up": [hang_up()],
    "a text instead of JSON": [completion("I would start with the place of birth.")],
    "another JSON than was asked": [completion('{"verdict": "Supported"}')],
}


@pytest.mark.parametrize("fault", FAULTS)
async def test_the_trajectory_is_the_same(
    fault: str, server: Misbehaving, stores: dict[str, str], tmp_path: Path
) -> None:
    server.on(CHAT, *FAULTS[fault], SEARCH, *FAULTS[fault], SEARCH)
    first = await recorded(tmp_path / "run", settings_for(server, stores))
    asked = server.asked(CHAT)
    assert first.veracity is Veracity.SUPPORTED
    assert [step.action.name for step in first.trajectory.steps] == ["initKGRetrieval", "webSearch", "verdict"]  # type: ignore[union-attr]
    assert asked >= first.usage.llm_calls > 4
    again = await replayed(tmp_path / "run")
    assert without_times(again) == without_times(first)
    assert server.asked(CHAT) == asked, "a replay asks nobody"


@pytest.mark.parametrize(
    ("behaviour", "said"),
    [
        (refuse(401, body='{"error": {"message": "Incorrect API key provided"}}'), "Incorrect API key provided"),
        (refuse(503), "answered with status 503"),
        (cut(b"{"), "cut off"),
        (reply("<html>Welcome</html>", "text/html"), "no JSON"),
        (completion("I cannot help with that."), "gave no usable answer"),
        (completion(""), "gave no usable answer"),
    ],
)
async def test_a_failure_is_the_same_and_no_verdict(
    behaviour: Behaviour, said: str, server: Misbehaving, stores: dict[str, str], tmp_path: Path
) -> None:
    server.on(CHAT, behaviour)
    first = await recorded(tmp_path / "run", settings_for(server, stores))
    assert (first.stop_reason, first.veracity) == ("error", None)
    assert said in first.errors[-1]
    assert KEY not in first.model_dump_json()
    assert without_times(await replayed(tmp_path / "run")) == without_times(first)


async def test_a_recording_holds_the_prompts_and_no_key(
    server: Misbehaving, stores: dict[str, str], tmp_path: Path
) -> None:
    server.on(CHAT, does())
    await recorded(tmp_path / "run", settings_for(server, stores))
    run = read_run(tmp_path / "run")
    kept = json.dumps([exchange.model_dump() for exchange in run.cassette.exchanges]) + json.dumps(run.cassette.notes)
    assert CLAIM in kept
    assert KEY not in kept
    assert {exchange.request["method"] for exchange in run.cassette.exchanges} == {"POST"}


async def test_other_prompts_than_the_recorded_ones_are_told(
    server: Misbehaving, stores: dict[str, str], tmp_path: Path
) -> None:
    server.on(CHAT, does())
    await recorded(tmp_path / "run", settings_for(server, stores))
    run = read_run(tmp_path / "run")
    policy = tmp_path / "policy"
    policy.mkdir()
    prompt = (Path(sys.modules["wkgfc.reasoning.llm"].__path__[0]) / "prompts" / "relations.md").read_text("utf-8")
    (policy / "relations.md").write_text(prompt.replace("You steer", "You are to steer"), encoding="utf-8")
    settings = run.settings(policy=policy)
    result = await FactChecker(settings, http=run.http()).check_async(run.claim)
    assert (result.stop_reason, result.veracity) == ("error", None)
    assert "not in the recording" in result.errors[-1]


async def test_the_command_line_records_and_replays(
    server: Misbehaving,
    stores: dict[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    server.on(CHAT, does())
    monkeypatch.setenv("WKGFC_LLM_URL", server.url("/v1"))
    monkeypatch.setenv("LLM_API_KEY", KEY)
    monkeypatch.setenv("WKGFC_SECOND_OPINION", "none")  # in one process the verifier knows its pairs the second time

    def call(*arguments: str) -> dict[str, Any]:
        monkeypatch.setattr(sys, "argv", ["wkgfc", "check", "--json", "--trace", *arguments])
        with pytest.raises(SystemExit) as exit_:
            run_command()
        assert not exit_.value.code
        said: dict[str, Any] = json.loads(capsys.readouterr().out)
        return said

    file = str(tmp_path / "run.jsonl.gz")
    given = ("--kg", stores["kg"], "--web", stores["web"], "--reasoner", "openai-compatible:tiny", "--record", file)
    first = await asyncio.to_thread(call, *given, CLAIM)
    monkeypatch.delenv("WKGFC_LLM_URL")
    monkeypatch.delenv("LLM_API_KEY")
    asked = server.asked(CHAT)
    again = await asyncio.to_thread(call, "--replay", file)
    assert without_times(again) == without_times(first)
    assert server.asked(CHAT) == asked > 0
