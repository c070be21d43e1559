"""Claims of how long: "X lasted four years", "X reigned for over 60 years", "X was chancellor for 16 years".

No graph states such a duration. It follows from when a thing began and ended, or from the terms of an office. From
years alone the difference is what is usually said, and a claim of a year less or more is left open.
"""

import datetime as dt
import math
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from wkgfc.evidence import NEUTRAL, Evidence, Time, Triple
from wkgfc.reasoning.embedded.claims.negation import positive_form
from wkgfc.reasoning.embedded.facts.verbalise import verbalise
from wkgfc.reasoning.embedded.findings import Finding, decided
from wkgfc.reasoning.embedded.measured.lifespans import COURSE, EXISTENCE, stated
from wkgfc.reasoning.embedded.measured.ordinals import POSITION_HELD, offices
from wkgfc.reasoning.embedded.measured.stated_values import END, START, qualifier_time
from wkgfc.reasoning.embedded.values.calendar_spans import Day, Precision, Span, days_between, stated_span
from wkgfc.reasoning.embedded.values.quantities import QuantityMention, read_quantities

STRENGTH = 0.9
YEARS_ALONE = 0.85  # of it, where the difference of two years is all that bears a claim out
ABOUT = 0.1  # how far "about ten years" reaches, as a share
NEARLY = 0.15  # how far "nearly ten years" reaches down
_YEAR = 365.2425  # days
_DAYS = {  # of each unit, by the names that quantities have
    "day": 1.0, "week": 7.0, "month": _YEAR / 12, "year": _YEAR, "decayear": 10 * _YEAR, "century": 100 * _YEAR,
    "millennium": 1000 * _YEAR,
}  # fmt: skip
_TOLD_IN_DAYS = 2 * _YEAR  # what is shorter


@dataclass(frozen=True)
class Duration:
    """How long a claim says that ``subject`` (a phrase of it) was there, or in ``office``.

    ``office`` is a phrase too, empty for "reigned", which fits whatever a ruler is called; ``None`` where the claim
    speaks of no office. ``until_now``: the claim says that it still goes on.
    """

    subject: str
    length: QuantityMention
    office: str | None = None
    until_now: bool = False
    is_denied: bool = False

    @property
    def relations(self) -> tuple[str, ...]:
        """All property ids that may tell."""
        return (*COURSE, *EXISTENCE) if self.office is None else (POSITION_HELD,)


# With "#" for the duration.
_FOR = r"\s+(?:for\s+)?(?:(?:only|just|a\s+(?:total|period|span|mere)(?:\s+of)?|a|some|the\s+next)\s+)*#"
_REIGN = (
    r"(?:reign|rule|presidency|chancellorship|premiership|papacy|pontificate|tenure|time\s+in\s+office"
    r"|term(?:\s+of\s+office)?|dictatorship|kingship)"
)
_FORMS: tuple[tuple[str | None, str], ...] = (
    ("", rf"(?:the\s+)?{_REIGN}\s+of\s+(?P<subject>.+?)\s+last(?:s|ed)?{_FOR}"),
    ("", rf"(?P<subject>.+?)['’]s?\s+{_REIGN}\s+last(?:s|ed)?{_FOR}"),
    (None, rf"(?P<subject>.+?)\s+(?:(?:did\s+)?(?:last|endure|rage|exist|continue)(?:s|d|ed)?|went\s+on){_FOR}"),
    (None, rf"(?P<subject>.+?)\s+(?:was|were)\s+fought{_FOR}"),
    ("", r"(?P<subject>.+?)\s+(?:(?:has|had)\s+)?(?:did\s+)?(?:reign|rule|govern|le[ad]d?)(?:s|d|ed)?"
         rf"(?:\s+(?:over|as)\b)?(?:\s+[^#,]+?)?{_FOR}"),
    ("", rf"(?P<subject>.+?)\s+(?:sat|was|were)\s+(?:on\s+the\s+throne|in\s+power){_FOR}"),
    ("office", r"(?P<subject>.+?)\s+(?:(?:has|had|have)\s+been|was|is|(?:(?:has|had|did)\s+)?(?:served?|acted|act)\s+as"
               r"|(?:held|occupied|holds|had)\s+the\s+(?:office|position|post|title)\s+of)\s+(?:the\s+)?"
               rf"(?P<office>[^#,]+?){_FOR}"),
)  # fmt: skip
_STILL = re.compile(r"\b(?:has|have)\s+(?:been|served|ruled|reigned|lasted|existed|governed|led)\b", re.IGNORECASE)
_IN_ALL = r"(?:\s*,?\s+(?:in\s+(?:all|total)|altogether|long))?"
_ONE = re.compile(r"\ba\s+(?=(?:decade|century|millennium|year|month|week|day)\b(?!\s+and))", re.IGNORECASE)
_PRONOUN = re.compile(r"(?:he|she|it|they|this|that|who|which)", re.IGNORECASE)


