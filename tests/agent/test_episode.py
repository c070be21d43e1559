"""The loop: what is chosen when, limits, failures that are told, and rules that hold for every result."""

import asyncio
import datetime as dt

import jsonschema
import pytest

from scripted import ListGraph, ListWeb, ScriptedReasoner, judgement, passage, triple
from test_result import SCHEMA
from wkgfc.agent.episode import StepStarted
from wkgfc.checker import FactChecker
from wkgfc.claim import Checkability, Claim, Veracity, read_claim
from wkgfc.config import load_settings
from wkgfc.errors import BadInput
from wkgfc.reasoning.reasoner import Decision
from wkgfc.result import CheckResult
from wkgfc.state import ExpandKG, SearchWeb, Step

TRIPLES = [triple("Alpha", "P1", "Beta"), triple("Beta", "P1", "Gamma"), triple("Gamma", "P1", "Delta")]
CLAIM = "Alpha leads to Delta."


def search(query: str) -> Decision:
    return Decision(action=SearchWeb(query=query), reason="something is missing")


def checker(
    reasoner: ScriptedReasoner, *, graph: ListGraph | None = None, web: ListWeb | None = None, **settings: object
) -> FactChecker:
    return FactChecker(
        load_settings(web="none" if web is None else None, hops=1, **settings),
        graph=graph or ListGraph(TRIPLES),
        web=web,
        reasoner=reasoner,
    )


def actions(result: CheckResult) -> list[str]:
    assert result.trajectory is not None
    return [step.action.name for step in result.trajectory.steps]


def test_it_begins_with_the_knowledge_graph_and_follows_the_policy() -> None:
    reasoner = ScriptedReasoner(
        [Decision(action=ExpandKG(), reason="near"), search("Alpha Delta")],
        [judgement(Veracity.SUPPORTED, "K1", "W1")],
    )
    web = ListWeb([passage("Alpha leads to Delta. So it is.", title="Alpha")])
    result = checker(reasoner, web=web).check(CLAIM)
    assert actions(result) == ["initKGRetrieval", "expandKG", "webSearch", "verdict"]
    assert (result.veracity, result.stop_reason) == (Veracity.SUPPORTED, "verdict")
    assert {each.id for each in result.evidence if each.used} == {"K1", "W1"}
    assert result.usage.kg_queries == 4
    assert result.usage.web_searches == 1
    jsonschema.validate(result.to_json(trace=True), SCHEMA)


def test_the_step_limit_forces_a_verdict() -> None:
    reasoner = ScriptedReasoner([search(f"query {number}") for number in range(9)])
    result = checker(reasoner, web=ListWeb(), max_steps=4).check(CLAIM)
    assert actions(result) == ["initKGRetrieval", "webSearch", "webSearch", "verdict"]
    assert result.stop_reason == "step_limit"


def test_the_clock_forces_a_verdict() -> None:
    reasoner = ScriptedReasoner([search("more")])
    result = checker(reasoner, web=ListWeb(), timeout_s=1e-6).check(CLAIM)
    assert actions(result) == ["initKGRetrieval", "verdict"]
    assert result.stop_reason == "time_limit"


def test_a_failed_source_is_told_and_the_check_goes_on() -> None:
    reasoner = ScriptedReasoner([search("a query")])
    result = checker(reasoner, web=ListWeb(failure="503 from the engine")).check(CLAIM)
    assert result.veracity is Veracity.NOT_ENOUGH_EVIDENCE
    assert result.errors == ("S2: 503 from the engine",)
    assert result.trajectory is not None
    assert result.trajectory.steps[1].observation.outcome == "failed"


def test_a_graph_that_fails_is_no_empty_graph() -> None:
    graph = ListGraph(TRIPLES)
    graph.failure = "no connection"
    result = checker(ScriptedReasoner(), graph=graph).check(CLAIM)
    assert result.errors == ("S1: no connection",)


