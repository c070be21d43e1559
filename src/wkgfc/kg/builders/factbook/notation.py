"""How the World Factbook writes: markup, lists, numbers, shares, dates and names of people.

Every function takes any text at all and answers ``None`` (or nothing) where it is not sure: "less than 3 sq km" is
no 3, "2019-20 est." is no year, "14-15 May 1811" is no day.
"""

import datetime as dt
import html
import re
import unicodedata
from collections.abc import Sequence
from decimal import Decimal

from wkgfc.evidence import Time
from wkgfc.months import MONTHS

MAX_DIGITS = 15  # more than any amount here has, with its decimals; longer runs of digits are damage
_GREGORIAN_FROM = 1583  # years before are Julian, as Wikidata has them

_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_BREAK = re.compile(r"<\s*(?:br|/p|/li|/div)\b[^<>]*>", re.IGNORECASE)
_SPACES = re.compile(r"[^\S\n]+")
_LINES = re.compile(r" ?\n[ \n]*")
_INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Cn"}

_OPEN, _CLOSE = "([", ")]"

_MULTIPLIERS = {"thousand": 3, "million": 6, "billion": 9, "trillion": 12}
_NUMBER = re.compile(
    r"(?P<sign>[-−])?\$?(?P<digits>\d{1,3}(?:,\d{3})+|\d+)?(?P<fraction>\.\d+)?"
    r"(?:\s+(?P<multiplier>thousand|million|billion|trillion)\b)?"
)
_RANGE = re.compile(r"\s*[-–—/]\s*\$?\d|\d|,\d")  # what must not follow a number
_VAGUE = re.compile(
    r"[<>~]|\b(?:less|more|fewer|greater|over|under|about|around|nearly|almost|approximately|approx|up to|ca|circa)\b",
    re.IGNORECASE,
)

_MONTHS = {
    name: number
    for number, month in enumerate(MONTHS, start=1)
    for name in (month, month[:3], month[:3] + ".", month[:4], month[:4] + ".")
}
_MONTH = "|".join(sorted((re.escape(name) for name in _MONTHS), key=len, reverse=True))
_DAY = re.compile(rf"(?P<day>\d{{1,2}}) (?P<month>{_MONTH}) (?P<year>\d{{3,4}})(?![\d-])")
_MONTH_OF_YEAR = re.compile(rf"(?P<month>{_MONTH}) (?P<year>\d{{3,4}})(?![\d-])")
_YEAR = re.compile(r"(?:(?P<ad>A\.?D\.?) )?(?P<year>\d{1,4})(?P<bc> B\.?C\.?)?(?![\d,.-])")
_ESTIMATE = re.compile(rf"\((?:(?P<month>{_MONTH}) )?(?P<year>(?:19|20)\d\d)(?: ?ests?\.?)?\)")

_ROMAN = re.compile(r"(?:X{0,2})(?:IX|IV|V?I{0,3})")
_WORD_PART = re.compile(r"(?P<head>[^\W\d_]+)(?P<tail>['’ʻ`][^\W\d_]+)?")


def plain(markup: str) -> str:
    """The text that a reader sees: no tags, no entities, no invisible signs; line breaks kept as ``\\n``.

    >>> plain("<p>C&ocirc;te d'Ivoire &lt;1%<br><strong>note:</strong>&nbsp;x</p>")
    "Côte d'Ivoire <1%\\nnote: x"
    """
    text = html.unescape(_TAG.sub("", _BREAK.sub("\n", markup)))
    text = unicodedata.normalize("NFC", text)
    if not text.isascii() or not text.isprintable():
        text = "".join(
            character if character == "\n" else " " if character.isspace() else character
            for character in text
            if character.isspace() or unicodedata.category(character) not in _INVISIBLE
        )
    return _LINES.sub("\n", _SPACES.sub(" ", text)).strip()


def split_list(text: str, separators: str = ",;") -> list[str]:
    """The members of a list, never cut inside brackets or numbers.

    >>> split_list("English (official, main) 1,234, French; Thai")
    ['English (official, main) 1,234', 'French', 'Thai']
    """
    members, depth, start = [], 0, 0
    for position, character in enumerate(text):
        if character in _OPEN:
            depth += 1
        elif character in _CLOSE:
            depth = max(0, depth - 1)
        elif character in separators and depth == 0:
            if character == "," and re.match(r"\d{3}(?!\d)", text[position + 1 : position + 5]):
                before = text[position - 1 : position]
                if before.isdigit():
                    continue
            members.append(text[start:position].strip())
            start = position + 1
    members.append(text[start:].strip())
    return [member for member in members if member]


def take_brackets(text: str) -> tuple[str, list[str]]:
    """What stands outside all brackets, and what stands in the outermost ones, in order.

    >>> take_brackets("Persian (official (main)) 77% (est.)")
    ('Persian 77%', ['official (main)', 'est.'])
    """
    outside: list[str] = []
    inside: list[str] = []
    depth, start = 0, 0
    for position, character in enumerate(text):
        if character in _OPEN:
            if depth == 0:
                outside.append(text[start:position])
                start = position + 1
            depth += 1
        elif character in _CLOSE and depth:
            depth -= 1
            if depth == 0:
                inside.append(text[start:position].strip())
                start = position + 1
    if depth:
        inside.append(text[start:].strip())
    else:
        outside.append(text[start:])
    return re.sub(r"\s+([,;%])", r"\1", " ".join(" ".join(outside).split())), inside


