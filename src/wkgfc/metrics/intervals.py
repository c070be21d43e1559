"""How far a figure can be trusted: bootstrap intervals over the rows behind it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from wkgfc.metrics.scores import Prediction

Score = Callable[[Sequence[Prediction]], float]


@dataclass(frozen=True)
class Interval:
    """A figure with its bootstrap interval. ``n`` is the number of rows behind it."""

    value: float
    low: float
    high: float
    n: int


def bootstrap(
    rows: Sequence[Prediction], score: Score, *, samples: int = 1000, level: float = 0.95, seed: int = 0
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
