"""Tavily: what is sent, its lists of domains, its refusals."""

import datetime as dt
import json

import pytest

from misbehaving import reply
from search_engines import PATH, SECRET, Page, answer, engine
from wkgfc.state import Failed, Found

QUERY = "eiffel tower height"
TOWER = Page("https://example.org/tower", "Eiffel Tower", "330 metres.", "Tue, 05 Jan 2021 13:00:00 GMT")


async def test_what_is_sent() -> None:
    async with engine("tavily") as (search, server):
        server.on(PATH, answer("tavily", QUERY, [TOWER]))
        got = await search.search(
            QUERY,
            8,
            before=dt.date(2021, 10, 31),
            allowed_sites=["www.example.org/tower", "example.org"],
            blocked_sites=["snopes.com", "reuters.com/fact-check"],
        )
        seen = server.seen[0]
    assert (seen.method, seen.headers["authorization"]) == ("POST", f"Bearer {SECRET.get_secret_value()}")
    assert json.loads(seen.body) == {
        "query": QUERY,
        "max_results": 20,
        "search_depth": "basic",
        "topic": "general",
        "include_domains": ["example.org"],
        "exclude_domains": ["snopes.com"],  # the rest of reuters.com may come
        "end_date": "2021-10-31",
    }
    assert isinstance(got, Found)
    assert got.items[0].passage.date == dt.date(2021, 1, 5)


async def test_domains_keep_to_tavilys_limits() -> None:
    sites = [f"site{number}.example" for number in range(400)]
    async with engine("tavily") as (search, server):
        server.on(PATH, answer("tavily", QUERY, [TOWER]))
        await search.search(QUERY, 5, allowed_sites=sites, blocked_sites=sites)
        body = json.loads(server.seen[0].body)
    assert "include_domains" not in body
    assert len(body["exclude_domains"]) == 150


@pytest.mark.parametrize("status", [432, 433])
async def test_a_plan_that_is_used_up(status: int) -> None:
    said = json.dumps({"detail": {"error": "This request exceeds your plan's set usage limit."}})
    async with engine("tavily") as (search, server):
        server.on(PATH, reply(said, status=status))
        assert await search.search(QUERY, 5) == Failed(f"tavily: the account has no credits left ({status})")


async def test_another_refusal_keeps_what_tavily_says() -> None:
    async with engine("tavily") as (search, server):
        server.on(PATH, reply(json.dumps({"detail": {"error": "Query is too long."}}), status=400))
        got = await search.search(QUERY, 5)
    assert isinstance(got, Failed)
    assert got.reason.endswith("answered 400 (Bad Request) (Query is too long.)")
