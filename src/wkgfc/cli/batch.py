"""``wkgfc batch``: the claims of a file, as many as there are, checked, kept and exported."""

import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from wkgfc.cli.progress import build_progress
from wkgfc.errors import BadInput

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable

    from rich.console import Console

    from wkgfc.batch.progress import Progress
    from wkgfc.batch.runner import Ending
    from wkgfc.batch.running import BatchRun

SECONDS_BETWEEN_LINES = 10.0  # of progress, where the output is no terminal


def batch(
    claims: Annotated[Path, typer.Argument(help="FILE of claims: JSONL, JSON, CSV, TSV, Parquet; plain, gz or bz2.")],
    out: Annotated[Path, typer.Option("--out", help="FOLDER of the run: its store, and the results as a file.")],
    run: Annotated[str | None, typer.Option("--run", help="NAME of the run. Default: that of the file.")] = None,
    form: Annotated[
        Literal["jsonl", "csv", "parquet"], typer.Option("--format", help="The form of the results.")
    ] = "jsonl",
    column: Annotated[str, typer.Option(help="The column that has the claim.")] = "claim",
    claims_format: Annotated[
        str | None, typer.Option(help="The benchmark format of the file (docs/datasets.md), where it has one.")
    ] = None,
    workers: Annotated[int | None, typer.Option(min=1, max=256, help="Processes. Offline one a core.")] = None,
    concurrency: Annotated[int | None, typer.Option(min=1, max=4096, help="Claims at a time, in all.")] = None,
    budget: Annotated[
        float | None, typer.Option(min=0.0, help="Dollars of the whole run: at the limit it stops cleanly.")
    ] = None,
    retry_errors: Annotated[
        bool, typer.Option("--retry-errors", help="Check claims again that ended in an error or met a failed source.")
    ] = False,
    share: Annotated[
        bool, typer.Option("--share", help="Share the run with other processes that are started with --share.")
    ] = False,
    engine: Annotated[
        Literal["local", "ray"], typer.Option(help="Where claims are checked: here, or on a Ray cluster.")
    ] = "local",
    address: Annotated[
        str | None, typer.Option(help="Of the Ray cluster: auto, HOST:PORT. Without it one is started here.")
    ] = None,
    store: Annotated[
        str | None, typer.Option(help="Keep the run in PostgreSQL: postgresql://user@host/database (docs/batch.md).")
    ] = None,
    log: Annotated[Path | None, typer.Option(help="Append logs to FILE: JSON lines with run and claim.")] = None,
    trace: Annotated[bool, typer.Option("--trace", help="Keep the trajectory of every check.")] = False,
    kg: Annotated[str | None, typer.Option(help="Knowledge graph, as in 'wkgfc check'.")] = None,
    web: Annotated[str | None, typer.Option(help="Passages, as in 'wkgfc check'.")] = None,
    reasoner: Annotated[str | None, typer.Option(help="Who judges, as in 'wkgfc check'.")] = None,
    policy: Annotated[Path | None, typer.Option(help="FOLDER of a policy, as in 'wkgfc check'.")] = None,
    benchmark: Annotated[
        bool | None, typer.Option("--benchmark", help="Keep out fact-checking sites and verdicts of others.")
    ] = None,
) -> None:
    """Check all claims of a file. The same command goes on where it was stopped, however that was.

    Ctrl-C once finishes what is in flight, twice gives it up. Status 1: not all claims were checked.

    Examples:

        wkgfc batch claims.jsonl --out runs

        wkgfc batch claims.csv --column statement --format csv --out runs

        wkgfc batch claims.jsonl --out runs --retry-errors

        wkgfc batch claims.parquet --out runs --reasoner openai:gpt-4o --budget 20 --concurrency 64

        wkgfc batch claims.jsonl --out runs --engine ray --address auto
    """
    from rich.console import Console

    from wkgfc.batch.logs import json_logs
    from wkgfc.batch.running import Batch, BatchRun
    from wkgfc.config import load_settings

    settings = load_settings(
        kg=kg, web=web, reasoner=reasoner, policy=policy, benchmark=benchmark,
        run_workers=workers, run_concurrency=concurrency, run_store=store,
    )  # fmt: skip
    what = Batch(
        claims=claims,
        out=out,
        name=run or _name_of(claims),
        column=column,
        format=claims_format,
        form=form,
        budget_usd=budget,
        retry_errors=retry_errors,
        shared=share,
        trace=trace,
        engine=engine,
        address=address,
    )
    console = Console(stderr=True, highlight=False)
    with json_logs(log):
        with build_progress(console) as told, _watching(console) as watch:
            under_way = BatchRun(settings, what, told=told, watch=watch)
            if under_way.run.label != what.name:
                said = f"{under_way.run.label}: another policy, other sources or settings than {what.name}"
                console.print(said, style="dim", markup=False, soft_wrap=True)
            try:
                ending = _interruptible(under_way, console)
            finally:
                under_way.close()
        _say(under_way, ending, console)
    if ending.reason != "finished":
        raise typer.Exit(1)


