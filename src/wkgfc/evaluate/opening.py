"""What a cell needs before it can be run: its claims, drawn; what the floors learn from development claims."""

from collections.abc import Callable, Sequence
from pathlib import Path

from wkgfc.baselines.floors import Fitted, fit
from wkgfc.baselines.registry import Known
from wkgfc.datasets import LabelledClaim, Problem, read_claims
from wkgfc.datasets.sampling import draw
from wkgfc.evaluate.given import seen_by
from wkgfc.evaluate.sets import Sight
from wkgfc.evaluate.workbench import Workbench

FIT_CLAIMS = 400  # development claims that a floor is fitted on: enough for a threshold, and a minute at most
FIT_SEED = 0


def draw_claims(
    path: Path,
    *,
    limit: int | None,
    seed: int | None,
    format: str | None = None,
    strict: bool = True,
    told: Callable[[Problem], None] | None = None,
) -> tuple[LabelledClaim, ...]:
    """The claims of a file, or a seeded sample of ``limit`` of them, each label by its share.

    What is wrong in the file is told with its line, and left out; with ``strict`` it ends everything before it begins.

    Raises:
        BadInput: the file cannot be read, or (``strict``) a line of it is wrong.
    """
    rows = read_claims(path, format=format, on_problem=None if strict else told, known_labels=True)
    if limit is None or limit >= len(rows):
        return rows
    if seed is None:
        return rows[:limit]
    ids = set(draw(rows, limit, seed=seed, source=path.name).ids)
    return tuple(row for row in rows if row.id in ids)


def fitted_for(method: Known, sight: Sight, path: Path, workbench: Workbench) -> Fitted | None:
    """What a floor learns from the development claims of a file; ``None`` for any other method.

    Overlaps are taken from what the floor will see: the same web, or the claims' own texts as documents.

    Raises:
        CannotCheck: there are too few of them.
        BadInput: the file cannot be read.
    """
    if not method.fits:
        return None
    name = path.name.split(".")[0]
    if method.name == "majority":
        return fit(draw_claims(path, limit=None, seed=None), name, workbench.tools)
    rows = draw_claims(path, limit=FIT_CLAIMS, seed=FIT_SEED)
    usable: Sequence[LabelledClaim] = rows
    if sight.document or sight.web == "own":
        usable = [row for row in rows if row.evidence]
    seen = sight if sight.web != "own" else Sight(document=True)
    return fit(usable, name, workbench.tools, lambda row: seen_by(seen, row, workbench.graph, workbench.web, name))
