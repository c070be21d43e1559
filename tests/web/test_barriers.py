"""Walls, notices and errors told from pages: on pages as they are served, and on articles that only talk of them."""

from pathlib import Path

import pytest

from wkgfc.state import Failed
from wkgfc.web.barriers import Barrier, barrier_of_error
from wkgfc.web.content import Content, read_content

DATA = Path(__file__).parents[1] / "data"
WALLS = sorted((DATA / "walls").glob("*.html"))
ARTICLES = sorted((DATA / "pages").glob("*.html"))


@pytest.mark.parametrize("file", WALLS, ids=lambda file: file.stem)
def test_a_wall_is_told_by_its_kind(file: Path) -> None:
    read = read_content(file.read_bytes(), "text/html; charset=utf-8", "https://www.paper.example/news/1")
    assert isinstance(read, Barrier)
    assert read.kind == file.stem.partition("-")[0]
    assert Failed(str(read)).reason.startswith(f"{read.kind}: ")


@pytest.mark.parametrize("file", ARTICLES, ids=lambda file: file.stem)
def test_an_article_with_the_words_of_a_wall_is_read(file: Path) -> None:
    read = read_content(file.read_bytes(), "text/html; charset=utf-8", "https://www.paper.example/news/1")
    assert isinstance(read, Content)


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("https://consent.google.com/m?continue=https://www.youtube.com/", "consent"),
        ("https://www.network.example/login/?next=%2Fpost%2F1", "login"),
        ("https://www.professionals.example/authwall?trk=x", "login"),
    ],
)
def test_an_address_that_redirects_lead_to_is_told(url: str, kind: str) -> None:
    page = b"<html><head><title>Hello</title></head><body><p>One moment.</p></body></html>"
    read = read_content(page, "text/html", url)
    assert isinstance(read, Barrier)
    assert read.kind == kind


@pytest.mark.parametrize(
    ("status", "file", "kind"),
    [
        (403, "challenge-cloudflare", "challenge"),
        (503, "challenge-cloudflare", "challenge"),
        (403, "challenge-datadome", "challenge"),
        (403, "captcha-perimeterx", "captcha"),
        (429, "captcha-search", "captcha"),
    ],
)
def test_a_wall_with_the_status_of_an_error_is_told(status: int, file: str, kind: str) -> None:
    barrier = barrier_of_error(status, (DATA / "walls" / f"{file}.html").read_bytes()[:2_000])
    assert barrier is not None
    assert barrier.kind == kind


def test_an_error_that_is_no_wall_is_none() -> None:
    assert barrier_of_error(404, b"<html><title>Not found</title></html>") is None
    assert barrier_of_error(500, b"") is None
    assert barrier_of_error(None, b"") is None
    assert barrier_of_error(401, b"") == Barrier("login", "the site asks for a name and a password")
    assert barrier_of_error(402, b"") == Barrier("paywall", "the site asks for a payment")
