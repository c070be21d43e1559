"""A claim checked with other prompts than those that ship, rewarded and criticised: what prompts are improved by."""

from collections.abc import Awaitable, Callable, Mapping

from wkgfc.budget import spending
from wkgfc.checker import FactChecker
from wkgfc.datasets import LabelledClaim
from wkgfc.errors import BadInput
from wkgfc.metrics import Needed, evidence_recall, gathered_by
from wkgfc.optimize.episodes import Episode, GoldFound
from wkgfc.optimize.model_reflection import critique_of
from wkgfc.optimize.reflection import critique_by_rules
from wkgfc.optimize.reward import RewardWeights, reward_of
from wkgfc.optimize.rewriting import Trial
from wkgfc.reasoning.llm.asking import Asking
from wkgfc.reasoning.llm.policy import Policy, policy_with
from wkgfc.reasoning.reasoner import Reasoner


def attempts_of(
    reasoner_with: Callable[[Policy], Reasoner],
    checker: FactChecker,
    *,
    critic: Asking | None,
    needed_for: Callable[[LabelledClaim], Needed] = lambda _: Needed(),
    weights: RewardWeights | None = None,
) -> Callable[[Mapping[str, str], LabelledClaim, bool], Awaitable[Trial]]:
    """What checks a claim by a reasoner with given prompts, over the sources of the checker, within its run's budget.

    A check that the run's limit cut short is none: ``LimitReached`` is raised in its place. ``critic`` is the model
    that criticises; without one the rules do. Validation is criticised by the rules, as nothing is rewritten from it.
    """
    environment = checker.open()
    settings = checker.settings.model_copy(update={"kg": "none", "web": "none"})

    async def attempt(prompts: Mapping[str, str], row: LabelledClaim, is_criticised: bool) -> Trial:
        if row.veracity is None:
            raise BadInput(f"the claim {row.id} has no label to learn from")
        other = FactChecker(
            settings,
            graph=environment.graph,
            web=environment.web,
            reasoner=reasoner_with(policy_with(prompts)),
        )
        other.spent = checker.spent
        result = await other.check_async(row.to_claim())
        if result.stop_reason != "verdict" and (reached := checker.spent.reached()) is not None:
            raise reached
        recall = evidence_recall(needed_for(row), gathered_by(result))
        episode = Episode(
            claim_id=row.id,
            source="prompts",
            gold=row.veracity,
            found=GoldFound(pages=recall.pages, sentences=recall.sentences, entities=recall.entities),
            result=result,
        )
        by_model = critic if is_criticised else None
        with spending(checker.spent):
            critique = await critique_of(episode, by_model) if by_model else critique_by_rules(episode)
        return Trial(claim_id=row.id, reward=reward_of(episode, weights).total, critique=critique)

    return attempt
