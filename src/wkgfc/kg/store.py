"""The embedded knowledge graph: a store on this machine, opened to read, asked with the same SPARQL as an endpoint.

A store is a folder that ``wkgfc.kg.builders`` made: a graph (pyoxigraph) and a table of names (SQLite). Answers come
in milliseconds, so they are computed where they are asked for, without a thread.
"""

import errno
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

from wkgfc.errors import NotConfigured
from wkgfc.evidence import Direction, Entity, Record, Relation, Triple
from wkgfc.kg import name_queries, queries, ranking_queries
from wkgfc.kg.graph import Candidate, Neighbour, RelatedTriples, distinct
from wkgfc.kg.names import Names, entity_url
from wkgfc.kg.rows import NOT_OFFERED, RelationRows, described, factors_of, nearest, numbers_of_units
from wkgfc.kg.statements import Branch, StatementRows
from wkgfc.kg.values import Called, Term
from wkgfc.kg.vocabulary import entity_id, identified, is_entity_id, is_property_id
from wkgfc.reasoning.reasoner import OfferedRelation, Ranking
from wkgfc.state import Failed, Retrieved, found
from wkgfc.stores import Manifest, read_manifest
from wkgfc.tracing import span
from wkgfc.usage import count

T = TypeVar("T")

KIND = "kg"
LAYOUT = 3  # of the stores that this version reads and its builders write
GRAPH = "graph"  # the folder of the graph in a store
NAMES = "names.sqlite"

_SHOWN = 10_000  # statements of one relation that ``show`` gives
_REDIRECTS = 1_000  # ids without a name of which it is asked whether they are redirects


class StoreDescription(Record):
    """What a store holds and what it was made of."""

    name: str
    version: str
    path: str
    built_at: str
    seconds: float
    bytes: int
    contents: dict[str, Any]


class EntityDescription(Record):
    """An entity with everything that a store states of it, and how much points at it."""

    entity: Entity
    statements: tuple[Triple, ...]
    incoming: tuple[OfferedRelation, ...]


