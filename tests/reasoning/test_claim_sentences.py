"""Claims of several sentences: their parts, and what these say together."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wkgfc.reasoning.claim_sentences import MAX_SENTENCES, joined, sentences_of
from wkgfc.reasoning.verifier import Verifier

TEXT = "Paris is the capital of France. Marie Curie was born in Warsaw in 1867. She died in 1934."


def test_each_sentence_is_a_part_and_short_ones_go_with_their_neighbours() -> None:
    assert sentences_of("Paris is a city in France. It lies on the Seine. Oh yes.") == [
        "Paris is a city in France.",
        "It lies on the Seine. Oh yes.",
    ]
    assert sentences_of("Well, well. Paris is a city in France.") == ["Well, well. Paris is a city in France."]


def test_tokenised_sentences_are_parts() -> None:
    assert sentences_of("city lost to crystal palace . the hosts won 2-1 at home .") == [
        "city lost to crystal palace .",
        "the hosts won 2-1 at home .",
    ]


@pytest.mark.parametrize("claim", ["Paris is in France.", "Do masks help at all? No, they do not.", "", " . "])
def test_one_sentence_and_what_asks_are_one_part(claim: str) -> None:
    assert sentences_of(claim) == [claim]


@given(st.lists(st.sampled_from(["It rained all day long.", "No.", "They went home at night!"]), min_size=1))
def test_parts_hold_the_whole_claim_and_are_bounded(sentences: list[str]) -> None:
    claim = " ".join(sentences)

    assert " ".join(sentences_of(claim)) == claim
    assert len(sentences_of(claim)) <= MAX_SENTENCES


def test_one_part_is_what_it_is() -> None:
    (probabilities, decided) = joined([(0.5, 0.3, 0.2)])

    assert probabilities == pytest.approx((0.5, 0.3, 0.2))
    assert decided == 0


def test_the_weakest_part_supports_and_the_worst_refutes() -> None:
    probabilities, decided = joined([(0.9, 0.05, 0.05), (0.1, 0.8, 0.1), (0.05, 0.1, 0.85)])

    assert probabilities == pytest.approx((0.05, 0.8, 0.15))
    assert decided == 1
    assert joined([(0.9, 0.05, 0.05), (0.6, 0.1, 0.3)])[1] == 1


@given(st.lists(st.tuples(*[st.floats(0, 1)] * 3).filter(lambda row: sum(row) > 0.1), min_size=1, max_size=8))
def test_joined_probabilities_sum_to_one(rows: list[tuple[float, float, float]]) -> None:
    scores = [(a / (a + b + c), b / (a + b + c), c / (a + b + c)) for a, b, c in rows]

    assert sum(joined(scores)[0]) == pytest.approx(1.0)


def test_a_claim_with_one_false_sentence_is_refuted_and_the_sentence_that_decided_is_told() -> None:
    verifier = Verifier()

    supported = verifier.explain(TEXT, "Paris is the capital of France. Marie Curie was born in Warsaw.")
    refuted = verifier.explain(TEXT, "Paris is the capital of France. Marie Curie was born in London.")

    assert supported.probabilities[0] == max(supported.probabilities)
    assert refuted.probabilities[1] == max(refuted.probabilities)
    assert refuted.sentence == "Marie Curie was born in Warsaw in 1867."
