"""A progress bar for what takes longer than a second, with the time left. Lines where the output is no terminal."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
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


def _line_progress(console: "Console") -> "Progress":
    seen: dict[str, float] = {}
    begun: dict[str, tuple[float, int]] = {}

    def say(stage: str, done: int, total: int | None) -> None:
        now = time.monotonic()
        begun.setdefault(stage, (now, done))
        if stage not in seen or done == total or now - seen[stage] > SECONDS_BETWEEN_LINES:
            seen[stage] = now
            of = f" of {total:,}{_left(now, done, total, *begun[stage])}" if total else ""
            console.print(f"{stage}: {done:,}{of}", markup=False)

    return say


def _left(now: float, done: int, total: int, begun_at: float, begun_with: int) -> str:
    """The time left at the pace so far: what was done before counts for nothing."""
    if done <= begun_with or done >= total:
        return ""
    seconds = int((now - begun_at) / (done - begun_with) * (total - done))
    return f", about {seconds // 60}:{seconds % 60:02} left"
