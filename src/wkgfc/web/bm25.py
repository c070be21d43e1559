"""BM25 over a handful of texts at once, for windows of pages that were fetched a moment ago.

Robertson and Zaragoza 2009, "The Probabilistic Relevance Framework: BM25 and Beyond", section 3.4, with the inverse
document frequency of Lucene and tantivy, which is never negative. Words are those of the embedded corpus. An index of
tantivy's in memory ranks the same; for a few hundred windows it takes longer to build than these sums take, and a
thread and memory for its writer (``benchmarks/live.py``).
"""

import math
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from wkgfc.web.corpus import analyzer, searchable

if TYPE_CHECKING:
    from tantivy import TextAnalyzer

K1 = 1.2  # Lucene's and tantivy's
B = 0.75


def bm25(query: str, texts: Sequence[str]) -> list[float]:
    """The score of each text for the query, 0.0 where they share no word. Scores compare only within one call."""
    wanted = dict.fromkeys(words(query))
    counted = [Counter(words(text)) for text in texts]
    lengths = [sum(counts.values()) for counts in counted]
    average = sum(lengths) / len(lengths) if any(lengths) else 1.0
    scores = [0.0] * len(texts)
    for word in wanted:
        holding = [(place, counts[word]) for place, counts in enumerate(counted) if word in counts]
        if not holding:
            continue
        rarity = math.log(1 + (len(texts) - len(holding) + 0.5) / (len(holding) + 0.5))
        for place, frequency in holding:
            norm = K1 * (1 - B + B * lengths[place] / average)
            scores[place] += rarity * frequency * (K1 + 1) / (frequency + norm)
    return scores


def words(text: str) -> list[str]:
    """The words of a text in order, lower case, without accents, stemmed as English."""
    found: list[str] = _analyzer().analyze(searchable(text))
    return found


@lru_cache(maxsize=1)
def _analyzer() -> "TextAnalyzer":
    return analyzer()
