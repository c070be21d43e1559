"""Brave: what is sent, its dates, its refusals."""

import datetime as dt
import json
from typing import Any

import pytest

from misbehaving import reply
from search_engines import PATH, SECRET, Page, answer, around, engine
from wkgfc.state import Failed, Found

QUERY = "eiffel tower height"
TOWER = Page("https://example.org/tower", "Eiffel Tower", "330 metres.")


async def test_what_is_sent() -> None:
    async with engine("brave") as (search, server):
        server.on(PATH, answer("brave", QUERY, [TOWER]))
        await search.search(
            QUERY,
            8,
            before=dt.date(2020, 10, 31),
            allowed_sites=["example.org/tower"],
            blocked_sites=["snopes.com", "reuters.com/fact-check"],
        )
        seen = server.seen[0]
    assert (seen.method, seen.headers["x-subscription-token"]) == ("GET", SECRET.get_secret_value())
    assert seen.params == {
        "q": "eiffel tower height site:example.org -site:snopes.com",  # its operators take no paths
        "count": "20",
        "result_filter": "web",
        "text_decorations": "false",
        "spellcheck": "false",
        "search_lang": "en",
        "freshness": "1970-01-01to2020-10-31",
    }


@pytest.mark.parametrize(
    ("dates", "day"),
    [
        ({"page_age": "2021-05-06T10:00:00", "age": "May 7, 2021"}, dt.date(2021, 5, 6)),
        ({"page_age": None, "age": "May 7, 2021"}, dt.date(2021, 5, 7)),
        ({"page_age": "soon", "age": 3}, None),
        ({"age": "5 months ago"}, None),
    ],
)
async def test_the_stamp_counts_before_the_age(dates: dict[str, Any], day: dt.date | None) -> None:
    row = {"url": TOWER.url, "title": "Eiffel Tower", "description": "330 metres.", **dates}
    async with engine("brave") as (search, server):
        server.on(PATH, reply(json.dumps(around("brave", QUERY, [row]))))
        got = await search.search(QUERY, 5)
    assert isinstance(got, Found)
    assert got.items[0].passage.date == day


async def test_a_web_block_that_is_no_object_is_a_failure() -> None:
    async with engine("brave") as (search, server):
        server.on(PATH, reply(json.dumps({"type": "search", "web": [1]})))
        got = await search.search(QUERY, 5)
    assert isinstance(got, Failed)
    assert "web is no object" in got.reason


async def test_a_bad_key_comes_as_a_422() -> None:
    error = {
        "id": "5d83",
        "status": 422,
        "code": "SUBSCRIPTION_TOKEN_INVALID",
        "detail": "The provided token is invalid.",
    }
    async with engine("brave") as (search, server):
        server.on(PATH, reply(json.dumps({"type": "ErrorResponse", "error": error}), status=422))
        assert await search.search(QUERY, 5) == Failed("brave: the key was refused (422): check BRAVE_API_KEY")


async def test_another_422_keeps_what_brave_says() -> None:
    error = {"status": 422, "code": "VALIDATION", "detail": "Unable to validate request parameter(s)"}
    async with engine("brave") as (search, server):
        server.on(PATH, reply(json.dumps({"type": "ErrorResponse", "error": error}), status=422))
        got = await search.search(QUERY, 5)
    assert isinstance(got, Failed)
    assert "answered 422" in got.reason
    assert got.reason.endswith("(Unable to validate request parameter(s))")


async def test_a_query_keeps_to_400_characters_and_50_words() -> None:
    async with engine("brave") as (search, server):
        server.on(PATH, answer("brave", "", [TOWER]))
        await search.search("tall " * 100, 5)
        await search.search("tremendously " * 100, 5)
        sent = [seen.params["q"] for seen in server.seen]
    assert [len(query.split()) for query in sent] == [50, 30]
    assert all(len(query) <= 400 for query in sent)
