"""A claim of several sentences: it holds as far as the weakest of them, and fails as far as the one that fails most."""

import re
from collections.abc import Sequence

from wkgfc.reasoning.windows import Probabilities
from wkgfc.sentences import sentence_spans

MAX_SENTENCES = 8  # of one claim; what is over is judged with the last
LEAST_WORDS = 4  # less says too little to be judged alone, and goes with its neighbour

_WORD = re.compile(r"\w+")


def sentences_of(claim: str) -> list[str]:
    """The sentences of a claim, each to be judged by itself; a question and its answer stay together."""
    spans = sentence_spans(claim)
    if len(spans) < 2 or "?" in claim:
        return [claim]
    parts: list[tuple[int, int]] = []
    for span in spans:
        short = parts and min(_words(claim[slice(*span)]), _words(claim[slice(*parts[-1])])) < LEAST_WORDS
        first = parts.pop()[0] if short or len(parts) == MAX_SENTENCES else span[0]
        parts.append((first, span[1]))
    return [claim[start:end] for start, end in parts]


def joined(scores: Sequence[Probabilities]) -> tuple[Probabilities, int]:
    """The probabilities of a whole claim (supports, refutes, neither) from those of its parts, and which part decided.

    The least support and the greatest refutation never exceed one together.
    """
    weakest = min(range(len(scores)), key=lambda part: scores[part][0])
    worst = max(range(len(scores)), key=lambda part: scores[part][1])
    supports, refutes = scores[weakest][0], scores[worst][1]
    return (supports, refutes, max(1 - supports - refutes, 0.0)), weakest if supports >= refutes else worst


def _words(text: str) -> int:
    return len(_WORD.findall(text))
