"""Worker processes: one that ends by itself costs nobody a check; a claim that ends them every time is given up."""

import asyncio
import multiprocessing
from pathlib import Path

import pytest

from scripted_checker import ClosedChecker, ScriptedChecker
from wkgfc.claim import read_claim
from wkgfc.config import load_settings
from wkgfc.serve import crew, jobs
from wkgfc.serve.service import Service


async def test_a_worker_that_ends_is_replaced_and_what_it_was_at_is_begun_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "MAX_STARTS", 2)
    settings = load_settings(serve_dir=tmp_path, serve_workers=1, serve_shutdown_s=0)
    async with Service(settings, open_checker=ScriptedChecker) as service:
        poison, innocent, waiting = await service.submit(
            read_claim("They crash."), read_claim("Nepal borders China."), read_claim("They wait.")
        )
        events = [event async for event in service.events(poison.id)]
        assert [event.kind for event in events[-2:]] == ["step_started", "failed"]
        given_up = service.get(poison.id)
        assert given_up.error == "given up after 2 starts: the process that checked it ended by itself each time"
        assert (await service.wait(innocent.id, 60)).state == "done"
        assert (await anext(service.events(waiting.id, after=2))).kind == "step_started"
        said = await service.ask("verify", {"claim": "It is red.", "evidence": "It is red."})
        assert said["answer"] == "supports"
        running = jobs.Jobs(tmp_path / "checks.sqlite")
        assert running.get(waiting.id).state == "running"
        running.close()
        await service.cancel(waiting.id)
    assert not multiprocessing.active_children()


async def test_a_worker_that_has_done_its_share_is_replaced_and_nobody_notices(tmp_path: Path) -> None:
    settings = load_settings(serve_dir=tmp_path, serve_workers=1, serve_worker_checks=2)
    async with Service(settings, open_checker=ScriptedChecker) as service:
        await service.ready()
        (first,) = multiprocessing.active_children()
        for number in range(2):
            (job,) = await service.submit(read_claim(f"Nepal borders {number} countries."))
            assert (await service.wait(job.id, 60)).state == "done"
        while first.is_alive():
            (job,) = await service.submit(read_claim("Nepal borders China."))
            assert (await service.wait(job.id, 60)).state == "done"
            await asyncio.sleep(0.02)
        (job,) = await service.submit(read_claim("Nepal borders China."))
        assert (await service.wait(job.id, 60)).state == "done"
        assert {child.pid for child in multiprocessing.active_children()} != {first.pid}
    assert not multiprocessing.active_children()


async def test_a_successor_that_cannot_open_its_sources_is_tried_again_and_the_others_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crew, "AGAIN_S", 0.1)
    settings = load_settings(serve_dir=tmp_path, serve_workers=1, serve_worker_checks=1)
    async with Service(settings, open_checker=ClosedChecker) as service:
        await service.ready()
        (first,) = multiprocessing.active_children()
        (tmp_path / "closed").touch()
        while not (tmp_path / "tried").exists():
            (job,) = await service.submit(read_claim("Nepal borders China."))
            assert (await service.wait(job.id, 60)).state == "done"
            await asyncio.sleep(0.05)
        assert first.is_alive()
        assert service.is_ready
        (tmp_path / "closed").unlink()
        while first.is_alive():  # until its successor is there
            (job,) = await service.submit(read_claim("Nepal borders China."))
            assert (await service.wait(job.id, 60)).state == "done"
            await asyncio.sleep(0.05)
        assert service.problem is None
    while multiprocessing.active_children():  # noqa: ASYNC110 - one that had just begun was ended
        await asyncio.sleep(0.05)
