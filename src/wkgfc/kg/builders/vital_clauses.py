"""Facts about anything, from dependency patterns: what a thing is, is like, is made of, is used for, causes, measures.

A clause counts if its subject is the article's own: its name, a pronoun at the head of a sentence that follows one
about it, or "the" with the word for its kind ("A harp is a string instrument … The instrument …"). Description and
sentences are read alike, the description as "It is a …".
"""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from wkgfc.evidence import Entity
from wkgfc.kg.builders.records import local_id
from wkgfc.kg.builders.vital_articles import Article
from wkgfc.kg.builders.vital_dates import read_when
from wkgfc.kg.builders.vital_descriptions import is_origin
from wkgfc.kg.builders.vital_facts import Fact, dated, english
from wkgfc.kg.builders.vital_names import Names, lexicon, singular_phrase, without_determiner
from wkgfc.kg.builders.vital_people import is_person
from wkgfc.kg.builders.vital_phrases import (
    base_of_third_person,
    gerund,
    head_form,
    modifiers,
    noun_phrase,
    objects,
    of_phrase,
    without_nationality,
    words,
)
from wkgfc.kg.builders.vital_relations import (
    ACTIVE,
    ACTIVE_WITH,
    BEGINNINGS,
    DATED,
    KNOWN_ONLY,
    MAKERS,
    PASSIVE_WITH,
    PLACES,
)

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token

# what a word is used for, not a thing
_ABOUT_WORDS = frozenset(
    ("being", "doing", "including", "meaning", "referring", "referencing", "describing", "denoting", "distinguishing")
)
_OF_USE = frozenset(
    (
        "Arts",
        "Biology and health sciences",
        "Everyday life",
        "Physical sciences",
        "Society and social sciences",
        "Technology",
        "Uncategorized",
    )
)
_NO_WHOLE = frozenset(
    ("family", "rank", "quantity", "group", "genus", "category", "class", "species", "scene", "concept", "trend")
)
_NO_DOMAINS = frozenset(("king", "queen", "god", "gods", "herald", "patron", "protector", "father", "sky", "messenger"))
_HABITAT = re.compile(
    r"\b(?:forests?|rainforests?|woodlands?|grasslands?|deserts?|savannas?|savannahs?|wetlands?|swamps?|marshes|burrows?|"
    r"rivers?|lakes?|ponds?|streams?|waters?|seas?|oceans?|reefs?|mountains?|environments?|climates?|soils?|tropics|"
    r"regions?|areas?|habitat|tundra|steppes?|caves?|crevices?|trees|coasts?|coastlines?|plains?|islands?|highlands?|"
    r"lowlands?|estuaries|intestines?|nests?|colonies|hives?|air|Africa|Asia|Europe|Australia|Americas?)$",
    re.IGNORECASE,
)
_SURFACE = re.compile(r"\b(?:courts?|fields?|pitch|ice|rinks?|tables?|boards?|grass|courses?|greens?)$")
_OF_PARTS = frozenset(("consists", "consist", "consisting", "composed", "comprises", "comprising", "contains", "made"))
_OF_NO_MAKER = frozenset(("Physical sciences", "Society and social sciences"))
_AIMS = frozenset(("aims", "aim", "seeks", "seek", "aimed", "sought", "strives", "strive"))
_NAMING = frozenset(("known", "called", "termed"))
_COMPOUND = re.compile(
    r"[a-z]+-(?:[a-z]+ed|[a-z]+ing|like|free|shaped|sized|proof|borne|eating|only|poor|rich|toed|leaved)"
)
_QUALITY_ENDING = re.compile(
    r"(?:less|vorous|phagous|iferous|genic|philic|phobic|proof|[^aeiou]able|ible|morphic|cellular|toxic)$"
)
_HEDGES = frozenset(("may", "might", "could", "would", "should", "must"))
_TIMES = re.compile(r"^(?:\d{3,4}s?|(?:the )?(?:\d+(?:st|nd|rd|th)|early|late|mid).*|[A-Z]\w+ \d{4})$")
_DATE = re.compile(r"(?:\d{1,2} [A-Z][a-z]+ |[A-Z][a-z]+ (?:\d{1,2}, )?)?\d{3,4}s?(?:$|[ ,](?!BC))")
_NOT_OF_THE_KIND = frozenset(
    ("artificial", "former", "fictional", "virtual", "mythical", "legendary", "hypothetical", "false", "imaginary")
)
_TOPICS_OF_THINGS = frozenset(("Biology and health sciences", "Physical sciences", "Geography", "Uncategorized"))
_ABSTRACT_TOPICS = frozenset(
    ("Arts", "History", "Mathematics", "Philosophy and religion", "Society and social sciences", "Technology")
)
_TOO_WIDE = frozenset(
    (
        *("species", "work", "code", "rule", "discipline", "member", "example", "project", "idea", "right", "assembly"),
        *("subfield", "genus", "subgenre", "style", "branch", "region", "genre", "field", "category", "class", "stage"),
        *("subfamily", "family", "tribe", "language", "theory", "unit", "sequence", "aspect", "subspecies", "group"),
        *(
            "clade",
            "tree",
            "liner",
            "taxon",
            "subtype",
            "bent",
            "cow",
            "store",
            "agent",
            "performer",
            "content",
            "origin",
            "kind",
            "form",
            "layer",
        ),
    )
)
_MADE_OF_MATTER = frozenset(
    ("Arts", "Biology and health sciences", "Everyday life", "Physical sciences", "Technology", "Uncategorized")
)
_OLD_STATES = frozenset(("Ancient Greece", "Ancient Rome", "Ancient Egypt"))
_TOPICS_WITH_ORIGIN = frozenset(
    ("Arts", "Everyday life", "Biology and health sciences", "Philosophy and religion", "Technology")
)
_OF_NAMES = frozenset(("compound", "amod", "nmod", "punct", "npadvmod"))
_NOMINAL = re.compile(
    r"(?:tion|sion|ment|ing|ity|ness|ance|ence|ship|sis|cy)$|^(?:act|use|loss|state|practice|theory|property|rate|"
    r"process|way|level|degree|amount|art|style|form|concept|phenomenon|movement|growth|flow|spread|change|"
    r"control|killing)$"
)
_SUBJECTS = frozenset(("nsubj", "nsubjpass", "csubj", "csubjpass"))
_MAX_TOKENS = 120  # a sentence longer than that is a list or no sentence


