"""What a cell needs before it can be run: its claims, drawn; what the floors learn from development claims."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from wkgfc.baselines.floors import Fitted, fit
from wkgfc.baselines.registry import Known
from wkgfc.datasets import LabelledClaim, Problem, stream_claims
from wkgfc.datasets.sampling import Sample, draw
from wkgfc.errors import BadInput
from wkgfc.evaluate.given import seen_by
from wkgfc.evaluate.sets import Kind, Sight
from wkgfc.evaluate.workbench import Workbench

FIT_CLAIMS = 400  # development claims that a floor is fitted on: enough for a threshold, and a minute at most
FIT_SEED = 0


@dataclass(frozen=True)
class Drawn:
    """The claims that are checked, with the sample that they are of the whole file.

    ``without_document`` claims were left out before the draw, as no document came with them to judge them by.
    """

    rows: tuple[LabelledClaim, ...]
    sample: Sample
    without_document: int


def draw_sample(
    path: Path,
    *,
    limit: int | None,
    seed: int,
    kind: Kind = "open",
    format: str | None = None,
    strict: bool = True,
    told: Callable[[Problem], None] | None = None,
) -> Drawn:
    """The claims of a file, or a seeded sample of ``limit`` of them, each label by its share.

    What is wrong in the file goes to ``told`` with its line, and is left out; with ``strict``, or where nobody is told,
    it ends everything before it begins.
    Of a ``grounded`` set a claim without a document is such a thing: some methods cannot judge it, and others could, so
    that they would not be scored on the same claims.

    Raises:
        BadInput: the file cannot be read, or has no such claim, or (``strict``) something in it is wrong.
    """
    usable = _Usable(path, kind, format, None if strict else told)
    rows: Iterable[LabelledClaim] = usable if limit is not None else tuple(usable)
    sample, drawn = draw(rows, limit or max(usable.number, 1), seed=seed, source=path.name)
    if not drawn:
        raise BadInput(f"{path} has no claim with a document")
    if usable.lacking and strict:
        raise BadInput(
            f"{path}: {usable.lacking} claims have no document to be judged by; without --strict they are left out"
        )
    return Drawn(drawn, sample, usable.lacking)


class _Usable:
    """The claims of a file that can be checked, read anew each time; what is wrong in it is told the first time.

    Once they were gone through, ``number`` says how many there are, and ``lacking`` how many have no document.
    """

    def __init__(self, path: Path, kind: Kind, format: str | None, told: Callable[[Problem], None] | None) -> None:
        self._path, self._kind, self._format, self._told = path, kind, format, told
        self.number = self.lacking = 0

    def __iter__(self) -> Iterator[LabelledClaim]:
        number = lacking = 0
        for row in stream_claims(self._path, format=self._format, on_problem=self._told, known_labels=True):
            if self._kind != "grounded" or any(each.text.strip() for each in row.evidence):
                number += 1
                yield row
            else:
                lacking += 1
        self.number, self.lacking = number, lacking
        if self._told is not None:
            self._told = lambda _: None


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
        return fit(draw_sample(path, limit=None, seed=FIT_SEED).rows, name, workbench.tools)
    rows = draw_sample(path, limit=FIT_CLAIMS, seed=FIT_SEED).rows
    usable: Sequence[LabelledClaim] = rows
    if sight.document or sight.web == "own":
        usable = [row for row in rows if row.evidence]
    seen = sight if sight.web != "own" else Sight(document=True)
    return fit(
        usable,
        name,
        workbench.tools,
        lambda row: seen_by(seen, row, workbench.graph, workbench.web, name),
        workbench.run,
    )
