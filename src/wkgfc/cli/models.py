"""``wkgfc models``: the reasoners that could be chosen here, and what the others lack."""

from typing import Annotated

import typer


def models(
    as_json: Annotated[bool, typer.Option("--json", help="Print the list as JSON.")] = False,
) -> None:
    """List who could judge: the word for --reasoner, and whether it could be used now. Nothing is asked or loaded.

    Model files are looked for in the folder 'models' of the data folder ('wkgfc config' names it); any other can be
    given by its path. MODEL stands for a name of the vendor's, as gpt-4o. 'wkgfc doctor --live' asks the chosen one.

    Examples:

        wkgfc models

        wkgfc check --reasoner local:qwen2.5-1.5b-instruct-q4_k_m.gguf "Nepal borders China."
    """
    import json
    from dataclasses import asdict

    from wkgfc.config import load_settings
    from wkgfc.reasoning.llm.inventory import offered, packages

    settings = load_settings()
    found = list(offered(settings))
    if as_json:
        extras = {extra: {"is_installed": is_there, "text": text} for extra, is_there, text in packages()}
        listed = [asdict(each) for each in found]
        print(json.dumps({"chosen": settings.reasoner, "reasoners": listed, "extras": extras}, indent=2))
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from wkgfc.claim import visible_text

    table = Table(box=None, pad_edge=False, header_style="dim")
    for column in ("--reasoner", "ready", "what it is, or lacks"):
        table.add_column(column, overflow="fold")
    for each in found:
        mark = Text("yes", style="green") if each.is_ready else Text("no", style="dim")
        table.add_row(Text(visible_text(each.word)), mark, Text(visible_text(each.text)))
    console = Console(highlight=False)
    console.print(table)
    console.print()
    console.print(f"chosen: {settings.reasoner}", markup=False)
    for extra, _, text in packages():
        console.print(f"extra {extra}: {text}", markup=False)
