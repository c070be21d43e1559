"""The Factbook's section "Geography": area, borders, coast, highest and lowest point, region."""

import re
from collections.abc import Iterator
from decimal import Decimal

from wkgfc.evidence import Quantity
from wkgfc.kg.builders.factbook.gazetteer import Gazetteer, an_item, typed
from wkgfc.kg.builders.factbook.notation import read_number, split_list, take_brackets
from wkgfc.kg.builders.factbook.pages import Page, qualifier
from wkgfc.kg.builders.records import BuilderRecord, Item
from wkgfc.kg.builders.units import UNITS

SECTION = "Geography"

_NEIGHBOUR = re.compile(r"(?P<name>[^\W\d_][^;,\d]{0,60}?) (?P<length>\d[\d,]*(?:\.\d+)?) km\b")
_POINT = re.compile(r"(?P<name>[^\W\d_].*?),? (?P<elevation>[-−]?\d[\d,]*(?:\.\d+)?)(?: m\b|$)")
_NO_POINT = re.compile(
    r"^(?:unnamed|location|near|ocean-side|junction|reclaimed|East-central|\d)|/.*[Oo]ceans?$|"
    r"\b(?:and|junction|near|unnamed|located|pre-eruption|course|range|Oceans|Seas|Rivers|more than|coastal)\b"
)
_MOUNTAIN = re.compile(
    r"\b(?:Mount|Mt|Mont|Monte|Mountain|Peak|Pic|Pico|Pik|Cerro|Nevado|Volcan|Volcano|Gunung|Jabal|Jebel|Gora|Hora|Doi|"
    r"Phu|Massif|Morne|Maja|Montana|Fjeld|Grossglockner|Zugspitze|Dufourspitze|K2|Kilimanjaro|Kanchenjunga|Aconcagua)\b"
)
_CONTINENTS = {
    "Africa": "Africa",
    "Asia": "Asia",
    "Europe": "Europe",
    "Oceania": "Oceania",
    "North America": "North America",
    "Central America": "North America",
    "Caribbean": "North America",
    "South America": "South America",
    "Middle East": "Asia",
}
_CONTINENT = re.compile(
    r"^(?:interior |south |north-?)?(?:\w+-)?"
    r"(?:(?:North|South|East|West|Central|north|south)(?:ern|east(?:ern)?|west(?:ern)?)? )?"
    r"(?P<continent>North America|South America|Central America|Middle East|Africa|Asia|Europe|Oceania|Caribbean)$",
    re.I,
)
_ALSO_IN = re.compile(r"extending from Eastern (?P<a>Europe)|portion [^;]*?(?P<b>Europe)|includes the (?P<c>Asia)n ")
_REGIONS = {
    "Northern Africa": "North Africa",
    "Southern Africa": "Southern Africa",
    "Western Africa": "West Africa",
    "interior Western Africa": "West Africa",
    "Central Africa": "Central Africa",
    "Eastern Africa": "East Africa",
    "Southeastern Asia": "Southeast Asia",
    "Eastern Asia": "East Asia",
    "Southern Asia": "South Asia",
    "Central Asia": "Central Asia",
    "Southwestern Asia": "West Asia",
    "Western Europe": "Western Europe",
    "Eastern Europe": "Eastern Europe",
    "Central Europe": "Central Europe",
    "Northern Europe": "Northern Europe",
    "Southern Europe": "Southern Europe",
    "Southeastern Europe": "Southeast Europe",
    "Middle East": "Middle East",
    "Caribbean": "Caribbean",
    "Central America": "Central America",
}


def area(page: Page, gazetteer: Gazetteer) -> Iterator[BuilderRecord]:
    """Total area in square kilometres, and the share of it that is water in percent."""
    total = read_number(page.text(SECTION, "Area", "total"))
    if total:
        yield from page.state("Area", page.entity, "P2046", Quantity(amount=total, unit=UNITS["square kilometre"]))
        water = read_number(page.text(SECTION, "Area", "water"))
        if water is not None and 0 < water < total:
            share = (100 * water / total).quantize(Decimal("0.01"))
            yield from page.state("Area", page.entity, "P2927", Quantity(amount=share, unit=UNITS["percent"]))


