"""Table 4: what WKGFC's mistakes are, as the paper defines them; shares overlap, and the rest has names."""

from collections.abc import Sequence

from wkgfc.evaluate.losses import LOSSES
from wkgfc.evaluate.mistakes import MISTAKES
from wkgfc.evaluate.published import beside, paper_table
from wkgfc.evaluate.report import Report, notes_on
from wkgfc.evaluate.runs import Run, Runs
from wkgfc.evaluate.table import Figure, Opens, Row, Table, figure
from wkgfc.evaluate.tables.table1 import run_all

SETS = ("fever_val", "multihop", "averitec_dev", "aggrefact_cnn")


def table4(runs: Runs, sets: Sequence[str] = SETS) -> Report:
    """Run (or go on with) WKGFC, and sort what it gets wrong."""
    claims = [runs.claims(name) for name in sets]
    cells = run_all(runs, claims, ["wkgfc"])
    columns, found = [], []
    for each in claims:
        run = cells.get(("wkgfc", "", each.of.name))
        if isinstance(run, Run):
            columns.append(each)
            found.append(run)
    rows = [
        Row(
            name="failed, of claims that count",
            figures=tuple(
                Figure(text=f"{len(run.failed)} of {len(run.points)}", opens=Opens(run=run.key, ids=run.failed))
                for run in found
            ),
        )
    ]
    for kind in MISTAKES:
        figures = []
        for each, run in zip(columns, found, strict=True):
            ids = run.mistakes[kind.name]
            share = 100 * len(ids) / len(run.failed) if run.failed else None
            said = [str(len(ids)), *([paper] if (paper := beside("table4", kind.name, each.of)) else [])]
            figures.append(figure(share, 1, beside="; ".join(said), opens=Opens(run=run.key, ids=ids)))
        rows.append(Row(name=kind.title, figures=tuple(figures)))
    lost = [
        Row(
            name=title,
            figures=tuple(
                Figure(text=str(len(run.losses[part])), opens=Opens(run=run.key, ids=run.losses[part])) for run in found
            ),
        )
        for part, title in LOSSES.items()
    ]
    return Report(
        name="table4",
        title="Table 4: what the mistakes are",
        tables=(
            Table(
                name="mistakes",
                title="Share of the failed claims in % (and how many)",
                columns=tuple(each.of.name for each in columns),
                rows=tuple(rows),
                notes=(
                    *notes_on(columns, found),
                    "Failed: wrong in the two classes, without a lean to either, or without a verdict. The kinds "
                    "overlap, so that shares need not sum to 100. IK: a web search was asked for after the knowledge "
                    "graph; EM: a limit forced the verdict; OC: the verdict came right after the first retrieval.",
                ),
            ),
            Table(
                name="losses",
                title="Which part lost them: failed claims, each once",
                columns=tuple(each.of.name for each in columns),
                rows=tuple(lost),
                notes=("Needed is what the set names: gold sentences or pages, and the items of a claim.",),
            ),
            paper_table("table4", "The paper's table 4"),
        ),
        runs=tuple(found),
        picture=tuple(
            {"row": row.name, "column": each.of.name, "value": value.value}
            for row in rows[1:]
            for each, value in zip(columns, row.figures, strict=True)
            if value.value is not None
        ),
        picture_title="share of the failed claims in %",
    )
