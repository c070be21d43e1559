"""Scores of checks on labelled claims.

Rows are ``Prediction``s: a gold label beside what the check said. An error is never a class: it counts as wrong and is
reported apart.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from wkgfc.claim import Veracity

DECIDED = (Veracity.SUPPORTED, Veracity.REFUTED)
THREE_WAY = (*DECIDED, Veracity.NOT_ENOUGH_EVIDENCE)


@dataclass(frozen=True)
class Prediction:
    """One checked claim. ``veracity`` and ``probabilities`` are ``None`` where the check ended as an error."""

    gold: Veracity
    veracity: Veracity | None
    probabilities: dict[Veracity, float] | None = None
    confidence: float | None = None


@dataclass(frozen=True)
class Interval:
    """A figure with its bootstrap interval. ``n`` is the number of rows behind it."""

    value: float
    low: float
    high: float
    n: int


def two_way_points(row: Prediction) -> float | None:
    """The points of one row in the two-way score: 1 right, 0 wrong or an error, 0.5 for a tie or no evidence.

    ``None`` where the gold label is neither Supported nor Refuted: the row is left out.
    """
    if row.gold not in DECIDED:
        return None
    if row.veracity is None or row.probabilities is None:
        return 0.0
    supported, refuted = (row.probabilities.get(veracity, 0.0) for veracity in DECIDED)
    if supported == refuted:
        return 0.5
    return float((supported > refuted) == (row.gold is Veracity.SUPPORTED))


def two_way(rows: Sequence[Prediction]) -> float:
    """The two-way score (DESIGN, "Words"): the mean points over the rows that are Supported or Refuted."""
    points = [point for row in rows if (point := two_way_points(row)) is not None]
    return float(np.mean(points)) if points else float("nan")


def two_way_balanced(rows: Sequence[Prediction]) -> float:
    """The two-way score as a balanced accuracy: the mean over the two gold classes of their mean points."""
    means = []
    for veracity in DECIDED:
        points = [two_way_points(row) or 0.0 for row in rows if row.gold is veracity]
        if points:
            means.append(float(np.mean(points)))
    return float(np.mean(means)) if means else float("nan")


def accuracy(rows: Sequence[Prediction]) -> float:
    """The share of rows whose veracity is the gold label."""
    return float(np.mean([row.veracity is row.gold for row in rows])) if rows else float("nan")


def balanced_accuracy(rows: Sequence[Prediction]) -> float:
    """The mean recall over the gold classes that occur, as scikit-learn's ``balanced_accuracy_score``."""
    classes = sorted({row.gold for row in rows})
    recalls = [np.mean([row.veracity is label for row in rows if row.gold is label]) for label in classes]
    return float(np.mean(recalls)) if recalls else float("nan")


def share_answered(rows: Sequence[Prediction]) -> float:
    """The share of rows that were called Supported or Refuted."""
    return float(np.mean([row.veracity in DECIDED for row in rows])) if rows else float("nan")


def accuracy_on_answered(rows: Sequence[Prediction]) -> float:
    """The accuracy over the rows that were called Supported or Refuted and whose gold label is one of them."""
    answered = [row for row in rows if row.veracity in DECIDED and row.gold in DECIDED]
    return accuracy(answered)


def errors(rows: Sequence[Prediction]) -> int:
    """How many checks ended as an error."""
    return sum(row.veracity is None for row in rows)


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


def bootstrap(
    rows: Sequence[Prediction],
    score: Callable[[Sequence[Prediction]], float],
    *,
    samples: int = 1000,
    level: float = 0.95,
    seed: int = 0,
) -> Interval:
    """``score`` with its percentile bootstrap interval over the rows that it counts."""
    generator = np.random.default_rng(seed)
    draws = generator.integers(max(len(rows), 1), size=(samples if rows else 0, len(rows)))
    values = [score([rows[index] for index in draw]) for draw in draws]
    usable = [value for value in values if not np.isnan(value)]
    if not usable:
        return Interval(score(rows), float("nan"), float("nan"), len(rows))
    low, high = np.quantile(usable, [(1 - level) / 2, (1 + level) / 2])
    return Interval(score(rows), float(low), float(high), len(rows))
