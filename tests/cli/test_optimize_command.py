"""``wkgfc optimize``: folders that --policy takes; what is learned is gone on with after a stop."""

import json
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from small_world import World, write_claims
from wkgfc.cli.main import run
from wkgfc.optimize.prompts import shipped_prompt
from wkgfc.reasoning.llm.calibration import read_calibration
from wkgfc.reasoning.llm.policy import read_policy


def call(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["wkgfc", *arguments])
    monkeypatch.setenv("COLUMNS", "200")
    try:
        run()
    except SystemExit as exit_:
        return int(exit_.code or 0)
    return 0


def test_a_policy_is_learned_resumed_and_used(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    sources, out = ["--kg", world.kg, "--web", world.web], tmp_path / "learned"
    test = write_claims(
        tmp_path / "more.jsonl", [{"id": "m1", "claim": "Ada Verne was a chemist.", "label": "SUPPORTS"}]
    )
    command = ["optimize", "embedded", "--claims", str(world.folder / "fever_val.jsonl"), *sources, "--test", str(test),
               "--out", str(out)]  # fmt: skip
    assert call(monkeypatch, *command) == 0
    shown = capsys.readouterr().out
    for figure in ("held out", "test", "forced balanced accuracy", "KG queries", "searches", "steps"):
        assert figure in shown
    origin = json.loads((out / "policy.json").read_text(encoding="utf-8"))
    assert origin["more"]["figures"].keys() == {"fitted on", "held out", "test, more"}
    assert (origin["kind"], origin["parent"], origin["claims"]) == ("embedded", "built-in", {"fever_val": 5})
    assert origin["validation"]["low"] <= origin["validation"]["reward"] <= origin["validation"]["high"]

    explored = (out / "explored.jsonl").read_bytes()
    assert len(explored.splitlines()) == 6
    (out / "explored.jsonl").write_bytes(explored[:-40])  # a line that a kill tore
    (out / "policy.json").unlink()
    assert call(monkeypatch, *command) == 0
    again = (out / "explored.jsonl").read_bytes().splitlines()
    assert again[:5] == explored.splitlines()[:5]
    assert len(again) == 6
    written = json.loads((out / "policy.json").read_text(encoding="utf-8"))
    assert {**written, "made_at": None} == {**origin, "made_at": None}
    capsys.readouterr()

    (out / "embedded.json").write_text('{"steering": {"max_searches": 0}}', encoding="utf-8")
    check = ["check", *sources, "--policy", str(out), "--json", "Bo Lind had a cat."]
    assert call(monkeypatch, *check) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["usage"]["web_searches"] == 0
    assert "." in result["policy"].split("+")[0]

    assert call(monkeypatch, *command, "--seed", "5") == 2
    assert "has another run" in capsys.readouterr().err


def test_claims_that_cannot_be_learned_from_begin_nothing(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    few = write_claims(tmp_path / "few.jsonl", [{"id": "m1", "claim": "Ada Verne was a chemist.", "label": "SUPPORTS"}])
    learn = ["optimize", "embedded", "--kg", world.kg, "--web", world.web, "--out", str(tmp_path / "out")]
    assert call(monkeypatch, *learn, "--claims", str(few)) == 2
    assert "too few to learn from" in capsys.readouterr().err
    same = str(world.folder / "fever_val.jsonl")
    assert call(monkeypatch, *learn, "--claims", same, "--test", same) == 2  # all of them are tested
    assert "0 claims with labels" in capsys.readouterr().err
    assert call(monkeypatch, *learn, "--claims", same, "--claims", same) == 2
    assert "two files are called 'fever_val'" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("optimizer", ["own", "textgrad"])
def test_prompts_are_improved_and_the_folder_is_a_policy(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], optimizer: str
) -> None:
    if optimizer == "textgrad" and find_spec("textgrad") is None:
        pytest.skip("TextGrad is not installed: pip install 'wkgfc[textgrad]'")
    from searching_model import PAGE, SENTENCE, searching_model
    from wkgfc.reasoning.llm import opening
    from wkgfc.web.corpus import build_corpus

    archive = write_claims(
        tmp_path / "pages.jsonl", [{"title": "Ada Verne", "text": PAGE, "url": "https://a.example/1"}]
    )
    build_corpus(archive, tmp_path / "index", name="pages")
    model = searching_model()
    monkeypatch.setattr(opening, "open_llm_reasoner", lambda *_: model.reasoner())
    monkeypatch.setattr(opening, "open_asking", lambda *_: model.asking())
    claims = write_claims(
        tmp_path / "claims.jsonl",
        [{"id": f"p{n}", "claim": f"The mill bought {n} dyes.", "label": "SUPPORTS"} for n in range(12)],
    )
    command = ["optimize", "prompts", "--claims", str(claims), "--optimizer", optimizer, "--kg", "none",
               "--reasoner", "vllm:tiny, select=embedded, extract=embedded",
               "--web", str(tmp_path / "index"), "--train", "3", "--validation", "2", "--epochs", "1", "--batch", "2",
               "--out", str(tmp_path / "learned")]  # fmt: skip
    assert call(monkeypatch, *command) == 0
    shown = capsys.readouterr()
    assert "candidate 0, as they ship: reward" in shown.err
    assert "candidate 1 of decide, from 0: reward" in shown.err
    assert "best: candidate 1 of" in shown.out
    assert SENTENCE in (tmp_path / "learned" / "decide.md").read_text(encoding="utf-8")
    asked = len(model.asked)
    assert call(monkeypatch, *command) == 0
    assert len(model.asked) == asked  # all of it was in the journal
    capsys.readouterr()
    build_corpus(archive, tmp_path / "other", name="other pages")
    other_claims = write_claims(
        tmp_path / "other.jsonl",
        [{"id": f"p{n}", "claim": f"The mill sold {n} dyes.", "label": "SUPPORTS"} for n in range(12)],
    )
    for option, value, differing in (
        ("--reasoner", "vllm:large, select=embedded, extract=embedded", "reasoner"),
        ("--web", str(tmp_path / "other"), "web"),
        ("--claims", str(other_claims), "claims"),
    ):
        place = command.index(option) + 1
        assert call(monkeypatch, *command[:place], value, *command[place + 1 :]) == 2
        assert f"another run, or one of another version ({differing})" in " ".join(capsys.readouterr().err.split())
    with monkeypatch.context() as patched:
        patched.setenv("WKGFC_VOTES", "3")
        assert call(patched, *command) == 2
    assert "(votes)" in capsys.readouterr().err
    monkeypatch.setenv("WKGFC_RUN_MAX_STEPS", "2")
    assert call(monkeypatch, *command[:-1], str(tmp_path / "limited")) == 0
    shown = capsys.readouterr()
    assert "best: candidate 0 of 0; ended by the run's limit" in shown.out
    assert "the same command goes on" in shown.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--reasoner", "embedded"], "name one model"),
        (["--reasoner", "vllm:tiny, grade=openai:gpt-4o"], "name one model"),
        (["--reasoner", "vllm:tiny"], "claims for validation, not 50"),
    ],
)
def test_prompts_of_nobody_or_too_few_claims_begin_nothing(
    world: World,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    said: str,
) -> None:
    claims = str(world.folder / "fever_val.jsonl")
    assert call(monkeypatch, "optimize", "prompts", "--claims", claims, "--out", str(tmp_path / "p"), *arguments) == 2
    assert said in capsys.readouterr().err
    assert not (tmp_path / "p").exists()


