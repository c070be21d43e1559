"""Units of measure and currencies: their spellings in text and in Wikidata, and conversion by pint."""

import re
from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pint import UnitRegistry

PERCENT = "percent"

# Spelling (a regular expression) to pint's name. Only units that claims use: pint itself reads "barn" and "are" too.
_BASE = {
    r"kilomet(?:re|er)s?|kms?": "kilometer",
    r"centimet(?:re|er)s?|cms?": "centimeter",
    r"millimet(?:re|er)s?|mm": "millimeter",
    r"hectomet(?:re|er)s?": "hectometer",
    r"met(?:re|er)s?|m": "meter",
    r"nautical[ -]miles?": "nautical_mile",
    r"miles?|mi": "mile",
    r"foot|feet|ft": "foot",
    r"inch(?:es)?": "inch",
    r"yards?|yd": "yard",
    r"light[ -]?years?": "light_year",
    r"astronomical units?|AU": "astronomical_unit",
    r"parsecs?": "parsec",
    r"hectares?|ha": "hectare",
    r"acres?": "acre",
    r"lit(?:re|er)s?": "liter",
    r"gallons?": "gallon",
    r"kilograms?|kilogrammes?|kilos?|kgs?": "kilogram",
    r"milligrams?|mg": "milligram",
    r"grams?|grammes?|g": "gram",
    r"metric tons?|tonnes?": "metric_ton",
    r"tons?|short tons?": "ton",
    r"pounds?|lbs?": "pound",
    r"ounces?|oz": "ounce",
    r"milliseconds?|ms": "millisecond",
    r"seconds?|secs?|s": "second",
    r"minutes?|mins?": "minute",
    r"hours?|hrs?|h": "hour",
    r"days?": "day",
    r"weeks?": "week",
    r"fortnights?": "fortnight",
    r"months?": "month",
    r"years? old|years? of age|years?|yrs?|annum": "year",
    r"decades?": "decayear",  # pint's "decade" is a factor of ten
    r"centur(?:y|ies)": "century",
    r"millenni(?:um|a)": "millennium",
    r"degrees? celsius|degrees? centigrade|celsius|°\s?C": "degC",
    r"degrees? fahrenheit|fahrenheit|°\s?F": "degF",
    r"kelvins?": "kelvin",
    r"kilowatt[ -]hours?|kWh": "kilowatt_hour",
    r"gigawatt[ -]hours?|GWh": "gigawatt * hour",
    r"gigawatts?|GW": "gigawatt",
    r"megawatts?|MW": "megawatt",
    r"kilowatts?|kW": "kilowatt",
    r"watts?": "watt",
    r"horsepower": "horsepower",
    r"kilovolts?|kV": "kilovolt",
    r"volts?": "volt",
    r"gigahertz|GHz": "gigahertz",
    r"megahertz|MHz": "megahertz",
    r"kilohertz|kHz": "kilohertz",
    r"hertz|Hz": "hertz",
    r"terabytes?|TB": "terabyte",
    r"gigabytes?|GB": "gigabyte",
    r"megabytes?|MB": "megabyte",
    r"bytes?": "byte",
    r"kilonewtons?|kN": "kilonewton",
    r"newtons?": "newton",
    r"knots?": "knot",
}
_WHOLE = {
    r"mph": "mile / hour",
    r"km/h|kph|kmh": "kilometer / hour",
    r"percent(?:age points?)?|per cent|%": PERCENT,
    r"per mille|‰": "permille",
}
_CURRENCIES = {
    r"(?:U\.?S\.? |United States |American )?dollars?|USD|US\$": "dollar",
    r"euros?|EUR": "euro",
    r"pounds? sterling|british pounds?|GBP": "pound sterling",
    r"(?:japanese )?yen|JPY": "yen",
    r"(?:chinese )?yuan|renminbi|CNY": "renminbi",
    r"(?:indian )?rupees?|INR": "rupee",
    r"(?:russian )?ro?ubles?|RUB": "ruble",
    r"swiss francs?|CHF": "swiss franc",
    r"cents?": "cent",
}
SIGNS = {"$": "dollar", "US$": "dollar", "€": "euro", "£": "pound sterling", "¥": "yen"}


def _alternatives(table: dict[str, str]) -> str:
    return "|".join(f"(?:{spelling})" for spelling in table)


