"""Verifiers on labelled claims with their evidence given: the shipped one, others, and what needs no model.

    python benchmarks/verifier.py --data DATA --verifier first=FOLDER --verifier option=FOLDER

DATA is a folder of ``claims/`` and ``train/``. For each set it prints the two-way score with its 95 % bootstrap
interval, the area under the curve of support against refutation (how well the supported claims are told from the
refuted ones, whichever answer a judge leans to), and where the set has three classes three-way accuracy and the
expected calibration error; for the majority class, for lexical overlap (the share of the claim's words that the
evidence has, under a threshold chosen on the set itself: an upper bound for it), and for each verifier. Last, pairs a
second on two threads at 64 tokens.
``--without-shipped`` leaves the shipped one out; ``--reliability`` also prints each verifier's reliability diagram as
numbers, where the set has three classes.
"""

import argparse
import json
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track
from rich.table import Table
from sklearn.metrics import roc_auc_score

from wkgfc.claim import Veracity
from wkgfc.datasets import LabelledClaim, read_claims
from wkgfc.metrics import THREE_WAY, Prediction, accuracy, bootstrap, expected_calibration_error, reliability, two_way
from wkgfc.reasoning.embedded.lexicon.terms import terms_of
from wkgfc.reasoning.embedded.texts.passages import evidence_text
from wkgfc.reasoning.verifier import EMBEDDED, Verifier

SETS = {
    "fever_val": "claims/fever_val",
    "fm2_val": "claims/fm2_val",
    "healthver_dev": "train/healthver_dev",
    "pubhealth": "claims/pubhealth",
    "scifact": "claims/scifact",
    "reveal": "claims/reveal",
    "summeval": "claims/summeval",
    "aggrefact_cnn": "claims/aggrefact_cnn",
}
TIMED_PAIRS, TIMED_TOKENS = 300, 64
FILLER = "the river rises in the north and flows through two old towns before it meets the sea near a bridge"
ABOVE_ALL = 1.5  # a threshold that no share of words reaches
LEAST = 1e-6  # added to a probability before its logarithm
Scores = NDArray[np.float64]


def main() -> None:
    """Read the arguments, run every verifier on every set, print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--verifier", action="append", default=[], metavar="NAME=FOLDER", help="beside the shipped one")
    parser.add_argument("--sets", default=",".join(SETS), help="which of " + ", ".join(SETS))
    parser.add_argument("--limit", type=int, help="a seeded sample of so many rows of each set")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--without-shipped", action="store_true")
    parser.add_argument("--reliability", action="store_true", help="print the reliability diagrams as numbers")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    folders = ({} if arguments.without_shipped else {"shipped": EMBEDDED}) | {
        name: Path(folder) for name, _, folder in (given.partition("=") for given in arguments.verifier)
    }
    verifiers = {name: Verifier(folder) for name, folder in folders.items()}
    report: dict[str, Any] = {"pairs_a_second": {name: pairs_a_second(each) for name, each in verifiers.items()}}
    for name in arguments.sets.split(","):
        rows = [
            row
            for row in read_claims(
                arguments.data / f"{SETS[name]}.jsonl.gz", limit=arguments.limit, seed=arguments.seed
            )
            if row.veracity is not None and row.evidence
        ]
        judged = {"majority": majority(rows), "overlap": overlap(rows)}
        for called, verifier in verifiers.items():
            judged[called] = scores_of(verifier, rows, f"{name}, {called}")
            if arguments.reliability:
                show_reliability(f"{name}, {called}", predictions_of(rows, judged[called]))
        report[name] = {called: figures(rows, scores) for called, scores in judged.items()}
    if arguments.json:
        print(json.dumps(report, indent=1))
    else:
        show(report)


def text_of(row: LabelledClaim) -> str:
    """All evidence of a row as the verifier reads it."""
    first = row.evidence[0]
    return evidence_text(first.title, " ".join(gold.text for gold in row.evidence))


def scores_of(verifier: Verifier, rows: Sequence[LabelledClaim], saying: str) -> Scores:
    """The verifier's probabilities of each row."""
    with ThreadPoolExecutor(2) as threads:
        asked = threads.map(lambda row: verifier.score([text_of(row)], [row.claim])[0], rows)
        return np.array(list(track(asked, saying, total=len(rows), console=Console(stderr=True))))


def majority(rows: Sequence[LabelledClaim]) -> Scores:
    """The most frequent class of the set, always."""
    most = Counter(row.veracity for row in rows).most_common(1)[0][0]
    decided = Counter(row.veracity for row in rows if row.veracity in THREE_WAY[:2]).most_common(1)[0][0]
    row = [0.9 if label is most else 0.1 if label is decided else 0.0 for label in THREE_WAY]
    return np.array([row] * len(rows))


