"""The names of a graph in Wikidata's vocabulary, asked of its endpoint: for graphs without a search of their own."""

import asyncio
from collections.abc import Collection, Iterable, Sequence
from typing import Protocol, Self

from wkgfc.evidence import Entity
from wkgfc.kg import name_queries
from wkgfc.kg.answers import expect
from wkgfc.kg.graph import Candidate
from wkgfc.kg.names import entity_url, grade
from wkgfc.kg.rows import Rows, in_first
from wkgfc.kg.sparql import Endpoint
from wkgfc.kg.terms import is_language
from wkgfc.kg.vocabulary import PAGE_LABELS, PAGE_TYPES, entity_id, is_entity_id, is_property_id
from wkgfc.usage import count

LANGUAGES = ("en", "mul")  # "mul": Wikidata's code for a name that holds in all languages
MAX_LABEL = 1_000  # characters; Wikidata's own limit is 250

_BATCH = 500  # entities of one query
_NAMED = 200  # rows of one search


class EntityNames(Protocol):
    """What finds entities by their names, and names by their entities. Both raise ``SourceFailure``."""

    languages: tuple[str, ...]

    def in_language(self, language: str) -> Self:
        """The same, with ``language`` first."""
        ...

    async def search(self, mention: str, limit: int) -> list[Candidate]:
        """Entities whose label or alias meets ``mention``, best match and most linked first."""
        ...

    async def labelled(self, ids: Collection[str]) -> dict[str, Entity]:
        """The entities of these ids; those without a name are left out.

        A redirected id has the entity that it leads to.
        """
        ...


class SparqlNames:
    """Names by ``rdfs:label``, ``skos:altLabel`` and ``schema:description``, through SPARQL."""

    def __init__(self, endpoint: Endpoint, languages: Sequence[str] = LANGUAGES, *, any_case: bool = True) -> None:
        """``languages``: the preferred one first. ``any_case``: where no name is met to the letter, read all."""
        self.languages = tuple(languages)
        self._endpoint = endpoint
        self._any_case = any_case

    def in_language(self, language: str) -> Self:
        """The same, with ``language`` first."""
        return type(self)(self._endpoint, languages_of(language), any_case=self._any_case)

    async def search(self, mention: str, limit: int) -> list[Candidate]:
        """Entities with this name: to the letter or with the usual capitals, or else in any case."""
        met = await self._named(name_queries.named(written_forms(mention), self.languages, _NAMED), mention)
        if not met and self._any_case:
            met = await self._named(name_queries.named_in_any_case(mention, self.languages, _NAMED), mention)
        if not met:
            return []
        best = sorted(met, key=lambda each: (-met[each][1], each))[:_BATCH]
        entities, (links, pages) = await asyncio.gather(self.labelled(best), self._standing(best))
        candidates = [
            Candidate(
                entity=entities.get(each) or Entity(id=each, label=met[each][0], url=entity_url(each)),
                matched=met[each][0],
                match=met[each][1],
                links=links.get(each, 0),
                is_page=each in pages or met[each][0].startswith(PAGE_LABELS),
            )
            for each in best
        ]
        return best_first(candidates, limit)

    async def labelled(self, ids: Collection[str]) -> dict[str, Entity]:
        """The entities of these ids; redirected ones lead to their target."""
        wanted = [each for each in dict.fromkeys(ids) if is_entity_id(each)]
        known, targets = await self._labels(wanted)
        if targets:
            reached, _ = await self._labels([each for each in dict.fromkeys(targets.values()) if each not in known])
            reached.update(known)
            known.update((each, reached[target]) for each, target in targets.items() if target in reached)
        return known

    async def _labels(self, ids: Sequence[str]) -> tuple[dict[str, Entity], dict[str, str]]:
        """Entities by id, and where those without a label are redirected to."""
        labels: dict[str, dict[str, str]] = {}
        descriptions: dict[str, dict[str, str]] = {}
        targets: dict[str, str] = {}
        for start in range(0, len(ids), _BATCH):
            count("entity_searches")
            query = name_queries.labels(ids[start : start + _BATCH], self.languages)
            for entity, label, description, target in expect(
                await self._endpoint.select(query, name_queries.LABEL_COLUMNS)
            ):
                identifier = entity_id(entity.value) if entity else None
                if identifier is None:
                    continue
                for text, texts in ((label, labels), (description, descriptions)):
                    if text and text.value.strip():
                        texts.setdefault(identifier, {}).setdefault(text.language or "", text.value[:MAX_LABEL])
                if target and (other := entity_id(target.value)):
                    targets[identifier] = other
        known = {
            each: Entity(
                id=each,
                label=called,
                description=in_first(descriptions.get(each, {}), self.languages),
                url=entity_url(each),
            )
            for each in ids
            if (called := in_first(labels.get(each, {}), self.languages))
        }
        return known, {each: target for each, target in targets.items() if each in ids and each not in known}

    async def _named(self, query: str, mention: str) -> dict[str, tuple[str, float]]:
        """The best name of each entity that has one of those asked for, with how the mention meets it."""
        count("entity_searches")
        met: dict[str, tuple[str, float]] = {}
        for entity, label, alias in expect(await self._endpoint.select(query, name_queries.NAMED_COLUMNS)):
            identifier, name = entity_id(entity.value) if entity else None, label or alias
            if identifier is None or is_property_id(identifier) or name is None:
                continue
            match = grade(mention, name.value, is_alias=label is None)
            if match > met.get(identifier, ("", 0.0))[1]:
                met[identifier] = (name.value[:MAX_LABEL], match)
        return met

    async def _standing(self, ids: Sequence[str]) -> tuple[dict[str, int], set[str]]:
        count("entity_searches")
        rows = await self._endpoint.select(name_queries.standing(ids), name_queries.STANDING_COLUMNS, {"count"})
        return _links_and_pages(expect(rows))


def languages_of(language: str) -> tuple[str, ...]:
    """The languages in which names are looked for when a claim is in ``language``, the preferred one first.

    A tag that is none is left out: a claim's language is what someone typed.
    """
    tag = language.lower().replace("_", "-")
    spoken = (tag, tag.partition("-")[0]) if is_language(tag) else ()
    return tuple(dict.fromkeys((*spoken, *LANGUAGES)))


def written_forms(mention: str) -> list[str]:
    """The ways in which a name is likely to be written: as it stands, with a capital first, in words of capitals."""
    mention = " ".join(mention.split())
    forms = (mention, mention[:1].upper() + mention[1:], mention.title(), mention.lower(), mention.upper())
    return [form for form in dict.fromkeys(forms) if form]


def best_first(candidates: Iterable[Candidate], limit: int) -> list[Candidate]:
    """Best match first, then most linked."""
    return sorted(candidates, key=lambda each: (-each.match, -each.links, each.entity.id))[: max(limit, 0)]


def _links_and_pages(rows: Rows) -> tuple[dict[str, int], set[str]]:
    links: dict[str, int] = {}
    pages: set[str] = set()
    for entity, kind, number in rows:
        identifier = entity_id(entity.value) if entity else None
        if identifier is None:
            continue
        if number is not None:
            links[identifier] = int(number.value)
        if kind is not None and entity_id(kind.value) in PAGE_TYPES:
            pages.add(identifier)
    return links, pages
