"""Documents from files: JSONL, and folders of text, Markdown, HTML and PDF.

What is read is data. A file that cannot be read is a ``Problem`` with a reason and never the end of a build.
"""

import datetime as dt
import gzip
import json
import os
import stat
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast

from wkgfc.errors import BadInput
from wkgfc.stores import Progress, silent
from wkgfc.web.encoding import Unreadable, declared_in_markup, decode
from wkgfc.web.iso_dates import published, read_date
from wkgfc.web.main_text import read_main_text
from wkgfc.web.markdown import read_markdown
from wkgfc.web.pdf import number_of_pages, read_pdf

MAX_TEXT_BYTES = 20_000_000  # a text, Markdown or HTML file: War and Peace is 3 MB
MAX_PDF_BYTES = 100_000_000  # a scanned report with its images; the text in it is far smaller
MAX_PDF_PAGES = 3_000  # the longest public reports have some two thousand
MAX_LINE_BYTES = 20_000_000  # one JSONL row holds one document
MAX_BAD_SHARE = 0.1  # of JSONL rows: more means that the file is not what it was taken for

JSONL_SUFFIXES = (".jsonl", ".jsonl.gz", ".ndjson", ".ndjson.gz")
DOCUMENT_SUFFIXES = (".txt", ".md", ".markdown", ".html", ".htm", ".pdf")


