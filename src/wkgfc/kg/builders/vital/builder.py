"""Facts from the summaries of Wikipedia's 10,033 vital articles: the widest source of the embedded knowledge graph.

Rules read the title, the one-line description and the summary's sentences, and of people the life in the French
summary; ``docs/embedded-kg.md`` has the precision
of each relation, read by a person. Every fact keeps the id of its article's text, which the passages carry too: a fact
and the sentence that it came from count as one source.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from wkgfc.evidence import Entity, Qualifier, Source, Triple, value_key
from wkgfc.kg.builders.properties import properties, property_of
from wkgfc.kg.builders.records import BuilderRecord, Item, wikipedia_url
from wkgfc.kg.builders.vital.achievements import achievement_facts
from wkgfc.kg.builders.vital.aliases import names_of
from wkgfc.kg.builders.vital.articles import DISTRIBUTION, Article, data_file, package_version, read_articles
from wkgfc.kg.builders.vital.clauses import clause_facts
from wkgfc.kg.builders.vital.descriptions import description_facts, period_facts, span_facts
from wkgfc.kg.builders.vital.events import event_facts, event_kind
from wkgfc.kg.builders.vital.facts import Fact, english
from wkgfc.kg.builders.vital.french import french_file, read_french, with_french_life
from wkgfc.kg.builders.vital.health import illness_facts, is_illness
from wkgfc.kg.builders.vital.languages import is_language, language_facts
from wkgfc.kg.builders.vital.lists import list_facts
from wkgfc.kg.builders.vital.names import Names
from wkgfc.kg.builders.vital.people import is_person, person_facts
from wkgfc.kg.builders.vital.places import is_place, place_facts
from wkgfc.kg.builders.vital.taxa import is_taxon, taxon_facts
from wkgfc.kg.builders.vital.titles import title_facts
from wkgfc.kg.builders.vital.works import is_work, work_facts
from wkgfc.stores import Progress

if TYPE_CHECKING:
    from spacy.tokens import Doc

_PARSED_CHARACTERS = 600  # of each extract: the sentences after the first few say little of the subject's kind
_STAGE = "reading the vital articles"
# What the patterns for anything may add to subjects that have rules of their own.
_FOR_PLACES = frozenset(["P31", "P1552", "P138", "P2579", "P279", "P1056"])
_FOR_EVENTS = frozenset(["P138", "P1542", "P828", "P1552", "P112"])
_FOR_WORKS = frozenset(["P31", "P144", "P1552", "P279", "P527"])
_NAME_RELATIONS = {
    "official": "P1448",
    "birth": "P1477",
    "alias": "P2561",
    "short": "P1813",
    "pseudonym": "P742",
    "nickname": "P1449",
}


class VitalArticles:
    """The builder for the package's summaries. ``file`` and ``french``: other files of the same shape, for tests."""

    name = "Wikipedia's vital articles"
    licence = "CC BY-SA 4.0"
    origin = f"English and French Wikipedia, summaries of the vital articles, from the package {DISTRIBUTION}"

    def __init__(self, file: Path | None = None, french: Path | None = None) -> None:
        self._file = file
        self._french_file = french

    def fingerprint(self) -> str:
        """The version of the package; that of the rules is ``rules_fingerprint``, for all builders together.

        Raises:
            NotConfigured: the package is not installed.
        """
        return package_version() if self._file is None else str(self._file)

    @cached_property
    def articles(self) -> tuple[Article, ...]:
        """All articles.

        Raises:
            NotConfigured: the package is not installed, or its file cannot be read.
        """
        return read_articles(self._file or data_file())

    @cached_property
    def _french(self) -> Mapping[str, str]:
        """The French summaries by title; none where another English file was given without one of them."""
        if self._french_file is None and self._file is not None:
            return {}
        return read_french(self._french_file or french_file(data_file()))

    @cached_property
    def _aliases(self) -> dict[str, list[tuple[str, str]]]:
        return {article.title: list(names_of(article)) for article in self.articles}

    @cached_property
    def names(self) -> Names:
        """Which article a phrase means."""
        return Names(self.articles, {title: [name for _, name in names] for title, names in self._aliases.items()})

    def records(self, progress: Progress) -> Iterator[BuilderRecord]:
        """An item for every article and every other node, the relations, and the facts."""
        yield from properties()
        total = len(self.articles)
        stated: set[str] = {article.entity.id for article in self.articles}
        for article in self.articles:
            yield self.item(article)
        for number, (article, facts) in enumerate(self.facts(self.articles), start=1):
            progress(_STAGE, number, total)
            for triple in self._triples(article, facts):
                for entity in (triple.subject, triple.object, *(qualifier.value for qualifier in triple.qualifiers)):
                    if isinstance(entity, Entity) and entity.id not in stated:
                        stated.add(entity.id)
                        yield Item(entity=entity)
                yield triple

    def item(self, article: Article) -> Item:
        """The article's subject with what it is called."""
        names = [name for _, name in self._aliases[article.title]]
        if article.title != article.label:
            names.append(article.title)
        return Item(entity=article.entity, aliases=tuple(dict.fromkeys(names)))

    def facts(self, articles: Iterable[Article]) -> Iterator[tuple[Article, list[Fact]]]:
        """The facts of each article, with the sentences that state them.

        Raises:
            NotConfigured: no English model is installed.
        """
        kept: list[Article] = []
        for article in articles:
            kept.append(article)
            if len(kept) == 200:
                yield from self._facts_of(kept)
                kept = []
        yield from self._facts_of(kept)

    def _facts_of(self, articles: list[Article]) -> Iterator[tuple[Article, list[Fact]]]:
        parses = parse_articles((article for article in articles if not is_person(article)), self.names)
        for article in articles:
            docs = None if is_person(article) else next(parses)
            yield article, list(self._unique(article, self._read(article, docs)))

    def _read(self, article: Article, docs: "tuple[Doc, Doc] | None") -> Iterator[Fact]:
        names = self.names
        for kind, name in self._aliases[article.title]:
            relation = _NAME_RELATIONS.get(kind)
            if kind == "name" and docs is None:
                relation = "P2561"  # a person's name in full; of other things it is mostly the title's plural
            is_cut = kind == "nickname" and " of " in name  # "the Liberator of Argentina, Chile and Peru"
            if relation is not None and not is_cut:
                yield Fact(relation, english(name), article.first_sentence)
        yield from title_facts(article, names)
        if docs is None:
            facts = [*person_facts(article, names), *achievement_facts(article, names)]
            french = self._french.get(article.title)
            yield from with_french_life(article, facts, french, names) if french is not None else facts
            return
        yield from list_facts(article, docs[1], names)
        if is_work(article):
            yield from work_facts(article, names)
            yield from period_facts(article, names)
            yield from clause_facts(article, *docs, names, _FOR_WORKS)
        elif event_kind(article) is not None:
            yield from event_facts(article, names)
            yield from period_facts(article, names)
            yield from clause_facts(article, *docs, names, _FOR_EVENTS)
        elif is_place(article):
            yield from place_facts(article, names)
            yield from span_facts(article)
            yield from clause_facts(article, *docs, names, _FOR_PLACES)
        elif is_taxon(article):
            yield from taxon_facts(article, names)
            yield from clause_facts(article, *docs, names)
        else:
            yield from description_facts(article, names)
            if is_language(article):
                yield from language_facts(article, names)
            if is_illness(article):
                yield from illness_facts(article, names)
            yield from clause_facts(article, *docs, names)

    @staticmethod
    def _unique(article: Article, facts: Iterable[Fact]) -> Iterator[Fact]:
        """Each fact once: of two that differ in their qualifiers, both stay; nothing is related to itself."""
        seen: set[tuple[object, ...]] = set()
        for fact in facts:
            subject = fact.subject or article.entity
            key = (subject.id, fact.relation, value_key(fact.value), fact.qualifiers)
            if key in seen or (isinstance(fact.value, Entity) and fact.value.id == subject.id):
                continue
            bare = (*key[:3], ())
            if not fact.qualifiers and any(other[:3] == key[:3] for other in seen):
                continue
            seen.update((key, bare) if not fact.qualifiers else (key,))
            yield fact

    def _triples(self, article: Article, facts: Iterable[Fact]) -> Iterator[Triple]:
        source = Source(
            name="embedded",
            url=wikipedia_url(article.title),
            title=article.title,
            text_id="vital:" + article.title,
        )
        for fact in facts:
            yield Triple(
                subject=fact.subject or article.entity,
                relation=property_of(fact.relation),
                object=fact.value,
                qualifiers=tuple(
                    Qualifier(relation=property_of(relation), value=value) for relation, value in fact.qualifiers
                ),
                source=fact.source or source,
            )


