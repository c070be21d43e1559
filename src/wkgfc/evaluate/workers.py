"""Whoever checks the claims: this process, or several, each with sources of its own that it opens once."""

from collections.abc import Iterator, Sequence
from typing import Any, Self

from wkgfc.baselines.floors import Fitted
from wkgfc.baselines.method import Method
from wkgfc.baselines.registry import Part, make_method
from wkgfc.batch.processes import Processes
from wkgfc.config import Settings
from wkgfc.datasets import LabelledClaim
from wkgfc.evaluate.sets import Sight
from wkgfc.evaluate.workbench import Workbench
from wkgfc.evidence import Record


class Job(Record):
    """How claims are checked: by which method, and what it sees."""

    method: str
    without: Part | None
    fitted: Fitted | None
    sight: Sight
    source: str


_Task = tuple[Job, Settings, LabelledClaim]


class Workers:
    """Checks claims, ``number`` at a time. Use it in ``with``.

    ``workbench`` is this process's; it says which settings hold, and with one worker it does the checks. Of what the
    run may use (``run_max_…``) each of several has its part, and the first that has used it up ends the run.
    """

    def __init__(self, workbench: Workbench, number: int = 1) -> None:
        self.workbench, self._number = workbench, number
        self._processes: Processes[_Task, str] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        if self._processes is not None:
            self._processes.__exit__(*exception)

    def check(self, job: Job, rows: Sequence[LabelledClaim], workbench: Workbench | None = None) -> Iterator[str]:
        """The record of each claim as a line of JSON, as they are made, in whatever order.

        ``workbench`` is this process's own with other settings (``Workbench.having``), where others hold.

        Raises:
            NotConfigured: the method cannot be run, or a process ended by itself.
        """
        settings = (workbench or self.workbench).tools.settings
        if self._number == 1:
            bench = _Bench(self.workbench)
            yield from (bench.check(job, settings, row) for row in rows)
            return
        if self._processes is None:
            self._processes = Processes(self._number, _begin, (settings.shared_by(self._number),), _check)
        yield from self._processes.each((job, settings, row) for row in rows)


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
    """Open the sources of a process."""
    _bench[:] = [_Bench(Workbench(settings).__enter__())]


def _check(task: _Task) -> str:
    return _bench[0].check(*task)
