"""The service under load: people who check claims, read for two seconds, and check the next.

    python benchmarks/service.py --claims fever_val.jsonl.gz --checks 5000

Starts ``wkgfc serve`` with the embedded default on a free port and in a folder of its own, lets 20 users check claims
of the file (in a seeded order), and prints p50, p95 and the longest time from a claim to its result, what it took of
the processor, what failed, and the memory of the service and its workers at tenths of the run. ``--data-dir`` is where
the embedded stores are, if not in the user's data folder. Users wait for their answer in one request, as the Python
client does.
"""

import argparse
import asyncio
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx2
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from wkgfc.datasets import read_claims

MB = 2**20


@dataclass
class Run:
    """What the users saw: seconds of each check, what went wrong, and the memory seen on the way."""

    seconds: list[float] = field(default_factory=list)
    errors: Counter[str] = field(default_factory=Counter)
    memory: list[tuple[int, int, int]] = field(default_factory=list)  # checks done, bytes of service, of workers
    took: float = 0.0
    computed: tuple[float, float] = (0.0, 0.0)  # seconds of processor of the service, and of its workers


def main() -> None:
    """Read the arguments, run the service and its users, print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--claims", type=Path, required=True, help="a file of labelled claims")
    parser.add_argument("--checks", type=int, default=500)
    parser.add_argument("--users", type=int, default=20)
    parser.add_argument("--thought-s", type=float, default=2.0, help="seconds between an answer and the next claim")
    parser.add_argument("--workers", type=int, help="processes that check; without it the service's own default")
    parser.add_argument("--data-dir", type=Path, help="folder of the embedded stores")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    claims = [row.claim for row in read_claims(arguments.claims)]
    random.Random(arguments.seed).shuffle(claims)
    wanted = [claims[number % len(claims)] for number in range(arguments.checks)]
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder), arguments) as (process, address):
        run = asyncio.run(users(address, wanted, arguments.users, arguments.thought_s, process.pid))
        disk = sum(file.stat().st_size for file in Path(folder).rglob("*") if file.is_file())
    show(run, arguments, len(set(wanted)), disk)


@contextmanager
def serving(folder: Path, arguments: argparse.Namespace) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The service in a process of its own, when it is ready."""
    options = ["--port", "0", "--data", str(folder)]
    if arguments.workers is not None:
        options += ["--workers", str(arguments.workers)]
    environment = dict(os.environ)
    if arguments.data_dir is not None:
        environment["WKGFC_DATA_DIR"] = str(arguments.data_dir)
    command = [sys.executable, "-c", "from wkgfc.cli.main import run; run()", "serve", *options]
    log = folder / "service.log"
    with log.open("w") as errors:
        process = subprocess.Popen(command, stderr=errors, text=True, env=environment)
    try:
        while not (said := log.read_text(encoding="utf-8")).endswith("ready\n"):
            if process.poll() is not None:
                raise SystemExit(f"the service did not start: {said}")
            time.sleep(0.2)
        address = re.search(r"http://127\.0\.0\.1:\d+", said)
        assert address is not None
        yield process, address[0]
    finally:
        process.terminate()
        process.wait()


