"""The verdict of an episode: the reasoner's, if it keeps the rules of evidence (``wkgfc.reasoning.rules``)."""

from wkgfc.errors import JudgementFailed
from wkgfc.reasoning.reasoner import Judgement, Reasoner
from wkgfc.reasoning.rules import broken_rule
from wkgfc.state import BeliefState


async def conclude(reasoner: Reasoner, state: BeliefState, *, forced: bool) -> Judgement:
    """The reasoner's verdict, with every rule kept.

    Raises:
        JudgementFailed: the verdict broke a rule twice; the text says which.
    """
    for _ in range(2):
        judgement = await reasoner.judge(state, forced=forced)
        complaint = broken_rule(judgement, state)
        if complaint is None:
            return judgement
    raise JudgementFailed(f"the verdict was refused: {complaint}")
