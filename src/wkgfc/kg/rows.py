"""What the rows of the smaller queries say, whoever answered them: relations, their names, neighbours, units.

The rows of triples queries are read in ``wkgfc.kg.statements``.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from decimal import Decimal

from wkgfc.evidence import Direction, Entity, Relation
from wkgfc.kg.values import Term
from wkgfc.kg.vocabulary import NO_UNIT_ID, WIKIBASE, entity_id, property_id
from wkgfc.reasoning.embedded.values.units import convert, unit_of_label
from wkgfc.reasoning.reasoner import OfferedRelation

Rows = Iterable[Sequence[Term | None]]

# Wikidata has dozens of identifiers of an item, and they state nothing that a claim says.
NOT_OFFERED = frozenset({"ExternalId", "CommonsMedia", "GeoShape", "TabularData", "MusicalNotation"})


class RelationRows:
    """The rows of a relations query; they have the columns ``queries.RELATION_COLUMNS``."""

    def __init__(self, rows: Rows) -> None:
        self._counts: dict[tuple[str, Direction], dict[str, int]] = {}
        for entity, direction, predicate, number in rows:
            if entity is None or direction is None or predicate is None or number is None:
                continue
            identifier, owner = property_id(predicate.value), entity_id(entity.value)
            if identifier is not None and owner is not None:
                way: Direction = "out" if direction.value == "out" else "in"
                of_relation = self._counts.setdefault((identifier, way), {})
                of_relation[owner] = max(of_relation.get(owner, 0), int(number.value))

    def ids(self) -> set[str]:
        """The ids of all relations."""
        return {identifier for identifier, _ in self._counts}

    def offered(self, entities: Mapping[str, Entity], relations: Mapping[str, Relation]) -> list[OfferedRelation]:
        """The relations of ``entities`` (by id), most frequent first; ``relations`` has what their ids are called."""
        offered = [
            OfferedRelation(
                relation=relations[identifier],
                direction=direction,
                entities=tuple(entity for each, entity in entities.items() if each in of_relation),
                count=sum(of_relation.values()),
            )
            for (identifier, direction), of_relation in self._counts.items()
        ]
        return sorted(offered, key=lambda each: (-each.count, int(each.relation.id[1:]), each.direction))


def described(rows: Rows, ids: Collection[str], languages: Sequence[str]) -> dict[str, Relation]:
    """The relations of ``ids`` with label and datatype, from rows with the columns ``name_queries.PROPERTY_COLUMNS``.

    A relation is called by its name in the first of ``languages`` that it has one in, or else by its id.
    """
    labels: dict[str, dict[str, str]] = {}
    datatypes: dict[str, str] = {}
    for relation, label, datatype in rows:
        identifier = entity_id(relation.value) if relation else None
        if identifier is None:
            continue
        if label:
            labels.setdefault(identifier, {})[label.language or ""] = label.value
        if datatype:
            datatypes[identifier] = datatype.value.removeprefix(WIKIBASE)
    return {
        each: Relation(id=each, label=in_first(labels.get(each, {}), languages) or each, datatype=datatypes.get(each))
        for each in ids
    }


def in_first(texts: Mapping[str, str], languages: Sequence[str]) -> str | None:
    """The text in the first of ``languages`` that there is one in."""
    return next((texts[language] for language in languages if language in texts), None)


def nearest(rows: Rows, ids: Sequence[str], limit: int) -> list[tuple[str, str, str]]:
    """Entity, relation and other end of each row of ``name_queries.NEIGHBOUR_COLUMNS``, at most ``limit`` an entity.

    Types (``P31``) come first.
    """
    around: dict[str, list[tuple[str, str]]] = {}
    for entity, predicate, other in rows:
        near, relation = (
            entity_id(entity.value) if entity else None,
            property_id(predicate.value) if predicate else None,
        )
        far = entity_id(other.value) if other else None
        if near and relation and far:
            around.setdefault(near, []).append((relation, far))
    return [
        (each, relation, other)
        for each in ids
        for relation, other in sorted(around.get(each, ()), key=lambda pair: (pair[0] != "P31", int(pair[0][1:])))[
            :limit
        ]
    ]


def numbers_of_units(rows: Rows) -> dict[str, int]:
    """How many statements have each unit, from rows with the columns ``ranking_queries.UNIT_COLUMNS``."""
    numbers: dict[str, int] = {}
    for unit, number in rows:
        identifier = entity_id(unit.value) if unit else None
        if identifier is not None and number is not None:
            numbers[identifier] = int(number.value)
    return numbers


def factors_of(numbers: Mapping[str, int], label_of: Callable[[str], str]) -> dict[str, float]:
    """What amounts of each unit are multiplied by to compare them in the usual one.

    Nothing where there is one unit at most; units that cannot be converted to the usual one by a factor have none:
    those of another dimension, and kelvins beside degrees, which begin elsewhere.
    """
    if len(numbers) < 2:
        return {}
    units = {each: None if each == NO_UNIT_ID else unit_of_label(label_of(each)) for each in numbers}
    usual = units[max(numbers, key=lambda each: (numbers[each], each))]
    share_zero = {each: unit for each, unit in units.items() if not convert(Decimal(0), unit, usual)}
    factors = {each: convert(Decimal(1), unit, usual) for each, unit in share_zero.items()}
    return {each: float(factor) for each, factor in factors.items() if factor is not None}
