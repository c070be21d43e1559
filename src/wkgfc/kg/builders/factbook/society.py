"""The Factbook's section "People and Society": population, languages, religions, peoples, cities, demonyms."""

import re
from collections.abc import Callable, Iterator

from wkgfc.evidence import Qualifier, Quantity, Text, Triple
from wkgfc.kg.builders.factbook.gazetteer import Gazetteer, an_item, typed
from wkgfc.kg.builders.factbook.notation import (
    read_estimate,
    read_number,
    read_share,
    split_list,
    take_brackets,
)
from wkgfc.kg.builders.factbook.pages import Page, qualifier
from wkgfc.kg.builders.records import BuilderRecord
from wkgfc.kg.builders.units import UNITS

SECTION = "People and Society"

_Reader = Callable[[Page, Gazetteer], Iterator[BuilderRecord]]

_OFFICIAL = re.compile(r"\bofficial\b", re.I)
_OFFICIAL_IN_PART = re.compile(r"official (?:in|only)\b|\bregional\b|, only in\b|official purposes", re.I)
_FEW = re.compile(r"^(?:less than 1 ?(?:%|percent) ?:|less common languages include)\s*", re.I)
_BELOW = re.compile(r"<|\bless than\b")
_AMOUNT = re.compile(
    r"(?:\s*[<>~]?\s*(?:less than |more than |approximately )?[.,]?\d[\d.,/]*(?:\s*[-–]\s*[\d.]+)?\s*%?)+(?:.*)$"
)
_TAIL_DATE = re.compile(r"\s*\((?:\w+ )?\d{4}(?:-\d{2,4})? ?(?:ests?\.?)?\)\s*$")
_CITY = re.compile(r"(?P<number>\d[\d,]*(?:\.\d+)?(?: million)?) (?P<name>[^\W\d_][^()\d]*?)(?: ?\((?P<note>.*)\))?")


def population(page: Page, gazetteer: Gazetteer) -> Iterator[BuilderRecord]:
    """The population, in all and by sex, with the year that it was counted or estimated for."""
    total = page.text(SECTION, "Population", "total")
    date = qualifier("P585", read_estimate(total))
    for part, property_id in (("total", "P1082"), ("male", "P1540"), ("female", "P1539")):
        number = read_number(page.text(SECTION, "Population", part))
        if number is not None and number > 0:
            yield from page.state("Population", page.entity, property_id, Quantity(amount=number), date)


def languages(page: Page, gazetteer: Gazetteer) -> Iterator[BuilderRecord]:
    """Languages that are spoken, with their shares, and those of them that the text calls official.

    "Official in Catalonia" is no official language of Spain.
    """
    text = page.text(SECTION, "Languages", "Languages") or page.text(SECTION, "Languages")
    if page.kind == "planet":
        return
    date = qualifier("P585", read_estimate(text))
    for entry in _entries(text):
        name, brackets = _name_of(_FEW.sub("", entry))
        language = gazetteer.language(name)
        if language is None:
            continue
        yield from typed(page, "Languages", language, "Language")
        part = _share(entry)
        yield from page.state("Languages", page.entity, "P2936", language.entity, part, date if part else None)
        if any(_OFFICIAL.search(words) and not _OFFICIAL_IN_PART.search(words) for words in brackets):
            yield from page.state("Languages", page.entity, "P37", language.entity)


def religions(page: Page, gazetteer: Gazetteer) -> Iterator[BuilderRecord]:
    """Religions that people have, with their shares (denominations too), and the official ones.

    Those whose share is only bounded ("<1%") are left out: hardly anyone's religion is none of the country's.
    """
    text = page.text(SECTION, "Religions")
    if page.kind == "planet":
        return
    date = qualifier("P585", read_estimate(text))
    for entry in _entries(text):
        if _FEW.match(entry):
            break
        if _BELOW.search(take_brackets(entry)[0]):
            continue
        name, brackets = _name_of(entry)
        yield from _religion(page, gazetteer, name, _share(entry), date)
        official = gazetteer.religion(name)
        if official is not None and any(re.match(r"official\b|.* - official$", words) for words in brackets):
            yield from page.state("Religions", page.entity, "P3075", official.entity)
        for words in brackets:
            for denomination in split_list(re.sub(r"^includes ", "", words)):
                part = _share(denomination)
                if part is not None:
                    yield from _religion(page, gazetteer, _name_of(denomination)[0], part, date)


