"""What pages may be fetched from: the public internet alone, however an address is written and whatever a name says."""

import ipaddress
import socket
from ipaddress import IPv4Address, IPv6Address, ip_network
from typing import Any

import httpcore2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from misbehaving import Misbehaving, misbehaving, redirect, reply
from wkgfc.http import Answer, Request, Unanswered
from wkgfc.http.addresses import NameNotFound, is_public, resolve_name
from wkgfc.http.client import LiveHttp
from wkgfc.http.courtesy import Courtesy
from wkgfc.http.dialling import Forbidden, PublicOnly

PUBLIC = "93.184.215.14"
NOT_PUBLIC_V4 = """
    0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 168.63.129.16/32 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24
    192.0.2.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4
"""
NOT_PUBLIC_V6 = """
    ::/96 ::1/128 64:ff9b:1::/48 100::/64 2001::/32 2001:db8::/32 2002::/16 3fff::/20 5f00::/16 fc00::/7 fe80::/10
    fec0::/10 ff00::/8
"""


def within(networks: str) -> st.SearchStrategy[Any]:
    return st.one_of(*(st.ip_addresses(network=network) for network in networks.split()))


@settings(deadline=None)
@given(within(NOT_PUBLIC_V4 + NOT_PUBLIC_V6))
def test_what_is_special_is_not_public(address: IPv4Address | IPv6Address) -> None:
    assert not is_public(str(address))


@pytest.mark.parametrize("address", ["8.8.8.8", "1.1.1.1", PUBLIC, "2001:4860:4860::8888", "2a02:ec80:300:ed1a::1"])
def test_what_is_given_out_is_public(address: str) -> None:
    assert is_public(address)


@settings(deadline=None)
@given(st.ip_addresses())
def test_nothing_is_public_that_the_standard_library_calls_private(address: IPv4Address | IPv6Address) -> None:
    if is_public(str(address)) and not str(address).startswith("64:ff9b::"):
        assert address.is_global
        assert not address.is_multicast


@settings(deadline=None)
@given(st.ip_addresses(v=4))
def test_an_ipv6_address_that_stands_for_an_ipv4_one_counts_as_that_one(address: IPv4Address) -> None:
    number = int(address)
    for prefix in ("::ffff:0:0", "64:ff9b::"):
        assert is_public(str(IPv6Address(int(IPv6Address(prefix)) | number))) == is_public(str(address))
    assert not is_public(str(IPv6Address(int(IPv6Address("2002::")) | number << 80)))  # 6to4
    assert not is_public(str(IPv6Address(number)))  # the old compatible form


@settings(deadline=None)
@given(st.text())
def test_what_is_no_address_is_not_public(text: str) -> None:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        assert not is_public(text)


def test_an_address_of_an_interface_is_not_public() -> None:
    assert not is_public("fe80::1%eth0")
    assert not is_public("2001:4860:4860::8888%eth0")


def spellings(address: IPv4Address) -> list[str]:
    """The texts that systems take for ``address`` in a URL."""
    number, parts = int(address), str(address).split(".")
    return [
        str(address),
        str(number),
        hex(number),
        f"0{number:o}",
        ".".join(hex(int(part)) for part in parts),
        ".".join(f"0{int(part):o}" for part in parts),
        f"{parts[0]}.{number & 0xFFFFFF}",
        f"{parts[0]}.{parts[1]}.{number & 0xFFFF}",
        f"[::ffff:{address}]",
        f"[::ffff:{number >> 16:x}:{number & 0xFFFF:x}]",
        f"[64:ff9b::{address}]",
        f"[2002:{number >> 16:x}:{number & 0xFFFF:x}::1]",
        f"[::{address}]",
        str(address).replace(".", "。"),
        "".join(chr(ord(letter) + 0xFEE0) if letter.isdigit() else letter for letter in str(address)),
    ]


class NoNetwork(httpcore2.AsyncNetworkBackend):
    """Connections that a test must not see."""

    async def connect_tcp(self, *args: Any, **named: Any) -> Any:
        raise AssertionError(f"{args} was dialled")


async def numbers_only(host: str, port: int) -> list[str]:
    """As the system resolves, without name servers."""
    try:
        rows = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST)
    except (OSError, UnicodeError) as error:
        raise NameNotFound(lasting=True) from error
    return [str(row[4][0]) for row in rows]


@settings(max_examples=30, deadline=None)
@given(within(NOT_PUBLIC_V4))
async def test_no_spelling_of_an_address_gets_past(address: IPv4Address) -> None:
    async with LiveHttp("WKGFC", courtesy=Courtesy(), resolve=numbers_only, network=NoNetwork(), attempts=1) as http:
        for host in spellings(address):
            outcome = await http.send(Request(f"http://{host}/", kind="page", public_only=True))
            assert isinstance(outcome, Unanswered)


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1/", "http://localhost/", "http://[::1]/", "http://0/", "http://127.1/"]
)
async def test_this_machine_is_refused(url: str, http: LiveHttp) -> None:
    outcome = await http.send(Request(url, kind="page", public_only=True))
    assert isinstance(outcome, Unanswered)
    assert outcome.reason.endswith("is not on the public internet")


async def test_other_ports_than_those_of_pages_are_refused(server: Misbehaving, http: LiveHttp) -> None:
    outcome = await http.send(Request(server.url("/"), kind="page", public_only=True))
    assert outcome == Unanswered(f"127.0.0.1 was named with port {server.port}, which pages do not have")
    assert server.seen == []


