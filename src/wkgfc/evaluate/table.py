"""A table of figures, and how it is written: Markdown, CSV, LaTeX."""

import csv
import io
from collections.abc import Sequence

from wkgfc.evidence import Record


class Opens(Record):
    """The claims behind a figure: a run, by its key, or those of it that ``ids`` names."""

    run: str
    ids: tuple[str, ...] | None = None


class Figure(Record):
    """One figure as it is shown; ``beside`` is what stands with it in small letters; ``opens`` the claims behind it."""

    text: str
    beside: str = ""
    value: float | None = None
    opens: Opens | None = None
    is_best: bool = False


class Row(Record):
    """A row: its name, what stands beside the name, and a figure a column."""

    name: str
    beside: str = ""
    figures: tuple[Figure, ...]


class Table(Record):
    """A table with the notes that it must not be read without."""

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()


def figure(value: float | None, digits: int = 3, *, beside: str = "", opens: Opens | None = None) -> Figure:
    """A number as a figure; a dash where there is none."""
    return Figure(text="–" if value is None else f"{value:.{digits}f}", beside=beside, value=value, opens=opens)


def nothing(reason: str = "") -> Figure:
    """Where there is no figure, and why, where that is short."""
    return Figure(text="–", beside=reason)


def with_best(rows: Sequence[Row]) -> tuple[Row, ...]:
    """The rows with the greatest figure of each column marked."""
    best: dict[int, float] = {}
    for row in rows:
        for place, each in enumerate(row.figures):
            if each.value is not None:
                best[place] = max(each.value, best.get(place, each.value))
    return tuple(
        row.model_copy(
            update={
                "figures": tuple(
                    each.model_copy(update={"is_best": each.value is not None and each.value == best[place]})
                    for place, each in enumerate(row.figures)
                )
            }
        )
        for row in rows
    )


def as_markdown(tables: Sequence[Table]) -> str:
    """The tables in Markdown, one after the other, each with its notes."""
    parts = []
    for table in tables:
        lines = [
            f"## {_plain(table.title)}",
            "",
            _pipes(["", *table.columns]),
            _pipes(["---"] * (len(table.columns) + 1)),
        ]
        for row in table.rows:
            name = f"{row.name} ({row.beside})" if row.beside else row.name
            lines.append(_pipes([name, *(_marked(each) for each in row.figures)]))
        parts.append("\n".join([*lines, "", *(f"- {_plain(note)}" for note in table.notes)]).rstrip())
    return "\n\n".join(parts) + "\n"


def _marked(each: Figure) -> str:
    text = f"**{each.text}**" if each.is_best else each.text
    return f"{text} ({each.beside})" if each.beside else text


def _pipes(cells: Sequence[str]) -> str:
    return f"| {' | '.join(_plain(cell) for cell in cells)} |"


def _plain(text: str) -> str:
    """Text in one line that ends no cell, and is no HTML."""
    return " ".join(text.split()).replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")


def as_csv(tables: Sequence[Table]) -> str:
    """All figures, a line each: table, row, column, the number, and what is beside it."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["table", "row", "row_beside", "column", "value", "text", "beside"])
    for table in tables:
        for row in table.rows:
            for column, each in zip(table.columns, row.figures, strict=True):
                value = "" if each.value is None else repr(each.value)
                cells = [table.name, row.name, row.beside, column, value, each.text, each.beside]
                writer.writerow([_no_formula(cell) for cell in cells])
    return out.getvalue()


def _no_formula(text: str) -> str:
    """A cell that no spreadsheet runs (OWASP, "CSV injection"); a number stays one."""
    text = " ".join(text.split())
    if text[:1] in "=+-@" and text and not text.replace(".", "", 1).lstrip("-").replace("e-", "").isdigit():
        return "'" + text
    return text


_TEX = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "–": "--", "→": r"$\to$"} | {
    sign: "\\" + sign for sign in "&%$#_{}"
}


def as_latex(tables: Sequence[Table]) -> str:
    """The tables as LaTeX ``tabular``s with the rules of booktabs."""
    parts = []
    for table in tables:
        lines = [
            r"\begin{table}",
            rf"\caption{{{_tex(table.title)}}}",
            rf"\begin{{tabular}}{{l{'r' * len(table.columns)}}}",
            r"\toprule",
            " & ".join(["", *map(_tex, table.columns)]) + r" \\",
            r"\midrule",
        ]
        for row in table.rows:
            cells = [_tex(row.name)]
            for each in row.figures:
                text = rf"\textbf{{{_tex(each.text)}}}" if each.is_best else _tex(each.text)
                cells.append(text + (rf" {{\scriptsize {_tex(each.beside)}}}" if each.beside else ""))
            lines.append(" & ".join(cells) + r" \\")
        lines += [r"\bottomrule", r"\end{tabular}", r"\end{table}"]
        parts.append("\n".join([*lines, *(f"% {' '.join(note.split())}" for note in table.notes)]))
    return "\n\n".join(parts) + "\n"


def _tex(text: str) -> str:
    return "".join(_TEX.get(sign, sign) for sign in text)
