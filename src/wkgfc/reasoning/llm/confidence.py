"""From a judge's verdict and the evidence behind it to probabilities: computed, never the model's own number.

Two things are mixed. What the evidence says by itself: for each side the probability that at least one independent text
is right in speaking for it, a statement of the knowledge graph being relied on more than a web page. And what the judge
says: its verdict, or the shares of several votes. ``confidence.json`` has the parameters, and ``docs/reasoners.md``
says what they are worth.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Literal

from pydantic import Field

from wkgfc.claim import Veracity
from wkgfc.evidence import Evidence, Record, Stance, Triple

Side = Literal["supports", "refutes"]


class ConfidenceParameters(Record):
    """``judge``: the weight of what the judge says against what the evidence says by itself.

    ``anchor`` and ``page``: how far a statement of the knowledge graph and a web page can be relied on. ``silent``: the
    probability of Not Enough Evidence where nothing speaks: the claim may still be either. ``failure_cost``: the share
    of certainty that each failed source takes.
    """

    judge: float = Field(ge=0, le=1)
    anchor: float = Field(ge=0, le=1)
    page: float = Field(ge=0, le=1)
    silent: float = Field(ge=0, le=1)
    failure_cost: float = Field(ge=0, le=1)


@lru_cache(maxsize=1)
def load_confidence_parameters() -> ConfidenceParameters:
    """Those that ship."""
    text = (files(__package__) / "confidence.json").read_text(encoding="utf-8")
    return ConfidenceParameters.model_validate_json(text)


def stance_of_part(evidence: Iterable[Evidence], stances: Mapping[str, Stance]) -> Stance:
    """What pieces of evidence, each with its stance, say together of one statement."""
    pieces, parameters = list(evidence), load_confidence_parameters()
    return _opposed(_side(pieces, stances, "supports", parameters), _side(pieces, stances, "refutes", parameters))


def _side(
    evidence: Sequence[Evidence], stances: Mapping[str, Stance], side: Side, parameters: ConfidenceParameters
) -> float:
    """The probability that at least one independent text is right in speaking for a side."""
    strongest: dict[str, float] = {}
    for piece in evidence:
        stance = stances.get(piece.id)
        if stance is None:
            continue
        is_anchor = isinstance(piece.content, Triple) and piece.from_passage is None
        strength: float = getattr(stance, side) * (parameters.anchor if is_anchor else parameters.page)
        strongest[piece.text_id] = max(strongest.get(piece.text_id, 0.0), strength)
    return 1.0 - math.prod(1.0 - strength for strength in strongest.values())


def together(parts: Sequence[Stance]) -> Stance:
    """A claim from its statements: supported only if each is, refuted as soon as one is."""
    return _opposed(
        math.prod(part.supports for part in parts) if parts else 0.0,
        1.0 - math.prod(1.0 - part.refutes for part in parts),
    )


def _opposed(supports: float, refutes: float) -> Stance:
    supported, refuted = supports * (1.0 - refutes), refutes * (1.0 - supports)
    return Stance(supports=supported, refutes=refuted, neither=max(0.0, 1.0 - supported - refuted))


def probabilities_of(votes: Mapping[Veracity, float], said: Stance, failures: int) -> dict[Veracity, float]:
    """The probabilities of the four veracities, which sum to one.

    ``votes`` are the judge's: the share of each veracity, a single verdict being a share of one. ``said`` is what the
    evidence says by itself, ``failures`` how many sources failed.
    """
    parameters = load_confidence_parameters()
    unsure = {
        Veracity.NOT_ENOUGH_EVIDENCE: parameters.silent,
        Veracity.SUPPORTED: (1.0 - parameters.silent) / 2,
        Veracity.REFUTED: (1.0 - parameters.silent) / 2,
        Veracity.CONFLICTING_EVIDENCE: 0.0,
    }
    total = sum(votes.values()) or 1.0
    judged = dict.fromkeys(Veracity, 0.0)
    for veracity, share in votes.items():
        if veracity is Veracity.NOT_ENOUGH_EVIDENCE:
            for each, probability in unsure.items():
                judged[each] += share / total * probability
        else:
            judged[veracity] += share / total
    spoken = {Veracity.SUPPORTED: said.supports, Veracity.REFUTED: said.refutes}
    mixed = {
        each: parameters.judge * judged[each]
        + (1.0 - parameters.judge) * (spoken.get(each, 0.0) + said.neither * unsure[each])
        for each in Veracity
    }
    certainty = (1.0 - parameters.failure_cost) ** failures
    kept = {each: probability * certainty for each, probability in mixed.items()}
    kept[Veracity.NOT_ENOUGH_EVIDENCE] += (1.0 - certainty) * sum(mixed.values())
    scale = sum(kept.values())
    return {each: kept[each] / scale for each in Veracity}
