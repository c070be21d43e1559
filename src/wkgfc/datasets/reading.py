"""Claim files, read: the format told from the content or named, rows streamed, what is wrong named with its line."""

import random
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wkgfc.claim import MAX_CLAIM_CHARACTERS, number_of_characters
from wkgfc.datasets.claims import LabelledClaim
from wkgfc.datasets.containers import Broken, Row, read_rows
from wkgfc.datasets.formats import FORMATS, columns_in_words, format_named, format_of
from wkgfc.datasets.labels import veracity_of
from wkgfc.datasets.rows import Format, Place, RowProblem
from wkgfc.errors import BadInput

OnProblem = Callable[["Problem"], None]


@dataclass(frozen=True)
class Problem:
    """A row that is left out, and why."""

    path: Path
    line: int
    reason: str

    def __str__(self) -> str:
        return f"{self.path}, line {self.line}: {self.reason}"


def read_claims(
    path: Path,
    *,
    format: str | None = None,
    limit: int | None = None,
    seed: int | None = None,
    on_problem: OnProblem | None = None,
    known_labels: bool = False,
) -> tuple[LabelledClaim, ...]:
    """The rows of a file. With ``limit``, the first ones, or a seeded sample in the file's order.

    With a seed and a limit the file is read twice, so that no more rows are held than are asked for.

    Args:
        path: a release's file, or one object a line; plain, gzip or bzip2.
        format: the name of a format, instead of the one that the first row's columns say.
        limit: at most so many rows.
        seed: which rows are drawn.
        on_problem: is told of each row that is left out. Without it the first such row ends the reading.
        known_labels: a label that no set uses is a problem too. (A release's own words are always checked.)

    Raises:
        BadInput: the file cannot be read, is empty, has no known columns; or, without ``on_problem``, a row is wrong.
            The text names the line.
    """
    if limit is None:
        return tuple(stream_claims(path, format=format, on_problem=on_problem, known_labels=known_labels))
    if seed is None:
        rows = stream_claims(path, format=format, on_problem=on_problem, known_labels=known_labels)
        return tuple(row for row, _ in zip(rows, range(limit), strict=False))
    number = sum(1 for _ in stream_claims(path, format=format, on_problem=on_problem, known_labels=known_labels))
    drawn = set(random.Random(seed).sample(range(number), min(limit, number)))
    again = stream_claims(path, format=format, on_problem=(lambda _: None), known_labels=known_labels)
    return tuple(row for index, row in enumerate(again) if index in drawn)


def stream_claims(
    path: Path, *, format: str | None = None, on_problem: OnProblem | None = None, known_labels: bool = False
) -> Iterator[LabelledClaim]:
    """The rows of a file, one after the other, in bounded memory. Arguments and errors are those of ``read_claims``."""
    chosen = format_named(format) if format is not None else None
    number = 0
    with closing(Seen()) as seen:
        pending = [path]
        while pending:
            file = pending.pop(0)
            reader = _Reader(file, chosen, on_problem, known_labels, seen)
            for claim in reader:
                number += 1
                yield claim
            chosen = reader.format
            if file == path and chosen is not None:
                pending.extend(chosen.beside(path))
    if not number:
        raise BadInput(f"{path} has no claims")


class _Reader:
    """One file being read."""

    def __init__(
        self, path: Path, format: Format | None, on_problem: OnProblem | None, known_labels: bool, seen: "Seen"
    ) -> None:
        self.path, self.format = path, format
        self._on_problem, self._known_labels, self._seen = on_problem, known_labels, seen

    def __iter__(self) -> Iterator[LabelledClaim]:
        index = 0
        for row in read_rows(self.path):
            if isinstance(row, Broken):
                self._problem(row.line, row.reason)
                continue
            try:
                claim = self._convert(row, index)
            except RowProblem as problem:
                self._problem(row.line, str(problem))
                claim = None
            index += 1
            if claim is not None:
                yield claim

    def _convert(self, row: Row, index: int) -> LabelledClaim | None:
        if self.format is None:
            self.format = format_of(row.fields)
        if self.format is None:
            names = ", ".join(map(str, row.fields)) or "none"
            raise BadInput(
                f"{self.path}, line {row.line}: no format has these columns ({names[:200]}). "
                f"Known are {columns_in_words(FORMATS.values())}"
            )
        claim = converted(self.format, row.fields, Place(self.path, index), known_labels=self._known_labels)
        if claim is None:
            return None
        self._seen.add(claim.id, row.line)
        return claim

    def _problem(self, line: int, reason: str) -> None:
        problem = Problem(self.path, line, reason)
        if self._on_problem is None:
            raise BadInput(str(problem))
        self._on_problem(problem)


def converted(
    format: Format, fields: Mapping[str, Any], place: Place, *, known_labels: bool = False
) -> LabelledClaim | None:
    """A row as a claim; ``None`` where the format leaves it out.

    Raises:
        RowProblem: it is of another shape than released, or no claim that can be checked.
    """
    try:
        claim = format.convert(fields, place)
    except RowProblem:
        raise
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise RowProblem(f"no row of {format.title} ({type(error).__name__}: {error})") from error
    if claim is None:
        return None
    if known_labels and claim.label is not None and veracity_of(claim.label) is None:
        raise RowProblem(f"no set has the label “{claim.label[:60]}”")
    if not any(map(str.isalnum, claim.claim)):
        raise RowProblem("the claim is empty")
    if (length := number_of_characters(claim.claim)) > MAX_CLAIM_CHARACTERS:
        raise RowProblem(f"the claim has {length:,} characters, over {MAX_CLAIM_CHARACTERS:,}")
    return claim


class Seen:
    """The ids that came before, in a database without a name: SQLite moves it to the disk once it is large."""

    def __init__(self) -> None:
        self._database = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        self._database.execute("PRAGMA synchronous = OFF")
        self._database.execute("PRAGMA journal_mode = OFF")
        self._database.execute("CREATE TABLE seen (id BLOB PRIMARY KEY, line INTEGER) WITHOUT ROWID")
        self._database.execute("BEGIN")

    def add(self, identifier: str, line: int) -> None:
        """Keep an id.

        Raises:
            RowProblem: it came before.
        """
        key = identifier.encode("utf-8", "surrogatepass")
        if not self._database.execute("INSERT OR IGNORE INTO seen VALUES (?, ?)", (key, line)).rowcount:
            (before,) = self._database.execute("SELECT line FROM seen WHERE id = ?", (key,)).fetchone()
            raise RowProblem(f"the id “{identifier[:80]}” was there before, on line {before}")

    def close(self) -> None:
        """Let go of the table."""
        self._database.close()
