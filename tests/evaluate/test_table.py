"""Tables as text: what comes from outside ends no cell, runs nothing, and marks up nothing."""

import csv
import io

from hypothesis import given
from hypothesis import strategies as st

from wkgfc.evaluate.table import Figure, Row, Table, as_csv, as_latex, as_markdown, figure, nothing, with_best

TABLE = Table(
    name="t",
    title="A & B",
    columns=("one", "two"),
    rows=(
        Row(name="WKGFC", beside="ours", figures=(figure(0.8661, beside="0.85–0.88"), figure(0.5))),
        Row(name="FIRE_2", figures=(figure(0.9), nothing("not applicable"))),
    ),
    notes=("A note | with a bar.",),
)
HOSTILE = "=1+1 | <script> \\input{/etc/passwd} & \n # $x$"


def test_markdown() -> None:
    text = as_markdown([TABLE.model_copy(update={"rows": with_best(TABLE.rows)})])
    assert "| WKGFC (ours) | 0.866 (0.85–0.88) | **0.500** |" in text
    assert "| FIRE_2 | **0.900** | – (not applicable) |" in text
    assert "- A note \\| with a bar." in text


def test_csv_has_the_numbers_in_full() -> None:
    rows = list(csv.DictReader(io.StringIO(as_csv([TABLE]))))
    assert [row["value"] for row in rows] == ["0.8661", "0.5", "0.9", ""]
    assert {row["column"] for row in rows} == {"one", "two"}


def test_latex() -> None:
    text = as_latex([TABLE])
    assert r"\caption{A \& B}" in text
    assert r"FIRE\_2 & 0.900 & -- {\scriptsize not applicable} \\" in text


def test_hostile_text_ends_no_cell() -> None:
    table = Table(
        name="t", title=HOSTILE, columns=(HOSTILE,), rows=(Row(name=HOSTILE, figures=(Figure(text=HOSTILE),)),)
    )
    markdown = as_markdown([table])
    assert "<script>" not in markdown
    assert len(markdown.splitlines()) == 5
    assert list(csv.reader(io.StringIO(as_csv([table]))))[1][1].startswith("'=1+1")
    assert r"\input" not in as_latex([table]).replace(r"\textbackslash{}input", "")


@given(st.text(max_size=80))
def test_any_text_is_one_cell(text: str) -> None:
    table = Table(name="t", title="t", columns=("c",), rows=(Row(name=text, figures=(Figure(text=text),)),))
    lines = as_markdown([table]).split("\n")
    assert lines[4].replace("\\|", "").count("|") == 3
    assert len(list(csv.reader(io.StringIO(as_csv([table]))))) == 2
