"""Our scores equal scikit-learn's where it has the same, and treat ties, silence and errors as documented."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, balanced_accuracy_score

from wkgfc import metrics
from wkgfc.claim import Veracity
from wkgfc.metrics import Prediction

SUPPORTED, REFUTED = Veracity.SUPPORTED, Veracity.REFUTED
NEITHER, CONFLICTING = Veracity.NOT_ENOUGH_EVIDENCE, Veracity.CONFLICTING_EVIDENCE


def prediction(gold: Veracity, supported: float, refuted: float, veracity: Veracity | None = None) -> Prediction:
    rest = 1.0 - supported - refuted
    probabilities = {SUPPORTED: supported, REFUTED: refuted, NEITHER: rest, CONFLICTING: 0.0}
    chosen = veracity or max(probabilities, key=lambda key: probabilities[key])
    return Prediction(gold, chosen, probabilities, max(probabilities.values()))


def error(gold: Veracity) -> Prediction:
    return Prediction(gold, None)


class TestTwoWay:
    def test_the_larger_probability_decides_even_under_not_enough_evidence(self) -> None:
        assert metrics.two_way([prediction(SUPPORTED, 0.2, 0.1)]) == 1.0
        assert metrics.two_way([prediction(REFUTED, 0.2, 0.1)]) == 0.0

    def test_a_tie_and_no_evidence_count_half(self) -> None:
        assert metrics.two_way([prediction(SUPPORTED, 0.3, 0.3), prediction(REFUTED, 0.0, 0.0)]) == 0.5

    def test_an_error_counts_wrong_and_is_reported(self) -> None:
        rows = [error(SUPPORTED), prediction(SUPPORTED, 0.9, 0.0)]
        assert metrics.two_way(rows) == 0.5
        assert metrics.errors(rows) == 1

    def test_rows_whose_gold_label_is_neither_are_left_out(self) -> None:
        assert metrics.two_way([prediction(SUPPORTED, 0.9, 0.0), prediction(NEITHER, 0.9, 0.0)]) == 1.0
        assert math.isnan(metrics.two_way([prediction(NEITHER, 0.9, 0.0)]))

    def test_balanced_it_is_the_mean_over_the_two_classes(self) -> None:
        rows = [*[prediction(SUPPORTED, 0.9, 0.0)] * 9, prediction(REFUTED, 0.9, 0.0)]
        assert metrics.two_way(rows) == pytest.approx(0.9)
        assert metrics.two_way_balanced(rows) == pytest.approx(0.5)


VERACITIES = st.sampled_from(list(Veracity))


@pytest.mark.filterwarnings("ignore::UserWarning")  # scikit-learn's, where a class is missing
@given(st.lists(st.tuples(VERACITIES, VERACITIES), min_size=1, max_size=60))
def test_accuracies_equal_scikit_learn(pairs: list[tuple[Veracity, Veracity]]) -> None:
    rows = [Prediction(gold, said, {}, 0.5) for gold, said in pairs]
    gold, said = [str(pair[0]) for pair in pairs], [str(pair[1]) for pair in pairs]
    assert metrics.accuracy(rows) == pytest.approx(accuracy_score(gold, said))
    assert metrics.balanced_accuracy(rows) == pytest.approx(balanced_accuracy_score(gold, said))


def test_an_error_is_not_a_class() -> None:
    rows = [Prediction(SUPPORTED, SUPPORTED, {}, 0.9), error(SUPPORTED)]
    assert metrics.balanced_accuracy(rows) == 0.5
    assert metrics.share_answered(rows) == 0.5


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


def test_the_bootstrap_is_seeded_and_holds_the_value() -> None:
    rows = [prediction(SUPPORTED, 0.9, 0.0)] * 80 + [prediction(SUPPORTED, 0.0, 0.9)] * 20
    interval = metrics.bootstrap(rows, metrics.two_way)
    assert interval == metrics.bootstrap(rows, metrics.two_way)
    assert interval.value == pytest.approx(0.8)
    assert interval.low < interval.value < interval.high
    assert interval.low == pytest.approx(0.72, abs=0.03)  # the normal interval: 0.8 ± 1.96 · 0.04


def test_no_rows_give_no_figure() -> None:
    assert math.isnan(metrics.bootstrap([], metrics.two_way).value)
