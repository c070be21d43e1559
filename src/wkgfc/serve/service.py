"""The service: accepts checks, has them checked by its workers, and says what happens to each as it happens.

Everything here runs in one event loop and beside one file of jobs. Whoever shows or sends what it knows (the API, the
page) asks this class alone.
"""

import asyncio
import datetime as dt
import logging
import secrets
import sqlite3
import statistics
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Self

from wkgfc.claim import Claim, Veracity
from wkgfc.config import Settings
from wkgfc.errors import BadInput, NotConfigured
from wkgfc.serve.crew import Crew
from wkgfc.serve.deadlines import GRACE_S, SWEEP_S, Deadlines, limit_of
from wkgfc.serve.folder import folder_of, held
from wkgfc.serve.jobs import LAST, Batch, Correction, Event, Job, Jobs
from wkgfc.serve.refusals import NotNow, NotThere, QueueFull, Stopping
from wkgfc.serve.tasks import Task
from wkgfc.serve.watching import Watchers
from wkgfc.serve.workers import Message, OpenChecker, Worker, open_warm

_log = logging.getLogger(__name__)

REMEMBERED = 200  # durations of the last checks, from which it is told when there is room again
MAX_RETRY_S = 600
STARTING_S = 5  # after which it is worth asking again, while the sources are opened
FORGET_S = 3_600.0  # between two removals of what is kept no longer

Listener = Callable[[str, Mapping[str, Any]], None]


