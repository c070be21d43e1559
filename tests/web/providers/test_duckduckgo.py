"""DuckDuckGo: what is sent, the page that asks for proof, pages of another form."""

import datetime as dt
from urllib.parse import parse_qs

import pytest

from misbehaving import HTML, refuse, reply
from search_engines import PATH, Page, answer, duckduckgo_page, engine
from wkgfc.state import Failed, Found, Nothing

QUERY = "eiffel tower height"
TOWER = Page("https://example.org/tower?a=1&b=2", "Eiffel & Tower", "330 metres.", "2021-01-05")


async def test_what_is_sent() -> None:
    async with engine("duckduckgo") as (search, server):
        server.on(PATH, answer("duckduckgo", QUERY, [TOWER]))
        got = await search.search(QUERY, 8, before=dt.date(2021, 10, 31), blocked_sites=["snopes.com"])
        seen = server.seen[0]
    assert seen.method == "POST"
    assert parse_qs(seen.body.decode(), keep_blank_values=True) == {
        "q": ["eiffel tower height -site:snopes.com"],
        "b": [""],
        "kl": ["wt-wt"],
        "df": ["1970-01-01..2021-10-31"],
    }
    assert isinstance(got, Found)
    passage = got.items[0].passage
    assert (passage.url, passage.title, passage.date) == (TOWER.url, TOWER.title, dt.date(2021, 1, 5))


@pytest.mark.parametrize("status", [200, 202])
@pytest.mark.parametrize(
    "page",
    [
        '<div class="anomaly-modal__title">Unfortunately, bots use DuckDuckGo too.</div>',
        '<form id="challenge-form" action="/anomaly.js"></form>',
    ],
)
async def test_a_page_that_asks_for_proof_of_a_human_being_is_a_failure(status: int, page: str) -> None:
    async with engine("duckduckgo") as (search, server):
        server.on(PATH, reply(page + duckduckgo_page([TOWER]), HTML, status))
        got = await search.search(QUERY, 5)
    assert isinstance(got, Failed)
    assert "prove that a human being asks" in got.reason


@pytest.mark.parametrize("status", [403, 429])
async def test_a_refusal_names_the_way_out(status: int) -> None:
    async with engine("duckduckgo") as (search, server):
        server.on(PATH, refuse(status))
        got = await search.search(QUERY, 5)
    assert isinstance(got, Failed)
    assert "choose another engine" in got.reason


@pytest.mark.parametrize("page", ["<html><body>Welcome</body></html>", "plain", "<", "\x00", "<html></html>"])
@pytest.mark.parametrize("status", [200, 202])
async def test_a_page_of_another_form_is_a_failure_and_not_nothing(page: str, status: int) -> None:
    async with engine("duckduckgo") as (search, server):
        server.on(PATH, reply(page, HTML, status))
        got = await search.search(QUERY, 5)
    assert isinstance(got, Failed)
    assert "another form" in got.reason


async def test_advertisements_alone_are_nothing() -> None:
    page = duckduckgo_page([TOWER]).split('<div class="result results_links results_links_deep')[0] + "</div>"
    async with engine("duckduckgo") as (search, server):
        server.on(PATH, reply(page, HTML))
        assert await search.search(QUERY, 5) == Nothing()


async def test_nested_results_stay_within_bounds() -> None:
    page = '<div class="result"><a class="result__a" href="https://x.org/1">t</a><p class="result__snippet">' * 5_000
    async with engine("duckduckgo") as (search, server):
        server.on(PATH, reply(page, HTML))
        got = await search.search(QUERY, 50)
    assert isinstance(got, Found)
    assert all(len(hit.passage.text) <= 4_000 for hit in got.items)
