"""What a large verifier says of pairs, and the targets that a small one learns from it."""

import os
import random
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.verifier.leakage import HeldOut, without_leaks
from training.verifier.pair import NEITHER, Pair, Target, target_of
from training.verifier.sources import SEARCHED, silent
from wkgfc.datasets import read_claims
from wkgfc.reasoning.verifier import Verifier
from wkgfc.state import Found
from wkgfc.web.corpus import open_corpus

UNLABELLED = "unlabelled"
ANY: Target = (1 / 3, 1 / 3, 1 / 3)  # nobody knows what is right
NOT_ENTAILED: Target = (0.0, 0.5, 0.5)
BY_RULE = frozenset(  # sources whose labels hold by construction, and which the teacher has not learned
    {"denied", "number_changed", "trex", "statement", "time", "quantity", "term", "namesake", "negation", "roles"}
    | {"superlative", "scope", "speech", "plan", "conjunction", "unit", "rounding", "order", "precision", "several"}
    | {"rules_among"}
)
TRUST = 0.5  # in the teacher, of a target that people have labelled too
TEACHER_TEMPERATURE = 1.5  # softer than the teacher's own: what it holds for possible is told too


def unlabelled_pairs(data: Path, index: Path, seed: int, number: int) -> list[Pair]:
    """Claims of the training sets with passages that a search finds for them, gold ones among them.

    Claims that no page decides are left out: of their passages it is known that they are silent.
    """
    rng = random.Random(seed)
    corpus = open_corpus(index)
    pairs = []
    for name in ("claims/fever_dev", "claims/fm2_dev", "claims/creak_train"):
        for row in read_claims(data / f"{name}.jsonl.gz"):
            if target_of(row.label or "") == NEITHER:
                continue
            answer = corpus.find(row.claim, SEARCHED)
            passages = [hit.passage for hit in answer.items] if isinstance(answer, Found) else []
            for passage in rng.sample(passages, min(2, len(passages))):
                pairs.append(Pair(passage.title or "", passage.text, row.claim, ANY, UNLABELLED))
    pairs = list(without_leaks(pairs, HeldOut.of(data)))
    return rng.sample(pairs, min(number, len(pairs)))


def silent_pairs(data: Path, index: Path, seed: int, number: int) -> list[Pair]:
    """Passages that are on the topic of a claim and say nothing of it."""
    pairs = silent(read_claims(data / "claims/fever_dev.jsonl.gz"), open_corpus(index))
    kept = list(without_leaks(pairs, HeldOut.of(data)))
    return random.Random(seed).sample(kept, min(number, len(kept)))


def teacher_scores(verifier: Verifier, pairs: Sequence[Pair], out: Path) -> NDArray[np.float32]:
    """The teacher's probabilities, pairs x 3, kept in ``out`` a thousand at a time.

    What ``out`` has already is not asked again.
    """
    known = np.load(out) if out.is_file() else np.zeros((0, 3), dtype=np.float32)
    with ThreadPoolExecutor(2) as threads:
        for start in range(len(known), len(pairs), 1_000):
            chunk = pairs[start : start + 1_000]
            scores = list(threads.map(lambda pair: verifier.score([pair.evidence], [pair.claim])[0], chunk))
            known = np.concatenate([known, np.array(scores, dtype=np.float32)])
            part = out.with_name(f"{out.name}.part")
            with part.open("wb") as file:
                np.save(file, known)
            os.replace(part, out)
    return known[: len(pairs)]


def not_entailed(data: Path, seed: int, number: int) -> list[Pair]:
    """Pairs of MultiNLI of which it is known only that the evidence does not support the claim."""
    rows = read_claims(data / "train/docnli_mnli.jsonl.gz", on_problem=lambda _: None)
    pairs = [
        Pair("", " ".join(gold.text for gold in row.evidence), row.claim, NOT_ENTAILED, "mnli_not_entailed")
        for row in rows
        if row.label == "not_entailment" and row.evidence
    ]
    kept = list(without_leaks(pairs, HeldOut.of(data)))
    return random.Random(seed).sample(kept, min(number, len(kept)))


def taught(pairs: Sequence[Pair], scores: NDArray[np.float32]) -> list[Pair]:
    """The pairs with the teacher's probabilities as their targets, but for classes that are known to be wrong."""
    return [_with_target(pair, said * (np.array(pair.target) > 0)) for pair, said in zip(pairs, scores, strict=True)]


def halfway(pairs: Sequence[Pair], scores: NDArray[np.float32]) -> list[Pair]:
    """The pairs with targets between their labels and the teacher's probabilities."""
    return [
        _with_target(pair, (1 - TRUST) * np.array(pair.target) + TRUST * said)
        for pair, said in zip(pairs, scores, strict=True)
    ]


def _with_target(pair: Pair, weights: NDArray[np.float64]) -> Pair:
    supports, refutes, neither = (weights / weights.sum()).tolist()
    return replace(pair, target=(supports, refutes, neither))
