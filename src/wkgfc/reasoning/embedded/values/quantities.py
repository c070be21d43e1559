"""Quantities that a claim names, with what bounds them, and how they compare with those that a source states."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TYPE_CHECKING, Literal

from wkgfc.evidence import Quantity
from wkgfc.language import parse
from wkgfc.reasoning.embedded.values.agreement import Agreement, agrees, disagrees, silent
from wkgfc.reasoning.embedded.values.lookback import just_before
from wkgfc.reasoning.embedded.values.numerals import Numeral, read_numerals, written_resolution
from wkgfc.reasoning.embedded.values.time_forms import names_with_numbers
from wkgfc.reasoning.embedded.values.times import read_times
from wkgfc.reasoning.embedded.values.units import PERCENT, SIGNS, convert, is_physical, read_unit, unit_of_label

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

QuantityBound = Literal["at", "exactly", "about", "nearly", "more", "at_least", "less", "at_most", "between"]


@dataclass(frozen=True)
class QuantityMention:
    """A quantity as a text names it; never a date.

    ``start`` and ``end`` are its character offsets, with the words that bound it and its unit. ``upper`` is the other
    end of a range. ``resolution`` is the step to which the amount is written (1,000,000 for "68 million"). ``unit`` is
    a unit by pint's name, ``percent`` or a currency; ``noun`` is what is counted, its head in the singular ("official
    language"). An ordinal ("the 44th president") has the noun that it orders.
    """

    start: int
    end: int
    text: str
    amount: Decimal
    upper: Decimal | None
    bound: QuantityBound
    resolution: Decimal
    unit: str | None = None
    noun: str | None = None
    is_ordinal: bool = False

    @property
    def is_count(self) -> bool:
        """Whether it is a whole number of things, written to the last one."""
        return self.unit is None and not self.is_ordinal and self.resolution == 1 and self.amount == int(self.amount)


_BEFORE: dict[QuantityBound, str] = {
    "at_most": r"up\s+to|at\s+(?:the\s+)?most|no\s+more\s+than|not\s+more\s+than|(?:a\s+)?maximum(?:\s+of)?"
    r"|as\s+(?:many|much|far|high|long)\s+as|not\s+exceeding",
    "at_least": r"at\s+(?:the\s+)?least|no\s+(?:fewer|less)\s+than|not\s+(?:fewer|less)\s+than"
    r"|(?:a\s+)?minimum(?:\s+of)?|as\s+(?:few|little)\s+as",
    "more": r"(?:slightly\s+|a\s+little\s+|well\s+|just\s+|far\s+|much\s+)?(?:over|above|more\s+than|greater\s+than"
    r"|in\s+excess\s+of|exceed(?:s|ed|ing)?|upwards?\s+of|(?:higher|larger|longer|older|taller|bigger|heavier)\s+than)",
    "less": r"(?:slightly\s+|a\s+little\s+|well\s+|just\s+|far\s+|much\s+)?(?:under|below|less\s+than|fewer\s+than"
    r"|(?:lower|smaller|shorter|younger|lighter)\s+than)",
    "nearly": r"nearly|almost|close\s+to|approaching|just\s+shy\s+of",
    "about": r"about|around|approximately|approx\.?|roughly|circa|ca?\.|some|an?\s+estimated"
    r"|an\s+average\s+of|~",
    "exactly": r"exactly|precisely|only|just|merely|a\s+total\s+of|all(?:\s+of\s+the)?",
}
_LEADS = {
    bound: re.compile(rf"(?<!\w)(?:{words})\s*(?:the\s+)?(?P<sign>(?:US|A|C)?[$€£¥])?\s?$", re.IGNORECASE)
    for bound, words in _BEFORE.items()
}
_GAP = re.compile("[ \u00a0-]{0,3}")
_NO = re.compile(r"\b(?:no|not)\s+$", re.IGNORECASE)
_MINUS = re.compile(r"(?:(?<!\S)[-−–]|\bminus\s+)$", re.IGNORECASE)
_SIGN = re.compile(r"(?P<sign>(?:US|A|C)?[$€£¥])\s?$")
_AFTER = re.compile(
    r"\s*(?:(?P<least>or\s+(?:more|higher|older|longer|above)|\+|plus\b)|(?P<most>or\s+(?:less|fewer|under|below)))"
)
_RANGE = re.compile(r"\s*(?:to|[-–—]|or)\s*(?:[$€£¥])?")
_AND = re.compile(r"\s*(?:[a-z%]+\s+)?and\s+(?:[$€£¥])?")
_BETWEEN = re.compile(r"\bbetween\s+(?:[$€£¥])?$", re.IGNORECASE)
_FROM = re.compile(r"\bfrom\s+(?:[$€£¥])?$", re.IGNORECASE)
# Entities in which a number is part of a name.
_NAMES = {"PERSON", "ORG", "GPE", "LOC", "FAC", "WORK_OF_ART", "EVENT", "PRODUCT", "LAW", "NORP"}


def read_quantities(text: str) -> tuple[QuantityMention, ...]:
    """The quantities that ``text`` names, in order. Dates, and numbers in names ("Maroon 5"), are none."""
    times = [(time.start, time.end) for time in read_times(text)] + names_with_numbers(text)
    numerals = [
        numeral
        for numeral in read_numerals(text)
        if not any(numeral.start < end and start < numeral.end for start, end in times)
    ]
    if not numerals:
        return ()
    doc = parse(text)
    found: list[QuantityMention] = []
    for numeral in numerals:
        if not found or found[-1].end <= numeral.start:  # "one second" is no ordinal
            found.extend(_mention(text, doc, numeral))
    return tuple(_join_ranges(text, found))


def _mention(text: str, doc: "Doc", numeral: Numeral) -> Iterator[QuantityMention]:
    start, end = numeral.start, numeral.end
    if sign := just_before(_SIGN, text, start):
        start = sign.start()
    gap = _GAP.match(text, end)
    unit_at = gap.end() if gap else end
    read = None if numeral.is_ordinal or numeral.is_share else read_unit(text, unit_at)
    unit = SIGNS.get(sign["sign"].removeprefix("US"), "dollar") if sign else None
    noun = None
    if unit is None and read is not None and not _is_title_word(text, unit_at):
        unit, end = read
    if unit is None and text[end : end + 1].isalpha():
        return  # "the 49ers"
    amount, resolution = numeral.amount, numeral.resolution
    if numeral.is_share:
        unit, amount, resolution = PERCENT, amount * 100, Decimal(5)
    if unit is None:
        tokens = _tokens(doc, numeral)
        if _is_part_of_name(text, doc, tokens, numeral):
            return
        noun, end = _counted_noun(tokens[-1], end) if tokens else (None, end)
        if _is_pronoun(tokens, noun):
            return
        if text[numeral.start : numeral.end].lower() == "twice":
            noun = "time"
    bound: QuantityBound = "at_least" if numeral.is_floor else "at"
    for name, pattern in _LEADS.items():
        if numeral.is_ordinal:
            break
        if opener := just_before(pattern, text, start):
            if name == "less" and just_before(_NO, text, opener.start()):
                continue
            bound, start = name, opener.start()
            break
    if after := _AFTER.match(text, numeral.end) or _AFTER.match(text, end):
        bound, end = ("at_least" if after["least"] else "at_most"), max(end, after.end())
    if unit in ("degC", "degF", "percent") and (minus := just_before(_MINUS, text, numeral.start)):
        amount, start = -amount, min(start, minus.start())
    yield QuantityMention(start, end, text[start:end], amount, None, bound, resolution, unit, noun, numeral.is_ordinal)


def _is_title_word(text: str, position: int) -> bool:
    """Whether a unit's word is written as a name is: "50 Cent"."""
    word = text[position : position + 9]
    return (
        word[:1].isalpha()
        and word[:2].istitle()
        and len(word) > 2
        and not word.startswith(("Celsius", "Fahrenhei", "Kelvin", "United", "Ameri"))
    )


