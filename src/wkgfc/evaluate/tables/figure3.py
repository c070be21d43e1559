"""Figure 3: how far the beam search looks, with the knowledge graph alone (paper, section 5.6: variant 1)."""

from collections.abc import Sequence

from wkgfc.evaluate.report import Report, notes_on
from wkgfc.evaluate.runs import Run, Runs
from wkgfc.evaluate.sets import Sight
from wkgfc.evaluate.table import Figure, Opens, Row, Table, figure, nothing, with_best

SETS = ("fever_val", "multihop")
WIDTHS = (3, 4, 5)  # k
HOPS = (2, 3, 4, 5)  # N
VARIANT = "wkgfc-kg"


def figure3(runs: Runs, sets: Sequence[str] = SETS) -> Report:
    """Run (or go on with) variant 1 for every k and N."""
    tables: list[Table] = []
    done: list[Run] = []
    points: list[dict[str, object]] = []
    for name in sets:
        claims = runs.claims(name)
        rows: list[Row] = []
        here: list[Run] = []
        for width in WIDTHS:
            figures: list[Figure] = []
            for hops in HOPS:
                run = runs.run(VARIANT, claims, Sight(kg=True), beam=width, hops=hops)
                if not isinstance(run, Run):
                    figures.append(nothing(run.reason))
                    continue
                here.append(run)
                queries = f"{run.scores['queries']:.1f} queries, answered {run.scores['answered']:.3f}"
                figures.append(figure(run.scores["two_way_balanced"], beside=queries, opens=Opens(run=run.key)))
                points.append(
                    {"row": f"k = {width}", "column": name, "x": hops, "value": run.scores["two_way_balanced"]}
                )
            rows.append(Row(name=f"k = {width}", figures=tuple(figures)))
        tables.append(
            Table(
                name=claims.of.name,
                title=f"{claims.of.name}: two-way score as balanced accuracy, queries a claim, share answered",
                columns=tuple(f"N = {hops}" for hops in HOPS),
                rows=with_best(rows),
                notes=notes_on([claims], here),
            )
        )
        done += here
    return Report(
        name="figure3",
        title="Figure 3: beam width k and hops N, the knowledge graph alone",
        tables=tuple(tables),
        runs=tuple(done),
        picture=tuple(points),
        picture_title="two-way score, balanced, by hops N",
        picture_kind="lines",
    )
