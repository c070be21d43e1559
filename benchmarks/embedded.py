"""The embedded check on labelled claims: with the knowledge graph alone, with the passages alone, with both.

    python benchmarks/embedded.py --claims fever_val.jsonl.gz --kg STORE --web INDEX --limit 300 --seed 1

Prints, for each, the two-way score with its 95 % bootstrap interval, three-way accuracy and balanced accuracy, the
share answered with the accuracy on it, the share of the claims that cannot be decided that was answered, the expected
calibration error, median seconds and verifier pairs, the distribution of action sequences, and the reliability diagram
as a table. On CoDEx (rows with ``meta.in_graph``) it
prints instead what came of its four groups. Retrieval over a corpus that holds the gold passages is closed-world: say
so beside the figures.
"""

import argparse
import asyncio
import json
import statistics
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import track
from rich.table import Table

from wkgfc import metrics
from wkgfc.checker import FactChecker
from wkgfc.claim import Veracity
from wkgfc.config import load_settings
from wkgfc.datasets import LabelledClaim, read_claims
from wkgfc.evidence import Entity, Relation
from wkgfc.kg.graph import KnowledgeGraph
from wkgfc.kg.store import open_store
from wkgfc.metrics import Prediction, bootstrap
from wkgfc.result import CheckResult
from wkgfc.state import Found

MODES = {"kg": (True, False), "text": (False, True), "both": (True, True)}
LETTERS = {"initKGRetrieval": "I", "expandKG": "E", "webSearch": "S", "verdict": "V"}


