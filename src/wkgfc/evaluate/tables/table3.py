"""Table 3: WKGFC and its variants, from the knowledge graph alone to the whole with a learned policy."""

from collections.abc import Sequence

from wkgfc.baselines.registry import METHODS, Part
from wkgfc.errors import BadInput
from wkgfc.evaluate.published import beside, paper_table
from wkgfc.evaluate.report import Report, notes_on
from wkgfc.evaluate.runs import Claims, Refused, Run, Runs
from wkgfc.evaluate.sets import Sight, sights
from wkgfc.evaluate.table import Figure, Opens, Row, Table, figure, nothing, with_best

SETS = ("fever_val", "multihop")
VARIANTS = ("wkgfc-kg", "wkgfc-web", "wkgfc-kg-web", "wkgfc-kg-agent", "wkgfc")  # the paper's order
SWITCHED_OFF: tuple[Part, ...] = ("kg", "web", "consistency")
FULL, LEARNED = "full", "learned"


def table3(runs: Runs, sets: Sequence[str] = SETS, *, learned: Runs | None = None) -> Report:
    """Run (or go on with) all variants. ``learned`` runs the last row: with the policy that was learned.

    Raises:
        BadInput: a set's claims are judged by a document: the variants have no row there.
    """
    claims = [runs.claims(name) for name in sets]
    rows: list[Row] = []
    done: list[Run] = []
    for name in VARIANTS:
        runs_here = [runs.run(name, each, _sight(name, each)) for each in claims]
        done += [run for run in runs_here if isinstance(run, Run)]
        title = f"{METHODS[name].title}, no optimization (variant 5)" if name == "wkgfc" else METHODS[name].title
        rows.append(_row(title, METHODS[name].pipeline, name, claims, runs_here))
    if learned is None:
        full = tuple(nothing("no learned policy: --policy DIR") for _ in claims)
        rows.append(Row(name="WKGFC", beside="with a learned policy", figures=full))
    else:
        runs_here = [learned.run("wkgfc", each, _sight("wkgfc", each), mark=LEARNED) for each in claims]
        done += [run for run in runs_here if isinstance(run, Run)]
        rows.append(_row("WKGFC", "with a learned policy", FULL, claims, runs_here))
    off: list[Row] = []
    for part in SWITCHED_OFF:
        runs_here = [runs.run("wkgfc", each, _sight("wkgfc", each), without=part) for each in claims]
        done += [run for run in runs_here if isinstance(run, Run)]
        off.append(_row(f"WKGFC without {part}", "", f"without {part}", claims, runs_here))
    columns = tuple(each.of.name for each in claims)
    return Report(
        name="table3",
        title="Table 3: the variants of WKGFC",
        tables=(
            Table(
                name="variants",
                title="Two-way score as balanced accuracy (the interval is the two-way score's)",
                columns=columns,
                rows=with_best(rows),
                notes=(
                    *notes_on(claims, done),
                    "The agent of variant 3 is optimized in the paper; here it has the policy of the other rows.",
                ),
            ),
            Table(
                name="switched_off",
                title="The agent with one kind of evidence, or the consistency weight, switched off",
                columns=columns,
                rows=tuple(off),
                notes=("Without the consistency weight each passage has even odds of being right.",),
            ),
            paper_table("table3", "The paper's table 3"),
        ),
        runs=tuple(done),
        picture=tuple(
            {"row": row.name, "column": column, "value": each.value}
            for row in (*rows, *off)
            for column, each in zip(columns, row.figures, strict=True)
            if each.value is not None
        ),
        picture_title="two-way score, balanced",
    )


def _sight(name: str, claims: Claims) -> Sight:
    if claims.of.kind == "grounded":
        raise BadInput(f"{claims.of.name} is judged by its document: the variants are measured on open claims")
    return dict(sights(METHODS[name], claims.of.kind))[""]


def _row(title: str, said: str, name: str, claims: Sequence[Claims], runs: Sequence[Run | Refused]) -> Row:
    return Row(
        name=title,
        beside=said,
        figures=tuple(_figure(name, each, run) for each, run in zip(claims, runs, strict=True)),
    )


def _figure(name: str, claims: Claims, run: Run | Refused) -> Figure:
    if isinstance(run, Refused):
        return nothing(run.reason)
    low, high = run.scores["interval"]
    parts = [f"two-way {run.scores['two_way']:.3f}, {low:.3f}–{high:.3f}"] if low is not None else []
    parts += [said] if (said := beside("table3", name, claims.of)) else []
    return figure(run.scores["two_way_balanced"], beside="; ".join(parts), opens=Opens(run=run.key))
