"""Cue phrases: how a text says a relation, written as patterns over words, and where they stand in a claim.

A cue is a run of words. ``|`` separates alternatives of one word, ``?`` ends an optional word, ``*`` stands for one to
four words of any kind, ``-born`` is the end of a word with a hyphen, and ``~0.5`` at the end is how far the cue points
to its relation (1 where nothing is said). Words are compared by their stems, so that "directs", "directed" and
"directing" are one; articles and adverbs between the words of a cue do not matter.

>>> found = find_cues(words_of("It was officially founded by him."), index_cues([("P112", parse_cue("founded by"))]))
>>> [(match.owner, match.first, match.last) for match in found]
[('P112', 3, 4)]
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Generic, TypeVar

Owner = TypeVar("Owner")

GAP_WORDS = 4  # the most words that a "*" stands for
_SKIPPED = 2  # articles and adverbs between two words of a cue

_LETTERS = r"[^\W_]+(?:['’](?!s\b)[^\W_]+|\.[^\W_](?![^\W_]))*"  # O'Neill, U.S, but not two sentences
_WORD = re.compile(rf"['’]s\b|{_LETTERS}(?:[-‐‑]{_LETTERS})*", re.IGNORECASE)
_PIECE = re.compile(rf"['’]s\b|{_LETTERS}", re.IGNORECASE)
_HYPHEN = re.compile("[-‐‑]")
_LIGHT = {
    "a", "an", "the", "also", "first", "originally", "once", "later", "currently", "now", "then", "still", "both",
    "its", "his", "her", "their", "very", "so", "well", "formerly", "most", "mostly", "mainly", "partly",
    "eventually", "subsequently", "famously", "even", "ever", "only", "just", "long",
}  # fmt: skip
_VOWEL = re.compile(r"[aeiouy]")


@dataclass(frozen=True)
class Word:
    """A word of a text. ``start`` and ``end`` are character offsets.

    ``stem`` is without hyphens; ``tail`` is the stem of the part after the last hyphen, empty where there is none.
    """

    text: str
    stem: str
    tail: str
    start: int
    end: int


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """The part of a lower-case English word that its regular inflections share. Not always a word itself.

    >>> stem("starring"), stem("studies"), stem("directed"), stem("capital")
    ('star', 'study', 'direct', 'capital')
    """
    if len(word) <= 3 or not word.isascii():
        return word
    if word.endswith(("ies", "ied")) and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-2] if word.endswith(("sses", "xes", "ches", "shes", "zes")) else word[:-1]
    else:
        for ending in ("ing", "ed"):
            rest = word.removesuffix(ending)
            if rest != word and len(rest) >= 3 and _VOWEL.search(rest):
                is_doubled = rest[-1] == rest[-2] and rest[-1] not in "lsz"
                word = rest[:-1] if is_doubled else rest
                break
    return word[:-1] if word.endswith("e") and len(word) > 3 else word


def _read(match: re.Match[str]) -> Word:
    written = match.group().lower().replace("’", "'")
    if written == "'s":
        return Word(written, written, "", match.start(), match.end())
    parts = _HYPHEN.split(written.replace(".", ""))
    tail = stem(parts[-1]) if len(parts) > 1 else ""
    return Word(written, stem("".join(parts)), tail, match.start(), match.end())


@lru_cache(maxsize=4096)
def words_of(text: str) -> tuple[Word, ...]:
    """The words of a text, in order. ``'s`` is a word of its own; a word with hyphens is one word."""
    return tuple(_read(match) for match in _WORD.finditer(text))


@lru_cache(maxsize=4096)
def pieces_of(text: str) -> tuple[Word, ...]:
    """The words of a text, in order, those with hyphens taken apart: what names are compared by."""
    return tuple(_read(match) for match in _PIECE.finditer(text))


def is_light(word: Word) -> bool:
    """Whether the word says nothing of a relation: an article, a pronoun, an adverb."""
    return word.text in _LIGHT or (word.text.endswith("ly") and len(word.text) > 4)


@dataclass(frozen=True)
class Cue:
    """A parsed cue. An element is a set of stems (those of word ends begin with a hyphen), or ``None`` for a gap."""

    elements: tuple[frozenset[str] | None, ...]
    optional: tuple[bool, ...]
    weight: float


@dataclass(frozen=True)
class CueMatch(Generic[Owner]):
    """Where a cue stands: the indices of its first and its last word."""

    owner: Owner
    weight: float
    first: int
    last: int


CueIndex = Mapping[str, Sequence[tuple[Owner, Cue]]]


def parse_cue(text: str) -> Cue:
    """A cue from its text.

    Raises:
        ValueError: it has no word, begins with a gap or an optional word, or its weight is not in (0, 1].
    """
    pattern, _, weight_text = text.partition("~")
    weight = float(weight_text) if weight_text else 1.0
    elements: list[frozenset[str] | None] = []
    optional: list[bool] = []
    for element in pattern.split():
        is_optional = element.endswith("?")
        forms = element.removesuffix("?").split("|")
        elements.append(None if element == "*" else frozenset(map(_stem_of_form, forms)))
        optional.append(is_optional)
    if not elements or elements[0] is None or elements[-1] is None or optional[0] or not 0 < weight <= 1:
        raise ValueError(f"not a cue: {text!r}")
    return Cue(tuple(elements), tuple(optional), weight)


def _stem_of_form(form: str) -> str:
    words = words_of(form)
    if len(words) != 1:
        raise ValueError(f"not one word: {form!r}")
    return f"-{words[0].stem}" if form.startswith("-") else words[0].stem


def index_cues(cues: Iterable[tuple[Owner, Cue]]) -> CueIndex[Owner]:
    """The cues by the stems that they begin with."""
    index: dict[str, list[tuple[Owner, Cue]]] = {}
    for owner, cue in cues:
        for first in sorted(cue.elements[0] or ()):
            index.setdefault(first, []).append((owner, cue))
    return index


def find_cues(words: Sequence[Word], index: CueIndex[Owner]) -> list[CueMatch[Owner]]:
    """Every place of the text where a cue of the index stands, in the order of the text."""
    found: list[CueMatch[Owner]] = []
    for first, word in enumerate(words):
        for key in (word.stem, f"-{word.tail}") if word.tail else (word.stem,):
            for owner, cue in index.get(key, ()):
                last = next(_ends(words, cue, 1, first), None)
                if last is not None:
                    found.append(CueMatch(owner, cue.weight, first, last))
    return found


def _ends(words: Sequence[Word], cue: Cue, element: int, last: int) -> Iterator[int]:
    """The indices of the last word of the cue, where its elements before ``element`` end at word ``last``."""
    if element == len(cue.elements):
        yield last
        return
    wanted = cue.elements[element]
    if wanted is None:
        for skipped in range(1, GAP_WORDS + 1):
            if last + skipped < len(words):
                yield from _ends(words, cue, element + 1, last + skipped)
        return
    position = last + 1
    for _ in range(_SKIPPED + 1):
        if position >= len(words):
            break
        word = words[position]
        if word.stem in wanted or (word.tail and f"-{word.tail}" in wanted):
            yield from _ends(words, cue, element + 1, position)
            break
        if not is_light(word):
            break
        position += 1
    if cue.optional[element]:
        yield from _ends(words, cue, element + 1, last)