class Service:
    """Runs the checks. Use it in ``async with``, or call ``start`` and ``stop``.

    Args:
        settings: the ``serve_…`` ones say how many check at a time, and how many may wait.
        open_checker: makes the checker of each worker from the settings. Worker processes import it by its name.
        listener: told of each thing that ends, by the name of what it is, for measures.

    Raises:
        NotConfigured: the folder is another service's, or its file cannot be used.
    """

    def __init__(
        self, settings: Settings, *, open_checker: OpenChecker = open_warm, listener: Listener | None = None
    ) -> None:
        self.settings = settings
        self._listener = listener
        folder = folder_of(settings)
        self._alone = held(folder)
        try:
            self.jobs = Jobs(folder / "checks.sqlite")
            self.recovered = self.jobs.recover("the service was restarted")
            single, bulk = self.jobs.waiting()
        except BaseException:
            self._alone.release()
            raise
        self._single, self._bulk = deque(single), deque(bulk)
        self._crew = Crew(settings, open_checker, heard=self._hear, lost=self._lose, free=self._dispatch)
        self._limit_s = limit_of(settings)
        self._deadlines = Deadlines(self._crew.at)
        self._began: dict[str, float] = {}  # of the checks that run, and when they began
        self._given_up: set[str] = set()  # those of which nothing more is heard, though their worker has not ended them
        self._asked: dict[str, asyncio.Future[dict[str, Any]]] = {}
        self._watchers = Watchers()
        self._took: deque[float] = deque(maxlen=REMEMBERED)
        self._idle = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._until = 0.0  # what runs may run, once the service is told to stop; a time of ``time.monotonic``
        self.is_stopping = False

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    # -- what it is asked for ------------------------------------------------------------------------------------

    async def submit(self, *claims: Claim, bulk: bool = False) -> tuple[Job, ...]:
        """Accept claims, all or none. What was accepted is checked, whatever ends the process before.

        Raises:
            QueueFull: as many wait as may.
            Stopping: the service is about to end.
            NotConfigured: nothing can be checked, as ``ready`` says.
        """
        self._make_room(len(claims))
        jobs = self.jobs.add(claims, bulk=bulk)
        (self._bulk if bulk else self._single).extend(job.id for job in jobs)
        self._dispatch()
        return jobs

    async def submit_batch(self, claims: Sequence[Claim], kind: str = "batch", **about: Any) -> Batch:
        """Accept several claims as one batch; one that is said twice is checked once. They wait for single ones.

        Raises:
            BadInput: there are more than ``serve_batch``.
            QueueFull, Stopping: as ``submit``.
        """
        if len(claims) > (most := self.settings.serve_batch):
            raise BadInput(f"a batch has at most {most:,} claims, and this one {len(claims):,}: send it in parts")
        distinct = list(dict.fromkeys(claims))
        place = {claim: number for number, claim in enumerate(distinct)}
        self._make_room(len(distinct))
        batch = self.jobs.add_batch(kind, distinct, [place[claim] for claim in claims], about)
        self._bulk.extend(dict.fromkeys(job.id for job in batch.checks))
        self._dispatch()
        return batch

    def get(self, check: str) -> Job:
        """A check with its result. Raises ``NotThere``."""
        return self.jobs.get(check)

    def batch(self, batch: str, *, with_results: bool = False) -> Batch:
        """A batch with its checks. Raises ``NotThere``."""
        return self.jobs.batch(batch, with_results=with_results)

    async def events(self, check: str, after: int = 0) -> AsyncIterator[Event]:
        """What has happened to a check since event ``after``, and what happens, until nothing more does.

        It ends before where the service stops and the check waits, and where the check is removed.

        Raises:
            NotThere: there is no check of that id.
        """
        seen = after
        job: Job | None = None
        while True:
            with self._watchers.watch(check) as changed:
                try:
                    job, happened = self.jobs.get(check), self.jobs.events(check, seen)
                except NotThere:
                    if job is None:
                        raise
                    return
                for event in happened:
                    seen = event.seq
                    yield event
                    if event.kind in LAST:
                        return
                if job.has_ended or (self.is_stopping and check not in self._began):
                    return
                await changed.wait()

    async def wait(self, check: str, timeout_s: float) -> Job:
        """The check when it has ended, or when the time is over. Raises ``NotThere``."""
        with self._watchers.watch(check) as changed:
            end = time.monotonic() + timeout_s
            while True:
                job = self.jobs.get(check)
                left = end - time.monotonic()
                if job.has_ended or left <= 0 or (self.is_stopping and check not in self._began):
                    return job
                changed.clear()
                try:
                    await asyncio.wait_for(changed.wait(), left)
                except TimeoutError:
                    return self.jobs.get(check)

    async def cancel(self, check: str) -> Job:
        """End a check that waits or runs.

        Raises:
            NotThere: there is none of that id.
            NotNow: it has ended.
        """
        before = self.jobs.cancel(check)
        if before == "queued":
            for queue in (self._single, self._bulk):
                if check in queue:
                    queue.remove(check)
        elif (worker := self._crew.at(check)) is not None:
            self._leave(worker, check)
        self._end(check, "cancelled")
        return self.jobs.get(check)

    async def remove(self, check: str) -> Job:
        """Remove a check with all that belongs to it; one that is open is cancelled. As it was at last.

        Raises:
            NotThere: there is none of that id.
        """
        job = self.jobs.get(check)
        if not job.has_ended:
            job = await self.cancel(check)
            await asyncio.sleep(0)  # for whoever watches to see how it ended
        self.jobs.forget(check)
        return job

    async def history(self, query: str = "", limit: int = 50, before: str | None = None) -> list[Job]:
        """Checks, the latest first, without their results: those whose claim has the words of ``query``."""
        return await asyncio.to_thread(self.jobs.history, query, limit, before)

    async def correct(
        self, check: str, *, veracity: Veracity | None = None, evidence: str | None = None, note: str = ""
    ) -> Correction:
        """Keep a person's correction: of the verdict, or of a piece of evidence that does not say what it is cited for.

        Raises:
            NotThere: there is no check of that id.
            NotNow: it is not done.
            BadInput: there is nothing to correct in what was passed, or no such evidence.
        """
        job = self.jobs.get(check)
        if job.state != "done" or job.result is None:
            raise NotNow(f"the check {check} is {job.state}: only one that is done can be corrected")
        if veracity is None and evidence is None:
            raise BadInput("say which veracity is right, or which evidence is cited wrongly")
        if evidence is not None and evidence not in {each["id"] for each in job.result["evidence"]}:
            raise BadInput(f"the check has no evidence {evidence[:64]!r}")
        return self.jobs.correct(check, veracity=veracity, evidence=evidence, note=note)

    def corrections(self, check: str | None = None) -> list[Correction]:
        """What people corrected, in the order in which they did: of one check, or of all."""
        return [correction for _, correction in self.jobs.corrections(check)]

    async def ask(self, task: Task, of: Mapping[str, Any]) -> dict[str, Any]:
        """Have a worker do something that is no check, and return what comes of it.

        Raises:
            BadInput: what it is of cannot be used, or takes longer than a check may.
            QueueFull, Stopping: as ``submit``.
        """
        self._make_room(1)
        worker = self._crew.least_busy()
        if worker is None:
            raise QueueFull("the service is starting: try again in a moment", STARTING_S)
        name = f"{task}-{secrets.token_urlsafe(8)}"
        future: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._asked[name] = future
        worker.running.add(name)
        self._deadlines.give(name, self._limit_s)
        worker.send({"do": task, "id": name, "of": dict(of)})
        try:
            return await future
        finally:
            self._asked.pop(name, None)

    # -- how it stands -------------------------------------------------------------------------------------------

    @property
    def waiting(self) -> int:
        """How many checks wait."""
        return len(self._single) + len(self._bulk)

    @property
    def running(self) -> int:
        """How many checks run."""
        return len(self._began)

    @property
    def problem(self) -> str | None:
        """Why no check can be run, where that is so for good."""
        return self._crew.problem

    @property
    def is_ready(self) -> bool:
        """Whether checks are taken, and somebody is there to run them."""
        return not self.is_stopping and self._crew.is_ready

    async def ready(self) -> None:
        """Wait until somebody is there to check.

        Raises:
            NotConfigured: nobody will be; the text says why.
        """
        await self._crew.ready()

    # -- from the beginning to the end ---------------------------------------------------------------------------

    async def start(self) -> None:
        """Start the workers, which open their sources meanwhile; what waited before is checked first."""
        if self.recovered:
            _log.info("%d checks that were running when the service ended are run again", self.recovered)
        self._crew.hire()
        self._tasks = [asyncio.create_task(self._watch_times()), asyncio.create_task(self._forget())]

    def drain(self) -> None:
        """Take nothing new and begin nothing: what runs may end, what waits is there at the next start."""
        if self.is_stopping:
            return
        self.is_stopping = True
        self._until = time.monotonic() + self.settings.serve_shutdown_s
        if not self._began:
            self._idle.set()
        self._watchers.wake_all()

    def hurry(self) -> None:
        """Wait for nothing any more: ``stop``, which may have begun, ends at once. What runs is begun again later."""
        self.drain()
        self._until = 0.0
        self._idle.set()
        self.abandon()

    async def stop(self) -> None:
        """End in order: running checks have ``serve_shutdown_s`` seconds, the others stay accepted."""
        self.drain()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._idle.wait(), max(self._until - time.monotonic(), 0.001))
        for task in self._tasks:
            task.cancel()
        for check in list(self._began):
            self._given_up.add(check)
            with suppress(sqlite3.Error, NotNow):  # what cannot be written is found running at the next start
                self.jobs.again(check, "the service was stopped", is_its_fault=False)
            self._end(check, None)
        await self._crew.let_go()
        for future in self._asked.values():
            if not future.done():
                future.set_exception(Stopping("the service is stopping: try again in a moment"))
        await asyncio.sleep(0)  # for whoever was just woken to see how it ended
        self.jobs.close()
        self._alone.release()

    def abandon(self) -> None:
        """End the worker processes at once. What they were at is checked at the next start."""
        self._crew.abandon()

    # -- checks and their workers --------------------------------------------------------------------------------

    def _make_room(self, number: int) -> None:
        if self.is_stopping:
            raise Stopping("the service is stopping: try again in a moment")
        if self.problem is not None:
            raise NotConfigured(self.problem)
        free = self.settings.serve_queue - self.waiting - len(self._asked)
        if number > free:
            most = self.settings.serve_queue
            raise QueueFull(f"{self.waiting:,} checks wait, and {most:,} may: try again later", self._retry_after())

    def _retry_after(self) -> int:
        """Seconds until half of what waits is done, at the pace of the last checks."""
        each = statistics.fmean(self._took) if self._took else 1.0
        return max(1, min(MAX_RETRY_S, round(self.waiting / 2 * each / self._crew.places)))

    def _dispatch(self) -> None:
        """Give what waits to whoever has a place."""
        while not self.is_stopping and (self._single or self._bulk):
            worker = self._crew.least_busy(with_a_place=True)
            if worker is None:
                return
            check = (self._single or self._bulk).popleft()
            try:
                job = self.jobs.start(check)
            except NotNow:  # cancelled meanwhile
                continue
            except sqlite3.Error:  # it waits until something else happens
                _log.exception("the check %s cannot be begun", check)
                self._single.appendleft(check)
                return
            self._began[check] = time.monotonic()
            worker.running.add(check)
            self._idle.clear()
            self._wake(check)
            worker.send({"do": "check", "id": check, "claim": job.claim.model_dump(mode="json")})

    def _hear(self, worker: Worker, message: Message) -> None:
        """A worker has said something of its work."""
        if message["id"] in self._asked:
            worker.running.discard(message["id"])
            self._crew.ended(worker)
            self._answer(message)
        else:
            self._note(worker, message)

    def _answer(self, message: Message) -> None:
        future = self._asked[message["id"]]
        if future.done():
            return
        if message["kind"] == "answer":
            future.set_result(message["data"])
        else:
            future.set_exception(BadInput(message.get("error", "it was cancelled")))

    def _note(self, worker: Worker, message: Message) -> None:
        """Something happened to a check. What cannot be written down ends it."""
        check, kind = message["id"], message["kind"]
        is_last = kind in LAST or kind == "answer"  # one whose asker is gone
        if is_last:
            worker.running.discard(check)
            self._crew.ended(worker)
        if check in self._given_up:
            if is_last:
                self._given_up.discard(check)
            return
        if check not in self._began:
            return
        try:
            match kind:
                case "result":
                    self.jobs.finish(check, message["data"])
                case "failed":
                    self.jobs.fail(check, message["error"])
                case "cancelled":  # the worker stops, though nobody here asked for it
                    self.jobs.fail(check, "the checker gave it up")
                case _:
                    self.jobs.note(check, kind, message["data"])
        except NotNow:  # it has ended in another way
            self._end(check, None)
            return
        except sqlite3.Error:
            _log.exception("what came of the check %s cannot be written down", check)
            self._drop(worker, check, "what came of it could not be written down")
            return
        if is_last:
            data = message.get("data") or {}
            self._end(check, "done" if kind == "result" else "failed", veracity=data.get("veracity"))
        else:
            self._wake(check)

    def _drop(self, worker: Worker, check: str, reason: str) -> None:
        """Give up a running check whose worker may go on with it."""
        if check in worker.running:
            self._leave(worker, check)
        try:
            self.jobs.fail(check, reason)
        except (sqlite3.Error, NotNow):
            _log.exception("the check %s stays as it is until the next start", check)
        self._end(check, "failed")

    def _leave(self, worker: Worker, check: str) -> None:
        """Have a worker end a check, of which nothing more is heard; a process that does not heed is ended."""
        self._given_up.add(check)
        worker.send({"do": "cancel", "id": check})
        self._deadlines.give(check, GRACE_S)

    def _end(self, check: str, how: str | None, **about: Any) -> None:
        """A check is no longer open. ``how`` is ``None`` where it waits again."""
        began = self._began.pop(check, None)
        seconds = None if began is None else time.monotonic() - began
        if seconds is not None and how == "done":
            self._took.append(seconds)
        if how is not None and self._listener is not None:
            self._listener(how, {"seconds": seconds, **about})
        if not self._began:
            self._idle.set()
        self._wake(check)

    def _lose(self, worker: Worker) -> None:
        """A worker has ended by itself: what it was at is begun again by another."""
        for name in worker.running:
            if (future := self._asked.get(name)) is not None and not future.done():
                future.set_exception(NotNow("the process that was to do it has ended: try again"))
            elif name in self._given_up:
                self._given_up.discard(name)
            elif name in self._began:
                self._begin_again(name, "the process that checked it ended by itself")

    def _begin_again(self, check: str, reason: str) -> None:
        """A running check waits again, unless it was begun too often."""
        try:
            waits = self.jobs.again(check, reason)
        except (sqlite3.Error, NotNow):
            _log.exception("the check %s stays as it is until the next start", check)
            self._end(check, None)
            return
        if waits:
            self._single.appendleft(check)
        self._end(check, None if waits else "failed")

    async def _watch_times(self) -> None:
        """Give up what takes too long; a process that does not heed is ended."""
        limit = self._limit_s
        while True:
            await asyncio.sleep(min(SWEEP_S, limit))
            now = time.monotonic()
            for check, began in list(self._began.items()):
                if now - began > limit and (worker := self._crew.at(check)) is not None:
                    self._drop(worker, check, f"given up after {limit:g} seconds (serve_check_timeout_s)")
            for name in self._deadlines.sweep():
                if (future := self._asked.get(name)) is not None and not future.done():
                    said = f"it takes more than {limit:g} seconds (serve_check_timeout_s): give less text at a time"
                    future.set_exception(BadInput(said))

    async def _forget(self) -> None:
        """Remove the checks that are kept no longer."""
        days = self.settings.serve_keep_days
        while days is not None:
            then = dt.datetime.now(dt.UTC) - dt.timedelta(days=days)
            try:
                if number := await asyncio.to_thread(self.jobs.forget_before, then):
                    _log.info("%d checks older than %g days were removed", number, days)
            except sqlite3.Error:
                _log.exception("old checks cannot be removed")
            await asyncio.sleep(FORGET_S)

    def _wake(self, check: str) -> None:
        self._watchers.wake(check)
