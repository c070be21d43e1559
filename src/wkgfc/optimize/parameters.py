"""The embedded policy's parameters, fitted on explored claims: seeded coordinate search for the mean reward.

A policy is replayed on what exploration kept (``exploration.py``): the way that it would have taken, its verdict and
its reward. No source is asked again. Claims about the same page or thing fall into the same part, so that the part
which is held out shares none with the claims that the parameters were fitted on.
"""

import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wkgfc.claim import Veracity
from wkgfc.evidence import Record
from wkgfc.metrics import DECIDED, Prediction, two_way_points
from wkgfc.optimize.exploration import Explored, Node
from wkgfc.optimize.reward import Reward, RewardWeights, correctness, weighed
from wkgfc.reasoning.embedded.policy import EmbeddedPolicy
from wkgfc.reasoning.embedded.texts.passages import combine_passages
from wkgfc.reasoning.embedded.verdict import Assessment
from wkgfc.reasoning.embedded.verdict import weighed as weighed_evidence

MIN_GAIN = 0.0005  # of the mean reward, for which a parameter is changed
# Standard errors over the claims that the gain must have too: with fewer it may well come from the few claims that it
# was fitted on (one-sided, 95 %).
SURE_ERRORS = 1.645
MAX_ROUNDS = 6
SURENESS = (0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95)

GRID: Mapping[tuple[str, str], tuple[Any, ...]] = {
    ("verdict", "sufficient"): SURENESS,
    ("verdict", "silent"): (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9),
    ("verdict", "anchor"): (0.0, 0.25, 0.5, 0.75, 1.0),
    ("verdict", "standing"): (0.6, 0.7, 0.8, 0.9, 1.0),
    ("verdict", "lean"): (-0.8, -0.6, -0.4, -0.2, 0.0, 0.2, 0.4, 0.6, 0.8),
    ("steering", "max_searches"): (0, 1, 2),
    ("steering", "max_expansions"): (0, 1),
    ("steering", "promising"): (0.2, 0.3, 0.4, 0.5, 0.6, 0.8),
    ("steering", "after_search"): (None, *SURENESS),
    ("passages", "sharpness"): (0.5, 1.0, 1.5, 2.0, 3.0, 4.0),
    ("passages", "trust"): (0.0, 0.25, 0.5, 0.8, 1.2, 1.6),
}


class Outcome(Record):
    """What a policy does with a claim: its way, verdict, reward and what it used."""

    id: str
    gold: Veracity
    way: str
    veracity: Veracity | None
    probabilities: dict[Veracity, float] = {}
    reward: Reward
    kg_queries: int = 0
    searches: int = 0

    @property
    def prediction(self) -> Prediction:
        """As the scores take it."""
        return Prediction(gold=self.gold, veracity=self.veracity, probabilities=self.probabilities or None)


def replay(policy: EmbeddedPolicy, explored: Explored, weights: RewardWeights | None = None) -> Outcome:
    """What a policy would have done with a claim. It decides as ``EmbeddedReasoner.decide`` does."""
    if not explored.nodes:
        parts = dict.fromkeys(RewardWeights.model_fields, 0.0)
        return Outcome(id=explored.id, gold=explored.gold, way="", veracity=None, reward=weighed(parts, weights))
    way, steering = "I", policy.steering
    while True:
        node = explored.nodes[way]
        probabilities = _probabilities(policy, node)
        likeliest = Assessment((), node.kg, node.kg, probabilities)
        if len(way) + 1 >= explored.max_steps or likeliest.decided >= policy.sufficient(is_after_search="S" in way):
            break
        may_expand = "S" not in way and way.count("E") < steering.max_expansions and node.promise >= steering.promising
        if may_expand and f"{way}E" in explored.nodes:
            way += "E"
        elif way.count("S") < steering.max_searches and f"{way}S" in explored.nodes:
            way += "S"
        else:
            break
    end = node.ends[likeliest.veracity]
    prediction = Prediction(gold=explored.gold, veracity=end.veracity, probabilities=probabilities)
    parts = end.reward.model_dump(exclude={"total"})
    parts["correctness"] = correctness(end.veracity is explored.gold, two_way_points(prediction))
    return Outcome(
        id=explored.id,
        gold=explored.gold,
        way=way,
        veracity=end.veracity,
        probabilities=probabilities,
        reward=weighed(parts, weights),
        kg_queries=node.usage.kg_queries,
        searches=node.usage.web_searches,
    )


def _probabilities(policy: EmbeddedPolicy, node: Node) -> dict[Veracity, float]:
    text = combine_passages(node.graded, policy.passages) if node.graded else None
    return weighed_evidence(node.kg, text, node.failures, policy.verdict, node.against, is_open=node.is_open)[1]


@dataclass(frozen=True)
class Change:
    """A parameter that was changed in the search, and the mean reward on the claims that it was fitted on after it."""

    part: str
    name: str
    before: Any
    after: Any
    reward: float


