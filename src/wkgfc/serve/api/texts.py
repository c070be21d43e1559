"""A whole text: its claims found, put so that each stands alone, and checked (docs/documents.md)."""

import asyncio
import datetime as dt
import json
from typing import Any

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from wkgfc.claim import visible_text
from wkgfc.errors import BadInput
from wkgfc.result import CheckResult
from wkgfc.serve.api.asking import Identifier, Serving, charge, place
from wkgfc.serve.api.batches import states_of
from wkgfc.serve.jobs import Batch, State
from wkgfc.serve.problems import ANYWHERE, Json, documented
from wkgfc.serve.refusals import NotThere
from wkgfc.serve.service import Service
from wkgfc.usage import Usage

MAX_TEXT = 300_000  # characters, as of every document (documents/opening.py)
KIND = "text"  # of a batch: whose checks are a text's

router = APIRouter(prefix="/v1/texts", tags=["texts"], responses=ANYWHERE)


class TextBody(BaseModel):
    """A text, plain. ``date`` is its day: what "last year" counts from. ``most``: claims to check, at most."""

    model_config = ConfigDict(extra="forbid")

    text: str = Field(min_length=1, max_length=MAX_TEXT)
    title: str | None = Field(None, max_length=300)
    date: dt.date | None = None
    most: int = Field(100, ge=1, le=5_000)


class TextAccepted(BaseModel):
    """A text that was accepted: how many sentences it has, and how many of their claims are checked."""

    id: str
    url: str
    sentences: int
    claims: int


class TextView(BaseModel):
    """A text with what came of its claims so far, as the report of ``wkgfc check-text --json`` has it."""

    id: str
    created_at: dt.datetime
    url: str
    states: dict[State, int]
    report: dict[str, Any]


@router.post("", status_code=202, responses={202: {"model": TextAccepted, "description": "Accepted."}})
async def submit(request: Request, service: Serving, body: TextBody) -> Response:
    """Find the claims of a text and have them checked."""
    text = visible_text(body.text)
    date = body.date.isoformat() if body.date else None
    if not text.strip():
        raise BadInput("the text is empty")
    most = min(body.most, service.settings.serve_batch)
    found = await service.ask("claims", {"text": text, "title": body.title, "date": date, "most": most})
    batch = await submit_text(service, text, found, title=body.title, date=date)
    charge(request, len(batch.checks) - 1)
    shown: dict[str, Any] = {
        "id": batch.id,
        "url": place(request, f"/v1/texts/{batch.id}"),
        "sentences": len(found["sentences"]),
        "claims": len(batch.checks),
    }
    return Json(shown, 202, headers={"Location": shown["url"]})


@router.get("/{text}", responses={200: {"model": TextView}, **documented(404)})
async def look(request: Request, service: Serving, text: Identifier) -> Response:
    """A text, its sentences, and the results that are there."""
    return Json(await asyncio.to_thread(_view, request, service, text))


async def submit_text(
    service: Service, text: str, found: dict[str, Any], *, title: str | None, date: str | None
) -> Batch:
    """Have the claims that were ``found`` in a text checked, as a batch that knows the text."""
    from wkgfc.documents.claims import TextSentence  # noqa: PLC0415 - a parser's libraries where texts are checked

    sentences = [TextSentence.model_validate(each) for each in found["sentences"]]
    day = dt.date.fromisoformat(date) if date else None
    claims = [sentences[number].to_check(day) for number in found["numbers"]]
    about = {"text": text, "title": title, "date": date, **found}
    return await service.submit_batch(claims, KIND, **about)


def report_of(batch: Batch) -> dict[str, Any]:
    """What came of a text's claims so far; ``batch`` has the results of its checks.

    Raises:
        NotThere: the batch is no text's, or is not whole any more, as a check of it was removed.
    """
    from wkgfc.documents.checking import checked_text  # noqa: PLC0415
    from wkgfc.documents.claims import TextSentence  # noqa: PLC0415
    from wkgfc.documents.opening import SourceText  # noqa: PLC0415
    from wkgfc.documents.reports import json_report  # noqa: PLC0415

    if batch.kind != KIND:
        raise NotThere(f"there is no text {batch.id!r}")
    about = batch.about
    if len(batch.checks) != len(about["numbers"]):
        raise NotThere(f"the text {batch.id!r} is not whole any more: a check of it was removed")
    date = dt.date.fromisoformat(about["date"]) if about["date"] else None
    source = SourceText(text=about["text"], title=about["title"], date=date)
    sentences = [TextSentence.model_validate(each) for each in about["sentences"]]
    results = {
        number: CheckResult.model_validate(job.result)
        for number, job in zip(about["numbers"], batch.checks, strict=True)
        if job.result is not None
    }
    usage = Usage.model_validate(about["usage"])
    report: dict[str, Any] = json.loads(
        json_report(checked_text(source, date, sentences, results, notes=about["notes"], usage=usage))
    )
    return report


def _view(request: Request, service: Service, text: str) -> dict[str, Any]:
    batch = service.batch(text, with_results=True)
    return {
        "id": batch.id,
        "created_at": batch.created_at.isoformat(),
        "url": place(request, f"/v1/texts/{batch.id}"),
        "states": states_of(batch),
        "report": report_of(batch),
    }
