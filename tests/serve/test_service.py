"""The service: accepted, checked, told live, cancelled, stopped, begun again."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from scripted_checker import ScriptedChecker
from wkgfc.claim import Veracity, read_claim
from wkgfc.config import Settings, load_settings
from wkgfc.errors import BadInput, NotConfigured
from wkgfc.serve.jobs import Jobs
from wkgfc.serve.refusals import NotNow, NotThere, QueueFull, Stopping
from wkgfc.serve.service import Service

NEPAL, OTHER = read_claim("Nepal borders China."), read_claim("Berlin is in Germany.")
WAITING = read_claim("Those who wait are many.")


@pytest.fixture(autouse=True)
def _gate() -> Iterator[None]:
    ScriptedChecker.gate.clear()
    ScriptedChecker.checked.clear()
    yield
    ScriptedChecker.gate.set()


def settings_of(folder: Path, **given: Any) -> Settings:
    return load_settings(serve_dir=folder, serve_workers=given.pop("serve_workers", 0), **given)


@asynccontextmanager
async def serving(folder: Path, **given: Any) -> AsyncIterator[Service]:
    async with Service(settings_of(folder, **given), open_checker=ScriptedChecker) as service:
        await service.ready()
        yield service


async def kinds(service: Service, check: str, after: int = 0) -> list[tuple[int, str]]:
    return [(event.seq, event.kind) async for event in service.events(check, after)]


async def test_a_check_goes_from_its_acceptance_to_its_result(tmp_path: Path) -> None:
    async with serving(tmp_path) as service:
        (job,) = await service.submit(NEPAL)
        assert await kinds(service, job.id) == [
            (1, "queued"), (2, "started"), (3, "step_started"), (4, "step"), (5, "result"),
        ]  # fmt: skip
        done = service.get(job.id)
        assert (done.state, done.veracity, done.claim) == ("done", Veracity.SUPPORTED, NEPAL)
        assert done.result is not None
        assert done.result["trajectory"]["steps"][0]["action"]["name"] == "verdict"
        assert await kinds(service, job.id, after=4) == [(5, "result")]
        assert await kinds(service, job.id, after=5) == []
        last = [event async for event in service.events(job.id, 4)]
        assert last[0].data == done.result


async def test_events_come_while_the_check_runs_to_all_who_look(tmp_path: Path) -> None:
    async with serving(tmp_path) as service:
        (job,) = await service.submit(WAITING)
        both = [asyncio.ensure_future(kinds(service, job.id)) for _ in range(2)]
        first = service.events(job.id, after=2)
        assert (await anext(first)).kind == "step_started"
        assert service.running == 1
        ScriptedChecker.gate.set()
        assert (await anext(first)).kind == "step"
        seen = await asyncio.gather(*both)
        assert seen[0] == seen[1]
        assert seen[0][-1] == (5, "result")


async def test_a_waiting_and_a_running_check_are_cancelled(tmp_path: Path) -> None:
    async with serving(tmp_path) as service:
        (runs,) = await service.submit(WAITING)
        (waits,) = await service.submit(NEPAL)
        assert (await anext(service.events(runs.id, after=2))).kind == "step_started"
        assert (await service.cancel(waits.id)).state == "cancelled"
        assert (await service.cancel(runs.id)).state == "cancelled"
        assert (await kinds(service, runs.id))[-1] == (4, "cancelled")
        with pytest.raises(NotNow, match="is cancelled"):
            await service.cancel(runs.id)
        (after,) = await service.submit(OTHER)  # the place of the cancelled one is free
        assert (await service.wait(after.id, 5)).state == "done"
        assert ScriptedChecker.checked == [OTHER.text]


async def test_who_watches_a_check_that_is_removed_hears_how_it_ended(tmp_path: Path) -> None:
    async with serving(tmp_path) as service:
        (job,) = await service.submit(WAITING)
        slow = service.events(job.id)
        assert (await anext(slow)).kind == "queued"
        watching = asyncio.ensure_future(kinds(service, job.id))
        assert (await anext(service.events(job.id, after=2))).kind == "step_started"
        await asyncio.sleep(0)
        assert (await service.remove(job.id)).state == "cancelled"
        assert (await watching)[-1] == (4, "cancelled")
        assert "failed" not in [event.kind async for event in slow]  # it ends, and raises nothing
        with pytest.raises(NotThere):
            await anext(service.events(job.id))


async def test_a_full_queue_says_when_to_come_again(tmp_path: Path) -> None:
    async with serving(tmp_path, serve_queue=2, serve_shutdown_s=0) as service:
        (runs,) = await service.submit(WAITING)
        assert (await anext(service.events(runs.id, after=1))).kind == "started"
        await service.submit(NEPAL, OTHER)
        with pytest.raises(QueueFull) as full:
            await service.submit(NEPAL)
        assert full.value.retry_after_s >= 1
        assert len(await service.history()) == 3


async def test_a_bug_fails_its_check_alone_and_tells_nothing_of_its_inside(tmp_path: Path) -> None:
    async with serving(tmp_path) as service:
        (job, other) = await service.submit(read_claim("They break things."), NEPAL)
        failed = await service.wait(job.id, 5)
        assert failed.state == "failed"
        assert failed.error == "a fault of the checker, which is in the log: TypeError"
        assert (await service.wait(other.id, 5)).state == "done"


async def test_what_waits_and_what_runs_at_the_end_is_checked_at_the_next_start(tmp_path: Path) -> None:
    async with serving(tmp_path, serve_shutdown_s=0.05) as service:
        (runs, waits) = await service.submit(WAITING, NEPAL)
        assert (await anext(service.events(runs.id, after=1))).kind == "started"
        seen = asyncio.ensure_future(kinds(service, waits.id))
        await asyncio.sleep(0)
        service.drain()
        assert await seen == [(1, "queued")]
        with pytest.raises(Stopping):
            await service.submit(NEPAL)
    ScriptedChecker.gate.set()
    async with serving(tmp_path) as service:
        again = [event async for event in service.events(runs.id)]
        assert (again[0].seq, again[0].kind) == (4, "queued")
        assert again[0].data == {"again": True, "reason": "the service was stopped"}
        assert again[-1].kind == "result"
        assert (await service.wait(waits.id, 5)).state == "done"


async def test_running_checks_end_before_the_service_does(tmp_path: Path) -> None:
    async with serving(tmp_path) as service:
        (runs,) = await service.submit(WAITING)
        assert (await anext(service.events(runs.id, after=1))).kind == "started"
        ScriptedChecker.gate.set()
    jobs = Jobs(tmp_path / "checks.sqlite")
    assert jobs.get(runs.id).state == "done"
    jobs.close()


async def test_one_claim_that_a_batch_has_twice_is_checked_once_and_single_ones_come_before(tmp_path: Path) -> None:
    async with serving(tmp_path, serve_batch=3) as service:
        (runs,) = await service.submit(WAITING)
        batch = await service.submit_batch([NEPAL, OTHER, NEPAL], title="three")
        (single,) = await service.submit(read_claim("Rome is in Italy."))
        ScriptedChecker.gate.set()
        for job in (runs, *batch.checks, single):
            await service.wait(job.id, 5)
        assert ScriptedChecker.checked == [WAITING.text, "Rome is in Italy.", NEPAL.text, OTHER.text]
        whole = service.batch(batch.id, with_results=True)
        assert [job.claim for job in whole.checks] == [NEPAL, OTHER, NEPAL]
        assert whole.about == {"title": "three"}
        assert whole.checks[0].result is not None
        with pytest.raises(BadInput, match="at most 3"):
            await service.submit_batch([NEPAL] * 4)


async def test_history_is_searched_by_words_and_read_page_by_page(tmp_path: Path) -> None:
    async with serving(tmp_path) as service:
        jobs = await service.submit(*(read_claim(f"Claim {n} of Zoë in Łódź") for n in range(5)), NEPAL)
        assert [job.id for job in await service.history(limit=2)] == [jobs[5].id, jobs[4].id]
        assert [job.id for job in await service.history(limit=2, before=jobs[4].id)] == [jobs[3].id, jobs[2].id]
        assert [job.claim for job in await service.history("chin nep")] == []
        assert [job.claim for job in await service.history("nepal chin")] == [NEPAL]
        assert len(await service.history("zoe")) == 5
        assert await service.history('"; DROP TABLE checks; --') == []
        assert await service.history("OR NEAR(") == []
        assert await service.history("%*\x00") == []
        with pytest.raises(NotThere):
            await service.history(before="nothing")


async def test_corrections_name_what_is_there(tmp_path: Path) -> None:
    async with serving(tmp_path) as service:
        (job,) = await service.submit(NEPAL)
        await service.wait(job.id, 5)
        await service.correct(job.id, veracity=Veracity.REFUTED, note="No.")
        await service.correct(job.id, evidence="W1")
        assert [(each.veracity, each.evidence) for each in service.corrections()] == [
            (Veracity.REFUTED, None), (None, "W1"),
        ]  # fmt: skip
        with pytest.raises(BadInput, match="no evidence 'W7'"):
            await service.correct(job.id, evidence="W7")
        with pytest.raises(BadInput, match="say which"):
            await service.correct(job.id, note="hm")


async def test_a_checker_that_cannot_be_opened_is_told_to_everybody(tmp_path: Path) -> None:
    async with Service(settings_of(tmp_path, policy=tmp_path), open_checker=ScriptedChecker) as service:
        with pytest.raises(NotConfigured, match="no policy"):
            await service.ready()
        assert not service.is_ready
        with pytest.raises(NotConfigured, match="no policy"):
            await service.submit(NEPAL)


async def test_a_folder_is_one_service_s(tmp_path: Path) -> None:
    async with serving(tmp_path):
        with pytest.raises(NotConfigured, match="another service uses"):
            Service(settings_of(tmp_path))
    (tmp_path / "checks.sqlite").write_bytes(b"no database " * 1_000)
    with pytest.raises(NotConfigured, match="cannot be read"):
        Service(settings_of(tmp_path))


async def test_a_check_that_takes_too_long_is_given_up(tmp_path: Path) -> None:
    async with serving(tmp_path, serve_check_timeout_s=0.05) as service:
        (job,) = await service.submit(WAITING)
        late = await service.wait(job.id, 5)
        assert late.state == "failed"
        assert "serve_check_timeout_s" in (late.error or "")
        (next_one,) = await service.submit(NEPAL)
        assert (await service.wait(next_one.id, 5)).state == "done"
