"""Facts about anything, from dependency patterns: what a thing is, is like, is made of, is used for, causes, measures.

A clause counts if its subject is the article's own: its name, a pronoun at the head of a sentence that follows one about
it, or "the" with the word for its kind ("A harp is a string instrument … The instrument …"). Description and sentences
are read alike, the description as "It is a …".
"""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from wkgfc.evidence import Entity
from wkgfc.kg.builders.records import local_id
from wkgfc.kg.builders.vital_articles import Article
from wkgfc.kg.builders.vital_dates import read_when
from wkgfc.kg.builders.vital_facts import Fact, dated
from wkgfc.kg.builders.vital_names import Names, lexicon, singular_phrase
from wkgfc.kg.builders.vital_people import is_person
from wkgfc.kg.builders.vital_phrases import (
    LIGHT_NOUNS,
    base_of_third_person,
    gerund,
    head_form,
    modifiers,
    noun_phrase,
    objects,
    without_nationality,
)

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token

# What a verb says of its subject with its object, and with the object of a preposition: the relation's id.
_ACTIVE = {
    "P527": "contain comprise include encompass incorporate",
    "P2283": "use utilize utilise employ",
    "P1056": "produce manufacture generate secrete emit",
    "P1542": "cause induce",
    "P2575": "measure",
    "P2578": "study investigate examine analyze analyse",
    "P1034": "eat",
    "P2789": "connect link",
    "P2974": "inhabit",
    "P397": "orbit",
    "P547": "commemorate celebrate",
    "P2175": "treat",
}
_ACTIVE_PREPOSITION = {
    ("consist", "of"): "P527",
    ("result", "in"): "P1542",
    ("lead", "to"): "P1542",
    ("result", "from"): "P828",
    ("arise", "from"): "P828",
    ("serve", "as"): "P366",
    ("act", "as"): "P366",
    ("function", "as"): "P366",
    ("feed", "on"): "P1034",
    ("prey", "on"): "P1034",
    ("graze", "on"): "P1034",
    ("live", "in"): "P2974",
    ("grow", "in"): "P2974",
    ("belong", "to"): "P361",
    ("deal", "with"): "P2578",
    ("focus", "on"): "P2578",
    ("originate", "in"): "P495",
}
_PASSIVE_PREPOSITION = {
    **{
        (verb, preposition): "P186"
        for verb in (
            "made",
            "constructed",
            "built",
            "prepared",
            "produced",
            "formed",
            "obtained",
            "extracted",
            "distilled",
            "manufactured",
            "woven",
            "brewed",
            "derived",
        )
        for preposition in ("from", "of", "out")
    },
    ("composed", "of"): "P527",
    ("comprised", "of"): "P527",
    ("made", "up"): "P527",
    ("divided", "into"): "P527",
    ("caused", "by"): "P828",
    ("triggered", "by"): "P828",
    ("used", "for"): "P366",
    ("used", "as"): "P366",
    ("used", "in"): "P366",
    ("used", "by"): "P1535",
    ("worn", "by"): "P1535",
    ("worn", "for"): "P366",
    ("designed", "for"): "P366",
    ("intended", "for"): "P366",
    ("named", "after"): "P138",
    ("named", "for"): "P138",
    ("treated", "with"): "P924",
    ("diagnosed", "by"): "P923",
    ("spread", "by"): "P1060",
    ("spread", "through"): "P1060",
    ("transmitted", "by"): "P1060",
    ("transmitted", "through"): "P1060",
    ("transmitted", "via"): "P1060",
    ("based", "on"): "P144",
    ("influenced", "by"): "P737",
    ("inspired", "by"): "P941",
    ("characterized", "by"): "P1552",
    ("characterised", "by"): "P1552",
    ("marked", "by"): "P1552",
    ("powered", "by"): "P516",
    ("practiced", "by"): "P3095",
    ("practised", "by"): "P3095",
    ("studied", "in"): "P2579",
    ("studied", "by"): "P2579",
    ("followed", "by"): "P156",
    ("preceded", "by"): "P155",
    ("published", "by"): "P123",
    ("classified", "as"): "P279",
    ("concerned", "with"): "P2578",
    ("spoken", "in"): "P17",
    ("invented", "by"): "P61",
    ("discovered", "by"): "P61",
    ("proposed", "by"): "P61",
    ("formulated", "by"): "P61",
    ("developed", "by"): "P178",
    ("created", "by"): "P170",
    ("designed", "by"): "P287",
    ("founded", "by"): "P112",
    ("established", "by"): "P112",
    ("operated", "by"): "P137",
    ("owned", "by"): "P127",
    ("headquartered", "in"): "P159",
    ("organized", "by"): "P664",
    ("organised", "by"): "P664",
    ("native", "to"): "P2341",
    ("indigenous", "to"): "P2341",
    ("located", "in"): "P276",
    ("situated", "in"): "P276",
    ("found", "in"): "P276",
}
_DATED = {
    "invented": "P575",
    "discovered": "P575",
    "founded": "P571",
    "established": "P571",
    "formed": "P571",
    "created": "P571",
    "introduced": "P571",
    "launched": "P571",
    "published": "P577",
    "released": "P577",
    "adopted": "P571",
}
_MAKERS = {"P61", "P178", "P170", "P287", "P112"}
_FORMS: dict[str, str] = {}
for _relation, _verbs in _ACTIVE.items():
    for _verb in _verbs.split():
        _ing = _verb[:-1] + "ing" if _verb.endswith("e") else _verb + "ing"
        for _form in (_verb, _verb + "s", _verb[:-1] + "ies" if _verb.endswith("y") else _verb + "es", _ing):
            _FORMS[_form] = _verb
