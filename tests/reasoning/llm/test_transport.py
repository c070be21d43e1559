"""Language models over a real HTTP server that speaks their protocols: what is sent, what comes back, what is kept."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from pydantic_ai.direct import model_request
from pydantic_ai.exceptions import AgentRunError, ModelHTTPError
from pydantic_ai.messages import ModelRequest, ModelResponse
from pydantic_ai.models import Model

from chat_server import CHAT, QUESTION, completion, outcome
from misbehaving import Behaviour, Misbehaving, cut, hang_up, refuse, reply, silence
from wkgfc.config import load_settings
from wkgfc.errors import BadInput
from wkgfc.http import Http
from wkgfc.http.cassette import Recorder, RecordingHttp, ReplayHttp, read_cassette
from wkgfc.http.client import LiveHttp
from wkgfc.http.deadline import deadline
from wkgfc.network import Network
from wkgfc.reasoning.llm.transport import NoAnswer, fault_of, model_client, reason_of

KEY = "sk-live-4f9aQwErTy-4f9aQwErTy"


def openai_model(url: str, http: Http, key: str = KEY) -> Model:
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    provider = OpenAIProvider(base_url=url, api_key=key, http_client=model_client(http, timeout_s=5.0))
    return OpenAIChatModel("tiny", provider=provider)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "run.jsonl.gz"


async def test_a_model_on_this_machine_is_asked_and_nothing_about_the_machine_is_told(
    server: Misbehaving, http: LiveHttp
) -> None:
    server.on(CHAT, completion("Yes."))
    response = await model_request(openai_model(server.url("/v1"), http), QUESTION)
    assert isinstance(response, ModelResponse)
    assert (response.text, response.usage.input_tokens, response.usage.output_tokens) == ("Yes.", 12, 3)
    (seen,) = server.seen
    assert seen.headers["authorization"] == f"Bearer {KEY}"
    assert json.loads(seen.body)["messages"] == [{"role": "user", "content": "Is Lyon in France?"}]
    assert set(seen.headers) == {
        *("host", "accept", "accept-encoding", "user-agent"),
        *("authorization", "content-type", "content-length"),
    }
    assert seen.headers["user-agent"].startswith("WKGFC/")


SCRIPTS: dict[str, tuple[list[Behaviour], str, int]] = {
    "an answer": ([completion("Yes.")], "Yes.", 1),
    "too many requests, once": ([refuse(429, {"Retry-After": "2"}), completion("Yes.")], "Yes.", 2),
    "a fault of the server, once": ([refuse(500), refuse(529), completion("Yes.")], "Yes.", 3),
    "a cut answer, once": ([cut(b'{"choices": ['), completion("Yes.")], "Yes.", 2),
    "hung up, once": ([hang_up(), completion("Yes.")], "Yes.", 2),
    "too many requests, for long": ([refuse(429, {"Retry-After": "9999"})], "asked to wait 9999 s, which is longer", 1),
    "always cut": ([cut(b'{"choices": [')], "cut off", 3),
    "no JSON": ([reply("<html>Welcome</html>", "text/html")], "sent something that is no JSON", 1),
    "broken JSON": ([reply('{"choices": [')], "sent something that is no JSON", 1),
    "a list": ([reply("[]")], "sent JSON that is no object", 1),
    "an error as a 200": ([reply('{"error": {"message": "no credit"}}')], "sent an error: no credit", 1),
    "nothing": ([reply(b"")], "sent an empty answer", 1),
    "a wrong key": ([refuse(401, body='{"error": {"message": "Bad key"}}')], "Bad key", 1),
    "a page of an error": ([refuse(400, body="<html>no</html>")], "answered 400 (Bad Request)", 1),
}


@pytest.mark.parametrize("case", SCRIPTS)
async def test_whatever_a_server_does_is_the_same_in_the_replay(
    case: str, server: Misbehaving, http: LiveHttp, path: Path
) -> None:
    script, said, times = SCRIPTS[case]
    server.on(CHAT, *script)
    recorder = Recorder(path)
    with deadline(600):
        first = await outcome(openai_model(server.url("/v1"), RecordingHttp(http, recorder)))
    recorder.close()
    assert said in first
    assert server.asked(CHAT) == times
    run = read_cassette(path)
    assert len(run.exchanges) == 1, "one question, whatever it took to have its answer"
    assert await outcome(openai_model(server.url("/v1"), ReplayHttp(run), "another-key-of-a-reader")) == first
    assert server.asked(CHAT) == times, "a replay asks nobody"


async def test_no_answer_in_time_is_recorded_as_that(server: Misbehaving, http: LiveHttp, path: Path) -> None:
    server.on(CHAT, silence())
    recorder = Recorder(path)
    model = openai_model(server.url("/v1"), RecordingHttp(http, recorder))
    with deadline(0.2):
        first = await outcome(model)
        second = await outcome(model)
    recorder.close()
    assert "the time for the check was over before" in first
    assert second == "the time for the check is over"
    replay = openai_model(server.url("/v1"), ReplayHttp(read_cassette(path)))
    assert [await outcome(replay), await outcome(replay)] == [first, second]


async def test_an_attempt_has_the_time_that_the_library_was_given(server: Misbehaving, http: LiveHttp) -> None:
    server.on(CHAT, silence())
    with pytest.raises(AgentRunError) as error:
        await model_request(
            openai_model(server.url("/v1"), http), QUESTION, model_settings={"timeout": 0.1, "max_retries": 0}
        )
    assert "did not answer within 0.1 s" in reason_of(error.value)
    assert server.asked(CHAT) == 1, "a model that takes too long would take so again"


async def test_samples_that_are_taken_at_once_have_their_order_in_the_replay(
    server: Misbehaving, http: LiveHttp, path: Path
) -> None:
    server.on(CHAT, *(completion(f"answer {number}") for number in range(6)))
    recorder = Recorder(path)
    model = openai_model(server.url("/v1"), RecordingHttp(http, recorder))
    first = await asyncio.gather(*(outcome(model) for _ in range(6)))
    recorder.close()
    replay = openai_model(server.url("/v1"), ReplayHttp(read_cassette(path)))
    assert await asyncio.gather(*(outcome(replay) for _ in range(6))) == first
    assert sorted(first) == [f"answer {number}" for number in range(6)]


async def test_another_prompt_than_the_recorded_one_says_what_to_do(
    server: Misbehaving, http: LiveHttp, path: Path
) -> None:
    server.on(CHAT, completion("Yes."))
    recorder = Recorder(path)
    await outcome(openai_model(server.url("/v1"), RecordingHttp(http, recorder)))
    recorder.close()
    replay = openai_model(server.url("/v1"), ReplayHttp(read_cassette(path)))
    with pytest.raises(AgentRunError) as error:
        await model_request(replay, [ModelRequest.user_text_prompt("Is Turin in Italy?")])
    assert "record the run again" in reason_of(error.value)


async def test_a_key_is_in_no_recording_and_no_error(server: Misbehaving, http: LiveHttp, path: Path) -> None:
    echo = json.dumps({"error": {"message": f"Incorrect API key provided: {KEY}"}})
    server.on(CHAT, refuse(401, {"X-Key": KEY}, echo), completion(f"your key is {KEY}"))
    recorder = Recorder(path)
    model = openai_model(server.url("/v1"), RecordingHttp(http, recorder))
    with pytest.raises(ModelHTTPError) as error:
        await model_request(model, [ModelRequest.user_text_prompt(f"what is {KEY}?")])
    assert error.value.status_code == 401
    assert KEY not in str(error.value) + repr(error.value.body)
    assert KEY not in await outcome(model)
    recorder.close()
    kept = "".join(repr(exchange) for exchange in read_cassette(path).exchanges)
    assert KEY not in kept
    assert "authorization" not in kept.lower()


@pytest.mark.parametrize("key", ["none", "ollama", "EMPTY"])
async def test_a_word_in_place_of_a_key_does_not_spoil_texts(
    key: str, server: Misbehaving, http: LiveHttp, path: Path
) -> None:
    server.on(CHAT, completion(f"{key} of them"))
    assert await outcome(openai_model(server.url("/v1"), http, key)) == f"{key} of them"


async def test_anthropic_and_google_are_asked_the_same_way(server: Misbehaving, http: LiveHttp, path: Path) -> None:
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.models.google import GoogleModel
    from pydantic_ai.providers.anthropic import AnthropicProvider
    from pydantic_ai.providers.google import GoogleProvider

    said: dict[str, Any] = {
        "type": "message",
        "role": "assistant",
        "id": "msg_1",
        "model": "c",
        "stop_reason": "end_turn",
    }
    said |= {"content": [{"type": "text", "text": "Yes."}], "usage": {"input_tokens": 12, "output_tokens": 3}}
    parts = {"role": "model", "parts": [{"text": "Yes."}]}
    usage = {"promptTokenCount": 12, "candidatesTokenCount": 3, "totalTokenCount": 15}
    server.on("/v1/messages", refuse(529), reply(json.dumps(said)), silence())
    generate = "/v1beta/models/gem:generateContent"
    server.on(
        generate,
        refuse(503),
        reply(json.dumps({"candidates": [{"content": parts, "finishReason": "STOP"}], "usageMetadata": usage})),
        refuse(400),
    )

    def models(http: Http) -> list[Model]:
        client = model_client(http)
        return [
            AnthropicModel("c", provider=AnthropicProvider(api_key=KEY, base_url=server.url(), http_client=client)),
            GoogleModel("gem", provider=GoogleProvider(api_key=KEY, base_url=server.url(), http_client=client)),
        ]

    recorder = Recorder(path)
    anthropic, google = models(RecordingHttp(http, recorder))
    recorded = [await outcome(anthropic), await outcome(google), await outcome(google)]
    with deadline(0.2):
        recorded.append(await outcome(anthropic))
    recorder.close()
    assert recorded[:2] == ["Yes.", "Yes."]
    assert "400" in recorded[2]
    assert "the time for the check was over" in recorded[3]
    assert all(KEY in "".join(seen.headers.values()) for seen in server.seen)
    assert not [
        name for seen in server.seen for name in seen.headers if name.startswith(("x-stainless", "x-goog-api-c"))
    ]
    run = read_cassette(path)
    assert KEY not in "".join(repr(exchange) for exchange in run.exchanges)
    anthropic, google = models(ReplayHttp(run))
    replayed = [await outcome(anthropic), await outcome(google), await outcome(google), await outcome(anthropic)]
    assert replayed == recorded


def test_a_body_that_is_no_answer_is_told_from_one_that_is() -> None:
    assert fault_of(b'{"choices": []}') is None
    assert fault_of(b'{"error": null, "choices": []}') is None
    for body in (b"", b"[" * 100_000, b"\xff\xfe", b"null", b"1", b'{"error": "x"}', b'{"error": {"code": 1}}'):
        assert fault_of(body)


def test_a_reason_is_found_under_whatever_was_made_of_it() -> None:
    first = NoAnswer("the server is gone")
    second = RuntimeError("Connection error.")
    second.__cause__ = first
    third = ValueError("Request failed")
    third.__context__ = second
    assert reason_of(third) == "the server is gone"
    assert reason_of(ValueError("a\nb")) == "a b"
    assert reason_of(KeyError()) == "KeyError"
    first.__cause__ = third  # a circle
    assert reason_of(ValueError("x" * 500)) == "x" * 200 + "…"


async def test_the_settings_open_one_recording_for_sources_and_models(server: Misbehaving, path: Path) -> None:
    server.on(CHAT, completion("Yes."))
    recorder = Recorder(path)
    network = Network(load_settings(), recorder=recorder)
    async with network.connected():
        assert await outcome(openai_model(server.url("/v1"), network.models)) == "Yes."
    recorder.close()
    replay = Network(load_settings(), http=ReplayHttp(read_cassette(path)))
    assert await outcome(openai_model(server.url("/v1"), replay.models)) == "Yes."
    with pytest.raises(BadInput):
        Recorder(path)
