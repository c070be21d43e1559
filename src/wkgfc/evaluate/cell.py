"""One cell of a table: a method over the claims of a set, in a folder that a later run goes on with.

``cell.json`` says what is run; a folder that says something else is refused. ``results.jsonl`` has a line for each
claim that is done, ``metrics.json`` the scores once all are.
"""

import hashlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from wkgfc.baselines.floors import Fitted
from wkgfc.baselines.method import CannotCheck
from wkgfc.baselines.registry import Part, make_method
from wkgfc.config import Settings
from wkgfc.datasets import LabelledClaim
from wkgfc.errors import BadInput
from wkgfc.evaluate.records import Results, in_order
from wkgfc.evaluate.scores import scores_of
from wkgfc.evaluate.sets import Sight
from wkgfc.evaluate.workbench import Workbench
from wkgfc.evaluate.workers import Job, Workers
from wkgfc.evidence import Record
from wkgfc.recording import NOT_RECORDED
from wkgfc.stores import Progress, silent

LAYOUT = 1  # of a cell's folder: a folder of another one is refused
CELL, METRICS = "cell.json", "metrics.json"
# Settings that change how a check waits or what it keeps, and nothing of what it finds.
NOT_COMPARED = frozenset(
    {*NOT_RECORDED, "kg", "web", "verifier", "benchmark", "cache_bytes", "llm_concurrency"}
    | {name for name in Settings.model_fields if name.startswith(("run_", "serve_"))}
)


class Cell(Record):
    """What is run: a method (with a part of it switched off), over which claims, seeing what.

    ``set_name`` is what the claims are called; ``ids`` a digest of all that their file says of them, in order: ids,
    texts, labels, dates, and the texts that come with them.
    """

    method: str
    without: Part | None = None
    set_name: str
    sight: Sight
    limit: int | None = None
    seed: int | None = None
    n: int
    ids: str
    fitted: Fitted | None = None

    @property
    def key(self) -> str:
        """A name for it among the cells of a table."""
        return "--".join([self.set_name, self.method, *([f"without-{self.without}"] if self.without else [])])


class Description(Record):
    """What a folder says of its run; ``settings`` are those that change a result."""

    layout: int
    version: str
    cell: Cell
    settings: dict[str, Any]
    sources: dict[str, str]


def cell_of(
    method: str,
    rows: Sequence[LabelledClaim],
    set_name: str,
    sight: Sight,
    *,
    without: Part | None = None,
    limit: int | None = None,
    seed: int | None = None,
    fitted: Fitted | None = None,
) -> Cell:
    """The cell of a method over some claims.

    Raises:
        BadInput: there are no claims, or two with one id.
    """
    if not rows:
        raise BadInput(f"{set_name} has no claims to check")
    ids = [row.id for row in rows]
    if len(set(ids)) < len(ids):
        twice = next(each for each in ids if ids.count(each) > 1)
        raise BadInput(f"{set_name} has two claims with the id {twice!r}: each result is kept by its id")
    digest = hashlib.sha256("\n".join(row.model_dump_json() for row in rows).encode()).hexdigest()
    return Cell(
        method=method,
        without=without,
        set_name=set_name,
        sight=sight,
        limit=limit,
        seed=seed,
        n=len(rows),
        ids=digest[:16],
        fitted=fitted,
    )


def run_cell(
    cell: Cell,
    rows: Sequence[LabelledClaim],
    workers: Workers,
    folder: Path,
    *,
    progress: Progress = silent,
    **changes: Any,
) -> dict[str, Any]:
    """Check every claim that the folder does not have yet, and give (and write) the scores of all.

    It may be interrupted at any time: what is done stays, and the same call goes on with it. ``changes`` are other
    values of settings that nothing is opened by (``Workbench.having``).

    Raises:
        BadInput: the folder has another run, or a damaged one.
        NotConfigured: the method cannot be run with what there is.
    """
    workbench = workers.workbench.having(**changes)
    make_method(cell.method, workbench.tools, fitted=cell.fitted, without=cell.without)  # before the folder is taken
    _claim_folder(cell, workbench, folder)
    results = Results(folder)
    finished = results.finished()
    left = [row for row in rows if row.id not in finished]
    done = len(rows) - len(left)
    progress(cell.key, done, len(rows))
    job = Job(method=cell.method, without=cell.without, fitted=cell.fitted, sight=cell.sight, source=cell.set_name)
    try:
        for line in workers.check(job, left, workbench):
            results.append(line)
            done += 1
            progress(cell.key, done, len(rows))
    except CannotCheck:
        if not results.path.exists():  # nothing was run, so nothing is left behind
            (folder / CELL).unlink()
            folder.rmdir()
        raise
    return write_metrics(cell, rows, folder)


