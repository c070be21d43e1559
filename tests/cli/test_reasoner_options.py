"""``--reasoner`` and ``--policy``: what is wrong with them is one line, said before anything is built."""

import sys
from pathlib import Path

import pytest

from wkgfc.cli.main import run


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--reasoner", "openai:gpt-4o"], "needs OPENAI_API_KEY"),
        (["--reasoner", "gpt-4o"], "there is no reasoner 'gpt-4o'"),
        (["--reasoner", "embedded, verdict=openai:x"], "the judgements are screen, relations"),
        (["--reasoner", "embedded, judge=openai:x"], "--reasoner openai:x needs OPENAI_API_KEY"),
        (["--policy", "nowhere"], "there is no policy folder nowhere"),
        (["--reasoner", "ollama:x", "--policy", "nowhere"], "there is no policy folder nowhere"),
        (["--reasoner", "local:nowhere.gguf"], "there is no model nowhere.gguf"),
    ],
)
def test_what_is_wrong_is_one_line(
    arguments: list[str], said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["wkgfc", "check", *arguments, "Nepal borders China."])
    with pytest.raises(SystemExit) as status:
        run()
    assert status.value.code == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert said in line
    assert not (tmp_path / "data").exists()
