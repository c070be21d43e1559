"""Scores of checks on labelled claims.

Rows are ``Prediction``s: a gold label beside what the check said. An error is never a class: it counts as wrong and is
reported apart.
"""

from wkgfc.metrics.calibration import Bin, brier_score, expected_calibration_error, reliability
from wkgfc.metrics.comparing import Difference, McNemar, mcnemar, paired_bootstrap
from wkgfc.metrics.costs import Costs, costs_of
from wkgfc.metrics.evidence_quality import (
    CitationSupport,
    EvidenceRecall,
    Gathered,
    Needed,
    citation_support,
    evidence_recall,
    gathered_by,
    mean_recall,
)
from wkgfc.metrics.intervals import Interval, bootstrap
from wkgfc.metrics.scores import (
    DECIDED,
    FOUR_WAY,
    THREE_WAY,
    ClassScore,
    Failure,
    Prediction,
    accuracy,
    accuracy_on_answered,
    balanced_accuracy,
    confusion,
    errors,
    failures,
    macro_f1,
    n_way,
    per_class,
    share_answered,
    share_of_unknown_answered,
    two_way,
    two_way_balanced,
    two_way_points,
)

__all__ = [
    "DECIDED",
    "FOUR_WAY",
    "THREE_WAY",
    "Bin",
    "CitationSupport",
    "ClassScore",
    "Costs",
    "Difference",
    "EvidenceRecall",
    "Failure",
    "Gathered",
    "Interval",
    "McNemar",
    "Needed",
    "Prediction",
    "accuracy",
    "accuracy_on_answered",
    "balanced_accuracy",
    "bootstrap",
    "brier_score",
    "citation_support",
    "confusion",
    "costs_of",
    "errors",
    "evidence_recall",
    "expected_calibration_error",
    "failures",
    "gathered_by",
    "macro_f1",
    "mcnemar",
    "mean_recall",
    "n_way",
    "paired_bootstrap",
    "per_class",
    "reliability",
    "share_answered",
    "share_of_unknown_answered",
    "two_way",
    "two_way_balanced",
    "two_way_points",
]
