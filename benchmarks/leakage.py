"""What the leakage guard holds back of AVeriTeC's own retrieved sentences, and what that does to verdicts from texts.

    python benchmarks/leakage.py --claims averitec_dev.jsonl.gz [--verdicts]

Each claim of averitec_dev comes with ten sentences that were retrieved from the web, undated, some of them from
fact-checking sites. It prints how many sentences each reason holds back, of how many claims, how many of the rest are
undated, and what becomes of those from the very article that the claim was checked in; with ``--examples N`` the first
sentences of each reason. ``--shares`` prints how many sentences, of fact-checking sites and of others, reach each share
of the claim: what the limit of a quotation is chosen by. ``--verdicts`` judges every claim on its sentences with the
embedded reasoner's way with passages (``reasoning/embedded/texts/passages.py``), before and after.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from wkgfc import metrics
from wkgfc.claim import Claim, Veracity
from wkgfc.datasets import LabelledClaim, read_claims
from wkgfc.evidence import NEUTRAL, Evidence, Passage, Source, Stance
from wkgfc.metrics import Prediction, bootstrap
from wkgfc.web.addresses import canonical_address
from wkgfc.web.fact_checkers import is_fact_check
from wkgfc.web.leakage import Guarded, guard, has_verdict_marks, quoted_share
from wkgfc.web.search import Hit

SHARES = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
NOT_NAMES = {"DATE", "TIME", "PERCENT", "MONEY", "QUANTITY", "ORDINAL", "CARDINAL"}


def main() -> None:
    """Read the arguments, guard every claim's sentences, print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--claims", type=Path, required=True)
    parser.add_argument("--verdicts", action="store_true", help="judge the claims before and after")
    parser.add_argument("--shares", action="store_true", help="how the limit of a quotation was chosen")
    parser.add_argument("--examples", type=int, default=0, help="sentences of each reason to print")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()

    rows = read_claims(arguments.claims)
    guarded = [guard(hits_of(row), row.to_claim(), benchmark=True) for row in rows]
    report = held_back(guarded) | own_fact_checks(rows, guarded)
    if arguments.shares:
        report["shares"] = shares(rows)
    if arguments.verdicts:
        report["verdicts"] = verdicts(rows, guarded)
    if arguments.json:
        print(json.dumps(report, indent=1))
    else:
        show(report)
    if arguments.examples:
        show_examples(rows, guarded, arguments.examples)


def hits_of(row: LabelledClaim) -> list[Hit]:
    """The row's sentences as a search would have brought them."""
    return [
        Hit(
            passage=Passage(
                text=each.text,
                title=each.title,
                url=each.url,
                source=Source(name="averitec", url=each.url, text_id=each.url, title=each.title),
            ),
            score=1 / place,
        )
        for place, each in enumerate(row.evidence, start=1)
    ]


def held_back(guarded: Sequence[Guarded]) -> dict[str, Any]:
    """Sentences and claims by reason."""
    sentences: Counter[str] = Counter()
    claims: Counter[str] = Counter()
    for each in guarded:
        sentences.update({str(reason): number for reason, number in each.held_back.counts.items()})
        claims.update({str(reason): 1 for reason in each.held_back.counts})
    return {
        "claims": len(guarded),
        "sentences": sum(len(each.kept) + len(each.held_back.items) for each in guarded),
        "held_back": {reason: {"sentences": number, "claims": claims[reason]} for reason, number in sentences.items()},
        "kept": sum(len(each.kept) for each in guarded),
        "kept_undated": sum(len(each.undated) for each in guarded),
        "claims_touched": sum(bool(each.held_back.items) for each in guarded),
        "claims_without_any_left": sum(not each.kept for each in guarded),
    }


def own_fact_checks(rows: Sequence[LabelledClaim], guarded: Sequence[Guarded]) -> dict[str, int]:
    """Sentences from the very article that the claim was checked in, and how many of them are held back."""
    held = left = 0
    for row, each in zip(rows, guarded, strict=True):
        article = canonical_address(row.meta.get("fact_checking_article") or "none")
        held += sum(canonical_address(item.hit.passage.url or "") == article for item in each.held_back.items)
        left += sum(canonical_address(hit.passage.url or "") == article for hit in each.kept)
    return {"of_the_own_fact_check": held + left, "of_it_held_back": held}


