"""What the clients of language models send their requests with: the one HTTP client of all sources.

The makers' own libraries write the request; it is sent, retried within the deadline of the check, recorded and replayed
like any other (``wkgfc.http``). A key travels in a secret header and is kept nowhere; what those libraries tell about
this machine is not sent at all. The address is the user's own setting, so it may be one of this machine or house.

>>> from pydantic_ai.providers.openai import OpenAIProvider
>>> provider = OpenAIProvider(base_url=url, api_key=key, http_client=model_client(http))  # doctest: +SKIP

Sources: the headers of OpenAI, Anthropic and Google's Gemini API; ``x-should-retry``, by which the first two's
libraries leave it to us to ask again.
"""

import json
import re
from typing import Any

import httpx2
from pydantic import SecretStr

from wkgfc.http import Http, Request, Unanswered

TIMEOUT_S = 120.0
MAX_BYTES = 20_000_000

# Set again when it is sent, or about this machine and its libraries, which nobody needs and a replay cannot know.
_NOT_SENT = re.compile(
    r"accept-encoding|connection|content-length|content-type|host|transfer-encoding|user-agent"
    r"|x-stainless-.*|x-goog-api-client|x-server-timeout|idempotency-key"
)
_SECRET_NAME = re.compile(r"auth|key|token|secret|cookie|credential|signature|organization|project", re.IGNORECASE)
_NOT_SECRET_VALUE = re.compile(r"\d{1,6}|true|false", re.IGNORECASE)


class NoAnswer(httpx2.TransportError):
    """A model was asked and gave no answer that could be read. Its text is one line that says why."""


class ModelTransport(httpx2.AsyncBaseTransport):
    """Sends what a library has written through ``http``.

    A status of 400 and above comes back as an answer, for the library to raise what it raises, and what brought no
    answer as ``NoAnswer``. Nothing is asked again by the library: that was done where it could help.
    """

    def __init__(self, http: Http) -> None:
        self._http = http

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send one request. The time for it is the read timeout that the library was given.

        Raises:
            NoAnswer: nothing came, or nothing that is JSON.
            ValueError: the answer was to be streamed.
        """
        outcome = await self._http.send(to_request(request, await request.aread()))
        if not isinstance(outcome, Unanswered):
            headers = {"content-type": outcome.headers.get("content-type", "application/json")}
            return httpx2.Response(outcome.status, headers=headers, content=outcome.body, request=request)
        if outcome.status is None or outcome.status < 400:
            raise NoAnswer(outcome.reason, request=request)
        return httpx2.Response(
            outcome.status,
            headers={"content-type": "application/json", "x-should-retry": "false"},
            content=_error(outcome),
            request=request,
        )


def model_client(http: Http, *, timeout_s: float = TIMEOUT_S) -> httpx2.AsyncClient:
    """A client for the library of a maker of models. It holds no connections and need not be closed.

    Args:
        http: what sends: ``LiveHttp``, recorded or not, or a replay.
        timeout_s: for one attempt, where the library does not give another.
    """
    return httpx2.AsyncClient(transport=ModelTransport(http), timeout=timeout_s, trust_env=False)


def to_request(request: httpx2.Request, content: bytes) -> Request:
    """The request as the HTTP client takes it, its keys apart.

    Raises:
        NoAnswer: it is none of GET and POST, or what it says is no JSON.
        ValueError: the answer was to be streamed.
    """
    if request.method not in ("GET", "POST"):
        raise NoAnswer(f"a {request.method} request is none that models are asked with", request=request)
    try:
        body = json.loads(content) if content else None
    except ValueError:
        raise NoAnswer("what was to be sent to the model is no JSON", request=request) from None
    if isinstance(body, dict) and body.get("stream"):
        raise ValueError("an answer that is streamed cannot be recorded")
    headers = {name: value for name, value in request.headers.items() if not _NOT_SENT.fullmatch(name)}
    secret_headers = {name: SecretStr(value) for name, value in headers.items() if _is_secret(name, value)}
    params = dict(request.url.params)
    secret_params = {name: SecretStr(value) for name, value in params.items() if _is_secret(name, value)}
    return Request(
        str(request.url.copy_with(query=None)),
        kind="model",
        method="GET" if request.method == "GET" else "POST",
        params={name: value for name, value in params.items() if name not in secret_params},
        headers={name: value for name, value in headers.items() if name not in secret_headers},
        secret_headers=secret_headers,
        secret_params=secret_params,
        json_body=body,
        max_bytes=MAX_BYTES,
        timeout_s=request.extensions.get("timeout", {}).get("read") or TIMEOUT_S,
        fault=lambda answer: fault_of(answer.body),
    )


def fault_of(body: bytes) -> str | None:
    """What is wrong with an answer whose status was good: it is no JSON object, or an error in disguise."""
    try:
        said = json.loads(body.decode("utf-8"))
    except (ValueError, RecursionError):
        return "something that is no JSON"
    if not isinstance(said, dict):
        return "JSON that is no object"
    if said.get("error"):
        return f"an error: {_message(said)}"
    return None


def reason_of(error: BaseException) -> str:
    """Why a model gave no answer, in one line without secrets, from whatever its library has made of it."""
    cause: BaseException | None = error
    seen: set[int] = set()
    while cause is not None and id(cause) not in seen:
        if isinstance(cause, NoAnswer):
            return str(cause)
        seen.add(id(cause))
        cause = cause.__cause__ or cause.__context__
    return _line(str(error)) or type(error).__name__


def _is_secret(name: str, value: str) -> bool:
    return bool(_SECRET_NAME.search(name)) and not _NOT_SECRET_VALUE.fullmatch(value)


def _error(outcome: Unanswered) -> bytes:
    """The body of a refusal in the form that all the libraries read: what the server said, and our line where it said
    nothing that they could."""
    try:
        said = json.loads(outcome.body.decode("utf-8"))
    except (ValueError, RecursionError):
        said = None
    if isinstance(said, dict) and said.get("error"):
        return outcome.body
    text = _line(outcome.body.decode("utf-8", "replace"))
    message = f"{outcome.reason}: {text}" if text and not text.startswith("<") else outcome.reason
    return json.dumps({"error": {"message": message, "code": outcome.status}}).encode()


def _message(said: dict[str, Any]) -> str:
    error = said["error"]
    message = error.get("message") if isinstance(error, dict) else error
    return _line(message) if isinstance(message, str) else "without a text"


def _line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 200 else f"{line[:200]}…"
