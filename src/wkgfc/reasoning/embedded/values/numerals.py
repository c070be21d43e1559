"""Numbers in English text, in figures and in words, with how exactly they are written."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

MAX_DIGITS = 28  # as many as decimal arithmetic keeps; longer ones are keys, not amounts


@dataclass(frozen=True)
class Numeral:
    """A number of a text. ``start`` and ``end`` are its character offsets.

    ``resolution`` is the step to which it is written: 1,000,000 for "68 million", 0.1 for "1.4", 1 for "twelve".
    ``is_share`` marks a fraction of something ("a third of", "half of the"), ``is_floor`` a plural that only gives a
    lower bound ("dozens of", "millions of").
    """

    start: int
    end: int
    amount: Decimal
    resolution: Decimal
    is_ordinal: bool = False
    is_share: bool = False
    is_floor: bool = False


_UNITS = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
    "seventeen": 17, "eighteen": 18, "nineteen": 19,
}  # fmt: skip
_TENS = {
    "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}  # fmt: skip
_MAGNITUDES = {
    "dozen": 12,
    "hundred": 100,
    "thousand": 1_000,
    "million": 1_000_000,
    "billion": 1_000_000_000,
    "trillion": 1_000_000_000_000,
}
_ORDINAL_UNITS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9,
    "tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14, "fifteenth": 15, "sixteenth": 16,
    "seventeenth": 17, "eighteenth": 18, "nineteenth": 19,
}  # fmt: skip
_ORDINAL_TENS = {f"{word[:-1]}ieth": number for word, number in _TENS.items()} | {"hundredth": 100}
_SHARES = {"half": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "eighth": 8, "tenth": 10}
_SIGN_SHARES = {"½": "0.5", "¼": "0.25", "¾": "0.75", "⅓": "0.3333", "⅔": "0.6667"}
_SHORT = {"k": 1_000, "m": 1_000_000, "mn": 1_000_000, "bn": 1_000_000_000, "b": 1_000_000_000, "tn": 10**12}

_FIGURES = re.compile(
    r"(?<![\w.,])(?<![A-Za-z]-)(?<!\d[:/])(?P<whole>\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?P<decimals>\.\d+)?(?P<sign>[½¼¾⅓⅔])?"
    r"(?:\s(?P<part>\d)/(?P<of>[2-9]\d?)\b|/(?P<divisor>[2-9]\d?)(?![\d/]))?"
    r"(?:(?P<ordinal>st|nd|rd|th)\b|\s?(?P<magnitude>dozen|hundred|thousand|million|billion|trillion)\b"
    r"|(?P<short>k|bn|mn|tn|(?<=\d)m(?=\s*(?:people|dollars|euros|pounds)))\b|(?P<money>[mbBMK])(?![\w²³/]))?",
    re.IGNORECASE,
)
_WORD = re.compile(r"[A-Za-z]+")
_PLURAL = re.compile(r"\b(dozens|hundreds|thousands|millions|billions|trillions)(?=\s+of\b)", re.IGNORECASE)
_SHARE = re.compile(
    r"\b(?:(?P<count>an?|one|two|three|four)[ -])?(?P<of>half|thirds?|quarters?|fourths?|fifths?|sixths?|eighths?"
    r"|tenths?)"
    r"(?=\s+(?:of|the|its|all)\b)(?!\s+of\s+(?:January|February|March|April|May|June|July|August|September|October"
    r"|November|December))",
    re.IGNORECASE,
)
_ONE_IN = re.compile(
    r"\b(?P<some>one|two|three|[1-9])\s+(?:in|out\s+of)\s+(?:every\s+)?(?P<all>three|four|five|six|seven|eight|nine|ten"
    r"|[1-9]\d?)\b",
    re.IGNORECASE,
)
_SINGLE = re.compile(r"\b(?:a|one)\s+single\b", re.IGNORECASE)
_ADVERB = re.compile(r"\btwice\b", re.IGNORECASE)


def read_numerals(text: str) -> list[Numeral]:
    """The numbers of ``text`` in order, those of names and the pronoun "one" among them: a parse tells them apart."""
    found: dict[int, Numeral] = {}
    taken: set[int] = set()
    for numeral in (*_shares(text), *_figures(text), *_others(text), *_words(text)):
        places = range(numeral.start, numeral.end)
        if taken.isdisjoint(places):
            taken.update(places)
            found[numeral.start] = numeral
    return [found[start] for start in sorted(found)]


def _figures(text: str) -> Iterator[Numeral]:
    for match in _FIGURES.finditer(text):
        after = text[match.end() : match.end() + 2]
        if re.match(r"[-–][A-Z]|[:/]\d|\.\d|,\d", after) or (match["short"] is None and re.match(r"[A-Z]", after)):
            continue  # "7-Eleven", "10:30", "1.2.3", "2D"
        digits = match["whole"].replace(",", "") + (match["decimals"] or "")
        if len(digits) > MAX_DIGITS:
            continue
        amount = Decimal(digits)
        if match["ordinal"]:
            yield Numeral(match.start(), match.end(), amount, Decimal(1), is_ordinal=True)
            continue
        if match["sign"]:
            amount += Decimal(_SIGN_SHARES[match["sign"]])
        elif match["of"]:
            amount += Decimal(match["part"]) / Decimal(match["of"])
        elif match["divisor"]:
            yield Numeral(match.start(), match.end(), amount / Decimal(match["divisor"]), Decimal("0.01"))
            continue
        factor = 1
        end = match.end()
        if match["magnitude"]:
            factor = _MAGNITUDES[match["magnitude"].lower()]
        elif match["short"]:
            if match["short"] in "kK" and not _follows_sign(text, match.start()):
                continue  # "401k"
            factor = _SHORT[match["short"].lower()]
        elif match["money"]:
            if _follows_sign(text, match.start()) and match["money"].lower() in _SHORT:
                factor = _SHORT[match["money"].lower()]
            else:
                end -= 1  # "100m" is metres: the unit reads the letter
        yield Numeral(match.start(), end, amount * factor, written_resolution(digits, factor))


def _follows_sign(text: str, start: int) -> bool:
    return start > 0 and text[start - 1] in "$€£¥"


def written_resolution(digits: str, factor: int = 1) -> Decimal:
    """The step to which ``digits`` times ``factor`` is written.

    Zeros at the end of a figure may be exact or not: they count as rounded down to two figures that do ("68,000": a
    thousand, "100": ten), and below a hundred not at all.
    """
    if "." in digits:
        return Decimal(1).scaleb(-len(digits.split(".")[1])) * factor
    if factor > 1:
        return Decimal(factor)
    zeros = len(digits) - len(digits.rstrip("0"))
    return Decimal(10) ** max(min(zeros, len(digits.lstrip("0")) - 2), 0)


def _words(text: str) -> Iterator[Numeral]:
    """Runs of number words: "twenty-five", "three hundred and fifty thousand", "a dozen", "half a million"."""
    tokens = [(match[0].lower(), match.start(), match.end()) for match in _WORD.finditer(text)]
    number = 0
    while number < len(tokens):
        run = _run(text, tokens, number)
        if run is None:
            number += 1
        else:
            numeral, number = run
            yield numeral


def _run(text: str, tokens: list[tuple[str, int, int]], first: int) -> tuple[Numeral, int] | None:
    total, current, position = Decimal(0), Decimal(0), first
    last_factor, smallest, is_ordinal, words = 1, 0, False, 0
    start = tokens[first][1]
    while position < len(tokens):
        word = tokens[position][0]
        following = tokens[position + 1][0] if position + 1 < len(tokens) else ""
        if words and not _joined(text, tokens[position - 1][2], tokens[position][1]):
            break
        if word in _UNITS and (current % 100 == 0 or (current % 10 == 0 and current % 100 >= 20 and _UNITS[word] < 10)):
            current += _UNITS[word]
        elif word in _TENS and current % 100 == 0:
            current += _TENS[word]
        elif word in _MAGNITUDES and (words or first == position):
            if not words:
                break
            factor = _MAGNITUDES[word]
            if factor in (12, 100):
                if current >= 100:
                    break  # "two hundred hundred"
                current = (current or Decimal(1)) * factor
            else:
                if total and factor >= smallest:
                    break  # "two thousand five million"
                total, current, smallest = total + (current or Decimal(1)) * factor, Decimal(0), factor
            last_factor = factor
        elif (
            word in ("a", "half") and not words and (following in _MAGNITUDES or (word == "half" and following == "a"))
        ):
            current = Decimal("0.5") if word == "half" else Decimal(1)
            if word == "half" and following == "a":
                if position + 2 >= len(tokens) or tokens[position + 2][0] not in _MAGNITUDES:
                    return None
                position += 1
        elif word == "and" and words and [token[0] for token in tokens[position + 1 : position + 3]] == ["a", "half"]:
            current += Decimal("0.5")
            position += 2
        elif word == "and" and words and last_factor > 1 and (following in _UNITS or following in _TENS):
            pass
        elif (word in _ORDINAL_UNITS or word in _ORDINAL_TENS) and current % 10 == 0:
            current += _ORDINAL_UNITS.get(word) or _ORDINAL_TENS.get(word) or 0
            is_ordinal, words, position = True, words + 1, position + 1
            break
        else:
            break
        words += 1
        position += 1
        if last_factor > 1 and word in _UNITS | _TENS:
            last_factor = 1
    if not words or (words == 1 and tokens[first][0] in ("a", "half")):
        return None
    if tokens[position - 1][0] == "and":
        position -= 1
    amount = total + current
    resolution = Decimal(last_factor) if last_factor > 12 and not is_ordinal else Decimal(1)
    return Numeral(start, tokens[position - 1][2], amount, min(resolution, amount or resolution), is_ordinal), position


def _joined(text: str, end: int, start: int) -> bool:
    return text[end:start] in (" ", "-", "‑") and end != start


def _shares(text: str) -> Iterator[Numeral]:
    for match in _ONE_IN.finditer(text):
        some, every = (_UNITS.get(word.lower()) or int(word) for word in (match["some"], match["all"]))
        if some < every:
            share = Decimal(some) / Decimal(every)
            yield Numeral(match.start(), match.end(), share, Decimal("0.05"), is_share=True)
    for match in _SHARE.finditer(text):
        of = match["of"].lower()
        if of != "half" and not match["count"]:
            continue  # "the third of the series"
        count = {"two": 2, "three": 3, "four": 4}.get((match["count"] or "").lower(), 1)
        divisor = _SHARES[of.removesuffix("s") if of not in _SHARES else of]
        share = Decimal(count) / Decimal(divisor)
        if share <= 1:
            yield Numeral(match.start(), match.end(), share, Decimal("0.05"), is_share=True)


def _others(text: str) -> Iterator[Numeral]:
    for match in _PLURAL.finditer(text):
        factor = _MAGNITUDES[match[1].lower().removesuffix("s")]
        yield Numeral(match.start(), match.end(), Decimal(2 * factor), Decimal(factor), is_floor=True)
    for match in _ADVERB.finditer(text):
        yield Numeral(match.start(), match.end(), Decimal(2), Decimal(1))
    for match in _SINGLE.finditer(text):
        yield Numeral(match.start(), match.end(), Decimal(1), Decimal(1))
