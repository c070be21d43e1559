"""A reasoner that answers from a script, and a graph and a web that answer from lists: for the loop's logic alone."""

import datetime as dt
from collections import deque
from collections.abc import Iterable, Sequence

from wkgfc.claim import Checkability, Claim, Veracity
from wkgfc.evidence import Direction, Entity, Passage, Relation, Source, Stance, Triple
from wkgfc.kg.graph import Candidate, RelatedTriples
from wkgfc.reasoning.reasoner import (
    ChosenRelation,
    Decision,
    EntitySelection,
    Extraction,
    Grade,
    Judgement,
    OfferedRelation,
    Ranking,
    RelationSelection,
    ScoredEntity,
    ScoredTriple,
)
from wkgfc.result import Sentence
from wkgfc.state import BeliefState, Failed, Found, GiveVerdict, Nothing, Retrieved, found
from wkgfc.usage import count
from wkgfc.web.search import Hit


def entity(identifier: str, label: str | None = None) -> Entity:
    return Entity(id=identifier, label=label or identifier)


def triple(subject: str, relation: str, obj: str, *, count_: int | None = None) -> Triple:
    return Triple(
        subject=entity(subject),
        relation=Relation(id=relation, label=relation),
        object=entity(obj),
        source=Source(name="test", text_id=f"{subject}/{relation}"),
        count=count_,
    )


def passage(text: str, *, url: str = "https://example.org/page", title: str = "Page") -> Passage:
    return Passage(text=text, url=url, title=title, source=Source(name="test", url=url))


def probabilities(veracity: Veracity, confidence: float = 0.85) -> dict[Veracity, float]:
    rest = (1.0 - confidence) / 3
    return {each: confidence if each is veracity else rest for each in Veracity}


def judgement(veracity: Veracity, *citations: str, confidence: float = 0.85) -> Judgement:
    stance = {
        Veracity.SUPPORTED: Stance(supports=0.9, refutes=0.0, neither=0.1),
        Veracity.REFUTED: Stance(supports=0.0, refutes=0.9, neither=0.1),
    }.get(veracity)
    return Judgement(
        veracity=veracity,
        probabilities=probabilities(veracity, confidence),
        confidence=confidence,
        justification=(Sentence(text="It is so.", citations=citations),),
        stances=dict.fromkeys(citations, stance) if stance else {},
    )


class ScriptedReasoner:
    """Follows every relation and keeps every triple in the order of ids; decides and judges what the script says."""

    name = "scripted"
    policy = "test"

    def __init__(self, decisions: Iterable[Decision] = (), judgements: Iterable[Judgement] = ()) -> None:
        self.decisions, self.judgements = deque(decisions), deque(judgements)
        self.sufficient_after: int | None = None
        self.ranking: Ranking | None = None
        self.checkability = Checkability(is_checkable=True)
        self.asked: list[str] = []

    async def screen(self, claim: Claim) -> Checkability:
        return self.checkability

    async def select_relations(
        self, state: BeliefState, offered: Sequence[OfferedRelation], max_relations: int
    ) -> RelationSelection:
        self.asked.append("select_relations")
        best = sorted(offered, key=lambda offer: (offer.relation.id, offer.direction))[:max_relations]
        return RelationSelection(
            relations=tuple(
                ChosenRelation(relation=offer.relation, direction=offer.direction, score=0.5) for offer in best
            ),
            ranking=self.ranking,
        )

    async def select_entities(
        self, state: BeliefState, triples: Sequence[Triple], max_triples: int, max_entities: int
    ) -> EntitySelection:
        self.asked.append("select_entities")
        kept = sorted(triples, key=lambda each: each.key)
        ends = {
            end.id: end
            for each in kept
            for end in (each.subject, each.object)
            if isinstance(end, Entity) and end.id not in state.expanded
        }
        return EntitySelection(
            triples=tuple(ScoredTriple(triple=each, score=0.5) for each in kept),
            frontier=tuple(ScoredEntity(entity=ends[key], score=0.5) for key in sorted(ends)[:max_entities]),
            sufficient=self.sufficient_after is not None and state.hops >= self.sufficient_after,
        )

    async def decide(self, state: BeliefState) -> Decision:
        self.asked.append("decide")
        return self.decisions.popleft() if self.decisions else Decision(action=GiveVerdict(), reason="script ended")

    async def grade(self, state: BeliefState, passages: Sequence[Passage]) -> tuple[Grade, ...]:
        self.asked.append("grade")
        stance = Stance(supports=0.8, refutes=0.1, neither=0.1)
        return tuple(
            Grade(relevance=0.9, stance=stance, consistency=0.8, quote=each.text.split(". ")[0]) for each in passages
        )

    async def extract(self, state: BeliefState, passage: Passage, grade: Grade) -> Extraction:
        self.asked.append("extract")
        return Extraction()

    async def judge(self, state: BeliefState, *, forced: bool) -> Judgement:
        self.asked.append("judge")
        if self.judgements:
            return self.judgements.popleft()
        return judgement(Veracity.NOT_ENOUGH_EVIDENCE, state.steps[-1].observation.id)


