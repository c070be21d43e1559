"""A table's folder: the tables as text, the picture, and one page in which every figure opens to its claims."""

import base64
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from wkgfc.errors import BadInput
from wkgfc.evaluate.pictures import Kind, draw
from wkgfc.evaluate.runs import Claims, Run
from wkgfc.evaluate.table import Table, as_csv, as_latex, as_markdown

PAGE, PICTURE = "report.html", "picture.svg"


@dataclass(frozen=True)
class Report:
    """Tables with the runs behind them, and what is drawn."""

    name: str
    title: str
    tables: tuple[Table, ...]
    runs: tuple[Run, ...]
    picture: tuple[dict[str, Any], ...] = ()
    picture_title: str = ""
    picture_kind: Kind = "dots"


def notes_on(claims: Sequence[Claims], runs: Sequence[Run]) -> tuple[str, ...]:
    """What the figures of some sets must not be read without: labels, samples, sources, and who judged."""
    notes = [f"{each.of.name}: {len(each.rows)} claims ({each.path.name}); labels {each.labels}." for each in claims]
    notes += [
        f"{each.of.name}: {each.without_document} claims without a document are left out for every method."
        for each in claims
        if each.without_document
    ]
    fitted = {run.scores["method"] for run in runs} & {"majority", "lexical"}
    if fitted:
        development = sorted({each.of.development for each in claims})
        notes.append(f"The floors are fitted on {', '.join(development)}, never on claims that they are measured on.")
    said = dict.fromkeys(f"{role} {name}" for run in runs for role, name in run.scores["sources"].items())
    if said:
        notes.append(f"Sources and judges: {'; '.join(said)}.")
    if any(run.sight.web == "sources" for run in runs):
        notes.append(
            "Where the web is an index that holds the sets' gold passages, retrieval is closed-world: figures over the "
            "open web are lower."
        )
    seeds = dict.fromkeys(str(run.scores["seed"]) for run in runs if run.scores["limit"] is not None)
    if seeds:
        notes.append(f"Samples by seed {', '.join(seeds)}, each label by its share; their ids are beside the cells.")
    return tuple(notes)


def write_report(report: Report, folder: Path) -> Path:
    """Write ``table.md``, ``table.csv``, ``table.tex``, the picture and the page; the path of the page.

    Raises:
        BadInput: the folder cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "table.md").write_text(f"# {report.title}\n\n{as_markdown(report.tables)}", encoding="utf-8")
        (folder / "table.csv").write_text(as_csv(report.tables), encoding="utf-8")
        (folder / "table.tex").write_text(as_latex(report.tables), encoding="utf-8")
        if report.picture:
            draw(report.picture, report.picture_title, report.picture_kind, folder / PICTURE)
        (folder / PAGE).write_text(page_of(report, folder), encoding="utf-8")
    except OSError as error:
        raise BadInput(f"{folder} cannot be written: {error.strerror}") from error
    return folder / PAGE


def page_of(report: Report, folder: Path) -> str:
    """The page. It needs nothing but itself: style, script, picture and claims are in it, and it may load nothing.

    Its policy names the two hashes of its own style and script; every text is escaped, and what the script shows it
    shows as text.
    """
    from jinja2 import Environment, StrictUndefined  # noqa: PLC0415 - an extra

    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    style, script = _template("report.css"), _template("report.js")
    picture = folder / PICTURE
    encoded = base64.b64encode(picture.read_bytes()).decode("ascii") if report.picture else ""
    return environment.from_string(_template("report.html")).render(
        title=report.title,
        tables=report.tables,
        runs={run.key: run for run in report.runs}.values(),
        picture=f"data:image/svg+xml;base64,{encoded}" if encoded else "",
        picture_title=report.picture_title,
        style=_trusted(style),
        script=_trusted(script),
        policy="; ".join(
            [
                "default-src 'none'",
                f"style-src {_hash(style)}",
                f"script-src {_hash(script)}",
                "img-src data:",
                "base-uri 'none'",
                "form-action 'none'",
            ]
        ),
    )


def _trusted(text: str) -> Any:
    """Our own style or script, which is not escaped."""
    from markupsafe import Markup  # noqa: PLC0415 - comes with jinja2

    return Markup(text)


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


@lru_cache(maxsize=8)
def _template(name: str) -> str:
    return (files(__package__) / "templates" / name).read_text(encoding="utf-8")
