"""Every method behind one interface: what each returns, what each may see, and what each says where it cannot work."""

import asyncio
import json
import re
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest

from small_world import GROUNDED, World
from test_result import SCHEMA
from wkgfc.baselines.course import Course, run
from wkgfc.baselines.floors import Fitted
from wkgfc.baselines.method import CannotCheck, Seen
from wkgfc.baselines.registry import METHODS, make_method, pipelines
from wkgfc.claim import Veracity
from wkgfc.errors import BadInput, JudgementFailed
from wkgfc.evaluate.given import seen_by
from wkgfc.evaluate.sets import sights
from wkgfc.evaluate.workbench import Workbench
from wkgfc.reasoning.reasoner import Judgement
from wkgfc.result import CheckResult

FITTED = Fitted(claims="fever_dev", n=60, supported=0.6, threshold=0.7, above=0.9, below=0.2)
READS_DOCUMENTS = [name for name, known in METHODS.items() if "document" in known.reads]


def check(bench: Workbench, world: World, name: str, kind: str, number: int, mark: str = "") -> CheckResult:
    """Check one claim of a set of a kind with what a method may see there."""
    row = world.rows("pubhealth" if kind == "grounded" else "fever_val")[number]
    sight = dict(sights(METHODS[name], kind))[mark]  # type: ignore[arg-type]
    seen = seen_by(sight, row, bench.graph, bench.web, "test")
    return bench.run(make_method(name, bench.tools, fitted=FITTED).check(row.to_claim(), seen))


@pytest.mark.parametrize("name", [name for name in METHODS if name not in ("direct", "graphrag", "graphcheck")])
def test_each_method_returns_what_a_check_returns(bench: Workbench, world: World, name: str) -> None:
    result = check(bench, world, name, "open", 2)
    jsonschema.validate(result.to_json(trace=True), SCHEMA)
    assert CheckResult.model_validate(json.loads(json.dumps(result.to_json(trace=True)))).veracity == result.veracity
    assert result.veracity is not None
    assert sum(result.probabilities.values()) == pytest.approx(1.0)
    assert result.trajectory is not None
    assert result.trajectory.steps[-1].action.name == "verdict"
    steps = {step.observation.id for step in result.trajectory.steps}
    evidence = {piece.id for piece in result.evidence}
    assert all(citation in steps | evidence for sentence in result.justification for citation in sentence.citations)


@pytest.mark.parametrize("name", READS_DOCUMENTS)
def test_with_the_document_a_method_reads_nothing_else(bench: Workbench, world: World, name: str) -> None:
    supported, refuted = (check(bench, world, name, "grounded", number) for number in (0, 1))
    assert {piece.source for piece in supported.evidence} <= {"test"}
    assert supported.usage.web_searches == supported.usage.kg_queries == 0
    if name not in ("lexical", "majority"):  # words alone do not tell 1998 from 2004
        assert supported.probabilities[Veracity.SUPPORTED] > refuted.probabilities[Veracity.SUPPORTED], GROUNDED[:2]


def test_wkgfc_reads_the_document_as_its_only_page(bench: Workbench, world: World) -> None:
    result = check(bench, world, "wkgfc", "grounded", 0, "document")
    assert result.veracity is Veracity.SUPPORTED
    assert {piece.source for piece in result.evidence if piece.kind == "passage"} == {"test"}


@pytest.mark.parametrize("name", ["fire", "hero", "tog", "graphrag", "graphcheck", "direct"])
def test_a_method_without_what_it_needs_says_so(bench: Workbench, world: World, name: str) -> None:
    row = world.rows("fever_val")[0]
    with pytest.raises(CannotCheck, match=r"give|none"):
        bench.run(make_method(name, bench.tools).check(row.to_claim(), Seen()))


@pytest.mark.parametrize("name", ["majority", "lexical"])
def test_a_floor_needs_development_claims(bench: Workbench, name: str) -> None:
    with pytest.raises(CannotCheck, match="--fit"):
        make_method(name, bench.tools)


async def test_a_local_model_has_its_own_time(bench: Workbench, world: World) -> None:
    async def work(course: Course) -> Judgement:
        await asyncio.sleep(0.1)
        raise JudgementFailed("the model has no answer")

    row = world.rows("fever_val")[0]
    for reasoner, told in (("embedded", "the check took longer"), ("local:MODEL.gguf", "the model has no answer")):
        settings = bench.tools.settings.model_copy(
            update={"reasoner": reasoner, "timeout_s": 0.01, "local_timeout_s": 60.0}
        )
        result = await run(row.to_claim(), Seen(), replace(bench.tools, settings=settings), work)
        assert result.errors[0].startswith(told)


def test_unknown_methods_and_parts_are_named(bench: Workbench) -> None:
    with pytest.raises(BadInput, match="wkgfc-kg-agent"):
        make_method("gpt", bench.tools)
    with pytest.raises(BadInput, match="only WKGFC"):
        make_method("fire", bench.tools, without="kg")


def test_every_method_has_its_pipeline_in_words() -> None:
    assert [line.split(":")[0] for line in pipelines()] == list(METHODS)
    assert all("→" in known.pipeline or name in ("majority", "direct", "fire") for name, known in METHODS.items())


def test_the_page_on_experiments_names_every_method() -> None:
    page = (Path(__file__).parents[2] / "docs" / "experiments.md").read_text(encoding="utf-8")
    methods = [name for name in METHODS if not name.startswith("wkgfc-")]
    assert all(re.search(rf"^\| (?:.*, )?{name}\b", page, re.MULTILINE) for name in methods)


@pytest.mark.parametrize(
    ("name", "actions"),
    [
        ("wkgfc-kg", ["initKGRetrieval", "verdict"]),
        ("wkgfc-web", ["initKGRetrieval", "webSearch", "verdict"]),
        ("wkgfc-kg-web", ["initKGRetrieval", "webSearch", "verdict"]),
    ],
)
def test_a_variant_without_an_agent_has_a_fixed_course(
    bench: Workbench, world: World, name: str, actions: list[str]
) -> None:
    for number in range(4):
        result = check(bench, world, name, "open", number)
        assert result.trajectory is not None
        assert [step.action.name for step in result.trajectory.steps] == actions
        searches = [step.action for step in result.trajectory.steps if step.action.name == "webSearch"]
        assert all(search.query == result.claim.text for search in searches)
        if name == "wkgfc-web":
            assert result.usage.kg_queries == 0


def test_the_agent_with_the_graph_alone_never_searches(bench: Workbench, world: World) -> None:
    for number in range(5):
        assert check(bench, world, "wkgfc-kg-agent", "open", number).usage.web_searches == 0


def test_parts_are_switched_off_once_each(bench: Workbench, world: World) -> None:
    row = world.rows("fever_val")[2]
    seen = Seen(graph=bench.graph, web=bench.web)
    results = {
        part: bench.run(make_method("wkgfc", bench.tools, without=part).check(row.to_claim(), seen))
        for part in ("kg", "web", "consistency")
    }
    assert results["kg"].usage.kg_queries == 0
    assert results["web"].usage.web_searches == 0
    consistencies = {p.consistency for p in results["consistency"].evidence if p.consistency is not None}
    assert consistencies == {0.5}
