"""Stretches of the calendar, from days to millennia, years before the common era included.

``datetime.date`` begins with the year 1, so days are plain triples here. There is no year 0: the year before 1 is -1.
"""

from calendar import monthrange
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

from wkgfc.evidence import Time


class Precision(IntEnum):
    """How fine a time is, in Wikidata's numbers (https://www.wikidata.org/wiki/Help:Dates#Precision)."""

    MILLENNIUM = 6
    CENTURY = 7
    DECADE = 8
    YEAR = 9
    MONTH = 10
    DAY = 11


class Day(NamedTuple):
    """A day of the proleptic Gregorian calendar; ``year`` is negative before the common era."""

    year: int
    month: int
    day: int


DAWN = Day(-(10**12), 1, 1)  # earlier than anything that a claim names
DUSK = Day(10**12, 12, 31)


@dataclass(frozen=True)
class Span:
    """The days from ``earliest`` to ``latest``, both included. ``DAWN`` and ``DUSK`` stand for open ends."""

    earliest: Day
    latest: Day

    def contains(self, other: "Span") -> bool:
        """Whether all of ``other`` lies within."""
        return self.earliest <= other.earliest and other.latest <= self.latest

    def meets(self, other: "Span") -> bool:
        """Whether a day lies in both."""
        return self.earliest <= other.latest and other.earliest <= self.latest

    def widened(self, years: int) -> "Span":
        """The span with ``years`` more at each end."""
        return Span(
            self.earliest._replace(year=_skip_zero(self.earliest.year, -years)),
            self.latest._replace(year=_skip_zero(self.latest.year, years)),
        )


def _skip_zero(year: int, change: int) -> int:
    moved = year + change
    if year < 0 <= moved:
        return moved + 1
    if year > 0 >= moved:
        return moved - 1
    return moved


def days_in_month(year: int, month: int) -> int:
    """28 to 31. Years outside the library's calendar take those of the same place in the leap cycle."""
    cyclic = (year if year > 0 else year + 1) % 400 + 2000
    return monthrange(cyclic, month)[1]


def day_span(year: int, month: int, day: int) -> Span:
    """One day. A day that its month does not have becomes the month's last."""
    exact = Day(year, month, min(day, days_in_month(year, month)))
    return Span(exact, exact)


def month_span(year: int, month: int) -> Span:
    """One month."""
    return Span(Day(year, month, 1), Day(year, month, days_in_month(year, month)))


def year_span(year: int, last_year: int | None = None) -> Span:
    """One year, or the years from ``year`` to ``last_year``."""
    return Span(Day(year, 1, 1), Day(year if last_year is None else last_year, 12, 31))


def decade_span(year: int) -> Span:
    """The decade that ``year`` lies in: 1920 to 1929; before the common era -29 to -20 for the 20s BC."""
    if year > 0:
        first = year - year % 10
        return year_span(max(first, 1), first + 9)
    last = -(-year - -year % 10)
    return year_span(last - 9, min(last, -1))


def century_span(number: int) -> Span:
    """The century of that number, negative before the common era.

    It has the year that starts it in common use and the year that ends it by count: the 19th is 1800 to 1900.
    """
    if number > 0:
        return year_span(max((number - 1) * 100, 1), number * 100)
    return year_span(number * 100, min((number + 1) * 100, -1))


def millennium_span(number: int) -> Span:
    """The millennium of that number, negative before the common era, as ``century_span`` counts."""
    if number > 0:
        return year_span(max((number - 1) * 1000, 1), number * 1000)
    return year_span(number * 1000, min((number + 1) * 1000, -1))


def stated_span(stated: Time) -> Span:
    """The days that a stated time may mean at its precision.

    Wikidata writes the 19th century as any year in it; a year that ends a century is read as that century by
    some of its tools and as the next one by others, so both are meant then.
    """
    year = stated.year or -1  # RDF's year 0 is 1 BC
    match stated.precision:
        case precision if precision >= Precision.DAY:
            return day_span(year, min(max(stated.month or 1, 1), 12), max(stated.day or 1, 1))
        case Precision.MONTH:
            return month_span(year, min(max(stated.month or 1, 1), 12))
        case Precision.YEAR:
            return year_span(year)
        case Precision.DECADE:
            return decade_span(year)
        case Precision.CENTURY:
            return _hundreds(year, 100)
        case Precision.MILLENNIUM:
            return _hundreds(year, 1000)
        case coarser:
            reach = 10 ** (9 - coarser)
            return year_span(year).widened(reach)


def _hundreds(year: int, size: int) -> Span:
    """The century or millennium that a stated ``year`` stands for, without the years that its neighbours claim too."""
    sign = 1 if year > 0 else -1
    number = sign * ((abs(year) - 1) // size + 1)
    span = century_span(number) if size == 100 else millennium_span(number)
    first, last = span.earliest.year, span.latest.year
    if year > 0 and year % size == 0:
        return year_span(max(first, 1), year + size - 1)
    return year_span(first + 1 if abs(first) > 1 else first, last - 1 if abs(last) > 1 else last)


def other_calendar(day: Day) -> tuple[Day, Day]:
    """What ``day`` is in the Gregorian calendar if it was a Julian one, and the other way round.

    By Julian day numbers (Richards, "Calendars", in: Explanatory Supplement to the Astronomical Almanac, 2013).
    """
    return _from_number(_julian_number(day), gregorian=True), _from_number(_gregorian_number(day), gregorian=False)


def days_between(first: Day, second: Day) -> int:
    """How many days the second is after the first; negative where it is before."""
    return _gregorian_number(second) - _gregorian_number(first)


def _julian_number(day: Day) -> int:
    return _day_number(day) - 32083


def _gregorian_number(day: Day) -> int:
    shift = (14 - day.month) // 12
    year = _astronomical(day.year) + 4800 - shift
    return _day_number(day) - year // 100 + year // 400 - 32045


def _day_number(day: Day) -> int:
    shift = (14 - day.month) // 12
    year = _astronomical(day.year) + 4800 - shift
    month = day.month + 12 * shift - 3
    return day.day + (153 * month + 2) // 5 + 365 * year + year // 4


def _from_number(number: int, *, gregorian: bool) -> Day:
    base = number + 1401
    if gregorian:
        base += (4 * number + 274277) // 146097 * 3 // 4 - 38
    within = 4 * base + 3
    rest = 5 * (within % 1461 // 4) + 2
    day = rest % 153 // 5 + 1
    month = (rest // 153 + 2) % 12 + 1
    year = within // 1461 - 4716 + (14 - month) // 12
    return Day(year if year > 0 else year - 1, month, day)


def _astronomical(year: int) -> int:
    return year if year > 0 else year + 1
