"""Everything that can go wrong on the way: each fault has its reason, ends in time, and leaves nothing behind."""

import asyncio
import socket
import ssl
from typing import Any

import pytest
import trustme

from misbehaving import (
    HTML,
    Behaviour,
    Flood,
    Misbehaving,
    bomb,
    broken_record,
    cut,
    drip,
    hang_up,
    misbehaving,
    raw,
    redirect,
    refuse,
    reply,
    silence,
    squeezed,
)
from wkgfc.http import Answer, Request, Unanswered
from wkgfc.http.addresses import NameNotFound
from wkgfc.http.client import LiveHttp
from wkgfc.http.courtesy import Courtesy
from wkgfc.http.deadline import deadline

SOON_S = 0.3  # for servers that never answer
JSON = ("application/json",)
GOOD = b'{"facts": [1]}'

FAULTS: list[tuple[str, Behaviour, str, int | None]] = [
    ("301 loop", redirect("/x"), "redirected more than 5 times", None),
    ("301 to nowhere", redirect("http://[::"), "redirected to an address that cannot be used", None),
    ("301 to a file", redirect("file:///etc/passwd"), "the address is none of http or https", None),
    ("304", refuse(304, body=b""), "answered 304 (Not Modified)", 304),
    ("400", refuse(400), "answered 400 (Bad Request)", 400),
    ("401", refuse(401), "answered 401 (Unauthorized)", 401),
    ("403", refuse(403), "answered 403 (Forbidden)", 403),
    ("404", refuse(404), "answered 404 (Not Found)", 404),
    ("429", refuse(429), "answered 429 (Too Many Requests)", 429),
    (
        "429 in seconds",
        refuse(429, {"Retry-After": "7"}),
        "answered 429 (Too Many Requests) and asked to wait 7 s",
        429,
    ),
    (
        "429 with a date",
        refuse(429, {"Retry-After": "Fri, 31 Dec 2100 23:59:59 GMT"}),
        "asked to wait 86400 s, which is longer than there is time for",
        None,
    ),
    ("429 with nonsense", refuse(429, {"Retry-After": "soon"}), "answered 429 (Too Many Requests)", 429),
    ("500", refuse(500), "answered 500 (Internal Server Error)", 500),
    ("502", refuse(502), "answered 502 (Bad Gateway)", 502),
    ("503", refuse(503), "answered 503 (Service Unavailable)", 503),
    ("503 in seconds", refuse(503, {"Retry-After": "2"}), "(Service Unavailable) and asked to wait 2 s", 503),
    ("504", refuse(504), "answered 504 (Gateway Timeout)", 504),
    ("odd status", refuse(799), "answered 799", 799),
    ("a part", refuse(206), "answered 206 (Partial Content)", 206),
    ("slow first byte", silence(), "did not answer within 0.3 s", None),
    ("slow body", drip(), "did not answer within 0.3 s", None),
    ("cut body", cut(), "sent an answer that was cut off", None),
    ("cut compressed body", reply(b"\x1f\x8b\x08\x00", headers={"Content-Encoding": "gzip"}), "was cut off", 200),
    ("hang up", hang_up(), "sent an answer that was cut off", None),
    ("no HTTP", raw(b"SSH-2.0-OpenSSH_9.2\r\n\r\n"), "or none that is HTTP", None),
    ("endless head", raw(b"HTTP/1.1 200 OK\r\nX: " + b"x" * 300_000), "or none that is HTTP", None),
    ("wrong type", reply(b"%PDF-1.7", "application/pdf"), "sent 'application/pdf' and not application/json", 200),
    ("HTML", reply("<h1>Sorry</h1>", HTML), "sent 'text/html' and not application/json", 200),
    ("damaged gzip", reply(b"not gzip at all", headers={"Content-Encoding": "gzip"}), "damaged compressed body", 200),
    ("another coding", reply(b"?", headers={"Content-Encoding": "br"}), "a way that was not asked for", 200),
    ("1 GB", Flood(1_000_000_000), "sent more than 4000000 bytes", 200),
    ("1 GB announced", Flood(1_000_000_000, announced=True), "sent more than 4000000 bytes", 200),
    ("gzip bomb", bomb(200_000_000), "sent more than 4000000 bytes", 200),
    ("empty answer", reply(b""), "sent an empty answer", 200),
    ("no content", refuse(204, body=b""), "sent an empty answer", 204),
]


@pytest.mark.parametrize(("name", "behaviour", "reason", "status"), FAULTS, ids=[fault[0] for fault in FAULTS])
async def test_a_fault_has_its_reason_and_what_comes_next_works(
    name: str, behaviour: Behaviour, reason: str, status: int | None, server: Misbehaving, http: LiveHttp, time: Any
) -> None:
    server.on("/x", behaviour)
    server.on("/good", reply(GOOD))
    timeout_s = SOON_S if name.startswith("slow") else 60.0
    outcome = await http.send(Request(server.url("/x"), kind="query", accepts=JSON, timeout_s=timeout_s))
    assert isinstance(outcome, Unanswered)
    assert reason in outcome.reason
    assert "\n" not in outcome.reason
    assert outcome.status == status
    time.now += 90_000  # whatever the host asked for, it is over
    later = await http.send(Request(server.url("/good"), kind="query", accepts=JSON))
    assert isinstance(later, Answer)
    assert later.body == GOOD


