"""A knowledge graph in plain RDF behind a SPARQL endpoint: facts are triples, and ids are IRIs.

What Wikidata says beside a fact (ranks, qualifiers, references) such a graph does not have, so that its triples are of
normal rank and unqualified.
"""

import asyncio
import copy
from collections.abc import Collection, Mapping, Sequence
from itertools import chain
from typing import Self

from wkgfc.evidence import Direction, Entity, Relation, Source, Triple
from wkgfc.http import Http
from wkgfc.kg import rdf_queries
from wkgfc.kg.answers import expect, retrieved
from wkgfc.kg.graph import Candidate, RelatedTriples, distinct
from wkgfc.kg.labels import EntityNames, languages_of
from wkgfc.kg.queries import OUTGOING
from wkgfc.kg.rdf_names import RdfNames
from wkgfc.kg.rdf_queries import Shape, is_relation
from wkgfc.kg.rdf_values import entity_of, name_of_iri, value_of
from wkgfc.kg.sparql import TIMEOUT_S, Endpoint, Row
from wkgfc.kg.terms import is_iri
from wkgfc.kg.values import Term
from wkgfc.reasoning.reasoner import OfferedRelation, Ranking
from wkgfc.state import Nothing, Retrieved
from wkgfc.usage import count

_NUMBERS = {"branch", "count"}
_MAX_KNOWN = 20_000  # relations whose names are kept

_Branch = tuple[str, str, Direction]  # an entity, a relation, a direction


def open_plain_rdf(http: Http, url: str, *, language: str = "en", timeout_s: float = TIMEOUT_S) -> "PlainRdf":
    """The graph behind any SPARQL endpoint, with names by ``rdfs:label`` or ``skos:prefLabel``.

    Names are met to the letter or, where none is, in any case, for which the endpoint reads all of them.

    Raises:
        NotConfigured: ``url`` is no http or https URL.
    """
    endpoint, shape = Endpoint(http, url, timeout_s=timeout_s), Shape()
    return PlainRdf(endpoint, RdfNames(endpoint, shape, languages_of(language)), shape, name=endpoint.host)


