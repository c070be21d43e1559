"""The sentences of a text: which are worth a check and why the others are not; places in the original."""

import datetime as dt

import pytest

from wkgfc.documents.claims import claims_of
from wkgfc.documents.worthiness import worthiness_of

TEXT = """Charlie Chaplin was born in London
in 1889. He was the best actor ever!

They like it. Will it rain tomorrow? Nepal borders China."""


def test_each_sentence_says_whether_it_is_worth_a_check() -> None:
    found = claims_of(TEXT, date=dt.date(2020, 1, 1))

    assert [each.standing for each in found] == [
        "worth checking",
        "no claim",
        "unclear",
        "no claim",
        "worth checking",
    ]
    assert [each.kind for each in found[1:4]] == ["opinion", "claim", "question"]
    assert all(TEXT[each.start : each.end] == each.text for each in found)
    assert found[0].claim == "Charlie Chaplin was born in London in 1889."
    assert found[0].reason == "It has a statement about things, 2 names, 1 date."
    assert found[2].reason == "The text does not settle what is meant by “They”, “it”."


def test_least_is_how_much_there_must_be_in_it() -> None:
    [claim] = claims_of("Nepal borders China.", least=0.9)

    assert claim.standing == "too little"


def test_another_language_is_checked_as_it_is() -> None:
    text = "Der Fluss ist sehr lang und fließt durch die Stadt. Er wurde im Jahr 1950 von der Regierung gestaut."

    assert [each.claim for each in claims_of(text)] == [each.text for each in claims_of(text)]
    assert {each.standing for each in claims_of(text)} == {"worth checking"}


def test_names_dates_and_numbers_count() -> None:
    plain, full = worthiness_of("People eat bread."), worthiness_of("Angela Merkel won 300 seats in 2011.")

    assert 0 <= plain.score < full.score <= 1
    assert full.reason == "a statement about things, 1 name, 1 date, 1 number"


@pytest.mark.parametrize("beginning", ["In 1990 France won", "À Paris est le"])
def test_signs_that_become_several_in_a_claim_count_as_several(beginning: str) -> None:
    short, long = (claims_of(f"{beginning} {sign * times}.")[0] for sign in "\u0958" for times in (500, 1_500))

    assert (short.standing, long.standing) == ("worth checking", "no claim")
    assert len(short.to_check(None).text) > 1_000


def test_a_sentence_that_is_too_long_is_no_claim() -> None:
    [found] = claims_of("The bridge " + "and the bridge " * 300 + "is long.")

    assert found.standing == "no claim"
