"""A batch of mocked checks as a process of its own, to be killed: ``python mocked_batch.py FOLDER CLAIMS PAID``.

Each check that was answered is a line in PAID, written before anything else happens: what it says was paid for.
"""

import asyncio
import sys
from pathlib import Path

from mocked_checks import IDENTITY, TODAY, Mocked, checks_of
from wkgfc.batch.claiming import claimed
from wkgfc.batch.claims_out import write_results
from wkgfc.batch.runner import Runner
from wkgfc.batch.running import Batch, read_in
from wkgfc.batch.sqlite import SqliteDatabase
from wkgfc.batch.store import Store

RUN = "run"
PLACES = 8


def main(folder: Path, claims: Path, paid: Path) -> None:
    """Go on with the run until it is finished, with an export under way all the time."""
    store = Store(SqliteDatabase(folder / "runs.sqlite"))
    run = store.begin(RUN, IDENTITY, str(claims), "digest", TODAY)
    with claimed(store, run, shared=False):
        run = read_in(store, run, Batch(claims=claims, out=folder, name=RUN))

        def export() -> None:
            write_results(store, run, folder / "results.jsonl", "jsonl")

        checks = checks_of(Mocked(seconds=0.002, paid=paid), PLACES)
        asyncio.run(Runner(store, run, checks, export=export, export_s=0.05).go())
        export()


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
