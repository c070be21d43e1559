"""A claim held against a text alone: grounded, contradicted or neither, and the sentence that decided."""

from typing import Literal

from fastapi import APIRouter, Response
from pydantic import BaseModel, ConfigDict, Field

from wkgfc.serve.api.asking import MAX_SENT, Serving
from wkgfc.serve.problems import ANYWHERE, Json, documented

MAX_EVIDENCE = 300_000  # characters, about a hundred pages

router = APIRouter(prefix="/v1/verify", tags=["verify"], responses=ANYWHERE)

Answer = Literal["supports", "refutes", "neither"]


class VerifyBody(BaseModel):
    """A claim, and the text that it is held against."""

    model_config = ConfigDict(extra="forbid")

    claim: str = Field(min_length=1, max_length=MAX_SENT)
    evidence: str = Field(min_length=1, max_length=MAX_EVIDENCE)


class Verified(BaseModel):
    """What the text says of the claim. ``sentence`` stands in it from ``start`` to ``end``, and is empty for none."""

    claim: str
    answer: Answer
    probabilities: dict[Answer, float]
    sentence: str
    start: int
    end: int
    verifier: str


@router.post("", responses={200: {"model": Verified}, **documented(409)})
async def verify(service: Serving, body: VerifyBody) -> Response:
    """Judge a claim by one text alone, without a search."""
    return Json(await service.ask("verify", {"claim": body.claim, "evidence": body.evidence}))
