"""How a long text becomes passages: stretches of whole sentences, found again in the text by their offsets."""

import re
from collections.abc import Iterator

SPLIT_OVER_CHARACTERS = 1_200  # a text up to here is one passage: with its title it still fits a small verifier
PASSAGE_CHARACTERS = 900  # what passages of a longer text aim at: some 150 words, five to seven sentences

_PARAGRAPH = re.compile(r"\n\s*\n")
_SENTENCE_END = re.compile(r"[.!?…。！？]+[\"'”’»)\]]*(?=\s+[\"'“‘«(\[]*[^\Wa-z_])|[。！？]|\n\s*\n|\n(?=\s*[-*•\d])")
_NO_END = re.compile(
    r"(?:\b(?:Mr|Mrs|Ms|Dr|Prof|St|Sgt|Capt|Col|Gen|Lt|Maj|Rev|Hon|Gov|Sen|Rep|Pres|Jr|Sr|Mt|Ft|No|Nos|Vol|vs|approx|ca|c"
    r"|cf|al|fl|ed|e\.g|i\.e|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec)|\b[A-Z]|\b(?:[A-Za-z]\.)+[A-Za-z])\.$"
)


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Start and end of each sentence, white space at its ends left out; together they hold all that is visible.

    Rules of punctuation, not a parse: fast enough for whole archives. Initials and common abbreviations end none.
    """
    spans, start = [], 0
    for end in _SENTENCE_END.finditer(text):
        if end.group().startswith(".") and _NO_END.search(text[max(start, end.start() - 12) : end.start() + 1]):
            continue
        spans.append((start, end.end()))
        start = end.end()
    spans.append((start, len(text)))
    return [trimmed for span in spans if (trimmed := _trimmed(text, *span)) is not None]


def passage_spans(text: str) -> list[tuple[int, int]]:
    """Start and end of the passages of a text: all of it if it is short, else stretches that end with a sentence.

    A sentence that is itself too long is cut at white space. Nothing visible is lost, nothing is in two passages.
    """
    whole = _trimmed(text, 0, len(text))
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


def _trimmed(text: str, start: int, end: int) -> tuple[int, int] | None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return (start, end) if start < end else None


def _cut(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while end - start > SPLIT_OVER_CHARACTERS:
        limit = start + PASSAGE_CHARACTERS
        space = max(text.rfind(" ", start + 1, limit), text.rfind("\n", start + 1, limit))
        piece = _trimmed(text, start, space if space > start else limit)
        start = space if space > start else limit
        if piece is not None:
            yield piece
    rest = _trimmed(text, start, end)
    if rest is not None:
        yield rest