async def users(address: str, claims: list[str], number: int, thought_s: float, pid: int) -> Run:
    """All users at once, who share the claims. Each begins at a moment of its own."""
    run, waiting = Run(), list(reversed(claims))
    chance = random.Random(0)
    console = Console(stderr=True)
    limits = httpx2.Limits(max_connections=number)
    with Progress(console=console, disable=not console.is_terminal) as progress:
        bar = progress.add_task("checks", total=len(claims))
        tenth = max(1, len(claims) // 10)

        async def user(http: httpx2.AsyncClient, begins_after_s: float) -> None:
            await asyncio.sleep(begins_after_s)
            while waiting:
                claim, began = waiting.pop(), time.perf_counter()
                try:
                    answer = await http.post("/v1/checks", params={"wait": 60}, json={"claim": claim})
                    failed = outcome(answer)
                except httpx2.HTTPError as error:
                    failed = type(error).__name__
                run.seconds.append(time.perf_counter() - began)
                if failed is not None:
                    run.errors[failed] += 1
                if len(run.seconds) % tenth == 0:
                    service, workers = of_both(pid, held)
                    run.memory.append((len(run.seconds), int(service), int(workers)))
                progress.advance(bar)
                await asyncio.sleep(thought_s)

        began, before = time.perf_counter(), processor_of_both(pid)
        async with httpx2.AsyncClient(base_url=address, timeout=90, limits=limits, trust_env=False) as http:
            await asyncio.gather(*(user(http, chance.uniform(0, thought_s)) for _ in range(number)))
        run.took, after = time.perf_counter() - began, processor_of_both(pid)
        run.computed = after[0] - before[0], after[1] - before[1]
    return run


def outcome(answer: httpx2.Response) -> str | None:
    """What went wrong, if anything did."""
    if answer.is_error:
        return f"status {answer.status_code}"
    state = answer.json()["state"]
    if state != "done":
        return f"state {state}"
    return "error in the result" if answer.json()["result"]["stop_reason"] == "error" else None


def of_both(pid: int, measure: Callable[[int], float]) -> tuple[float, float]:
    """A measure of the service's process, and the sum of those that it started."""
    children = [int(path.name) for path in Path("/proc").iterdir() if path.name.isdecimal() and parent_of(path) == pid]
    return measure(pid), sum(map(measure, children))


def parent_of(process: Path) -> int | None:
    """The process that started one, if it is still there."""
    try:
        return int((process / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()[1])
    except OSError:
        return None


def processor_of_both(pid: int) -> tuple[float, float]:
    """Seconds of processor of the service, and of its workers, those among them that were replaced."""
    service, workers = of_both(pid, computed)
    return service, workers + computed_by_ended(pid)


def computed(pid: int) -> float:
    """Seconds of processor that a process has had."""
    return _ticks(pid, 11, 12)


def computed_by_ended(pid: int) -> float:
    """Seconds of processor of the processes that a process has started and seen end."""
    return _ticks(pid, 13, 14)


def _ticks(pid: int, *places: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(int(fields[place]) for place in places) / os.sysconf("SC_CLK_TCK")


def held(pid: int) -> float:
    """Bytes of a process: what it holds alone, and its share of what it shares."""
    try:
        rows = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="utf-8").splitlines()
    except OSError:
        return 0.0
    return sum(int(row.split()[1]) * 1024 for row in rows if row.startswith("Pss:"))


def show(run: Run, arguments: argparse.Namespace, distinct: int, disk: int) -> None:
    """The run as tables."""
    console = Console(highlight=False, width=max(110, Console().width))
    console.print(
        f"{len(run.seconds):,} checks ({distinct:,} distinct claims of {arguments.claims.name}), "
        f"{arguments.users} users, {arguments.thought_s:g} s of thought, {os.cpu_count()} cores, "
        f"load {os.getloadavg()[2]:.1f} of 15 minutes"
    )
    cuts = statistics.quantiles(run.seconds, n=100)
    number = len(run.seconds)
    columns = ("p50 s", "p95 s", "longest s", "checks/s", "CPU s/check", "of it the service", "errors", "disk KB/check")
    table = Table(*columns, box=None, pad_edge=False)
    table.add_row(
        f"{cuts[49]:.2f}",
        f"{cuts[94]:.2f}",
        f"{max(run.seconds):.2f}",
        f"{number / run.took:.2f}",
        f"{sum(run.computed) / number:.3f}",
        f"{run.computed[0] / number:.3f}",
        ", ".join(f"{times} {what}" for what, times in run.errors.items()) or "0",
        f"{disk / number / 1024:.1f}",
    )
    console.print(table)
    table = Table("after checks", "service MB", "workers MB", box=None, pad_edge=False)
    for done, service, workers in run.memory:
        table.add_row(f"{done:,}", f"{service / MB:.0f}", f"{workers / MB:.0f}")
    console.print(table)


if __name__ == "__main__":
    main()
