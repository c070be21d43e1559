"""The answers that the pages show are those that a reader gets over the embedded default."""

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from shown_commands import PAGES, Shown, shown_answers
from wkgfc.checker import FactChecker
from wkgfc.cli.main import app

ANSWERS = [
    pytest.param(command, answer, id=f"{page} {command}")
    for page, text in PAGES.items()
    for command, answer in shown_answers(text)
]


def test_there_are_some() -> None:
    assert len(ANSWERS) >= 2


@pytest.mark.parametrize(("command", "answer"), ANSWERS)
def test_the_answer_is_the_one_shown(
    command: Shown,
    answer: str,
    embedded_data: Path,
    embedded_checker: FactChecker,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert embedded_checker.open()  # it has built what the command opens
    monkeypatch.setenv("WKGFC_DATA_DIR", str(embedded_data))
    monkeypatch.setenv("COLUMNS", "160")

    done = CliRunner().invoke(app, command.words)

    assert done.exit_code == 0, done.output
    assert words_of(done.stderr + done.stdout) == words_of(answer)


def words_of(output: str) -> list[str]:
    """The words, less how long it took."""
    return re.sub(r"\d+\.\d\d s · ", "", output).split()
