"""Longer names around a mention: "Excuse My French" around "French", "The Catcher in the Rye" around "Rye"."""

from typing import TYPE_CHECKING

from wkgfc.language import parse
from wkgfc.reasoning.embedded.lexicon.relations import TextSpan

if TYPE_CHECKING:
    from spacy.tokens import Token

_NAME_LABELS = {"PERSON", "ORG", "WORK_OF_ART", "FAC", "EVENT", "PRODUCT", "LAW", "LOC", "GPE"}  # of spaCy
LONG_WORD = 3  # characters above which a word of a title has a capital too


def names_around(text: str, span: TextSpan) -> tuple[TextSpan, ...]:
    """The longer names that hold a span of a text: what the parser takes for one, and the run of words with capitals.

    A text without small letters, or one that writes every word with a capital, has no runs.
    """
    doc = parse(text)
    found = [TextSpan(entity.start_char, entity.end_char) for entity in doc.ents if entity.label_ in _NAME_LABELS]
    words = [token for token in doc if token.is_alpha]
    if any(word.text.islower() for word in words if len(word) > LONG_WORD):
        first = doc.char_span(span.start, span.end, alignment_mode="expand")
        if first is not None:
            start, end = first.start, first.end
            while start > 0 and _is_capital(doc[start - 1]):
                start -= 1
            while end < len(doc) and _is_capital(doc[end]):
                end += 1
            found.append(TextSpan(doc[start].idx, doc[end - 1].idx + len(doc[end - 1])))
    return tuple(name for name in found if name.start <= span.start and span.end <= name.end and name != span)


def _is_capital(token: "Token") -> bool:
    """Whether a word has a capital because it is of a name: the first of a text only if it is no common word."""
    return token.text[:1].isupper() and token.is_alpha and (token.i > 0 or token.pos_ == "PROPN")
