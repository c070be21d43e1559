"""What a set of claims is like: the paper's table 2, and the label map under it."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from wkgfc.claim import Veracity
from wkgfc.datasets import LabelledClaim
from wkgfc.datasets.labels import LabelUse, label_map


@dataclass(frozen=True)
class PaperRow:
    """A row of the paper's table 2, as it stands there."""

    size: int
    has_evidence: bool
    negative_rate: float


PAPER: dict[str, PaperRow] = {
    "FEVER": PaperRow(1_332, False, 50.0),
    "HOVER": PaperRow(1_332, False, 50.0),
    "LIAR-New": PaperRow(200, False, 76.0),
    "AVeriTeC": PaperRow(465, False, 73.7),
    "SummEval": PaperRow(1_600, True, 18.4),
    "AggreFact-CNN": PaperRow(558, True, 10.2),
    "PubHealth": PaperRow(1_232, False, 51.3),
}


@dataclass(frozen=True)
class SetStatistics:
    """A set in two classes (paper, table 2).

    ``rows`` are all rows, ``size`` those that the two classes keep. ``with_evidence`` is the share of them that come
    with a text; ``negative_rate`` the share that is Refuted (``None`` where nothing is kept). ``labels`` says how each
    word was read.
    """

    name: str
    rows: int
    size: int
    with_evidence: float
    negative_rate: float | None
    labels: tuple[LabelUse, ...]

    @property
    def dropped(self) -> int:
        """The rows that lack verifiable evidence, or a label."""
        return self.rows - self.size


def statistics_of(name: str, rows: Iterable[LabelledClaim]) -> SetStatistics:
    """The statistics of some rows, of which none is held."""
    labels: Counter[str | None] = Counter()
    size = with_evidence = negative = 0
    for row in rows:
        labels[row.label] += 1
        if row.two_class is not None:
            size += 1
            with_evidence += bool(row.evidence)
            negative += row.two_class is Veracity.REFUTED
    return SetStatistics(
        name=name,
        rows=labels.total(),
        size=size,
        with_evidence=with_evidence / size if size else 0.0,
        negative_rate=negative / size if size else None,
        labels=tuple(label_map(labels.elements())),
    )
