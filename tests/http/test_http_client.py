"""What a request looks like to a server, and what an answer looks like to who asked."""

import contextlib
import datetime as dt
import gzip
import zlib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from misbehaving import HTML, Misbehaving, misbehaving, raw, redirect, reply
from wkgfc.http import Answer, Http, Request, Unanswered
from wkgfc.http.body import BodyFault, read_body, read_start
from wkgfc.http.client import LiveHttp
from wkgfc.http.courtesy import Courtesy


async def pieces(body: bytes, size: int = 7) -> Any:
    for start in range(0, len(body), size):
        yield body[start : start + size]


async def test_a_get_request(server: Misbehaving, http: LiveHttp) -> None:
    server.on("/api", reply('{"a": 1}'))
    client: Http = http
    answer = await client.send(
        Request(
            server.url("/api?fixed=1"),
            kind="entity",
            params={"q": "Zürich & Köln", "limit": "50"},
            headers={"Accept-Language": "de"},
            accepts=("application/json",),
        )
    )
    seen = server.seen[0]
    assert seen.method == "GET"
    assert seen.params == {"fixed": "1", "q": "Zürich & Köln", "limit": "50"}
    assert seen.headers["accept"] == "application/json"
    assert seen.headers["accept-encoding"] == "gzip, deflate"
    assert seen.headers["accept-language"] == "de"
    assert seen.headers["host"] == f"127.0.0.1:{server.port}"
    assert isinstance(answer, Answer)
    assert answer.json() == {"a": 1}
    assert answer.status == 200
    assert answer.headers["content-type"] == "application/json"
    assert answer.retrieved_at.tzinfo is dt.UTC
    assert not answer.from_cache


async def test_a_post_request(server: Misbehaving, http: LiveHttp) -> None:
    server.on("/x", reply())
    await http.send(Request(server.url("/x"), kind="search", method="POST", json_body={"q": "Ä"}))
    await http.send(Request(server.url("/x"), kind="query", method="POST", form={"query": "SELECT ?s", "a": "&"}))
    as_json, as_form = server.seen
    assert (as_json.headers["content-type"], as_json.body) == ("application/json", '{"q":"Ä"}'.encode())
    assert as_form.headers["content-type"] == "application/x-www-form-urlencoded"
    assert as_form.body == b"query=SELECT+%3Fs&a=%26"


@pytest.mark.parametrize(
    ("status", "method", "body"), [(301, "GET", b""), (303, "GET", b""), (308, "POST", b'{"q":1}')]
)
async def test_a_redirect_is_followed_as_browsers_do(
    status: int, method: str, body: bytes, server: Misbehaving, http: LiveHttp
) -> None:
    server.on("/a", redirect("b?x=1", status))
    server.on("/b", reply())
    answer = await http.send(Request(server.url("/a"), kind="search", method="POST", json_body={"q": 1}))
    assert isinstance(answer, Answer)
    assert answer.url == server.url("/b?x=1")
    assert (server.seen[1].method, server.seen[1].body) == (method, body)
    assert ("content-type" in server.seen[1].headers) == (method == "POST")


@pytest.mark.parametrize(("written", "path"), [("/zürich".encode(), "/z%C3%BCrich"), (b"/z\xfcrich", "/z%C3%BCrich")])
async def test_a_redirect_to_letters_that_are_not_ascii(
    server: Misbehaving, http: LiveHttp, written: bytes, path: str
) -> None:
    """In UTF-8, as most servers write them; what is none is Latin-1."""
    server.on("/a", redirect(written.decode("latin-1")))
    server.on(path, reply(b"here"))
    answer = await http.send(Request(server.url("/a"), kind="page"))
    assert isinstance(answer, Answer)
    assert answer.url == server.url(path)


async def test_the_host_header_follows_the_redirect(server: Misbehaving, http: LiveHttp) -> None:
    server.on("/a", redirect(server.url("/b", "localhost")))
    server.on("/b", reply())
    await http.send(Request(server.url("/a"), kind="page"))
    assert server.seen[1].headers["host"] == f"localhost:{server.port}"


