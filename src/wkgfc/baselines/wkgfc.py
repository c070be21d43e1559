"""WKGFC itself behind the interface of all methods, whole and with parts of it switched off (paper, table 3)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from wkgfc.baselines.method import Seen, Tools
from wkgfc.checker import FactChecker
from wkgfc.claim import Checkability, Claim
from wkgfc.evidence import Passage, Triple
from wkgfc.kg.graph import NoGraph
from wkgfc.reasoning.reasoner import (
    Decision,
    EntitySelection,
    Extraction,
    Grade,
    Judgement,
    OfferedRelation,
    Reasoner,
    RelationSelection,
)
from wkgfc.result import CheckResult
from wkgfc.state import BeliefState, GiveVerdict, SearchWeb

UNINFORMATIVE = 0.5  # the consistency of every passage where its weight is switched off: even odds


@dataclass(frozen=True)
class Parts:
    """Which parts of WKGFC are on.

    ``agent``: the reasoner decides what to do next; without it the course is fixed: the knowledge graph, one search
    for the claim itself, the verdict. ``consistency``: passages are weighed by their consistency confidence.
    """

    kg: bool = True
    web: bool = True
    agent: bool = True
    consistency: bool = True


class Wkgfc:
    """A check as ``wkgfc check`` makes it."""

    def __init__(self, tools: Tools, name: str = "wkgfc", parts: Parts | None = None) -> None:
        self.name, self._tools, self._parts = name, tools, parts or Parts()
        reasoner: Reasoner = tools.reasoner
        if not (self._parts.agent and self._parts.consistency):
            reasoner = Curtailed(reasoner, self._parts)
        self._reasoner = reasoner

    async def check(self, claim: Claim, seen: Seen) -> CheckResult:
        """See ``Method``."""
        web = seen.web if self._parts.web else None
        changes = {"kg": "none", "web": "none", "benchmark": seen.benchmark}
        checker = FactChecker(
            self._tools.settings.model_copy(update=changes),
            graph=seen.graph if self._parts.kg else NoGraph(),
            web=web,
            reasoner=self._reasoner,
        )
        if self._tools.spent is not None:
            checker.spent = self._tools.spent
        return await checker.check_async(claim)

    def without(self, part: str) -> "Wkgfc":
        """The same with one part switched off: ``kg``, ``web`` or ``consistency``."""
        return Wkgfc(self._tools, f"{self.name} without {part}", replace(self._parts, **{part: False}))


class Curtailed:
    """A reasoner that makes no decision of its own, or whose grades have no consistency, or both."""

    def __init__(self, reasoner: Reasoner, parts: Parts) -> None:
        self._reasoner, self._parts = reasoner, parts
        self.name, self.policy = reasoner.name, reasoner.policy

    async def screen(self, claim: Claim) -> Checkability:
        """See ``Reasoner``."""
        return await self._reasoner.screen(claim)

    async def select_relations(
        self, state: BeliefState, offered: Sequence[OfferedRelation], max_relations: int
    ) -> RelationSelection:
        """See ``Reasoner``."""
        return await self._reasoner.select_relations(state, offered, max_relations)

    async def select_entities(
        self, state: BeliefState, triples: Sequence[Triple], max_triples: int, max_entities: int
    ) -> EntitySelection:
        """See ``Reasoner``."""
        return await self._reasoner.select_entities(state, triples, max_triples, max_entities)

    async def decide(self, state: BeliefState) -> Decision:
        """See ``Reasoner``. Without an agent: one search for the claim itself where there is a web; then the end."""
        if self._parts.agent:
            return await self._reasoner.decide(state)
        if state.web_available and not state.queries:
            return Decision(action=SearchWeb(query=state.claim.text), reason="the fixed course: the claim is the query")
        return Decision(action=GiveVerdict(), reason="the fixed course ends here")

    async def grade(self, state: BeliefState, passages: Sequence[Passage]) -> tuple[Grade, ...]:
        """See ``Reasoner``."""
        grades = await self._reasoner.grade(state, passages)
        if self._parts.consistency:
            return grades
        return tuple(grade.model_copy(update={"consistency": UNINFORMATIVE}) for grade in grades)

    async def extract(self, state: BeliefState, passage: Passage, grade: Grade) -> Extraction:
        """See ``Reasoner``."""
        return await self._reasoner.extract(state, passage, grade)

    async def judge(self, state: BeliefState, *, forced: bool) -> Judgement:
        """See ``Reasoner``."""
        return await self._reasoner.judge(state, forced=forced)
