"""HerO's coarse and fine ranking: which sentences are kept, and which are no evidence."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import TfidfVectorizer

from scripted import passage
from wkgfc.baselines.hero import KEPT, best_sentences
from wkgfc.baselines.likeness import plain_cosine
from wkgfc.baselines.verdicts import four_answers

CLAIM = "The bridge was opened in 1998."


def test_sentences_that_share_most_with_claim_and_documents_come_first() -> None:
    page = passage("Cats sleep a lot. The mayor opened the bridge in May. The river floods. A ferry ran before.")
    kept = best_sentences(CLAIM, ["The mayor cut the ribbon of the bridge."], [page])
    assert kept[0].text == "The mayor opened the bridge in May."
    assert all(page.text[each.start : each.end] == each.text for each in kept)
    assert "Cats sleep a lot." not in [each.text for each in kept]


def test_copies_of_the_claim_are_no_evidence() -> None:
    page = passage("“The bridge was opened in 1998!” The bridge was closed in 2001.")
    assert [each.text for each in best_sentences(CLAIM, [], [page])] == ["The bridge was closed in 2001."]


def test_what_denies_the_claim_is_no_copy_of_it() -> None:
    page = passage("The bridge was not opened in 1998. The bridge was opened, in 1998.")
    assert [each.text for each in best_sentences(CLAIM, [], [page])] == ["The bridge was not opened in 1998."]


@given(st.text(st.sampled_from("ab c'1.Ä"), max_size=40), st.text(st.sampled_from("ab c'1.Ä"), max_size=40))
def test_copies_are_told_by_hero_s_own_cosine(claim: str, sentence: str) -> None:
    texts = [re.sub(r"[^\w\s]+", "", text).lower() for text in (claim, sentence)]
    try:
        vectors = TfidfVectorizer().fit_transform(texts)
    except ValueError:  # no word in either
        assert plain_cosine(claim, sentence) == 0
    else:
        assert plain_cosine(claim, sentence) == pytest.approx((vectors[0] @ vectors[1].T).sum())


def test_a_sentence_that_comes_twice_is_kept_once_and_ten_at_most() -> None:
    text = " ".join(f"The bridge number {n} was opened." for n in range(30))
    pages = [passage(text, url="https://a.example/"), passage(text, url="https://b.example/")]
    kept = [each.text for each in best_sentences(CLAIM, [], pages)]
    assert len(kept) == len(set(kept)) == KEPT


@given(st.text(max_size=200), st.text(max_size=400))
def test_any_text_can_be_ranked(claim: str, text: str) -> None:
    assert len(best_sentences(claim, [claim], [passage(text)])) <= KEPT


@given(st.floats(0, 1), st.floats(0, 1))
def test_four_answers_are_probabilities(supports: float, refutes: float) -> None:
    answers = four_answers(supports, refutes)
    assert abs(sum(answers.values()) - 1) < 1e-9
    assert all(-1e-12 <= value <= 1 for value in answers.values())
