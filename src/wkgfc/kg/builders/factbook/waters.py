"""Rivers and lakes of the section "Geography", which several pages speak of."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from wkgfc.evidence import Quantity
from wkgfc.kg.builders.factbook.gazetteer import Gazetteer, typed
from wkgfc.kg.builders.factbook.notation import read_number, split_list, take_brackets
from wkgfc.kg.builders.factbook.pages import Page
from wkgfc.kg.builders.records import BuilderRecord, Item
from wkgfc.kg.builders.units import UNITS

SECTION = "Geography"

_RIVER = re.compile(
    r"(?P<name>[^\W\d_][^()\d]*?)(?P<role> river source and mouth| river source| river mouth)?"
    r"(?: ?\((?P<bracket>[^()]*)\))? ?(?:-|–) ?(?P<length>\d[\d,]*) km"
)
_LAKE = re.compile(
    r"(?P<name>[^\W\d_][^()*\d]*?)(?: \((?P<bracket>[^()]*)\))? (?:- |– )?(?P<area>\d[\d,]*) sq km(?P<rest>.*)"
)
_LAKE_WORD = re.compile(r"\b(?:Lake|Lago|Lagoa|Laguna|Lac|Sea|Lagoon|Danau|Ozero|Hu|Nuur)\b")
_SHARED = re.compile(r"shared with (?P<countries>.+)")


@dataclass(frozen=True)
class _Reading:
    page: Page
    field: str
    item: Item
    amount: Decimal
    countries: tuple[Page | None, ...]


def waters(pages: Sequence[Page], gazetteer: Gazetteer) -> Iterator[BuilderRecord]:
    """Rivers with their lengths and lakes with their areas, and the countries that share them.

    Several pages speak of one river; where they give it different lengths, the one that most pages give stands, and
    none does where that does not decide.
    """
    for readings, kind, property_id, unit in (
        (list(_rivers(pages, gazetteer)), "River", "P2043", UNITS["kilometre"]),
        (list(_lakes(pages, gazetteer)), "Lake", "P2046", UNITS["square kilometre"]),
    ):
        amounts: dict[str, Counter[Decimal]] = {}
        for reading in readings:
            amounts.setdefault(reading.item.entity.id, Counter())[reading.amount] += 1
        said: set[tuple[str, Decimal]] = set()
        for reading in readings:
            entity = reading.item.entity
            yield from typed(reading.page, reading.field, reading.item, kind)
            for country in reading.countries:
                if country is not None:
                    yield from reading.page.state(reading.field, entity, "P17", country.entity)
            if reading.amount == _agreed(amounts[entity.id]) and (entity.id, reading.amount) not in said:
                said.add((entity.id, reading.amount))
                amount = Quantity(amount=reading.amount, unit=unit)
                yield from reading.page.state(reading.field, entity, property_id, amount)


def _agreed(amounts: Counter[Decimal]) -> Decimal | None:
    (best, votes), *others = amounts.most_common(2)
    return None if others and others[0][1] == votes else best


def _rivers(pages: Sequence[Page], gazetteer: Gazetteer) -> Iterator[_Reading]:
    field = "Major rivers (by length in km)"
    for page in pages:
        if not page.is_country:
            continue
        for entry in split_list(page.text(SECTION, field).split("\n")[0], ";"):
            outside, brackets = take_brackets(entry)
            found = _RIVER.fullmatch(re.sub(r"\s+", " ", outside))
            if found is None or re.search(r"\b(?:and|the|join)\b|/", found["name"]):
                continue
            length = read_number(found["length"])
            shared = [words for words in brackets if _SHARED.match(words)]
            names = [words for words in brackets if words[:1].isupper() and len(words.split()) < 4]
            if length is not None and len(shared) + len(names) == len(brackets):
                names = [*names, found["name"]]
                countries = (page, *(_page(country, gazetteer, pages) for country in _sharing(shared)))
                yield _Reading(page, field, gazetteer.river(names), length, countries)


def _lakes(pages: Sequence[Page], gazetteer: Gazetteer) -> Iterator[_Reading]:
    field = "Major lakes (area sq km)"
    for page in pages:
        if not page.is_country:
            continue
        for part in ("fresh water lake(s)", "salt water lake(s)"):
            for entry in split_list(page.text(SECTION, field, part).split("\n")[0], ";"):
                found = _LAKE.fullmatch(entry)
                if found is None or not _LAKE_WORD.search(found["name"]) or re.match(r"\s*(?:seasonal)", found["rest"]):
                    continue
                area_of_lake = read_number(found["area"])
                bracket = found["bracket"] or found["rest"].strip(" ()")
                if area_of_lake is None or bracket == "north":
                    continue
                shared = [bracket.removeprefix("endorheic lake ")] if "shared with" in bracket else []
                countries = (page, *(_page(country, gazetteer, pages) for country in _sharing(shared)))
                name = found["name"].strip()
                yield _Reading(page, field, gazetteer.lake([name]), area_of_lake, countries)


def _sharing(texts: Sequence[str]) -> Iterator[str]:
    for text in texts:
        found = _SHARED.match(text)
        if found is not None:
            for name in re.split(r", and |, | and ", found["countries"]):
                yield re.sub(r"\s*\[[sm]\]", "", name)


def _page(name: str, gazetteer: Gazetteer, pages: Sequence[Page]) -> Page | None:
    country = gazetteer.place(name)
    return next((page for page in pages if page.entity == country), None) if country is not None else None
