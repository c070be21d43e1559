"""Dates and numbers: what is read from a text, and how it compares with what a source states."""

import datetime as dt
import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wkgfc.evidence import Entity, Quantity, Time
from wkgfc.reasoning.embedded.values import (
    Day,
    Outcome,
    compare_period,
    compare_quantity,
    compare_time,
    quantity_in_words,
    read_quantities,
    read_times,
    time_in_words,
)
from wkgfc.reasoning.embedded.values.calendar_spans import other_calendar
from wkgfc.reasoning.embedded.values.units import convert, unit_of_label

DATA = Path(__file__).parents[3] / "data"


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


def written(day: Day | None) -> str | None:
    return f"{day.year}-{day.month:02}-{day.day:02}" if day else None


@pytest.mark.parametrize("row", rows("times.jsonl"), ids=lambda row: row["text"])
def test_times_are_read(row: dict[str, Any]) -> None:
    read = [
        {"text": time.text, "bound": time.bound, "earliest": written(time.earliest), "latest": written(time.latest)}
        for time in read_times(row["text"])
    ]
    assert read == row["times"]


def test_a_day_without_a_year_keeps_month_and_day() -> None:
    (mention,) = read_times("Independence Day is on July 4.")
    assert mention.month_day == (7, 4)


def test_relative_times_count_from_the_day_that_is_given() -> None:
    now = dt.date(2022, 9, 1)
    assert read_times("He resigned last year.") == ()
    (last_year,) = read_times("He resigned last year.", now)
    assert last_year.earliest == (2021, 1, 1)
    (ago,) = read_times("It opened two decades ago.", now)
    assert ago.span.earliest.year == 2002


@pytest.mark.parametrize("row", rows("time_comparisons.jsonl"), ids=lambda row: f"{row['claim']} / {row['value']}")
def test_times_are_compared(row: dict[str, Any]) -> None:
    (claimed,) = read_times(row["claim"])
    stated = Time(value=row["value"], precision=row["precision"], calendar=row.get("calendar", "gregorian"))
    agreement = compare_time(claimed, stated)
    assert agreement.outcome == row["outcome"], agreement.reason
    assert time_in_words(stated) in agreement.reason


@pytest.mark.parametrize(
    ("claim", "start", "end", "outcome"),
    [
        ("in 1999", 1995, 2003, Outcome.AGREES),
        ("in 1990", 1995, 2003, Outcome.DISAGREES),
        ("in 2004", 1995, 2003, Outcome.DISAGREES),
        ("in 2004", 1995, None, Outcome.AGREES),
        ("in 1990", 1995, None, Outcome.DISAGREES),
        ("in 1990", None, 2003, Outcome.SILENT),
        ("in 2010", None, 2003, Outcome.DISAGREES),
        ("from 1995 to 2003", 1995, 2003, Outcome.AGREES),
        ("from 1994 to 2003", 1995, 2003, Outcome.DISAGREES),
        ("from 1995 to 2003", 1995, None, Outcome.SILENT),
        ("since 1995", 1995, None, Outcome.AGREES),
        ("since 1990", 1995, None, Outcome.DISAGREES),
        ("from 1995", 1995, 2003, Outcome.AGREES),
        ("from 1998", 1995, 2003, Outcome.DISAGREES),
        ("between 1995 and 2003", 1995, 2003, Outcome.AGREES),
        ("between 1996 and 2000", 1995, 2003, Outcome.AGREES),
        ("between 1990 and 2010", 1995, 2003, Outcome.SILENT),
        ("between 1970 and 1990", 1995, 2003, Outcome.DISAGREES),
        ("between 1996 and 2000", 1995, None, Outcome.AGREES),
        ("in the 1980s and 1990s", 1995, 2003, Outcome.SILENT),
        ("in the 1980s and 1990s", 1981, 1999, Outcome.AGREES),
        ("before 2000", 1995, 2003, Outcome.AGREES),
        ("in 1999", None, None, Outcome.SILENT),
    ],
)
def test_periods_are_compared(claim: str, start: int | None, end: int | None, outcome: Outcome) -> None:
    (claimed,) = read_times(claim)
    times = [Time(value=f"{year}-00-00", precision=9) if year else None for year in (start, end)]
    assert compare_period(claimed, times[0], times[1]).outcome is outcome


@given(st.dates(dt.date(1, 1, 1), dt.date(3000, 12, 31)))
def test_the_calendars_differ_by_whole_days_and_turn_back(day: dt.date) -> None:
    as_julian, _ = other_calendar(Day(day.year, day.month, day.day))
    _, back = other_calendar(as_julian)
    assert back == (day.year, day.month, day.day)


def test_known_days_of_both_calendars() -> None:
    assert other_calendar(Day(1642, 12, 25))[0] == (1643, 1, 4)  # Newton's birth
    assert other_calendar(Day(1917, 11, 7))[1] == (1917, 10, 25)  # the October Revolution


@pytest.mark.parametrize(
    ("value", "precision", "words"),
    [
        ("1889-04-16", 11, "16 April 1889"),
        ("1889-04-00", 10, "April 1889"),
        ("1889-00-00", 9, "1889"),
        ("1920-00-00", 8, "the 1920s"),
        ("1850-00-00", 7, "the 19th century"),
        ("-0044-03-15", 11, "15 March 44 BC"),
        ("-0450-00-00", 7, "the 5th century BC"),
    ],
)
def test_times_are_put_into_words(value: str, precision: int, words: str) -> None:
    assert time_in_words(Time(value=value, precision=precision)) == words


