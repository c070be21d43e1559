"""robots.txt obeyed as RFC 9309 says, on a server of its own."""

from pathlib import Path

import pytest

from misbehaving import Misbehaving, hang_up, misbehaving, redirect, refuse, reply
from wkgfc.http.cache import Cache, CachingHttp
from wkgfc.http.client import LiveHttp
from wkgfc.http.courtesy import Courtesy
from wkgfc.web.robots import FRESH_S, FRESH_UNREACHABLE_S, Robots

TEXT = "text/plain"


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def http() -> LiveHttp:
    return LiveHttp("wkgfc test", courtesy=Courtesy(), attempts=1)


async def refusal(server: Misbehaving, rules: str, path: str = "/news/1") -> str | None:
    server.on("/robots.txt", reply(rules, TEXT))
    async with http() as client:
        return await Robots(client, public_only=False).refusal(server.url(path))


@pytest.mark.parametrize(
    ("rules", "path", "allowed"),
    [
        ("User-agent: *\nDisallow: /private/", "/news/1", True),
        ("User-agent: *\nDisallow: /private/", "/private/1", False),
        ("User-agent: *\nDisallow: /", "/", False),
        ("User-agent: *\nDisallow:", "/news/1", True),
        ("User-agent: other\nDisallow: /", "/news/1", True),
        ("User-agent: WKGFC\nDisallow: /news\n\nUser-agent: *\nAllow: /", "/news/1", False),
        ("User-agent: *\nDisallow: /\n\nUser-agent: wkgfc\nAllow: /", "/news/1", True),
        # The longest rule wins, in whatever order they stand, and of equals the one that allows
        ("User-agent: *\nDisallow: /\nAllow: /news/", "/news/1", True),
        ("User-agent: *\nAllow: /news/\nDisallow: /news/secret", "/news/secret/1", False),
        ("User-agent: *\nDisallow: /page\nAllow: /page", "/page", True),
        # Wildcards and the end of the address
        ("User-agent: *\nDisallow: /*.pdf$", "/report.pdf", False),
        ("User-agent: *\nDisallow: /*.pdf$", "/report.pdf?x=1", True),
        ("User-agent: *\nDisallow: /*?print=", "/news/1?print=1", False),
        # Odd files
        ("\ufeffUser-agent: *\r\nDisallow: /news\r\n", "/news/1", False),
        ("<html><body>Not found</body></html>", "/news/1", True),
        ("Disallow: /", "/news/1", True),
        ("# nothing", "/news/1", True),
        ("User-agent: *\nDisallow: /" + "*a" * 5_000 + "\n", "/" + "a" * 1_500, True),
    ],
)
async def test_rules_are_read(rules: str, path: str, allowed: bool) -> None:
    async with misbehaving() as server:
        found = await refusal(server, rules, path)
    assert found == (None if allowed else "the robots.txt of 127.0.0.1 asks machines not to read this page")


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 451])
async def test_a_site_without_rules_allows_everything(status: int) -> None:
    async with misbehaving() as server, http() as client:
        server.on("/robots.txt", refuse(status))
        assert await Robots(client, public_only=False).refusal(server.url("/x")) is None


async def test_an_empty_file_allows_everything() -> None:
    async with misbehaving() as server:
        assert await refusal(server, "") is None


@pytest.mark.parametrize("fault", [refuse(500), refuse(503), refuse(429), hang_up(), redirect("/robots.txt")])
async def test_rules_that_cannot_be_had_forbid_everything(fault: object) -> None:
    async with misbehaving() as server, http() as client:
        server.on("/robots.txt", fault)  # type: ignore[arg-type]
        found = await Robots(client, public_only=False).refusal(server.url("/x"))
    assert found is not None
    assert found.startswith("its robots.txt cannot be had (127.0.0.1")


async def test_rules_that_have_moved_are_followed() -> None:
    async with misbehaving() as server, http() as client:
        server.on("/robots.txt", redirect("/rules.txt"))
        server.on("/rules.txt", reply("User-agent: *\nDisallow: /x", TEXT))
        robots = Robots(client, public_only=False)
        assert await robots.refusal(server.url("/x")) is not None
        assert await robots.refusal(server.url("/y")) is None


async def test_rules_are_kept_for_an_hour_and_failures_for_a_minute() -> None:
    clock = Clock()
    async with misbehaving() as server, http() as client:
        server.on("/robots.txt", refuse(500), reply("User-agent: *\nDisallow: /x", TEXT), refuse(404))
        robots = Robots(client, public_only=False, clock=clock)
        assert await robots.refusal(server.url("/y")) is not None
        assert await robots.refusal(server.url("/z")) is not None
        assert server.asked("/robots.txt") == 1
        clock.now = FRESH_UNREACHABLE_S
        assert await robots.refusal(server.url("/y")) is None
        assert await robots.refusal(server.url("/x")) is not None
        clock.now += FRESH_S - 1
        assert await robots.refusal(server.url("/x")) is not None
        assert server.asked("/robots.txt") == 2
        clock.now += 1
        assert await robots.refusal(server.url("/x")) is None
        assert server.asked("/robots.txt") == 3


async def test_a_site_on_the_own_network_is_not_asked() -> None:
    async with misbehaving() as server, http() as client:
        found = await Robots(client).refusal(server.url("/x"))
    assert found is not None
    assert not server.seen


async def test_rules_of_the_cache_are_not_older_than_those_in_memory(tmp_path: Path) -> None:
    clock = Clock()
    async with misbehaving() as server, http() as client:
        server.on("/robots.txt", reply("User-agent: *\nDisallow: /", TEXT), reply("User-agent: *\nAllow: /", TEXT))
        cached = CachingHttp(client, Cache(tmp_path / "answers.db", clock=clock))
        robots = Robots(cached, public_only=False, clock=clock)
        assert await robots.refusal(server.url("/x")) is not None
        clock.now = FRESH_S - 1
        assert await Robots(cached, public_only=False, clock=clock).refusal(server.url("/x")) is not None
        assert server.asked("/robots.txt") == 1
        clock.now = FRESH_S + 1
        assert await robots.refusal(server.url("/x")) is None
