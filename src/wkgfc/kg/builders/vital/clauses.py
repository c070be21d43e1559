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
from wkgfc.kg.builders.vital.articles import Article
from wkgfc.kg.builders.vital.dates import read_when
from wkgfc.kg.builders.vital.facts import Fact, dated, english
from wkgfc.kg.builders.vital.kinds import KindReader
from wkgfc.kg.builders.vital.names import Names
from wkgfc.kg.builders.vital.phrases import (
    base_of_third_person,
    gerund,
    head_form,
    modifiers,
    noun_phrase,
    objects,
    of_phrase,
    words,
)
from wkgfc.kg.builders.vital.relations import (
    ACTIVE,
    ACTIVE_WITH,
    BEGINNINGS,
    DATED,
    PASSIVE_WITH,
)
from wkgfc.kg.builders.vital.syntax import (
    NOMINAL,
    has_article,
    has_preposition,
    has_to,
    is_field_of_study,
    is_joined,
    is_quality,
    joined_verbs,
    starts_with_gerund,
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
_OF_NO_MAKER = frozenset(("Physical sciences", "Society and social sciences"))
_AIMS = frozenset(("aims", "aim", "seeks", "seek", "aimed", "sought", "strives", "strive"))
_NAMING = frozenset(("known", "called", "termed"))
_HEDGES = frozenset(("may", "might", "could", "would", "should", "must"))
_DATE = re.compile(r"(?:\d{1,2} [A-Z][a-z]+ |[A-Z][a-z]+ (?:\d{1,2}, )?)?\d{3,4}s?(?:$|[ ,](?!BC))")
_OF_NAMES = frozenset(("compound", "amod", "nmod", "punct", "npadvmod"))
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


class _Reader(KindReader):
    """Reads the sentences of one article in their order, and knows whether the last one was about its subject."""

    def __init__(self, article: Article, names: Names) -> None:
        super().__init__(article, names)
        self.stems = {word.lower()[:5] for word in re.findall(r"\w{3,}", article.label)}
        self.is_about_subject = False
        self.is_first_of_extract = False
        self.is_description = False

    # --- subjects -----------------------------------------------------------------------------------------------------

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
                    if child.dep_ == "appos" and child.tag_ in {"NN", "NNS"} and has_article(child):
                        yield from self._kind(child)
            for verb in joined_verbs(token.head):
                yield from self._verb(verb, is_description)
        self.is_about_subject = is_about

    def _is_subject(self, token: "Token", sentence: "Span", number: int) -> bool:
        if token.tag_ == "PRP":
            return token.lower_ in {"it", "they"} and token.i - sentence.start <= 1 and self.is_about_subject
        if self.is_first_of_extract and token.head.i == sentence.root.i and token.i < token.head.i:
            # what the first sentence of a summary speaks of is what its title names
            return token.tag_[:2] in {"NN", "VB", "JJ"} and self._resembles(token)
        if token.tag_[:2] != "NN" or is_joined(token):
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

    # --- predicates ---------------------------------------------------------------------------------------------------

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
                    if child.dep_ == "xcomp" and child.tag_ == "VB" and has_to(child):
                        yield from self._purpose(child.lower_, child, relation="P3712")
            elif not found and verb.tag_ in {"VBZ", "VBP"}:
                base = base_of_third_person(verb.lower_) if verb.tag_ == "VBZ" else verb.lower_
                is_of_use = self.article.topic in _OF_USE - _OF_NO_MAKER
                if base in words("functions") and self.article.is_common and is_of_use:
                    yield from self._purpose(base, verb)

    def _attribute(self, noun: "Token") -> Iterator[Fact]:
        """What follows "is a": the kind, its adjectives, its "of", and the clauses that hang on it."""
        for head in objects(noun):
            is_determined = any(child.dep_ == "det" for child in head.children)
            if head.i != noun.i and has_preposition(noun) and not is_determined:
                continue  # "the decay of rocks through contact with water, gases, and organisms"
            is_arising = any(child.lower_ in {"arising", "coming"} for child in head.children)
            starts = self.is_description and noun.doc[2].lower_ in {"a", "an"}
            if is_arising or (starts and head.tag_ == "NNS" and starts_with_gerund(self.text)):
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
                elif child.dep_ == "appos" and has_article(child) and not has_preposition(head):
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
        for each in joined_verbs(verb):
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

    # --- verbs --------------------------------------------------------------------------------------------------------

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
                    nouns = [child] if has_preposition(child) else list(objects(child))
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
                if child.dep_ in {"xcomp", "advcl"} and child.tag_ == "VB" and has_to(child):
                    for each in joined_verbs(child):
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

    # --- purposes -----------------------------------------------------------------------------------------------------

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
                    nouns = [each for each in nouns if NOMINAL.search(head_form(each.text))]
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
            for noun in ([child] if has_preposition(child) else objects(child))
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
