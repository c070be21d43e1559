"""Times that a claim names, with what bounds them, and how they compare with the times that a source states."""

import datetime as dt
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from wkgfc.evidence import Time
from wkgfc.reasoning.embedded.values.agreement import Agreement, agrees, disagrees, silent
from wkgfc.reasoning.embedded.values.calendar_spans import (
    DAWN,
    DUSK,
    Day,
    Precision,
    Span,
    day_span,
    month_span,
    other_calendar,
    stated_span,
    year_span,
)
from wkgfc.reasoning.embedded.values.lookback import REACH, just_before
from wkgfc.reasoning.embedded.values.time_forms import ALWAYS, MONTHS, TimePoint, circa_years, read_points

Bound = Literal["at", "before", "after", "by", "not_before", "since", "until", "between", "from_to"]


@dataclass(frozen=True)
class TimeMention:
    """A time as a text names it.

    ``start`` and ``end`` are its character offsets, with the words that lead to it ("in 1889", "before 1900"); the
    value itself begins at ``value_start``. A time within ``span`` is what was meant; one outside ``limits`` is not;
    between them it may be ("early 1920s", "about 1889").
    ``begins`` and ``ends`` are the two ends where the text names them ("from 1920 to 1930", "between the 1920s and the
    1930s", "since 1950"), and for what lasts also of "from 1985", which else is that year.
    ``month_day`` is set where no year is named ("on April 16"); the day is ``None`` for a bare month, and the span is
    then all of time.
    """

    start: int
    end: int
    text: str
    span: Span
    limits: Span
    precision: Precision
    bound: Bound = "at"
    is_approximate: bool = False
    begins: Span | None = None
    ends: Span | None = None
    month_day: tuple[int, int | None] | None = None
    value_start: int = 0

    @property
    def earliest(self) -> Day | None:
        """The first day that is meant; ``None`` where the beginning is open."""
        return None if self.span.earliest == DAWN else self.span.earliest

    @property
    def latest(self) -> Day | None:
        """The last day that is meant; ``None`` where the end is open."""
        return None if self.span.latest == DUSK else self.span.latest


_FILLER = r"\s*(?:at\s+least\s+)?(?:the\s+)?(?:(?:month|year|years|season|summer|spring|fall)\s+(?:of\s+)?)?$"
_BOUND_WORDS: dict[Bound, str] = {
    "since": r"(?:ever\s+)?since|starting\s+(?:in|from|on)|beginning\s+(?:in|on)|as\s+early\s+as",
    "until": r"(?:up\s+)?until|'?till?|through",
    "by": r"by(?:\s+(?:late|early|mid))?|(?:no|not)\s+later\s+than|(?:in|on)\s+or\s+before",
    "not_before": r"(?:no|not)\s+earlier\s+than",
    "before": r"before|prior\s+to|earlier\s+than|preceding|pre-?",
    "after": r"after|later\s+than|post-?|subsequent\s+to",
}
_BOUNDS = {bound: re.compile(rf"\b(?:{words}){_FILLER}", re.IGNORECASE) for bound, words in _BOUND_WORDS.items()}
_CIRCA = re.compile(
    r"(?:\bc\.?|\bca\.?|\bcirca|\babout|\baround|\bapproximately|\broughly|\bsomewhere\s+near|~)" + _FILLER,
    re.IGNORECASE,
)
_PREPOSITION = re.compile(r"\b(?:in|on|during|at)\s+(?:the\s+)?(?:year\s+)?$", re.IGNORECASE)
_BETWEEN = re.compile(r"\bbetween(?:\s+the)?(?:\s+years?)?(?:\s+of)?\s+$", re.IGNORECASE)
_FROM = re.compile(r"\bfrom(?:\s+the)?(?:\s+years?)?(?:\s+of)?\s+$", re.IGNORECASE)
_AND = re.compile(r",?\s*(?:and|&)\s*(?:the\s+)?(?:then\s+in\s+)?", re.IGNORECASE)
_TO = re.compile(
    r",?\s*(?:(?:up\s+)?(?:to|until|till|thru|through)|and\s+end(?:ing|ed)\s+(?:in|on)|[-–—])\s*(?:the\s+)?(?:year\s+)?",
    re.IGNORECASE,
)
_UNTIL_EVENT = re.compile(  # "until his death in 1881"
    r",?\s*(?:up\s+)?(?:to|until|till)\s+(?:his|her|its|their)\s+(?:[a-z-]+\s+){1,4}(?:in|on)\s+(?:the\s+year\s+)?",
    re.IGNORECASE,
)
_TO_NOW = re.compile(r"\s*(?:to|until|till|through|[-–—])\s*(?:the\s+)?(?:present|today|now|date)\b", re.IGNORECASE)
_ONWARDS = re.compile(r"\s*(?:onwards?|and\s+(?:later|after(?:wards?)?)|\+(?!\w))(?:\b|$)", re.IGNORECASE)
_MODIFIES_NOUN = re.compile(r"\s+(?:[A-Z]?[a-z]+)")


