"""``wkgfc check-text``: a file to a coloured text and reports; Ctrl-C keeps what is done."""

import json
import socket
import sys
from pathlib import Path

import pytest

from small_world import World
from wkgfc.cli.main import run
from wkgfc.documents import checking

TEXT = "Ada Verne was born in Turin. She discovered a red dye in 1871. Was it red? They left."


def check_text(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["wkgfc", "check-text", *arguments])
    with pytest.raises(SystemExit) as stop:
        run()
    return int(stop.value.code or 0)


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "speech.txt"
    path.write_text(TEXT, encoding="utf-8")
    return str(path)


def test_a_text_is_checked_and_reported(
    file: str, world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    reports = [str(tmp_path / f"report{kind}") for kind in (".html", ".md", ".json")]
    options = [each for report in reports for each in ("--report", report)]

    assert check_text(monkeypatch, file, "--kg", world.kg, "--web", world.web, *options) == 0

    shown = capsys.readouterr().out
    assert "4 sentences, 2 checked" in shown
    record = json.loads(Path(reports[2]).read_text(encoding="utf-8"))
    first, second = (each["result"] for each in record["sentences"][:2])
    assert first["veracity"] == "Refuted"
    assert second["claim"]["text"] == "Ada Verne discovered a red dye in 1871."
    assert "Turin" in Path(reports[0]).read_text(encoding="utf-8")
    assert "Not checked" in Path(reports[1]).read_text(encoding="utf-8")


def test_the_claims_alone_need_no_sources(
    file: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check_text(monkeypatch, file, "--list", "--kg", "/nowhere") == 0
    assert "2. Ada Verne discovered a red dye in 1871." in capsys.readouterr().out


def test_ctrl_c_keeps_what_is_done(
    file: str, world: World, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = checking.check_sentences

    async def interrupted(*arguments: object, **given: object) -> None:
        checker, sentences, numbers, told = arguments
        await whole(checker, sentences, numbers[:1], told)  # type: ignore[arg-type, index]
        raise KeyboardInterrupt

    monkeypatch.setattr(checking, "check_sentences", interrupted)
    assert check_text(monkeypatch, file, "--kg", world.kg, "--web", world.web) == 1
    assert "4 sentences, 1 checked, 1 Refuted, 1 not reached" in capsys.readouterr().out


def test_wrong_use_is_one_line(file: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert check_text(monkeypatch, "/nowhere.txt") == 2
    assert "there is no file" in capsys.readouterr().err
    assert check_text(monkeypatch, file, "--report", "report.pdf") == 2
    assert "must end with .html, .md, .json" in capsys.readouterr().err
    assert check_text(monkeypatch, file, "--kg", "/nowhere", "--report", "/nowhere/report.html") == 2
    assert "there is no folder /nowhere" in " ".join(capsys.readouterr().err.split())


def test_what_was_found_is_shown_and_written_though_one_report_cannot_be(
    file: str, world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "folder.md").mkdir()
    reports = ["--report", str(tmp_path / "folder.md"), "--report", str(tmp_path / "report.json")]

    assert check_text(monkeypatch, file, "--kg", world.kg, "--web", world.web, *reports) == 2

    shown = capsys.readouterr()
    assert "4 sentences, 2 checked" in shown.out
    assert "cannot be written" in shown.err
    assert len(json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))["sentences"]) == 4


def test_a_model_finds_the_claims_and_where_it_is_not_there_rules_do(
    file: str, world: World, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], unused_address: str
) -> None:
    monkeypatch.setenv("WKGFC_LLM_URL", unused_address)
    monkeypatch.setenv("WKGFC_ATTEMPTS", "1")
    options = ["--kg", world.kg, "--web", world.web, "--reasoner", "embedded, claims=vllm:small"]

    assert check_text(monkeypatch, file, *options, "--list") == 0

    shown = capsys.readouterr().out
    assert "1. Ada Verne was born in Turin." in shown
    assert "4 sentences from 1 on read by rule: vllm:small gave no answer" in shown


@pytest.fixture
def unused_address() -> str:
    """An address of this machine that nothing listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{free.getsockname()[1]}/v1"
