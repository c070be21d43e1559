"""Checks: asked for, looked at, listed, cancelled."""

import datetime as dt
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel

from wkgfc.claim import Claim, Veracity
from wkgfc.result import CheckResult
from wkgfc.serve.api.asking import MAX_ID, ClaimBody, Identifier, Serving, place
from wkgfc.serve.jobs import Job, State
from wkgfc.serve.problems import ANYWHERE, Json, documented

MAX_WAIT_S = 60.0  # of one request: what stands between client and service gives up soon after
MAX_LISTED = 200
MAX_QUERY = 200

router = APIRouter(prefix="/v1/checks", tags=["checks"], responses=ANYWHERE)


class CheckSummary(BaseModel):
    """A check and where it stands. ``veracity`` and ``confidence`` are its result's; ``error`` says why it failed."""

    id: str
    state: State
    claim: Claim
    created_at: dt.datetime
    started_at: dt.datetime | None
    ended_at: dt.datetime | None
    veracity: Veracity | None
    confidence: float | None
    error: str | None
    url: str
    events_url: str


class CheckView(CheckSummary):
    """A check with its result: what ``wkgfc check --json --trace`` prints (docs/contract.md)."""

    result: CheckResult | None


class CheckList(BaseModel):
    """Checks, the latest first. ``next`` is what ``before`` is for the page after this one."""

    checks: list[CheckSummary]
    next: str | None


def summary(request: Request, job: Job) -> dict[str, Any]:
    """A check as the API lists it."""
    at = place(request, f"/v1/checks/{job.id}")
    return {
        "id": job.id,
        "state": job.state,
        "claim": job.claim.model_dump(mode="json"),
        "created_at": job.created_at.isoformat(),
        "started_at": job.started_at.isoformat() if job.started_at else None,
        "ended_at": job.ended_at.isoformat() if job.ended_at else None,
        "veracity": job.veracity,
        "confidence": job.confidence,
        "error": job.error,
        "url": at,
        "events_url": f"{at}/events",
    }


def view(request: Request, job: Job) -> dict[str, Any]:
    """A check as the API shows it."""
    return {**summary(request, job), "result": job.result}


@router.post(
    "",
    status_code=202,
    responses={
        200: {"model": CheckView, "description": "The check has ended within the seconds of wait."},
        202: {"model": CheckView, "description": "Accepted: url has what comes of it, events_url says it live."},
    },
)
async def submit(
    request: Request,
    service: Serving,
    body: ClaimBody,
    wait: Annotated[float, Query(ge=0, le=MAX_WAIT_S, description="seconds to wait for the result")] = 0.0,
) -> Response:
    """Have a claim checked."""
    (job,) = await service.submit(body.read())
    if wait > 0:
        job = await service.wait(job.id, wait)
    shown = view(request, job)
    return Json(shown, 200 if job.has_ended else 202, headers={"Location": shown["url"]})


@router.get("", responses={200: {"model": CheckList}, **documented(404)})
async def history(
    request: Request,
    service: Serving,
    query: Annotated[str, Query(max_length=MAX_QUERY, description="words that the claim has")] = "",
    limit: Annotated[int, Query(ge=1, le=MAX_LISTED)] = 50,
    before: Annotated[str | None, Query(max_length=MAX_ID, description="the id of a check: older ones alone")] = None,
) -> Response:
    """The checks there were, the latest first."""
    jobs = await service.history(query, limit, before)
    following = jobs[-1].id if len(jobs) == limit else None
    return Json({"checks": [summary(request, job) for job in jobs], "next": following})


@router.get("/{check}", responses={200: {"model": CheckView}, **documented(404)})
async def look(request: Request, service: Serving, check: Identifier) -> Response:
    """A check, with its result once it is done."""
    return Json(view(request, service.get(check)))


@router.delete("/{check}", responses={200: {"model": CheckView}, **documented(404, 409)})
async def cancel(
    request: Request,
    service: Serving,
    check: Identifier,
    remove: Annotated[bool, Query(description="remove the check too, with its events, result and corrections")] = False,
) -> Response:
    """End a check that waits or runs. Where it has ended, the answer is a 409, unless it is to be removed."""
    return Json(view(request, await (service.remove(check) if remove else service.cancel(check))))
