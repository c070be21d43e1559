"""``wkgfc evaluate``: the paper's experiments, one command a table."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from wkgfc.cli import evaluate_data
from wkgfc.cli.evaluate_options import (
    Kg,
    Limit,
    Methods,
    Out,
    Policy,
    Reasoner,
    Seed,
    TableOptions,
    Verifier,
    Web,
    Workers,
    takes_table_options,
)
from wkgfc.cli.left_out import telling_left_out
from wkgfc.cli.progress import build_progress
from wkgfc.errors import BadInput

if TYPE_CHECKING:
    from rich.console import Console

    from wkgfc.evaluate.report import Report
    from wkgfc.evaluate.runs import Runs
    from wkgfc.evaluate.workbench import Workbench
    from wkgfc.stores import Progress

app = typer.Typer(help="The paper's experiments: one cell, its tables, and two runs compared.", no_args_is_help=True)
app.command("stats")(evaluate_data.stats)
app.command("multihop")(evaluate_data.multihop)


@app.command()
def run(
    claims: Annotated[Path, typer.Option(help="FILE of claims with labels, in any format of docs/datasets.md.")],
    out: Out,
    method: Annotated[str, typer.Option(help="Which method; 'wkgfc evaluate methods' lists them.")] = "wkgfc",
    kg: Kg = None,
    web: Web = None,
    limit: Limit = None,
    seed: Seed = 0,
    workers: Workers = 1,
    kind: Annotated[
        Literal["open", "own_web", "grounded"] | None,
        typer.Option(help="open: claims alone; own_web: their texts are the web; grounded: judged by their document."),
    ] = None,
    document: Annotated[bool, typer.Option("--document", help="WKGFC with the document as its only page.")] = False,
    without: Annotated[
        Literal["kg", "web", "consistency"] | None, typer.Option(help="WKGFC with a part switched off.")
    ] = None,
    fit: Annotated[
        Path | None,
        typer.Option(help="FILE of development claims that the methods majority and lexical are fitted on."),
    ] = None,
    format: Annotated[str | None, typer.Option(help="The format of the file, where its columns do not say it.")] = None,
    strict: Annotated[bool, typer.Option(help="Begin nothing where a line of the file is wrong.")] = False,
    reasoner: Reasoner = None,
    policy: Policy = None,
    verifier: Verifier = None,
    mode: Annotated[
        Literal["single", "debate"] | None,
        typer.Option(help="WKGFC as one agent, or as an advocate and a sceptic before a judge (docs/reasoners.md)."),
    ] = None,
    hops: Annotated[int | None, typer.Option(min=1, max=8, help="Hops of one KG retrieval (N).")] = None,
    beam: Annotated[int | None, typer.Option(min=1, max=16, help="Relations kept a hop (k).")] = None,
) -> None:
    """Run one method over the claims of a file: metrics.json and results.jsonl in the folder.

    It may be stopped at any time; the same command goes on. Errors are counted apart and are wrong, never a class.

    Example:

        wkgfc evaluate run --method wkgfc --claims fever_val.jsonl.gz --kg my.kg --web my.index --limit 300 --out run1
    """
    from wkgfc.baselines.registry import METHODS
    from wkgfc.evaluate.cell import cell_of, run_cell
    from wkgfc.evaluate.opening import draw_sample, fitted_for
    from wkgfc.evaluate.sets import find_set, sights
    from wkgfc.evaluate.workers import Workers as Checkers

    console = _console()
    known, path = find_set(str(claims), None)
    if method not in METHODS:
        raise BadInput(f"there is no method {method!r}: choose of {', '.join(METHODS)}")
    ways = dict(sights(METHODS[method], kind or known.kind))
    if ("document" if document else "") not in ways:
        raise BadInput(f"{method} is not measured so on claims of the kind {kind or known.kind} (docs/experiments.md)")
    sight = ways["document" if document else ""]
    with telling_left_out(console) as told:
        drawn = draw_sample(
            path, limit=limit, seed=seed, kind=kind or known.kind, format=format, strict=strict, told=told
        )
    rows = drawn.rows
    if drawn.without_document:
        console.print(f"left out: {drawn.without_document} claims without a document", markup=False)
    with build_progress(console) as progress:
        given = {"kg": kg, "web": web, "reasoner": reasoner, "policy": policy, "verifier": verifier}
        bench = _workbench(progress, **given, mode=mode, hops=hops, beam=beam)
        with bench, Checkers(bench, workers) as checkers:
            fitted = None
            if METHODS[method].fits:
                if fit is None:
                    raise BadInput(f"{method} is fitted on development claims: name them with --fit FILE")
                fitted = fitted_for(METHODS[method], sight, fit, bench)
            cell = cell_of(method, rows, known.name, sight, without=without, limit=limit, seed=seed, fitted=fitted)
            with _resumable(console, out):
                scores = run_cell(cell, rows, checkers, out, progress=progress)
    _show_scores(scores)
    console.print(f"{out}/metrics.json, {out}/results.jsonl", markup=False, soft_wrap=True)


@app.command()
@takes_table_options()
def table1(options: TableOptions, methods: Methods = None) -> None:
    """Methods on sets: two-way score with intervals, balanced accuracy beside the paper's, paired tests.

    What each method may see of each set is printed with it. On sets that are judged by a document, methods that read
    documents are given it, the others retrieve by themselves, and WKGFC runs once more with it as its only page.
    """
    from wkgfc.evaluate.tables import table1 as table

    with _table(options) as (runs, write):
        write(table.table1(runs, _names(options.sets, table.SETS), _methods(methods, table.ROWS)))


@app.command()
@takes_table_options()
def table3(
    options: TableOptions,
    policy: Annotated[str | None, typer.Option(help="FOLDER of a learned policy: the last row.")] = None,
) -> None:
    """The paper's variants of WKGFC, and one part switched off at a time.

    Pipelines:

    KG only: initKGRetrieval → verdict.

    Web only: webSearch(the claim itself) → verdict.

    KG and web, no agent: initKGRetrieval → webSearch(the claim itself) → verdict.

    KG with agent: initKGRetrieval → the agent chooses expandKG or verdict, until it concludes or a limit forces it.

    No optimization: initKGRetrieval → the agent chooses expandKG, webSearch(a query of its own) or verdict; the policy
    as it ships.

    Full: the same with the policy of --policy, which was learned.

    Switched off (--without of 'wkgfc evaluate run'): the knowledge graph, the web, or the consistency weight.
    """
    from wkgfc.evaluate.tables import table3 as table

    with _table(options) as (runs, write):
        chosen = _names(options.sets, table.SETS)
        if policy is None:
            write(table.table3(runs, chosen))
            return
        with _runs(replace(options, policy=policy)) as learned:
            write(table.table3(runs, chosen, learned=learned))


@app.command()
@takes_table_options("web", "policy")
def figure3(options: TableOptions) -> None:
    """Beam width k from 3 to 5 and hops N from 2 to 5, with the knowledge graph alone (variant 1)."""
    from wkgfc.evaluate.tables import figure3 as table

    with _table(replace(options, web="none")) as (runs, write):
        write(table.figure3(runs, _names(options.sets, table.SETS)))


@app.command()
@takes_table_options()
def table4(options: TableOptions) -> None:
    """What WKGFC's mistakes are: insufficient KG, exceeding steps, over-confidence, and the rest by name.

    The paper's three overlap, so that shares need not sum to 100. Beside them: which part lost each claim.
    """
    from wkgfc.evaluate.tables import table4 as table

    with _table(options) as (runs, write):
        write(table.table4(runs, _names(options.sets, table.SETS)))


@app.command()
@takes_table_options()
def cost(options: TableOptions, methods: Methods = None) -> None:
    """Seconds, queries, calls, tokens and dollars beside the score of every method, and the agent's ways."""
    from wkgfc.evaluate.tables import cost as table
    from wkgfc.evaluate.tables.table1 import ROWS, SETS

    with _table(options) as (runs, write):
        write(table.cost(runs, _names(options.sets, SETS), _methods(methods, ROWS)))


