"""Hits become pages, pages become passages: against a server of pages, under an engine that says what it is told."""

import asyncio
import datetime as dt
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from misbehaving import HTML, Misbehaving, misbehaving, redirect, refuse, reply, silence
from wkgfc.evidence import Passage, Source
from wkgfc.http.client import LiveHttp
from wkgfc.http.courtesy import Courtesy
from wkgfc.state import Failed, Found, FoundInPart, Nothing, Retrieved
from wkgfc.usage import metered
from wkgfc.web.copies import fold_copies
from wkgfc.web.kept_pages import KeptPages
from wkgfc.web.live import COMPARED, LiveWeb
from wkgfc.web.page import PageFetcher, is_snippet
from wkgfc.web.reader import Reader
from wkgfc.web.search import Hit

QUERY = "How long is the bridge that was opened in 1859?"
FERRY = "The ferry stopped in the same week, and its captain became the keeper of the lighthouse on the northern bank. "
LONG = "The bridge is 320 metres long and was opened in 1859 by a prince who had come by train from the capital. "
TOWN = "The town had four thousand people at the time, two mills, a market on Thursdays and a school for boys. "


class Engine:
    """A search that gives the hits that it was made with."""

    name = "engine"
    version = "1"

    def __init__(self, answer: Retrieved[Hit]) -> None:
        self.answer = answer
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
        return self.answer


def hit(url: str | None, snippet: str = "A bridge.", date: dt.date | None = None) -> Hit:
    return Hit(
        passage=Passage(text=snippet, title="Found", url=url, date=date, source=Source(name="engine", url=url)), score=1
    )


def article(*paragraphs: str, date: str | None = None) -> str:
    stamp = f'<meta property="article:published_time" content="{date}">' if date else ""
    body = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    return f"<html><head><title>The crossing</title>{stamp}</head><body><article>{body}</article></body></html>"


@pytest.fixture(scope="module")
def reader() -> Iterator[Reader]:
    reader = Reader()
    yield reader
    reader.close()


@pytest.fixture
async def server() -> AsyncIterator[Misbehaving]:
    async with misbehaving() as server:
        yield server


@pytest.fixture
async def fetcher(reader: Reader) -> AsyncIterator[PageFetcher]:
    async with LiveHttp("wkgfc test", courtesy=Courtesy(), attempts=1) as http:
        yield PageFetcher(http, reader=reader, public_only=False, timeout_s=5.0)


async def found(web: LiveWeb, limit: int = 5, before: dt.date | None = None) -> FoundInPart[Hit]:
    answer = await web.search(QUERY, limit, before=before)
    assert isinstance(answer, FoundInPart), answer
    return answer


async def test_the_best_windows_of_all_pages_come_first(server: Misbehaving, fetcher: PageFetcher) -> None:
    server.on("/town", reply(article(*[TOWN * 8, FERRY * 8]), HTML))
    server.on("/bridge", reply(article(TOWN * 8, FERRY * 8, LONG * 3), HTML))
    engine = Engine(Found([hit(server.url("/town")), hit(server.url("/bridge"))]))
    with metered() as meter:
        answer = await found(LiveWeb(engine, fetcher), limit=3)
    best = answer.items[0].passage
    assert "320 metres" in best.text
    assert best.url == server.url("/bridge")
    assert (best.title, best.source.name) == ("The crossing", "engine")
    assert best.retrieved_at is not None
    assert [each.score for each in answer.items] == sorted((each.score for each in answer.items), reverse=True)
    assert len(answer.items) <= 3
    assert answer.failures == ()
    assert meter.total.pages == 2


async def test_a_passage_stands_where_it_says_in_the_kept_page(
    server: Misbehaving, fetcher: PageFetcher, tmp_path: Path
) -> None:
    server.on("/bridge", reply(article(TOWN * 8, LONG * 8), HTML))
    server.on("/other", reply(article(FERRY * 8), HTML))
    kept = KeptPages(tmp_path)
    engine = Engine(Found([hit(server.url("/bridge")), hit(server.url("/other"))]))
    answer = await found(LiveWeb(engine, fetcher, kept=kept), limit=1)
    row = kept.find(answer.items[0].passage)
    assert row is not None
    assert row.url == server.url("/bridge")
    assert [each.url for each in kept] == [row.url], "what is not quoted is not kept"


