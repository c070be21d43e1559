"""Verifiers on adversarial pairs of our own: the share right for each kind, and over all with its interval.

    python benchmarks/adversarial.py [--verifier NAME=FOLDER] [--wrong]

The pairs are ``tests/data/adversarial.jsonl``: a text, a claim, and what a careful reader says of the claim from the
text alone. An answer is right if it is the likeliest of supports, refutes and neither. Each verifier stands beside the
majority class, "neither". Intervals are 95 % bootstrap intervals.
"""

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.progress import track
from rich.table import Table

from wkgfc.claim import Veracity
from wkgfc.metrics import THREE_WAY, Prediction, accuracy, bootstrap
from wkgfc.reasoning.embedded.texts.passages import evidence_text
from wkgfc.reasoning.verifier import EMBEDDED, Verifier

PAIRS = Path(__file__).parent.parent / "tests" / "data" / "adversarial.jsonl"
LABELS = dict(zip(("supports", "refutes", "neither"), THREE_WAY, strict=True))


@dataclass(frozen=True)
class Pair:
    """A line of the file."""

    kind: str
    title: str
    evidence: str
    claim: str
    label: str


def main() -> None:
    """Read the arguments, ask every verifier for every pair, print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=Path, default=PAIRS)
    parser.add_argument("--verifier", action="append", default=[], metavar="NAME=FOLDER", help="beside the shipped one")
    parser.add_argument("--wrong", action="store_true", help="print every pair that the shipped one gets wrong")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    pairs = [Pair(**json.loads(line)) for line in arguments.pairs.read_text(encoding="utf-8").splitlines()]
    folders = {"shipped": EMBEDDED} | {
        name: Path(folder) for name, _, folder in (given.partition("=") for given in arguments.verifier)
    }
    judged = {"majority": [Prediction(LABELS[pair.label], Veracity.NOT_ENOUGH_EVIDENCE) for pair in pairs]}
    judged |= {name: predictions(Verifier(folder), pairs, name) for name, folder in folders.items()}
    report = {name: shares(pairs, rows) for name, rows in judged.items()}
    if arguments.json:
        print(json.dumps(report, indent=1))
        return
    show(report)
    if arguments.wrong:
        names = {veracity: label for label, veracity in LABELS.items()}
        for pair, row in zip(pairs, judged["shipped"], strict=True):
            if row.veracity is not None and row.veracity is not row.gold:
                said = names[row.veracity]
                print(f"{pair.kind}: {pair.label}, not {said}: {evidence_text(pair.title, pair.evidence)}")
                print(f"    {pair.claim}")


def predictions(verifier: Verifier, pairs: Sequence[Pair], saying: str) -> list[Prediction]:
    """What the verifier says of each pair."""
    rows = []
    for pair in track(pairs, saying, console=Console(stderr=True)):
        scores = verifier.score([evidence_text(pair.title, pair.evidence)], [pair.claim])[0].tolist()
        probabilities = dict(zip(THREE_WAY, scores, strict=True))
        said = max(probabilities, key=probabilities.__getitem__)
        rows.append(Prediction(LABELS[pair.label], said, probabilities, probabilities[said]))
    return rows


def shares(pairs: Sequence[Pair], rows: Sequence[Prediction]) -> dict[str, dict[str, float]]:
    """The share right of each kind, of each label, and of all, with how many pairs there are."""
    groups: dict[str, list[Prediction]] = {}
    for pair, row in zip(pairs, rows, strict=True):
        groups.setdefault(pair.kind, []).append(row)
    for pair, row in zip(pairs, rows, strict=True):
        groups.setdefault(f"label {pair.label}", []).append(row)
    found: dict[str, dict[str, float]] = {
        name: {"n": len(group), "right": accuracy(group)} for name, group in groups.items()
    }
    interval = bootstrap(rows, accuracy)
    return found | {"all": {"n": interval.n, "right": interval.value, "low": interval.low, "high": interval.high}}


def show(report: dict[str, dict[str, dict[str, float]]]) -> None:
    """Print the report as a table."""
    table = Table(title="share right", title_justify="left")
    for column in ("kind", "n", *report):
        table.add_column(column)
    groups = next(iter(report.values()))
    for name, figures in groups.items():
        table.add_row(name, str(figures["n"]), *(cell(by_group[name]) for by_group in report.values()))
    Console(width=120).print(table)


def cell(figures: dict[str, float]) -> str:
    """A share, with its interval where it has one."""
    interval = f" ({figures['low']:.2f}-{figures['high']:.2f})" if "low" in figures else ""
    return f"{figures['right']:.2f}{interval}"


if __name__ == "__main__":
    main()