@lru_cache(maxsize=512)
def duration_of(text: str) -> Duration | None:
    """The duration that ``text`` claims; ``None`` where it claims none.

    >>> duration_of("Queen Victoria reigned for more than 60 years.").subject
    'Queen Victoria'
    """
    said, is_denied = positive_form(text)
    said = _ONE.sub("one ", said)
    lengths = [each for each in read_quantities(said) if each.unit in _DAYS]
    if len(lengths) != 1:
        return None
    (length,) = lengths
    plain = f"{said[: length.start]}#{said[length.end :]}".rstrip(" .!")
    for kind, form in _FORMS:
        match = re.fullmatch(f"{form}{_IN_ALL}", plain, re.IGNORECASE)
        if match is None or _PRONOUN.fullmatch(match["subject"]):
            continue
        return Duration(
            subject=match["subject"],
            length=length,
            office=match["office"] if kind else kind,
            until_now=_STILL.search(plain) is not None,
            is_denied=is_denied,
        )
    return None


@dataclass(frozen=True)
class _Term:
    """A stretch of time that is stated; without an ``end`` it lasts up to the claim's own day."""

    start: Time
    end: Time | None
    evidence: tuple[Evidence, ...]

    def length(self, today: Day) -> "_Length":
        """How long it was."""
        begun = stated_span(self.start)
        over = stated_span(self.end) if self.end is not None else Span(today, today)
        return _Length(days_between(begun.latest, over.earliest), days_between(begun.earliest, over.latest))

    def is_within(self, other: "_Term") -> bool:
        """Whether it began before the end of ``other``, which began no later: the same time, stated twice."""
        return other.end is None or stated_span(self.start).latest < stated_span(other.end).earliest

    def years_apart(self) -> int | None:
        """The difference of its years where nothing finer is known; there is no year 0."""
        if self.end is None or Precision.YEAR not in (self.start.precision, self.end.precision):
            return None
        return self.end.year - self.start.year - (self.start.year < 0 < self.end.year)


class _Length(NamedTuple):
    """The fewest and the most days that something may have lasted."""

    least: int
    most: int


def judge_duration(
    claimed: Duration, evidence: Sequence[Evidence], subjects: Collection[str], as_of: dt.date
) -> Finding | None:
    """What the statements at hand say of a claimed duration; ``None`` where they give none.

    Terms of one office count each by itself and all together, but for a bound ("more than ten years") together alone.
    Several dates of one beginning or end must all say the same.
    """
    is_office_held = claimed.office is not None
    terms = _terms(claimed, evidence, subjects) if is_office_held else _courses(evidence, subjects)
    today = Day(as_of.year, as_of.month, as_of.day)
    lengths = [term.length(today) for term in terms]
    is_over = all(term.end is not None for term in terms)
    if not terms or is_over == claimed.until_now or any(length.most < 0 for length in lengths):
        return None  # of what is over, "has been" tells another story
    if is_office_held:
        total = _Length(sum(each.least for each in lengths), sum(each.most for each in lengths))
        lengths = [total] if claimed.length.bound not in _ROUND else list(dict.fromkeys((*lengths, total)))
    outcomes = [_fits(claimed.length, length) for length in lengths]
    holds, strength = outcomes[0] if len(set(outcomes)) == 1 else None, STRENGTH
    if is_office_held and True in outcomes:
        holds = True
    if holds is None and any(_is_said_so(claimed.length, term) for term in terms):
        holds, strength = True, STRENGTH * YEARS_ALONE
    pieces = list(dict.fromkeys(piece for term in terms for piece in term.evidence))
    told = [verbalise(piece.content) for piece in pieces if isinstance(piece.content, Triple)]
    return Finding(
        "duration",
        NEUTRAL if holds is None else decided(holds != claimed.is_denied),
        tuple(piece.id for piece in pieces),
        " ".join((*dict.fromkeys(told), _in_words(lengths[-1]))),
        strength,
        is_open=holds is None,
    )


