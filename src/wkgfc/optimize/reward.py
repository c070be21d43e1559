"""How good an episode was (paper, section 4.4): five parts from 0 to 1, their weighed mean, and each step's share.

The paper names correctness, sufficiency of the evidence and efficiency, and that contradictions be handled, not
removed; how they are counted and what they weigh is ours:

* correctness: half for the stated veracity, half for the forced choice between Supported and Refuted (the two-way
  points), as far as the label is one of them. Without a verdict 0.
* sufficiency: how far the evidence at hand decides for the label: the probability that one piece of its side is right,
  by the stances that the verifier or the model gave, each weighed by its consistency; the mean of that and the share of
  the set's own evidence that was gathered, where it names some. For Not Enough Evidence: that nothing decides.
* citations: of what a decided verdict cites, the share that leans to its side. For Not Enough Evidence whether it cites
  what was done. Without a verdict 0.
* efficiency: half for the share of the retrievals that brought something new, half for what was spent (``spent``).
* contradictions: 1 where none was there and none was claimed; where one was, whether the verdict was right.

``step_rewards`` gives the final reward back to the steps: a step gets ``RETURNED`` of the reward, discounted by
``DISCOUNT`` for each step between it and the end, and for the rest what it did itself: 1 where it brought evidence
that the verdict cites, 0.5 where it brought something new or failed, 0 where it brought nothing; the verdict its
correctness.
"""

from collections.abc import Mapping
from math import prod

from pydantic import Field

from wkgfc.claim import Veracity
from wkgfc.config import Settings
from wkgfc.errors import NotConfigured
from wkgfc.evidence import Record
from wkgfc.optimize.episodes import SIDES, Episode, leaning, weight_of
from wkgfc.usage import Usage

RETURNED = 0.7  # of a step's reward: the share that comes from the end of the episode
DISCOUNT = 0.9  # for each step further from the end
# What a retrieval costs beside a query of the graph, and what counts as all that one may spend: two searches, a first
# retrieval of four hops and a further one in either way of counting queries.
SEARCH_COST, CALL_COST, FULL_COST = 4.0, 1.0, 60.0


class RewardWeights(Record):
    """What each part weighs in the whole. Only their ratios matter."""

    correctness: float = Field(0.5, ge=0)
    sufficiency: float = Field(0.2, ge=0)
    citations: float = Field(0.1, ge=0)
    efficiency: float = Field(0.15, ge=0)
    contradictions: float = Field(0.05, ge=0)


def weights_of(settings: Settings) -> RewardWeights:
    """The weights that the settings give (``reward_correctness`` and so on).

    Raises:
        NotConfigured: all of them are 0.
    """
    weights = RewardWeights(**{name: getattr(settings, f"reward_{name}") for name in RewardWeights.model_fields})
    if not any(weights.model_dump().values()):
        raise NotConfigured("all reward_… settings are 0, so that nothing would be worth anything: raise one")
    return weights


class Reward(Record):
    """The parts, each in [0, 1], and the whole, which is in [0, 1] too."""

    correctness: float = Field(ge=0, le=1)
    sufficiency: float = Field(ge=0, le=1)
    citations: float = Field(ge=0, le=1)
    efficiency: float = Field(ge=0, le=1)
    contradictions: float = Field(ge=0, le=1)
    total: float = Field(ge=0, le=1)


def reward_of(episode: Episode, weights: RewardWeights | None = None) -> Reward:
    """The reward of a whole episode."""
    return weighed(
        {
            "correctness": correctness(episode.is_right, episode.points, has_verdict=_has_verdict(episode)),
            "sufficiency": sufficiency(episode),
            "citations": citation_quality(episode),
            "efficiency": efficiency(
                retrievals=sum(step.action.name != "verdict" for step in episode.steps),
                redundant=len(episode.redundant_steps()),
                usage=episode.result.usage,
            ),
            "contradictions": contradictions(episode),
        },
        weights,
    )


