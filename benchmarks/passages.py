"""What passages alone say of labelled claims, and how to judge by them.

    python benchmarks/passages.py --claims fever_val.jsonl.gz --web INDEX

For each claim the first eight passages of BM25 are judged in three ways: by the verifier on the first passage alone,
by the strongest stance among the eight, and as the embedded reasoner does (``reasoning/embedded/texts/passages.py``).
It prints the two-way score with its 95 % bootstrap interval, three-way accuracy, the share answered with the accuracy
on it, the share of the claims that cannot be decided that was answered, the expected calibration error, and the
verifier's pairs a claim; last, its pairs a second on one thread. The index holds the gold
passages: that is a closed world.
"""

import argparse
import json
import statistics
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from wkgfc import metrics
from wkgfc.claim import Claim, Veracity
from wkgfc.datasets import read_claims
from wkgfc.evidence import NEUTRAL, Evidence, Passage, Stance
from wkgfc.language import parse
from wkgfc.metrics import Prediction, bootstrap
from wkgfc.reasoning.embedded.texts.passages import combine_passages, evidence_text, grade_passages
from wkgfc.reasoning.verifier import Verifier, load_verifier
from wkgfc.state import Found
from wkgfc.usage import metered
from wkgfc.web.corpus import Corpus, open_corpus
from wkgfc.web.filtering import LEAST_RELEVANCE

TIMED = 200  # claims whose first pair is timed
NOT_NAMES = {"DATE", "TIME", "PERCENT", "MONEY", "QUANTITY", "ORDINAL", "CARDINAL"}


def main() -> None:
    """Read the arguments, judge every claim in each way, print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--claims", type=Path, required=True)
    parser.add_argument("--web", type=Path, required=True)
    parser.add_argument("--verifier", type=Path, help="FOLDER of another verifier than the one that ships")
    parser.add_argument("--passages", type=int, default=8, help="passages a claim")
    parser.add_argument("--limit", type=int, help="a seeded sample of so many claims")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()

    rows = [
        row
        for row in read_claims(arguments.claims, limit=arguments.limit, seed=arguments.seed)
        if row.veracity is not None
    ]
    corpus, verifier = open_corpus(arguments.web), load_verifier(arguments.verifier)
    predictions: dict[str, list[Prediction]] = {"first": [], "strongest": [], "embedded": []}
    pairs: dict[str, list[int]] = {name: [] for name in predictions}
    seconds: list[float] = []
    for row in rows:
        claim, gold = row.to_claim(), row.veracity
        passages = found(corpus, claim, arguments.passages)
        started = time.perf_counter()
        with metered() as meter:  # before the others, which would leave it pairs that are known already
            stance = embedded(claim, passages, verifier)
        seconds.append(time.perf_counter() - started)
        pairs["embedded"].append(meter.total.verifier_pairs)
        scores = verifier.score(
            [evidence_text(passage.title, passage.text) for passage in passages], [claim.text] * len(passages)
        ).tolist()
        pairs["first"].append(min(1, len(passages)))
        pairs["strongest"].append(len(passages))
        if gold is not None:
            predictions["first"].append(prediction(gold, as_stance(scores[0]) if scores else NEUTRAL))
            predictions["strongest"].append(prediction(gold, strongest(scores)))
            predictions["embedded"].append(prediction(gold, stance))
    report: dict[str, Any] = {
        name: scored(predictions[name])
        | {"pairs": statistics.mean(pairs[name]), "median_pairs": statistics.median(pairs[name])}
        for name in predictions
    }
    report["embedded"]["median_seconds"] = statistics.median(seconds)
    report["pairs_a_second"] = pairs_a_second(
        verifier.folder, [(found(corpus, row.to_claim(), 1), row.claim) for row in rows[:TIMED]]
    )
    report["claims"], report["n"] = arguments.claims.name, len(rows)
    if arguments.json:
        print(json.dumps(report, indent=1))
    else:
        show(report)


def found(corpus: Corpus, claim: Claim, limit: int) -> list[Passage]:
    """The passages for a claim, best first."""
    answer = corpus.find(claim.text, limit)
    return [hit.passage for hit in answer.items] if isinstance(answer, Found) else []


def pairs_a_second(folder: Path, sample: Sequence[tuple[Sequence[Passage], str]]) -> float:
    """How many pairs of a claim and its first passage a verifier on one thread reads in a second."""
    pairs = [(evidence_text(passages[0].title, passages[0].text), claim) for passages, claim in sample if passages]
    verifier = Verifier(folder, threads=1)
    verifier.score(["Paris: Paris is a city."], ["Paris is a city."])
    started = time.perf_counter()
    verifier.score([text for text, _ in pairs], [claim for _, claim in pairs])
    return len(pairs) / (time.perf_counter() - started)


def as_stance(scores: Sequence[float]) -> Stance:
    """The verifier's probabilities as they are."""
    return Stance(supports=scores[0], refutes=scores[1], neither=max(0.0, 1.0 - scores[0] - scores[1]))


