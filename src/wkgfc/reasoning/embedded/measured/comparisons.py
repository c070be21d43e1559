"""Claims that compare two things, judged by the values that the evidence states of both."""

import datetime as dt
from collections.abc import Collection, Sequence
from decimal import Decimal

from wkgfc.evidence import Entity, Evidence, Quantity, Time
from wkgfc.reasoning.embedded.findings import Finding, decided
from wkgfc.reasoning.embedded.measured.comparison_forms import Comparison, comparison_of
from wkgfc.reasoning.embedded.measured.stated_values import StatedValue, stated_values
from wkgfc.reasoning.embedded.values.calendar_spans import stated_span
from wkgfc.reasoning.embedded.values.quantities import QuantityMention, compare_quantity, quantity_in_words
from wkgfc.reasoning.embedded.values.times import time_in_words
from wkgfc.reasoning.embedded.values.units import convert, unit_of_label

__all__ = ["Comparison", "comparison_of", "judge_comparison"]


def judge_comparison(
    comparison: Comparison,
    evidence: Sequence[Evidence],
    left: Collection[str],
    right: Collection[str],
    as_of: dt.date,
) -> Finding | None:
    """What the values at hand say of a comparison; ``None`` where one of the two is missing or they lie too close.

    ``left`` and ``right`` are the ids of the entities that the two phrases mean. The first relation of the measure
    that both have is compared; where a later relation says otherwise ("larger" by area, not by population), the
    finding is weaker.
    """
    findings: list[Finding] = []
    for left_relation, right_relation in _relation_pairs(comparison):
        left_values = stated_values(evidence, left, left_relation, as_of)
        right_values = stated_values(evidence, right, right_relation, as_of)
        if not left_values or not right_values:
            continue
        finding = _judge_pairs(comparison, left_values, right_values)
        if finding is not None:
            findings.append(finding)
        elif not findings:
            return None  # too close to tell by what the word means first
    if not findings:
        return None
    first = findings[0]
    if any((other.stance.polarity > 0) != (first.stance.polarity > 0) for other in findings[1:]):
        return Finding(first.kind, first.stance, first.evidence_ids, first.sentence, 0.6 * first.strength)
    return first


def _relation_pairs(comparison: Comparison) -> list[tuple[str, str]]:
    if comparison.measure == comparison.right_measure:
        return [(relation, relation) for relation in comparison.measure.relations]
    return [(left, right) for left in comparison.measure.relations for right in comparison.right_measure.relations]


_YEAR = Entity(id="year", label="year")
_PARTS_OF_YEAR = {"month", "fortnight", "week", "day", "hour", "minute", "second", "millisecond"}
LEAST_SHARE = 0.8  # of the pairs of values, where a source states several and does not say which holds


def _judge_pairs(comparison: Comparison, left: Sequence[StatedValue], right: Sequence[StatedValue]) -> Finding | None:
    """The finding that (nearly) every pair of values agrees on, weaker where some do not."""
    outcomes = [
        (holds, one, other) for one in left for other in right if (holds := _holds(comparison, one, other)) is not None
    ]
    if not outcomes:
        return None
    share = sum(holds for holds, _, _ in outcomes) / len(outcomes)
    answer = share > 0.5
    if max(share, 1 - share) < LEAST_SHARE:
        return None
    one, other = next((one, other) for holds, one, other in outcomes if holds == answer)
    sentence = _sentence(one, other)
    ids = tuple(dict.fromkeys(value.evidence.id for value in (one, other)))
    strength = (0.95 if comparison.order != "equal" else 0.8) * max(share, 1 - share)
    return Finding("comparison", decided(answer != comparison.is_negated), ids, sentence, strength)


def _sentence(one: StatedValue, other: StatedValue) -> str:
    """Both values: "The length of the Nile is 6,650 kilometres; that of the Rhine is 1,233 kilometres." """
    relation, other_relation = one.triple.relation.label, other.triple.relation.label
    second = "that" if relation == other_relation else f"the {other_relation}"
    return (
        f"The {relation} of {one.triple.subject.label} is {_in_words(one)}; "
        f"{second} of {other.triple.subject.label} is {_in_words(other)}."
    )


def _in_words(value: StatedValue) -> str:
    return quantity_in_words(value.value) if isinstance(value.value, Quantity) else time_in_words(value.value)


def _holds(comparison: Comparison, left: StatedValue, right: StatedValue) -> bool | None:
    if isinstance(left.value, Time) and isinstance(right.value, Time):
        return _times_hold(comparison, left.value, right.value)
    if not isinstance(left.value, Quantity) or not isinstance(right.value, Quantity):
        return None
    left_unit, right_unit = (
        unit_of_label(quantity.unit.label) if quantity.unit else None for quantity in (left.value, right.value)
    )
    other = convert(right.value.amount, right_unit, left_unit)
    if other is None:
        return None
    return _amounts_hold(comparison, left.value, other)


def _times_hold(comparison: Comparison, left: Time, right: Time) -> bool | None:
    one, other = stated_span(left), stated_span(right)
    is_before = one.latest < other.earliest
    if comparison.order == "equal":
        if one.meets(other):
            return True if one == other else None
        return comparison.is_negated and is_before == (comparison.end == "less")  # "not as old as" is younger
    if one.meets(other):
        return False if one == other and left.precision >= 11 else None
    holds = is_before == (comparison.order == "less")
    if holds and comparison.difference is not None:
        return _are_apart(comparison.difference, abs(one.earliest.year - other.earliest.year))
    return holds


def _are_apart(difference: QuantityMention, years: int) -> bool | None:
    """Whether two times are as far apart as a claim says, where so many years, or one more or less, lie between."""
    if convert(difference.amount, difference.unit, "year") is None:
        return None
    one_less, one_more = Decimal(years - 1), Decimal(years + 1)
    if difference.unit in _PARTS_OF_YEAR:
        return one_less <= (convert(difference.amount, difference.unit, "year") or 0)
    outcomes = [
        compare_quantity(difference, Quantity(amount=amount, unit=_YEAR))
        for amount in (one_less, Decimal(years), one_more)
    ]
    is_limit = difference.bound in {"more", "at_least", "less", "at_most"}
    if (all if is_limit else any)(outcome.agrees for outcome in outcomes):
        return True
    return False if all(outcome.disagrees for outcome in outcomes) else None


def _amounts_hold(comparison: Comparison, left: Quantity, other: Decimal) -> bool | None:
    amount, spread = left.amount, comparison.measure.spread
    scale = max(abs(amount), abs(other))
    if comparison.ratio is not None and other != 0:
        ratio = amount / other
        if comparison.order == "less" and ratio != 0:
            ratio = 1 / ratio
        agreement = compare_quantity(comparison.ratio, Quantity(amount=ratio), spread=spread)
        return True if agreement.agrees else (False if agreement.disagrees else None)
    if comparison.order == "equal":
        is_more = (amount > other) == (comparison.end == "greater")
        if comparison.is_negated:  # "not as large as" is smaller, "not as small as" larger
            return None if abs(amount - other) <= scale * spread else is_more
        near = scale * max(spread, Decimal("0.05"))
        return True if abs(amount - other) <= near else (None if is_more else False)
    if amount == other:
        return False if spread == 0 else None
    if abs(amount - other) <= scale * spread / 2:
        return None
    holds = (amount > other) == (comparison.order == "greater")
    if holds and comparison.difference is not None:
        stated = Quantity(amount=abs(amount - other), unit=left.unit)
        agreement = compare_quantity(comparison.difference, stated, spread=Decimal("0.05"))
        return True if agreement.agrees else (False if agreement.disagrees else None)
    return holds
