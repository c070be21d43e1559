"""``wkgfc evaluate``: cells, tables and comparisons from the command line."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from small_world import World, write_claims
from wkgfc.cli.main import run


def call(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["wkgfc", "evaluate", *arguments])
    try:
        run()
    except SystemExit as exit_:
        return int(exit_.code or 0)
    return 0


def sources(world: World) -> list[str]:
    return ["--kg", world.kg, "--web", world.web]


def test_a_cell_and_the_same_command_again(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    command = ["run", "--method", "wkgfc", "--claims", str(world.folder / "fever_val.jsonl"), *sources(world),
               "--limit", "3", "--seed", "1", "--out", str(out)]  # fmt: skip
    assert call(monkeypatch, *command) == 0
    metrics = json.loads((out / "metrics.json").read_text(encoding="utf-8"))
    assert metrics["n"] == 3
    assert len((out / "results.jsonl").read_text(encoding="utf-8").splitlines()) == 3
    before = (out / "results.jsonl").read_bytes()
    assert call(monkeypatch, *command) == 0
    assert (out / "results.jsonl").read_bytes() == before
    capsys.readouterr()
    assert call(monkeypatch, *command[:-1], str(out), "--without", "web") == 2
    assert "cell.without was None, is web" in capsys.readouterr().err


def test_a_debate_is_another_run_than_the_single_agent(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    command = ["run", "--claims", str(world.folder / "fever_val.jsonl"), *sources(world), "--limit", "2",
               "--out", str(out)]  # fmt: skip
    assert call(monkeypatch, *command, "--mode", "debate") == 0
    assert json.loads((out / "cell.json").read_text(encoding="utf-8"))["sources"]["reasoner"].startswith("debate(")
    assert call(monkeypatch, *command) == 2
    assert "settings.mode was debate, is single" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--method", "gpt"], "there is no method 'gpt'"),
        (["--method", "graphrag"], "is not measured so"),
        (["--method", "lexical"], "--fit FILE"),
        (["--method", "wkgfc", "--document"], "is not measured so"),
        (["--method", "fire", "--without", "kg"], "only WKGFC has"),
    ],
)
def test_wrong_use_begins_nothing(
    world: World,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    said: str,
) -> None:
    claims = str(world.folder / "fever_val.jsonl")
    assert call(monkeypatch, "run", "--claims", claims, *sources(world), "--out", str(tmp_path / "o"), *arguments) == 2
    assert said in capsys.readouterr().err
    assert not (tmp_path / "o").exists()


def test_a_wrong_line_is_named_and_left_out_or_ends_it(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    claims = write_claims(
        tmp_path / "c.jsonl", [{"id": "1", "claim": "Ada Verne was born in Lyon.", "label": "SUPPORTS"}]
    )
    with claims.open("a", encoding="utf-8") as file:
        file.write('{"id": "2", "claim": "Lyon is in France.", "label": "MAYBE"}\n{"id": \n')
    command = ["run", "--method", "wkgfc", "--claims", str(claims), *sources(world), "--out", str(tmp_path / "o")]
    assert call(monkeypatch, *command, "--strict") == 2
    assert "line 2" in capsys.readouterr().err
    assert not (tmp_path / "o").exists()
    assert call(monkeypatch, *command) == 0
    told = capsys.readouterr().err
    assert "line 2" in told
    assert "line 3" in told
    assert json.loads((tmp_path / "o" / "metrics.json").read_text(encoding="utf-8"))["n"] == 1


def test_a_claim_without_a_document_is_left_out_or_ends_it(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rows: list[dict[str, Any]] = [
        {"id": "1", "claim": "The bridge is long.", "label": "SUPPORTS", "evidence": [{"text": "The bridge is long."}]},
        {"id": "2", "claim": "The bridge is old.", "label": "SUPPORTS"},
    ]
    claims = str(write_claims(tmp_path / "c.jsonl", rows))
    command = ["run", "--method", "direct", "--kind", "grounded", "--claims", claims, *sources(world)]
    assert call(monkeypatch, *command, "--out", str(tmp_path / "o"), "--strict") == 2
    assert "1 claims have no document" in capsys.readouterr().err
    assert not (tmp_path / "o").exists()
    assert call(monkeypatch, *command, "--out", str(tmp_path / "o")) == 0
    assert "left out: 1 claims without a document" in capsys.readouterr().err
    assert json.loads((tmp_path / "o" / "metrics.json").read_text(encoding="utf-8"))["n"] == 1


def test_a_table_and_two_of_its_cells_compared(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "t1"
    arguments = ["--data", str(world.folder), "--sets", "fever_val", *sources(world), "--out", str(out)]
    assert call(monkeypatch, "table1", *arguments, "--methods", "wkgfc,wkgfc-kg") == 0
    assert "Two-way score" in capsys.readouterr().out
    assert (out / "report.html").is_file()
    first, second = (str(out / "cells" / f"fever_val--{name}") for name in ("wkgfc-kg", "wkgfc"))
    assert call(monkeypatch, "diff", first, second) == 0
    assert "method: wkgfc-kg → wkgfc" in capsys.readouterr().out
    assert call(monkeypatch, "diff", first, second, "--json") == 0
    assert json.loads(capsys.readouterr().out)["shared"] == 5
    assert call(monkeypatch, "table1", *arguments, "--methods", "gpt") == 2


def test_the_methods_are_listed_with_their_pipelines(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert call(monkeypatch, "methods") == 0
    assert "wkgfc-kg-agent" in capsys.readouterr().out
