"""What the tests of the client share: time that passes when somebody waits, and a server to talk to."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from misbehaving import Misbehaving, misbehaving
from wkgfc.http.client import LiveHttp, user_agent
from wkgfc.http.courtesy import Courtesy


class Time:
    """A clock that waiting moves. ``waits`` are the seconds that somebody waited."""

    def __init__(self) -> None:
        self.now, self.waits = 1_000.0, list[float]()

    def clock(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds
        await asyncio.sleep(0)


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def courtesy(time: Time) -> Courtesy:
    return Courtesy(clock=time.clock, sleep=time.sleep)


@pytest.fixture
async def server() -> AsyncIterator[Misbehaving]:
    async with misbehaving() as running:
        yield running


@pytest.fixture
async def http(courtesy: Courtesy, time: Time) -> AsyncIterator[LiveHttp]:
    async with LiveHttp(
        user_agent("tests@example.org"), courtesy=courtesy, sleep=time.sleep, chance=lambda: 0.0
    ) as live:
        yield live
