"""Serper: what is sent, and the blocks of its answer beside the organic results."""

import datetime as dt
import json
from typing import Any

import pytest

from misbehaving import reply
from search_engines import PATH, SECRET, Page, answer, around, engine, rows
from wkgfc.state import Failed, Found, Nothing

QUERY = "eiffel tower height"
TOWER = Page("https://example.org/tower", "Eiffel Tower", "330 metres.", "Jan 5, 2021")


async def test_what_is_sent() -> None:
    async with engine("serper") as (search, server):
        server.on(PATH, answer("serper", QUERY, [TOWER]))
        await search.search(
            QUERY,
            8,
            before=dt.date(2020, 10, 31),
            allowed_sites=["gouv.fr", "example.org/tower"],
            blocked_sites=["snopes.com", "reuters.com/fact-check"],
        )
        seen = server.seen[0]
    assert (seen.method, seen.headers["x-api-key"]) == ("POST", SECRET.get_secret_value())
    assert json.loads(seen.body) == {
        "q": "eiffel tower height (site:gouv.fr OR site:example.org/tower)"
        " -site:snopes.com -site:reuters.com/fact-check",
        "num": 10,
        "hl": "en",
        "tbs": "cdr:1,cd_min:1/1/1900,cd_max:10/31/2020",
    }


async def test_the_answer_box_and_the_knowledge_panel_come_first_where_they_name_a_page() -> None:
    content = around("serper", QUERY, rows("serper", [TOWER])) | {
        "answerBox": {"title": "Height", "answer": "330 m", "link": "https://example.com/box"},
        "knowledgeGraph": {"title": "Tower", "description": "A tower.", "descriptionLink": "https://example.net/panel"},
        "peopleAlsoAsk": [{"question": "How tall?", "snippet": "330 m", "link": "https://example.org/asked"}],
    }
    async with engine("serper") as (search, server):
        server.on(PATH, reply(json.dumps(content)))
        got = await search.search(QUERY, 5)
    assert isinstance(got, Found)
    assert [(hit.passage.url, hit.passage.text) for hit in got.items] == [
        ("https://example.com/box", "330 m"),
        ("https://example.net/panel", "A tower."),
        (TOWER.url, TOWER.text),
    ]


@pytest.mark.parametrize("box", [None, "330 m", 330, [], {}, {"answer": "330 m"}, {"link": ["x"], "answer": {}}])
async def test_a_box_of_any_other_form_is_left_out(box: Any) -> None:
    content = around("serper", QUERY, rows("serper", [TOWER])) | {"answerBox": box, "knowledgeGraph": box}
    async with engine("serper") as (search, server):
        server.on(PATH, reply(json.dumps(content)))
        got = await search.search(QUERY, 5)
    assert isinstance(got, Found)
    assert [hit.passage.url for hit in got.items] == [TOWER.url]


async def test_every_block_may_be_missing() -> None:
    async with engine("serper") as (search, server):
        server.on(PATH, reply(json.dumps({"searchParameters": {"q": QUERY}, "credits": 1})))
        assert await search.search(QUERY, 5) == Nothing()


async def test_an_account_without_credits() -> None:
    async with engine("serper") as (search, server):
        server.on(PATH, reply('{"message": "Not enough credits", "statusCode": 400}', status=400))
        assert await search.search(QUERY, 5) == Failed("serper: the account has no credits left (400)")


async def test_a_long_query_and_many_sites_are_cut_to_what_google_reads() -> None:
    blocked = [f"site{number}.example" for number in range(100)]
    async with engine("serper") as (search, server):
        server.on(PATH, answer("serper", QUERY, [Page("https://site99.example/1"), TOWER]))
        got = await search.search(QUERY, 5, blocked_sites=blocked)
        await search.search("word " * 100, 5, blocked_sites=blocked)
        sent = [json.loads(seen.body)["q"].split() for seen in server.seen]
    assert isinstance(got, Found)
    assert [hit.passage.url for hit in got.items] == [TOWER.url]
    assert [len(words) for words in sent] == [32, 32]
    assert sent[1] == ["word"] * 32
