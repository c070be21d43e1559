"""Fitting what a language model's verdicts are worth: one temperature, from checks by it of claims with labels.

Source: Guo et al., "On Calibration of Modern Neural Networks", ICML 2017.
"""

import re
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from wkgfc.claim import Veracity
from wkgfc.errors import BadInput
from wkgfc.metrics import Prediction, brier_score, expected_calibration_error
from wkgfc.optimize.episodes import Episode
from wkgfc.reasoning.llm.calibration import COLDEST, FILE, HOTTEST, Calibration, Quality, at_temperature, name_of
from wkgfc.reasoning.llm.hybrid import EMBEDDED, read_choice

LEAST_CLAIMS = 50  # that a temperature is fitted on: with fewer it is noise
FOLDS = 5
TEMPERATURES = np.geomspace(COLDEST, HOTTEST, 121).round(3)
FLOOR = 1e-3  # a probability of the label below it counts as this: one claim must not decide

_CALIBRATED = re.compile(r"\bllm-[0-9a-f]+\.t\d")


def calibrate(episodes: Iterable[Episode], *, votes: int, seed: int = 0) -> Calibration:
    """Fit the temperature of one reasoner's probabilities.

    What it is worth is measured in folds: ``after`` is of claims that the temperature was not fitted on. Checks that
    ended without a verdict say nothing, and a claim that was checked twice counts once.

    Raises:
        BadInput: there are too few claims, several reasoners, or one that is calibrated already.
    """
    checked = {(each.source, each.claim_id): each for each in episodes if each.result.veracity is not None}
    kept = [checked[key] for key in sorted(checked)]
    reasoners = sorted({_reasoner_of(each) for each in kept})
    if len(reasoners) > 1:
        raise BadInput(f"the runs are of several reasoners ({'; '.join(reasoners)}): give those of one")
    for reasoner in reasoners:
        if _CALIBRATED.search(reasoner):
            raise BadInput(f"{reasoner} is calibrated already: check the claims without {FILE} in its policy")
        if not _is_judged_by_model(reasoner):
            raise BadInput(f"{reasoner} does not judge by a language model: its confidence is calibrated as it ships")
    if len(kept) < LEAST_CLAIMS:
        raise BadInput(f"a temperature needs {LEAST_CLAIMS} claims with a label and a verdict; here are {len(kept)}")
    order = np.random.default_rng(seed).permutation(len(kept))
    after: list[Prediction] = []
    for fold in range(FOLDS):
        held_out = set(order[fold::FOLDS].tolist())
        temperature = fit_temperature([each for number, each in enumerate(kept) if number not in held_out])
        after += [_prediction(kept[number], temperature) for number in sorted(held_out)]
    return Calibration(
        temperature=fit_temperature(kept),
        reasoner=reasoners[0],
        votes=votes,
        claims=len(kept),
        before=_quality([_prediction(each, 1.0) for each in kept]),
        after=_quality(after),
    )


def fit_temperature(episodes: Sequence[Episode]) -> float:
    """The temperature with the least log loss of the labels."""
    said = np.array([[each.result.probabilities.get(veracity, 0.0) for veracity in Veracity] for each in episodes])
    labels = np.array([list(Veracity).index(each.gold) for each in episodes])
    losses = []
    for temperature in TEMPERATURES:
        powers = said ** (1.0 / temperature)
        of_label = powers[np.arange(len(labels)), labels] / powers.sum(axis=1)
        losses.append(_log_loss(of_label))
    return float(TEMPERATURES[int(np.argmin(losses))])


def _log_loss(of_label: ArrayLike) -> float:
    """The mean log loss of the probabilities that the labels were given."""
    return float(-np.log(np.maximum(of_label, FLOOR)).mean())


def _is_judged_by_model(reasoner: str) -> bool:
    choice = read_choice(reasoner.rpartition(" ")[0].removeprefix("debate(").removesuffix(")"))
    return choice.others.get("judge", choice.main) != EMBEDDED


def _reasoner_of(episode: Episode) -> str:
    found = [each for each in episode.result.sources if each.role == "reasoner"]
    return name_of(found[0].name, found[0].version) if found else "one that is not named"


def _prediction(episode: Episode, temperature: float) -> Prediction:
    result = episode.result
    assert result.veracity is not None
    probabilities = at_temperature(result.probabilities, temperature)
    return Prediction(
        gold=episode.gold,
        veracity=result.veracity,
        probabilities=probabilities,
        confidence=probabilities[result.veracity],
    )


def _quality(rows: Sequence[Prediction]) -> Quality:
    of_label = [(row.probabilities or {}).get(row.gold, 0.0) for row in rows]
    return Quality(
        log_loss=round(_log_loss(of_label), 4),
        brier=round(brier_score(rows), 4),
        calibration_error=round(expected_calibration_error(rows), 4),
    )
