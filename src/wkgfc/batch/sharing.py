"""What several claims of a run ask for, asked once: look-ups, relations, triples, passages.

Two checks that ask the same at the same moment share one question (single flight); who asks later has the answer of
before, while it is among the last ones kept. A failure is shared by those who wait for it and kept for nobody.
"""

import asyncio
import datetime as dt
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from wkgfc.agent.environment import Multilingual
from wkgfc.evidence import Direction, Entity, Relation, Triple
from wkgfc.kg.graph import Candidate, KnowledgeGraph, NameTable, Neighbour, Neighbourhood, RelatedTriples
from wkgfc.reasoning.reasoner import OfferedRelation, Ranking
from wkgfc.state import Failed, FoundInPart, Retrieved
from wkgfc.web.search import Hit, WebSearch, search_language

T = TypeVar("T")


@dataclass
class Asked:
    """How often each kind of thing was asked for, and how often the source had to be asked."""

    wanted: Counter[str] = field(default_factory=Counter)
    sent: Counter[str] = field(default_factory=Counter)

    def add(self, other: "Asked") -> None:
        """Count another's questions here too."""
        self.wanted.update(other.wanted)
        self.sent.update(other.sent)

    def taken(self) -> "Asked":
        """What was counted so far; from now on it is counted anew."""
        before = Asked(self.wanted.copy(), self.sent.copy())
        self.wanted.clear()
        self.sent.clear()
        return before

    @property
    def saved(self) -> int:
        """Questions that no source was asked."""
        return self.wanted.total() - self.sent.total()


class Shared:
    """Answers by question: those under way, and the last ``most`` that came. It belongs to one event loop at a time."""

    def __init__(self, most: int) -> None:
        self.asked = Asked()
        self._most = most
        self._kept: OrderedDict[Hashable, Any] = OrderedDict()
        self._under_way: dict[Hashable, asyncio.Future[Any]] = {}

    async def ask(self, kind: str, key: Hashable, question: Callable[[], Awaitable[Retrieved[T]]]) -> Retrieved[T]:
        """The answer to ``question``, which is put only where nobody has asked or is asking the same.

        Who waits for another's question puts it anew where that one is cancelled.
        """
        key = (kind, key)
        self.asked.wanted[kind] += 1
        while True:
            if key in self._kept:
                self._kept.move_to_end(key)
                answer: Retrieved[T] = self._kept[key]
                return answer
            other = self._under_way.get(key)
            if other is None:
                return await self._put(kind, key, question)
            await asyncio.wait([other])
            if not other.cancelled():
                shared: Retrieved[T] = other.result()
                return shared

    async def _put(self, kind: str, key: Hashable, question: Callable[[], Awaitable[Retrieved[T]]]) -> Retrieved[T]:
        self.asked.sent[kind] += 1
        flight: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._under_way[key] = flight
        try:
            answer = await question()
        except BaseException:
            flight.cancel()
            raise
        finally:
            del self._under_way[key]
        flight.set_result(answer)
        if self._most and not isinstance(answer, Failed | FoundInPart):
            self._kept[key] = answer
            if len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return answer


class SharedGraph:
    """A knowledge graph whose answers are shared. It can what ``inner`` can, and has its name and version."""

    def __init__(self, inner: KnowledgeGraph, shared: Shared, language: str = "") -> None:
        self.name = inner.name
        self._inner, self._shared, self._language = inner, shared, language
        self._speaking: dict[str, SharedGraph] = {}
        # What only some graphs can is there only where the inner one can it: linking asks who can.
        if isinstance(inner, NameTable):
            self.known: Callable[[Iterable[str]], frozenset[str]] = inner.known
        if isinstance(inner, Neighbourhood):
            self.neighbours = self._neighbours
        if isinstance(inner, Multilingual):
            self.in_language = self._in_language

    @property
    def version(self) -> str:
        """See ``KnowledgeGraph``."""
        return self._inner.version

    async def candidates(self, mention: str, limit: int = 20) -> Retrieved[Candidate]:
        """See ``KnowledgeGraph``."""
        return await self._ask("names", (mention, limit), lambda: self._inner.candidates(mention, limit))

    async def entities(self, ids: Sequence[str]) -> Retrieved[Entity]:
        """See ``KnowledgeGraph``."""
        return await self._ask("names", ("ids", *ids), lambda: self._inner.entities(ids))

    async def relations(self, frontier: Sequence[Entity]) -> Retrieved[OfferedRelation]:
        """See ``KnowledgeGraph``."""
        return await self._ask("relations", tuple(frontier), lambda: self._inner.relations(frontier))

    async def triples(
        self,
        frontier: Sequence[Entity],
        chosen: Sequence[tuple[Relation, Direction]],
        limit: int,
        towards: Sequence[Entity] = (),
    ) -> Retrieved[Triple]:
        """See ``KnowledgeGraph``."""
        key = (tuple(frontier), tuple((each.id, direction) for each, direction in chosen), limit, tuple(towards))
        return await self._ask("triples", key, lambda: self._inner.triples(frontier, chosen, limit, towards))

    async def neighbourhood(
        self, entity: Entity, direction: Direction, limit: int, towards: Sequence[Entity] = ()
    ) -> Retrieved[RelatedTriples]:
        """See ``KnowledgeGraph``."""
        key = ("around", entity, direction, limit, tuple(towards))
        return await self._ask("triples", key, lambda: self._inner.neighbourhood(entity, direction, limit, towards))

    async def ranking(self, ranking: Ranking, limit: int) -> Retrieved[Triple]:
        """See ``KnowledgeGraph``."""
        key = ("ranking", ranking.model_dump_json(), limit)
        return await self._ask("triples", key, lambda: self._inner.ranking(ranking, limit))

    async def _neighbours(self, ids: Sequence[str], limit: int = 48) -> Retrieved[Neighbour]:
        inner = self._inner
        assert isinstance(inner, Neighbourhood)
        return await self._ask("neighbours", (*ids, limit), lambda: inner.neighbours(ids, limit))

    def _in_language(self, language: str) -> "SharedGraph":
        if language not in self._speaking:
            assert isinstance(self._inner, Multilingual)
            self._speaking[language] = SharedGraph(self._inner.in_language(language), self._shared, language)
        return self._speaking[language]

    async def _ask(self, kind: str, key: Hashable, question: Callable[[], Awaitable[Retrieved[T]]]) -> Retrieved[T]:
        return await self._shared.ask(kind, (self._language, key), question)


class SharedWeb:
    """A web search whose answers, and the pages behind them, are shared."""

    def __init__(self, inner: WebSearch, shared: Shared) -> None:
        self.name, self.version = inner.name, inner.version
        self._inner, self._shared = inner, shared

    async def search(
        self,
        query: str,
        limit: int,
        *,
        before: dt.date | None = None,
        allowed_sites: Sequence[str] = (),
        blocked_sites: Sequence[str] = (),
    ) -> Retrieved[Hit]:
        """See ``WebSearch``."""
        key = (query, limit, before, tuple(allowed_sites), tuple(blocked_sites), search_language())
        return await self._shared.ask(
            "searches",
            key,
            lambda: self._inner.search(
                query, limit, before=before, allowed_sites=allowed_sites, blocked_sites=blocked_sites
            ),
        )


def in_words(asked: Mapping[str, int], sent: Mapping[str, int]) -> str:
    """Questions by kind, with those that were saved: "names 120 (80 saved)"."""
    return ", ".join(
        f"{kind} {number:,}" + (f" ({number - sent.get(kind, 0):,} saved)" if number > sent.get(kind, 0) else "")
        for kind, number in sorted(asked.items())
    )