def parse_articles(articles: Iterable[Article], names: Names) -> "Iterator[tuple[Doc, Doc]]":
    """The parses of each article's description, as "It is a …", and of the beginning of its extract.

    Raises:
        NotConfigured: no English model is installed.
    """
    from wkgfc.language import english as pipeline  # noqa: PLC0415 - loading it takes a second

    def texts() -> Iterator[str]:
        for article in articles:
            yield description_sentence(article, names)
            yield beginning(article.extract)

    language = pipeline()
    with language.select_pipes(
        disable=[pipe for pipe in ("ner", "lemmatizer", "attribute_ruler") if pipe in language.pipe_names]
    ):
        docs = language.pipe(texts(), batch_size=64)
        yield from zip(docs, docs, strict=True)


def description_sentence(article: Article, names: Names) -> str:
    """The description as a sentence that can be parsed: "City in Norway (1 km2)" as "It is a city in Norway."."""
    text = article.description
    while text.endswith(")") and "(" in text:
        text = text[: text.rindex("(")].rstrip()
    if not text:
        return "It is."
    text = names.lowered(text)
    head = re.split(r"[,;:]| (?:of|in|on|at|for|that|which|who|with|from|by|to|and|used|made|where) ", text)[0]
    if re.match(r"(?:the|a|an|one|any|some|several|various|[a-z]*est|first|last|most) ", text, re.IGNORECASE):
        return f"It is {text}."
    if re.search(r"[^suia]s$", head) and not re.search(r"(?:species|series|means|headquarters)$", head):
        return f"They are {text}."
    return f"It is {'an' if text[:1].lower() in 'aeiou' else 'a'} {text}."


def beginning(text: str) -> str:
    """The first sentences of a text, about ``_PARSED_CHARACTERS`` of them."""
    if len(text) <= _PARSED_CHARACTERS:
        return text
    end = text.rfind(". ", 0, _PARSED_CHARACTERS)
    return text[: end + 1] if end > 0 else text[:_PARSED_CHARACTERS]