def read_times(text: str, now: dt.date | None = None) -> tuple[TimeMention, ...]:
    """The times that ``text`` names, in order. Years in names ("Dreamer (2005 film)") are none.

    ``now`` is the day that "last year", "today" or "five years ago" count from; without it they are not read.
    """
    points = read_points(text)
    if now is not None:
        points = _with_relative(text, points, now)
    return tuple(_mentions(text, points))


def _mentions(text: str, points: list[TimePoint]) -> Iterator[TimeMention]:
    number = 0
    while number < len(points):
        pair = _pair(text, points[number], points[number + 1]) if number + 1 < len(points) else None
        if pair is not None:
            yield pair
            number += 2
        else:
            yield _single(text, points[number])
            number += 1


def _pair(text: str, first: TimePoint, second: TimePoint) -> TimeMention | None:
    """Two times that make one stretch: "between 1920 and 1930", "from 1920 to 1930", "1889–1977"."""
    gap = text[first.end : second.start]
    if len(gap) > REACH:
        return None
    if first.month_day and not second.month_day:
        first = _with_year(first, second.span.latest.year)
    if first.month_day or second.month_day or first.span.earliest > second.span.latest:
        return None
    between, from_ = just_before(_BETWEEN, text, first.start), just_before(_FROM, text, first.start)
    coarse = first.precision == second.precision and first.precision <= Precision.DECADE
    bound: Bound
    if _AND.fullmatch(gap) and (between or coarse):
        bound = "between"
    elif _TO.fullmatch(gap) or _UNTIL_EVENT.fullmatch(gap) or (from_ and _AND.fullmatch(gap)):
        bound = "between" if between else "from_to"
    else:
        return None
    opener = between or from_
    start = opener.start() if opener else first.start
    return TimeMention(
        start,
        second.end,
        text[start : second.end],
        Span(first.span.earliest, second.span.latest),
        Span(min(first.limits.earliest, second.limits.earliest), max(first.limits.latest, second.limits.latest)),
        max(first.precision, second.precision),
        bound,
        begins=first.span,
        ends=second.span,
        value_start=first.start,
    )


def _with_year(point: TimePoint, year: int) -> TimePoint:
    month, day = point.month_day or (1, None)
    span = month_span(year, month) if day is None else day_span(year, month, day)
    return replace(point, span=span, limits=span, month_day=None)


