"""The paper's own figures, to stand beside ours with the model that they were made with.

They are targets, not oracles: the paper's tables 1 and 3 disagree on HOVER (72.8 and 69.8) and LIAR-New (81.3 and
70.8), its samples have no published ids, and its measure is balanced accuracy.
"""

from functools import lru_cache
from importlib.resources import files
from typing import Literal

from wkgfc.evaluate.sets import ClaimSet
from wkgfc.evaluate.table import Row, Table, figure
from wkgfc.evidence import Record

TableName = Literal["table1", "table3", "table4"]


class PaperRow(Record):
    """A row of the paper. ``method`` is the name that the method, variant or error has here."""

    name: str
    method: str
    model: str
    figures: tuple[float | None, ...]


class PaperTable(Record):
    """One table of the paper."""

    columns: tuple[str, ...]
    rows: tuple[PaperRow, ...]


class Paper(Record):
    """All of the paper's figures that are used here."""

    measure: str
    table1: PaperTable
    table3: PaperTable
    table4: PaperTable


@lru_cache(maxsize=1)
def paper() -> Paper:
    """The figures as they stand in the paper's tables 1, 3 and 4."""
    return Paper.model_validate_json(files(__package__).joinpath("published.json").read_bytes())


def beside(table: TableName, method: str, claims: ClaimSet) -> str:
    """The paper's figure for a method on a set, in a few words; nothing where it has none.

    Of the language models that answer directly, the paper's GPT-4o.
    """
    found: PaperTable = getattr(paper(), table)
    if claims.paper not in found.columns:
        return ""
    place = found.columns.index(claims.paper)
    for row in found.rows:
        if row.method == method and (method != "direct" or row.model == "GPT-4o"):
            value = row.figures[place]
            where = f" on {claims.paper}" if claims.is_like else ""
            return "" if value is None else f"paper{where} {value:g}, {row.model}"
    return ""


def paper_table(name: TableName, title: str) -> Table:
    """A table of the paper as a table of ours, every row with its model."""
    found: PaperTable = getattr(paper(), name)
    return Table(
        name=f"{name}-paper",
        title=title,
        columns=found.columns,
        rows=tuple(
            Row(
                name=row.name,
                beside=row.model if row.model != row.name else "",
                figures=tuple(figure(value, 1) for value in row.figures),
            )
            for row in found.rows
        ),
        notes=(f"The paper's own figures: {paper().measure}.",),
    )
