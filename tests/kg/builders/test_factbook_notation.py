"""How the Factbook's numbers, shares, dates, lists and names are read; nothing that comes from outside may raise."""

import datetime as dt
import re
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wkgfc.evidence import Time
from wkgfc.kg.builders.factbook.notation import (
    MAX_DIGITS,
    first_clause,
    main_part,
    normal_case,
    plain,
    read_estimate,
    read_number,
    read_share,
    read_time,
    split_list,
    take_brackets,
)
from wkgfc.months import MONTHS

FACTBOOK_WORDS = st.sampled_from(
    ["1.4 million", "(2024 est.)", "note:", "62.1%", "<1%", "14 May 2017", "221 B.C.", "ca.", "less than", "9,850",
     "sq km", "$", "-28 m", "(official)", "[", "(", ")", ";", ",", "–", "EMMANUEL", "d'OLIVEIRA", "²", "٣", "１２",
     "\n", "<br>", "&nbsp;", "A.D. 30", "13 trillion", "III"]
)  # fmt: skip
TEXTS = st.one_of(st.text(max_size=60), st.lists(FACTBOOK_WORDS, max_size=8).map(" ".join))


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1.4 million (2024 est.)", "1400000"),
        ("$28.675 trillion (2024 est.)", "28675000000000"),
        ("8,515,770 sq km", "8515770"),
        ("-28 m", "-28"),
        ("−431 m", "-431"),
        (".5%", "0.5"),
        ("0 km (landlocked)", "0"),
        ("338,016,259 (2025 est.)", "338016259"),
        ("3% (less than half of them adults)", "3"),
        ("17,098,242 sq km (about 1.8 times the US)", "17098242"),
    ],
)
def test_numbers_are_read_in_full(text: str, number: str) -> None:
    assert read_number(text) == Decimal(number)


@pytest.mark.parametrize(
    "text",
    ["", "NA", "less than 3 sq km", "more than 1,000", "4-15%", "10 – 12", "1,2,3", "1/2", "ca. 20", "<1%", "1,23",
     "9" * (MAX_DIGITS + 1), "5 (2020) to about 7", "٣"],
)  # fmt: skip
def test_what_is_no_one_exact_number_is_none(text: str) -> None:
    assert read_number(text) is None


@given(TEXTS)
def test_numbers_never_raise_and_stay_bearable(text: str) -> None:
    number = read_number(text)
    assert number is None or (number.is_finite() and abs(number) < Decimal(10) ** (MAX_DIGITS + 13))


@given(st.integers(0, 10**12), st.sampled_from(["", " km", " (2024 est.)", " sq km; note: x", "%"]))
def test_grouped_digits_are_that_number(number: int, rest: str) -> None:
    assert read_number(f"{number:,}{rest}") == number
    assert read_number(f"{number}{rest}") == number
    assert read_number(f"-{number:,}{rest}") == -number


@given(st.integers(0, 9999), st.integers(0, 9), st.sampled_from([("thousand", 3), ("million", 6), ("trillion", 12)]))
def test_multipliers(whole: int, tenths: int, multiplier: tuple[str, int]) -> None:
    word, power = multiplier
    assert read_number(f"${whole}.{tenths} {word} (2023)") == Decimal(f"{whole}.{tenths}") * 10**power


@given(st.integers(0, 9999), st.integers(0, 9999), st.sampled_from(["-", "–", " - ", "/"]))
def test_ranges_are_no_number(low: int, high: int, dash: str) -> None:
    assert read_number(f"{low}{dash}{high}") is None


@given(TEXTS)
def test_shares_never_raise_and_are_percentages(text: str) -> None:
    share = read_share(text)
    assert share is None or 0 <= share <= 100


@pytest.mark.parametrize(
    ("text", "share"),
    [("Roman Catholic 41.3%", "41.3"), ("German (official) 62.1% (2020 est.)", "62.1"), ("other .5%", "0.5")],
)
def test_a_share_is_read(text: str, share: str) -> None:
    assert read_share(text) == Decimal(share)


@pytest.mark.parametrize(
    "text", ["other <1%", "about 20%", "Sunni 84.7 - 89.7%", "93/1%", "a 1%, b 2%", "101%", "none", "(12%)", "%"]
)
def test_what_is_no_one_exact_share_is_none(text: str) -> None:
    assert read_share(text) is None


