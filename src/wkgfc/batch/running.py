"""A whole batch: the claims read in, checked by whoever the settings say, exported; gone on with where it was begun."""

import asyncio
import datetime as dt
import os
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Literal

from wkgfc.batch.checks import Checks, OpenedChecks
from wkgfc.batch.claiming import claimed
from wkgfc.batch.claims_in import digest_of, read_claims
from wkgfc.batch.claims_out import Form, write_results
from wkgfc.batch.database import Database, StoreFailed
from wkgfc.batch.identity import identity_of
from wkgfc.batch.progress import Progress
from wkgfc.batch.run import Run
from wkgfc.batch.runner import Ending, Runner
from wkgfc.batch.sqlite import SqliteDatabase
from wkgfc.batch.store import Store
from wkgfc.batch.workers import AHEAD, BLOCK, CheckedElsewhere, Job, check_block, processes_for
from wkgfc.config import Settings
from wkgfc.errors import BadInput, NotConfigured
from wkgfc.estimate import estimate
from wkgfc.reasoning.llm.hybrid import read_choice
from wkgfc.sources import is_live
from wkgfc.stores import Progress as Told
from wkgfc.stores import silent

STORE = "runs.sqlite"
ROWS_AT_ONCE = 5_000  # rows of the claims file in one transaction
BUSY_S = 0.2  # between looks whether another process has read them


@dataclass(frozen=True)
class Batch:
    """What is to be done.

    ``column`` has the claim in the file, ``format`` names the file's format where its columns do not. ``form`` is that
    of the results. ``budget_usd`` is the whole run's. ``address`` is that of a Ray cluster; without it one is started
    on this machine.
    """

    claims: Path
    out: Path
    name: str
    column: str = "claim"
    format: str | None = None
    form: Form = "jsonl"
    budget_usd: float | None = None
    retry_errors: bool = False
    shared: bool = False
    trace: bool = False
    engine: Literal["local", "ray"] = "local"
    address: str | None = None

    def results(self, run: Run) -> Path:
        """Where the results of the run go."""
        return self.out / f"{run.label}.results.{self.form}"


def open_database(settings: Settings, folder: Path, *, is_new: bool = True) -> Database:
    """Where runs are kept: the database that the setting ``run_store`` names, or a file in the folder.

    Raises:
        NotConfigured: it cannot be opened, or (but for ``is_new``) there is none.
    """
    if settings.run_store is not None:
        from wkgfc.batch.postgres import PostgresDatabase  # noqa: PLC0415 - an extra

        return PostgresDatabase(settings.run_store)
    path = folder / STORE
    if not is_new and not path.is_file():
        raise NotConfigured(f"there are no runs in {folder}: 'wkgfc batch CLAIMS --out {folder}' makes one")
    return SqliteDatabase(path)


def read_in(store: Store, run: Run, batch: Batch, told: Told = silent, is_stopped: Callable[[], bool] = bool) -> Run:
    """Read the claims file into the store, or what of it has not been read yet. ``is_stopped`` ends it early.

    Of several processes that share a run one reads, and the others wait for it.

    Raises:
        BadInput: the file cannot be read, or has no claims.
    """
    lock = f"read {run.run}"
    while not store.database.hold(lock):
        time.sleep(BUSY_S)
    try:
        run = store.find(run.label)
        if run.is_read:
            return run
        rows = iter(read_claims(batch.claims, column=batch.column, format=batch.format, skip=run.rows_read))
        while not is_stopped():
            chunk = list(islice(rows, ROWS_AT_ONCE))
            if not chunk and not run.rows_read:
                raise BadInput(f"{batch.claims} has no claims")
            run = store.add_claims(run, chunk, is_last=len(chunk) < ROWS_AT_ONCE)
            told("reading claims", run.rows_read, None)
            if run.is_read:
                break
        return run
    finally:
        store.database.release(lock)


