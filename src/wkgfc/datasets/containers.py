"""Files as rows: one JSON object a line, one JSON array, or a table with tabs or commas; plain, gzip or bzip2.

Which one it is, is told from the content, never from the name. Files are streamed: memory does not grow with their
length, and a line or an object of more than ``MAX_ROW`` characters is named and passed over.
"""

import bz2
import csv
import gzip
import io
import json
import re
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from wkgfc.errors import BadInput

MAX_ROW = 16 * 2**20  # characters of one row; the longest article of a public set has under a million
_CHUNK = 2**16
_TRIPLE = re.compile(r"Q\d+\tP\d+\tQ\d+\s*", re.ASCII)  # CoDEx releases triples without a header
_TRIPLE_HEADER = "head\trelation\ttail"
_NAME = re.compile(r'\s*"?\w[\w.-]{0,60}"?\s*')  # of the one column of a table
_PICKLE = b"\x80"
_TOO_LONG = f"longer than {MAX_ROW // 2**20} MiB"
_UNDECODED = re.compile("[\udc80-\udcff]")  # what ``surrogateescape`` makes of bytes that are not UTF-8
_HALF = re.compile(r"\\u[dD][89a-fA-F]")  # of a pair of surrogates, as JSON may write it
_BETWEEN = " \t\r\n,"


@dataclass(frozen=True)
class Row:
    """One row, with the line on which it begins."""

    line: int
    fields: Mapping[str, Any]


@dataclass(frozen=True)
class Broken:
    """A stretch that is no row: the line on which it begins, and why."""

    line: int
    reason: str


class _Line(NamedTuple):
    """A line, or (``is_whole`` is then false) the first ``MAX_ROW`` characters of one that is longer."""

    number: int
    head: str
    is_whole: bool = True

    @property
    def text(self) -> str | None:
        """The line; ``None`` where it is too long."""
        return self.head if self.is_whole else None


def read_rows(path: Path) -> Iterator[Row | Broken]:
    """The rows of a file, and what is none, in order. What follows a stretch that breaks off is not seen.

    Raises:
        BadInput: the file cannot be opened, or is nothing that this reads.
    """
    line = 0
    try:
        with _opened(path) as stream:
            lines = _lines(stream)
            first = next((each for each in lines if each.head.strip()), None)
            if first is None:
                return
            line = first.number
            start = first.head.lstrip()
            if start.startswith("["):
                rows = _array(first, stream)
            elif start.startswith("{") or not first.is_whole:
                rows = _objects(first, lines)
            elif _TRIPLE.fullmatch(start):
                rows = _table(_chained(first, lines), _TRIPLE_HEADER)
            elif "\t" in start or "," in start or _NAME.fullmatch(start):
                rows = _table(lines, first.head)
            else:
                raise BadInput(f"{path}, line {line}: neither JSON nor a table with a header")
            for row in rows:
                line = row.line
                yield row
    except (OSError, EOFError, zlib.error) as error:
        if line:
            yield Broken(line + 1, f"the file cannot be read to its end: {error}")
        else:
            raise BadInput(f"{path} cannot be read: {error}") from error


@contextmanager
def _opened(path: Path) -> Iterator[TextIO]:
    """The file's text, decompressed. Bytes that are not UTF-8 stay recognizable (``_UNDECODED``)."""
    with path.open("rb") as raw:
        magic = raw.peek(4)[:4]
        if magic.startswith(_PICKLE):
            raise BadInput(f"{path} is a Python pickle, which is never opened: write it out as JSON lines first")
        packed: Any = raw
        if magic.startswith(b"\x1f\x8b"):
            packed = gzip.GzipFile(fileobj=raw)
        elif magic.startswith(b"BZh"):
            packed = bz2.BZ2File(raw)
        plain = io.BufferedReader(packed, _CHUNK)
        is_wide = plain.peek(2)[:2] in {b"\xff\xfe", b"\xfe\xff"}
        encoding, errors = ("utf-16", "replace") if is_wide else ("utf-8-sig", "surrogateescape")
        yield io.TextIOWrapper(plain, encoding, errors=errors, newline="")