def clause_facts(
    article: Article,
    description: "Doc",
    extract: "Doc",
    names: Names,
    relations: frozenset[str] | None = None,
) -> Iterator[Fact]:
    """All that the dependency patterns read in the description ("It is a …") and in the sentences of the extract.

    ``relations``: only these, for kinds of subjects whose own rules read the others better.
    """
    reader = _Reader(article, names)
    has_kind = False
    seen: set[tuple[str, str]] = set()
    for number, sentence in enumerate((*description.sents, *extract.sents)):
        for fact in reader.sentence(sentence, number, is_description=sentence.doc is description):
            key = (fact.relation, getattr(fact.value, "id", str(fact.value)))
            if key in seen or (relations is not None and fact.relation not in relations):
                continue
            seen.add(key)
            has_kind = has_kind or fact.relation in {"P31", "P279"}
            yield fact
    if not has_kind and (relations is None or "P31" in relations):
        yield from reader.plain_kind()


class _Reader:
    """Reads the sentences of one article in their order, and knows whether the last one was about its subject."""

    def __init__(self, article: Article, names: Names) -> None:
        self.article = article
        self.names = names
        self.kinds: set[str] = set()
        self.plain_kinds: dict[str, str] = {}
        self.own_names = {head_form(article.label), head_form(article.title)}
        self.own_names.update(head_form(name) for name in names.names_of(article))
        self.stems = {word.lower()[:5] for word in re.findall(r"\w{3,}", article.label)}
        self.is_about_subject = False
        self.is_first_of_extract = False
        self.is_description = False
        self.text = ""

    # --- subjects ----------------------------------------------------------------------------------------------------

    def sentence(self, sentence: "Span", number: int, *, is_description: bool) -> Iterator[Fact]:
        """The facts of one sentence."""
        self.is_description = is_description
        self.text = self.article.description if is_description else sentence.text.strip()
        is_about = False
        self.is_first_of_extract = not is_description and sentence.start == 0
        for token in sentence if len(sentence) <= _MAX_TOKENS else ():
            if token.dep_ not in _SUBJECTS or token.head.tag_[:2] != "VB":
                continue
            if not is_description and not self._is_subject(token, sentence, number):
                yield from self._kinds_of_it(token)
                continue
            if not is_about and not is_description:
                yield from self._field_in_front(sentence)
            is_about = True
            if not is_description:
                for child in token.children:
                    if child.dep_ == "appos" and child.tag_ in {"NN", "NNS"} and _has_article(child):
                        yield from self._kind(child)
            for verb in _joined_verbs(token.head):
                yield from self._verb(verb, is_description)
        self.is_about_subject = is_about

    def _is_subject(self, token: "Token", sentence: "Span", number: int) -> bool:
        if token.tag_ == "PRP":
            return token.lower_ in {"it", "they"} and token.i - sentence.start <= 1 and self.is_about_subject
        if self.is_first_of_extract and token.head.i == sentence.root.i and token.i < token.head.i:
            # what the first sentence of a summary speaks of is what its title names
            return token.tag_[:2] in {"NN", "VB", "JJ"} and self._resembles(token)
        if token.tag_[:2] != "NN" or _is_joined(token):
            return False
        lefts = [child for child in token.children if child.i < token.i]
        if any(
            child.lower_ in words("quantifiers") or child.tag_ in {"PRP$", "CD"} or child.dep_ == "poss"
            for child in lefts
        ):
            return False
        if " of " not in self.article.label and any(
            child.dep_ == "prep" and child.i > token.i for child in token.children
        ):
            return False
        start = min((child.left_edge.i for child in lefts if child.dep_ in _OF_NAMES), default=token.i)
        name = sentence.doc[start : token.i + 1].text
        longer = re.split(r"[,(]", sentence.doc[start : token.right_edge.i + 1].text)[0].strip()
        if head_form(name) in self.own_names or head_form(longer) in self.own_names:
            return True
        return (
            number > 0
            and self.is_about_subject
            and len(lefts) == 1
            and lefts[0].lower_ in {"the", "this", "these"}
            and head_form(token.text) in self.kinds
        )

    def _kinds_of_it(self, noun: "Token") -> Iterator[Fact]:
        """ "Types of printers include 3D printers and inkjet printers": these are printers."""
        inner = of_phrase(noun)
        if (
            noun.lower_ not in words("kinds_of")
            or len(inner) != 1
            or noun.head.lower_ not in {"include", "are", "includes"}
        ):
            return
        if (
            head_form(" ".join((*modifiers(inner[0]), inner[0].text))) not in self.own_names
            or not self.article.is_common
        ):
            return
        for child in noun.head.children:
            if child.dep_ in {"dobj", "attr"}:
                for token in objects(child):
                    phrase = noun_phrase(token, keep_of=False)
                    if phrase is not None and phrase.lower() not in self.own_names:
                        example = self._entity(phrase)
                        yield Fact("P279", self.article.entity, self.text, example)

    def _resembles(self, noun: "Token") -> bool:
        """Whether the noun with what is in front of it, or another name after an "or", shares a word with the title."""
        if any(child.tag_ == "PRP$" or child.lower_ in words("quantifiers") for child in noun.children):
            return False
        start = min((child.left_edge.i for child in noun.children if child.dep_ in _OF_NAMES), default=noun.i)
        near = noun.doc[min(start, noun.i) : noun.i + 1]
        others = [child.text for child in noun.children if child.dep_ in {"conj", "appos"}]
        if any(child.dep_ == "prep" and child.lower_ == "of" for child in noun.children):
            if " of " not in self.article.label:
                return False
            others.extend(token.text for token in of_phrase(noun))
        text = " ".join((near.text, *others))
        whole = self.article.label.partition(" of ")
        if whole[1] and not re.search(rf"\b{re.escape(whole[0].split()[-1][:4])}", text, re.IGNORECASE):
            return False  # "Properties of water": a sentence about water is none about them
        return any(word.lower()[:5] in self.stems for word in re.findall(r"\w{3,}", text))

    def _field_in_front(self, sentence: "Span") -> Iterator[Fact]:
        """ "In mathematics, a permutation …": studied by mathematics."""
        match = re.match(r"In (?P<f>[a-z][\w\s-]{3,60}?), (?:an?|the|[a-z])", sentence.text)
        if match is None:
            return
        for part in re.split(r",\s*(?:and\s+)?|\s+and\s+(?:in\s+)?", match["f"]):
            found = self._article(part.strip())
            if found is not None and found.is_common and is_field_of_study(found):
                yield self._fact("P2579", found.entity)

    # --- predicates --------------------------------------------------------------------------------------------------

    def _verb(self, verb: "Token", is_description: bool) -> Iterator[Fact]:
        children = list(verb.children)
        if any(child.dep_ == "neg" for child in children):
            return
        if verb.lower_ == "be" and any(child.lower_ in _HEDGES | {"can"} for child in children):
            return
        if verb.lower_ in {"is", "are", "was", "were", "be"}:
            if verb.lower_ in {"was", "were"} and self.article.is_common and not self.is_first_of_extract:
                return  # "in their oldest forms, cakes were modifications of bread"
            attributes = [child for child in children if child.dep_ == "attr"]
            for child in attributes[:1]:
                if child.lower_ == "one":  # "one of the most used materials"
                    for token in of_phrase(child)[:1]:
                        yield from self._kind_phrase(token)
                else:
                    yield from self._attribute(child)
            for child in children:
                if child.dep_ == "acomp":
                    yield from self._adjective(child)
            return
        is_hedged = any(child.dep_ == "aux" and child.lower_ in _HEDGES for child in children)
        if any(child.dep_ == "auxpass" for child in children):
            yield from self._passive(verb, is_hedged)
        elif not is_hedged:
            found = list(self._active(verb))
            yield from found
            if verb.lower_ in _AIMS:
                for child in children:
                    if child.dep_ == "xcomp" and child.tag_ == "VB" and _has_to(child):
                        yield from self._purpose(child.lower_, child, relation="P3712")
            elif not found and verb.tag_ in {"VBZ", "VBP"}:
                base = base_of_third_person(verb.lower_) if verb.tag_ == "VBZ" else verb.lower_
                is_of_use = self.article.topic in _OF_USE - _OF_NO_MAKER
                if base in words("functions") and self.article.is_common and is_of_use:
                    yield from self._purpose(base, verb)

    def _attribute(self, noun: "Token") -> Iterator[Fact]:
        """What follows "is a": the kind, its adjectives, its "of", and the clauses that hang on it."""
        for head in objects(noun):
            has_article = any(child.dep_ == "det" for child in head.children)
            if head.i != noun.i and _has_preposition(noun) and not has_article:
                continue  # "the decay of rocks through contact with water, gases, and organisms"
            is_arising = any(child.lower_ in {"arising", "coming"} for child in head.children)
            starts = self.is_description and noun.doc[2].lower_ in {"a", "an"}
            if is_arising or (starts and head.tag_ == "NNS" and _starts_with_gerund(self.text)):
                continue  # "Stuffing and mounting dead animals", "Life arising from …"
            if head.tag_[:2] != "NN" or any(
                child.dep_ == "neg" or child.lower_ in {"no", "one"} for child in head.children
            ):
                continue
            yield from self._kind(head)
            around = [head]
            if head_form(head.text) in words("light_nouns") | words("collections") | words("parts_of_fields") | words(
                "ways"
            ):
                around.extend(of_phrase(head))  # "a set of rules used by cells": the set is used by them
            yield from self._used_behind(head, around)
            for child in (child for noun in around for child in noun.children):
                if child.i < head.i:
                    continue
                if child.dep_ == "acl" and child.tag_ == "VBN":
                    yield from self._passive(child, False)
                elif child.dep_ == "acl" and child.tag_ == "VBG":
                    yield from self._active(child)
                elif child.dep_ == "relcl":
                    yield from self._relative(child, head)
                elif child.dep_ == "acl" and child.tag_ == "VB" and head_form(head.text) in words("artefacts"):
                    yield from self._purpose(child.lower_, child)
                elif child.dep_ == "acl" and child.tag_ == "VB" and head_form(head.text) in words("endeavours"):
                    yield from self._purpose(child.lower_, child, relation="P3712")
                elif child.dep_ == "appos" and _has_article(child) and not _has_preposition(head):
                    yield from self._kind(child)
                elif child.dep_ == "prep" and child.lower_ == "for":
                    if head_form(head.text) in words("artefacts"):
                        yield from self._purposes(child)
                elif child.dep_ == "prep" and child.lower_ in {"about", "from"}:
                    for inner in child.children:
                        if inner.dep_ == "pobj":
                            yield from self._about_or_from(child.lower_, head, list(objects(inner)))
                elif child.dep_ == "prep" and child.lower_ == "with":
                    for inner in child.children:
                        if inner.dep_ == "pobj" and child.i == head.i + 1:
                            is_made = self.article.topic in {"Everyday life", "Technology", "Arts"}
                            yield from self._all("P527" if is_made else "P1552", list(objects(inner)))
                elif child.dep_ == "amod" and child.lower_ in {"native", "indigenous"}:
                    yield from self._prepositions(child, child.lower_)

    def _used_behind(self, head: "Token", read: "list[Token]") -> Iterator[Fact]:
        """ "a tool with bristles used for cleaning": the tool is used for it, whatever noun the parse hangs it on."""
        known = {noun.i for noun in read}
        for token in head.subtree:
            is_participle = token.dep_ == "acl" and token.lower_ in {"used", "designed", "worn"}
            noun = token.head
            if is_participle and noun.i not in known and noun.dep_ == "pobj" and noun.head.head.i == head.i:
                yield from self._passive(token, False)

    def _about_or_from(self, preposition: str, head: "Token", nouns: "list[Token]") -> Iterator[Fact]:
        """ "novel about the sea" has it for its subject; "meat from cattle" is made from it."""
        for noun in nouns:
            found = self._article(noun_phrase(noun))
            if found is None or found.title == self.article.title:
                continue
            if preposition == "about":
                yield self._fact("P921", found.entity)
            elif found.is_common and self.article.is_common and head_form(head.text) in words("matter"):
                yield self._fact("P186", found.entity)

    def _relative(self, verb: "Token", head: "Token") -> Iterator[Fact]:
        subject = next((child for child in verb.children if child.dep_ in {"nsubj", "nsubjpass"}), None)
        if subject is None or subject.lower_ not in {"that", "which"}:
            return
        for each in _joined_verbs(verb):
            children = list(each.children)
            if any(child.dep_ == "neg" for child in children):
                continue
            is_hedged = any(child.dep_ == "aux" and child.lower_ in _HEDGES for child in children)
            if any(child.dep_ == "auxpass" for child in children):
                yield from self._passive(each, is_hedged)
            elif each.lower_ in {"is", "are"}:
                for child in children:
                    if child.dep_ == "acomp":
                        yield from self._adjective(child)
            elif not is_hedged:
                found = list(self._active(each))
                yield from found
                is_natural = self.article.topic == "Physical sciences" and head.lower_ in {
                    "object",
                    "body",
                    "substance",
                }
                is_for_use = head_form(head.text) in words("artefacts") and not is_natural
                if not found and each.tag_ in {"VBZ", "VBP"}:
                    base = base_of_third_person(each.lower_) if each.tag_ == "VBZ" else each.lower_
                    is_made = self.article.is_common and self.article.topic in _OF_USE - _OF_NO_MAKER
                    if base in words("functions") and (is_for_use or is_made):
                        yield from self._purpose(base, each)

    # --- kinds -------------------------------------------------------------------------------------------------------

    def plain_kind(self) -> Iterator[Fact]:
        """The wide word for what the subject is ("a process", "a concept"), where no narrower one is read."""
        for noun, text in self.plain_kinds.items():
            relation = "P279" if self.article.is_common else "P31"
            found = self._article(noun)
            if found is None or (found.is_common and found.title != self.article.title):
                yield Fact(relation, self._entity(noun) if found else Entity(id=local_id(noun), label=noun), text)
                return

    def _kind(self, head: "Token") -> Iterator[Fact]:
        inner = of_phrase(head)
        noun = head_form(head.text)
        self.kinds.add(noun)
        if noun in words("plain_kinds") and head.dep_ in {"attr", "conj"}:
            self.plain_kinds.setdefault(noun, self.text)
        if inner and noun in words("light_nouns"):
            for token in inner:
                yield from self._kind_phrase(token)
        elif inner and noun in {"study", "science"}:
            yield from self._all("P2578", inner)
        elif inner and noun in words("parts_of_fields"):
            if inner[0].lower_ != "speech":  # "part of speech" is a kind of word
                yield from self._all("P361", inner[:1])
                yield from self._further_fields(inner[1:] if noun == "branch" else [])
            if noun in {"branch", "subfield", "subdiscipline", "discipline"}:
                for token in inner:
                    found = self._article(noun_phrase(token))
                    if found is not None and is_field_of_study(found):
                        yield self._fact("P279", found.entity)
        elif inner and noun in words("making"):
            yield from self._all("P1056", inner)
        elif inner and noun in {"god", "goddess"}:
            yield from self._kind_phrase(head)
            yield from self._all("P2925", [each for each in inner if each.lower_ not in _NO_DOMAINS])
        elif inner and noun in {"practitioner", "specialist"}:
            yield from self._all("P425", inner)
        elif inner and noun in {"opposite", "antonym"}:
            yield from self._all("P461", inner)
        elif inner and noun in {"member", "component", "constituent", "subset"}:
            yield from self._all("P361", inner)
        elif inner and noun in {"use", "application", "usage"}:
            yield from self._all("P2283", inner)
        else:
            if inner and noun in {"measure", "measurement"} and not _is_about_how(head):
                yield from self._all("P2575", inner)
            elif inner and noun == "unit" and self.article.topic in {"Physical sciences", "Technology"}:
                yield from self._unit_of(inner)
            elif inner and noun in words("collections") - {"system", "network"} and head.dep_ == "attr":
                yield from self._parts(noun, inner)
            elif inner and noun in words("parts_of_bodies"):
                yield from self._known("P361", inner, None)
            elif inner and noun in words("ills"):
                yield from self._known("P927", inner, "Biology and health sciences")
            elif len(inner) == 1 and _NOMINAL.search(noun) and noun not in words("no_aspects"):
                yield from self._known("P1269", inner, None)
            if not inner or modifiers(head) or noun not in words("collections") or noun in {"alloy", "mixture"}:
                yield from self._kind_phrase(head)
            yield from self._behind(head)

    def _unit_of(self, tokens: "list[Token]") -> Iterator[Fact]:
        """ "the SI unit of force": of what quantity it is."""
        for token in tokens:
            named = of_phrase(token) if token.lower_ == "measurement" else [token]
            for fact in self._all("P111", named):
                if fact.value != self._entity("measurement"):
                    yield fact

    def _further_fields(self, tokens: "list[Token]") -> Iterator[Fact]:
        """ "a branch of physics and chemistry": the second only if it is a field too."""
        for token in tokens:
            found = self._article(noun_phrase(token))
            if found is not None and found.title != self.article.title and is_field_of_study(found):
                yield self._fact("P361", found.entity)

    def _parts(self, noun: str, inner: "list[Token]") -> Iterator[Fact]:
        for token in inner:
            phrase = noun_phrase(token)
            if (
                phrase
                and self.article.is_common
                and (token.tag_ == "NNS" or noun in {"mixture", "alloy", "combination"})
            ):
                yield self._fact("P186" if noun in {"alloy", "mixture"} else "P2670", self._entity(phrase))

    def _known(self, relation: str, tokens: "list[Token]", topic: str | None) -> Iterator[Fact]:
        """The relation to those of the nouns that are articles, of one topic where one is given."""
        for token in tokens:
            found = self._article(noun_phrase(token))
            if found is not None and found.title != self.article.title and topic in {None, found.topic}:
                yield self._fact(relation, found.entity)

    def _behind(self, head: "Token") -> Iterator[Fact]:
        """ "a concept in sociology" is studied by sociology, "a gland in the neck" is found in the neck."""
        is_organ = head_form(head.text) in words("organs") and self.article.topic == "Biology and health sciences"
        for child in head.children:
            if child.dep_ == "prep" and child.lower_ == "in" and child.i > head.i:
                for token in (noun for inner in child.children if inner.dep_ == "pobj" for noun in objects(inner)):
                    found = self._article(noun_phrase(token))
                    if found is None or found.title == self.article.title:
                        continue
                    if is_field_of_study(found):
                        yield self._fact("P2579", found.entity)
                    elif found.title.endswith(("mythology", "religion")) and not found.is_common:
                        yield self._fact("P361", found.entity)
                    elif is_organ and found.topic == "Biology and health sciences":
                        yield self._fact("P927", found.entity)

    def _kind_phrase(self, head: "Token") -> Iterator[Fact]:
        """The kind as the text has it, and the most specific article that it ends in."""
        # "an amount of energy" is no energy, but "a natural number" is one
        is_amount = bool(of_phrase(head)) and head.lower_ in words("transparent_nouns") - words("light_nouns")
        phrase = noun_phrase(head, keep_of=False) if _is_head(head) and not is_amount else None
        if phrase is not None:
            phrase = re.sub(r"\s+(?:endemic|native|indigenous)$", "", phrase)
        if phrase is None or any(child.lower_ in {"no", "any"} for child in head.children):
            if phrase is None and _is_head(head):
                yield from self._defined(head)
            return
        plain, countries = without_nationality(phrase)
        if len(countries) == 1 and self._article(phrase) is None:
            yield from self._origin(countries[0])
        parts = plain.split()
        if head_form(plain) in self.own_names or head_form(parts[-1]) in self.own_names:
            return
        relation = "P279" if self.article.is_common or self.article.topic == "Biology and health sciences" else "P31"
        self.kinds.add(head_form(parts[-1]))
        specific: Article | None = None
        for start in range(len(parts)):
            found = self._kind_article(" ".join(parts[start:]))
            if found is not None and self._is_other_sense(found):
                continue
            if found is not None:
                specific = found if found.is_common and found.title != self.article.title else None
                break
            if parts[start].lower() in _NOT_OF_THE_KIND:
                break
        if specific is not None:
            yield self._fact(relation, specific.entity)
            widest = self._kind_article(parts[-1])
            is_wide = widest is not None and widest.is_common and widest.title != self.article.title
            if widest is not None and is_wide and not _is_vague(widest) and not self._is_other_sense(widest):
                yield self._fact(relation, widest.entity)
        elif len(parts) > 1 and self._kind_article(parts[-1]) is None and not self._is_another_sense(parts[-1]):
            # "specialized munition" is a munition
            widest_word = head_form(parts[-1])
            is_plain = re.fullmatch(r"[a-z]{3,}", widest_word) and parts[0].lower() not in _NOT_OF_THE_KIND
            is_plain = is_plain and parts[0] != self.article.label  # "Paranthropus robustus"
            if is_plain and widest_word not in words("vague_kinds") | words("empty_nouns") | words("light_nouns"):
                yield self._fact(relation, Entity(id=local_id(widest_word), label=widest_word))
        is_longer = (specific is None or self._kind_article(plain) is None) and not self._is_another_sense(plain)
        if is_longer and len(parts) <= 4 and (len(parts) > 1 or parts[0].lower() not in words("vague_kinds")):
            label = singular_phrase(self.names.lowered(without_determiner(plain)))
            yield self._fact(relation, Entity(id=local_id(label), label=label))
        named = specific.label.lower().split() if specific is not None else []
        yield from self._qualities(head, named)
        yield from self._defined(head)

    def _is_other_sense(self, kind: Article) -> bool:
        """Whether a word of many senses, as "family" and "state" are, stands in a text of another topic."""
        word = kind.label.lower()
        is_near = kind.topic == self.article.topic != "Uncategorized"
        is_own = self.article.label.lower().endswith(f" {word}")  # a real number is a number
        return word in words("other_senses") and not is_near and not is_own

    def _qualities(self, head: "Token", named: list[str]) -> Iterator[Fact]:
        """The adjectives in front of the kind; those that are part of its name are not among them."""
        front = [child for child in head.children if child.dep_ == "amod" and child.i < head.i]
        joined = [other for child in front for other in child.children if other.dep_ == "conj" and other.tag_ == "JJ"]
        if head_form(head.text) in words("abstract_kinds"):
            for child in head.children:
                found = self._article(child.lower_) if child.dep_ == "compound" else None
                if found is not None and found.is_common and found.title != self.article.title:
                    yield self._fact("P1269", found.entity)
        for word in modifiers(head):
            if _COMPOUND.fullmatch(word) and word.lower() not in named:
                yield self._characteristic(word)
        for child in (*front, *joined):
            is_participle = (
                child.tag_ in {"VBN", "VBG"} and child.lower_ not in words("no_qualities") and not list(child.children)
            )
            if is_participle and child.lower_ not in named and child.i == head.i - 1 and child.text.isalpha():
                yield self._characteristic(child.lower_)
                continue
            is_plain = child.i < head.i and child.i < head.i and child.tag_ == "JJ" and child.text.isalpha()
            is_plain = is_plain and child.doc[max(child.i - 1, 0)].text not in {"-", "–"}  # "non-flammable"
            if is_plain and child.lower_ in lexicon()["relational"] and self.article.is_common:
                yield from self._pertaining(child.lower_)
            if (
                not is_plain
                or child.lower_ in named
                or (child.text[0].isupper() and child.text in lexicon()["demonyms"])
            ):
                continue
            if any(grandchild.dep_ in {"advmod", "neg", "npadvmod"} for grandchild in child.children):
                continue
            if is_quality(child.lower_):
                yield self._characteristic(child.lower_)

    def _pertaining(self, adjective: str) -> Iterator[Fact]:
        """ "a legal concept" is an aspect of law, "a biological process" is studied by biology."""
        title = lexicon()["relational"][adjective]
        if title == "Physics" and self.article.topic not in {"Physical sciences", "Mathematics", "Technology"}:
            return  # a physical change of a body is no matter of physics
        if title in self.names and title != self.article.title:
            field = self.names[title]
            yield self._fact("P2579" if is_field_of_study(field) else "P1269", field.entity)

    def _defined(self, head: "Token") -> Iterator[Fact]:
        """The kind with its "of": "act of religious devotion", which says more than "act"."""
        bare = noun_phrase(head, keep_of=False)
        whole = noun_phrase(head) if bare or of_phrase(head) else None
        doing = next(
            (
                inner
                for child in head.children
                if child.dep_ == "prep" and child.lower_ == "of"
                for inner in child.children
                if inner.dep_ == "pcomp" and inner.tag_ == "VBG"
            ),
            None,
        )
        if doing is not None:
            joined = (child for verb in objects(doing) for child in verb.children if child.dep_ == "dobj")
            direct = next((phrase for phrase in map(noun_phrase, joined) if phrase), None)
            whole = f"{' '.join((*modifiers(head), head.text))} of {doing.lower_} {direct}" if direct else None
        if whole and len(whole) <= 60 and whole != bare and " of " in whole and self.article.is_common:
            plain, _ = without_nationality(whole)
            label = singular_phrase(self.names.lowered(plain))
            if label.lower() != self.article.label.lower():
                yield self._fact("P279", Entity(id=local_id(label), label=label))

    def _origin(self, country: str) -> Iterator[Fact]:
        if country in self.names and country not in _OLD_STATES and country != self.article.title:
            is_made_there = self.article.topic in _TOPICS_WITH_ORIGIN
            yield self._fact("P495" if is_made_there else "P17", self.names[country].entity)

    def _adjective(self, adjective: "Token") -> Iterator[Fact]:
        joined = (child for child in adjective.children if child.dep_ == "conj" and child.tag_ == "JJ")
        for each in (adjective, *joined):
            if is_quality(each.lower_) and not any(
                child.dep_ in {"neg", "prep", "advmod", "npadvmod", "xcomp", "ccomp", "advcl"}
                for child in each.children
            ):
                yield self._characteristic(each.lower_)
        if adjective.lower_ in {"native", "indigenous"}:
            yield from self._prepositions(adjective, adjective.lower_)

    def _characteristic(self, adjective: str) -> Fact:
        word = adjective.lower()
        return self._fact("P1552", Entity(id=local_id(word), label=word))

    # --- verbs -------------------------------------------------------------------------------------------------------

    def _active(self, verb: "Token") -> Iterator[Fact]:
        if self.is_description and verb.dep_ == "ROOT" and verb.tag_ == "VBG":
            return  # "They are measuring instruments"
        if verb.lower_ == "linked" or (verb.tag_ == "VBN" and not any(child.dep_ == "aux" for child in verb.children)):
            return  # "linked units": a participle that the parse takes for a verb
        is_field = bool(self.kinds & words("fields"))
        relation = ACTIVE.get(verb.lower_)
        if relation is not None and (relation != "P2578" or is_field):
            for child in verb.children:
                if child.dep_ in {"dobj", "obj"}:
                    nouns = [child] if _has_preposition(child) else list(objects(child))
                    yield from self._all(relation, nouns)
        for child in verb.children:
            if child.dep_ != "prep":
                continue
            relation = ACTIVE_WITH.get((verb.lower_, child.lower_))
            if relation is not None and (relation != "P2578" or is_field):
                for inner in child.children:
                    if inner.dep_ == "pobj":
                        yield from self._all(relation, list(objects(inner)))
                    elif inner.dep_ == "pcomp" and relation == "P366" and inner.tag_ == "VBG":
                        yield from self._purpose(inner.lower_, inner, is_gerund=True)
            if verb.lower_ in BEGINNINGS and child.lower_ in {"in", "during"}:
                yield from self._date("P571", child)

    def _passive(self, verb: "Token", is_hedged: bool) -> Iterator[Fact]:
        word = verb.lower_
        if is_hedged and word not in {"used", "made", "caused"}:
            return
        if verb.i and verb.nbor(-1).text == "-":
            return  # "re-discovered in 1900"
        if word in {"used", "designed", "intended", "employed", "built"}:
            for child in verb.children:
                if child.dep_ in {"xcomp", "advcl"} and child.tag_ == "VB" and _has_to(child):
                    for each in _joined_verbs(child):
                        yield from self._purpose(each.lower_, each)
        if word == "made" and any(child.dep_ == "prt" and child.lower_ == "up" for child in verb.children):
            word = "composed"
        yield from self._prepositions(verb, word)
        if word in _NAMING:
            yield from self._name(verb)
        for child in verb.children:
            if word in DATED and child.dep_ == "prep" and child.lower_ in {"in", "on"}:
                yield from self._date(DATED[word], child)

    def _prepositions(self, verb: "Token", word: str) -> Iterator[Fact]:
        for child in verb.children:
            relation = PASSIVE_WITH.get((word, child.lower_)) if child.dep_ in {"prep", "agent"} else None
            if relation is None or child.i < verb.i:
                continue
            if child.lower_ == "for" and relation == "P366":
                yield from self._purposes(child)
                continue
            for inner in child.children:
                if inner.dep_ == "pobj":
                    yield from self._all(relation, list(objects(inner)))
                elif inner.dep_ == "pcomp" and relation == "P366" and inner.tag_ == "VBG":
                    yield from self._purpose(inner.lower_, inner, is_gerund=True)

    def _name(self, verb: "Token") -> Iterator[Fact]:
        """ "is also known as the death cap": a name."""
        for child in verb.children:
            nouns = [child] if child.dep_ in {"oprd", "dobj", "attr"} else []
            if child.dep_ == "prep" and child.lower_ == "as":
                nouns = [inner for inner in child.children if inner.dep_ == "pobj"]
            for noun in nouns:
                text = " ".join((*modifiers(noun), noun.text))
                is_plain = noun.tag_[:2] == "NN" and not any(c.dep_ in {"prep", "relcl", "acl"} for c in noun.children)
                if (
                    is_plain
                    and 3 < len(text) <= 40
                    and head_form(text) not in self.own_names
                    and len(text.split()) <= 4
                ):
                    yield Fact("P2561", english(text), self.text)

    def _date(self, relation: str, preposition: "Token") -> Iterator[Fact]:
        for inner in preposition.children:
            if inner.dep_ == "pobj" and inner.tag_ in {"CD", "NNP", "NNS"}:
                text = inner.doc[inner.left_edge.i : inner.right_edge.i + 1].text
                text = re.sub(r"^the ", "", text)
                if _DATE.match(text):
                    yield from dated(relation, read_when(text), self.text)

    # --- purposes ----------------------------------------------------------------------------------------------------

    def _purposes(self, preposition: "Token") -> Iterator[Fact]:
        for child in preposition.children:
            if child.dep_ == "pcomp" and child.tag_ == "VBG":
                for each in objects(child):
                    if each.tag_ == "VBG":
                        yield from self._purpose(each.lower_, each, is_gerund=True)
            elif child.dep_ == "pobj":
                nouns = list(objects(child))
                if preposition.head.tag_[:2] == "NN":
                    # "clothing for the legs": what "for" joins to a noun may be whom or where it serves
                    nouns = [each for each in nouns if _NOMINAL.search(head_form(each.text))]
                yield from self._all("P366", nouns)

    def _purpose(self, word: str, verb: "Token", *, is_gerund: bool = False, relation: str = "P366") -> Iterator[Fact]:
        """ "used to measure temperature": measures temperature, and is used for measuring temperature."""
        if any(child.dep_ in {"neg", "auxpass"} for child in verb.children):
            return
        doing = word if is_gerund else gerund(word)
        more = ACTIVE.get(doing)
        if more == "P1552" or doing in _ABOUT_WORDS:
            return
        particle = next((f" {child.lower_}" for child in verb.children if child.dep_ == "prt"), "")
        direct = [
            noun
            for child in verb.children
            if child.dep_ in {"dobj", "obj"}
            # "pictures of the anatomy and the processes": the second noun may belong to either of the two before it
            for noun in ([child] if _has_preposition(child) else objects(child))
        ]
        for token in direct:
            phrase = noun_phrase(token)
            if phrase is None:
                continue
            if more in {"P2575", "P2175", "P1056"}:
                yield self._fact(more, self._entity(phrase))
            label = f"{doing}{particle} {phrase}"
            if len(label) <= 50:
                yield self._fact(relation, Entity(id=local_id(label), label=label))
        others = {"prep", "acomp", "xcomp", "ccomp", "advcl", "prt", "dobj", "oprd"}
        if is_gerund and not direct and not any(child.dep_ in others for child in verb.children):
            yield self._fact(relation, self._entity(doing))

    # --- values ------------------------------------------------------------------------------------------------------

    def _all(self, relation: str, tokens: "list[Token]") -> Iterator[Fact]:
        for token in tokens:
            inner = of_phrase(token)
            if inner and relation in PLACES and token.lower_ in words("named_places"):
                yield from self._all(relation, inner)
                continue
            phrase = noun_phrase(token)
            if phrase is not None and not _TIMES.match(phrase):
                yield from self._value(relation, phrase, token)

    def _value(self, relation: str, phrase: str, token: "Token") -> Iterator[Fact]:
        found = self._article(phrase)
        if (found is not None and found.title == self.article.title) or self._is_another_sense(phrase):
            return
        if relation in MAKERS:
            yield from self._maker(relation, phrase, found, token)
        elif relation in PLACES:
            yield from self._place(relation, phrase, found, token)
        elif relation == "P279":
            # "refers to X", "is defined as X"
            if token.tag_ in {"NN", "NNS"} and (found.is_common if found is not None else " " in phrase):
                yield self._fact("P279" if self.article.is_common else "P31", self._entity(phrase))
        elif relation == "P1552":
            is_counted = any(child.dep_ == "nummod" or child.tag_ == "PRP$" for child in token.children)
            is_possession = _is_object(token) and self.article.topic != "Biology and health sciences"
            if is_possession or is_counted or token.lower_ in {"formula", "amount", "number"}:
                return
            is_narrowed = any(child.dep_ in {"amod", "acl", "relcl"} and child.i > token.i for child in token.children)
            if token.tag_ in {"NN", "NNS"} and not is_narrowed and (" " in phrase or found is not None):
                if found is not None and found.title in {"Atomic number", "Metal"}:
                    return
                yield self._fact(relation, self._entity(phrase))
        elif relation == "P3095":
            is_someone = phrase.lower() not in {
                "someone",
                "single",
                "singles",
                "complex",
            } and not token.lower_.endswith("ing")
            is_language = found is not None and found.title.endswith("language")
            if is_someone and not is_language and " player " not in phrase:
                yield self._fact(relation, self._entity(phrase))
        elif relation == "P2974":
            is_living = self.article.topic == "Biology and health sciences" or self.kinds & {"people", "group", "tribe"}
            if is_living and (_HABITAT.search(phrase) or (found is not None and found.topic == "Geography")):
                yield self._fact(relation, self._entity(phrase))
        elif relation == "P1056":
            is_uncertain = self.article.topic in {"Society and social sciences", "Philosophy and religion"}
            is_thing = token.tag_ in {"NN", "NNS"} and token.text.islower() and "number of" not in phrase
            if is_thing and not is_uncertain and not _is_denied(token):
                yield self._fact(relation, self._entity(phrase))
        elif relation == "P2849":
            is_whole = not any(child.dep_ == "poss" for child in token.children)  # "the People's Bank of China"
            if is_whole and (found is not None or phrase == phrase.lower()):
                yield self._fact(relation, self._entity(phrase))
        elif relation == "P1672":
            if token.lower_ in {"production", "use", "consumption"}:
                yield self._fact("P366", self._entity(phrase))
            elif self.article.topic == "Biology and health sciences" and token.lower_ not in {"thousands", "hundreds"}:
                yield self._fact(relation, self._entity(phrase))
        elif relation == "P1535":
            is_someone = token.tag_[:2] == "NN" and not token.lower_.endswith("ing") and token.lower_ not in {"customs"}
            is_country = found is not None and self.names.country(found.title) is not None
            if is_someone and not is_country and phrase.lower() not in {"ethnic group", "ethnic groups"}:
                yield self._fact(relation, self._entity(phrase))
        elif relation in {"P2578", "P921"}:
            if relation == "P921" and not self.kinds & (words("fields") | words("about_something")):
                return
            is_cut = phrase.lower() in {"behaviour", "behavior"} or (
                bool(of_phrase(token)) and " of " not in phrase
            )  # "the nature of gods and beliefs"
            if not is_cut and phrase.lower() != "nature":
                yield self._fact(relation, self._entity(phrase))
        elif relation == "P186":
            is_thing = self.article.topic in _MADE_OF_MATTER and token.tag_ in {"NN", "NNS"}
            if is_thing and not _NOMINAL.search(head_form(token.text)):
                yield self._fact(relation, self._entity(phrase))
        elif relation == "P1034":
            is_of_life = self.article.topic == "Biology and health sciences"
            if is_of_life and token.lower_ not in {"underside", "undersides", "utensil", "utensils"}:
                yield self._fact(relation, self._entity(phrase))
        elif relation == "P1060":
            if self.article.topic in {"Biology and health sciences", "Uncategorized"}:
                yield self._fact(relation, self._entity(phrase))
        elif relation == "P765":
            if _SURFACE.search(phrase):
                yield self._fact(relation, self._entity(phrase))
        elif relation == "P155":
            if found is not None and found.topic == self.article.topic == "History":
                yield self._fact(relation, found.entity)
        elif relation == "P144" and not self.article.is_common:
            if found is not None and not found.is_common:
                yield self._fact(relation, found.entity)
        elif relation == "P361" and (
            rank := re.match(
                r"(?:\w+ )?(?:\w*genus|\w*family|\w*order|\w*class|tribe|clade|\w*phylum) (?=[A-Z])", phrase
            )
        ):
            yield self._fact("P171", self._entity(phrase[rank.end() :]))
        elif relation == "P361" and (
            found is None
            or head_form(phrase.partition(" of ")[0]).split()[-1] in _NO_WHOLE
            or (found is not None and self.article.label.lower().endswith(found.label.lower()))
        ):
            return  # "a member of the extinct family", "the third member of the group of galaxies"
        elif relation == "P527":
            yield from self._part(phrase, found, token)
        elif found is not None or relation not in KNOWN_ONLY:
            if relation == "P366" and token.lower_ in {"millennia", "centuries", "decades", "years"}:
                return
            if relation == "P366" and head_form(phrase).split()[-1] in words("empty_nouns") | {"air", "water", "land"}:
                return
            is_name = not found.is_common if found is not None else phrase != phrase.lower()
            if relation == "P366" and (is_name or _is_someone_or_somewhere(token)):
                return
            yield self._fact(relation, self._entity(phrase))

    def _part(self, phrase: str, found: Article | None, token: "Token") -> Iterator[Fact]:
        """ "includes ants and bees": what is no article counts of living things, and where the verb is a sure one."""
        phrase = re.sub(r"^(?:class|order|family|genus|phylum|element)s? (?=[A-Z])", "", phrase)
        head = head_form(phrase.partition(" of ")[0]).split()[-1]
        is_own_kind = self.article.label.lower().endswith(head)  # "Indian cuisine consists of cuisines"
        is_sure = self.article.topic == "Biology and health sciences" or (
            self.article.is_common and _governing_verb(token) in _OF_PARTS and phrase == phrase.lower()
        )
        is_sure = is_sure and (len(phrase.split()) < 3 or " of " in phrase)
        if head not in _TOO_WIDE and not is_own_kind and (found is not None or is_sure):
            yield self._fact("P527", self._entity(phrase))

    def _maker(self, relation: str, phrase: str, found: Article | None, token: "Token") -> Iterator[Fact]:
        named = re.search(r"(?:^| )[a-z-]+ (?=[A-ZÀ-Þ])|^Sir (?=[A-Z])", phrase)
        if found is None and named:  # "Belgian cartoonist Hergé"
            phrase = phrase[named.end() :]
            found = self._article(phrase)
        if found is not None:
            if not found.is_common and (relation != "P61" or is_person(found)):
                yield self._fact(relation, found.entity)
        elif (
            token.tag_ in {"NNP", "NNPS"}
            and re.fullmatch(r"[A-ZÀ-Þ][\w'’.-]+(?: [\w'’.-]+)*", phrase)
            and (" " in phrase or relation == "P138")
        ):
            yield self._fact(relation, Entity(id=local_id(phrase), label=phrase))

    def _place(self, relation: str, phrase: str, found: Article | None, token: "Token") -> Iterator[Fact]:
        if relation == "P276" and self.article.is_common and token.tag_ in {"NN", "NNS"}:
            if found is None or not found.is_common or found.topic not in _TOPICS_OF_THINGS:
                return
            is_living = found.topic == self.article.topic == "Biology and health sciences"
            yield self._fact("P927" if is_living and self.kinds & words("organs") else relation, found.entity)
            return
        if found is None or found.is_common or found.topic not in {"Geography", "Uncategorized"} or is_person(found):
            return
        if relation == "P495" and not is_origin(found, self.names):
            return
        is_country = self.names.country(found.title) is not None
        if relation == "P276" and is_country:
            yield self._fact("P17", found.entity)
        elif relation != "P17" or is_country:
            yield self._fact(relation, found.entity)

    def _article(self, phrase: str | None) -> Article | None:
        found = self.names.article(phrase, self.article.topic) if phrase else None
        if found is None or found.topic == self.article.topic or found.topic not in _ABSTRACT_TOPICS:
            return found
        # a word of many senses: a law of nature is no law of a state, a derivative of sugar none of a function
        return found if " " in found.label or not found.is_common or is_field_of_study(found) else None

    def _kind_article(self, phrase: str) -> Article | None:
        """The article for the word of a kind, also a word of another topic: an airline is a company."""
        found = self._article(phrase)
        if found is not None:
            return found
        found = self.names.article(phrase, self.article.topic)
        is_sure = found is not None and found.topic != "Mathematics" and not self._is_other_sense(found)
        return found if is_sure else None

    def _is_another_sense(self, phrase: str) -> bool:
        """Whether the phrase would share its node with an article that means something else."""
        found = self.names.article(phrase, self.article.topic)
        return found is not None and self._article(phrase) is None

    def _entity(self, phrase: str) -> Entity:
        return self.names.entity(phrase, self.article.topic)

    def _fact(self, relation: str, value: Entity) -> Fact:
        return Fact(relation, value, self.text)


