import datetime as dt

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from wkgfc.evidence import Time
from wkgfc.kg.builders.records import local_id
from wkgfc.kg.vocabulary import JULIAN, date_time, entity_id, entity_iri, is_entity_id, is_property_id, time_of

HOSTILE = [
    "",
    "Q",
    "Q0",
    "q42",
    "Q42 ",
    "Q42>",
    "Q42> ?p ?o . <x",
    "Q４２",
    "P31\n",
    "wkgfc:",
    "wkgfc:a b",
    "wkgfc:<x>",
    "L1",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_what_is_no_id_never_becomes_an_iri(text: str) -> None:
    assert not is_entity_id(text)
    with pytest.raises(ValueError, match="no id"):
        entity_iri(text)


def test_ids_of_wikidata_and_of_our_own_become_iris_and_back() -> None:
    assert entity_iri("Q42") == "http://www.wikidata.org/entity/Q42"
    assert entity_iri("wkgfc:Charlie_Chaplin") == "urn:wkgfc:Charlie_Chaplin"
    assert entity_id("http://www.wikidata.org/entity/statement/Q42-abc") is None
    assert entity_id("http://example.org/Q42") is None
    assert is_property_id("P31")
    assert not is_property_id("Q31")


@given(st.text(min_size=1))
def test_every_title_has_an_id_that_is_one(title: str) -> None:
    if not title.strip():
        return
    try:
        identifier = local_id(title)
    except UnicodeEncodeError:  # half a surrogate pair is no title
        return
    if len(identifier) < 2000:
        assert is_entity_id(identifier)
        assert entity_id(entity_iri(identifier)) == identifier


@given(st.text())
@example("Q1\n")
def test_an_iri_is_made_of_an_id_or_not_at_all(text: str) -> None:
    try:
        iri = entity_iri(text)
    except ValueError:
        return
    assert entity_id(iri) == text
    assert not set(iri) & set(' <>"{}|\\^`\n\r\t')


def test_a_time_has_the_year_and_the_day_that_people_say() -> None:
    assert time_of("1889-04-16T00:00:00Z", 11, None) == Time(value="1889-04-16", precision=11)
    # The Ides of March of 44 BCE: RDF has a year 0 and proleptic Gregorian days.
    ides = time_of("-0043-03-13T00:00:00Z", 11, JULIAN)
    assert ides == Time(value="-0044-03-15", precision=11, calendar="julian")
    assert ides is not None
    assert ides.year == -44
    # Shakespeare was baptised on 26 April 1564 of the Julian calendar.
    assert time_of("1564-05-06T00:00:00Z", 11, JULIAN) == Time(value="1564-04-26", precision=11, calendar="julian")


@pytest.mark.parametrize(
    ("precision", "literal"), [(9, "-0499"), (10, "-0499"), (8, "-0500"), (7, "-0500"), (6, "-0500")]
)
def test_before_the_common_era_only_years_and_finer_are_counted_from_a_year_0(precision: int, literal: str) -> None:
    time = Time(value="-0500-01-01", precision=precision, calendar="julian")
    assert time_of(f"{literal}-01-01T00:00:00Z", precision, JULIAN) == time
    assert date_time(time) == f"{literal}-01-01T00:00:00Z"


def test_without_a_precision_a_first_of_january_is_a_year() -> None:
    assert time_of("1903-01-01T00:00:00Z", None, None) == Time(value="1903-01-01", precision=9)
    assert time_of("1903-05-02T00:00:00Z", None, None) == Time(value="1903-05-02", precision=11)


@pytest.mark.parametrize("text", ["", "1903", "not a time", "1903-05", "12-12-12-12", "９９９９-01-01T00:00:00Z"])
def test_what_is_no_time_is_none(text: str) -> None:
    assert time_of(text, 11, None) is None


def test_a_precision_that_does_not_exist_is_no_time() -> None:
    assert time_of("1903-05-02T00:00:00Z", 99, None) is None


@given(st.dates(min_value=dt.date(1, 1, 1), max_value=dt.date(3999, 12, 31)), st.sampled_from(["gregorian", "julian"]))
def test_days_are_read_as_they_were_written(day: dt.date, calendar: str) -> None:
    time = Time.model_validate({"value": day.isoformat(), "precision": 11, "calendar": calendar})
    assert time_of(date_time(time), 11, JULIAN if calendar == "julian" else None) == time


@given(st.integers(min_value=-20_000, max_value=20_000).filter(bool), st.sampled_from([6, 7, 8, 9]))
def test_years_are_read_as_they_were_written(year: int, precision: int) -> None:
    time = Time(value=f"{'-' if year < 0 else ''}{abs(year):04d}-01-01", precision=precision)
    assert time_of(date_time(time), precision, None) == time


def test_the_calendars_differ_by_the_days_that_history_left_out() -> None:
    """4 October 1582 of the Julian calendar was followed by 15 October of the Gregorian one."""
    last_julian_day = Time(value="1582-10-04", precision=11, calendar="julian")
    assert date_time(last_julian_day) == "1582-10-14T00:00:00Z"
