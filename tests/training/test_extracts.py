"""Sentences of longer texts as claims: what is right for each follows from what was changed."""

import random

import pytest

from training.verifier.extracts import LEFT_OUT, SWAPPED, WINDOW, extracted_pairs, standing_alone
from training.verifier.pair import REFUTES, SUPPORTS

PASSAGES = {
    f"Person{number} was a painter from Lyon. He was born in {1800 + number} in Marseille and died in Geneva. "
    f"In the spring of {1830 + number} a gallery in Zurich showed 40 works by Person{number}.": f"Person{number}"
    for number in range(120)
}


def test_what_is_right_follows_from_what_was_changed() -> None:
    pairs = list(extracted_pairs(PASSAGES, random.Random(4), number=100))
    texts = {title: text for text, title in PASSAGES.items()}

    assert len(pairs) == 100
    for pair in pairs:
        whole = texts[pair.title].replace("He was", f"{pair.title} was")
        if pair.target in (SUPPORTS, LEFT_OUT):
            assert pair.claim in whole
        else:
            assert pair.claim not in whole
        if pair.target == LEFT_OUT:
            assert pair.claim not in pair.text.replace("He was", f"{pair.title} was")
        else:
            assert pair.text == texts[pair.title]
    assert {pair.target for pair in pairs} == {SUPPORTS, REFUTES, SWAPPED, LEFT_OUT}


def test_the_same_seed_makes_the_same_extracts() -> None:
    first, second = (list(extracted_pairs(PASSAGES, random.Random(4), number=30)) for _ in range(2))

    assert first == second


def test_the_evidence_is_no_longer_than_what_the_verifier_reads_at_once() -> None:
    text = " ".join(f"The bridge number {number} was closed for repairs in {1900 + number}." for number in range(90))

    pairs = list(extracted_pairs({text: "Bridges"}, random.Random(1), number=1))

    assert all(len(pair.text) <= WINDOW for pair in pairs)


@pytest.mark.parametrize(
    ("sentence", "claim"),
    [
        ("He was born in Lyon and died (aged 70) in Geneva.", "Ada Verne was born in Lyon and died in Geneva."),
        ("The Louvre bought 40 works in 1890 for its halls.", "The Louvre bought 40 works in 1890 for its halls."),
        ("This was the last of the works that the Louvre bought.", None),
        ("His father was a baker who had a shop in Marseille.", None),
        ("However, the Louvre bought 40 of the works in 1890.", None),
        ("Works that were bought by the Louvre in the year of 1890:", None),
        ("She died.", None),
    ],
)  # fmt: skip
def test_a_claim_leans_on_no_other_sentence(sentence: str, claim: str | None) -> None:
    assert standing_alone("Ada Verne (painter)", sentence) == claim
