"""What others see of a run: OpenTelemetry's metrics and traces, logs as JSON, progress in a line."""

import io
import json
import logging
from pathlib import Path
from typing import Any

import pytest
from opentelemetry import metrics, trace
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from mocked_checks import IDENTITY, TODAY, Mocked, checks_of, result_for, rows
from wkgfc.batch.logs import JsonLines, json_logs, of_claim
from wkgfc.batch.progress import Progress
from wkgfc.batch.rows import Outcome, outcome_of
from wkgfc.batch.run import Counts
from wkgfc.batch.runner import Runner
from wkgfc.batch.sqlite import SqliteDatabase
from wkgfc.batch.store import Store
from wkgfc.claim import Claim
from wkgfc.errors import BadInput


async def test_metrics_and_a_trace_for_each_claim(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reader, spans = InMemoryMetricReader(), InMemorySpanExporter()
    meters, tracers = MeterProvider([reader]), TracerProvider()
    tracers.add_span_processor(SimpleSpanProcessor(spans))
    monkeypatch.setattr(metrics, "get_meter", meters.get_meter)
    monkeypatch.setattr(trace, "get_tracer_provider", lambda: tracers)
    store = Store(SqliteDatabase(tmp_path / "runs.sqlite"))
    run = store.add_claims(store.begin("run", IDENTITY, "c", "d", TODAY), rows(6), is_last=True)
    await Runner(store, run, checks_of(Mocked(cost_usd=0.5))).go()
    store.close()
    data = reader.get_metrics_data()
    assert data is not None
    found: dict[str, Any] = {
        each.name: each.data.data_points for each in data.resource_metrics[0].scope_metrics[0].metrics
    }
    assert sum(point.value for point in found["wkgfc.batch.claims"]) == 6
    assert {point.attributes["wkgfc.run"] for point in found["wkgfc.batch.claims"]} == {"run"}
    assert [point.value for point in found["wkgfc.batch.cost"]] == [3.0]
    assert [point.value for point in found["wkgfc.batch.calls"]] == [18]
    assert sum(point.count for point in found["wkgfc.batch.claim.duration"]) == 6
    ended = spans.get_finished_spans()
    assert [span.name for span in ended] == ["claim"] * 6
    assert {span.attributes["wkgfc.claim"] for span in ended if span.attributes} == {f"c{n}" for n in range(6)}
    assert len({span.context.trace_id for span in ended if span.context}) == 6


def test_a_log_line_is_json_with_run_and_claim(tmp_path: Path) -> None:
    log = logging.getLogger("wkgfc.somewhere")
    with json_logs(tmp_path / "logs" / "batch.jsonl"):
        with of_claim("run", "c1"):
            log.warning("it said %s", "“no”\nand more", extra={"seconds": 1.5, "thing": object()})
        try:
            raise ValueError("no such thing")
        except ValueError:
            log.exception("it failed")
    log.warning("after")
    first, second = map(json.loads, (tmp_path / "logs" / "batch.jsonl").read_text(encoding="utf-8").splitlines())
    assert (first["message"], first["run"], first["claim"], first["seconds"]) == (
        "it said “no”\nand more",
        "run",
        "c1",
        1.5,
    )
    assert first["level"] == "warning"
    assert "thing" not in first
    assert "claim" not in second
    assert "ValueError: no such thing" in second["traceback"]
    (tmp_path / "file").touch()
    with pytest.raises(BadInput, match="cannot be written"), json_logs(tmp_path / "file" / "log"):
        pass


def test_a_log_line_is_one_line() -> None:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLines())
    handler.emit(logging.LogRecord("wkgfc", logging.INFO, "", 0, "a\r\nb\u2028c\x1b[31m", None, None))
    (line,) = stream.getvalue().rstrip("\n").split("\n")
    assert json.loads(line)["message"] == "a\r\nb\u2028c\x1b[31m"


def test_progress_in_a_line() -> None:
    now = [0.0]
    progress = Progress.of(Counts(claims=100, done=10, cost_usd=1.0), clock=lambda: now[0])
    assert progress.in_words() == "10 of 100 · 0.0 a second · $1.0000"
    for n in range(30):
        now[0] += 0.5
        progress.count(outcome_of(n, result_for(Claim(text="ab"[n % 2])), 0.1))
    progress.count(Outcome(30, "error", error="no"))
    progress.asked.wanted["names"] += 4
    progress.asked.sent["names"] += 1
    assert progress.rate == pytest.approx(31 / 15, rel=0.01)
    assert progress.seconds_left == pytest.approx((100 - 41) / progress.rate)
    assert progress.in_words() == (
        "41 of 100 · 2.1 a second · 0:28 left · Refuted 50 % · Not Enough Evidence 50 % · $1.0000 · 1 errors, 0 with a "
        "failed source · 3 questions saved (75 %)"
    )


def test_the_rate_is_that_of_the_last_minute() -> None:
    now = [0.0]
    progress = Progress.of(Counts(claims=10_000), clock=lambda: now[0])
    for _ in range(100):
        now[0] += 0.01
        progress.count(Outcome(0, "done"))
    for _ in range(300):
        now[0] += 1.0
        progress.count(Outcome(0, "done"))
    assert progress.rate == pytest.approx(1.0, rel=0.05)