class EmbeddedStore:
    """A knowledge graph on this machine. Any thread may ask.

    ``name`` is ``embedded`` for the store that comes with the product, and what its builder calls it otherwise.
    ``version`` changes whenever the store is built from something else.
    """

    def __init__(self, path: Path, manifest: Manifest, graph: Any, names: Names) -> None:
        self.path = path
        self.manifest = manifest
        self.name: str = manifest.contents.get("name", "embedded")
        self.version = manifest.fingerprint
        self._languages: tuple[str, ...] = tuple(manifest.contents.get("languages", ("en",)))
        self._graph = graph
        self._names = names
        import pyoxigraph  # noqa: PLC0415 - a native library that only a check over this graph needs

        self._named_node, self._literal = pyoxigraph.NamedNode, pyoxigraph.Literal
        self._relations: dict[str, Relation] = {}

    async def candidates(self, mention: str, limit: int = 20) -> Retrieved[Candidate]:
        """Entities whose label or alias meets ``mention``, best match and most linked first."""
        count("entity_searches")
        return _answered(lambda: self._names.candidates(mention, limit))

    def known(self, mentions: Iterable[str]) -> frozenset[str]:
        """Those of ``mentions`` that are, but for case, diacritics and the like, the whole name of some entity."""
        return self._names.known(mentions)

    async def entities(self, ids: Sequence[str]) -> Retrieved[Entity]:
        """The entities of these ids, in their order; a redirected id brings the entity that it leads to."""
        count("entity_searches")

        def look_up() -> list[Entity]:
            known = self._labelled(ids)
            return list(dict.fromkeys(known[each] for each in ids if each in known))

        return _answered(look_up)

    async def relations(self, frontier: Sequence[Entity]) -> Retrieved[OfferedRelation]:
        """The relations of the frontier in both directions, most frequent first, in one query.

        Of a hub, ``queries.SAMPLE`` incoming links are looked at. Identifiers in other databases, media and the
        like are not offered.
        """
        entities = identified(frontier)
        if not entities:
            return found([])
        count("kg_queries")
        return _answered(
            lambda: [
                offered
                for offered in self._offer(entities, queries.relations(list(entities)))
                if offered.relation.datatype not in NOT_OFFERED
            ]
        )

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
            return found([])
        count("kg_queries")

        def ask() -> list[Triple]:
            rows = StatementRows(self._ask(queries.triples(entities, pairs, limit, ends)))
            asked = [Branch(entity, relation, direction) for entity in entities for relation, direction in pairs]
            names = self._called(rows, set(entities), {relation for relation, _ in pairs})
            return distinct(chain.from_iterable(rows.triples(dict(enumerate(asked)), limit, names, ends).values()))

        return _answered(ask)

    async def neighbourhood(
        self, entity: Entity, direction: Direction, limit: int, towards: Sequence[Entity] = ()
    ) -> Retrieved[RelatedTriples]:
        """All triples of one entity in one direction, at most ``limit`` a relation: the paper's two templates."""
        if not is_entity_id(entity.id) or limit < 1:
            return found([])
        count("kg_queries")
        return _answered(
            lambda: [
                each
                for each in self._around(entity, direction, limit, list(identified(towards)))
                if each.relation.datatype not in NOT_OFFERED
            ]
        )

    async def ranking(self, ranking: Ranking, limit: int) -> Retrieved[Triple]:
        """The entities of a type that come first by a quantity or a time, first one first.

        ``Triple.count`` is how many were compared.
        """
        place = ranking.within.id if ranking.within else None
        ids = [each for each in (ranking.instance_of.id, place) if each is not None]
        if not is_property_id(ranking.relation.id) or not all(map(is_entity_id, ids)) or limit < 1:
            return found([])

        def ask() -> list[Triple]:
            relation, kind = ranking.relation.id, ranking.instance_of.id
            factors = self._factors(relation, kind)
            count("kg_queries")
            query = ranking_queries.ranking(
                relation, kind, place, descending=ranking.descending, limit=limit, factors=factors
            )
            rows = StatementRows(self._ask(query))
            return rows.ranked(relation, ranking.descending, self._called(rows, set(), {relation}), factors)

        return _answered(ask)

    async def neighbours(self, ids: Sequence[str], limit: int = 48) -> Retrieved[Neighbour]:
        """Outgoing facts between entities, at most ``limit`` for each of ``ids``; types (``P31``) come first."""
        entities = [each for each in dict.fromkeys(ids) if is_entity_id(each)]
        if not entities:
            return found([])
        count("entity_searches")  # linking's, not one of the two templates

        def ask() -> list[Neighbour]:
            near = nearest(self._ask(name_queries.neighbours(entities)), entities, limit)
            others = self._labelled({other for _, _, other in near})
            return [
                Neighbour(
                    entity_id=each, relation_id=relation, other=others.get(other) or Entity(id=other, label=other)
                )
                for each, relation, other in near
            ]

        return _answered(ask)

    def describe(self) -> StoreDescription:
        """What the store holds: counts, languages, sources with their licences, size, when it was built."""
        return StoreDescription(
            name=self.name,
            version=self.version,
            path=str(self.path),
            built_at=self.manifest.built_at.isoformat(timespec="seconds"),
            seconds=self.manifest.seconds,
            bytes=sum(file.stat().st_size for file in self.path.rglob("*") if file.is_file()),
            contents={name: value for name, value in self.manifest.contents.items() if name != "files"},
        )

    def show(self, entity: str) -> Retrieved[EntityDescription]:
        """All statements about an entity, given by its id or its name, and the relations that point at it.

        A name means the candidate that meets it best.
        """

        def ask() -> list[EntityDescription]:
            known = list(self._labelled([entity]).values()) if is_entity_id(entity) else []
            known = known or [candidate.entity for candidate in self._names.candidates(entity, 1)]
            return [
                EntityDescription(
                    entity=each,
                    statements=tuple(
                        triple
                        for around in sorted(
                            self._around(each, "out", _SHOWN, []), key=lambda around: int(around.relation.id[1:])
                        )
                        for triple in around.triples
                    ),
                    incoming=tuple(self._offer({each.id: each}, queries.relations([each.id], ("in",)))),
                )
                for each in known
            ]

        return _answered(ask)

    def close(self) -> None:
        """Close the table of names. The graph closes with the last reference to it."""
        self._names.close()
        self._graph = None

    def _ask(self, query: str) -> list[tuple[Term | None, ...]]:
        named, literal, term_of = self._named_node, self._literal, Term

        def read(node: Any) -> Term | None:
            kind = type(node)
            if kind is named:
                return term_of(node.value)
            if kind is literal:
                return term_of(node.value, node.datatype.value, node.language)
            return None if node is None else term_of("")  # "": a blank node

        try:
            with span("SPARQL query", "query"):
                return [tuple(map(read, solution)) for solution in self._graph.query(query)]
        except RuntimeError as error:  # pyoxigraph's word for a block that is damaged on the disk
            raise OSError(errno.EIO, str(error)) from error

    def _offer(self, entities: dict[str, Entity], query: str) -> list[OfferedRelation]:
        rows = RelationRows(self._ask(query))
        return rows.offered(entities, self._described(rows.ids()))

    def _around(self, entity: Entity, direction: Direction, limit: int, towards: Sequence[str]) -> list[RelatedTriples]:
        rows = StatementRows(self._ask(queries.neighbourhood(entity.id, direction, towards)))
        return rows.around(entity, direction, limit, self._called(rows, {entity.id}, set()), towards)

    def _factors(self, relation: str, kind: str) -> dict[str, float]:
        """What amounts of each unit are multiplied by to compare them; nothing where there is one unit at most."""
        if self._described({relation})[relation].datatype == "Time":
            return {}
        count("kg_queries")
        numbers = numbers_of_units(self._ask(ranking_queries.units(relation, kind)))
        labels = self._labelled(numbers) if len(numbers) > 1 else {}
        return factors_of(numbers, lambda unit: labels[unit].label if unit in labels else unit)

    def _called(self, rows: StatementRows, entities: set[str], relations: set[str]) -> Called:
        """What everything that the rows name is called, in one look-up each for entities and relations."""
        return Called(
            entities=self._labelled(rows.entity_ids() | entities),
            relations=self._described(rows.relation_ids() | relations),
            page=entity_url,
            source=self.name,
        )

    def _labelled(self, ids: Iterable[str]) -> dict[str, Entity]:
        """The entities of these ids; those without a name are left out. Redirected ids have the entity they lead to."""
        wanted = [each for each in dict.fromkeys(ids) if is_entity_id(each)]
        known = {entity.id: entity for entity in self._names.entities(wanted)}
        properties = {each for each in wanted if each.startswith("P")}
        for each, relation in self._described(properties).items():
            if relation.label != each:
                known[each] = Entity(id=each, label=relation.label, url=entity_url(each))
        unknown = [each for each in wanted if each not in known]
        if unknown and len(unknown) <= _REDIRECTS:
            leads = {}
            for source, target in self._ask(name_queries.redirects(unknown)):
                before, after = (entity_id(term.value) if term else None for term in (source, target))
                if before and after:
                    leads[before] = after
            reached = {entity.id: entity for entity in self._names.entities(leads.values())}
            known.update((before, reached[after]) for before, after in leads.items() if after in reached)
        return known

    def _described(self, ids: set[str]) -> dict[str, Relation]:
        """The relations of these ids with label and datatype. They are kept: there are some thousands in all."""
        missing = sorted(ids - self._relations.keys())
        if missing:
            rows = self._ask(name_queries.properties(missing, self._languages))
            self._relations.update(described(rows, missing, self._languages))
        return {each: self._relations[each] for each in ids}


