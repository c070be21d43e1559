"""Pairs made by changing one thing in a claim that is supported: a number, a year, or whether it is denied."""

import random
import re
from collections.abc import Iterable, Iterator

from training.verifier.pair import REFUTES, SUPPORTS, Pair

_NUMBER = re.compile(r"(?<![\w.,])(\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![\w,]|\.\d)")
_AUXILIARY = re.compile(r" (is|was|are|were|has been|had been|can|could|will|did) (?!not\b|never\b)")
_DENIED = re.compile(
    r"\b(?:not|cannot|never|no|none|nobody|nothing|nowhere|only|without|neither|nor)\b|n['’]t\b", re.IGNORECASE
)
_BOUND = re.compile(  # before a number: what bounds it may hold of another number too
    r"\b(?:than|over|under|above|below|least|most|before|after|until|since|by|up to|exceed(?:s|ed|ing)?)[ $€£]*$",
    re.IGNORECASE,
)


def numbers_changed(pairs: Iterable[Pair], rng: random.Random) -> Iterator[Pair]:
    """Supported claims whose number, not a bound, stands in the evidence too, with another number: refuted."""
    for pair in pairs:
        if pair.target != SUPPORTS:
            continue
        stated = {found.group() for found in _NUMBER.finditer(pair.text)}
        shared = [
            found
            for found in _NUMBER.finditer(pair.claim)
            if found.group() in stated and not _BOUND.search(pair.claim[: found.start()])
        ]
        if not shared:
            continue
        found = rng.choice(shared)
        other = _another(found.group(), rng)
        if other in pair.text:
            continue
        claim = pair.claim[: found.start()] + other + pair.claim[found.end() :]
        yield Pair(pair.title, pair.text, claim, REFUTES, "number_changed")


def denied(pairs: Iterable[Pair], rng: random.Random) -> Iterator[Pair]:
    """Claims with "not" or "never" behind the first auxiliary: what supported them refutes them, and the reverse."""
    for pair in pairs:
        if pair.target not in (SUPPORTS, REFUTES) or _DENIED.search(pair.claim):
            continue
        found = _AUXILIARY.search(pair.claim)
        if found is None:
            continue
        word = "never" if found.group(1) in {"has been", "had been"} or rng.random() < 0.2 else "not"
        claim = f"{pair.claim[: found.end()]}{word} {pair.claim[found.end() :]}"
        yield Pair(pair.title, pair.text, claim, REFUTES if pair.target == SUPPORTS else SUPPORTS, "denied")


def _another(number: str, rng: random.Random) -> str:
    if "." in number:
        whole, _, decimals = number.partition(".")
        return f"{int(whole.replace(',', '')) + rng.choice((-2, -1, 1, 2, 3))}.{decimals}"
    value = int(number.replace(",", ""))
    if 1000 <= value <= 2100 and "," not in number:  # a year
        return str(value + rng.choice((-1, 1)) * rng.choice((1, 1, 2, 3, 5, 8, 10, 20, 100)))
    step = max(1, round(value * rng.choice((0.1, 0.2, 0.5, 1.0))))
    other = value + step if value <= step or rng.random() < 0.5 else value - step
    return f"{other:,}" if "," in number else str(other)
