"""The course of a method's check: its steps, kept as an episode's are, and the result at their end."""

import asyncio
import datetime as dt
import time
from collections.abc import Awaitable, Callable, Sequence

from wkgfc.agent.environment import Outcome
from wkgfc.baselines.method import Seen, Tools, versions
from wkgfc.budget import Budget, LimitReached, Limits, concluding, spending
from wkgfc.checker import result_of
from wkgfc.claim import Claim
from wkgfc.errors import JudgementFailed
from wkgfc.evidence import Evidence, Passage
from wkgfc.http.deadline import deadline
from wkgfc.kg.graph import NoGraph
from wkgfc.reasoning.llm.hybrid import read_choice
from wkgfc.reasoning.reasoner import Judgement
from wkgfc.result import CheckResult
from wkgfc.state import Action, BeliefState, Failed, Found, GiveVerdict, Nothing, Observation, SearchWeb, Step, found
from wkgfc.usage import Meter, Usage, metered
from wkgfc.web.fact_checkers import fact_checking_sites
from wkgfc.web.filtering import search


class Course:
    """One check by a method, while it runs. ``state`` holds the evidence and the steps.

    What is used and how long it takes, ``meter`` tells: each step has what was used since the step before, thinking
    included.
    """

    def __init__(self, claim: Claim, seen: Seen, tools: Tools, meter: Meter | None = None) -> None:
        self.seen, self.tools = seen, tools
        self._meter, self._used = meter or Meter(), Usage()
        self._began, self._clock = dt.datetime.now(dt.UTC), time.monotonic()
        self.state = BeliefState(
            claim=claim,
            max_steps=tools.settings.max_steps,
            kg_available=not isinstance(seen.graph, NoGraph),
            web_available=seen.web is not None,
        )

    async def act(self, action: Action, reason: str, work: Callable[[], Awaitable[Outcome]]) -> Outcome:
        """Do a step's work and note the step."""
        outcome = await work()
        self._note_outcome(action, reason, outcome)
        return outcome

    async def search(
        self,
        query: str,
        reason: str,
        *,
        limit: int,
    ) -> tuple[Evidence, ...]:
        """Search for ``query``, as a step: all passages that came, in rank order, as evidence.

        One that is known already is the piece that it was; the step's observation has those alone that are new.
        What the leakage guard and the coarse filter hold back is held back from every method alike. No web, or a
        search that failed, brings nothing; the step says which.
        """
        brought: list[Evidence] = []
        await self.act(SearchWeb(query=query), reason, lambda: self._store(query, limit, brought))
        return tuple({piece.id: piece for piece in brought}.values())

    async def look(self, query: str, reason: str, *, limit: int) -> tuple[Passage, ...]:
        """Search for ``query``, as a step: the passages that came, of which none is evidence yet."""
        answer = await self._passages(query, limit)
        action = SearchWeb(query=query)
        if isinstance(answer, Outcome):
            self._note_outcome(action, reason, answer)
            return ()
        text = f"{len(answer)} passages to choose from"
        self._note(action, reason, Observation(id=self._next_id, outcome="found", text=text))
        return tuple(answer)

    async def _store(self, query: str, limit: int, brought: list[Evidence]) -> Outcome:
        passages = await self._passages(query, limit)
        if isinstance(passages, Outcome):
            return passages
        known = len(self.state.evidence)
        brought.extend(self.state.evidence.add_passage(passage) for passage in passages)
        ids = [evidence.id for evidence in self.state.evidence][known:]
        again = len(passages) - len(ids)
        return Outcome(found(ids), f"{len(ids)} passages" + (f", {again} known already" if again else ""))

    async def _passages(self, query: str, limit: int) -> list[Passage] | Outcome:
        """What may be evidence of the answer to a query; an outcome where there is none."""
        if self.seen.web is None:
            return Outcome(Failed("there is no web source"))
        settings, benchmark = self.tools.settings, self.seen.benchmark
        answer = await search(
            self.seen.web,
            self.state,
            query,
            limit=limit,
            before=self.state.claim.date,
            allowed_sites=settings.allowed_sites,
            blocked_sites=(*settings.blocked_sites, *(fact_checking_sites() if benchmark else ())),
            benchmark=benchmark,
            known_too=True,  # a method is told what its search brings, as by any engine
        )
        if not isinstance(answer, Found):
            return Outcome(answer, "no passage found")
        return [entry.passage for entry in answer.items if entry.kept] or Outcome(Nothing(), "no passage found")

    def give(self, documents: Sequence[Passage]) -> tuple[Evidence, ...]:
        """The given documents, as evidence. That is no step: nothing was retrieved."""
        return tuple(self.state.evidence.add_passage(document) for document in documents)

    async def conclude(self, judge: Callable[[], Awaitable[Judgement]], reason: str) -> Judgement:
        """Give the verdict, as the last step."""
        with concluding():  # for which the budget keeps room
            judgement = await judge()
        cited = tuple(dict.fromkeys(c for sentence in judgement.justification for c in sentence.citations))
        observation = Observation(
            id=self._next_id,
            outcome="found",
            text=f"{judgement.veracity} (confidence {judgement.confidence:.2f})",
            evidence=tuple(citation for citation in cited if citation in self.state.evidence),
        )
        self._note(GiveVerdict(), reason, observation)
        return judgement

    @property
    def _next_id(self) -> str:
        return f"S{len(self.state.steps) + 1}"

    def _note_outcome(self, action: Action, reason: str, outcome: Outcome) -> None:
        match outcome.retrieved:
            case Found(items=ids):
                observation = Observation(
                    id=self._next_id,
                    outcome="found",
                    text=outcome.text,
                    evidence=tuple(ids),
                    failures=outcome.failures,
                )
            case Nothing():
                observation = Observation(
                    id=self._next_id, outcome="nothing", text=outcome.text, failures=outcome.failures
                )
            case Failed(reason=why):
                observation = Observation(id=self._next_id, outcome="failed", text=f"failed: {why}", reason=why)
        self._note(action, reason, observation)

    def _note(self, action: Action, reason: str, observation: Observation) -> None:
        now, used = time.monotonic(), self._meter.total
        step = Step(
            number=len(self.state.steps) + 1,
            action=action,
            reason=reason,
            observation=observation,
            started_at=self._began,
            seconds=round(now - self._clock, 4),
            usage=used - self._used,
        )
        self.state.steps.append(step)
        self._began, self._clock, self._used = dt.datetime.now(dt.UTC), now, used


