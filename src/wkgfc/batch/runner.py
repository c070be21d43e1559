"""The runner: pending claims to whoever checks, what comes of them to the store, until all are done or it is stopped.

It keeps no list of claims and no result longer than until it is on the disk, so its memory does not grow with the run.
Whatever ends the process, the next one goes on with what has no result.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from wkgfc.batch.checks import Checks
from wkgfc.batch.database import StoreFailed
from wkgfc.batch.feeding import Feed
from wkgfc.batch.metrics import RunMetrics
from wkgfc.batch.progress import Progress
from wkgfc.batch.rows import ClaimRow, Outcome
from wkgfc.batch.run import Run
from wkgfc.batch.store import Store
from wkgfc.batch.store_thread import StoreThread
from wkgfc.errors import UserError

_log = logging.getLogger(__name__)

WRITTEN = 512  # outcomes of one transaction, at most
PATIENCE_S = 60.0  # that a store which cannot be written is tried again: a disk that is full for a moment loses nothing
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.25, 8.0
LOOK_S = 1.0  # between looks at what the others have paid, where a run is shared
EXPORT_SHARE = 0.05  # of the time, at most, that exports take: they grow with the run

Reason = Literal["finished", "budget", "interrupted", "given up"]


@dataclass(frozen=True)
class Ending:
    """Why a run stopped.

    After ``finished`` nothing is pending that others do not have; ``given up`` is what was cancelled in flight.
    """

    reason: Reason
    progress: Progress


class Runner:
    """One process's part of a run.

    Args:
        store, run: where the claims are, and the results go.
        checks: whoever checks.
        owner: the name under which the run is shared; without it the run is this process's alone.
        budget_usd: dollars of the whole run, what was paid before included.
        expected_usd: what a claim is expected to cost, before one has been checked.
        export: writes the results into a file, whole; called now and then, and at the end.
        export_s: seconds between exports, at least; 0: only at the end.
        watch: is told after each time that results were kept.
    """

    def __init__(
        self,
        store: Store,
        run: Run,
        checks: Checks,
        *,
        owner: str | None = None,
        budget_usd: float | None = None,
        expected_usd: float = 0.0,
        export: Callable[[], None] | None = None,
        export_s: float = 0.0,
        watch: Callable[[Progress], None] = lambda _: None,
    ) -> None:
        self._store, self._run, self._checks, self._owner = store, run, checks, owner
        self._budget_usd, self._expected_usd = budget_usd, expected_usd
        self._export, self._export_s, self._watch = export, export_s, watch
        self._stopped: Reason | None = None
        self._failure: UserError | StoreFailed | None = None
        self._in_flight = 0
        self._ended, self._paid_usd, self._kept_usd, self._paid_before_usd = 0, 0.0, 0.0, 0.0
        self._looked_at = 0.0
        self._metrics = RunMetrics(run.label)

    def stop(self) -> None:
        """Begin no further claim; what is in flight is finished and kept."""
        self._stopped = self._stopped or "interrupted"

    async def go(self) -> Ending:
        """Check what is pending. Cancelled, it gives up what is in flight and keeps what is done.

        Raises:
            NotConfigured: nothing can be checked at all.
            StoreFailed: the store cannot be written: what is in it stays.
        """
        self._thread = StoreThread()
        self._outcomes: asyncio.Queue[Sequence[Outcome] | None] = asyncio.Queue(2 * self._checks.places + 16)
        self._can_write, self._room, self._is_over = asyncio.Event(), asyncio.Condition(), asyncio.Event()
        self._can_write.set()
        exporting: asyncio.Task[None] | None = None
        try:
            self.progress = Progress.of(await self._thread.do(lambda: self._store.counts(self._run)))
            self._paid_before_usd = self.progress.cost_usd
            self._feed = Feed(self._store, self._run, self._thread, self._owner)
            self._watch(self.progress)
            exporting = asyncio.create_task(self._export_now_and_then())
            await self._check_all()
            if self._failure is not None:
                raise self._failure
        finally:
            self._is_over.set()
            if exporting is not None:
                await exporting
            self._thread.close()
        return Ending(self._stopped or "finished", self.progress)

    async def _check_all(self) -> None:
        writer = asyncio.create_task(self._write())
        workers = {asyncio.create_task(self._work()) for _ in range(self._checks.places)}
        try:
            await self._until_done(workers, writer)
        except asyncio.CancelledError:
            self._stopped = "given up"
        finally:
            for worker in workers:
                worker.cancel()
            await asyncio.gather(*workers, return_exceptions=True)
            if not writer.done():
                await self._outcomes.put(None)
            await writer

    async def _until_done(self, workers: set["asyncio.Task[None]"], writer: "asyncio.Task[None]") -> None:
        left = set(workers)
        while left:
            ended, _ = await asyncio.wait({*left, writer}, return_when=asyncio.FIRST_COMPLETED)
            left -= ended
            for task in ended:
                if task is writer:
                    return  # its failure is raised where it is awaited
                if (error := task.exception()) is not None:
                    if not isinstance(error, UserError | StoreFailed):
                        raise error
                    self._failure = self._failure or error
                    self.stop()

    async def _work(self) -> None:
        """One of the places: a block of claims after the other."""
        while True:
            await self._can_write.wait()
            if not await self._has_room(self._checks.block) or self._stopped:
                return
            self._in_flight += self._checks.block  # before anything else can look
            try:
                rows = await self._feed.next(self._checks.block)
                if not rows or self._stopped:
                    return
                outcomes = await self._checked(rows)
            finally:
                self._in_flight -= self._checks.block
                if self._budget_usd is not None:
                    async with self._room:
                        self._room.notify_all()
            await self._outcomes.put(outcomes)

    async def _checked(self, rows: Sequence[ClaimRow]) -> Sequence[Outcome]:
        checked = await self._checks.check(rows)
        self.progress.asked.add(checked.asked)
        if any(not outcome.is_begun or outcome.state == "again" for outcome in checked.outcomes):  # a limit of the run
            self._stopped = self._stopped or "budget"
        begun = [outcome for outcome in checked.outcomes if outcome.is_begun]
        self._ended += len(begun)
        self._paid_usd += sum(outcome.cost_usd for outcome in begun)
        return begun

    async def _has_room(self, claims: int) -> bool:
        """Whether the budget has room for so many claims beside those in flight, whose cost it waits for."""
        if self._budget_usd is None:
            return True
        while not self._stopped:
            spent = self._paid_before_usd + self._paid_usd
            each = max(self._expected_usd, self._paid_usd / self._ended if self._ended else 0.0)
            if spent < self._budget_usd and spent + each * (self._in_flight + claims) <= self._budget_usd:
                return True
            if not self._in_flight:
                self._stopped = "budget"
                return False
            async with self._room:
                await self._room.wait()
        return False

    async def _write(self) -> None:
        """The one writer: keeps whatever has come since it last looked, all in one transaction, and looks again."""
        while True:
            given = await self._outcomes.get()
            batch = list(given or ())
            is_last = given is None
            while not is_last and len(batch) < WRITTEN and not self._outcomes.empty():
                given = self._outcomes.get_nowait()
                is_last = given is None
                batch += given or ()
            if batch:
                await self._keep(batch)
            if is_last:
                return

    async def _keep(self, batch: Sequence[Outcome]) -> None:
        """Keep outcomes, with patience: while the store cannot be written, no further claim is begun.

        Raises:
            StoreFailed: it cannot be written for ``PATIENCE_S``.
        """
        loop = asyncio.get_running_loop()
        until, pause = loop.time() + PATIENCE_S, FIRST_PAUSE_S
        while True:
            try:
                await self._thread.do(lambda: self._store.keep(self._run, batch, self._owner))
                break
            except StoreFailed as error:
                self._can_write.clear()
                if loop.time() >= until:
                    raise
                _log.warning("%d results wait, as the store cannot be written: %s", len(batch), error)
                await asyncio.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE_S)
        self._can_write.set()
        self._kept_usd += sum(outcome.cost_usd for outcome in batch)
        await self._look_at_others()
        for outcome in batch:
            self.progress.count(outcome)
            self._metrics.count(outcome)
            if outcome.state == "error":
                _log.warning("claim at row %d: %s", outcome.place, outcome.error, extra={"run": self._run.label})
        self._watch(self.progress)

    async def _look_at_others(self) -> None:
        """See now and then what the processes that share the run have paid: the budget is of all of them."""
        now = asyncio.get_running_loop().time()
        if self._budget_usd is None or self._owner is None or now < self._looked_at + LOOK_S:
            return
        self._looked_at = now
        paid = await self._thread.do(lambda: self._store.paid_usd(self._run))
        self._paid_before_usd = max(self._paid_before_usd, paid - self._kept_usd)

    async def _export_now_and_then(self) -> None:
        """Export, wait, and so on: at most ``EXPORT_SHARE`` of the time. A failure is told, and tried again."""
        if self._export is None or not self._export_s:
            return
        loop = asyncio.get_running_loop()
        pause = self._export_s
        while not self._is_over.is_set():
            try:
                async with asyncio.timeout(pause):
                    await self._is_over.wait()
                    return
            except TimeoutError:
                pass
            began = loop.time()
            try:
                await asyncio.to_thread(self._export)
            except (OSError, StoreFailed, UserError) as error:
                _log.warning("the results were not exported now: %s", error)
            pause = max(self._export_s, (loop.time() - began) / EXPORT_SHARE)
