"""What the shipped verifier learns next: gold evidence anew, and by rule what it was seen to get wrong."""

import random
from collections.abc import Mapping
from pathlib import Path

from training.verifier.company import among_strangers, several_pairs, strangers
from training.verifier.edits import denied, numbers_changed
from training.verifier.graph import graph_pairs
from training.verifier.leakage import HeldOut, without_leaks
from training.verifier.measured import measured_pairs
from training.verifier.names import Names
from training.verifier.pair import NEITHER, Pair
from training.verifier.sources import natural_pairs, passage_titles, silent
from training.verifier.trex import read_facts, trex_pairs
from training.verifier.worded import worded_pairs
from wkgfc.datasets import read_claims
from wkgfc.web.corpus import open_corpus

SHARES: Mapping[str, int] = {  # at most so many pairs of each source
    "fever": 9_300,
    "fever_joined": 1_000,
    "fever_among": 1_500,
    "fever_retrieved": 2_000,
    "fever_silent": 1_000,
    "fm2": 1_169,
    "fm2_again": 1_169,
    "fm2_joined": 700,
    "fm2_among": 500,
    "fm2_retrieved": 400,
    "fm2_searched": 250,
    "fever_symmetric": 1_394,
    "feverous": 1_000,
    "climate_fever": 600,
    "cad_snli": 1_200,
    "conjnli": 1_200,
    "denied": 1_000,
    "number_changed": 700,
    "trex": 700,
    "statement": 500,
    "time": 600,
    "quantity": 400,
    "term": 300,
    "namesake": 128,
    "negation": 700,
    "roles": 700,
    "superlative": 450,
    "scope": 450,
    "speech": 300,
    "plan": 300,
    "conjunction": 300,
    "unit": 700,
    "rounding": 300,
    "order": 500,
    "precision": 400,
    "several": 700,
    "rules_among": 600,
}
EACH = 800  # made of each rule before the shares
AMONG = 2_000  # pairs that are set among sentences of other pages


def further_pairs(data: Path, store: Path, index: Path, unseen: set[str], seed: int) -> dict[str, list[Pair]]:
    """Every pair by source, without what the measured splits hold and without the claims ``unseen``.

    What is made from claims (denied, with another number) is made of the others alone.
    """
    held = HeldOut.of(data)
    rng = random.Random(seed)
    corpus = open_corpus(index)
    by_source = {
        source: [pair for pair in without_leaks(pairs, held) if pair.claim not in unseen]
        for source, pairs in natural_pairs(data, corpus, seed).items()
    }
    stated = [pair for source in ("fever", "fever_symmetric", "fm2", "feverous") for pair in by_source[source]]
    titles = passage_titles(data / "corpus/passages.jsonl.gz")
    others = strangers(text for text, title in titles.items() if not held.has_page(title))
    others = rng.sample(others, min(20_000, len(others)))
    names = Names.of(store, rng)
    ruled = [
        *worded_pairs(names, rng, each=EACH),
        *measured_pairs(names, rng, each=EACH),
        *several_pairs(names, rng, number=EACH),
    ]
    made = [
        *silent(read_claims(data / "claims/fever_dev.jsonl.gz"), corpus),
        *numbers_changed(stated, rng),
        *denied(stated, rng),
        *trex_pairs(read_facts(data / "train/trex_facts.jsonl.gz", held.subjects), rng),
        *graph_pairs(store, rng, each=AMONG),
        *(Pair(p.title, p.text, p.claim, p.target, "fm2_again") for p in by_source["fm2"]),
        *among_strangers(_some(by_source["fever"], rng), others, rng, "fever_among"),
        *among_strangers(_some(by_source["fm2"], rng), others, rng, "fm2_among"),
        *among_strangers(_some(ruled, rng), others, rng, "rules_among"),
        *ruled,
    ]
    for pair in without_leaks(made, held):
        if pair.claim not in unseen:
            by_source.setdefault(pair.source, []).append(pair)
    return by_source


def _some(pairs: list[Pair], rng: random.Random) -> list[Pair]:
    decided = [pair for pair in pairs if pair.target != NEITHER]
    return rng.sample(decided, min(AMONG, len(decided)))
