"""What a batch costs beside its checks, and how fast it is with them.

    python benchmarks/batch.py overhead                              a mocked check of 20 ms, many at a time
    python benchmarks/batch.py memory --few 1000 --many 1000000      of the process, at the end of each
    python benchmarks/batch.py million --claims 1000000 --kill-at 900000      killed, gone on with, exported
    python benchmarks/batch.py ray --claims 20000                    a Ray cluster of this machine, and the plain runner
    python benchmarks/batch.py embedded --claims-file FILE --kg STORE --web INDEX --limit 200 --workers 1,2

Each prints one JSON object, with the load of the machine before and after. Claims that are mocked are made up, a
thousand subjects among them; the check of them sleeps and gives a result from their words. Overhead is all the rest.
"""

import argparse
import asyncio
import datetime as dt
import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from wkgfc.batch.checks import Checked, CheckedBy, OpenedChecks
from wkgfc.batch.claims_out import write_results
from wkgfc.batch.identity import Identity
from wkgfc.batch.progress import Progress
from wkgfc.batch.rows import ClaimRow
from wkgfc.batch.run import Run
from wkgfc.batch.runner import Ending, Runner
from wkgfc.batch.running import Batch, read_in
from wkgfc.batch.sqlite import SqliteDatabase
from wkgfc.batch.store import Store
from wkgfc.batch.workers import AHEAD, BLOCK, CheckedElsewhere, Job, processes_for
from wkgfc.claim import Claim, Veracity
from wkgfc.config import load_settings
from wkgfc.datasets import read_claims
from wkgfc.result import CheckResult, Sentence

MOCKED = Identity(policy="mocked-1", sources=("mocked",))
DAY = dt.date(2026, 1, 1)
SECONDS = 0.02  # of a mocked check
SUBJECTS = 1_000


class MockedCheck:
    """Sleeps, and says what the claim's words say."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    async def __call__(self, claim: Claim) -> CheckResult:
        """A result after a while."""
        await asyncio.sleep(self.seconds)
        return mocked_result(claim)


def mocked_result(claim: Claim) -> CheckResult:
    """A small result, whole by the contract."""
    veracity = list(Veracity)[len(claim.text) % 4]
    return CheckResult(
        claim=claim,
        veracity=veracity,
        probabilities={veracity: 0.8},
        confidence=0.8,
        justification=(Sentence(text=claim.text, citations=("K1",)),),
        stop_reason="verdict",
        policy="mocked-1",
        checked_at=dt.datetime(2026, 1, 1, tzinfo=dt.UTC),
    )


class PlainCheckedBy(CheckedBy):
    """Mocked checks without the reading of the claim's language, which is a part of a check and not of the runner."""

    async def _one(self, row: ClaimRow) -> Any:
        from wkgfc.batch.rows import outcome_of

        result = await self._check(Claim(text=row.text))
        return outcome_of(row.place, result, SECONDS)


def made_claims(path: Path, number: int) -> Path:
    """A file of claims about ``SUBJECTS`` people, in no order."""
    chance = random.Random(0)
    with path.open("w", encoding="utf-8") as file:
        for n in range(number):
            subject = chance.randrange(SUBJECTS)
            file.write(json.dumps({"id": f"c{n}", "claim": f"Ada Verne{subject} painted {n} pictures in Lyon."}) + "\n")
    return path


def mocked_run(
    folder: Path, claims: Path, places: int, *, seconds: float = SECONDS, marks: Path | None = None
) -> dict[str, Any]:
    """A run of mocked checks, as the command makes it."""
    began = time.perf_counter()
    store = Store(SqliteDatabase(folder / "runs.sqlite"))
    batch = Batch(claims=claims, out=folder, name="run")
    run = store.begin("run", MOCKED, str(claims), "digest", DAY)
    run = read_in(store, run, batch)
    read = time.perf_counter()
    first: list[float] = []

    def watch(progress: Progress) -> None:
        if progress.now and not first:
            first.append(time.perf_counter() - began)
        if marks is not None:
            marks.write_text(str(progress.finished), encoding="utf-8")

    checks = PlainCheckedBy(MockedCheck(seconds), places=places, today=DAY, run="run")
    cpu = time.process_time()

    def export() -> None:
        write_results(store, run, folder / "run.results.jsonl", "jsonl")

    ending = asyncio.run(Runner(store, run, checks, watch=watch, export=export, export_s=60.0).go())
    checked = time.perf_counter()
    cpu = time.process_time() - cpu
    number = write_results(store, run, folder / "run.results.jsonl", "jsonl")
    exported = time.perf_counter()
    store.close()
    now = ending.progress.now
    return {
        "claims": number,
        "checked_now": now,
        "places": places,
        "reading_s": round(read - began, 2),
        "seconds_to_first_result": round(first[0], 2) if first else None,
        "checking_s": round(checked - read, 2),
        "claims_a_second": round(now / (checked - read), 1),
        "cpu_ms_a_claim": round(1_000 * cpu / now, 3) if now else None,
        "claims_a_second_of_cpu": round(now / cpu, 1) if cpu else None,
        "export_s": round(exported - checked, 2),
        "peak_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1),
    }


