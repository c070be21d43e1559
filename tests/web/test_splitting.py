"""Sentences and passages by their offsets: nothing visible is lost, nothing is in two passages."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from wkgfc.sentences import sentence_spans
from wkgfc.web.splitting import PASSAGE_CHARACTERS, SPLIT_OVER_CHARACTERS, passage_spans

PARAGRAPH = (
    "The bridge over the Tamar at Saltash was designed by I. K. Brunel and opened by Prince Albert on 2 May 1859. "
    "It carries the Cornish Main Line, 30.5 m above the river at high tide. Its two spans are 138.7 m long! "
    "Who paid for it? The Cornwall Railway Co. did, as Mr. Gooch wrote (in a letter to St. Germans). "
)


def sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text)]


def test_a_sentence_ends_at_its_mark_and_not_at_an_abbreviation() -> None:
    assert sentences(PARAGRAPH) == [
        "The bridge over the Tamar at Saltash was designed by I. K. Brunel and opened by Prince Albert on 2 May 1859.",
        "It carries the Cornish Main Line, 30.5 m above the river at high tide.",
        "Its two spans are 138.7 m long!",
        "Who paid for it?",
        "The Cornwall Railway Co. did, as Mr. Gooch wrote (in a letter to St. Germans).",
    ]


def test_a_quotation_keeps_its_closing_mark() -> None:
    assert sentences("He said: “It is done.” Then he left.") == ["He said: “It is done.”", "Then he left."]


def test_a_paragraph_ends_a_sentence_without_a_mark() -> None:
    assert sentences("A heading\n\nThe text begins. It ends") == ["A heading", "The text begins.", "It ends"]


def test_a_text_up_to_the_limit_is_one_passage() -> None:
    text = (PARAGRAPH * 10)[:SPLIT_OVER_CHARACTERS].rstrip()
    assert passage_spans(f"  {text}\n") == [(2, 2 + len(text))]


def test_a_longer_text_is_split_where_sentences_end() -> None:
    text = PARAGRAPH * 12
    spans = passage_spans(text)
    assert len(spans) > 3
    for start, end in spans:
        assert end - start <= SPLIT_OVER_CHARACTERS
        assert text[start:end].endswith((".", "!", "?", ")."))
    assert all(end - start > PASSAGE_CHARACTERS / 2 for start, end in spans)


def test_a_sentence_without_end_is_cut_at_white_space() -> None:
    text = "word " * 1_000
    for start, end in passage_spans(text):
        assert set(text[start:end].split()) == {"word"}


def test_a_word_without_end_is_cut_all_the_same() -> None:
    assert [end - start for start, end in passage_spans("a" * 2_500)] == [900, 900, 700]


pieces = st.lists(
    st.sampled_from(["A man. ", "It is 5.3 km", "\n\n", " ", "?!", "Dr. ", "中文。", "x" * 500, "\u00a0", '"'])
)


@given(st.one_of(st.text(max_size=4_000), pieces.map(lambda parts: "".join(parts * 9))))
def test_passages_hold_all_that_is_visible_once_and_in_order(text: str) -> None:
    spans = passage_spans(text)
    assert "".join("".join(text[start:end].split()) for start, end in spans) == "".join(text.split())
    assert all(before[1] <= after[0] for before, after in pairwise(spans))
    assert all(end - start <= SPLIT_OVER_CHARACTERS for start, end in spans)