def fit(
    explored: Sequence[Explored],
    *,
    seed: int = 0,
    start: EmbeddedPolicy | None = None,
    weights: RewardWeights | None = None,
    told: Callable[[Change], None] | None = None,
) -> tuple[EmbeddedPolicy, tuple[Change, ...]]:
    """The parameters with the best mean reward that coordinate search finds, and the changes that led there.

    One parameter after the other, in an order drawn anew each round, takes the value of its grid that gives the best
    reward, if that gains ``MIN_GAIN`` and ``SURE_ERRORS`` standard errors; of values that give the same the first. It
    ends with a round without a change.
    """
    policy, changes = start or EmbeddedPolicy(), list[Change]()
    best, generator = _rewards(policy, explored, weights), random.Random(seed)
    for _ in range(MAX_ROUNDS):
        order, changed = list(GRID), False
        generator.shuffle(order)
        for part, name in order:
            before = getattr(getattr(policy, part), name)
            candidates = [policy.having({part: {name: value}}) for value in GRID[part, name] if value != before]
            rewards = [_rewards(candidate, explored, weights) for candidate in candidates]
            place = int(np.argmax([each.mean() for each in rewards]))
            if _is_sure(rewards[place] - best):
                policy, best, changed = candidates[place], rewards[place], True
                changes.append(Change(part, name, before, getattr(getattr(policy, part), name), float(best.mean())))
                if told:
                    told(changes[-1])
        if not changed:
            break
    return policy, tuple(changes)


def _rewards(
    policy: EmbeddedPolicy, explored: Sequence[Explored], weights: RewardWeights | None
) -> NDArray[np.float64]:
    return np.array([replay(policy, each, weights).reward.total for each in explored])


def _is_sure(gains: NDArray[np.float64]) -> bool:
    """Whether what is gained on each claim is a gain of the policy, and not of these few claims."""
    error = float(gains.std(ddof=1)) / math.sqrt(len(gains)) if len(gains) > 1 else 0.0
    return float(gains.mean()) >= max(MIN_GAIN, SURE_ERRORS * error)


def split(explored: Sequence[Explored], held_out: float, *, seed: int = 0) -> tuple[list[Explored], list[Explored]]:
    """The claims to fit on and those held out, about a share ``held_out``; claims about the same stay together."""
    group = {key: key for key in map(_key, explored)}

    def root(key: tuple[str, str]) -> tuple[str, str]:
        while group[key] != key:
            key = group[key]
        return key

    first: dict[str, tuple[str, str]] = {}
    for each in explored:
        for mark in each.about:
            group[root(_key(each))] = root(first.setdefault(mark, _key(each)))
    groups: dict[tuple[str, str], list[Explored]] = {}
    for each in explored:
        groups.setdefault(root(_key(each)), []).append(each)
    names = sorted(groups)
    random.Random(seed).shuffle(names)
    held: list[Explored] = []
    fitted: list[Explored] = []
    for name in names:
        (held if len(held) < held_out * len(explored) else fitted).extend(groups[name])
    return fitted, held


def _key(explored: Explored) -> tuple[str, str]:
    return explored.source, explored.id


class Figure(Record):
    """A mean before and after, and their difference with its interval (paired bootstrap over claims)."""

    before: float
    after: float
    difference: float
    low: float
    high: float

    @property
    def share(self) -> float | None:
        """The difference as a share of what it was before; ``None`` where that was nothing."""
        return self.difference / self.before if self.before else None


def compared(
    before: Sequence[Outcome], after: Sequence[Outcome], *, samples: int = 1000, seed: int = 0
) -> dict[str, Figure]:
    """Reward, forced balanced accuracy, queries, searches and steps of two policies on the same claims.

    A step is a retrieval or the verdict; a claim that is not checked has none. A figure that no claim counts in is left
    out.
    """
    measures: dict[str, Callable[[Sequence[Outcome]], _Measure]] = {
        "reward": lambda rows: _mean([row.reward.total for row in rows]),
        "forced balanced accuracy": _balanced,
        "stated right": lambda rows: _mean([row.veracity is row.gold for row in rows]),
        "KG queries": lambda rows: _mean([row.kg_queries for row in rows]),
        "searches": lambda rows: _mean([row.searches for row in rows]),
        "steps": lambda rows: _mean([len(row.way) + bool(row.way) for row in rows]),
    }
    draws = np.random.default_rng(seed).integers(len(before), size=(samples, len(before)))
    once = np.ones((1, len(before)))
    drawn = np.array([np.bincount(draw, minlength=len(before)) for draw in draws], dtype=float)
    figures = {}
    for name, measure in measures.items():
        of_before, of_after = measure(before), measure(after)
        first, second = float(of_before(once)[0]), float(of_after(once)[0])
        if math.isnan(first):
            continue
        low, high = np.nanquantile(of_after(drawn) - of_before(drawn), [0.025, 0.975])
        figures[name] = Figure(before=first, after=second, difference=second - first, low=float(low), high=float(high))
    return figures


# A mean over claims as a function of how often each of them is taken: a row of counts a sample, a value for each row.
_Counts = NDArray[np.float64]
_Measure = Callable[[_Counts], _Counts]


def _mean(values: Sequence[float]) -> _Measure:
    measured = np.asarray(values, dtype=float)

    def mean(counts: _Counts) -> _Counts:
        return np.asarray(counts @ measured / counts.sum(axis=1))

    return mean


def _balanced(rows: Sequence[Outcome]) -> _Measure:
    """The two-way score as a balanced accuracy (``metrics.two_way_balanced``); nothing where no claim counts in it."""
    points = [two_way_points(row.prediction) for row in rows]
    measured = np.array([0.0 if point is None else point for point in points])
    classes = [np.array([float(row.gold is gold) for row in rows]) for gold in DECIDED]

    def balanced(counts: _Counts) -> _Counts:
        with np.errstate(invalid="ignore"):
            means = np.array([(counts @ (of * measured)) / (counts @ of) for of in classes])
        known = ~np.isnan(means)
        total = np.where(known, means, 0.0).sum(axis=0)
        number = known.sum(axis=0)
        return np.where(number > 0, total / np.maximum(number, 1), np.nan)

    return balanced
