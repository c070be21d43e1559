"""What ends or disturbs a run: after it is gone on with, the results are those of a run that nothing befell.

``pytest -m drill tests/batch`` runs the long ones too.
"""

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import mocked_batch
from chat_server import CHAT, completion
from misbehaving import Misbehaving, Seen, misbehaving
from mocked_checks import IDENTITY, TODAY, Mocked, checks_of, outcomes_in, rows
from obedient_model import obedient
from scripted_model import Asked
from small_world import World
from wkgfc.batch import runner as runner_module
from wkgfc.batch.checks import OpenedChecks
from wkgfc.batch.database import StoreFailed
from wkgfc.batch.rows import ClaimRow
from wkgfc.batch.run import Run
from wkgfc.batch.runner import Ending, Runner
from wkgfc.batch.sqlite import SqliteDatabase
from wkgfc.batch.store import Store
from wkgfc.config import Settings, load_settings
from wkgfc.kg.store import EmbeddedStore

TESTS = Path(mocked_batch.__file__).parent


@pytest.fixture(autouse=True)
def _only_when_asked(request: pytest.FixtureRequest) -> None:
    """Drills that take minutes run with ``-m drill``."""
    if request.node.get_closest_marker("drill") and "drill" not in request.config.option.markexpr:
        pytest.skip("a drill: pytest -m drill")