def weighed(parts: Mapping[str, float], weights: RewardWeights | None = None) -> Reward:
    """The parts with their weighed mean. Where all weights are 0 it is 0."""
    shares = (weights or RewardWeights()).model_dump()
    total = sum(shares.values())
    mean = sum(shares[name] * value for name, value in parts.items()) / total if total else 0.0
    return Reward(**parts, total=min(1.0, mean))


def correctness(is_right: bool, points: float | None, *, has_verdict: bool = True) -> float:
    """Half for the stated veracity, half for the forced choice, where the label allows one."""
    if not has_verdict:
        return 0.0
    return float(is_right) if points is None else (float(is_right) + points) / 2


def sufficiency(episode: Episode) -> float:
    """How far the evidence decides for the label."""
    decides = decidedness(episode)
    if (side := SIDES.get(episode.gold)) is not None:
        strength = decides[side]
    elif episode.gold is Veracity.CONFLICTING_EVIDENCE:
        strength = min(decides.values())
    else:
        strength = 1.0 - max(decides.values())
    share = episode.found.share
    return strength if share is None or episode.gold is Veracity.NOT_ENOUGH_EVIDENCE else (strength + share) / 2


def decidedness(episode: Episode) -> dict[str, float]:
    """For each side, the probability that one piece of evidence on it is right. Pieces of one page are one text."""
    found = {}
    for side in SIDES.values():
        strongest: dict[str, float] = {}
        for piece in episode.result.evidence:
            if leaning(piece.stance) == side:
                text = piece.url or piece.id
                strength = getattr(piece.stance, side) * weight_of(piece)
                strongest[text] = max(strongest.get(text, 0.0), strength)
        found[str(side)] = 1.0 - prod(1.0 - each for each in strongest.values())
    return found


def citation_quality(episode: Episode) -> float:
    """The share of the cited evidence that leans to the side of the verdict."""
    veracity, evidence = episode.result.veracity, episode.evidence
    if veracity is None or not episode.cited:
        return 0.0
    if veracity is Veracity.NOT_ENOUGH_EVIDENCE:
        return 1.0
    leanings = [leaning(evidence[each].stance) for each in episode.cited if each in evidence]
    if not leanings:
        return 0.0
    if veracity is Veracity.CONFLICTING_EVIDENCE:
        return len({each for each in leanings if each}) / 2
    return sum(each == SIDES[veracity] for each in leanings) / len(leanings)


def efficiency(*, retrievals: int, redundant: int, usage: Usage) -> float:
    """Half for retrievals that brought something new, half for what was not spent."""
    useful = 1.0 - redundant / retrievals if retrievals else 1.0
    return (useful + 1.0 - spent(usage)) / 2


def spent(usage: Usage) -> float:
    """What was spent, as a share of ``FULL_COST``: queries of the graph, searches and calls of a model."""
    cost = usage.kg_queries + SEARCH_COST * usage.web_searches + CALL_COST * usage.llm_calls
    return min(1.0, cost / FULL_COST)


def contradictions(episode: Episode) -> float:
    """Whether contradictory evidence was handled as such."""
    says_so = episode.result.veracity is Veracity.CONFLICTING_EVIDENCE
    if episode.gold is Veracity.CONFLICTING_EVIDENCE:
        return float(says_so)
    if says_so:
        return 0.0
    return float(episode.is_right) if episode.result.contradictions else 1.0


def step_rewards(episode: Episode, reward: Reward) -> tuple[float, ...]:
    """The reward of each step, in [0, 1], by the rule at the top."""
    new = {step.number: ids for step, ids in episode.new_evidence()}
    last = len(episode.steps)
    rewards = []
    for place, step in enumerate(episode.steps, start=1):
        if step.action.name == "verdict":
            own = reward.correctness
        elif step.observation.outcome == "failed":
            own = 0.5
        else:
            ids = new[step.number]
            own = 1.0 if episode.cited & {*ids} else 0.5 if ids else 0.0
        rewards.append(RETURNED * reward.total * DISCOUNT ** (last - place) + (1.0 - RETURNED) * own)
    return tuple(rewards)


def _has_verdict(episode: Episode) -> bool:
    return episode.result.veracity is not None