async def test_a_refused_connection(http: LiveHttp) -> None:
    with socket.socket() as taken:  # bound, and nobody listens
        taken.bind(("127.0.0.1", 0))
        outcome = await http.send(Request(f"http://127.0.0.1:{taken.getsockname()[1]}/", kind="query"))
    assert isinstance(outcome, Unanswered)
    assert outcome.reason.endswith("refused the connection")


@pytest.mark.parametrize(
    ("lasting", "reason", "asked"), [(True, "no such name", 1), (False, "the name cannot be looked up now", 3)]
)
async def test_a_name_that_is_not_found(lasting: bool, reason: str, asked: int, courtesy: Courtesy, time: Any) -> None:
    hosts: list[str] = []

    async def resolve(host: str, port: int) -> list[str]:
        hosts.append(host)
        raise NameNotFound(lasting)

    async with LiveHttp("WKGFC", courtesy=courtesy, sleep=time.sleep, resolve=resolve) as http:
        outcome = await http.send(Request("http://nowhere.example/", kind="page"))
    assert outcome == Unanswered(f"nowhere.example: {reason}")
    assert hosts == ["nowhere.example"] * asked


async def test_a_certificate_is_checked_for_who_signed_it_and_for_whom(courtesy: Courtesy, time: Any) -> None:
    authority = trustme.CA()
    served, trusted = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), ssl.create_default_context()
    authority.issue_cert("good.example").configure_cert(served)
    authority.configure_trust(trusted)

    async def resolve(host: str, port: int) -> list[str]:
        return ["127.0.0.1"]

    async with (
        misbehaving(served) as server,
        LiveHttp("WKGFC", courtesy=courtesy, resolve=resolve, tls=trusted) as http,
        LiveHttp("WKGFC", courtesy=courtesy, resolve=resolve) as strict,
    ):
        server.on("/", reply(GOOD))
        good = await http.send(Request(server.url("/", "good.example"), kind="page"))
        assert isinstance(good, Answer)  # its name reached the server, though an address was dialled
        other = await http.send(Request(server.url("/", "bad.example"), kind="page"))
        assert isinstance(other, Unanswered)
        assert "the certificate of bad.example" in other.reason
        assert "Hostname mismatch" in other.reason
        unknown = await strict.send(Request(server.url("/", "good.example"), kind="page"))
        assert isinstance(unknown, Unanswered)
        assert "is not trusted (unable to get local issuer certificate)" in unknown.reason