@dataclass(frozen=True, slots=True)
class Document:
    """A text with what is known of its origin.

    ``date`` is the day of publication where the day is known. ``earliest`` is the first day that the text can have
    been published on: equal to ``date``, or the first of a month or year where only that is known.
    """

    text: str
    title: str | None = None
    url: str | None = None
    date: dt.date | None = None
    earliest: dt.date | None = None
    text_id: str | None = None


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that could not be read: where (file, or file and line) and why, in one line."""

    where: str
    reason: str


def read_documents(source: Path, progress: Progress = silent) -> Iterator[Document | Problem]:
    """Every document of a JSONL file (plain or gzip), of a folder, or of a single text, Markdown, HTML or PDF file.

    A JSONL row is ``{"title", "text", "url", "date"}``; all but the text may be missing; ``text_id`` may name the
    text. Of a folder, hidden files and folders are left out, and links are followed to files inside it only.
    The progress is in bytes of the file, or in files of the folder.

    Raises:
        BadInput: there is nothing at that path, no document in it can be read, or over a tenth of its rows is bad.
    """
    if source.is_dir():
        yield from _read_folder(source, progress)
    elif not source.exists():
        raise BadInput(f"there is no file or folder at {source}")
    elif source.name.lower().endswith(JSONL_SUFFIXES):
        yield from _read_jsonl(source, progress)
    elif source.suffix.lower() in DOCUMENT_SUFFIXES:
        document = _read_file(source)
        if isinstance(document, Problem):
            raise BadInput(f"{source} cannot be read: {document.reason}")
        yield document
    else:
        raise BadInput(f"{source} is of no kind that can be read: {_kinds()}")


def state_of(source: Path) -> list[tuple[str, int, int]]:
    """Name, size and time of change of every file that ``read_documents`` would read: equal means unchanged."""
    if source.is_dir():
        files = [(str(file.relative_to(source)), file) for file in _files_of(source)]
    elif source.exists():
        files = [(source.name, source)]
    else:
        raise BadInput(f"there is no file or folder at {source}")
    states = [(name, file.stat()) for name, file in files]
    return [(name, state.st_size, state.st_mtime_ns) for name, state in states]


# JSONL


def _read_jsonl(source: Path, progress: Progress) -> Iterator[Document | Problem]:
    size = source.stat().st_size
    rows = bad = 0
    first_bad: Problem | None = None
    with source.open("rb") as raw, _unpacked(raw, source.name) as rows_file:
        try:
            for number, line in _lines(rows_file):
                if number % 1024 == 1:
                    progress("reading", raw.tell(), size)
                if line is not None and not line.strip():
                    continue
                rows += 1
                try:
                    yield _row(line)
                except Unreadable as error:
                    bad += 1
                    problem = Problem(f"{source.name}, line {number}", str(error))
                    first_bad = first_bad or problem
                    if bad == rows >= 1_000:
                        break
                    yield problem
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise BadInput(f"{source} is damaged after {rows:,} rows ({error}): copy it again") from error
    progress("reading", size, size)
    if first_bad is not None and bad > MAX_BAD_SHARE * rows:
        raise BadInput(
            f"{bad:,} of {rows:,} rows of {source} cannot be used; the first is line "
            f"{first_bad.where.rsplit(' ', 1)[1]}: {first_bad.reason}"
        )
    if rows == 0:
        raise BadInput(f"{source} has no row")


def _unpacked(raw: BinaryIO, name: str) -> BinaryIO:
    return cast(BinaryIO, gzip.GzipFile(fileobj=raw)) if name.lower().endswith(".gz") else raw


def _lines(file: BinaryIO) -> Iterator[tuple[int, bytes | None]]:
    """Numbered lines from 1; ``None`` for one that is too long, which is skipped without being kept in memory."""
    number = 0
    while line := file.readline(MAX_LINE_BYTES):
        number += 1
        if len(line) < MAX_LINE_BYTES:
            yield number, line
            continue
        while line and not line.endswith(b"\n"):
            line = file.readline(MAX_LINE_BYTES)
        yield number, None


def _row(line: bytes | None) -> Document:
    if line is None:
        raise Unreadable(f"over {MAX_LINE_BYTES:,} bytes")
    try:
        row: Any = json.loads(line)
    except (ValueError, RecursionError):
        raise Unreadable("not JSON") from None
    if not isinstance(row, dict):
        raise Unreadable("not an object")
    text = _string(row, "text")
    if text is None or not any(character.isalnum() for character in text):
        raise Unreadable("no text")
    try:
        date, earliest = read_date(row.get("date"))
    except ValueError as error:
        raise Unreadable(f"date: {error}") from None
    return Document(text, _string(row, "title"), _string(row, "url"), date, earliest, _string(row, "text_id"))


def _string(row: dict[str, Any], name: str) -> str | None:
    value = row.get(name)
    if value is None or value == "":
        return None
    if not isinstance(value, str):
        raise Unreadable(f"{name} is not a string")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise Unreadable(f"{name} is not valid Unicode") from None
    return value


# Files and folders


def _read_folder(folder: Path, progress: Progress) -> Iterator[Document | Problem]:
    files = _files_of(folder)
    if not files:
        raise BadInput(f"{folder} has no document that can be read: {_kinds()}")
    first: Problem | None = None
    any_document = False
    for done, file in enumerate(files):
        progress("reading", done, len(files))
        document = _read_file(file, name=str(file.relative_to(folder)))
        if isinstance(document, Problem):
            first = first or document
        any_document = any_document or isinstance(document, Document)
        yield document
    progress("reading", len(files), len(files))
    if not any_document and first is not None:
        raise BadInput(f"none of the {len(files):,} documents in {folder} can be read; {first.where}: {first.reason}")


def _files_of(folder: Path) -> list[Path]:
    """The documents of a folder in the order of their names, each once, whatever links lead to it."""
    root = folder.resolve()
    found: dict[Path, Path] = {}
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            file = Path(parent, name)
            if name.startswith(".") or file.suffix.lower() not in DOCUMENT_SUFFIXES:
                continue
            target = file.resolve()
            if target.is_relative_to(root) and target.is_file() and (target not in found or not file.is_symlink()):
                found[target] = file
    return sorted(found.values())


def _kinds() -> str:
    return "give JSONL (.jsonl, .jsonl.gz), or .txt, .md, .html or .pdf files, or a folder of them"


def _read_file(file: Path, name: str | None = None) -> Document | Problem:
    where = name or file.name
    try:
        return _parse_file(file)
    except Unreadable as error:
        return Problem(where, str(error))
    except OSError as error:
        return Problem(where, error.strerror or type(error).__name__)


def _parse_file(file: Path) -> Document:
    suffix = file.suffix.lower()
    state = file.stat()
    limit = MAX_PDF_BYTES if suffix == ".pdf" else MAX_TEXT_BYTES
    if not stat.S_ISREG(state.st_mode):
        raise Unreadable("not a file")
    if state.st_size > limit:
        raise Unreadable(f"{state.st_size:,} bytes, over {limit:,}")
    match suffix:
        case ".pdf":
            document = _parse_pdf(file)
        case ".html" | ".htm":
            document = _parse_html(file.read_bytes())
        case ".md" | ".markdown":
            document = _parse_markdown(file.read_bytes())
        case _:
            document = Document(decode(file.read_bytes()))
    if not any(character.isalnum() for character in document.text):
        raise Unreadable("no text")
    return Document(
        text=document.text,
        title=document.title or file.stem,
        url=document.url or file.resolve().as_uri(),
        date=document.date,
        earliest=document.earliest,
    )


def _parse_markdown(content: bytes) -> Document:
    page = read_markdown(decode(content))
    date, earliest = published(page.date)
    return Document(page.text, page.title, _web_address(page.url), date, earliest)


def _parse_html(content: bytes) -> Document:
    """The main text of a page; title, address and date of publication from what its markup says of them."""
    page = read_main_text(decode(content, [declared_in_markup(content)]))
    if not page.text:
        raise Unreadable("no main text")
    return Document(page.text, page.title, page.address, page.date, page.earliest)


def _web_address(url: str | None) -> str | None:
    return url if url is not None and url.startswith(("http://", "https://")) else None


def _parse_pdf(file: Path) -> Document:
    """The text of all pages, a blank line between them; title and day of creation from the document's own fields."""
    with file.open("rb") as stream:
        pages = number_of_pages(stream)
        if pages > MAX_PDF_PAGES:
            raise Unreadable(f"{pages:,} pages, over {MAX_PDF_PAGES:,}")
        document = read_pdf(stream, MAX_PDF_PAGES)
    return Document(document.text, document.title, None, document.created, document.created)