_ACTIVE_RELATION = {verb: relation for relation, verbs in _ACTIVE.items() for verb in verbs.split()}
_PREPOSITION_VERBS = {
    form: verb
    for verb, _ in _ACTIVE_PREPOSITION
    for form in (
        verb,
        verb + "s",
        verb + "es",
        gerund(verb),
        {"lead": "led", "feed": "fed", "grow": "grew", "arise": "arose"}.get(verb, verb + "ed"),
    )
}
_ARTEFACTS = frozenset(
    ["device", "machine", "tool", "instrument", "equipment", "appliance", "apparatus", "vehicle", "engine", "software", "program", "system", "weapon", "implement", "utensil", "container", "mechanism", "component", "structure", "facility", "building", "furniture", "garment", "clothing", "furnace", "pump", "sensor", "circuit", "drug", "medication", "medicine", "aircraft", "ship", "vessel", "watercraft", "computer", "material", "substance", "object", "toy", "product", "organ", "gland", "tissue", "cell", "protein", "enzyme", "hormone", "muscle"]
)
_FIELDS = frozenset(
    ["study", "science", "branch", "discipline", "field", "subfield", "subdiscipline", "area", "specialty", "speciality", "theory"]
)
_PART_OF_FIELD = frozenset(
    ["branch", "subfield", "subdiscipline", "area", "field", "discipline", "part", "division", "component", "section", "portion", "subset", "subdivision"]
)
_COLLECTIONS = frozenset(
    ["group", "set", "collection", "series", "range", "mixture", "combination", "alloy", "pair", "chain", "network", "body", "family", "system", "cluster", "array", "assembly", "league", "union", "association", "federation", "assemblage"]
)
_STUDIES = frozenset(["study", "science"])
_MEASURES = frozenset(["unit", "measure", "measurement"])
_HEDGES = frozenset(["may", "might", "could", "would", "should", "must"])
_QUANTIFIERS = frozenset(
    ["some", "most", "many", "few", "several", "no", "certain", "other", "various", "two", "three", "four", "such", "every", "another", "more"]
)
_TIMES = re.compile(r"^(?:\d{3,4}s?|(?:the )?(?:\d+(?:st|nd|rd|th)|early|late|mid).*|[A-Z]\w+ \d{4})$")


def clause_facts(
    article: Article, description: "Doc", extract: "Doc", names: Names, relations: frozenset[str] | None = None
) -> Iterator[Fact]:
    """All that the dependency patterns read in the description ("It is a …") and in the sentences of the extract.

    ``relations``: only these, for kinds of subjects whose own rules read the others better.
    """
    reader = _Reader(article, names)
    seen: set[tuple[str, str]] = set()
    for number, sentence in enumerate((*description.sents, *extract.sents)):
        for fact in reader.sentence(sentence, number, is_description=sentence.doc is description):
            key = (fact.relation, getattr(fact.value, "id", str(fact.value)))
            if key in seen or (relations is not None and fact.relation not in relations):
                continue
            if isinstance(fact.value, Entity) and fact.value.id == (fact.subject or article.entity).id:
                continue
            seen.add(key)
            yield fact


