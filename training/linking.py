"""Learn the weights with which entity linking chooses between the candidates of a mention.

    python training/linking.py --claims fever_dev.jsonl.gz --facts trex_facts.jsonl.gz --kg STORE

Learns from one half of the claims with ``meta.items`` (the other half is kept for benchmarks/linking.py) and from
sentences of T-REx, whose subjects and objects are items. In some sentences a person's full name is replaced by the last
word of it, where that word is chiefly that person's, because sentences that stand alone name people in full and claims
do not always.

The model is a conditional logit with "none of them" as one more choice. Every mention with a gold candidate is used
twice: as it is, and, with the weight ``NONE``, without the gold candidate, when none is right. Prints the weights that
``kg.weighing.Weights`` has as its defaults, and how they do on sentences that were not learned from.
"""

import argparse
import asyncio
import gzip
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track
from scipy.optimize import minimize  # type: ignore[import-untyped]

from wkgfc.claim import Claim
from wkgfc.datasets import read_claims
from wkgfc.kg.graph import Neighbour
from wkgfc.kg.linking import look_up, worth_asking
from wkgfc.kg.names import MATCH_ALIAS_FOLDED
from wkgfc.kg.store import EmbeddedStore, open_store
from wkgfc.kg.weighing import HUMAN, Features, LookUp, Weights, features_of
from wkgfc.state import Found

SPLIT_SEED = 7  # of benchmarks/linking.py
NONE = 0.2  # how often a mention names what the graph lacks, against how often it names what is there
LONGEST = 260  # characters of a sentence that may pass for a claim
SHORTENED = 0.6  # of the people who are known by their last word, the share that is called so
RIDGE = 1e-3

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Text:
    """A sentence and the items that it is known to name."""

    text: str
    items: frozenset[str]


@dataclass(frozen=True)
class Example:
    """A mention's candidates by their features, with and without the gold one, whose place is ``gold``."""

    features: Floats
    without: Floats
    gold: int


def main() -> None:
    """Read the arguments, gather the features, fit, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--claims", type=Path, required=True)
    parser.add_argument("--facts", type=Path, required=True)
    parser.add_argument("--kg", type=Path, required=True, help="PATH of a store")
    parser.add_argument("--sentences", type=int, default=2_000, help="sentences of T-REx to learn from")
    parser.add_argument("--held-out", type=int, default=1_000, help="sentences of T-REx to measure on")
    arguments = parser.parse_args()

    store = open_store(arguments.kg)
    rng = random.Random(SPLIT_SEED)
    claims = [Text(row.claim, frozenset(row.meta["items"])) for row in read_claims(arguments.claims)
              if row.meta.get("items")]  # fmt: skip
    rng.shuffle(claims)
    facts = list(asyncio.run(_sentences(arguments.facts, store, rng)))
    rng.shuffle(facts)
    learned = _examples([*claims[: len(claims) // 2], *facts[: arguments.sentences]], store)
    held_out = _examples(facts[arguments.sentences :][: arguments.held_out], store)
    weights = _fit(learned)
    for name, value in zip((*Features._fields, "none"), weights, strict=True):
        print(f"    {name}: float = {value:.1f}")
    for name, examples in (("learned from", learned), ("held out", held_out)):
        print(f"{name}: {_report(weights, examples)}")


async def _sentences(facts: Path, store: EmbeddedStore, rng: random.Random) -> Iterator[Text]:
    texts: list[Text] = []
    with gzip.open(facts, "rt", encoding="utf-8") as lines:
        for line in lines:
            row: dict[str, Any] = json.loads(line)
            text, label = row["sentences"][0], row["sub_label"]
            if len(text) > LONGEST:
                continue
            words = label.split()
            if 2 <= len(words) <= 4 and label in text and await _is_known_as(words[-1], row["sub_uri"], store):
                text = text.replace(label, words[-1]) if rng.random() < SHORTENED else text
            texts.append(Text(text, frozenset({row["sub_uri"], row["obj_uri"]})))
    return iter(texts)


async def _is_known_as(word: str, person: str, store: EmbeddedStore) -> bool:
    """Whether ``word`` is chiefly that person's name, of all whose names end so."""
    answer = await store.candidates(word, 40)
    parts = [c for c in answer.items if c.match < MATCH_ALIAS_FOLDED] if isinstance(answer, Found) else []
    mine = sum(c.links for c in parts if c.entity.id == person)
    if mine <= 0.4 * sum(c.links for c in parts):
        return False
    near = await store.neighbours([person])
    return isinstance(near, Found) and any(n.other.label.casefold() == HUMAN for n in near.items)