def open_store(path: Path) -> EmbeddedStore:
    """Open the store at ``path`` to read.

    Raises:
        NotConfigured: there is none, it is damaged, or another version built it.
    """
    manifest = read_manifest(path, KIND, LAYOUT)
    for name, size in manifest.contents.get("files", {}).items():
        # A graph whose list of files is cut short opens, as what it was at an earlier moment of its building.
        if _size(path / name) != size:
            raise NotConfigured(f"the store at {path} is damaged ({name} is not whole): remove it and build it again")
    names = Names(path / NAMES)
    import pyoxigraph  # noqa: PLC0415 - a native library that only a check over this graph needs

    try:
        graph = pyoxigraph.Store.read_only(str(path / GRAPH))
    except (OSError, RuntimeError) as error:  # pyoxigraph's word for a damaged file
        names.close()
        raise NotConfigured(
            f"the store at {path} is damaged ({str(error).splitlines()[0][:120]}): remove it and build it again"
        ) from error
    return EmbeddedStore(path, manifest, graph, names)


def files_of(store: Path) -> dict[str, int]:
    """The files that a store cannot be without, with their sizes in bytes."""
    files = [
        store / NAMES,
        *(store / GRAPH).glob("*.sst"),
        *(store / GRAPH).glob("MANIFEST-*"),
        store / GRAPH / "CURRENT",
    ]
    return {file.relative_to(store).as_posix(): _size(file) for file in files}


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:
        return -1


def _answered(ask: Callable[[], list[T]]) -> Retrieved[T]:
    """What ``ask`` brings. A store that breaks while it is read is a failure of the source, not of the claim."""
    try:
        return found(ask())
    except (OSError, NotConfigured) as error:
        reason = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
        return Failed(f"the knowledge graph cannot be read: {reason}")