class _Reader:
    """Reads the sentences of one article in their order, and knows whether the last one was about its subject."""

    def __init__(self, article: Article, names: Names) -> None:
        self.article = article
        self.names = names
        self.kinds: set[str] = set()
        self.own_names = {head_form(article.label), head_form(article.title)}
        self.is_about_subject = False
        self.text = ""

    # --- subjects ----------------------------------------------------------------------------------------------------

    def sentence(self, sentence: "Span", number: int, *, is_description: bool) -> Iterator[Fact]:
        """The facts of one sentence."""
        self.text = self.article.description if is_description else sentence.text.strip()
        if len(sentence) > 120:
            self.is_about_subject = False
            return
        is_about = False
        for token in sentence:
            if token.dep_ not in {"nsubj", "nsubjpass"} or token.head.tag_[:2] != "VB":
                continue
            if not (is_description or self._is_subject(token, sentence, number)):
                continue
            is_about = True
            yield from self._field_in_front(token.head, sentence)
            for verb in self._verbs(token.head):
                yield from self._verb(verb, is_description)
        self.is_about_subject = is_about

    def _is_subject(self, token: "Token", sentence: "Span", number: int) -> bool:
        if token.tag_ == "PRP":
            return token.lower_ in {"it", "they"} and token.i - sentence.start <= 1 and self.is_about_subject
        if token.tag_[:2] != "NN":
            return False
        lefts = [child for child in token.children if child.i < token.i]
        if any(child.lower_ in _QUANTIFIERS or child.tag_ in {"PRP$", "CD"} or child.dep_ == "poss" for child in lefts):
            return False
        if (
            any(child.dep_ == "prep" and child.i > token.i for child in token.children)
            and " of " not in self.article.label
        ):
            return False
        if any(child.dep_ == "conj" for child in token.children):
            return False
        phrase = sentence.doc[
            min(
                (
                    child.left_edge.i
                    for child in lefts
                    if child.dep_ in {"compound", "amod", "nmod", "punct", "npadvmod"}
                ),
                default=token.i,
            ) : token.right_edge.i + 1
        ].text
        plain = sentence.doc[
            min(
                (
                    child.left_edge.i
                    for child in lefts
                    if child.dep_ in {"compound", "amod", "nmod", "punct", "npadvmod"}
                ),
                default=token.i,
            ) : token.i + 1
        ].text
        if head_form(plain) in self.own_names or head_form(re.split(r"[,(]", phrase)[0].strip()) in self.own_names:
            return True
        determiner = next((child for child in lefts if child.dep_ == "det"), None)
        return (
            determiner is not None
            and determiner.lower_ in {"the", "this", "these"}
            and len(lefts) == 1
            and head_form(token.text) in self.kinds
            and number > 0
            and self.is_about_subject
        )

    def _verbs(self, verb: "Token") -> Iterator["Token"]:
        yield verb
        for child in verb.children:
            if (
                child.dep_ == "conj"
                and child.tag_[:2] == "VB"
                and not any(c.dep_ in {"nsubj", "nsubjpass"} for c in child.children)
            ):
                yield from self._verbs(child)

    def _field_in_front(self, verb: "Token", sentence: "Span") -> Iterator[Fact]:
        """ "In mathematics, a permutation …": studied by mathematics."""
        match = re.match(r"In (?P<f>[a-z][\w\s-]{3,60}?),? (?:an?|the|[a-z])", sentence.text)
        if match is None or (self.kinds and sentence.start > 0):
            return
        for part in re.split(r",\s*(?:and\s+)?|\s+and\s+(?:in\s+)?", match["f"]):
            found = self.names.article(part.strip())
            if (
                found is not None
                and found.is_common
                and _is_field_of_study(found)
                and found.title != self.article.title
            ):
                yield self._fact("P2579", found.entity)

    # --- predicates --------------------------------------------------------------------------------------------------

    def _verb(self, verb: "Token", is_description: bool) -> Iterator[Fact]:
        children = list(verb.children)
        if any(child.dep_ == "neg" for child in children):
            return
        if verb.lower_ in {"is", "are", "was", "were", "be"}:
            for child in children:
                if child.dep_ == "attr":
                    yield from self._attribute(child, is_description)
                elif child.dep_ == "acomp":
                    yield from self._adjective(child)
            return
        hedges = {child.lower_ for child in children if child.dep_ == "aux"} & _HEDGES
        is_passive = any(child.dep_ == "auxpass" for child in children)
        if is_passive:
            yield from self._passive(verb, bool(hedges))
        elif not hedges:
            yield from self._active(verb)

    def _attribute(self, noun: "Token", is_description: bool) -> Iterator[Fact]:
        """What follows "is a": the kind, its adjectives, its "of", and the clauses that hang on it."""
        for head in objects(noun):
            if head.tag_[:2] != "NN" or any(
                child.dep_ == "neg" or child.lower_ in {"no", "one"} for child in head.children
            ):
                continue
            yield from self._kind(head, is_description)
            for child in head.children:
                if child.i < head.i:
                    continue
                if child.dep_ == "acl" and child.tag_ == "VBN":
                    yield from self._passive(child, False)
                elif child.dep_ == "acl" and child.tag_ == "VBG":
                    yield from self._active(child)
                elif child.dep_ == "relcl":
                    yield from self._relative(child, head)
                elif child.dep_ == "prep" and child.lower_ == "for":
                    yield from self._purposes(child)
                elif child.dep_ == "amod" and child.lower_ in {"native", "indigenous"}:
                    yield from self._prepositions(child, child.lower_)

    def _relative(self, verb: "Token", head: "Token") -> Iterator[Fact]:
        subject = next((child for child in verb.children if child.dep_ in {"nsubj", "nsubjpass"}), None)
        if subject is None or subject.lower_ not in {"that", "which", "who"}:
            return
        if any(child.dep_ == "neg" for child in verb.children):
            return
        for each in self._verbs(verb):
            hedges = {child.lower_ for child in each.children if child.dep_ == "aux"} & _HEDGES
            if any(child.dep_ == "auxpass" for child in each.children):
                yield from self._passive(each, bool(hedges))
            elif each.lower_ in {"is", "are"}:
                for child in each.children:
                    if child.dep_ == "acomp":
                        yield from self._adjective(child)
            elif not hedges:
                found = list(self._active(each))
                yield from found
                if not found and head.lower_ in _ARTEFACTS and each.tag_ in {"VBZ", "VBP"}:
                    yield from self._purpose(
                        base_of_third_person(each.lower_) if each.tag_ == "VBZ" else each.lower_, each
                    )

    # --- kinds -------------------------------------------------------------------------------------------------------

    def _kind(self, head: "Token", is_description: bool) -> Iterator[Fact]:
        of = next(
            (child for child in head.children if child.dep_ == "prep" and child.lower_ == "of" and child.i > head.i),
            None,
        )
        inner = (
            [token for pobj in of.children if pobj.dep_ == "pobj" for token in objects(pobj)] if of is not None else []
        )
        noun = head_form(head.text)
        front = modifiers(head)
        if (
            inner
            and noun in LIGHT_NOUNS | {"genre", "style", "name", "term"}
            and noun not in {"member", "piece", "case", "name", "term"}
        ):
            for token in inner:
                yield from self._kind_phrase(token)
            return
        if inner and noun in _STUDIES:
            yield from self._all("P2578", inner)
            return
        if inner and noun in _PART_OF_FIELD:
            yield from self._all("P361", inner)
            if noun in {
                "part",
                "component",
                "section",
                "portion",
                "division",
                "area",
                "field",
                "subset",
                "subdivision",
            }:
                return
            for token in inner:
                found = self._article(noun_phrase(token))
                if found is not None and _is_field_of_study(found):
                    yield self._fact("P279", found.entity)
            return
        if inner and noun in _MEASURES:
            for token in inner:
                phrase = noun_phrase(token)
                if phrase:
                    yield self._fact("P111" if noun == "unit" else "P2575", self._entity(phrase))
        if inner and noun in _COLLECTIONS and not self._is_individual():
            for token in inner:
                if token.tag_ in {"NNS", "NN"} and (token.tag_ == "NNS" or noun in {"mixture", "alloy", "combination"}):
                    phrase = noun_phrase(token)
                    if phrase:
                        yield self._fact("P186" if noun == "alloy" else "P2670", self._entity(phrase))
            if not front:
                return
        if noun in {"opposite", "antonym"} and inner:
            yield from self._all("P461", inner)
            return
        if noun == "member" and inner:
            yield from self._all("P361", inner)
            return
        yield from self._kind_phrase(head)
        within = next(
            (child for child in head.children if child.dep_ == "prep" and child.lower_ == "in" and child.i > head.i),
            None,
        )
        if within is not None:
            for token in (t for pobj in within.children if pobj.dep_ == "pobj" for t in objects(pobj)):
                found = self._article(noun_phrase(token))
                if found is not None and _is_field_of_study(found):
                    yield self._fact("P2579", found.entity)

    def _is_individual(self) -> bool:
        return not self.article.is_common and self.article.topic in {"Geography", "History", "People"}

    def _kind_phrase(self, head: "Token") -> Iterator[Fact]:
        """The kind as the text has it, and the most specific article that it ends in."""
        phrase = noun_phrase(head, keep_of=False)
        if phrase is None or any(child.dep_ == "det" and child.lower_ in {"no", "any"} for child in head.children):
            return
        plain, countries = without_nationality(phrase)
        if (
            countries
            and len(countries) == 1
            and countries[0] in self.names
            and countries[0] not in {"Ancient Greece", "Ancient Rome"}
            and not self._article(phrase)
        ):
            yield self._fact(
                "P495"
                if self.article.topic
                in {"Arts", "Everyday life", "Biology and health sciences", "Uncategorized", "Philosophy and religion"}
                else "P17",
                self.names[countries[0]].entity,
            )
        relation = "P279" if self.article.is_common or self.article.topic in {"Biology and health sciences"} else "P31"
        words = plain.split()
        if head_form(plain) in self.own_names:
            return
        self.kinds.add(head_form(words[-1]))
        described = " ".join(words)
        adjectives = [word for word in words[:-1] if word.lower() in lexicon()["characteristics"]]
        specific = None
        for start in range(len(words)):
            found = self._article(" ".join(words[start:]))
            if found is not None:
                if found.title != self.article.title and found.is_common:
                    specific = found
                    yield self._fact(relation, found.entity)
                break
            if start == 0 and words[0].lower() in {
                "artificial",
                "former",
                "fictional",
                "virtual",
                "mythical",
                "legendary",
                "hypothetical",
                "false",
            }:
                break
        if (
            specific is None
            or (len(words) > 1
            and described.lower() != singular_phrase(specific.label.lower())
            and not self._article(described))
        ) and self._says_something(words):
            label = singular_phrase(
                described[:1].lower() + described[1:]
                if not re.match(r"[A-Z]{2}|[A-Z][\w-]* [A-Z]|[A-Z]\w+-", described)
                and words[0] not in lexicon()["peoples"]
                and not _is_name(words[0])
                else described
            )
            yield self._fact(relation, Entity(id=local_id(label), label=label))
        for adjective in adjectives:
            if specific is None or adjective.lower() not in specific.label.lower().split():
                yield self._characteristic(adjective)

    def _says_something(self, words: list[str]) -> bool:
        if len(words) > 4:
            return False
        return len(words) > 1 or words[0].lower() not in _VAGUE

    def _adjective(self, adjective: "Token") -> Iterator[Fact]:
        for each in (
            adjective,
            *(child for child in adjective.children if child.dep_ == "conj" and child.tag_ == "JJ"),
        ):
            if each.lower_ in lexicon()["characteristics"] and not any(
                child.dep_ in {"neg", "prep"}
                or child.lower_ in {"not", "more", "less", "sometimes", "often", "partially", "nearly", "almost"}
                for child in each.children
            ):
                yield self._characteristic(each.lower_)
        if adjective.lower_ in {"native", "indigenous", "endemic"}:
            yield from self._prepositions(adjective, adjective.lower_)

    def _characteristic(self, adjective: str) -> Fact:
        word = adjective.lower()
        return self._fact("P1552", Entity(id=local_id(word), label=word))

    # --- verbs -------------------------------------------------------------------------------------------------------

    def _active(self, verb: "Token") -> Iterator[Fact]:
        relation = _ACTIVE_RELATION.get(_FORMS.get(verb.lower_, ""))
        if relation is not None and not (relation == "P2578" and not (self.kinds & _FIELDS)):
            for child in verb.children:
                if child.dep_ in {"dobj", "obj"}:
                    yield from self._all(relation, list(objects(child)))
        base = _PREPOSITION_VERBS.get(verb.lower_)
        if base is not None:
            for child in verb.children:
                if child.dep_ == "prep" and (relation := _ACTIVE_PREPOSITION.get((base, child.lower_))) is not None:
                    if relation == "P2578" and not (self.kinds & _FIELDS):
                        continue
                    for pobj in child.children:
                        if pobj.dep_ == "pobj":
                            yield from self._all(relation, list(objects(pobj)))
                        elif pobj.dep_ == "pcomp" and relation == "P366":
                            yield from self._purpose_gerund(pobj)

    def _passive(self, verb: "Token", is_hedged: bool) -> Iterator[Fact]:
        word = verb.lower_
        if is_hedged and word not in {"used", "made", "caused"}:
            return
        if word in {"used", "designed", "intended", "employed", "built"}:
            for child in verb.children:
                if (
                    child.dep_ in {"xcomp", "advcl"}
                    and child.tag_ == "VB"
                    and any(c.dep_ == "aux" and c.lower_ == "to" for c in child.children)
                ):
                    for each in self._verbs(child):
                        yield from self._purpose(each.lower_, each)
        if word == "made" and any(child.dep_ == "prt" and child.lower_ == "up" for child in verb.children):
            word = "composed"
        yield from self._prepositions(verb, word)
        if word in _DATED:
            for child in verb.children:
                if child.dep_ == "prep" and child.lower_ in {"in", "on"}:
                    for pobj in child.children:
                        if pobj.dep_ == "pobj" and pobj.tag_ in {"CD", "NNP"}:
                            text = verb.doc[pobj.left_edge.i : pobj.right_edge.i + 1].text
                            if re.match(
                                r"(?:\d{1,2} [A-Z][a-z]+ |[A-Z][a-z]+ (?:\d{1,2}, )?)?\d{3,4}(?:$|[ ,](?!BC))", text
                            ):
                                yield from dated(_DATED[word], read_when(text), self.text)

    def _prepositions(self, verb: "Token", word: str) -> Iterator[Fact]:
        for child in verb.children:
            if child.dep_ not in {"prep", "agent"}:
                continue
            if child.lower_ == "for" and word in {"used", "designed", "intended", "worn"}:
                yield from self._purposes(child)
                continue
            relation = _PASSIVE_PREPOSITION.get((word, child.lower_))
            if relation is None:
                continue
            for pobj in child.children:
                if pobj.dep_ == "pobj":
                    yield from self._all(relation, list(objects(pobj)))
                elif pobj.dep_ == "pcomp" and relation == "P366":
                    yield from self._purpose_gerund(pobj)

    # --- purposes ----------------------------------------------------------------------------------------------------

    def _purposes(self, preposition: "Token") -> Iterator[Fact]:
        for child in preposition.children:
            if child.dep_ == "pcomp" and child.tag_ == "VBG":
                for each in objects(child):
                    if each.tag_ == "VBG":
                        yield from self._purpose_gerund(each)
            elif child.dep_ == "pobj":
                yield from self._all("P366", list(objects(child)))

    def _purpose_gerund(self, verb: "Token") -> Iterator[Fact]:
        if verb.tag_ == "VBG":
            yield from self._purpose(verb.lower_, verb, is_gerund=True)

    def _purpose(self, word: str, verb: "Token", *, is_gerund: bool = False) -> Iterator[Fact]:
        """ "used to measure temperature": measures temperature, and is used for measuring temperature."""
        if any(child.dep_ in {"neg", "auxpass"} for child in verb.children) or word in {
            "be",
            "have",
            "do",
            "being",
            "having",
        }:
            return
        direct = [token for child in verb.children if child.dep_ in {"dobj", "obj"} for token in objects(child)]
        doing = word if is_gerund else gerund(word)
        relation = _ACTIVE_RELATION.get(_FORMS.get(doing, ""))
        particle = next((f" {child.lower_}" for child in verb.children if child.dep_ == "prt"), "")
        for token in direct:
            phrase = noun_phrase(token)
            if phrase is None:
                continue
            if relation in {"P2575", "P2175", "P1056"}:
                yield self._fact(relation, self._entity(phrase))
            label = f"{doing}{particle} {phrase}"
            if len(label) <= 50:
                yield self._fact("P366", Entity(id=local_id(label), label=label))
        if not direct and not any(
            child.dep_ in {"prep", "acomp", "xcomp", "ccomp", "advcl", "prt"} for child in verb.children
        ):
            yield self._fact("P366", self._entity(doing))

    # --- values ------------------------------------------------------------------------------------------------------

    def _all(self, relation: str, tokens: list["Token"]) -> Iterator[Fact]:
        for token in tokens:
            phrase = noun_phrase(token)
            if phrase is None or _TIMES.match(phrase):
                continue
            yield from self._value(relation, phrase, token)

    def _value(self, relation: str, phrase: str, token: "Token") -> Iterator[Fact]:
        found = self._article(phrase)
        if relation in _MAKERS or relation in {"P112", "P123", "P137", "P127", "P664", "P138"}:
            if found is not None and not found.is_common and (is_person(found) or relation not in {"P61"}):
                yield self._fact(relation, found.entity)
            elif (
                found is None
                and token.tag_ in {"NNP", "NNPS"}
                and re.fullmatch(r"[A-ZÀ-Þ][\w'’.-]+(?: (?:de|von|van|of|the|[A-ZÀ-Þ][\w'’.-]*))+", phrase)
            ):
                yield self._fact(relation, Entity(id=local_id(phrase), label=phrase))
            return
        if relation in {"P495", "P17", "P159", "P2341", "P276"}:
            if (
                found is not None
                and not found.is_common
                and found.topic in {"Geography", "Uncategorized", "History"}
                and not is_person(found)
            ):
                country = self.names.country(phrase)
                if (relation == "P17" and country is None) or (relation == "P276" and found.topic == "History"):
                    return
                if relation in {"P276"} and country is not None:
                    yield self._fact("P17", found.entity)
                    return
                yield self._fact(relation, found.entity)
            return
        if relation in {"P156", "P155", "P144", "P737", "P941", "P516"} and found is None:
            return
        if relation == "P279" and found is None:
            return
        if relation == "P361" and found is None and not (self.kinds & _FIELDS) and token.tag_ not in {"NN", "NNS"}:
            return
        yield self._fact(relation, found.entity if found is not None else self._entity(phrase))

    def _article(self, phrase: str | None) -> Article | None:
        return self.names.article(phrase, self.article.topic) if phrase else None

    def _entity(self, phrase: str) -> Entity:
        return self.names.entity(phrase, self.article.topic)

    def _fact(self, relation: str, value: Entity) -> Fact:
        return Fact(relation, value, self.text)


