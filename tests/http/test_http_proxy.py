"""Through a proxy: what it is told and what it is not, pages at the address that was checked, what it can refuse."""

import asyncio
import base64
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest
import trustme

from misbehaving import Misbehaving, misbehaving, redirect, reply
from wkgfc.errors import NotConfigured
from wkgfc.http import Answer, Request, Unanswered
from wkgfc.http.addresses import NameNotFound
from wkgfc.http.client import LiveHttp
from wkgfc.http.courtesy import Courtesy
from wkgfc.http.dialling import PublicOnly
from wkgfc.http.proxy import Proxy, read_proxy

PUBLIC = "93.184.215.14"
OPEN = b"HTTP/1.1 200 Connection established\r\nVia: test\r\n\r\n"


class Tunnels:
    """A proxy that leads to this machine whatever it is asked for. ``heads`` are what it was told."""

    def __init__(self, answer: bytes) -> None:
        self.heads: list[str] = []
        self.port = 0
        self._answer = answer

    @property
    def targets(self) -> list[str]:
        return [head.split()[1] for head in self.heads]

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            self.heads.append(head)
            writer.write(self._answer)
            await writer.drain()
            if self._answer.startswith(b"HTTP/1.1 200") and self._answer.endswith(b"\r\n\r\n"):
                port = int(head.split()[1].rpartition(":")[2])
                there, back = await asyncio.open_connection("127.0.0.1", port)
                await asyncio.gather(_copy(reader, back), _copy(there, writer))
        writer.close()


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()
    writer.close()


@asynccontextmanager
async def tunnels(answer: bytes = OPEN, tls: ssl.SSLContext | None = None) -> AsyncIterator[Tunnels]:
    proxy = Tunnels(answer)
    tasks: set[asyncio.Task[None]] = set()

    def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        tasks.add(asyncio.create_task(proxy.serve(reader, writer)))

    listening = await asyncio.start_server(accept, "127.0.0.1", 0, ssl=tls)
    proxy.port = listening.sockets[0].getsockname()[1]
    try:
        yield proxy
    finally:
        listening.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def names(host: str, port: int) -> list[str]:
    """What this machine can look up: the proxy, and a name or two."""
    known = {
        "127.0.0.1": "127.0.0.1",
        "::1": "::1",
        "public.example": PUBLIC,
        "house.example": "10.0.0.7",
        "10.0.0.7": "10.0.0.7",
    }
    if host not in known:
        raise NameNotFound(lasting=True)
    return [known[host]]


def through(proxy: Proxy, courtesy: Courtesy, server: Misbehaving, tls: ssl.SSLContext | None = None) -> LiveHttp:
    public = PublicOnly(ports=frozenset({server.port}))
    return LiveHttp("test", courtesy=courtesy, proxy=proxy, public=public, resolve=names, tls=tls, attempts=1)


async def test_a_service_is_named_to_the_proxy_which_looks_it_up(server: Misbehaving, courtesy: Courtesy) -> None:
    server.on("/sparql", reply())
    async with tunnels() as proxy:
        url = f"http://user:w%C3%B6rd@127.0.0.1:{proxy.port}"
        async with through(read_proxy(url), courtesy, server) as http:
            request = Request(server.url("/sparql", "graph.example"), kind="query")
            assert isinstance(await http.send(request), Answer)
    assert proxy.targets == [f"graph.example:{server.port}"]
    secret = base64.b64encode("user:wörd".encode()).decode()
    assert f"Proxy-Authorization: Basic {secret}\r\n" in proxy.heads[0]
    assert "proxy-authorization" not in server.seen[0].headers
    assert server.seen[0].headers["host"] == f"graph.example:{server.port}"


async def test_a_page_is_asked_for_at_the_address_that_was_checked(server: Misbehaving, courtesy: Courtesy) -> None:
    server.on("/page", reply())
    server.on("/away", redirect(server.url("/page", "house.example")))
    async with tunnels() as proxy, through(read_proxy(f"http://127.0.0.1:{proxy.port}"), courtesy, server) as http:
        page = Request(server.url("/page", "public.example"), kind="page", public_only=True)
        assert isinstance(await http.send(page), Answer)
        assert server.seen[0].headers["host"] == f"public.example:{server.port}"
        for host in ("house.example", "10.0.0.7"):
            refused = await http.send(Request(server.url("/page", host), kind="page", public_only=True))
            assert refused == Unanswered(f"{host} is not on the public internet")
        led = await http.send(Request(server.url("/away", "public.example"), kind="page", public_only=True))
        assert led == Unanswered("house.example is not on the public internet")
        unknown = await http.send(Request(server.url("/page", "elsewhere.example"), kind="page", public_only=True))
        assert unknown == Unanswered(f"elsewhere.example:{server.port}: no such name")
    assert set(proxy.targets) == {f"{PUBLIC}:{server.port}"}


