"""The knowledge graph as the retrieval sees it: what any source of triples must answer."""

from collections.abc import Iterable, Sequence
from typing import Protocol, runtime_checkable

from wkgfc.evidence import Direction, Entity, Record, Relation, Triple
from wkgfc.reasoning.reasoner import OfferedRelation, Ranking
from wkgfc.state import Nothing, Retrieved


class Candidate(Record):
    """An entity that a mention may mean.

    ``match`` says how the mention met it: 1.0 for its label, less for an alias, a folded or a partial form.
    ``links`` counts the statements that the graph has about it or towards it: its popularity.
    ``is_page`` marks what is no entity of the world: a disambiguation page, a category, a list, a template.
    """

    entity: Entity
    matched: str
    match: float
    links: int = 0
    is_page: bool = False


class RelatedTriples(Record):
    """A relation of one entity in one direction, with triples of it: none where all are deprecated.

    ``count`` is how many there are, and 0 where ``relations`` would not offer it: no link that it looks at has it.
    """

    entity: Entity
    relation: Relation
    direction: Direction
    count: int
    triples: tuple[Triple, ...]


class KnowledgeGraph(Protocol):
    """A source of triples. Every answer is ``Found``, ``Nothing`` or ``Failed``; it raises only for a bug.

    Implementations count what they ask with ``wkgfc.usage.count``: ``kg_queries`` for the two templates,
    ``entity_searches`` for look-ups of names and labels.
    """

    name: str

    @property
    def version(self) -> str:
        """What the answers come from: it changes when the data does. A live source may know it only once asked."""
        ...

    async def candidates(self, mention: str, limit: int = 20) -> Retrieved[Candidate]:
        """Entities whose label or alias meets ``mention``, best match and most linked first."""
        ...

    async def entities(self, ids: Sequence[str]) -> Retrieved[Entity]:
        """The entities of these ids, with label and description; unknown ids are left out."""
        ...

    async def relations(self, frontier: Sequence[Entity]) -> Retrieved[OfferedRelation]:
        """The relations of a whole frontier, outgoing and incoming, in one query (paper, section 4.2)."""
        ...

    async def triples(
        self,
        frontier: Sequence[Entity],
        chosen: Sequence[tuple[Relation, Direction]],
        limit: int,
        towards: Sequence[Entity] = (),
    ) -> Retrieved[Triple]:
        """The triples of the chosen relations, at most ``limit`` for each entity, relation and direction.

        Those that lead to one of ``towards`` come first: among the 65 organisations that a country is a member of,
        the one that the claim names. Literals, qualifiers and ranks come with them; deprecated statements do not.
        ``Triple.count`` says how many there are in all.
        """
        ...

    async def neighbourhood(
        self, entity: Entity, direction: Direction, limit: int, towards: Sequence[Entity] = ()
    ) -> Retrieved[RelatedTriples]:
        """All triples of one entity in one direction, at most ``limit`` a relation: the paper's two templates.

        The same relations and triples, with the same counts, as ``relations`` followed by ``triples`` would give.
        """
        ...

    async def ranking(self, ranking: Ranking, limit: int) -> Retrieved[Triple]:
        """The entities of a type that come first by a quantity or a time: the answer to a superlative.

        Only entities of ``instance_of`` (``P31``, or a subclass one step down), and only those with an outgoing
        relation to ``within`` where it is given. ``Triple.count`` is how many were compared.
        """
        ...


def distinct(triples: Iterable[Triple]) -> list[Triple]:
    """Each statement once, as the last one to tell it does."""
    return list({(triple.key, triple.rank): triple for triple in triples}.values())


class NoGraph:
    """No knowledge graph: every answer is ``Nothing``. For checks against the web alone (paper, table 3)."""

    name = "none"
    version = ""

    async def candidates(self, mention: str, limit: int = 20) -> Nothing:
        """Nothing."""
        return Nothing()

    async def entities(self, ids: Sequence[str]) -> Nothing:
        """Nothing."""
        return Nothing()

    async def relations(self, frontier: Sequence[Entity]) -> Nothing:
        """Nothing."""
        return Nothing()

    async def triples(
        self,
        frontier: Sequence[Entity],
        chosen: Sequence[tuple[Relation, Direction]],
        limit: int,
        towards: Sequence[Entity] = (),
    ) -> Nothing:
        """Nothing."""
        return Nothing()

    async def neighbourhood(
        self, entity: Entity, direction: Direction, limit: int, towards: Sequence[Entity] = ()
    ) -> Nothing:
        """Nothing."""
        return Nothing()

    async def ranking(self, ranking: Ranking, limit: int) -> Nothing:
        """Nothing."""
        return Nothing()


class Neighbour(Record):
    """A fact between two entities, as far as linking needs it: ``entity_id`` has ``relation_id`` to ``other``."""

    entity_id: str
    relation_id: str
    other: Entity


@runtime_checkable
class NameTable(Protocol):
    """A knowledge graph that knows all its names at hand: it is asked for many at once, without a search each."""

    def known(self, mentions: Iterable[str]) -> frozenset[str]:
        """Those of ``mentions`` that are, but for case, diacritics and the like, the whole name of some entity."""
        ...


@runtime_checkable
class Neighbourhood(Protocol):
    """A knowledge graph that gives the near surroundings of many entities in one cheap query."""

    async def neighbours(self, ids: Sequence[str], limit: int = 48) -> Retrieved[Neighbour]:
        """Outgoing facts between entities, at most ``limit`` for each of ``ids``; types (``P31``) come first."""
        ...