def main() -> None:
    """Read the arguments, run each mode, print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--claims", type=Path, required=True)
    parser.add_argument("--kg", required=True, help="PATH of a store, or none")
    parser.add_argument("--web", required=True, help="PATH of an index, or none")
    parser.add_argument("--limit", type=int, help="a seeded sample of so many claims")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--verifier", type=Path, help="FOLDER of another verifier than the one that ships")
    parser.add_argument("--modes", default="kg,text,both", help="which of kg, text, both")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--details", type=Path, help="write one JSON object a claim and mode there")
    arguments = parser.parse_args()

    claims = read_claims(arguments.claims, limit=arguments.limit, seed=arguments.seed)
    usable = [row for row in claims if row.veracity is not None]
    report: dict[str, Any] = {
        "claims": str(arguments.claims.name),
        "n": len(usable),
        "limit": arguments.limit,
        "seed": arguments.seed,
    }
    details: list[dict[str, Any]] = []
    for mode in arguments.modes.split(","):
        uses_kg, uses_web = MODES[mode]
        if (uses_kg and arguments.kg == "none") or (uses_web and arguments.web == "none"):
            continue
        settings = load_settings(
            kg=arguments.kg if uses_kg else "none",
            web=arguments.web if uses_web else "none",
            verifier=arguments.verifier,
        )
        results, seconds = run(FactChecker(settings), usable, mode)
        report[mode] = (
            codex_groups(usable, results, open_store(Path(arguments.kg)))
            if "in_graph" in usable[0].meta
            else scores(usable, results)
        )
        report[mode] |= costs(results, seconds)
        details.extend(detail(mode, row, result) for row, result in zip(usable, results, strict=True))
    if arguments.details:
        lines = [json.dumps(entry, ensure_ascii=False) for entry in details]
        arguments.details.write_text("\n".join(lines) + "\n", encoding="utf-8")
    if arguments.json:
        print(json.dumps(report, indent=1))
    else:
        show(report)


def run(checker: FactChecker, rows: Sequence[LabelledClaim], mode: str) -> tuple[list[CheckResult], list[float]]:
    """Check every claim, one after the other, with the seconds of each. The first opens the sources."""
    checker.check("The Earth is a planet.")
    results, seconds = [], []
    console = Console(stderr=True)
    for row in track(rows, description=mode, console=console, disable=not console.is_terminal):
        started = time.perf_counter()
        results.append(checker.check(row.to_claim()))
        seconds.append(time.perf_counter() - started)
    return results, seconds


def scores(rows: Sequence[LabelledClaim], results: Sequence[CheckResult]) -> dict[str, Any]:
    """Every score of ``wkgfc.metrics`` that the labels allow."""
    predictions = [
        Prediction(row.veracity, result.veracity, result.probabilities or None, result.confidence)
        for row, result in zip(rows, results, strict=True)
        if row.veracity is not None
    ]
    decided = [each for each in predictions if each.gold in metrics.DECIDED]
    interval = bootstrap(decided, metrics.two_way)
    return {
        "two_way": interval.value,
        "two_way_low": interval.low,
        "two_way_high": interval.high,
        "two_way_balanced": metrics.two_way_balanced(predictions),
        "accuracy": metrics.accuracy(predictions),
        "balanced_accuracy": metrics.balanced_accuracy(predictions),
        "answered": metrics.share_answered(predictions),
        "accuracy_on_answered": metrics.accuracy_on_answered(predictions),
        "answered_nei": metrics.share_of_unknown_answered(predictions),
        "calibration_error": metrics.expected_calibration_error(predictions),
        "errors": metrics.errors(predictions),
        "reliability": {f"{each.low:.1f}-{each.high:.1f}": asdict(each) for each in metrics.reliability(predictions)},
    }


def costs(results: Sequence[CheckResult], seconds: Sequence[float]) -> dict[str, Any]:
    """What the checks took, and which ways the agent went."""
    ways = Counter(way(result) for result in results)
    return {
        "seconds_median": statistics.median(seconds),
        "seconds_p95": sorted(seconds)[int(0.95 * len(seconds))],
        "pairs_median": statistics.median(result.usage.verifier_pairs for result in results),
        "pairs_mean": statistics.mean(result.usage.verifier_pairs for result in results),
        "kg_queries_median": statistics.median(result.usage.kg_queries for result in results),
        "ways": {name: number / len(results) for name, number in ways.most_common()},
    }


def way(result: CheckResult) -> str:
    """The sequence of actions of a check, a letter each: Init, Expand, Search, Verdict."""
    if result.trajectory is None or not result.trajectory.steps:
        return result.stop_reason
    return "".join(LETTERS[step.action.name] for step in result.trajectory.steps)


def codex_groups(
    rows: Sequence[LabelledClaim], results: Sequence[CheckResult], graph: KnowledgeGraph
) -> dict[str, Any]:
    """What was said of the four groups of CoDEx; the share of each veracity in each."""

    async def has_other_value(row: LabelledClaim) -> bool:
        subject, relation, _ = row.meta["triple"]
        answer = await graph.triples(
            [Entity(id=subject, label=subject)], [(Relation(id=relation, label=relation), "out")], 1
        )
        return isinstance(answer, Found)

    async def group_of(row: LabelledClaim) -> str:
        if row.veracity is Veracity.SUPPORTED:
            return "true, there" if row.meta["in_graph"] else "true, withheld"
        if row.meta["one_value"] and await has_other_value(row):
            return "false, one-value, other value there"
        return "false otherwise"

    async def all_groups() -> list[str]:
        return [await group_of(row) for row in rows]

    said: dict[str, Counter[str]] = {}
    for group, result in zip(asyncio.run(all_groups()), results, strict=True):
        said.setdefault(group, Counter())[str(result.veracity)] += 1
    return {
        "groups": {
            group: {"n": counts.total()} | {name: number / counts.total() for name, number in counts.most_common()}
            for group, counts in sorted(said.items())
        }
    }


def detail(mode: str, row: LabelledClaim, result: CheckResult) -> dict[str, Any]:
    """One claim, for reading what went wrong."""
    return {
        "mode": mode,
        "id": row.id,
        "claim": row.claim,
        "gold": row.veracity,
        "said": result.veracity,
        "probabilities": {key: round(value, 3) for key, value in result.probabilities.items()},
        "way": way(result),
        "justification": [f"{each.text} [{', '.join(each.citations)}]" for each in result.justification],
        "steps": [step.observation.text for step in result.trajectory.steps] if result.trajectory else [],
    }


def show(report: dict[str, Any]) -> None:
    """The report as tables."""
    console = Console(highlight=False, width=max(100, Console().width))
    console.print(f"{report['claims']}: {report['n']} claims (limit {report['limit']}, seed {report['seed']})")
    modes = [mode for mode in MODES if mode in report]
    names = [name for name, value in report[modes[0]].items() if not isinstance(value, dict)]
    console.print(_table(["", *modes], ([name, *(_number(report[mode][name]) for mode in modes)] for name in names)))
    for mode in modes:
        if "reliability" in report[mode]:
            console.print(f"\n{mode}: confidence and how many are right")
            rows = report[mode]["reliability"].items()
            console.print(
                _table(
                    ["confidence", "n", "mean", "right"],
                    (
                        [stretch, str(each["n"]), _number(each["confidence"]), _number(each["right"])]
                        for stretch, each in rows
                    ),
                )
            )
    for mode in modes:
        if "groups" in report[mode]:
            console.print(f"\n{mode}: what was said of each group")
            columns = ["n", *map(str, Veracity)]
            console.print(
                _table(
                    ["group", *columns],
                    (
                        [group, *(_number(shares.get(each, 0)) for each in columns)]
                        for group, shares in report[mode]["groups"].items()
                    ),
                )
            )
        console.print(f"\n{mode}: ways (I init, E expand, S search, V verdict)")
        console.print(
            "  " + "  ".join(f"{name} {share:.3f}" for name, share in list(report[mode]["ways"].items())[:12])
        )


def _table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> Table:
    table = Table(*columns, box=None, pad_edge=False)
    for row in rows:
        table.add_row(*row)
    return table


def _number(value: Any) -> str:
    return f"{value:.3f}" if isinstance(value, float) else str(value)


if __name__ == "__main__":
    main()
