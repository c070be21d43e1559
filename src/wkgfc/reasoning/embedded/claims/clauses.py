"""Clauses of an English parse: their verb, their subject, and tokens put together as a sentence again."""

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from wkgfc.language import parse

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

SUBJECTS = ("nsubj", "nsubjpass")
CONDITION = re.compile(r"\b(?:if|unless|whether|either|neither|nor|both|respectively|between|except)\b", re.IGNORECASE)
# A subject with one of these need not be the same thing in both parts: "some actors sing and some dance".
_QUANTIFIED = frozenset(
    {"a", "an", "some", "no", "few", "most", "many", "one", "any", "another", "several", "only", "each", "half", "two"}
)


def root_of(doc: "Doc") -> "Token | None":
    """The main verb; ``None`` where a text has none."""
    return next((token for token in doc if token.dep_ == "ROOT" and token.pos_ in ("VERB", "AUX")), None)


def subject_of(verb: "Token") -> "Token | None":
    """The subject that stands before its verb."""
    return next((child for child in verb.children if child.dep_ in SUBJECTS and child.i < verb.i), None)


def is_statement(text: str) -> bool:
    """Whether a text has a main verb with a subject before it, and no pronoun for one that it lost."""
    root = root_of(parse(text))
    is_balanced = text.count('"') % 2 == 0 and text.count("(") == text.count(")") and text.count("“") == text.count("”")
    if root is None or not is_balanced or re.search(r"\b(?:for|of|with|in|on|to|by|from|at|as|and)\.$", text):
        return False
    subject = subject_of(root)
    return subject is not None and subject.lower_ not in ("he", "she", "it", "they", "who", "which", "that")


def text_of(tokens: Iterable["Token | str"]) -> str:
    """Tokens as a text, with the white space that they had, and some where tokens between them were left out."""
    written, last = "", -2
    for token in tokens:
        if isinstance(token, str):
            written, last = written + token, -2
        else:
            gap = " " if last >= 0 and token.i != last + 1 else ""
            written, last = written + gap + token.text_with_ws, token.i
    written = re.sub(r"\s+([,;:!?]|\.(?=\s|$))", r"\1", " ".join(written.split()))
    return re.sub(r",\s*(?=[,.;]|$)|^[,;\s]+", "", written).strip()


def sentence_of(tokens: Iterable["Token | str"]) -> str:
    """Tokens as a sentence: a capital first, a full stop last."""
    written = text_of(tokens).rstrip(",;: ")
    written = written[:1].upper() + written[1:]
    return written if written.endswith((".", "!", "?")) else f"{written}."


def joins_one_subject(root: "Token", subject: "Token | None", chain: Sequence["Token"] = ()) -> bool:
    """Whether an "and" under ``root`` joins what is said of one and the same subject, without a condition.

    A denial of the first verb does not reach verbs with a tense of their own ("was not born in A and died in B").
    """
    if subject is None or CONDITION.search(root.doc.text):
        return False
    if subject.lower_ in _QUANTIFIED or any(child.lower_ in _QUANTIFIED for child in subject.children):
        return False
    is_denied = any(child.dep_ == "neg" for child in root.children)
    return not is_denied or (bool(chain) and all(has_tense(verb) for verb in chain))


def has_tense(verb: "Token") -> bool:
    """Whether a verb is finite or has an auxiliary of its own."""
    return verb.tag_ in ("VBD", "VBZ", "VBP") or any(child.dep_ in ("aux", "auxpass") for child in verb.children)


def is_loose(token: "Token", head: "Token") -> bool:
    """Whether a token belongs to a relative clause, an apposition or a comma under ``head``."""
    while token.i != head.i:
        if token.dep_ in ("relcl", "acl", "punct", "cc", "conj"):
            return token.text not in ("-", ".", "'", "’", "(", ")", "&")
        if token.dep_ == "appos" and token.left_edge.i and token.doc[token.left_edge.i - 1].text == ",":
            return True
        token = token.head
    return False


def is_added(token: "Token", head: "Token") -> bool:
    """As ``is_loose``, but for what "and" joins: "Romeo and Juliet" is one subject."""
    return is_loose(token, head) and not any(
        part.dep_ == "conj"
        and part.head.i == head.i
        and (token.i == part.i or part.is_ancestor(token) or token.dep_ == "cc")
        for part in head.children
    )


def name_tokens(head: "Token") -> list["Token"]:
    """The words of a name or a noun phrase without what is added to it."""
    return [token for token in head.subtree if not is_loose(token, head)]
