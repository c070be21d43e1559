"""The runner with a check that is mocked: all that happens between a claim and its row, and what stops it."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mocked_checks import IDENTITY, TODAY, Blocks, Mocked, checks_of, outcomes_in, result_for, rows
from wkgfc.batch import runner as runner_module
from wkgfc.batch.claiming import HeldByOthers, claimed
from wkgfc.batch.database import StoreFailed
from wkgfc.batch.rows import Outcome
from wkgfc.batch.run import Run
from wkgfc.batch.runner import Ending, Runner
from wkgfc.batch.sqlite import SqliteDatabase
from wkgfc.batch.store import Store
from wkgfc.claim import Claim
from wkgfc.errors import NotConfigured
from wkgfc.result import CheckResult
from wkgfc.usage import count


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store(SqliteDatabase(tmp_path / "runs.sqlite"))
    yield opened
    opened.close()


def begun(store: Store, number: int = 20) -> Run:
    run = store.begin("run", IDENTITY, "claims.jsonl", "digest", TODAY)
    return run if run.is_read else store.add_claims(run, rows(number), is_last=True)


async def go(store: Store, run: Run, check: Any, places: int = 4, **more: Any) -> Ending:
    return await Runner(store, run, checks_of(check, places), **more).go()


async def test_every_claim_is_checked_once_and_kept(store: Store) -> None:
    run, check = begun(store), Mocked()
    ending = await go(store, run, check)
    assert ending.reason == "finished"
    assert sorted(check.ended) == sorted(row.text for row in rows(20))
    assert {each.state for each in store.results(run)} == {"done"}
    counts = store.counts(run)
    assert (counts.done, counts.pending, counts.calls) == (20, 0, 60)
    assert (ending.progress.finished, ending.progress.total) == (20, 20)
    assert sum(ending.progress.by_veracity.values()) == 20
    again = Mocked()
    assert (await go(store, run, again)).reason == "finished"
    assert again.begun == []


async def test_no_more_than_the_places_are_in_work(store: Store) -> None:
    most = now = 0
    full = asyncio.Event()  # nobody goes on before all places were taken once

    async def check(claim: Claim) -> CheckResult:
        nonlocal most, now
        now += 1
        most = max(most, now)
        if now == 7:
            full.set()
        await full.wait()
        await asyncio.sleep(0.001)
        now -= 1
        return result_for(claim)

    await go(store, begun(store, 60), check, places=7)
    assert most == 7


async def test_blocks_of_claims(store: Store) -> None:
    run, check = begun(store, 50), Mocked()
    await Runner(store, run, Blocks(checks_of(check), block=8, places=3)).go()
    assert len(check.ended) == store.counts(run).done == 50


async def test_what_goes_wrong_is_a_row_with_its_reason_and_retried_alone(store: Store) -> None:
    run = begun(store)

    async def check(claim: Claim) -> CheckResult:
        if " 3 " in claim.text:
            raise ValueError("no such thing")
        if " 5 " in claim.text:
            failed = result_for(claim, stop_reason="error")
            return failed.model_copy(update={"veracity": None, "errors": ("the model said nothing",)})
        return result_for(claim)

    ending = await go(store, run, check)
    assert (ending.reason, ending.progress.errors) == ("finished", 2)
    assert store.reasons(run) == [("ValueError: no such thing", 1), ("the model said nothing", 1)]
    mended = Mocked()
    await go(store, run, mended)
    assert mended.begun == []
    assert store.retry(run) == 2
    await go(store, run, mended)
    assert sorted(mended.ended) == ["Ada Verne painted 3 pictures.", "Ada Verne painted 5 pictures."]
    assert {each.state for each in store.results(run)} == {"done"}
    assert {each.claim.id: each.attempts for each in store.results(run)}["c3"] == 2


async def test_a_retry_that_is_interrupted_is_gone_on_with(store: Store) -> None:
    run = begun(store, 3)

    async def fails(claim: Claim) -> CheckResult:
        raise ValueError("no")

    await go(store, run, fails)
    store.retry(run)
    assert store.counts(run).pending == 3
    await go(store, run, check := Mocked())
    assert len(check.ended) == 3


async def test_a_check_that_hangs_is_given_up(store: Store) -> None:
    run = begun(store, 5)

    async def check(claim: Claim) -> CheckResult:
        if " 2 " in claim.text:
            await asyncio.Event().wait()
        return result_for(claim)

    await Runner(store, run, checks_of(check, 2, timeout_s=0.05)).go()
    assert store.reasons(run) == [("not finished within 0.05 s", 1)]
    assert store.counts(run).done == 4


async def test_what_a_check_without_a_result_has_cost_is_counted(store: Store) -> None:
    run = begun(store, 2)

    async def check(claim: Claim) -> CheckResult:
        count("cost_usd", 0.03)
        count("llm_calls", 2)
        if " 1 " in claim.text:
            raise ValueError("no such thing")
        await asyncio.Event().wait()
        raise AssertionError

    await Runner(store, run, checks_of(check, 2, timeout_s=0.05)).go()
    counts = store.counts(run)
    assert (counts.errors, counts.calls) == (2, 4)
    assert counts.cost_usd == pytest.approx(0.06)


async def test_stopped_it_finishes_what_is_in_flight(store: Store) -> None:
    run, inner = begun(store), Mocked(seconds=0.01)

    async def check(claim: Claim) -> CheckResult:
        if len(inner.begun) == 6:
            running.stop()
        return await inner(claim)

    running = Runner(store, run, checks_of(check, 3))
    assert (await running.go()).reason == "interrupted"
    assert inner.begun == inner.ended
    assert 7 <= store.counts(run).done == len(inner.ended) < 20


async def test_given_up_it_keeps_what_is_done(store: Store) -> None:
    run = begun(store)
    first, done = asyncio.Event(), 0

    async def check(claim: Claim) -> CheckResult:
        nonlocal done
        if done >= 4:
            first.set()
            await asyncio.Event().wait()
        done += 1
        return result_for(claim)

    task = asyncio.create_task(go(store, run, check, places=2))
    await first.wait()
    task.cancel()
    assert (await task).reason == "given up"
    assert store.counts(run).done == 4
    await go(store, run, rest := Mocked())
    assert len(rest.ended) == 16


async def test_what_cannot_be_opened_ends_the_run_and_keeps_what_is_done(store: Store) -> None:
    run = begun(store)

    async def check(claim: Claim) -> CheckResult:
        if " 7 " in claim.text:
            raise NotConfigured("set SERPER_API_KEY")
        return result_for(claim)

    with pytest.raises(NotConfigured, match="set SERPER_API_KEY"):
        await go(store, run, check)
    assert 0 < store.counts(run).done < 20
    assert store.counts(run).errors == 0


class TestBudget:
    async def test_it_is_kept_and_the_run_goes_on_with_a_higher_one(self, store: Store) -> None:
        run, check = begun(store), Mocked(cost_usd=0.1)
        ending = await go(store, run, check, budget_usd=0.75, expected_usd=0.1)
        assert ending.reason == "budget"
        assert len(check.ended) == 7
        assert store.counts(run).cost_usd == pytest.approx(0.7)
        ending = await go(store, run, more := Mocked(cost_usd=0.1), budget_usd=1.05, expected_usd=0.1)
        assert ending.reason == "budget"
        assert len(more.ended) == 3
        assert (await go(store, run, Mocked(cost_usd=0.1))).reason == "finished"

    async def test_claims_that_cost_more_than_expected_stop_it_when_they_are_known(self, store: Store) -> None:
        run, check = begun(store), Mocked(seconds=0.001, cost_usd=0.4)
        ending = await go(store, run, check, places=2, budget_usd=1.0, expected_usd=0.001)
        assert ending.reason == "budget"
        assert store.counts(run).cost_usd == pytest.approx(0.8)

    async def test_what_the_limit_forced_is_checked_again_with_a_higher_one(self, store: Store) -> None:
        run = begun(store, 6)

        async def check(claim: Claim) -> CheckResult:
            if " 2 " in claim.text:
                return result_for(claim, stop_reason="run_limit", cost_usd=0.2)
            if " 4 " in claim.text:
                return result_for(claim, stop_reason="run_limit").model_copy(update={"veracity": None})
            return result_for(claim)

        assert (await go(store, run, check, places=1)).reason == "budget"
        assert store.counts(run).again == 1
        await go(store, run, rest := Mocked())
        assert {"Ada Verne painted 2 pictures.", "Ada Verne painted 4 pictures."} <= set(rest.ended)
        assert store.counts(run).done == 6
        assert store.counts(run).cost_usd == pytest.approx(0.2)

    async def test_a_run_whose_last_verdicts_the_limit_forced_is_not_finished(self, store: Store) -> None:
        run = begun(store, 3)

        async def check(claim: Claim) -> CheckResult:
            return result_for(claim, stop_reason="run_limit", cost_usd=0.2)

        assert (await go(store, run, check, places=3)).reason == "budget"
        assert store.counts(run).pending == 3

    async def test_those_that_share_a_run_share_its_budget(
        self, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(runner_module, "LOOK_S", 0.0)
        run, other = begun(store, 60), Store(SqliteDatabase(tmp_path / "runs.sqlite"))

        async def check(claim: Claim) -> CheckResult:
            if len(checked) == 2:  # meanwhile another process keeps what it has paid
                (row,), _ = other.take(run, ("", -1), 1, "owner other")
                other.keep(run, [Outcome(row.place, "done", cost_usd=5.0)], "owner other")
            checked.append(claim.text)
            return result_for(claim, cost_usd=0.1)

        checked: list[str] = []
        with claimed(store, run, shared=True) as owner:
            ending = await go(store, run, check, places=1, owner=owner, budget_usd=5.5, expected_usd=0.1)
        assert ending.reason == "budget"
        assert len(checked) < 40  # some more than five: those that ended before it could see what was kept
        other.close()


class TestAStoreThatFails:
    async def test_for_a_moment_loses_nothing(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(runner_module, "FIRST_PAUSE_S", 0.001)
        run, check, keep, failures = begun(store), Mocked(), store.keep, iter(range(3))

        def full(*given: Any) -> None:
            if next(failures, None) is not None:
                raise StoreFailed("database or disk is full")
            keep(*given)

        monkeypatch.setattr(store, "keep", full)
        assert (await go(store, run, check, places=2)).reason == "finished"
        assert len(check.ended) == store.counts(run).done == 20

    async def test_for_good_is_told_and_what_is_in_it_stays(
        self, store: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(runner_module, "PATIENCE_S", 0.0)
        run, keep, left = begun(store, 200), store.keep, iter(range(2))

        def full(*given: Any) -> None:
            if next(left, None) is None:
                raise StoreFailed("database or disk is full")
            keep(*given)

        monkeypatch.setattr(store, "keep", full)
        with pytest.raises(StoreFailed, match="full"):
            await go(store, run, check := Mocked(), places=1)
        done = store.counts(run).done
        assert 0 < done < 200
        assert len(check.ended) < 200
        monkeypatch.undo()
        await go(store, run, rest := Mocked())
        assert len(rest.ended) == 200 - done


class TestTwoProcesses:
    def test_a_second_one_is_refused(self, store: Store, tmp_path: Path) -> None:
        run = begun(store)
        other = Store(SqliteDatabase(tmp_path / "runs.sqlite"))
        with claimed(store, run, shared=False):
            with pytest.raises(HeldByOthers, match="--share"), claimed(other, run, shared=False):
                pass
            with pytest.raises(HeldByOthers, match="to itself"), claimed(other, run, shared=True):
                pass
        with claimed(other, run, shared=False):
            pass
        other.close()

    def test_one_alone_is_refused_where_others_share(self, store: Store, tmp_path: Path) -> None:
        run = begun(store)
        other = Store(SqliteDatabase(tmp_path / "runs.sqlite"))
        with claimed(store, run, shared=True) as owner:
            store.take(run, ("", -1), 3, owner)
            with pytest.raises(HeldByOthers, match="1 processes share"), claimed(other, run, shared=False):
                pass
        with claimed(other, run, shared=False):
            pass
        other.close()

    async def test_those_that_share_check_each_claim_once(self, store: Store, tmp_path: Path) -> None:
        run = begun(store, 300)
        other = Store(SqliteDatabase(tmp_path / "runs.sqlite"))
        checks = Mocked(seconds=0.001), Mocked(seconds=0.001)

        async def share(mine: Store, check: Mocked) -> Ending:
            with claimed(mine, run, shared=True) as owner:
                return await go(mine, run, check, owner=owner)

        endings = await asyncio.gather(share(store, checks[0]), share(other, checks[1]))
        assert [each.reason for each in endings] == ["finished", "finished"]
        assert all(check.ended for check in checks)
        assert sorted(checks[0].ended + checks[1].ended) == sorted(row.text for row in rows(300))
        assert store.counts(run).done == 300
        assert store.owners(run) == []
        other.close()

    async def test_claims_of_one_that_died_are_taken_by_the_other(self, store: Store, tmp_path: Path) -> None:
        run = begun(store, 40)
        dead = Store(SqliteDatabase(tmp_path / "runs.sqlite"))
        dead.database.hold("owner dead")
        dead.take(run, ("", -1), 10, "owner dead")
        dead.close()  # its locks fall, its leases stay
        assert store.owners(run) == ["owner dead"]
        with claimed(store, run, shared=True) as owner:
            await go(store, run, check := Mocked(), owner=owner)
        assert len(check.ended) == 40

    def test_of_two_results_for_one_claim_the_first_stays(self, store: Store) -> None:
        run = begun(store, 1)
        first, second = Mocked(), Mocked(cost_usd=9.0)
        asyncio.run(go(store, run, first))
        before = outcomes_in(store)
        outcome = asyncio.run(checks_of(second).check(rows(1))).outcomes
        store.keep(run, outcome, "owner late")
        assert outcomes_in(store) == before
        assert store.counts(run).cost_usd == 0.0


async def test_clocks_that_jump_change_nothing(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    import time

    run, moments = begun(store, 30), iter([1.8e9, -5e8, 4e9, 0.0] * 1000)
    monkeypatch.setattr(time, "time", lambda: next(moments))
    ending = await go(store, run, Mocked(seconds=0.001))
    assert (ending.reason, store.counts(run).done) == ("finished", 30)
    assert ending.progress.rate > 0