def borders(page: Page, gazetteer: Gazetteer) -> Iterator[BuilderRecord]:
    """Neighbours, each with the length of the border; the parts of a border in two pieces are added up."""
    lengths: dict[str, Decimal] = {}
    neighbours = {}
    for part in ("border countries", "regional borders", "border sovereign base areas"):
        for found in _NEIGHBOUR.finditer(page.text(SECTION, "Land boundaries", part)):
            name = re.sub(r"^(?:and|of which) ", "", found["name"].strip())
            country, length = gazetteer.place(name), read_number(found["length"])
            if country is not None and length is not None and country != page.entity and not name.startswith("of "):
                neighbours[country.id] = country
                lengths[country.id] = lengths.get(country.id, Decimal(0)) + length
    for key, country in neighbours.items():
        yield Item(entity=country)
        length_of_border = Quantity(amount=lengths[key], unit=UNITS["kilometre"])
        yield from page.state("Land boundaries", page.entity, "P47", country, qualifier("P2043", length_of_border))


def coastline(page: Page, gazetteer: Gazetteer) -> Iterator[BuilderRecord]:
    """The length of the coast in kilometres; a state without one is a landlocked country."""
    text = page.text(SECTION, "Coastline")
    length = read_number(text)
    if length is not None and " km" in text:
        yield from page.state("Coastline", page.entity, "P5141", Quantity(amount=length, unit=UNITS["kilometre"]))
        if "landlocked" in text and length == 0:
            yield from typed(page, "Coastline", Item(entity=page.entity), "landlocked country")


def highest_point(page: Page, gazetteer: Gazetteer) -> Iterator[BuilderRecord]:
    """The highest point with its elevation in metres; an unnamed one is left out."""
    point = _read_point(page.text(SECTION, "Elevation", "highest point"))
    if point is None:
        return
    name, elevation, others = point
    peak = gazetteer.peak(page, name)
    metres = Quantity(amount=elevation, unit=UNITS["metre"])
    yield from typed(page, "Elevation", peak, *(["Mountain"] if _MOUNTAIN.search(name) else []))
    if others:
        yield Item(entity=peak.entity, aliases=others)
    yield from page.state("Elevation", page.entity, "P610", peak.entity, qualifier("P2044", metres))
    yield from page.state("Elevation", peak.entity, "P2044", metres)
    if page.is_country:
        yield from page.state("Elevation", peak.entity, "P17", page.entity)


def lowest_point(page: Page, gazetteer: Gazetteer) -> Iterator[BuilderRecord]:
    """The lowest point with its elevation in metres."""
    point = _read_point(page.text(SECTION, "Elevation", "lowest point"))
    if point is None:
        return
    name, elevation, _ = point
    water = gazetteer.water(name)
    if water is not None:
        yield water
        metres = Quantity(amount=elevation, unit=UNITS["metre"])
        yield from page.state("Elevation", page.entity, "P1589", water.entity, qualifier("P2044", metres))


def location(page: Page, gazetteer: Gazetteer) -> Iterator[BuilderRecord]:
    """The continents and the region that the page's first words name."""
    if not page.is_country:
        return
    text = page.text(SECTION, "Location")
    text = re.sub(r"^metropolitan \w+: ", "", text).split("\n")[0]
    phrase = take_brackets(re.split(r"[,;]| bordering", text)[0])[0]
    continents = []
    for words in phrase.split(" and "):
        found = _CONTINENT.match(words)
        if found is not None:
            continents.append(_CONTINENTS[found["continent"]])
        if words in _REGIONS:
            region = an_item(_REGIONS[words])
            yield region
            yield from page.state("Location", page.entity, "P361", region.entity)
    if continents:
        continents += [name for found in _ALSO_IN.finditer(text) for name in found.groups() if name]
    for continent in dict.fromkeys(continents):
        item = an_item(continent)
        yield item
        yield from page.state("Location", page.entity, "P30", item.entity)


READERS = (area, borders, coastline, highest_point, lowest_point, location)


def _read_point(text: str) -> tuple[str, Decimal, tuple[str, ...]] | None:
    clause = next(iter(split_list(text.split("\n", maxsplit=1)[0], ";")), "")
    outside, brackets = take_brackets(clause)
    found = _POINT.match(outside)
    if found is None:
        return None
    name = re.split(r" (?:on|at) |, ", found["name"])[0].strip()
    elevation = read_number(found["elevation"].replace("−", "-"))
    if _NO_POINT.search(found["name"]) or elevation is None:
        return None
    others = tuple(
        words
        for words in brackets
        if re.fullmatch(r"[^\W\d_a-z][\w.'’ -]{2,30}", words) and len(words.split()) < 4 and " on " not in found["name"]
    )
    return name, elevation, others
