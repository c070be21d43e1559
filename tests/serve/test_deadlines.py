"""What takes too long, or does not heed a cancel, keeps no worker from the others."""

import asyncio
import json
import multiprocessing
from pathlib import Path

import pytest

from scripted_checker import FreezingChecker, ScriptedChecker
from wkgfc.claim import read_claim
from wkgfc.config import load_settings
from wkgfc.errors import BadInput
from wkgfc.serve import service as services
from wkgfc.serve.service import Service
from wkgfc.serve.workers import _Work

NEPAL = read_claim("Nepal borders China.")


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "GRACE_S", 0.1)
    monkeypatch.setattr(services, "SWEEP_S", 0.05)


async def test_a_cancelled_check_that_does_not_heed_loses_its_process(tmp_path: Path) -> None:
    settings = load_settings(serve_dir=tmp_path, serve_workers=1, serve_shutdown_s=0)
    async with Service(settings, open_checker=ScriptedChecker) as service:
        (hangs,) = await service.submit(read_claim("They hang."))
        async for event in service.events(hangs.id):
            if event.kind == "step_started":
                break
        await service.cancel(hangs.id)
        (after,) = await service.submit(NEPAL)
        assert (await service.wait(after.id, 100)).state == "done"
        assert service.get(hangs.id).state == "cancelled"


async def test_a_text_that_freezes_its_worker_is_given_up_and_the_worker_replaced(tmp_path: Path) -> None:
    settings = load_settings(
        serve_dir=tmp_path, serve_workers=1, serve_concurrency=8, serve_check_timeout_s=2, serve_shutdown_s=0
    )
    async with Service(settings, open_checker=FreezingChecker) as service:
        await service.ready()
        (first,) = multiprocessing.active_children()
        text = {"claim": "It is red.", "evidence": "x" * 300_000}  # more than a pipe holds that nobody reads
        asked = [asyncio.ensure_future(service.ask("verify", text)) for _ in range(3)]
        await asyncio.sleep(1)
        (job,) = await service.submit(NEPAL)  # which must not wait for the pipe
        said = await asyncio.gather(*asked, return_exceptions=True)
        assert isinstance(said[0], BadInput)
        assert "takes more than 2 seconds" in str(said[0])
        await asyncio.to_thread(first.join, 100)
        assert not first.is_alive()
        await service.wait(job.id, 100)
        while not service.is_ready:  # noqa: ASYNC110 - nothing tells it
            await asyncio.sleep(0.05)


async def test_work_that_is_cancelled_before_it_begins_says_that_it_has_ended() -> None:
    here, there = multiprocessing.Pipe()
    work = _Work(there, load_settings(), ScriptedChecker, is_process=False)
    work._obey({"do": "check", "id": "a", "claim": NEPAL.model_dump(mode="json")})
    work._obey({"do": "cancel", "id": "a"})
    while work._running:  # noqa: ASYNC110 - nothing tells it
        await asyncio.sleep(0)

    assert here.poll()
    assert json.loads(here.recv_bytes()) == {"id": "a", "kind": "cancelled"}
