"""Quotes: a stretch of a text that is verbatim in it, and the sentence that says most of a claim."""

import re

from wkgfc.sentences import sentence_spans


def verbatim_quote(quote: str, text: str) -> str | None:
    """The stretch of ``text`` that ``quote`` is, or ``None``.

    White space, quotation marks, dashes and hidden signs may differ. What comes back is always verbatim in ``text``.
    """
    if not re.search(r"\w", quote):
        return None
    if quote in text:
        return quote
    tokens = re.sub(f"[{_HIDDEN}]", "", quote).strip(_MARKS + " \t\r\n").split()
    pattern = rf"\s[\s{_HIDDEN}]*+".join(
        "".join(f"{_SAME_MARK.get(character, re.escape(character))}[{_HIDDEN}]*+" for character in token)
        for token in tokens
    )
    same = re.search(pattern, text)
    return same.group() if same else None


def best_sentence(text: str, claim: str) -> str | None:
    """The sentence of ``text`` that shares most of the claim's words, the shortest of equals; ``None``: none does.

    Words are weighed by how rare they are among the sentences, so that the page's own subject decides little.
    """
    wanted = set(folded_words(claim).split())
    sentences = [text[start:end] for start, end in sentence_spans(text)]
    words_of = [set(folded_words(sentence).split()) & wanted for sentence in sentences]
    spread = {word: sum(word in words for words in words_of) for word in wanted}
    scored = [
        (sum(1 / spread[word] for word in words if len(word) > 3 or word.isdigit()), -len(sentence), sentence)
        for words, sentence in zip(words_of, sentences, strict=True)
    ]
    best = max(scored, default=None)
    return best[2] if best is not None and best[0] > 0 else None


def folded_words(text: str) -> str:
    """The words in lower case with single spaces: two texts that differ in punctuation alone are equal."""
    return " ".join(re.findall(r"\w+", text.lower()))


# Soft hyphens, zero-width signs and marks of direction: who quotes a page as it is seen leaves them out.
_HIDDEN = "\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff"
_MARKS = "\"'“”‘’«»„"
_SAME_MARK = {
    **dict.fromkeys('"“”„«»', '["“”„«»]'),
    **dict.fromkeys("'‘’", "['‘’]"),
    **dict.fromkeys("-‐‑‒–—", "[-‐‑‒–—]"),
}
