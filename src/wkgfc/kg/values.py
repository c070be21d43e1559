"""Terms of Wikidata's RDF as the values that evidence has: entities, times, amounts with their units, texts."""

import re
from collections.abc import Callable, Collection, Mapping
from decimal import Decimal, InvalidOperation
from typing import NamedTuple
from urllib.parse import unquote

from wkgfc.evidence import Entity, Missing, Quantity, Relation, Text, Value
from wkgfc.kg.vocabulary import NO_UNIT, WIKIBASE, XSD, entity_id, time_of

MAX_MAGNITUDE = 120  # of a number, as a power of ten: what is beyond it (1e999999999) cannot be written out

_NUMBERS = {XSD + name for name in ("decimal", "integer", "double", "float", "int", "long")}
_UNKNOWN = "/.well-known/genid/"
_PRECISION = re.compile("[0-9]{1,2}", re.ASCII)


class Term(NamedTuple):
    """An RDF term. ``datatype`` is set for literals alone; a blank node has the value ``""``."""

    value: str
    datatype: str | None = None
    language: str | None = None


class Called(NamedTuple):
    """What ids are called. Ids without an entry are called by themselves."""

    entities: Mapping[str, Entity]
    relations: Mapping[str, Relation]
    page: Callable[[str], str | None]  # the address that shows an entity
    source: str  # the name of the graph


Details = Mapping[str, Mapping[str, Collection[Term]]]  # the properties of the nodes that statements lead to


def value_of(term: Term, nodes: Collection[Term] | None, details: Details, names: Called) -> Value | None:
    """The value of a term; ``nodes`` are the full values among which its own is."""
    if term.datatype is None:
        identifier = entity_id(term.value)
        if identifier is not None:
            return entity_called(identifier, names)
        if not term.value or _UNKNOWN in term.value:
            return Missing(value="unknown")
        return Text(value=unquote(term.value) if "/Special:FilePath/" in term.value else term.value)
    if term.datatype == XSD + "dateTime":
        full = _full(term, nodes, details, WIKIBASE + "timeValue")
        precision = precision_of(first_of(full, WIKIBASE + "timePrecision") or "")
        time = time_of(term.value, precision, first_of(full, WIKIBASE + "timeCalendarModel"))
        return time or Text(value=term.value)
    if term.datatype in _NUMBERS:
        amount = amount_of(term.value)
        if amount is None:
            return Text(value=term.value)
        unit = first_of(_full(term, nodes, details, WIKIBASE + "quantityAmount"), WIKIBASE + "quantityUnit")
        unit_id = entity_id(unit) if unit and unit != NO_UNIT else None
        return Quantity(amount=amount, unit=entity_called(unit_id, names) if unit_id else None)
    return Text(value=term.value, language=term.language or None)


def precision_of(text: str) -> int | None:
    """The precision of a time that ``text`` spells; ``None`` where it is none."""
    return int(text) if _PRECISION.fullmatch(text) else None


def amount_of(text: str) -> Decimal | None:
    """The number that ``text`` spells; ``None`` where it is none, or beyond ``MAX_MAGNITUDE``."""
    try:
        amount = Decimal(text)
    except InvalidOperation:
        return None
    return amount if amount.is_finite() and abs(amount.adjusted()) <= MAX_MAGNITUDE else None


def _full(term: Term, nodes: Collection[Term] | None, details: Details, key: str) -> Mapping[str, Collection[Term]]:
    candidates = [details.get(node.value, {}) for node in nodes or ()]
    if len(candidates) == 1:
        return candidates[0]
    return next((each for each in candidates if any(part.value == term.value for part in each.get(key, ()))), {})


def plain(term: Term) -> str:
    """What a term says, to tell whether two say the same: values that nobody knows do."""
    is_unknown = term.datatype is None and (not term.value or _UNKNOWN in term.value)
    return "unknown" if is_unknown else f"{term.datatype} {term.value}"


def first_of(details: Mapping[str, Collection[Term]], name: str) -> str | None:
    """The first value of a property of a node."""
    return next((term.value for term in details.get(name, ())), None)


def entity_called(identifier: str, names: Called) -> Entity:
    """The entity of this id, called by the id itself where nothing else is known."""
    return names.entities.get(identifier) or Entity(id=identifier, label=identifier, url=names.page(identifier))


def relation_called(identifier: str, names: Called) -> Relation:
    """The relation of this id, called by the id itself where nothing else is known."""
    return names.relations.get(identifier) or Relation(id=identifier, label=identifier)
