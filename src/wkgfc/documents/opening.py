"""A text from a file, an address or standard input: plain, Markdown, HTML, PDF or Word."""

import asyncio
import datetime as dt
import sys
from pathlib import Path

from wkgfc.config import Settings, is_url
from wkgfc.documents.docx import SIGNATURE as DOCX_SIGNATURE
from wkgfc.documents.docx import read_docx
from wkgfc.errors import BadInput
from wkgfc.evidence import Record
from wkgfc.http import Http
from wkgfc.state import Failed, Found
from wkgfc.web.encoding import Unreadable, decode
from wkgfc.web.iso_dates import published
from wkgfc.web.markdown import read_markdown
from wkgfc.web.pdf import SIGNATURE as PDF_SIGNATURE
from wkgfc.web.pdf import SIGNATURE_WITHIN

MAX_BYTES = 20_000_000
MAX_CHARACTERS = 300_000  # about a hundred pages: reading their claims takes a minute or two

_HTML_BEGINS = (b"<!doctype html", b"<html")


class SourceText(Record):
    """A text as it was read. ``date`` is its day of publication, or of creation, where it says so itself."""

    text: str
    title: str | None = None
    url: str | None = None
    date: dt.date | None = None


def open_text(source: str, settings: Settings, http: Http | None = None) -> SourceText:
    """The text of a file, of a page of the web (an address), or of standard input (``-``).

    HTML and PDF are read in a process of their own, within limits of time and memory. ``http`` is used instead of the
    network.

    Raises:
        BadInput: it cannot be had or read, has no text, or over ``MAX_BYTES`` or ``MAX_CHARACTERS``.
    """
    if is_url(source):
        text = asyncio.run(_fetched(source, settings, http))
    else:
        content = _content(source)
        try:
            text = _read(content, source, settings)
        except Unreadable as error:
            raise BadInput(f"{source} cannot be read: {error}") from error
    if not any(character.isalnum() for character in text.text):
        raise BadInput(f"{source} has no text")
    if len(text.text) > MAX_CHARACTERS:
        raise BadInput(f"{source} has {len(text.text):,} characters, over {MAX_CHARACTERS:,}: give it in parts")
    return text


def _content(source: str) -> bytes:
    try:
        if source == "-":
            content = sys.stdin.buffer.read(MAX_BYTES + 1)
        elif Path(source).is_file():
            with Path(source).open("rb") as file:
                content = file.read(MAX_BYTES + 1)
        else:
            raise BadInput(f"there is no file {source}")
    except OSError as error:
        raise BadInput(f"{source} cannot be read: {error.strerror or error}") from error
    if len(content) > MAX_BYTES:
        raise BadInput(f"{source} has over {MAX_BYTES:,} bytes: give it in parts")
    return content


def _read(content: bytes, source: str, settings: Settings) -> SourceText:
    """The kind is what the content shows; only Markdown is told by the file's name."""
    if PDF_SIGNATURE in content[:SIGNATURE_WITHIN]:
        return asyncio.run(_in_child(content, "application/pdf", settings))
    if content.startswith(DOCX_SIGNATURE):
        document = read_docx(content)
        return SourceText(text=document.text, title=document.title, date=document.created)
    if content[:SIGNATURE_WITHIN].lstrip(b"\xef\xbb\xbf \t\r\n").lower().startswith(_HTML_BEGINS):
        return asyncio.run(_in_child(content, "text/html", settings))
    if source.lower().endswith((".html", ".htm")):
        return asyncio.run(_in_child(content, "text/html", settings))
    if source.lower().endswith((".md", ".markdown")):
        page = read_markdown(decode(content))
        return SourceText(text=page.text, title=page.title, date=published(page.date)[0])
    return SourceText(text=decode(content))


async def _in_child(content: bytes, content_type: str, settings: Settings) -> SourceText:
    from wkgfc.web.reader import Reader  # noqa: PLC0415 - processes that plain text does not need

    reader = Reader(processes=1, timeout_s=settings.reading_timeout_s)
    try:
        read = await reader.read(content, content_type, "")
    finally:
        reader.close()
    if isinstance(read, Failed):
        raise Unreadable(read.reason.removeprefix("unreadable: "))
    return SourceText(text=read.text, title=read.title, date=read.date)


async def _fetched(url: str, settings: Settings, http: Http | None) -> SourceText:
    from wkgfc.network import Network  # noqa: PLC0415 - and the HTTP libraries with it
    from wkgfc.web.page import PageFetcher  # noqa: PLC0415
    from wkgfc.web.reader import Reader  # noqa: PLC0415
    from wkgfc.web.robots import Robots  # noqa: PLC0415

    network = Network(settings, http=http)
    reader = Reader(processes=1, timeout_s=settings.reading_timeout_s)
    try:
        async with network.connected():
            fetcher = PageFetcher(
                network.http,
                reader=reader,
                robots=Robots(network.http) if settings.robots else None,
                max_bytes=settings.page_bytes,
                timeout_s=settings.page_timeout_s,
            )
            page = await fetcher.fetch(url)
    finally:
        reader.close()
    match page:
        case Found(items=[first, *_]):
            return SourceText(text=first.text, title=first.title, url=first.url, date=first.date)
        case Failed(reason=reason):
            raise BadInput(f"{url} cannot be read: {reason}")
        case _:
            raise BadInput(f"{url} has no text")
