"""What a million claims, and a thousand million, take: a model of a batch's queues, checked against small real runs.

    python benchmarks/scale.py validate          small real runs beside what the simulation says of them
    python benchmarks/scale.py plan              days, dollars and bytes of 10^6 and 10^9 claims, and what is full first

A claim makes calls to sources, one after the other. A source serves so many at once, begins so many a second, takes a
while, and fails now and then; then the call waits and is made again. The simulation moves claims through these queues
from event to event. ``validate`` runs the same in real time: the runner of ``wkgfc.batch`` with checks that wait for
sources of asyncio. ``plan`` needs no simulation where claims are many: then the fullest source sets the pace.
"""

import argparse
import asyncio
import heapq
import json
import os
import random
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from wkgfc.batch.checks import Checked
from wkgfc.batch.identity import Identity
from wkgfc.batch.rows import ClaimRow, Outcome
from wkgfc.batch.runner import Runner
from wkgfc.batch.sqlite import SqliteDatabase
from wkgfc.batch.store import Store


@dataclass(frozen=True)
class Source:
    """Something that claims wait for.

    ``seconds`` is the mean of a call (exponential where ``is_random``), ``at_once`` and ``per_second`` what it lets in,
    ``failure`` the share of calls that fail and are made again after ``pause_s``.
    """

    name: str
    seconds: float
    at_once: float = float("inf")
    per_second: float = float("inf")
    failure: float = 0.0
    pause_s: float = 0.0
    is_random: bool = True

    @property
    def capacity(self) -> float:
        """Calls a second that end well, at most."""
        served = self.at_once / self.seconds if self.seconds else float("inf")
        return (1 - self.failure) * min(served, self.per_second)


@dataclass(frozen=True)
class Plan:
    """What a claim does: calls of each source on average, in this order; ``places`` claims are under way."""

    places: int
    calls: tuple[tuple[Source, float], ...]

    @property
    def pace(self) -> tuple[float, str]:
        """Claims a second where there are many, and what sets it: the fullest source, or the places."""
        bounds = [(source.capacity / number, source.name) for source, number in self.calls if number]
        waiting = sum(
            number * (source.seconds + source.failure * source.pause_s) / (1 - source.failure)
            for source, number in self.calls
        )
        return min([*bounds, (self.places / waiting if waiting else float("inf"), "places")])


@dataclass
class _Queue:
    source: Source
    busy: int = 0
    next_start: float = 0.0
    waiting: deque[Callable[[], None]] = field(default_factory=deque)
    busy_seconds: float = 0.0
    calls: int = 0


class Simulation:
    """Moves claims through the queues of a plan, from event to event."""

    def __init__(self, plan: Plan, claims: int, seed: int = 0) -> None:
        self._plan, self._left, self._chance = plan, claims, random.Random(seed)
        self._queues = {source.name: _Queue(source) for source, _ in plan.calls}
        self._events: list[tuple[float, int, Callable[[], None]]] = []
        self._number, self._now, self._ended = 0, 0.0, 0

    def run(self) -> dict[str, Any]:
        """Seconds until the last claim has ended, and how busy each source was."""
        for _ in range(min(self._plan.places, self._left)):
            self._begin()
        while self._events:
            self._now, _, act = heapq.heappop(self._events)
            act()
        return {
            "seconds": self._now,
            "claims": self._ended,
            "calls": {name: queue.calls for name, queue in self._queues.items()},
            "busy": {
                name: queue.busy_seconds / (self._now * queue.source.at_once) if self._now else 0.0
                for name, queue in self._queues.items()
            },
        }

    def _begin(self) -> None:
        if self._left:
            self._left -= 1
            self._go_on(steps(self._plan, self._chance))

    def _go_on(self, calls: Iterator[Source]) -> None:
        source = next(calls, None)
        if source is None:
            self._ended += 1
            self._begin()
            return
        queue = self._queues[source.name]
        queue.waiting.append(lambda: self._go_on(calls))
        self._serve(queue)

    def _serve(self, queue: _Queue) -> None:
        source = queue.source
        while queue.waiting and queue.busy < source.at_once:
            then = queue.waiting.popleft()
            queue.busy += 1
            start = max(self._now, queue.next_start)
            queue.next_start = start + 1 / source.per_second
            took = taken(source, self._chance)
            queue.calls += 1
            queue.busy_seconds += took
            self._at(start + took, lambda then=then: self._end(queue, then))  # type: ignore[misc]

    def _end(self, queue: _Queue, then: Callable[[], None]) -> None:
        queue.busy -= 1
        source = queue.source
        if self._chance.random() < source.failure:

            def again() -> None:
                queue.waiting.append(then)
                self._serve(queue)

            self._at(self._now + source.pause_s, again)
        else:
            then()
        self._serve(queue)

    def _at(self, moment: float, act: Callable[[], None]) -> None:
        self._number += 1
        heapq.heappush(self._events, (moment, self._number, act))


