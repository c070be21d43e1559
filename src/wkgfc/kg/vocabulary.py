"""Wikidata's RDF vocabulary: ids and IRIs, times and years.

Source: the RDF dump format, https://www.mediawiki.org/wiki/Wikibase/Indexing/RDF_Dump_Format
"""

import re
from collections.abc import Sequence

from wkgfc.evidence import Entity, Time
from wkgfc.kg.builders.records import LOCAL_PREFIX

WD = "http://www.wikidata.org/entity/"
STATEMENT = "http://www.wikidata.org/entity/statement/"
REFERENCE = "http://www.wikidata.org/reference/"
VALUE = "http://www.wikidata.org/value/"
WDT = "http://www.wikidata.org/prop/direct/"
P = "http://www.wikidata.org/prop/"
PS = "http://www.wikidata.org/prop/statement/"
PSV = "http://www.wikidata.org/prop/statement/value/"
PQ = "http://www.wikidata.org/prop/qualifier/"
PQV = "http://www.wikidata.org/prop/qualifier/value/"
PR = "http://www.wikidata.org/prop/reference/"
WDNO = "http://www.wikidata.org/prop/novalue/"
WIKIBASE = "http://wikiba.se/ontology#"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
SKOS = "http://www.w3.org/2004/02/skos/core#"
SCHEMA = "http://schema.org/"
PROV = "http://www.w3.org/ns/prov#"
OWL = "http://www.w3.org/2002/07/owl#"
XSD = "http://www.w3.org/2001/XMLSchema#"

LOCAL = "urn:" + LOCAL_PREFIX  # items that Wikidata's ids are not known of
TEXT = "urn:wkgfc-text:"  # references that are a text of ours; what follows is the text's id, percent-encoded

GREGORIAN = WD + "Q1985727"
JULIAN = WD + "Q1985786"
NO_UNIT_ID = "Q199"
NO_UNIT = WD + NO_UNIT_ID  # "1": the unit of a pure number

# What is no entity of the world: disambiguation page, category, list article, template; and what such are called.
PAGE_TYPES = frozenset({"Q4167410", "Q4167836", "Q13406463", "Q11266439"})
PAGE_LABELS = ("List of ", "Lists of ", "Category:", "Template:", "Wikipedia:", "Portal:", "Module:")

_WIKIDATA_ID = re.compile(r"[QP][1-9][0-9]{0,11}", re.ASCII)
_LOCAL_NAME = re.compile(r"(?:[A-Za-z0-9_.,()'!*~-]|%[0-9A-F]{2}){1,2000}", re.ASCII)
_YEAR = 9  # precision of a year; Wikibase counts from a year 0 from there on
_PROPERTY_ID = re.compile(r"P[1-9][0-9]{0,11}", re.ASCII)
_TIME = re.compile(r"([+-]?)([0-9]{1,16})-([0-9]{2})-([0-9]{2})(?:T[0-9:.]*Z?)?", re.ASCII)


def is_entity_id(text: str) -> bool:
    """Whether ``text`` is the id of an item or a property: Wikidata's, or one of ours (``wkgfc:Charlie_Chaplin``)."""
    if text.startswith(LOCAL_PREFIX):
        return _LOCAL_NAME.fullmatch(text, len(LOCAL_PREFIX)) is not None
    return _WIKIDATA_ID.fullmatch(text) is not None


def is_property_id(text: str) -> bool:
    """Whether ``text`` is the id of a property."""
    return _PROPERTY_ID.fullmatch(text) is not None


def entity_iri(entity_id: str) -> str:
    """The IRI of an item or a property.

    Raises:
        ValueError: it is no id.
    """
    if not is_entity_id(entity_id):
        raise ValueError(f"no id of an entity: {entity_id[:80]!r}")
    return ("urn:" if entity_id.startswith(LOCAL_PREFIX) else WD) + entity_id


def entity_id(iri: str) -> str | None:
    """The id behind the IRI of an item or a property; ``None`` for any other IRI."""
    if iri.startswith(WD):
        identifier = iri[len(WD) :]
        return identifier if _WIKIDATA_ID.fullmatch(identifier) else None
    if iri.startswith(LOCAL):
        identifier = iri[len("urn:") :]
        return identifier if is_entity_id(identifier) else None
    return None


