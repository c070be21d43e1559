"""``wkgfc export``: the result of a check in a form for other programs."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from wkgfc.errors import BadInput

if TYPE_CHECKING:
    from wkgfc.result import CheckResult

MAX_BYTES = 50_000_000  # of the result: one with a full evidence graph has some hundred thousand


def export(
    result: Annotated[Path, typer.Argument(help="RESULT of 'wkgfc check --json --trace'; '-' reads it.")],
    form: Annotated[
        str,
        typer.Option("--as", help="claimreview, ntriples, graphml, mermaid, citations, csl, bibtex or trajectory."),
    ],
    out: Annotated[Path | None, typer.Option(help="FILE to write instead of standard output.")] = None,
    url: Annotated[str | None, typer.Option(help="With claimreview: the address of the page it will stand on.")] = None,
) -> None:
    """Write a result as ClaimReview, as a graph, as a list of references, or step by step (docs/exports.md).

    Examples:

        wkgfc check --json --trace "Nepal borders China." > nepal.json

        wkgfc export nepal.json --as mermaid

        wkgfc export nepal.json --as claimreview --url https://news.example/checks/nepal

        wkgfc check --json --trace "Nepal borders China." | wkgfc export - --as ntriples --out nepal.nt
    """
    from wkgfc.config import load_settings
    from wkgfc.exports.forms import FORMS, exported

    if form not in FORMS:
        raise BadInput(f"there is no form {form!r}: {', '.join(FORMS)}")
    text = exported(_read(result), form, load_settings(), url=url)
    if out is None:
        sys.stdout.write(text)
        return
    try:
        out.write_text(text, encoding="utf-8")
    except OSError as error:
        raise BadInput(f"{out} cannot be written: {error.strerror or error}") from error


def _read(path: Path) -> "CheckResult":
    """The result in a file, or from standard input.

    Raises:
        BadInput: it cannot be read, is too large, or is no result of a check.
    """
    from pydantic import ValidationError

    from wkgfc.result import CheckResult

    try:
        with sys.stdin.buffer if str(path) == "-" else path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror or error}") from error
    if len(content) > MAX_BYTES:
        raise BadInput(f"{path} has over {MAX_BYTES:,} bytes: it is not the result of one check")
    try:
        return CheckResult.model_validate_json(content)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise BadInput(
            f"{path} is no result of 'wkgfc check --json' ({f'{where}: ' if where else ''}{first['msg']})"
        ) from error
