"""Where the sentences of a text begin and end."""

import re

_SENTENCE_END = re.compile(
    r"(?<![.!?…。！？])[.!?…。！？]++[\"'”’»)\]]*+(?=\s+[\"'“‘«(\[]*[^\Wa-z_])|[。！？]++[”’」』）》】]*+|\n\s*\n|\n(?=\s*[-*•\d])"
    r"|(?<=\s)(?<![.!?]\s)[.!?]++(?=\s+[^\s.!?,;:)])"  # a mark that stands alone, as in tokenised text
)
_NO_END = re.compile(
    r"(?:\b(?:Mr|Mrs|Ms|Dr|Prof|St|Sgt|Capt|Col|Gen|Lt|Maj|Rev|Hon|Gov|Sen|Rep|Pres|Jr|Sr|Mt|Ft|No|Nos|Vol|vs|v|approx|ca|c"
    r"|cf|al|fl|ed|e\.g|i\.e|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec)|\b[A-Z]|\b(?:[A-Za-z]\.)+[A-Za-z])\.$"
)


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Start and end of each sentence, white space at its ends left out; together they hold all that is visible.

    Rules of punctuation, not a parse: fast enough for whole archives. Initials and common abbreviations end none; a
    mark with white space on both sides ends one whatever follows, as in tokenised text ("he left . she stayed .").
    """
    spans, start = [], 0
    for end in _SENTENCE_END.finditer(text):
        if end.group().startswith(".") and _NO_END.search(text[max(start, end.start() - 12) : end.start() + 1]):
            continue
        spans.append((start, end.end()))
        start = end.end()
    spans.append((start, len(text)))
    return [trimmed for span in spans if (trimmed := trimmed_span(text, *span)) is not None]


def trimmed_span(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The stretch without white space at its ends; ``None`` where nothing else is in it."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return (start, end) if start < end else None
