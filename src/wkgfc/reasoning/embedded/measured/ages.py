"""Claims of an age: "X died at 76", "X was 18 when she became queen", "X was 26 in 1905", "X is 48 years old".

No graph states ages. They follow from the dates of birth and death, of foundation, or from the beginning of an office,
as far as these are precise: from years alone one of two ages follows, and then a claim of either is left open.
"""

import datetime as dt
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from itertools import product
from typing import Literal

from wkgfc.evidence import NEUTRAL, Evidence, Quantity, Time
from wkgfc.language import parse
from wkgfc.reasoning.embedded.claims.clauses import root_of, subject_of
from wkgfc.reasoning.embedded.claims.negation import positive_form
from wkgfc.reasoning.embedded.facts.verbalise import verbalise
from wkgfc.reasoning.embedded.findings import Finding, decided
from wkgfc.reasoning.embedded.measured.ordinals import POSITION_HELD, offices
from wkgfc.reasoning.embedded.measured.stated_values import START, StatedValue, qualifier_time, stated_values
from wkgfc.reasoning.embedded.values.calendar_spans import Day, Precision, Span, stated_span
from wkgfc.reasoning.embedded.values.quantities import QuantityMention, compare_quantity, read_quantities
from wkgfc.reasoning.embedded.values.times import TimeMention, read_times

BIRTH, DEATH, FOUNDATION, DISSOLUTION = "P569", "P570", "P571", "P576"
STRENGTH = 0.9
IN_PART = 0.5  # of the strength with which a right age bears out a claim that says more

At = Literal["death", "time", "birthday", "now", "office"]


@dataclass(frozen=True)
class Age:
    """The age that a claim gives ``subject`` (a phrase of it).

    ``at`` says when it had that age: when it died, at the time ``when``, on a birthday in it, on the claim's own day,
    or when it first held ``office`` (a phrase; empty for "came to power"). ``may_be_thing``: the words fit what was
    founded as well as who was born. ``is_whole``: the claim says nothing else.
    """

    subject: str
    years: QuantityMention
    at: At
    when: TimeMention | None = None
    office: str = ""
    may_be_thing: bool = False
    is_denied: bool = False
    is_whole: bool = True

    @property
    def relations(self) -> tuple[str, ...]:
        """All property ids that may tell."""
        if self.at == "office":
            return (BIRTH, POSITION_HELD)
        return (BIRTH, DEATH, *((FOUNDATION, DISSOLUTION) if self.may_be_thing else ()))


# What a claim says after its subject, with "#" for the years and "@" for a time.
_KILLED = r"(?:killed|murdered|assassinated|executed|beheaded|hanged|guillotined|shot(?:\s+dead)?|stabbed\s+to\s+death)"
_DIED = rf"(?:(?:did\s+)?die[sd]?|(?:did\s+)?pass(?:es|ed)?\s+away|(?:was|is|got)\s+{_KILLED})"
_AT_DEATH = (
    rf"(?:(?:when|at\s+the\s+time|by\s+the\s+time|as)\s+(?:that\s+)?(?:he|she|they)\s+{_DIED}"
    r"|(?:at|upon|on|at\s+the\s+(?:time|moment)\s+of)\s+(?:(?:his|her|their)\s+)?death)"
)
_MANNER = r"(?:\s+(?:young|old|suddenly|unexpectedly|peacefully|prematurely|tragically)\s*,?)?"
_AT_AGE = r"(?:at(?:\s+the\s+age\s+of|\s+age)?|aged|when\s+(?:he|she|they)\s+(?:was|were))"
_TO_AGE = r"(?:to\s+(?:be\s+|the\s+age\s+of\s+|age\s+|see\s+)?|(?:for|until\s+(?:the\s+)?age)\s+)?"
# What may follow an age, so that it is one: "at 42 in Memphis", not "at 10 Downing Street".
_THEN = r"(?=$|,|\s+(?:in|on|of|from|at|by|after|before|while|during|due|because|following|when|and|@))"
_BECAME = (
    r"(?:became|was\s+(?:inaugurated|sworn\s+in)(?:\s+as)?|(?:took|assumed)\s+office(?:\s+as)?"
    r"|(?:ascended|acceded)(?:\s+to)?\s+the\s+throne|came\s+to\s+(?:power|the\s+throne))"
)
_THE_OFFICE = r"(?:\s+(?:the|a|an))?(?:\s+(?P<office>[^#@,]+?))?"
_FORMS: tuple[tuple[At, str], ...] = (
    (
        "office",
        rf"(?:was|were)\s+(?:aged\s+)?#\s*,?\s+(?:when|as|at\s+the\s+time|by\s+the\s+time)\s+(?:he|she|they)\s+"
        rf"{_BECAME}{_THE_OFFICE}$",
    ),
    ("office", rf"{_BECAME}{_THE_OFFICE}\s+{_AT_AGE}\s+#$"),
    ("death", rf"{_DIED}{_MANNER}\s+{_AT_AGE}\s+#{_THEN}"),
    ("death", rf"(?:was|were|is)\s+(?:aged\s+)?#\s*,?\s+{_AT_DEATH}"),
    ("death", rf"(?:did\s+)?live[sd]?\s+{_TO_AGE}#$"),
    ("death", r"(?:did\s+)?reach(?:es|ed)?\s+(?:the\s+)?age\s+(?:of\s+)?#$"),
    ("birthday", r"(?:did\s+)?turn(?:s|ed)?\s+#\s+@"),
    ("time", r"(?:was|were|is)\s+(?:aged\s+)?#\s+@"),
    ("now", r"(?:is|are)\s+(?:(?:aged|now|currently)\s+)*#$"),
)
_AT_LEAST = re.compile(r"(?:did\s+)?reach", re.IGNORECASE)  # who reached an age may have grown older
_GROWN = re.compile(r"(?:did\s+)?live[sd]?\s+to\b", re.IGNORECASE)  # … and who did not live to one died before it


