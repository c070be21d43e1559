"""Clients for tests of live sources: the real one, which remembers what it sent, and one that answers from a script."""

import datetime as dt
import urllib.parse
from collections.abc import Callable

from wkgfc.http import Answer, Request, Unanswered
from wkgfc.http.client import LiveHttp, user_agent
from wkgfc.http.courtesy import Courtesy

AT = dt.datetime(2026, 1, 2, 3, 4, tzinfo=dt.UTC)


class _Clock:
    """A clock that only waiting moves: what a server asks to wait for is over at once."""

    def __init__(self) -> None:
        self._now = 0.0

    def now(self) -> float:
        return self._now

    async def sleep(self, seconds: float) -> None:
        self._now += max(seconds, 0.0)


class LoopbackHttp:
    """The live client, for servers of a test's own. ``sent`` are all requests that it was given."""

    def __init__(self) -> None:
        self.sent: list[Request] = []
        clock = _Clock()
        courtesy = Courtesy(clock=clock.now, sleep=clock.sleep, left_alone_s=0.0)
        self._live = LiveHttp(user_agent(), courtesy=courtesy, sleep=clock.sleep)

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
        if isinstance(answer, Answer) and request.fault and (fault := request.fault(answer)):
            host = urllib.parse.urlsplit(request.url).hostname
            return Unanswered(f"{host} sent {fault}", answer.status, answer.body[:2_000])
        return answer
