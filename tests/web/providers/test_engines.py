"""What every search engine keeps to, asked over HTTP in its own form: each test runs for all of them."""

import datetime as dt
import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from loopback_http import AT, ScriptedHttp
from misbehaving import HTML, JSON, Behaviour, bomb, cut, hang_up, redirect, refuse, reply, squeezed
from search_engines import (
    NAMES,
    PATH,
    SECRET,
    SPEAK_JSON,
    WITH_KEY,
    Page,
    answer,
    around,
    body,
    engine,
    make,
    rows,
)
from wkgfc.evidence import Passage
from wkgfc.http import Answer
from wkgfc.state import Failed, Found, Nothing, Retrieved
from wkgfc.usage import metered
from wkgfc.web.search import Hit

QUERY = "eiffel tower height"
TOWER = Page("https://www.example.org/tower", "Eiffel Tower", "The tower is 330 metres tall.", "2021-01-05")
BRIDGE = Page("https://bridges.example.net/golden-gate", "Golden Gate", "The bridge opened in 1937.")

each_engine = pytest.mark.parametrize("name", NAMES)
each_json_engine = pytest.mark.parametrize("name", SPEAK_JSON)


def passages(answer: Retrieved[Hit]) -> list[Passage]:
    assert isinstance(answer, Found), answer
    return [hit.passage for hit in answer.items]


def reason(answer: Retrieved[Hit]) -> str:
    assert isinstance(answer, Failed), answer
    return answer.reason


@each_engine
async def test_results_become_passages_with_their_source(name: str) -> None:
    async with engine(name) as (search, server):
        server.on(PATH, answer(name, QUERY, [TOWER, BRIDGE]))
        with metered() as meter:
            got = passages(await search.search(QUERY, 5))
    assert [(each.url, each.title, each.text, each.date) for each in got] == [
        (TOWER.url, TOWER.title, TOWER.text, dt.date(2021, 1, 5)),
        (BRIDGE.url, BRIDGE.title, BRIDGE.text, None),
    ]
    assert {each.source.name for each in got} == {name}
    assert all(each.retrieved_at is not None for each in got)
    assert meter.total.web_searches == 1


@each_engine
async def test_scores_fall_with_the_engines_order_and_the_limit_holds(name: str) -> None:
    pages = [Page(f"https://example.org/{number}") for number in range(8)]
    async with engine(name) as (search, server):
        server.on(PATH, answer(name, QUERY, pages))
        got = await search.search(QUERY, 3)
    assert isinstance(got, Found)
    assert [hit.passage.url for hit in got.items] == [page.url for page in pages[:3]]
    assert [hit.score for hit in got.items] == [1, 1 / 2, 1 / 3]


@each_engine
async def test_no_results_are_nothing(name: str) -> None:
    async with engine(name) as (search, server):
        server.on(PATH, answer(name, QUERY, []))
        assert await search.search(QUERY, 5) == Nothing()


@each_engine
async def test_what_is_known_to_be_later_is_left_out_and_what_is_undated_stays(name: str) -> None:
    later = Page("https://example.org/later", date="2021-01-06")
    by_its_address = Page("https://example.org/2021/02/03/story")
    async with engine(name) as (search, server):
        server.on(PATH, answer(name, QUERY, [later, TOWER, by_its_address, BRIDGE]))
        got = passages(await search.search(QUERY, 5, before=dt.date(2021, 1, 5)))
    assert [each.url for each in got] == [TOWER.url, BRIDGE.url]


@each_engine
async def test_sites_hold_for_what_comes_back(name: str) -> None:
    pages = [
        Page("https://news.example.org/sport/1"),
        Page("https://example.org/news/2"),
        Page("https://notexample.org/news/3"),
    ]
    async with engine(name) as (search, server):
        server.on(PATH, answer(name, QUERY, pages))
        allowed = passages(await search.search(QUERY, 5, allowed_sites=["example.org/news"]))
        blocked = passages(await search.search(QUERY, 5, blocked_sites=["example.org"]))
        server.on(PATH, answer(name, QUERY, pages[:1]))
        none_left = await search.search(QUERY, 5, blocked_sites=["example.org/sport"])
    assert [each.url for each in allowed] == [pages[1].url]
    assert [each.url for each in blocked] == [pages[2].url]
    assert none_left == Nothing()


