"""Dates and numbers of a claim against those of a text that says the same of the same thing otherwise.

A small verifier passes over a wrong year or count: of 385 claims of FEVER and FoolMeTwice in which one was changed, it
still calls a quarter supported.
"""

from wkgfc.claim import Claim
from wkgfc.evidence import Entity, Quantity
from wkgfc.reasoning.embedded.agreement import Agreement, silent
from wkgfc.reasoning.embedded.calendar_spans import Precision
from wkgfc.reasoning.embedded.quantities import QuantityMention, compare_quantity, read_quantities
from wkgfc.reasoning.embedded.terms import TermStatistics, terms_of
from wkgfc.reasoning.embedded.times import TimeMention, read_times

LEAST_AGREEMENT = 0.75  # of the claim's other words, by rarity, that the text has: else it speaks of something else


def conflicts(claim: Claim, text: str, statistics: TermStatistics) -> bool:
    """Whether a text names a time or a quantity where the claim names another one, and agrees with it in the rest.

    ``text`` is a passage's title and the sentences that decide. A text that names the claimed value as well, or names
    none of its kind, does not conflict.
    """
    times = [time for time in read_times(claim.text, claim.reference_date) if _is_definite(time)]
    quantities = read_quantities(claim.text)
    if not (times or quantities):
        return False
    valued = [(time.start, time.end) for time in times] + [(each.start, each.end) for each in quantities]
    other = {term for term in terms_of(_without(claim.text, valued)) if not term[0].isdigit()}
    if not other or statistics.coverage(other, terms_of(text)) < LEAST_AGREEMENT:
        return False
    stated_times = [time for time in read_times(text, claim.reference_date) if _is_definite(time)]
    if any(stated_times and not any(time.limits.meets(stated.limits) for stated in stated_times) for time in times):
        return True
    stated_quantities = read_quantities(text) if quantities else ()
    return any(_is_contradicted(quantity, stated_quantities) for quantity in quantities)


def _is_definite(time: TimeMention) -> bool:
    """Whether a time names a year."""
    return time.month_day is None and time.precision >= Precision.YEAR


def _without(text: str, spans: list[tuple[int, int]]) -> str:
    for start, end in sorted(spans, reverse=True):
        text = f"{text[:start]} {text[end:]}"
    return text


def _is_contradicted(claimed: QuantityMention, stated: tuple[QuantityMention, ...]) -> bool:
    outcomes = [_compare(claimed, each) for each in stated]
    return any(outcome.disagrees for outcome in outcomes) and not any(outcome.agrees for outcome in outcomes)


def _compare(claimed: QuantityMention, stated: QuantityMention) -> Agreement:
    """The comparison of two mentions of one kind of quantity: of one dimension, or of the same things counted."""
    of_one_kind = claimed.is_ordinal == stated.is_ordinal and (
        claimed.noun == stated.noun if claimed.unit is None else stated.unit is not None
    )
    if not of_one_kind or stated.upper is not None or stated.bound not in ("at", "exactly", "about", "nearly"):
        return silent("the text measures something else")
    unit = Entity(id=stated.unit, label=stated.unit) if stated.unit else None
    return compare_quantity(claimed, Quantity(amount=stated.amount, unit=unit))
