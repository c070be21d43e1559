"""Documents from files: JSONL, and folders of text, Markdown, HTML and PDF.

What is read is data. A file that cannot be read is a ``Problem`` with a reason and never the end of a build.
"""

import datetime as dt
import gzip
import json
import os
import re
import stat
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast

from wkgfc.errors import BadInput
from wkgfc.stores import Progress, silent
from wkgfc.web.markdown import read_markdown

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


class _Unreadable(Exception):
    """A file or a row that cannot be used; its text says why."""


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


def read_date(value: object) -> tuple[dt.date | None, dt.date | None]:
    """The day that a date in ISO 8601 names, and the earliest day that it can mean; times of day are left out.

    >>> read_date("2021-05-03T10:00:00Z")[0]
    datetime.date(2021, 5, 3)
    >>> read_date("2021-05")
    (None, datetime.date(2021, 5, 1))

    Raises:
        ValueError: it is no such date.
    """
    if value is None or value == "":
        return None, None
    found = re.fullmatch(r"(\d{4})(?:-?(\d\d)(?:-?(\d\d)(?:[T ].*)?)?)?", str(value).strip(), re.DOTALL)
    if found is None:
        raise ValueError(f"{str(value)[:40]!r} is no ISO date")
    year, month, day = (int(part) if part else None for part in found.groups())
    earliest = dt.date(year or 0, month or 1, day or 1)
    return (earliest if day else None), earliest


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
                except _Unreadable as error:
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
        raise _Unreadable(f"over {MAX_LINE_BYTES:,} bytes")
    try:
        row: Any = json.loads(line)
    except (ValueError, RecursionError):
        raise _Unreadable("not JSON") from None
    if not isinstance(row, dict):
        raise _Unreadable("not an object")
    text = _string(row, "text")
    if text is None or not any(character.isalnum() for character in text):
        raise _Unreadable("no text")
    try:
        date, earliest = read_date(row.get("date"))
    except ValueError as error:
        raise _Unreadable(f"date: {error}") from None
    return Document(text, _string(row, "title"), _string(row, "url"), date, earliest, _string(row, "text_id"))


def _string(row: dict[str, Any], name: str) -> str | None:
    value = row.get(name)
    if value is None or value == "":
        return None
    if not isinstance(value, str):
        raise _Unreadable(f"{name} is not a string")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise _Unreadable(f"{name} is not valid Unicode") from None
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
    except _Unreadable as error:
        return Problem(where, str(error))
    except OSError as error:
        return Problem(where, error.strerror or type(error).__name__)


def _parse_file(file: Path) -> Document:
    suffix = file.suffix.lower()
    state = file.stat()
    limit = MAX_PDF_BYTES if suffix == ".pdf" else MAX_TEXT_BYTES
    if not stat.S_ISREG(state.st_mode):
        raise _Unreadable("not a file")
    if state.st_size > limit:
        raise _Unreadable(f"{state.st_size:,} bytes, over {limit:,}")
    match suffix:
        case ".pdf":
            document = _parse_pdf(file)
        case ".html" | ".htm":
            document = _parse_html(file.read_bytes())
        case ".md" | ".markdown":
            document = _parse_markdown(file.read_bytes())
        case _:
            document = Document(_decode(file.read_bytes()))
    if not any(character.isalnum() for character in document.text):
        raise _Unreadable("no text")
    return Document(
        text=document.text,
        title=document.title or file.stem,
        url=document.url or file.resolve().as_uri(),
        date=document.date,
        earliest=document.earliest,
    )


def _decode(content: bytes) -> str:
    """UTF-8, or what a byte-order mark says, or what the letters look like.

    Of several encodings that the letters may be in, Windows-1252 is taken: most old text of the West is in it.
    """
    for mark, encoding in ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"), (b"", "utf-8-sig")):
        if content.startswith(mark):
            try:
                return _one_kind_of_line_end(content.decode(encoding))
            except UnicodeDecodeError:
                continue
    from charset_normalizer import from_bytes  # noqa: PLC0415 - only for old encodings

    plausible = from_bytes(content)
    best = plausible.best()
    if best is None:
        raise _Unreadable("neither UTF-8 nor any other encoding of text")
    western = [match for match in plausible if match.encoding == "cp1252" and match.chaos <= best.chaos + 0.1]
    return _one_kind_of_line_end(str(western[0] if western else best))


def _one_kind_of_line_end(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _parse_markdown(content: bytes) -> Document:
    page = read_markdown(_decode(content))
    date, earliest = _date_if_readable(page.date)
    return Document(page.text, page.title, _web_address(page.url), date, earliest)


def _parse_html(content: bytes) -> Document:
    """The main text of a page; title, address and date of publication from what its markup says of them."""
    import trafilatura  # noqa: PLC0415 - half a second of import that only HTML needs

    try:
        page = trafilatura.bare_extraction(
            content,
            with_metadata=True,
            include_comments=False,
            include_tables=True,
            # The first publication, from the markup alone: a date guessed from the text would be an invented one.
            date_extraction_params={"original_date": True, "extensive_search": False},
        )
    except Exception as error:  # hostile markup breaks parsers in their own ways; the reason is reported
        raise _Unreadable(f"not HTML that can be read ({type(error).__name__})") from error
    text = getattr(page, "text", None)
    if not text:
        raise _Unreadable("no main text")
    date, earliest = _date_if_readable(getattr(page, "date", None))
    return Document(
        text, getattr(page, "title", None) or None, _web_address(getattr(page, "url", None)), date, earliest
    )


def _date_if_readable(value: str | None) -> tuple[dt.date | None, dt.date | None]:
    """What the page's own date says; one that is written in some other way leaves the page undated."""
    try:
        return read_date(value)
    except ValueError:
        return None, None


def _web_address(url: str | None) -> str | None:
    return url if url is not None and url.startswith(("http://", "https://")) else None


def _parse_pdf(file: Path) -> Document:
    """The text of all pages, a blank line between them; title and day of creation from the document's own fields."""
    import pypdf  # noqa: PLC0415 - only for PDF

    try:
        with file.open("rb") as stream:
            reader = pypdf.PdfReader(stream, strict=False)
            if len(reader.pages) > MAX_PDF_PAGES:
                raise _Unreadable(f"{len(reader.pages):,} pages, over {MAX_PDF_PAGES:,}")
            text = "\n\n".join(page.extract_text() for page in reader.pages)
            information = reader.metadata
            title = str(information.title) if information and information.title else None
            created = information.creation_date if information else None
    except _Unreadable:
        raise
    except Exception as error:  # a broken PDF breaks the parser in its own ways; the reason is reported
        raise _Unreadable(f"not a PDF that can be read ({type(error).__name__})") from error
    date = created.date() if created is not None else None
    return Document(_valid(text), _valid(title) if title else None, None, date, date)


def _valid(text: str) -> str:
    """Text that goes through UTF-8: half a surrogate pair from a broken font is shown as unknown."""
    return text.encode("utf-8", "replace").decode()
