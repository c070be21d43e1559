"""The environment of the POMDP: what each action does to the evidence graph, and what the agent observes of it.

Source: paper, sections 4.1 to 4.3.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from wkgfc.evidence import Entity
from wkgfc.kg.expansion import Beam, expand
from wkgfc.kg.graph import KnowledgeGraph
from wkgfc.kg.linking import link
from wkgfc.reasoning.reasoner import Reasoner
from wkgfc.state import (
    Action,
    BeliefState,
    ExpandKG,
    Failed,
    Found,
    GiveVerdict,
    InitKGRetrieval,
    Nothing,
    Observation,
    Retrieved,
    SearchWeb,
)
from wkgfc.web.filtering import gather
from wkgfc.web.fusion import fuse
from wkgfc.web.search import WebSearch

CANDIDATES_EXPANDED = 2  # candidates of a mention in the first frontier, where linking left several


@dataclass(frozen=True)
class Environment:
    """The sources that actions retrieve from, the reasoner that prunes and filters, and the limits."""

    graph: KnowledgeGraph
    web: WebSearch | None
    reasoner: Reasoner
    beam: Beam
    passages: int
    allowed_sites: tuple[str, ...] = ()
    blocked_sites: tuple[str, ...] = ()

    async def perform(self, state: BeliefState, action: Action, *, observation_id: str) -> Observation:
        """Do what an action says, on ``state``, and tell what came of it. A failure is told as one, never raised."""
        match action:
            case InitKGRetrieval():
                outcome, text = await self._init_kg_retrieval(state)
            case ExpandKG():
                outcome, text = await self._expand_kg(state)
            case SearchWeb(query=query):
                outcome, text = await self._search_web(state, query)
            case GiveVerdict():
                raise ValueError("the verdict is the reasoner's, not the environment's")
        match outcome:
            case Found(items=ids):
                return Observation(id=observation_id, outcome="found", text=text, evidence=tuple(ids))
            case Nothing():
                return Observation(id=observation_id, outcome="nothing", text=text)
            case Failed(reason=reason):
                return Observation(id=observation_id, outcome="failed", text=f"failed: {reason}", reason=reason)

    async def _init_kg_retrieval(self, state: BeliefState) -> tuple[Retrieved[str], str]:
        linked = await link(state.claim, self.graph)
        if isinstance(linked, Failed):
            return linked, ""
        state.topic_entities = linked.topic_entities
        state.frontier = first_frontier(state, 2 * self.beam.width)
        if not state.frontier:
            return Nothing(), linked.abstention or "nothing of the claim is in the knowledge graph"
        outcome = await expand(self.graph, self.reasoner, state, self.beam, self.beam.hops)
        return outcome, f"{_about(state)}: {_number_of_facts(outcome)}"

    async def _expand_kg(self, state: BeliefState) -> tuple[Retrieved[str], str]:
        if not state.frontier:
            return Nothing(), "nothing is left to expand"
        outcome = await expand(self.graph, self.reasoner, state, self.beam, 1)
        return outcome, f"one hop further: {_number_of_facts(outcome)}"

    async def _search_web(self, state: BeliefState, query: str) -> tuple[Retrieved[str], str]:
        if self.web is None:
            return Failed("there is no web source"), ""
        if query in state.queries:
            return Nothing(), "this was asked before"
        gathered = await gather(
            self.web,
            self.reasoner,
            state,
            query,
            limit=self.passages,
            before=state.claim.date,
            allowed_sites=self.allowed_sites,
            blocked_sites=self.blocked_sites,
        )
        if not isinstance(gathered, Found):
            return gathered, "no passage found"
        ids = await fuse(self.reasoner, state, gathered.items)
        text = f"{len(gathered.items)} passages, {sum(graded.kept for graded in gathered.items)} kept"
        return (Found(ids) if ids else Nothing()), text


def first_frontier(state: BeliefState, limit: int) -> tuple[Entity, ...]:
    """The topic entities to begin with: the best candidate of every mention, then their seconds, at most ``limit``."""
    candidates: Sequence[Sequence[tuple[Entity, float]]] = list(state.topic_entities.values())
    ordered = [
        mention[place][0] for place in range(CANDIDATES_EXPANDED) for mention in candidates if place < len(mention)
    ]
    return tuple(dict.fromkeys(ordered))[:limit]


def _about(state: BeliefState) -> str:
    return ", ".join(candidates[0][0].label for candidates in state.topic_entities.values())


def _number_of_facts(outcome: Retrieved[str]) -> str:
    return f"{len(outcome.items)} facts" if isinstance(outcome, Found) else "no facts"
