"""What processes of a Ray cluster do in tests: mocked checks, one of which ends its process in the midst of it."""

import os
import signal
from collections.abc import Sequence
from pathlib import Path

from mocked_checks import result_for
from wkgfc.batch.checks import Checked
from wkgfc.batch.rows import ClaimRow, outcome_of
from wkgfc.claim import Claim

_folder: list[Path] = []


def begin(folder: str) -> None:
    """Note where the process writes down what it has checked."""
    _folder[:] = [Path(folder)]


def work(claims: Sequence[ClaimRow]) -> Checked:
    """Check claims, and write down each. At claim 77 the process ends, the first time; at a ``deadly`` one always."""
    outcomes = []
    for claim in claims:
        mark = _folder[0] / "killed"
        if claim.place == 77 and not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        if "deadly" in claim.text:
            os.kill(os.getpid(), signal.SIGKILL)
        with (_folder[0] / f"paid-{os.getpid()}").open("a", encoding="utf-8") as file:
            file.write(claim.text + "\n")
        outcomes.append(outcome_of(claim.place, result_for(Claim(text=claim.text)), 0.0))
    return Checked(outcomes)