async def test_a_page_that_cannot_be_read_leaves_its_snippet(server: Misbehaving, fetcher: PageFetcher) -> None:
    server.on("/gone", refuse(404))
    server.on("/bridge", reply(article(LONG * 3), HTML))
    engine = Engine(Found([hit(server.url("/gone"), "A bridge opened in 1859."), hit(server.url("/bridge"))]))
    answer = await found(LiveWeb(engine, fetcher))
    snippet = next(each.passage for each in answer.items if is_snippet(each.passage))
    assert (snippet.text, snippet.url, snippet.end) == ("A bridge opened in 1859.", server.url("/gone"), None)
    assert answer.failures == (f"{server.url('/gone')}: gone: 127.0.0.1:{server.port} answered 404 (Not Found)",)


async def test_hits_without_an_address_or_beyond_the_limit_stay_as_they_are(
    server: Misbehaving, fetcher: PageFetcher
) -> None:
    for name in ("/1", "/2", "/3"):
        server.on(name, reply(article(f"{LONG} This is page {name}. {FERRY}"), HTML))
    hits = [hit(None, "The bridge of the library.")]
    hits += [hit(server.url(name), f"Snippet of bridge {name} in the town.") for name in ("/1", "/2", "/3")]
    engine = Engine(Found(hits))
    answer = await found(LiveWeb(engine, fetcher, pages=1), limit=10)
    assert [seen.path for seen in server.seen] == ["/1"]
    assert sum(is_snippet(each.passage) for each in answer.items) == 3
    assert answer.failures == ()


async def test_what_is_not_read_in_time_is_a_snippet(server: Misbehaving, fetcher: PageFetcher) -> None:
    server.on("/slow", silence())
    server.on("/bridge", reply(article(LONG * 3), HTML))
    engine = Engine(Found([hit(server.url("/slow")), hit(server.url("/bridge"))]))
    answer = await found(LiveWeb(engine, fetcher, budget_s=3.0))
    assert answer.failures == (f"{server.url('/slow')}: unanswered: not read within the 3 s for all pages",)
    assert {is_snippet(each.passage) for each in answer.items} == {True, False}


async def test_pages_are_fetched_at_once(server: Misbehaving, fetcher: PageFetcher) -> None:
    for number in range(3):
        server.on(f"/{number}", silence())
    engine = Engine(Found([hit(server.url(f"/{number}")) for number in range(3)]))
    await found(LiveWeb(engine, fetcher, budget_s=1.0))
    assert server.most_at_once >= 2


async def test_a_page_of_a_later_day_is_left_out_with_its_snippet(server: Misbehaving, fetcher: PageFetcher) -> None:
    server.on("/later", reply(article(LONG * 3, date="2021-05-03T08:00:00Z"), HTML))
    server.on("/bridge", reply(article(LONG * 3 + FERRY, date="2019-05-03T08:00:00Z"), HTML))
    server.on("/undated", reply(article(TOWN * 3), HTML))
    hits = [hit(server.url(name)) for name in ("/later", "/bridge", "/undated")]
    engine = Engine(Found(hits))
    answer = await found(LiveWeb(engine, fetcher), before=dt.date(2020, 1, 1))
    assert {each.passage.url for each in answer.items} == {server.url("/bridge"), server.url("/undated")}
    assert answer.failures == (f"{server.url('/later')}: published later, by its own date",)
    assert engine.asked[0][2] == dt.date(2020, 1, 1)


async def test_a_day_that_only_the_engine_knows_is_taken_over(server: Misbehaving, fetcher: PageFetcher) -> None:
    server.on("/1", reply(article(LONG * 3), HTML))
    server.on("/2", reply(article(FERRY * 3, date="2019-05-03"), HTML))
    day = dt.date(2018, 2, 3)
    engine = Engine(Found([hit(server.url("/1"), date=day), hit(server.url("/2"), date=day)]))
    answer = await found(LiveWeb(engine, fetcher))
    dates = {each.passage.url: each.passage.date for each in answer.items}
    assert dates == {server.url("/1"): day, server.url("/2"): dt.date(2019, 5, 3)}


async def test_a_redirect_to_a_site_that_is_kept_out_is_told(server: Misbehaving, fetcher: PageFetcher) -> None:
    server.on("/short", redirect(server.url("/bridge", host="localhost")))
    server.on("/bridge", reply(article(LONG * 3), HTML))
    engine = Engine(Found([hit(server.url("/short")), hit(None, "A bridge.")]))
    web = LiveWeb(engine, fetcher)
    blocked = await web.search(QUERY, 5, blocked_sites=["localhost"])
    assert isinstance(blocked, FoundInPart)
    assert [each.passage.url for each in blocked.items] == [None]
    assert blocked.failures[0].endswith(": led to a site that is kept out")
    allowed = await web.search(QUERY, 5, allowed_sites=["127.0.0.1"])
    assert isinstance(allowed, FoundInPart)
    assert allowed.failures[0].endswith(": led to a site that is not allowed")