def number_of_workers(settings: Settings) -> int:
    """Processes: as set; else one a core where everything is on this machine, and one where others are waited for.

    A process more is a client more of a live source, with its own limits of courtesy.
    """
    if settings.run_workers is not None:
        return settings.run_workers
    if is_live(settings) or read_choice(settings.reasoner).has_model:
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@asynccontextmanager
async def on_this_machine(settings: Settings, opened: OpenedChecks, run: Run, batch: Batch) -> AsyncIterator[Checks]:
    """Whoever checks here: this process, or several."""
    workers = number_of_workers(settings)
    if workers == 1:
        async with opened:
            yield opened.checks(places=settings.run_concurrency, today=run.today, run=run.label, trace=batch.trace)
        return
    at_once = max(1, settings.run_concurrency // workers)
    with processes_for(Job(settings, run.label, run.today, batch.trace, at_once), workers) as processes:
        yield CheckedElsewhere(processes, block=BLOCK, places=workers * AHEAD)


@asynccontextmanager
async def on_a_cluster(settings: Settings, store: Store, run: Run, batch: Batch) -> AsyncIterator[Checks]:
    """Whoever checks on a Ray cluster, when what an earlier driver left in files of shards is kept."""
    from wkgfc.batch import ray_engine  # noqa: PLC0415 - an extra

    shards = settings.run_shards or (batch.out / f".{run.label}.shards" if batch.address is None else None)
    if shards is not None:
        shards = shards.resolve()
        ray_engine.merge_left_over(store, run, shards)
    with ray_engine.connected(batch.address) as cores:
        job = Job(settings, run.label, run.today, batch.trace, settings.run_concurrency)
        stores = ray_engine.shipped_stores(settings) if settings.run_stores == "shipped" else (None, None)
        tasks = ray_engine.RayTasks(ray_engine.begin_with, (job, *stores), check_block, folder=shards)
        yield CheckedElsewhere(tasks, block=ray_engine.SHARD, places=cores * ray_engine.TASKS)
    if shards is not None:
        ray_engine.merge_left_over(store, run, shards)
        with suppress(OSError):
            shards.rmdir()


def limited(settings: Settings, batch: Batch, paid_usd: float) -> Settings:
    """The settings with each process's share of the run's limits, and of what is left of the budget."""
    if batch.budget_usd is not None:
        left, own = max(batch.budget_usd - paid_usd, 1e-9), settings.run_max_cost_usd
        settings = settings.model_copy(update={"run_max_cost_usd": left if own is None else min(left, own)})
    return settings.shared_by(number_of_workers(settings))


def expected_usd(settings: Settings) -> float:
    """What a claim is expected to cost before one has been checked."""
    return estimate(settings, 1).expected.cost_usd or 0.0


class BatchRun:
    """A batch under way: what the command line, and whoever calls this from Python, steers. Close it at the end.

    Args:
        settings: who checks, from what.
        batch: what is to be done.
        told: of stores that are built and rows that are read.
        watch: of how far the run is.

    Raises:
        BadInput: the claims cannot be read, or the run was begun over others.
        NotConfigured: a source or the store cannot be opened.
    """

    def __init__(
        self,
        settings: Settings,
        batch: Batch,
        *,
        told: Told = silent,
        watch: Callable[[Progress], None] = lambda _: None,
    ) -> None:
        self.settings, self.batch = settings, batch
        self._told, self._watch = told, watch
        self._runner: Runner | None = None
        self._is_stopped = False
        # Before anything is opened or made.
        digest = digest_of(batch.claims, column=batch.column, format=batch.format)
        self._opened = OpenedChecks(settings, told)
        with _store_mended():
            self.store = Store(open_database(settings, batch.out))
            identity = identity_of(settings, self._opened.checker.open())
            self.run = self.store.begin(batch.name, identity, str(batch.claims), digest, dt.datetime.now(dt.UTC).date())

    def close(self) -> None:
        """Let go of the store."""
        self.store.close()

    def stop(self) -> None:
        """Begin no further claim; what is in flight is finished and kept."""
        self._is_stopped = True
        if self._runner is not None:
            self._runner.stop()

    async def go(self) -> Ending:
        """Read, check, export. Cancelled while it checks, it keeps what is done and gives up the rest.

        Raises:
            BadInput: the claims cannot be used, or the run is another process's.
            NotConfigured: a source or the store cannot be used.
        """
        store, batch = self.store, self.batch
        with _store_mended(), claimed(store, self.run, shared=batch.shared) as owner:
            self.run = await asyncio.to_thread(
                lambda: read_in(store, self.run, batch, self._told, lambda: self._is_stopped)
            )
            settings = limited(self.settings, batch, store.counts(self.run).cost_usd)
            opened = self._opened if settings is self.settings else OpenedChecks(settings)
            async with self._checks(settings, opened) as checks:
                if batch.retry_errors:  # when what an earlier driver of a cluster left is kept, not before
                    store.retry(self.run)
                ending = await self._checked(checks, owner)
            if ending.reason != "given up":
                write_results(store, self.run, batch.results(self.run), batch.form)
        return ending

    def _checks(self, settings: Settings, opened: OpenedChecks) -> AbstractAsyncContextManager[Checks]:
        if self.batch.engine == "ray":
            return on_a_cluster(settings, self.store, self.run, self.batch)
        return on_this_machine(settings, opened, self.run, self.batch)

    async def _checked(self, checks: Checks, owner: str | None) -> Ending:
        batch, settings = self.batch, self.settings
        self._runner = Runner(
            self.store,
            self.run,
            checks,
            owner=owner,
            budget_usd=batch.budget_usd,
            expected_usd=expected_usd(settings) if batch.budget_usd is not None else 0.0,
            export=lambda: _export(self.store, self.run, batch),
            export_s=0.0 if batch.shared else settings.run_export_s,
            watch=self._watch,
        )
        if self._is_stopped:
            self._runner.stop()
        return await self._runner.go()


def _export(store: Store, run: Run, batch: Batch) -> None:
    write_results(store, run, batch.results(run), batch.form)


@contextmanager
def _store_mended() -> Iterator[None]:
    try:
        yield
    except StoreFailed as error:
        raise NotConfigured(
            f"the store cannot be used ({error}): mend it, and the same command goes on with what is done"
        ) from error
