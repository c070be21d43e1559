"""All ways that the embedded policy could take with a claim, walked once, so that any parameters can be replayed.

Which evidence a way gathers does not depend on the parameters that are learned; when to stop, whether to go on, and
what the evidence says together do. So each belief state that some policy could be in is kept as a node: what the
verdict is made of, what was used so far, and what the end of the episode there would be worth for each veracity. Ways
are named by their actions: I, IE, IS, IES, ISS, IESS (Init, Expand, Search).
"""

import datetime as dt
from dataclasses import replace

from wkgfc.agent.environment import Environment
from wkgfc.checker import result_of
from wkgfc.claim import Veracity
from wkgfc.datasets import LabelledClaim
from wkgfc.evidence import NEUTRAL, Evidence, EvidenceGraph, Passage, Record, Stance
from wkgfc.metrics import Needed, evidence_recall, gathered_by
from wkgfc.optimize.drawing import about
from wkgfc.optimize.episodes import Episode, GoldFound
from wkgfc.optimize.reward import Reward, reward_of
from wkgfc.reasoning.embedded.facts.selection import promise
from wkgfc.reasoning.embedded.reasoner import Basis, EmbeddedReasoner
from wkgfc.reasoning.embedded.texts.standing import Standing
from wkgfc.reasoning.embedded.verdict import Assessment, conclude, leave_open, together
from wkgfc.state import Action, BeliefState, ExpandKG, GiveVerdict, InitKGRetrieval, Observation, Step
from wkgfc.usage import Usage, metered

MOST_EXPANSIONS, MOST_SEARCHES = 1, 2  # walked: what the policy that ships may do


class End(Record):
    """The end of an episode: the veracity that is stated, and the parts of the reward but for its correctness."""

    veracity: Veracity
    reward: Reward


class Node(Record):
    """A belief state. ``promise`` is what a further hop promises, 0 to 1; ``ends`` by the likeliest veracity.

    ``is_open``: the graph's statements would tell, and fit the claim without bearing it out.
    """

    kg: Stance
    is_open: bool = False
    graded: tuple[Evidence, ...]
    failures: int
    against: Standing | None
    promise: float
    usage: Usage
    ends: dict[Veracity, End]


class Explored(Record):
    """A claim with every node, by its way; none where the claim would not be checked.

    ``source`` is the set that it is of, ``about`` what tells it from others (``drawing.about``).
    """

    id: str
    source: str = ""
    claim: str
    gold: Veracity
    about: tuple[str, ...] = ()
    max_steps: int
    nodes: dict[str, Node] = {}


async def explore(
    row: LabelledClaim,
    environment: Environment,
    *,
    source: str,
    max_steps: int,
    needed: Needed | None = None,
) -> Explored:
    """Walk every way with a claim that has a label. The environment's reasoner is the embedded one.

    Args:
        needed: what the data set says is needed to decide it.

    Raises:
        ValueError: the claim has no label, or another reasoner decides.
    """
    reasoner = environment.reasoner
    if row.veracity is None or not isinstance(reasoner, EmbeddedReasoner):
        raise ValueError("exploration needs a label and the embedded reasoner")
    claim = row.to_claim()
    needed = needed or Needed()
    explored = Explored(
        id=row.id,
        source=source,
        claim=row.claim,
        gold=row.veracity,
        about=tuple(sorted(about(row, needed.pages))),
        max_steps=max_steps,
    )
    if not (await reasoner.screen(claim)).is_checkable:
        return explored
    walk = _Walk(row, environment.speaking(claim.language), reasoner, source, needed)
    state = environment.beginning(claim, max_steps=max_steps)
    await walk.follow(state, "I", InitKGRetrieval())
    return explored.model_copy(update={"nodes": walk.nodes})


