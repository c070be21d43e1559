"""Pages fetched from a real server on loopback, and every way in which they cannot be had."""

import datetime as dt
import json
from collections.abc import AsyncIterator, Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from misbehaving import HTML, JSON, Misbehaving, bomb, cut, hang_up, misbehaving, redirect, refuse, reply, silence
from small_pages import PAGE, pdf
from wkgfc.http.cache import Cache, CachingHttp
from wkgfc.http.client import LiveHttp
from wkgfc.http.courtesy import Courtesy
from wkgfc.state import Failed, Found
from wkgfc.usage import metered
from wkgfc.web.archive import WaybackMachine
from wkgfc.web.page import Page, PageFetcher, as_snippet, is_snippet
from wkgfc.web.reader import Reader
from wkgfc.web.robots import Robots

WALLS = Path(__file__).parents[1] / "data" / "walls"


@pytest.fixture(scope="module")
def reader() -> Iterator[Reader]:
    reader = Reader()
    yield reader
    reader.close()


@pytest.fixture
async def server() -> AsyncIterator[Misbehaving]:
    async with misbehaving() as server:
        yield server


@pytest.fixture
async def http() -> AsyncIterator[LiveHttp]:
    async with LiveHttp("wkgfc test", courtesy=Courtesy(), attempts=1) as http:
        yield http


@pytest.fixture
def fetcher(http: LiveHttp, reader: Reader) -> PageFetcher:
    return PageFetcher(http, reader=reader, public_only=False, timeout_s=5.0)


async def page(fetcher: PageFetcher, url: str) -> Page:
    found = await fetcher.fetch(url)
    assert isinstance(found, Found), found
    (page,) = found.items
    return page


async def failure(fetcher: PageFetcher, url: str) -> str:
    failed = await fetcher.fetch(url)
    assert isinstance(failed, Failed), failed
    return failed.reason


# What is read


async def test_a_page_is_read_with_what_it_says_of_itself(server: Misbehaving, fetcher: PageFetcher) -> None:
    server.on("/bridge", reply(PAGE, HTML))
    with metered() as meter:
        found = await page(fetcher, server.url("/bridge"))
    assert found.title == "The new bridge"
    assert found.date == dt.date(2021, 5, 3)
    assert found.language == "en"
    assert found.url == found.address == server.url("/bridge")
    assert "It is 320 metres long" in found.text
    assert found.retrieved_at.tzinfo is not None
    assert len(found.content_hash) == 64
    assert meter.total.pages == 1


@pytest.mark.parametrize(
    ("body", "kind", "text"),
    [
        (pdf("A report."), "application/pdf", "A report."),
        ("Plain €.".encode(), "text/plain; charset=utf-8", "Plain €."),
        ("Été à Orléans".encode("latin-1"), "text/plain; charset=iso-8859-1", "Été à Orléans"),
    ],
)
async def test_other_kinds_are_read(
    server: Misbehaving, fetcher: PageFetcher, body: bytes, kind: str, text: str
) -> None:
    server.on("/x", reply(body, kind))
    assert (await page(fetcher, server.url("/x"))).text == text


async def test_the_address_is_the_one_that_redirects_lead_to(server: Misbehaving, fetcher: PageFetcher) -> None:
    server.on("/old", redirect("/new"))
    server.on("/new", reply(PAGE, HTML))
    assert (await page(fetcher, server.url("/old"))).url == server.url("/new")


@pytest.mark.parametrize(
    ("canonical", "taken"),
    [
        ("/bridge", True),
        ("https://www.bbc.co.uk/news/uk-1", False),  # a page cannot say that it is another site's
        ("/", False),  # every page of some sites names the front page
        ("javascript:alert(1)", False),
        ("https://[bad/", False),
    ],
)
async def test_a_canonical_address_is_believed_of_the_own_site_alone(
    server: Misbehaving, fetcher: PageFetcher, canonical: str, taken: bool
) -> None:
    href = server.url(canonical) if canonical.startswith("/") else canonical
    head = f'<html><head><link rel="canonical" href="{href}"></head><body><article><p>'
    text = "The bridge over the river was opened on Monday by the mayor, three years after work had begun on the site."
    server.on("/bridge-amp", reply(f"{head}{text}</p></article></body></html>", HTML))
    found = await page(fetcher, server.url("/bridge-amp"))
    assert found.url == (href if taken else server.url("/bridge-amp"))


# What fails, and as what


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("ftp://paper.example/1", "address: only http and https are read"),
        ("file:///etc/passwd", "address: only http and https are read"),
        ("data:text/html,<p>x", "address: only http and https are read"),
        ("//paper.example/", "address: only http and https are read"),
        ("https://", "address: it has no host"),
        ("https://[1::2", "address: it is none"),
        ("https://user:secret@paper.example/", "address: it has a user's name in it"),
        ("https://paper.example/" + "a" * 2_000, "address: of more than 2,000 characters"),
        ("", "address: only http and https are read"),
    ],
)
async def test_an_address_that_is_none_of_the_web_is_not_asked(fetcher: PageFetcher, url: str, reason: str) -> None:
    assert await failure(fetcher, url) == reason


