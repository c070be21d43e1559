"""Pages that are kept: the text of each, so that a citation still opens when the page is gone or has changed.

A folder with the texts in ``texts/``, each named by its SHA-256, and ``index.jsonl`` with a row for each page and time
of retrieval. A text is there, whole, before its row is written; several processes may write at once.
"""

import datetime as dt
import hashlib
import os
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

from filelock import FileLock
from pydantic import ValidationError

from wkgfc.errors import NotConfigured
from wkgfc.evidence import Passage, Record
from wkgfc.web.page import Page

INDEX = "index.jsonl"
TEXTS = "texts"
MAX_ROW_BYTES = 20_000  # addresses have at most 2,000 characters, titles and authors 500


class KeptPage(Record):
    """A row of the index: a page as it was at a time. See ``Page`` for the fields."""

    content_hash: str
    url: str
    address: str
    title: str | None = None
    author: str | None = None
    date: dt.date | None = None
    language: str | None = None
    retrieved_at: dt.datetime
    archived_at: dt.datetime | None = None
    complete: bool = True


class KeptPages:
    """The kept pages of a folder, which is made if need be.

    Raises:
        NotConfigured: the folder cannot be made or written; so do the methods.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._index = folder / INDEX
        self._known: set[tuple[str, str, dt.datetime]] = set()
        try:
            (folder / TEXTS).mkdir(parents=True, exist_ok=True)
            self._known.update((row.content_hash, row.url, row.retrieved_at) for row in self)
        except OSError as error:
            raise self._unusable(error) from error

    def __iter__(self) -> Iterator[KeptPage]:
        """The rows in the order of their writing. One that is damaged is left out."""
        if not self._index.exists():
            return
        with self._index.open("rb") as rows:
            while row := rows.readline(MAX_ROW_BYTES):
                try:
                    yield KeptPage.model_validate_json(row)
                except ValidationError:
                    continue

    def keep(self, page: Page) -> KeptPage:
        """Keep a page. The same text of the same retrieval is kept once."""
        row = KeptPage(
            content_hash=page.content_hash,
            **page.model_dump(include=set(KeptPage.model_fields) - {"content_hash"}),
        )
        key = (row.content_hash, row.url, row.retrieved_at)
        if key in self._known:
            return row
        try:
            self._write_text(row.content_hash, page.text)
            self._append(row)
        except OSError as error:
            raise self._unusable(error) from error
        self._known.add(key)
        return row

    def text(self, content_hash: str) -> str | None:
        """The text with that hash; ``None`` where there is none, or one that is not what it was."""
        if re.fullmatch(r"[0-9a-f]{64}", content_hash) is None:
            return None
        try:
            content = self._path(content_hash).read_bytes()
        except FileNotFoundError:
            return None
        return content.decode() if hashlib.sha256(content).hexdigest() == content_hash else None

    def find(self, passage: Passage) -> KeptPage | None:
        """The newest kept page of the passage's address that has the passage where it says, verbatim."""
        rows = [row for row in self if row.url == passage.url]
        for row in sorted(rows, key=lambda row: row.retrieved_at, reverse=True):
            text = self.text(row.content_hash)
            if text is not None and text[passage.start : passage.end] == passage.text:
                return row
        return None

    def _path(self, content_hash: str) -> Path:
        return self.folder / TEXTS / content_hash[:2] / f"{content_hash}.txt"

    def _write_text(self, content_hash: str, text: str) -> None:
        path = self._path(content_hash)
        if self.text(content_hash) is not None:
            return
        path.parent.mkdir(exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".", delete=False) as file:
            try:
                file.write(text.encode())
                file.flush()
                os.fsync(file.fileno())
                file.close()
                os.replace(file.name, path)
            except OSError:
                Path(file.name).unlink(missing_ok=True)
                raise

    def _append(self, row: KeptPage) -> None:
        with FileLock(self.folder / f".{INDEX}.lock"), self._index.open("a+b") as rows:
            line = row.model_dump_json().encode() + b"\n"
            if rows.tell() > 0:
                rows.seek(-1, os.SEEK_END)
                if rows.read(1) != b"\n":  # a row that was cut when its writer ended
                    line = b"\n" + line
            rows.write(line)
            rows.flush()
            os.fsync(rows.fileno())

    def _unusable(self, error: OSError) -> NotConfigured:
        return NotConfigured(f"pages cannot be kept in {self.folder} ({error.strerror or type(error).__name__})")