def shares(rows: Iterable[LabelledClaim]) -> dict[str, list[int]]:
    """How many sentences reach each of ``SHARES``, by whether they are a fact-checker's and have marks of a verdict."""
    reached: dict[str, list[int]] = {}
    for row in rows:
        for hit in hits_of(row):
            text = hit.passage.text
            kind = "fact-checking site" if is_fact_check(hit.passage.url) else "other site"
            kind += ", with marks of a verdict" if has_verdict_marks(text, row.claim) else ", without"
            share = quoted_share(row.claim, text)
            counts = reached.setdefault(kind, [0] * (1 + len(SHARES)))
            counts[0] += 1
            for place, least in enumerate(SHARES, start=1):
                counts[place] += share >= least
    return reached


def verdicts(rows: Sequence[LabelledClaim], guarded: Sequence[Guarded]) -> dict[str, dict[str, Any]]:
    """The embedded reasoner's verdicts on all sentences, and on those that are kept."""
    from wkgfc.reasoning.verifier import load_verifier

    verifier = load_verifier()
    predictions: dict[str, list[Prediction]] = {"before": [], "after": []}
    for row, each in zip(rows, guarded, strict=True):
        gold = row.veracity
        if gold is None:
            continue
        claim = row.to_claim()
        kept = [hit.passage for hit in each.kept]
        for name, passages in (("before", [hit.passage for hit in hits_of(row)]), ("after", kept)):
            predictions[name].append(prediction(gold, judged(claim, passages, verifier)))
    return {name: scored(each) for name, each in predictions.items()}


def judged(claim: Claim, passages: Sequence[Passage], verifier: Any) -> Stance:
    """What the embedded reasoner makes of passages, those left out that its filter holds back."""
    from wkgfc.language import parse
    from wkgfc.reasoning.embedded.texts.passages import combine_passages, grade_passages
    from wkgfc.web.filtering import LEAST_RELEVANCE

    if not passages:
        return NEUTRAL
    names = tuple(entity.text for entity in parse(claim.text).ents if entity.label_ not in NOT_NAMES)
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
            for number, (passage, grade) in enumerate(
                zip(passages, grade_passages(claim, passages, names, verifier), strict=True), 1
            )
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


def scored(predictions: Sequence[Prediction]) -> dict[str, Any]:
    """The figures of one way."""
    interval = bootstrap([each for each in predictions if each.gold in metrics.DECIDED], metrics.two_way)
    return {
        "claims": len(predictions),
        "two_way": interval.value,
        "two_way_low": interval.low,
        "two_way_high": interval.high,
        "accuracy": metrics.accuracy(predictions),
        "balanced_accuracy": metrics.balanced_accuracy(predictions),
        "answered": metrics.share_answered(predictions),
    }


def show(report: dict[str, Any]) -> None:
    """The tables."""
    console = Console()
    table = Table(title=f"{report['claims']} claims, {report['sentences']} sentences")
    for column in ("held back", "sentences", "claims"):
        table.add_column(column, justify="left" if column == "held back" else "right")
    for reason, numbers in report["held_back"].items():
        table.add_row(reason, str(numbers["sentences"]), str(numbers["claims"]))
    table.add_row("any", str(report["sentences"] - report["kept"]), str(report["claims_touched"]))
    console.print(table)
    console.print(
        f"kept: {report['kept']}, of which {report['kept_undated']} are undated; "
        f"claims without any left: {report['claims_without_any_left']}"
    )
    console.print(
        f"from the article that the claim was checked in: {report['of_the_own_fact_check']}, "
        f"held back of them: {report['of_it_held_back']}"
    )
    if "shares" in report:
        table = Table(title="sentences with at least so much of the claim in one stretch")
        for column in ("", "all", *map(str, SHARES)):
            table.add_column(column, justify="right")
        for kind, counts in report["shares"].items():
            table.add_row(kind, *map(str, counts))
        console.print(table)
    if "verdicts" in report:
        table = Table(title="verdicts from the sentences alone")
        for column in ("", "two_way", "accuracy", "balanced_accuracy", "answered"):
            table.add_column(column, justify="right")
        for name, each in report["verdicts"].items():
            interval = f"{each['two_way']:.3f} ({each['two_way_low']:.3f}–{each['two_way_high']:.3f})"
            others = (f"{each[column]:.3f}" for column in ("accuracy", "balanced_accuracy", "answered"))
            table.add_row(name, interval, *others)
        console.print(table)


def show_examples(rows: Sequence[LabelledClaim], guarded: Sequence[Guarded], number: int) -> None:
    """The first sentences of each reason, with their claims."""
    shown: Counter[str] = Counter()
    for row, each in zip(rows, guarded, strict=True):
        for item in each.held_back.items:
            if shown[item.reason] < number:
                shown[item.reason] += 1
                passage = item.hit.passage
                print(f"\n{item.reason}: {row.claim} ({row.date})\n  {passage.url}\n  {passage.text}")


if __name__ == "__main__":
    main()
