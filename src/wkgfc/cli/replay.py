"""``wkgfc replay``: a recorded check, shown: the claim, the steps, the verdict, and every request behind them."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.console import RenderableType

    from wkgfc.http.cassette import Cassette, Exchange


def replay(
    file: Annotated[Path, typer.Argument(help="What 'wkgfc check --record FILE' has written.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the recorded result as JSON.")] = False,
) -> None:
    """Show a recorded check: the claim, how it was checked, the steps, the verdict, and the requests.

    Nothing is run: 'wkgfc check --replay FILE' does that, with the network off.
    """
    import json

    from rich.console import Console
    from rich.text import Text

    from wkgfc.claim import visible_text
    from wkgfc.errors import BadInput
    from wkgfc.recording import read_run
    from wkgfc.render import result_view, trace_view
    from wkgfc.result import CheckResult

    run = read_run(file)
    if as_json:
        if run.result is None:
            raise BadInput(f"{file} has no result: the run was interrupted")
        print(json.dumps(run.result.to_json(trace=True), ensure_ascii=False, indent=2))
        return
    console = Console(highlight=False, soft_wrap=not sys.stdout.isatty())
    console.print(Text(visible_text(run.claim.text), style="bold"))
    day = f"of {run.claim.date}" if run.claim.date else "without a date"
    console.print(Text(f"{day}, recorded {visible_text(run.cassette.made_at)[:19]} UTC", style="dim"))
    chosen = (f"{name} {visible_text(str(run.recorded.get(name)))}" for name in ("kg", "web", "reasoner"))
    console.print(Text(", ".join(chosen), style="dim"))
    console.print()
    if run.result is None:
        console.print(Text("The run was interrupted: there is no result.", style="bold red"))
    else:
        shown = CheckResult.model_validate(_visible(run.result.to_json(trace=True)))
        console.print(trace_view(shown))
        console.print()
        console.print(result_view(shown))
    console.print()
    console.print(_requests(run.cassette))


def _visible(value: Any) -> Any:
    """What a file says without signs that steer a terminal: it may come from anybody."""
    from wkgfc.claim import visible_text

    match value:
        case str():
            return visible_text(value)
        case list():
            return [_visible(each) for each in value]
        case dict():
            return {name: _visible(each) for name, each in value.items()}
    return value


def _requests(cassette: "Cassette") -> "RenderableType":
    """Every request with what came of it and how large that was; the last line says how many there are."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    from wkgfc.claim import visible_text

    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("request", overflow="fold", ratio=3)
    table.add_column("status", no_wrap=True)
    table.add_column("bytes", no_wrap=True, justify="right")
    table.add_column("note", overflow="fold", ratio=2)
    for exchange in cassette.exchanges:
        note = exchange.reason or ("from the cache" if exchange.from_cache else "")
        table.add_row(
            Text(visible_text(_asked(exchange.request))),
            str(exchange.status or "none"),
            f"{len(exchange.outcome().body):,}",
            Text(visible_text(note), style="red" if exchange.reason else "dim"),
        )
    count = len(cassette.exchanges)
    said = f"{count} request{'' if count == 1 else 's'}, {sum(map(_failed, cassette.exchanges))} without an answer"
    if not cassette.is_complete:
        said += "; the file ends in the middle of one"
    return Group(table, Text(said, style="dim")) if count else Text("No request was made.", style="dim")


def _failed(exchange: "Exchange") -> bool:
    return exchange.reason is not None


def _asked(request: dict[str, Any]) -> str:
    """Method, address and what was asked for, in a line."""
    params = request.get("params") or request.get("form") or request.get("json")
    asked = "" if not params else " " + " ".join(str(params).split())[:120]
    return f"{request.get('method', '?')} {request.get('url', '?')}{asked}"
