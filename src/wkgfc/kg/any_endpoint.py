"""A knowledge graph behind an address that someone gave: which vocabulary it speaks is asked of it first."""

from collections.abc import Sequence
from typing import Self

from wkgfc.evidence import Direction, Entity, Relation, Triple
from wkgfc.http import Http
from wkgfc.kg.graph import Candidate, Neighbour, RelatedTriples
from wkgfc.kg.labels import SparqlNames, languages_of
from wkgfc.kg.name_queries import VOCABULARY_COLUMNS, vocabulary
from wkgfc.kg.plain_rdf import PlainRdf
from wkgfc.kg.rdf_names import RdfNames
from wkgfc.kg.rdf_queries import Shape
from wkgfc.kg.sparql import TIMEOUT_S, Endpoint
from wkgfc.kg.wikibase import Wikibase
from wkgfc.reasoning.reasoner import OfferedRelation, Ranking
from wkgfc.state import Failed, Nothing, Retrieved


class AnyEndpoint:
    """A SPARQL endpoint in Wikidata's vocabulary or in plain RDF. Names are asked of the endpoint too.

    The first question to it asks one query more: whether it has direct links or statements of Wikidata's. Where that
    fails, the question has failed, and the next one asks it again.
    """

    def __init__(self, http: Http, url: str, *, language: str = "en", timeout_s: float = TIMEOUT_S) -> None:
        """``url`` takes SPARQL queries, and ``language`` is that of names, before English.

        Raises:
            NotConfigured: ``url`` is no http or https URL.
        """
        self._endpoint = Endpoint(http, url, timeout_s=timeout_s)
        self.name = self._endpoint.host
        self._http, self._language, self._timeout_s = http, language, timeout_s
        self._graph: Wikibase | PlainRdf | None = None

    @property
    def version(self) -> str:
        """Where and when it was asked."""
        return self._endpoint.asked

    def in_language(self, language: str) -> Self:
        """The same graph with names in ``language`` (an IETF tag) where there are any, in English otherwise."""
        speaking = type(self)(self._http, self._endpoint.url, language=language, timeout_s=self._timeout_s)
        speaking._endpoint = self._endpoint
        speaking._graph = self._graph and self._graph.in_language(language)
        return speaking

    async def candidates(self, mention: str, limit: int = 20) -> Retrieved[Candidate]:
        """Entities whose label or alias meets ``mention``, best match and most linked first."""
        graph = await self._known()
        return graph if isinstance(graph, Failed) else await graph.candidates(mention, limit)

    async def entities(self, ids: Sequence[str]) -> Retrieved[Entity]:
        """The entities of these ids, in their order."""
        graph = await self._known()
        return graph if isinstance(graph, Failed) else await graph.entities(ids)

    async def relations(self, frontier: Sequence[Entity]) -> Retrieved[OfferedRelation]:
        """The relations of the frontier in both directions, in one query."""
        graph = await self._known()
        return graph if isinstance(graph, Failed) else await graph.relations(frontier)

    async def triples(
        self,
        frontier: Sequence[Entity],
        chosen: Sequence[tuple[Relation, Direction]],
        limit: int,
        towards: Sequence[Entity] = (),
    ) -> Retrieved[Triple]:
        """The triples of the chosen relations, at most ``limit`` for each entity, relation and direction."""
        graph = await self._known()
        return graph if isinstance(graph, Failed) else await graph.triples(frontier, chosen, limit, towards)

    async def neighbourhood(
        self, entity: Entity, direction: Direction, limit: int, towards: Sequence[Entity] = ()
    ) -> Retrieved[RelatedTriples]:
        """All triples of one entity in one direction, at most ``limit`` a relation."""
        graph = await self._known()
        return graph if isinstance(graph, Failed) else await graph.neighbourhood(entity, direction, limit, towards)

    async def ranking(self, ranking: Ranking, limit: int) -> Retrieved[Triple]:
        """The entities of a type that come first, in Wikidata's vocabulary; ``Nothing`` in plain RDF."""
        graph = await self._known()
        return graph if isinstance(graph, Failed) else await graph.ranking(ranking, limit)

    async def neighbours(self, ids: Sequence[str], limit: int = 48) -> Retrieved[Neighbour]:
        """Outgoing facts between entities, in Wikidata's vocabulary; ``Nothing`` in plain RDF."""
        graph = await self._known()
        if isinstance(graph, Failed):
            return graph
        return await graph.neighbours(ids, limit) if isinstance(graph, Wikibase) else Nothing()

    async def _known(self) -> Wikibase | PlainRdf | Failed:
        if self._graph is None:
            rows = await self._endpoint.select(vocabulary(), VOCABULARY_COLUMNS)
            if isinstance(rows, Failed):
                return rows
            self._graph = self._opened(is_wikibase=bool(rows))
        return self._graph

    def _opened(self, *, is_wikibase: bool) -> Wikibase | PlainRdf:
        languages = languages_of(self._language)
        if is_wikibase:
            return Wikibase(self._endpoint, SparqlNames(self._endpoint, languages), name=self.name)
        shape = Shape()
        return PlainRdf(self._endpoint, RdfNames(self._endpoint, shape, languages), shape, name=self.name)