def _single(text: str, point: TimePoint) -> TimeMention:
    start, span, limits = point.start, point.span, point.limits
    is_approximate = False
    if circa := just_before(_CIRCA, text, start):
        is_approximate, start = True, circa.start()
        years = circa_years(point.precision)
        span, limits = span.widened(years), limits.widened(2 * years)
    plain = TimeMention(
        start,
        point.end,
        "",
        span,
        limits,
        point.precision,
        "at",
        is_approximate,
        month_day=point.month_day,
        value_start=point.start,
    )
    if point.month_day:
        mention = plain
    elif after := (_TO_NOW.match(text, point.end) or _ONWARDS.match(text, point.end)):
        opener = just_before(_FROM, text, start)
        mention = replace(_bounded(plain, "since"), start=opener.start() if opener else start, end=after.end())
    else:
        mention = plain
        for bound, pattern in _BOUNDS.items():
            if opener := just_before(pattern, text, start):
                mention = replace(_bounded(plain, bound), start=opener.start())
                if bound == "after" and "the" in opener[0].lower() and _MODIFIES_NOUN.match(text, point.end):
                    # "after the 2016 election" is after something within the year
                    mention = replace(mention, limits=Span(limits.earliest, DUSK))
                break
    if mention.start == start and (preposition := just_before(_PREPOSITION, text, start)):
        mention = replace(mention, start=preposition.start())
    elif mention.start == start and point.month_day is None and just_before(_FROM, text, start):
        mention = replace(mention, begins=mention.span)
    return replace(mention, text=text[mention.start : mention.end])


def _bounded(plain: TimeMention, bound: Bound) -> TimeMention:
    """The mention with its span cut or opened by the word before it."""
    span, limits = plain.span, plain.limits
    match bound:
        case "before":
            return replace(
                plain,
                bound=bound,
                span=Span(DAWN, _day_before(span.earliest)),
                limits=Span(DAWN, _day_before(limits.latest if plain.is_approximate else span.earliest)),
            )
        case "after":
            beyond = Span(_day_after(span.latest), DUSK)
            return replace(plain, bound=bound, span=beyond, limits=Span(_day_after(limits.earliest), DUSK))
        case "by":
            return replace(plain, bound=bound, span=Span(DAWN, span.latest), limits=Span(DAWN, limits.latest))
        case "not_before":
            return replace(plain, bound=bound, span=Span(span.earliest, DUSK), limits=Span(limits.earliest, DUSK))
        case "until":
            open_ = Span(DAWN, span.latest)
            return replace(plain, bound=bound, span=open_, limits=Span(DAWN, limits.latest), ends=span)
        case "since":
            open_ = Span(span.earliest, DUSK)
            return replace(plain, bound=bound, span=open_, limits=Span(limits.earliest, DUSK), begins=span)
        case _:
            return plain


def _day_before(day: Day) -> Day:
    if day.day > 1:
        return day._replace(day=day.day - 1)
    if day.month > 1:
        return month_span(day.year, day.month - 1).latest
    return Day(day.year - 1 or -1, 12, 31)


def _day_after(day: Day) -> Day:
    if day < month_span(day.year, day.month).latest:
        return day._replace(day=day.day + 1)
    if day.month < 12:
        return Day(day.year, day.month + 1, 1)
    return Day(day.year + 1 or 1, 1, 1)


_RELATIVE = re.compile(
    r"\b(?:(?P<ago>\d{1,3}|a|one|two|three|four|five|six|seven|eight|nine|ten|twenty|fifty)\s+"
    r"(?P<unit>year|month|decade)s?\s+ago|(?P<which>this|last|next)\s+(?P<named>year|month)"
    r"|last\s+(?P<month>January|February|March|April|May|June|July|August|September|October|November|December)"
    r"|(?P<day>today|yesterday))\b",
    re.IGNORECASE,
)
_SMALL = {
    "a": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "twenty": 20, "fifty": 50,
}  # fmt: skip


def _with_relative(text: str, points: list[TimePoint], now: dt.date) -> list[TimePoint]:
    relative = [
        point
        for match in _RELATIVE.finditer(text)
        if not any(match.start() < other.end and other.start < match.end() for other in points)
        for point in [_relative(match, now)]
    ]
    return sorted([*points, *relative], key=lambda point: point.start)


