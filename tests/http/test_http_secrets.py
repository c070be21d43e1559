"""Keys go to the source that they are for, and nowhere else: not to other hosts, not into what is kept or said."""

import json
from typing import Any
from urllib.parse import quote_plus

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import SecretStr

from misbehaving import Misbehaving, Seen, misbehaving, redirect, refuse, reply
from wkgfc.errors import NotConfigured
from wkgfc.http import Answer, Request, Unanswered
from wkgfc.http.client import LiveHttp, user_agent
from wkgfc.http.keys import described, request_key
from wkgfc.http.redaction import HIDDEN, redacted

KEY = "sk-live/4f9a+Q=="
SECRET = SecretStr(KEY)


async def echo(seen: Seen, writer: Any) -> bool:
    """A server that sends back what it was sent."""
    text = f'{{"key": "{seen.params.get("key", "")}", "bearer": "{seen.headers.get("authorization", "")}"}}'
    return await reply(text, headers={"X-Query": quote_plus(seen.params.get("key", "")), "Set-Cookie": "id=1"})(
        seen, writer
    )


def with_key(url: str, **named: Any) -> Request:
    bearer = SecretStr(f"Bearer {KEY}")
    return Request(url, kind="search", secret_params={"key": SECRET}, secret_headers={"Authorization": bearer}, **named)


async def test_a_key_is_sent_and_does_not_come_back(server: Misbehaving, http: LiveHttp) -> None:
    server.on("/search", echo)
    answer = await http.send(with_key(server.url("/search"), params={"q": "Nepal"}))
    assert server.seen[0].params == {"q": "Nepal", "key": KEY}
    assert server.seen[0].headers["authorization"] == f"Bearer {KEY}"
    assert isinstance(answer, Answer)
    assert answer.url == server.url("/search?q=Nepal")
    assert answer.json() == {"key": HIDDEN, "bearer": HIDDEN}
    assert answer.headers["x-query"] == HIDDEN
    assert "set-cookie" not in answer.headers
    assert KEY not in repr(answer)


async def test_a_key_is_in_no_error(server: Misbehaving, http: LiveHttp) -> None:
    server.on("/search", refuse(403, body=f"the key {KEY} is unknown"))
    outcome = await http.send(with_key(server.url("/search")))
    assert isinstance(outcome, Unanswered)
    assert outcome.body == f"the key {HIDDEN} is unknown".encode()
    for request in (
        with_key("http://[::/"),
        with_key("ftp://example.org"),
        with_key(server.url("/"), headers={"X": "ü"}),
    ):
        assert KEY not in repr(await http.send(request))
    bad = Request(server.url("/"), kind="search", secret_headers={"X": SecretStr(f"{KEY}\n")})
    assert await http.send(bad) == Unanswered(f"the request to 127.0.0.1:{server.port} cannot be written: ValueError")


async def test_a_redirect_takes_keys_no_further_than_their_own_host(server: Misbehaving, http: LiveHttp) -> None:
    async with misbehaving() as other:
        other.on("/", reply())
        server.on("/away", redirect(other.url("/")))
        server.on("/near", redirect("/search"))
        server.on("/search", reply())
        await http.send(with_key(server.url("/away")))
        assert "authorization" not in other.seen[0].headers
        assert other.seen[0].params == {}
        await http.send(with_key(server.url("/near")))
        assert server.seen[-1].headers["authorization"] == f"Bearer {KEY}"


async def test_a_body_is_not_sent_on_to_another_host(server: Misbehaving, http: LiveHttp) -> None:
    async with misbehaving() as other:
        other.on("/", reply())
        server.on("/x", redirect(other.url("/"), 307))
        outcome = await http.send(Request(server.url("/x"), kind="search", method="POST", json_body={"q": "claim"}))
        assert isinstance(outcome, Unanswered)
        assert "redirected what was sent to it to 127.0.0.1" in outcome.reason
        assert other.seen == []


async def test_cookies_are_not_kept(server: Misbehaving, http: LiveHttp) -> None:
    server.on("/x", reply(headers={"Set-Cookie": "id=1; Path=/"}))
    await http.send(Request(server.url("/x"), kind="page"))
    await http.send(Request(server.url("/x"), kind="page"))
    assert "cookie" not in server.seen[1].headers


keys = st.text(st.characters(categories=("Lu", "Ll", "Nd", "Lo", "Sm")), min_size=20, max_size=40)


