"""Think-on-Graph: a beam search over the knowledge graph alone.

Sun et al. 2024, "Think-on-Graph: Deep and Responsible Reasoning of Large Language Model on Knowledge Graph" (ICLR).
Width 3 and depth 3, as in its Wikidata variant. At each depth the relations of every entity of the beam are pruned by
themselves, the candidates of every kept relation are scored by themselves (score times that of the relation), and the
``WIDTH`` best of all are kept; then the evidence, with what was kept, is looked at whether it is enough. No step goes
back over a statement that is evidence already. There is no web search and no other decision.

The reasoner makes the judgements. Two things differ from the code of its authors: candidates are not drawn at random
where there are many, and no relation is left out for its name (they drop "instance of", "country", "inception"). Where
nothing at all was found theirs answers from the model's memory; here nothing was found.
"""

from wkgfc.agent.environment import Outcome
from wkgfc.agent.rules import conclude
from wkgfc.baselines.course import Course, run
from wkgfc.baselines.method import CannotCheck, Seen, Tools
from wkgfc.claim import Claim
from wkgfc.evidence import Entity, Triple
from wkgfc.kg.graph import NoGraph
from wkgfc.kg.linking import link
from wkgfc.reasoning.reasoner import Judgement
from wkgfc.result import CheckResult
from wkgfc.state import ExpandKG, Failed, Found, InitKGRetrieval, Nothing, found

WIDTH = 3  # ToG/main_wiki.py
DEPTH = 3  # ToG/main_wiki.py
RETAINED = 5  # num_retain_entity: candidates kept of a relation
FETCHED = 20  # candidates of a relation and direction: above this many ToG draws


class ThinkOnGraph:
    """Beam search alone over the knowledge graph."""

    name = "tog"

    def __init__(self, tools: Tools) -> None:
        self._tools = tools

    async def check(self, claim: Claim, seen: Seen) -> CheckResult:
        """See ``Method``.

        Raises:
            CannotCheck: there is no knowledge graph.
        """
        if isinstance(seen.graph, NoGraph):
            raise CannotCheck("Think-on-Graph searches a knowledge graph, and there is none: give --kg")
        return await run(claim, seen, self._tools, self._search)

    async def _search(self, course: Course) -> Judgement:
        state, reasoner = course.state, self._tools.reasoner
        await course.act(
            InitKGRetrieval(), "link the topic entities, and look one hop around them", lambda: self._begin(course)
        )
        while state.frontier and state.hops < DEPTH and not state.sufficient:
            await course.act(ExpandKG(), "the evidence is not enough yet", lambda: self._hop(course))
        forced = not state.sufficient
        reason = "nothing more is to be searched" if forced else "the evidence is enough"
        return await course.conclude(lambda: conclude(reasoner, state, forced=forced), reason)

    async def _begin(self, course: Course) -> Outcome:
        linked = await link(course.state.claim, course.seen.graph)
        if isinstance(linked, Failed):
            return Outcome(linked)
        course.state.topic_entities = linked.topic_entities
        course.state.frontier = tuple(dict.fromkeys(each[0][0] for each in linked.topic_entities.values()))
        if not course.state.frontier:
            return Outcome(Nothing(), linked.abstention or "nothing of the claim is in the knowledge graph")
        return await self._hop(course)

    async def _hop(self, course: Course) -> Outcome:
        """One depth: relations pruned for each entity, candidates scored for each relation, the best of all kept."""
        state, reasoner, graph = course.state, self._tools.reasoner, course.seen.graph
        frontier, state.frontier = state.frontier, ()
        topics = [entity for candidates in state.topic_entities.values() for entity, _ in candidates]
        state.hops += 1
        state.expanded.update(entity.id for entity in frontier)
        scored: dict[object, tuple[float, Triple, Entity]] = {}
        failures: list[str] = []
        for entity in frontier:
            offered = await graph.relations([entity])
            if isinstance(offered, Failed):
                failures.append(f"relations of {entity.label}: {offered.reason}")
            if not isinstance(offered, Found):
                continue
            for chosen in (await reasoner.select_relations(state, offered.items, WIDTH)).relations[:WIDTH]:
                candidates = await graph.triples([entity], [(chosen.relation, chosen.direction)], FETCHED, topics)
                if isinstance(candidates, Failed):
                    failures.append(f"{chosen.relation.label} of {entity.label}: {candidates.reason}")
                if not isinstance(candidates, Found):
                    continue
                further = [each for each in candidates.items if state.evidence.find(each) is None]
                if not further:
                    continue
                kept = await reasoner.select_entities(state, further, RETAINED, WIDTH)
                for each in kept.triples:
                    score = each.score * chosen.score
                    if score > scored.get(each.triple.key, (0.0,))[0]:
                        scored[each.triple.key] = (score, each.triple, entity)
        best = sorted(scored.values(), key=lambda item: (-item[0], str(item[1].key)))[:WIDTH]
        if failures and not best:
            return Outcome(Failed("; ".join(failures)))
        known = len(state.evidence)
        for score, triple, _ in best:
            state.evidence.add_kg_triple(triple, hop=state.hops, relevance=min(score, 1.0))
        ends = [_far_end(triple, entity) for _, triple, entity in best]
        state.frontier = tuple(
            dict.fromkeys(end for end in ends if isinstance(end, Entity) and end.id not in state.expanded)
        )
        if best:
            kept = await reasoner.select_entities(state, [triple for _, triple, _ in best], RETAINED, WIDTH)
            state.sufficient = kept.sufficient
        ids = [evidence.id for evidence in state.evidence][known:]
        return Outcome(found(ids), f"depth {state.hops}: {len(ids)} facts", tuple(failures))


def _far_end(triple: Triple, entity: Entity) -> object:
    return triple.object if triple.subject == entity else triple.subject
