"""Which of the stated values of a relation counts: that of the claim's day, from a statement of the best rank."""

import datetime as dt
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from wkgfc.evidence import Evidence, Quantity, Rank, Time, Triple
from wkgfc.reasoning.embedded.values.calendar_spans import Day, stated_span

POINT_IN_TIME, START, END = "P585", "P580", "P582"


@dataclass(frozen=True)
class StatedValue:
    """A value with the evidence that states it."""

    evidence: Evidence
    triple: Triple
    value: Quantity | Time


def stated_values(
    evidence: Iterable[Evidence], subjects: Collection[str], relation: str, as_of: dt.date
) -> tuple[StatedValue, ...]:
    """The quantities and times that ``evidence`` states of ``subjects`` for one relation, as of a day.

    Preferred statements hide the others. Of statements that say when they hold, the latest that is not later than
    ``as_of`` counts; one that had ended by then counts only where there is no other. More than one value is left
    where the sources do not say which holds.
    """
    day = Day(as_of.year, as_of.month, as_of.day)
    found = [
        StatedValue(piece, piece.content, piece.content.object)
        for piece in evidence
        if isinstance(piece.content, Triple)
        and piece.content.subject.id in subjects
        and piece.content.relation.id == relation
        and piece.content.rank is not Rank.DEPRECATED
        and isinstance(piece.content.object, (Quantity, Time))
    ]
    preferred = [value for value in found if value.triple.rank is Rank.PREFERRED]
    found = [value for value in preferred or found if not _begins_after(value.triple, day)]
    current = [value for value in found if not ended_before(value.triple, day)]
    found = current or found
    dated = [(when, value) for value in found if (when := _when(value.triple)) is not None]
    if not dated:
        return tuple(found)
    latest = max(when for when, _ in dated)
    return tuple(value for when, value in dated if when == latest)


def qualifier_time(triple: Triple, relation: str) -> Time | None:
    """The first time that a qualifier of that relation gives."""
    for qualifier in triple.qualifiers:
        if qualifier.relation.id == relation and isinstance(qualifier.value, Time):
            return qualifier.value
    return None


def ended_before(triple: Triple, day: Day) -> bool:
    """Whether a qualifier says that the statement had ceased to hold by ``day``."""
    end = qualifier_time(triple, END)
    return end is not None and stated_span(end).latest < day


def _begins_after(triple: Triple, day: Day) -> bool:
    return any(
        begin is not None and stated_span(begin).earliest > day
        for begin in (qualifier_time(triple, START), qualifier_time(triple, POINT_IN_TIME))
    )


def _when(triple: Triple) -> Day | None:
    time = qualifier_time(triple, POINT_IN_TIME) or qualifier_time(triple, START)
    return stated_span(time).earliest if time is not None else None
