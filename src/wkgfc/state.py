"""The POMDP's values: actions, observations, the belief state and the trajectory (paper, sections 3 and 4.1)."""

import datetime as dt
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Generic, Literal, TypeVar

from pydantic import Field

from wkgfc.claim import Claim
from wkgfc.evidence import Entity, EvidenceGraph, Record, Triple
from wkgfc.usage import Usage

T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True)
class Found(Generic[T_co]):
    """A retrieval that brought something. ``items`` is never empty."""

    items: Sequence[T_co]


@dataclass(frozen=True)
class FoundInPart(Found[T_co]):
    """A retrieval of which some parts did not work: ``failures`` says in a line each what and why.

    Everybody who takes ``Found`` takes this; who can show the failures, shows them.
    """

    failures: tuple[str, ...] = ()


@dataclass(frozen=True)
class Nothing:
    """A retrieval that worked and brought nothing."""


@dataclass(frozen=True)
class Failed:
    """A retrieval that did not work. It is never read as "nothing", and never as a verdict."""

    reason: str


Retrieved = Found[T_co] | Nothing | Failed


def failures_of(answer: "Retrieved[T_co]") -> tuple[str, ...]:
    """What of a retrieval did not work: the whole of it, parts, or nothing."""
    match answer:
        case Failed(reason=reason):
            return (reason,)
        case FoundInPart(failures=failures):
            return failures
        case _:
            return ()


def found(items: Sequence[T_co]) -> Found[T_co] | Nothing:
    """``Found`` where there is something, ``Nothing`` where there is not."""
    return Found(items) if items else Nothing()


class InitKGRetrieval(Record):
    """Link the claim's entities and retrieve the first subgraph around them. Always the first action."""

    name: Literal["initKGRetrieval"] = "initKGRetrieval"


class ExpandKG(Record):
    """Expand the knowledge graph's part of the evidence by further hops."""

    name: Literal["expandKG"] = "expandKG"


class SearchWeb(Record):
    """Search the web for what is missing."""

    name: Literal["webSearch"] = "webSearch"
    query: str


class GiveVerdict(Record):
    """Conclude from the evidence at hand. ``forced``: the step limit decided, not the policy."""

    name: Literal["verdict"] = "verdict"
    forced: bool = False


Action = Annotated[InitKGRetrieval | ExpandKG | SearchWeb | GiveVerdict, Field(discriminator="name")]


class Observation(Record):
    """What an action returned: evidence, nothing, or failed with a reason. ``text`` says it in one line.

    ``failures`` are parts of it that did not work while the whole did: pages that could not be read, look-ups.
    """

    id: str
    outcome: Literal["found", "nothing", "failed"]
    text: str
    evidence: tuple[str, ...] = ()
    reason: str | None = None
    failures: tuple[str, ...] = ()


class Step(Record):
    """One step of a trajectory: why the action was chosen, what came of it, what it took."""

    number: int
    action: Action
    reason: str = ""
    observation: Observation
    started_at: dt.datetime
    seconds: float
    usage: Usage = Usage()


class Trajectory(Record):
    """The whole episode."""

    steps: tuple[Step, ...] = ()


@dataclass
class BeliefState:
    """What the agent knows when it decides: the claim, the evidence graph and the history.

    ``topic_entities`` maps each mention of the claim to the candidates kept for it, best first, each with its
    linking score in [0, 1]. ``frontier`` is what the next hop expands; it is empty when nothing is left to expand.
    ``expanded`` holds the ids of the entities that a hop has expanded; ``ranked`` the ids of the evidence that answers
    a superlative's ranking, first place first.
    ``sufficient`` is what the reasoner said of the evidence when it last selected entities or graded passages.
    ``held_back`` counts the passages that the leakage guard kept out, by its reason.
    ``beside`` are triples that this hop keeps, around other entities than those that are judged now: they count when
    it is asked whether the evidence suffices.
    """

    claim: Claim
    evidence: EvidenceGraph = field(default_factory=EvidenceGraph)
    topic_entities: dict[str, tuple[tuple[Entity, float], ...]] = field(default_factory=dict)
    frontier: tuple[Entity, ...] = ()
    expanded: set[str] = field(default_factory=set)
    ranked: tuple[str, ...] = ()
    hops: int = 0
    sufficient: bool = False
    flags: list[str] = field(default_factory=list)
    held_back: Counter[str] = field(default_factory=Counter)
    steps: list[Step] = field(default_factory=list)
    max_steps: int = 6
    kg_available: bool = True
    web_available: bool = True
    beside: tuple[Triple, ...] = ()

    @property
    def queries(self) -> tuple[str, ...]:
        """The web queries asked so far."""
        return tuple(step.action.query for step in self.steps if isinstance(step.action, SearchWeb))

    @property
    def topic_ids(self) -> frozenset[str]:
        """The ids of all topic entities' candidates."""
        return frozenset(entity.id for candidates in self.topic_entities.values() for entity, _ in candidates)
