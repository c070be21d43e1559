"""The forms in which an English text writes a time: days, months, seasons, years, decades, centuries.

Written for claims: nothing is guessed that is not there, so "1889" is a year and never its first of January. What
bounds a time ("before", "from … to") is read in ``times``.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from wkgfc.reasoning.embedded.values.calendar_spans import (
    DAWN,
    DUSK,
    Day,
    Precision,
    Span,
    century_span,
    day_span,
    days_in_month,
    decade_span,
    millennium_span,
    month_span,
    year_span,
)
from wkgfc.reasoning.embedded.values.lookback import REACH

ALWAYS = Span(DAWN, DUSK)


@dataclass(frozen=True)
class TimePoint:
    """A time as a text writes it, without the words that bound it.

    A time within ``span`` is what was meant; one outside ``limits`` is not; between them it may be. ``month_day`` is
    set where no year is named; the day is ``None`` for a bare month, and the span is then all of time.
    """

    start: int
    end: int
    span: Span
    limits: Span
    precision: Precision
    month_day: tuple[int, int | None] | None = None


MONTHS = {
    name: number
    for number, names in enumerate(
        (
            ("january", "jan"),
            ("february", "feb"),
            ("march", "mar"),
            ("april", "apr"),
            ("may",),
            ("june", "jun"),
            ("july", "jul"),
            ("august", "aug"),
            ("september", "sept", "sep"),
            ("october", "oct"),
            ("november", "nov"),
            ("december", "dec"),
        ),
        start=1,
    )
    for name in names
}

_ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9,
    "tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14, "fifteenth": 15, "sixteenth": 16,
    "seventeenth": 17, "eighteenth": 18, "nineteenth": 19, "twentieth": 20, "twenty-first": 21, "twenty first": 21,
}  # fmt: skip
_DECADE_WORDS = {
    "twenties": 20, "thirties": 30, "forties": 40, "fifties": 50, "sixties": 60, "seventies": 70, "eighties": 80,
    "nineties": 90,
}  # fmt: skip
# The first months of the seasons in the northern hemisphere; the south turns them round, so a season only limits.
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}

_FULL_MONTH = "|".join(name.title() for name in MONTHS if len(name) > 4 or name in ("june", "july", "may"))
_MONTH_NAMES = sorted(MONTHS, key=len, reverse=True)
_MONTH = r"(?P<month>" + "|".join(_MONTH_NAMES) + r")\b\.?"
_CAPITAL_MONTH = r"(?P<month>" + "|".join(name.title() for name in _MONTH_NAMES) + r")\b\.?"  # "may" is a verb too
_DAY = r"(?P<day>0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?"
_ERA = r"(?:\s?(?P<era>BCE?|B\.\s?C\.(?:\s?E\.)?|CE|C\.E\.|AD|A\.D\.)(?![A-Za-z]))?"
_YEAR = r"(?P<year>[12]\d{3}|20\d\d)" + _ERA
_ANY_YEAR = (
    r"(?:(?P<year>[12]\d{3})(?!\d)" + _ERA + r"|(?P<small_year>\d{1,4})\s?(?P<small_era>BCE?|B\.\s?C\.|AD|CE)\b)"
)
_WEEKDAY = r"(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day,?\s+(?:the\s+)?)?"
_PART = (
    r"(?:(?P<part>early|earlier part of|beginning of|start of|first half of|second half of|latter half of|mid|middle of"
    r"|late|later part of|end of|first quarter of|last quarter of)(?:[- ]+(?:the\s+)?(?:year\s+)?))?"
)
_ORDINAL = r"\d{1,2}(?:st|nd|rd|th)|" + "|".join(sorted(_ORDINALS, key=len, reverse=True))
_ORDINALS_OF_CENTURIES = (
    rf"(?:(?P<from>{_ORDINAL})(?:[- ]centur(?:y|ies))?(?:,?\s+(?:and|or|to|through)\s+(?:the\s+)?|\s?[–-]\s?))?"
    rf"(?P<ordinal>{_ORDINAL})"
)

_HUNDREDS = r"(?:(?P<hundreds>seventeen|eighteen|nineteen)[ -])?"
_DECADE = "|".join(_DECADE_WORDS)
_IGNORE_CASE = re.IGNORECASE


_Reader = Callable[[re.Match[str]], "TimePoint | None"]


def _point(match: re.Match[str], span: Span, precision: Precision, limits: Span | None = None) -> TimePoint:
    return TimePoint(match.start(), match.end(), span, limits or span, precision)


def _year(match: re.Match[str]) -> int:
    groups = match.groupdict()
    digits = groups.get("year") or groups.get("small_year") or "0"
    era = groups.get("era") or groups.get("small_era") or ""
    year = max(int(digits), 1)
    return -year if era.upper().startswith("B") else year


def _read_day(match: re.Match[str]) -> TimePoint:
    month, day = MONTHS[match["month"].lower()], int(match["day"])
    return _point(match, day_span(_year(match), month, day), Precision.DAY)


def _read_month(match: re.Match[str]) -> TimePoint:
    return _point(match, month_span(_year(match), MONTHS[match["month"].lower()]), Precision.MONTH)


def _read_slashed(match: re.Match[str]) -> TimePoint | None:
    """Day and month in figures: where both orders are possible, only the year is sure."""
    first, second, year = int(match["first"]), int(match["second"]), int(match["year"])
    if first > 12 >= second >= 1 and first <= 31:
        return _point(match, day_span(year, second, first), Precision.DAY)
    if second > 12 >= first >= 1 and second <= 31:
        return _point(match, day_span(year, first, second), Precision.DAY)
    if first == second:
        return _point(match, day_span(year, first, second), Precision.DAY)
    return _point(match, year_span(year), Precision.YEAR) if max(first, second) <= 12 and first and second else None


def _read_edtf(match: re.Match[str]) -> TimePoint | None:
    """ISO dates, and the wider forms of EDTF (``192X``, ``1889-04~``)."""
    import edtf  # noqa: PLC0415 - a tenth of a second that most claims need not pay

    try:
        parsed = edtf.parse_edtf(match["edtf"].upper())
        earliest, latest = parsed.lower_strict(), parsed.upper_strict()
    except (edtf.EDTFParseException, ValueError, AttributeError, OverflowError):
        return None
    span = Span(Day(*earliest[:3]), Day(*latest[:3]))
    season = re.fullmatch(r"\d\d(\d\d)-(\d\d)", match["edtf"])
    if season and (int(season[1]) + 1) % 100 == int(season[2]):  # "2007-08" is a month, or two years of sports
        return _point(match, year_span(span.earliest.year, span.earliest.year + 1), Precision.YEAR)
    shape = match["edtf"].rstrip("~?%")
    if shape.upper().endswith("X"):
        precision = Precision.CENTURY if shape.upper().endswith("XX") else Precision.DECADE
    else:
        precision = {0: Precision.YEAR, 1: Precision.MONTH, 2: Precision.DAY}[shape.count("-")]
    limits = span.widened(circa_years(precision)) if match["edtf"][-1] in "~?%" else span
    return _point(match, span, precision, limits)


def _read_season(match: re.Match[str]) -> TimePoint:
    year, first = _year(match), _SEASONS[match["season"].lower()]
    whole_year = year_span(year)
    if first == 12:  # a winter is named for either of its years
        span = Span(Day(year, 1, 1), Day(year, 3, 31))
        return _point(match, span, Precision.MONTH, Span(Day(year, 1, 1), Day(year + 1 or 1, 3, 31)))
    span = Span(Day(year, first, 1), Day(year, first + 2, days_in_month(year, first + 2)))
    return _point(match, span, Precision.MONTH, whole_year)


def _part_of(span: Span, part: str | None) -> Span:
    """The share of ``span`` that "early", "mid" or "late" names: the first, middle or last 45 %, halves exactly."""
    if part is None:
        return span
    shares = {"first half of": (0.0, 0.5), "second half of": (0.5, 1.0), "latter half of": (0.5, 1.0)}
    shares |= {"first quarter of": (0.0, 0.25), "last quarter of": (0.75, 1.0)}
    shares |= dict.fromkeys(("early", "earlier part of", "beginning of", "start of"), (0.0, 0.45))
    shares |= dict.fromkeys(("mid", "middle of"), (0.3, 0.7))
    shares |= dict.fromkeys(("late", "later part of", "end of"), (0.55, 1.0))
    low, high = shares[part.lower()]
    first, last = span.earliest.year, span.latest.year
    if first == last:
        months = (1 + round(low * 12), max(round(high * 12), 1))
        return Span(Day(first, months[0], 1), Day(first, months[1], days_in_month(first, months[1])))
    length = last - first
    start, stop = first + round(low * length), first + round(high * length)
    return year_span(start or 1, stop or -1)


def _read_decade(match: re.Match[str]) -> TimePoint:
    """ "the 1920s", "the late '60s", "the seventies"; "the 1800s" are the century, "the 2000s" may be either."""
    groups = match.groupdict()
    if groups.get("decade_word"):
        hundreds = {"seventeen": 1700, "eighteen": 1800}.get((groups.get("hundreds") or "").lower(), 1900)
        year = hundreds + _DECADE_WORDS[groups["decade_word"].lower()]
    elif groups.get("short_decade"):
        year = 1900 + int(groups["short_decade"])
    else:
        year = int(groups["decade"])
    era = groups.get("era") or ""
    if era.upper().startswith("B"):
        year = -(year + 9)
    whole, precision, limits = decade_span(year), Precision.DECADE, decade_span(year)
    if year > 0 and year % 100 == 0:
        hundred = year_span(year, year + 99)
        if year < 1900:
            whole, precision = hundred, Precision.CENTURY
        limits = hundred
    return _point(match, _part_of(whole, match["part"]), precision, limits)


def _ordinal(written: str) -> int:
    return _ORDINALS.get(written.lower()) or int(re.sub(r"\D", "", written) or 1) or 1


def _read_century(match: re.Match[str]) -> TimePoint:
    sign = -1 if (match["era"] or "").upper().startswith("B") else 1
    is_century = match["size"].lower().startswith("c")
    precision, span_of = (Precision.CENTURY, century_span) if is_century else (Precision.MILLENNIUM, millennium_span)
    spans = [span_of(sign * _ordinal(match[name])) for name in ("from", "ordinal") if match[name]]
    whole = Span(min(span.earliest for span in spans), max(span.latest for span in spans))
    return _point(match, _part_of(whole, match["part"]), precision, whole)


def _read_year(match: re.Match[str]) -> TimePoint:
    whole = year_span(_year(match))
    part = match.groupdict().get("part")
    return _point(match, _part_of(whole, part), Precision.MONTH if part else Precision.YEAR, whole)


def _read_season_years(match: re.Match[str]) -> TimePoint:
    """ "2012–13": two years that follow each other, a sports season or a winter."""
    first = int(match["year"])
    last = first - first % 100 + int(match["tail"])
    if last < first:
        last += 100
    return _point(match, year_span(first, last), Precision.YEAR)


def _read_month_day(match: re.Match[str]) -> TimePoint:
    groups = match.groupdict()
    day = int(groups["day"]) if groups.get("day") else None
    point = _point(match, ALWAYS, Precision.DAY if day else Precision.MONTH)
    return replace(point, month_day=(MONTHS[match["month"].lower()], day))


# What follows a number that counts or measures something, and is then no year.
_COUNTED_NEXT = re.compile(
    r"\s*(?:%|°|percent\b|per\s+cent\b|(?:square|cubic|sq|nautical|million|billion|thousand|hundred|more|other|such"
    r"|different|new|people|men|women|children|k?m|kms?|kg|mph|feet|ft|lbs?|hours?|minutes?|days?|weeks?|months?|years?"
    r"|miles?|kilomet(?:re|er)s?|met(?:re|er)s?|inch(?:es)?|pounds?|tons?|tonnes?|dollars?|euros?|acres?|hectares?"
    r"|points?|goals?|votes?|seats?|copies|pages|troops|soldiers|islands|languages|countries|units|words)\b)",
    _IGNORE_CASE,
)
_TIME_BEFORE = re.compile(
    r"(?:\b(?:in|since|until|till|by|before|after|from|to|of|the|year|years|during|around|circa|about|between|and|early"
    r"|late|mid|through|throughout|born|died|on|for|approximately|roughly|c\.|ca\.)\s*|[(,;–—-]\s*)$",
    _IGNORE_CASE,
)
_NUMBER_BEFORE = re.compile(
    r"(?:[$€£¥#/]|\.$|\b(?:no|number|nr|route|highway|flight|area|bus|model|(?<!earlier\s)(?<!later\s)than|least|most|over"
    r"|nearly|almost|only|exactly|some|by\s+about|of\s+about|total\s+of|worth|cost|costs)\.?)\s*$",
    _IGNORE_CASE,
)
_PLURAL_NEXT = re.compile(r"\s+(?:[a-z]+-)?([a-z]{3,}(?<!ss)(?<!us)(?<!is)s)\b(?!\s+(?:in|on|at)\s+(?:[A-Z]))")


def _is_year(text: str, match: re.Match[str]) -> bool:
    """Whether four bare digits are a year: by what stands before and after them."""
    before = text[max(0, match.start() - REACH) : match.start()]
    after = text[match.end() : match.end() + REACH]
    if re.search(r"\b(?:since|until|from|by)\s+at\s+least\s*$", before, _IGNORE_CASE):
        return True
    if _COUNTED_NEXT.match(after) or _NUMBER_BEFORE.search(before):
        return False
    if re.match(r"[,.]\d|-[a-z]|[:/]\d", after) or re.search(
        r"\d[,.:/]$|(?<!\w)(?!(?:pre|post)-$)\w*[A-Za-z]-$", before
    ):
        return bool(re.match(r"-(?:founded|born|established|released|era|present)", after))
    plural = _PLURAL_NEXT.match(after)
    counted = plural and plural[1] not in ("was", "has", "is", "onwards", "series", "elections", "olympics", "games")
    if _TIME_BEFORE.search(before):
        return not (counted and re.search(r"\b(?:of|about|around|to|from|for|and)\s*$", before, _IGNORE_CASE))
    if counted:
        return False
    is_part_of_name = re.search(r"\b[A-Z][\w'’-]*\s+$", before) is not None  # "Blade Runner 2049"
    return 1000 <= int(match["year"]) <= (2030 if is_part_of_name else 2100)


_BARE_YEAR = re.compile(rf"(?<!\w){_PART}(?<![\w$€£.,/])(?P<year>[12]\d{{3}})(?![\d%])(?!\w)", _IGNORE_CASE)

# The forms, most specific first: a later one never reads what an earlier one has read.
_FORMS: tuple[tuple[re.Pattern[str], _Reader], ...] = (
    (
        re.compile(r"(?<![\w-])(?P<edtf>\d{4}-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?[~?%]?)(?![\w-])"),
        _read_edtf,
    ),
    (re.compile(r"(?<![\w-])(?P<edtf>[12]\d(?:\dX|XX)[~?%]?|[12]\d{3}[~%])(?!\w)"), _read_edtf),
    (re.compile(rf"\b{_WEEKDAY}{_DAY}(?:\s+of)?\s+{_MONTH},?(?:\s+of)?\s+{_ANY_YEAR}", _IGNORE_CASE), _read_day),
    (
        re.compile(
            rf"\b{_WEEKDAY}{_MONTH}\s*(?:the\s+)?{_DAY}(?:,\s*|\s+(?:of\s+)?(?:in\s+)?){_ANY_YEAR}", _IGNORE_CASE
        ),
        _read_day,
    ),
    (
        re.compile(
            r"(?<![\w/.-])(?P<first>\d{1,2})(?P<sign>[/.-])(?P<second>\d{1,2})(?P=sign)(?P<year>[12]\d{3})(?![\w/-])"
        ),
        _read_slashed,
    ),
    (re.compile(rf"\b{_MONTH}(?:\s+of)?,?\s+{_ANY_YEAR}", _IGNORE_CASE), _read_month),
    (
        re.compile(rf"\b(?P<season>spring|summer|autumn|fall|winter)(?:\s+of|,)?\s+{_YEAR}\b", _IGNORE_CASE),
        _read_season,
    ),
    (re.compile(rf"\b{_PART}(?P<decade>[12]\d\d0)['’]?s\b{_ERA}", _IGNORE_CASE), _read_decade),
    (
        re.compile(
            rf"{_PART}(?<![\w$€£.,])(?:['’‘](?=\d0['’]?s\b))?(?P<short_decade>[1-9]0)['’]?s\b",
            _IGNORE_CASE,
        ),
        _read_decade,
    ),
    (
        re.compile(
            rf"(?:(?<=in the )|(?<=during the )|(?<=of the )){_PART}{_HUNDREDS}(?P<decade_word>{_DECADE})\b",
            _IGNORE_CASE,
        ),
        _read_decade,
    ),
    (
        re.compile(
            rf"\b{_PART}{_ORDINALS_OF_CENTURIES}[- ]+(?P<size>century|centuries|millennium){_ERA}", _IGNORE_CASE
        ),
        _read_century,
    ),
    (re.compile(r"\b(?P<small_era>AD|A\.D\.|CE)\s?(?P<small_year>\d{1,4})\b"), _read_year),
    (
        re.compile(
            r"(?<![\w$€£.,-])(?P<small_year>\d{1,4})\s?(?P<small_era>BCE?|B\.\s?C\.(?:\s?E\.)?|AD|A\.D\.|CE|C\.E\.)(?![A-Za-z])"
        ),
        _read_year,
    ),
    (re.compile(r"(?<![\w$€£.,/-])(?P<year>[12]\d{3})[-–/](?P<tail>\d\d)(?![\w/-])"), _read_season_years),
    (_BARE_YEAR, _read_year),
    (
        re.compile(
            r"\b(?:in|year)\s+(?P<small_year>[3-9]\d\d)(?=\s*(?:[,.;)]|$|and\b|by\b|when\b|the\b))", _IGNORE_CASE
        ),
        _read_year,
    ),
    (re.compile(rf"\b{_WEEKDAY}{_DAY}(?:\s+of)?\s+{_CAPITAL_MONTH}"), _read_month_day),
    (re.compile(rf"\b{_WEEKDAY}{_CAPITAL_MONTH}\s*(?:the\s+)?{_DAY}\b(?!\s*[:%])"), _read_month_day),
    (
        re.compile(rf"(?<=\b[io]n )(?P<month>{_FULL_MONTH})\b(?!\s+[A-Z\d])"),
        _read_month_day,
    ),
)

# A name that has a year in it: "Dreamer (2005 film)", "2001: A Space Odyssey" in quotation marks.
_NAME_WITH_YEAR = re.compile(
    r"\([^()]*\b(?:film|movie|series|miniseries|album|song|novel|book|TV|band|play|musical"
    r"|video game|season \d+)\b[^()]*\)|[\"“”][^\"“”]{1,80}[\"“”]",
)


def circa_years(precision: Precision) -> int:
    """How many years "about" may reach beyond a time of that precision."""
    return {Precision.DAY: 1, Precision.MONTH: 1, Precision.YEAR: 5, Precision.DECADE: 10}.get(precision, 50)


def read_points(text: str) -> list[TimePoint]:
    """All times of ``text`` in order, none overlapping another and none part of a name."""
    taken = {place for start, end in names_with_numbers(text) for place in range(start, end)}
    points: list[TimePoint] = []
    for pattern, read in _FORMS:
        for match in pattern.finditer(text):
            places = range(match.start(), match.end())
            if not taken.isdisjoint(places):
                continue
            if pattern is _BARE_YEAR and match["part"] is None and not _is_year(text, match):
                continue
            point = read(match)
            if point is not None:
                points.append(point)
                taken.update(places)
    return sorted(points, key=lambda point: point.start)


def names_with_numbers(text: str) -> list[tuple[int, int]]:
    """The stretches that are names by their marks: in quotation marks, or what tells a film from its namesakes."""
    return [match.span() for match in _NAME_WITH_YEAR.finditer(text) if _is_name(match[0])]


def _is_name(stretch: str) -> bool:
    """Whether a stretch in quotation marks or brackets is a name: most of its words are capitalised, none ends it."""
    if stretch.startswith("("):
        return True
    words = re.findall(r"[^\W_]+(?:['’.-][^\W_]+)*", stretch)
    capitals = sum(word[0].isupper() or word[0].isdigit() for word in words)
    return 0 < len(words) <= 9 and capitals >= 0.6 * len(words) and stretch[-2] not in ".!?"
