"""``wkgfc verify``: what it prints of a text and a claim, and what it refuses."""

import json
import sys
from pathlib import Path

import pytest

from wkgfc.cli.main import run

TEXT = "The shop was old. Paris is the capital and largest city of France. It rained."
CLAIM = "Paris is the capital of France."


def verify(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["wkgfc", "verify", *arguments])
    with pytest.raises(SystemExit) as stop:
        run()
    return int(stop.value.code or 0)


@pytest.fixture
def evidence(tmp_path: Path) -> str:
    file = tmp_path / "report.txt"
    file.write_text(TEXT, encoding="utf-8")
    return str(file)


def test_the_verdict_and_the_sentence_that_decided(
    evidence: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert verify(monkeypatch, "--evidence", evidence, CLAIM) == 0

    printed = capsys.readouterr().out
    assert "The text supports the claim" in printed
    assert "Paris is the capital and largest city of France." in printed


def test_json_has_probabilities_and_offsets(
    evidence: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert verify(monkeypatch, "--json", "--evidence", evidence, CLAIM) == 0

    record = json.loads(capsys.readouterr().out)
    assert sum(record["probabilities"].values()) == pytest.approx(1.0, abs=1e-3)
    assert TEXT[record["start"] : record["end"]] == record["sentence"]


def test_the_evidence_does_not_steer_the_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "report.txt"
    file.write_text("Paris is the capital\x1b]0;mine\x07 of France.", encoding="utf-8")

    assert verify(monkeypatch, "--evidence", str(file), CLAIM) == 0
    assert "\x1b" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("content", "says"),
    [(b"", "empty"), (b" \n", "empty"), (b"\xff\xfe\xff", "not UTF-8"), (b"a" * 4_000_001, "more than")],
    ids=["empty", "blank", "binary", "huge"],
)
def test_evidence_that_cannot_be_used_is_one_line(
    content: bytes, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "evidence"
    file.write_bytes(content)

    assert verify(monkeypatch, "--evidence", str(file), CLAIM) == 2

    printed = capsys.readouterr().err
    assert says in printed
    assert printed.count("\n") == 1


def test_a_missing_file_and_a_missing_verifier(
    evidence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert verify(monkeypatch, "--evidence", str(tmp_path / "nothing.txt"), CLAIM) == 2
    assert "cannot be read" in capsys.readouterr().err
    assert verify(monkeypatch, "--evidence", evidence, "--verifier", str(tmp_path), CLAIM) == 1
    assert "there is no verifier" in capsys.readouterr().err
