"""Checks of the runner's tests: a result from the claim's words alone, and a note of every claim begun and ended."""

import asyncio
import datetime as dt
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from wkgfc.batch.checks import Checked, CheckedBy
from wkgfc.batch.identity import Identity
from wkgfc.batch.rows import ClaimRow
from wkgfc.batch.store import Store
from wkgfc.claim import Claim, Veracity
from wkgfc.result import CheckResult, Sentence, StopReason
from wkgfc.usage import Usage

IDENTITY = Identity(policy="mocked-1", sources=("kg small 1",), settings={"hops": 4})
TODAY = dt.date(2026, 5, 4)
DAY = dt.datetime(2026, 5, 4, tzinfo=dt.UTC)


def result_for(claim: Claim, *, cost_usd: float = 0.0, stop_reason: StopReason = "verdict") -> CheckResult:
    """A result that only the claim's words decide."""
    veracity = list(Veracity)[sum(map(ord, claim.text)) % 4]
    return CheckResult(
        claim=claim,
        veracity=veracity,
        probabilities={veracity: 0.8},
        confidence=0.8,
        justification=(Sentence(text=f"As it says: {claim.text}", citations=("K1",)),),
        stop_reason=stop_reason,
        usage=Usage(kg_queries=3, cost_usd=cost_usd),
        policy="mocked-1",
        checked_at=DAY,
    )


class Mocked:
    """Checks that take ``seconds`` and write the text of each claim into ``ended`` (and a file) when it is answered."""

    def __init__(self, *, seconds: float = 0.0, cost_usd: float = 0.0, paid: Path | None = None) -> None:
        self.seconds, self.cost_usd = seconds, cost_usd
        self.begun: list[str] = []
        self.ended: list[str] = []
        self._paid = paid.open("a", encoding="utf-8") if paid else None

    async def __call__(self, claim: Claim) -> CheckResult:
        self.begun.append(claim.text)
        await asyncio.sleep(self.seconds)
        self.ended.append(claim.text)
        if self._paid is not None:
            self._paid.write(claim.text + "\n")
            self._paid.flush()
        return result_for(claim, cost_usd=self.cost_usd)


def checks_of(check: Callable[[Claim], Awaitable[CheckResult]], places: int = 4, **more: object) -> CheckedBy:
    return CheckedBy(check, places=places, today=TODAY, run="run", **more)  # type: ignore[arg-type]


class Blocks:
    """Checks that take several claims at a time."""

    def __init__(self, inner: CheckedBy, block: int, places: int) -> None:
        self._inner, self.block, self.places = inner, block, places

    async def check(self, claims: Sequence[ClaimRow]) -> Checked:
        return await self._inner.check(claims)


def rows(number: int, start: int = 0) -> list[ClaimRow]:
    return [
        ClaimRow(place=n, line=n + 1, id=f"c{n}", text=f"Ada Verne painted {n} pictures.")
        for n in range(start, start + number)
    ]


def outcomes_in(store: Store, label: str = "run") -> dict[str, tuple[object, ...]]:
    """What each claim came to, without what differs between two runs: times, attempts, and the last bits of a sum.

    (The order in which a process goes through a set of words is its own, and so is the last bit of a sum over them.)
    """
    return {
        each.claim.id: (each.state, each.veracity, round(each.confidence or 0.0, 12), each.stop_reason, each.error)
        for each in store.results(store.find(label))
    }
