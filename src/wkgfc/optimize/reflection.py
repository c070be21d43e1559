"""What went wrong in an episode (paper, section 4.4): the kind of mistake, the step to blame, the advice.

A critique is checked against the episode: the step must exist and must be able to have made that mistake. The rules
make one without a model; ``model_reflection.py`` asks one, and falls back on them.
"""

from typing import Literal, get_args

from pydantic import Field

from wkgfc.claim import Veracity
from wkgfc.evidence import Record
from wkgfc.optimize.episodes import SIDES, Episode, leaning
from wkgfc.state import Step

Kind = Literal[
    "insufficient_coverage",
    "premature_stop",
    "redundant_expansion",
    "mishandled_contradiction",
    "wrong_linking",
    "wrong_grading",
    "none",
]
KINDS: tuple[Kind, ...] = get_args(Kind)
RULES = "rules"

ADVICE: dict[Kind, str] = {
    "insufficient_coverage": "Ask for what is still missing in other words, by the names that the claim uses.",
    "premature_stop": "Do not conclude while a source that could settle the claim has not been asked.",
    "redundant_expansion": "Do not look further where the last look brought nothing new.",
    "mishandled_contradiction": "Where evidence contradicts, weigh both sides by their sources and say so.",
    "wrong_linking": "Begin with the entities that the claim means, not with others of the same name.",
    "wrong_grading": "Read whether a passage speaks of what the claim says before it counts for a side.",
    "none": "",
}


class Critique(Record):
    """``step`` is the number of the blamed step, ``None`` where nothing went wrong; ``critic`` says who found it."""

    kind: Kind
    step: int | None = None
    reason: str = Field(max_length=600)
    advice: str = Field(max_length=600)
    critic: str


def complaint_about(critique: Critique, episode: Episode) -> str | None:
    """Why a critique cannot be right, in words that its writer can act on; ``None`` where it can."""
    if critique.kind == "none":
        if critique.step is not None:
            return "“none” blames no step"
        return None if episode.is_right else f"the verdict was wrong (the label is {episode.gold}), so something was"
    if not episode.steps:
        return (
            "the check ended before its first step: the kind is “insufficient_coverage”, without a step"
            if (critique.kind != "insufficient_coverage" or critique.step is not None)
            else None
        )
    step = next((each for each in episode.steps if each.number == critique.step), None)
    if step is None:
        return f"there is no step {critique.step}: the steps are 1 to {len(episode.steps)}"
    return _unfitting(critique.kind, step, episode)


def _unfitting(kind: Kind, step: Step, episode: Episode) -> str | None:
    """Why a step cannot have made a mistake of a kind."""
    action = step.action.name
    if kind == "redundant_expansion":
        redundant = [each.number for each in episode.redundant_steps()]
        if step.number not in redundant:
            return f"step {step.number} was not redundant; those that brought nothing new are {redundant or 'none'}"
        return None
    if kind in ("mishandled_contradiction", "premature_stop") and action != "verdict":
        return f"“{kind}” is a mistake of the verdict, and step {step.number} is {action}"
    if episode.is_right:
        return f"the verdict was right, so there was no “{kind}”: it is “redundant_expansion” or “none”"
    match kind:
        case "premature_stop" if episode.result.stop_reason != "verdict":
            return "a limit ended the retrieval, not the policy"
        case "mishandled_contradiction" if not has_contradiction(episode):
            return "no evidence contradicts other evidence"
        case "wrong_linking" if action != "initKGRetrieval":
            return f"entities are linked by initKGRetrieval, and step {step.number} is {action}"
        case "wrong_linking" if episode.found.entities == 1.0:
            return "every entity that the claim needs was linked"
        case "wrong_grading" if not _misgraded(episode, step):
            return f"step {step.number} brought nothing that stands against the label or is silent on it"
        case "insufficient_coverage" if action == "verdict":
            return "coverage is a matter of the retrievals: blame one of them"
    return None


def has_contradiction(episode: Episode) -> bool:
    """Whether evidence of both sides was there, or is claimed or labelled to be."""
    sides = {leaning(piece.stance) for piece in episode.result.evidence} - {None}
    conflict = Veracity.CONFLICTING_EVIDENCE
    return bool(episode.result.contradictions or len(sides) > 1 or conflict in (episode.gold, episode.result.veracity))


def critique_by_rules(episode: Episode) -> Critique:
    """The critique that needs no model. It always passes ``complaint_about``.

    A right verdict is blamed for its first redundant step, if it has one. A wrong one, in this order: evidence of both
    sides was there; the entities were not those of the set; what the set needs was found and read wrongly, or evidence
    stands against the label; the web was not asked though it could have been; what was needed was not found.
    """
    if episode.is_right:
        redundant = episode.redundant_steps()
        if redundant:
            return _critique("redundant_expansion", redundant[0], "it brought nothing new")
        return _critique("none", None, "the verdict was right, and every step brought something")
    if not episode.steps:
        return _critique("insufficient_coverage", None, f"the check ended at once: {episode.result.stop_reason}")
    verdict = next((step for step in episode.steps if step.action.name == "verdict"), None)
    retrievals = [step for step in episode.steps if step.action.name != "verdict"]
    if verdict is not None and has_contradiction(episode):
        return _critique("mishandled_contradiction", verdict, _both_sides(episode))
    if episode.found.entities == 0.0:
        return _critique("wrong_linking", episode.steps[0], "none of the entities that the claim needs was linked")
    if (misread := next((step for step in retrievals if _misgraded(episode, step)), None)) is not None:
        return _critique("wrong_grading", misread, _misgraded(episode, misread))
    if verdict is not None and episode.result.stop_reason == "verdict" and not _has_searched(episode):
        return _critique("premature_stop", verdict, "it concluded without a search of the web")
    last = retrievals[-1] if retrievals else episode.steps[-1]
    return _critique("insufficient_coverage", last, "what decides the claim was not found")


def _critique(kind: Kind, step: Step | None, reason: str) -> Critique:
    number = step.number if step is not None else None
    return Critique(kind=kind, step=number, reason=reason, advice=ADVICE[kind], critic=RULES)


def _misgraded(episode: Episode, step: Step) -> str:
    """What a retrieval brought that was read wrongly: it stands against the label, or is silent though it is gold."""
    label, evidence = SIDES.get(episode.gold), episode.evidence
    brought = [evidence[each] for each in step.observation.evidence if each in evidence]
    if against := [piece.id for piece in brought if leaning(piece.stance) not in (None, label)]:
        return f"{', '.join(against[:4])} stands against the label"
    if episode.gold is Veracity.NOT_ENOUGH_EVIDENCE and (relied := [p.id for p in brought if p.id in episode.cited]):
        return f"{', '.join(relied[:4])} was relied on and decides nothing"
    if label is not None and episode.found.sentences == 1.0 and any(piece.kind == "passage" for piece in brought):
        return "what decides the claim is among the passages, and was not read so"
    return ""


def _both_sides(episode: Episode) -> str:
    sides = {
        side: [piece.id for piece in episode.result.evidence if leaning(piece.stance) == side][:3]
        for side in SIDES.values()
    }
    told = "; ".join(f"{', '.join(ids)} {side}" for side, ids in sides.items() if ids)
    return f"evidence of both sides: {told}" if told else "the sides were not told apart"


def _has_searched(episode: Episode) -> bool:
    has_web = any(source.role == "web" for source in episode.result.sources)
    return not has_web or any(step.action.name == "webSearch" for step in episode.steps)
