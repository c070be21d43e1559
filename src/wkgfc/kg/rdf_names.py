"""The names of a plain RDF graph, asked of its endpoint: ``rdfs:label``, ``skos:prefLabel`` or what its shape says."""

from collections.abc import Collection, Sequence
from typing import Self

from wkgfc.evidence import Entity
from wkgfc.kg import rdf_queries
from wkgfc.kg.answers import expect
from wkgfc.kg.graph import Candidate
from wkgfc.kg.labels import LANGUAGES, MAX_LABEL, best_first, languages_of, written_forms
from wkgfc.kg.names import grade
from wkgfc.kg.rdf_queries import Shape
from wkgfc.kg.rdf_values import entity_of
from wkgfc.kg.rows import in_first
from wkgfc.kg.sparql import Endpoint
from wkgfc.kg.terms import is_iri
from wkgfc.usage import count

_BATCH = 300  # entities of one query
_NAMED = 200  # rows of one search
_STANDING = 50  # entities of which it is asked how well known they are


class RdfNames:
    """Names through SPARQL; ids are IRIs."""

    def __init__(
        self, endpoint: Endpoint, shape: Shape, languages: Sequence[str] = LANGUAGES, *, any_case: bool = True
    ) -> None:
        """``languages``: the preferred one first. ``any_case``: where no name is met to the letter, read all."""
        self.languages = tuple(languages)
        self._endpoint, self._shape, self._any_case = endpoint, shape, any_case

    def in_language(self, language: str) -> Self:
        """The same, with ``language`` first."""
        return type(self)(self._endpoint, self._shape, languages_of(language), any_case=self._any_case)

    async def search(self, mention: str, limit: int) -> list[Candidate]:
        """Entities with this name: to the letter or with the usual capitals, or else in any case.

        Redirected ones are told as what they lead to, and pages that only list namesakes are dropped.
        """
        query = rdf_queries.named(written_forms(mention), self.languages, self._shape, _NAMED)
        met = await self._named(query, mention)
        if not met and self._any_case:
            query = rdf_queries.named_in_any_case(mention, self.languages, self._shape, _NAMED)
            met = await self._named(query, mention)
        known, pages = await self._look_up(list(met))
        best: dict[str, tuple[str, float]] = {}
        for identifier, (name, match) in met.items():
            target = known[identifier].id if identifier in known else identifier
            if identifier not in pages and target not in pages and match > best.get(target, ("", 0.0))[1]:
                best[target] = (name, match)
        ids = sorted(best, key=lambda each: (-best[each][1], each))[:_STANDING]
        links = await self._links(ids)
        by_id = {entity.id: entity for entity in known.values()}
        candidates = [
            Candidate(
                entity=by_id.get(each) or entity_of(each, best[each][0]),
                matched=best[each][0],
                match=best[each][1],
                links=links.get(each, 0),
            )
            for each in ids
        ]
        return best_first(candidates, limit)

    async def labelled(self, ids: Collection[str]) -> dict[str, Entity]:
        """The entities of these ids; those without a label are left out, redirected ones have where they lead."""
        return (await self._look_up(ids))[0]

    async def _look_up(self, ids: Collection[str]) -> tuple[dict[str, Entity], set[str]]:
        """Entities by id, and which ids are pages."""
        wanted = [each for each in dict.fromkeys(ids) if is_iri(each)]
        known, targets, pages = await self._labels(wanted)
        if targets:
            further = [each for each in dict.fromkeys(targets.values()) if each not in known]
            reached, _, more = await self._labels(further)
            reached = known | reached
            pages |= more
            known.update({each: reached.get(target) or entity_of(target) for each, target in targets.items()})
        return known, pages

    async def _labels(self, ids: Sequence[str]) -> tuple[dict[str, Entity], dict[str, str], set[str]]:
        labels: dict[str, dict[str, str]] = {}
        descriptions: dict[str, dict[str, str]] = {}
        targets: dict[str, str] = {}
        pages: set[str] = set()
        asked = set(ids)
        for start in range(0, len(ids), _BATCH):
            count("entity_searches")
            query = rdf_queries.labels(ids[start : start + _BATCH], self.languages, self._shape)
            rows = expect(await self._endpoint.select(query, rdf_queries.LABEL_COLUMNS, {"page"}))
            for entity, label, description, target, page in rows:
                if entity is None or entity.value not in asked:
                    continue
                for text, texts in ((label, labels), (description, descriptions)):
                    if text and text.value.strip():
                        known = texts.setdefault(entity.value, {})
                        known.setdefault(text.language or "", text.value[:MAX_LABEL])
                if target and is_iri(target.value):
                    targets[entity.value] = target.value
                if page:
                    pages.add(entity.value)
        languages = (*self.languages, "")
        entities = {
            each: entity_of(each, called, in_first(descriptions.get(each, {}), languages))
            for each in ids
            if (called := in_first(labels.get(each, {}), languages))
        }
        return entities, targets, pages

    async def _named(self, query: str, mention: str) -> dict[str, tuple[str, float]]:
        """The best name of each entity that has one of those asked for, with how the mention meets it."""
        count("entity_searches")
        met: dict[str, tuple[str, float]] = {}
        for entity, label, alias in expect(await self._endpoint.select(query, rdf_queries.NAMED_COLUMNS)):
            name = label or alias
            if entity is None or name is None or entity.datatype is not None or not is_iri(entity.value):
                continue
            match = grade(mention, name.value, is_alias=label is None)
            if match > met.get(entity.value, ("", 0.0))[1]:
                met[entity.value] = (name.value[:MAX_LABEL], match)
        return met

    async def _links(self, ids: Sequence[str]) -> dict[str, int]:
        if not ids:
            return {}
        count("entity_searches")
        rows = await self._endpoint.select(rdf_queries.standing(ids), rdf_queries.STANDING_COLUMNS, {"count"})
        return {entity.value: int(number.value) for entity, number in expect(rows) if entity and number}
