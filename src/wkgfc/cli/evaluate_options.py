"""The options that the tables of ``wkgfc evaluate`` share, written once."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, Concatenate, ParamSpec

import typer

P = ParamSpec("P")

Kg = Annotated[str | None, typer.Option("--kg", help="Knowledge graph, as for 'wkgfc check'.")]
Web = Annotated[str | None, typer.Option("--web", help="Source of passages, as for 'wkgfc check'.")]
Reasoner = Annotated[str | None, typer.Option(help="Who makes the judgements: embedded, openai:gpt-4o, …")]
Policy = Annotated[str | None, typer.Option(help="FOLDER of a learned policy.")]
Verifier = Annotated[str | None, typer.Option(help="FOLDER of another verifier than the one that ships.")]
Limit = Annotated[int | None, typer.Option(min=1, help="A sample of so many claims, each label by its share.")]
Seed = Annotated[int, typer.Option(help="Which claims are drawn.")]
Workers = Annotated[int, typer.Option(min=1, max=64, help="Processes that check at a time.")]
Data = Annotated[Path | None, typer.Option("--data", help="FOLDER of the sets, NAME.jsonl.gz each.")]
Sets = Annotated[str | None, typer.Option(help="Sets, by commas: names of files in --data, or paths.")]
Methods = Annotated[str | None, typer.Option(help="Methods, by commas; 'wkgfc evaluate methods' lists them.")]
Cells = Annotated[
    Path | None, typer.Option("--cells", help="FOLDER of the cells, which tables may share. Default: OUT/cells.")
]
Out = Annotated[Path, typer.Option("--out", help="The folder; one that is there already is gone on with.")]


@dataclass(frozen=True)
class TableOptions:
    """What every table takes: where its claims and cells are, which sample, and with what it is checked."""

    out: Out
    data: Data = None
    sets: Sets = None
    kg: Kg = None
    web: Web = None
    limit: Limit = None
    seed: Seed = 0
    workers: Workers = 1
    cells: Cells = None
    reasoner: Reasoner = None
    policy: Policy = None
    verifier: Verifier = None

    @property
    def sources(self) -> dict[str, str | None]:
        """The settings by which the sources, the reasoner and its policy are opened."""
        return {name: getattr(self, name) for name in ("kg", "web", "reasoner", "policy", "verifier")}


def takes_table_options(
    *left_out: str,
) -> Callable[[Callable[Concatenate[TableOptions, P], None]], Callable[..., None]]:
    """For a command whose first argument is ``TableOptions``: each of them is an option, but for those left out.

    A parameter of the command itself stands in the place of the shared one of its name.
    """

    def decorate(command: Callable[Concatenate[TableOptions, P], None]) -> Callable[..., None]:
        _, *own = inspect.signature(command).parameters.values()
        shared = [
            parameter
            for name, parameter in inspect.signature(TableOptions).parameters.items()
            if name not in {*left_out, *(each.name for each in own)}
        ]

        @wraps(command)
        def with_options(**given: Any) -> None:
            names = {field.name for field in fields(TableOptions)} & {parameter.name for parameter in shared}
            options = TableOptions(**{name: given.pop(name) for name in names})
            command(options, **given)  # type: ignore[call-arg]

        parameters = [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in (*shared, *own)]
        with_options.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        with_options.__annotations__ = {each.name: each.annotation for each in parameters}
        return with_options

    return decorate
