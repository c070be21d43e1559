"""Who has a run: one process alone, or several that share it. A second one that was not told to share is refused.

No clock decides it. A process holds a lock that falls when it ends; claims leased to one whose lock has fallen are
free. Alone: take the run's lock, then look for owners. Sharing: lease claims, then look for the run's lock. So of two
that come at the same moment at least one sees the other.
"""

import os
import secrets
import socket
from collections.abc import Iterator
from contextlib import contextmanager

from wkgfc.batch.run import Run
from wkgfc.batch.store import Store
from wkgfc.errors import BadInput


class HeldByOthers(BadInput):
    """The run is another process's."""


@contextmanager
def claimed(store: Store, run: Run, *, shared: bool) -> Iterator[str | None]:
    """Have the run for the block: alone (``None``), or with others, under the name that is given (an owner).

    Raises:
        HeldByOthers: another process has it alone, or others share it.
    """
    if not shared:
        if not store.database.hold(_lock_of(run)):
            raise HeldByOthers(f"another process is at work on {run.label}: wait for it, or start all with --share")
        try:
            others = store.release_dead(run)
            if others:
                raise HeldByOthers(f"{others} processes share {run.label}: join them with --share, or wait for them")
            yield None
        finally:
            store.database.release(_lock_of(run))
        return
    owner = f"owner {socket.gethostname()} {os.getpid()} {secrets.token_hex(6)}"
    store.database.hold(owner)
    try:
        see_that_none_has_it_alone(store, run)
        yield owner
    finally:
        store.give_back(run, owner)
        store.database.forget(owner)


def see_that_none_has_it_alone(store: Store, run: Run) -> None:
    """Look for a process that has the run alone.

    Raises:
        HeldByOthers: there is one.
    """
    if store.database.is_held(_lock_of(run)):
        raise HeldByOthers(f"another process has {run.label} to itself: wait for it, or start it with --share too")


def _lock_of(run: Run) -> str:
    return f"run {run.run}"
