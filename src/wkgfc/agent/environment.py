"""The environment of the POMDP: what each action does to the evidence graph, and what the agent observes of it.

Source: paper, sections 4.1 to 4.3.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

from wkgfc.budget import LimitReached
from wkgfc.claim import Claim
from wkgfc.errors import JudgementFailed
from wkgfc.evidence import Entity
from wkgfc.http.deadline import remaining_s
from wkgfc.kg.expansion import Beam, expand
from wkgfc.kg.graph import KnowledgeGraph, NoGraph
from wkgfc.kg.linking import link
from wkgfc.reasoning.reasoner import Reasoner
from wkgfc.state import (
    Action,
    BeliefState,
    ExpandKG,
    Failed,
    Found,
    FoundInPart,
    GiveVerdict,
    InitKGRetrieval,
    Nothing,
    Observation,
    Retrieved,
    SearchWeb,
    found,
)
from wkgfc.web.fact_checkers import fact_checking_sites
from wkgfc.web.filtering import gather
from wkgfc.web.fusion import fuse
from wkgfc.web.search import WebSearch, searching_in

CANDIDATES_EXPANDED = 2  # candidates of a mention in the first frontier, where linking left several
NAMED_FAILURES = 3  # parts that failed, in an observation's text; it has them all


@runtime_checkable
class Multilingual(Protocol):
    """A knowledge graph that has names in several languages."""

    def in_language(self, language: str) -> KnowledgeGraph:
        """The same graph with names in ``language`` where it has them, in English otherwise."""
        ...


@dataclass(frozen=True)
class Outcome:
    """What an action brought, in a line, and which parts of it failed."""

    retrieved: Retrieved[str]
    text: str = ""
    failures: tuple[str, ...] = ()


@dataclass(frozen=True)
class Environment:
    """The sources that actions retrieve from, the reasoner that prunes and filters, and the limits.

    ``benchmark``: fact-checking sites are kept out, and so is who quotes the claim with a verdict on it.
    """

    graph: KnowledgeGraph
    web: WebSearch | None
    reasoner: Reasoner
    beam: Beam
    passages: int
    allowed_sites: tuple[str, ...] = ()
    blocked_sites: tuple[str, ...] = ()
    benchmark: bool = False

    def speaking(self, language: str) -> "Environment":
        """The same environment for a claim in ``language`` (an IETF tag)."""
        if language == "en" or not isinstance(self.graph, Multilingual):
            return self
        return replace(self, graph=self.graph.in_language(language))

    def beginning(self, claim: Claim, *, max_steps: int) -> BeliefState:
        """The belief state that a check of ``claim`` begins with: nothing known, and which sources there are to ask."""
        return BeliefState(
            claim=claim,
            max_steps=max_steps,
            kg_available=not isinstance(self.graph, NoGraph),
            web_available=self.web is not None,
        )

    async def perform(self, state: BeliefState, action: Action, *, observation_id: str) -> Observation:
        """Do what an action says, on ``state``, and tell what came of it. A failure is told as one, never raised.

        An action that waits longer than the check has time (``wkgfc.http.deadline``) has failed, and so has one in the
        midst of which the budget (``wkgfc.budget``) is used up; what it had gathered by then stays.
        """
        outcome = await self._in_time(state, action)
        text = outcome.text + _in_words(outcome.failures)
        match outcome.retrieved:
            case Found(items=ids):
                return Observation(
                    id=observation_id, outcome="found", text=text, evidence=tuple(ids), failures=outcome.failures
                )
            case Nothing():
                return Observation(id=observation_id, outcome="nothing", text=text, failures=outcome.failures)
            case Failed(reason=reason):
                return Observation(
                    id=observation_id,
                    outcome="failed",
                    text=f"failed: {reason}",
                    reason=reason,
                    failures=outcome.failures,
                )

    async def _in_time(self, state: BeliefState, action: Action) -> Outcome:
        try:
            async with asyncio.timeout(remaining_s()) as limit:
                match action:
                    case InitKGRetrieval():
                        return await self._init_kg_retrieval(state)
                    case ExpandKG():
                        return await self._expand_kg(state)
                    case SearchWeb(query=query):
                        return await self._search_web(state, query)
                    case GiveVerdict():
                        raise ValueError("the verdict is the reasoner's, not the environment's")
        except TimeoutError:
            if not limit.expired():
                raise
            return Outcome(Failed("the time for the check was over"))
        except LimitReached as reached:
            return Outcome(Failed(str(reached)))
        except JudgementFailed:
            if remaining_s() != 0.0:
                raise
            return Outcome(Failed("the time for the check was over"))

    async def _init_kg_retrieval(self, state: BeliefState) -> Outcome:
        linked = await link(state.claim, self.graph)
        if isinstance(linked, Failed):
            return Outcome(linked)
        state.topic_entities = linked.topic_entities
        state.frontier = first_frontier(state, 2 * self.beam.width)
        if not state.frontier:
            text = linked.abstention or "nothing of the claim is in the knowledge graph"
            return Outcome(Nothing(), text, linked.failures)
        outcome = await expand(self.graph, self.reasoner, state, self.beam, self.beam.hops)
        failures = (*linked.failures, *_parts_that_failed(outcome))
        return Outcome(outcome, f"{_about(state)}: {_number_of_facts(outcome)}", failures)

    async def _expand_kg(self, state: BeliefState) -> Outcome:
        if not state.frontier:
            return Outcome(Nothing(), "nothing is left to expand")
        outcome = await expand(self.graph, self.reasoner, state, self.beam, 1)
        return Outcome(outcome, f"one hop further: {_number_of_facts(outcome)}", _parts_that_failed(outcome))

    async def _search_web(self, state: BeliefState, query: str) -> Outcome:
        if self.web is None:
            return Outcome(Failed("there is no web source"))
        if query in state.queries:
            return Outcome(Nothing(), "this was asked before")
        with searching_in(state.claim.language):
            gathered = await gather(
                self.web,
                self.reasoner,
                state,
                query,
                limit=self.passages,
                before=state.claim.date,
                allowed_sites=self.allowed_sites,
                blocked_sites=(*self.blocked_sites, *(fact_checking_sites() if self.benchmark else ())),
                benchmark=self.benchmark,
            )
        if self.benchmark and "benchmark" not in state.flags:
            state.flags.append("benchmark")
        if not isinstance(gathered, Found):
            return Outcome(gathered, "no passage found")
        ids = await fuse(self.reasoner, state, gathered.items)
        text = f"{len(gathered.items)} passages, {sum(graded.kept for graded in gathered.items)} kept"
        return Outcome(found(ids), text, gathered.failures)


def _parts_that_failed(outcome: Retrieved[str]) -> tuple[str, ...]:
    return outcome.failures if isinstance(outcome, FoundInPart) else ()


def first_frontier(state: BeliefState, limit: int) -> tuple[Entity, ...]:
    """The topic entities to begin with: the best candidate of every mention, then their seconds, at most ``limit``."""
    candidates: Sequence[Sequence[tuple[Entity, float]]] = list(state.topic_entities.values())
    ordered = [
        mention[place][0] for place in range(CANDIDATES_EXPANDED) for mention in candidates if place < len(mention)
    ]
    return tuple(dict.fromkeys(ordered))[:limit]


def _in_words(failures: Sequence[str]) -> str:
    """What failed, for the end of an observation's text."""
    if not failures:
        return ""
    named = "; ".join(failures[:NAMED_FAILURES]) + ("; …" if len(failures) > NAMED_FAILURES else "")
    return f" ({len(failures)} failed: {named})"


def _about(state: BeliefState) -> str:
    return ", ".join(candidates[0][0].label for candidates in state.topic_entities.values())


def _number_of_facts(outcome: Retrieved[str]) -> str:
    return f"{len(outcome.items)} facts" if isinstance(outcome, Found) else "no facts"
