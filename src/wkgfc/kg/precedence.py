"""The order of triples: of one relation, those that hold rather than others; of a ranking, the larger."""

from collections.abc import Mapping
from decimal import Decimal

from wkgfc.evidence import Quantity, Rank, Time, Triple, Value, value_key
from wkgfc.kg.vocabulary import NO_UNIT_ID

_RANK_ORDER = {Rank.PREFERRED: 0, Rank.NORMAL: 1, Rank.DEPRECATED: 2}
_MOMENTS = ("P585", "P580")  # point in time, start time
_END = "P582"


def precedence(triple: Triple) -> tuple[object, ...]:
    """The order in which statements of one relation come: preferred, lasting, newest; then by what they say."""
    moments = [
        qualifier.value.year
        for name in _MOMENTS
        for qualifier in triple.qualifiers
        if qualifier.relation.id == name and isinstance(qualifier.value, Time)
    ]
    has_ended = any(qualifier.relation.id == _END for qualifier in triple.qualifiers)
    return (
        _RANK_ORDER[triple.rank],
        has_ended,
        -max(moments, default=-(10**12)),
        triple.subject.id,
        value_key(triple.object),
        tuple((each.relation.id, value_key(each.value)) for each in triple.qualifiers),
    )


LEAST = (Decimal("-Infinity"), 0)


def size_of(value: Value, factors: Mapping[str, float] | None) -> tuple[Decimal, int] | None:
    """What values are compared by: an amount, in one unit where there are factors, or a year and a day of it."""
    match value:
        case Quantity(amount=amount, unit=unit):
            if not factors:
                return amount, 0
            factor = factors.get(unit.id if unit else NO_UNIT_ID)
            return None if factor is None else (amount * Decimal(factor), 0)
        case Time():
            return Decimal(value.year), (value.month or 0) * 100 + (value.day or 0)
        case _:
            return None