def write_metrics(cell: Cell, rows: Sequence[LabelledClaim], folder: Path) -> dict[str, Any]:
    """The scores of a finished cell, written beside its results."""
    records = in_order(list(Results(folder).read()), rows)
    found = _read_json(folder / CELL)
    scores: dict[str, Any] = {
        "method": cell.method,
        "without": cell.without,
        "set": cell.set_name,
        "sees": cell.sight.text,
    }
    scores |= scores_of(records)
    scores |= {"seed": cell.seed, "limit": cell.limit, "version": found["version"], "sources": found["sources"]}
    (folder / METRICS).write_text(json.dumps(scores, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return scores


def _claim_folder(cell: Cell, workbench: Workbench, folder: Path) -> None:
    """Say in the folder what is run there, or see that it says so already."""
    said = _description(cell, workbench).model_dump(mode="json")
    path = folder / CELL
    if path.exists():
        differing = [f"{name} was {before}, is {now}" for name, before, now in differences(_read_json(path), said)]
        if differing:
            raise BadInput(f"{folder} has another run ({'; '.join(differing[:4])}): give another --out, or delete it")
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise BadInput(f"{folder} has files, but no run that could be gone on with: give another --out")
        path.write_text(json.dumps(said, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise BadInput(f"{folder} cannot be written: {error.strerror}") from error


def _description(cell: Cell, workbench: Workbench) -> Description:
    from importlib.metadata import version  # noqa: PLC0415 - a look at the package's files

    tools = workbench.tools
    verifier = tools.verifier
    sources = {
        "reasoner": f"{tools.reasoner.name} {tools.reasoner.policy}",
        "verifier": f"{verifier.name} (temperature {verifier.temperature:g}, {verifier.digest[:12]})",
    }
    if cell.sight.kg:
        sources["kg"] = f"{workbench.graph.name} {workbench.graph.version}"
    if cell.sight.web == "sources" and workbench.web is not None:
        sources["web"] = f"{workbench.web.name} {workbench.web.version}"
    return Description(
        layout=LAYOUT,
        version=version("wkgfc"),
        cell=cell,
        settings=tools.settings.model_dump(mode="json", exclude=set(NOT_COMPARED)),
        sources=sources,
    )


def differences(before: Any, now: Any, name: str = "") -> Iterator[tuple[str, Any, Any]]:
    """What differs between what two folders say is run there: a dotted name, and the value of each."""
    if isinstance(before, dict) and isinstance(now, dict):
        for key in sorted({*before, *now}):
            yield from differences(before.get(key), now.get(key), f"{name}.{key}".strip("."))
    elif before != now:
        yield name, before, now


def _read_json(path: Path) -> Any:
    try:
        return json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise BadInput(f"{path} cannot be read: delete its folder to begin anew") from error


def read_cell(folder: Path) -> Cell:
    """What was run in a folder.

    Raises:
        BadInput: nothing was, or by another version.
    """
    return read_description(folder).cell


def read_description(folder: Path) -> Description:
    """What was run in a folder, and all that is said of it: settings, sources and version too.

    Raises:
        BadInput: nothing was, or by another version.
    """
    if not (folder / CELL).is_file():
        raise BadInput(f"{folder} has no run: {CELL} is missing")
    said = _read_json(folder / CELL)
    try:
        if said["layout"] != LAYOUT:
            raise BadInput(f"{folder} is of another version of wkgfc (layout {said['layout']}, not {LAYOUT})")
        return Description.model_validate(said)
    except (KeyError, TypeError, ValueError) as error:
        raise BadInput(f"{folder} is of another version of wkgfc, or damaged") from error