async def test_a_server_that_does_not_speak_tls(courtesy: Courtesy) -> None:
    async def chat(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 mail.example ESMTP\r\n")
        writer.close()

    server = await asyncio.start_server(chat, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with LiveHttp("WKGFC", courtesy=courtesy) as http:
        outcome = await http.send(Request(f"https://127.0.0.1:{port}/", kind="page"))
    server.close()
    assert isinstance(outcome, Unanswered)
    assert "does not speak TLS" in outcome.reason


async def test_a_record_that_breaks_in_the_midst_of_an_answer(courtesy: Courtesy) -> None:
    authority = trustme.CA()
    served, trusted = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), ssl.create_default_context()
    authority.issue_cert("127.0.0.1").configure_cert(served)
    authority.configure_trust(trusted)
    async with misbehaving(served) as server, LiveHttp("WKGFC", courtesy=courtesy, tls=trusted) as http:
        server.on("/", broken_record())
        outcome = await http.send(Request(server.url("/"), kind="page"))
    assert isinstance(outcome, Unanswered)
    assert "does not speak TLS as it should" in outcome.reason


async def test_a_flood_is_cut_off_and_not_taken_in(server: Misbehaving, http: LiveHttp) -> None:
    flood = Flood(1_000_000_000)
    server.on("/x", flood)
    await http.send(Request(server.url("/x"), kind="page", max_bytes=100_000))
    assert flood.sent < 50_000_000  # what the sockets between hold, and no more


async def test_the_limit_counts_what_comes_out_of_compression(server: Misbehaving, http: LiveHttp) -> None:
    server.on("/x", squeezed(b"a" * 5_000))
    fits = await http.send(Request(server.url("/x"), kind="page", max_bytes=5_000))
    assert isinstance(fits, Answer)
    assert fits.body == b"a" * 5_000
    assert isinstance(await http.send(Request(server.url("/x"), kind="page", max_bytes=4_999)), Unanswered)


async def test_what_a_source_finds_wrong_with_a_good_status_is_a_failure(server: Misbehaving, http: LiveHttp) -> None:
    server.on("/x", reply(b'{"error": "too slow"}'))

    def fault(answer: Answer) -> str | None:
        if answer.headers.get("x-part") or answer.status == 203:
            return "a part"
        return "an error" if b"error" in answer.body else None

    outcome = await http.send(Request(server.url("/x"), kind="query", fault=fault))
    assert outcome == Unanswered(f"127.0.0.1:{server.port} sent an error", 200, b'{"error": "too slow"}')
    assert server.asked("/x") == 1
    server.on("/x", reply(b'{"error": "maxlag"}', headers={"Retry-After": "5"}), reply(GOOD))
    assert isinstance(await http.send(Request(server.url("/x"), kind="query", fault=fault)), Answer)
    for in_part in (reply(GOOD, headers={"X-Part": "1"}), reply(GOOD, status=203)):
        server.on("/x", in_part)
        outcome = await http.send(Request(server.url("/x"), kind="query", fault=fault))
        assert isinstance(outcome, Unanswered)
        assert outcome.reason.endswith("sent a part")


async def test_what_an_error_says_is_kept_in_part(server: Misbehaving, http: LiveHttp) -> None:
    server.on("/x", refuse(400, body=b"m" * 10_000))
    outcome = await http.send(Request(server.url("/x"), kind="search"))
    assert isinstance(outcome, Unanswered)
    assert outcome.body == b"m" * 2_000


async def test_a_failure_that_may_pass_is_tried_again_where_that_is_harmless(
    server: Misbehaving, http: LiveHttp, time: Any
) -> None:
    server.on("/x", refuse(502), hang_up(), reply(GOOD))
    assert isinstance(await http.send(Request(server.url("/x"), kind="query")), Answer)
    assert time.waits == [0.5, 1.0]
    server.on("/x", refuse(502), reply(GOOD))
    outcome = await http.send(Request(server.url("/x"), kind="search", method="POST", idempotent=False))
    assert isinstance(outcome, Unanswered)
    assert outcome.status == 502


@pytest.mark.parametrize(("kind", "asked"), [("query", 1), ("page", 3)])
async def test_a_query_that_takes_a_server_too_long_is_not_asked_again(
    kind: Any, asked: int, server: Misbehaving, http: LiveHttp
) -> None:
    server.on("/x", refuse(504))
    await http.send(Request(server.url("/x"), kind=kind))
    assert server.asked("/x") == asked


async def test_nothing_is_sent_that_cannot_be(http: LiveHttp) -> None:
    for request in (
        Request("ftp://example.org/x", kind="page"),
        Request("http:///x", kind="page"),
        Request("", kind="page"),
        Request("http://example.org:99999/", kind="page"),
        Request("http://user:passphrase@example.org/", kind="page"),
        Request("http://example.org/" + "x" * 20_000, kind="page"),
        Request("http://example.org/", kind="page", headers={"X": "a\r\nHost: b"}),
        Request("http://example.org/", kind="page", params={"q": "\ud800"}),
        Request("http://example.org/", kind="page", method="POST", json_body={"q": "\ud800"}),
        Request("http://example.org/", kind="page", method="POST", json_body=object()),
    ):
        outcome = await http.send(request)
        assert isinstance(outcome, Unanswered)
        assert "passphrase" not in outcome.reason


async def test_the_deadline_of_the_check_ends_what_is_under_way_and_what_waits(
    server: Misbehaving, http: LiveHttp
) -> None:
    server.on("/x", silence())
    with deadline(SOON_S):
        outcomes = await asyncio.gather(*(http.send(Request(server.url("/x"), kind="query")) for _ in range(8)))
        late = await http.send(Request(server.url("/x"), kind="query"))
    assert {type(outcome) for outcome in outcomes} == {Unanswered}
    assert all("the time for the check was over" in str(outcome) for outcome in outcomes)
    assert late == Unanswered("the time for the check is over")
    assert server.asked("/x") == 3
    server.on("/x", reply(GOOD))
    assert isinstance(await http.send(Request(server.url("/x"), kind="query")), Answer)


async def test_an_inner_deadline_does_not_lengthen_the_outer_one(server: Misbehaving, http: LiveHttp) -> None:
    server.on("/x", silence())
    with deadline(SOON_S), deadline(1_000.0):
        assert isinstance(await http.send(Request(server.url("/x"), kind="query")), Unanswered)


async def test_cancelling_leaves_nothing_behind(server: Misbehaving, http: LiveHttp) -> None:
    server.on("/slow", silence())
    server.on("/drip", drip())
    server.on("/good", reply(GOOD))
    for _ in range(5):
        paths = ("/slow", "/drip", "/slow", "/drip", "/slow")
        tasks = [asyncio.create_task(http.send(Request(server.url(path), kind="query"))) for path in paths]
        await asyncio.sleep(0.05)
        for task in tasks:
            task.cancel()
        assert all(
            isinstance(end, asyncio.CancelledError) for end in await asyncio.gather(*tasks, return_exceptions=True)
        )
    outcomes = await asyncio.gather(*(http.send(Request(server.url("/good"), kind="query")) for _ in range(10)))
    assert {type(outcome) for outcome in outcomes} == {Answer}


def test_one_client_serves_several_event_loops() -> None:
    http = LiveHttp("WKGFC", courtesy=Courtesy())

    async def once() -> Answer | Unanswered:
        async with misbehaving() as server, http:
            server.on("/", reply(GOOD))
            return await http.send(Request(server.url("/"), kind="query"))

    assert [type(asyncio.run(once())) for _ in range(3)] == [Answer] * 3
