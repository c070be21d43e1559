"""What several processes share of a run's limits."""

from copy import copy
from dataclasses import replace
from typing import Any

import pytest

from small_world import World
from wkgfc.config import Settings
from wkgfc.evaluate import workers
from wkgfc.evaluate.sets import Sight
from wkgfc.evaluate.workbench import Workbench
from wkgfc.evaluate.workers import Job, Workers


@pytest.mark.parametrize("claims", [1, 5])
def test_every_process_is_opened_with_its_part(
    bench: Workbench, world: World, monkeypatch: pytest.MonkeyPatch, claims: int
) -> None:
    opened: list[tuple[int, Settings]] = []

    class NoProcesses:
        def __init__(self, number: int, begin: object, given: tuple[Settings], work: object) -> None:
            opened.append((number, *given))

        def each(self, items: Any) -> list[str]:
            return ["a line" for _ in items]

        def __exit__(self, *_: object) -> None: ...

    monkeypatch.setattr(workers, "Processes", NoProcesses)
    limited = copy(bench)
    limited.tools = replace(bench.tools, settings=bench.tools.settings.model_copy(update={"run_max_steps": 10}))
    job = Job(method="wkgfc-kg", without=None, fitted=None, sight=Sight(kg=True), source="fever_val")
    with Workers(limited, 2) as checkers:
        assert len(list(checkers.check(job, world.rows("fever_val")[:claims]))) == claims
    assert [(number, settings.run_max_steps) for number, settings in opened] == [(2, 5)]
