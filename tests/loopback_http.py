"""Clients for tests of live sources: one that asks real servers on loopback, one that answers from a script."""

import asyncio
import datetime as dt
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable

from wkgfc.http import Answer, Request, Unanswered

AT = dt.datetime(2026, 1, 2, 3, 4, tzinfo=dt.UTC)


class LoopbackHttp:
    """A client without retries, limits or a cache, which remembers what was asked. ``sent`` are all requests."""

    def __init__(self) -> None:
        self.sent: list[Request] = []

    async def send(self, request: Request) -> Answer | Unanswered:
        self.sent.append(request)
        return await asyncio.to_thread(_ask, request)


class ScriptedHttp:
    """A client that gives what ``answer`` makes of each request: the bytes of a 200, or an answer of its own."""

    def __init__(self, answer: Callable[[Request], bytes | Answer | Unanswered]) -> None:
        self.sent: list[Request] = []
        self._answer = answer

    async def send(self, request: Request) -> Answer | Unanswered:
        self.sent.append(request)
        answer = self._answer(request)
        if isinstance(answer, bytes):
            answer = Answer(url=request.url, status=200, headers={}, body=answer, retrieved_at=AT)
        return _checked(request, answer) if isinstance(answer, Answer) else answer


def _ask(request: Request) -> Answer | Unanswered:
    url = request.url
    if request.params:
        url += "?" + urllib.parse.urlencode(request.params)
    data = urllib.parse.urlencode(request.form).encode() if request.form is not None else None
    asked = urllib.request.Request(url, data=data, headers=dict(request.headers), method=request.method)
    try:
        with urllib.request.urlopen(asked, timeout=request.timeout_s) as reply:
            headers = {name.lower(): value for name, value in reply.headers.items()}
            return _checked(request, Answer(reply.url, reply.status, headers, reply.read(request.max_bytes), AT))
    except urllib.error.HTTPError as error:
        return Unanswered(f"{_host(request)} answered {error.code}", error.code, error.read(2_000))
    except OSError:
        return Unanswered(f"{_host(request)} cannot be reached")


def _checked(request: Request, answer: Answer) -> Answer | Unanswered:
    fault = request.fault(answer.body) if request.fault else None
    if fault is None:
        return answer
    return Unanswered(f"{_host(request)} sent {fault}", answer.status, answer.body[:2_000])


def _host(request: Request) -> str:
    return urllib.parse.urlsplit(request.url).hostname or ""
