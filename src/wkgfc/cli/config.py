"""``wkgfc config``: every setting, its value and where that came from."""

from typing import Annotated

import typer


def config(
    as_json: Annotated[bool, typer.Option("--json", help="Print the settings as JSON.")] = False,
) -> None:
    """Show every setting: its value, where it came from, and what it means. Of a key, only whether it is set.

    A value is taken from a flag, the environment (WKGFC_NAME), the settings file, or the default, in this order.
    """
    import json

    from wkgfc.config import Settings, config_file, load_settings, origin

    settings = load_settings()
    if as_json:
        print(json.dumps(settings.shown(), indent=2))
        return
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="dim")
    for column in ("setting", "value", "from", "meaning"):
        table.add_column(column, overflow="fold")
    for name, value in settings.shown().items():
        shown = value if isinstance(value, str) else json.dumps(value)
        table.add_row(name, shown, origin(name), Settings.model_fields[name].description or "")
    console = Console(highlight=False)
    console.print(table)
    file = config_file()
    console.print(f"\nsettings file: {file}" + ("" if file.exists() else " (not there)"), markup=False)
