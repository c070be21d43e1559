"""Claims changed in one thing, and what is right for them then."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from training.verifier.edits import denied, numbers_changed
from training.verifier.pair import NEITHER, REFUTES, SUPPORTS, Pair

PAIR = Pair("Eve", "Eve was born in 1978 and has 3 sisters.", "Eve was born in 1978.", SUPPORTS, "test")


def test_another_number_is_refuted() -> None:
    (changed,) = numbers_changed([PAIR], random.Random(1))

    assert changed.target == REFUTES
    assert changed.claim != PAIR.claim
    assert changed.claim.startswith("Eve was born in ")


def test_a_number_that_the_evidence_lacks_is_left_alone() -> None:
    unknown = Pair("Eve", "Eve has sisters.", "Eve was born in 1978.", SUPPORTS, "test")

    assert list(numbers_changed([unknown], random.Random(1))) == []


@pytest.mark.parametrize(
    "claim", ["Eve was born before 1978.", "Eve has more than 3 sisters.", "Eve has sold over $3 worth of bread."]
)
def test_a_bound_is_left_alone_as_it_may_hold_of_another_number(claim: str) -> None:
    assert list(numbers_changed([Pair("Eve", PAIR.text, claim, SUPPORTS, "test")], random.Random(1))) == []


def test_a_number_inside_another_is_not_that_number() -> None:
    within = Pair("Eve", "Eve was born in 1978.", "Eve has 19 sisters.", SUPPORTS, "test")

    assert list(numbers_changed([within], random.Random(1))) == []


def test_a_denied_claim_turns_round() -> None:
    refuted = Pair("Eve", PAIR.text, "Eve was born in 1980.", REFUTES, "test")

    first, second = denied([PAIR, refuted], random.Random(3))

    assert (first.target, second.target) == (REFUTES, SUPPORTS)
    assert "was not born" in first.claim or "was never born" in first.claim


def test_what_is_silent_is_left_alone() -> None:
    assert list(denied([Pair("", PAIR.text, PAIR.claim, NEITHER, "test")], random.Random(1))) == []


@pytest.mark.parametrize(
    "claim",
    [
        "Eve was not born in 1980.",
        "Eve didn't say that she was born in 1980.",
        "Eve cannot be who was meant.",
        "Nobody was born in 1980.",
    ],
)
def test_what_is_denied_already_is_left_alone(claim: str) -> None:
    assert list(denied([Pair("", PAIR.text, claim, SUPPORTS, "test")], random.Random(1))) == []


@given(st.integers(0, 10**9), st.booleans(), st.integers(0, 1_000))
def test_the_other_number_is_another(number: int, grouped: bool, seed: int) -> None:
    written = f"{number:,}" if grouped else str(number)
    pair = Pair("", f"There are {written} of them.", f"They are {written} in all.", SUPPORTS, "test")

    assert all(changed.claim != pair.claim for changed in numbers_changed([pair], random.Random(seed)))