def steps(plan: Plan, chance: random.Random) -> Iterator[Source]:
    """The calls of one claim: of each source the whole part of its number, and one more as often as the rest says."""
    for source, number in plan.calls:
        for _ in range(int(number) + (chance.random() < number % 1)):
            yield source


def taken(source: Source, chance: random.Random) -> float:
    """Seconds of one call."""
    return chance.expovariate(1 / source.seconds) if source.is_random and source.seconds else source.seconds


class RealSource:
    """A source in real time."""

    def __init__(self, source: Source, chance: random.Random) -> None:
        self._source, self._chance = source, chance
        self._places = asyncio.Semaphore(int(source.at_once)) if source.at_once < float("inf") else None
        self._next_start = 0.0

    async def call(self) -> None:
        """One call, made again until it does not fail."""
        while True:
            if self._places is not None:
                async with self._places:
                    await self._served()
            else:
                await self._served()
            if self._chance.random() >= self._source.failure:
                return
            await asyncio.sleep(self._source.pause_s)

    async def _served(self) -> None:
        now = asyncio.get_running_loop().time()
        start = max(now, self._next_start)
        self._next_start = start + 1 / self._source.per_second
        await asyncio.sleep(start - now + taken(self._source, self._chance))


class RealChecks:
    """Checks of the runner that wait for real sources."""

    block = 1

    def __init__(self, plan: Plan, seed: int) -> None:
        self.places, self._plan, self._chance = plan.places, plan, random.Random(seed)
        self._sources = {source.name: RealSource(source, self._chance) for source, _ in plan.calls}

    async def check(self, claims: Any) -> Checked:
        """An outcome a claim, when its calls are over."""
        for source in steps(self._plan, self._chance):
            await self._sources[source.name].call()
        return Checked([Outcome(claim.place, "done", "Supported") for claim in claims])


def measured(plan: Plan, claims: int, folder: Path) -> float:
    """Seconds of a real run."""
    store = Store(SqliteDatabase(folder / "runs.sqlite"))
    rows = [ClaimRow(n, n + 1, f"c{n}", f"Claim number {n}.") for n in range(claims)]
    run = store.begin("run", Identity(policy="scale", sources=()), "claims", "digest", _day())
    run = store.add_claims(run, rows, is_last=True)
    began = time.perf_counter()
    asyncio.run(Runner(store, run, RealChecks(plan, seed=1)).go())
    seconds = time.perf_counter() - began
    store.close()
    return seconds


def _day() -> Any:
    import datetime as dt

    return dt.date(2026, 1, 1)


GRAPH = Source("graph", 0.1, at_once=3)
SEARCH = Source("search", 0.15, per_second=40)
MODEL = Source("model", 0.4, at_once=16, failure=0.1, pause_s=0.3)
SMALL: dict[str, tuple[Plan, int]] = {
    "places are full": (Plan(8, ((Source("graph", 0.1), 2.0), (Source("search", 0.15), 1.0))), 200),
    "a source with three places": (Plan(32, ((GRAPH, 2.0), (SEARCH, 1.0))), 200),
    "a source with so many a second": (Plan(64, ((replace(GRAPH, at_once=64), 2.0), (SEARCH, 1.5))), 300),
    "a model that fails and is asked again": (Plan(64, ((replace(GRAPH, at_once=64), 2.0), (MODEL, 2.0))), 200),
    "all together": (Plan(48, ((replace(GRAPH, at_once=12), 2.3), (SEARCH, 0.8), (MODEL, 1.4))), 300),
}