@each_engine
async def test_a_page_that_comes_twice_is_one_hit(name: str) -> None:
    twice = [TOWER, Page("http://example.org/tower/?utm_source=x#top"), BRIDGE]
    async with engine(name) as (search, server):
        server.on(PATH, answer(name, QUERY, twice))
        assert [each.url for each in passages(await search.search(QUERY, 5))] == [TOWER.url, BRIDGE.url]


@each_engine
@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "file:///etc/passwd",
        "ftp://example.org/x",
        "//example.org/x",
        "https://",
        "https://user:password@example.org/",
        "https://[bad",
        "https://example.org/a b",
        "https://example.org/" + "x" * 3_000,
        "",
    ],
)
async def test_an_address_that_is_no_page_is_left_out(name: str, url: str) -> None:
    async with engine(name) as (search, server):
        server.on(PATH, answer(name, QUERY, [Page(url), BRIDGE]))
        assert [each.url for each in passages(await search.search(QUERY, 5))] == [BRIDGE.url]


@each_engine
@pytest.mark.parametrize("query", ["", "   ", "\u200b\u200e", '"" ()', "\ud800"])
async def test_a_query_without_words_asks_nobody(name: str, query: str) -> None:
    async with engine(name) as (search, server):
        assert await search.search(query, 5) == Nothing()
        assert await search.search(QUERY, 0) == Nothing()
        assert server.seen == []


@each_engine
async def test_any_text_can_be_asked(name: str) -> None:
    query = 'the "tower"\ud800 & site:x.org\x00 = 330 m? ' + "very " * 500 + "tall"
    async with engine(name) as (search, server):
        server.on(PATH, answer(name, "the tower site:x.org 330 m very tall", [TOWER]))
        assert passages(await search.search(query, 5, allowed_sites=["", "()", "example.org"], blocked_sites=["a b"]))


@each_engine
async def test_the_key_travels_where_it_is_not_kept(name: str) -> None:
    http = ScriptedHttp(lambda request: body(name, QUERY, [TOWER]))
    await make(name, http, "https://engine.example/search").search(QUERY, 5)
    request = http.sent[0]
    secret = SECRET.get_secret_value()
    assert secret not in repr(request)
    assert secret not in json.dumps([request.url, dict(request.params), dict(request.headers), request.json_body])
    sent = [*request.secret_headers.values(), *request.secret_params.values()]
    assert [secret in each.get_secret_value() for each in sent] == [True] * (name in WITH_KEY)
    assert (request.kind, request.public_only) == ("search", False)


# The faults. Each is Failed with a reason of one line that names the engine, and none holds the key.


@pytest.mark.parametrize("name", WITH_KEY)
@pytest.mark.parametrize("status", [401, 403])
async def test_a_refused_key_is_said_to_be_refused(name: str, status: int) -> None:
    async with engine(name) as (search, server):
        server.on(PATH, reply(json.dumps({"message": f"Unauthorized {SECRET.get_secret_value()}"}), status=status))
        said = reason(await search.search(QUERY, 5))
    variable = {"serper": "SERPER", "brave": "BRAVE", "tavily": "TAVILY", "google": "GOOGLE"}[name] + "_API_KEY"
    assert said == f"{name}: the key was refused ({status}): check {variable}"


@each_json_engine
async def test_a_limit_that_is_reached_is_said_to_be_one(name: str) -> None:
    async with engine(name) as (search, server):
        server.on(PATH, refuse(429))
        assert "the limit of requests is reached (429)" in reason(await search.search(QUERY, 5))