async def test_addresses_that_are_not_public_are_refused(server: Misbehaving, http: LiveHttp, reader: Reader) -> None:
    server.on("/x", reply(PAGE, HTML))
    reason = await failure(PageFetcher(http, reader=reader), server.url("/x"))
    assert reason.startswith("unanswered: ")
    assert not server.seen


@pytest.mark.parametrize(
    ("behaviour", "kind"),
    [
        (refuse(404), "gone"),
        (refuse(410), "gone"),
        (refuse(403), "refused"),
        (refuse(429), "refused"),
        (refuse(401), "login"),
        (refuse(402), "paywall"),
        (refuse(451), "withheld"),
        (refuse(500), "unanswered"),
        (refuse(503), "unanswered"),
        (hang_up(), "unanswered"),
        (cut(b"<html><p>cut", HTML), "unanswered"),
        (redirect("/x"), "unanswered"),
        (reply(b"\x89PNG", "image/png"), "unreadable"),
        (reply(b"{}", JSON), "unreadable"),
        (reply(b"", HTML), "unreadable"),
        (reply(b"<html></html>", HTML), "unreadable"),
        (reply(pdf("Cut.")[:100], "application/pdf"), "unreadable"),
        (bomb(50_000_000, HTML), "unreadable"),
    ],
)
async def test_a_failure_has_its_kind(server: Misbehaving, fetcher: PageFetcher, behaviour: object, kind: str) -> None:
    server.on("/x", behaviour)  # type: ignore[arg-type]
    assert (await failure(fetcher, server.url("/x"))).partition(":")[0] == kind


async def test_a_page_that_does_not_come_is_not_waited_for(server: Misbehaving, http: LiveHttp, reader: Reader) -> None:
    server.on("/x", silence())
    fetcher = PageFetcher(http, reader=reader, public_only=False, timeout_s=0.2)
    assert await failure(fetcher, server.url("/x")) == (
        f"unanswered: 127.0.0.1:{server.port} did not answer within 0.2 s"
    )


async def test_a_wall_is_a_failure_and_no_text(server: Misbehaving, fetcher: PageFetcher) -> None:
    server.on("/paid", reply((WALLS / "paywall-teaser.html").read_bytes(), HTML))
    assert await failure(fetcher, server.url("/paid")) == "paywall: subscribe to continue"
    server.on("/checked", reply((WALLS / "challenge-cloudflare.html").read_bytes(), HTML, 403))
    reason = await failure(fetcher, server.url("/checked"))
    assert reason.startswith("challenge: Cloudflare checks the browser (127.0.0.1")


async def test_a_wall_is_not_kept(server: Misbehaving, http: LiveHttp, reader: Reader, tmp_path: Path) -> None:
    wall = (WALLS / "paywall-teaser.html").read_bytes()
    server.on("/x", reply(wall, HTML), reply(PAGE, HTML))
    cached = CachingHttp(http, Cache(tmp_path / "answers.db"))
    fetcher = PageFetcher(cached, reader=reader, public_only=False)
    assert await failure(fetcher, server.url("/x")) == "paywall: subscribe to continue"
    first, second = await page(fetcher, server.url("/x")), await page(fetcher, server.url("/x"))
    assert first.text == second.text
    assert server.asked("/x") == 2, "the page itself is kept"


# robots.txt


async def test_robots_are_obeyed_where_that_is_set(server: Misbehaving, http: LiveHttp, reader: Reader) -> None:
    server.on("/robots.txt", reply("User-agent: *\nDisallow: /private", "text/plain"))
    server.on("/private", reply(PAGE, HTML))
    obedient = PageFetcher(http, reader=reader, robots=Robots(http, public_only=False), public_only=False)
    reason = await failure(obedient, server.url("/private"))
    assert reason == "robots: the robots.txt of 127.0.0.1 asks machines not to read this page"
    assert server.asked("/private") == 0
    assert (await page(PageFetcher(http, reader=reader, public_only=False), server.url("/private"))).title


async def test_robots_of_the_site_that_a_redirect_leads_to_are_obeyed(
    server: Misbehaving, http: LiveHttp, reader: Reader
) -> None:
    async with misbehaving() as other:
        other.on("/robots.txt", reply("User-agent: *\nDisallow: /", "text/plain"))
        other.on("/x", reply(PAGE, HTML))
        server.on("/x", redirect(other.url("/x")))
        obedient = PageFetcher(http, reader=reader, robots=Robots(http, public_only=False), public_only=False)
        assert (await failure(obedient, server.url("/x"))).startswith("robots: ")
        assert other.asked("/x") == 0