@pytest.mark.parametrize(
    ("claims", "kills"), [(200, 2), pytest.param(2_000, 50, marks=[pytest.mark.drill, pytest.mark.timeout(1_800)])]
)
def test_killed_at_random_moments(tmp_path: Path, claims: int, kills: int) -> None:
    chance = random.Random(0)
    file, paid, folder = tmp_path / "claims.jsonl", tmp_path / "paid", tmp_path / "out"
    file.write_text(
        "".join(json.dumps({"id": row.id, "claim": row.text}) + "\n" for row in rows(claims)), encoding="utf-8"
    )
    paid.touch()
    command = [sys.executable, mocked_batch.__file__, str(folder), str(file), str(paid)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(TESTS), *sys.path])}
    kept: list[set[str]] = []  # the claims that were kept at each kill
    for _ in range(kills):
        before = paid.stat().st_size
        process = subprocess.Popen(command, env=environment)
        # Before it reads, while it reads, or after some of what is left was paid for.
        wanted = before + chance.choice([0, 1, chance.randrange(1, 32 * claims // kills)])
        while paid.stat().st_size < wanted and process.poll() is None:
            time.sleep(0.001)
        process.send_signal(signal.SIGKILL)
        process.wait()
        kept.append(_kept(folder))
        assert _is_whole(folder / "results.jsonl")
    assert subprocess.run(command, env=environment, check=True).returncode == 0

    store = Store(SqliteDatabase(folder / "runs.sqlite"))
    plain = Store(SqliteDatabase(tmp_path / "plain" / "runs.sqlite"))
    run = plain.add_claims(plain.begin("run", IDENTITY, "c", "digest", TODAY), rows(claims), is_last=True)
    asyncio.run(Runner(plain, run, checks_of(Mocked())).go())
    assert outcomes_in(store) == outcomes_in(plain)
    assert len((folder / "results.jsonl").read_text(encoding="utf-8").splitlines()) == claims
    times = Counter(paid.read_text(encoding="utf-8").splitlines())
    assert len(times) == claims
    # Only what was in work when the process was killed is paid twice, never what had been kept.
    assert times.total() - claims <= kills * 4 * (mocked_batch.PLACES + 4)
    attempts = {each.claim.text: each.attempts for each in store.results(store.find("run"))}
    assert set(attempts.values()) == {1}
    for earlier, later in pairwise(kept):
        assert earlier <= later
    store.close()
    plain.close()


def _kept(folder: Path) -> set[str]:
    if not (folder / "runs.sqlite").exists():
        return set()
    store = Store(SqliteDatabase(folder / "runs.sqlite"))
    done = {each.claim.id for run in store.runs() for each in store.results(run) if each.state}
    store.close()
    return done


def _is_whole(path: Path) -> bool:
    """Whether every line of an export, where there is one, is a row."""
    return not path.exists() or all(json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())


def test_a_disk_that_is_full_and_then_is_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner_module, "PATIENCE_S", 0.0)
    database = SqliteDatabase(tmp_path / "runs.sqlite")
    store, check = Store(database), Mocked()
    run = store.add_claims(store.begin("run", IDENTITY, "c", "digest", TODAY), rows(2_000), is_last=True)
    ((pages,),) = database.execute("PRAGMA page_count")
    database.execute(f"PRAGMA max_page_count = {pages + 40}")  # SQLite then says what it says of a full disk
    with pytest.raises(StoreFailed, match="database or disk is full"):
        asyncio.run(Runner(store, run, checks_of(check)).go())
    done = store.counts(run).done
    assert 0 < done < 2_000
    database.execute("PRAGMA max_page_count = 1000000")
    rest = Mocked()
    asyncio.run(Runner(store, run, checks_of(rest)).go())
    assert store.counts(run).done == 2_000
    assert len(rest.ended) == 2_000 - done
    store.close()


class Disturbed:
    """A run over the small world, whose checks something disturbs, and one that nothing does."""

    def __init__(self, world: World, folder: Path, **given: Any) -> None:
        self.settings: Settings = load_settings(kg=world.kg, web=world.web, **given)
        self.claims = [ClaimRow(n, n + 1, row.id, row.claim) for n, row in enumerate(world.rows("fever_val"))]
        self.folder = folder

    @asynccontextmanager
    async def begun(self, name: str) -> AsyncIterator[tuple[Store, Run]]:
        store = Store(SqliteDatabase(self.folder / name / "runs.sqlite"))
        run = store.begin("run", IDENTITY, "c", "digest", TODAY)
        yield store, run if run.is_read else store.add_claims(run, self.claims, is_last=True)
        store.close()

    async def go(self, store: Store, run: Run) -> Ending:
        async with OpenedChecks(self.settings) as opened:
            checks = opened.checks(places=2, today=TODAY, run="run", trace=False)
            return await Runner(store, run, checks).go()

    async def undisturbed(self) -> dict[str, tuple[object, ...]]:
        async with self.begun("plain") as (store, run):
            await self.go(store, run)
            return outcomes_in(store)


@pytest.mark.parametrize(
    "failure", [OSError(5, "Input/output error"), TimeoutError("no answer")], ids=["unreadable", "slow"]
)
async def test_a_source_that_fails_for_a_while(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failure: Exception
) -> None:
    disturbed = Disturbed(world, tmp_path)
    plain = await disturbed.undisturbed()
    ask, left = EmbeddedStore._ask, iter(range(6))

    def fails(self: EmbeddedStore, query: str) -> Any:
        if next(left, None) is not None:
            raise failure
        return ask(self, query)

    async with disturbed.begun("disturbed") as (store, run):
        monkeypatch.setattr(EmbeddedStore, "_ask", fails)
        await disturbed.go(store, run)
        counts = store.counts(run)
        assert counts.degraded + counts.errors > 0
        monkeypatch.undo()
        store.retry(run)
        ending = await disturbed.go(store, run)
        assert ending.progress.now == counts.degraded + counts.errors
        assert outcomes_in(store) == plain


@pytest.mark.drill
async def test_a_model_s_server_that_hangs(world: World, tmp_path: Path) -> None:
    hanging = [True]
    answer = obedient()

    async def behave(seen: Seen, writer: asyncio.StreamWriter) -> bool:
        messages = json.loads(seen.body)["messages"]
        asked = Asked(messages[-1]["content"], messages[0]["content"], (), len(messages), {}, None)
        if hanging[0] and "Turin" in asked.prompt:
            await asyncio.sleep(60)
        return await completion(json.dumps(answer(asked)))(seen, writer)

    async with misbehaving() as server:
        server.on(CHAT, behave)
        disturbed = _with_model(server, world, tmp_path)
        async with disturbed.begun("disturbed") as (store, run):
            await disturbed.go(store, run)
            assert store.counts(run).errors + store.counts(run).degraded >= 1
            hanging[0] = False
            store.retry(run)
            await disturbed.go(store, run)
            mended = outcomes_in(store)
        assert mended == await disturbed.undisturbed()


def _with_model(server: Misbehaving, world: World, folder: Path) -> Disturbed:
    return Disturbed(
        world, folder, reasoner="openai-compatible:tiny", llm_url=server.url("/v1"), llm_api_key="sk-none",
        second_opinion="none", llm_timeout_s=1.0, timeout_s=4.0, run_claim_timeout_s=8.0, attempts=1,
    )  # fmt: skip