async def test_a_proxy_may_look_up_pages_where_this_machine_cannot(server: Misbehaving, courtesy: Courtesy) -> None:
    server.on("/page", reply())
    async with tunnels() as proxy:
        proxied = read_proxy(f"http://127.0.0.1:{proxy.port}", resolves=True)
        async with through(proxied, courtesy, server) as http:
            page = Request(server.url("/page", "elsewhere.example"), kind="page", public_only=True)
            assert isinstance(await http.send(page), Answer)
            for host in (
                "10.0.0.7",
                "169.254.169.254",
                "[::1]",
                "127.0.0.1",
                "127.1",
                "2130706433",
                "0x7f.1",
                "intranet",
            ):
                outcome = await http.send(Request(server.url("/page", host), kind="page", public_only=True))
                assert isinstance(outcome, Unanswered)
                assert outcome.reason.endswith("is not on the public internet")
            other = Request("http://elsewhere.example:22/", kind="page", public_only=True)
            assert isinstance(await http.send(other), Unanswered)
    assert proxy.targets == [f"elsewhere.example:{server.port}"]


async def test_certificates_are_those_of_the_host_and_the_proxy_may_have_its_own(courtesy: Courtesy) -> None:
    authority = trustme.CA()
    context, trust = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), ssl.create_default_context()
    authority.issue_cert("graph.example").configure_cert(context)
    authority.configure_trust(trust)
    async with misbehaving(tls=context) as server, tunnels() as proxy:
        server.on("/", reply())
        async with through(read_proxy(f"http://127.0.0.1:{proxy.port}"), courtesy, server, trust) as http:
            assert isinstance(await http.send(Request(server.url("/", "graph.example"), kind="query")), Answer)
            other = await http.send(Request(server.url("/", "other.example"), kind="query"))
            assert isinstance(other, Unanswered)
            assert "certificate" in other.reason
    own = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(own)
    async with (
        misbehaving() as server,
        tunnels(tls=own) as proxy,  # nobody trusts this one
        through(read_proxy(f"https://127.0.0.1:{proxy.port}"), courtesy, server) as http,
    ):
        outcome = await http.send(Request(server.url("/", "graph.example"), kind="query"))
    assert outcome == Unanswered(f"the proxy 127.0.0.1:{proxy.port} cannot be reached")


async def test_this_machine_and_what_is_exempt_are_reached_without_it(server: Misbehaving, courtesy: Courtesy) -> None:
    server.on("/", reply())
    async with tunnels() as proxy, through(read_proxy(f"http://127.0.0.1:{proxy.port}"), courtesy, server) as http:
        assert isinstance(await http.send(Request(server.url("/"), kind="query")), Answer)
        assert proxy.heads == []
    exempt = read_proxy("http://proxy.example", ["*.house.example", ".inner.example", "10.0.0.7", " ", ""])
    for host in ("house.example", "A.House.Example.", "x.inner.example", "10.0.0.7", "localhost", "127.0.0.5", "[::1]"):
        assert exempt.is_exempt(host), host
    for host in ("warehouse.example", "example", "10.0.0.70", "house.example.evil", "0.0.0.0"):
        assert not exempt.is_exempt(host), host


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (b"HTTP/1.1 407 Proxy Authentication Required\r\n\r\n", "asks for a user name and a password"),
        (b"HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno", "opens no way to graph.example (403)"),
        (b"HTTP/1.1 502 Bad Gateway\r\n\r\n", "opens no way to graph.example (502)"),
        (b"SSH-2.0-OpenSSH_9\r\n\r\n", "does not speak HTTP"),
        (b"HTTP/1.1 2", "does not speak HTTP"),
        (b"", "does not speak HTTP"),
        (b"\xff" * 40_000, "does not speak HTTP"),
        (b"HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK\r\n\r\n{}", "sent more than its answer"),
    ],
)
async def test_a_proxy_that_refuses_or_is_none_is_told_and_no_fault_of_the_host(
    server: Misbehaving, courtesy: Courtesy, answer: bytes, reason: str
) -> None:
    async with tunnels(answer) as proxy:
        url = f"http://user:geheim@127.0.0.1:{proxy.port}"
        async with through(read_proxy(url), courtesy, server) as http:
            request = Request(server.url("/", "graph.example"), kind="query", timeout_s=20.0)
            outcomes = [await http.send(request) for _ in range(7)]
    assert len(set(outcomes)) == 1, "nobody is left alone for what the proxy does"
    assert isinstance(outcomes[0], Unanswered)
    assert reason in outcomes[0].reason
    assert "geheim" not in outcomes[0].reason
    assert server.seen == []


async def test_a_proxy_that_is_not_there_is_told(server: Misbehaving, courtesy: Courtesy) -> None:
    async with tunnels() as proxy:
        port = proxy.port
    async with through(read_proxy(f"http://127.0.0.1:{port}"), courtesy, server) as http:
        outcome = await http.send(Request(server.url("/", "graph.example"), kind="query"))
    assert outcome == Unanswered(f"the proxy 127.0.0.1:{port} cannot be reached")


def test_an_address_has_a_port_and_hides_its_password() -> None:
    assert (read_proxy("http://proxy.example").port, read_proxy(" https://proxy.example/ ").port) == (8080, 443)
    assert "Basic" not in repr(read_proxy("http://user:word@proxy.example:1"))
    with pytest.raises(NotConfigured):
        read_proxy("http://proxy.example:99999")