@app.command()
def diff(
    first: Annotated[Path, typer.Argument(help="FOLDER of a run.")],
    second: Annotated[Path, typer.Argument(help="FOLDER of another run over the same claims.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print all of it as JSON.")] = False,
    limit: Annotated[int, typer.Option(min=1, help="Claims shown.")] = 40,
) -> None:
    """The claims that two runs do not say the same of, and why: evidence, judgement or error."""
    from rich.table import Table
    from rich.text import Text

    from wkgfc.claim import visible_text
    from wkgfc.evaluate.diff import compare

    found = compare(first, second)
    if as_json:
        print(found.model_dump_json(indent=1))
        return
    console = _console(stderr=False)
    counts = ", ".join(f"{number} by {why}" for why, number in found.counts.items()) or "none"
    console.print(f"{found.shared} claims in both; {len(found.changes)} changed: {counts}", markup=False)
    for setting in found.settings:
        console.print(setting, markup=False, style="dim")
    table = Table(box=None, pad_edge=False, header_style="dim")
    for column in ("claim", "label", "before", "after", "why"):
        table.add_column(column, overflow="fold")
    for change in found.changes[:limit]:
        why = f"{change.why}: {change.reason}"
        cells = (change.claim, change.label or "", change.before, change.after, why)
        table.add_row(*(Text(visible_text(cell)) for cell in cells))
    console.print(table)
    if len(found.changes) > limit:
        console.print(f"… {len(found.changes) - limit} more: --limit, or --json", style="dim")


