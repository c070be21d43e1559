"""What an answer of the web says: its bytes, of whatever kind, as text with what is known of its origin."""

import datetime as dt
import io
from dataclasses import dataclass, replace

from wkgfc.web.barriers import Barrier, find_barrier
from wkgfc.web.encoding import Unreadable, declared_in_markup, decode
from wkgfc.web.main_text import read_main_text, without_shapeless
from wkgfc.web.pdf import SIGNATURE, SIGNATURE_WITHIN, read_pdf

HTML = ("text/html", "application/xhtml+xml")
PDF = "application/pdf"
PLAIN = "text/plain"
READABLE = (*HTML, PDF, PLAIN)

SNIFFED = 1_024  # bytes at the beginning that tell the kind of an answer that names none


@dataclass(frozen=True, slots=True)
class Limits:
    """Of one page: how many pages of a PDF are read, and how many characters of any text are kept."""

    pdf_pages: int = 300
    characters: int = 500_000  # War and Peace has six times as many, the longest articles half


DEFAULT_LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Content:
    """A text and what it says of itself; see ``MainText``. ``complete``: no limit cut it."""

    text: str
    title: str | None = None
    author: str | None = None
    address: str | None = None
    date: dt.date | None = None
    earliest: dt.date | None = None
    language: str | None = None
    complete: bool = True


def read_content(content: bytes, content_type: str, url: str, limits: Limits = DEFAULT_LIMITS) -> Content | Barrier:
    """The text of an answer with the header ``content_type`` (may be empty) from ``url``, or the wall that it is.

    A PDF is one by its first bytes, whatever its header says; other bytes are what the header says, or HTML where
    they begin so and the header says nothing.

    Raises:
        Unreadable: there is no text in it, or none that can be read.
    """
    kind, charset = media_type(content_type)
    if SIGNATURE in content[:SIGNATURE_WITHIN]:
        return _pdf(content, limits)
    if kind == PDF:
        raise Unreadable("not a PDF, though it is said to be")
    if kind in HTML or (kind == "" and _looks_like_html(content)):
        return _html(content, charset, url, limits)
    if kind not in ("", PLAIN):
        raise Unreadable(f"{kind[:60]!a} is of no kind that is read")
    return _within(limits, Content(text=without_shapeless(decode(content, [charset])).strip()))


def media_type(content_type: str) -> tuple[str, str | None]:
    """The type and the charset of a ``Content-Type`` header.

    >>> media_type('Text/HTML; charset="UTF-8"')
    ('text/html', 'UTF-8')
    """
    kind, *parameters = content_type.split(";")
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip().lower() == "charset":
            return kind.strip().lower(), value.strip().strip("\"'") or None
    return kind.strip().lower(), None


def _looks_like_html(content: bytes) -> bool:
    beginning = content[:SNIFFED].lower()
    return b"<!doctype html" in beginning or b"<html" in beginning or b"<head" in beginning


def _html(content: bytes, charset: str | None, url: str, limits: Limits) -> Content | Barrier:
    markup = decode(content, [charset, declared_in_markup(content)])
    page = read_main_text(markup, url)
    barrier = find_barrier(text=page.text, seen=page.seen, title=page.title, markup=markup, url=url)
    if barrier is not None:
        return barrier
    return _within(
        limits,
        Content(
            text=page.text,
            title=page.title,
            author=page.author,
            address=page.address,
            date=page.date,
            earliest=page.earliest,
            language=page.language,
        ),
    )


def _pdf(content: bytes, limits: Limits) -> Content:
    document = read_pdf(io.BytesIO(content), limits.pdf_pages, limits.characters)
    return _within(
        limits,
        Content(
            text=without_shapeless(document.text).strip(),
            title=document.title,
            author=document.author,
            date=document.created,
            earliest=document.created,
            complete=document.complete,
        ),
    )


def _within(limits: Limits, content: Content) -> Content:
    """The content with its text up to the limit.

    Raises:
        Unreadable: there is nothing in it to read.
    """
    if not any(character.isalnum() for character in content.text):
        raise Unreadable("no text")
    if len(content.text) <= limits.characters:
        return content
    return replace(content, text=content.text[: limits.characters], complete=False)
