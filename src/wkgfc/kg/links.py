"""All statements of a relation in a store on this machine: retrieval never reads them all, who walks the graph does."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wkgfc.errors import NotConfigured
from wkgfc.evidence import Time
from wkgfc.kg.store import GRAPH
from wkgfc.kg.values import precision_of
from wkgfc.kg.vocabulary import PQ, PS, PSV, WDT, P, entity_id, is_property_id, time_of

_END = f"{PQ}P582"
_WIKIBASE = "http://wikiba.se/ontology#"


@dataclass(frozen=True)
class Link:
    """A statement: subject, and the entity or the time that it has.

    ``is_best``: it is of the best rank, and holds. ``has_ended``: it has an end, and held once.
    """

    subject: str
    object: str | Time
    is_best: bool
    has_ended: bool = False


class Links:
    """The statements of a store, a relation at a time."""

    def __init__(self, store: Path) -> None:
        """Open the graph of a store.

        Raises:
            NotConfigured: there is none, or it is damaged.
        """
        import pyoxigraph  # noqa: PLC0415 - a native library

        try:
            self._graph: Any = pyoxigraph.Store.read_only(str(store / GRAPH))
        except (OSError, RuntimeError) as error:
            raise NotConfigured(f"the store at {store} cannot be opened: {str(error).splitlines()[0][:120]}") from error

    def of(self, relation: str) -> Iterator[Link]:
        """The statements of a relation whose value is an entity, in any order; a repeated one may come again."""
        if not is_property_id(relation):
            raise ValueError(f"no id of a property: {relation[:80]!r}")
        best = set()
        for subject, value in self._ask(f"SELECT ?s ?o WHERE {{ ?s <{WDT}{relation}> ?o }}"):
            if subject and value:
                best.add((subject, value))
                yield Link(subject, value, is_best=True)
        for subject, value, ended in self._ask(
            f"SELECT ?s ?o ?e WHERE {{ ?s <{P}{relation}> ?n . ?n <{PS}{relation}> ?o OPTIONAL {{ ?n <{_END}> ?e }} }}"
        ):
            if subject and value:
                yield Link(subject, value, is_best=(subject, value) in best, has_ended=ended is not None)

    def times_of(self, relation: str) -> Iterator[Link]:
        """The statements of a relation whose value is a time, with its precision; of all ranks."""
        if not is_property_id(relation):
            raise ValueError(f"no id of a property: {relation[:80]!r}")
        rows = self._graph.query(
            f"SELECT ?s ?t ?p ?c WHERE {{ ?s <{P}{relation}> ?n . ?n <{PSV}{relation}> ?v . "
            f"?v <{_WIKIBASE}timeValue> ?t . ?v <{_WIKIBASE}timePrecision> ?p . "
            f"OPTIONAL {{ ?v <{_WIKIBASE}timeCalendarModel> ?c }} }}"
        )
        for node, text, precision, calendar in rows:
            subject = entity_id(node.value)
            told = precision_of(precision.value)
            time = time_of(text.value, told, calendar.value if calendar else None)
            if subject and time and told is not None:
                yield Link(subject, time, is_best=True)

    def _ask(self, query: str) -> Iterator[tuple[str | None, ...]]:
        for solution in self._graph.query(query):
            nodes = [getattr(node, "value", None) for node in solution]
            yield (entity_id(nodes[0] or ""), entity_id(nodes[1] or ""), *nodes[2:])
