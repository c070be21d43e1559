"""What the parse of a summary says of a word: what it hangs on, whether it is denied, whether it heads a phrase."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from wkgfc.kg.builders.vital.articles import Article
from wkgfc.kg.builders.vital.phrases import (
    words,
)

if TYPE_CHECKING:
    from spacy.tokens import Token

_QUALITY_ENDING = re.compile(
    r"(?:less|vorous|phagous|iferous|genic|philic|phobic|proof|[^aeiou]able|ible|morphic|cellular|toxic)$"
)
# Nouns for an act, a state or a measure: what their "of" joins to them is no part of a thing.
NOMINAL = re.compile(
    r"(?:tion|sion|ment|ing|ity|ness|ance|ence|ship|sis|cy)$|^(?:act|use|loss|state|practice|theory|property|rate|"
    r"process|way|level|degree|amount|art|style|form|concept|phenomenon|movement|growth|flow|spread|change|"
    r"control|killing)$"
)


def joined_verbs(verb: "Token") -> "Iterator[Token]":
    """The verb and those that an "and" joins to it without a subject of their own."""
    yield verb
    for child in verb.children:
        has_own_subject = any(each.dep_ in {"nsubj", "nsubjpass"} for each in child.children)
        if child.dep_ == "conj" and child.tag_[:2] == "VB" and not has_own_subject:
            yield from joined_verbs(child)


def is_quality(adjective: str) -> bool:
    """Whether an adjective says what a thing is like: one of the list, or one that is made from a noun or a verb."""
    return adjective in words("characteristics") or bool(
        _QUALITY_ENDING.search(adjective) and adjective not in words("no_qualities") and len(adjective) > 6
    )


def is_vague(kind: Article) -> bool:
    """Whether the word for a kind says next to nothing: "thing", "part", "form"."""
    return kind.label.lower() in words("vague_kinds")


def is_head(noun: "Token") -> bool:
    """Whether the parse gives a noun that can head a phrase: in lower case, and no other noun or adjective follows."""
    if not noun.text[:1].islower() or noun.tag_[:2] != "NN":
        return False
    after = noun.doc[noun.i + 1] if noun.i + 1 < len(noun.doc) else None
    before = noun.doc[max(noun.i - 1, 0)].text
    is_cut = after is not None and (after.tag_[:2] in {"JJ", "NN"} or after.text in {"-", "–"})
    is_cut = is_cut and not (
        after is not None and after.dep_ == "amod" and after.head.i == noun.i
    )  # "the salt present"
    if noun.lower_ in words("no_kind_heads") or (after is not None and after.lower_ == "being"):
        return False
    if noun.lower_.endswith("est") and noun.lower_ not in words("no_superlatives"):
        return False
    return not is_cut and not (before in {"-", "–"} and noun.lower_.endswith("ing"))


def has_preposition(noun: "Token") -> bool:
    """Whether a prepositional phrase hangs on the noun from behind."""
    return any(child.dep_ == "prep" and child.i > noun.i for child in noun.children)


def has_article(noun: "Token") -> bool:
    """Whether an indefinite article stands at the noun."""
    return any(child.dep_ == "det" and child.lower_ in {"a", "an"} for child in noun.children)


def is_joined(noun: "Token") -> bool:
    """Whether an "and" joins another subject to the noun; an "or" gives it another name."""
    children = list(noun.children)
    return any(child.dep_ == "conj" for child in children) and not any(
        child.dep_ == "cc" and child.lower_ == "or" for child in children
    )


def is_someone_or_somewhere(noun: "Token") -> bool:
    """ "for a rider", "in a dwelling": for whom or where a thing is used, not for what."""
    return any(child.dep_ == "det" and child.lower_ in {"a", "an"} for child in noun.children) or noun.lower_ in {
        "people",
        "children",
        "parties",
        "users",
        "passengers",
        "women",
        "men",
        "adults",
        "humans",
        "animals",
        "individuals",
        "players",
        "participants",
        "teams",
        "conjunction",
        "combination",
        "composition",
    }


def starts_with_gerund(text: str) -> bool:
    """Whether a text begins with an "-ing" form: "Stuffing and mounting …"."""
    return bool(re.match(r"[A-Z][a-z]+ing\b", text))


def is_about_how(noun: "Token") -> bool:
    """ "a measure of how strongly it bends light": no measure of light."""
    return any(token.lower_ == "how" for token in noun.doc[noun.i + 1 : noun.i + 3])


def is_denied(noun: "Token") -> bool:
    """Whether a "neither" stands at the noun, or at what a "nor" joins it to."""
    while noun.dep_ == "conj":
        noun = noun.head
    return any(child.lower_ in {"neither", "no"} for child in noun.children)


def governing_verb(noun: "Token") -> str:
    """The verb on which the noun hangs as an object or by a preposition, in lower case."""
    while noun.dep_ in {"conj", "pobj", "prep", "dobj", "obj"}:
        noun = noun.head
    return noun.lower_


def is_object(noun: "Token") -> bool:
    """Whether the noun, or what an "and" joins it to, is the object of a verb."""
    while noun.dep_ == "conj":
        noun = noun.head
    return noun.dep_ in {"dobj", "obj"}


def has_to(verb: "Token") -> bool:
    """Whether the verb is an infinitive with "to"."""
    return any(child.dep_ == "aux" and child.lower_ == "to" for child in verb.children)


_FIELD_LABEL = re.compile(
    r"(?:ology|nomics|istics|matics|physics|chemistry|geometry|algebra|mechanics|dynamics|philosophy|medicine|"
    r"engineering|law|logic|psychology|statistics|calculus|analysis|grammar|computing|theory|science|biology|music|"
    r"botany|astronomy)$"
)
_FIELD_DESCRIPTION = re.compile(
    r"(?:[\w-]+ )?(?:study|branch|science|field|discipline|area of knowledge|studies|subfield)\b", re.IGNORECASE
)


def is_field_of_study(article: Article) -> bool:
    """Whether the article is about a field of study."""
    return bool(_FIELD_DESCRIPTION.match(article.description) or _FIELD_LABEL.search(article.label.lower()))