class _Walk:
    """The ways with one claim."""

    def __init__(
        self,
        row: LabelledClaim,
        environment: Environment,
        reasoner: EmbeddedReasoner,
        source: str,
        needed: Needed,
    ) -> None:
        self._row, self._environment, self._reasoner = row, environment, reasoner
        self._source, self._needed = source, needed
        self.nodes: dict[str, Node] = {}

    async def follow(self, state: BeliefState, way: str, action: Action) -> None:
        """Do an action on a state, keep what came of it, and go on from there in every way."""
        number = len(state.steps) + 1
        with metered() as meter:
            observation = await self._environment.perform(state, action, observation_id=f"S{number}")
        state.steps.append(_step(number, action, observation, meter.total))
        basis = self._reasoner.basis(state)
        hope = promise(state) if state.frontier else 0.0
        self.nodes[way] = self._node(state, basis, hope)
        if len(state.steps) + 1 >= state.max_steps:
            return
        if hope > 0 and "S" not in way and way.count("E") < MOST_EXPANSIONS:
            await self.follow(_forked(state), way + "E", ExpandKG())
        if way.count("S") < MOST_SEARCHES:
            search = self._reasoner.search_for(state, self._reasoner.assess(state))
            if search is not None:
                await self.follow(_forked(state), way + "S", search.action)

    def _node(self, state: BeliefState, basis: Basis, hope: float) -> Node:
        usage = sum((step.usage for step in state.steps), Usage())
        return Node(
            kg=together(basis.parts),
            is_open=leave_open(basis.parts),
            graded=tuple(map(_without_text, basis.graded)),
            failures=basis.failures,
            against=basis.against,
            promise=hope,
            usage=usage,
            ends={veracity: self._end(state, basis, veracity, usage) for veracity in Veracity},
        )

    def _end(self, state: BeliefState, basis: Basis, veracity: Veracity, usage: Usage) -> End:
        """What the end of the episode here is worth, if the evidence makes this veracity the likeliest."""
        sure = {each: float(each is veracity) for each in Veracity}
        ids = basis.against.evidence_ids if basis.against else frozenset()
        judgement = conclude(state, Assessment(basis.parts, together(basis.parts), NEUTRAL, sure, ids))
        cited = tuple(dict.fromkeys(each for sentence in judgement.justification for each in sentence.citations))
        verdict = Observation(id=f"S{len(state.steps) + 1}", outcome="found", text=judgement.veracity, evidence=cited)
        ended = replace(state, steps=[*state.steps, _step(len(state.steps) + 1, GiveVerdict(), verdict, Usage())])
        result = result_of(
            ended, dt.datetime.now(dt.UTC), "verdict", policy="", sources=(), judgement=judgement, usage=usage
        )
        recall = evidence_recall(self._needed, gathered_by(result))
        episode = Episode(
            claim_id=self._row.id,
            source=self._source,
            gold=self._row.veracity or Veracity.NOT_ENOUGH_EVIDENCE,
            found=GoldFound(pages=recall.pages, sentences=recall.sentences, entities=recall.entities),
            result=result,
        )
        return End(veracity=judgement.veracity, reward=reward_of(episode))


def _step(number: int, action: Action, observation: Observation, usage: Usage) -> Step:
    started_at = dt.datetime.now(dt.UTC)
    return Step(number=number, action=action, observation=observation, started_at=started_at, seconds=0.0, usage=usage)


def _forked(state: BeliefState) -> BeliefState:
    """A state to go on with in another way; the given one stays as it is."""
    return replace(
        state,
        evidence=EvidenceGraph.from_record(state.evidence.to_record()),
        topic_entities=dict(state.topic_entities),
        expanded=set(state.expanded),
        flags=list(state.flags),
        held_back=state.held_back.copy(),
        steps=list(state.steps),
    )


def _without_text(evidence: Evidence) -> Evidence:
    """A graded passage without its words: what it says together with others does not need them."""
    content = evidence.content
    if not isinstance(content, Passage):
        return evidence
    return evidence.model_copy(update={"content": content.model_copy(update={"text": "", "copies": ()}), "quote": None})
