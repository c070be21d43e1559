"""Clients for tests of live sources: the real one, which remembers what it sent, and one that answers from a script."""

import datetime as dt
import urllib.parse
from collections.abc import Callable

from wkgfc.http import Answer, Request, Unanswered
from wkgfc.http.client import LiveHttp, user_agent
from wkgfc.http.courtesy import Courtesy

AT = dt.datetime(2026, 1, 2, 3, 4, tzinfo=dt.UTC)


async def _at_once(_: float) -> None:
    """Waits that a server asks for are not waited for."""


class LoopbackHttp:
    """The live client, for servers of a test's own. ``sent`` are all requests that it was given."""

    def __init__(self) -> None:
        self.sent: list[Request] = []
        self._live = LiveHttp(user_agent(), courtesy=Courtesy(sleep=_at_once, left_alone_s=0.0), sleep=_at_once)

    async def send(self, request: Request) -> Answer | Unanswered:
        self.sent.append(request)
        return await self._live.send(request)


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
        if isinstance(answer, Answer) and request.fault and (fault := request.fault(answer.body)):
            host = urllib.parse.urlsplit(request.url).hostname
            return Unanswered(f"{host} sent {fault}", answer.status, answer.body[:2_000])
        return answer