@lru_cache(maxsize=512)
def age_of(text: str) -> Age | None:
    """The age that ``text`` gives its subject; ``None`` where it gives none.

    >>> age_of("Mozart was 35 years old when he died.").at
    'death'
    """
    said, is_denied = positive_form(text)
    years = [quantity for quantity in read_quantities(said) if _is_age(quantity)]
    root = root_of(parse(said))
    subject = subject_of(root) if root is not None else None
    times = read_times(said)
    if len(years) != 1 or len(times) > 1 or subject is None or subject.pos_ == "PRON":
        return None
    if times and (times[0].bound != "at" or times[0].precision < Precision.YEAR or times[0].month_day is not None):
        return None
    end = subject.right_edge.idx + len(subject.right_edge)
    marks = [(years[0].start, years[0].end, "#"), *((time.start, time.end, "@") for time in times)]
    rest = _marked(said[end:].rstrip(" .!"), [(start - end, stop - end, mark) for start, stop, mark in marks])
    for at, form in _FORMS:
        match = re.match(form, rest, re.IGNORECASE)
        if match is None:
            continue
        claimed = years[0]
        if _AT_LEAST.match(rest) or (is_denied and _GROWN.match(rest)):
            claimed = replace(claimed, bound="at_least")
        return Age(
            subject=said[subject.left_edge.idx : end],
            years=claimed,
            at=at,
            when=times[0] if at in ("time", "birthday") else None,
            office=(match["office"] or "") if at == "office" else "",
            may_be_thing=at == "now" and claimed.unit is not None,
            is_denied=is_denied,
            is_whole=rest[match.end() :].strip(" ,") in ("", "@"),
        )
    return None


def _is_age(quantity: QuantityMention) -> bool:
    """Years, or a bare whole number."""
    is_bare = quantity.unit is None and quantity.noun is None
    return not quantity.is_ordinal and (quantity.unit == "year" or is_bare) and quantity.amount == int(quantity.amount)


def _marked(text: str, marks: Iterable[tuple[int, int, str]]) -> str:
    for start, end, mark in sorted(marks, reverse=True):
        if start >= 0:
            text = f"{text[:start]}{mark}{text[end:]}"
    return text.strip(" ,")


