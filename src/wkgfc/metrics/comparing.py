"""Whether one method is better than another on the same claims: paired tests.

Sources: McNemar, "Note on the sampling error of the difference between correlated proportions", Psychometrika 1947,
in its exact form; the paired bootstrap of Koehn, "Statistical significance tests for machine translation
evaluation", EMNLP 2004.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

import numpy as np

from wkgfc.metrics.intervals import Score
from wkgfc.metrics.scores import Prediction


@dataclass(frozen=True)
class McNemar:
    """The rows that only one of two methods gets right, and the exact two-sided probability of a split as uneven."""

    only_first: int
    only_second: int
    p: float


def mcnemar(first: Sequence[bool], second: Sequence[bool]) -> McNemar:
    """McNemar's exact test of two methods on the same rows: whether each row was right.

    Raises:
        ValueError: the two are not as many.
    """
    pairs = list(zip(first, second, strict=True))
    only_first = sum(one and not other for one, other in pairs)
    only_second = sum(other and not one for one, other in pairs)
    discordant, fewer = only_first + only_second, min(only_first, only_second)
    tail = sum(comb(discordant, count) for count in range(fewer + 1))
    return McNemar(only_first, only_second, min(1.0, 2 * tail / 2**discordant))


@dataclass(frozen=True)
class Difference:
    """The first method's figure less the second's, with its interval; ``p`` is two-sided."""

    value: float
    low: float
    high: float
    p: float
    n: int


def paired_bootstrap(
    first: Sequence[Prediction],
    second: Sequence[Prediction],
    score: Score,
    *,
    samples: int = 1000,
    level: float = 0.95,
    seed: int = 0,
) -> Difference:
    """The difference of a score between two methods on the same rows, over resamples of the rows.

    ``p`` is two-sided and never under ``2 / (samples + 1)``.

    Raises:
        ValueError: the two are not the same rows: their numbers or their gold labels differ.
    """
    if [row.gold for row in first] != [row.gold for row in second]:
        raise ValueError("a paired test needs the same claims in the same order")
    value = score(first) - score(second)
    generator = np.random.default_rng(seed)
    draws = generator.integers(max(len(first), 1), size=(samples if first else 0, len(first)))
    resampled = [score([first[index] for index in draw]) - score([second[index] for index in draw]) for draw in draws]
    usable = np.array([each for each in resampled if not np.isnan(each)])
    if not usable.size:
        return Difference(value, float("nan"), float("nan"), float("nan"), len(first))
    low, high = np.quantile(usable, [(1 - level) / 2, (1 + level) / 2])
    beyond = min(int((usable <= 0).sum()), int((usable >= 0).sum()))
    p = min(1.0, 2 * (beyond + 1) / (len(usable) + 1))
    return Difference(value, float(low), float(high), p, len(first))
