"""Spans: one a step and a call, in a tree; to OpenTelemetry where it is set up, nothing said in them unless wanted."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from obedient_model import obedient
from scripted import ListGraph, ListWeb, ScriptedReasoner, passage, triple
from scripted_model import ScriptedModel
from wkgfc.checker import FactChecker
from wkgfc.config import load_settings
from wkgfc.evidence import Passage
from wkgfc.http import Answer, Request, Unanswered
from wkgfc.http.traced import TracedHttp
from wkgfc.reasoning.reasoner import Decision
from wkgfc.render import call_lines, trace_view
from wkgfc.state import SearchWeb
from wkgfc.tracing import Span, span, watched
from wkgfc.web.corpus import build_corpus, open_corpus

pytest.importorskip("opentelemetry.sdk")

from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

CLAIM = "Alpha leads to Delta."


@pytest.fixture
def exported(monkeypatch: pytest.MonkeyPatch) -> Iterator[InMemorySpanExporter]:
    """OpenTelemetry as a program around this one sets it up."""
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(trace, "get_tracer_provider", lambda: provider)
    yield exporter
    provider.shutdown()


def checker(*, reasoner: object = None, web: ListWeb | None = None, **settings: object) -> FactChecker:
    searching = ScriptedReasoner([Decision(action=SearchWeb(query="Alpha Delta"), reason="more")])
    return FactChecker(
        load_settings(hops=1, **settings),
        graph=ListGraph([triple("Alpha", "P1", "Delta")]),
        web=web or ListWeb(failure="503 from the engine"),
        reasoner=reasoner or searching,  # type: ignore[arg-type]
    )


def tree(each: Span) -> dict[str, object]:
    return {"name": each.name, "below": [tree(child) for child in each.children]}


def test_a_check_is_a_tree_of_its_steps() -> None:
    with watched("run") as run:
        checker().check(CLAIM)
    (check,) = run.children
    assert (check.name, check.kind) == ("check", "check")
    assert [each.name for each in check.children] == [
        "decide",
        "initKGRetrieval",
        "decide",
        "webSearch",
        "decide",
        "verdict",
    ]
    assert check.attributes["veracity"] == "Not Enough Evidence"
    failed = check.children[3]
    assert failed.failure == "503 from the engine"
    assert check.seconds >= sum(each.seconds for each in check.children) > 0


def test_checks_at_a_time_keep_their_spans_apart() -> None:
    with watched("run") as run:
        checker(reasoner=ScriptedReasoner()).check_many([CLAIM] * 5)
    assert [len(check.children) for check in run.children] == [4] * 5


def test_without_anybody_to_look_on_a_span_is_nothing() -> None:
    with span("step", "step", said="secret") as traced:
        traced.set(number=3)
        with span("call", "query"):
            pass
    assert traced.children == []


def test_a_span_says_what_it_failed_of_and_the_error_goes_on() -> None:
    with watched("run") as run, pytest.raises(ValueError, match="wrong"), span("call", "query"):
        raise ValueError("wrong")
    assert run.children[0].failure == "ValueError"


async def test_tasks_and_threads_are_below_what_started_them() -> None:
    def in_a_thread() -> None:
        with span("page", "page"):
            pass

    async def search(name: str) -> None:
        with span(name, "search"):
            await asyncio.to_thread(in_a_thread)

    with watched("run") as run, span("step", "step"):
        await asyncio.gather(search("a"), search("b"))
    assert [tree(each) for each in run.children] == [
        {
            "name": "step",
            "below": [{"name": name, "below": [{"name": "page", "below": []}]} for name in ("a", "b")],
        }
    ]


class Canned:
    """Answers everything in the same way."""

    def __init__(self, outcome: Answer | Unanswered) -> None:
        self.outcome = outcome

    async def send(self, request: Request) -> Answer | Unanswered:
        return self.outcome


async def test_a_request_is_a_call_with_its_host_alone() -> None:
    http = TracedHttp(Canned(Unanswered("status 503", 503)))
    with watched("run") as run:
        await http.send(Request("https://user.example/search?q=secret", kind="search", params={"query": "secret"}))
        await http.send(Request("https://llm.example/v1", kind="model"))
    (call,) = run.children
    assert (call.name, call.failure) == ("search", "status 503")
    assert call.attributes == {
        "server.address": "user.example",
        "http.request.method": "GET",
        "http.response.status_code": 503,
    }


def test_a_search_of_the_embedded_passages_is_a_call(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Alpha leads to Delta by night.", encoding="utf-8")
    build_corpus(tmp_path / "a.txt", tmp_path / "index")
    with watched("run") as run:
        asyncio.run(open_corpus(tmp_path / "index").search("Alpha", 3))
    assert [call.kind for call in run.children] == ["search"]


def test_trace_shows_the_calls_of_each_step_together() -> None:
    calls = [
        Span("SPARQL query", "query", seconds=0.25),
        Span("SPARQL query", "query", {"from_cache": True}, seconds=0.25),
        Span("judge", "llm", {"input_tokens": 1_200, "output_tokens": 80, "cost_usd": 0.0038}, seconds=1.0),
        Span("page", "page", failure="status 404\x1b[2J"),
    ]
    assert call_lines(calls) == [
        "SPARQL query × 2: 0.500 s, 1 from the cache",
        "language model, judge: 1.000 s, 1,200 tokens read, 80 written, $0.0038",
        "page: 0.000 s, 1 failed: status 404[2J",
    ]


def test_the_tree_of_a_check_has_a_branch_a_step() -> None:
    with watched("run") as run:
        result = checker().check(CLAIM)
    view = trace_view(result, run.children[0])
    assert len(view.children) == 3


# OpenTelemetry


def named(exporter: InMemorySpanExporter) -> dict[str, ReadableSpan]:
    return {each.name: each for each in exporter.get_finished_spans()}


def attributes(each: ReadableSpan) -> dict[str, object]:
    return dict(each.attributes or {})


def test_steps_go_to_opentelemetry_below_their_check(exported: InMemorySpanExporter) -> None:
    checker().check(CLAIM)
    spans = named(exported)
    check, step = spans["check"], spans["webSearch"]
    assert check.parent is None
    assert step.parent is not None
    assert check.context is not None
    assert step.parent.span_id == check.context.span_id
    assert attributes(check)["wkgfc.veracity"] == "Not Enough Evidence"
    assert attributes(step)["wkgfc.outcome"] == "failed"
    assert step.status.description == "503 from the engine"


def model_checker(*, content: bool) -> FactChecker:
    action = {"missing": "the end of the way", "action": "webSearch", "query": "Alpha Delta way"}
    page: Passage = passage("The way of Alpha ends at Delta. It is long.")
    model = ScriptedModel(otherwise=obedient(action=action))
    return checker(reasoner=model.reasoner(), web=ListWeb([page]), trace_content=content)


def test_questions_to_a_model_keep_the_conventions_for_generative_ai(exported: InMemorySpanExporter) -> None:
    model_checker(content=False).check(CLAIM)
    finished = exported.get_finished_spans()
    chats = [each for each in finished if attributes(each).get("gen_ai.operation.name") == "chat"]
    asked = [each for each in finished if attributes(each).get("wkgfc.kind") == "llm"]
    assert {each.name for each in asked} == {"relations", "entities", "decide", "grade", "extract", "judge"}
    assert len(chats) == len(asked)
    ids = {each.context.span_id for each in asked if each.context}
    assert {each.parent.span_id for each in chats if each.parent} == ids
    for chat in chats:
        said = attributes(chat)
        assert said["gen_ai.request.model"]
        assert int(str(said["gen_ai.usage.input_tokens"])) > 0
        assert int(str(said["gen_ai.usage.output_tokens"])) > 0


def test_what_was_said_is_in_no_span_unless_wanted(exported: InMemorySpanExporter) -> None:
    model_checker(content=False).check(CLAIM)
    quiet = "\n".join(each.to_json() for each in exported.get_finished_spans())
    for secret in ("leads to Delta", "Alpha Delta way", "The way of Alpha ends"):
        assert secret not in quiet
    exported.clear()
    model_checker(content=True).check(CLAIM)
    loud = "\n".join(each.to_json() for each in exported.get_finished_spans())
    for wanted in ("leads to Delta", "Alpha Delta way", "The way of Alpha ends"):
        assert wanted in loud
