"""``wkgfc serve``: the page and the HTTP API, and the API keys of whoever may use them."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from wkgfc.errors import NotConfigured

if TYPE_CHECKING:
    from wkgfc.config import Settings
    from wkgfc.serve.keys import KeyRing

app = typer.Typer(invoke_without_command=True)
keys = typer.Typer(no_args_is_help=True, help="API keys: once there is one, nobody gets in without.")
app.add_typer(keys, name="keys")

DataOption = Annotated[
    Path | None, typer.Option("--data", help="FOLDER of the checks and the API keys. Default: 'service' in data_dir.")
]


@app.callback()
def serve(
    context: typer.Context,
    host: Annotated[str | None, typer.Option(help="Address to listen on. Default: 127.0.0.1, this machine.")] = None,
    port: Annotated[int | None, typer.Option(min=0, max=65_535, help="Port; 0: a free one. Default: 8765.")] = None,
    data: DataOption = None,
    workers: Annotated[
        int | None,
        typer.Option(min=0, max=64, help="Processes that check; 0: threads. Default: one a core, up to 4."),
    ] = None,
    kg: Annotated[str | None, typer.Option(help="Knowledge graph, as in 'wkgfc check'.")] = None,
    web: Annotated[str | None, typer.Option(help="Passages, as in 'wkgfc check'.")] = None,
    reasoner: Annotated[str | None, typer.Option(help="Who judges, as in 'wkgfc check'.")] = None,
    open_page: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
) -> None:
    """Serve the page and the HTTP API (docs/service.md), on this machine alone unless told otherwise.

    Ctrl-C ends it: what runs is finished, what waits is checked at the next start.

    Examples:

        wkgfc serve --open

        wkgfc serve --port 9000 --kg wikidata --web serper

        wkgfc serve keys add newsroom && wkgfc serve --host 0.0.0.0
    """
    if context.invoked_subcommand is not None:
        context.obj = data
        return
    from wkgfc.config import load_settings

    _need_the_extra()
    settings = load_settings(
        serve_host=host,
        serve_port=port,
        serve_dir=data,
        serve_workers=workers,
        kg=kg,
        web=web,
        reasoner=reasoner,
    )
    warn_of_an_open_door(settings)
    _build(settings)
    from wkgfc.serve.running import run_service

    run_service(settings, open_page=open_page)


@keys.command("add")
def add(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="Whose key it is, for the list.")],
    data: DataOption = None,
) -> None:
    """Make a key and print it, once: only a hash of it is kept."""
    ring = _ring(data or context.obj)
    is_first = not ring.is_on
    print(ring.add(name))
    print("Keep it: it is not shown again. Send it as 'Authorization: Bearer KEY'.", file=sys.stderr)
    if is_first:
        print("From now on nobody gets in without a key, a running service included.", file=sys.stderr)


@keys.command("list")
def list_keys(context: typer.Context, data: DataOption = None) -> None:
    """Show the keys: id, name, when each was made."""
    ring = _ring(data or context.obj)
    for key in ring.all():
        print(f"{key.id}  {key.created_at}  {key.name}")
    if not ring.is_on:
        print("There is no key, and nobody is asked for one: 'wkgfc serve keys add NAME' makes one.", file=sys.stderr)


@keys.command("remove")
def remove(
    context: typer.Context,
    key: Annotated[str, typer.Argument(help="The key's id, or its name.")],
    data: DataOption = None,
) -> None:
    """Remove a key: whoever has it does not get in any more, at once."""
    ring = _ring(data or context.obj)
    removed = ring.remove(key)
    print(f"removed {removed.id} ({removed.name})")
    if not ring.all():
        print(f"No key is left, so nobody gets in. To go without keys, remove {ring.path}.", file=sys.stderr)


def _ring(data: Path | None) -> "KeyRing":
    from wkgfc.config import load_settings
    from wkgfc.serve.folder import folder_of
    from wkgfc.serve.keys import KeyRing

    return KeyRing(folder_of(load_settings(serve_dir=data)))


def _need_the_extra() -> None:
    from importlib.util import find_spec

    missing = [name for name in ("fastapi", "uvicorn", "prometheus_client", "jinja2") if find_spec(name) is None]
    if missing:
        raise NotConfigured(f"{', '.join(missing)} is missing: pip install 'wkgfc[serve]'")


def warn_of_an_open_door(settings: "Settings") -> None:
    """Say that others get in, where they do."""
    from wkgfc.serve.folder import folder_of
    from wkgfc.serve.keys import KeyRing
    from wkgfc.serve.listening import is_loopback

    if not is_loopback(settings.serve_host) and not KeyRing(folder_of(settings)).is_on:
        print(
            f"Warning: everybody who reaches {settings.serve_host} may use the service and read all checks. "
            "'wkgfc serve keys add NAME' closes it.",
            file=sys.stderr,
        )


def _build(settings: "Settings") -> None:
    """Build the embedded stores where they are missing, once for all workers, and say how far it is.

    Raises:
        NotConfigured: a source cannot be opened.
    """
    from rich.console import Console

    from wkgfc.cli.progress import build_progress
    from wkgfc.sources import is_live, open_sources

    if not is_live(settings):
        with build_progress(Console(stderr=True, highlight=False)) as progress:
            open_sources(settings, None, progress)