def _name_of(claims: Path) -> str:
    name = claims.name.split(".")[0] or claims.name
    if not name.strip():
        raise BadInput(f"give the run a name: {claims} has none")
    return name


def _interruptible(under_way: "BatchRun", console: "Console") -> "Ending":
    """Run it. Ctrl-C (or SIGTERM) once stops it when what is in flight has ended, twice at once."""
    import asyncio

    async def go() -> "Ending":
        task = asyncio.create_task(under_way.go())

        def interrupt() -> None:
            if interrupt.times:  # type: ignore[attr-defined]
                task.cancel()
                return
            interrupt.times += 1  # type: ignore[attr-defined]
            under_way.stop()
            console.print("finishing what is in flight; Ctrl-C again gives it up", style="dim")

        interrupt.times = 0  # type: ignore[attr-defined]
        with _handling(asyncio.get_running_loop(), interrupt):
            return await task

    try:
        return asyncio.run(go())
    except asyncio.CancelledError:
        raise typer.Exit(1) from None


@contextmanager
def _handling(loop: "asyncio.AbstractEventLoop", interrupt: "Callable[[], None]") -> Iterator[None]:
    signals = (signal.SIGINT, signal.SIGTERM)
    try:
        for each in signals:
            loop.add_signal_handler(each, interrupt)
    except NotImplementedError:  # Windows: the handler runs between two steps of the loop
        signal.signal(signal.SIGINT, lambda *_: loop.call_soon_threadsafe(interrupt))
        yield
        return
    try:
        yield
    finally:
        for each in signals:
            loop.remove_signal_handler(each)


@contextmanager
def _watching(console: "Console") -> "Iterator[Callable[[Progress], None]]":
    """What draws how far the run is: a line that changes on a terminal, a line now and then elsewhere."""
    if not console.is_terminal:
        said_at = [-SECONDS_BETWEEN_LINES]

        def say(progress: "Progress") -> None:
            now = time.monotonic()
            if now - said_at[0] >= SECONDS_BETWEEN_LINES:
                said_at[0] = now
                console.print(progress.in_words(), markup=False, soft_wrap=True)

        yield say
        return
    status = console.status("…")
    drawn_at = [0.0]

    def draw(progress: "Progress") -> None:
        now = time.monotonic()
        if now - drawn_at[0] < 0.2:
            return
        drawn_at[0] = now
        status.start()
        status.update(progress.in_words().replace("[", "\\["))

    try:
        yield draw
    finally:
        status.stop()


def _say(under_way: "BatchRun", ending: "Ending", console: "Console") -> None:
    from wkgfc.batch.sharing import in_words

    progress, run = ending.progress, under_way.run
    console.print(f"{run.label}: {progress.in_words()}", markup=False, soft_wrap=True)
    if progress.asked.wanted:
        asked = in_words(progress.asked.wanted, progress.asked.sent)
        console.print(f"questions to sources: {asked}", markup=False, soft_wrap=True)
    left = progress.total - progress.finished
    why = {
        "budget": "the budget leaves no room for more: the same command with a higher --budget goes on",
        "interrupted": "interrupted: the same command goes on",
        "given up": "given up: the same command goes on",
    }.get(ending.reason)
    if why is not None:
        console.print(f"{left:,} claims are left; {why}", markup=False, soft_wrap=True)
    elif progress.errors or progress.degraded:
        console.print("'wkgfc runs show' says why; --retry-errors checks these again", style="dim", markup=False)
    if ending.reason != "given up":
        sys.stdout.write(f"{under_way.batch.results(run)}\n")
