"""A whole check by a language model: what is asked when and how often, in both ways of counting."""

import datetime as dt
from collections import Counter
from itertools import pairwise
from typing import Any

import jsonschema
import pytest

from obedient_model import obedient
from scripted import ListGraph, ListWeb, passage, triple
from scripted_model import Asked, Reply, ScriptedModel, calls
from test_result import SCHEMA
from wkgfc.checker import FactChecker
from wkgfc.claim import Veracity, read_claim
from wkgfc.config import load_settings
from wkgfc.evidence import Triple
from wkgfc.result import CheckResult

CLAIM = "Alpha leads to Delta."
HOPS, BEAM = 4, 4


def wide_graph() -> ListGraph:
    """From Alpha, each of four entities a hop leads by each of four relations to four entities of the next hop."""
    layers = [["Alpha"], *([f"L{hop}E{number}" for number in range(BEAM)] for hop in range(1, HOPS + 2))]
    triples: list[Triple] = [
        triple(subject, f"P{number}", obj)
        for layer, following in pairwise(layers)
        for subject in layer
        for number, obj in enumerate(following)
    ]
    return ListGraph(triples)


def check(model: ScriptedModel, *, web: ListWeb | None = None, claim: Any = CLAIM, **settings: Any) -> CheckResult:
    loaded = load_settings(web="none" if web is None else None, **settings)
    reasoner = model.reasoner(counting=loaded.counting)
    return FactChecker(loaded, graph=settings_graph(settings), web=web, reasoner=reasoner).check(claim)


def settings_graph(settings: dict[str, Any]) -> ListGraph:
    if settings.get("hops") == 1:
        return ListGraph([triple("Alpha", "P1", "Delta"), triple("Delta", "P2", "Gamma")])
    return wide_graph()


def counts(model: ScriptedModel) -> Counter[str]:
    return Counter(asked.judgement for asked in model.asked)


def test_a_retrieval_of_n_hops_asks_two_questions_a_hop_and_one_for_the_verdict() -> None:
    """DESIGN, what is counted: 2N + 1 = 9, the decision counted apart."""
    model = ScriptedModel(otherwise=obedient())
    result = check(model)
    assert counts(model) == {"relations": HOPS, "entities": HOPS, "decide": 1, "judge": 1}
    assert counts(model).total() - 1 == 2 * HOPS + 1
    assert result.usage.llm_calls == 10
    assert result.usage.input_tokens > 0
    assert result.veracity is Veracity.SUPPORTED


def test_in_faithful_mode_each_entity_of_the_frontier_is_asked_about() -> None:
    """The paper: N + k x N + 1 = 21 with k = N = 4, where the first frontier has k entities too."""
    graph = wide_graph()
    claim = "L1E0 meets L1E1, L1E2 and L1E3."
    model = ScriptedModel(otherwise=obedient())
    settings = load_settings(web="none", counting="faithful")
    FactChecker(settings, graph=graph, reasoner=model.reasoner(counting="faithful")).check(claim)
    asked = counts(model)
    assert asked == {"relations": HOPS, "entities": HOPS * BEAM, "decide": 1, "judge": 1}
    assert asked.total() - asked["decide"] == HOPS + HOPS * BEAM + 1 == 21


def test_the_model_that_finds_it_enough_ends_the_search() -> None:
    model = ScriptedModel(otherwise=obedient(enough=True))
    check(model)
    assert counts(model) == {"relations": 1, "entities": 1, "judge": 1}, "only the verdict is left, so nobody decides"


@pytest.mark.parametrize("counting", ["batched", "faithful"])
def test_passages_are_graded_in_one_question_and_in_faithful_mode_one_by_one(counting: str) -> None:
    action = {"missing": "the end of the way", "action": "webSearch", "query": "Alpha Delta way"}
    model = ScriptedModel(otherwise=obedient(action=action))
    web = ListWeb(
        [
            passage(
                f"The way number {number} of Alpha ends at Delta. It is {number} miles.",
                url=f"https://{number}.example/",
            )
            for number in range(3)
        ]
    )
    result = check(model, web=web, hops=1, counting=counting)
    assert counts(model)["grade"] == (1 if counting == "batched" else 3)
    assert web.queries == ["Alpha Delta way"]
    assert {each.quote for each in result.evidence if each.kind == "passage"} == {
        f"The way number {number} of Alpha ends at Delta." for number in range(3)
    }
    jsonschema.validate(result.to_json(trace=True), SCHEMA)


