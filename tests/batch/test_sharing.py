"""What claims of a run share: one question for all who ask it at once, kept for those who ask later."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from small_world import World
from wkgfc.batch.sharing import Shared, SharedGraph, SharedWeb, in_words
from wkgfc.checker import FactChecker
from wkgfc.config import load_settings
from wkgfc.kg.graph import NameTable, Neighbourhood, NoGraph
from wkgfc.kg.store import open_store
from wkgfc.state import Failed, Found, Nothing, Retrieved
from wkgfc.web.corpus import open_corpus
from wkgfc.web.search import searching_in


class Slow:
    """A source that answers when it is let go, and counts its questions."""

    def __init__(self, answers: Sequence[Retrieved[str]]) -> None:
        self.asked, self._answers, self.go = 0, iter(answers), asyncio.Event()

    async def __call__(self) -> Retrieved[str]:
        self.asked += 1
        await self.go.wait()
        return next(self._answers)


async def test_one_question_for_all_who_ask_at_once_and_later() -> None:
    shared, source = Shared(10), Slow([Found(["a"])])
    asking = [asyncio.create_task(shared.ask("names", "Lyon", source)) for _ in range(5)]
    await asyncio.sleep(0)
    source.go.set()
    assert await asyncio.gather(*asking) == [Found(["a"])] * 5
    assert await shared.ask("names", "Lyon", source) == Found(["a"])
    assert source.asked == 1
    assert (shared.asked.wanted["names"], shared.asked.sent["names"], shared.asked.saved) == (6, 1, 5)
    assert in_words(shared.asked.wanted, shared.asked.sent) == "names 6 (5 saved)"


async def test_a_failure_is_kept_for_nobody() -> None:
    shared, source = Shared(10), Slow([Failed("busy"), Nothing()])
    source.go.set()
    assert await shared.ask("names", "Lyon", source) == Failed("busy")
    assert await shared.ask("names", "Lyon", source) == Nothing()
    assert await shared.ask("names", "Lyon", source) == Nothing()
    assert source.asked == 2


async def test_who_waits_asks_anew_where_the_first_is_cancelled() -> None:
    shared, source = Shared(10), Slow([Found(["a"])])
    first = asyncio.create_task(shared.ask("names", "Lyon", source))
    second = asyncio.create_task(shared.ask("names", "Lyon", source))
    await asyncio.sleep(0)
    first.cancel()
    source.go.set()
    assert await second == Found(["a"])
    assert source.asked == 2
    with pytest.raises(asyncio.CancelledError):
        await first


async def test_only_the_last_ones_are_kept() -> None:
    shared = Shared(2)

    async def answer() -> Retrieved[str]:
        return Found(["a"])

    for name in ("a", "b", "a", "c", "b", "a"):
        await shared.ask("names", name, answer)
    assert shared.asked.sent["names"] == 5


def test_a_graph_that_is_shared_can_what_it_could(world: World) -> None:
    from pathlib import Path

    shared = SharedGraph(open_store(Path(world.kg)), Shared(10))
    assert isinstance(shared, NameTable)
    assert isinstance(shared, Neighbourhood)
    nothing = SharedGraph(NoGraph(), Shared(10))
    assert not isinstance(nothing, NameTable)
    assert not isinstance(nothing, Neighbourhood)


def test_checks_come_to_the_same_and_ask_less(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    from pathlib import Path

    settings = load_settings(kg=world.kg, web=world.web)
    graph, web = open_store(Path(world.kg)), open_corpus(Path(world.web))
    shared = Shared(1_000)
    alone = FactChecker(settings, graph=graph, web=web)
    together = FactChecker(settings, graph=SharedGraph(graph, shared), web=SharedWeb(web, shared))
    claims = [row.claim for row in world.rows("fever_val")] * 2

    def said(checker: FactChecker) -> list[Any]:
        return [
            result.model_dump(exclude={"usage", "seconds", "checked_at", "trajectory"})
            for result in checker.check_many(claims)
        ]

    assert said(together) == said(alone)
    assert shared.asked.saved >= shared.asked.wanted.total() / 2


async def test_searches_in_two_languages_are_two(world: World) -> None:
    from pathlib import Path

    shared = Shared(10)
    web = SharedWeb(open_corpus(Path(world.web)), shared)
    for language in ("en", "fr", "fr"):
        with searching_in(language):
            await web.search("harbour", 3)
    assert shared.asked.sent["searches"] == 2