def overlap(rows: Sequence[LabelledClaim]) -> Scores:
    """Supported where the evidence has enough of the claim's words. The threshold is the best for this very set."""
    shares = []
    for row in rows:
        words = set(terms_of(row.claim))
        shares.append(len(words & set(terms_of(text_of(row)))) / len(words) if words else 0.0)
    gold = [row.veracity is Veracity.SUPPORTED for row in rows]
    decided = [number for number, row in enumerate(rows) if row.veracity in THREE_WAY[:2]]
    thresholds = [*sorted({shares[number] for number in decided}), ABOVE_ALL]
    best = max(thresholds, key=lambda least: sum((shares[number] >= least) == gold[number] for number in decided))
    supports = 0.5 + (np.array(shares) - best) / 4  # at least a half where the share reaches the threshold
    return np.stack([supports, 1 - supports, np.zeros(len(rows))], axis=1)


def predictions_of(rows: Sequence[LabelledClaim], scores: Scores) -> list[Prediction]:
    """The likeliest class of each row."""
    predictions = []
    for row, each in zip(rows, scores.tolist(), strict=True):
        probabilities = dict(zip(THREE_WAY, each, strict=True))
        said = max(probabilities, key=probabilities.__getitem__)
        assert row.veracity is not None
        predictions.append(Prediction(row.veracity, said, probabilities, probabilities[said]))
    return predictions


def figures(rows: Sequence[LabelledClaim], scores: Scores) -> dict[str, Any]:
    """What the table shows of one judge on one set."""
    predictions = predictions_of(rows, scores)
    interval = bootstrap(predictions, two_way)
    found: dict[str, Any] = {"n": len(rows), "two_way": interval.value, "low": interval.low, "high": interval.high}
    found["area"] = area(rows, scores)
    if any(row.veracity is Veracity.NOT_ENOUGH_EVIDENCE for row in rows):
        found |= {"three_way": accuracy(predictions), "calibration_error": expected_calibration_error(predictions)}
    return found


def area(rows: Sequence[LabelledClaim], scores: Scores) -> float:
    """Area under the ROC curve of the odds of support against refutation, over the supported and refuted rows."""
    decided = [number for number, row in enumerate(rows) if row.veracity in THREE_WAY[:2]]
    odds = np.log(scores[decided, 0] + LEAST) - np.log(scores[decided, 1] + LEAST)
    return float(roc_auc_score([rows[number].veracity is Veracity.SUPPORTED for number in decided], odds))


def pairs_a_second(verifier: Verifier) -> float:
    """Pairs a second with two threads, each ``TIMED_TOKENS`` long and none twice."""
    words = FILLER.split()
    evidence = []
    for number in range(TIMED_PAIRS + 20):
        text = f"Record {number}:"
        while verifier.number_of_tokens(text) < TIMED_TOKENS - 14:
            text += " " + words[(number + len(text)) % len(words)]
        evidence.append(text)
    with ThreadPoolExecutor(2) as threads:
        list(threads.map(lambda text: verifier.score([text], ["The river meets the sea."]), evidence[:20]))
        started = time.perf_counter()
        list(threads.map(lambda text: verifier.score([text], ["The river meets the sea."]), evidence[20:]))
    return TIMED_PAIRS / (time.perf_counter() - started)


def show_reliability(title: str, predictions: Sequence[Prediction]) -> None:
    """Print a reliability diagram as numbers, of a set with three classes."""
    if not any(row.gold is Veracity.NOT_ENOUGH_EVIDENCE for row in predictions):
        return
    table = Table("confidence", "n", "mean confidence", "right", title=title, title_justify="left")
    for each in reliability(predictions):
        table.add_row(f"{each.low:.1f}-{each.high:.1f}", str(each.n), f"{each.confidence:.3f}", f"{each.right:.3f}")
    Console(width=120).print(table)


def show(report: dict[str, Any]) -> None:
    """Print the report as tables."""
    console = Console(width=120)
    speed = report.pop("pairs_a_second")
    judges = list(next(iter(report.values())))
    for figure, says in (
        ("two_way", "two-way"),
        ("area", "area under the curve of support against refutation"),
        ("three_way", "three-way"),
        ("calibration_error", "calibration error"),
    ):
        table = Table(title=says, title_justify="left")
        for column in ("set", "n", *judges):
            table.add_column(column)
        for name, by_judge in report.items():
            if figure in by_judge[judges[0]]:
                table.add_row(name, str(by_judge[judges[0]]["n"]), *(cell(by_judge[judge], figure) for judge in judges))
        console.print(table)
    console.print("pairs a second: " + ", ".join(f"{name} {value:.0f}" for name, value in speed.items()))


def cell(found: dict[str, float], figure: str) -> str:
    """One figure, with its interval where it has one."""
    if figure == "two_way":
        return f"{found[figure]:.3f} ({found['low']:.3f}-{found['high']:.3f})"
    return f"{found[figure]:.3f}"


if __name__ == "__main__":
    main()