@each_engine
@pytest.mark.parametrize(
    ("behaviour", "said"),
    [
        (refuse(400, body='{"message": "Bad\\nquery"}'), "answered 400 (Bad Request) (Bad query)"),
        (refuse(404), "answered 404"),
        (refuse(500), "answered 500"),
        (refuse(502), "answered 502"),
        (refuse(503), "answered 503"),
        (refuse(504), "answered 504"),
        (redirect(PATH), "redirected more than"),
        (hang_up(), "cut off"),
        (cut(b"{<html>", JSON), "cut off"),
        (cut(b"{<html>", HTML), "cut off"),
        (bomb(5_000_000, JSON), "sent more than"),
        (bomb(5_000_000, HTML), "sent more than"),
        (reply(b"%PDF-1.7", "application/pdf"), "and not"),
        (reply(b"", JSON), "an empty answer"),
        (reply(b"", HTML), "an empty answer"),
    ],
)
async def test_a_server_at_fault_is_a_failure(name: str, behaviour: Behaviour, said: str) -> None:
    async with engine(name) as (search, server):
        server.on(PATH, behaviour)
        got = reason(await search.search(QUERY, 5))
    assert got.startswith(f"{name}: ")
    assert "\n" not in got
    assert SECRET.get_secret_value() not in got
    assert said in got or "and not" in got  # JSON where HTML is read, and the other way round


@each_json_engine
@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "empty"),
        (b"not json", "no JSON"),
        (b"\xff\xfe{}", "no JSON"),
        (b'{"organic": [', "no JSON"),
        (b"[" * 100_000, "no JSON"),
        (b"9" * 10_000, "no JSON"),
        (b"[1, 2]", "another form"),
        (b'"text"', "another form"),
        (b"null", "another form"),
        (b'{"status": "ok", "data": []}', "another form"),
        (b'{"error": "your plan has ended"}', "another form"),
    ],
)
async def test_an_answer_of_another_form_is_a_failure_and_not_nothing(name: str, content: bytes, said: str) -> None:
    async with engine(name) as (search, server):
        server.on(PATH, reply(content))
        assert said in reason(await search.search(QUERY, 5))


@each_json_engine
@pytest.mark.parametrize("results", ["text", 7, {"0": {}}, True])
async def test_results_that_are_no_list_are_a_failure(name: str, results: Any) -> None:
    async with engine(name) as (search, server):
        server.on(PATH, reply(json.dumps(around(name, QUERY, results))))
        assert "no list" in reason(await search.search(QUERY, 5))


@each_json_engine
async def test_results_of_which_none_can_be_read_are_a_failure(name: str) -> None:
    async with engine(name) as (search, server):
        server.on(PATH, reply(json.dumps(around(name, QUERY, [{"href": "https://x.org", "name": "X"}, 3, None]))))
        assert "none of 3 can be read" in reason(await search.search(QUERY, 5))


@each_json_engine
async def test_missing_results_are_nothing(name: str) -> None:
    async with engine(name) as (search, server):
        server.on(PATH, reply(json.dumps(around(name, QUERY, None))))
        assert await search.search(QUERY, 5) == Nothing()
        server.on(PATH, reply(b"{}"))
        assert await search.search(QUERY, 5) == Nothing()


@each_json_engine
async def test_an_answer_to_another_query_is_a_failure(name: str) -> None:
    async with engine(name) as (search, server):
        server.on(PATH, answer(name, "golden gate bridge opening", [BRIDGE]))
        assert "another query" in reason(await search.search(QUERY, 5))
        server.on(PATH, answer(name, "Eiffel Tower, height", [TOWER]))
        assert passages(await search.search(QUERY, 5))


@each_json_engine
@pytest.mark.parametrize("junk", [None, 1, [], {}, True, "", "   "])
async def test_every_field_may_be_of_any_type(name: str, junk: Any) -> None:
    good = rows(name, [BRIDGE])[0]
    whole = rows(name, [TOWER])[0]
    broken = [{**whole, field: junk} for field in whole]
    async with engine(name) as (search, server):
        server.on(PATH, reply(json.dumps(around(name, QUERY, [*broken, junk, good]))))
        got = passages(await search.search(QUERY, 50))
    assert got[-1].url == BRIDGE.url
    assert {each.url for each in got} <= {TOWER.url, BRIDGE.url}
    assert all(each.text for each in got)


