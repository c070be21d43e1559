"""Our scores equal scikit-learn's where it has the same, and treat ties, silence and errors as documented."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, balanced_accuracy_score, precision_recall_fscore_support

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


@given(st.lists(st.tuples(VERACITIES, VERACITIES), min_size=1, max_size=60))
def test_each_class_equals_scikit_learn(pairs: list[tuple[Veracity, Veracity]]) -> None:
    rows = [Prediction(gold, said, {}, 0.5) for gold, said in pairs]
    ours = metrics.per_class(rows)
    labels = [str(each.veracity) for each in ours]
    gold, said = [str(pair[0]) for pair in pairs], [str(pair[1]) for pair in pairs]
    theirs = precision_recall_fscore_support(gold, said, labels=labels, zero_division=0)
    assert [each.precision for each in ours] == pytest.approx(theirs[0])
    assert [each.recall for each in ours] == pytest.approx(theirs[1])
    assert [each.f1 for each in ours] == pytest.approx(theirs[2])
    assert [each.n for each in ours] == list(theirs[3])
    assert metrics.macro_f1(rows) == pytest.approx(sum(theirs[2]) / len(labels))


def test_an_error_costs_its_class_recall_and_no_other_class_precision() -> None:
    rows = [Prediction(SUPPORTED, SUPPORTED, {}, 0.9), error(SUPPORTED), Prediction(REFUTED, REFUTED, {}, 0.9)]
    supported, refuted = metrics.per_class(rows)
    assert (supported.precision, supported.recall, supported.said) == (1.0, 0.5, 1)
    assert (refuted.precision, refuted.recall) == (1.0, 1.0)
    assert metrics.confusion(rows)[SUPPORTED, None] == 1


def test_errors_answers_that_cannot_be_read_and_claims_not_checked_are_told_apart() -> None:
    rows = [
        error(SUPPORTED),
        Prediction(SUPPORTED, None, failure="parse"),
        Prediction(REFUTED, None, failure="not_checkable"),
        Prediction(REFUTED, REFUTED, {}, 0.9),
    ]
    assert metrics.failures(rows) == {"error": 1, "parse": 1, "not_checkable": 1}
    assert metrics.errors(rows) == 3


def test_an_answer_to_what_cannot_be_decided_is_wrong() -> None:
    rows = [
        Prediction(SUPPORTED, SUPPORTED, {}, 0.9),
        Prediction(NEITHER, SUPPORTED, {}, 0.9),
        Prediction(NEITHER, NEITHER, {}, 0.9),
        Prediction(CONFLICTING, REFUTED, {}, 0.9),
        error(NEITHER),
    ]
    assert metrics.accuracy_on_answered(rows) == pytest.approx(1 / 3)
    assert metrics.share_of_unknown_answered(rows) == pytest.approx(1 / 3)
    assert math.isnan(metrics.share_of_unknown_answered(rows[:1]))
    assert math.isnan(metrics.accuracy_on_answered(rows[2:3]))


def test_three_and_four_way_leave_out_rows_of_other_labels() -> None:
    rows = [
        Prediction(SUPPORTED, SUPPORTED, {}, 0.9),
        Prediction(NEITHER, SUPPORTED, {}, 0.9),
        Prediction(CONFLICTING, CONFLICTING, {}, 0.9),
    ]
    assert metrics.n_way(rows, metrics.THREE_WAY) == 0.5
    assert metrics.n_way(rows, metrics.FOUR_WAY) == pytest.approx(2 / 3)
