"""Think-on-Graph's beam: what is kept decides whether it is enough, and one query that fails loses nothing else."""

from collections.abc import Sequence
from dataclasses import replace

from scripted import ListGraph, ScriptedReasoner, triple
from wkgfc.baselines.method import Seen
from wkgfc.baselines.tog import DEPTH, ThinkOnGraph
from wkgfc.claim import read_claim
from wkgfc.evaluate.workbench import Workbench
from wkgfc.evidence import Entity, Triple
from wkgfc.reasoning.reasoner import EntitySelection, OfferedRelation, ScoredTriple
from wkgfc.result import CheckResult
from wkgfc.state import BeliefState, Failed, Retrieved


class Worth(ScriptedReasoner):
    """Scores a statement by its relation, and finds a statement of the deciding relation enough, wherever it is."""

    def __init__(self, deciding: str, **scores: float) -> None:
        super().__init__()
        self.deciding, self.scores = deciding, scores

    async def select_entities(
        self, state: BeliefState, triples: Sequence[Triple], max_triples: int, max_entities: int
    ) -> EntitySelection:
        selected = await super().select_entities(state, triples, max_triples, max_entities)
        scored = [ScoredTriple(triple=t, score=self.scores.get(t.relation.id, 0.5)) for t in triples]
        held = [each.content for each in state.evidence]
        enough = any(isinstance(t, Triple) and t.relation.id == self.deciding for t in [*triples, *held])
        return selected.model_copy(update={"triples": tuple(scored), "sufficient": enough})


class PartlyDown(ListGraph):
    """A graph that does not answer about one entity."""

    async def relations(self, frontier: Sequence[Entity]) -> Retrieved[OfferedRelation]:
        if [each.id for each in frontier] == ["Paris"]:
            return Failed("HTTP 503")
        return await super().relations(frontier)


def check(bench: Workbench, graph: ListGraph, reasoner: ScriptedReasoner) -> CheckResult:
    tog = ThinkOnGraph(replace(bench.tools, reasoner=reasoner))
    return bench.run(tog.check(read_claim("Berlin and Paris are twins."), Seen(graph=graph)))


def observations(result: CheckResult) -> list[tuple[str, str, tuple[str, ...]]]:
    assert result.trajectory is not None
    return [
        (step.action.name, step.observation.text, step.observation.failures) for step in result.trajectory.steps[:-1]
    ]


def test_what_was_pruned_is_not_enough(bench: Workbench) -> None:
    near = [triple("Berlin", "r2", f"B{n}") for n in range(3)]
    graph = ListGraph([triple("Berlin", "r1", "C"), *near, triple("B0", "r3", "D"), triple("D", "r3", "E")])
    assert len(observations(check(bench, graph, Worth("r1", r1=0.1, r2=0.9)))) == DEPTH
    assert len(observations(check(bench, graph, Worth("r1", r1=0.9, r2=0.9)))) == 1


def test_no_step_goes_back_over_what_led_there(bench: Workbench) -> None:
    near = [triple("Berlin", "r2", f"B{n}") for n in range(3)]
    graph = ListGraph([*near, triple("B0", "r3", "D"), triple("D", "r3", "E")])
    result = check(bench, graph, Worth("none", r2=0.9, r3=0.1))
    assert [text for _, text, _ in observations(result)] == [
        "depth 1: 3 facts",
        "depth 2: 1 facts",
        "depth 3: 1 facts",
    ]


def test_a_query_that_fails_is_told_and_the_others_count(bench: Workbench) -> None:
    graph = PartlyDown([triple("Berlin", "twin", "Madrid"), triple("Paris", "twin", "Rome")])
    ((name, text, failures),) = observations(check(bench, graph, Worth("twin")))
    assert (name, text) == ("initKGRetrieval", "depth 1: 1 facts")
    assert failures == ("relations of Paris: HTTP 503",)


def test_where_all_fail_nothing_is_said_to_be_absent(bench: Workbench) -> None:
    result = check(bench, PartlyDown([triple("Paris", "twin", "Rome")]), Worth("twin"))
    assert observations(result)[0][1] == "failed: relations of Paris: HTTP 503"
