"""SearXNG: what is sent, an instance that gives no JSON, engines that did not answer."""

import datetime as dt
import json
from typing import Any

import pytest

from loopback_http import ScriptedHttp
from misbehaving import refuse, reply
from search_engines import PATH, Page, answer, around, body, engine, rows
from wkgfc.state import Failed, Found, Nothing
from wkgfc.web.providers.searxng import SearXNG

QUERY = "eiffel tower height"
TOWER = Page("https://example.org/tower", "Eiffel Tower", "330 metres.", "2021-01-05T00:00:00")


async def test_what_is_sent() -> None:
    async with engine("searxng") as (search, server):
        server.on(PATH, answer("searxng", QUERY, [TOWER]))
        got = await search.search(
            QUERY, 8, before=dt.date(2021, 10, 31), allowed_sites=["a.org", "example.org"], blocked_sites=["snopes.com"]
        )
        seen = server.seen[0]
    assert (seen.method, seen.params) == (
        "GET",
        {"q": "eiffel tower height -site:snopes.com", "format": "json", "language": "en", "pageno": "1"},
    )
    assert isinstance(got, Found)
    assert got.items[0].passage.date == dt.date(2021, 1, 5)


@pytest.mark.parametrize("url", ["http://localhost:8888", "http://localhost:8888/", "http://localhost:8888/search"])
async def test_an_instance_is_named_by_its_address(url: str) -> None:
    http = ScriptedHttp(lambda request: body("searxng", QUERY, [TOWER]))
    await SearXNG(http, url).search(QUERY, 5)
    assert http.sent[0].url == "http://localhost:8888/search"


async def test_an_instance_without_json_says_what_to_do() -> None:
    async with engine("searxng") as (search, server):
        server.on(PATH, refuse(403))
        got = await search.search(QUERY, 5)
    assert got == Failed("searxng: the instance gives no JSON: add json to search.formats in its settings.yml (403)")


async def test_nothing_because_no_engine_answered_is_a_failure() -> None:
    silent = [["google", "CAPTCHA"], ["brave", "too many requests"], ["odd"], [], 3, [None]]
    async with engine("searxng") as (search, server):
        server.on(PATH, reply(json.dumps(around("searxng", QUERY, []) | {"unresponsive_engines": silent})))
        got = await search.search(QUERY, 5)
    assert isinstance(got, Failed)
    assert got.reason.endswith("no engine answered it (google: CAPTCHA, brave: too many requests, odd)")


@pytest.mark.parametrize("silent", [None, [], {}, "google", [[]], 3])
async def test_nothing_from_engines_that_all_answered_is_nothing(silent: Any) -> None:
    async with engine("searxng") as (search, server):
        server.on(PATH, reply(json.dumps(around("searxng", QUERY, []) | {"unresponsive_engines": silent})))
        assert await search.search(QUERY, 5) == Nothing()


async def test_one_silent_engine_among_others_does_no_harm() -> None:
    content = around("searxng", QUERY, rows("searxng", [TOWER])) | {"unresponsive_engines": [["google", "CAPTCHA"]]}
    async with engine("searxng") as (search, server):
        server.on(PATH, reply(json.dumps(content)))
        assert isinstance(await search.search(QUERY, 5), Found)