_VAGUE = frozenset(
    ["thing", "one", "part", "number", "group", "set", "series", "form", "type", "kind", "way", "system", "process", "concept", "term", "name", "idea", "member", "person", "people", "place", "area", "method", "state", "act", "action", "use", "range", "collection", "case", "result", "event", "property", "object", "substance", "material", "structure", "unit", "phenomenon", "activity", "practice", "technique", "body", "point", "branch", "field", "study", "science", "theory", "subject", "topic", "aspect", "element", "component", "feature", "combination", "category", "class", "species", "genus", "family", "order", "term", "word", "phrase", "work", "piece", "example", "variety", "study", "condition", "quality", "ability", "measure", "level", "individual", "entity", "item", "product", "organization", "event", "means", "approach", "location", "position", "description", "situation", "sense", "line"]
)


def _is_name(word: str) -> bool:
    return word[:1].isupper() and word not in {"The", "A", "An"} and word not in lexicon()["demonyms"]


def _is_field_of_study(article: Article) -> bool:
    """Whether the article is about a field of study."""
    return bool(
        re.match(
            r"(?:[\w-]+ )?(?:[Ss]tudy|[Bb]ranch|[Ss]cience|[Ff]ield|[Dd]iscipline|[Aa]rea of knowledge|[Ss]tudies|[Ss]ubfield)\b",
            article.description,
        )
        or re.search(
            r"(?:ology|nomics|istics|matics|physics|chemistry|geometry|algebra|mechanics|dynamics|philosophy|medicine|engineering|law|logic|psychology|statistics|calculus|analysis|grammar|computing|theory|science|biology|music|botany|astronomy)$",
            article.label.lower(),
        )
    )
