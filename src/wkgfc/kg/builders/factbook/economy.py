"""The Factbook's amounts: one property each, with the year that the amount stands for."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from wkgfc.evidence import Entity, Quantity
from wkgfc.kg.builders.factbook.gazetteer import Gazetteer, an_item
from wkgfc.kg.builders.factbook.notation import read_estimate, read_number
from wkgfc.kg.builders.factbook.pages import Page, qualifier
from wkgfc.kg.builders.records import BuilderRecord, Item
from wkgfc.kg.builders.units import UNITS


class Amount(NamedTuple):
    """Where an amount stands and what it is.

    ``part`` ``None``: the field's own text; ``"*"``: every part whose name ends with a year.
    """

    section: str
    field: str
    part: str | None
    property_id: str
    unit: Entity | None
    marks: str  # what the text must have, so that a changed unit is not read as the old one


_PEOPLE, _ECONOMY = "People and Society", "Economy"

AMOUNTS = (
    Amount(_PEOPLE, "Life expectancy at birth", "total population", "P2250", UNITS["year"], "years"),
    Amount(_PEOPLE, "Literacy", "total population", "P6897", UNITS["percent"], "%"),
    Amount(_PEOPLE, "Total fertility rate", None, "P4841", None, "children born/woman"),
    Amount(_ECONOMY, "GDP (official exchange rate)", None, "P2131", UNITS["United States dollar"], "$"),
    Amount(_ECONOMY, "Real GDP (purchasing power parity)", "*", "P4010", UNITS["United States dollar"], "$"),
    Amount(_ECONOMY, "Real GDP per capita", "*", "P2299", UNITS["United States dollar"], "$"),
    Amount(_ECONOMY, "Real GDP growth rate", "*", "P2219", UNITS["percent"], "%"),
    Amount(_ECONOMY, "Inflation rate (consumer prices)", "*", "P1279", UNITS["percent"], "%"),
    Amount(_ECONOMY, "Unemployment rate", "*", "P1198", UNITS["percent"], "%"),
    Amount(_ECONOMY, "Population below poverty line", None, "P8843", UNITS["percent"], "%"),
    Amount(_ECONOMY, "Gini Index coefficient - distribution of family income", "*", "P1125", None, ""),
    Amount(_ECONOMY, "Public debt", "*", "P1689", UNITS["percent"], "% of GDP"),
)


def amounts(page: Page, gazetteer: Gazetteer) -> Iterator[BuilderRecord]:
    """All amounts of the table that the page has as one exact number."""
    for amount in AMOUNTS:
        for text in _texts(page, amount):
            number = read_number(text)
            if number is not None and amount.marks in text:
                date = qualifier("P585", read_estimate(text))
                value = Quantity(amount=number, unit=amount.unit)
                yield from page.state(amount.field, page.entity, amount.property_id, value, date)


def currency(page: Page, gazetteer: Gazetteer) -> Iterator[BuilderRecord]:
    """The currency in use, and its code where it is one of today."""
    field = "Exchange rates"
    phrase = page.text(_ECONOMY, field, "Currency")
    text = page.text(_ECONOMY, field)
    if page.kind == "planet":
        return
    found = re.match(r"(?P<name>.+?)(?: \((?P<code>[A-Z/]{2,7})\))? per US dollar", phrase)
    name, code = (found["name"], found["code"]) if found else (None, None)
    if name is None and re.match(r"the US dollar (?:is used|became)", text):
        name = "US dollar"
    elif name is None and text == "note: uses the euro":
        name = "euros"
    if page.code == "us":
        name = "US dollar"  # the page gives the dollar's worth in other currencies
    item = gazetteer.currency(name) if name else None
    if item is not None:
        yield item
        kind = an_item("Currency")
        yield kind
        yield from page.state(field, item.entity, "P31", kind.entity)
        yield from page.state(field, page.entity, "P38", item.entity)
        if code and len(code) == 3 and gazetteer.is_current_code(code):
            yield Item(entity=item.entity, aliases=(code,))


READERS = (amounts, currency)


def _texts(page: Page, amount: Amount) -> Iterator[str]:
    if amount.part is None:
        yield page.text(amount.section, amount.field)
    elif amount.part == "*":
        for name, text in page.parts(amount.section, amount.field):
            if re.search(r"\b(?:19|20)\d\d$", name) and name[-4:] in text:
                yield text
    else:
        yield page.text(amount.section, amount.field, amount.part)
