"""Which texts stand against a statement of the knowledge graph: an anchor does not yield to a misreading.

With the first verifier, statements and texts leaned to different sides on 28 claims of ``tests/data/kinds.jsonl``, and
the statements were right on 27. It had called texts support or refutation that are silent on the matter, or had misread
the very page that the statement comes from. So a text stands against a statement only where it speaks of what the claim
says, and is of another page.
"""

import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Literal

from wkgfc.evidence import Evidence, Passage
from wkgfc.reasoning.embedded.lexicon.terms import TermStatistics, load_term_statistics, terms_of

Side = Literal["supports", "refutes"]

LEAST_STANCE = 0.5  # what a text must say for a side, its relevance counted, to be more of that side than not
# The share of the claim's content words, by rarity, that the deciding sentence and the title have where the text speaks
# of what the claim says. A text that refutes names another thing in the place of one that the claim names.
LEAST_COVERAGE: dict[Side, float] = {"supports": 0.9, "refutes": 0.4}


@dataclass(frozen=True)
class Standing:
    """The passages that stand against a statement, and the probability, 0 to 1, that one of them is right.

    ``pages`` is how many different pages they are from.
    """

    sureness: float = 0.0
    pages: int = 0
    evidence_ids: frozenset[str] = frozenset()


def page_of(evidence: Evidence) -> str:
    """The page behind a piece of evidence: the sections of one page are one source."""
    return evidence.source.url or evidence.text_id


def texts_against(
    claim: str,
    graded: Iterable[Evidence],
    side: Side,
    pages: Collection[str],
    statistics: TermStatistics | None = None,
) -> Standing:
    """The texts that stand for ``side`` against statements of the other one.

    ``graded`` are passages with stance, consistency and quote; ``pages`` those that the statements come from, by
    ``page_of``. Of several passages of one page the surest counts.
    """
    words = statistics or load_term_statistics()
    terms = frozenset(terms_of(claim))
    surest: dict[str, float] = {}
    ids: set[str] = set()
    for piece in graded:
        page = page_of(piece)
        said = getattr(piece.stance, side) if piece.stance is not None else 0.0
        if page in pages or said <= LEAST_STANCE or not isinstance(piece.content, Passage):
            continue
        there = terms_of(f"{piece.content.title or ''} {piece.quote or piece.content.text}")
        if words.coverage(terms, there) >= LEAST_COVERAGE[side]:
            surest[page] = max(surest.get(page, 0.0), said * (piece.consistency or 0.0))
            ids.add(piece.id)
    return Standing(1.0 - math.prod(1.0 - sureness for sureness in surest.values()), len(surest), frozenset(ids))
