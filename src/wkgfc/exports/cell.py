"""Progress under a notebook's cell: what a check is doing, and of many how many are done and about when they will be.

The work runs in a thread of its own, as the notebook's event loop runs already; the thread that waits for it draws.
"""

import sys
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any

from wkgfc.agent.episode import StepStarted
from wkgfc.exports.notebook import shown
from wkgfc.render import action_line, step_line
from wkgfc.result import CheckResult
from wkgfc.state import Step

QUIET_S = 0.5  # what takes no longer shows nothing

Display = Callable[..., Any]  # IPython's ``display``


def in_notebook() -> bool:
    """Whether a notebook's kernel runs this program."""
    module = sys.modules.get("IPython")
    shell = module.get_ipython() if module is not None else None
    return getattr(shell, "kernel", None) is not None


class Cell:
    """The line under a cell, for ``total`` checks. Events come from any thread; ``draw`` is for the cell's own."""

    def __init__(self, total: int, display: Display | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._total, self._display, self._clock = total, display, clock
        self._done, self._line = 0, ""
        self._begun = clock()
        self._first: float | None = None  # when the first check was done, and the last one so far
        self._last = self._begun
        self._handle: Any = None
        self._drawn: tuple[str, int] | None = None

    def built(self, stage: str, done: int, total: int | None) -> None:
        """A source is being built: the first check on a machine does that."""
        self._line = f"{stage}: {done:,}" + (f" of {total:,}" if total else "")

    def saw(self, event: StepStarted | Step | CheckResult) -> None:
        """A step began or ended, or a check did."""
        match event:
            case CheckResult():
                self._done += 1
                self._last = self._clock()
                self._first = self._last if self._first is None else self._first
            case _ if self._total > 1:
                pass
            case Step():
                self._line = step_line(event)
            case StepStarted():
                self._line = f"{action_line(event.number, event.action)} …"

    def draw(self) -> None:
        """Bring what is shown up to date."""
        if self._clock() - self._begun < QUIET_S or (self._line, self._done) == self._drawn:
            return
        self._drawn = (self._line, self._done)
        self._show(self._text())

    def close(self) -> None:
        """Take the line away; of many checks the number and the time stay."""
        if self._handle is None:
            return
        minutes, seconds = divmod(int(self._clock() - self._begun), 60)
        self._show(f"{self._done:,} of {self._total:,} claims in {minutes}:{seconds:02}" if self._total > 1 else "")

    def _text(self) -> str:
        if self._total == 1 or not self._done:
            return self._line
        left = ""
        if self._first is not None and 1 < self._done < self._total:
            pace = (self._last - self._first) / (self._done - 1)  # what opens the sources says nothing of the pace
            minutes, seconds = divmod(int(pace * (self._total - self._done)), 60)
            left = f", about {minutes}:{seconds:02} left"
        return f"{self._done:,} of {self._total:,} claims{left}"

    def _show(self, text: str) -> None:
        bar = ""
        if self._total > 1 and text:
            bar = f'<progress value="{self._done}" max="{self._total}"></progress> '
        bundle = {"text/plain": text, "text/html": f'<span style="color:#718096">{bar}{shown(text)}</span>'}
        if self._handle is None:
            display = self._display or import_module("IPython.display").display
            self._handle = display(bundle, raw=True, display_id=True)
        else:
            self._handle.update(bundle, raw=True)
