"""How English compares two things: "X is larger than Y", "X was born before Y", "X is twice as long as Y"."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Literal

from wkgfc.reasoning.embedded.measured.measures import (
    Measure,
    Order,
    kinds,
    measure,
    measure_of_adjective,
    measure_of_event,
    measure_of_noun,
    measure_of_phrase,
    measure_phrases,
    words,
)
from wkgfc.reasoning.embedded.values.numerals import read_numerals
from wkgfc.reasoning.embedded.values.quantities import QuantityBound, QuantityMention, read_quantities
from wkgfc.reasoning.embedded.values.times import read_times


@dataclass(frozen=True)
class Comparison:
    """What a claim compares: the value of ``measure`` of ``left`` with that of ``right_measure`` of ``right``.

    ``left`` and ``right`` are phrases of the claim. ``order`` says how the left value stands to the right one;
    ``equal`` is "as … as", and ``end`` then tells "as large as" from "as small as". ``ratio`` is the factor of "twice
    as large as"; ``difference`` the quantity of "10 metres taller than". ``word`` is the comparing word of the claim.
    ``is_negated``: the claim denies it.
    """

    left: str
    right: str
    measure: Measure
    right_measure: Measure
    order: Literal["greater", "less", "equal"]
    word: str
    ratio: QuantityMention | None = None
    difference: QuantityMention | None = None
    is_negated: bool = False
    end: Order = "greater"

    @property
    def relations(self) -> tuple[str, ...]:
        """All property ids that are needed, without repetition."""
        return tuple(dict.fromkeys((*self.measure.relations, *self.right_measure.relations)))


_COPULA = r"(?:is|are|was|were|became|remains?|grew|stands?|has\s+been|have\s+been|had\s+been|lived|seems?\s+to\s+be)"
_NEGATION = r"(?P<negation>\s+not|n['’]t|\s+never)?"
_DEGREE = r"(?:(?:much|far|slightly|a\s+(?:bit|little)|considerably|significantly|somewhat|even|a\s+lot|still|way)\s+)?"
_HOW_MUCH = r"(?P<how_much>[^,;]{0,40}?)"
# How an amount begins: "more than ten years", "three centuries".
_AMOUNT = (
    r"(?:more|less|fewer|over|under|about|around|nearly|almost|exactly|roughly|approximately|at|up|an?|half|one|two|three"
    r"|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen"
    r"|(?:twen|thir|for|fif|six|seven|eigh|nine)ty)"
)
_RIGHT = r"(?P<right>[^;]{1,100})"
_LEFT = r"(?P<left>.+?)"


def _any(options: Sequence[str]) -> str:
    return "|".join(re.escape(option).replace(r"\ ", r"\s+") for option in options)


@lru_cache(maxsize=1)
def _forms() -> tuple[tuple[str, re.Pattern[str]], ...]:
    comparatives = [word for word in words("irregular") if word.endswith(("er", "der"))]
    adjectives, nouns, events = _any(words("adjectives")), _any(words("nouns")), _any(words("events"))
    comparative = rf"(?:(?P<more>more|less)\s+(?P<long>{adjectives})|(?P<short>{_any(comparatives)}))"
    noun = rf"(?P<noun>{nouns})(?:e?s|ren)?"
    kind = rf"(?:{_any(kinds())})s?"
    in_measure = rf"(?:\s+(?P<phrase>{_any(measure_phrases())}))?"
    sizes = r"(?P<size>larger|bigger|higher|greater|longer|more|smaller|lower|shorter|less|lesser|fewer)"
    forms = {
        "possessive": rf"{_LEFT}['’]s?\s+{noun}\s+{_COPULA}{_NEGATION}\s+{_HOW_MUCH}\s*{_DEGREE}{sizes}"
        rf"\s+than\s+{_RIGHT}",
        "of": rf"(?:the\s+)?{noun}\s+(?:of|in)\s+{_LEFT}\s+{_COPULA}{_NEGATION}\s+{_DEGREE}{sizes}\s+than\s+"
        rf"(?:(?:that|the\s+(?:{nouns}))\s+(?:of|in)\s+|in\s+)?{_RIGHT}",
        "adjective": rf"{_LEFT}\s*\b{_COPULA}{_NEGATION}\s+{_HOW_MUCH}\s*{_DEGREE}{comparative}"
        rf"(?:\s+(?P<kind>{kind}))?{in_measure}\s+than\s+{_RIGHT}",
        "has": rf"{_LEFT}\s+(?:has|have|had|with|(?:does|do|did){_NEGATION}\s+have)\s+(?:an?\s+)?{_HOW_MUCH}\s*"
        rf"{_DEGREE}{sizes}\s+{noun}(?:\s+overall)?\s+than\s+{_RIGHT}",
        "event": rf"{_LEFT}\s+(?:(?:was|were|is|are|had\s+been|became|did){_NEGATION}\s+)?(?:first\s+)?"
        rf"(?P<event>{events})(?:\s+(?!{_AMOUNT}\b)[a-z]+)?\s+{_HOW_MUCH}\s*"
        rf"(?P<when>before|after|earlier\s+than|later\s+than|prior\s+to)\s+{_RIGHT}",
        "equal": rf"{_LEFT}\s*\b{_COPULA}{_NEGATION}\s+{_HOW_MUCH}\s*\bas\s+(?P<long>{adjectives}){in_measure}"
        rf"\s+as\s+{_RIGHT}",
        "outlived": rf"{_LEFT}\s+(?P<verb>outlived|predates|predated|antedates|outweighs)\s+{_RIGHT}",
        "weighs": rf"{_LEFT}\s+(?P<verb>weighs|weighed|costs?|lasted|grossed|earned)\s+"
        rf"(?P<size>more|less|longer|shorter)\s+than\s+{_RIGHT}",
    }
    return tuple((name, re.compile(pattern, re.IGNORECASE)) for name, pattern in forms.items())


def comparison_of(text: str) -> Comparison | None:
    """What ``text`` compares, or ``None``: no comparison, one with a number ("taller than 300 metres"), or with all
    others ("larger than any other"), which is a superlative."""
    sentence = re.sub(r"(?<!\b[A-Z])[.!]+$", "", text.strip())
    if "than" not in sentence and not re.search(
        r"\bas\b.*\bas\b|\bbefore\b|\bafter\b|\bprior\b|out(?:lived|weighs)|dates?\b|dated\b", sentence, re.IGNORECASE
    ):
        return None
    for name, pattern in _forms():
        match = pattern.fullmatch(sentence)
        found = _build(name, match) if match else None
        if found is not None:
            return found
    return None


_SIZES: dict[str, Order] = dict.fromkeys(("larger", "bigger", "higher", "greater", "longer", "more"), "greater")
_SIZES |= dict.fromkeys(("smaller", "lower", "shorter", "lesser", "fewer", "less"), "less")
_NOT_ONE = re.compile(
    r"^(?:any|all|every|most|other|another|both|normal|average|usual|expected|ever|previously|he|she|they|it|that|those"
    r"|this|these|before|what|most|anyone|anything|everyone)\b|^[\d$€£]|^(?:one|two|three|four|five|six|seven|eight|nine"
    r"|ten|a|an|half|twice)\s+(?:hundred|thousand|million|billion|dozen|\w+s\b)|\band\b|\bor\b|\baverage\b",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"\s+(?:is|are|was|were|does|do|did|has|had|in\s+(?:size|general|total)|overall|by\s+far|respectively)$",
    re.IGNORECASE,
)


def _build(name: str, match: re.Match[str]) -> Comparison | None:
    groups = match.groupdict()
    left, right, phrase = _subject(groups["left"]), groups["right"].strip(), groups.get("phrase")
    right_event, difference = None, None
    if name == "event":
        right, right_event = _right_event(right)
    right, by_how_much = _without_difference(right)
    right, right_phrase = _without_measure(right)
    right = _object(right)
    found = _measured(name, groups)
    amounts = _how_much(groups.get("how_much") or "", name)
    if found is None or amounts is None or not left or not right:
        return None
    measured, order, word = found
    measured = measure_of_phrase(phrase or right_phrase or "") or measured
    ratio, difference = amounts
    adjective = measure_of_adjective(groups["long"] or "") if name == "equal" else None
    return Comparison(
        left,
        right,
        measured,
        right_event or measured,
        order,
        word,
        ratio,
        difference or by_how_much,
        groups.get("negation") is not None,
        adjective[1] if adjective else "greater",
    )


_PRONOUN = re.compile(r"(?:there|it|he|she|they|we|you|i|this|that|one|these|those|who|which)", re.IGNORECASE)


def _subject(left: str) -> str:
    """The left side without a relative clause or an apposition; empty where it is a pronoun."""
    name = re.split(r",|\s+(?:who|which|that)\s", left.strip())[0].strip()
    name = re.sub(r"\s+(?:also|really|actually|still|currently)$", "", name)
    is_clause = re.search(
        r"[.!?]\s+[A-Z]|\s(?:is|was|are|were|has|had|says?)\s", re.sub(r"[\"“][^\"”]*[\"”]", "", name)
    )
    return "" if _PRONOUN.fullmatch(name) or is_clause else name


def _object(right: str) -> str:
    """The right side as a name; empty where it is a number, a pronoun, a group or the rest of a sentence."""
    name = re.sub(r"['’]s?$", "", _TAIL.sub("", right)).strip()
    if re.search(r",\s+(?:and|but|which|who|with|while|although|because|so)\b|[.!?]\s+[A-Z]|^[a-z]+ing\b", name):
        return ""
    if sum(time.end - time.start for time in read_times(name)) > len(name) / 2:
        return ""
    described = re.fullmatch(r"(?:his|her|its|their|the)\s+[a-z ]+,\s+(?P<name>[A-Z].+)", name)
    name = described["name"] if described else name  # "her husband, George VI"
    return "" if _NOT_ONE.search(name) or _PRONOUN.fullmatch(name) else name


def _without_difference(right: str) -> tuple[str, QuantityMention | None]:
    """ "shorter than the Empire State Building by 10 meters"."""
    match = re.fullmatch(r"(?P<name>.+?)\s+by\s+(?P<much>.*\d.*|[a-z]+ [a-z]+)", right)
    quantities = [quantity for quantity in read_quantities(match["much"]) if quantity.unit] if match else []
    return (match["name"], quantities[0]) if match and len(quantities) == 1 else (right, None)


def _measured(
    name: str, groups: dict[str, str | None]
) -> tuple[Measure, Literal["greater", "less", "equal"], str] | None:
    """The measure that a form names, the order of left to right, and the comparing word."""
    if name in ("adjective", "equal"):
        word = groups.get("short") or groups.get("long") or ""
        kind = (groups.get("kind") or "").lower()
        found = measure_of_adjective(word, "country" if kind == "countries" else kind.removesuffix("s"))
        if found is None:
            return None
        measured, order = found
        if name == "equal":
            return measured, "equal", f"as {word} as"
        if (groups.get("more") or "").lower() == "less":
            order = _reversed(order)
        return measured, order, f"{groups.get('more') or ''} {word}".strip()
    if name in ("has", "of", "possessive"):
        noun = measure_of_noun(groups.get("noun") or "")
        size = (groups.get("size") or "").lower()
        return (noun, _SIZES[size], f"{size} {groups.get('noun')}") if noun else None
    if name == "event":
        event = measure_of_event(" ".join((groups.get("event") or "").split()))
        when = (groups.get("when") or "").lower()
        order = "less" if when.startswith(("before", "earlier", "prior")) else "greater"
        return (event, order, f"{groups.get('event')} {when}") if event else None
    verb = (groups.get("verb") or "").lower()
    if name == "outlived":
        if verb.startswith("outweigh"):
            return measure("mass"), "greater", verb
        return (measure("death"), "greater", verb) if verb == "outlived" else (measure("inception"), "less", verb)
    names = {"weigh": "mass", "cost": "cost", "laste": "duration", "gross": "box office", "earne": "revenue"}
    measured = measure(names[verb.removesuffix("s")[:5]])
    size = (groups.get("size") or "").lower()
    return measured, _SIZES[size], f"{verb} {size}"


def _reversed(order: Order) -> Order:
    return "less" if order == "greater" else "greater"


def _right_event(right: str) -> tuple[str, Measure | None]:
    """ "before Wozniak was born": the right side with an event of its own."""
    pattern = rf"(?P<name>.+?)\s+(?:(?:was|were|had\s+been|is)\s+)?(?P<event>{_any(words('events'))})(?:\s+[a-z]+)?"
    match = re.fullmatch(pattern, right, re.IGNORECASE)
    if match is None:
        return right, None
    return match["name"], measure_of_event(" ".join(match["event"].split()))


def _without_measure(right: str) -> tuple[str, str | None]:
    for phrase in measure_phrases():
        if right.lower().endswith(" " + phrase):
            return right[: -len(phrase)].strip(), phrase
    return right, None


_FACTOR = re.compile(
    r"(?:(?P<bound>more\s+than|over|nearly|almost|about|around|roughly|approximately|at\s+least|less\s+than|exactly)\s+)?"
    r"(?:(?P<word>twice|double|half)|(?P<number>.+)\s+times)",
    re.IGNORECASE,
)
_FACTORS = {"twice": Decimal(2), "double": Decimal(2), "half": Decimal("0.5")}
_FACTOR_BOUNDS: dict[str, QuantityBound] = {
    "more than": "more", "over": "more", "nearly": "nearly", "almost": "nearly", "at least": "at_least",
    "less than": "less",
}  # fmt: skip


_LIGHT_WORDS = re.compile(
    r"(?:an?|the|also|still|actually|both|currently|geographically|physically|only|now|just|shortly|many|some|few|a\s+few"
    r"|years?|days?|months?|decades?|centuries|exactly|\s)*",
    re.IGNORECASE,
)


def _how_much(stretch: str, name: str) -> tuple[QuantityMention | None, QuantityMention | None] | None:
    """The ratio ("twice", "three times") or the difference ("10 metres") that stands before the comparing word.

    ``None`` where the words there say something else.
    """
    stretch = stretch.strip()
    match = _FACTOR.fullmatch(stretch)
    if match:
        numerals = read_numerals(match["number"] or "")
        amount = _FACTORS[match["word"].lower()] if match["word"] else numerals[0].amount if numerals else None
        if amount is None or (amount < 1 and name != "equal"):
            return None
        bound = _FACTOR_BOUNDS.get(" ".join((match["bound"] or "").lower().split()), "about")
        return QuantityMention(0, len(stretch), stretch, amount, None, bound, Decimal("0.1")), None
    if _LIGHT_WORDS.fullmatch(stretch):
        return None, None
    quantities = [quantity for quantity in read_quantities(stretch) if quantity.unit]
    return (None, quantities[0]) if len(quantities) == 1 else None
