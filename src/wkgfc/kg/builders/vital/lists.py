"""Kinds from lists in any article: "stringed instruments such as violins", "violins and other stringed instruments".

Source: M. A. Hearst, Automatic acquisition of hyponyms from large text corpora, COLING 1992.
"""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from wkgfc.evidence import Entity
from wkgfc.kg.builders.records import local_id
from wkgfc.kg.builders.vital.articles import Article
from wkgfc.kg.builders.vital.facts import Fact
from wkgfc.kg.builders.vital.names import Names, singular_phrase
from wkgfc.kg.builders.vital.phrases import noun_phrase, objects, words

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_MORE = frozenset(("prep", "relcl", "acl"))  # what hangs on a noun and narrows what it means


def list_facts(article: Article, extract: "Doc", names: Names) -> Iterator[Fact]:
    """The kinds of the articles that the extract lists as examples of something."""
    for token in extract:
        if token.lower_ == "as" and token.dep_ == "prep" and token.i and extract[token.i - 1].lower_ == "such":
            kind = token.head
            # "members of a band, such as": which noun is meant is open
            if kind.i < token.i and not extract[kind.i + 1 : token.i - 1].text.strip(" ,"):
                examples = [noun for inner in token.children if inner.dep_ == "pobj" for noun in objects(inner)]
                yield from _of_kind(article, examples, kind, names)
        elif token.lower_ == "other" and token.dep_ == "amod" and token.head.dep_ == "conj":
            kind = token.head
            if not any(child.dep_ in _MORE for child in kind.children):
                yield from _of_kind(article, _joined_before(kind), kind, names)


def _joined_before(noun: "Token") -> list["Token"]:
    found, head = [], noun
    while head.dep_ == "conj" and head.head.tag_[:2] == "NN":
        head = head.head
        found.append(head)
    return found


def _of_kind(article: Article, nouns: "list[Token]", kind: "Token", names: Names) -> Iterator[Fact]:
    phrase = noun_phrase(kind, keep_of=False) if kind.tag_ == "NNS" else None
    if phrase is None or not phrase[0].islower() or len(phrase.split()) > 3:
        return
    known = names.article(phrase, article.topic)
    label = singular_phrase(phrase)
    if (known is not None and not known.is_common) or (known is None and label in words("vague_kinds")):
        return
    value = known.entity if known is not None else Entity(id=local_id(label), label=label)
    for noun in nouns:
        if any(child.dep_ in _MORE for child in noun.children):
            continue
        text = noun_phrase(noun, keep_of=False)
        example = names.article(text, article.topic) if text else None
        if example is None or example.entity.id == value.id or example.label.lower().endswith(label.lower()):
            continue
        if known is None and not re.search(
            rf"\b{re.escape(label.split()[-1])}s?\b", example.description, re.IGNORECASE
        ):
            continue  # what two texts say of it is sure enough; "dishes and other housekeeping tasks" is of the list
        is_kind = example.is_common or example.topic == "Biology and health sciences"
        yield Fact("P279" if is_kind else "P31", value, kind.sent.text.strip(), example.entity)
