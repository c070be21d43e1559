"""``wkgfc models`` and the reasoners of ``wkgfc doctor``: what could judge here, and what the others lack."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from wkgfc.cli.main import run
from wkgfc.config import load_settings
from wkgfc.reasoning.llm import inventory
from wkgfc.reasoning.llm.inventory import look_at, offered
from wkgfc.reasoning.llm.models import VENDORS

KEY = "sk-live-4f9aQwErTy-4f9aQwErTy"


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A file in the models folder that begins as a model does."""
    path = tmp_path / "data" / "models" / "tiny [q4].gguf"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"GGUF" + bytes(100_000))
    return path


def listed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    monkeypatch.setattr(sys, "argv", ["wkgfc", *arguments])
    with pytest.raises(SystemExit):
        run()
    return capsys.readouterr().out


def test_everything_that_could_judge_has_its_word(
    model: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.setattr("wkgfc.reasoning.llm.local.find_spec", lambda name: object())
    monkeypatch.setattr(inventory, "PACKAGES", {"llm": "pydantic", "local": "pydantic"})
    out = json.loads(listed(monkeypatch, capsys, "models", "--json"))
    words = {each["word"]: (each["is_ready"], each["text"]) for each in out["reasoners"]}
    assert list(words) == ["embedded", f"local:{model.name}", *(f"{vendor}:MODEL" for vendor in VENDORS)]
    assert words[f"local:{model.name}"] == (True, f"0.0 GB, {model}")
    assert words["anthropic:MODEL"] == (True, "ANTHROPIC_API_KEY set")
    assert words["openai:MODEL"] == (False, "OPENAI_API_KEY not set")
    assert words["openai-compatible:MODEL"] == (False, "WKGFC_LLM_URL not set")
    assert out["chosen"] == "embedded"
    assert KEY not in json.dumps(out)
    text = listed(monkeypatch, capsys, "models")
    assert "local:tiny [q4].gguf" in " ".join(text.split())
    assert KEY not in text


def test_a_file_that_cannot_run_says_why(model: Path) -> None:
    model.write_bytes(b"no model")
    (found,) = [each for each in offered(load_settings()) if each.word.startswith("local:")]
    assert not found.is_ready
    assert "is no GGUF file" in found.text


def test_what_the_settings_choose_is_listed_wherever_it_is(tmp_path: Path) -> None:
    settings = load_settings(reasoner=f"local:{tmp_path / 'gone.gguf'}, grade=embedded")
    (found,) = [each for each in offered(settings) if each.word.startswith("local:")]
    assert "there is no model" in found.text


def test_packages_that_are_missing_are_named_with_their_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setattr(inventory, "PACKAGES", {"llm": "no-such-package-of-the-tests"})
    assert not look_at("openai:gpt-4o", load_settings()).is_ready
    assert "pip install 'wkgfc[llm]'" in look_at("openai:gpt-4o", load_settings()).text


@pytest.mark.parametrize("word", ["nobody:x", "openai:", "gpt-4o", ""])
def test_a_word_for_nobody(word: str) -> None:
    assert not look_at(word, load_settings()).is_ready


def test_the_doctor_looks_at_the_chosen_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("wkgfc.cli.doctor._verifier", lambda settings: "answers")
    given = ("doctor", "--kg", "none", "--web", "none", "--reasoner")
    assert "fail reasoner openai:gpt-4o: OPENAI_API_KEY not set" in listed(
        monkeypatch, capsys, *given, "openai:gpt-4o, grade=embedded"
    )
    assert "fail reasoner: --reasoner" in listed(monkeypatch, capsys, *given, "grade=embedded")


def test_the_list_loads_no_library_of_a_vendor() -> None:
    program = "from wkgfc.cli.models import models; models(as_json=True); import sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.rpartition("}")[2].split())
    assert "wkgfc.config" in loaded
    assert not loaded & {"openai", "anthropic", "google.genai", "pydantic_ai", "xllamacpp", "spacy", "onnxruntime"}
