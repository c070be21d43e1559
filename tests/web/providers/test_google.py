"""Google's Programmable Search: what is sent, where a date stands, its refusals."""

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
    async with engine("google") as (search, server):
        server.on(PATH, answer("google", QUERY, [TOWER]))
        await search.search(QUERY, 8, before=dt.date(2020, 10, 31), blocked_sites=["reuters.com/fact-check"])
        seen = server.seen[0]
    assert seen.params == {
        "key": SECRET.get_secret_value(),
        "cx": "engine-id",
        "q": "eiffel tower height -site:reuters.com/fact-check",
        "num": "10",
        "hl": "en",
        "sort": "date:r:19000101:20201031",
    }


@pytest.mark.parametrize(
    ("row", "day", "text"),
    [
        ({"snippet": "Jan 5, 2021 ... 330 metres."}, dt.date(2021, 1, 5), "330 metres."),
        ({"snippet": "330 metres ... and more."}, None, "330 metres ... and more."),
        (
            {"snippet": "330 metres.", "pagemap": {"metatags": [{"article:published_time": "2021-01-05T08:00:00Z"}]}},
            dt.date(2021, 1, 5),
            "330 metres.",
        ),
        ({"snippet": "330 metres.", "pagemap": {"metatags": []}}, None, "330 metres."),
        ({"snippet": "330 metres.", "pagemap": {"metatags": [7]}}, None, "330 metres."),
        ({"snippet": "330 metres.", "pagemap": [1]}, None, "330 metres."),
        ({"snippet": None}, None, "Eiffel Tower"),  # the title is all there is
    ],
)
async def test_a_date_is_a_tag_of_the_page_or_stands_before_the_snippet(
    row: dict[str, Any], day: dt.date | None, text: str
) -> None:
    whole = {"link": TOWER.url, "title": TOWER.title, **row}
    async with engine("google") as (search, server):
        server.on(PATH, reply(json.dumps(around("google", QUERY, [whole]))))
        got = await search.search(QUERY, 5)
    assert isinstance(got, Found)
    assert (got.items[0].passage.date, got.items[0].passage.text) == (day, text)


@pytest.mark.parametrize(
    ("status", "error", "said"),
    [
        (400, {"message": "API key not valid. Please pass a valid API key."}, "the key was refused (400)"),
        (403, {"message": "This project does not have the access."}, "the key was refused (403)"),
        (403, {"errors": [{"reason": "dailyLimitExceeded"}]}, "the limit of requests is reached (403)"),
        (429, {"status": "RESOURCE_EXHAUSTED"}, "the limit of requests is reached (429)"),
        (400, {"message": "Request contains an invalid argument."}, "(Request contains an invalid argument.)"),
    ],
)
async def test_refusals(status: int, error: dict[str, Any], said: str) -> None:
    async with engine("google") as (search, server):
        server.on(PATH, reply(json.dumps({"error": {"code": status, **error}}), status=status))
        got = await search.search(QUERY, 5)
    assert isinstance(got, Failed)
    assert said in got.reason