def _tokens(doc: "Doc", numeral: Numeral) -> "list[Token]":
    span = doc.char_span(numeral.start, numeral.end, alignment_mode="expand")
    return list(span) if span is not None else []


def _is_part_of_name(text: str, doc: "Doc", tokens: "list[Token]", numeral: Numeral) -> bool:
    """Whether a number belongs to a name: "Maroon 5", "the Seven Dwarfs", "Game of Thrones (season 7)"."""
    if not tokens:
        return True
    first, last = tokens[0], tokens[-1]
    follower = doc[last.i + 1] if last.i + 1 < len(doc) else None
    counts = last.dep_ in ("nummod", "quantmod") and last.head.i > last.i and last.head.tag_ in ("NNS", "NN")
    if first.is_alpha and first.text[:1].isupper() and not numeral.is_ordinal:
        is_opening = first.i == 0 or doc[first.i - 1].is_punct
        return not (is_opening and (follower is None or not follower.text[:1].isupper()))
    if last.dep_ == "nummod" and last.head.i == last.i + 1 and last.head.tag_ == "NNP" and numeral.amount > 1:
        return not numeral.is_ordinal  # "8 Mile", "50 Cent"
    if first.ent_type_ in _NAMES and not numeral.is_ordinal:
        return not (counts and follower is not None and follower.text[:1].islower())
    if first.i == 0 or numeral.is_ordinal:
        return False
    if just_before(_LABEL, text, numeral.start) and not just_before(_MEASURE_CALLED_NUMBER, text, numeral.start):
        return True
    before = doc[first.i - 1]
    is_name_before = before.text[:1].isupper() and (before.tag_ in ("NNP", "NNPS") or before.i > 0)
    return is_name_before and not counts


