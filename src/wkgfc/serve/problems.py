"""What a request that is refused gets: a status, and one JSON object that says what to do, without what was sent."""

import json
import logging
import sqlite3
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import Scope

from wkgfc.errors import BadInput, NotConfigured, UserError
from wkgfc.serve.refusals import NotNow, NotThere, QueueFull, Stopping

_log = logging.getLogger(__name__)

MOST_SAID = 300  # characters of what is wrong with a request
REQUEST_ID = "wkgfc.request_id"  # where a request's id stands in its scope


class ProblemDetail(BaseModel):
    """What was wrong: ``code`` for programs, ``message`` for people, ``request_id`` for the log."""

    code: str
    message: str
    request_id: str


class Problem(BaseModel):
    """The body of every answer that is an error."""

    error: ProblemDetail


_LINE_ENDS = {ord(sign): f"\\u{ord(sign):04x}" for sign in "\x85\u2028\u2029"}  # that JSON itself lets stand


class Json(Response):
    """JSON of whatever was kept: what no UTF-8 text can hold is replaced, not refused."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """The body."""
        return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def json_line(content: Any) -> bytes:
    """JSON without anything that a reader may take for the end of a line; Python's ``splitlines`` knows many ends."""
    return json.dumps(content, ensure_ascii=False).translate(_LINE_ENDS).encode("utf-8", "replace")


def problem(scope: Scope, status: int, code: str, message: str, headers: Mapping[str, str] | None = None) -> Json:
    """The answer to a request that is refused."""
    said = {"code": code, "message": message, "request_id": scope.get(REQUEST_ID, "")}
    return Json({"error": said}, status_code=status, headers=dict(headers or {}))


def documented(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The refusals of a route, for its description."""
    return {status: {"model": Problem, "description": HTTPStatus(status).phrase} for status in statuses}


ANYWHERE = documented(400, 401, 403, 408, 413, 415, 421, 422, 429, 500, 503)  # what the doors before each route answer


def answer_problems(app: FastAPI) -> None:
    """Give every error of the routes its answer."""

    @app.exception_handler(UserError)
    async def _refused(request: Request, error: UserError) -> Response:
        status, code = _kind(error)
        headers = {"Retry-After": str(error.retry_after_s)} if isinstance(error, QueueFull) else None
        if isinstance(error, Stopping):
            headers = {"Retry-After": "5"}
        return problem(request.scope, status, code, str(error), headers)

    @app.exception_handler(HTTPException)
    async def _http(request: Request, error: HTTPException) -> Response:
        phrase = HTTPStatus(error.status_code).phrase
        said = {404: f"there is nothing at {request.url.path[:100]}", 405: "this cannot be done here"}
        return problem(
            request.scope,
            error.status_code,
            phrase.lower().replace(" ", "_").replace("-", "_"),
            said.get(error.status_code, str(error.detail)),
            error.headers,
        )

    @app.exception_handler(RequestValidationError)
    async def _invalid(request: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"] if part != "body")
        message = str(first["msg"]).removeprefix("Value error, ")
        said = f"{place[:100]}: {message}" if place else message
        return problem(request.scope, 422, "invalid_request", said[:MOST_SAID])

    @app.exception_handler(sqlite3.Error)
    async def _unwritten(request: Request, error: sqlite3.Error) -> Response:
        _log.error("the checks cannot be read or written: %s", error)
        return problem(request.scope, 503, "storage", "the service cannot read or write its checks at the moment")


def _kind(error: UserError) -> tuple[int, str]:
    match error:
        case NotThere():
            return 404, "not_found"
        case NotNow():
            return 409, "conflict"
        case QueueFull():
            return 429, "queue_full"
        case Stopping():
            return 503, "stopping"
        case NotConfigured():
            return 503, "not_configured"
        case BadInput():
            return 422, "invalid_request"
    return 500, "error"
