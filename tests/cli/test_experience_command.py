"""``wkgfc experience``: from a run to rows that can be listed, shown, counted and taken elsewhere."""

import json
import sys
from pathlib import Path

import pytest

from scripted_model import ScriptedModel
from small_world import World
from wkgfc.cli.main import run
from wkgfc.evaluate.cell import cell_of, run_cell
from wkgfc.evaluate.sets import Sight
from wkgfc.evaluate.workbench import Workbench
from wkgfc.evaluate.workers import Workers
from wkgfc.reasoning.llm import opening


def call(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr(sys, "argv", ["wkgfc", "experience", *arguments])
    try:
        run()
    except SystemExit as exit_:
        return int(exit_.code or 0)
    return 0


@pytest.fixture(scope="module")
def finished(bench: Workbench, world: World, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "run"
    rows = world.rows("fever_val")
    run_cell(cell_of("wkgfc", rows, "fever_val", Sight(kg=True, web="sources")), rows, Workers(bench), folder)
    return folder


def test_a_run_becomes_experience(
    finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    buffer = ["--buffer", str(tmp_path / "d.sqlite")]
    assert call(monkeypatch, "add", str(finished), *buffer) == 0
    assert "5 episodes added, 0 were there" in capsys.readouterr().out
    assert call(monkeypatch, "add", str(finished), *buffer) == 0
    assert "0 episodes added, 5 were there" in capsys.readouterr().out

    assert call(monkeypatch, "list", *buffer) == 0
    assert "Ada Verne was born in Lyon." in " ".join(capsys.readouterr().out.split())
    assert call(monkeypatch, "show", "1", *buffer) == 0
    shown = capsys.readouterr().out
    assert "label Supported, said Supported; policy embedded-" in shown
    assert "correctness 1.00" in shown
    assert call(monkeypatch, "show", "1", "--json", *buffer) == 0
    steps = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert steps[0]["action"]["name"] == "initKGRetrieval"
    assert call(monkeypatch, "stats", "--json", *buffer) == 0
    assert json.loads(capsys.readouterr().out)["episodes"] == 5

    out = tmp_path / "steps.jsonl"
    assert call(monkeypatch, "export", str(out), *buffer) == 0
    assert len(out.read_text(encoding="utf-8").splitlines()) > 10
    assert call(monkeypatch, "export", str(out), *buffer) == 2
    assert "is there already" in capsys.readouterr().err


def test_a_model_criticises_within_the_limits_of_a_run(
    finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    model = ScriptedModel(otherwise=lambda _: {"reason": "all was done", "kind": "none", "step": 0, "advice": ""})
    monkeypatch.setattr(opening, "open_asking", lambda *_: model.asking())
    monkeypatch.setenv("WKGFC_RUN_MAX_TOKENS", "2000")
    command = ["add", str(finished), "--buffer", str(tmp_path / "d.sqlite"), "--critic", "vllm:tiny"]
    there = 0
    for _ in range(5):
        assert call(monkeypatch, *command) == 0
        shown = capsys.readouterr()
        added = int(shown.out.split()[0])
        assert f"{added} episodes added, {there} were there" in shown.out
        there += added
        if there == 5:
            break
        assert added > 0
        assert "the limit of 2,000 tokens a run leaves no room for more" in shown.err
        assert "the same command goes on" in shown.err
    assert there == 5
    assert added < 5


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["list"], "there is no experience"),
        (["list", "--kind", "bad_luck"], "there is no kind 'bad_luck'"),
        (["add", "nowhere"], "has no run"),
    ],
)
def test_wrong_use_says_what_to_do(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    said: str,
) -> None:
    assert call(monkeypatch, *arguments, "--buffer", str(tmp_path / "d.sqlite")) == 2
    assert said in capsys.readouterr().err


def test_the_run_of_another_method_is_no_experience(
    bench: Workbench, world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = world.rows("fever_val")
    run_cell(cell_of("minicheck", rows, "fever_val", Sight(web="sources")), rows, Workers(bench), tmp_path / "run")
    assert call(monkeypatch, "add", str(tmp_path / "run"), "--buffer", str(tmp_path / "d.sqlite")) == 2
    assert "is a run of minicheck" in capsys.readouterr().err
