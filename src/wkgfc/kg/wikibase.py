"""A knowledge graph in Wikidata's vocabulary behind a SPARQL endpoint: the same queries as the embedded store asks.

Each of the two templates is one request. What the ids in an answer are called is looked up afterwards, for what is
kept of it, and counted apart.
"""

import asyncio
import contextlib
import copy
import datetime as dt
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Self

from wkgfc.evidence import Direction, Entity, Quantity, Relation, Triple, Value
from wkgfc.kg import name_queries, queries, ranking_queries
from wkgfc.kg.answers import expect, retrieved
from wkgfc.kg.graph import Candidate, Neighbour, RelatedTriples, distinct
from wkgfc.kg.labels import EntityNames, SparqlNames
from wkgfc.kg.names import entity_url
from wkgfc.kg.rows import NOT_OFFERED, RelationRows, described, factors_of, nearest, numbers_of_units
from wkgfc.kg.sparql import Endpoint, Row
from wkgfc.kg.statements import Branch, StatementRows
from wkgfc.kg.values import Called
from wkgfc.kg.vocabulary import identified, is_entity_id, is_property_id
from wkgfc.reasoning.reasoner import OfferedRelation, Ranking
from wkgfc.state import Nothing, Retrieved
from wkgfc.usage import count

_NUMBERS = {"row", "branch", "count"}
_MAX_KNOWN = 20_000  # properties whose names are kept; Wikidata has some 13,000


@dataclass
class _Date:
    """When the whole graph was last changed: what IRI says it, whether that was asked, and the answer."""

    of: str | None
    is_asked: bool = False
    changed: dt.datetime | None = None