class PlainRdf:
    """Triples and names by SPARQL. It holds no connection, and any event loop may ask.

    ``version`` is the endpoint with the day on which it first answered.
    """

    def __init__(self, endpoint: Endpoint, names: EntityNames, shape: Shape, *, name: str) -> None:
        self.name = name
        self._endpoint, self._names, self._shape = endpoint, names, shape
        self._relations: dict[str, Relation] = {}

    @property
    def version(self) -> str:
        """Where and when it was asked."""
        return self._endpoint.asked

    def in_language(self, language: str) -> Self:
        """The same graph with names in ``language`` (an IETF tag) where there are any, in English otherwise."""
        speaking = copy.copy(self)
        speaking._names, speaking._relations = self._names.in_language(language), {}
        return speaking

    async def candidates(self, mention: str, limit: int = 20) -> Retrieved[Candidate]:
        """Entities whose label or alias meets ``mention``, best match and most linked first."""
        return await retrieved(self._names.search(mention, limit)) if mention.strip() and limit > 0 else Nothing()

    async def entities(self, ids: Sequence[str]) -> Retrieved[Entity]:
        """The entities of these ids, in their order; a redirected id brings the entity that it leads to."""

        async def look_up() -> list[Entity]:
            known = await self._names.labelled(ids)
            return list(dict.fromkeys(known[each] for each in ids if each in known))

        return await retrieved(look_up())

    async def relations(self, frontier: Sequence[Entity]) -> Retrieved[OfferedRelation]:
        """The relations of the frontier in both directions, most frequent first, in one query."""
        entities = {entity.id: entity for entity in frontier if is_iri(entity.id)}
        if not entities:
            return Nothing()
        count("kg_queries")

        async def ask() -> list[OfferedRelation]:
            query = rdf_queries.relations(list(entities), self._names.languages, self._shape)
            counts: dict[tuple[str, Direction], dict[str, int]] = {}
            for entity, way, predicate, number in await self._select(query, rdf_queries.RELATION_COLUMNS):
                if not (entity and way and number and entity.value in entities):
                    continue
                if predicate is not None and self._is_relation(predicate):
                    direction: Direction = "out" if way.value == "out" else "in"
                    counts.setdefault((predicate.value, direction), {})[entity.value] = int(number.value)
            relations = await self._described({relation for relation, _ in counts})
            offered = [
                OfferedRelation(
                    relation=relations[relation],
                    direction=direction,
                    entities=tuple(entity for each, entity in entities.items() if each in of_relation),
                    count=sum(of_relation.values()),
                )
                for (relation, direction), of_relation in counts.items()
            ]
            return sorted(offered, key=lambda each: (-each.count, each.relation.id, each.direction))

        return await retrieved(ask())

    async def triples(
        self,
        frontier: Sequence[Entity],
        chosen: Sequence[tuple[Relation, Direction]],
        limit: int,
        towards: Sequence[Entity] = (),
    ) -> Retrieved[Triple]:
        """The triples of the chosen relations, at most ``limit`` for each entity, relation and direction.

        Of more than that, those that lead to one of ``towards`` come first.
        """
        entities = list(dict.fromkeys(each.id for each in frontier if is_iri(each.id)))
        pairs = list(
            dict.fromkeys(
                (each.id, way) for each, way in chosen if is_iri(each.id) and is_relation(self._shape, each.id)
            )
        )
        ends = list(dict.fromkeys(each.id for each in towards if is_iri(each.id)))
        if not entities or not pairs or limit < 1:
            return Nothing()
        count("kg_queries")

        async def ask() -> list[Triple]:
            query = rdf_queries.triples(entities, pairs, limit, ends, self._names.languages, self._shape)
            answers: dict[int, _Answer] = {}
            for branch, other, number in await self._select(query, rdf_queries.TRIPLE_COLUMNS):
                if branch is not None:
                    answers.setdefault(int(branch.value), _Answer()).add(other, number)
            branches = [(entity, relation, way) for entity in entities for relation, way in pairs]
            told = {key: answers[number] for number, key in enumerate(branches) if number in answers}
            return distinct(chain.from_iterable((await self._read(told, limit, ends)).values()))

        return await retrieved(ask())

    async def neighbourhood(
        self, entity: Entity, direction: Direction, limit: int, towards: Sequence[Entity] = ()
    ) -> Retrieved[RelatedTriples]:
        """All triples of one entity in one direction, at most ``limit`` a relation: the paper's two templates."""
        ends = list(dict.fromkeys(each.id for each in towards if is_iri(each.id)))
        if not is_iri(entity.id) or limit < 1:
            return Nothing()
        count("kg_queries")

        async def ask() -> list[RelatedTriples]:
            query = rdf_queries.neighbourhood(entity.id, direction, ends, self._names.languages, self._shape)
            told: dict[_Branch, _Answer] = {}
            for predicate, other, number in await self._select(query, rdf_queries.NEIGHBOURHOOD_COLUMNS):
                if predicate is not None and self._is_relation(predicate):
                    told.setdefault((entity.id, predicate.value, direction), _Answer()).add(other, number)
            triples = await self._read(told, limit, ends)
            relations = await self._described({relation for _, relation, _ in told})
            return [
                RelatedTriples(
                    entity=entity,
                    relation=relations[branch[1]],
                    direction=direction,
                    count=answer.count,
                    triples=tuple(triples[branch]),
                )
                for branch, answer in told.items()
            ]

        return await retrieved(ask())

    async def ranking(self, ranking: Ranking, limit: int) -> Nothing:
        """Nothing: such graphs share neither types nor units, and a first place among some says nothing of all."""
        return Nothing()

    def _is_relation(self, predicate: Term) -> bool:
        return is_iri(predicate.value) and is_relation(self._shape, predicate.value)

    async def _read(
        self, told: "Mapping[_Branch, _Answer]", limit: int, towards: Collection[str]
    ) -> "dict[_Branch, list[Triple]]":
        """The triples of an answer, each branch cut to ``limit``, with the names of what they say."""
        ends = {branch: answer.best(branch[2], limit, {*towards} - {branch[0]}) for branch, answer in told.items()}
        ids = {entity for entity, _, _ in told} | {
            term.value for terms in ends.values() for term in terms if term.datatype is None
        }
        relations, names = await asyncio.gather(
            self._described({relation for _, relation, _ in told}), self._names.labelled(sorted(filter(is_iri, ids)))
        )

        def triple(branch: _Branch, term: Term) -> Triple | None:
            entity, relation, direction = branch
            near = names.get(entity) or entity_of(entity)
            far = value_of(term, self._shape.units.get(relation), has_year_zero=self._shape.has_year_zero)
            if isinstance(far, Entity):
                far = names.get(far.id) or far
            subject, value = (near, far) if direction == "out" else (far, near)
            if not isinstance(subject, Entity):
                return None
            return Triple(
                subject=subject,
                relation=relations[relation],
                object=value,
                source=Source(name=self.name, url=subject.url),
                count=told[branch].total(direction),
            )

        return {branch: [each for term in terms if (each := triple(branch, term))] for branch, terms in ends.items()}

    async def _select(self, query: str, columns: Sequence[str]) -> list[Row]:
        return expect(await self._endpoint.select(query, columns, _NUMBERS))

    async def _described(self, ids: set[str]) -> dict[str, Relation]:
        """The relations of these ids; one without a label is called by the end of its IRI."""
        known = {each: self._relations[each] for each in ids & self._relations.keys()}
        if missing := sorted(ids - known.keys()):
            names = await self._names.labelled(missing)
            known.update(
                (each, Relation(id=each, label=names[each].label if each in names else name_of_iri(each)))
                for each in missing
            )
            if len(self._relations) > _MAX_KNOWN:  # what another check is about to use, it has
                self._relations.clear()
            self._relations.update(known)
        return known


class _Answer:
    """What was answered for one entity, relation and direction. ``count`` is how many were counted."""

    def __init__(self) -> None:
        self.count = 0
        self._others: dict[Term, None] = {}

    def add(self, other: Term | None, number: Term | None) -> None:
        if other is not None and (other.datatype is not None or is_iri(other.value)):
            self._others[other] = None
        if number is not None:
            self.count = max(self.count, int(number.value))

    def total(self, direction: Direction) -> int:
        """How many ends there are."""
        return max(self.count if direction == "in" else 0, min(len(self._others), OUTGOING))

    def best(self, direction: Direction, limit: int, towards: Collection[str]) -> list[Term]:
        """At most ``limit`` ends: those in ``towards``, then others by what they say."""
        some = list(self._others) if direction == "in" else list(self._others)[: max(limit, OUTGOING)]
        is_wanted = {term: term.datatype is None and term.value in towards for term in some}
        return sorted(some, key=lambda term: (not is_wanted[term], _order(term)))[:limit]


def _order(term: Term) -> tuple[str, ...]:
    return (term.value, term.datatype or "", term.language or "")
