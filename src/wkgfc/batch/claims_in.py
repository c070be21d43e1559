"""The claims of a file, streamed: JSON lines, a JSON array, a table with commas or tabs, Parquet.

A row that is no claim is a row all the same, with the reason, so that what comes out has what went in.
"""

import datetime as dt
import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from wkgfc.batch.rows import ClaimRow
from wkgfc.claim import MAX_CLAIM_CHARACTERS
from wkgfc.datasets.containers import Broken, read_rows
from wkgfc.datasets.formats import FORMATS, columns_in_words, format_named, format_of
from wkgfc.datasets.rows import Format, Place, RowProblem, date_of
from wkgfc.errors import BadInput, NotConfigured

CLAIM = "claim"  # the column of the claim, where nothing else is said
MAX_ID_CHARACTERS = 500  # of an id, a speaker, a language: what is longer is no such thing
PARQUET_ROWS = 1_024  # rows of a Parquet file in memory
_PARQUET = b"PAR1"


def read_claims(path: Path, *, column: str = CLAIM, format: str | None = None, skip: int = 0) -> Iterator[ClaimRow]:
    """The rows of a file from number ``skip`` on, in bounded memory.

    A row has its claim in ``column``, and may have ``id``, ``date`` (2019-05-01), ``speaker`` and ``language``. A row
    without an id has the one that its line gives it. Where the first row has no such column, it is read as one of the
    formats of ``docs/datasets.md``, which ``format`` names where the columns do not say it.

    Raises:
        BadInput: the file cannot be read, or has neither that column nor those of a format.
        NotConfigured: it is a Parquet file, and the package for those is missing.
    """
    chosen = format_named(format) if format is not None else None
    is_plain = False
    for place, (line, fields, problem) in enumerate(_rows(path)):
        if fields is not None and chosen is None and not is_plain:
            is_plain = column in fields
            chosen = format_of(fields) if not is_plain and column == CLAIM else None
            if chosen is None and not is_plain:
                names = ", ".join(map(str, fields))[:200] or "none"
                raise BadInput(
                    f"{path}, line {line}: no column “{column}” among {names}: name it with --column, or the format "
                    f"with --claims-format; known are {columns_in_words(FORMATS.values())}"
                )
        if place < skip:
            continue
        if fields is None:
            yield _problem(place, line, problem)
            continue
        try:
            yield _of_format(chosen, fields, path, place, line) if chosen else _plain(fields, column, place, line)
        except RowProblem as wrong:
            yield _problem(place, line, str(wrong))


def digest_of(path: Path, *, column: str = CLAIM, format: str | None = None) -> str:
    """What tells claims from others: the SHA-256 of the file's bytes, with the way they are read where it is said.

    Raises:
        BadInput: it cannot be read.
    """
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror or error}") from error
    is_said = column != CLAIM or format is not None
    return f"{digest} {json.dumps([column, format])}" if is_said else digest


def _rows(path: Path) -> Iterator[tuple[int, Mapping[str, Any] | None, str]]:
    """Line, fields and problem of each row; fields where it is one, else the problem."""
    if _is_parquet(path):
        for number, fields in enumerate(_parquet_rows(path), 1):
            yield number, fields, ""
        return
    for row in read_rows(path):
        if isinstance(row, Broken):
            yield row.line, None, row.reason
        else:
            yield row.line, row.fields, ""


def _is_parquet(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(4) == _PARQUET
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror or error}") from error


def _parquet_rows(path: Path) -> Iterator[Mapping[str, Any]]:
    try:
        import pyarrow  # type: ignore[import-untyped, unused-ignore]  # noqa: PLC0415 - an extra, and a large one
        import pyarrow.parquet  # type: ignore[import-untyped, unused-ignore]  # noqa: PLC0415
    except ImportError as error:
        raise NotConfigured("Parquet files need a package that is missing: pip install 'wkgfc[parquet]'") from error
    try:
        with pyarrow.parquet.ParquetFile(path) as file:
            for batch in file.iter_batches(batch_size=PARQUET_ROWS):
                yield from batch.to_pylist()
    except (pyarrow.ArrowException, OSError) as error:
        raise BadInput(f"{path} cannot be read as Parquet: {str(error).splitlines()[0][:200]}") from error


def _plain(fields: Mapping[str, Any], column: str, place: int, line: int) -> ClaimRow:
    text = fields.get(column)
    if not isinstance(text, str) or not any(map(str.isalnum, text)):
        raise RowProblem(f"the claim in “{column}” is empty" if text in (None, "") else f"no claim in “{column}”")
    return ClaimRow(
        place=place,
        line=line,
        id=_identifier(fields.get("id"), line),
        text=_bounded(text),
        date=_date(fields.get("date")),
        speaker=_short(fields, "speaker"),
        language=_short(fields, "language"),
    )


def _of_format(format: Format, fields: Mapping[str, Any], path: Path, place: int, line: int) -> ClaimRow:
    try:
        claim = format.convert(fields, Place(path, place))
    except RowProblem:
        raise
    except (KeyError, TypeError, AttributeError, ValueError) as error:  # a column of another shape than released
        raise RowProblem(f"no row of {format.title} ({type(error).__name__}: {error})") from error
    if claim is None:
        raise RowProblem("no claim of this part of the release")
    date = claim.date.isoformat() if claim.date else None
    speaker = claim.speaker[:MAX_ID_CHARACTERS] if claim.speaker else None
    return ClaimRow(place, line, _identifier(claim.id, line), _bounded(claim.claim), date, speaker)


def _problem(place: int, line: int, reason: str) -> ClaimRow:
    return ClaimRow(place, line, f"line {line}", problem=reason)


def _identifier(value: Any, line: int) -> str:
    if value in (None, ""):
        return f"line {line}"
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise RowProblem(f"the id {json.dumps(value, default=str)[:60]} is neither text nor a number")
    if len(str(value)) > MAX_ID_CHARACTERS:
        raise RowProblem(f"the id has over {MAX_ID_CHARACTERS} characters")
    return _storable(str(value))


def _bounded(text: str) -> str:
    # White space is folded later; what is far too long is not carried along.
    if len(text) > 4 * MAX_CLAIM_CHARACTERS:
        raise RowProblem(f"the claim has {len(text):,} characters, over {MAX_CLAIM_CHARACTERS:,}")
    return _storable(text)


def _storable(text: str) -> str:
    """Text that every database takes: without the sign that ends a string elsewhere."""
    return text.replace("\0", " ")


def _date(value: Any) -> str | None:
    if value in (None, ""):
        return None
    if isinstance(value, dt.date):  # of a Parquet file; a time is one too
        return dt.date(value.year, value.month, value.day).isoformat()
    text = str(value)
    if text.isdigit() and len(text) != 8:  # seconds since 1970, which Python would take for a day
        raise RowProblem(f"“{text[:40]}” in the column “date” is no date")
    try:
        return dt.date.fromisoformat(text[:10]).isoformat()
    except ValueError:
        day = date_of({"date": text}, "date")  # as the benchmark sets write it
        return day.isoformat() if day else None


def _short(fields: Mapping[str, Any], name: str) -> str | None:
    value = fields.get(name)
    if value in (None, ""):
        return None
    if not isinstance(value, str) or len(value) > MAX_ID_CHARACTERS:
        raise RowProblem(f"“{name}” is no short text")
    return _storable(value)
