"""Two methods on the same claims: the tests equal scipy's, and need the same claims."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from wkgfc.claim import Veracity
from wkgfc.metrics import Prediction, accuracy, mcnemar, paired_bootstrap

SUPPORTED, REFUTED = Veracity.SUPPORTED, Veracity.REFUTED


@given(st.lists(st.tuples(st.booleans(), st.booleans()), max_size=200))
def test_mcnemar_is_the_exact_binomial_test_of_the_rows_that_one_gets_right(pairs: list[tuple[bool, bool]]) -> None:
    tested = mcnemar([one for one, _ in pairs], [other for _, other in pairs])
    discordant = tested.only_first + tested.only_second
    assert discordant == sum(one != other for one, other in pairs)
    expected = binomtest(tested.only_first, discordant).pvalue if discordant else 1.0
    assert tested.p == pytest.approx(expected, abs=1e-12)


def test_thousands_of_rows_do_not_overflow() -> None:
    tested = mcnemar([True] * 3_000 + [False] * 2_000, [False] * 3_000 + [True] * 2_000)
    assert 0 < tested.p == pytest.approx(binomtest(3_000, 5_000).pvalue)


def rows(right: int, wrong: int) -> list[Prediction]:
    return [Prediction(SUPPORTED, SUPPORTED)] * right + [Prediction(SUPPORTED, REFUTED)] * wrong


def test_a_difference_has_an_interval_and_is_seeded() -> None:
    better, worse = rows(90, 10), rows(70, 30)
    difference = paired_bootstrap(better, worse, accuracy)
    assert difference == paired_bootstrap(better, worse, accuracy)
    assert difference.value == pytest.approx(0.2)
    assert difference.low == pytest.approx(0.2 - 1.96 * 0.04, abs=0.015)  # 20 of 100 rows differ, all one way
    assert difference.p == pytest.approx(2 / 1001)


def test_a_method_does_not_differ_from_itself() -> None:
    difference = paired_bootstrap(rows(7, 3), rows(7, 3), accuracy)
    assert (difference.value, difference.low, difference.high, difference.p) == (0.0, 0.0, 0.0, 1.0)


def test_other_claims_are_refused() -> None:
    with pytest.raises(ValueError, match="same claims"):
        paired_bootstrap(rows(1, 1), [Prediction(REFUTED, REFUTED)] * 2, accuracy)
    with pytest.raises(ValueError, match="zip"):
        mcnemar([True], [True, False])