def validate() -> dict[str, Any]:
    """Each small plan in real time, simulated (the mean of 20), and by the pace of its fullest part alone."""
    found = {}
    for name, (plan, claims) in SMALL.items():
        with tempfile.TemporaryDirectory(prefix="wkgfc-scale-") as folder:
            real = measured(plan, claims, Path(folder))
        simulated = [Simulation(plan, claims, seed).run()["seconds"] for seed in range(20)]
        mean = sum(simulated) / len(simulated)
        pace, by = plan.pace
        found[name] = {
            "claims": claims,
            "measured_s": round(real, 2),
            "simulated_s": round(mean, 2),
            "simulated_least_s": round(min(simulated), 2),
            "simulated_most_s": round(max(simulated), 2),
            "measured_by_simulated": round(real / mean, 3),
            "pace_alone_s": round(claims / pace, 2),
            "full": by,
        }
    return found


@dataclass(frozen=True)
class Way:
    """A way to check many claims: who is asked how often, and what a claim costs and keeps."""

    plan: Plan
    usd_a_claim: float
    bytes_a_claim: float = 3_000.0  # 2.3 kB of a packed result, the mean of 80 claims of fever_dev, and its rows


def ways(cpu_s: float) -> dict[str, Way]:
    """Ways to check many claims; the numbers of calls are those of ``docs/scale.md``, which says where they are from.

    ``cpu_s`` is the processor's time of an embedded check.
    """
    model = Source("model", 2.0, at_once=64)
    public = Source("public query service", 0.25, at_once=3, per_second=4)  # 60 s of its time a minute
    replica = Source("own query service", 0.05, at_once=32)
    search = Source("search engine", 1.0, per_second=50)

    def cores(number: int) -> Source:
        return Source("cores", cpu_s, at_once=number, is_random=False)

    return {
        "embedded, 2 cores": Way(Plan(4, ((cores(2), 1.0),)), 0.0),
        "embedded, 64 cores": Way(Plan(128, ((cores(64), 1.0),)), 0.0),
        "public Wikidata, search engine, model": Way(Plan(256, ((public, 8.0), (search, 1.0), (model, 20.0))), 0.06),
        "own replica, search engine, model": Way(Plan(256, ((replica, 8.0), (search, 1.0), (model, 20.0))), 0.061),
        "own replica, own passages, 512 places at a model": Way(
            Plan(1024, ((replace(replica, at_once=64), 8.0), (cores(64), 0.3), (replace(model, at_once=512), 9.0))),
            0.023,
        ),
    }


def planned(cpu_s: float) -> dict[str, Any]:
    """The pace of each way, what sets it, and what 10^6 and 10^9 claims then take."""
    found: dict[str, Any] = {}
    for name, way in ways(cpu_s).items():
        pace, by = way.plan.pace
        short = Simulation(way.plan, 2_000).run()
        found[name] = {
            "claims_a_second": round(pace, 2),
            "full_first": by,
            "simulated_claims_a_second": round(2_000 / short["seconds"], 2),
            **{
                f"1e{power}": {
                    "days": round(10**power / pace / 86_400, 2),
                    "usd": round(10**power * way.usd_a_claim),
                    "gb": round(10**power * way.bytes_a_claim / 1e9, 1),
                }
                for power in (6, 9)
            },
        }
    return found


def main() -> None:
    """Read the arguments, measure or reckon, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["validate", "plan"])
    parser.add_argument("--cpu-s", type=float, default=0.2, help="processor seconds of an embedded check")
    arguments = parser.parse_args()
    load = os.getloadavg()
    found = validate() if arguments.what == "validate" else planned(arguments.cpu_s)
    print(json.dumps({"load_before": load, "load_after": os.getloadavg(), **found}, indent=1))


if __name__ == "__main__":
    main()
