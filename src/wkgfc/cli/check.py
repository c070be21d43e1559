"""``wkgfc check``: one claim, from the command line to the verdict."""

import sys
from contextlib import aclosing
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from wkgfc.cli.progress import build_progress
from wkgfc.errors import BadInput, UserError

if TYPE_CHECKING:
    from rich.console import Console

    from wkgfc.checker import FactChecker
    from wkgfc.claim import Claim
    from wkgfc.config import Settings
    from wkgfc.recording import Run
    from wkgfc.result import CheckResult

MAX_READ_CHARACTERS = 200_000  # of standard input: more than any claim, less than a mistake


def check(
    claim: Annotated[
        str | None, typer.Argument(help="The claim, one sentence. '-' reads it from standard input.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the whole result as JSON (docs/contract.md).")] = False,
    trace: Annotated[
        bool, typer.Option("--trace", help="Show the trajectory: each step, why, its calls and their time.")
    ] = False,
    date: Annotated[
        datetime | None,
        typer.Option(formats=["%Y-%m-%d"], help="The day of the claim: 'is' means at that day. Default: today."),
    ] = None,
    language: Annotated[
        str | None, typer.Option(help="Language of the claim, as en or de. Default: told from its words.")
    ] = None,
    kg: Annotated[
        str | None, typer.Option(help="Knowledge graph: embedded, none, wikidata, dbpedia, URL or PATH of a store.")
    ] = None,
    web: Annotated[
        str | None,
        typer.Option(help="Passages: embedded, none, PATH of an index, or search engines: serper, serper+brave, …"),
    ] = None,
    reasoner: Annotated[
        str | None,
        typer.Option(
            help="Who judges: embedded, or VENDOR:MODEL, as openai:gpt-4o or local:PATH.gguf (docs/reasoners.md)."
        ),
    ] = None,
    policy: Annotated[Path | None, typer.Option(help="FOLDER of a policy, learned or written.")] = None,
    mode: Annotated[
        Literal["single", "debate"] | None,
        typer.Option(help="One agent, or an advocate and a sceptic before a judge (docs/reasoners.md)."),
    ] = None,
    votes: Annotated[
        int | None, typer.Option(min=1, max=15, help="Verdicts that the language model is asked for.")
    ] = None,
    max_tokens: Annotated[int | None, typer.Option(min=1_000, help="Tokens of the check: then it concludes.")] = None,
    max_cost_usd: Annotated[float | None, typer.Option(min=0, help="Dollars of the check: then it concludes.")] = None,
    estimate: Annotated[
        bool, typer.Option("--estimate", help="Check nothing: say how many calls, tokens and dollars it would take.")
    ] = False,
    claims: Annotated[int, typer.Option(min=1, help="With --estimate: how many claims.")] = 1,
    like: Annotated[Path | None, typer.Option(help="With --estimate: FOLDER of the results of an earlier run.")] = None,
    verifier: Annotated[str | None, typer.Option(help="FOLDER of another verifier than the one that ships.")] = None,
    hops: Annotated[int | None, typer.Option(min=1, max=8, help="Hops of one KG retrieval (N).")] = None,
    beam: Annotated[int | None, typer.Option(min=1, max=16, help="Relations kept a hop (k).")] = None,
    max_steps: Annotated[int | None, typer.Option(min=2, max=30, help="Actions a check, the verdict included.")] = None,
    counting: Annotated[
        Literal["batched", "faithful"] | None, typer.Option(help="How the KG is asked; faithful: as the paper does.")
    ] = None,
    benchmark: Annotated[
        bool | None, typer.Option("--benchmark", help="Keep out fact-checking sites and verdicts of others.")
    ] = None,
    earlier_checks: Annotated[
        bool | None,
        typer.Option("--earlier-checks", help="Show what fact-checkers have said of it, beside the verdict."),
    ] = None,
    keep_pages: Annotated[
        Path | None, typer.Option(help="FOLDER for the text of every page used. With --record: FILE.pages.")
    ] = None,
    record: Annotated[
        Path | None, typer.Option(help="Write the whole run into FILE: what is asked, answered and concluded.")
    ] = None,
    replay: Annotated[
        Path | None, typer.Option(help="Run the check that FILE has recorded again, with the network off.")
    ] = None,
) -> None:
    """Check a claim: the verdict, why, and the evidence it cites.

    Examples:

        wkgfc check "Charlie Chaplin was born in 1889."

        wkgfc check --json --trace --date 2019-05-01 "Theresa May is the Prime Minister of the United Kingdom."

        echo "Nepal borders China." | wkgfc check -

        wkgfc check --kg wikidata --web serper --record run.jsonl.gz "Nepal borders China."

        wkgfc check --replay run.jsonl.gz

        wkgfc check --reasoner "openai:gpt-4o, select=embedded" "Nepal borders China."

        wkgfc check --reasoner openai:gpt-4o --estimate --claims 1000
    """
    import json

    from rich.console import Console

    from wkgfc.claim import read_claim
    from wkgfc.config import load_settings
    from wkgfc.recording import read_run
    from wkgfc.render import result_view, trace_view
    from wkgfc.tracing import watched

    if record is not None and not record.name:
        raise BadInput(f"--record needs a FILE: {record} is a folder")
    if record is not None and keep_pages is None:
        keep_pages = record.with_name(record.name + ".pages")
    given = {
        "kg": kg,
        "web": web,
        "reasoner": reasoner,
        "policy": policy,
        "mode": mode,
        "votes": votes,
        "max_tokens": max_tokens,
        "max_cost_usd": max_cost_usd,
        "verifier": verifier,
        "hops": hops,
        "beam": beam,
        "max_steps": max_steps,
        "counting": counting,
        "benchmark": benchmark,
        "earlier_checks": earlier_checks,
        "keep_pages": keep_pages,
    }
    if estimate:
        from wkgfc.estimate import estimate as estimated
        from wkgfc.render import estimate_view

        Console(highlight=False).print(estimate_view(estimated(load_settings(**given), claims, like)))
        return
    run = None
    if replay is not None:
        if claim is not None or date is not None or language is not None:
            raise BadInput("--replay has the claim in its file, with its date and language: leave them out")
        run = read_run(replay)
        read, settings = run.claim, run.settings(**given)
    elif claim is None:
        raise BadInput("give a claim to check, in one sentence")
    else:
        read = read_claim(_text_of(claim), date=date.date() if date else None, language=language)
        settings = load_settings(**given)
    steps = Console(stderr=True, highlight=False)
    with watched("wkgfc check") as spans:
        result = _checked(read, settings, steps, run=run, record=record, quiet=as_json)
    if as_json:
        print(json.dumps(result.to_json(trace=trace), ensure_ascii=False, indent=2))
    else:
        out = Console(highlight=False, soft_wrap=not sys.stdout.isatty())
        out.print(result_view(result))
        if trace:
            out.print(trace_view(result, spans.children[0] if spans.children else None))
    if result.stop_reason == "error":
        raise typer.Exit(1)


