"""``wkgfc check-text``: the claims of a whole text, each checked, shown where it stands."""

import sys
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from wkgfc.cli.progress import build_progress
from wkgfc.errors import BadInput

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Sequence

    from rich.console import Console

    from wkgfc.checker import FactChecker
    from wkgfc.documents.claims import TextSentence
    from wkgfc.result import CheckResult

REPORTS = (".html", ".md", ".json")


def check_text(
    source: Annotated[
        str, typer.Argument(help="FILE (txt, Markdown, HTML, PDF, docx), address of a page, or '-' to read a text.")
    ],
    report: Annotated[
        list[Path] | None, typer.Option(help="FILE for a report: .html, .md or .json. May be given several times.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
    only_list: Annotated[
        bool, typer.Option("--list", help="Check nothing: show the claims, and why each is one.")
    ] = False,
    date: Annotated[
        datetime | None,
        typer.Option(formats=["%Y-%m-%d"], help="The day of the text. Default: what the document says, or none."),
    ] = None,
    most: Annotated[int, typer.Option(min=1, max=5_000, help="Claims to check, those with most in them.")] = 100,
    least: Annotated[float, typer.Option(min=0, max=1, help="How much there must be in a claim, 0 to 1.")] = 0.2,
    concurrency: Annotated[int, typer.Option(min=1, max=64, help="Checks at a time.")] = 4,
    kg: Annotated[str | None, typer.Option(help="Knowledge graph, as in 'wkgfc check'.")] = None,
    web: Annotated[str | None, typer.Option(help="Passages, as in 'wkgfc check'.")] = None,
    reasoner: Annotated[
        str | None,
        typer.Option(help="Who judges, as in 'wkgfc check', and who finds the claims: …, claims=embedded."),
    ] = None,
    policy: Annotated[Path | None, typer.Option(help="FOLDER of a policy; its claims.md finds the claims.")] = None,
) -> None:
    """Find the claims of a text, check each, and show them in the text with what is wrong.

    After Ctrl-C what is done is shown and written, and the status is 1.

    Examples:

        wkgfc check-text speech.txt

        wkgfc check-text report.docx --report report.html --report report.json

        wkgfc check-text --date 2019-05-04 --most 20 https://news.example/article

        pbpaste | wkgfc check-text - --list

        wkgfc check-text --reasoner "embedded, claims=openai:gpt-4o" speech.txt
    """
    import asyncio

    from rich.console import Console

    from wkgfc.checker import FactChecker
    from wkgfc.config import load_settings
    from wkgfc.documents.checking import checked_text, chosen
    from wkgfc.documents.finding import text_claims
    from wkgfc.documents.opening import open_text
    from wkgfc.documents.reports import html_report, json_report, markdown_report
    from wkgfc.documents.terminal import checked_view, claims_view

    for path in report or ():
        if path.suffix.lower() not in REPORTS:
            raise BadInput(f"the report {path} must end with {', '.join(REPORTS)}")
        if not path.parent.is_dir():
            raise BadInput(f"{path} cannot be written: there is no folder {path.parent}")
    settings = load_settings(kg=kg, web=web, reasoner=reasoner, policy=policy)
    text = open_text(source, settings)
    day = date.date() if date is not None else text.date
    out = Console(highlight=False, soft_wrap=not sys.stdout.isatty())
    console = Console(stderr=True, highlight=False)
    with build_progress(console) as progress:
        checker = FactChecker(settings, progress=progress)
        found = asyncio.run(text_claims(text, settings, date=day, least=least, budget=checker.spent, progress=progress))
        sentences = found.sentences
        if only_list:
            out.print(claims_view(sentences, found.notes))
            return
        checker.open()
    numbers = chosen(sentences, most)
    results, is_whole = _results(checker, sentences, numbers, day, concurrency, console)
    checked = checked_text(text, day, sentences, results, notes=found.notes, usage=found.usage)
    if as_json:
        sys.stdout.write(json_report(checked))
    else:
        out.print(checked_view(checked))
    writers = {".html": html_report, ".md": markdown_report, ".json": json_report}
    unwritten = []
    for path in report or ():
        try:
            path.write_text(writers[path.suffix.lower()](checked), encoding="utf-8")
        except OSError as error:
            unwritten.append(f"{path} cannot be written: {error.strerror or error}")
    if unwritten:
        raise BadInput("; ".join(unwritten))
    if not is_whole:
        raise typer.Exit(1)


def _results(
    checker: "FactChecker",
    sentences: "Sequence[TextSentence]",
    numbers: "Sequence[int]",
    date: "dt.date | None",
    concurrency: int,
    console: "Console",
) -> "tuple[dict[int, CheckResult], bool]":
    """What was found by the number of the sentence, and whether all were checked: Ctrl-C ends it before."""
    import asyncio

    from wkgfc.documents.checking import check_sentences

    results: dict[int, CheckResult] = {}
    with build_progress(console) as progress:

        def told(number: int, result: "CheckResult") -> None:
            results[number] = result
            progress("checked", len(results), len(numbers))

        try:
            asyncio.run(check_sentences(checker, sentences, numbers, told, date=date, concurrency=concurrency))
        except KeyboardInterrupt:
            return results, False
    return results, True
