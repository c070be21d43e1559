"""The workers of the service: hired, given work, watched, replaced where they end by themselves, and let go."""

import asyncio
import logging
import os
from collections.abc import Callable

from wkgfc.config import Settings
from wkgfc.errors import NotConfigured
from wkgfc.serve.workers import Message, OpenChecker, Worker, waits_for_others

_log = logging.getLogger(__name__)

MOST_WORKERS = 4  # by default: each holds the language model and the verifier, some hundreds of megabytes
MOST_RESTARTS = 5  # of workers that end before they were ready, in a row: something is wrong that trying does not mend
CHECKS_THAT_WAIT = 8  # at a time in one worker, by default, where its checks wait for live sources
AGAIN_S = 30.0  # after which a worker that could not open its sources, as others could, is tried again
CLOSING_S = 5.0  # that a worker has to end when it is told to


class Crew:
    """The workers. ``heard`` is told what one says of its work, ``lost`` that it has ended, ``free`` that one is ready.

    ``problem`` says why nobody can check, where that is so for good.
    """

    def __init__(
        self,
        settings: Settings,
        open_checker: OpenChecker,
        *,
        heard: Callable[[Worker, Message], None],
        lost: Callable[[Worker], None],
        free: Callable[[], None],
    ) -> None:
        self._settings, self._open_checker = settings, open_checker
        self._heard, self._lost, self._free = heard, lost, free
        self._workers: list[Worker] = []
        self._restarts = 0
        self._known = asyncio.Event()  # whether somebody can check
        self._leaving: dict[asyncio.Task[None], Worker] = {}  # those that were told to end, until they have
        self._is_leaving = False
        self.problem: str | None = None
        waits = waits_for_others(settings)
        given = settings.serve_workers
        self._number = (1 if waits else min(os.cpu_count() or 1, MOST_WORKERS)) if given is None else given or 1
        self._at_a_time = settings.serve_concurrency or (CHECKS_THAT_WAIT if waits else 1)

    @property
    def places(self) -> int:
        """How many checks can run at a time."""
        return self._number * self._at_a_time

    @property
    def is_ready(self) -> bool:
        """Whether somebody is there to check."""
        return self.problem is None and any(each.is_ready for each in self._workers)

    async def ready(self) -> None:
        """Wait until somebody is there to check.

        Raises:
            NotConfigured: nobody will be; the text says why.
        """
        await self._known.wait()
        if self.problem is not None:
            raise NotConfigured(self.problem)

    def hire(self) -> None:
        """Start all of them. They open their sources meanwhile."""
        for _ in range(self._number):
            self._hire()

    def least_busy(self, *, with_a_place: bool = False) -> Worker | None:
        """The worker that has least to do; ``with_a_place``: of those that can begin another check."""
        there = [each for each in self._workers if each.is_ready and not each.is_retired]
        if with_a_place:
            there = [each for each in there if len(each.running) < self._at_a_time]
        return min(there, key=lambda each: len(each.running), default=None)

    def at(self, name: str) -> Worker | None:
        """The worker that is at this work."""
        return next((each for each in self._workers if name in each.running), None)

    def ended(self, worker: Worker) -> None:
        """A check of this worker has ended. One that has done its share is replaced, when its successor is ready.

        What models and caches hold grows with the words that they meet, and a new process begins without it.
        """
        worker.done += 1
        share = self._settings.serve_worker_checks
        if worker.is_process and worker.done >= share and worker.successor is None and not self._is_leaving:
            worker.successor = self._hire()
        if worker.is_retired and not worker.running:
            self._dismiss(worker)

    async def let_go(self) -> None:
        """Tell all to end, and end those that do not heed."""
        self._is_leaving = True
        for worker in list(self._workers):
            self._dismiss(worker)
        await asyncio.gather(*self._leaving)

    def abandon(self) -> None:
        """End them at once."""
        self._is_leaving = True
        workers, self._workers = self._workers, []
        for worker in (*workers, *self._leaving.values()):
            worker.kill()

    def _dismiss(self, worker: Worker) -> None:
        self._workers.remove(worker)
        worker.send({"do": "stop"})
        task = asyncio.create_task(_see_off(worker))
        self._leaving[task] = worker
        task.add_done_callback(self._leaving.pop)

    def _hire(self) -> Worker:
        worker = Worker(self._settings, self._open_checker, is_process=self._settings.serve_workers != 0)
        self._workers.append(worker)
        worker.start(self._hear)
        return worker

    def _hear(self, worker: Worker, message: Message | None) -> None:
        """A worker has said something, or has ended."""
        if worker not in self._workers:  # it was told to stop
            return
        if message is None:
            self._replace(worker)
        elif message["kind"] == "ready":
            self._greet(worker)
        elif message["kind"] == "broken":
            self._miss(worker, message["error"])
        else:
            self._heard(worker, message)
        self._free()

    def _greet(self, worker: Worker) -> None:
        """A worker is ready, and whoever it succeeds begins nothing more."""
        worker.is_ready = True
        self._restarts = 0
        self._known.set()
        for each in [each for each in self._workers if each.successor is worker]:
            each.is_retired = True
            if not each.running:
                self._dismiss(each)

    def _replace(self, worker: Worker) -> None:
        self._workers.remove(worker)
        self._lost(worker)
        if self.problem is not None or self._is_leaving or worker.successor is not None:
            return
        if not worker.is_ready:
            self._restarts += 1
        if self._restarts >= MOST_RESTARTS:
            self._give_up("the processes that check claims end before they have begun, perhaps for want of memory")
            return
        _log.warning("a process that checked claims ended by itself, and another is started")
        self._hire_instead(worker)

    def _miss(self, worker: Worker, problem: str) -> None:
        """A worker cannot open its sources. Those that could go on, and another is tried later."""
        if not any(each.is_ready for each in self._workers):
            self._give_up(problem)
            return
        _log.error("a process that was to check claims cannot begin: %s; tried again in %g seconds", problem, AGAIN_S)
        self._dismiss(worker)
        asyncio.get_running_loop().call_later(AGAIN_S, self._hire_instead, worker)

    def _hire_instead(self, worker: Worker) -> None:
        """Another takes the place of this worker, and that of whomever it was to succeed."""
        if self.problem is not None or self._is_leaving:
            return
        another = self._hire()
        for each in self._workers:
            if each.successor is worker:
                each.successor = another

    def _give_up(self, problem: str) -> None:
        if self.problem is None:
            _log.error("no check can be run: %s", problem)
        self.problem = problem
        self._known.set()


async def _see_off(worker: Worker) -> None:
    """Wait for the end of a worker that was told to, and end it where it does not heed."""
    if not await asyncio.to_thread(worker.join, CLOSING_S):
        worker.kill()
        if worker.is_process:  # so that it is gone when the service is
            await asyncio.to_thread(worker.join, CLOSING_S)
