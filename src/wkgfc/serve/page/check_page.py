"""What the template of a check is given, from the job and what has happened to it."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter

from wkgfc.claim import Veracity
from wkgfc.config import Settings
from wkgfc.exports.forms import CLAIM_REVIEW
from wkgfc.exports.links import web_address
from wkgfc.result import CheckResult
from wkgfc.serve.jobs import Correction, Event, Job
from wkgfc.serve.page.drawing import size
from wkgfc.serve.page.history import verdict_of_job
from wkgfc.serve.page.views import pieces, shares, stages, title_of
from wkgfc.serve.page.words import held_back, notes, used, verdict_of
from wkgfc.state import Action, Step

_ACTION: TypeAdapter[Action] = TypeAdapter(Action)


@dataclass(frozen=True)
class Export:
    """A form in which a result can be taken along: what it is of, what it is called, and how its file ends."""

    name: str
    of: str
    title: str
    ending: str
    kind: str


EXPORTS = {
    each.name: each
    for each in (
        Export("json", "All of it", "JSON", "json", "application/json"),
        Export(CLAIM_REVIEW, "All of it", "ClaimReview", "claimreview.json", "application/ld+json"),
        Export("citations", "Citations", "Markdown", "citations.md", "text/markdown"),
        Export("bibtex", "Citations", "BibTeX", "bib", "application/x-bibtex"),
        Export("csl", "Citations", "CSL", "csl.json", "application/vnd.citationstyles.csl+json"),
        Export("mermaid", "Graph", "Mermaid", "mmd", "text/plain"),
        Export("graphml", "Graph", "GraphML", "graphml", "application/xml"),
        Export("ntriples", "Graph", "N-Triples", "nt", "application/n-triples"),
        Export("trajectory", "Steps", "JSON Lines", "jsonl", "application/jsonl"),
    )
}


def result_of(job: Job) -> CheckResult | None:
    """The result of a check that is done."""
    return CheckResult.model_validate(job.result) if job.result is not None else None


def result_json(result: CheckResult) -> str:
    """All of a result: the contract's JSON object with the trajectory and the evidence graph."""
    return json.dumps(result.to_json(trace=True), ensure_ascii=False, indent=1) + "\n"


def exports_of(result: CheckResult, settings: Settings) -> list[Export]:
    """The forms that this result can be had in, under these settings."""
    has_cited = any(piece.used for piece in result.evidence)
    possible = {
        "json": True,
        CLAIM_REVIEW: result.veracity is not None and bool(settings.publisher_name and settings.publisher_url),
        **dict.fromkeys(("citations", "bibtex", "csl"), has_cited),
        **dict.fromkeys(("mermaid", "graphml", "ntriples"), result.graph is not None and bool(result.graph.evidence)),
        "trajectory": result.trajectory is not None,
    }
    return [export for name, export in EXPORTS.items() if possible[name]]


@dataclass(frozen=True)
class Doing:
    """The step that is being taken."""

    number: int
    title: str
    reason: str


def check_values(
    job: Job, events: Sequence[Event], corrections: Sequence[Correction], settings: Settings
) -> dict[str, Any]:
    """The values of the template ``check.html``."""
    result = result_of(job)
    values: dict[str, Any] = {
        "job": job,
        "result": result,
        "verdict": None if not job.has_ended else verdict_of(result) if result else verdict_of_job(job),
        "seq": max((event.seq for event in events), default=0),
        "stages": stages([Step.model_validate(event.data) for event in events if event.kind == "step"]),
        "doing": None if job.has_ended else doing(events),
    }
    if result is None:
        return values
    steps = result.trajectory.steps if result.trajectory is not None else ()
    return values | {
        "stages": stages(steps),
        "observations": frozenset(step.observation.id for step in steps),
        "pieces": pieces(result),
        "shares": shares(result),
        "notes": notes(result),
        "held_back": held_back(result),
        "earlier_checks": [(each, web_address(each.url)) for each in result.earlier_checks or ()],
        "graph": size(result),
        "total": [f"{sum(step.seconds for step in steps):.2f} s in all", *used(result.usage)],
        "forms": exports_of(result, settings),
        "corrections": corrections,
        "veracities": [str(each) for each in Veracity],
    }


def doing(events: Sequence[Event]) -> Doing | None:
    """The step that has begun and not ended."""
    last = next((event for event in reversed(events) if event.kind in ("step_started", "step")), None)
    if last is None or last.kind == "step":
        return None
    return Doing(last.data["number"], title_of(_ACTION.validate_python(last.data["action"])), last.data["reason"])
