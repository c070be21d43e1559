"""What a thing is, from the noun after "is a": its kind, the wider kind, its qualities, what it is part of."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from wkgfc.evidence import Entity
from wkgfc.kg.builders.records import local_id
from wkgfc.kg.builders.vital.articles import Article
from wkgfc.kg.builders.vital.facts import Fact
from wkgfc.kg.builders.vital.names import Names, lexicon, singular_phrase, without_determiner
from wkgfc.kg.builders.vital.phrases import (
    head_form,
    modifiers,
    noun_phrase,
    objects,
    of_phrase,
    without_nationality,
    words,
)
from wkgfc.kg.builders.vital.syntax import (
    NOMINAL,
    is_about_how,
    is_field_of_study,
    is_head,
    is_quality,
    is_vague,
)
from wkgfc.kg.builders.vital.values import ValueReader

if TYPE_CHECKING:
    from spacy.tokens import Token

_NO_DOMAINS = frozenset(("king", "queen", "god", "gods", "herald", "patron", "protector", "father", "sky", "messenger"))
_COMPOUND = re.compile(
    r"[a-z]+-(?:[a-z]+ed|[a-z]+ing|like|free|shaped|sized|proof|borne|eating|only|poor|rich|toed|leaved)"
)
_NOT_OF_THE_KIND = frozenset(
    ("artificial", "former", "fictional", "virtual", "mythical", "legendary", "hypothetical", "false", "imaginary")
)
_OLD_STATES = frozenset(("Ancient Greece", "Ancient Rome", "Ancient Egypt"))
_TOPICS_WITH_ORIGIN = frozenset(
    ("Arts", "Everyday life", "Biology and health sciences", "Philosophy and religion", "Technology")
)


class KindReader(ValueReader):
    """What a thing is, and is like: the noun after "is a", its adjectives and its "of"."""

    def __init__(self, article: Article, names: Names) -> None:
        super().__init__(article, names)
        self.plain_kinds: dict[str, str] = {}
        self.own_names = {head_form(article.label), head_form(article.title)}
        self.own_names.update(head_form(name) for name in names.names_of(article))

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
            if inner and noun in {"measure", "measurement"} and not is_about_how(head):
                yield from self._all("P2575", inner)
            elif inner and noun == "unit" and self.article.topic in {"Physical sciences", "Technology"}:
                yield from self._unit_of(inner)
            elif inner and noun in words("collections") - {"system", "network"} and head.dep_ == "attr":
                yield from self._parts(noun, inner)
            elif inner and noun in words("parts_of_bodies"):
                yield from self._known("P361", inner, None)
            elif inner and noun in words("ills"):
                yield from self._known("P927", inner, "Biology and health sciences")
            elif len(inner) == 1 and NOMINAL.search(noun) and noun not in words("no_aspects"):
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
        phrase = noun_phrase(head, keep_of=False) if is_head(head) and not is_amount else None
        if phrase is not None:
            phrase = re.sub(r"\s+(?:endemic|native|indigenous)$", "", phrase)
        if phrase is None or any(child.lower_ in {"no", "any"} for child in head.children):
            if phrase is None and is_head(head):
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
            if widest is not None and is_wide and not is_vague(widest) and not self._is_other_sense(widest):
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

    def _characteristic(self, adjective: str) -> Fact:
        word = adjective.lower()
        return self._fact("P1552", Entity(id=local_id(word), label=word))
