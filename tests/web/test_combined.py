"""Several searches as one: fused ranks, merged pages, failures that do not sink the others."""

import asyncio
import datetime as dt
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wkgfc.evidence import Passage, Source
from wkgfc.state import Failed, Found, FoundInPart, Nothing, Retrieved
from wkgfc.web.combined import RANK_CONSTANT, Combined, fuse
from wkgfc.web.search import Hit


def hit(url: str | None, text: str = "text", date: dt.date | None = None, source: str = "test") -> Hit:
    return Hit(passage=Passage(text=text, url=url, date=date, source=Source(name=source, url=url)), score=1.0)


class Engine:
    """A search that brings what it is given, once all that wait at the same gate are there."""

    version = "1"

    def __init__(self, name: str, answer: Retrieved[Hit] | Exception, gate: asyncio.Barrier | None = None) -> None:
        self.name, self._answer, self._gate = name, answer, gate
        self.asked: list[tuple[str, int, dt.date | None, Sequence[str], Sequence[str]]] = []

    async def search(
        self,
        query: str,
        limit: int,
        *,
        before: dt.date | None = None,
        allowed_sites: Sequence[str] = (),
        blocked_sites: Sequence[str] = (),
    ) -> Retrieved[Hit]:
        self.asked.append((query, limit, before, allowed_sites, blocked_sites))
        if self._gate is not None:
            await self._gate.wait()
        if isinstance(self._answer, Exception):
            raise self._answer
        return self._answer


def urls(answer: Retrieved[Hit]) -> list[str | None]:
    assert isinstance(answer, Found)
    return [each.passage.url for each in answer.items]


async def test_all_are_asked_the_same_at_the_same_time() -> None:
    gate = asyncio.Barrier(2)
    first, second = (Engine(name, Found([hit("https://a.org/1")]), gate) for name in ("a", "b"))
    search = Combined([first, second])
    answer = await search.search(
        "tower", 5, before=dt.date(2020, 1, 1), allowed_sites=["a.org"], blocked_sites=["b.org"]
    )
    assert urls(answer) == ["https://a.org/1"]
    assert first.asked == second.asked == [("tower", 5, dt.date(2020, 1, 1), ["a.org"], ["b.org"])]
    assert (search.name, search.version) == ("a+b", "1+1")


async def test_a_page_that_both_bring_comes_before_one_that_either_places_first() -> None:
    first = Engine("a", Found([hit("https://a.org/1"), hit("https://www.both.org/x/")]))
    second = Engine(
        "b", Found([hit("https://b.org/1"), hit("http://both.org/x?utm_source=b", date=dt.date(2020, 1, 1))])
    )
    answer = await Combined([first, second]).search("tower", 5)
    assert urls(answer) == ["https://www.both.org/x/", "https://a.org/1", "https://b.org/1"]
    assert isinstance(answer, Found)
    assert answer.items[0].score == pytest.approx(2 / (RANK_CONSTANT + 2))
    assert answer.items[0].passage.date == dt.date(2020, 1, 1)


async def test_passages_of_one_page_stay_apart() -> None:
    index = Engine("a", Found([hit("https://a.org/1", "first"), hit("https://a.org/1", "second")]))
    engine = Engine("b", Found([hit("https://a.org/1", "snippet")]))
    answer = await Combined([index, engine]).search("tower", 5)
    assert isinstance(answer, Found)
    assert [each.passage.text for each in answer.items] == ["first", "second"]


async def test_passages_without_an_address_are_told_by_their_text() -> None:
    ranking = [hit(None, "one"), hit(None, "two")]
    answer = await Combined([Engine("a", Found(ranking)), Engine("b", Found(ranking[1:]))]).search("tower", 5)
    assert isinstance(answer, Found)
    assert [each.passage.text for each in answer.items] == ["two", "one"]


async def test_the_limit_holds_for_the_whole() -> None:
    first = Engine("a", Found([hit(f"https://a.org/{number}") for number in range(5)]))
    second = Engine("b", Found([hit(f"https://b.org/{number}") for number in range(5)]))
    answer = await Combined([first, second]).search("tower", 3)
    assert urls(answer) == ["https://a.org/0", "https://b.org/0", "https://a.org/1"]


FAILED = Failed("a: no credits")
SOMETHING = Found([hit("https://b.org/1")])


@pytest.mark.parametrize(
    ("first", "second", "outcome"),
    [
        (FAILED, SOMETHING, SOMETHING.items[0].passage.url),
        (SOMETHING, Nothing(), SOMETHING.items[0].passage.url),
        (Nothing(), Nothing(), Nothing()),
        (FAILED, Failed("b: timed out"), Failed("a: no credits; b: timed out")),
        (FAILED, Nothing(), FAILED),  # nobody knows what the first would have brought
    ],
)
async def test_a_failure_sinks_no_other_and_is_never_nothing(
    first: Retrieved[Hit], second: Retrieved[Hit], outcome: Retrieved[Hit] | str
) -> None:
    answer = await Combined([Engine("a", first), Engine("b", second)]).search("tower", 5)
    assert (urls(answer)[0] if isinstance(answer, Found) else answer) == outcome


async def test_what_failed_is_told_with_what_the_others_brought() -> None:
    in_part = FoundInPart([hit("https://c.org/1")], ("c: a part is missing",))
    answer = await Combined([Engine("a", FAILED), Engine("b", SOMETHING), Engine("c", in_part)]).search("tower", 5)
    assert isinstance(answer, FoundInPart)
    assert answer.failures == ("a: no credits", "c: a part is missing")
    alone = await Combined([Engine("b", SOMETHING)]).search("tower", 5)
    assert isinstance(alone, FoundInPart)
    assert alone.failures == ()


async def test_a_bug_is_raised() -> None:
    with pytest.raises(KeyError):
        await Combined([Engine("a", SOMETHING), Engine("b", KeyError("bug"))]).search("tower", 5)


@given(st.lists(st.lists(st.integers(0, 9), max_size=8, unique=True), max_size=4))
def test_fusion_keeps_every_page_once_by_the_papers_formula(rankings: list[list[int]]) -> None:
    fused = fuse([[hit(f"https://a.org/{number}") for number in ranking] for ranking in rankings])
    scores = {
        f"https://a.org/{number}": sum(
            1 / (RANK_CONSTANT + ranking.index(number) + 1) for ranking in rankings if number in ranking
        )
        for ranking in rankings
        for number in ranking
    }
    assert {each.passage.url: pytest.approx(each.score) for each in fused} == scores
    assert len(fused) == len(scores)
    assert [each.score for each in fused] == sorted((each.score for each in fused), reverse=True)
