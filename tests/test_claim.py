"""A claim is what a reader sees; what is no claim is refused with one line."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wkgfc.claim import MAX_CLAIM_CHARACTERS, Claim, read_claim
from wkgfc.errors import BadInput


def test_white_space_is_folded_and_invisible_characters_go() -> None:
    assert read_claim("  Paris\u200b is\n\tin \u202eFrance\u202c.\x07 ").text == "Paris is in France."


def test_characters_are_composed() -> None:
    assert read_claim("Ro\u0308ntgen was German.").text == "R\u00f6ntgen was German."


@pytest.mark.parametrize("text", ["", "   ", "\u200b\u202e", "?!…", "\x00\x01"])
def test_an_empty_claim_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="empty"):
        read_claim(text)


def test_a_text_is_no_claim() -> None:
    with pytest.raises(BadInput, match="100,000 characters"):
        read_claim("a" * 100_000)


def test_the_date_of_a_claim_is_what_now_means() -> None:
    assert read_claim("It is so.", date=dt.date(2019, 5, 1)).reference_date == dt.date(2019, 5, 1)
    assert read_claim("It is so.").reference_date == dt.datetime.now(dt.UTC).date()


@given(st.text(max_size=300))
def test_any_text_is_a_claim_or_refused(text: str) -> None:
    try:
        claim = read_claim(text)
    except BadInput:
        return
    assert 0 < len(claim.text) <= MAX_CLAIM_CHARACTERS
    assert read_claim(claim.text) == claim
    assert Claim.model_validate_json(claim.model_dump_json()) == claim


def test_today_can_be_another_day_and_is_no_part_of_the_claim() -> None:
    day = dt.date(2024, 2, 29)
    claim = read_claim("Paris is in France.").model_copy(update={"today": day})
    assert (claim.reference_date, claim.date) == (day, None)
    assert "today" not in claim.model_dump()
    assert claim.model_copy(update={"date": dt.date(2020, 1, 1)}).reference_date == dt.date(2020, 1, 1)