async def test_robots_of_the_page_that_a_redirect_leads_to_are_obeyed(
    server: Misbehaving, http: LiveHttp, reader: Reader
) -> None:
    server.on("/robots.txt", reply("User-agent: *\nDisallow: /private", "text/plain"))
    server.on("/private", reply(PAGE, HTML))
    server.on("/x", redirect("/private"))
    obedient = PageFetcher(http, reader=reader, robots=Robots(http, public_only=False), public_only=False)
    assert (await failure(obedient, server.url("/x"))).startswith("robots: ")
    assert server.asked("/private") == 0


# Archived copies


def archived(server: Misbehaving, url: str, body: str | None = PAGE) -> None:
    closest = {"status": "200", "available": True, "timestamp": "20210504120000"}
    server.on(
        "/wayback/available", reply(json.dumps({"archived_snapshots": {"closest": closest} if body else {}}), JSON)
    )
    if body:
        server.on(f"/web/20210504120000id_/{url}", reply(body, HTML))


@pytest.fixture
def with_archive(server: Misbehaving, http: LiveHttp, reader: Reader) -> PageFetcher:
    archive = WaybackMachine(http, api=server.url(""), copies=server.url(""), public_only=False)
    return PageFetcher(http, reader=reader, archive=archive, public_only=False, timeout_s=5.0)


async def test_a_page_that_is_gone_is_read_from_its_archived_copy(
    server: Misbehaving, with_archive: PageFetcher
) -> None:
    url = server.url("/gone")
    archived(server, url)
    found = await page(with_archive, url)
    assert found.archived_at == dt.datetime(2021, 5, 4, 12, tzinfo=dt.UTC)
    assert found.url == server.url(f"/web/20210504120000/{url}")
    assert found.address == url
    assert found.passages("serper")[0].source.name == "serper (archived 2021-05-04)"
    assert found.passages("serper")[0].url == found.url


async def test_a_copy_later_than_the_day_is_not_used(server: Misbehaving, with_archive: PageFetcher) -> None:
    archived(server, server.url("/gone"))
    failed = await with_archive.fetch(server.url("/gone"), dt.date(2020, 1, 1))
    assert isinstance(failed, Failed)
    assert failed.reason.startswith("gone: ")
    assert failed.reason.endswith("; no archived copy")


async def test_a_wall_in_the_archive_is_told_too(server: Misbehaving, with_archive: PageFetcher) -> None:
    archived(server, server.url("/gone"), (WALLS / "paywall-teaser.html").read_text())
    reason = await failure(with_archive, server.url("/gone"))
    assert reason.endswith("; its archived copy: paywall: subscribe to continue")


@pytest.mark.parametrize(
    "behaviour", [refuse(402), refuse(401), refuse(451), reply((WALLS / "paywall-teaser.html").read_bytes(), HTML)]
)
async def test_what_is_not_given_to_everybody_is_not_taken_from_the_archive(
    server: Misbehaving, with_archive: PageFetcher, behaviour: object
) -> None:
    server.on("/x", behaviour)  # type: ignore[arg-type]
    archived(server, server.url("/x"))
    await failure(with_archive, server.url("/x"))
    assert server.asked("/wayback/available") == 0


# Passages


def of_text(text: str) -> Page:
    now = dt.datetime(2024, 1, 1, tzinfo=dt.UTC)
    return Page(url="https://a.example/1", address="https://a.example/1", text=text, title="T", retrieved_at=now)


@given(st.text(max_size=3_000))
def test_a_passage_is_verbatim_in_the_stored_text(text: str) -> None:
    page = of_text(text)
    for passage in page.passages("serper"):
        assert page.text[passage.start : passage.end] == passage.text


@settings(max_examples=30)
@given(
    st.lists(st.text(alphabet="ab ü.\n!漢。", max_size=400), min_size=1, max_size=30), st.sampled_from([" ", "\n\n"])
)
def test_all_that_is_visible_is_in_one_passage(parts: list[str], between: str) -> None:
    page = of_text(between.join(parts))
    passages = page.passages("serper")
    assert all(first.end <= second.start for first, second in pairwise(passages) if first.end)
    assert "".join("".join(passage.text.split()) for passage in passages) == "".join(page.text.split())


def test_a_passage_has_its_page() -> None:
    page = of_text("One sentence. Another one.")
    (passage,) = page.passages("serper")
    assert (passage.url, passage.title, passage.retrieved_at) == (page.url, "T", page.retrieved_at)
    assert (passage.source.name, passage.source.text_id) == ("serper", page.address)


def test_an_enormous_line_becomes_passages() -> None:
    page = of_text("word " * 200_000)
    passages = page.passages("serper")
    assert len(passages) > 1_000
    assert max(len(passage.text) for passage in passages) <= 1_200


def test_a_snippet_is_marked() -> None:
    (passage,) = of_text("Text.").passages("serper")
    assert not is_snippet(passage)
    assert is_snippet(as_snippet(passage))
    assert as_snippet(passage).source.name == "serper snippet"
