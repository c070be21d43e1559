"""What people say of checks: the right veracity, a wrong citation. Kept, and given out to train on."""

import asyncio
import datetime as dt
from collections.abc import AsyncIterator
from typing import Any

from fastapi import APIRouter, Response
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import StreamingResponse

from wkgfc.claim import Veracity, visible_text
from wkgfc.serve.api.asking import Identifier, Serving
from wkgfc.serve.jobs import Correction, Job, Jobs
from wkgfc.serve.problems import ANYWHERE, Json, documented, json_line
from wkgfc.serve.refusals import NotThere

MAX_NOTE = 4_000
_AT_ONCE = 100  # corrections read at a time: each brings the result of its check

router = APIRouter(tags=["corrections"], responses=ANYWHERE)


class CorrectionBody(BaseModel):
    """The veracity that is right, or the id of evidence that does not say what it is cited for, or both."""

    model_config = ConfigDict(extra="forbid")

    veracity: Veracity | None = None
    evidence: str | None = Field(None, max_length=20, pattern="^[A-Z][0-9]+$")
    note: str = Field("", max_length=MAX_NOTE)


class CorrectionView(BaseModel):
    """A correction as it is kept."""

    check: str
    veracity: Veracity | None
    evidence: str | None
    note: str
    at: dt.datetime


@router.post(
    "/v1/checks/{check}/corrections",
    status_code=201,
    responses={201: {"model": CorrectionView}, **documented(404, 409)},
)
async def correct(service: Serving, check: Identifier, body: CorrectionBody) -> Response:
    """Correct a check that is done: its verdict, or one of its citations."""
    correction = await service.correct(
        check, veracity=body.veracity, evidence=body.evidence, note=visible_text(body.note).strip()
    )
    return Json(_shown(correction), 201)


@router.get(
    "/v1/corrections",
    response_class=Response,
    responses={
        200: {
            "content": {"application/x-ndjson": {"schema": {"type": "string"}}},
            "description": "JSON Lines, one correction each, with the claim and its evidence.",
        }
    },
)
async def corrections(service: Serving) -> Response:
    """All corrections, in the order in which they came, as data to train on."""
    return StreamingResponse(_lines(service.jobs), media_type="application/x-ndjson")


async def _lines(jobs: Jobs) -> AsyncIterator[bytes]:
    after = 0
    while rows := await asyncio.to_thread(jobs.corrections, None, after, _AT_ONCE):
        after = rows[-1][0]
        for _, correction in rows:
            try:
                example = training_example(correction, await asyncio.to_thread(jobs.get, correction.check))
            except NotThere:  # removed meanwhile
                continue
            yield json_line(example) + b"\n"


def training_example(correction: Correction, job: Job) -> dict[str, Any]:
    """A correction with what one needs to learn from it: the claim, what was said, and the evidence verbatim.

    ``label`` is the right veracity, or null where only a citation was wrong; ``wrong_citation`` is that evidence's id.
    """
    result = job.result or {}
    return {
        "check": job.id,
        "claim": job.claim.text,
        "date": job.claim.date.isoformat() if job.claim.date else None,
        "language": job.claim.language,
        "said": job.veracity,
        "confidence": job.confidence,
        "label": correction.veracity,
        "wrong_citation": correction.evidence,
        "note": correction.note,
        "at": correction.at.isoformat(),
        "evidence": [
            {name: each[name] for name in ("id", "kind", "text", "quote", "source", "url", "stance", "used")}
            for each in result.get("evidence", ())
        ],
        "justification": result.get("justification", []),
        "policy": result.get("policy"),
    }


def _shown(correction: Correction) -> dict[str, Any]:
    return {
        "check": correction.check,
        "veracity": correction.veracity,
        "evidence": correction.evidence,
        "note": correction.note,
        "at": correction.at.isoformat(),
    }
