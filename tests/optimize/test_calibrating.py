"""A temperature that is fitted to a model's verdicts, and what it is worth on claims held out."""

import numpy as np
import pytest

from small_episodes import good
from wkgfc.claim import Veracity
from wkgfc.errors import BadInput
from wkgfc.optimize.calibrating import LEAST_CLAIMS, calibrate, fit_temperature
from wkgfc.optimize.episodes import Episode
from wkgfc.reasoning.llm.calibration import at_temperature
from wkgfc.result import SourceVersion

LABELS = [Veracity.SUPPORTED, Veracity.REFUTED, Veracity.NOT_ENOUGH_EVIDENCE]


def checked(
    number: int, said: dict[Veracity, float], gold: Veracity, *, name: str = "openai:gpt-4o", policy: str = "llm-0a1b2c"
) -> Episode:
    """A check that states the likeliest veracity of ``said``."""
    made = good(gold=gold, claim_id=f"c{number}")
    veracity = max(said, key=said.__getitem__)
    source = SourceVersion(role="reasoner", name=name, version=policy)
    changes = {"veracity": veracity, "probabilities": said, "confidence": said[veracity], "sources": (source,)}
    return made.model_copy(update={"result": made.result.model_copy(update=changes)})


def episodes(number: int, *, temperature: float) -> list[Episode]:
    """Checks whose probabilities would be right at this temperature: the labels are drawn by them."""
    draws = np.random.default_rng(7)
    made = []
    for index in range(number):
        said = dict(zip(LABELS, draws.dirichlet([0.4, 0.4, 0.4]).tolist(), strict=True)) | {
            Veracity.CONFLICTING_EVIDENCE: 0.0
        }
        true = at_temperature(said, temperature)
        gold = LABELS[int(draws.choice(3, p=[true[label] for label in LABELS]))]
        made.append(checked(index, said, gold))
    return made


@pytest.mark.parametrize("temperature", [0.5, 1.0, 2.5])
def test_the_temperature_that_the_labels_were_drawn_by_is_found(temperature: float) -> None:
    assert fit_temperature(episodes(1_500, temperature=temperature)) == pytest.approx(temperature, rel=0.12)


def test_an_overconfident_model_becomes_honest_on_claims_held_out() -> None:
    found = calibrate(episodes(300, temperature=2.5), votes=3)
    assert found.temperature > 1.5
    assert found.after.log_loss < found.before.log_loss
    assert found.after.calibration_error < found.before.calibration_error
    assert (found.reasoner, found.votes, found.claims) == ("openai:gpt-4o llm-0a1b2c", 3, 300)


def test_one_that_is_honest_gains_nothing() -> None:
    found = calibrate(episodes(300, temperature=1.0), votes=1)
    assert found.temperature == pytest.approx(1.0, abs=0.25)
    assert found.after.log_loss == pytest.approx(found.before.log_loss, abs=0.02)


def test_a_claim_counts_once_and_one_without_a_verdict_not_at_all() -> None:
    made = episodes(60, temperature=2.0)
    failed = good(said=None, claim_id="failed")
    assert calibrate([*made, *made, failed], votes=1) == calibrate(made, votes=1)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"name": "embedded", "policy": "embedded-12"}, "does not judge by a language model"),
        ({"name": "openai:gpt-4o, judge=embedded"}, "does not judge by a language model"),
        ({"name": "debate(openai:gpt-4o, judge=embedded)"}, "does not judge by a language model"),
        ({"policy": "llm-0a1b2c.t1.4"}, "is calibrated already"),
    ],
)
def test_other_reasoners_are_refused(change: dict[str, str], said: str) -> None:
    likely = {Veracity.SUPPORTED: 0.7, Veracity.REFUTED: 0.3}
    with pytest.raises(BadInput, match=said):
        calibrate([checked(number, likely, Veracity.SUPPORTED, **change) for number in range(60)], votes=1)


def test_too_few_claims_and_several_reasoners_are_refused() -> None:
    made = episodes(LEAST_CLAIMS - 1, temperature=2.0)
    with pytest.raises(BadInput, match="needs 50 claims with a label and a verdict; here are 49"):
        calibrate(made, votes=1)
    other = checked(99, {Veracity.SUPPORTED: 1.0}, Veracity.SUPPORTED, name="openai:gpt-4o-mini")
    with pytest.raises(BadInput, match=r"of several reasoners \(openai:gpt-4o llm-0a1b2c; openai:gpt-4o-mini llm"):
        calibrate([*made, other], votes=1)
    with pytest.raises(BadInput, match="here are 0"):
        calibrate([], votes=1)
