"""Sentences that stand alone: what is put in, where it stood, and what stays unclear rather than guessed."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wkgfc.documents.context import MAX_SENTENCE_CHARACTERS, Standing, standing_alone
from wkgfc.sentences import sentence_spans

DAY = dt.date(2020, 5, 4)


def standing(text: str, date: dt.date | None = DAY) -> list[Standing]:
    return standing_alone(text, sentence_spans(text), date)


@pytest.mark.parametrize(
    ("text", "last"),
    [
        (
            "Angela Merkel was born in Hamburg in 1954. She studied physics in Leipzig.",
            "Angela Merkel studied physics in Leipzig.",
        ),
        (
            "Charlie Chaplin was born in London. His mother sang. He died in 1977.",
            "Charlie Chaplin died in 1977.",
        ),
        ("Angela Merkel was born in Bonn. Merkel retired in 2021.", "Angela Merkel retired in 2021."),
        ("Apple opened a shop in Rome. The company has 300 employees.", "Apple has 300 employees."),
        (
            "The World Health Organization (WHO) was founded in 1948. It has its seat in Geneva.",
            "World Health Organization has its seat in Geneva.",
        ),
        ("Nepal held a census last year.", "Nepal held a census in 2019."),
        ("The bridge was closed yesterday.", "The bridge was closed on 3 May 2020."),
        ("Apple opened a shop two years ago.", "Apple opened a shop in 2018."),
    ],
)  # fmt: skip
def test_what_a_sentence_takes_from_others_is_put_in(text: str, last: str) -> None:
    found = standing(text)[-1]

    assert found.text == last
    assert found.unclear == ()
    assert all(text[each.start : each.end] == each.said for each in found.replacements)


@pytest.mark.parametrize(
    ("text", "unclear"),
    [
        ("Barack Obama met Emmanuel Macron in Paris. He was late.", ("He",)),
        ("They are happy.", ("They",)),
        ("We have built a bridge.", ("We",)),
        ("The company has 300 employees.", ("The company",)),
    ],
)
def test_where_two_could_be_meant_or_none_nothing_is_guessed(text: str, unclear: tuple[str, ...]) -> None:
    found = standing(text)[-1]

    assert found.unclear == unclear
    assert found.replacements == ()


def test_a_relative_date_needs_the_day_of_the_text() -> None:
    [found] = standing("Nepal held a census last year.", None)

    assert found.text == "Nepal held a census last year."
    assert found.unclear == ("last year",)


@pytest.mark.parametrize("text", ["It rained in Paris.", "It is known that Nepal borders China."])
def test_an_it_that_means_nothing_stays(text: str) -> None:
    [found] = standing(text)

    assert (found.text, found.unclear) == (text, ())


def test_a_name_is_put_in_only_where_it_stands_alone() -> None:
    found = standing("Angela Merkel was born in Hamburg. Merkel Street is in Bonn. Angela Merkel lives in Berlin.")

    assert [each.text for each in found[1:]] == ["Merkel Street is in Bonn.", "Angela Merkel lives in Berlin."]


@pytest.mark.parametrize(
    "text",
    [
        "Theresa May was born in Eastbourne. In May the government fell.",
        "Jack White was born in Detroit. White voters chose the Republican.",
        "Neil Young was born in Toronto. Young people live in Paris.",
        "Al Green was born in 1946. Green tea comes from China.",
        "Stephen King was born in Portland. The King of Sweden lives in Stockholm.",
    ],
)
def test_a_word_that_is_no_name_where_it_stands_is_not_taken_for_one(text: str) -> None:
    assert standing(text)[-1].replacements == ()


@given(st.text(alphabet=st.sampled_from("HeShe it's Merkel.\n\u2028 (WHO) last year\u202e"), max_size=60))
def test_places_are_always_those_of_the_document(text: str) -> None:
    for found in standing(text):
        assert all(text[each.start : each.end].split() == each.said.split() for each in found.replacements)


@pytest.mark.parametrize("text", ["A" * 300_000, "they " * 60_000, "Yesterday it fell. " + "the company " * 25_000])
def test_a_text_that_is_one_long_sentence_is_read_as_fast_as_it_is_long(text: str) -> None:
    found = standing(text)[-1]

    assert (found.text, found.replacements, found.unclear) == (text.strip(), (), ())


@pytest.mark.parametrize("filler", ["A", "A'", "A-", "Aa ", "Aa of "])
def test_a_long_run_of_capitals_hides_no_abbreviation(filler: str) -> None:
    run = filler * ((MAX_SENTENCE_CHARACTERS - 100) // len(filler))
    found = standing(f"{run.strip()}, the World Health Organization (WHO). The WHO is in Geneva.")[-1]

    assert found.text == "The World Health Organization is in Geneva."
