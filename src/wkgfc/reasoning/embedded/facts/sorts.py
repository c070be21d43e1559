"""Claims that say what something is: "X is a river"; and what kinds of thing exclude each other.

Only a plain noun is judged: "X is a mountain in Kenya" by the words before the first preposition. Nothing is held
against a claim but a kind that excludes the claimed one: an actor may be a painter, a river is no mountain.
"""

import json
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from wkgfc.evidence import Entity
from wkgfc.language import parse
from wkgfc.reasoning.embedded.claims.clauses import root_of, subject_of
from wkgfc.reasoning.embedded.lexicon.kinds import character_of
from wkgfc.reasoning.embedded.lexicon.relations import TextSpan


@dataclass(frozen=True)
class Sort:
    """What a claim says that its subject is: the noun phrase at ``span``, and its head noun in the singular.

    ``subject`` is where the head of the subject stands: "Australia" in "Baz Luhrmann's film Australia".
    """

    subject: TextSpan
    span: TextSpan
    phrase: str
    head: str


@lru_cache(maxsize=1024)
def sort_of(text: str) -> Sort | None:
    """What ``text`` says its subject is, where it says just that: "is a", "was an", "became a".

    >>> sort_of("The Nile is a mountain in Africa.").head
    'mountain'
    """
    root = root_of(parse(text))
    subject = subject_of(root) if root is not None else None
    if root is None or subject is None or root.lemma_ not in {"be", "become", "remain"}:
        return None
    noun = next((child for child in root.children if child.dep_ == "attr" and child.i > root.i), None)
    if noun is None or noun.pos_ not in {"NOUN", "PROPN"} or any(child.dep_ == "conj" for child in noun.children):
        return None
    articles = [child for child in noun.lefts if child.lower_ in {"a", "an"}]
    if not articles:
        return None
    words = list(noun.doc[articles[0].i + 1 : noun.i + 1])
    span = TextSpan(words[0].idx, noun.idx + len(noun))
    return Sort(
        TextSpan(subject.idx, subject.idx + len(subject)), span, text[span.start : span.end], noun.lemma_.lower()
    )


def is_apart(claimed: Sort, classes: list[Entity]) -> bool:
    """Whether every one of the classes that something is an instance of excludes the claimed one."""
    return bool(classes) and all(_excludes(_head(entity.label), claimed.head) for entity in classes)


def _head(label: str) -> str:
    words = label.lower().split(" of ")[0].split(" in ")[0].split()
    return words[-1] if words else ""


@lru_cache(maxsize=1)
def _groups() -> tuple[frozenset[str], ...]:
    text = files("wkgfc.reasoning.embedded.lexicon").joinpath("kinds.json").read_text(encoding="utf-8")
    return tuple(map(frozenset, json.loads(text)["apart"]))


def _excludes(stated: str, claimed: str) -> bool:
    """Whether what is called so can be nothing that is called so: a river no mountain, a film no person."""
    here = [number for number, group in enumerate(_groups()) if stated in group]
    there = [number for number, group in enumerate(_groups()) if claimed in group]
    if here and there:
        return not set(here) & set(there)
    kinds = [_kind(stated), _kind(claimed)]
    return None not in kinds and frozenset(kinds) in _KINDS_APART


def _kind(noun: str) -> str | None:
    return character_of(Entity(id="Q0", label=noun, description=noun)).kind


_KINDS_APART = {
    frozenset(pair)
    for pair in (
        ("person", "place"),
        ("person", "work"),
        ("person", "language"),
        ("person", "organisation"),
        ("work", "place"),
        ("work", "language"),
        ("place", "language"),
        ("organisation", "language"),
    )
}
