"""When a worker that is still at some work is ended: one that does not heed a cancel must not keep its place."""

import time
from collections.abc import Callable

from wkgfc.config import Settings
from wkgfc.reasoning.llm.hybrid import read_choice
from wkgfc.serve.workers import Worker

GRACE_S = 10.0  # that work which was cancelled has to end, before its process is ended
SWEEP_S = 5.0  # between two looks for what takes too long


def limit_of(settings: Settings) -> float:
    """Seconds that a check may take, and whatever else a worker is asked."""
    is_slow = read_choice(settings.reasoner).has_local_model
    return settings.serve_check_timeout_s or 2 * (settings.local_timeout_s if is_slow else settings.timeout_s)


class Deadlines:
    """The times by which work must have ended. ``at`` finds the worker that is at it, while there is one."""

    def __init__(self, at: Callable[[str], Worker | None]) -> None:
        self._at = at
        self._ends: dict[str, float] = {}  # times of ``time.monotonic``

    def give(self, name: str, seconds: float) -> None:
        """The worker that is at ``name`` is ended if it still is after so many seconds."""
        self._ends[name] = time.monotonic() + seconds

    def sweep(self) -> list[str]:
        """End the workers whose time is over. The work for which they were."""
        now, over = time.monotonic(), list[str]()
        for name, end in list(self._ends.items()):
            worker = self._at(name)
            if worker is not None and now <= end:
                continue
            del self._ends[name]
            if worker is not None:
                over.append(name)
                worker.kill()
        return over
