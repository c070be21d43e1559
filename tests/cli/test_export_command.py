"""``wkgfc export``: from a result in a file or a pipe to a form on standard output or in a file."""

import io
import json
import sys
from pathlib import Path

import pytest

from test_result import example
from wkgfc.cli.main import run


def export(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["wkgfc", "export", *arguments])
    with pytest.raises(SystemExit) as stop:
        run()
    return int(stop.value.code or 0)


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "result.json"
    path.write_text(json.dumps(example().to_json(trace=True)), encoding="utf-8")
    return str(path)


def test_a_form_is_printed(file: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert export(monkeypatch, file, "--as", "mermaid") == 0
    assert capsys.readouterr().out.startswith("flowchart LR\n")


def test_from_a_pipe_to_a_file(
    file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(Path(file).read_bytes())))
    out = tmp_path / "out.graphml"

    assert export(monkeypatch, "-", "--as", "graphml", "--out", str(out)) == 0
    assert "<graphml" in out.read_text(encoding="utf-8")
    assert capsys.readouterr().out == ""


def test_the_publisher_is_a_setting(
    file: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert export(monkeypatch, file, "--as", "claimreview") == 1
    assert "set publisher_name" in capsys.readouterr().err

    monkeypatch.setenv("WKGFC_PUBLISHER_NAME", "The Desk")
    monkeypatch.setenv("WKGFC_PUBLISHER_URL", "https://desk.example")
    assert export(monkeypatch, file, "--as", "claimreview", "--url", "https://desk.example/1") == 0
    assert json.loads(capsys.readouterr().out)["url"] == "https://desk.example/1"


def test_an_error_does_not_steer_the_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = example().to_json() | {"probabilities": {"\x1b[31m": 1.0}}
    path = tmp_path / "result.json"
    path.write_text(json.dumps(wrong), encoding="utf-8")

    assert export(monkeypatch, str(path), "--as", "citations") == 2
    assert "\x1b" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "form", "says"),
    [
        ("not json", "mermaid", "is no result of 'wkgfc check --json'"),
        ('{"claim": 1}', "mermaid", "is no result of 'wkgfc check --json'"),
        ("{}", "pdf", "there is no form 'pdf'"),
    ],
)
def test_wrong_use_is_one_line(
    content: str,
    form: str,
    says: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "x.json"
    path.write_text(content, encoding="utf-8")

    assert export(monkeypatch, str(path), "--as", form) == 2
    assert says in capsys.readouterr().err
