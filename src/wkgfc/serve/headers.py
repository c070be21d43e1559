"""What every answer carries: the id of its request, and what keeps a browser from doing more than showing it."""

import logging
import re
import secrets
import time
from collections.abc import Callable

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from wkgfc.serve.problems import REQUEST_ID, problem

_log = logging.getLogger(__name__)

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; frame-ancestors 'none'; form-action 'self'"
)
SECURITY_HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
}
_OWN_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")

Observed = Callable[[Scope, int, float], None]  # a request, the status of its answer (0: none), its seconds


class AnswerHeaders:
    """Gives every answer ``X-Request-Id`` and the security headers that it does not set itself.

    The outermost of all: what breaks inside, and would break the connection, is answered with a 500 that tells nothing
    but the id, under which the log has the rest.
    """

    def __init__(self, app: ASGIApp, observed: Observed) -> None:
        self._app, self._observed = app, observed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        asked = Headers(scope=scope).get("x-request-id", "")
        request_id = asked if _OWN_ID.fullmatch(asked) else secrets.token_hex(8)
        scope[REQUEST_ID] = request_id
        status, began = 0, time.monotonic()

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                headers["X-Request-Id"] = request_id
                for name, value in SECURITY_HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        try:
            await self._app(scope, receive, send_with_headers)
        except Exception:  # a bug: it is in the log, and one request's alone
            _log.exception("a fault in answering the request %s", request_id)
            if status:
                raise
            said = "a fault of the service, which is in its log under the request_id"
            await problem(scope, 500, "error", said)(scope, receive, send_with_headers)
        finally:
            self._observed(scope, status, time.monotonic() - began)
