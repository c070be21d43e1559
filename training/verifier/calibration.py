"""Claims that no step learns from, and how sure the verifier may be: one temperature, chosen on them."""

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar  # type: ignore[import-untyped]

from training.verifier.encoder import PairTokenizer
from training.verifier.learning import Schedule, batches_of
from training.verifier.pair import Pair

CALIBRATED_ON = ("fever", "fm2")  # sources whose pairs are labelled by people with the evidence given


def unseen_claims(pairs: Sequence[Pair], tokenizer: PairTokenizer, schedule: Schedule) -> set[str]:
    """Claims of ``CALIBRATED_ON`` that stand in no pair before the schedule's last step."""
    batches = batches_of([len(row) for row in tokenizer.ids(pairs)], schedule)
    seen = {pairs[index].claim for batch in batches[: schedule.steps] for index in batch}
    return {pair.claim for pair in pairs if pair.source in CALIBRATED_ON} - seen


def without_claims(pairs: Sequence[Pair], claims: Collection[str]) -> list[Pair]:
    """The pairs of other claims."""
    return [pair for pair in pairs if pair.claim not in claims]


def best_temperature(probabilities: NDArray[np.float64], targets: NDArray[np.float64]) -> float:
    """The temperature under which the targets are likeliest, for probabilities at temperature 1 (both pairs x 3).

    Source: Guo et al., "On calibration of modern neural networks", ICML 2017.
    """
    logits = np.log(np.clip(probabilities, 1e-9, 1.0))

    def loss(logarithm: float) -> float:
        scaled = logits / np.exp(logarithm)
        scaled = scaled - scaled.max(axis=1, keepdims=True)
        logs = scaled - np.log(np.exp(scaled).sum(axis=1, keepdims=True))
        return float(-(targets * logs).sum(axis=1).mean())

    return float(np.exp(minimize_scalar(loss, bounds=(-2.0, 2.0), method="bounded").x))
