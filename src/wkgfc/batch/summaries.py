"""Runs in figures: one by itself, and two side by side."""

from collections import Counter
from typing import Any

from wkgfc.batch.run import Run
from wkgfc.batch.store import Store


def summary_of(store: Store, run: Run) -> dict[str, Any]:
    """What a run is, and how far: counts by state and veracity, seconds, questions to sources, dollars."""
    counts = store.counts(run)
    return {
        "run": run.label,
        "file": run.claims,
        "begun_at": run.begun_at.isoformat(),
        "today": run.today.isoformat(),
        "policy": run.identity.policy,
        "sources": list(run.identity.sources),
        "claims": counts.claims,
        "no_claims": counts.problems,
        "done": counts.done,
        "degraded": counts.degraded,
        "errors": counts.errors,
        "left": counts.pending,
        "by_veracity": dict(counts.by_veracity),
        "seconds": round(counts.seconds, 1),
        "calls": counts.calls,
        "cost_usd": round(counts.cost_usd, 6),
    }


def compared(store: Store, first: Run, second: Run, *, shown: int) -> dict[str, Any]:
    """Two runs over claims with the same ids: how often each pair of veracities, the first ``shown`` that differ."""
    table: Counter[tuple[str | None, str | None]] = Counter()
    changed: list[dict[str, Any]] = []
    for identifier, claim, before, after in store.pairs(first, second):
        table[before, after] += 1
        if before != after and len(changed) < shown:
            changed.append({"id": identifier, "claim": claim, "first": before, "second": after})
    return {
        "first": summary_of(store, first),
        "second": summary_of(store, second),
        "claims": table.total(),
        "same": sum(number for (before, after), number in table.items() if before == after),
        "table": [
            {"first": before, "second": after, "claims": number} for (before, after), number in table.most_common()
        ],
        "changed": changed,
    }
