"""Says which rows of a claim file are left out, and why."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

    from wkgfc.datasets import Problem

TOLD = 5  # rows that are named one by one


@contextmanager
def telling_left_out(console: "Console") -> Iterator["Callable[[Problem], None]"]:
    """What is called for each row that is left out; the first few are named, at the end how many more there were."""
    left_out = 0

    def tell(problem: "Problem") -> None:
        nonlocal left_out
        left_out += 1
        if left_out <= TOLD:
            console.print(f"left out: {problem}", markup=False, soft_wrap=True)

    try:
        yield tell
    finally:
        if left_out > TOLD:
            console.print(f"left out: {left_out - TOLD:,} rows more", markup=False)