def _checked(
    claim: "Claim", settings: "Settings", console: "Console", *, run: "Run | None", record: Path | None, quiet: bool
) -> "CheckResult":
    """Open the sources and run the check, with the network off for a ``run``, and recorded where ``record`` says."""
    import asyncio

    from wkgfc.checker import FactChecker
    from wkgfc.http.cassette import Recorder
    from wkgfc.recording import note_check, note_result

    if run is not None and record is not None:
        raise BadInput("--record and --replay exclude each other: a replay asks nobody anything new")
    recorder = Recorder(record) if record is not None else None
    try:
        with build_progress(console) as progress:
            checker = FactChecker(settings, http=run.http() if run else None, recorder=recorder, progress=progress)
            checker.open()
    except UserError:
        if recorder is not None and record is not None:  # nothing was run, so nothing was recorded
            recorder.close()
            record.unlink()
        raise
    if recorder is None:
        return asyncio.run(_watch(checker, claim, console, quiet=quiet))
    try:
        note_check(recorder, claim, settings)
        result = asyncio.run(_watch(checker, claim, console, quiet=quiet))
        note_result(recorder, result)
        return result
    finally:
        recorder.close()


async def _watch(checker: "FactChecker", claim: "Claim", console: "Console", *, quiet: bool) -> "CheckResult":
    """Run the check and show a line for each step as it happens."""
    from wkgfc.render import action_line, step_line
    from wkgfc.result import CheckResult
    from wkgfc.state import Step

    status: Any = console.status("…") if console.is_terminal and not quiet else None
    if status:
        status.start()
    try:
        async with aclosing(checker.stream(claim)) as events:
            async for event in events:
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
