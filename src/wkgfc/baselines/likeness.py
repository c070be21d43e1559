"""How alike two texts are by their words, each weighed by its rarity: what stands in for models of sentences here."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from wkgfc.reasoning.embedded.lexicon.terms import load_term_statistics, terms_of

_MARKS = re.compile(r"[^\w\s]+")
_WORD = re.compile(r"\w\w+")
_ALONE = 1 + math.log(3 / 2)  # scikit-learn's smoothed IDF of a word that one of two texts has; of both it is 1


def vector(text: str) -> dict[str, float]:
    """A text's content words by their stems, weighed by how often they occur and how rare they are (TF-IDF)."""
    statistics = load_term_statistics()
    return {term: (1 + math.log(n)) * statistics.rarity(term) for term, n in Counter(terms_of(text)).items()}


def mean(vectors: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """The mean of vectors, each brought to length one."""
    total: defaultdict[str, float] = defaultdict(float)
    for each in vectors:
        length = _length(each)
        for term, weight in each.items():
            total[term] += weight / length
    return dict(total)


def similarity(left: Mapping[str, float], right: Mapping[str, float]) -> float:
    """The cosine of two vectors, 0.0 where one has nothing."""
    shared = sum(weight * right[term] for term, weight in left.items() if term in right)
    return shared / (_length(left) * _length(right)) if shared else 0.0


def cosine(left: str, right: str) -> float:
    """The likeness of two texts in [0, 1].

    >>> round(cosine("The bridge was opened in 1998.", "In 1998 the bridge was opened"), 6)
    1.0
    """
    return similarity(vector(left), vector(right))


def plain_cosine(left: str, right: str) -> float:
    """The cosine of two texts by all their words as they stand, "not" among them: TF-IDF over the two alone.

    Marks aside, as scikit-learn's ``TfidfVectorizer`` does it.

    >>> plain_cosine("The bridge was opened.", "the bridge was opened!") > 0.99
    True
    >>> round(plain_cosine("The bridge was opened.", "The bridge was not opened."), 2)
    0.82
    """
    first, second = (Counter(_WORD.findall(_MARKS.sub("", text).lower())) for text in (left, right))
    return similarity(
        *(
            {word: number * (1.0 if word in first and word in second else _ALONE) for word, number in words.items()}
            for words in (first, second)
        )
    )


def _length(values: Mapping[str, float]) -> float:
    return math.sqrt(sum(value * value for value in values.values())) or 1.0
