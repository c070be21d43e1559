"""``wkgfc check``: one claim, from the command line to the verdict."""

import sys
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from wkgfc.cli.progress import build_progress
from wkgfc.errors import BadInput

if TYPE_CHECKING:
    from rich.console import Console

    from wkgfc.checker import FactChecker
    from wkgfc.claim import Claim
    from wkgfc.result import CheckResult

MAX_READ_CHARACTERS = 200_000  # of standard input: more than any claim, less than a mistake


def check(
    claim: Annotated[str, typer.Argument(help="The claim, one sentence. '-' reads it from standard input.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the whole result as JSON (docs/contract.md).")] = False,
    trace: Annotated[bool, typer.Option("--trace", help="Show the trajectory: each step, why, and its time.")] = False,
    date: Annotated[
        datetime | None,
        typer.Option(formats=["%Y-%m-%d"], help="The day of the claim: 'is' means at that day. Default: today."),
    ] = None,
    kg: Annotated[str | None, typer.Option(help="Knowledge graph: embedded, none, or the PATH of a store.")] = None,
    web: Annotated[str | None, typer.Option(help="Passages: embedded, none, or the PATH of an index.")] = None,
    verifier: Annotated[str | None, typer.Option(help="FOLDER of another verifier than the one that ships.")] = None,
    hops: Annotated[int | None, typer.Option(min=1, max=8, help="Hops of one KG retrieval (N).")] = None,
    beam: Annotated[int | None, typer.Option(min=1, max=16, help="Relations kept a hop (k).")] = None,
    max_steps: Annotated[int | None, typer.Option(min=2, max=30, help="Actions a check, the verdict included.")] = None,
    counting: Annotated[
        Literal["batched", "faithful"] | None, typer.Option(help="How the KG is asked; faithful: as the paper does.")
    ] = None,
) -> None:
    """Check a claim: the verdict, why, and the evidence it cites.

    Examples:

        wkgfc check "Charlie Chaplin was born in 1889."

        wkgfc check --json --trace --date 2019-05-01 "Theresa May is the Prime Minister of the United Kingdom."

        echo "Nepal borders China." | wkgfc check -
    """
    import asyncio
    import json

    from rich.console import Console

    from wkgfc.checker import FactChecker
    from wkgfc.claim import read_claim
    from wkgfc.config import load_settings
    from wkgfc.render import result_view, trace_view

    read = read_claim(_text_of(claim), date=date.date() if date else None)
    settings = load_settings(
        kg=kg, web=web, verifier=verifier, hops=hops, beam=beam, max_steps=max_steps, counting=counting
    )
    steps = Console(stderr=True, highlight=False)
    with build_progress(steps) as progress:
        checker = FactChecker(settings, progress=progress)
        checker.open()
    result = asyncio.run(_watch(checker, read, steps, quiet=as_json))
    if as_json:
        print(json.dumps(result.to_json(trace=trace), ensure_ascii=False, indent=2))
    else:
        out = Console(highlight=False, soft_wrap=not sys.stdout.isatty())
        out.print(result_view(result))
        if trace:
            out.print(trace_view(result))
    if result.stop_reason == "error":
        raise typer.Exit(1)


async def _watch(checker: "FactChecker", claim: "Claim", console: "Console", *, quiet: bool) -> "CheckResult":
    """Run the check and show a line for each step as it happens."""
    from wkgfc.render import action_line, step_line
    from wkgfc.result import CheckResult
    from wkgfc.state import Step

    status: Any = console.status("…") if console.is_terminal and not quiet else None
    if status:
        status.start()
    try:
        async for event in checker.stream(claim):
            if isinstance(event, CheckResult):
                return event
            if isinstance(event, Step):
                if not quiet:
                    console.print(step_line(event), style="dim", markup=False)
            elif status:
                status.update(action_line(event.number, event.action).replace("[", "\\["))
    finally:
        if status:
            status.stop()
    raise AssertionError("a stream ends with a result")


def _text_of(claim: str) -> str:
    if claim != "-":
        return claim
    try:
        text = sys.stdin.read(MAX_READ_CHARACTERS + 1)
    except UnicodeDecodeError as error:
        raise BadInput(f"standard input is not UTF-8 text: {error.reason}") from error
    if len(text) > MAX_READ_CHARACTERS:
        raise BadInput("standard input is too long for one claim")
    return text
