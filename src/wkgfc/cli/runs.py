"""``wkgfc runs``: what ``wkgfc batch`` has kept: listed, shown, compared, exported."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from wkgfc.errors import BadInput, NotConfigured

if TYPE_CHECKING:
    from wkgfc.batch.store import Store

app = typer.Typer(
    help="Runs of 'wkgfc batch': list, show, compare, export.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Folder = Annotated[Path, typer.Option("--out", help="FOLDER of the runs, as 'wkgfc batch' was given it.")]
StoreUrl = Annotated[str | None, typer.Option("--store", help="Where they are in PostgreSQL, as 'wkgfc batch' has it.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]

CHANGED_SHOWN = 20  # claims on which two runs differ, shown one by one


@app.command("list")
def list_runs(out: Folder = Path("."), store: StoreUrl = None, as_json: AsJson = False) -> None:
    """List the runs of a folder or a database.

    Example:

        wkgfc runs list --out runs
    """
    import json

    from rich.console import Console
    from rich.table import Table

    from wkgfc.batch.summaries import summary_of

    with _opened(out, store) as kept:
        summaries = [summary_of(kept, run) for run in kept.runs()]
    if as_json:
        print(json.dumps(summaries, ensure_ascii=False, indent=1))
        return
    table = Table(box=None, pad_edge=False, header_style="dim")
    for column in ("run", "begun", "claims", "done", "errors", "left", "cost", "policy", "sources"):
        table.add_column(column, justify="right" if column in ("claims", "done", "errors", "left", "cost") else "left")
    for each in summaries:
        table.add_row(
            each["run"], each["begun_at"][:16].replace("T", " "), f"{each['claims']:,}",
            f"{each['done'] + each['degraded']:,}", f"{each['errors'] + each['no_claims']:,}", f"{each['left']:,}",
            f"${each['cost_usd']:,.2f}", each["policy"], ", ".join(each["sources"]),
        )  # fmt: skip
    Console(highlight=False).print(table)


@app.command()
def show(
    run: Annotated[str, typer.Argument(help="NAME of the run, as 'wkgfc runs list' has it.")],
    out: Folder = Path("."),
    store: StoreUrl = None,
    as_json: AsJson = False,
) -> None:
    """Show one run: what came of its claims, what it took, and why claims have no verdict.

    Example:

        wkgfc runs show claims --out runs
    """
    import json

    from rich.console import Console

    from wkgfc.batch.summaries import summary_of
    from wkgfc.claim import visible_text

    with _opened(out, store) as kept:
        found = kept.find(run)
        summary = summary_of(kept, found)
        summary["reasons"] = [{"reason": reason, "claims": number} for reason, number in kept.reasons(found)]
        summary["settings"] = found.identity.settings
    if as_json:
        print(json.dumps(summary, ensure_ascii=False, indent=1))
        return
    console = Console(highlight=False)
    console.print(f"{summary['run']}: {summary['claims']:,} claims of {summary['file']}", markup=False, soft_wrap=True)
    for name in ("begun_at", "policy"):
        console.print(f"  {name.replace('_', ' ')}: {summary[name]}", markup=False, soft_wrap=True)
    console.print(f"  sources: {', '.join(summary['sources'])}", markup=False, soft_wrap=True)
    console.print(
        f"  done {summary['done']:,}, with a failed source {summary['degraded']:,}, errors {summary['errors']:,}, no "
        f"claims {summary['no_claims']:,}, left {summary['left']:,}"
    )
    for name, number in summary["by_veracity"].items():
        console.print(f"  {name}: {number:,}")
    took = f"{summary['seconds']:,.1f} s of checks, {summary['calls']:,} questions to sources"
    console.print(f"  {took}, ${summary['cost_usd']:,.4f}")
    for each in summary["reasons"]:
        console.print(f"  {each['claims']:,} × {visible_text(each['reason'])}", markup=False, soft_wrap=True)


@app.command()
def compare(
    first: Annotated[str, typer.Argument(help="NAME of a run.")],
    second: Annotated[str, typer.Argument(help="NAME of another one, over claims with the same ids.")],
    out: Folder = Path("."),
    store: StoreUrl = None,
    as_json: AsJson = False,
) -> None:
    """Compare two runs claim by claim: how often they say the same, and where not.

    Example:

        wkgfc runs compare claims claims-2 --out runs
    """
    import json

    from rich.console import Console
    from rich.table import Table

    from wkgfc.batch.summaries import compared
    from wkgfc.claim import visible_text

    with _opened(out, store) as kept:
        both = compared(kept, kept.find(first), kept.find(second), shown=CHANGED_SHOWN)
    if as_json:
        print(json.dumps(both, ensure_ascii=False, indent=1))
        return
    console = Console(highlight=False)
    console.print(f"{both['claims']:,} claims in both; the same of {both['same']:,}", markup=False)
    table = Table(box=None, pad_edge=False, header_style="dim")
    for column in (first, second, "claims"):
        table.add_column(column, justify="right" if column == "claims" else "left")
    for row in both["table"]:
        table.add_row(row["first"] or "none", row["second"] or "none", f"{row['claims']:,}")
    console.print(table)
    for row in both["changed"]:
        said = f"{row['id']}: {row['first'] or 'none'} → {row['second'] or 'none'}: {row['claim'][:200]}"
        console.print(visible_text(said), markup=False, soft_wrap=True)


@app.command()
def export(
    run: Annotated[str, typer.Argument(help="NAME of the run.")],
    to: Annotated[Path, typer.Argument(help="FILE that ends with .jsonl, .csv or .parquet.")],
    out: Folder = Path("."),
    store: StoreUrl = None,
) -> None:
    """Write the results of a run, as they are now, into a file.

    Example:

        wkgfc runs export claims results.parquet --out runs
    """
    from rich.console import Console

    from wkgfc.batch.claims_out import form_of, write_results

    form = form_of(to)
    with _opened(out, store) as kept:
        number = write_results(kept, kept.find(run), to, form)
    Console(stderr=True, highlight=False).print(f"{number:,} rows", markup=False)


@contextmanager
def _opened(out: Path, url: str | None) -> "Iterator[Store]":
    from wkgfc.batch.database import StoreFailed
    from wkgfc.batch.running import open_database
    from wkgfc.batch.store import Store
    from wkgfc.config import load_settings

    if not out.is_dir() and url is None:
        raise BadInput(f"{out} is no folder: give --out FOLDER, as 'wkgfc batch' was given it")
    store = Store(open_database(load_settings(run_store=url), out, is_new=False))
    try:
        yield store
    except StoreFailed as error:
        raise NotConfigured(f"the runs cannot be read: {error}") from error
    finally:
        store.close()