async def test_an_archive_in_the_house_may_be_allowed(server: Misbehaving, courtesy: Courtesy) -> None:
    allowed = PublicOnly(ports=frozenset({server.port}), networks=(ip_network("127.0.0.0/8"),))
    server.on("/page", reply(b"text", "text/plain"))
    async with LiveHttp("WKGFC", courtesy=courtesy, public=allowed) as http:
        assert isinstance(await http.send(Request(server.url("/page"), kind="page", public_only=True)), Answer)


def test_one_private_address_among_those_of_a_name_is_enough() -> None:
    with pytest.raises(Forbidden, match=r"two-faced\.example is not on the public internet"):
        PublicOnly().check("two-faced.example", 443, [PUBLIC, "10.0.0.1"])
    PublicOnly().check("honest.example", 443, [PUBLIC, "2001:4860:4860::8888"])


class Loopback(httpcore2.AsyncNetworkBackend):
    """Notes which address was dialled, and connects to this machine instead."""

    def __init__(self) -> None:
        self.dialled: list[str] = []
        self._real = httpcore2.AnyIOBackend()

    async def connect_tcp(self, host: str, port: int, *args: Any, **named: Any) -> Any:
        self.dialled.append(host)
        return await self._real.connect_tcp("127.0.0.1", port, *args, **named)


async def test_the_address_that_was_checked_is_the_one_that_is_dialled(server: Misbehaving, courtesy: Courtesy) -> None:
    answers = [[PUBLIC], ["127.0.0.1"]]  # a name that changes its mind after it was looked at
    network = Loopback()

    async def rebinding(host: str, port: int) -> list[str]:
        return answers.pop(0)

    server.on("/", reply(headers={"Connection": "close"}))
    server.on("/again", redirect("/"))
    public = PublicOnly(ports=frozenset({server.port}))
    async with LiveHttp("WKGFC", courtesy=courtesy, public=public, resolve=rebinding, network=network) as http:
        request = Request(server.url("/", "rebinding.example"), kind="page", public_only=True)
        assert isinstance(await http.send(request), Answer)
        assert server.seen[0].headers["host"] == f"rebinding.example:{server.port}"
        assert network.dialled == [PUBLIC]
        await http.aclose()  # so that the next request needs a connection of its own
        assert await http.send(request) == Unanswered("rebinding.example is not on the public internet")
    assert network.dialled == [PUBLIC]


async def test_every_redirect_is_looked_at_again(server: Misbehaving, courtesy: Courtesy) -> None:
    network = Loopback()

    async def resolve(host: str, port: int) -> list[str]:
        return [PUBLIC] if host == "public.example" else ["169.254.169.254"]

    server.on("/", redirect(server.url("/secrets", "metadata.example")))
    public = PublicOnly(ports=frozenset({server.port}))
    async with LiveHttp("WKGFC", courtesy=courtesy, public=public, resolve=resolve, network=network) as http:
        outcome = await http.send(Request(server.url("/", "public.example"), kind="page", public_only=True))
    assert outcome == Unanswered("metadata.example is not on the public internet")
    assert server.asked("/secrets") == 0


async def test_a_connection_that_others_opened_is_not_used_for_pages(server: Misbehaving, courtesy: Courtesy) -> None:
    server.on("/", reply())
    async with LiveHttp("WKGFC", courtesy=courtesy, public=PublicOnly(ports=frozenset({server.port}))) as http:
        assert isinstance(await http.send(Request(server.url("/"), kind="query")), Answer)
        assert isinstance(await http.send(Request(server.url("/"), kind="query", public_only=True)), Unanswered)
    assert server.asked("/") == 1


async def test_an_address_that_does_not_take_the_connection_leaves_it_to_the_next(courtesy: Courtesy) -> None:
    async def resolve(host: str, port: int) -> list[str]:
        return ["127.0.0.2", "127.0.0.1"]

    async with misbehaving() as server, LiveHttp("WKGFC", courtesy=courtesy, resolve=resolve) as http:
        server.on("/", reply())
        assert isinstance(await http.send(Request(server.url("/", "two.example"), kind="page")), Answer)


async def test_a_name_without_addresses_is_not_found(courtesy: Courtesy) -> None:
    async def resolve(host: str, port: int) -> list[str]:
        return []

    async with LiveHttp("WKGFC", courtesy=courtesy, resolve=resolve) as http:
        assert await http.send(Request("http://empty.example/", kind="page")) == Unanswered(
            "empty.example: no such name"
        )


async def test_names_are_looked_up_as_the_system_does(monkeypatch: pytest.MonkeyPatch) -> None:
    assert set(await resolve_name("localhost", 80)) <= {"127.0.0.1", "::1"}
    no_name = UnicodeError("label empty or too long")
    for error, lasting in (
        (no_name, True),
        (socket.gaierror(socket.EAI_NONAME, "as told"), True),
        (socket.gaierror(socket.EAI_AGAIN, "as told"), False),
    ):

        def fail(*args: Any, error: Exception = error, **named: Any) -> Any:
            raise error

        monkeypatch.setattr(socket, "getaddrinfo", fail)
        with pytest.raises(NameNotFound) as caught:
            await resolve_name("nowhere.example", 80)
        assert caught.value.lasting is lasting
