"""Long texts in windows, and what the windows say together."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wkgfc.reasoning.windows import combined, likeness, windows_of


def words_of(text: str) -> list[tuple[int, int]]:
    """Each word a token."""
    spans, at = [], 0
    for word in text.split(" "):
        if word:
            spans.append((at, at + len(word)))
        at += len(word) + 1
    return spans


def sentences_of(text: str) -> list[tuple[int, int]]:
    spans, start = [], 0
    for at, character in enumerate(text):
        if character == ".":
            spans.append((start, at + 1))
            start = at + 2
    return spans


def texts(text: str, ranges: Sequence[tuple[int, int]]) -> list[str]:
    offsets = words_of(text)
    return [text[offsets[first][0] : offsets[last - 1][1]] for first, last in ranges]


def test_windows_end_with_a_sentence_and_share_a_short_one() -> None:
    text = "a b c. d e. f g h i. j k."

    assert texts(text, windows_of(words_of(text), sentences_of(text), 6)) == ["a b c. d e.", "d e. f g h i.", "j k."]


def test_a_sentence_that_is_too_long_is_cut() -> None:
    text = "a b c d e f g."

    assert texts(text, windows_of(words_of(text), sentences_of(text), 3)) == ["a b c", "d e f", "g."]


def test_a_text_without_tokens_has_no_window() -> None:
    assert windows_of([], [], 5) == []


@given(st.lists(st.integers(1, 12), min_size=1, max_size=30), st.integers(1, 15))
def test_every_token_is_in_a_window_of_bounded_length(lengths: list[int], room: int) -> None:
    text = " ".join(" ".join(["w"] * length) + "." for length in lengths)
    offsets = words_of(text)

    windows = windows_of(offsets, sentences_of(text), room)

    assert {token for start, end in windows for token in range(start, end)} == set(range(len(offsets)))
    assert all(0 < end - start <= room for start, end in windows)
    assert len(windows) <= len(offsets)


def test_the_window_with_rare_words_of_the_claim_is_most_like_it() -> None:
    common, rare = 1, 2

    like = likeness([[common, 9], [common, rare], [common, 8], [7]], [common, rare, 3])

    assert like.index(max(like)) == 1
    assert like[3] == 0.0
    assert max(like) == pytest.approx(1.0)


def test_the_stronger_side_decides_and_says_where() -> None:
    silent, refuting = (0.02, 0.03, 0.95), (0.05, 0.9, 0.05)

    probabilities, decided = combined([silent, silent, refuting, silent], [0.2, 0.2, 1.0, 0.1])

    assert decided == 2
    assert probabilities[1] == max(probabilities)
    assert sum(probabilities) == pytest.approx(1.0)


def test_a_window_about_something_else_weighs_less() -> None:
    about_it, off_it = (0.7, 0.1, 0.2), (0.0, 0.75, 0.25)

    probabilities, decided = combined([about_it, off_it], [1.0, 0.1])

    assert decided == 0
    assert probabilities[0] > probabilities[1]


def test_silent_windows_say_nothing() -> None:
    assert combined([(0.02, 0.02, 0.96)] * 5, [0.0] * 5)[0][2] > 0.9
