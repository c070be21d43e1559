"""Which pairs the verifier learns from, and how many of each source."""

import random
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from training.verifier.edits import denied, numbers_changed
from training.verifier.graph import graph_pairs
from training.verifier.leakage import HeldOut, without_leaks
from training.verifier.pair import Pair
from training.verifier.sources import natural_pairs
from training.verifier.trex import read_facts, trex_pairs
from wkgfc.web.corpus import open_corpus

SHARES: Mapping[str, int] = {  # at most so many pairs of each source
    "fever": 9_300,
    "fever_retrieved": 3_500,
    "fever_joined": 900,
    "fm2": 1_169,
    "fm2_joined": 900,
    "fm2_retrieved": 700,
    "fm2_searched": 600,
    "fever_symmetric": 1_394,
    "feverous": 900,
    "climate_fever": 1_500,
    "cad_snli": 1_500,
    "conjnli": 1_000,
    "mnli_entailed": 800,
    "trex": 1_500,
    "statement": 700,
    "number_changed": 800,
    "denied": 800,
    "time": 900,
    "quantity": 600,
    "term": 300,
    "namesake": 150,
}
GRAPH_PAIRS = 2_000  # drawn of each kind before the shares


def all_pairs(data: Path, store: Path, index: Path, seed: int) -> dict[str, list[Pair]]:
    """Every pair by source, without what the measured splits hold."""
    held = HeldOut.of(data)
    rng = random.Random(seed)
    by_source = natural_pairs(data, open_corpus(index), seed)
    stated = [pair for source in ("fever", "fever_symmetric", "fm2", "feverous") for pair in by_source[source]]
    facts = read_facts(data / "train/trex_facts.jsonl.gz", held.subjects)
    made = [
        *numbers_changed(stated, rng),
        *denied(stated, rng),
        *trex_pairs(facts, rng),
        *graph_pairs(store, rng, each=GRAPH_PAIRS),
    ]
    for pair in made:
        by_source.setdefault(pair.source, []).append(pair)
    return {source: list(without_leaks(pairs, held)) for source, pairs in by_source.items()}


def mixed(by_source: Mapping[str, list[Pair]], seed: int, shares: Mapping[str, int] = SHARES) -> list[Pair]:
    """The mixture to learn from, shuffled."""
    rng = random.Random(seed)
    chosen = [
        pair
        for source, most in shares.items()
        for pair in rng.sample(by_source.get(source, []), min(most, len(by_source.get(source, []))))
    ]
    rng.shuffle(chosen)
    return chosen


def table(by_source: Mapping[str, list[Pair]], shares: Mapping[str, int] = SHARES) -> str:
    """How many pairs of each source there are, and of which class."""
    lines = [f"{'source':18}{'pairs':>8}{'used':>8}{'supports':>10}{'refutes':>9}{'neither':>9}"]
    for source, pairs in sorted(by_source.items(), key=lambda item: -len(item[1])):
        classes = Counter(max(range(3), key=pair.target.__getitem__) for pair in pairs)
        used = min(len(pairs), shares.get(source, 0))
        lines.append(f"{source:18}{len(pairs):8}{used:8}{classes[0]:10}{classes[1]:9}{classes[2]:9}")
    return "\n".join(lines)