class ListGraph:
    """A knowledge graph over a list of triples, that can be told to fail."""

    name = "list"
    version = "1"

    def __init__(self, triples: Iterable[Triple] = ()) -> None:
        self.all = list(triples)
        self.failure: str | None = None

    def _ends(self, direction: Direction, each: Triple) -> tuple[Entity, Entity] | None:
        if not isinstance(each.object, Entity):
            return None
        return (each.subject, each.object) if direction == "out" else (each.object, each.subject)

    def _from(self, entity_: Entity, direction: Direction, limit: int) -> list[Triple]:
        groups: dict[str, list[Triple]] = {}
        for each in sorted(self.all, key=lambda one: one.key):
            ends = self._ends(direction, each)
            if ends and ends[0] == entity_:
                groups.setdefault(each.relation.id, []).append(each)
        return [
            each.model_copy(update={"count": len(group)})
            for _, group in sorted(groups.items())
            for each in group[:limit]
        ]

    async def candidates(self, mention: str, limit: int = 20) -> Retrieved[Candidate]:
        if self.failure:
            return Failed(self.failure)
        ends = {end.id: end for each in self.all for end in (each.subject, each.object) if isinstance(end, Entity)}
        return found(
            [
                Candidate(entity=end, matched=end.label, match=1.0, links=1)
                for end in ends.values()
                if end.label.casefold() == mention.casefold()
            ][:limit]
        )

    async def entities(self, ids: Sequence[str]) -> Retrieved[Entity]:
        ends = {end.id: end for each in self.all for end in (each.subject, each.object) if isinstance(end, Entity)}
        return found([ends[each] for each in ids if each in ends])

    async def relations(self, frontier: Sequence[Entity]) -> Retrieved[OfferedRelation]:
        count("kg_queries")
        if self.failure:
            return Failed(self.failure)
        offers: dict[tuple[str, Direction], OfferedRelation] = {}
        directions: tuple[Direction, Direction] = ("out", "in")
        for each in (each for one in frontier for way in directions for each in self._around(one, way, 1)):
            key = (each.relation.id, each.direction)
            before = offers.get(key)
            offers[key] = OfferedRelation(
                relation=each.relation,
                direction=each.direction,
                entities=(*(before.entities if before else ()), each.entity),
                count=(before.count if before else 0) + each.count,
            )
        return found(list(offers.values()))

    async def triples(
        self,
        frontier: Sequence[Entity],
        chosen: Sequence[tuple[Relation, Direction]],
        limit: int,
        towards: Sequence[Entity] = (),
    ) -> Retrieved[Triple]:
        count("kg_queries")
        if self.failure:
            return Failed(self.failure)
        wanted = {(relation.id, direction) for relation, direction in chosen}
        directions: tuple[Direction, Direction] = ("out", "in")
        kept = {
            each.key: each
            for one in frontier
            for direction in directions
            for each in self._from(one, direction, limit)
            if (each.relation.id, direction) in wanted
        }
        return found(list(kept.values()))

    async def neighbourhood(
        self, entity: Entity, direction: Direction, limit: int, towards: Sequence[Entity] = ()
    ) -> Retrieved[RelatedTriples]:
        count("kg_queries")
        return Failed(self.failure) if self.failure else found(self._around(entity, direction, limit))

    def _around(self, entity_: Entity, direction: Direction, limit: int) -> list[RelatedTriples]:
        groups: dict[str, list[Triple]] = {}
        for each in self._from(entity_, direction, limit):
            groups.setdefault(each.relation.id, []).append(each)
        return [
            RelatedTriples(
                entity=entity_,
                relation=group[0].relation,
                direction=direction,
                count=group[0].count or 1,
                triples=tuple(group),
            )
            for group in groups.values()
        ]

    async def ranking(self, ranking: Ranking, limit: int) -> Retrieved[Triple]:
        count("kg_queries")
        return found([each for each in self.all if each.relation == ranking.relation][:limit])


class ListWeb:
    """A web that gives the same passages for every query, or fails."""

    name = "list"
    version = "1"

    def __init__(self, passages: Iterable[Passage] = (), failure: str | None = None) -> None:
        self.passages, self.failure = list(passages), failure
        self.queries: list[str] = []

    async def search(
        self,
        query: str,
        limit: int,
        *,
        before: dt.date | None = None,
        allowed_sites: Sequence[str] = (),
        blocked_sites: Sequence[str] = (),
    ) -> Retrieved[Hit]:
        count("web_searches")
        self.queries.append(query)
        if self.failure:
            return Failed(self.failure)
        hits = [Hit(passage=each, score=1.0 / (rank + 1)) for rank, each in enumerate(self.passages[:limit])]
        return Found(hits) if hits else Nothing()