def _religion(
    page: Page, gazetteer: Gazetteer, name: str, share: Qualifier | None, date: Qualifier | None
) -> Iterator[BuilderRecord]:
    religion = gazetteer.religion(name)
    if religion is not None:
        yield religion
        yield from page.state("Religions", page.entity, "P140", religion.entity, share, date if share else None)


def ethnic_groups(page: Page, gazetteer: Gazetteer) -> Iterator[BuilderRecord]:
    """Ethnic groups with their shares; those without one are left out."""
    text = page.text(SECTION, "Ethnic groups")
    date = qualifier("P585", read_estimate(text))
    for entry in _entries(text):
        part = _share(entry)
        group = gazetteer.ethnic_group(_name_of(entry)[0]) if part is not None else None
        if group is not None:
            yield from typed(page, "Ethnic groups", group, "ethnic group")
            yield from page.state("Ethnic groups", page.entity, "P172", group.entity, part, date)


def cities(page: Page, gazetteer: Gazetteer) -> Iterator[BuilderRecord]:
    """The largest urban areas; their population is that of the urban agglomeration, and says so."""
    if not page.is_country:
        return
    field = "Major urban areas - population"
    text = page.text(SECTION, field)
    agglomeration = an_item("urban agglomeration")
    for group in text.split(";"):
        date = qualifier("P585", read_estimate(group))
        for entry in split_list(re.sub(r"\s*\(\d{4}\)\s*$", "", group), ","):
            found = _CITY.fullmatch(entry)
            number = read_number(found["number"]) if found else None
            if found is None or number is None:
                continue
            city = gazetteer.city(page, found["name"].strip())
            if city is None or city.entity == page.entity:
                continue
            yield from typed(page, field, city, "City")
            yield agglomeration
            yield from page.state(field, city.entity, "P17", page.entity)
            part = qualifier("P518", agglomeration.entity)
            yield from page.state(field, city.entity, "P1082", Quantity(amount=number), date, part)


def demonyms(page: Page, gazetteer: Gazetteer) -> Iterator[BuilderRecord]:
    """What people of the country are called, and what is of the country."""
    said: set[str] = set()
    for part in ("noun", "adjective"):
        text = page.text(SECTION, "Nationality", part).split(";")[0]
        if page.kind in ("planet", "political and economic union"):
            return
        plural_marked = re.sub(r"(?<=\w)\((?:s|es|men|women|n)\)", "", text)
        for word in re.split(r", (?:or )?| or ", take_brackets(plural_marked)[0]):
            if re.fullmatch(r"[^\W\d_][\w'’ -]{2,30}", word) and word[0].isupper() and word not in ("NA", *said):
                said.add(word)
                yield from page.state("Nationality", page.entity, "P1549", Text(value=word, language="en"))


def _each_once(reader: _Reader) -> _Reader:
    """A reader that states a relation to each thing once: of two shares, the first, which is the whole's, stands."""

    def read(page: Page, gazetteer: Gazetteer) -> Iterator[BuilderRecord]:
        said: set[object] = set()
        for record in reader(page, gazetteer):
            if not isinstance(record, Triple) or record.fact not in said:
                if isinstance(record, Triple):
                    said.add(record.fact)
                yield record

    return read


READERS: tuple[_Reader, ...] = (
    population,
    _each_once(languages),
    _each_once(religions),
    _each_once(ethnic_groups),
    cities,
    demonyms,
)


def _entries(text: str) -> Iterator[str]:
    """The members of a list of languages, religions or peoples, without its date and what follows a "note"."""
    for entry in split_list(_TAIL_DATE.sub("", text.split("\n", maxsplit=1)[0])):
        if entry.startswith("note"):
            return
        yield _TAIL_DATE.sub("", entry)


def _name_of(entry: str) -> tuple[str, list[str]]:
    """The name that an entry begins with, and all that stands in its brackets."""
    outside, brackets = take_brackets(entry)
    return _AMOUNT.sub("", outside).strip(" ,.&"), brackets


def _share(entry: str) -> Qualifier | None:
    share = read_share(entry)
    return None if share is None else qualifier("P1107", Quantity(amount=share, unit=UNITS["percent"]))
