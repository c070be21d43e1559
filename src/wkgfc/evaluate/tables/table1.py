"""Table 1: every method on every set, with intervals, a paired test against WKGFC, and what each may see."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from wkgfc.baselines.registry import METHODS
from wkgfc.evaluate.published import beside, paper_table
from wkgfc.evaluate.report import Report, notes_on
from wkgfc.evaluate.runs import Claims, Refused, Run, Runs
from wkgfc.evaluate.sets import sights
from wkgfc.evaluate.table import Figure, Opens, Row, Table, figure, nothing, with_best
from wkgfc.metrics import mcnemar

SETS = ("fever_val", "fm2_val", "averitec_dev", "multihop", "pubhealth", "summeval", "aggrefact_cnn")
ROWS = ("majority", "lexical", "minicheck", "direct", "hero", "fire", "graphrag", "graphcheck", "tog", "wkgfc")
DOCUMENT = "document"  # the mark of WKGFC with the document as its only page

Cells = Mapping[tuple[str, str, str], Run | Refused]
Show = Callable[[str, str, Claims, Run], Figure]


def table1(runs: Runs, sets: Sequence[str] = SETS, methods: Sequence[str] = ROWS) -> Report:
    """Run (or go on with) all cells, and lay the table out."""
    claims = [runs.claims(name) for name in sets]
    cells = run_all(runs, claims, methods)
    rows = rows_of(cells, methods)
    return Report(
        name="table1",
        title="Table 1: methods on sets of claims",
        tables=(
            _scores(claims, cells, rows),
            _balanced(claims, cells, rows),
            _tests(claims, cells, rows),
            *(_by_hops(each, cells, rows) for each in claims if len(each.by_hops) > 1),
            sees(claims, cells, rows),
            paper_table("table1", "The paper's table 1"),
        ),
        runs=tuple(run for run in cells.values() if isinstance(run, Run)),
        picture=tuple(
            {"row": name_of(method, mark), "column": name, "value": run.scores["two_way"]}
            | dict(zip(("low", "high"), run.scores["interval"], strict=True))
            for method, mark in rows
            for name in (each.of.name for each in claims)
            if isinstance(run := cells.get((method, mark, name)), Run)
        ),
        picture_title="two-way score, with its 95 % interval",
    )


def run_all(runs: Runs, claims: Sequence[Claims], methods: Sequence[str]) -> Cells:
    """All cells of some methods on some sets, by method, mark and set."""
    return {
        (method, mark, each.of.name): runs.run(method, each, sight, mark=mark)
        for each in claims
        for method in methods
        for mark, sight in sights(METHODS[method], each.of.kind)
    }


def rows_of(cells: Cells, methods: Sequence[str]) -> list[tuple[str, str]]:
    """The rows that have a cell: a method, and its mark."""
    there = {key[:2] for key in cells}
    return [(method, mark) for method in methods for mark in ("", DOCUMENT) if (method, mark) in there]


def name_of(method: str, mark: str) -> str:
    """What a row is called."""
    return f"{METHODS[method].title}{', document as its page' if mark else ''}"


def laid_out(claims: Sequence[Claims], cells: Cells, rows: Sequence[tuple[str, str]], show: Show) -> Iterator[Row]:
    """A row a method, a figure a set; a dash where there is none (``reasons`` says why)."""
    for method, mark in rows:
        figures = []
        for each in claims:
            match cells.get((method, mark, each.of.name)):
                case Run() as run:
                    figures.append(show(method, mark, each, run))
                case Refused() | None:
                    figures.append(nothing())
        yield Row(name=name_of(method, mark), figures=tuple(figures))


def reasons(cells: Cells) -> tuple[str, ...]:
    """Why some cells have no figure, each reason once."""
    refused = {key: cell.reason for key, cell in cells.items() if isinstance(cell, Refused)}
    where: dict[tuple[str, str], list[str]] = {}
    for (method, mark, name), reason in refused.items():
        where.setdefault((name_of(method, mark), reason), []).append(name)
    return tuple(f"No figure of {row} on {', '.join(names)}: {reason}." for (row, reason), names in where.items())


def _columns(claims: Sequence[Claims]) -> tuple[str, ...]:
    return tuple(each.of.name for each in claims)


def _scores(claims: Sequence[Claims], cells: Cells, rows: Sequence[tuple[str, str]]) -> Table:
    def show(method: str, mark: str, each: Claims, run: Run) -> Figure:
        low, high = run.scores["interval"]
        parts = [f"{low:.3f}–{high:.3f}"] if low is not None else []
        errors = run.scores["errors"]
        parts += [f"{errors} without a verdict"] * bool(errors)
        return figure(run.scores["two_way"], beside=", ".join(parts), opens=Opens(run=run.key))

    return Table(
        name="two_way",
        title="Two-way score (95 % bootstrap interval)",
        columns=_columns(claims),
        rows=with_best(list(laid_out(claims, cells, rows, show))),
        notes=(*notes_on(claims, [run for run in cells.values() if isinstance(run, Run)]), *reasons(cells)),
    )


def _balanced(claims: Sequence[Claims], cells: Cells, rows: Sequence[tuple[str, str]]) -> Table:
    def show(method: str, mark: str, each: Claims, run: Run) -> Figure:
        said = "" if mark else beside("table1", method, each.of)
        return figure(run.scores["two_way_balanced"], beside=said, opens=Opens(run=run.key))

    return Table(
        name="balanced",
        title="Two-way score as balanced accuracy, beside the paper's balanced accuracy in %",
        columns=_columns(claims),
        rows=with_best(list(laid_out(claims, cells, rows, show))),
        notes=("The paper's figures are of other models, and of samples whose ids are not published.",),
    )


def _tests(claims: Sequence[Claims], cells: Cells, rows: Sequence[tuple[str, str]]) -> Table:
    """WKGFC against each: claims that only one of both gets right."""

    def show(method: str, mark: str, each: Claims, run: Run) -> Figure:
        ours = cells.get(("wkgfc", "", each.of.name))
        if not isinstance(ours, Run) or ours.key == run.key:
            return nothing()
        ids = list(ours.points)
        test = mcnemar([ours.points[i] == 1.0 for i in ids], [run.points[i] == 1.0 for i in ids])
        differing = tuple(i for i in ids if (ours.points[i] == 1.0) != (run.points[i] == 1.0))
        return Figure(
            text=f"+{test.only_first} −{test.only_second}",
            beside=f"p = {test.p:.2g}",
            opens=Opens(run=ours.key, ids=differing),
        )

    others = [row for row in rows if row != ("wkgfc", "")]
    return Table(
        name="mcnemar",
        title="WKGFC against each: claims that it alone gets right, that the other alone does, and McNemar's exact p",
        columns=_columns(claims),
        rows=tuple(laid_out(claims, cells, others, show)),
        notes=("A tie of Supported and Refuted is not right. Each figure opens to WKGFC's checks of those claims.",),
    )


def _by_hops(claims: Claims, cells: Cells, rows: Sequence[tuple[str, str]]) -> Table:
    """The two-way score of a set by the number of hops that its claims take."""
    laid = []
    for method, mark in rows:
        run = cells.get((method, mark, claims.of.name))
        if not isinstance(run, Run):
            continue
        figures = []
        for ids in claims.by_hops.values():
            counted = tuple(claim_id for claim_id in run.points if claim_id in ids)
            mean = sum(run.points[claim_id] for claim_id in counted) / len(counted) if counted else None
            figures.append(figure(mean, beside=f"{len(counted)} claims", opens=Opens(run=run.key, ids=counted)))
        laid.append(Row(name=name_of(method, mark), figures=tuple(figures)))
    return Table(
        name=f"{claims.of.name}-hops",
        title=f"{claims.of.name} by hops: two-way score",
        columns=tuple(f"{hops} hops" for hops in claims.by_hops),
        rows=with_best(laid),
    )


def sees(claims: Sequence[Claims], cells: Cells, rows: Sequence[tuple[str, str]]) -> Table:
    """What each method may see of each set: the paper's grey cells."""
    return Table(
        name="sees",
        title="What each method may see",
        columns=_columns(claims),
        rows=tuple(laid_out(claims, cells, rows, lambda method, mark, each, run: Figure(text=run.sight.text))),
    )