def test_actions_are_functions_where_the_model_calls_them() -> None:
    script = obedient()

    def otherwise(asked: Asked) -> Reply:
        if asked.judgement == "decide":
            return calls(("verdict", {"missing": "nothing"}))
        return script(asked)

    model = ScriptedModel(otherwise=otherwise)
    settings = load_settings(web="none", hops=1)
    graph = settings_graph({"hops": 1})
    web = ListWeb()
    FactChecker(settings, graph=graph, web=web, reasoner=model.reasoner(actions="tools")).check(CLAIM)
    (decision,) = [asked for asked in model.asked if asked.judgement == "decide"]
    assert decision.tools == ("expandKG", "webSearch", "verdict")


def test_without_evidence_nobody_is_asked_for_a_verdict() -> None:
    model = ScriptedModel(otherwise=obedient(verdict="Refuted"))
    settings = load_settings(web="none")
    result = FactChecker(settings, graph=ListGraph(), reasoner=model.reasoner()).check(CLAIM)
    assert result.veracity is Veracity.NOT_ENOUGH_EVIDENCE
    assert [sentence.citations for sentence in result.justification] == [("S1",)]
    assert model.asked == []


def test_the_step_limit_asks_for_the_forced_verdict() -> None:
    action = {"missing": "more", "action": "webSearch", "query": "Alpha"}
    model = ScriptedModel(otherwise=obedient(action=action))
    result = check(model, web=ListWeb(), hops=1, max_steps=3)
    assert result.stop_reason == "step_limit"
    assert [asked.judgement for asked in model.asked][-1] == "forced"


def test_the_time_limit_leaves_time_for_the_verdict() -> None:
    model = ScriptedModel(otherwise=obedient())
    result = check(model, hops=1, timeout_s=1e-6)
    assert (result.stop_reason, result.veracity) == ("time_limit", Veracity.NOT_ENOUGH_EVIDENCE)


@pytest.mark.parametrize("judgement", ["relations", "entities", "decide", "grade", "judge"])
def test_a_judgement_that_fails_is_an_error_and_no_verdict(judgement: str) -> None:
    script = obedient(action={"missing": "more", "action": "webSearch", "query": "Alpha"})

    def otherwise(asked: Asked) -> Reply:
        if asked.turns == 1 and asked.judgement != judgement:
            return script(asked)
        return "I cannot say."

    web = ListWeb([passage("Alpha leads to Delta, they say. It is long.")])
    result = check(ScriptedModel(otherwise=otherwise), web=web, hops=1, max_steps=9)
    assert (result.veracity, result.confidence, result.stop_reason) == (None, None, "error")
    assert f"({judgement}), twice" in result.errors[-1]
    jsonschema.validate(result.to_json(trace=True), SCHEMA)


def test_today_and_the_day_of_the_claim_are_in_every_prompt() -> None:
    claim = read_claim(CLAIM, date=dt.date(2019, 5, 1)).model_copy(update={"today": dt.date(2024, 2, 29)})
    model = ScriptedModel(otherwise=obedient())
    check(model, claim=claim, hops=1)
    assert model.asked
    for asked in model.asked:
        assert "made on 2019-05-01" in asked.prompt
        assert "today is 2024-02-29" in asked.prompt


def test_the_same_check_asks_the_same_questions() -> None:
    """So a recorded run can be replayed: nothing in a prompt is left to chance."""
    claim = read_claim(CLAIM).model_copy(update={"today": dt.date(2024, 2, 29)})
    prompts = []
    for _ in range(2):
        model = ScriptedModel(otherwise=obedient())
        check(model, claim=claim)
        prompts.append([asked.prompt for asked in model.asked])
    assert prompts[0] == prompts[1]


def test_the_model_s_own_number_is_recorded_and_used_for_nothing() -> None:
    model = ScriptedModel(otherwise=obedient())
    result = check(model, hops=1)
    assert result.trajectory is not None
    assert "own number, used for nothing: 0.99" in result.trajectory.steps[-1].observation.text
    assert result.confidence != 0.99