# One letter is a unit only right after a figure; "a" and "an" stand for "per" ("sixty miles an hour").
_POWER = r"(?P<{0}>square|cubic|sq\.?|cu\.?)[ -]+"
_UNIT = re.compile(
    rf"(?:(?P<whole>{_alternatives(_WHOLE)})|(?P<currency>{_alternatives(_CURRENCIES)})"
    rf"|(?:{_POWER.format('power')})?(?P<unit>{_alternatives(_BASE)})(?P<sign>[²³]|\^?[23](?!\d))?"
    rf"(?:\s*(?:/|\bper\b|\ban?\b)\s*(?:{_POWER.format('per_power')})?(?P<per>{_alternatives(_BASE)})"
    rf"(?P<per_sign>[²³]|\^?[23](?!\d))?)?)(?![\w²³])",
    re.IGNORECASE,
)


def read_unit(text: str, position: int = 0) -> tuple[str, int] | None:
    """The unit that ``text`` names at ``position``, as pint or the currency table writes it, and where it ends.

    >>> read_unit("12 sq km of land", 3)
    ('kilometer ** 2', 8)
    """
    match = _UNIT.match(text, position)
    if match is None:
        return None
    if match["whole"]:
        return _named(_WHOLE, match["whole"]), match.end()
    if match["currency"]:
        return _named(_CURRENCIES, match["currency"]), match.end()
    if len(match["unit"]) == 1 and position and text[position - 1] not in "0123456789 ":
        return None
    unit = _raised(match["unit"], match["power"], match["sign"])
    if match["per"]:
        unit = f"{unit} / {_raised(match['per'], match['per_power'], match['per_sign'])}"
    return unit, match.end()


def _named(table: dict[str, str], written: str) -> str:
    for spelling, name in table.items():
        if re.fullmatch(spelling, written) or re.fullmatch(spelling, written, re.IGNORECASE):
            return name
    return written


def _raised(written: str, word: str | None, sign: str | None) -> str:
    name = _named(_BASE, written)
    if (word and word.lower().startswith("s")) or (sign and sign[-1] in "²2"):
        return f"{name} ** 2"
    if word or sign:
        return f"{name} ** 3"
    return name


# Labels of Wikidata units that only say what is counted.
_COUNTED = re.compile(
    r"(?:human|person|people|inhabitants?|man|men|unit|piece|member state|country|\d+)", re.IGNORECASE
)


def unit_of_label(label: str) -> str | None:
    """The unit that a knowledge graph's label names; ``None`` where it only says what is counted.

    A label that is no known unit stays as it is, and compares with nothing but itself.
    """
    if _COUNTED.fullmatch(label):
        return None
    read = read_unit(label)
    if read is not None and read[1] == len(label):
        return read[0]
    for currency in ("dollar", "ruble", "rupee", "franc", "yen"):
        if label.lower().endswith(currency):
            return label.lower()
    return label.lower()


def is_physical(unit: str | None) -> bool:
    """Whether pint knows the unit."""
    return unit is not None and _dimension(unit) is not None


@lru_cache(maxsize=1)
def _registry() -> "UnitRegistry[Decimal]":
    import pint  # noqa: PLC0415 - half a second that a claim without units need not pay

    registry: UnitRegistry[Decimal] = pint.UnitRegistry(non_int_type=Decimal, autoconvert_offset_to_baseunit=True)
    return registry


@lru_cache(maxsize=512)
def _dimension(unit: str) -> str | None:
    import pint  # noqa: PLC0415

    if unit in _CURRENCIES.values():
        return None
    try:
        return str(_registry().Unit(unit).dimensionality)
    except (pint.PintError, AttributeError, TypeError, ValueError, KeyError):
        return None


def convert(amount: Decimal, unit: str | None, to: str | None) -> Decimal | None:
    """``amount`` of ``unit`` in the unit ``to``; ``None`` where one is not the other.

    "Dollar" meets any currency that is some country's dollar.
    """
    if unit == to:
        return amount
    if unit is None or to is None:
        return None
    if to in ("dollar", "ruble", "rupee") and unit.endswith(to):
        return amount
    if _dimension(unit) is None or _dimension(unit) != _dimension(to):
        return None
    quantity = _registry().Quantity(amount, unit).to(to)
    return Decimal(str(quantity.magnitude))
