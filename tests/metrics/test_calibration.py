"""Confidence is what it says, or by how much it is not."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import brier_score_loss

from wkgfc import metrics
from wkgfc.claim import Veracity
from wkgfc.metrics import Prediction

SUPPORTED, REFUTED = Veracity.SUPPORTED, Veracity.REFUTED


def test_the_reliability_diagram_has_the_rows_of_each_stretch() -> None:
    rows = [Prediction(SUPPORTED, SUPPORTED, {}, confidence) for confidence in (0.91, 0.99)]
    rows += [Prediction(SUPPORTED, REFUTED, {}, 0.95), Prediction(REFUTED, REFUTED, {}, 0.55)]

    low, high = metrics.reliability(rows)

    assert (low.n, low.confidence, low.right) == (1, 0.55, 1.0)
    assert (high.n, high.low, high.high) == (3, 0.9, 1.0)
    assert high.confidence == pytest.approx(0.95)
    assert high.right == pytest.approx(2 / 3)


def test_calibration_error_is_the_gap_between_confidence_and_accuracy() -> None:
    sure_and_wrong = [Prediction(SUPPORTED, REFUTED, {}, 1.0)] * 10
    assert metrics.expected_calibration_error(sure_and_wrong) == pytest.approx(1.0)
    honest = [Prediction(SUPPORTED, SUPPORTED if index < 7 else REFUTED, {}, 0.7) for index in range(10)]
    assert metrics.expected_calibration_error(honest) == pytest.approx(0.0)


@given(st.lists(st.tuples(st.booleans(), st.floats(0, 1)), min_size=1, max_size=40))
def test_the_brier_score_equals_scikit_learns(pairs: list[tuple[bool, float]]) -> None:
    rows = [Prediction(SUPPORTED, SUPPORTED if right else REFUTED, {}, confidence) for right, confidence in pairs]
    right, confidence = zip(*pairs, strict=True)
    assert metrics.brier_score(rows) == pytest.approx(brier_score_loss(right, confidence, pos_label=True))


def test_without_confidence_there_is_no_figure() -> None:
    assert math.isnan(metrics.brier_score([Prediction(SUPPORTED, None)]))
