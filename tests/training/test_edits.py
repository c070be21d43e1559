"""Claims changed in one thing, and what is right for them then."""

import random

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


def test_a_denied_claim_turns_round() -> None:
    refuted = Pair("Eve", PAIR.text, "Eve was born in 1980.", REFUTES, "test")

    first, second = denied([PAIR, refuted], random.Random(3))

    assert (first.target, second.target) == (REFUTES, SUPPORTS)
    assert "was not born" in first.claim or "was never born" in first.claim


def test_what_is_silent_or_denied_already_is_left_alone() -> None:
    silent = Pair("", PAIR.text, PAIR.claim, NEITHER, "test")
    denial = Pair("", PAIR.text, "Eve was not born in 1980.", SUPPORTS, "test")

    assert list(denied([silent, denial], random.Random(1))) == []


@given(st.integers(0, 10**9), st.booleans(), st.integers(0, 1_000))
def test_the_other_number_is_another(number: int, grouped: bool, seed: int) -> None:
    written = f"{number:,}" if grouped else str(number)
    pair = Pair("", f"There are {written} of them.", f"They are {written} in all.", SUPPORTS, "test")

    assert all(changed.claim != pair.claim for changed in numbers_changed([pair], random.Random(seed)))
