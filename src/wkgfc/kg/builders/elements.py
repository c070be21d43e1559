"""The chemical elements and their natural isotopes, from the package ``periodictable``."""

import importlib.metadata
import importlib.util
import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import NamedTuple

from wkgfc.errors import NotConfigured
from wkgfc.evidence import Entity, Quantity, Source, Text, Triple, Value
from wkgfc.kg.builders.properties import property_of
from wkgfc.kg.builders.records import BuilderRecord, Item, local_id
from wkgfc.kg.builders.units import UNITS
from wkgfc.stores import Progress, fingerprint_of

PACKAGE = "periodictable"
_ADDRESS = "https://periodictable.readthedocs.io/"

_TITLES = {  # what the English Wikipedia calls them otherwise than the package does
    "aluminum": "Aluminium",
    "cesium": "Caesium",
    "mercury": "Mercury (element)",
}
_NOBLE_GASES = (2, 10, 18, 36, 54, 86, 118)  # the last element of each period
_NAMED_GROUPS = {1: "Alkali metal", 2: "Alkaline earth metal", 17: "Halogen", 18: "Noble gas"}
_LAST_STUDIED = 108  # hassium: the chemistry of heavier elements is not known well enough to name their kind
_ROOM_TEMPERATURE = range(15, 31)  # degrees Celsius at which a density is the one that people mean
_TEMPERATURE = re.compile(r"T=(-?\d+(?:\.\d+)?)")


class IsotopeData(NamedTuple):
    """A natural isotope: mass number, mass in dalton, share of the element in percent."""

    mass_number: int
    mass: float
    abundance: float


class ElementData(NamedTuple):
    """What the package says of an element. ``density`` is in g/cm³, ``density_caveat`` says under what conditions."""

    name: str
    symbol: str
    number: int
    mass: float | None
    density: float | None
    density_caveat: str
    isotopes: Sequence[IsotopeData]


def period_of(number: int) -> int:
    """The period (row) of an element, 1 to 7, from its atomic number."""
    return next(period for period, last in enumerate(_NOBLE_GASES, start=1) if number <= last)


def group_of(number: int) -> int | None:
    """The group (column) of an element by IUPAC's numbering; ``None`` for the lanthanides and actinides before
    lutetium and lawrencium, which have none.

    >>> group_of(1), group_of(79), group_of(118), group_of(92), group_of(71)
    (1, 11, 18, None, 3)
    """
    if number == 2:
        return 18
    period = period_of(number)
    first = 1 if period == 1 else _NOBLE_GASES[period - 2] + 1
    place, last = number - first + 1, _NOBLE_GASES[period - 1]
    if place <= 2:
        return place
    from_the_end = 18 - (last - number)
    if period >= 6 and from_the_end < 3:
        return None
    return from_the_end


class Elements:
    """Chemical elements: symbol, atomic number, standard atomic weight, density, group, period, natural isotopes."""

    name = "Chemical elements"
    licence = "public domain"
    origin = _ADDRESS

    def fingerprint(self) -> str:
        """The package's version and the rules."""
        return fingerprint_of(importlib.metadata.version(PACKAGE))

    def records(self, progress: Progress) -> Iterator[BuilderRecord]:
        """All elements, lightest first.

        Raises:
            NotConfigured: the package is missing.
        """
        elements = read_elements()
        for number, element in enumerate(elements):
            progress(self.name, number, len(elements))
            yield from facts_of(element)
        progress(self.name, len(elements), len(elements))


def read_elements() -> list[ElementData]:
    """The elements of the installed package.

    Raises:
        NotConfigured: it is not installed.
    """
    if importlib.util.find_spec(PACKAGE) is None:
        raise NotConfigured(f"the package {PACKAGE} is missing: pip install {PACKAGE}")
    import periodictable  # noqa: PLC0415  it computes its tables at import, which only a build needs

    elements = []
    for element in periodictable.elements:
        elements.append(
            ElementData(
                name=element.name,
                symbol=element.symbol,
                number=element.number,
                mass=element.mass,
                density=element.density,
                density_caveat=getattr(element, "density_caveat", None) or "",
                isotopes=[
                    IsotopeData(isotope.isotope, isotope.mass, isotope.abundance)
                    for isotope in element
                    if isotope.abundance
                ],
            )
        )
    return [element for element in elements if element.number]


def facts_of(element: ElementData) -> Iterator[BuilderRecord]:
    """Everything about one element."""
    title = _TITLES.get(element.name, element.name.capitalize())
    label = title.partition(" (")[0]
    entity = Entity(id=local_id(title), label=label)
    source = Source(name="embedded", url=_ADDRESS, title=f"periodictable: {label}", text_id=f"elements:{label}")

    def state(subject: Entity, property_id: str, value: Value) -> Triple:
        return Triple(subject=subject, relation=property_of(property_id), object=value, source=source)

    spelling = element.name.capitalize()
    yield Item(entity=entity, aliases=(spelling,) if spelling != label else ())
    for kind in ("Chemical element", *_kinds(element.number)):
        yield state(entity, "P31", _thing(kind))
    yield state(entity, "P1086", Quantity(amount=Decimal(element.number)))
    yield state(entity, "P246", Text(value=element.symbol))
    if element.mass is not None and element.mass != int(element.mass):  # a whole number is an isotope's, not a weight
        yield state(entity, "P2067", Quantity(amount=Decimal(repr(element.mass)), unit=UNITS["dalton"]))
    if element.density is not None and _is_at_room_temperature(element.density_caveat):
        density = Quantity(amount=Decimal(repr(element.density)), unit=UNITS["gram per cubic centimetre"])
        yield state(entity, "P2054", density)
    yield state(entity, "P361", _thing(f"Period {period_of(element.number)} element"))
    group = group_of(element.number)
    if group is not None:
        yield state(entity, "P361", _thing(f"Group {group} element"))
    for isotope in element.isotopes:
        yield from _isotope_facts(element, entity, isotope, source)


def _isotope_facts(element: ElementData, of: Entity, isotope: IsotopeData, source: Source) -> Iterator[BuilderRecord]:
    name = f"{of.label}-{isotope.mass_number}"
    entity = Entity(id=local_id(name), label=name, description=f"natural isotope of {of.label.lower()}")
    yield Item(entity=entity)
    for property_id, value in (
        ("P31", _thing("Isotope")),
        ("P279", of),
        ("P2067", Quantity(amount=Decimal(repr(isotope.mass)), unit=UNITS["dalton"])),
        ("P1148", Quantity(amount=Decimal(isotope.mass_number - element.number))),
        ("P1107", Quantity(amount=Decimal(repr(round(isotope.abundance, 6))), unit=UNITS["percent"])),
    ):
        yield Triple(subject=entity, relation=property_of(property_id), object=value, source=source)


def _kinds(number: int) -> Iterator[str]:
    group = group_of(number)
    if number > _LAST_STUDIED:
        return
    if group in _NAMED_GROUPS and number != 1:
        yield _NAMED_GROUPS[group]
    if 57 <= number <= 71:
        yield "Lanthanide"
    elif 89 <= number <= 103:
        yield "Actinide"
    elif group is not None and 3 <= group <= 11:
        yield "Transition metal"


def _thing(title: str) -> Entity:
    return Entity(id=local_id(title), label=title)


def _is_at_room_temperature(caveat: str) -> bool:
    """Whether a density holds for the element as people know it: the package's own word for it is no caveat."""
    found = _TEMPERATURE.match(caveat)
    if found is not None:
        return int(float(found[1])) in _ROOM_TEMPERATURE
    return caveat in ("", "approximate")