def _is_pronoun(tokens: "list[Token]", noun: str | None) -> bool:
    """Whether "one" stands for a person or a thing: "one can see", "one of the largest"."""
    if len(tokens) != 1 or tokens[0].lower_ != "one":
        return False
    following = tokens[0].nbor().lower_ if tokens[0].i + 1 < len(tokens[0].doc) else ""
    return noun is None or following == "of"


_LABEL = re.compile(
    r"(?:\b(?:numbers?|no|nr|season|chapter|part|volume|vol|issue|episode|route|article|grade|type|level|step|phase|stage"
    r"|version|page|room|flight|interstate|highway|group|class|category|tier)\.?|#)\s*$",
    re.IGNORECASE,
)


_MEASURE_CALLED_NUMBER = re.compile(r"\b(?:atomic|proton|neutron|mass|nucleon)\s+number\s+(?:of\s+)?$", re.IGNORECASE)
_MODIFIERS = {"amod", "compound", "nmod"}


def _counted_noun(token: "Token", end: int) -> tuple[str | None, int]:
    """What a numeral counts ("official language"), and where that ends."""
    head = token
    for _ in range(3):
        if head.dep_ not in ("nummod", "quantmod", "compound", "amod", "nmod") or head.head.i <= token.i:
            break
        head = head.head
        if head.pos_ in ("NOUN", "PROPN") and head.dep_ not in ("quantmod", "compound", "nmod"):
            break
    if any(between.like_num for between in token.doc[token.i + 1 : head.i]):  # "9 to 20 years"
        return None, end
    if token.i + 2 < len(token.doc) and token.nbor().lower_ == "of":
        counted = [word for word in token.nbor().children if word.dep_ == "pobj" and word.pos_ == "NOUN"]
        return (_noun_phrase(counted[0], token), end) if counted else (None, end)
    if head is token or head.pos_ not in ("NOUN", "PROPN") or head.i - token.i > 5:
        following = token.nbor() if token.i + 1 < len(token.doc) else None
        if following is None or following.pos_ != "NOUN" or following.idx > end + 1:
            return None, end
        head = following
        while head.dep_ == "compound" and head.head.i == head.i + 1:
            head = head.head
    return _noun_phrase(head, token), head.idx + len(head)