def _examples(texts: Sequence[Text], store: EmbeddedStore) -> list[Example]:
    return [
        example
        for text in track(texts, "linking", console=Console(stderr=True), transient=True)
        for example in asyncio.run(_examples_of(text, store))
    ]


async def _examples_of(text: Text, store: EmbeddedStore) -> list[Example]:
    claim = Claim(text=text.text)
    met, _, _ = await look_up(claim, store)
    surroundings: Sequence[Neighbour] = ()
    if ids := worth_asking(met):
        answer = await store.neighbours(ids)
        surroundings = answer.items if isinstance(answer, Found) else ()
    features = features_of(claim, met, surroundings)
    examples: list[Example] = []
    for index, looked in enumerate(met):
        gold = next((i for i, c in enumerate(looked.candidates) if c.entity.id in text.items), None)
        if gold is None:
            continue
        others = LookUp(looked.span, tuple(c for i, c in enumerate(looked.candidates) if i != gold))
        without = features_of(claim, [*met[:index], others, *met[index + 1 :]], surroundings)[index]
        examples.append(Example(np.array(features[index]), np.array(without).reshape(-1, len(Features._fields)), gold))
    return examples


def _fit(examples: Sequence[Example]) -> Floats:
    """The weights of the features, and last the utility of "none"."""
    most = max(len(example.features) for example in examples)
    choices = [(_padded(e.features, most), e.gold, 1.0) for e in examples]
    choices += [(_padded(e.without, most), most, NONE) for e in examples]
    rows = np.stack([row for row, _, _ in choices])
    right = rows[np.arange(len(rows)), [place for _, place, _ in choices]]
    importance = np.array([weight for _, _, weight in choices])

    def loss(weights: Floats) -> tuple[float, Floats]:
        utilities = rows[:, :, :-1] @ weights - 1e9 * rows[:, :, -1]
        shares = np.exp(utilities - utilities.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        highest = utilities.max(axis=1)
        logs = highest + np.log(np.exp(utilities - highest[:, None]).sum(axis=1)) - right[:, :-1] @ weights
        slope = importance @ (np.einsum("ij,ijk->ik", shares, rows[:, :, :-1]) - right[:, :-1])
        value = float(importance @ logs) / len(examples) + 0.5 * RIDGE * float(weights @ weights)
        return value, slope / len(examples) + RIDGE * weights

    fitted: Floats = minimize(loss, np.zeros(len(Features._fields) + 1), jac=True, method="L-BFGS-B").x
    return fitted


def _padded(features: Floats, most: int) -> Floats:
    """``most`` rows of candidates and one of "none". Of the two more columns, the last marks padding."""
    columns = len(Features._fields)
    rows = np.zeros((most + 1, columns + 2))
    rows[: len(features), :columns] = features
    rows[len(features) : most, -1] = 1.0
    rows[most, columns] = 1.0
    return rows


def _report(weights: Floats, examples: Sequence[Example]) -> dict[str, float]:
    right = kept = rejected = 0
    for example in examples:
        utilities = example.features @ weights[:-1]
        right += int(utilities.argmax() == example.gold)
        kept += int(utilities.argmax() == example.gold and utilities.max() > weights[-1])
        rejected += int(not len(example.without) or (example.without @ weights[:-1]).max() < weights[-1])
    count = len(examples)
    return {
        "mentions": count,
        "gold comes first": round(right / count, 4),
        "gold comes first and before none": round(kept / count, 4),
        "without the gold one, none comes first": round(rejected / count, 4),
        "now: gold comes first": round(
            sum(int((e.features @ _now()[:-1]).argmax() == e.gold) for e in examples) / count, 4
        ),
    }


def _now() -> Floats:
    return np.array([getattr(Weights(), name) for name in (*Features._fields, "none")])


if __name__ == "__main__":
    main()
