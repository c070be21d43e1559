"""The map to the paper's two classes is data, and AVeriTeC's counts confirm it."""

import pytest

from wkgfc.claim import Veracity
from wkgfc.datasets.labels import LABELS, TWO_CLASSES, folded, label_map, label_map_in_words, veracity_of

AVERITEC_DEV = {  # the labels of its 500 claims for development, as released
    "Refuted": 305,
    "Supported": 122,
    "Conflicting Evidence/Cherrypicking": 38,
    "Not Enough Evidence": 35,
}


def test_averitec_has_the_size_and_the_negative_rate_of_the_papers_table_2() -> None:
    uses = label_map(word for word, number in AVERITEC_DEV.items() for _ in range(number))
    kept = sum(use.n for use in uses if use.two_class is not None)
    negative = sum(use.n for use in uses if use.two_class is Veracity.REFUTED)
    assert kept == 465
    assert negative / kept == pytest.approx(0.7376, abs=0.0001)


def test_a_word_means_the_same_in_every_set() -> None:
    meanings: dict[str, set[Veracity]] = {}
    for words in LABELS.values():
        for word, veracity in words.items():
            meanings.setdefault(folded(word), set()).add(veracity)
    assert {word: each for word, each in meanings.items() if len(each) > 1} == {}


def test_partly_right_is_refuted_and_what_cannot_be_verified_is_dropped() -> None:
    assert TWO_CLASSES[Veracity.CONFLICTING_EVIDENCE] is Veracity.REFUTED
    assert TWO_CLASSES[Veracity.NOT_ENOUGH_EVIDENCE] is None
    words = ["half-true", "mixture", "unproven", "mostly-true", "NOT_SUPPORTED"]
    assert [use.two_class for use in (label_map([word])[0] for word in words)] == [
        Veracity.REFUTED,
        Veracity.REFUTED,
        None,
        Veracity.SUPPORTED,
        Veracity.REFUTED,
    ]


def test_case_and_separators_do_not_matter_and_other_words_are_none() -> None:
    assert veracity_of("not_enough-INFO") is Veracity.NOT_ENOUGH_EVIDENCE
    assert veracity_of("pants on fire") is None
    assert veracity_of("mixture", "fever") is None


def test_the_map_of_some_rows_is_one_line_under_a_table() -> None:
    assert label_map_in_words(label_map(["true", "true", "half-true", "unproven", None, "so-so"])) == (
        "true → Supported (2); no label → dropped (1); half-true → Refuted (1); so-so → dropped (1); "
        "unproven → dropped (1)"
    )