def judge_age(claimed: Age, evidence: Sequence[Evidence], subjects: Collection[str], as_of: dt.date) -> Finding | None:
    """What the dates at hand say of a claimed age; ``None`` where they are missing or too coarse."""
    births = _dates(evidence, subjects, BIRTH, as_of)
    ends = _dates(evidence, subjects, DEATH, as_of)
    if claimed.may_be_thing and not births:
        births = _dates(evidence, subjects, FOUNDATION, as_of)
        ends = _dates(evidence, subjects, DISSOLUTION, as_of)
    if claimed.at == "now" and ends:
        return None  # of the dead "is" tells a story
    if claimed.at == "office":
        begun = _first_days(evidence, subjects, claimed.office)
        used = (*births, *begun)
        possible = [ages for birth, begin in product(births, begun) for ages in _ages_on(birth, _days(begin))]
    elif claimed.at == "death":
        used = (*births, *ends)
        possible = [ages for birth, end in product(births, ends) for ages in _ages_on(birth, _days(end))]
    else:
        used = births
        possible = [ages for birth in births for ages in _ages_then(birth, _span(claimed, as_of))]
    if not possible:
        return None
    outcomes = {_is_among(claimed, ages) for ages in possible}
    holds = outcomes.pop() if len(outcomes) == 1 else None
    stance = NEUTRAL if holds is None else decided(holds != claimed.is_denied)
    told = " ".join(dict.fromkeys(verbalise(value.triple) for value in used))
    return Finding(
        "age",
        stance,
        tuple(value.evidence.id for value in used),
        f"{told} {_in_words(possible)}",
        STRENGTH * (IN_PART if stance.polarity > 0 and not claimed.is_whole else 1.0),
        is_open=holds is None,
    )


def _dates(
    evidence: Sequence[Evidence], subjects: Collection[str], relation: str, as_of: dt.date
) -> tuple[StatedValue, ...]:
    found = stated_values(evidence, subjects, relation, as_of)
    return tuple(each for each in found if isinstance(each.value, Time) and each.value.precision >= Precision.YEAR)


def _span(claimed: Age, as_of: dt.date) -> Span:
    """The days at which the subject had the age."""
    today = Day(as_of.year, as_of.month, as_of.day)
    span = claimed.when.span if claimed.when is not None else Span(today, today)
    return Span(span.latest, span.latest) if claimed.at == "birthday" else span


def _first_days(evidence: Sequence[Evidence], subjects: Collection[str], office: str) -> tuple[StatedValue, ...]:
    """When the first term of an office began; when each office of a ruler did, where the claim names none."""
    found = tuple(
        StatedValue(piece, triple, start)
        for piece, triple in offices(evidence, subjects, office)
        if (start := qualifier_time(triple, START)) is not None and start.precision >= Precision.YEAR
    )
    return (min(found, key=lambda each: _days(each).latest),) if office and found else found


def _ages_on(birth: StatedValue, day: Span) -> list[range]:
    """Each age that may be the one, by itself: that day, which is somewhere in ``day``, came once."""
    born = _days(birth)
    youngest, oldest = _age(born.latest, day.earliest), _age(born.earliest, day.latest)
    return [range(age, age + 1) for age in range(max(youngest, 0), oldest + 1)]


def _ages_then(birth: StatedValue, when: Span) -> list[range]:
    """The ages that somebody had in a stretch of time, for the first and the last day that the birth may have been."""
    born = _days(birth)
    ages = [range(_age(day, when.earliest), _age(day, when.latest) + 1) for day in {born.earliest, born.latest}]
    return ages if all(each.start >= 0 for each in ages) else []


def _days(value: StatedValue) -> Span:
    assert isinstance(value.value, Time)
    return stated_span(value.value)


def _age(born: Day, day: Day) -> int:
    """Whole years from one day to another; there is no year 0."""
    years = day.year - born.year - (born.year < 0 < day.year)
    return years - (day[1:] < born[1:])


def _is_among(claimed: Age, ages: range) -> bool | None:
    """Whether one of the ages is the claimed one; ``None`` where one is near."""
    bound = "at_least" if claimed.years.bound == "more" else claimed.years.bound  # "over 70" from the birthday on
    years = replace(claimed.years, unit=None, noun=None, resolution=Decimal(1), bound=bound)
    outcomes = [compare_quantity(years, Quantity(amount=Decimal(age)), spread=Decimal(0)) for age in ages]
    if any(outcome.agrees for outcome in outcomes):
        return True
    return False if all(outcome.disagrees for outcome in outcomes) else None


def _in_words(possible: Sequence[range]) -> str:
    """ "That makes 76 years.", "That makes 75 or 76 years."""
    ages = sorted({age for each in possible for age in each})
    numbers = " or ".join(map(str, ages)) if len(ages) <= 2 else f"{ages[0]} to {ages[-1]}"
    return f"That makes {numbers} {'year' if ages == [1] else 'years'}."