def overhead(arguments: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """Claims a second at several numbers of places."""
    claims = made_claims(folder / "claims.jsonl", arguments.claims)
    found = {}
    for places in map(int, arguments.places.split(",")):
        found[places] = mocked_run(folder / str(places), claims, places)
    return {"seconds_of_a_check": SECONDS, "at_places": found}


def memory(arguments: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """The peak of a process of its own with few claims, and with many."""
    found = {}
    for number in (arguments.few, arguments.many):
        claims = made_claims(folder / f"{number}.jsonl", number)
        found[number] = _in_a_process("one", folder / str(number), claims, arguments.places, arguments.seconds)
    return {"runs": found, "growth_mb": round(found[arguments.many]["peak_mb"] - found[arguments.few]["peak_mb"], 1)}


def million(arguments: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """A run that is killed (SIGKILL) when so many claims are finished, and the one that goes on with it."""
    few_claims = made_claims(folder / "few.jsonl", arguments.few)
    few = _in_a_process("one", folder / "few", few_claims, arguments.places, arguments.seconds)
    claims = made_claims(folder / "claims.jsonl", arguments.claims)
    marks = folder / "marks"
    marks.write_text("0", encoding="utf-8")
    command = _command("one", folder / "run", claims, arguments.places, arguments.seconds, marks)
    began = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    while int(marks.read_text(encoding="utf-8") or 0) < arguments.kill_at:
        if process.poll() is not None:
            raise SystemExit("the run ended before it could be killed")
        time.sleep(0.2)
    peak_mb = _peak_mb(process.pid)
    process.send_signal(signal.SIGKILL)
    process.wait()
    killed = time.perf_counter()
    after = _in_a_process("one", folder / "run", claims, arguments.places, arguments.seconds)
    rows = _distinct_results(folder / "run" / "run.results.jsonl")
    return {
        "until_the_kill_s": round(killed - began, 1),
        "peak_mb_at_the_kill": peak_mb,
        "peak_mb_with_few": few["peak_mb"],
        "growth_mb": round(peak_mb - few["peak_mb"], 1),
        "after_it": after,
        "resume_s": after["seconds_to_first_result"],
        "results": rows,
        "store_mb": round((folder / "run" / "runs.sqlite").stat().st_size / 2**20, 1),
    }


def begin_mocked() -> None:
    """A process of the cluster needs nothing."""


def work_mocked(claims: Sequence[ClaimRow]) -> Checked:
    """Mocked checks of some claims, all at once."""
    checks = PlainCheckedBy(MockedCheck(SECONDS), places=len(claims), today=DAY, run="run")
    return asyncio.run(checks.check(claims))


def on_ray(arguments: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """The same claims by the plain runner, and on a Ray cluster that is started on this machine."""
    from wkgfc.batch.ray_engine import SHARD, TASKS, RayTasks, connected

    rows = [ClaimRow(n, n + 1, f"c{n}", f"Ada Verne painted {n} pictures.") for n in range(arguments.claims)]
    found: dict[str, Any] = {}
    results: list[list[Any]] = []
    with connected(None) as cores:
        for name in ("plain", "ray", "ray with files of shards"):
            store, run = _kept(folder / name.replace(" ", "-"), rows)
            shards = folder / "shards" if "files" in name else None
            checks: Any = PlainCheckedBy(MockedCheck(SECONDS), places=arguments.places, today=DAY, run="run")
            if name != "plain":
                tasks = RayTasks(begin_mocked, (), work_mocked, folder=shards)
                asyncio.run(tasks.do(rows[:1]))  # the first process is there
                checks = CheckedElsewhere(tasks, block=SHARD, places=cores * TASKS)
            began = time.perf_counter()
            asyncio.run(Runner(store, run, checks).go())
            seconds = time.perf_counter() - began
            results.append([(each.claim.id, each.state, each.veracity) for each in store.results(run)])
            store.close()
            found[name] = {"seconds": round(seconds, 1), "claims_a_second": round(len(rows) / seconds, 1)}
    return {"claims": len(rows), "runs": found, "the_same": all(each == results[0] for each in results)}


def embedded(arguments: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """Claims a second of the embedded check on one process and on several, and where the time of one goes."""
    rows = read_claims(arguments.claims_file, limit=arguments.limit + arguments.profiled, seed=0)
    shuffled = random.Random(0).sample(rows, len(rows))  # what was drawn is in the order of the file
    known = [ClaimRow(n, n + 1, row.id, row.claim) for n, row in enumerate(shuffled)]
    claims, others = known[: arguments.limit], known[arguments.limit :]
    settings = load_settings(kg=arguments.kg, web=arguments.web)
    found: dict[str, Any] = {}
    for workers in map(int, arguments.workers.split(",")):
        store, run = _kept(folder / str(workers), claims)
        if workers == 1:
            ending, seconds, cpu, memory_mb = asyncio.run(_in_this_process(settings, store, run))
        else:
            ending, seconds, cpu, memory_mb = asyncio.run(_in_processes(settings, store, run, workers))
        asked = ending.progress.asked
        found[str(workers)] = {
            "claims": ending.progress.now,
            "seconds": round(seconds, 1),
            "claims_a_second": round(ending.progress.now / seconds, 2),
            "cpu_ms_a_claim": round(1_000 * cpu / ending.progress.now, 1),
            "peak_mb_of_a_process": memory_mb,
            "errors": ending.progress.errors,
            "by_veracity": dict(ending.progress.by_veracity),
            "asked": dict(asked.wanted),
            "sent": dict(asked.sent),
        }
        store.close()  # its log is folded into the file
        size = (folder / str(workers) / "runs.sqlite").stat().st_size
        found[str(workers)]["kept_bytes_a_claim"] = round(size / len(claims))
    found["shares"] = shares(settings, others)
    return found


async def _in_this_process(settings: Any, store: Store, run: Run) -> tuple[Ending, float, float, float]:
    async with OpenedChecks(settings) as opened:
        checks = opened.checks(places=2, today=DAY, run="run", trace=False)
        await checks.check([ClaimRow(0, 0, "first", "The Earth is a planet.")])  # the models are loaded
        began, cpu = time.perf_counter(), time.process_time()
        ending = await Runner(store, run, checks).go()
        took = time.perf_counter() - began, time.process_time() - cpu
    return ending, *took, round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1)


async def _in_processes(settings: Any, store: Store, run: Run, workers: int) -> tuple[Ending, float, float, float]:
    """The processor's time is that of the processes' start too."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)  # of processes that have ended
    with processes_for(Job(settings, "run", DAY, False, 2), workers) as processes:
        checks = CheckedElsewhere(processes, block=BLOCK, places=workers * AHEAD)
        warm = [[ClaimRow(0, 0, "first", "The Earth is a planet.")]] * 4 * workers
        await asyncio.gather(*(checks.check(each) for each in warm))
        began = time.perf_counter()
        ending = await Runner(store, run, checks).go()
        seconds = time.perf_counter() - began
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime
    return ending, seconds, cpu, round(used.ru_maxrss / 1024, 1)


PARTS = {
    "parsing": ("wkgfc.language", "english", None),
    "names": ("wkgfc.kg.names", "Names", "candidates"),
    "graph (SPARQL)": ("wkgfc.kg.store", "EmbeddedStore", "_ask"),
    "search": ("wkgfc.web.corpus", "Corpus", "find"),
    "verifier": ("wkgfc.reasoning.verifier", "Verifier", "_judge"),
}


def shares(settings: Any, claims: Sequence[ClaimRow]) -> dict[str, float]:
    """Which share of a check's processor time is spent in which part, by the clock of the thread that does it.

    The claims must be others than those that were checked before, as parses and pairs of the verifier are remembered.
    """
    import importlib

    spent = dict.fromkeys(PARTS, 0.0)

    def timed(part: str, function: Any) -> Any:
        def run(*given: Any, **named: Any) -> Any:
            began = time.thread_time()
            try:
                return function(*given, **named)
            finally:
                spent[part] += time.thread_time() - began

        return run

    for part, (module, name, method) in PARTS.items():
        owner = importlib.import_module(module)
        if method is not None:
            kind = getattr(owner, name)
            setattr(kind, method, timed(part, getattr(kind, method)))
        else:
            pipeline = getattr(owner, name)()
            setattr(owner, name, lambda part=part, pipeline=pipeline: timed(part, pipeline))

    async def check_all() -> float:
        async with OpenedChecks(settings) as opened:
            checks = opened.checks(places=1, today=DAY, run="run", trace=False)
            await checks.check([ClaimRow(0, 0, "first", "The Earth is a planet.")])
            spent.update(dict.fromkeys(PARTS, 0.0))
            began = time.process_time()
            for claim in claims:
                await checks.check([claim])
            return time.process_time() - began

    whole = asyncio.run(check_all())
    found = {part: round(seconds / whole, 3) for part, seconds in spent.items()}
    return found | {
        "the rest": round(1 - sum(spent.values()) / whole, 3),
        "cpu_ms": round(1_000 * whole / len(claims), 1),
    }


def _kept(folder: Path, claims: Sequence[ClaimRow]) -> tuple[Store, Run]:
    store = Store(SqliteDatabase(folder / "runs.sqlite"))
    run = store.begin("run", Identity(policy="embedded", sources=("local",)), "claims", "digest", DAY)
    return store, store.add_claims(run, claims, is_last=True)


def _command(what: str, folder: Path, claims: Path, places: int, seconds: float, marks: Path | None) -> list[str]:
    command = [sys.executable, __file__, what, "--folder", str(folder), "--claims-file", str(claims)]
    command += ["--places", str(places), "--seconds", str(seconds)]
    return command + (["--marks", str(marks)] if marks else [])


def _in_a_process(
    what: str, folder: Path, claims: Path, places: int, seconds: float, marks: Path | None = None
) -> dict[str, Any]:
    command = _command(what, folder, claims, places, seconds, marks)
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _peak_mb(process_id: int) -> float:
    """The most memory that a process has had (Linux)."""
    status = Path(f"/proc/{process_id}/status").read_text(encoding="utf-8")
    return round(int(status.partition("VmHWM:")[2].split()[0]) / 1024, 1)


def _distinct_results(path: Path) -> dict[str, int]:
    """Rows, claims among them, and rows with a result: counted line by line."""
    rows = with_result = 0
    claims: set[str] = set()
    with path.open("rb") as file:
        for line in file:
            rows += 1
            claims.add(json.loads(line)["id"])
            with_result += not line.rstrip().endswith(b'"result": null}')
    return {"rows": rows, "claims": len(claims), "with_result": with_result}


def main() -> None:
    """Read the arguments, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["overhead", "memory", "million", "ray", "embedded", "one"])
    parser.add_argument("--claims", type=int, default=20_000, help="how many made-up claims")
    parser.add_argument("--claims-file", type=Path)
    parser.add_argument("--places", default="64")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="of a mocked check")
    parser.add_argument("--few", type=int, default=1_000)
    parser.add_argument("--many", type=int, default=1_000_000)
    parser.add_argument("--kill-at", type=int, default=900_000)
    parser.add_argument("--kg", default="embedded")
    parser.add_argument("--web", default="embedded")
    parser.add_argument("--limit", type=int, default=200)
    parser.add_argument("--profiled", type=int, default=50)
    parser.add_argument("--workers", default="1,2")
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--marks", type=Path)
    arguments = parser.parse_args()
    if arguments.what != "overhead":
        arguments.places = int(arguments.places)
    if arguments.what == "one":
        found = mocked_run(
            arguments.folder, arguments.claims_file, arguments.places, seconds=arguments.seconds, marks=arguments.marks
        )
        print(json.dumps(found))
        return
    measures = {
        "overhead": overhead,
        "ray": on_ray,
        "memory": memory,
        "million": million,
        "embedded": embedded,
    }
    load = os.getloadavg()
    with tempfile.TemporaryDirectory(prefix="wkgfc-batch-") as folder:
        found = measures[arguments.what](arguments, arguments.folder or Path(folder))
    print(json.dumps({"what": arguments.what, "load_before": load, "load_after": os.getloadavg(), **found}, indent=1))


if __name__ == "__main__":
    main()
