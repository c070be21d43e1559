"""What a rule of the embedded reasoner found: a stance, the evidence behind it, and a sentence that says it."""

from dataclasses import dataclass

from wkgfc.evidence import Stance


@dataclass(frozen=True)
class Finding:
    """One judgement over one or several pieces of evidence.

    ``kind`` names the rule (``relation``, ``comparison``, ``counting``, ``superlative`` …). ``stance`` is how far it
    speaks for or against the claim. ``evidence_ids`` are the ids of the stored evidence that it rests on and are
    never empty. ``sentence`` says the finding with the values that decide it. ``strength`` is in [0, 1]: how far
    the rule can be relied on in this case, 1 where nothing but an error in the source could make it wrong.
    ``is_open``: the values that tell are at hand, and fit the claim without bearing it out.
    """

    kind: str
    stance: Stance
    evidence_ids: tuple[str, ...]
    sentence: str
    strength: float
    is_open: bool = False


def decided(holds: bool) -> Stance:
    """The stance of a rule that decided from values: nothing but an error of the source could make it wrong."""
    if holds:
        return Stance(supports=0.96, refutes=0.02, neither=0.02)
    return Stance(supports=0.02, refutes=0.96, neither=0.02)
