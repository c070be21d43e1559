"""``wkgfc corpus``: passages of one's own, built into an index, described and searched."""

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from wkgfc.cli.progress import build_progress
from wkgfc.errors import BadInput

if TYPE_CHECKING:
    from wkgfc.web.corpus import Corpus

app = typer.Typer(help="Passages: build an index of your own archive, look inside, search it.", no_args_is_help=True)

Index = Annotated[
    str | None, typer.Option("--web", help="embedded, or the PATH of an index. Default: what the settings say.")
]


@app.command()
def build(
    path: Annotated[Path, typer.Argument(help="JSONL (plain or gz) of {title, text, url, date}, or a folder.")],
    out: Annotated[Path, typer.Option("--out", help="The folder of the new index.")],
    replace: Annotated[bool, typer.Option("--replace", help="Build it again where one is there.")] = False,
) -> None:
    """Build an index from a JSONL file, or from a folder of txt, Markdown, HTML and PDF files.

    Example:

        wkgfc corpus build ~/archive --out ~/archive.index

        wkgfc check --web ~/archive.index "The bridge was opened in 1998."
    """
    from rich.console import Console

    from wkgfc.web.corpus import build_corpus

    with build_progress(Console(stderr=True, highlight=False)) as progress:
        manifest = build_corpus(path, out, progress, replace=replace)
    _print_contents(out, manifest.contents)


@app.command()
def info(web: Index = None) -> None:
    """Say what an index holds, what it was built from and when, and what was left out."""
    manifest = _open(web).manifest
    print(f"built {manifest.built_at:%Y-%m-%d %H:%M} UTC in {manifest.seconds:.1f} s, version {manifest.fingerprint}")
    _print_contents(None, manifest.contents)


@app.command()
def search(
    query: Annotated[str, typer.Argument(help="Any text.")],
    web: Index = None,
    limit: Annotated[int, typer.Option(min=1, max=100, help="Passages at most.")] = 8,
    before: Annotated[
        datetime | None, typer.Option(formats=["%Y-%m-%d"], help="None that is known to be published later.")
    ] = None,
    site: Annotated[list[str] | None, typer.Option(help="Only passages of this site. May be repeated.")] = None,
    without: Annotated[list[str] | None, typer.Option(help="No passages of this site. May be repeated.")] = None,
) -> None:
    """Search an index as a check does, and show what it finds."""
    from rich.console import Console
    from rich.text import Text

    from wkgfc.claim import visible_text
    from wkgfc.state import Failed, Found

    answer = _open(web).find(
        query,
        limit,
        before=before.date() if before else None,
        allowed_sites=site or (),
        blocked_sites=without or (),
    )
    console = Console(highlight=False)
    match answer:
        case Failed(reason=reason):
            raise BadInput(reason)
        case Found(items=hits):
            for hit in hits:
                passage = hit.passage
                date = f", {passage.date}" if passage.date else ""
                title = visible_text(passage.title or "(no title)")
                console.print(Text.assemble((title, "bold"), f"  {visible_text(passage.url or '')}{date}"))
                console.print(Text(visible_text(passage.text)), soft_wrap=True)
                console.print()
        case _:
            console.print("nothing found")


def _open(web: str | None) -> "Corpus":
    from wkgfc.config import load_settings

    settings = load_settings(web=web)
    if settings.web == "none":
        raise BadInput("the settings say that there are no passages: give --web")
    from rich.console import Console

    from wkgfc.sources import is_live_web
    from wkgfc.web.corpus import build_embedded_corpus, open_corpus

    if is_live_web(settings.web):
        raise BadInput(f"{settings.web} is no index on this machine: give --web embedded or the PATH of one")
    if settings.web != "embedded":
        return open_corpus(Path(settings.web))
    with build_progress(Console(stderr=True, highlight=False)) as progress:
        return open_corpus(build_embedded_corpus(settings.data_dir, progress))


def _print_contents(out: Path | None, contents: dict[str, object]) -> None:
    if out is not None:
        print(f"built {out}")
    for name, value in contents.items():
        if isinstance(value, list):
            print(f"{name}:")
            for line in value:
                print(f"  {line}")
        else:
            print(f"{name}: {value:,}" if isinstance(value, int) else f"{name}: {value}")
