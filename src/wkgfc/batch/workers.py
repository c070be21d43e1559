"""Claims checked by several processes: one a core, each with the models and the sources opened once, read-only."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Protocol

from wkgfc.batch.checks import Checked, CheckedBy, OpenedChecks
from wkgfc.batch.processes import Processes, ProcessLost
from wkgfc.batch.rows import ClaimRow, failed
from wkgfc.config import Settings
from wkgfc.errors import NotConfigured

BLOCK = 8  # claims given to a process at once: neighbours in the order of subjects, which share what they ask for
AHEAD = 2  # blocks that each process has: one in work, one waiting
MOST_LOST = 3  # claims in a row whose process ended by itself, before it is more than these claims' fault


@dataclass(frozen=True)
class Job:
    """What a process needs to check claims of a run."""

    settings: Settings
    run: str
    today: date
    trace: bool
    at_once: int


class Elsewhere(Protocol):
    """Processes that check, here or on other machines."""

    async def do(self, item: Sequence[ClaimRow], /) -> Checked:
        """Have claims checked.

        Raises:
            ProcessLost: a process ended by itself while it had them.
        """
        ...


class CheckedElsewhere:
    """Checks by other processes, ``places`` blocks of ``block`` claims at a time.

    Where a process ends by itself (killed, out of memory), the claims that were in work are checked again one by one:
    the claim that ends its process again is an error, and the others have lost nothing.
    """

    def __init__(self, elsewhere: Elsewhere, *, block: int, places: int) -> None:
        self.block, self.places = block, places
        self._elsewhere = elsewhere
        self._alone = asyncio.Lock()
        self._lost_in_a_row = 0

    async def check(self, claims: Sequence[ClaimRow]) -> Checked:
        """See ``Checks``."""
        async with self._alone:  # while lost claims are checked, nothing else is: so who ends a process is known
            pass
        try:
            checked = await self._elsewhere.do(claims)
        except ProcessLost:
            async with self._alone:
                return await self._one_by_one(claims)
        self._lost_in_a_row = 0
        return checked

    async def _one_by_one(self, claims: Sequence[ClaimRow]) -> Checked:
        whole = Checked([])
        outcomes = []
        for claim in claims:
            try:
                checked = await self._elsewhere.do([claim])
            except ProcessLost:
                self._lost_in_a_row += 1
                if self._lost_in_a_row >= MOST_LOST:
                    raise NotConfigured(
                        "the processes that check claims end by themselves, perhaps for want of memory: try fewer "
                        "--workers; the same command goes on with what is done"
                    ) from None
                said = "the process that checked it ended by itself, perhaps for want of memory"
                outcomes.append(failed(claim.place, said))
                continue
            self._lost_in_a_row = 0
            outcomes += checked.outcomes
            whole.asked.add(checked.asked)
        return Checked(outcomes, whole.asked)


def processes_for(job: Job, number: int) -> Processes[Sequence[ClaimRow], Checked]:
    """Processes of this machine that check by a job."""
    return Processes(number, begin, (job,), check_block)


@dataclass(frozen=True)
class _Bench:
    """What one process has open."""

    runner: asyncio.Runner
    checks: CheckedBy


_bench: list[_Bench] = []  # of a process that does nothing else


def begin(job: Job) -> None:
    """Open what a process needs, once."""
    runner = asyncio.Runner()

    async def opened() -> OpenedChecks:
        return await OpenedChecks(job.settings).__aenter__()

    checks = runner.run(opened()).checks(places=job.at_once, today=job.today, run=job.run, trace=job.trace)
    _bench[:] = [_Bench(runner, checks)]


def check_block(claims: Sequence[ClaimRow]) -> Checked:
    """Check claims in a process that has begun."""
    return _bench[0].runner.run(_at_once(_bench[0].checks, claims))


async def _at_once(checks: CheckedBy, claims: Sequence[ClaimRow]) -> Checked:
    places = asyncio.Semaphore(checks.places)

    async def one(claim: ClaimRow) -> Checked:
        async with places:
            return await checks.check([claim])

    parts = await asyncio.gather(*map(one, claims))
    whole = Checked([outcome for part in parts for outcome in part.outcomes])
    for part in parts:
        whole.asked.add(part.asked)
    return whole