@pytest.mark.parametrize("row", rows("quantities.jsonl"), ids=lambda row: row["text"])
def test_quantities_are_read(row: dict[str, Any]) -> None:
    read = [
        {
            "amount": f"{mention.amount.normalize():f}",
            "bound": mention.bound,
            "unit": mention.unit,
            "noun": mention.noun,
            **({"upper": f"{mention.upper:f}"} if mention.upper is not None else {}),
        }
        for mention in read_quantities(row["text"])
    ]
    assert read == row["quantities"]


@pytest.mark.parametrize("row", rows("quantity_comparisons.jsonl"), ids=lambda row: f"{row['claim']} / {row['amount']}")
def test_quantities_are_compared(row: dict[str, Any]) -> None:
    (claimed,) = read_quantities(row["claim"])
    unit = Entity(id="Q1", label=row["unit"]) if row["unit"] else None
    agreement = compare_quantity(claimed, Quantity(amount=Decimal(row["amount"]), unit=unit))
    assert agreement.outcome == row["outcome"], agreement.reason


def test_spread_widens_what_agrees() -> None:
    (claimed,) = read_quantities("a population of 67,100,000")
    stated = Quantity(amount=Decimal(70_042_591))
    assert compare_quantity(claimed, stated, spread=Decimal("0.0")).disagrees
    assert compare_quantity(claimed, stated, spread=Decimal("0.06")).agrees


@pytest.mark.parametrize(
    ("label", "unit"),
    [
        ("square kilometre", "kilometer ** 2"),
        ("metre", "meter"),
        ("kilometre per hour", "kilometer / hour"),
        ("gram per cubic centimetre", "gram / centimeter ** 3"),
        ("degree Celsius", "degC"),
        ("United States dollar", "dollar"),
        ("inhabitant", None),
        ("human", None),
        ("hryvnia", "hryvnia"),
    ],
)
def test_units_of_wikidata(label: str, unit: str | None) -> None:
    assert unit_of_label(label) == unit


def test_units_are_converted() -> None:
    assert convert(Decimal(100), "mile", "kilometer") == Decimal("160.9344")
    assert round(convert(Decimal(212), "degF", "degC") or 0) == 100
    assert convert(Decimal(1), "kilometer", "hour") is None
    assert convert(Decimal(1), "canadian dollar", "dollar") == 1


@pytest.mark.parametrize(
    ("amount", "label", "words"),
    [
        ("68042591", None, "68,042,591"),
        ("330", "metre", "330 metres"),
        ("1", "metre", "1 metre"),
        ("55.5", "kilometre per hour", "55.5 kilometres per hour"),
        ("100", "degree Celsius", "100 degrees Celsius"),
        ("6", "foot", "6 feet"),
        ("40", "percent", "40 %"),
    ],
)
def test_quantities_are_put_into_words(amount: str, label: str | None, words: str) -> None:
    unit = Entity(id="Q1", label=label) if label else None
    assert quantity_in_words(Quantity(amount=Decimal(amount), unit=unit)) == words


WORDS = st.sampled_from(
    """in on before after between and from to 1889 April 16 16th BC 5 million 3/4 % $ 1.4 half a dozen twenty-five
    hundred the 19th century 1920s mid early 0000 0 99999 9999-99-99 1889-04-16 192X 00/00/0000 31/2/1999 February 30
    30th square km ° per twice one of - – , . ( ) " years""".split()  # noqa: SIM905 - words to read, not a list to edit
)
TEXTS = st.one_of(
    st.text(max_size=60), st.lists(WORDS, max_size=10).map(" ".join), st.lists(WORDS, max_size=10).map("".join)
)


@settings(max_examples=250, deadline=None)
@given(TEXTS)
def test_any_text_is_read(text: str) -> None:
    stated = Time(value="1889-04-16", precision=11)
    for time in read_times(text, dt.date(2024, 1, 1)):
        assert text[time.start : time.end] == time.text
        assert time.span.earliest <= time.span.latest
        compare_time(time, stated)
        compare_period(time, stated, None)
    for quantity in read_quantities(text):
        assert text[quantity.start : quantity.end] == quantity.text
        compare_quantity(quantity, Quantity(amount=Decimal(5), unit=Entity(id="Q11573", label="metre")))


@given(
    st.integers(-3000, 3000).filter(bool),
    st.integers(0, 12),
    st.integers(0, 31),
    st.integers(0, 14),
    st.sampled_from(
        ["in 1889", "on 30 February 1900", "since 44 BC", "about 1", "in the 1st century BC", "on April 31"]
    ),
)
def test_any_stated_time_is_compared(year: int, month: int, day: int, precision: int, claim: str) -> None:
    sign = "-" if year < 0 else ""
    stated = Time(value=f"{sign}{abs(year):04}-{month:02}-{day:02}", precision=precision)
    time_in_words(stated)
    for claimed in read_times(claim):
        compare_time(claimed, stated)
        compare_period(claimed, stated, stated)


@pytest.mark.parametrize("text", ["two hundred and " * 120, "1" * 2000, "in early 1990 to " * 110, "1,234 and " * 200])
def test_endless_runs_are_read(text: str) -> None:
    read_times(text)
    for quantity in read_quantities(text):
        compare_quantity(quantity, Quantity(amount=Decimal(5)))