def _noun_phrase(head: "Token", token: "Token") -> str:
    """A noun in the singular with the modifiers that stand between it and its number."""
    words = [
        word.lower_
        for word in head.lefts
        if word.dep_ in _MODIFIERS and word.i > token.i and word.pos_ in ("ADJ", "NOUN", "PROPN")
    ]
    singular = head.lower_[:-1] if head.tag_ == "NNPS" and head.lower_.endswith("s") else head.lemma_.lower()
    return " ".join([*words, singular])


def _join_ranges(text: str, found: list[QuantityMention]) -> Iterator[QuantityMention]:
    number = 0
    while number < len(found):
        first = found[number]
        second = found[number + 1] if number + 1 < len(found) else None
        joined = _joined(text, first, second) if second is not None else None
        yield joined or first
        number += 2 if joined else 1


def _joined(text: str, first: QuantityMention, second: QuantityMention) -> QuantityMention | None:
    """ "between 5 and 10 people", "18–45 years"."""
    if first.is_ordinal or second.is_ordinal or first.amount >= second.amount or second.bound not in ("at", "exactly"):
        return None
    gap = text[first.end : second.start]
    opener = just_before(_BETWEEN, text, first.start) or just_before(_FROM, text, first.start)
    if not (_RANGE.fullmatch(gap) or (opener and _AND.fullmatch(gap))):
        return None
    if gap.strip() == "or" and second.amount - first.amount > 1:
        return None
    start = opener.start() if opener else first.start
    return replace(
        second, start=start, text=text[start : second.end], amount=first.amount, upper=second.amount, bound="between"
    )


ABOUT = Decimal("0.10")  # how far "about" reaches; up to two and a half times that it is neither borne out nor wrong
ROUNDING = Decimal("0.10")  # how far a rounding to one figure may lie from the truth and still count as borne out
MEASURED = Decimal("0.01")  # how far careful sources differ on a measured value


def compare_quantity(claimed: QuantityMention, stated: Quantity, *, spread: Decimal | None = None) -> Agreement:
    """Whether a claimed quantity is the one that a source states.

    Units are converted. Rounding is support: a value counts as the claimed one within half the step to which the claim
    is written. ``spread`` is the relative difference that careful sources show for such a value (a population changes
    by some per cent between censuses, a count of children does not): within it the value is borne out, within three
    times that it is neither. By default 1 % for measured values and large numbers, 0 for counts.
    """
    said = f"the source says {quantity_in_words(stated)}"
    name = claimed.text.strip()
    value = _in_unit(stated, claimed)
    if value is None:
        return silent(f"{said}, which is no measure of the claim's “{name}”")
    if claimed.is_ordinal or (claimed.bound == "exactly" and claimed.is_count):
        same = value == claimed.amount
        return agrees(f"{said}, as the claim does") if same else disagrees(f"{said}, not “{name}”")
    if spread is None:
        is_measured = is_physical(claimed.unit) or claimed.amount >= 1000
        spread = MEASURED if is_measured else Decimal(0)
    scale = max(abs(value), abs(claimed.amount))
    sure, unsure = scale * spread, scale * spread * 3
    if claimed.unit == "ton":  # short, long and metric tons differ by up to an eighth
        sure, unsure = max(sure, scale / 8), max(unsure, scale / 6)
    if _is_rounder(stated.amount, claimed):
        step = written_resolution(f"{abs(stated.amount):f}") / 2
        if abs(value - claimed.amount) <= step and value != claimed.amount:
            return silent(f"{said}, which is rounder than the claim's “{name}”")
    low, high, loose_low, loose_high = _borders(claimed, value, sure, unsure)
    if low <= value <= high:
        return agrees(f"{said}, which fits the claim's “{name}”")
    if loose_low <= value <= loose_high:
        return silent(f"{said}, which is near the claim's “{name}”")
    return disagrees(f"{said}, not “{name}”")


