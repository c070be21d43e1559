"""Multi-agent verification (the paper's outlook): two sides gather evidence, and a judge decides from that of both.

After the knowledge graph an advocate looks for what supports the claim and a sceptic for what refutes it, in turn, each
with web queries of its own from what is missing on its side. What they find is graded and fused as any other passage.
Neither decides anything: a page weighs the same whoever has found it, and what a side says of it is shown to the judge
with the step. All other judgements are those of the reasoner behind it, and so are the limits of a check.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Literal, Protocol

from wkgfc.claim import Checkability, Claim
from wkgfc.evidence import Passage, Record, Triple
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
from wkgfc.state import BeliefState, GiveVerdict, SearchWeb, Step

Side = Literal["advocate", "sceptic"]
SIDES: tuple[Side, Side] = ("advocate", "sceptic")


class Argument(Record):
    """What a side asks for next, and why. An empty ``query``: it has nothing more to ask."""

    query: str
    missing: str


class Sides(Protocol):
    """Who speaks for both sides."""

    async def before(self, state: BeliefState) -> Decision | None:
        """What is to be done before either is heard: a further hop, or the verdict where the graph decides."""
        ...

    async def argue(self, state: BeliefState, side: Side) -> Argument:
        """The next query of a side, from what is missing on it."""
        ...


class DebateReasoner:
    """Decides what to look for by two sides in turn; every other judgement is another reasoner's.

    Args:
        reasoner: makes all other judgements, the verdict among them.
        sides: who speaks for the sides.
        rounds: how often each of them is heard.
    """

    def __init__(self, reasoner: Reasoner, sides: Sides, rounds: int = 1) -> None:
        self._reasoner, self._sides, self._rounds = reasoner, sides, rounds
        self.name = f"debate({reasoner.name})"
        self.policy = reasoner.policy

    async def decide(self, state: BeliefState) -> Decision:
        """See ``Reasoner``. The side that was heard less often asks next, the advocate first."""
        if not state.queries and (decision := await self._sides.before(state)) is not None:
            return decision
        if not state.web_available:
            return Decision(action=GiveVerdict(), reason="there is no web for the sides to look in")
        heard = Counter(side_of(step) for step in state.steps)
        for side in sorted(SIDES, key=lambda each: heard[each]):
            if heard[side] >= self._rounds:
                continue
            argument = await self._sides.argue(state, side)
            if argument.query and argument.query not in state.queries:
                return Decision(action=SearchWeb(query=argument.query), reason=f"the {side}: {argument.missing}")
        return Decision(action=GiveVerdict(), reason="both sides were heard")

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

    async def grade(self, state: BeliefState, passages: Sequence[Passage]) -> tuple[Grade, ...]:
        """See ``Reasoner``."""
        return await self._reasoner.grade(state, passages)

    async def extract(self, state: BeliefState, passage: Passage, grade: Grade) -> Extraction:
        """See ``Reasoner``."""
        return await self._reasoner.extract(state, passage, grade)

    async def judge(self, state: BeliefState, *, forced: bool) -> Judgement:
        """See ``Reasoner``. Over the evidence of both sides."""
        return await self._reasoner.judge(state, forced=forced)


def side_of(step: Step) -> Side | None:
    """The side that a step's search was made for."""
    if not isinstance(step.action, SearchWeb):
        return None
    return next((side for side in SIDES if step.reason.startswith(f"the {side}: ")), None)