def _lines(stream: TextIO) -> Iterator[_Line]:
    number = 0
    while text := stream.readline(MAX_ROW):
        number += 1
        is_whole = len(text) < MAX_ROW or text.endswith("\n")
        yield _Line(number, text, is_whole)
        while not is_whole:
            rest = stream.readline(MAX_ROW)
            is_whole = not rest or rest.endswith("\n")


def _chained(first: _Line, rest: Iterator[_Line]) -> Iterator[_Line]:
    yield first
    yield from rest


def _objects(first: _Line, rest: Iterator[_Line]) -> Iterator[Row | Broken]:
    """One JSON object a line; empty lines are passed over."""
    for each in _chained(first, rest):
        number, text = each.number, each.text
        if text is None:
            yield Broken(number, _TOO_LONG)
        elif text.strip():
            try:
                value = json.loads(text)
            except (ValueError, RecursionError) as error:
                reason = "not UTF-8" if _UNDECODED.search(text) else f"no JSON ({str(error).splitlines()[0]})"
                yield Broken(number, reason)
            else:
                yield _row(number, text, value)


def _row(line: int, text: str, value: Any) -> Row | Broken:
    if _UNDECODED.search(text):
        return Broken(line, "not UTF-8")
    if not isinstance(value, dict):
        return Broken(line, "no JSON object")
    return Row(line, value) if _is_text(text, value) else Broken(line, "half a surrogate pair, which is no character")


def _is_text(text: str, value: Any) -> bool:
    """Whether a JSON value can be written out again: an escape may stand for half a character."""
    if not _HALF.search(text):
        return True
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def _array(first: _Line, stream: TextIO) -> Iterator[Row | Broken]:
    """The objects of one JSON array, each as soon as it is whole."""
    decoder = json.JSONDecoder()
    text = first.head
    at, line = text.index("[") + 1, first.number
    wanted = (
        0  # characters before it is worth trying again: they double, so that no object costs the square of its size
    )
    ended = False
    while True:
        begin = at
        while at < len(text) and text[at] in _BETWEEN:
            at += 1
        line += text.count("\n", begin, at)
        if text.startswith("]", at):
            return
        if at < len(text) and (ended or len(text) - at >= wanted):
            try:
                value, end = decoder.raw_decode(text, at)
            except (ValueError, RecursionError):
                wanted = 2 * (len(text) - at)
            else:
                yield _row(line, text[at:end], value)
                line += text.count("\n", at, end)
                at, wanted = end, 0
                continue
        if ended or len(text) - at > MAX_ROW:
            yield Broken(line, "the JSON array is damaged, or breaks off, here")
            return
        more = stream.read(max(_CHUNK, wanted - (len(text) - at)))
        ended = not more
        text, at = text[at:] + more, 0


def _table(lines: Iterator[_Line], header: str) -> Iterator[Row | Broken]:
    """The rows of a table whose header names its columns. A quoted field may hold line ends."""
    csv.field_size_limit(MAX_ROW)
    numbers: list[int] = []  # of the lines of the row that is being read
    too_long: set[int] = set()

    def texts() -> Iterator[str]:
        for each in lines:
            numbers.append(each.number)
            if not each.is_whole:
                too_long.add(each.number)
            yield each.text or ""

    delimiter = "\t" if "\t" in header else ","
    names = next(csv.reader([header.rstrip("\r\n")], delimiter=delimiter))
    rows = csv.reader(texts(), delimiter=delimiter)
    while True:
        numbers.clear()
        try:
            values = next(rows)
        except StopIteration:
            return
        except csv.Error as error:
            yield Broken(numbers[0] if numbers else 0, f"no row of a table ({error})")
            continue
        if not values and not too_long.intersection(numbers):
            continue
        if too_long.intersection(numbers):
            yield Broken(numbers[0], _TOO_LONG)
        elif any(map(_UNDECODED.search, values)):
            yield Broken(numbers[0], "not UTF-8")
        elif len(values) != len(names):
            yield Broken(numbers[0], f"{len(values)} columns where the header has {len(names)}")
        else:
            yield Row(numbers[0], dict(zip(names, values, strict=True)))
