"""One episode of the POMDP (paper, sections 3 and 4.1). Read this page first: it is the whole system.

a0 = initKGRetrieval(claim)          link the claim's entities, retrieve the first subgraph
loop:  o = environment(a)            the evidence graph grows
       a = policy(belief state)      expandKG, webSearch(query) or verdict
until the verdict, which the step limit, the clock or the budget may force
"""

import datetime as dt
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass

from wkgfc.agent.environment import Environment
from wkgfc.agent.rules import conclude
from wkgfc.budget import LimitReached, Measure, concluding, limit_reached
from wkgfc.errors import JudgementFailed
from wkgfc.reasoning.reasoner import Decision, Judgement, Reasoner
from wkgfc.result import StopReason
from wkgfc.state import Action, BeliefState, GiveVerdict, InitKGRetrieval, Observation, Step
from wkgfc.tracing import span
from wkgfc.usage import metered


@dataclass(frozen=True)
class StepStarted:
    """An action was chosen and begins."""

    number: int
    action: Action
    reason: str


@dataclass(frozen=True)
class Concluded:
    """The episode is over: the verdict, and what ended the retrieval."""

    judgement: Judgement
    stop_reason: StopReason


async def run_episode(
    state: BeliefState, environment: Environment, reasoner: Reasoner, *, deadline: float
) -> AsyncIterator[StepStarted | Step | Concluded]:
    """Run one episode on ``state``, which it changes, and say each step as it begins and as it ends.

    ``deadline`` is a time of ``time.monotonic``: the first decision after it is a forced verdict.

    Raises:
        JudgementFailed: a judgement could not be had, or the verdict broke a rule of evidence twice.
    """
    while True:
        started_at, clock = dt.datetime.now(dt.UTC), time.monotonic()
        with metered() as meter, span("decide", "decision"):
            decision, stop_reason = await _next_action(state, reasoner, deadline)
        number = len(state.steps) + 1
        yield StepStarted(number, decision.action, decision.reason)
        with metered() as meter_of_action, span(decision.action.name, "step", number=number) as traced:
            if isinstance(decision.action, GiveVerdict):
                with concluding():
                    judgement = await conclude(reasoner, state, forced=decision.action.forced)
                observation = Observation(
                    id=f"S{number}",
                    outcome="found",
                    text=_in_words(judgement),
                    evidence=tuple(dict.fromkeys(c for s in judgement.justification for c in s.citations)),
                )
            else:
                observation = await environment.perform(state, decision.action, observation_id=f"S{number}")
                if observation.reason is not None:
                    traced.fail(observation.reason)
                traced.set(outcome=observation.outcome, evidence=len(observation.evidence))
        step = Step(
            number=number,
            action=decision.action,
            reason=decision.reason,
            observation=observation,
            started_at=started_at,
            seconds=round(time.monotonic() - clock, 4),
            usage=meter.total + meter_of_action.total,
        )
        state.steps.append(step)
        yield step
        if isinstance(decision.action, GiveVerdict):
            yield Concluded(judgement, stop_reason)
            return


async def _next_action(state: BeliefState, reasoner: Reasoner, deadline: float) -> tuple[Decision, StopReason]:
    """The next action, and what ended the retrieval if that action is the verdict."""
    if not state.steps:
        return Decision(action=InitKGRetrieval(), reason="every check begins with the knowledge graph"), "verdict"
    if len(state.steps) + 1 >= state.max_steps:
        return _forced(f"the limit of {state.max_steps} steps is reached"), "step_limit"
    reached = limit_reached()  # first: what the run's own clock has ended is checked again by the next run
    if reached is None and time.monotonic() < deadline:
        try:
            return await reasoner.decide(state), "verdict"
        except LimitReached as limit:
            reached = limit
        except JudgementFailed:
            reached = limit_reached()
            if reached is None and time.monotonic() < deadline:
                raise
    if reached is None:
        return _forced("the time is up"), "time_limit"
    return _forced(str(reached)), stop_reason_of(reached)


def _in_words(judgement: Judgement) -> str:
    own = judgement.model_confidence
    said = "" if own is None else f"; the model's own number, used for nothing: {own:.2f}"
    return f"{judgement.veracity} (confidence {judgement.confidence:.2f}{said})"


def _forced(reason: str) -> Decision:
    return Decision(action=GiveVerdict(forced=True), reason=reason)


def stop_reason_of(reached: LimitReached) -> StopReason:
    """What a result says of a limit that was reached."""
    if reached.whose == "run":
        return "run_limit"
    reasons: dict[Measure, StopReason] = {
        "steps": "step_limit",
        "seconds": "time_limit",
        "tokens": "token_limit",
        "cost": "cost_limit",
    }
    return reasons[reached.measure]
