"""Terms of plain RDF as the values that evidence has: times with their precision, amounts with their units.

Source: XML Schema 1.1, part 2 (dates, numbers); DBpedia's datatypes of units, https://dbpedia.org/datatype/
"""

import re
from urllib.parse import unquote

from wkgfc.evidence import Entity, Quantity, Text, Time, Value
from wkgfc.kg.terms import is_iri
from wkgfc.kg.values import Term, amount_of
from wkgfc.kg.vocabulary import XSD, time_of

UNITS = "http://dbpedia.org/datatype/"  # a literal's datatype that is the unit of its number

_MAX_NAME = 200
_ZONE = re.compile(r"(?:Z|[+-][0-9]{2}:[0-9]{2})\Z", re.ASCII)
_YEAR = re.compile(r"-?[0-9]{4,9}", re.ASCII)
_YEAR_MONTH = re.compile(r"(-?[0-9]{4,9})-(0[1-9]|1[0-2])", re.ASCII)
_MOMENT = re.compile(r"(-?[0-9]{4,9}-[0-9]{2}-[0-9]{2})(?:T[0-9:.]{0,20})?", re.ASCII)
_NUMBERS = frozenset(
    XSD + name
    for name in (
        *("decimal", "integer", "double", "float", "int", "long", "short", "byte", "unsignedInt", "unsignedLong"),
        *("nonNegativeInteger", "positiveInteger", "nonPositiveInteger", "negativeInteger", "unsignedShort"),
    )
)
_CAPITAL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def value_of(term: Term, unit: str | None = None, *, has_year_zero: bool = True) -> Value:
    """What a term says. ``unit`` is what its number is given in, where its datatype does not say it.

    ``has_year_zero``: the year -0043 is 44 BCE, as XML Schema 1.1 says; in what follows the older one, it is 43 BCE.
    An IRI is an entity that is called by the end of it; what cannot be read as a time or a number stays a text.
    """
    if term.datatype is None:
        return entity_of(term.value) if is_iri(term.value) else Text(value=term.value)
    if term.datatype.startswith(XSD):
        stated = Entity(id=UNITS + unit.replace(" ", "_"), label=unit) if unit else None
        return _time(term, has_year_zero) or _amount(term, stated) or Text(value=term.value)
    if term.datatype.startswith(UNITS):
        return _amount(term, Entity(id=term.datatype, label=name_of_iri(term.datatype))) or Text(value=term.value)
    return Text(value=term.value, language=term.language or None)


def entity_of(identifier: str, label: str | None = None, description: str | None = None) -> Entity:
    """An entity whose id is an IRI; without a label it is called by the end of it."""
    return Entity(
        id=identifier, label=label or name_of_iri(identifier), description=description or None, url=identifier
    )


def name_of_iri(identifier: str) -> str:
    """The end of an IRI as words.

    >>> name_of_iri("http://dbpedia.org/resource/Douglas_Adams"), name_of_iri("http://dbpedia.org/ontology/birthPlace")
    ('Douglas Adams', 'birth place')
    """
    end = unquote(re.split(r"[/#]", identifier.rstrip("/#"))[-1]).replace("_", " ").strip()
    if end[:1].islower():
        end = _CAPITAL.sub(" ", end).lower()
    return end[:_MAX_NAME] or identifier[:_MAX_NAME]


def _time(term: Term, has_year_zero: bool) -> Time | None:
    text = _ZONE.sub("", term.value.strip())
    match (term.datatype or "").removeprefix(XSD):
        case "gYear" if _YEAR.fullmatch(text):
            date, precision = f"{text}-01-01", 9
        case "gYearMonth" if _YEAR_MONTH.fullmatch(text):
            date, precision = f"{text}-01", 10
        case "date" | "dateTime" if (moment := _MOMENT.fullmatch(text)) is not None:
            date, precision = moment[1], 11
        case _:
            return None
    time = time_of(date, precision, None)
    return (
        time if has_year_zero or time is None or not date.startswith("-") else time.model_copy(update={"value": date})
    )


def _amount(term: Term, unit: Entity | None) -> Quantity | None:
    if term.datatype not in _NUMBERS and not (term.datatype or "").startswith(UNITS):
        return None
    amount = amount_of(term.value)
    return None if amount is None else Quantity(amount=amount, unit=unit)