class Wikibase:
    """Triples by SPARQL, names by whatever knows them. It holds no connection, and any event loop may ask.

    ``version`` is when the graph was last changed, where the endpoint says so; otherwise the endpoint with the day on
    which it first answered.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        names: EntityNames,
        *,
        name: str = "wikibase",
        dated: str | None = None,
    ) -> None:
        """``dated`` is the IRI of which the endpoint tells the ``schema:dateModified`` of the whole graph."""
        self.name = name
        self._endpoint, self._names = endpoint, names
        self._date = _Date(dated)
        self._relations: dict[str, Relation] = {}

    @property
    def version(self) -> str:
        """When the graph was last changed, or else where and when it was asked."""
        if self._date.changed is not None:
            return self._date.changed.isoformat(timespec="seconds")
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
            known = await self._labelled(set(ids))
            return list(dict.fromkeys(known[each] for each in ids if each in known))

        return await retrieved(look_up())

    async def relations(self, frontier: Sequence[Entity]) -> Retrieved[OfferedRelation]:
        """The relations of the frontier in both directions, most frequent first, in one query.

        Of a hub, ``queries.SAMPLE`` incoming links are looked at. Identifiers in other databases, media and the
        like are not offered.
        """
        entities = identified(frontier)
        if not entities:
            return Nothing()
        count("kg_queries")

        async def ask() -> list[OfferedRelation]:
            rows = RelationRows(await self._select(queries.relations(list(entities)), queries.RELATION_COLUMNS))
            offered = rows.offered(entities, await self._described(rows.ids()))
            return [each for each in offered if each.relation.datatype not in NOT_OFFERED]

        return await retrieved(ask())

    async def triples(
        self,
        frontier: Sequence[Entity],
        chosen: Sequence[tuple[Relation, Direction]],
        limit: int,
        towards: Sequence[Entity] = (),
    ) -> Retrieved[Triple]:
        """The triples of the chosen relations, at most ``limit`` for each entity, relation and direction.

        Of more than that, those that lead to one of ``towards`` come first, then the preferred, then the newest.
        """
        entities = list(identified(frontier))
        pairs = list(dict.fromkeys((each.id, direction) for each, direction in chosen if is_property_id(each.id)))
        ends = list(identified(towards))
        if not entities or not pairs or limit < 1:
            return Nothing()
        count("kg_queries")

        async def ask() -> list[Triple]:
            query = queries.triples(entities, pairs, limit, ends)
            rows = StatementRows(await self._select(query, queries.TRIPLE_COLUMNS))
            branches = [Branch(entity, relation, direction) for entity in entities for relation, direction in pairs]

            def read(names: Called) -> list[Triple]:
                return distinct(
                    chain.from_iterable(rows.triples(dict(enumerate(branches)), limit, names, ends).values())
                )

            relations = await self._described({relation for relation, _ in pairs} | rows.relation_ids())
            return read(await self._called(read(_called({}, relations, self.name)), relations))

        return await retrieved(ask())

    async def neighbourhood(
        self, entity: Entity, direction: Direction, limit: int, towards: Sequence[Entity] = ()
    ) -> Retrieved[RelatedTriples]:
        """All triples of one entity in one direction, at most ``limit`` a relation: the paper's two templates."""
        if not is_entity_id(entity.id) or limit < 1:
            return Nothing()
        count("kg_queries")

        async def ask() -> list[RelatedTriples]:
            ends = list(identified(towards))
            query = queries.neighbourhood(entity.id, direction, ends)
            rows = StatementRows(await self._select(query, queries.TRIPLE_COLUMNS))
            relations = await self._described(rows.relation_ids())

            def read(names: Called) -> list[RelatedTriples]:
                around = rows.around(entity, direction, limit, names, ends)
                return [each for each in around if each.relation.datatype not in NOT_OFFERED]

            draft = chain.from_iterable(each.triples for each in read(_called({}, relations, self.name)))
            return read(await self._called(draft, relations))

        return await retrieved(ask())

    async def ranking(self, ranking: Ranking, limit: int) -> Retrieved[Triple]:
        """The entities of a type that come first by a quantity or a time, first one first.

        ``Nothing`` where the graph has ``ranking_queries.COMPARED`` entities of the type or more: a first place in a
        sample says nothing of all. ``Triple.count`` is how many were compared.
        """
        relation, kind = ranking.relation.id, ranking.instance_of.id
        place = ranking.within.id if ranking.within else None
        ids = [each for each in (kind, place) if each is not None]
        if not is_property_id(relation) or not all(map(is_entity_id, ids)) or limit < 1:
            return Nothing()

        async def ask() -> list[Triple]:
            count("kg_queries")
            sizes = await self._select(ranking_queries.size_of_type(kind), ranking_queries.SIZE_COLUMNS)
            if any(number is not None and int(number.value) >= ranking_queries.COMPARED for (number,) in sizes):
                return []
            factors = await self._factors(relation, kind)
            count("kg_queries")
            query = ranking_queries.ranking(
                relation, kind, place, descending=ranking.descending, limit=limit, factors=factors
            )
            rows = StatementRows(await self._select(query, ranking_queries.RANKING_COLUMNS))
            relations = await self._described(rows.relation_ids() | {relation})
            draft = rows.ranked(relation, ranking.descending, _called({}, relations, self.name), factors)
            names = await self._called(draft, relations)
            return rows.ranked(relation, ranking.descending, names, factors)

        return await retrieved(ask())

    async def neighbours(self, ids: Sequence[str], limit: int = 48) -> Retrieved[Neighbour]:
        """Outgoing facts between entities, at most ``limit`` for each of ``ids``; types (``P31``) come first."""
        entities = [each for each in dict.fromkeys(ids) if is_entity_id(each)]
        if not entities:
            return Nothing()
        count("entity_searches")  # linking's, not one of the two templates

        async def ask() -> list[Neighbour]:
            rows = await self._select(name_queries.neighbours(entities), name_queries.NEIGHBOUR_COLUMNS)
            near = nearest(rows, entities, limit)
            # Some hundred names, of which linking reads the words: one more query, whatever else knows names.
            names = await SparqlNames(self._endpoint, self._names.languages).labelled({other for _, _, other in near})
            return [
                Neighbour(entity_id=each, relation_id=relation, other=names.get(other) or Entity(id=other, label=other))
                for each, relation, other in near
            ]

        return await retrieved(ask())

    async def _called(self, draft: Iterable[Triple], relations: Mapping[str, Relation]) -> Called:
        """What everything in triples is called. They were read before to know it: names are asked for what is kept."""
        return _called(await self._labelled(_named_in(draft)), relations, self.name)

    async def _select(self, query: str, columns: Sequence[str]) -> list[Row]:
        rows, _ = await asyncio.gather(self._endpoint.select(query, columns, _NUMBERS), self._ask_date())
        return expect(rows)

    async def _ask_date(self) -> None:
        """Ask once when the graph was changed. No evidence hangs on it, so a failure changes nothing."""
        if self._date.of is None or self._date.is_asked:
            return
        self._date.is_asked = True
        rows = await self._endpoint.select(name_queries.date_modified(self._date.of), name_queries.DATE_COLUMNS)
        for (term,) in rows if isinstance(rows, list) else ():
            with contextlib.suppress(ValueError):
                self._date.changed = dt.datetime.fromisoformat(term.value) if term else None

    async def _labelled(self, ids: Collection[str]) -> dict[str, Entity]:
        """The entities of these ids, properties among them."""
        wanted = {each for each in ids if is_entity_id(each)}
        properties = {each for each in wanted if is_property_id(each)}
        known = await self._names.labelled(sorted(wanted - properties)) if wanted - properties else {}
        for each, relation in (await self._described(properties)).items():
            if relation.label != each:
                known[each] = Entity(id=each, label=relation.label, url=entity_url(each))
        return known

    async def _described(self, ids: set[str]) -> dict[str, Relation]:
        """The relations of these ids with label and datatype. They are kept: there are some thousands in all."""
        known = {each: self._relations[each] for each in ids & self._relations.keys()}
        if missing := sorted(ids - known.keys()):
            count("entity_searches")
            query = name_queries.properties(missing, self._names.languages)
            rows = await self._select(query, name_queries.PROPERTY_COLUMNS)
            known.update(described(rows, missing, self._names.languages))
            if len(self._relations) > _MAX_KNOWN:  # what another check is about to use, it has
                self._relations.clear()
            self._relations.update(known)
        return known

    async def _factors(self, relation: str, kind: str) -> dict[str, float]:
        """What amounts of each unit are multiplied by to compare them; nothing where there is one unit at most."""
        if (await self._described({relation}))[relation].datatype == "Time":
            return {}
        count("kg_queries")
        numbers = numbers_of_units(
            await self._select(ranking_queries.units(relation, kind), ranking_queries.UNIT_COLUMNS)
        )
        labels = await self._labelled(numbers) if len(numbers) > 1 else {}
        return factors_of(numbers, lambda unit: labels[unit].label if unit in labels else unit)


def _called(entities: Mapping[str, Entity], relations: Mapping[str, Relation], source: str) -> Called:
    return Called(entities=entities, relations=relations, page=entity_url, source=source)


def _named_in(triples: Iterable[Triple]) -> set[str]:
    """The ids of all entities in triples: ends, values of qualifiers, units."""
    values: list[Value] = []
    for triple in triples:
        values += [triple.subject, triple.object, *(qualifier.value for qualifier in triple.qualifiers)]
    units = [value.unit for value in values if isinstance(value, Quantity) and value.unit is not None]
    return {value.id for value in (*values, *units) if isinstance(value, Entity)}
