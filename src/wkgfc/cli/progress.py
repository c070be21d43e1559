"""A progress bar for what takes longer than a second, with the time left. Lines where the output is no terminal."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

    from wkgfc.stores import Progress

SECONDS_BETWEEN_LINES = 5.0


@contextmanager
def build_progress(console: "Console") -> Iterator["Progress"]:
    """A ``Progress`` that draws one bar a stage, shown from the first call on."""
    if not console.is_terminal:
        yield _line_progress(console)
        return
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        TaskID,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )
    from rich.progress import Progress as Bars

    bars = Bars(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=console,
    )
    tasks: dict[str, TaskID] = {}

    def draw(stage: str, done: int, total: int | None) -> None:
        if not tasks:
            bars.start()
        if stage not in tasks:
            tasks[stage] = bars.add_task(stage, total=total)
        bars.update(tasks[stage], completed=done, total=total)

    try:
        yield draw
    finally:
        if tasks:
            bars.stop()


@dataclass
class _Stage:
    """How far a stage was when it began, when it first got further, and when a line was last printed."""

    began_with: int
    moved: tuple[float, int] | None = None
    said_at: float | None = None


def _line_progress(console: "Console") -> "Progress":
    stages: dict[str, _Stage] = {}

    def say(name: str, done: int, total: int | None) -> None:
        now = time.monotonic()
        stage = stages.setdefault(name, _Stage(done))
        if stage.moved is None and done > stage.began_with:
            stage.moved = (now, done)
        if stage.said_at is None or done == total or now - stage.said_at > SECONDS_BETWEEN_LINES:
            stage.said_at = now
            left = _left(now, done, total, stage.moved) if total and stage.moved else ""
            console.print(f"{name}: {done:,}" + (f" of {total:,}{left}" if total else ""), markup=False)

    return say


def _left(now: float, done: int, total: int, since: tuple[float, int]) -> str:
    """The time left at the pace since the first was done: what is opened before it says nothing of the pace."""
    then, before = since
    if done <= before or done >= total:
        return ""
    seconds = int((now - then) / (done - before) * (total - done))
    return f", about {seconds // 60}:{seconds % 60:02} left"
