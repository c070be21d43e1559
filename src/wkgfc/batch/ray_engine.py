"""Claims checked by the tasks of a Ray cluster: a shard of claims a task, each with its models opened once a process.

A task whose process is lost (killed, or its machine gone) runs again on another one and goes on with what is in the
shard's file, where there is a folder that all machines share. The driver is the only one that writes the store.

Source: Ray's documentation, "Task Fault Tolerance", "Scheduling", "AsyncIO / Concurrency for Actors".
"""

import importlib
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from wkgfc.batch import workers
from wkgfc.batch.checks import Checked
from wkgfc.batch.processes import ProcessLost
from wkgfc.batch.rows import ClaimRow
from wkgfc.batch.run import Run
from wkgfc.batch.shards import Shard, left_over
from wkgfc.batch.sharing import Asked
from wkgfc.batch.shipping import Shipped, packed, unpacked
from wkgfc.batch.store import Store
from wkgfc.config import Settings
from wkgfc.errors import NotConfigured
from wkgfc.sources import EMBEDDED, NONE, is_live_graph, is_live_web

SHARD = 64  # claims of a task: seconds of work, so that its start is nothing beside it
WRITTEN = 8  # of these, between two writes of the shard's file: so many are lost with a process
TASKS = 2  # of each core: one in work, one waiting
RETRIES = 3  # of a task whose process is lost, before its claims are checked one by one

Begin = Callable[..., None]
Work = Callable[[Sequence[ClaimRow]], Checked]


class RayTasks:
    """Has claims checked by tasks. ``begin`` is called once in each process, ``work`` for a part of each shard."""

    def __init__(self, begin: Begin, given: tuple[Any, ...], work: Work, *, folder: Path | None = None) -> None:
        ray = _ray()
        self._ray, self._folder = ray, folder
        self._task = ray.remote(num_cpus=1, max_retries=RETRIES, scheduling_strategy="SPREAD")(_do_shard)
        self._with = ray.put((begin, given, work))

    async def do(self, claims: Sequence[ClaimRow]) -> Checked:
        """See ``Elsewhere``."""
        ray = self._ray
        try:
            checked: Checked = await self._task.remote(self._with, tuple(claims), self._folder)
        except (
            ray.exceptions.WorkerCrashedError,
            ray.exceptions.NodeDiedError,
            ray.exceptions.OutOfMemoryError,
        ) as error:
            raise ProcessLost from error
        except ray.exceptions.RayTaskError as error:
            cause = error.cause
            raise (cause if isinstance(cause, NotConfigured) else error) from None
        return checked


_begun: list[object] = []  # in a process of the cluster: that it has begun, and with what


def _do_shard(with_: tuple[Begin, tuple[Any, ...], Work], claims: Sequence[ClaimRow], folder: Path | None) -> Checked:
    """A task: what is left of a shard, a part at a time."""
    begin, given, work = with_
    if _begun != [given]:
        begin(*given)
        _begun[:] = [given]
    if folder is None:
        return work(claims)
    shard, asked = Shard(folder, claims), Asked()
    outcomes = shard.read()
    there = {outcome.place for outcome in outcomes}
    left = [claim for claim in claims if claim.place not in there]
    for start in range(0, len(left), WRITTEN):
        checked = work(left[start : start + WRITTEN])
        shard.add(checked.outcomes)
        outcomes += checked.outcomes
        asked.add(checked.asked)
    shard.finish()
    return Checked(outcomes, asked)


@contextmanager
def connected(address: str | None) -> Iterator[int]:
    """Be connected to a cluster for the block; without an address one is started on this machine. Its cores.

    Raises:
        NotConfigured: the package is missing, or there is no cluster.
    """
    ray = _ray()
    is_mine = not ray.is_initialized()
    try:
        if is_mine:
            ray.init(address=address, log_to_driver=False, include_dashboard=False, configure_logging=False)
    except (ConnectionError, ValueError, RuntimeError) as error:
        first = (str(error).splitlines() or [type(error).__name__])[0][:200]
        raise NotConfigured(f"there is no Ray cluster at {address or 'this machine'}: {first}") from error
    try:
        yield max(1, int(ray.cluster_resources().get("CPU", 1)))
    finally:
        if is_mine:
            ray.shutdown()


def begin_with(job: workers.Job, graph: Shipped | None, web: Shipped | None) -> None:
    """Begin in a process of the cluster: with the stores that were sent, where they were."""
    changes = {}
    for name, shipped in (("kg", graph), ("web", web)):
        if shipped is not None:
            changes[name] = str(unpacked(shipped.name, _ray().get(shipped.parcel)))
    settings = job.settings.model_copy(update=changes)
    workers.begin(workers.Job(settings, job.run, job.today, job.trace, job.at_once))


def shipped_stores(settings: Settings) -> tuple[Shipped | None, Shipped | None]:
    """The stores of this machine, put where the cluster's processes get them; ``None`` for what is live or is none."""
    from wkgfc.kg.builders.embedded import embedded_path  # noqa: PLC0415 - only where they are sent
    from wkgfc.web.corpus import embedded_corpus_path  # noqa: PLC0415

    def ship(choice: str, is_live: bool, embedded: Path) -> Shipped | None:
        if is_live or choice == NONE:
            return None
        label, content = packed(embedded if choice == EMBEDDED else Path(choice))
        return Shipped(label, _ray().put(content))

    return (
        ship(settings.kg, is_live_graph(settings.kg), embedded_path(settings.data_dir)),
        ship(settings.web, is_live_web(settings.web), embedded_corpus_path(settings.data_dir)),
    )


def _ray() -> Any:
    """The library, which is an extra, and a large one.

    Raises:
        NotConfigured: it is missing.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # a cluster that it starts tells nobody of itself
    try:
        return importlib.import_module("ray")
    except ImportError as error:
        raise NotConfigured("--engine ray needs a package that is missing: pip install 'wkgfc[ray]'") from error


def merge_left_over(store: Store, run: Run, folder: Path) -> int:
    """Keep what an earlier driver's tasks have written and it has not kept. How many claims that were."""
    number = 0
    for path, outcomes in left_over(folder):
        kept = store.lacking(run, [outcome for outcome in outcomes if outcome.is_begun])
        store.keep(run, kept)
        number += len(kept)
        path.unlink()
    return number