def _joined_verbs(verb: "Token") -> "Iterator[Token]":
    yield verb
    for child in verb.children:
        has_own_subject = any(each.dep_ in {"nsubj", "nsubjpass"} for each in child.children)
        if child.dep_ == "conj" and child.tag_[:2] == "VB" and not has_own_subject:
            yield from _joined_verbs(child)


def is_quality(adjective: str) -> bool:
    """Whether an adjective says what a thing is like: one of the list, or one that is made from a noun or a verb."""
    return adjective in words("characteristics") or bool(
        _QUALITY_ENDING.search(adjective) and adjective not in words("no_qualities") and len(adjective) > 6
    )


def _is_vague(kind: Article) -> bool:
    return kind.label.lower() in words("vague_kinds")


def _is_head(noun: "Token") -> bool:
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


def _has_preposition(noun: "Token") -> bool:
    return any(child.dep_ == "prep" and child.i > noun.i for child in noun.children)


def _has_article(noun: "Token") -> bool:
    return any(child.dep_ == "det" and child.lower_ in {"a", "an"} for child in noun.children)


def _is_joined(noun: "Token") -> bool:
    """Whether an "and" joins another subject to the noun; an "or" gives it another name."""
    children = list(noun.children)
    return any(child.dep_ == "conj" for child in children) and not any(
        child.dep_ == "cc" and child.lower_ == "or" for child in children
    )


def _is_someone_or_somewhere(noun: "Token") -> bool:
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


def _starts_with_gerund(text: str) -> bool:
    return bool(re.match(r"[A-Z][a-z]+ing\b", text))


def _is_about_how(noun: "Token") -> bool:
    """ "a measure of how strongly it bends light": no measure of light."""
    return any(token.lower_ == "how" for token in noun.doc[noun.i + 1 : noun.i + 3])


def _is_denied(noun: "Token") -> bool:
    """Whether a "neither" stands at the noun, or at what a "nor" joins it to."""
    while noun.dep_ == "conj":
        noun = noun.head
    return any(child.lower_ in {"neither", "no"} for child in noun.children)


def _governing_verb(noun: "Token") -> str:
    while noun.dep_ in {"conj", "pobj", "prep", "dobj", "obj"}:
        noun = noun.head
    return noun.lower_


def _is_object(noun: "Token") -> bool:
    """Whether the noun, or what an "and" joins it to, is the object of a verb."""
    while noun.dep_ == "conj":
        noun = noun.head
    return noun.dep_ in {"dobj", "obj"}


def _has_to(verb: "Token") -> bool:
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
