"""Whether confidence is what it says: the reliability diagram and two scores of it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from wkgfc.metrics.scores import Prediction


@dataclass(frozen=True)
class Bin:
    """The rows whose confidence lies in one stretch: how many, their mean confidence, and the share that is right."""

    low: float
    high: float
    n: int
    confidence: float
    right: float


def reliability(rows: Sequence[Prediction], bins: int = 10) -> list[Bin]:
    """The reliability diagram as numbers: equal-width bins of confidence, those without rows left out."""
    judged = [(row.confidence, row.veracity is row.gold) for row in rows if row.confidence is not None]
    confidence = np.array([pair[0] for pair in judged], dtype=float)
    right = np.array([pair[1] for pair in judged], dtype=float)
    place = np.minimum((confidence * bins).astype(int), bins - 1)
    return [
        Bin(
            low=index / bins,
            high=(index + 1) / bins,
            n=int((place == index).sum()),
            confidence=float(confidence[place == index].mean()),
            right=float(right[place == index].mean()),
        )
        for index in range(bins)
        if (place == index).any()
    ]


def expected_calibration_error(rows: Sequence[Prediction], bins: int = 10) -> float:
    """The mean gap between confidence and accuracy over equal-width bins, weighted by their size (0 best, 1 worst).

    Source: Naeini et al., "Obtaining well calibrated probabilities using Bayesian binning", AAAI 2015.
    """
    filled = reliability(rows, bins)
    total = sum(each.n for each in filled)
    return sum(abs(each.confidence - each.right) * each.n for each in filled) / total if total else float("nan")


def brier_score(rows: Sequence[Prediction]) -> float:
    """The mean square of confidence less rightness (0 best, 1 worst), as scikit-learn's ``brier_score_loss``."""
    squares = [(row.confidence - (row.veracity is row.gold)) ** 2 for row in rows if row.confidence is not None]
    return float(np.mean(squares)) if squares else float("nan")