def strongest(scores: Sequence[Sequence[float]]) -> Stance:
    """The stance of the passage that the verifier is surest of, for or against."""
    return as_stance(max(scores, key=lambda each: max(each[0], each[1]))) if scores else NEUTRAL


def embedded(claim: Claim, passages: Sequence[Passage], verifier: Verifier) -> Stance:
    """What the embedded reasoner makes of the passages, those that the filter holds back left out."""
    names = tuple(entity.text for entity in parse(claim.text).ents if entity.label_ not in NOT_NAMES)
    grades = grade_passages(claim, passages, names, verifier)
    return combine_passages(
        [
            Evidence(
                id=f"W{number}",
                content=passage,
                relevance=grade.relevance,
                stance=grade.stance,
                consistency=grade.consistency,
                quote=grade.quote,
            )
            for number, (passage, grade) in enumerate(zip(passages, grades, strict=True), 1)
            if grade.relevance >= LEAST_RELEVANCE
        ]
    )


def prediction(gold: Veracity, stance: Stance) -> Prediction:
    """The stance as a verdict: the likeliest of the three; between equals, the more cautious."""
    probabilities = {
        Veracity.NOT_ENOUGH_EVIDENCE: stance.neither,
        Veracity.REFUTED: stance.refutes,
        Veracity.SUPPORTED: stance.supports,
        Veracity.CONFLICTING_EVIDENCE: 0.0,
    }
    veracity = max(probabilities, key=lambda each: probabilities[each])
    return Prediction(gold, veracity, probabilities, probabilities[veracity])


def scored(rows: Sequence[Prediction]) -> dict[str, float]:
    """The figures of one way to judge."""
    interval = bootstrap([row for row in rows if row.gold in metrics.DECIDED], metrics.two_way)
    return {
        "two_way": interval.value,
        "two_way_low": interval.low,
        "two_way_high": interval.high,
        "two_way_calibration_error": metrics.expected_calibration_error(
            [as_two_way(row) for row in rows if row.gold in metrics.DECIDED]
        ),
        "accuracy": metrics.accuracy(rows),
        "balanced_accuracy": metrics.balanced_accuracy(rows),
        "answered": metrics.share_answered(rows),
        "accuracy_on_answered": metrics.accuracy_on_answered(rows),
        "answered_nei": metrics.share_of_unknown_answered(rows),
        "calibration_error": metrics.expected_calibration_error(rows),
    }


def as_two_way(row: Prediction) -> Prediction:
    """The same with only Supported and Refuted to choose from."""
    probabilities = row.probabilities or {}
    supported, refuted = probabilities.get(Veracity.SUPPORTED, 0.0), probabilities.get(Veracity.REFUTED, 0.0)
    share = supported / (supported + refuted) if supported + refuted else 0.5
    veracity = Veracity.SUPPORTED if share > 0.5 else Veracity.REFUTED
    return Prediction(row.gold, veracity, probabilities, max(share, 1.0 - share))


def show(report: dict[str, Any]) -> None:
    """The table."""
    ways = ("first", "strongest", "embedded")
    table = Table(title=f"{report['claims']}: {report['n']} claims, closed world")
    table.add_column("")
    for way in ways:
        table.add_column(way, justify="right")
    interval = [
        f"{report[way]['two_way']:.3f} ({report[way]['two_way_low']:.3f}–{report[way]['two_way_high']:.3f})"
        for way in ways
    ]
    table.add_row("two_way", *interval)
    for name in (
        "accuracy",
        "balanced_accuracy",
        "answered",
        "accuracy_on_answered",
        "answered_nei",
        "calibration_error",
        "two_way_calibration_error",
        "pairs",
        "median_pairs",
    ):
        table.add_row(name, *(f"{report[way][name]:.3f}" for way in ways))
    Console().print(table)
    print(f"grading and combining: {report['embedded']['median_seconds']:.3f} s a claim at the median")
    print(f"verifier: {report['pairs_a_second']:.0f} pairs a second on one thread")


if __name__ == "__main__":
    main()
