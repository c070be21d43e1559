"""Ceremonies of the Academy Awards and the Super Bowls, with their dates, from the package ``special-days``.

The package carries what Wikidata says of two series, ``{year: [date, …]}``; it is read as data, by path.
"""

import datetime as dt
import importlib.metadata
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from wkgfc.errors import NotConfigured
from wkgfc.evidence import Entity, Source, Text, Time, Triple, Value
from wkgfc.kg.builders.properties import property_of
from wkgfc.kg.builders.records import BuilderRecord, Item, local_id
from wkgfc.kg.builders.titles import package_folder
from wkgfc.stores import Progress, fingerprint_of

PACKAGE, DISTRIBUTION = "special_days", "special-days"
_ROMAN = ((100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))


class Series(NamedTuple):
    """A series of yearly events. ``wikidata_id`` is what the package gives.

    ``edition_of`` is the number that an event of a year must have, where the series counts by years; it guards
    against gaps in the data.
    """

    entity: Entity
    wikidata_id: str
    file: str
    kind: Entity
    title_of: Callable[[int], str]
    aliases_of: Callable[[int, int], tuple[str, ...]]
    edition_of: Callable[[int], int | None]


def ordinal(number: int) -> str:
    """An ordinal number in figures.

    >>> ordinal(1), ordinal(22), ordinal(93), ordinal(112)
    ('1st', '22nd', '93rd', '112th')
    """
    suffix = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{suffix}"


def roman(number: int) -> str:
    """A Roman numeral, 1 to 399.

    >>> roman(4), roman(59)
    ('IV', 'LIX')
    """
    text = ""
    for value, sign in _ROMAN:
        text += sign * (number // value)
        number %= value
    return text


def _super_bowl_title(edition: int) -> str:
    return f"Super Bowl {edition if edition == 50 else roman(edition)}"  # the fiftieth went by its figure


# The Academy Awards are a vital article, whose id wins over Wikidata's so that the facts of both meet in one item.
SERIES = (
    Series(
        entity=Entity(id=local_id("Academy Awards"), label="Academy Awards"),
        wikidata_id="Q19020",
        file="oscars.json",
        kind=Entity(id=local_id("Academy Awards ceremony"), label="Academy Awards ceremony"),
        title_of=lambda edition: f"{ordinal(edition)} Academy Awards",
        aliases_of=lambda edition, year: (f"{ordinal(edition)} Oscars", f"{year} Oscars", f"{year} Academy Awards"),
        edition_of=lambda year: year - 1928 if year >= 1934 else None,  # before, some years had two or none
    ),
    Series(
        entity=Entity(id="Q32096", label="Super Bowl"),
        wikidata_id="Q32096",
        file="super_bowl.json",
        kind=Entity(id="Q32096", label="Super Bowl"),
        title_of=_super_bowl_title,
        aliases_of=lambda edition, _year: (f"Super Bowl {edition}", f"Super Bowl {roman(edition)}"),
        edition_of=lambda year: year - 1966,
    ),
)


class Awards:
    """Academy Awards ceremonies and Super Bowls: dates, editions, what follows what."""

    name = "Oscars and Super Bowls"
    licence = "CC0 (Wikidata); the package that carries it: MIT"
    origin = "https://www.wikidata.org/"

    def fingerprint(self) -> str:
        """The package's version and the rules."""
        return fingerprint_of(importlib.metadata.version(DISTRIBUTION))

    def records(self, progress: Progress) -> Iterator[BuilderRecord]:
        """All events of both series, earliest first.

        Raises:
            NotConfigured: the package is missing, or its data cannot be read.
        """
        folder = package_folder(PACKAGE, DISTRIBUTION) / "data"
        for number, series in enumerate(SERIES):
            progress(self.name, number, len(SERIES))
            yield from events(series, read_dates(folder / series.file))
        progress(self.name, len(SERIES), len(SERIES))


def read_dates(file: Path) -> list[dt.date]:
    """All dates of a file, earliest first; what is no date is left out.

    Raises:
        NotConfigured: the file is missing or is not JSON.
    """
    try:
        raw: Any = json.loads(file.read_bytes())
    except (OSError, ValueError) as error:
        raise NotConfigured(f"{file.name} of {DISTRIBUTION} cannot be read: install it again") from error
    dates = set()
    for days in raw.values() if isinstance(raw, Mapping) else ():
        for day in days if isinstance(days, list) else ():
            try:
                dates.add(dt.date.fromisoformat(day))
            except (TypeError, ValueError):
                continue
    return sorted(dates)


def events(series: Series, dates: Sequence[dt.date]) -> Iterator[BuilderRecord]:
    """The events of a series on these dates, numbered in their order.

    Where a number disagrees with what the year asks for, dates are missing, and what comes from there on is left out.
    """
    yield Item(entity=series.entity)
    known: list[tuple[Entity, dt.date, int]] = []
    for edition, date in enumerate(dates, start=1):
        if series.edition_of(date.year) not in (None, edition):
            break
        title = series.title_of(edition)
        known.append((Entity(id=local_id(title), label=title), date, edition))
    for place, (entity, date, edition) in enumerate(known):
        source = Source(
            name="embedded",
            url=f"https://www.wikidata.org/wiki/{series.wikidata_id}",
            title=f"Wikidata: {series.entity.label}",
            text_id=f"awards:{entity.label}",
        )
        aliases = tuple(alias for alias in series.aliases_of(edition, date.year) if alias != entity.label)
        if sum(other.year == date.year for _, other, _ in known) > 1:
            aliases = tuple(alias for alias in aliases if str(date.year) not in alias)
        yield Item(entity=entity, aliases=aliases)
        values: list[tuple[str, Value]] = [
            ("P31", series.kind),
            ("P179", series.entity),
            ("P393", Text(value=str(edition))),
            ("P585", Time(value=date.isoformat(), precision=11)),
        ]
        if place > 0:
            values.append(("P155", known[place - 1][0]))
        if place + 1 < len(known):
            values.append(("P156", known[place + 1][0]))
        for property_id, value in values:
            yield Triple(subject=entity, relation=property_of(property_id), object=value, source=source)