def first_clause(text: str) -> str:
    """The text before its first line break or semicolon."""
    return re.split(r"[;\n]", text, maxsplit=1)[0].strip()


def read_number(text: str) -> Decimal | None:
    """The number that ``text`` begins with, in full: "$1.4 million" is 1,400,000.

    ``None`` where it begins with none, with a range, or where the clause calls it vague ("less than", "ca.", "<").

    >>> read_number("1.4 million (2024 est.)"), read_number("-28 m"), read_number("less than 3"), read_number("4-15%")
    (Decimal('1400000'), Decimal('-28'), None, None)
    """
    text = text.strip()
    found = _NUMBER.match(text)
    if found is None or not (found["digits"] or found["fraction"]):
        return None
    if _RANGE.match(text, found.end()) or _VAGUE.search(take_brackets(first_clause(text))[0]):
        return None
    digits = (found["digits"] or "0").replace(",", "") + (found["fraction"] or "")
    if len(digits) > MAX_DIGITS or not digits.isascii():
        return None
    number = Decimal(digits).scaleb(_MULTIPLIERS.get(found["multiplier"] or "", 0))
    if number == number.to_integral_value():
        number = number.quantize(Decimal(1))
    return -number if found["sign"] else number


def read_share(text: str) -> Decimal | None:
    """The percentage that ``text`` states for what it names, outside brackets, if it is one exact number.

    >>> read_share("German (official) 62.1%"), read_share("other <1%"), read_share("Sunni 84.7 - 89.7%")
    (Decimal('62.1'), None, None)
    """
    outside, _ = take_brackets(text)
    if _VAGUE.search(outside):
        return None
    shares = re.findall(r"(?<![\d.,/])(\d{1,3}(?:\.\d+)?|\.\d+)\s*%", outside)
    if len(shares) != 1 or re.search(r"\d\s*[-–—]\s*\.?\d", outside):
        return None
    share = Decimal(shares[0])
    return share if share <= 100 else None


def read_time(text: str) -> Time | None:
    """The date that ``text`` begins with, with the precision that it has.

    >>> read_time("14 May 2017"), read_time("221 B.C. (unification)"), read_time("ca. 965"), read_time("14-15 May 1811")
    (Time(kind='time', value='2017-05-14', precision=11, calendar='gregorian'), \
Time(kind='time', value='-0221-01-01', precision=9, calendar='julian'), None, None)
    """
    text = text.strip()
    if found := _DAY.match(text):
        return _time(int(found["year"]), _MONTHS[found["month"]], int(found["day"]), 11)
    if found := _MONTH_OF_YEAR.match(text):
        return _time(int(found["year"]), _MONTHS[found["month"]], 1, 10)
    found = _YEAR.match(text)
    if found is None or re.match(rf"(?: ?[-–—] ?\d| (?:{_MONTH})\b)", text[found.end() :]):
        return None
    if len(found["year"]) < 3 and not (found["ad"] or found["bc"]):
        return None
    return _time(-int(found["year"]) if found["bc"] else int(found["year"]), 1, 1, 9)


def read_estimate(text: str) -> Time | None:
    """The year (or month) that a figure stands for: what its last bracket says, "(2025 est.)".

    >>> read_estimate("338,016,259 (2025 est.)").value, read_estimate("99% (2016-17 est.)")
    ('2025-01-01', None)
    """
    found = None
    for match in _ESTIMATE.finditer(text):
        found = match
    if found is None:
        return None
    if found["month"]:
        return _time(int(found["year"]), _MONTHS[found["month"]], 1, 10)
    return _time(int(found["year"]), 1, 1, 9)


def normal_case(name: str) -> str:
    """A name of a person or a city without the capitals that mark its main part; Roman numerals stay.

    >>> normal_case("Emmanuel MACRON"), normal_case("XI Jinping"), normal_case("CHARLES III"), normal_case("D'OLIVEIRA")
    ('Emmanuel Macron', 'Xi Jinping', 'Charles III', "D'Oliveira")
    """
    words = name.split()
    return " ".join(
        word if position and _ROMAN.fullmatch(word.rstrip(",")) else _WORD_PART.sub(_lower_tail, word)
        for position, word in enumerate(words)
    )


def main_part(name: str) -> Sequence[str]:
    """The words of a person's name that the Factbook prints in capitals: "SHEINBAUM" of "Claudia SHEINBAUM Pardo"."""
    return [word for word in name.split() if any(_is_shouted(part) for part in re.split(r"[-–]", word))]


def _is_shouted(word: str) -> bool:
    letters = [character for character in word if character.isalpha()]
    return len(letters) > 1 and all(character.isupper() for character in letters)


def _lower_tail(match: re.Match[str]) -> str:
    head, tail = match["head"], match["tail"] or ""
    if len(match[0]) == 1 or not match[0].isupper():
        return match[0]
    if len(head) == 1:  # d'Oliveira, O'Neill
        return head + tail[:1] + tail[1:].capitalize()
    return head[0] + head[1:].lower() + tail.lower()


def _time(year: int, month: int, day: int, precision: int) -> Time | None:
    if year == 0 or not -9999 <= year <= 9999:
        return None
    if precision == 11:
        try:
            dt.date(abs(year), month, day)
        except ValueError:
            return None
    sign = "-" if year < 0 else ""
    return Time(
        value=f"{sign}{abs(year):04d}-{month:02d}-{day:02d}",
        precision=precision,
        calendar="gregorian" if year >= _GREGORIAN_FROM else "julian",
    )