def _relative(match: re.Match[str], now: dt.date) -> TimePoint:
    start, end = match.span()
    if match["day"]:
        day = now if match["day"].lower() == "today" else now - dt.timedelta(days=1)
        span = day_span(day.year, day.month, day.day)
        return TimePoint(start, end, span, span, Precision.DAY)
    if match["ago"]:
        number = _SMALL.get(match["ago"].lower()) or int(match["ago"])
        months = number * {"year": 12, "month": 1, "decade": 120}[match["unit"].lower()]
        index = now.year * 12 + now.month - 1 - months
        year = index // 12 if index >= 12 else 1
        if match["unit"].lower() == "month":
            span = month_span(year, index % 12 + 1)
            return TimePoint(start, end, span, span.widened(1), Precision.MONTH)
        span = year_span(year)
        return TimePoint(start, end, span, span.widened(max(1, number // 10)), Precision.YEAR)
    if match["month"]:
        month = MONTHS[match["month"].lower()]
        span = month_span(now.year if month < now.month else now.year - 1, month)
        return TimePoint(start, end, span, span, Precision.MONTH)
    shift = {"this": 0, "last": -1, "next": 1}[match["which"].lower()]
    if match["named"].lower() == "year":
        span = year_span(now.year + shift or 1)
        return TimePoint(start, end, span, span, Precision.YEAR)
    index = now.year * 12 + now.month - 1 + shift
    span = month_span(index // 12 or 1, index % 12 + 1)
    return TimePoint(start, end, span, span, Precision.MONTH)


def compare_time(claimed: TimeMention, stated: Time) -> Agreement:
    """Whether something that a source dates to ``stated`` happened when the claim says.

    A finer date bears a coarser one out (16 April 1889 for "in 1889"); a coarser one cannot confirm a finer one, and
    is silent. "Since" is compared with a beginning, "until" with an end. Before the common era a year more or less
    is no contradiction (sources differ on a year 0), and neither is the distance between the two calendars.
    """
    said = f"the source says {time_in_words(stated)}"
    if claimed.month_day is not None:
        return _compare_month_day(claimed.month_day, stated, said)
    meant = claimed.begins if claimed.bound == "since" else claimed.ends if claimed.bound == "until" else None
    if meant is not None:
        limits = claimed.limits
        if claimed.bound == "since":
            limits = Span(limits.earliest, max(meant.latest, meant.earliest))
        else:
            limits = Span(min(meant.earliest, limits.latest), limits.latest)
        return _compare_spans(claimed.text, meant, limits, stated, said)
    return _compare_spans(claimed.text, claimed.span, claimed.limits, stated, said)


def _compare_spans(name: str, meant: Span, limits: Span, stated: Time, said: str) -> Agreement:
    exact = stated_span(stated)
    if meant.contains(exact):
        return agrees(f"{said}, which fits the claim's “{name}”")
    if meant.meets(exact):
        return silent(f"{said}, which is too coarse for the claim's “{name}”")
    if limits.meets(exact):
        return silent(f"{said}, which the claim's “{name}” may still mean")
    if stated.precision >= Precision.DAY and exact.earliest.year < 1930:  # Greece and Turkey changed in the 1920s
        julian, gregorian = other_calendar(exact.earliest)
        if any(meant.contains(Span(day, day)) for day in (julian, gregorian)):
            return (agrees if stated.calendar == "julian" else silent)(
                f"{said}, which is the claim's “{name}” in the other calendar"
            )
    if exact.latest.year < 0 and limits.widened(1).meets(exact):
        return silent(f"{said}, within a year of the claim's “{name}”")
    return disagrees(f"{said}, not “{name}”")


def _compare_month_day(claimed: tuple[int, int | None], stated: Time, said: str) -> Agreement:
    month, day = claimed
    if stated.month is None or (day is not None and stated.day is None):
        if stated.month is not None and stated.month != month:
            return disagrees(f"{said}, another month than the claim's")
        return silent(f"{said}, which names no {'month' if stated.month is None else 'day'}")
    if stated.month == month and (day is None or stated.day == day):
        return agrees(f"{said}, the day of the year that the claim names")
    return disagrees(f"{said}, another day of the year than the claim's")


def compare_period(claimed: TimeMention, start: Time | None, end: Time | None) -> Agreement:
    """Whether something that lasted from ``start`` to ``end`` was so at the time that the claim names.

    ``None`` is an end that the source does not give: a missing start is unknown, a missing end may be the present.
    "From … to", "from" and "since" compare the ends that they name. "Between" fits what has these ends and what lasted
    all that time; what was so for a part of it alone is left open. Every other time need only meet the period.
    """
    if (start is None and end is None) or claimed.month_day is not None:
        return silent("the source gives no dates for it")
    said = f"the source says {_period_in_words(start, end)}"
    if claimed.bound != "between" and (claimed.begins is not None or claimed.ends is not None):
        return _compare_ends(claimed, start, end, said)
    first = stated_span(start) if start is not None else ALWAYS
    last = stated_span(end) if end is not None else ALWAYS
    if not claimed.limits.meets(Span(first.earliest if start else DAWN, last.latest if end else DUSK)):
        return disagrees(f"{said}, not “{claimed.text}”")
    surely = Span(first.latest, last.earliest if end else DUSK)
    if claimed.bound == "between" and not surely.contains(claimed.span):
        ends = _compare_ends(claimed, start, end, said)
        return ends if ends.agrees else silent(f"{said}, which is not all of “{claimed.text}”")
    if start is not None and claimed.span.meets(surely):
        return agrees(f"{said}, which fits the claim's “{claimed.text}”")
    if start is None and end is not None and claimed.span.meets(last):
        return agrees(f"{said}, which fits the claim's “{claimed.text}”")
    return silent(f"{said}, which leaves “{claimed.text}” open")


def _compare_ends(claimed: TimeMention, start: Time | None, end: Time | None, said: str) -> Agreement:
    """The comparison of the ends that a claim names, each with the stated one."""
    outcomes = [
        _compare_spans(claimed.text, meant, meant, stated, said)
        for meant, stated in ((claimed.begins, start), (claimed.ends, end))
        if meant is not None and stated is not None
    ]
    for outcome in outcomes:
        if outcome.disagrees:
            return outcome
    expected = (claimed.begins is not None) + (claimed.ends is not None)
    if len(outcomes) == expected and all(outcome.agrees for outcome in outcomes):
        return outcomes[0]
    return silent(f"{said}, which does not give both ends of “{claimed.text}”")


_MONTH_NAMES = {number: name.title() for name, number in reversed(MONTHS.items())}


def time_in_words(time: Time) -> str:
    """A time as English writes it at its precision: "16 April 1889", "April 1889", "44 BC", "the 1920s"."""
    year = f"{-time.year} BC" if time.year < 0 else str(time.year)
    if time.precision >= Precision.DAY and time.month and time.day:
        return f"{time.day} {_MONTH_NAMES[min(time.month, 12)]} {year}"
    if time.precision >= Precision.MONTH and time.month:
        return f"{_MONTH_NAMES[min(time.month, 12)]} {year}"
    if time.precision >= Precision.YEAR:
        return year
    if time.precision == Precision.DECADE:
        decade = abs(time.year) // 10 * 10
        return f"the {decade}s BC" if time.year < 0 else f"the {decade}s"
    size, word = (100, "century") if time.precision == Precision.CENTURY else (1000, "millennium")
    number = (abs(time.year) - 1) // size + 1
    suffix = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"the {number}{suffix} {word}{' BC' if time.year < 0 else ''}"


def _period_in_words(start: Time | None, end: Time | None) -> str:
    if start is None:
        return f"until {time_in_words(end)}" if end else "no dates"
    return f"from {time_in_words(start)} to {time_in_words(end)}" if end else f"from {time_in_words(start)} on"
