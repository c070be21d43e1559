"""Checks as the rows of a list."""

import datetime as dt
from dataclasses import dataclass

from wkgfc.serve.jobs import Job
from wkgfc.serve.page.words import CANCELLED, FAILED, VERDICTS, WITHOUT, Verdict

ROWS = 50  # of one page of the history
RECENT = 5  # on the first page

_OPEN = {"queued": Verdict("waiting", "Waiting", ""), "running": Verdict("running", "Checking", "")}


@dataclass(frozen=True)
class Row:
    """One check of a list."""

    id: str
    text: str
    verdict: Verdict
    confidence: float | None
    created_at: dt.datetime


def row_of(job: Job) -> Row:
    """The row of a check, whatever state it is in."""
    return Row(job.id, job.claim.text, verdict_of_job(job), job.confidence, job.created_at)


def verdict_of_job(job: Job) -> Verdict:
    """How a check is shown where its result is not at hand."""
    if job.veracity is not None:
        return VERDICTS[job.veracity]
    ended = {"failed": FAILED, "cancelled": CANCELLED}
    return _OPEN.get(job.state) or ended.get(job.state) or WITHOUT
