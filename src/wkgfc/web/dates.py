"""When a page was published, as search engines and addresses say it.

Engines write a day ("Jan 5, 2021"), a stamp ("2021-01-05T10:00:00Z"), a month, a year, or how long ago ("3 days ago").
A day is known only where it is written or follows from hours or days; "5 months ago" says no more than the earliest
day that it can have been. So a date is never invented, and "published after …" is said only where it is sure.
"""

import datetime as dt
import re
from dataclasses import dataclass

from wkgfc.web.addresses import original_address

MAX_DATE_CHARACTERS = 80  # the longest form, an RFC 2822 stamp, has 40


@dataclass(frozen=True)
class Published:
    """What is known of a day of publication.

    ``day`` is the day where it is known, else ``None``. ``earliest`` is the first day that it can have been, or
    ``None`` where nothing is known; it equals ``day`` where that is known.
    """

    day: dt.date | None = None
    earliest: dt.date | None = None

    def is_after(self, date: dt.date) -> bool:
        """Whether it is known to be later than ``date``."""
        return self.earliest is not None and self.earliest > date


UNKNOWN = Published()


def read_published(text: object, retrieved_at: dt.datetime) -> Published:
    """What the date of a search result says, read at ``retrieved_at``.

    Anything that is no date in one of the engines' English or numeric forms is ``UNKNOWN``, and so is a day after the
    retrieval: that is an event's, not a publication's. In "3/4/2021" day and month cannot be told apart: only the
    earlier of both readings is kept, as the earliest day.

    >>> read_published("3 days ago", dt.datetime(2021, 1, 8, 12, tzinfo=dt.UTC)).day
    datetime.date(2021, 1, 5)
    """
    if not isinstance(text, str) or len(text) > MAX_DATE_CHARACTERS:
        return UNKNOWN
    plain = " ".join(text.replace("\u200e", "").strip(" \t\r\n·•—–-,").split()).lower()
    try:
        published = _ago(plain, retrieved_at) or _written(plain)
    except (ValueError, OverflowError):  # the 31st of February, ten thousand years ago
        return UNKNOWN
    if published is None or published.is_after(retrieved_at.date() + dt.timedelta(days=1)):
        return UNKNOWN
    return published


def published_in_address(url: str | None) -> Published:
    """What the address of a page says of its day: newspapers write it into the path.

    Read are ``/2021/01/05/``, ``/2021/jan/05/``, ``/2021/01/`` (a month), ``/20210105/`` and ``-2021-01-05``. Of a
    copy in an archive the copied address counts, not the day of the copy.

    >>> published_in_address("https://www.theguardian.com/world/2021/jan/05/news").day
    datetime.date(2021, 1, 5)
    """
    if not url:
        return UNKNOWN
    address = original_address(url)[:2_000].split("?")[0].split("#")[0].lower()
    for pattern in (_FOLDERS, _COMPACT, _DASHES):
        found = pattern.search(address)
        if found is None:
            continue
        year, month, day = found["year"], found["month"], found.groupdict().get("day")
        number = _MONTHS.get(month[:3]) or int(month)
        try:
            first = dt.date(int(year), number, int(day or 1))
        except ValueError:
            continue
        return Published(day=first if day else None, earliest=first)
    return UNKNOWN


_MONTHS = {
    "jan": 1,
    "feb": 2,
    "mar": 3,
    "apr": 4,
    "may": 5,
    "jun": 6,
    "jul": 7,
    "aug": 8,
    "sep": 9,
    "oct": 10,
    "nov": 11,
    "dec": 12,
}
_MONTH_NAME = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_CLOCK = r"(?:[t ,]+(?:at )?\d{1,2}[:.]\d\d.*)?"  # what follows a day: a time with its zone
_WEEKDAY = r"(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? )?"

