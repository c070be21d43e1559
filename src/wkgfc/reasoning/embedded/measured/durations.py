"""Claims of how long: "X lasted four years", "X reigned for over 60 years", "X was chancellor for 16 years".

No graph states such a duration. It follows from when a thing began and ended, or from the terms of an office. From
years alone the difference is what is usually said, and a claim of a year less or more is left open.
"""

import datetime as dt
import math
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from wkgfc.evidence import NEUTRAL, Evidence, Time, Triple
from wkgfc.language import parse
from wkgfc.reasoning.embedded.claims.negation import positive_form
from wkgfc.reasoning.embedded.facts.verbalise import verbalise
from wkgfc.reasoning.embedded.findings import Finding, decided
from wkgfc.reasoning.embedded.measured.lifespans import COURSE, EXISTENCE, OTHER_TERMS, stated
from wkgfc.reasoning.embedded.measured.ordinals import POSITION_HELD, offices
from wkgfc.reasoning.embedded.measured.stated_values import END, START, qualifier_time
from wkgfc.reasoning.embedded.values.calendar_spans import Day, Precision, Span, days_between, stated_span
from wkgfc.reasoning.embedded.values.quantities import QuantityMention, read_quantities
from wkgfc.reasoning.embedded.values.times import read_times

STRENGTH = 0.9
YEARS_ALONE = 0.85  # of it, where the difference of two years is all that bears a claim out
MANY = 100  # of a unit, from which on zeros at the end may be rounded
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

    ``office`` is a phrase too, empty for "reigned" and "ruled", which fit whatever a ruler of ``realm`` is called;
    ``None`` where the claim speaks of no office. ``until_now``: the claim says that it still goes on.
    """

    subject: str
    length: QuantityMention
    office: str | None = None
    realm: str = ""
    until_now: bool = False
    is_denied: bool = False

    @property
    def relations(self) -> tuple[str, ...]:
        """All property ids that may tell."""
        return (*COURSE, *EXISTENCE) if self.office is None else (POSITION_HELD,)


_ROUND = frozenset({"at", "exactly", "about", "nearly"})  # how a length is given that has no bound
# With "#" for the duration.
_FOR = r"\s+(?:for\s+)?(?:(?:only|a\s+(?:period|span|mere)(?:\s+of)?|a|the\s+next)\s+)*#"
_REIGN = (
    r"(?:reign|rule|presidency|chancellorship|premiership|papacy|pontificate|tenure|time\s+in\s+office"
    r"|term(?:\s+of\s+office)?|dictatorship|kingship)"
)
_FORMS: tuple[tuple[str | None, str], ...] = (
    ("", rf"(?:the\s+)?{_REIGN}\s+of\s+(?P<subject>.+?)\s+last(?:s|ed)?{_FOR}"),
    ("", rf"(?P<subject>.+?)['’]s?\s+{_REIGN}\s+last(?:s|ed)?{_FOR}"),
    (None, rf"(?P<subject>.+?)\s+(?:(?:did\s+)?(?:last|endure|rage|exist|continue)(?:s|d|ed)?|went\s+on){_FOR}"),
    (None, rf"(?P<subject>.+?)\s+(?:was|were)\s+fought{_FOR}"),
    ("", rf"(?P<subject>.+?)\s+(?:has\s+|did\s+)?(?:reign|rule)(?:s|d|ed)?{_FOR}"),
    ("", r"(?P<subject>.+?)\s+(?:has\s+|did\s+)?(?:reigned\s+(?:over|in)|ruled?(?:\s+over)?|govern(?:ed)?|led|lead)\s+"
         rf"(?P<realm>[^#,]+?){_FOR}"),
    ("", rf"(?P<subject>.+?)\s+(?:sat|was|were)\s+(?:on\s+the\s+throne|in\s+power){_FOR}"),
    ("office", r"(?P<subject>.+?)\s+(?:(?:has|have)\s+been|was|is|(?:(?:has|did)\s+)?(?:served?|acted|act)\s+as"
               r"|(?:held|occupied|holds)\s+the\s+(?:office|position|post|title)\s+of)\s+(?:the\s+)?"
               rf"(?P<office>[^#,]+?){_FOR}"),
)  # fmt: skip
# What makes another claim of one: a time of its own, what was not yet or might have been.
_OTHERWISE = re.compile(
    r"\b(?:had|will|would|could|might|may|should|must|hardly|nearly|wanted|expected|supposed|hoped|planned|tried|promised"
    r"|out|against)\b(?=.*#)",
    re.IGNORECASE,
)
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
    said, is_denied = positive_form(" ".join(text.split()))
    said = _ONE.sub("one ", said)
    lengths = [each for each in read_quantities(said) if each.unit in _DAYS]
    if len(lengths) != 1 or read_times(said):
        return None
    (length,) = lengths
    plain = f"{said[: length.start]}#{said[length.end :]}".rstrip(" .!")
    if _OTHERWISE.search(plain):
        return None
    if is_denied and length.bound in _ROUND:
        length = replace(length, bound="at_least")  # what "did not last four years" was over before
    for kind, form in _FORMS:
        match = re.fullmatch(f"{form}{_IN_ALL}", plain, re.IGNORECASE)
        if match is None or not _is_name(match["subject"]):
            continue
        named = match.groupdict()
        return Duration(
            subject=match["subject"],
            length=length,
            office=named.get("office") if kind else kind,
            realm=named.get("realm") or "",
            until_now=_STILL.search(plain) is not None,
            is_denied=is_denied,
        )
    return None


def _is_name(subject: str) -> bool:
    """Whether a phrase names a thing, and not something else of it: "the effects of the war", "the queen's son"."""
    root = next((token for token in parse(subject) if token.dep_ == "ROOT"), None)
    if root is None or root.pos_ not in ("NOUN", "PROPN", "NUM", "X") or _PRONOUN.fullmatch(subject):
        return False
    is_common = root.pos_ == "NOUN" and root.is_lower
    return not is_common or not any(child.dep_ in ("poss", "prep") for child in root.children)


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
        most = days_between(begun.earliest, over.latest)
        return _Length(max(days_between(begun.latest, over.earliest), min(most, 0)), most)

    def meets(self, other: "_Term") -> bool:
        """Whether it began no later than the day after ``other`` may have ended, which began no later than it did."""
        return other.end is None or days_between(stated_span(other.end).latest, stated_span(self.start).earliest) <= 1

    def joined(self, other: "_Term") -> "_Term":
        """The stretch from the beginning of ``other``, which it meets, to the later of both ends."""
        is_longer = self.end is None or (
            other.end is not None and stated_span(self.end).latest > stated_span(other.end).latest
        )
        end = self.end if is_longer else other.end
        return _Term(other.start, end, tuple(dict.fromkeys((*other.evidence, *self.evidence))))

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
    terms = _courses(evidence, subjects) if claimed.office is None else _terms(claimed, evidence, subjects)
    today = Day(as_of.year, as_of.month, as_of.day)
    lengths = [term.length(today) for term in terms]
    is_over = all(term.end is not None for term in terms)
    if not terms or is_over == claimed.until_now or any(length.most < 0 for length in lengths):
        return None  # of what is over, "has been" tells another story
    if claimed.office is not None:
        total = _Length(sum(each.least for each in lengths), sum(each.most for each in lengths))
        lengths = [total] if claimed.length.bound not in _ROUND else list(dict.fromkeys((*lengths, total)))
        if not claimed.office and total.most < _borders(claimed.length)[0]:
            return None  # who ruled for longer may have had offices that are not known
    outcomes = {_fits(claimed.length, length) for length in lengths}
    is_one_enough = claimed.office is not None and True in outcomes
    holds = True if is_one_enough else outcomes.pop() if len(outcomes) == 1 else None
    strength = STRENGTH * (OTHER_TERMS if claimed.office is not None and holds is False else 1.0)
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
    """The terms of the claimed office, one after the other; what overlaps or follows at once is one. None where the
    beginning of one is not known."""
    found: list[_Term] = []
    for piece, triple in offices(evidence, subjects, claimed.office or "", claimed.realm):
        start, end = qualifier_time(triple, START), qualifier_time(triple, END)
        if start is None and end is None:
            continue  # the office without its time
        if start is None or min(time.precision for time in (start, end or start)) < Precision.YEAR:
            return []
        found.append(_Term(start, end, (piece,)))
    kept: list[_Term] = []
    for term in sorted(found, key=lambda each: stated_span(each.start).earliest):
        if kept and term.meets(kept[-1]):
            kept[-1] = term.joined(kept[-1])
        else:
            kept.append(term)
    return [term for term in kept if term.end is None] if claimed.until_now else kept


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
    step = min(unit * min(float(claimed.resolution), 1.0), days / 4)  # within which it may be rounded
    loose = min(unit * _roundness(claimed), days / 4)
    match claimed.bound:
        case "more" | "at_least":
            return days, math.inf, days - 1, math.inf
        case "less" | "at_most":
            return 0.0, days, 0.0, days + 1
        case "between":
            return days - step / 2, upper + step - 1, days - step + 1, upper + step - 1
        case "about":
            reach = max(days * ABOUT, min(step, _YEAR))
            return days - reach, days + reach, days - 2 * reach, days + 2 * reach
        case "nearly":
            return days * (1 - NEARLY), days, days * (1 - 2 * NEARLY), days + step / 2
        case _ if claimed.unit == "day":  # the first or the last one counts or does not
            return days - 1, days + 1, days - max(1.0, loose / 2), days + max(1.0, loose / 2)
        case _:
            return days - step / 2, days + step - 1, days - loose + 1, days + loose - 1


def _roundness(claimed: QuantityMention) -> float:
    """The step to which a length may be rounded at most: 600 years to a hundred."""
    if claimed.amount < MANY or claimed.amount != int(claimed.amount):
        return float(claimed.resolution)
    digits = str(int(claimed.amount))
    return 10.0 ** (len(digits) - len(digits.rstrip("0")))


def _is_said_so(claimed: QuantityMention, term: _Term) -> bool:
    """Whether the claim is the difference of two years: "from 1337 to 1453" is called 116 years."""
    apart, unit = term.years_apart(), _DAYS[claimed.unit or ""]
    years = float(claimed.amount) * round(unit / _YEAR)
    return apart is not None and 0 < apart == years and claimed.bound in ("at", "about", "nearly")


def _in_words(length: _Length) -> str:
    """ "That makes 63 or 64 years.", "That makes 33 days." """
    unit, a_unit = ("day", 1.0) if length.least < _TOLD_IN_DAYS else ("year", _YEAR)
    first, last = int(length.least / a_unit), int(length.most / a_unit)
    numbers = str(first) if first == last else f"{first} {'or' if last == first + 1 else 'to'} {last}"
    return f"That makes {numbers} {unit}{'' if (first, last) == (1, 1) else 's'}."
