"""The single agent and the debate at equal budget, with the embedded reasoner.

    python benchmarks/debate.py --claims fever_val.jsonl.gz --kg STORE --web INDEX --limit 200 --seed 1

Four ways to spend the same at most two searches and twelve verifier pairs of a check:

* single: the agent as it is, which stops as soon as the evidence is enough;
* single, all searches: it asks for both whatever it has found, the second for what no passage has yet;
* debate: an advocate and a sceptic, one search each, stopped after the first where that is enough;
* debate, both heard: the sceptic is heard whatever the advocate has found.

Prints the two-way score with its 95 % bootstrap interval, three-way accuracy, and what each took. Retrieval over an
index that holds the gold passages is closed-world: say so beside the figures.
"""

import argparse
import json
import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from embedded import run, scores
from wkgfc.checker import FactChecker
from wkgfc.config import Settings, load_settings
from wkgfc.datasets import LabelledClaim, read_claims
from wkgfc.reasoning.debate import DebateReasoner
from wkgfc.reasoning.embedded.reasoner import EmbeddedReasoner
from wkgfc.reasoning.embedded.texts.queries import write_query
from wkgfc.reasoning.embedded.texts.sides import RuleSides
from wkgfc.reasoning.reasoner import Decision, Reasoner
from wkgfc.reasoning.verifier import EMBEDDED, Verifier
from wkgfc.result import CheckResult
from wkgfc.state import BeliefState, GiveVerdict, SearchWeb

SEARCHES = 2  # of a check, in every way


class AllSearches(EmbeddedReasoner):
    """The single agent that asks for all its searches, unless the graph decides."""

    async def decide(self, state: BeliefState) -> Decision:
        """See ``Reasoner``."""
        decision = await super().decide(state)
        if state.queries and isinstance(decision.action, GiveVerdict) and len(state.queries) < SEARCHES:
            query = write_query(state, [state.claim.text])
            if query:
                return Decision(action=SearchWeb(query=query), reason="all searches are made")
        return decision


class UntilEnough(DebateReasoner):
    """The debate that ends as soon as the evidence is enough."""

    def __init__(self, reasoner: EmbeddedReasoner, sides: RuleSides) -> None:
        super().__init__(reasoner, sides)
        self._single = reasoner

    async def decide(self, state: BeliefState) -> Decision:
        """See ``Reasoner``."""
        if state.queries:
            alone = await self._single.decide(state)
            if alone.reason == "the evidence decides the claim":
                return alone
        return await super().decide(state)


def main() -> None:
    """Read the arguments, check the claims in each way, print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--claims", type=Path, required=True)
    parser.add_argument("--kg", required=True, help="PATH of a store, or none")
    parser.add_argument("--web", required=True, help="PATH of an index")
    parser.add_argument("--limit", type=int, default=200, help="a seeded sample of so many claims")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()

    claims = read_claims(arguments.claims, limit=arguments.limit, seed=arguments.seed)
    rows = [row for row in claims if row.veracity is not None]
    settings = load_settings(kg=arguments.kg, web=arguments.web)
    report: dict[str, dict[str, Any]] = {}
    for name, reasoner in ways().items():
        results, _ = run(checker(settings, reasoner), rows, name)
        report[name] = scores(rows, results) | took(results)
    if arguments.json:
        print(json.dumps(report, indent=1))
    else:
        show(report, rows)


def ways() -> dict[str, Reasoner]:
    """The reasoners by name, each with a verifier of its own: it keeps what it has read, and would read less."""
    advised, heard = EmbeddedReasoner(Verifier(EMBEDDED)), EmbeddedReasoner(Verifier(EMBEDDED))
    return {
        "single": EmbeddedReasoner(Verifier(EMBEDDED)),
        "single, all searches": AllSearches(Verifier(EMBEDDED)),
        "debate": UntilEnough(advised, RuleSides(advised)),
        "debate, both heard": DebateReasoner(heard, RuleSides(heard)),
    }


def checker(settings: Settings, reasoner: Reasoner) -> FactChecker:
    """A checker whose judgements are made by ``reasoner``."""
    return FactChecker(settings, reasoner=reasoner)


def took(results: Sequence[CheckResult]) -> dict[str, float]:
    """What a check took, on average."""
    return {
        "searches": statistics.mean(result.usage.web_searches for result in results),
        "pairs": statistics.mean(result.usage.verifier_pairs for result in results),
    }


def show(report: dict[str, dict[str, Any]], rows: Sequence[LabelledClaim]) -> None:
    """Print the report as a table."""
    table = Table(title=f"{len(rows)} claims", title_justify="left")
    for column in ("", "two-way", "accuracy of three", "searches", "verifier pairs", "errors"):
        table.add_column(column)
    for name, found in report.items():
        table.add_row(
            name,
            f"{found['two_way']:.3f} ({found['two_way_low']:.3f}-{found['two_way_high']:.3f})",
            f"{found['accuracy']:.3f}",
            f"{found['searches']:.2f}",
            f"{found['pairs']:.1f}",
            f"{found['errors']}",
        )
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
