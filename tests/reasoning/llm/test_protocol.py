"""A whole check over the OpenAI protocol: what goes over the wire, what is recorded, and the same again from it."""

import asyncio
import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from misbehaving import Behaviour, Misbehaving, Seen, refuse, reply
from obedient_model import obedient
from scripted import ListGraph, ListWeb, passage, triple
from scripted_model import Asked, Reply
from wkgfc.checker import FactChecker
from wkgfc.claim import Veracity, read_claim
from wkgfc.config import load_settings
from wkgfc.http.cassette import Recorder
from wkgfc.recording import note_check, note_result, read_run
from wkgfc.result import CheckResult

CHAT = "/v1/chat/completions"
CLAIM = "Alpha leads to Beta."
KEY = "geheim-1234567890"


def completion(content: str | None, tool: tuple[str, str] | None = None) -> str:
    """The body of a chat completion, as OpenAI's API reference has it."""
    message: dict[str, Any] = {"role": "assistant", "content": content}
    if tool is not None:
        function = {"name": tool[0], "arguments": tool[1]}
        message["tool_calls"] = [{"id": "call_1", "type": "function", "function": function}]
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    usage = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
    return json.dumps(
        {"id": "c1", "object": "chat.completion", "created": 1, "model": "tiny", "choices": [choice], "usage": usage}
    )


def answering(script: Callable[[Asked], Reply]) -> Behaviour:
    """A model that answers what ``script`` says, by a function where it is offered some."""

    async def behave(seen: Seen, writer: asyncio.StreamWriter) -> bool:
        sent = json.loads(seen.body)
        tools = tuple(tool["function"]["name"] for tool in sent.get("tools", ()))
        asked = Asked(
            prompt=sent["messages"][-1]["content"],
            instructions=sent["messages"][0]["content"],
            tools=tools,
            turns=len(sent["messages"]) - 1,
            settings=sent,
            schema=(sent.get("response_format") or {}).get("json_schema"),
        )
        answer = script(asked)
        assert isinstance(answer, dict)
        if tools:
            name = answer.pop("action")
            given = {key: value for key, value in answer.items() if key != "query" or name == "webSearch"}
            return await reply(completion(None, (name, json.dumps(given))))(seen, writer)
        return await reply(completion(json.dumps(answer)))(seen, writer)

    return behave


def checker(server: Misbehaving, *, recorder: Recorder | None = None, **given: Any) -> FactChecker:
    settings = load_settings(
        **{"reasoner": "openai-compatible:tiny", "llm_url": server.url("/v1"), "web": "none", "hops": 1, **given}
    )
    graph = ListGraph([triple("Alpha", "P1", "Beta"), triple("Beta", "P2", "Gamma")])
    web = ListWeb([passage("Alpha leads to Beta, they say. It is long.")])
    return FactChecker(settings, graph=graph, web=web, recorder=recorder)


def bodies(server: Misbehaving) -> list[dict[str, Any]]:
    return [json.loads(seen.body) for seen in server.seen]


async def test_a_check_over_http(server: Misbehaving) -> None:
    action = {"missing": "what they say", "action": "webSearch", "query": "Alpha Beta"}
    server.on(CHAT, answering(obedient(action=action)))
    result = await checker(server).check_async(CLAIM)
    assert (result.veracity, result.stop_reason, result.errors) == (Veracity.SUPPORTED, "verdict", ())
    assert [step.action.name for step in (result.trajectory.steps if result.trajectory else ())] == [
        "initKGRetrieval",
        "webSearch",
        "verdict",
    ]
    assert result.usage.llm_calls == len(server.seen)
    assert result.usage.input_tokens == 100 * len(server.seen)
    assert result.policy.startswith("llm-")
    for body in bodies(server):
        assert body["model"] == "tiny"
        assert body["temperature"] == 0.0
        assert body["response_format"]["type"] == "json_schema"
        assert [message["role"] for message in body["messages"]] == ["system", "user"]
        assert "Text between borders" in body["messages"][0]["content"], "what is the same for every claim comes first"
        assert CLAIM in body["messages"][1]["content"]


async def test_actions_go_as_functions_where_the_settings_say_so(server: Misbehaving) -> None:
    server.on(CHAT, answering(obedient()))
    result = await checker(server, llm_actions="tools").check_async(CLAIM)
    assert result.veracity is Veracity.SUPPORTED
    (decision,) = [body for body in bodies(server) if body.get("tools")]
    assert [tool["function"]["name"] for tool in decision["tools"]] == ["expandKG", "webSearch", "verdict"]
    assert decision["tool_choice"] == "required"


async def test_a_hybrid_asks_only_for_its_judgements(server: Misbehaving) -> None:
    server.on(CHAT, answering(obedient()))
    choice = "embedded, judge=openai-compatible:tiny"
    result = await checker(server, reasoner=choice).check_async(CLAIM)
    assert result.usage.llm_calls == len(server.seen) == 1
    assert [source.name for source in result.sources if source.role == "reasoner"] == [choice]


async def test_the_key_goes_to_the_service_and_nowhere_else(server: Misbehaving, tmp_path: Path) -> None:
    server.on(CHAT, answering(obedient()))
    recorder = Recorder(tmp_path / "run.jsonl.gz")
    await checker(server, recorder=recorder, llm_api_key=KEY).check_async(CLAIM)
    recorder.close()
    assert {seen.headers["authorization"] for seen in server.seen} == {f"Bearer {KEY}"}
    assert KEY not in gzip.decompress((tmp_path / "run.jsonl.gz").read_bytes()).decode("ascii")


@pytest.mark.parametrize("status", [401, 404, 429, 500])
async def test_a_service_that_refuses_is_an_error_and_no_verdict(server: Misbehaving, status: int) -> None:
    server.on(CHAT, refuse(status, body=json.dumps({"error": {"message": f"no, {KEY}"}})))
    result = await checker(server, attempts=1, llm_api_key=KEY).check_async(CLAIM)
    assert (result.veracity, result.stop_reason) == (None, "error")
    assert f"openai-compatible:tiny answered with status {status} (relations)" in result.errors[0]
    assert KEY not in result.model_dump_json()


def comparable(result: CheckResult) -> dict[str, Any]:
    """The result but for its times."""
    shown = result.to_json(trace=True)
    for each in (shown, *shown["trajectory"]["steps"]):
        for name in ("checked_at", "started_at", "seconds"):
            each.pop(name, None)
    return shown


async def test_a_replay_is_the_same_run_with_the_service_gone(server: Misbehaving, tmp_path: Path) -> None:
    action = {"missing": "what they say", "action": "webSearch", "query": "Alpha Beta"}
    server.on(CHAT, answering(obedient(action=action)))
    path = tmp_path / "run.jsonl.gz"
    recorder = Recorder(path)
    recorded = checker(server, recorder=recorder)
    note_check(recorder, read_claim(CLAIM), recorded.settings)
    result = await recorded.check_async(CLAIM)
    note_result(recorder, result)
    recorder.close()
    asked = len(server.seen)
    run = read_run(path)
    again = FactChecker(
        run.settings(),
        graph=ListGraph([triple("Alpha", "P1", "Beta"), triple("Beta", "P2", "Gamma")]),
        web=ListWeb([passage("Alpha leads to Beta, they say. It is long.")]),
        http=run.http(),
    )
    replayed = await again.check_async(run.claim)
    assert comparable(replayed) == comparable(result)
    assert len(server.seen) == asked
