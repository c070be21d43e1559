"""Several claims at once. Each is a check of its own; the batch says how far they are."""

import datetime as dt
from collections import Counter
from typing import Any

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from wkgfc.serve.api.asking import ClaimBody, Identifier, Serving, charge, place
from wkgfc.serve.api.checks import CheckSummary, summary
from wkgfc.serve.jobs import STATES, Batch, State
from wkgfc.serve.problems import ANYWHERE, Json, documented

MOST_CLAIMS = 100_000  # that are read at all; serve_batch says how many are accepted

router = APIRouter(prefix="/v1/batches", tags=["batches"], responses=ANYWHERE)


class BatchBody(BaseModel):
    """Claims to check."""

    model_config = ConfigDict(extra="forbid")

    claims: list[ClaimBody] = Field(min_length=1, max_length=MOST_CLAIMS)


class BatchView(BaseModel):
    """A batch: how many of its checks are in each state, and the checks in the order in which they were sent."""

    id: str
    created_at: dt.datetime
    url: str
    states: dict[State, int]
    checks: list[CheckSummary]


def states_of(batch: Batch) -> dict[State, int]:
    """How many checks are in each state; a claim that was sent twice counts twice."""
    counts = Counter(job.state for job in batch.checks)
    return {state: counts[state] for state in STATES}


def _view(request: Request, batch: Batch) -> dict[str, Any]:
    return {
        "id": batch.id,
        "created_at": batch.created_at.isoformat(),
        "url": place(request, f"/v1/batches/{batch.id}"),
        "states": states_of(batch),
        "checks": [summary(request, job) for job in batch.checks],
    }


@router.post("", status_code=202, responses={202: {"model": BatchView, "description": "Accepted."}})
async def submit(request: Request, service: Serving, body: BatchBody) -> Response:
    """Have several claims checked. All are accepted, or none; a claim that stands twice is checked once."""
    claims = [each.read() for each in body.claims]
    batch = await service.submit_batch(claims)
    charge(request, len(claims) - 1)
    shown = _view(request, batch)
    return Json(shown, 202, headers={"Location": shown["url"]})


@router.get("/{batch}", responses={200: {"model": BatchView}, **documented(404)})
async def look(request: Request, service: Serving, batch: Identifier) -> Response:
    """A batch and how far its checks are."""
    return Json(_view(request, service.batch(batch)))
