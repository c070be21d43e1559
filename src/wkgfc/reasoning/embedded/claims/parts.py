"""A compound claim split into parts that each state one thing and can be read alone.

To split wrongly is worse than not to split: a part that the claim does not state would be checked in its place.
Where the parse leaves a doubt (quantified subjects, conditions, negation over an "and", names with "and"), the claim
stays whole.
"""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from wkgfc.language import parse
from wkgfc.reasoning.embedded.claims.additions import without_additions
from wkgfc.reasoning.embedded.claims.attribution import attribution_of
from wkgfc.reasoning.embedded.claims.clauses import is_loose, is_statement, root_of, subject_of, text_of
from wkgfc.reasoning.embedded.claims.coordination import split_nouns, split_predicates
from wkgfc.reasoning.embedded.claims.negation import positive_form

if TYPE_CHECKING:
    from spacy.tokens import Doc

__all__ = ["parts_of", "positive_form"]

MAX_PARTS = 8  # more statements than that are a text, not a claim


def parts_of(text: str) -> tuple[str, ...]:
    """The statements that ``text`` makes, each with its subject; ``text`` itself where it makes one.

    >>> parts_of("Marie Curie was born in Warsaw and died in Passy.")
    ('Marie Curie was born in Warsaw.', 'Marie Curie died in Passy.')
    """
    if not text.strip() or text.rstrip(" \"”’'").endswith("?") or attribution_of(text) is not None:
        return (text,)
    sentences = [sentence.text.strip() for sentence in parse(text.strip()).sents]
    sentences = _rejoined([sentence for sentence in sentences if sentence])
    whole = len(sentences) == 1
    parts: list[str] = []
    subject = ""
    for sentence in sentences:
        named = _with_name(sentence, subject)
        if parts and _DEPENDENT.match(named):
            return (text,)
        parts.extend(_split_sentence(named))
        subject = subject or _name_of_subject(parse(named))
    if len(parts) > MAX_PARTS or (whole and len(parts) < 2) or not all(is_statement(part) for part in parts):
        return (text,)
    return tuple(dict.fromkeys(parts)) or (text,)


def _rejoined(sentences: Sequence[str]) -> list[str]:
    """Sentences that the parser cut at an abbreviation or inside a name, put together again."""
    joined: list[str] = []
    for sentence in sentences:
        is_cut = joined and not re.search(r"[.!?][\"”’')]*$", joined[-1])
        is_name = joined and re.search(
            r"\b(?:[A-Z]|Dr|Mr|Mrs|Ms|Sir|Prof|St|Jr|Sr|vs|No|Co|Inc|U\.S|etc)\.$", joined[-1]
        )
        if is_cut or is_name:
            joined[-1] = f"{joined[-1]} {sentence}"
        else:
            joined.append(sentence)
    return joined


def _name_of_subject(doc: "Doc") -> str:
    """The subject of the main verb where it is a name."""
    root = root_of(doc)
    subject = subject_of(root) if root is not None else None
    if subject is None or subject.pos_ != "PROPN":
        return ""
    return text_of(token for token in subject.subtree if not is_loose(token, subject))


def _with_name(sentence: str, name: str) -> str:
    """The sentence with a pronoun that opens it replaced by what the sentence before spoke of."""
    match = re.match(r"(?:(?P<pronoun>He|She|It)|(?P<owner>His|Her|Its))\s+(?=[a-z])", sentence)
    if match is None or not name:
        return sentence
    return f"{name}{'’s' if match['owner'] else ''} {sentence[match.end() :]}"


# How a sentence begins that cannot be read without the one before it.
_DEPENDENT = re.compile(
    r"(?:He|She|It|They|This|That|These|Those|His|Her|Its|Their|The\s+(?:other|latter|former|same)|Such|Then|There(?:fore|fter)"
    r"|However|Another|Also|So|And|But)\b"
)


def _split_sentence(sentence: str) -> list[str]:
    """Loose additions first, then coordinated predicates, then coordinated nouns."""
    main, additions = without_additions(sentence)
    parts: list[str] = []
    for clause in (main, *additions):
        for predicate in split_predicates(clause):
            parts.extend(split_nouns(predicate))
    if len(parts) > 1 and all(is_statement(part) for part in parts):
        return parts
    return [sentence]
