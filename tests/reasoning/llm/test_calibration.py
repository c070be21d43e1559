"""A calibration changes how sure a model's verdict is, never the verdict, and holds for whom it was fitted to alone."""

from pathlib import Path
from typing import Any

import pytest

from obedient_model import obedient
from scripted import ListGraph, judgement, triple
from scripted_model import ScriptedModel
from wkgfc.checker import FactChecker
from wkgfc.claim import Veracity
from wkgfc.config import load_settings
from wkgfc.errors import NotConfigured
from wkgfc.network import Network
from wkgfc.reasoning.llm.calibration import (
    FILE,
    Calibration,
    Quality,
    name_of,
    read_calibration,
    tempered,
    write_calibration,
)
from wkgfc.reasoning.llm.hybrid import read_choice
from wkgfc.reasoning.llm.policy import policy_with, read_policy
from wkgfc.reasoning.opening import open_reasoner

QUALITY = Quality(log_loss=0.9, brier=0.2, calibration_error=0.1)


def fitted(reasoner: str, temperature: float = 2.0, votes: int = 1) -> Calibration:
    return Calibration(
        temperature=temperature, reasoner=reasoner, votes=votes, claims=120, before=QUALITY, after=QUALITY
    )


def test_a_higher_temperature_is_less_sure_of_the_same_verdict() -> None:
    sure = judgement(Veracity.REFUTED, "K1", confidence=0.9)
    surest, milder = tempered(sure, 0.5), tempered(sure, 2.0)
    assert (surest.veracity, milder.veracity) == (Veracity.REFUTED, Veracity.REFUTED)
    assert surest.confidence > sure.confidence > milder.confidence
    assert sum(milder.probabilities.values()) == pytest.approx(1.0)
    assert milder.confidence == milder.probabilities[Veracity.REFUTED]
    assert tempered(sure, 1.0).probabilities == pytest.approx(sure.probabilities)


def test_a_check_is_as_sure_as_the_calibration_says_and_its_version_tells() -> None:
    graph, model = ListGraph([triple("Alpha", "P1", "Delta")]), ScriptedModel(otherwise=obedient())
    plain, calibrated = (
        FactChecker(load_settings(web="none", hops=1), graph=graph, reasoner=reasoner).check("Alpha leads to Delta.")
        for reasoner in (model.reasoner(), model.reasoner(calibration=fitted("any")))
    )
    assert calibrated.veracity is plain.veracity is Veracity.SUPPORTED
    assert plain.confidence is not None
    assert calibrated.confidence is not None
    assert 0.25 < calibrated.confidence < plain.confidence
    assert calibrated.policy == f"{plain.policy}.t2"


def test_other_prompts_are_not_calibrated() -> None:
    reasoner = ScriptedModel(otherwise=obedient()).reasoner(calibration=fitted("any"))
    assert reasoner.with_policy(policy_with({})).policy == read_policy().version


def opened(folder: Path, choice: str = "vllm:tiny, select=embedded", **settings: Any) -> str:
    loaded = load_settings(reasoner=choice, policy=folder, **settings)
    return open_reasoner(loaded, read_choice(choice), Network(loaded).models).policy


def test_it_holds_for_whom_it_was_fitted_to_alone(tmp_path: Path) -> None:
    version = read_policy().version
    plain = open_reasoner(load_settings(), read_choice("vllm:tiny, select=embedded"), Network(load_settings()).models)
    write_calibration(fitted(name_of(plain.name, plain.policy)), tmp_path)
    assert opened(tmp_path) == plain.policy.replace(version, f"{version}.t2")
    for choice, settings in (
        ("vllm:large, select=embedded", {}),
        ("vllm:tiny", {}),
        ("vllm:tiny, select=embedded", {"votes": 3}),
        ("vllm:tiny, select=embedded", {"mode": "debate"}),
    ):
        with pytest.raises(NotConfigured, match="fit it anew with 'wkgfc optimize confidence', or delete the file"):
            opened(tmp_path, choice, **settings)
    assert ".t2" not in opened(tmp_path, "vllm:tiny, judge=embedded")  # whose judge is another: nothing is calibrated
    prompt = (Path(__file__).parents[3] / "src/wkgfc/reasoning/llm/prompts/judge.md").read_text(encoding="utf-8")
    (tmp_path / "judge.md").write_text(prompt.replace("# Question", "Be brief.\n# Question"), encoding="utf-8")
    with pytest.raises(NotConfigured, match="fit it anew"):
        opened(tmp_path)


def test_the_folder_of_a_model_file_does_not_matter() -> None:
    assert name_of("local:/models/a b/tiny.gguf", "llm-1") == "local:tiny.gguf llm-1"
    assert name_of("debate(local:sub/tiny.gguf, select=embedded)", "llm-1") == (
        "debate(local:tiny.gguf, select=embedded) llm-1"
    )
    assert name_of("openrouter:maker/model", "llm-1") == "openrouter:maker/model llm-1"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "Invalid JSON"),
        ("[1, 2]", "cannot be used: Input should be an object"),
        ('{"temperature": 0}', "temperature: Input should be greater"),
        ('{"temperature": 1e400}', "cannot be used"),
        ('{"temperature": NaN}', "cannot be used"),
        ('{"temperature": 1.5}', "reasoner: Field required"),
        ("x" * 100_001, "more than 100,000 bytes"),
    ],
)
def test_a_file_that_cannot_be_used_is_named(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / FILE).write_text(text, encoding="utf-8")
    with pytest.raises(NotConfigured, match=said):
        read_calibration(tmp_path)


def test_a_folder_without_one_has_none(tmp_path: Path) -> None:
    assert read_calibration(None) is None
    assert read_calibration(tmp_path) is None
    path = write_calibration(fitted("a b"), tmp_path / "new")
    assert read_calibration(path.parent) == fitted("a b")
