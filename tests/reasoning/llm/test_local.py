"""A model from a file: what is said where it cannot run, and how the process serves it."""

import asyncio
import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr
from pydantic_ai.direct import model_request
from pydantic_ai.messages import ModelRequest
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.output import OutputObjectDefinition

from chat_server import CHAT, completion, outcome
from local_model import local_model
from misbehaving import Misbehaving, refuse
from wkgfc.config import Settings, load_settings
from wkgfc.errors import NotConfigured
from wkgfc.http import Answer, Request, Unanswered
from wkgfc.http.cassette import Recorder, RecordingHttp, ReplayHttp, read_cassette
from wkgfc.http.client import LiveHttp
from wkgfc.network import Network
from wkgfc.reasoning.llm import local
from wkgfc.reasoning.llm.hybrid import read_choice
from wkgfc.reasoning.llm.local import check_model, local_models, model_path, open_local_model
from wkgfc.reasoning.llm.local_server import URL, LocalModel, LocalModels, Running, Servers, in_one_line

has_llama = importlib.util.find_spec("xllamacpp") is not None
KEY = "a-key-made-by-chance-0123456789"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return load_settings(data_dir=tmp_path / "data")


def gguf(path: Path) -> Path:
    """A file that begins as a model does, and is none."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"GGUF" + bytes(100_000))
    return path


class TestTheFile:
    def test_that_is_not_there(self, settings: Settings, tmp_path: Path) -> None:
        with pytest.raises(NotConfigured, match=r"there is no model .*gone.gguf: give the path of a GGUF file, or put"):
            check_model(tmp_path / "gone.gguf", settings)

    @pytest.mark.parametrize("content", [b"", b"GGUF", b"PK\x03\x04" + bytes(20_000), b"GGU"])
    def test_that_is_something_else(self, content: bytes, settings: Settings, tmp_path: Path) -> None:
        path = tmp_path / "model.gguf"
        path.write_bytes(content)
        with pytest.raises(NotConfigured, match="is no GGUF file"):
            check_model(path, settings)

    def test_that_is_a_folder(self, settings: Settings, tmp_path: Path) -> None:
        with pytest.raises(NotConfigured, match="cannot be read"):
            check_model(tmp_path, settings)

    def test_that_is_larger_than_the_memory(
        self, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(local, "free_memory", lambda: 400_000_000)
        monkeypatch.setattr(local, "find_spec", lambda name: object())
        with pytest.raises(NotConfigured, match=r"takes about 0.5 GB of memory, and 0.4 GB are free"):
            check_model(gguf(tmp_path / "model.gguf"), settings)

    def test_without_what_runs_it(self, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(local, "find_spec", lambda name: None)
        with pytest.raises(NotConfigured, match=r"pip install 'wkgfc\[local\]'"):
            check_model(gguf(tmp_path / "model.gguf"), settings)

    def test_is_found_by_its_name_in_the_models_folder(self, settings: Settings, tmp_path: Path) -> None:
        there = gguf(settings.data_dir / "models" / "tiny.gguf")
        (there.parent / "notes.txt").touch()
        assert model_path("tiny", settings) == model_path("tiny.gguf", settings) == there
        assert list(local_models(settings)) == [there]
        assert model_path("other.gguf", settings) == Path("other.gguf")
        elsewhere = gguf(tmp_path / "elsewhere" / "tiny.gguf")
        assert model_path(str(elsewhere), settings) == elsewhere
        assert list(local_models(load_settings(data_dir=tmp_path / "empty"))) == []

    @pytest.mark.skipif(not has_llama, reason="needs xllamacpp: pip install '.[local]'")
    async def test_that_is_damaged_is_said_when_it_is_asked(self, settings: Settings, tmp_path: Path) -> None:
        network = Network(settings)
        model = open_local_model(gguf(tmp_path / "damaged.gguf"), settings, network.models)
        async with network.connected():
            assert "damaged.gguf cannot be loaded: it may be damaged" in await outcome(model)


class Starts:
    """Stands for the library: every model is the test's server, and ``started`` says which were."""

    def __init__(self, server: Misbehaving) -> None:
        self.started: list[LocalModel] = []
        self._server = server

    def __call__(self, model: LocalModel) -> Running:
        self.started.append(model)
        return Running(self._server.url()[:-1], SecretStr(KEY), object())


def test_answers_by_a_schema_are_asked_for_in_one_line() -> None:
    form = {"type": "json_schema", "json_schema": {"name": "A", "strict": False, "schema": {"type": "object"}}}
    body = {"model": "tiny", "response_format": form}
    asked = in_one_line(body, json.dumps)
    assert set(asked) == {"model", "grammar"}
    assert json.loads(asked["grammar"])["type"] == "object"
    assert json.loads(asked["grammar"])["x-guidance"]["whitespace_flexible"] is False
    assert body == {"model": "tiny", "response_format": form}, "what is recorded is as it was asked"
    assert in_one_line(body, None) == body
    others: list[Any] = [None, [], {"model": "tiny"}, {"response_format": {"type": "text"}}, {"response_format": None}]
    for other in others:
        assert in_one_line(other, json.dumps) == other


