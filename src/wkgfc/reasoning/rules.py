"""The rules of evidence that every verdict must keep, whoever made it (DESIGN, "Rules of evidence").

A verdict that breaks one is asked for once more; if it breaks one again the check ends as an error.
"""

import math

from wkgfc.claim import Veracity
from wkgfc.reasoning.reasoner import Judgement
from wkgfc.state import BeliefState


def broken_rule(judgement: Judgement, state: BeliefState) -> str | None:
    """The first rule that a verdict breaks, in words, or ``None``."""
    observations = {step.observation.id for step in state.steps}
    cited = [citation for sentence in judgement.justification for citation in sentence.citations]
    unknown = [citation for citation in cited if citation not in state.evidence and citation not in observations]
    if unknown:
        return f"it cites {', '.join(unknown)}, which is not stored"
    if not judgement.justification or not all(sentence.citations for sentence in judgement.justification):
        return "a sentence of the justification cites nothing"
    if judgement.veracity is not Veracity.NOT_ENOUGH_EVIDENCE:
        if not any(citation in state.evidence for citation in cited):
            return f"{judgement.veracity} without evidence"
        broken = _unfounded(judgement, cited)
        if broken:
            return broken
    for evidence, passage in state.evidence.passages():
        if evidence.quote is not None and evidence.quote not in passage.text:
            return f"the quote of {evidence.id} is not in its text"
    total = sum(judgement.probabilities.values())
    if set(judgement.probabilities) != set(Veracity) or not math.isclose(total, 1.0, abs_tol=1e-6):
        return "its probabilities do not sum to one over the four veracities"
    if not 0.0 <= judgement.confidence <= 1.0:
        return "its confidence is no probability"
    return None


def _unfounded(judgement: Judgement, cited: list[str]) -> str | None:
    """Whether a decided verdict lacks cited evidence of its own direction: a quote that is there must also speak."""
    stances = [judgement.stances[citation] for citation in cited if citation in judgement.stances]
    supported = any(stance.supports > stance.refutes for stance in stances)
    refuted = any(stance.refutes > stance.supports for stance in stances)
    match judgement.veracity:
        case Veracity.SUPPORTED if not supported:
            return "Supported, but no cited evidence supports"
        case Veracity.REFUTED if not refuted:
            return "Refuted, but no cited evidence refutes"
        case Veracity.CONFLICTING_EVIDENCE if not (supported and refuted):
            return "Conflicting Evidence, but the cited evidence does not conflict"
    return None
