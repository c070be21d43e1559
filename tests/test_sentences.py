"""Where sentences begin and end, in texts of good and of bad will."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wkgfc.sentences import sentence_spans


def sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text)]


def test_abbreviations_and_initials_end_no_sentence() -> None:
    assert sentences("Dr. J. Doe met Mr. Poe. They spoke, e.g. of tea! Why?") == [
        "Dr. J. Doe met Mr. Poe.",
        "They spoke, e.g. of tea!",
        "Why?",
    ]


def test_paragraphs_end_sentences_and_quotes_belong_to_theirs() -> None:
    assert sentences("A title\n\n“It rained.” He left.") == ["A title", "“It rained.”", "He left."]


def test_brackets_and_runs_of_wide_marks_belong_to_their_sentence() -> None:
    assert sentences("他说：「我是学生。」然后他走了。") == ["他说：「我是学生。」", "然后他走了。"]
    assert sentences("什么！？很好。") == ["什么！？", "很好。"]


def test_a_mark_that_stands_alone_ends_a_sentence_of_tokenised_text() -> None:
    assert sentences("city lost 2-1 at the etihad . the eagles ' team cost u.s. $ 3 . why ? nobody knows .") == [
        "city lost 2-1 at the etihad .",
        "the eagles ' team cost u.s. $ 3 .",
        "why ?",
        "nobody knows .",
    ]
    assert sentences("He said . . . that it rained , and left .") == ["He said . . . that it rained , and left ."]


def test_the_v_of_a_case_ends_no_sentence() -> None:
    assert sentences("Roe v. Wade was decided in 1973. It was overruled.") == [
        "Roe v. Wade was decided in 1973.",
        "It was overruled.",
    ]


@pytest.mark.parametrize("mark", [".", "?!", ".)", '."', " .", " . ", " a .", "\n", "。", "。」", ". \n", "\n-"])
def test_runs_of_marks_are_read_in_linear_time(mark: str) -> None:
    assert len(sentence_spans(mark * 100_000 + "x")) >= 1


@given(st.text(alphabet="aA. !?\n\"')-", max_size=200))
def test_together_the_sentences_hold_all_that_is_visible(text: str) -> None:
    assert "".join("".join(sentences(text)).split()) == "".join(text.split())
