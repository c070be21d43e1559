"""What an engine's refusal means, in one line that says what to do."""

import json
from collections.abc import Mapping

from wkgfc.claim import visible_text
from wkgfc.http import Unanswered
from wkgfc.state import Failed
from wkgfc.web.providers.answers import inside

MAX_MESSAGE_CHARACTERS = 200

# What the engines' references document, in lower case, looked for in the body of a refusal in this order.
_NO_CREDIT = ("not enough credits", "exceeds your plan", "usage limit", "insufficient credit", "payment required")
_BAD_KEY = (
    "api_key_invalid",  # Google: 400
    "api key not valid",
    "subscription_token_invalid",  # Brave: 422
    "subscription_token_missing",
    "x-subscription-token",
)
_LIMIT = ("ratelimitexceeded", "dailylimitexceeded", "rate_limit_exceeded", "resource_exhausted", "quota exceeded")


def refused(
    engine: str, unanswered: Unanswered, *, key: str | None = None, own: Mapping[int, str] | None = None
) -> Failed:
    """``Failed`` for a request that brought no answer.

    ``key`` names the environment variable that the engine's key is read from; ``own`` is what a status means at this
    engine alone. Of other refusals the engine's own message is kept, short.
    """
    status = unanswered.status
    if status is None or status < 400:
        return Failed(f"{engine}: {unanswered.reason}")
    said = unanswered.body.decode("utf-8", "replace").lower()
    if own and status in own:
        return Failed(f"{engine}: {own[status]} ({status})")
    if status in (402, 432, 433) or any(phrase in said for phrase in _NO_CREDIT):
        return Failed(f"{engine}: the account has no credits left ({status})")
    if status == 429 or any(phrase in said for phrase in _LIMIT):
        return Failed(f"{engine}: the limit of requests is reached ({status}): wait, or choose a larger plan")
    if key and (status in (401, 403) or any(phrase in said for phrase in _BAD_KEY)):
        return Failed(f"{engine}: the key was refused ({status}): check {key}")
    message = _message(unanswered.body)
    return Failed(f"{engine}: {unanswered.reason}" + (f" ({message})" if message else ""))


def _message(body: bytes) -> str:
    """What the engine says itself, at one of the places where the references put it."""
    try:
        content = json.loads(body.decode("utf-8"))
    except (ValueError, RecursionError):
        return ""
    for path in (("message",), ("error", "message"), ("error", "detail"), ("detail", "error"), ("detail",), ("error",)):
        value = inside(content, *path)
        if isinstance(value, str) and value.strip():
            return " ".join(visible_text(value).split())[:MAX_MESSAGE_CHARACTERS]
    return ""
