"""Noun phrases of a parse as labels of nodes, and the verb forms that the rules need.

The parse comes without a lemmatizer, which would take half as long again; what is needed of one stands here.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from wkgfc.kg.builders.vital.names import lexicon, singular

if TYPE_CHECKING:
    from spacy.tokens import Token

_IN_FRONT = frozenset(("amod", "compound", "nmod", "npadvmod", "punct", "advmod", "poss", "nummod", "quantmod", "det"))
# "fourth-most populous", "second-largest": a rank among others of the kind, not a kind.
_RANKED = re.compile(
    r"(?:[a-z]+-)*(?:most|least|largest|longest|oldest|highest|busiest|smallest)(?:-[a-z]+)?|first|second|third|fourth|"
    r"fifth|sixth|seventh|eighth|ninth|tenth|[a-z]+teenth|final|last|least"
)
_MAX_WORDS, _MAX_CHARACTERS = 6, 50


@lru_cache(maxsize=16)
def words(group: str) -> frozenset[str]:
    """A word list of the lexicon as a set."""
    return frozenset(lexicon()[group])


def objects(token: "Token") -> Iterator["Token"]:
    """The token and what is joined to it by "and", "or" and commas."""
    yield token
    for child in token.children:
        if child.dep_ == "conj" and child.tag_[:2] in {"NN", "VB"}:
            yield from objects(child)


def of_phrase(token: "Token") -> list["Token"]:
    """The nouns that an "of" behind the token joins to it."""
    for child in token.children:
        if child.dep_ == "prep" and child.lower_ == "of" and child.i > token.i:
            return [noun for inner in child.children if inner.dep_ == "pobj" for noun in objects(inner)]
    return []


def noun_phrase(token: "Token", *, keep_of: bool = True) -> str | None:
    """The phrase that the noun heads as a label: its modifiers in front, and an "of" behind.

    "a wide variety of stringed instruments" is "stringed instruments". ``None`` where the phrase says nothing by
    itself ("one part") or says that something is not there.
    """
    if token.tag_[:2] != "NN" or any(
        child.dep_ == "neg" or child.lower_ in {"no", "without"} for child in token.children
    ):
        return None
    if token.lower_.endswith("ally"):
        return None
    if token.i + 1 < len(token.doc) and token.nbor().tag_ in {"NN", "NNS"} and token.nbor().dep_ != "appos":
        return None  # "carbon dioxide", of which the parse makes two phrases
    before = token.doc[max(token.i - 1, 0)]
    if token.tag_[:2] == "NN" and before.tag_ == "WRB":
        return None  # "how thoughts are influenced"
    if before.tag_ in {"NN", "NNS"} and before.i < token.left_edge.i:
        return None  # the other half of such a pair
    if any(
        child.tag_ == "NNS" and child.dep_ != "poss" and any(each.dep_ == "amod" for each in child.children)
        for child in token.lefts
    ):
        return None  # "chemical elements lithium"
    inner = of_phrase(token)
    if inner and token.lower_ in words("transparent_nouns"):
        return noun_phrase(inner[0], keep_of=keep_of)
    front = modifiers(token)
    is_empty = token.lower_ in words("empty_nouns") or singular(token.lower_) in words("empty_nouns")
    if is_empty and not front and not (inner and keep_of):
        return None
    if any(child.tag_ == "PRP$" for child in token.children) and not front:
        return None  # "its use": whose and what stand elsewhere
    text = " ".join((*front, token.text))
    if keep_of and inner:
        tail = noun_phrase(inner[0], keep_of=False) if len(inner) == 1 else None
        if tail is None and len(inner) == 1 and inner[0].tag_ == "NN" and not list(inner[0].children):
            tail = inner[0].lower_  # "unit of time", where "time" alone would say nothing
        if tail is None:
            return None if is_empty else _clean(text)
        text = f"{text} of {tail}"
    return _clean(text)


def modifiers(token: "Token") -> list[str]:
    """The words in front of a noun that belong to its name, without determiners, numbers and evaluations."""
    kept: list[str] = []
    expected = token.i
    for child in reversed([child for child in token.children if child.i < token.i and child.dep_ in _IN_FRONT]):
        if child.right_edge.i != expected - 1:
            break
        expected = child.left_edge.i
        if child.dep_ in {"det", "nummod", "poss", "quantmod"} or child.tag_ in {
            "CD",
            "JJR",
            "JJS",
            "PRP$",
            "RBR",
            "RBS",
        }:
            break
        text = token.doc[child.left_edge.i : child.right_edge.i + 1].text
        if child.dep_ == "punct" and text not in {"-", "–"}:
            break
        if any(part.tag_ in {"CC", "IN", ",", "TO"} for part in child.subtree):
            last = token.doc[child.right_edge.i]
            if last.dep_ == "conj" and last.tag_ in {"JJ", "NN"}:
                kept.insert(0, last.text)  # "religious and philosophical tradition"
            break
        kept.insert(0, text)
    found = re.sub(r"\s*([-–])\s*", r"\1", " ".join(kept)).split()
    while found and (found[0] in words("evaluations") or found[0] in {"-", "–"} or _RANKED.fullmatch(found[0])):
        found = found[2:] if found[0] in {"most", "least"} else found[1:]
    return found


def _clean(text: str) -> str | None:
    text = re.sub(r"\s*([-–/])\s*", r"\1", text)
    text = re.sub(r"\s+(?:wherein|whereby|where|when|which|that|as|so)$", "", text)
    text = re.sub(r"\s+(['’]s?)\b", r"\1", text).strip(" -–'\"“”,.;:")
    if len(text) > _MAX_CHARACTERS or len(text) < 3 or len(text.split()) > _MAX_WORDS:
        return None
    text = re.sub(r"^(?:bacterium|bacteria|coronavirus|parasite) (?=[A-Z])", "", text)
    return text if re.fullmatch(r"[^\W\d_][\w\s'’–/.-]*", text) else None


def without_nationality(phrase: str) -> tuple[str, list[str]]:
    """The phrase without the demonyms in front of it, and the countries that they name.

    >>> without_nationality("South African wine")
    ('wine', ['South Africa'])
    """
    countries: list[str] = []
    parts = phrase.split()
    demonyms = lexicon()["demonyms"]
    while len(parts) > 1:
        two = " ".join(parts[:2])
        if len(parts) > 2 and two in demonyms:
            countries.append(demonyms[two])
            parts = parts[2:]
        elif parts[0] in demonyms:
            countries.append(demonyms[parts[0]])
            parts = parts[1:]
        else:
            break
    return " ".join(parts), countries


def gerund(verb: str) -> str:
    """The verb's "-ing" form.

    >>> gerund("measure"), gerund("cut"), gerund("tie")
    ('measuring', 'cutting', 'tying')
    """
    verb = verb.lower()
    if verb.endswith("ie"):
        return verb[:-2] + "ying"
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")):
        return verb[:-1] + "ing"
    return verb + (verb[-1] if verb in words("doubled_verbs") else "") + "ing"


def base_of_third_person(verb: str) -> str:
    """The verb without the "-s" of the third person.

    >>> base_of_third_person("washes"), base_of_third_person("carries"), base_of_third_person("stores")
    ('wash', 'carry', 'store')
    """
    if verb.endswith("ies") and len(verb) > 4:
        return verb[:-3] + "y"
    if verb.endswith(("sses", "shes", "ches", "xes", "zzes", "oes")):
        return verb[:-2]
    return verb[:-1] if verb.endswith("s") and not verb.endswith("ss") else verb


def forms_of(verb: str) -> tuple[str, ...]:
    """The forms in which an active clause may have the verb: base, third person, past, "-ing"."""
    past = {"lead": "led", "feed": "fed", "grow": "grew", "arise": "arose", "have": "had", "begin": "began"}
    third = {"have": "has"}
    regular_third = verb[:-1] + "ies" if verb.endswith("y") and verb[-2:-1] not in "aeo" else verb + "s"
    if verb.endswith(("s", "sh", "ch", "x", "z", "o")):
        regular_third = verb + "es"
    regular_past = verb + "d" if verb.endswith("e") else verb[:-1] + "ied" if verb.endswith("y") else verb + "ed"
    return verb, third.get(verb, regular_third), past.get(verb, regular_past), gerund(verb)


def head_form(phrase: str) -> str:
    """The phrase in lower case with its last word in the singular, to compare phrases by."""
    parts = phrase.lower().split()
    return " ".join((*parts[:-1], singular(parts[-1]))) if parts else ""
