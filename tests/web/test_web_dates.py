"""When a page was published, as engines and addresses write it: days that are known, and days that are not invented."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wkgfc.web.dates import UNKNOWN, Published, published_in_address, read_published

NOW = dt.datetime(2021, 6, 15, 1, 30, tzinfo=dt.UTC)
FIFTH = dt.date(2021, 1, 5)


@pytest.mark.parametrize(
    "text",
    [
        "Jan 5, 2021",
        "Jan. 5, 2021",
        "January 5th, 2021",
        "5 Jan 2021",
        "5 January 2021",
        "05-Jan-2021",
        "Tue, 05 Jan 2021 13:00:00 GMT",
        "Tuesday, January 5, 2021",
        "2021-01-05",
        "2021-01-05T10:00:00Z",
        "2021-01-05 10:00:00+02:00",
        "2021/01/05",
        "05.01.2021",
        " • Jan 5, 2021 —",
        "\u200eJan 5, 2021",
    ],
)
def test_a_day_that_is_written(text: str) -> None:
    assert read_published(text, NOW) == Published(FIFTH, FIFTH)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("3 days ago", dt.date(2021, 6, 12)),
        ("1 day ago", dt.date(2021, 6, 14)),
        ("a day ago", dt.date(2021, 6, 14)),
        ("yesterday", dt.date(2021, 6, 14)),
        ("2 hours ago", dt.date(2021, 6, 14)),
        ("1 hour ago", dt.date(2021, 6, 15)),
        ("an hour ago", dt.date(2021, 6, 15)),
        ("5 mins ago", dt.date(2021, 6, 15)),
        ("30 seconds ago", dt.date(2021, 6, 15)),
        ("just now", dt.date(2021, 6, 15)),
        ("13/4/2021", dt.date(2021, 4, 13)),
        ("4/13/2021", dt.date(2021, 4, 13)),
        ("4/4/2021", dt.date(2021, 4, 4)),
    ],
)
def test_a_day_that_follows(text: str, day: dt.date) -> None:
    assert read_published(text, NOW) == Published(day, day)


@pytest.mark.parametrize(
    ("text", "earliest"),
    [
        ("2 weeks ago", dt.date(2021, 5, 25)),  # up to three weeks less a day
        ("1 month ago", dt.date(2021, 4, 14)),
        ("2 years ago", dt.date(2018, 6, 13)),
        ("Sept 2020", dt.date(2020, 9, 1)),
        ("2019", dt.date(2019, 1, 1)),
        ("3/4/2021", dt.date(2021, 3, 4)),  # the 4th of March or the 3rd of April
    ],
)
def test_a_day_that_is_not_known_is_not_invented(text: str, earliest: dt.date) -> None:
    published = read_published(text, NOW)
    assert published == Published(None, earliest)
    assert published.is_after(earliest - dt.timedelta(days=1))
    assert not published.is_after(earliest)


@pytest.mark.parametrize(
    "text",
    [
        None,
        5,
        ["Jan 5, 2021"],
        "",
        "soon",
        "Feb 31, 2021",
        "13/13/2021",
        "0000-00-00",
        "9999 years ago",
        "Dec 31, 2030",  # an event's day
        "in 3 days",
        "1234",
        "Jan 5, 2021 " * 20,
    ],
)
def test_what_is_no_date_is_unknown(text: object) -> None:
    assert read_published(text, NOW) == UNKNOWN


@pytest.mark.parametrize(
    ("url", "published"),
    [
        ("https://a.com/2021/01/05/story", Published(FIFTH, FIFTH)),
        ("https://a.com/world/2021/jan/05/story", Published(FIFTH, FIFTH)),
        ("https://a.com/story/2021/1/5/4711/title", Published(FIFTH, FIFTH)),
        ("https://a.com/20210105/story", Published(FIFTH, FIFTH)),
        ("https://a.com/story-2021-01-05", Published(FIFTH, FIFTH)),
        ("https://a.com/2021/01/story", Published(None, dt.date(2021, 1, 1))),
        ("https://web.archive.org/web/20220301000000/https://a.com/2021/01/05/x", Published(FIFTH, FIFTH)),
        ("https://web.archive.org/web/20220301000000/https://a.com/x", UNKNOWN),  # the day of the copy says nothing
        ("https://a.com/2021/page/278", UNKNOWN),
        ("https://a.com/2021/13/05/story", UNKNOWN),
        ("https://a.com/2021/02/31/story", UNKNOWN),
        ("https://a.com/2021/1234", UNKNOWN),
        ("https://a.com/12021-01-051", UNKNOWN),
        ("https://a.com/story?date=2021/01/05/", UNKNOWN),
        ("https://a.com/", UNKNOWN),
        ("", UNKNOWN),
        (None, UNKNOWN),
    ],
)
def test_a_date_in_the_address(url: str | None, published: Published) -> None:
    assert published_in_address(url) == published


@given(st.text(max_size=100), st.datetimes(timezones=st.just(dt.UTC)))
def test_any_text_is_read(text: str, now: dt.datetime) -> None:
    for published in (read_published(text, now), published_in_address(text)):
        assert published.day is None or published.day == published.earliest


@given(st.integers(0, 99999), st.sampled_from(["second", "minute", "hour", "day", "week", "month", "year"]))
def test_any_distance_is_read(number: int, unit: str) -> None:
    published = read_published(f"{number} {unit}s ago", NOW)
    assert published.earliest is None or published.earliest <= NOW.date()


@given(st.dates(min_value=dt.date(1, 1, 1), max_value=dt.date(2021, 6, 15)))
def test_every_day_is_read_back(day: dt.date) -> None:
    assert read_published(day.isoformat(), NOW).day == day