async def run(claim: Claim, seen: Seen, tools: Tools, work: Callable[[Course], Awaitable[Judgement]]) -> CheckResult:
    """Run a method's ``work`` within the settings' time, which is longer for a local model, and make its result.

    A judgement that could not be had, and a check that came to a limit before it had a verdict, end as an error.
    """
    checked_at = dt.datetime.now(dt.UTC)
    is_slow = read_choice(tools.settings.reasoner).has_local_model
    seconds = tools.settings.local_timeout_s if is_slow else tools.settings.timeout_s
    budget = Budget(Limits(tokens=tools.settings.max_tokens, cost_usd=tools.settings.max_cost_usd), within=tools.spent)
    judgement, error = None, None
    try:
        with metered() as meter, deadline(seconds), spending(budget):
            course = Course(claim, seen, tools, meter)
            async with asyncio.timeout(seconds) as limit:
                judgement = await work(course)
    except (JudgementFailed, LimitReached) as failure:
        error = str(failure)
    except TimeoutError:
        if not limit.expired():
            raise
        error = f"the check took longer than {seconds:g} seconds"
    return result_of(
        course.state,
        checked_at,
        "verdict" if error is None else "error",
        policy=tools.reasoner.policy,
        sources=versions(seen, tools),
        judgement=judgement,
        error=error,
    )
