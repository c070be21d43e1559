"""Progress as lines, where the output is no terminal: how far, and the time left at the pace so far."""

import io

import pytest
from rich.console import Console

from wkgfc.cli.progress import build_progress


def test_the_time_left_is_that_of_the_pace_since_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([0.0, 60.0, 70.0, 80.0, 90.0])
    monkeypatch.setattr("wkgfc.cli.progress.time.monotonic", lambda: next(clock))
    out = io.StringIO()
    with build_progress(Console(file=out)) as say:
        for done in (2, 3, 4, 5, 9):
            say("claims", done, 9)
        monkeypatch.undo()
        say("pages", 1_000, None)
    assert out.getvalue().splitlines() == [
        "claims: 2 of 9",
        "claims: 3 of 9",
        "claims: 4 of 9, about 0:50 left",
        "claims: 5 of 9, about 0:40 left",
        "claims: 9 of 9",
        "pages: 1,000",
    ]
