"""Years, dates and spans of years as encyclopedic English writes them.

What is written is kept with its precision: a year is not the first of January, "c. 1182" is a year of which the
sources are unsure, "1368/1369" is one of two years.
"""

import datetime as dt
import re
from dataclasses import dataclass

from wkgfc.evidence import Time
from wkgfc.months import MONTHS

LATEST_YEAR = 2035  # a number above it in such a text is no year
_MONTHS = {name: number for number, name in enumerate(MONTHS, start=1)}
_MONTH = "|".join(_MONTHS)
_BEFORE = r"(?:BCE|BC|B\.C\.)"
_AFTER = r"(?:CE|AD|A\.D\.)"
_CIRCA = r"(?:c\.|ca\.|circa|around|about|approximately|possibly|probably)"
GREGORIAN_FROM = 1582  # the calendar's first year; earlier days are Julian, as in Wikidata

YEAR = (
    rf"(?:(?P<circa>{_CIRCA})\s*)?(?:{_AFTER}\s*)?(?P<year>\d{{1,4}})(?P<other>/\d{{1,4}})?(?![\d,.]\d)"
    rf"(?P<decade>s\b)?(?:\s*(?:(?P<before>{_BEFORE})|{_AFTER})(?!\w))?"
)
_YEAR_ONLY = re.compile(rf"\s*{YEAR}\s*", re.IGNORECASE)
_DAY = re.compile(
    rf"(?:(?P<d1>\d{{1,2}})\s+(?P<m1>{_MONTH})|(?P<m2>{_MONTH})\s+(?P<d2>\d{{1,2}})|(?P<m3>{_MONTH})),?\s+"
    rf"(?:{_AFTER}\s+)?(?P<y>\d{{3,4}})(?!\d)(?:\s*(?P<before>{_BEFORE}))?"
)
_CENTURY = re.compile(rf"(?P<n>\d{{1,2}})(?:st|nd|rd|th)[- ]century(?:[- ](?P<before>{_BEFORE}))?", re.IGNORECASE)
_DASH = re.compile(r"\s*(?:–|—|-|‒|\bto\b|\buntil\b)\s*")


@dataclass(frozen=True)
class When:
    """A point in time as written. ``latest`` is set where the text gives two years for it."""

    time: Time
    is_circa: bool = False
    latest: Time | None = None


def year_time(year: int, precision: int = 9) -> Time:
    """A year (negative: before the common era) as a time of that precision."""
    sign = "-" if year < 0 else ""
    return Time(
        value=f"{sign}{abs(year):04d}-01-01",
        precision=precision,
        calendar="gregorian" if year > GREGORIAN_FROM else "julian",
    )


def day_time(year: int, month: int, day: int | None) -> Time | None:
    """A day or a month of the common era; ``None`` where the calendar has no such day."""
    if not 1 <= year <= LATEST_YEAR:
        return None
    try:
        dt.date(year, month, day or 1)
    except ValueError:
        return None
    calendar = "gregorian" if year > GREGORIAN_FROM else "julian"
    precision = 11 if day else 10
    return Time.model_validate(
        {"value": f"{year:04d}-{month:02d}-{day or 1:02d}", "precision": precision, "calendar": calendar}
    )


def century_time(number: int, before: bool = False) -> Time:
    """The ``number``-th century, as Wikidata writes it: its last year, with the precision of a century."""
    return year_time(-(100 * number) if before else 100 * number, 7)


def read_year(text: str, before_era: bool = False) -> When | None:
    """A text that is one year and nothing else: "c. 1182", "384 BC", "AD 54", "1368/1369", "1460s".

    ``before_era`` says that the text around it counts years before the common era ("384–322 BC").
    """
    match = _YEAR_ONLY.fullmatch(text)
    return _when(match, before_era) if match else None


def _when(match: re.Match[str], before_era: bool) -> When | None:
    number = int(match["year"])
    before = bool(match["before"]) or before_era
    if number == 0 or (not before and number > LATEST_YEAR):
        return None
    year = -number if before else number
    is_circa = bool(match["circa"])
    if match["decade"]:
        return When(year_time(year, 8), is_circa)
    if match["other"]:
        other = match["other"][1:]
        other = str(number)[: len(str(number)) - len(other)] + other
        second = -int(other) if before else int(other)
        same_decade = year // 10 == second // 10
        return When(year_time(year, 8 if same_decade else 7), True, year_time(second))
    return When(year_time(year), is_circa)


def read_span(text: str) -> tuple[When | None, When | None] | None:
    """Two years with a dash or "to" between: "1889–1977", "c. 310 – after 238 BCE", "43 BC – AD 17/18", "1998–99".

    Either end may be missing in a way that the text says ("since 2012", "2022–present"): it is then ``None``.
    ``None`` for the whole where the text is no span.
    """
    text = text.strip()
    since = re.fullmatch(r"(?:since|from)\s+(.+)", text, re.IGNORECASE)
    if since and (start := read_year(since[1])):
        return start, None
    parts = _DASH.split(text)
    if len(parts) != 2:
        return None
    first, second = parts
    if re.fullmatch(r"present|now|today", second.strip(), re.IGNORECASE):
        start = read_year(first)
        return (start, None) if start else None
    end = read_year(second)
    if end is None:
        return None
    if end.time.year < 0:
        start = read_year(first, before_era=True)
    else:
        start = read_year(first)
        if start and (short := re.fullmatch(r"\d{1,2}", second.strip())) and start.time.year >= 1000:
            end = read_year(str(start.time.year)[: 4 - len(short[0])] + short[0])
    if start is None or end is None or start.time.year > end.time.year:
        return None
    return start, end


def find_date(text: str, position: int = 0) -> tuple[When, int, int] | None:
    """The first full date or month with a year in the text from ``position`` on, with where it starts and ends."""
    for match in _DAY.finditer(text, position):
        if match["before"]:
            continue
        month = _MONTHS[match["m1"] or match["m2"] or match["m3"]]
        day = match["d1"] or match["d2"]
        time = day_time(int(match["y"]), month, int(day) if day else None)
        if time:
            return When(time), match.start(), match.end()
    return None


def find_century(text: str) -> When | None:
    """The first "17th-century", "4th century BC" of the text."""
    match = _CENTURY.search(text)
    if match is None or not 1 <= int(match["n"]) <= 21:
        return None
    return When(century_time(int(match["n"]), bool(match["before"])))


def read_when(text: str) -> When | None:
    """A text that begins with a date, a month with a year, or a year: "4 July 1776", "AD 537", "the 1960s"."""
    text = re.sub(r"^(?:the\s+year\s+|the\s+|early\s+|late\s+|mid-)", "", text.strip())
    found = find_date(text)
    if found and found[1] == 0:
        return found[0]
    match = re.match(YEAR, text, re.IGNORECASE)
    return _when(match, before_era=False) if match else None
