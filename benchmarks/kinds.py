"""The embedded check on labelled claims of each kind: dates, numbers, single values, paths, ranks and the others.

    python benchmarks/kinds.py [--kg STORE --web INDEX] [--rows all|tuned|held] [--wrong]

Prints for each kind how many claims there are, the share that got the right answer, and what the others got: a wrong
verdict, which is worse, or none. The claims are ``tests/data/kinds.jsonl``; those with ``held`` were written before
the rules were mended by the others, and only two rules were chosen with them in view (``docs/kinds.md``). Without
``--kg`` and ``--web`` the embedded default is asked, and built where it is missing.
"""

import argparse
import json
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from rich.console import Console
from rich.progress import track
from rich.table import Table

from wkgfc.checker import FactChecker
from wkgfc.config import load_settings
from wkgfc.result import CheckResult

CLAIMS = Path(__file__).parent.parent / "tests" / "data" / "kinds.jsonl"
NOT_CHECKABLE = "Not Checkable"
Outcome = Literal["right", "wrong", "undecided", "error"]


@dataclass(frozen=True)
class Answer:
    """One claim with its right answer, what the check said, and what became of it."""

    kind: str
    claim: str
    label: str
    said: str
    outcome: Outcome
    justification: str


def main() -> None:
    """Read the arguments, check every claim, print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--claims", type=Path, default=CLAIMS)
    parser.add_argument("--kg", help="PATH of a store, or none; without it the embedded default")
    parser.add_argument("--web", help="PATH of an index, or none; without it the embedded default")
    parser.add_argument("--rows", choices=("all", "tuned", "held"), default="all")
    parser.add_argument("--kinds", help="only these kinds, with commas between them")
    parser.add_argument("--wrong", action="store_true", help="print every claim that got another answer")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()

    rows = [json.loads(line) for line in arguments.claims.read_text(encoding="utf-8").splitlines()]
    wanted = {"all": (True, False), "tuned": (False,), "held": (True,)}[arguments.rows]
    kinds = arguments.kinds.split(",") if arguments.kinds else None
    rows = [row for row in rows if row.get("held", False) in wanted and (kinds is None or row["kind"] in kinds)]
    checker = FactChecker(load_settings(kg=arguments.kg, web=arguments.web))
    checker.open()
    started = time.perf_counter()
    console = Console(stderr=True)
    answers = [
        answer(row, checker.check(row["claim"]))
        for row in track(rows, console=console, disable=not console.is_terminal)
    ]
    seconds = time.perf_counter() - started
    if arguments.json:
        print(json.dumps({kind: counts(answers, kind) for kind in kinds_of(answers)}, indent=1))
    else:
        show(answers, seconds, arguments.wrong)


def answer(row: dict[str, str], result: CheckResult) -> Answer:
    """What became of one claim. Conflicting Evidence counts as a wrong verdict where another one is right."""
    said = NOT_CHECKABLE if result.stop_reason == "not_checkable" else str(result.veracity or "Error")
    outcome: Outcome = "undecided"
    if said == row["label"]:
        outcome = "right"
    elif said in {"Supported", "Refuted", "Conflicting Evidence"}:
        outcome = "wrong"
    elif said == "Error":
        outcome = "error"
    reasons = " ".join(f"{each.text} [{', '.join(each.citations)}]" for each in result.justification)
    return Answer(row["kind"], row["claim"], row["label"], said, outcome, reasons)


def kinds_of(answers: Iterable[Answer]) -> list[str]:
    """The kinds, in the order of the file."""
    return list(dict.fromkeys(each.kind for each in answers))


def counts(answers: Sequence[Answer], kind: str | None = None) -> dict[str, float]:
    """How many claims of a kind (or of all) there are, and what became of them."""
    outcomes = Counter(each.outcome for each in answers if kind is None or each.kind == kind)
    number = outcomes.total()
    return {"n": number, "share": outcomes["right"] / number} | {
        name: outcomes[name] for name in ("right", "wrong", "undecided", "error")
    }


def show(answers: Sequence[Answer], seconds: float, with_wrong: bool) -> None:
    """The table, and the claims that got another answer where they are asked for."""
    console = Console(highlight=False, width=max(100, Console().width))
    table = Table(box=None, pad_edge=False)
    for name in ("kind", "n", "share right", "right", "wrong verdict", "undecided", "error"):
        table.add_column(name, justify="left" if name == "kind" else "right")
    for kind in (*kinds_of(answers), None):
        found = counts(answers, kind)
        table.add_row(
            kind or "all",
            f"{found['n']:.0f}",
            f"{found['share']:.2f}",
            *(f"{found[name]:.0f}" for name in ("right", "wrong", "undecided", "error")),
        )
    console.print(table)
    console.print(f"{seconds:.0f} s, {seconds / max(len(answers), 1):.2f} s a claim")
    for each in answers if with_wrong else ():
        if each.outcome != "right":
            console.print(f"{each.kind}: {each.claim} {each.label} → {each.said}: {each.justification[:300]}")


if __name__ == "__main__":
    main()
