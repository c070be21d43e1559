"""The judgements that the paper gives to an LLM, and that any reasoner makes.

A reasoner sees the belief state and what is asked of it, and answers with values; it retrieves nothing itself.
"""

from collections.abc import Sequence
from typing import Protocol

from wkgfc.claim import Checkability, Claim, Veracity
from wkgfc.evidence import Contradiction, Direction, Entity, Passage, Record, Relation, Stance, Triple
from wkgfc.result import Sentence
from wkgfc.state import Action, BeliefState


class OfferedRelation(Record):
    """A relation that the frontier has in one direction; ``entities`` are those of the frontier that have it.

    ``count`` is how many triples there are (a lower bound where the source samples hubs).
    """

    relation: Relation
    direction: Direction
    entities: tuple[Entity, ...]
    count: int


class ChosenRelation(Record):
    """A relation kept for expansion, with its relevance to the claim in [0, 1]."""

    relation: Relation
    direction: Direction
    score: float


class Ranking(Record):
    """A superlative's question: which entities of a type come first by a relation (within a place, if given)."""

    relation: Relation
    instance_of: Entity
    within: Entity | None = None
    descending: bool = True


class RelationSelection(Record):
    """The relations to follow, best first, and the ranking to ask for where the claim is a superlative."""

    relations: tuple[ChosenRelation, ...] = ()
    ranking: Ranking | None = None


class ScoredTriple(Record):
    """A triple with its relevance to the claim in [0, 1]."""

    triple: Triple
    score: float


class ScoredEntity(Record):
    """An entity worth expanding, with its relevance to the claim in [0, 1]."""

    entity: Entity
    score: float


class EntitySelection(Record):
    """The triples worth keeping, the next frontier best first, and whether the evidence now suffices for a verdict."""

    triples: tuple[ScoredTriple, ...] = ()
    frontier: tuple[ScoredEntity, ...] = ()
    sufficient: bool = False


class Decision(Record):
    """The next action, and the reason for it in a sentence."""

    action: Action
    reason: str


class Grade(Record):
    """The fine filter's judgement of a passage (paper, section 4.3).

    ``relevance`` and ``consistency`` are in [0, 1]; ``quote`` is the deciding stretch, verbatim in the passage.
    ``suspicious`` is set where the passage tries to give orders to the reader's machine.
    """

    relevance: float
    stance: Stance
    consistency: float
    quote: str
    suspicious: bool = False


class Extraction(Record):
    """What fusion takes from a passage: triples aligned with the evidence graph, and texts to hang on entities."""

    triples: tuple[Triple, ...] = ()
    annotations: tuple[tuple[Entity, str], ...] = ()


class Judgement(Record):
    """A verdict with everything that it rests on.

    ``probabilities`` has all four veracities and sums to one; ``confidence`` is the probability that
    ``veracity`` is right, computed from the evidence. ``stances`` maps evidence ids to their stance as the judge saw
    it. ``model_confidence`` is a language model's own number, which is only recorded.
    """

    veracity: Veracity
    probabilities: dict[Veracity, float]
    confidence: float
    justification: tuple[Sentence, ...]
    stances: dict[str, Stance] = {}
    contradictions: tuple[Contradiction, ...] = ()
    flags: tuple[str, ...] = ()
    model_confidence: float | None = None


class Reasoner(Protocol):
    """Whoever makes the judgements. ``max_relations`` is the paper's k, ``max_triples`` its m."""

    name: str
    policy: str

    async def screen(self, claim: Claim) -> Checkability:
        """Whether the claim can be checked, and if not, what it is."""
        ...

    async def select_relations(
        self, state: BeliefState, offered: Sequence[OfferedRelation], max_relations: int
    ) -> RelationSelection:
        """The at most ``max_relations`` relations most relevant to the claim, for the whole frontier at once."""
        ...

    async def select_entities(
        self, state: BeliefState, triples: Sequence[Triple], max_triples: int, max_entities: int
    ) -> EntitySelection:
        """The triples to keep (at most ``max_triples`` a relation, direction and entity), and the next frontier.

        The frontier has at most ``max_entities`` entities that the state has not expanded yet.
        """
        ...

    async def decide(self, state: BeliefState) -> Decision:
        """The next action from the belief state, with the web query when it is ``webSearch``."""
        ...

    async def grade(self, state: BeliefState, passages: Sequence[Passage]) -> tuple[Grade, ...]:
        """One grade a passage, in order."""
        ...

    async def extract(self, state: BeliefState, passage: Passage, grade: Grade) -> Extraction:
        """Triples and annotations from a kept passage."""
        ...

    async def judge(self, state: BeliefState, *, forced: bool) -> Judgement:
        """The verdict from all evidence of the state."""
        ...
