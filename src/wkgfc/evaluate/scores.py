"""What ``metrics.json`` says of a cell: every score, and what it cost, means a claim."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from wkgfc import metrics
from wkgfc.evaluate.records import ClaimRecord
from wkgfc.metrics import EvidenceRecall, Prediction, bootstrap, costs_of, mean_recall


def two_class(records: Sequence[ClaimRecord]) -> list[Prediction]:
    """The records whose label is in the paper's two classes: what the two-way score counts."""
    return [record.prediction(record.two_class) for record in records if record.two_class is not None]


def scores_of(records: Sequence[ClaimRecord]) -> dict[str, Any]:
    """Every score that the labels allow; ``None`` where nothing is counted.

    ``two_way`` is that of the paper's two classes (partial and conflicting labels are Refuted, unverifiable ones are
    dropped), with its 95 % bootstrap interval in ``interval``; ``three_way`` and ``four_way`` are accuracies over the
    labels as they are. ``accuracy_on_answered`` is over all claims called Supported or Refuted, whatever their label;
    ``answered_nei`` is the share of the claims labelled Not Enough Evidence that were so called. ``calls`` (of language
    models), ``queries`` (of the KG and the web), ``tokens``, ``verifier_pairs`` and ``seconds`` are means a claim;
    ``cost_usd`` is all the money.
    """
    labelled = [record.prediction(record.gold) for record in records if record.gold is not None]
    decided = two_class(records)
    interval = bootstrap(decided, metrics.two_way)
    costs = costs_of([record.result.usage for record in records], [record.seconds for record in records])
    ways = Counter(record.way for record in records)
    recall = mean_recall(EvidenceRecall(**record.recall.model_dump()) for record in records)
    scores: dict[str, Any] = _without_nan(
        {
            "n": len(records),
            "n_two_way": len(decided),
            "two_way": interval.value,
            "interval": [interval.low, interval.high],
            "two_way_balanced": metrics.two_way_balanced(decided),
            "three_way": metrics.n_way(labelled, metrics.THREE_WAY),
            "four_way": metrics.accuracy(labelled),
            "balanced_accuracy": metrics.balanced_accuracy(labelled),
            "macro_f1": metrics.macro_f1(labelled),
            "per_class": [asdict(each) for each in metrics.per_class(labelled)],
            "answered": metrics.share_answered(labelled),
            "accuracy_on_answered": metrics.accuracy_on_answered(labelled),
            "answered_nei": metrics.share_of_unknown_answered(labelled),
            "calibration_error": metrics.expected_calibration_error(labelled),
            "brier": metrics.brier_score(labelled),
            "errors": metrics.errors(labelled),
            "failures": metrics.failures(labelled),
            "labels": dict(Counter(record.label or "no label" for record in records)),
            "gold": dict(Counter(str(record.gold) for record in records if record.gold is not None)),
            "recall": asdict(recall),
            "calls": costs.calls,
            "queries": costs.queries,
            "tokens": costs.tokens,
            "verifier_pairs": costs.verifier_pairs,
            "cost_usd": costs.cost_usd,
            "unpriced": costs.unpriced,
            "seconds": sum(record.seconds for record in records) / len(records),
            "seconds_median": costs.seconds_median,
            "seconds_p95": costs.seconds_p95,
            "ways": {way: number / len(records) for way, number in ways.most_common()},
        }
    )
    return scores


def _without_nan(value: Any) -> Any:
    """JSON knows no "not a number": a figure over nothing is ``None``."""
    match value:
        case float():
            return None if value != value else value  # noqa: PLR0124 - only "not a number" differs from itself
        case dict():
            return {name: _without_nan(each) for name, each in value.items()}
        case list():
            return [_without_nan(each) for each in value]
    return value
