"""Answers of every kind as text, and hostile bytes under any name."""

import datetime as dt
import io

import pypdf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from small_pages import PAGE, pdf
from wkgfc.web.barriers import Barrier
from wkgfc.web.content import READABLE, Content, Limits, media_type, read_content
from wkgfc.web.encoding import Unreadable

URL = "https://paper.example/1"


def read(content: bytes, content_type: str, limits: Limits | None = None) -> Content:
    found = read_content(content, content_type, URL, limits or Limits())
    assert isinstance(found, Content)
    return found


def locked(password: str) -> bytes:
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(pdf("A locked text.")))
    writer.encrypt(user_password=password, owner_password="owner", algorithm="RC4-128")
    content = io.BytesIO()
    writer.write(content)
    return content.getvalue()


def test_html_is_read() -> None:
    page = read(PAGE.encode(), "text/html; charset=utf-8")
    assert page.title == "The new bridge"
    assert page.date == dt.date(2021, 5, 3)
    assert page.complete


def test_xhtml_and_what_only_looks_like_html_is_read_as_html() -> None:
    for content_type in ("application/xhtml+xml", ""):
        assert read(PAGE.encode(), content_type).title == "The new bridge"


def test_the_encoding_is_that_of_the_header_before_that_of_the_page() -> None:
    russian = "Мост через реку был открыт в понедельник мэром города, как сообщил городской совет."
    page = f"<html><head><meta charset='windows-1252'></head><body><p>{russian}</p></body></html>".encode("cp1251")
    assert russian in read(page, "text/html; charset=windows-1251").text


def test_plain_text_is_kept_as_it_is_but_for_unseen_characters() -> None:
    assert (
        read("Ä <b>\x00\u200b\r\n".encode("cp1252", "ignore") + b" c ", "text/plain; charset=latin-1").text
        == "Ä <b>\n c"
    )


def test_a_pdf_is_one_by_its_first_bytes() -> None:
    for content_type in ("application/pdf", "text/html", ""):
        report = read(pdf("One.", "Two.", title="Report", created="D:19970214093000Z"), content_type)
        assert (report.text, report.title, report.date) == ("One.\n\nTwo.", "Report", dt.date(1997, 2, 14))


@pytest.mark.parametrize("created", ["yesterday", "D:20240101120000+99'99'", "14/02/1997 09:30", ""])
def test_a_pdf_of_an_odd_date_is_read_without_one(created: str) -> None:
    report = read(pdf("One.", title="Report", created=created), "application/pdf")
    assert (report.text, report.title, report.date) == ("One.", "Report", None)


def test_a_long_text_is_cut_and_said_to_be() -> None:
    for content, kind in ((PAGE.encode(), "text/html"), (pdf("A longer text."), "application/pdf"), (b"abcdefgh", "")):
        page = read(content, kind, Limits(characters=5))
        assert len(page.text) == 5
        assert not page.complete
    report = read(pdf("One.", "Two.", "Three."), "application/pdf", Limits(pdf_pages=2))
    assert (report.text, report.complete) == ("One.\n\nTwo.", False)


def test_a_pdf_that_is_only_locked_against_changes_is_read() -> None:
    assert read(locked(""), "application/pdf").text == "A locked text."


@pytest.mark.parametrize(
    ("content", "content_type", "reason"),
    [
        (locked("secret"), "application/pdf", "a PDF that is locked by a password"),
        (pdf("Cut short.")[:120], "application/pdf", r"not a PDF that can be read \(\w+\)"),
        (b"%PDF-1.7\n" + b"\x00" * 10_000, "application/pdf", "not a PDF that can be read"),
        (b"<html>", "application/pdf", "not a PDF, though it is said to be"),
        (pdf(), "application/pdf", "no text"),
        (b"\x89PNG\r\n", "image/png", "'image/png' is of no kind that is read"),
        (b"{}", "application/json", "'application/json' is of no kind that is read"),
        (b"", "text/plain", "no text"),
        (b"\x00" * 10_000, "text/plain", "no text"),
        (b"<html><body></body></html>", "text/html", "no text"),
        (b"<html><body>" + b"\x00" * 10_000, "text/html", "no text"),
    ],
)
def test_what_has_no_text_to_read_is_told(content: bytes, content_type: str, reason: str) -> None:
    with pytest.raises(Unreadable, match=reason):
        read_content(content, content_type, URL)


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("text/html", ("text/html", None)),
        ('Text/HTML; Charset="UTF-8"', ("text/html", "UTF-8")),
        ("text/html;;charset=", ("text/html", None)),
        (";charset=x", ("", "x")),
        ("", ("", None)),
    ],
)
def test_a_content_type_has_its_parts(header: str, expected: tuple[str, str | None]) -> None:
    assert media_type(header) == expected


PIECES = [b"<html>", b"<p>text ", b"<!--", b"<script>", b"<style>.a{", b"</p>", b"&#0;", b"<meta ", b"charset=utf-16"]
PIECES += [b"\xff\xfe", b"<table><tr>", b"<![CDATA[", b"<?xml ", b"%PDF-1.4\n", b"1 0 obj <<", b"stream\n", b"xref\n"]
FRAGMENTS = st.lists(st.one_of(st.binary(max_size=40), st.sampled_from(PIECES)), max_size=12).map(b"".join)


@settings(max_examples=300, deadline=None)
@given(FRAGMENTS, st.one_of(st.sampled_from([*READABLE, "text/html; charset=gb2312", ""]), st.text(max_size=20)))
def test_any_bytes_of_any_kind_are_read_or_refused(content: bytes, content_type: str) -> None:
    try:
        found = read_content(content, content_type, URL)
    except Unreadable:
        return
    assert isinstance(found, Barrier) or found.text.encode()