def _in_unit(stated: Quantity, claimed: QuantityMention) -> Decimal | None:
    unit = unit_of_label(stated.unit.label) if stated.unit is not None else None
    if claimed.unit == PERCENT and unit is None:
        return None
    if claimed.unit is None and unit is not None:
        # "an age of 42", "a length of 300": a figure without its unit is taken in the source's
        return stated.amount if claimed.noun is None else None
    if claimed.unit == unit:
        return stated.amount
    return convert(stated.amount, unit, claimed.unit)


def _is_rounder(stated: Decimal, claimed: QuantityMention) -> bool:
    digits = f"{abs(stated):f}"
    return "." not in digits and written_resolution(digits) >= 1000 and claimed.resolution < written_resolution(digits)


_ENDLESS = Decimal("Infinity")


def _borders(
    claimed: QuantityMention, value: Decimal, sure: Decimal, unsure: Decimal
) -> tuple[Decimal, Decimal, Decimal, Decimal]:
    """Between which values the claim is borne out, and between which it is not contradicted."""
    amount, half = claimed.amount, claimed.resolution / 2
    match claimed.bound:
        case "between":
            upper = claimed.upper or amount
            return amount - sure, upper + sure, amount - unsure, upper + unsure
        case "more":
            strict = amount + Decimal("1e-9") if sure == 0 else amount
            return strict, _ENDLESS, (amount - unsure if unsure else strict), _ENDLESS
        case "at_least":
            return amount - sure, _ENDLESS, amount - unsure, _ENDLESS
        case "less":
            strict = amount - Decimal("1e-9") if sure == 0 else amount
            return -_ENDLESS, strict, -_ENDLESS, (amount + unsure if unsure else strict)
        case "at_most":
            return -_ENDLESS, amount + sure, -_ENDLESS, amount + unsure
        case "about":
            reach = abs(amount) * ABOUT
            reach = max(reach, Decimal(1)) if claimed.unit is None and amount >= 5 else reach
            loose = abs(amount) * ABOUT * Decimal("2.5")
            return amount - reach, amount + reach, amount - loose, amount + loose
        case "nearly":
            reach = max(abs(amount) * ABOUT, half, sure)
            return amount - reach, amount, amount - 2 * reach, amount + max(sure, abs(amount) * Decimal("0.02"))
        case _:
            if claimed.resolution <= 1 and claimed.unit is None and sure == 0:
                return amount, amount, amount, amount
            near = max(min(half, abs(value) * ROUNDING), sure)
            far = max(half, unsure)
            return amount - near, amount + near, amount - far, amount + far


def quantity_in_words(quantity: Quantity) -> str:
    """A quantity as English writes it: "68,042,591", "330 metres"."""
    amount = quantity.amount.normalize()
    figures = f"{amount:,f}"
    if quantity.unit is None:
        return figures
    label = quantity.unit.label
    if label[1:] == label[1:].lower():  # a label that is the title of an article begins with a capital
        label = label.lower()
    if label in ("percent", "per cent", "percentage"):
        return f"{figures} %"
    return f"{figures} {label if amount == 1 else _plural(label)}"


def _plural(label: str) -> str:
    """ "square kilometres", "kilometres per hour", "feet"; symbols and odd forms stay as they are."""
    head, per, rest = label.partition(" per ")
    irregular = {"foot": "feet", "inch": "inches", "century": "centuries", "human": "humans", "country": "countries"}
    if head in irregular:
        head = irregular[head]
    elif head.startswith("degree "):
        head = head.replace("degree ", "degrees ", 1)
    elif head.isascii() and len(head) > 2 and head.replace(" ", "").isalpha():
        head += "" if head[-1] in "sz" or head.endswith(("ry", "ty", "ny")) else "s"
    return head + per + rest