def test_the_confidence_of_a_model_is_fitted_from_its_runs(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "run"
    sources = ["--kg", world.kg, "--web", world.web]
    claims = str(world.folder / "fever_val.jsonl")
    assert call(monkeypatch, "evaluate", "run", "--claims", claims, *sources, "--out", str(folder)) == 0
    fit = ["optimize", "confidence", str(folder), "--out", str(tmp_path / "calibrated")]
    assert call(monkeypatch, *fit) == 2
    assert "does not judge by a language model" in capsys.readouterr().err

    def checked_by_a_model(number: int, veracity: str, label: str) -> str:
        record = json.loads((folder / "results.jsonl").read_text(encoding="utf-8").splitlines()[0])
        sure = {each: 0.97 if each == veracity else 0.01 for each in record["result"]["probabilities"]}
        record["result"] |= {"veracity": veracity, "probabilities": sure, "confidence": 0.97}
        for each in record["result"]["sources"]:
            if each["role"] == "reasoner":
                each |= {"name": "vllm:tiny", "version": read_policy().version}
        return json.dumps(record | {"id": f"m{number}", "gold": label}) + "\n"

    said = [("Supported", "Supported" if number % 5 < 3 else "Refuted") for number in range(60)]  # 0.97 sure, 0.6 right
    lines = [checked_by_a_model(number, *pair) for number, pair in enumerate(said)]
    (folder / "results.jsonl").write_text("".join(lines), encoding="utf-8")
    assert call(monkeypatch, *fit) == 0
    shown = capsys.readouterr().out
    assert "log loss" in shown
    assert "for vllm:tiny llm-" in shown
    found = read_calibration(tmp_path / "calibrated")
    assert found is not None
    assert found.temperature > 1.5
    assert found.after.calibration_error < found.before.calibration_error
    prompt = shipped_prompt("judge").replace("# Question", "Be brief.\n# Question")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "judge.md").write_text(prompt, encoding="utf-8")
    assert call(monkeypatch, *fit[:-1], str(tmp_path / "other")) == 2
    assert "has other prompts than the runs" in capsys.readouterr().err
    description = (folder / "cell.json").read_text(encoding="utf-8")
    (folder / "cell.json").write_text(json.dumps(json.loads(description) | {"settings": {}}), encoding="utf-8")
    assert call(monkeypatch, *fit) == 2
    assert "do not say for how many" in capsys.readouterr().err
    (folder / "cell.json").write_text(description, encoding="utf-8")
    honest = [checked_by_a_model(number, "Supported", "Supported") for number in range(60)]
    (folder / "results.jsonl").write_text("".join(honest), encoding="utf-8")
    assert call(monkeypatch, *fit[:-1], str(tmp_path / "surer")) == 0
    surer = read_calibration(tmp_path / "surer")
    assert surer is not None
    assert surer.temperature < 1.0
