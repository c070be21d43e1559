"""What a text talks about: its content words by their stems, and how much each of them tells.

The rarity of a word is its inverse document frequency over Wikipedia's vital articles; ``terms.json`` holds the counts
of the most frequent stems, as ``training/passages.py`` makes it.
"""

import json
import math
import re
import unicodedata
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import files

from wkgfc.reasoning.embedded.lexicon.cues import stem

# Words of grammar, which every text has; "s", "n" and "t" are what is left of "it's" and "don't".
_GRAMMAR = (
    "a about after again all also am an and another any are as at be because been before being between both but "
    "by can could did do does doing down during each for from further had has have having he her here hers him "
    "his how if in into is it its just may might more most must n no nor not of off on once only onto or other "
    "out over own s same shall she should so some such t than that the their them then there these they this "
    "those through to too under until up very was were what when where which while who whom whose why will with "
    "would"
)
_FUNCTION_WORDS = frozenset(_GRAMMAR.split())
_WORD = re.compile(r"[^\W_]+(?:[.,]\d+)*")  # 2,525 and 3.5 are one word


def fold(text: str) -> str:
    """The text without diacritics: "Bogotá" is "Bogota". Letter case stays."""
    if text.isascii():
        return text
    return "".join(letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))


def written_words(text: str) -> list[str]:
    """The words of a text as they are written, without diacritics, in order."""
    return _WORD.findall(fold(text))


def is_content(word: str) -> bool:
    """Whether a word says something of a subject: it is none of the words of grammar."""
    return word.lower() not in _FUNCTION_WORDS


def stems_of(text: str) -> tuple[str, ...]:
    """All words of a text by their stems, those of grammar too, in order."""
    return tuple(stem(word.lower()) for word in written_words(text))


def terms_of(text: str) -> tuple[str, ...]:
    """The content words of a text by their stems, in order. Numbers are terms as they are written.

    >>> terms_of("The Ganges flows through India for 2,525 km.")
    ('gange', 'flow', 'india', '2,525', 'km')
    """
    return tuple(stem(word.lower()) for word in written_words(text) if is_content(word))


@dataclass(frozen=True)
class TermStatistics:
    """In how many of ``documents`` texts a stem occurs. A stem that is not counted is rarer than all that are."""

    documents: int
    counts: Mapping[str, int]

    @cached_property
    def unseen(self) -> float:
        """The count that stands for stems that are not there: a quarter of the least one."""
        return min(self.counts.values(), default=4) / 4

    def rarity(self, term: str) -> float:
        """The inverse document frequency of a stem, over zero."""
        return math.log(1.0 + self.documents / (1.0 + self.counts.get(term, self.unseen)))

    def is_rare(self, term: str) -> bool:
        """Whether a stem is rarer than all that are counted, as most names are."""
        return term not in self.counts

    def weight(self, terms: Collection[str]) -> float:
        """The rarities of different stems together: exactly rounded, so that their order makes no difference."""
        return math.fsum(map(self.rarity, set(terms)))

    def coverage(self, wanted: Collection[str], found: Collection[str]) -> float:
        """How much of ``wanted`` is in ``found``, each stem by its rarity: 0 to 1; 1 where nothing is wanted."""
        total = self.weight(wanted)
        return self.weight(set(wanted) & set(found)) / total if total else 1.0


@lru_cache(maxsize=1)
def load_term_statistics() -> TermStatistics:
    """The statistics that ship with the package."""
    text = files("wkgfc.reasoning.embedded.lexicon").joinpath("terms.json").read_text(encoding="utf-8")
    record = json.loads(text)
    return TermStatistics(documents=record["documents"], counts=record["counts"])