def test_the_same_query_is_not_asked_twice() -> None:
    web = ListWeb([passage("Alpha leads to Beta. Nothing more is known.")])
    result = checker(ScriptedReasoner([search("one"), search("one")]), web=web).check(CLAIM)
    assert web.queries == ["one"]
    assert result.trajectory is not None
    assert result.trajectory.steps[2].observation.outcome == "nothing"


def test_a_verdict_that_keeps_breaking_a_rule_is_an_error_and_no_veracity() -> None:
    reasoner = ScriptedReasoner(judgements=[judgement(Veracity.SUPPORTED, "K99")] * 2)
    result = checker(reasoner).check(CLAIM)
    assert (result.veracity, result.confidence, result.stop_reason) == (None, None, "error")
    assert "K99" in result.errors[0]
    jsonschema.validate(result.to_json(), SCHEMA)


def test_what_cannot_be_checked_is_said_to_be_so() -> None:
    reasoner = ScriptedReasoner()
    reasoner.checkability = Checkability(is_checkable=False, kind="opinion", reason="It is a matter of taste.")
    result = checker(reasoner).check("Alpha is the best.")
    assert (result.veracity, result.stop_reason) == (None, "not_checkable")
    assert result.checkability.kind == "opinion"
    assert reasoner.asked == []


async def test_steps_are_said_as_they_begin_and_end() -> None:
    events = [event async for event in checker(ScriptedReasoner()).stream(CLAIM)]
    kinds = [type(event) for event in events]
    assert kinds == [StepStarted, Step, StepStarted, Step, CheckResult]


async def test_check_works_where_an_event_loop_runs() -> None:
    assert asyncio.get_running_loop().is_running()
    assert checker(ScriptedReasoner()).check(CLAIM).veracity is Veracity.NOT_ENOUGH_EVIDENCE


def test_many_claims_come_back_in_order() -> None:
    results = checker(ScriptedReasoner()).check_many([CLAIM, "Beta leads to Gamma.", CLAIM])
    assert [result.claim.text for result in results] == [CLAIM, "Beta leads to Gamma.", CLAIM]


def test_of_many_claims_one_that_is_none_is_refused_before_anything_is_checked() -> None:
    reasoner = ScriptedReasoner()
    with pytest.raises(BadInput):
        checker(reasoner).check_many([CLAIM] * 3 + [""])
    assert reasoner.asked == []


def test_a_fault_in_one_of_many_checks_is_that_ones_error(monkeypatch: pytest.MonkeyPatch) -> None:
    reasoner = ScriptedReasoner()
    screen = reasoner.screen

    async def faulty(claim: Claim) -> Checkability:
        if claim.text != CLAIM:
            raise ValueError("no such thing")
        return await screen(claim)

    monkeypatch.setattr(reasoner, "screen", faulty)
    results = checker(reasoner).check_many([CLAIM, "Beta leads to Gamma.", CLAIM])
    assert [result.stop_reason for result in results] == ["verdict", "error", "verdict"]
    assert (results[1].veracity, results[1].errors) == (None, ("ValueError: no such thing",))
    assert results[1].claim.text == "Beta leads to Gamma."


def test_a_claim_of_a_day_sees_nothing_published_later() -> None:
    early = passage("Alpha led to Beta in the old days.", url="https://a.example/1").model_copy(
        update={"date": dt.date(2019, 1, 1)}
    )
    late = passage("Alpha was cut off from Beta later on.", url="https://a.example/2").model_copy(
        update={"date": dt.date(2021, 1, 1)}
    )
    claim = read_claim("Alpha leads to Beta.", date=dt.date(2020, 1, 1))
    result = checker(ScriptedReasoner([search("Alpha Beta")]), web=ListWeb([early, late])).check(claim)
    assert [each.url for each in result.evidence if each.kind == "passage"] == ["https://a.example/1"]


@pytest.mark.parametrize("text", ["", "\u200b", "x" * 100_000])
def test_what_is_no_claim_is_refused(text: str) -> None:
    with pytest.raises(BadInput):
        checker(ScriptedReasoner()).check(text)