_YEAR_FIRST = re.compile(rf"(?P<year>\d{{4}})[-/.](?P<month>\d{{1,2}})[-/.](?P<day>\d{{1,2}}){_CLOCK}", re.ASCII)
_MONTH_FIRST = re.compile(
    rf"{_WEEKDAY}{_MONTH_NAME} (?P<day>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<year>\d{{4}}){_CLOCK}", re.ASCII
)
_DAY_FIRST = re.compile(
    rf"{_WEEKDAY}(?P<day>\d{{1,2}})(?:st|nd|rd|th)?[ -]{_MONTH_NAME},?[ -](?P<year>\d{{4}}){_CLOCK}", re.ASCII
)
_DOTTED = re.compile(rf"(?P<day>\d{{1,2}})\.(?P<month>\d{{1,2}})\.(?P<year>\d{{4}}){_CLOCK}", re.ASCII)
_SLASHED = re.compile(rf"(?P<first>\d{{1,2}})/(?P<second>\d{{1,2}})/(?P<year>\d{{4}}){_CLOCK}", re.ASCII)
_OF_MONTH = re.compile(rf"{_MONTH_NAME},? (?P<year>\d{{4}})", re.ASCII)
_OF_YEAR = re.compile(r"(?P<year>(?:1[5-9]|20)\d\d)", re.ASCII)
_AGO = re.compile(
    r"(?P<number>\d{1,4}|an?|one) ?(?P<unit>s|sec|second|m|min|minute|h|hr|hour|d|day|w|wk|week|mo|month|y|yr|year)s?"
    r" ago",
    re.ASCII,
)

_FOLDERS = re.compile(
    r"/(?P<year>(?:19|20)\d\d)/(?P<month>0?[1-9]|1[0-2]|jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)"
    r"(?:/(?P<day>0?[1-9]|[12]\d|3[01]))?(?=/|$)",
    re.ASCII,
)
_COMPACT = re.compile(r"/(?P<year>20\d\d)(?P<month>0[1-9]|1[0-2])(?P<day>0[1-9]|[12]\d|3[01])(?=[/_.-]|$)", re.ASCII)
_DASHES = re.compile(r"(?<!\d)(?P<year>20\d\d)-(?P<month>0[1-9]|1[0-2])-(?P<day>0[1-9]|[12]\d|3[01])(?!\d)", re.ASCII)


def _ago(text: str, retrieved_at: dt.datetime) -> Published | None:
    if text in ("today", "just now", "now"):
        return Published(retrieved_at.date(), retrieved_at.date())
    if text == "yesterday":
        day = retrieved_at.date() - dt.timedelta(days=1)
        return Published(day, day)
    found = _AGO.fullmatch(text)
    if found is None:
        return None
    number = int(found["number"]) if found["number"].isdigit() else 1
    match found["unit"]:
        case "s" | "sec" | "second" | "m" | "min" | "minute":
            exact = dt.timedelta(minutes=number if found["unit"].startswith("m") else 0)
        case "h" | "hr" | "hour":
            exact = dt.timedelta(hours=number)
        case "d" | "day":
            exact = dt.timedelta(days=number)
        case "w" | "wk" | "week":
            return Published(earliest=retrieved_at.date() - dt.timedelta(days=7 * (number + 1)))
        case "mo" | "month":
            return Published(earliest=retrieved_at.date() - dt.timedelta(days=31 * (number + 1)))
        case _:
            return Published(earliest=retrieved_at.date() - dt.timedelta(days=366 * (number + 1)))
    day = (retrieved_at - exact).date()
    return Published(day, day)


def _written(text: str) -> Published | None:
    for pattern in (_YEAR_FIRST, _MONTH_FIRST, _DAY_FIRST, _DOTTED):
        found = pattern.fullmatch(text)
        if found is not None:
            month = _MONTHS.get(found["month"][:3]) or int(found["month"])
            day = dt.date(int(found["year"]), month, int(found["day"]))
            return Published(day, day)
    if (found := _SLASHED.fullmatch(text)) is not None:
        return _day_and_month_in_some_order(int(found["year"]), int(found["first"]), int(found["second"]))
    if (found := _OF_MONTH.fullmatch(text)) is not None:
        return Published(earliest=dt.date(int(found["year"]), _MONTHS[found["month"][:3]], 1))
    if (found := _OF_YEAR.fullmatch(text)) is not None:
        return Published(earliest=dt.date(int(found["year"]), 1, 1))
    return None


def _day_and_month_in_some_order(year: int, first: int, second: int) -> Published:
    readings = {dt.date(year, month, day) for month, day in ((first, second), (second, first)) if month <= 12}
    earliest = min(readings)
    return Published(earliest if len(readings) == 1 else None, earliest)
