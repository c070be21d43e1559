"""The web query: written from the claim, what is settled already, and what the passages so far have not covered."""

import re
from collections.abc import Sequence

from wkgfc.claim_language import function_words
from wkgfc.evidence import Passage
from wkgfc.language import parse
from wkgfc.state import BeliefState

CONTENT = {"NOUN", "PROPN", "VERB", "ADJ", "NUM"}  # parts of speech that a search can find
LINKED_WELL = 0.6  # a candidate's share above which its label says better than the claim who is meant
MAX_QUERY_CHARACTERS = 300  # search engines cut longer ones


def write_query(state: BeliefState, open_parts: Sequence[str]) -> str | None:
    """The next query, or ``None`` where nothing new could be asked.

    The first asks for the parts of the claim that no evidence settles, under the names that the knowledge graph has
    for the entities. A later one asks for the words that no passage so far has covered, beside those names. In a
    language without a parse, those are the words that are not among its function words.
    """
    names = _names(state)
    is_english = state.claim.language.lower().startswith("en")
    if not state.queries:
        return _joined([" ".join(open_parts), *_unsaid(names, " ".join(open_parts))])
    passages = [passage for _, passage in state.evidence.passages()]
    telling = _content(open_parts) if is_english else _not_small(open_parts, function_words(state.claim.language))
    missing = _uncovered(telling, passages)
    if not missing:
        return None
    capitalised = [word for word, _ in telling if word[:1].isupper()]
    said = " ".join((_proper_nouns(" ".join(open_parts)) or names) if is_english else (names or capitalised))
    known = _words(said)
    query = _joined([said, *_unsaid(names, said), *(word for word in missing if not _words(word) <= known)])
    return None if not query or query in state.queries else query


def _names(state: BeliefState) -> list[str]:
    """The labels of the entities that the claim names and that were linked well; a common noun says itself best."""
    best = [
        candidates[0]
        for mention, candidates in state.topic_entities.items()
        if any(character.isupper() for character in mention)
    ]
    return [entity.label for entity, share in best if share >= LINKED_WELL]


def _unsaid(names: Sequence[str], text: str) -> list[str]:
    """Those names that add a word to the text, where the text has a part of them: "Charlie Chaplin" for "Chaplin"."""
    said = _words(text)
    return [name for name in names if (words := _words(name)) - said and words & said and len(words) <= 4]


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text.casefold()))


def _content(parts: Sequence[str]) -> list[tuple[str, str]]:
    """The content words of English parts, in order, each with its lemma."""
    return [
        (token.text, token.lemma_)
        for part in parts
        for token in parse(part)
        if token.pos_ in CONTENT and not token.is_stop
    ]


def _not_small(parts: Sequence[str], small: frozenset[str]) -> list[tuple[str, str]]:
    """The words of parts in another language that are not ``small``, in order, each as its own lemma."""
    words = re.findall(r"\d+(?:[.,]\d+)+|\w+(?:-\w+)*", " ".join(parts))
    return [(word, word) for word in words if len(word) > 1 and word.casefold() not in small]


def _uncovered(words: Sequence[tuple[str, str]], passages: Sequence[Passage]) -> list[str]:
    """Those words that no passage has, in any of the two forms."""
    seen = " ".join(f"{passage.title or ''} {passage.text}" for passage in passages).casefold()
    return list(
        dict.fromkeys(text for text, lemma in words if text.casefold() not in seen and lemma.casefold() not in seen)
    )


def _proper_nouns(text: str) -> list[str]:
    return [chunk.text for chunk in parse(text).noun_chunks if any(token.pos_ == "PROPN" for token in chunk)]


def _joined(words: Sequence[str]) -> str:
    return " ".join(word.strip(" .") for word in words if word.strip(" ."))[:MAX_QUERY_CHARACTERS]