@pytest.mark.parametrize(
    ("text", "value", "precision"),
    [
        ("14 May 2017", "2017-05-14", 11),
        ("4 July 1776 (declared independence)", "1776-07-04", 11),
        ("May 2017", "2017-05-01", 10),
        ("Sept. 2011", "2011-09-01", 10),
        ("1768 (unified by Prithvi Narayan SHAH)", "1768-01-01", 9),
        ("221 B.C. (unification)", "-0221-01-01", 9),
        ("A.D. 301", "0301-01-01", 9),
        ("29 February 2024", "2024-02-29", 11),
    ],
)
def test_dates_keep_their_precision(text: str, value: str, precision: int) -> None:
    time = read_time(text)
    assert time is not None
    assert (time.value, time.precision) == (value, precision)


@pytest.mark.parametrize(
    "text",
    ["", "ca. 965", "14-15 May 1811", "30 February 2020", "31 Foo 2020", "1999-2000", "10th century", "12",
     "2019-20 est.", "May", "1,234", "0 B.C.", "12 May 20200"],
)  # fmt: skip
def test_what_is_no_sure_date_is_none(text: str) -> None:
    assert read_time(text) is None


@given(TEXTS)
def test_dates_never_raise(text: str) -> None:
    for time in (read_time(text), read_estimate(text)):
        assert time is None or re.fullmatch(r"-?\d{4}-\d\d-\d\d", time.value)


@given(st.dates(min_value=dt.date(101, 1, 1)))
def test_every_day_is_read_as_written(day: dt.date) -> None:
    time = read_time(f"{day.day} {MONTHS[day.month - 1]} {day.year}")
    assert time is not None
    assert time.value == f"{day.year:04d}-{day.month:02d}-{day.day:02d}"
    assert time.calendar == ("gregorian" if day.year >= 1583 else "julian")


def test_the_estimate_is_what_the_last_bracket_says() -> None:
    expected = Time(value="2024-01-01", precision=9)
    assert read_estimate("5 (2019 est.), now 6 (2024 est.)") == expected
    assert read_estimate("5 (July 2021 est.)") == Time(value="2021-07-01", precision=10)
    for text in ("5", "5 (2016-17 est.)", "5 (est.)", "5 (1821)", "5 2024"):
        assert read_estimate(text) is None


@given(TEXTS)
def test_plain_text_has_no_tags_and_no_invisible_signs(text: str) -> None:
    clean = plain(f"<p>{text}</p>")
    assert not any(character != "\n" and not character.isprintable() for character in clean)
    assert clean == clean.strip()
    assert "  " not in clean
    assert "\n\n" not in clean


def test_markup_is_taken_off() -> None:
    hostile = (
        "<p onclick='x'>Paris\u200b\u202e<br/><strong>note:</strong>&nbsp;&lt;1&#37;\x00\ud800</p><script>a</script>"
    )
    assert plain(hostile) == "Paris\nnote: <1%\na"
    assert plain("A &amp; B < C") == "A & B < C"
    assert plain("Cafe\u0301") == "Café"


@given(TEXTS)
def test_lists_lose_nothing_but_separators(text: str) -> None:
    members = split_list(text)
    assert all(member and member == member.strip() for member in members)
    assert re.sub(r"[\s,;]", "", "".join(members)) == re.sub(r"[\s,;]", "", text)


def test_lists_are_not_cut_in_brackets_or_numbers() -> None:
    assert split_list("China 1,389 km, India 1,770 km") == ["China 1,389 km", "India 1,770 km"]
    assert split_list("a (b, c; d [e, f]), g") == ["a (b, c; d [e, f])", "g"]
    assert split_list("a), b") == ["a)", "b"]
    assert split_list(",;, ") == []


@given(TEXTS)
def test_brackets_never_raise(text: str) -> None:
    outside, inside = take_brackets(text)
    assert len("".join([outside, *inside])) <= len(text)


def test_an_open_bracket_lasts_to_the_end() -> None:
    assert take_brackets("Riga (capital") == ("Riga", ["capital"])
    assert take_brackets("a ) b") == ("a ) b", [])
    assert take_brackets("English (official) , French") == ("English, French", ["official"])


def test_the_first_clause() -> None:
    assert first_clause("one; two\nthree") == "one"
    assert first_clause("") == ""


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("Claudia SHEINBAUM Pardo", "Claudia Sheinbaum Pardo"),
        ("CHARLES III", "Charles III"),
        ("Pedro SANCHEZ Perez-Castejon", "Pedro Sanchez Perez-Castejon"),
        ("Jose RAMOS-HORTA", "Jose Ramos-Horta"),
        ("KIM Jong Un", "Kim Jong Un"),
        ("Ion D'OLIVEIRA", "Ion D'Oliveira"),
    ],
)
def test_names_lose_their_capitals(written: str, name: str) -> None:
    assert normal_case(written) == name


@given(TEXTS)
def test_names_keep_their_letters(text: str) -> None:
    assert normal_case(text).casefold() == " ".join(text.split()).casefold()
    assert set(main_part(text)) <= set(text.split())