async def test_copies_are_one_hit_with_all_addresses(server: Misbehaving, fetcher: PageFetcher) -> None:
    server.on("/1", reply(article(LONG, FERRY, TOWN), HTML))
    server.on("/2", reply(article("By our own reporter.", LONG, FERRY, TOWN), HTML))
    server.on("/moved", redirect("/1"))
    engine = Engine(Found([hit(server.url(name)) for name in ("/1", "/2", "/moved")]))
    answer = await found(LiveWeb(engine, fetcher))
    (only,) = answer.items
    assert {only.passage.url, *only.passage.copies} == {server.url("/1"), server.url("/2")}


async def test_one_page_is_not_all_of_the_answer(server: Misbehaving, fetcher: PageFetcher) -> None:
    long = [
        f"Of bridge {number} it is said that it is {number} metres long and opened in 1859. " * 9 for number in range(9)
    ]
    server.on("/long", reply(article(*long), HTML))
    server.on("/town", reply(article(TOWN * 3), HTML))
    engine = Engine(Found([hit(server.url("/long")), hit(server.url("/town"))]))
    answer = await found(LiveWeb(engine, fetcher, windows_per_page=2))
    assert [each.passage.url for each in answer.items] == [server.url("/long")] * 2 + [server.url("/town")]


async def test_nothing_and_failed_stay_what_they_are(fetcher: PageFetcher) -> None:
    assert await LiveWeb(Engine(Nothing()), fetcher).search(QUERY, 5) == Nothing()
    assert await LiveWeb(Engine(Failed("no key")), fetcher).search(QUERY, 5) == Failed("no key")
    assert await LiveWeb(Engine(Found([hit(None)])), fetcher).search(QUERY, 0) == Nothing()


async def test_all_left_out_is_nothing(server: Misbehaving, fetcher: PageFetcher) -> None:
    server.on("/later", reply(article(LONG * 3, date="2021-05-03"), HTML))
    web = LiveWeb(Engine(Found([hit(server.url("/later"))])), fetcher)
    assert await web.search(QUERY, 5, before=dt.date(2020, 1, 1)) == Nothing()
    in_part = FoundInPart([hit(server.url("/later"))], ("another engine: refused",))
    left = await LiveWeb(Engine(in_part), fetcher).search(QUERY, 5, before=dt.date(2020, 1, 1))
    assert left == Failed("another engine: refused"), "nobody knows what it would have brought"


async def test_what_failed_of_the_search_is_told_before_the_pages(server: Misbehaving, fetcher: PageFetcher) -> None:
    server.on("/gone", refuse(404))
    answer = await found(LiveWeb(Engine(FoundInPart([hit(server.url("/gone"))], ("an engine: refused",))), fetcher))
    assert answer.failures[0] == "an engine: refused"
    assert answer.failures[1].startswith(server.url("/gone"))


async def test_a_search_that_is_cancelled_leaves_no_request_behind(server: Misbehaving, fetcher: PageFetcher) -> None:
    server.on("/slow", silence())
    engine = Engine(Found([hit(server.url("/slow"))]))
    task = asyncio.create_task(LiveWeb(engine, fetcher).search(QUERY, 5))
    while not server.seen:  # noqa: ASYNC110 - a server of other people has no event to wait for
        await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not [other for other in asyncio.all_tasks() if "PageFetcher.fetch" in repr(other)]


def test_it_goes_by_the_name_of_its_engine(fetcher: PageFetcher) -> None:
    web = LiveWeb(Engine(Nothing()), fetcher)
    assert (web.name, web.version) == ("engine", "1")


async def test_an_enormous_page_is_not_compared_whole(
    server: Misbehaving, fetcher: PageFetcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[int] = []

    def counted(hits: Sequence[Hit], texts: Mapping[str, str]) -> list[Hit]:
        compared.append(len(hits))
        return fold_copies(hits, texts)

    monkeypatch.setattr("wkgfc.web.live.fold_copies", counted)
    flood = [f"{number} ferries of the bridge. " + FERRY * 8 for number in range(400)]
    server.on("/flood", reply(article(*flood), HTML))
    server.on("/bridge", reply(article(TOWN * 8, LONG * 8), HTML))
    engine = Engine(Found([hit(server.url("/flood")), hit(server.url("/bridge"))]))
    answer = await found(LiveWeb(engine, fetcher))
    assert "320 metres" in answer.items[0].passage.text
    assert compared == [COMPARED // 2 + 2], "half of them are a page's, and the other page has two"