def _terms(claimed: Duration, evidence: Sequence[Evidence], subjects: Collection[str]) -> list[_Term]:
    """The terms of the claimed office, one after the other; what is stated twice once."""
    found = sorted(
        (
            _Term(start, qualifier_time(triple, END), (piece,))
            for piece, triple in offices(evidence, subjects, claimed.office or "")
            if (start := qualifier_time(triple, START)) is not None and start.precision >= Precision.YEAR
        ),
        key=lambda term: (stated_span(term.start).earliest, term.end is not None),
    )
    kept: list[_Term] = []
    for term in found:
        if not kept or not term.is_within(kept[-1]):
            kept.append(term)
    return kept


def _courses(evidence: Sequence[Evidence], subjects: Collection[str]) -> list[_Term]:
    """Each pair of a beginning and an end that is stated: of an event, or else of what was founded."""
    for relations in (COURSE, EXISTENCE):
        starts, ends = (_dates(evidence, subjects, relation) for relation in relations)
        if starts and ends:
            return [_Term(start, end, (first, last)) for (first, start), (last, end) in product(starts, ends)]
    return []


def _dates(evidence: Sequence[Evidence], subjects: Collection[str], relation: str) -> list[tuple[Evidence, Time]]:
    found = [
        (piece, triple.object)
        for piece, triple in stated(evidence, subjects, relation)
        if isinstance(triple.object, Time) and triple.object.precision >= Precision.YEAR
    ]
    return [each for each in found if each[1].precision == max(time.precision for _, time in found)]


_ROUND = frozenset({"at", "exactly", "about", "nearly"})


def _fits(claimed: QuantityMention, length: _Length) -> bool | None:
    """Whether a length is the claimed one: rounded to the unit or cut to it; ``None`` where it may or may not be."""
    low, high, loose_low, loose_high = _borders(claimed)
    if low <= length.least and length.most <= high:
        return True
    return False if length.most < loose_low or length.least > loose_high else None


def _borders(claimed: QuantityMention) -> tuple[float, float, float, float]:
    """Between which days a claim is borne out, and between which it is not contradicted."""
    unit, amount = _DAYS[claimed.unit or ""], float(claimed.amount)
    days, upper = amount * unit, float(claimed.upper or claimed.amount) * unit
    match claimed.bound:
        case "more" | "at_least":
            return days, math.inf, days - 1, math.inf
        case "less" | "at_most":
            return 0.0, days, 0.0, days + 1
        case "between":
            return days - unit / 2, upper + unit - 1, days - unit + 1, upper + unit - 1
        case "about":
            reach = max(unit, days * ABOUT)
            return days - reach, days + reach, days - 2 * reach, days + 2 * reach
        case "nearly":
            return days * (1 - NEARLY), days, days * (1 - 2 * NEARLY), days + unit / 2
        case _ if claimed.unit == "day":  # the first or the last one counts or does not
            return days - 1, days + 1, days - 1, days + 1
        case _:
            return days - unit / 2, days + unit - 1, days - unit + 1, days + unit - 1


def _is_said_so(claimed: QuantityMention, term: _Term) -> bool:
    """Whether the claim is the difference of two years: "from 1337 to 1453" is called 116 years."""
    apart = term.years_apart()
    return (
        apart is not None
        and claimed.bound in _ROUND
        and round(float(claimed.amount) * _DAYS[claimed.unit or ""] / _YEAR) == apart
    )


def _in_words(length: _Length) -> str:
    """ "That makes 63 or 64 years.", "That makes 33 days." """
    unit, a_unit = ("day", 1.0) if length.least < _TOLD_IN_DAYS else ("year", _YEAR)
    first, last = int(length.least / a_unit), int(length.most / a_unit)
    numbers = str(first) if first == last else f"{first} {'or' if last == first + 1 else 'to'} {last}"
    return f"That makes {numbers} {unit}{'' if (first, last) == (1, 1) else 's'}."
