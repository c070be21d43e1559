"""``wkgfc optimize embedded``: a folder that --policy takes, gone on with after a stop."""

import json
import sys
from pathlib import Path

import pytest

from small_world import World, write_claims
from wkgfc.cli.main import run


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
    for figure in ("held out", "test", "forced balanced accuracy", "KG queries", "searches", "retrievals"):
        assert figure in shown
    origin = json.loads((out / "policy.json").read_text(encoding="utf-8"))
    assert origin["figures"].keys() == {"fitted on", "held out", "test"}

    explored = (out / "explored.jsonl").read_bytes()
    assert len(explored.splitlines()) == 6
    (out / "explored.jsonl").write_bytes(explored[:-40])  # a line that a kill tore
    (out / "policy.json").unlink()
    assert call(monkeypatch, *command) == 0
    again = (out / "explored.jsonl").read_bytes().splitlines()
    assert again[:5] == explored.splitlines()[:5]
    assert len(again) == 6
    assert json.loads((out / "policy.json").read_text(encoding="utf-8")) == origin
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
    assert call(monkeypatch, *learn, "--claims", same, "--test", same) == 2
    assert "two claims have the id 'c1'" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_prompts_are_improved_and_the_folder_is_a_policy(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
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
    command = ["optimize", "prompts", "--claims", str(claims), "--reasoner", "vllm:tiny", "--kg", "none",
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


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--reasoner", "embedded"], "name one model"),
        (["--reasoner", "vllm:tiny, grade=embedded"], "name one model"),
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