class TestTheServer:
    def test_models_have_names_of_their_own(self) -> None:
        servers = Servers(start=lambda model: pytest.fail("nothing was asked"))
        first, other = LocalModel(Path("/a/tiny.gguf"), 4096), LocalModel(Path("/b/tiny.gguf"), 4096)
        assert [servers.name(each) for each in (first, other, first, other)] == ["tiny", "tiny-2", "tiny", "tiny-2"]

    async def test_starts_when_it_is_first_asked_and_once(self, server: Misbehaving, http: LiveHttp) -> None:
        server.on(CHAT, completion("Yes."))
        start = Starts(server)
        servers = Servers(start)
        name = servers.name(LocalModel(Path("/a/tiny.gguf"), 4096))
        models = LocalModels(http, http, servers)
        assert start.started == []
        request = Request(f"{URL}/chat/completions", kind="model", method="POST", json_body={"model": name})
        answers = await asyncio.gather(*(models.send(request) for _ in range(4)))
        assert len(start.started) == 1
        assert all(isinstance(answer, Answer) and answer.url == request.url for answer in answers)
        assert {seen.headers["authorization"] for seen in server.seen} == {f"Bearer {KEY}"}

    async def test_what_is_for_somebody_else_goes_there(self, server: Misbehaving, http: LiveHttp) -> None:
        server.on("/elsewhere", completion("No."))
        models = LocalModels(http, http, Servers(Starts(server)))
        assert isinstance(await models.send(Request(server.url("/elsewhere"), kind="model")), Answer)

    async def test_failures_are_told_as_the_models(self, server: Misbehaving, http: LiveHttp) -> None:
        def refused(model: LocalModel) -> Running:
            raise NotConfigured("it cannot be loaded")

        request = Request(f"{URL}/chat/completions", kind="model", method="POST", json_body={"model": "tiny"})
        assert await LocalModels(http, http, Servers(refused)).send(request) == Unanswered(
            "no model named 'tiny' was opened in this process"
        )
        servers = Servers(refused)
        servers.name(LocalModel(Path("/a/tiny.gguf"), 4096))
        assert await LocalModels(http, http, servers).send(request) == Unanswered("it cannot be loaded")
        server.on(CHAT, refuse(400, body="too long"))
        servers = Servers(Starts(server))
        servers.name(LocalModel(Path("/a/tiny.gguf"), 4096))
        said = await LocalModels(http, http, servers).send(request)
        assert said == Unanswered("tiny answered 400 (Bad Request)", 400, b"too long")

    async def test_a_replay_needs_no_file_and_no_server(
        self, server: Misbehaving, http: LiveHttp, settings: Settings, tmp_path: Path
    ) -> None:
        server.on(CHAT, completion("Yes."))
        path = gguf(tmp_path / "tiny-of-the-test.gguf")
        servers, file = Servers(Starts(server)), tmp_path / "run.jsonl.gz"
        recorder = Recorder(file)
        recording = RecordingHttp(LocalModels(http, http, servers), recorder)
        servers.name(LocalModel(path, settings.local_context))
        first = await outcome(open_local_model(path, settings, recording)) if has_llama else "Yes."
        recorder.close()
        path.unlink()
        assert first == "Yes."
        run = read_cassette(file)
        assert all(
            server.url("")[:-1] not in repr(exchange) and KEY not in repr(exchange) for exchange in run.exchanges
        )
        if has_llama:
            assert await outcome(open_local_model(path, settings, ReplayHttp(run))) == "Yes."


@pytest.mark.local
async def test_the_real_model_keeps_to_a_schema(settings: Settings) -> None:
    network = Network(settings)
    model = open_local_model(local_model(), settings, network.models)
    schema: dict[str, Any] = {"type": "object", "properties": {"answer": {"type": "string", "enum": ["yes", "no"]}}}
    schema |= {"required": ["answer"], "additionalProperties": False}
    async with network.connected():
        response = await model_request(
            model,
            [ModelRequest.user_text_prompt("Is Paris in France?")],
            model_settings={"temperature": 0.0, "max_tokens": 30, "timeout": 280.0, "max_retries": 0},
            model_request_parameters=ModelRequestParameters(
                output_mode="native", output_object=OutputObjectDefinition(json_schema=schema, name="Answer")
            ),
        )
    assert response.text in ('{"answer": "yes"}', '{"answer": "no"}')
    assert response.usage.input_tokens > 0


def test_a_check_with_such_a_model_has_more_time() -> None:
    assert read_choice("local:tiny.gguf, grade=embedded").has_local_model
    assert read_choice("embedded, judge=local:tiny.gguf").has_local_model
    assert not read_choice("ollama:tiny").has_local_model
    assert load_settings().local_timeout_s > load_settings().timeout_s
