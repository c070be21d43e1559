"""How often what was said is right: two-way and balanced, three- and four-way, class by class."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from wkgfc.claim import Veracity

DECIDED = (Veracity.SUPPORTED, Veracity.REFUTED)
THREE_WAY = (*DECIDED, Veracity.NOT_ENOUGH_EVIDENCE)
FOUR_WAY = tuple(Veracity)

Failure = Literal["error", "parse", "not_checkable"]


@dataclass(frozen=True)
class Prediction:
    """One checked claim. ``veracity`` and ``probabilities`` are ``None`` where the check ended without a verdict.

    ``failure`` says why it did: an error, an answer of a model that could not be parsed, or a claim that the check
    would not check.
    """

    gold: Veracity
    veracity: Veracity | None
    probabilities: dict[Veracity, float] | None = None
    confidence: float | None = None
    failure: Failure | None = None


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


def n_way(rows: Sequence[Prediction], classes: Sequence[Veracity]) -> float:
    """The accuracy over the rows whose gold label is one of ``classes``; what is said may be anything."""
    return accuracy([row for row in rows if row.gold in classes])


def balanced_accuracy(rows: Sequence[Prediction]) -> float:
    """The mean recall over the gold classes that occur, as scikit-learn's ``balanced_accuracy_score``."""
    classes = sorted({row.gold for row in rows})
    recalls = [np.mean([row.veracity is label for row in rows if row.gold is label]) for label in classes]
    return float(np.mean(recalls)) if recalls else float("nan")


@dataclass(frozen=True)
class ClassScore:
    """How one class fares. ``n`` rows have it as gold, ``said`` rows were called it.

    A share of nothing is 0, as in scikit-learn with ``zero_division=0``.
    """

    veracity: Veracity
    n: int
    said: int
    precision: float
    recall: float
    f1: float


def per_class(rows: Sequence[Prediction], classes: Sequence[Veracity] | None = None) -> list[ClassScore]:
    """Precision, recall and F1 of each class; by default of those that occur as gold or were said."""
    if classes is None:
        present = {row.gold for row in rows} | {row.veracity for row in rows}
        classes = [veracity for veracity in Veracity if veracity in present]
    scores = []
    for veracity in classes:
        gold = sum(row.gold is veracity for row in rows)
        said = sum(row.veracity is veracity for row in rows)
        right = sum(row.gold is veracity and row.veracity is veracity for row in rows)
        scores.append(
            ClassScore(
                veracity=veracity,
                n=gold,
                said=said,
                precision=right / said if said else 0.0,
                recall=right / gold if gold else 0.0,
                f1=2 * right / (gold + said) if gold + said else 0.0,
            )
        )
    return scores


def macro_f1(rows: Sequence[Prediction], classes: Sequence[Veracity] | None = None) -> float:
    """The mean F1 of the classes (those of ``per_class``), each counting alike."""
    scores = per_class(rows, classes)
    return float(np.mean([score.f1 for score in scores])) if scores else float("nan")


def confusion(rows: Sequence[Prediction]) -> Counter[tuple[Veracity, Veracity | None]]:
    """How many rows of each gold label were called what; ``None``: no verdict."""
    return Counter((row.gold, row.veracity) for row in rows)


def share_answered(rows: Sequence[Prediction]) -> float:
    """The share of rows that were called Supported or Refuted."""
    return float(np.mean([row.veracity in DECIDED for row in rows])) if rows else float("nan")


def accuracy_on_answered(rows: Sequence[Prediction]) -> float:
    """The accuracy over the rows that were called Supported or Refuted, whatever their gold label is."""
    return accuracy([row for row in rows if row.veracity in DECIDED])


def share_of_unknown_answered(rows: Sequence[Prediction]) -> float:
    """The share of the rows with the gold label Not Enough Evidence that were called Supported or Refuted."""
    return share_answered([row for row in rows if row.gold is Veracity.NOT_ENOUGH_EVIDENCE])


def errors(rows: Sequence[Prediction]) -> int:
    """How many checks ended without a verdict."""
    return sum(row.veracity is None for row in rows)


def failures(rows: Sequence[Prediction]) -> dict[Failure, int]:
    """How many checks ended without a verdict for each reason; one that gives none is an error."""
    counted = Counter(row.failure or "error" for row in rows if row.veracity is None)
    kinds: tuple[Failure, ...] = ("error", "parse", "not_checkable")
    return {kind: counted[kind] for kind in kinds}
