"""Whoever checks the claims: this process, or several, each with sources of its own that it opens once."""

import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing import get_context
from typing import Any, Self

from wkgfc.baselines.floors import Fitted
from wkgfc.baselines.method import Method
from wkgfc.baselines.registry import Part, make_method
from wkgfc.config import Settings
from wkgfc.datasets import LabelledClaim
from wkgfc.errors import NotConfigured
from wkgfc.evaluate.sets import Sight
from wkgfc.evaluate.workbench import Workbench
from wkgfc.evidence import Record

AHEAD = 4  # claims that each process has before it


class Job(Record):
    """How claims are checked: by which method, and what it sees."""

    method: str
    without: Part | None
    fitted: Fitted | None
    sight: Sight
    source: str


class Workers:
    """Checks claims, ``number`` at a time. Use it in ``with``.

    ``workbench`` is this process's; it says which settings hold, and with one worker it does the checks.
    """

    def __init__(self, workbench: Workbench, number: int = 1) -> None:
        self.workbench, self._number = workbench, number
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)

    def check(self, job: Job, rows: Sequence[LabelledClaim], workbench: Workbench | None = None) -> Iterator[str]:
        """The record of each claim as a line of JSON, as they are made, in whatever order.

        ``workbench`` is this process's own with other settings (``Workbench.having``), where others hold.

        Raises:
            NotConfigured: the method cannot be run, or a process ended by itself.
        """
        settings = (workbench or self.workbench).tools.settings
        if self._number == 1 or len(rows) < 2:
            bench = _Bench(self.workbench)
            yield from (bench.check(job, settings, row) for row in rows)
            return
        if self._pool is None:
            context = get_context("spawn")
            self._pool = ProcessPoolExecutor(self._number, context, initializer=_begin, initargs=(settings,))
        waiting = iter(rows)
        pool = self._pool
        running: set[Future[str]] = {
            pool.submit(_check, job, settings, row) for row in islice(waiting, self._number * AHEAD)
        }
        try:
            while running:
                ended, running = wait(running, return_when=FIRST_COMPLETED)
                running |= {pool.submit(_check, job, settings, row) for row in islice(waiting, len(ended))}
                for each in ended:
                    yield each.result()
        except BrokenProcessPool as error:
            raise NotConfigured(
                "a process that checked claims ended by itself, perhaps for want of memory: try fewer --workers; "
                "the same command goes on with what is done"
            ) from error
        finally:
            for future in running:
                future.cancel()


class _Bench:
    """A workbench with the methods that were made on it."""

    def __init__(self, workbench: Workbench) -> None:
        self._workbench = workbench
        self._methods: dict[str, tuple[Workbench, Method]] = {}

    def check(self, job: Job, settings: Settings, row: LabelledClaim) -> str:
        key = f"{job.model_dump_json()}{settings.hops},{settings.beam}"
        if key not in self._methods:
            bench = self._workbench.having(**_changes(settings))
            self._methods[key] = bench, make_method(job.method, bench.tools, fitted=job.fitted, without=job.without)
        bench, method = self._methods[key]
        return bench.check(method, row, job.sight, job.source).model_dump_json()


def _changes(settings: Settings) -> dict[str, Any]:
    return {"hops": settings.hops, "beam": settings.beam}


_bench: list[_Bench] = []  # of a process that does nothing else


def _begin(settings: Settings) -> None:
    """Open the sources of a process. Ctrl-C is the parent's alone: a claim that is begun is finished."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _bench[:] = [_Bench(Workbench(settings).__enter__())]


def _check(job: Job, settings: Settings, row: LabelledClaim) -> str:
    return _bench[0].check(job, settings, row)
