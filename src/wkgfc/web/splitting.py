"""How a long text becomes passages: stretches of whole sentences, found again in the text by their offsets."""

import re
from collections.abc import Iterator

from wkgfc.sentences import sentence_spans, trimmed_span

SPLIT_OVER_CHARACTERS = 1_200  # a text up to here is one passage: with its title it still fits a small verifier
PASSAGE_CHARACTERS = 900  # what passages of a longer text aim at: some 150 words, five to seven sentences

_PARAGRAPH = re.compile(r"\n\s*\n")


def passage_spans(text: str) -> list[tuple[int, int]]:
    """Start and end of the passages of a text: all of it if it is short, else stretches that end with a sentence.

    A sentence that is itself too long is cut at white space. Nothing visible is lost, nothing is in two passages.
    """
    whole = trimmed_span(text, 0, len(text))
    if whole is None:
        return []
    if whole[1] - whole[0] <= SPLIT_OVER_CHARACTERS:
        return [whole]
    spans: list[tuple[int, int]] = []
    for start, end in (piece for span in sentence_spans(text) for piece in _cut(text, *span)):
        if spans and end - spans[-1][0] <= PASSAGE_CHARACTERS:
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
    if len(spans) > 1 and spans[-1][1] - spans[-2][0] <= SPLIT_OVER_CHARACTERS:
        spans[-2:] = [(spans[-2][0], spans[-1][1])]  # a short rest says little on its own
    return spans


def _cut(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while end - start > SPLIT_OVER_CHARACTERS:
        limit = start + PASSAGE_CHARACTERS
        space = max(text.rfind(" ", start + 1, limit), text.rfind("\n", start + 1, limit))
        piece = trimmed_span(text, start, space if space > start else limit)
        start = space if space > start else limit
        if piece is not None:
            yield piece
    rest = trimmed_span(text, start, end)
    if rest is not None:
        yield rest
