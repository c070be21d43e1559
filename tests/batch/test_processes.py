"""Claims checked by several processes over small real stores, one of which ends by itself."""

import asyncio
import os
import signal
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from mocked_checks import IDENTITY, TODAY, outcomes_in
from small_world import World
from wkgfc.batch.checks import Checked, OpenedChecks
from wkgfc.batch.processes import Processes, ProcessLost
from wkgfc.batch.rows import ClaimRow
from wkgfc.batch.runner import Runner
from wkgfc.batch.sqlite import SqliteDatabase
from wkgfc.batch.store import Store
from wkgfc.batch.workers import CheckedElsewhere, Job, processes_for
from wkgfc.config import load_settings
from wkgfc.errors import NotConfigured


def nothing() -> None:
    """What a process of these tests opens."""


def end_at_two(number: int) -> int:
    if number == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return -number


async def test_a_process_that_is_lost_is_told_and_the_next_call_has_new_ones() -> None:
    with Processes(1, nothing, (), end_at_two) as processes:
        assert await processes.do(1) == -1
        with pytest.raises(ProcessLost):
            await processes.do(2)
        assert await processes.do(3) == -3
        with pytest.raises(NotConfigured, match="ended by itself"):
            list(processes.each([1, 2, 3]))


def sleep(_: int) -> int:
    time.sleep(600)
    return 0


async def test_who_gives_up_does_not_wait_for_what_is_in_work() -> None:
    with Processes(1, nothing, (), sleep) as processes:
        waiting = asyncio.create_task(processes.do(1))
        await asyncio.sleep(0.01)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting


async def test_a_process_comes_to_what_this_one_does(world: World, tmp_path: Path) -> None:
    settings = load_settings(kg=world.kg, web=world.web)
    texts = [row.claim for row in world.rows("fever_val")] + [f"Bo Lind had {n} cats." for n in range(12)]
    claims = [ClaimRow(n, n + 1, f"c{n}", text) for n, text in enumerate(texts)]
    found = []
    for folder in ("here", "there"):
        store = Store(SqliteDatabase(tmp_path / folder / "runs.sqlite"))
        run = store.add_claims(store.begin("run", IDENTITY, "c", "d", TODAY), claims, is_last=True)
        if folder == "here":
            async with OpenedChecks(settings) as opened:
                await Runner(store, run, opened.checks(places=2, today=TODAY, run="run", trace=False)).go()
        else:
            with processes_for(Job(settings, "run", TODAY, False, 2), 1) as processes:
                ending = await Runner(store, run, CheckedElsewhere(processes, block=4, places=4)).go()
            assert ending.progress.asked.wanted["names"] > 0
        found.append(outcomes_in(store))
        store.close()
    assert found[0] == found[1]
    assert {each[0] for each in found[0].values()} == {"done"}


class OnePoisoned:
    """Processes that end whenever they are given the claim ``c3``, and all that they have with them."""

    def __init__(self) -> None:
        self.given: list[list[str]] = []

    async def do(self, claims: Sequence[ClaimRow]) -> Checked:
        self.given.append([claim.id for claim in claims])
        await asyncio.sleep(0)
        if any(claim.id == "c3" for claim in claims):
            raise ProcessLost
        from wkgfc.batch.rows import Outcome

        return Checked([Outcome(claim.place, "done") for claim in claims])


async def test_the_claim_that_ends_its_process_is_an_error_and_its_neighbours_are_not() -> None:
    checks = CheckedElsewhere(OnePoisoned(), block=8, places=2)
    rows = [ClaimRow(n, n + 1, f"c{n}", "Lyon is in France.") for n in range(8)]
    outcomes = (await checks.check(rows)).outcomes
    assert [each.state for each in outcomes] == ["done"] * 3 + ["error"] + ["done"] * 4
    assert "ended by itself" in str(outcomes[3].error)


async def test_processes_that_all_end_are_no_claim_s_fault() -> None:
    checks = CheckedElsewhere(OnePoisoned(), block=8, places=2)
    rows = [ClaimRow(n, n + 1, "c3", "Lyon is in France.") for n in range(8)]
    with pytest.raises(NotConfigured, match="try fewer --workers"):
        await checks.check(rows)
