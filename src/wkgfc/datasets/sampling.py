"""Seeded, stratified samples whose ids are written down, so that a figure can be had again on the same claims.

The paper drew 1,332 claims of FEVER and of HOVER and 200 of LIAR-New and published no ids; ours are in a file.
"""

import json
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from wkgfc.datasets.claims import LabelledClaim
from wkgfc.errors import BadInput

Strata = Literal["label", "two_class"]


class Stratum(BaseModel):
    """The rows of one label: how many there are, and how many were drawn."""

    model_config = ConfigDict(frozen=True)

    name: str
    rows: int
    drawn: int


class Sample(BaseModel):
    """What ``sample.json`` says: which rows of which file were drawn, and how."""

    model_config = ConfigDict(frozen=True)

    kind: Literal["wkgfc sample"] = "wkgfc sample"
    layout: Literal[1] = 1
    source: str
    rows: int
    seed: int
    by: Strata
    balanced: bool
    strata: tuple[Stratum, ...]
    ids: tuple[str, ...]


def draw(
    rows: Iterable[LabelledClaim],
    size: int,
    *,
    seed: int,
    source: str,
    by: Strata = "label",
    balanced: bool = False,
) -> tuple[Sample, tuple[LabelledClaim, ...]]:
    """Draw ``size`` rows, each stratum by its share of all rows, or (``balanced``) all strata alike.

    What does not divide goes to the strata with the largest remainders; what a stratum has too few of, to the others.
    Rows that ``two_class`` drops are not drawn by it. The same rows, size and seed give the same sample. ``rows`` are
    gone through twice, and only those that are drawn are held and come back.

    Raises:
        BadInput: ``size`` is not positive.
    """
    if size < 1:
        raise BadInput("a sample has one row at least")
    number = 0
    sizes: Counter[str] = Counter()
    for row in rows:
        number += 1
        if (name := _stratum(row, by)) is not None:
            sizes[name] += 1
    names = sorted(sizes)
    shares = dict(zip(names, _shares([sizes[name] for name in names], size, balanced), strict=True))
    generator = random.Random(seed)
    drawn = {name: frozenset(generator.sample(range(sizes[name]), shares[name])) for name in names}
    passed: Counter[str] = Counter()
    kept: list[LabelledClaim] = []
    for row in rows:
        if (name := _stratum(row, by)) is not None:
            if passed[name] in drawn[name]:
                kept.append(row)
            passed[name] += 1
    sample = Sample(
        source=source,
        rows=number,
        seed=seed,
        by=by,
        balanced=balanced,
        strata=tuple(Stratum(name=name, rows=sizes[name], drawn=shares[name]) for name in names),
        ids=tuple(row.id for row in kept),
    )
    return sample, tuple(kept)


def _stratum(row: LabelledClaim, by: Strata) -> str | None:
    name = row.label or "no label" if by == "label" else row.two_class
    return None if name is None else str(name)


def _shares(sizes: Sequence[int], total: int, balanced: bool) -> list[int]:
    """How many rows each stratum gives."""
    taken = [0] * len(sizes)
    while (left := min(total, sum(sizes)) - sum(taken)) > 0:
        room = [index for index, size in enumerate(sizes) if taken[index] < size]
        weights = [1 if balanced else sizes[index] for index in room]
        exact = [left * weight / sum(weights) for weight in weights]
        whole = [min(int(share), sizes[index] - taken[index]) for index, share in zip(room, exact, strict=True)]
        by_remainder = sorted(range(len(room)), key=lambda each: (whole[each] - exact[each], room[each]))
        for each in by_remainder[: left - sum(whole)]:
            whole[each] += whole[each] < sizes[room[each]] - taken[room[each]]
        for index, number in zip(room, whole, strict=True):
            taken[index] += number
    return taken


def write_sample(sample: Sample, path: Path) -> None:
    """Write a sample down.

    Raises:
        BadInput: the file cannot be written.
    """
    try:
        path.write_text(json.dumps(sample.model_dump(), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise BadInput(f"{path} cannot be written: {error.strerror}") from error


def read_sample(path: Path) -> Sample:
    """Read what ``write_sample`` wrote.

    Raises:
        BadInput: the file cannot be read, or is no sample of this version.
    """
    try:
        return Sample.model_validate_json(path.read_bytes())
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}") from error
    except ValidationError as error:
        raise BadInput(f"{path} is no sample that this version reads: {error.errors()[0]['msg']}") from error


def rows_of(sample: Sample, rows: Sequence[LabelledClaim]) -> list[LabelledClaim]:
    """The rows of a sample, in the file's order.

    Raises:
        BadInput: some are not there: it is another file, or another version of it.
    """
    wanted = set(sample.ids)
    found = [row for row in rows if row.id in wanted]
    if len(found) != len(wanted):
        missing = sorted(wanted - {row.id for row in found})
        raise BadInput(
            f"{len(missing)} of {len(wanted)} rows of the sample of {sample.source} are not there, such as {missing[0]}"
        )
    return found
