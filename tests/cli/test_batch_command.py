"""``wkgfc batch`` and ``wkgfc runs`` over small real stores."""

import asyncio
import csv
import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pyarrow.parquet  # type: ignore[import-untyped, unused-ignore]
import pytest

from mocked_checks import result_for
from postgres_server import binaries, postgres_server
from small_world import PAGES, World, write_claims
from test_result import SCHEMA
from wkgfc.checker import FactChecker
from wkgfc.claim import Claim
from wkgfc.cli.main import run
from wkgfc.result import CheckResult

CLAIMS = [
    {"id": "c1", "claim": "Ada Verne was born in Lyon."},
    {"id": "c2", "claim": "Ada Verne was born in Turin."},
    {"id": "c3", "claim": "Ada Verne discovered a red dye in 1871."},
    {"id": "c4", "claim": "Is Lyon a city?"},
    {"id": "c1", "claim": "Lyon is in France."},
    {"id": "c6", "claim": ""},
]


def call(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> int:
    monkeypatch.setattr(sys, "argv", ["wkgfc", *map(str, arguments)])
    try:
        run()
    except SystemExit as exit_:
        return int(exit_.code or 0)
    return 0


@pytest.fixture
def claims(tmp_path: Path) -> Path:
    return write_claims(tmp_path / "claims.jsonl", CLAIMS)


@pytest.fixture
def batch(world: World, claims: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    def run_batch(*more: object) -> int:
        command = ["batch", claims, "--out", tmp_path / "runs", "--kg", world.kg, "--web", world.web, "--workers", "1"]
        return call(monkeypatch, *command, *more)

    return run_batch


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_every_row_has_its_result_and_the_same_command_again_does_nothing(
    batch: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert batch() == 0
    out, err = capsys.readouterr()
    results = Path(out.strip())
    assert results == tmp_path / "runs" / "claims.results.jsonl"
    rows = lines(results)
    assert [row["id"] for row in rows] == ["c1", "c2", "c3", "c4", "line 5", "line 6"]
    assert [row["result"] and row["result"]["veracity"] for row in rows] == [
        "Supported", "Refuted", "Supported", None, None, None,
    ]  # fmt: skip
    for row in rows[:4]:
        jsonschema.validate(row["result"], SCHEMA)
    assert rows[3]["stop_reason"] == "not_checkable"
    assert "was there before, on line 1" in rows[4]["error"]
    assert "is empty" in rows[5]["error"]
    assert "questions to sources" in err
    before = results.read_bytes()
    assert batch() == 0
    assert results.read_bytes() == before


def test_tables_and_columns(batch: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert batch("--format", "csv") == 0
    with Path(capsys.readouterr().out.strip()).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["veracity"] for row in rows[:3]] == ["Supported", "Refuted", "Supported"]
    assert "https://example.org/0" in rows[2]["urls"]
    assert PAGES["Ada Verne"].split(". ")[1] in rows[2]["justification"]
    assert rows[2]["justification"].endswith("]")
    assert batch("--format", "parquet") == 0
    table = pyarrow.parquet.read_table(capsys.readouterr().out.strip()).to_pylist()
    assert [row["veracity"] for row in table[:3]] == ["Supported", "Refuted", "Supported"]
    assert json.loads(table[0]["result"])["claim"]["text"] == CLAIMS[0]["claim"]
    assert list((tmp_path / "runs").glob(".*.part")) == []


def test_another_policy_is_another_run_and_both_are_compared(
    batch: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert batch() == 0
    assert batch("--web", "none") == 0
    out = tmp_path / "runs"
    capsys.readouterr()
    assert call(monkeypatch, "runs", "list", "--out", out, "--json") == 0
    listed = json.loads(capsys.readouterr().out)
    assert [each["run"] for each in listed] == ["claims", "claims-2"]
    assert [each["left"] for each in listed] == [0, 0]
    assert call(monkeypatch, "runs", "compare", "claims", "claims-2", "--out", out, "--json") == 0
    both = json.loads(capsys.readouterr().out)
    assert (both["claims"], both["same"]) == (4, 3)
    assert both["changed"][0] == {
        "id": "c3", "claim": CLAIMS[2]["claim"], "first": "Supported", "second": "Not Enough Evidence",
    }  # fmt: skip
    assert call(monkeypatch, "runs", "show", "claims", "--out", out) == 0
    shown = capsys.readouterr().out
    assert "Supported: 2" in shown
    assert "1 × the claim in “claim” is empty" in shown
    for command in (["list"], ["compare", "claims", "claims-2"]):
        assert call(monkeypatch, "runs", *command, "--out", out) == 0
        assert "claims-2" in capsys.readouterr().out
    to = tmp_path / "again.csv"
    assert call(monkeypatch, "runs", "export", "claims", to, "--out", out) == 0
    assert len(to.read_text(encoding="utf-8").splitlines()) == 7


def test_claims_that_have_changed_are_another_run(batch: Any, claims: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert batch() == 0
    write_claims(claims, CLAIMS[:2])
    assert batch() == 2
    assert "give another --run or --out" in capsys.readouterr().err
    assert batch("--run", "shorter") == 0


@pytest.mark.parametrize(("times", "kept"), [(1, 3), (2, 2)])
def test_ctrl_c_once_finishes_what_is_in_flight_and_twice_gives_it_up(
    batch: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    times: int,
    kept: int,
) -> None:
    begun = 0

    async def check(self: FactChecker, claim: Claim) -> CheckResult:
        nonlocal begun
        begun += 1
        if begun == 3:
            for _ in range(times):
                os.kill(os.getpid(), signal.SIGINT)
                await asyncio.sleep(0.05)
        return result_for(claim)

    monkeypatch.setattr(FactChecker, "check_async", check)
    assert batch("--concurrency", "1") == 1
    out, err = capsys.readouterr()
    assert "finishing what is in flight" in err
    assert f"{4 - kept} claims are left" in err
    assert bool(out) == (times == 1)
    monkeypatch.undo()
    assert call(monkeypatch, "runs", "list", "--out", tmp_path / "runs", "--json") == 0
    assert json.loads(capsys.readouterr().out)[0]["done"] == kept


def test_what_went_wrong_is_logged_as_json_with_run_and_claim(
    batch: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from wkgfc.kg.store import EmbeddedStore

    def broken(self: object, mention: str, limit: int = 20) -> object:
        raise ZeroDivisionError("no such thing")

    monkeypatch.setattr(EmbeddedStore, "candidates", broken)
    log = tmp_path / "log.jsonl"
    assert batch("--log", log) == 0
    failures = [line for line in lines(log) if "traceback" in line]
    assert {line["claim"] for line in failures} == {"c1", "c2", "c3"}
    assert {line["run"] for line in failures} == {"claims"}
    monkeypatch.undo()


@pytest.mark.postgres
def test_a_run_in_postgres(
    batch: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if binaries() is None:
        pytest.skip("no PostgreSQL server is installed")
    with postgres_server() as url:
        assert batch("--store", url, "--share") == 0
        rows = lines(Path(capsys.readouterr().out.strip()))
        assert [row["result"] and row["result"]["veracity"] for row in rows[:3]] == [
            "Supported",
            "Refuted",
            "Supported",
        ]
        assert call(monkeypatch, "runs", "list", "--store", url, "--json") == 0
        assert json.loads(capsys.readouterr().out)[0]["left"] == 0
    assert not (tmp_path / "runs" / "runs.sqlite").exists()


@pytest.mark.parametrize(
    ("arguments", "said", "status"),
    [
        (["--column", "statement"], "no column “statement”", 2),
        (["--store", "postgresql://user:geheim@host/db"], "setting run_store", 1),
        (["--kg", "nowhere"], "there is no knowledge graph 'nowhere'", 1),
    ],
)
def test_wrong_use_is_told_in_a_line(
    batch: Any, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str, status: int
) -> None:
    assert batch(*arguments) == status
    err = capsys.readouterr().err
    assert said in err
    assert "geheim" not in err


def test_runs_that_are_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(monkeypatch, "runs", "list", "--out", tmp_path / "none") == 2
    assert call(monkeypatch, "runs", "list", "--out", tmp_path) == 1
    assert "there are no runs in" in capsys.readouterr().err
