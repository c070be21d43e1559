"""What each method costs beside what it is worth, and which ways WKGFC's agent goes."""

from collections.abc import Sequence

from wkgfc.evaluate.report import Report, notes_on
from wkgfc.evaluate.runs import Run, Runs
from wkgfc.evaluate.table import Figure, Opens, Row, Table, figure
from wkgfc.evaluate.tables.table1 import ROWS, SETS, name_of, rows_of, run_all

COLUMNS = (
    ("two-way", "two_way", 3),
    ("seconds, median", "seconds_median", 2),
    ("seconds, 95 %", "seconds_p95", 2),
    ("queries", "queries", 1),
    ("verifier pairs", "verifier_pairs", 1),
    ("LLM calls", "calls", 1),
    ("tokens", "tokens", 0),
    ("dollars in all", "cost_usd", 4),
)
WAYS = 8  # sequences of actions that are shown


def cost(runs: Runs, sets: Sequence[str] = SETS, methods: Sequence[str] = ROWS) -> Report:
    """Run (or go on with) the cells of table 1, and lay out what they took."""
    claims = [runs.claims(name) for name in sets]
    cells = run_all(runs, claims, methods)
    tables, done, points = [], [], []
    for each in claims:
        rows = []
        for method, mark in rows_of(cells, methods):
            run = cells.get((method, mark, each.of.name))
            if not isinstance(run, Run):
                continue
            done.append(run)
            opens = Opens(run=run.key)
            rows.append(
                Row(
                    name=name_of(method, mark),
                    figures=tuple(figure(run.scores[key], digits, opens=opens) for _, key, digits in COLUMNS),
                )
            )
            points.append(
                {
                    "row": name_of(method, mark),
                    "column": each.of.name,
                    "x": run.scores["seconds_median"],
                    "value": run.scores["two_way"],
                }
            )
        tables.append(
            Table(
                name=each.of.name,
                title=f"{each.of.name}: what a claim costs",
                columns=tuple(title for title, _, _ in COLUMNS),
                rows=tuple(rows),
                notes=(
                    *notes_on([each], [run for run in done if run.scores["set"] == each.of.name]),
                    "Queries are those of the KG and of the web. Means a claim, but for the seconds and the dollars.",
                ),
            )
        )
    ours = [run for run in done if run.scores["method"] == "wkgfc"]
    if ours:
        tables.append(_ways(ours))
    return Report(
        name="cost",
        title="What checks cost",
        tables=tuple(tables),
        runs=tuple(done),
        picture=tuple(points),
        picture_title="two-way score by seconds a claim (median)",
        picture_kind="points",
    )


def _ways(ours: Sequence[Run]) -> Table:
    ways = list(dict.fromkeys(way for run in ours for way in run.scores["ways"]))
    ways.sort(key=lambda way: -sum(run.scores["ways"].get(way, 0.0) for run in ours))
    return Table(
        name="ways",
        title="Sequences of actions of WKGFC (I initKGRetrieval, E expandKG, S webSearch, V verdict), share of claims",
        columns=tuple(run.title for run in ours),
        rows=tuple(
            Row(name=way, figures=tuple(Figure(text=f"{run.scores['ways'].get(way, 0.0):.3f}") for run in ours))
            for way in ways[:WAYS]
        ),
    )
