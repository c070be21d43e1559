"""Progress under a notebook's cell, with what stands for IPython's kernel; what it shows; interrupts end the work."""

import asyncio
import sys
import threading
from types import ModuleType
from typing import Any

import pytest

from small_world import World
from wkgfc.agent.episode import StepStarted
from wkgfc.checker import FactChecker
from wkgfc.config import load_settings
from wkgfc.exports import cell as cells
from wkgfc.exports.cell import Cell, in_notebook
from wkgfc.result import CheckResult, Results
from wkgfc.state import SearchWeb


class Shown:
    """What a notebook was told to show, in order."""

    def __init__(self) -> None:
        self.bundles: list[dict[str, str]] = []
        self.threads: set[str] = set()

    def display(self, bundle: dict[str, str], *, raw: bool, display_id: bool) -> "Shown":
        assert raw
        assert display_id
        self.update(bundle, raw=raw)
        return self

    def update(self, bundle: dict[str, str], *, raw: bool) -> None:
        self.bundles.append(bundle)
        self.threads.add(threading.current_thread().name)

    @property
    def lines(self) -> list[str]:
        return [bundle["text/plain"] for bundle in self.bundles]


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_many_are_counted_with_the_time_left(result: CheckResult) -> None:
    shown, clock = Shown(), Clock()
    cell = Cell(40, shown.display, clock)

    cell.built("reading <facts>", 1_000, 2_000)
    cell.draw()
    assert shown.lines == []  # it may be over in a moment
    for clock.now in (1.0, 2.0, 3.0):
        cell.draw()
        cell.draw()
        cell.saw(result)
    cell.draw()
    clock.now = 75.0
    cell.close()

    assert shown.lines == [
        "reading <facts>: 1,000 of 2,000",
        "1 of 40 claims",
        "2 of 40 claims, about 0:38 left",
        "3 of 40 claims, about 0:37 left",
        "3 of 40 claims in 1:15",
    ]
    assert 'value="3" max="40"' in shown.bundles[-1]["text/html"]
    assert "<facts>" not in shown.bundles[0]["text/html"]


def test_of_one_check_the_steps_are_told_and_taken_away() -> None:
    shown, clock = Shown(), Clock()
    cell = Cell(1, shown.display, clock)
    clock.now = 1.0

    cell.saw(StepStarted(2, SearchWeb(query="<script>\u202e"), "because"))
    cell.draw()
    cell.close()

    assert shown.lines == ["2. Search for “<script>” …", ""]
    assert "<script>" not in shown.bundles[0]["text/html"]


@pytest.fixture
def notebook(monkeypatch: pytest.MonkeyPatch) -> Shown:
    """A kernel, as far as it is asked anything."""
    shown = Shown()
    ipython, display, shell = ModuleType("IPython"), ModuleType("IPython.display"), ModuleType("shell")
    for module, name, value in (
        (shell, "kernel", object()),
        (ipython, "get_ipython", lambda: shell),
        (display, "display", shown.display),
    ):
        setattr(module, name, value)
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    monkeypatch.setattr(cells, "QUIET_S", 0.0)
    return shown


async def test_a_notebook_is_told_and_gets_a_table(notebook: Shown, world: World) -> None:
    checker = FactChecker(load_settings(kg=world.kg, web=world.web))

    results = checker.check_many(["Ada Verne was born in Lyon.", "Ada Verne was born in <b>Turin</b>."])

    assert in_notebook()
    assert isinstance(results, Results)
    assert [row["veracity"] for row in results.to_records()] == [str(each.veracity) for each in results]
    assert "Ada Verne was born in Lyon." in results._repr_html_()
    assert "<b>Turin" not in results._repr_html_()
    assert notebook.lines[-1].startswith("2 of 2 claims in 0:")
    assert notebook.threads == {threading.current_thread().name}


async def test_a_program_is_shown_nothing(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "IPython", raising=False)
    assert not in_notebook()
    assert FactChecker(load_settings(kg=world.kg, web=world.web)).check("Ada Verne was born in Lyon.").veracity


async def test_an_interrupt_of_the_cell_ends_the_work(
    notebook: Shown, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    checker = FactChecker(load_settings(kg=world.kg, web=world.web))
    begun, ended = threading.Event(), threading.Event()

    async def endless(claim: Any, cell: Any) -> CheckResult:
        begun.set()
        try:
            return await asyncio.Event().wait()  # type: ignore[return-value]
        finally:
            ended.set()

    def interrupted(self: Cell) -> None:
        assert begun.wait(20)
        raise KeyboardInterrupt

    monkeypatch.setattr(checker, "_followed", endless)
    monkeypatch.setattr(Cell, "draw", interrupted)
    with pytest.raises(KeyboardInterrupt):
        checker.check("Ada Verne was born in Lyon.")
    assert ended.is_set()
