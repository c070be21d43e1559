"""What the converters of all sets share: a row's fields, its label, its date, and what is wrong with it."""

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wkgfc.datasets.claims import LabelledClaim
from wkgfc.datasets.labels import LABELS, folded

Fields = Mapping[str, Any]
_DATES = ("%Y-%m-%d", "%d-%m-%Y", "%B %d, %Y", "%b %d, %Y", "%m/%d/%Y")  # as the sets write them


class RowProblem(ValueError):
    """Why a row is no labelled claim."""


@dataclass(frozen=True)
class Place:
    """Where a row stands: its file, and how many rows come before it. Ids of sets without ids are made of it."""

    path: Path
    index: int

    @property
    def file(self) -> str:
        """The file's name without endings; the folder's where that says nothing: ``bingcheck/data.jsonl``."""
        stem = self.path.name.split(".")[0]
        return self.path.parent.name if stem == "data" and self.path.parent.name else stem


@dataclass(frozen=True)
class Format:
    """How the rows of one release become labelled claims.

    ``columns`` are sets of columns, one of which a row must have to be of it: a release, and what Hugging Face made of
    it. ``convert`` gives the claim, or ``None`` for a row that belongs to another part of the release, and raises
    ``RowProblem``. ``beside`` names the files that are read after one, where they are there.
    """

    name: str
    title: str
    columns: tuple[frozenset[str], ...]
    convert: Callable[[Fields, Place], LabelledClaim | None]
    beside: Callable[[Path], Sequence[Path]] = lambda _: ()

    def fits(self, fields: Fields) -> bool:
        """Whether a row has the columns of this release."""
        return any(columns <= fields.keys() for columns in self.columns)


def columns(*names: str) -> frozenset[str]:
    """Columns that a release has."""
    return frozenset(names)


def text_of(fields: Fields, name: str) -> str:
    """A column that must be there, as text without white space around it.

    Raises:
        RowProblem: it is missing, empty, or no text.
    """
    if name not in fields:
        raise RowProblem(f"no column “{name}”")
    value = fields[name]
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise RowProblem(f"the column “{name}” is no text")
    text = str(value).strip()
    if not text:
        raise RowProblem(f"the column “{name}” is empty")
    return text


def optional_text(fields: Fields, name: str) -> str | None:
    """A column as text, where it is there and says something."""
    value = fields.get(name)
    return value.strip() or None if isinstance(value, str) else None


def list_of(fields: Fields, name: str) -> list[Any]:
    """A column that holds a list; an empty one where it is missing or null.

    Raises:
        RowProblem: it holds something else.
    """
    value = fields.get(name)
    if value is None:
        return []
    if not isinstance(value, list | tuple):
        raise RowProblem(f"the column “{name}” is no list")
    return list(value)


def label_of(fields: Fields, dataset: str, name: str = "label") -> str:
    """The label, as the set writes it.

    Raises:
        RowProblem: it is missing, or none of the set's words.
    """
    value = fields.get(name)
    word = str(value).strip() if not isinstance(value, bool) else str(value).lower()
    if value is None or not word:
        raise RowProblem(f"no label in the column “{name}”")
    known = {folded(each): each for each in LABELS[dataset]}
    if folded(word) not in known:
        raise RowProblem(f"the label “{word[:60]}” is none of {dataset}'s: {', '.join(LABELS[dataset])}")
    return known[folded(word)]


def date_of(fields: Fields, name: str) -> dt.date | None:
    """A date, where there is one.

    Raises:
        RowProblem: there is something else.
    """
    text = optional_text(fields, name)
    if text is None:
        return None
    for pattern in _DATES:
        try:
            return dt.datetime.strptime(text[:40], pattern).date()
        except ValueError:
            continue
    raise RowProblem(f"“{text[:40]}” in the column “{name}” is no date")


def kept(**values: Any) -> dict[str, Any]:
    """The values that say something."""
    return {name: value for name, value in values.items() if value not in (None, "", [], {})}