@settings(deadline=None)
@given(keys, keys, st.integers())
def test_what_is_described_and_kept_holds_no_secret(first: str, second: str, number: int) -> None:
    request = Request(
        f"https://example.org/search?q=1&token={quote_plus(first)}",
        kind="search",
        params={"q": str(number)},
        secret_params={"token": SecretStr(first)},
        secret_headers={"X-Key": SecretStr(f"Bearer {second}")},
    )
    for said in (first, second, quote_plus(first), quote_plus(second), json.dumps(second), f"Bearer {second}"):
        outcome = redacted(request, Unanswered(said, 400, said.encode()))
        assert isinstance(outcome, Unanswered)
        assert HIDDEN in outcome.reason
        assert outcome.body == outcome.reason.encode()
        for kept in (json.dumps(described(request)), outcome.reason):
            assert not any(form in kept for secret in (first, second) for form in (secret, quote_plus(secret)))
    bare = Request("https://example.org/search?q=1", kind="search", params={"q": str(number)})
    assert request_key(request) == request_key(bare)


def test_a_key_that_stands_in_what_is_asked_is_not_recorded() -> None:
    request = Request(
        "https://example.org/",
        kind="model",
        method="POST",
        headers={"X-Note": f"with {KEY}"},
        params={"note": KEY},
        secret_headers={"Authorization": SecretStr(f"Bearer {KEY}")},
        json_body={"messages": [{"content": f"my key is {KEY}"}], "n": 1, "stop": None},
    )
    assert KEY not in json.dumps(described(request))
    assert described(request)["json"] == {"messages": [{"content": f"my key is {HIDDEN}"}], "n": 1, "stop": None}


def test_a_word_that_stands_for_no_key_is_left_in_texts() -> None:
    request = Request("https://example.org/", kind="model", secret_headers={"Authorization": SecretStr("Bearer none")})
    said = Unanswered("none", 400, b"none of them")
    assert redacted(request, said) == said
    assert "authorization" not in json.dumps(described(request)).lower()


def test_the_key_of_a_request_is_what_is_asked() -> None:
    request = Request(
        "https://EXAMPLE.org/x", kind="query", params={"a": "1", "b": "2"}, headers={"Accept-Language": "de"}
    )
    same = Request(
        "https://example.org/x",
        kind="page",
        params={"b": "2", "a": "1"},
        headers={"accept-language": "de", "User-Agent": "another"},
        secret_headers={"X-Key": SECRET},
        timeout_s=1.0,
    )
    assert request_key(request) == request_key(same)
    assert len(request_key(request)) == 64
    for other in (
        Request("https://example.org/y", kind="query", params={"a": "1", "b": "2"}, headers={"Accept-Language": "de"}),
        Request("https://example.org/x", kind="query", params={"a": "1"}, headers={"Accept-Language": "de"}),
        Request("https://example.org/x", kind="query", params={"a": "1", "b": "2"}),
    ):
        assert request_key(other) != request_key(request)
    bodies: list[dict[str, Any]] = [{}, {"json_body": {"q": 1}}, {"json_body": {"q": 2}}, {"form": {"q": "1"}}]
    posts = [Request("https://example.org/", kind="query", method="POST", **body) for body in bodies]
    assert len({request_key(post) for post in posts}) == 4


def test_the_key_of_a_request_is_the_same_in_every_process() -> None:
    request = Request("https://example.org/", kind="entity", params={"q": "Nepal"})
    assert request_key(request) == "4bd7c37f6098b5be5f1ebb1d3e8877db3dd8954bd2b958d1227f0ddec2e12a77"


@pytest.mark.parametrize("contact", ["", " ", "a\nb", "ü@example.org", "x" * 201])
def test_a_contact_can_stand_in_a_header(contact: str) -> None:
    with pytest.raises(NotConfigured, match="the contact is"):
        user_agent(contact)


async def test_the_user_agent_names_the_program_its_version_and_the_contact(
    server: Misbehaving, http: LiveHttp
) -> None:
    await http.send(Request(server.url("/"), kind="entity"))
    name, _, rest = server.seen[0].headers["user-agent"].partition("/")
    assert name == "WKGFC"
    assert rest.endswith(" (tests@example.org)")
    assert user_agent() == f"WKGFC/{rest.split(' ')[0]}"