@pytest.mark.parametrize(
    ("sent", "accepts", "is_read"),
    [
        (HTML, ("text/html",), True),
        (HTML, ("text/*",), True),
        ("TEXT/HTML", ("text/html", "application/pdf"), True),
        (HTML, (), True),
        (HTML, ("application/json",), False),
        ("text/htmlx", ("text/html",), False),
    ],
)
async def test_content_types(
    sent: str, accepts: tuple[str, ...], is_read: bool, server: Misbehaving, http: LiveHttp
) -> None:
    server.on("/x", reply("body", sent))
    outcome = await http.send(Request(server.url("/x"), kind="page", accepts=accepts))
    assert isinstance(outcome, Answer) == is_read
    if isinstance(outcome, Unanswered):
        assert outcome.body == b"body"  # what it was instead helps to tell why


async def test_an_answer_that_does_not_say_its_type_is_taken_at_its_word(server: Misbehaving, http: LiveHttp) -> None:
    server.on("/x", raw(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"))
    assert isinstance(await http.send(Request(server.url("/x"), kind="page", accepts=("application/json",))), Answer)


async def test_connections_are_used_again(server: Misbehaving, http: LiveHttp) -> None:
    server.on("/x", reply())
    for _ in range(5):
        await http.send(Request(server.url("/x"), kind="page"))
    assert server.connections == 1


@pytest.mark.parametrize(
    ("coding", "pack"),
    [
        ("", lambda body: body),
        ("identity", lambda body: body),
        ("gzip", gzip.compress),
        ("x-gzip", gzip.compress),
        ("deflate", zlib.compress),
        ("deflate", lambda body: zlib.compress(body)[2:-4]),
        ("deflate, gzip", lambda body: gzip.compress(zlib.compress(body))),
        ("gzip", lambda body: gzip.compress(body[:10]) + gzip.compress(body[10:])),
    ],
)
async def test_bodies_are_decompressed(coding: str, pack: Any) -> None:
    body = bytes(range(256)) * 20
    headers = {"content-encoding": coding}
    assert await read_body(headers, pieces(pack(body)), len(body)) == body
    with pytest.raises(BodyFault, match="more than 5119 bytes"):
        await read_body(headers, pieces(pack(body)), len(body) - 1)
    assert await read_start(headers, pieces(pack(body)), 100) == body[:100]


@pytest.mark.parametrize("coding", ["gzip", "deflate", "gzip, gzip"])
async def test_an_empty_body_is_complete(coding: str) -> None:
    assert await read_body({"content-encoding": coding}, pieces(b""), 100) == b""


async def test_a_bomb_in_a_bomb() -> None:
    bomb = gzip.compress(gzip.compress(bytes(50_000_000)))
    with pytest.raises(BodyFault, match="more than"):
        await read_body({"content-encoding": "gzip, gzip"}, pieces(bomb, 65_536), 100_000)


@settings(deadline=None)
@given(st.binary(max_size=2_000), st.sampled_from(["gzip", "deflate", "gzip, deflate", "br", "gzip,gzip,gzip", ""]))
async def test_any_bytes_are_a_body_or_a_fault(body: bytes, coding: str) -> None:
    headers = {"content-encoding": coding}
    assert len(await read_start(headers, pieces(body), 50)) <= 50
    with contextlib.suppress(BodyFault):
        assert len(await read_body(headers, pieces(body), 1_000)) <= 1_000


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=300))
async def test_any_bytes_are_an_answer_or_not(sent: bytes) -> None:
    async with misbehaving() as server, LiveHttp("WKGFC", courtesy=Courtesy(), attempts=1) as http:
        server.on("/raw", raw(sent))
        server.on("/body", raw(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n" + sent))
        for path in ("/raw", "/body"):
            outcome = await http.send(Request(server.url(path), kind="query"))
            assert isinstance(outcome, Answer | Unanswered)


@settings(max_examples=80, deadline=None)
@given(st.text(max_size=60))
async def test_any_text_is_an_address_or_not(text: str) -> None:
    async def nowhere(host: str, port: int) -> list[str]:
        return []

    async with LiveHttp("WKGFC", resolve=nowhere) as http:
        for url in (text, f"http://{text}", f"http://example.org/{text}"):
            assert isinstance(await http.send(Request(url, kind="page")), Unanswered)
