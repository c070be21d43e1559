"""The cells of a table: run or gone on with, each in a folder of its own, and what a table needs of each."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from wkgfc.baselines.method import CannotCheck
from wkgfc.baselines.registry import METHODS, Part
from wkgfc.datasets import LabelledClaim, Problem
from wkgfc.datasets.labels import label_map, label_map_in_words
from wkgfc.datasets.sampling import write_sample
from wkgfc.evaluate.cell import METRICS, cell_of, run_cell
from wkgfc.evaluate.claims_data import packed, points_of, summary_of
from wkgfc.evaluate.losses import LOSSES, lost_at
from wkgfc.evaluate.mistakes import MISTAKES, failed
from wkgfc.evaluate.opening import draw_sample, fitted_for
from wkgfc.evaluate.records import Results, in_order
from wkgfc.evaluate.sets import ClaimSet, Sight, find_set
from wkgfc.evaluate.workers import Workers
from wkgfc.stores import Progress, silent


@dataclass(frozen=True)
class Claims:
    """The claims of a set that are checked; those ``without_document`` of a set that needs one were left out."""

    of: ClaimSet
    path: Path
    rows: tuple[LabelledClaim, ...]
    without_document: int = 0

    @property
    def labels(self) -> str:
        """What became of each label of the set, with counts: the paper's label map as it was used."""
        return label_map_in_words(label_map(row.label for row in self.rows))

    @property
    def by_hops(self) -> dict[int, frozenset[str]]:
        """The ids of the claims of each number of hops, where the set says it."""
        found: dict[int, set[str]] = {}
        for row in self.rows:
            if isinstance(row.meta.get("hops"), int):
                found.setdefault(row.meta["hops"], set()).add(row.id)
        return {hops: frozenset(found[hops]) for hops in sorted(found)}


@dataclass(frozen=True)
class Run:
    """A finished cell.

    ``points`` are its two-way points by claim, ``mistakes`` ids of failed claims by kind, ``losses`` by the part that
    lost them.
    """

    key: str
    title: str
    sight: Sight
    scores: dict[str, Any]
    points: dict[str, float]
    failed: tuple[str, ...]
    mistakes: dict[str, tuple[str, ...]]
    losses: dict[str, tuple[str, ...]]
    packed: str


@dataclass(frozen=True)
class Refused:
    """A cell that cannot be run, and why."""

    reason: str


@dataclass
class Runs:
    """Runs the cells of a table.

    Args:
        workers: whoever checks.
        data: the folder of the sets.
        cells: the folder of the cells; tables that share it share them.
        limit, seed: the sample of each set, each label by its share.
    """

    workers: Workers
    data: Path | None
    cells: Path
    limit: int | None = None
    seed: int = 0
    progress: Progress = silent
    told: Callable[[Problem], None] | None = None
    _claims: dict[str, Claims] = field(default_factory=dict)

    def claims(self, name: str) -> Claims:
        """The claims of a set, drawn; the ids of the sample are written beside the cells, each sample in its own file.

        Raises:
            BadInput: there is no such set, or its file cannot be read.
        """
        if name not in self._claims:
            known, path = find_set(name, self.data)
            drawn = draw_sample(path, limit=self.limit, seed=self.seed, kind=known.kind, strict=False, told=self.told)
            self.cells.mkdir(parents=True, exist_ok=True)
            which = "all" if self.limit is None else f"seed-{self.seed}-limit-{self.limit}"
            write_sample(drawn.sample, self.cells / f"{known.name}.{which}.sample.json")
            self._claims[name] = Claims(known, path, drawn.rows, drawn.without_document)
        return self._claims[name]

    def run(
        self,
        method: str,
        claims: Claims,
        sight: Sight,
        *,
        mark: str = "",
        without: Part | None = None,
        **changes: Any,
    ) -> Run | Refused:
        """Run a cell, or go on with it. ``mark`` and ``changes`` (of settings) become part of its name.

        Raises:
            BadInput: its folder has another run.
        """
        known = METHODS[method]
        try:
            fitted = None
            if known.fits:
                _, path = find_set(claims.of.development, self.data)
                fitted = fitted_for(known, sight, path, self.workers.workbench)
            cell = cell_of(
                method,
                claims.rows,
                claims.of.name,
                sight,
                without=without,
                limit=self.limit,
                seed=self.seed,
                fitted=fitted,
            )
            marks = [mark] if mark else []
            key = "--".join([cell.key, *marks, *(f"{name}-{value}" for name, value in changes.items())])
            run_cell(cell, claims.rows, self.workers, self.cells / key, progress=self.progress, **changes)
        except CannotCheck as error:
            return Refused(str(error))
        title = " ".join([known.title, *(f"({each})" for each in marks), "on", claims.of.name])
        return load(self.cells / key, key, title, sight, claims.rows)


def load(folder: Path, key: str, title: str, sight: Sight, rows: Sequence[LabelledClaim]) -> Run:
    """What a table needs of a finished cell."""
    records = in_order(list(Results(folder).read()), rows)
    wrong = failed(records)
    return Run(
        key=key,
        title=title,
        sight=sight,
        scores=json.loads((folder / METRICS).read_bytes()),
        points={record.id: points for record in records if (points := points_of(record)) is not None},
        failed=tuple(record.id for record in wrong),
        mistakes={each.name: tuple(record.id for record in wrong if each.holds(record)) for each in MISTAKES},
        losses={name: tuple(record.id for record in wrong if lost_at(record) == name) for name in LOSSES},
        packed=packed(map(summary_of, records)),
    )