def _names(given: str | None, otherwise: "Sequence[str]") -> list[str]:
    return [name.strip() for name in given.split(",") if name.strip()] if given else list(otherwise)


def _methods(given: str | None, otherwise: "Sequence[str]") -> list[str]:
    from wkgfc.baselines.registry import METHODS

    names = _names(given, otherwise)
    unknown = [name for name in names if name not in METHODS]
    if unknown:
        raise BadInput(f"there is no method {unknown[0]!r}: choose of {', '.join(METHODS)}")
    return names


@contextmanager
def _table(options: TableOptions) -> "Iterator[tuple[Runs, Callable[[Report], None]]]":
    """What a table is made with, and what writes it. The packages that it is drawn with are looked for first."""
    from wkgfc.evaluate.pictures import need_packages
    from wkgfc.evaluate.report import write_report
    from wkgfc.evaluate.table import as_markdown

    need_packages()
    console = _console()

    def write(report: "Report") -> None:
        page = write_report(report, options.out)
        print(as_markdown(report.tables))
        console.print(f"{page}", markup=False, soft_wrap=True)

    with _resumable(console, options.out), _runs(options) as runs:
        yield runs, write


@contextmanager
def _runs(options: TableOptions) -> "Iterator[Runs]":
    from wkgfc.evaluate.runs import Runs
    from wkgfc.evaluate.workers import Workers as Checkers

    console = _console()
    with telling_left_out(console) as told, build_progress(console) as progress:
        bench = _workbench(progress, **options.sources)
        with bench, Checkers(bench, options.workers) as checkers:
            cells = options.cells or options.out / "cells"
            yield Runs(checkers, options.data, cells, options.limit, options.seed, progress, told)


@app.command()
def methods() -> None:
    """List the methods, each with its pipeline."""
    from rich.table import Table

    from wkgfc.baselines.registry import METHODS

    table = Table(box=None, pad_edge=False, header_style="dim")
    for column in ("method", "what it is", "pipeline", "reads"):
        table.add_column(column, overflow="fold")
    for each in METHODS.values():
        table.add_row(each.name, each.title, each.pipeline, ", ".join(sorted(each.reads)) or "nothing")
    _console(stderr=False).print(table)


def _console(*, stderr: bool = True) -> "Console":
    from rich.console import Console

    return Console(stderr=stderr, highlight=False)


def _workbench(progress: "Progress", **given: Any) -> "Workbench":
    from wkgfc.config import load_settings
    from wkgfc.evaluate.workbench import Workbench

    return Workbench(load_settings(**given), progress)


@contextmanager
def _resumable(console: "Console", out: Path) -> Iterator[None]:
    """Ctrl-C ends in a line that says how to go on."""
    try:
        yield
    except KeyboardInterrupt:
        console.print(f"stopped; what is done is in {out}, and the same command goes on", markup=False, soft_wrap=True)
        raise typer.Exit(1) from None


def _show_scores(scores: dict[str, Any]) -> None:
    """The figures of a cell that matter most, a line each."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, show_header=False)
    low, high = scores["interval"]
    shown = {
        "method": scores["method"] + (f" without {scores['without']}" if scores["without"] else ""),
        "sees": scores["sees"],
        "claims": f"{scores['n']}, of which {scores['n_two_way']} count two-way",
        "two-way": _figure(scores["two_way"]) + (f" ({low:.3f}–{high:.3f})" if low is not None else ""),
        "two-way, balanced": _figure(scores["two_way_balanced"]),
        "three-way": _figure(scores["three_way"]),
        "answered": f"{_figure(scores['answered'])}, right {_figure(scores['accuracy_on_answered'])}; "
        f"of Not Enough Evidence {_figure(scores['answered_nei'])}",
        "errors": str(scores["errors"]),
        "a claim": f"{scores['seconds_median']:.2f} s, {scores['queries']:.1f} queries, "
        f"{scores['verifier_pairs']:.1f} verifier pairs, {scores['calls']:.1f} LLM calls",
    }
    for name, value in shown.items():
        table.add_row(name, value)
    _console(stderr=False).print(table)


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
