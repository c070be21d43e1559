"""The object of a relation that a clause states: which node a phrase means, and whether it fits the relation."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from wkgfc.evidence import Entity
from wkgfc.kg.builders.records import local_id
from wkgfc.kg.builders.vital.articles import Article
from wkgfc.kg.builders.vital.descriptions import is_origin
from wkgfc.kg.builders.vital.facts import Fact
from wkgfc.kg.builders.vital.names import Names
from wkgfc.kg.builders.vital.people import is_person
from wkgfc.kg.builders.vital.phrases import (
    head_form,
    noun_phrase,
    of_phrase,
    words,
)
from wkgfc.kg.builders.vital.relations import (
    KNOWN_ONLY,
    MAKERS,
    PLACES,
)
from wkgfc.kg.builders.vital.syntax import (
    NOMINAL,
    governing_verb,
    is_denied,
    is_field_of_study,
    is_object,
    is_someone_or_somewhere,
)

if TYPE_CHECKING:
    from spacy.tokens import Token

_NO_WHOLE = frozenset(
    ("family", "rank", "quantity", "group", "genus", "category", "class", "species", "scene", "concept", "trend")
)
_HABITAT = re.compile(
    r"\b(?:forests?|rainforests?|woodlands?|grasslands?|deserts?|savannas?|savannahs?|wetlands?|swamps?|marshes|burrows?|"
    r"rivers?|lakes?|ponds?|streams?|waters?|seas?|oceans?|reefs?|mountains?|environments?|climates?|soils?|tropics|"
    r"regions?|areas?|habitat|tundra|steppes?|caves?|crevices?|trees|coasts?|coastlines?|plains?|islands?|highlands?|"
    r"lowlands?|estuaries|intestines?|nests?|colonies|hives?|air|Africa|Asia|Europe|Australia|Americas?)$",
    re.IGNORECASE,
)
_SURFACE = re.compile(r"\b(?:courts?|fields?|pitch|ice|rinks?|tables?|boards?|grass|courses?|greens?)$")
_OF_PARTS = frozenset(("consists", "consist", "consisting", "composed", "comprises", "comprising", "contains", "made"))
_TIMES = re.compile(r"^(?:\d{3,4}s?|(?:the )?(?:\d+(?:st|nd|rd|th)|early|late|mid).*|[A-Z]\w+ \d{4})$")
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


class ValueReader:
    """What the object of a relation may be: which article or which new node a noun phrase means, and where it fits.

    ``kinds``: what the texts so far say the subject is; ``text``: the sentence that is being read.
    """

    def __init__(self, article: Article, names: Names) -> None:
        self.article = article
        self.names = names
        self.kinds: set[str] = set()
        self.text = ""

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
            is_possession = is_object(token) and self.article.topic != "Biology and health sciences"
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
            if is_thing and not is_uncertain and not is_denied(token):
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
            if is_thing and not NOMINAL.search(head_form(token.text)):
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
            if relation == "P366" and (is_name or is_someone_or_somewhere(token)):
                return
            yield self._fact(relation, self._entity(phrase))

    def _part(self, phrase: str, found: Article | None, token: "Token") -> Iterator[Fact]:
        """ "includes ants and bees": what is no article counts of living things, and where the verb is a sure one."""
        phrase = re.sub(r"^(?:class|order|family|genus|phylum|element)s? (?=[A-Z])", "", phrase)
        head = head_form(phrase.partition(" of ")[0]).split()[-1]
        is_own_kind = self.article.label.lower().endswith(head)  # "Indian cuisine consists of cuisines"
        is_sure = self.article.topic == "Biology and health sciences" or (
            self.article.is_common and governing_verb(token) in _OF_PARTS and phrase == phrase.lower()
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

    def _is_other_sense(self, kind: Article) -> bool:
        """Whether a word of many senses, as "family" and "state" are, stands in a text of another topic."""
        word = kind.label.lower()
        is_near = kind.topic == self.article.topic != "Uncategorized"
        is_own = self.article.label.lower().endswith(f" {word}")  # a real number is a number
        return word in words("other_senses") and not is_near and not is_own

    def _is_another_sense(self, phrase: str) -> bool:
        """Whether the phrase would share its node with an article that means something else."""
        found = self.names.article(phrase, self.article.topic)
        return found is not None and self._article(phrase) is None

    def _entity(self, phrase: str) -> Entity:
        return self.names.entity(phrase, self.article.topic)

    def _fact(self, relation: str, value: Entity) -> Fact:
        return Fact(relation, value, self.text)