@each_engine
async def test_text_from_outside_is_made_legible(name: str) -> None:
    page = Page(BRIDGE.url, "A &amp; B", "The  <strong>bridge</strong> \u202eis &#39;old&#39;\u200b.")
    async with engine(name) as (search, server):
        server.on(PATH, answer(name, QUERY, [page]))
        passage = passages(await search.search(QUERY, 5))[0]
    assert passage.title == "A & B"
    assert passage.text == "The bridge is 'old'."


async def test_half_a_character_does_no_harm() -> None:
    async with engine("serper") as (search, server):
        row = '{"link": "https://x.org/1", "title": "\\ud83d", "snippet": "Half \\ud83d a face", "date": "\\udc00"}'
        bad = '{"link": "https://x.org/\\ud83d", "title": "t", "snippet": "s"}'
        server.on(PATH, reply(f'{{"organic": [{row}, {bad}]}}'))
        got = passages(await search.search(QUERY, 5))
    assert [(each.url, each.title, each.text) for each in got] == [("https://x.org/1", None, "Half a face")]
    assert got[0].content_hash


async def test_an_answer_may_come_compressed() -> None:
    async with engine("brave") as (search, server):
        server.on(PATH, squeezed(body("brave", QUERY, [TOWER])))
        assert passages(await search.search(QUERY, 5))


async def test_dates_count_from_the_retrieval() -> None:
    http = ScriptedHttp(lambda request: body("serper", QUERY, [Page(TOWER.url, date="3 days ago")]))
    got = passages(await make("serper", http, "https://engine.example").search(QUERY, 5))
    assert got[0].date == (AT - dt.timedelta(days=3)).date()


json_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | st.just("https://x.org/1"),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=5),
    max_leaves=12,
)


def given_back(name: str, content: bytes) -> ScriptedHttp:
    return ScriptedHttp(lambda request: Answer(request.url, 200, {}, content, AT))


@each_engine
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
async def test_any_bytes_are_an_outcome(name: str, content: bytes) -> None:
    outcome = await make(name, given_back(name, content), "https://engine.example").search(QUERY, 5)
    assert isinstance(outcome, Nothing | Failed)


@each_json_engine
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(found=json_values, anything=json_values, before=st.none() | st.dates())
async def test_any_json_is_an_outcome(name: str, found: Any, anything: Any, before: dt.date | None) -> None:
    for content in (anything, around(name, QUERY, found), around(name, QUERY, [found, anything])):
        sent = json.dumps(content).encode()
        outcome = await make(name, given_back(name, sent), "https://engine.example").search(QUERY, 5, before=before)
        assert isinstance(outcome, Found | Nothing | Failed)


@each_json_engine
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
async def test_any_field_of_a_result_can_be_anything(name: str, data: st.DataObject) -> None:
    row = {field: data.draw(json_values | st.just(value)) for field, value in rows(name, [TOWER])[0].items()}
    sent = json.dumps(around(name, QUERY, [row])).encode()
    outcome = await make(name, given_back(name, sent), "https://engine.example").search(QUERY, 5)
    for passage in passages(outcome) if isinstance(outcome, Found) else []:
        assert passage.text
        assert passage.url is not None
        assert passage.url.startswith(("http://", "https://"))
        assert passage.content_hash


@settings(max_examples=200, deadline=None)
@given(
    pieces=st.lists(
        st.sampled_from(
            [
                '<div class="result">',
                "</div>",
                '<a class="result__a" href="https://x.org/">',
                '<a class="result__a" href="//duckduckgo.com/l/?uddg=%">',
                '<a class="result__a" href="//[">',
                "</a>",
                '<span class="result__snippet">',
                "<table><tr>",
                "&nbsp;&#0;",
                "\x00",
                "é\ufffd",
                "text",
            ]
        ),
        max_size=15,
    )
)
async def test_any_html_is_an_outcome(pieces: list[str]) -> None:
    outcome = await make("duckduckgo", given_back("duckduckgo", "".join(pieces).encode()), "https://e.example").search(
        QUERY, 5
    )
    assert isinstance(outcome, Found | Nothing | Failed)
