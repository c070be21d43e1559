"""Entity linking on claims whose gold pages have items in the knowledge graph (rows with ``meta.items``).

    python benchmarks/linking.py --claims fever_dev.jsonl.gz --kg STORE

All candidates of all mentions of a claim form one ranking, by the mention's salience times the candidate's score.
"Top k" is the share of claims with a gold item among the first k of it. Beside it stands the lenient figure: a gold
item is the first candidate of any mention, or among its first four. A claim whose linking failed counts as wrong.

The weights of the linker were learned on one half of FEVER's claims (``halves``, training/linking.py), so the figures
are given for the other half, where ``--claims`` is fever_dev, and over all. What names alone allow is below 1: some
gold pages (an actor of a film, say) are not named by the claim.
"""

import argparse
import asyncio
import json
import random
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.progress import track
from rich.table import Table

from wkgfc.datasets import LabelledClaim, read_claims
from wkgfc.kg.linking import link
from wkgfc.kg.store import EmbeddedStore, open_store
from wkgfc.language import parse
from wkgfc.state import Failed
from wkgfc.usage import metered

SPLIT_SEED = 7  # of training/linking.py


@dataclass(frozen=True)
class Outcome:
    """What became of one claim. Ranks count from 1; ``None``: no gold item is there."""

    claim: str
    rank: int | None
    lenient_rank: int | None
    seconds: float
    parse_seconds: float
    searches: int
    failed: bool


def main() -> None:
    """Read the arguments, link the claims, print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--claims", type=Path, required=True)
    parser.add_argument("--kg", type=Path, required=True, help="PATH of a store")
    parser.add_argument("--limit", type=int, help="a seeded sample of so many claims")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--misses", type=Path, help="write the claims without a gold item in the first four there")
    arguments = parser.parse_args()

    rows = [row for row in read_claims(arguments.claims) if row.meta.get("items")]
    learned_on = {row.id for row in halves(rows)[0]}
    if arguments.limit is not None:
        rows = random.Random(arguments.seed).sample(rows, min(arguments.limit, len(rows)))
    store = open_store(arguments.kg)
    parse("The model is loaded before the clock starts.")
    outcomes = {
        row.id: asyncio.run(_measure(row, store))
        for row in track(rows, "linking", console=Console(stderr=True), transient=True)
    }
    report = {
        "claims": arguments.claims.name,
        "kg": store.name,
        "all": _summary(list(outcomes.values())),
        "held out": _summary([outcome for each, outcome in outcomes.items() if each not in learned_on]),
        "learned on": _summary([outcome for each, outcome in outcomes.items() if each in learned_on]),
    }
    if arguments.misses:
        missed = [outcome.claim for outcome in outcomes.values() if outcome.rank is None or outcome.rank > 4]
        arguments.misses.write_text("\n".join(missed) + "\n", encoding="utf-8")
    if arguments.json:
        print(json.dumps(report, indent=1))
        return
    table = Table(title=f"Entity linking, {arguments.claims.name} over {store.name}")
    table.add_column("")
    for part in ("held out", "all", "learned on"):
        table.add_column(part, justify="right")
    for measure in _summary([]):
        table.add_row(measure, *(f"{report[part][measure]:g}" for part in ("held out", "all", "learned on")))
    Console().print(table)


def halves(rows: Sequence[LabelledClaim]) -> tuple[list[LabelledClaim], list[LabelledClaim]]:
    """The rows that the weights were learned on, and the others: a seeded shuffle of them all, cut in the middle."""
    shuffled = list(rows)
    random.Random(SPLIT_SEED).shuffle(shuffled)
    middle = len(shuffled) // 2
    return shuffled[:middle], shuffled[middle:]


async def _measure(row: LabelledClaim, store: EmbeddedStore) -> Outcome:
    gold = set(row.meta["items"])
    claim = row.to_claim()
    with metered() as meter:
        started = time.perf_counter()
        parse(claim.text)
        parsed = time.perf_counter()
        linked = await link(claim, store)
        ended = time.perf_counter()
    ranking = [] if isinstance(linked, Failed) else [each.entity.id for each in linked.ranked]
    lists = [] if isinstance(linked, Failed) else [[c.entity.id for c in m.candidates] for m in linked.mentions]
    lenient = [rank for ids in lists if (rank := _first(ids, gold)) is not None]
    return Outcome(
        claim=claim.text,
        rank=_first(ranking, gold),
        lenient_rank=min(lenient, default=None),
        seconds=ended - started,
        parse_seconds=parsed - started,
        searches=meter.total.entity_searches,
        failed=isinstance(linked, Failed),
    )


def _first(ids: Sequence[str], gold: set[str]) -> int | None:
    return next((place for place, each in enumerate(ids, start=1) if each in gold), None)


def _summary(outcomes: Sequence[Outcome]) -> dict[str, float]:
    def share(ranks: Sequence[int | None], limit: int) -> float:
        return round(sum(rank is not None and rank <= limit for rank in ranks) / max(1, len(ranks)), 4)

    ranks = [outcome.rank for outcome in outcomes]
    lenient = [outcome.lenient_rank for outcome in outcomes]
    milliseconds = sorted(1_000 * outcome.seconds for outcome in outcomes) or [0.0]
    parsing = [1_000 * outcome.parse_seconds for outcome in outcomes] or [0.0]
    return {
        "claims": len(outcomes),
        "top 1": share(ranks, 1),
        "top 4": share(ranks, 4),
        "top 1 of any mention (lenient)": share(lenient, 1),
        "top 4 of any mention (lenient)": share(lenient, 4),
        "failed": sum(outcome.failed for outcome in outcomes),
        "median ms a claim": round(statistics.median(milliseconds), 1),
        "of them, parsing": round(statistics.median(parsing), 1),
        "95th percentile ms": round(milliseconds[int(0.95 * len(milliseconds))], 1),
        "searches a claim": round(sum(outcome.searches for outcome in outcomes) / max(1, len(outcomes)), 2),
    }


if __name__ == "__main__":
    main()
