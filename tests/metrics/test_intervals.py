"""Intervals are seeded, and hold the value."""

import math

import pytest

from wkgfc import metrics
from wkgfc.claim import Veracity
from wkgfc.metrics import Prediction

RIGHT = Prediction(Veracity.SUPPORTED, Veracity.SUPPORTED, {Veracity.SUPPORTED: 0.9, Veracity.REFUTED: 0.0}, 0.9)
WRONG = Prediction(Veracity.SUPPORTED, Veracity.REFUTED, {Veracity.SUPPORTED: 0.0, Veracity.REFUTED: 0.9}, 0.9)


def test_the_bootstrap_is_seeded_and_holds_the_value() -> None:
    rows = [RIGHT] * 80 + [WRONG] * 20
    interval = metrics.bootstrap(rows, metrics.two_way)
    assert interval == metrics.bootstrap(rows, metrics.two_way)
    assert interval.value == pytest.approx(0.8)
    assert interval.low < interval.value < interval.high
    assert interval.low == pytest.approx(0.72, abs=0.03)  # the normal interval: 0.8 ± 1.96 · 0.04


def test_no_rows_give_no_figure() -> None:
    assert math.isnan(metrics.bootstrap([], metrics.two_way).value)
