"""Pages read in processes that can be ended."""

import asyncio
import io
from collections.abc import Iterator
from pathlib import Path

import pypdf
import pytest
from pypdf.generic import DecodedStreamObject, NameObject

from small_pages import PAGE, pdf
from wkgfc.state import Failed
from wkgfc.web.content import Content, Limits
from wkgfc.web.reader import Reader

URL = "https://paper.example/1"


@pytest.fixture
def reader() -> Iterator[Reader]:
    reader = Reader()
    yield reader
    reader.close()


def endless_pdf() -> bytes:
    """A PDF of a few kilobytes whose reading takes minutes: hundreds of pages with one long content."""
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(pdf("A report.")))
    stream = DecodedStreamObject()
    stream.set_data(b"BT /F1 12 Tf " + b"(a) Tj T* " * 300_000 + b"ET")
    content = writer._add_object(stream.flate_encode())
    for _ in range(200):
        writer.add_page(writer.pages[0])
    for page in writer.pages:
        page[NameObject("/Contents")] = content
    written = io.BytesIO()
    writer.write(written)
    return written.getvalue()


async def test_pages_are_read_one_after_the_other_and_at_once(reader: Reader) -> None:
    answers = await asyncio.gather(
        *(reader.read(PAGE.encode(), "text/html", URL) for _ in range(4)),
        reader.read(pdf("A report."), "application/pdf", URL),
        reader.read("Plain €.".encode(), "text/plain", URL),
    )
    texts = [answer.text for answer in answers if isinstance(answer, Content)]
    assert all("320 metres" in text for text in texts[:4])
    assert texts[4:] == ["A report.", "Plain €."]


async def test_dates_and_the_rest_come_through(reader: Reader) -> None:
    page = await reader.read(PAGE.encode(), "text/html", URL)
    assert isinstance(page, Content)
    assert page.title == "The new bridge"
    assert page.date is not None
    assert page.date.isoformat() == "2021-05-03"


async def test_what_cannot_be_read_fails_with_its_kind(reader: Reader) -> None:
    assert await reader.read(b"", "text/plain", URL) == Failed("unreadable: no text")
    wall = b"<html><head><title>Just a moment...</title></head><body></body></html>"
    assert await reader.read(wall, "text/html", URL) == Failed("challenge: Cloudflare checks the browser")


async def test_a_page_that_takes_too_long_is_ended_and_the_next_one_is_read() -> None:
    reader = Reader(processes=1, timeout_s=8.0)
    try:
        assert await reader.read(endless_pdf(), "application/pdf", URL) == Failed("unreadable: not read within 8 s")
        assert isinstance(await reader.read(PAGE.encode(), "text/html", URL), Content)
    finally:
        reader.close()


async def test_a_page_that_takes_too_much_memory_breaks_its_own_process_alone() -> None:
    reader = Reader(processes=1, memory_bytes=150_000_000)
    try:
        failed = await reader.read(b"<p>" + b"word " * 4_000_000, "text/html", URL)
        assert isinstance(failed, Failed)
        assert failed.reason.startswith("unreadable: ")
    finally:
        reader.close()


async def test_limits_are_kept_in_the_other_process() -> None:
    reader = Reader(limits=Limits(characters=10))
    try:
        page = await reader.read(b"0123456789abc", "text/plain", URL)
        assert page == Content(text="0123456789", complete=False)
    finally:
        reader.close()


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="a system that does not show environments")
def test_the_other_process_knows_no_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SERPER_API_KEY", "a-secret")
    reader = Reader(processes=1)
    try:
        asyncio.run(reader.read(b"text", "text/plain", URL))
        (child,) = reader._idle
        assert b"a-secret" not in Path(f"/proc/{child.pid}/environ").read_bytes()
    finally:
        reader.close()


def test_one_reader_serves_several_event_loops(reader: Reader) -> None:
    for _ in range(2):
        assert isinstance(asyncio.run(reader.read(b"text", "text/plain", URL)), Content)


def test_a_closed_reader_has_ended_its_processes() -> None:
    reader = Reader(processes=1)
    asyncio.run(reader.read(b"text", "text/plain", URL))
    (child,) = reader._idle
    reader.close()
    assert child.poll() is not None