def identified(entities: Sequence[Entity]) -> dict[str, Entity]:
    """Those of some entities that have an id of an item or a property, by it."""
    return {entity.id: entity for entity in entities if is_entity_id(entity.id)}


def property_id(iri: str) -> str | None:
    """The id of the property that a predicate stands for: the one of its direct links, statements or their values."""
    for namespace in (WDT, PS, P):
        if iri.startswith(namespace):
            identifier = iri[len(namespace) :]
            return identifier if is_property_id(identifier) else None
    return None


def time_of(literal: str, precision: int | None, calendar: str | None) -> Time | None:
    """The time that an ``xsd:dateTime`` of Wikidata's RDF stands for; ``None`` where it is none.

    RDF has a year 0, which is 1 BCE, and writes days of the Julian calendar in the Gregorian one: both are turned
    back into what the item says. Years that stand for a decade or more are written there as the item has them
    (Wikibase's ``DateTimeValueCleaner``). Without a precision, a first of January is taken as a year, as Wikidata
    writes one.
    """
    match = _TIME.fullmatch(literal)
    if match is None:
        return None
    year, month, day = int(match[1] + match[2]), int(match[3]), int(match[4])
    if month > 12 or day > 31:
        return None
    if precision is None:
        precision = 9 if (month, day) in {(0, 0), (1, 1)} else 10 if day == 0 else 11
    elif not 0 <= precision <= 14:
        return None
    is_julian = calendar == JULIAN
    if is_julian and precision >= 11 and month and day:
        year, month, day = _julian_date(_gregorian_day_number(year, month, day))
    return Time(
        value=_written(year - 1 if year == 0 or (year < 0 and precision >= _YEAR) else year, month, day),
        precision=precision,
        calendar="julian" if is_julian else "gregorian",
    )


def date_time(time: Time) -> str:
    """The lexical form of the ``xsd:dateTime`` that Wikidata's RDF has for a time: the reverse of ``time_of``."""
    match = _TIME.fullmatch(time.value)
    if match is None:
        raise ValueError(f"no time: {time.value[:40]!r}")
    year, month, day = int(match[1] + match[2]), int(match[3]), int(match[4])
    year = year if year > 0 or time.precision < _YEAR else year + 1
    if time.calendar == "julian" and time.precision >= 11 and month and day:
        year, month, day = _gregorian_date(_julian_day_number(year, month, day))
    return f"{_written(year, month or 1, day or 1)}T00:00:00Z"


def _written(year: int, month: int, day: int) -> str:
    return f"{'-' if year < 0 else ''}{abs(year):04d}-{month:02d}-{day:02d}"


# Day numbers of both calendars, with a year 0 (E. G. Richards, "Calendars", Explanatory Supplement, section 15.11).
def _gregorian_day_number(year: int, month: int, day: int) -> int:
    a = (14 - month) // 12
    y, m = year + 4800 - a, month + 12 * a - 3
    return day + (153 * m + 2) // 5 + 365 * y + y // 4 - y // 100 + y // 400 - 32045


def _julian_day_number(year: int, month: int, day: int) -> int:
    a = (14 - month) // 12
    y, m = year + 4800 - a, month + 12 * a - 3
    return day + (153 * m + 2) // 5 + 365 * y + y // 4 - 32083


def _gregorian_date(number: int) -> tuple[int, int, int]:
    a = number + 32044
    b = (4 * a + 3) // 146097
    return _date(a - 146097 * b // 4, 100 * b)


def _julian_date(number: int) -> tuple[int, int, int]:
    return _date(number + 32082, 0)


def _date(c: int, centuries: int) -> tuple[int, int, int]:
    d = (4 * c + 3) // 1461
    e = c - 1461 * d // 4
    m = (5 * e + 2) // 153
    return centuries + d - 4800 + m // 10, m + 3 - 12 * (m // 10), e - (153 * m + 2) // 5 + 1
