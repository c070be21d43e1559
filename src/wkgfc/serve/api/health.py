"""How the service is: for whoever starts it, routes to it, or watches it."""

from typing import Literal

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel

from wkgfc.serve.api.asking import Serving
from wkgfc.serve.measures import Measures
from wkgfc.serve.problems import Json

router = APIRouter(tags=["health"])


class Health(BaseModel):
    """Whether the service takes checks, and if not, why."""

    status: Literal["ok", "ready", "starting", "stopping", "broken"]
    reason: str | None = None


@router.get("/healthz", responses={200: {"model": Health}})
async def healthz() -> Response:
    """Whether the service answers at all."""
    return Json({"status": "ok", "reason": None})


@router.get("/readyz", responses={200: {"model": Health}, 503: {"model": Health}})
async def readyz(service: Serving) -> Response:
    """Whether it takes and runs checks. While it starts, checks are accepted and wait."""
    if service.is_ready:
        return Json({"status": "ready", "reason": None})
    if service.problem is not None:
        return Json({"status": "broken", "reason": service.problem}, 503)
    return Json({"status": "stopping" if service.is_stopping else "starting", "reason": None}, 503)


@router.get(
    "/metrics",
    response_class=Response,
    responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
)
async def metrics(request: Request) -> Response:
    """What Prometheus reads."""
    measures: Measures = request.app.state.measures
    return Response(measures.page(), media_type="text/plain; version=0.0.4; charset=utf-8")
