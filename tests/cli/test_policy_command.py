"""``wkgfc policy``: which is used, where it came from, what it changes; 'use' writes one line of the settings file."""

import datetime as dt
import json
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from wkgfc.cli.main import run
from wkgfc.config import load_settings
from wkgfc.errors import NotConfigured
from wkgfc.optimize.choosing import choose
from wkgfc.optimize.origins import Origin, Validation, prompts_digest, write_origin
from wkgfc.optimize.prompts import shipped_prompt
from wkgfc.reasoning.embedded.policy import EmbeddedPolicy, write_embedded_policy
from wkgfc.reasoning.llm.calibration import Calibration, Quality, write_calibration

MADE = dt.datetime(2026, 5, 4, 12, 30, tzinfo=dt.UTC)
SENTENCE = "Search once before you conclude."


@pytest.fixture(autouse=True)
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "settings" / "config.toml"
    monkeypatch.setenv("WKGFC_CONFIG", str(path))
    monkeypatch.setenv("WKGFC_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("COLUMNS", "300")
    monkeypatch.chdir(tmp_path)
    return path


def origin_of(kind: Any, content: str, **more: Any) -> Origin:
    return Origin(
        kind=kind,
        content=content,
        optimizer="coordinate search",
        parent="built-in",
        made_at=MADE,
        claims={"fever_dev": 400},
        seed=3,
        weights={"correctness": 0.5},
        validation=Validation(n=160, before=0.7, reward=0.75, low=0.72, high=0.78),
        more=more,
    )


@pytest.fixture
def parameters(tmp_path: Path) -> Path:
    """A policy of the embedded reasoner."""
    policy = EmbeddedPolicy().having({"steering": {"max_searches": 1}, "verdict": {"sufficient": 0.85}})
    write_embedded_policy(policy, tmp_path / "parameters")
    figure = {"before": 2.0, "after": 1.0, "difference": -1.0, "low": -1.2, "high": -0.8}
    figures = {"held out": {"n": 160, "searches": figure}}
    write_origin(origin_of("embedded", policy.mark, figures=figures), tmp_path / "parameters")
    return tmp_path / "parameters"


@pytest.fixture
def prompts(tmp_path: Path) -> Path:
    """A policy of prompts."""
    folder = tmp_path / "prompts"
    folder.mkdir()
    text = shipped_prompt("decide").replace("# Question", f"{SENTENCE}\n# Question")
    (folder / "decide.md").write_text(text, encoding="utf-8")
    candidates = [
        {"number": 0, "reward": 0.7, "low": 0.6, "high": 0.8},
        {"number": 1, "parent": 0, "judgement": "decide", "kind": "premature_stop", "rejected": "it is empty"},
        {"number": 2, "parent": 0, "judgement": "decide", "reward": 0.75, "low": 0.7, "high": 0.8},
    ]  # fmt: skip
    content = prompts_digest({"decide": text})
    write_origin(origin_of("prompts", content, best=2, candidates=candidates, sets=["fever_dev"]), folder)
    return folder


def call(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["wkgfc", "policy", *arguments])
    try:
        run()
    except SystemExit as exit_:
        return int(exit_.code or 0)
    return 0


def test_the_list_has_the_one_in_use_first_and_says_where_each_came_from(
    parameters: Path, prompts: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(monkeypatch, "use", "parameters") == 0
    assert f"used from now on: {parameters}" in capsys.readouterr().out
    assert call(monkeypatch, "list") == 0
    _, first, *others = capsys.readouterr().out.splitlines()
    for said in ("yes", str(parameters), "embedded", "2026-05-04 by coordinate search", "built-in; 400 fever_dev",
                 "0.7000 → 0.7500 (0.7200 to 0.7800) on 160 claims"):  # fmt: skip
        assert said in first
    assert [line.split()[0] for line in others] == ["built-in", "prompts"]
    assert call(monkeypatch, "list", "--json") == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [each["is_used"] for each in found] == [True, False, False]
    assert found[0]["parameters"] == {"verdict": {"sufficient": 0.85}, "steering": {"max_searches": 1}}
    assert found[2]["origin"]["optimizer"] == "coordinate search"


def test_show_tells_origin_figures_and_changes(
    parameters: Path, prompts: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(monkeypatch, "show", "parameters") == 0
    shown = capsys.readouterr().out
    for said in ("not used", "made 2026-05-04 12:30 UTC by coordinate search, from built-in", "seed 3",
                 "-1.000 (-1.200 to -0.800)", "steering.max_searches", "verdict.sufficient"):  # fmt: skip
        assert said in shown
    assert call(monkeypatch, "show", "prompts") == 0
    shown = capsys.readouterr().out
    assert "2 (best)" in shown
    assert "it is empty" in shown
    assert "prompts: decide" in shown
    assert "400 fever_dev of fever_dev" in shown
    assert call(monkeypatch, "show") == 0
    assert capsys.readouterr().out.startswith("built-in: embedded, prompts\nused as nothing else is set\n")
    assert call(monkeypatch, "show", "prompts", "--json") == 0
    assert SENTENCE in json.loads(capsys.readouterr().out)["prompts"]["decide"]


def test_what_was_changed_by_hand_or_says_nothing_of_itself_is_told(
    parameters: Path, prompts: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (parameters / "embedded.json").write_text('{"steering": {"max_searches": 0}}', encoding="utf-8")
    assert call(monkeypatch, "show", "parameters") == 0
    assert "it was changed since it was learned" in capsys.readouterr().out
    for text in ("not json", "{}", '{"layout": 1, "kind": "embedded"}', "[" * 100_000):
        (prompts / "policy.json").write_text(text, encoding="utf-8")
        assert call(monkeypatch, "show", "prompts") == 0
        assert "nothing says where it came from" in capsys.readouterr().out


def test_diff_shows_parameters_and_the_lines_of_prompts(
    parameters: Path, prompts: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(monkeypatch, "diff", "parameters") == 0
    assert capsys.readouterr().out.splitlines()[1].split()[0] == "verdict.sufficient"
    assert call(monkeypatch, "diff", "prompts") == 0
    shown = capsys.readouterr().out
    assert f"+{SENTENCE}" in shown
    assert shown.startswith("decide:\n--- built-in\n+++ prompts\n")
    assert call(monkeypatch, "diff", "prompts", "parameters") == 0
    shown = capsys.readouterr().out
    assert f"-{SENTENCE}" in shown
    assert "steering.max_searches" in shown
    assert call(monkeypatch, "diff", "built-in") == 0
    assert capsys.readouterr().out == "no difference\n"


def test_use_writes_its_line_and_leaves_the_others(
    parameters: Path, prompts: Path, file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file.parent.mkdir()
    before = '# mine\nkg = "none"  # for now\nopenai_api_key = "geheim"\n'
    file.write_text(before, encoding="utf-8")
    file.chmod(0o600)
    assert call(monkeypatch, "use", "parameters") == 0
    assert file.read_text(encoding="utf-8") == f"policy = {json.dumps(str(parameters))}\n{before}"
    assert file.stat().st_mode & 0o777 == 0o600
    assert load_settings().policy == parameters
    assert "geheim" not in capsys.readouterr().out
    assert call(monkeypatch, "use", "prompts") == 0
    assert load_settings().policy == prompts
    assert "the reasoner that is set (embedded) cannot use it" in capsys.readouterr().out
    assert call(monkeypatch, "use", "built-in") == 0
    assert file.read_text(encoding="utf-8") == before
    assert load_settings().policy is None
    monkeypatch.setenv("WKGFC_POLICY", str(prompts))
    assert call(monkeypatch, "use", "parameters") == 0
    assert "WKGFC_POLICY is set, which goes before it" in capsys.readouterr().out
    assert [each.name for each in file.parent.iterdir()] == ["config.toml"]


@pytest.mark.parametrize(
    "text",
    [
        'note = """\npolicy = "in a text"\n"""\n',
        'policy = """\nover\nlines"""\n',
        "policy = [\n1]\n",
        'a.b = 1\n"policy" = "quoted"\n',
    ],
)
def test_a_settings_file_that_cannot_be_changed_safely_is_left_alone(tmp_path: Path, file: Path, text: str) -> None:
    file.parent.mkdir()
    file.write_text(text, encoding="utf-8")
    with pytest.raises(NotConfigured, match="open it and write policy = "):
        choose(tmp_path)
    assert file.read_text(encoding="utf-8") == text


def test_a_policy_of_another_table_is_not_ours(tmp_path: Path, file: Path) -> None:
    file.parent.mkdir()
    file.write_text('[table]\npolicy = "of the table"\n', encoding="utf-8")
    choose(tmp_path)
    said = tomllib.loads(file.read_text(encoding="utf-8"))
    assert said == {"policy": str(tmp_path), "table": {"policy": "of the table"}}


def test_a_kill_while_it_writes_leaves_the_file_as_it_was(
    tmp_path: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.parent.mkdir()
    file.write_text('kg = "none"\n', encoding="utf-8")

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("os.fsync", killed)
    with pytest.raises(KeyboardInterrupt):
        choose(tmp_path)
    assert file.read_text(encoding="utf-8") == 'kg = "none"\n'
    assert [each.name for each in file.parent.iterdir()] == ["config.toml"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["use", "nowhere"], "nowhere is no policy"),
        (["show", "empty"], "empty is no policy"),
        (["use", "broken"], "cannot be used"),
        (["diff", "broken"], "cannot be used"),
        (["use", "unfinished"], "UNFINISHED.md is the prompt of no judgement"),
    ],
)
def test_what_cannot_be_used_is_not(
    prompts: Path,
    tmp_path: Path,
    file: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    said: str,
) -> None:
    for name in ("empty", "broken"):
        (tmp_path / name).mkdir()
    (tmp_path / "broken" / "embedded.json").write_text('{"steering": {"max_searches": "\\u001b[2J"}}', encoding="utf-8")
    prompts.rename(tmp_path / "unfinished")
    (tmp_path / "unfinished" / "UNFINISHED.md").write_text("stopped", encoding="utf-8")
    assert call(monkeypatch, *arguments) == 2
    assert said in capsys.readouterr().err
    assert not file.exists()
    assert call(monkeypatch, "list") == 0
    assert "\x1b" not in capsys.readouterr().out


def test_a_calibration_alone_is_a_policy_and_is_told_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    quality = Quality(log_loss=0.9, brier=0.2, calibration_error=0.1)
    fitted = Calibration(
        temperature=1.4, reasoner="openai:gpt-4o llm-1", votes=1, claims=120, before=quality, after=quality
    )
    write_calibration(fitted, tmp_path / "calibrated")
    assert call(monkeypatch, "show", "calibrated") == 0
    assert "calibrated for openai:gpt-4o llm-1, votes 1: temperature 1.4, from 120 claims" in capsys.readouterr().out
    assert call(monkeypatch, "show", "calibrated", "--json") == 0
    assert json.loads(capsys.readouterr().out)["calibration"]["temperature"] == 1.4
    (tmp_path / "calibrated" / "calibration.json").write_text("{", encoding="utf-8")
    assert call(monkeypatch, "show", "calibrated") == 0
    assert "it cannot be used: the calibration" in capsys.readouterr().out
