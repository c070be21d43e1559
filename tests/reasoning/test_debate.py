"""A debate: two sides ask in turn, each for what it lacks; the judge and the limits are those of the single agent."""

from collections.abc import Iterable

import pytest

from obedient_model import obedient
from scripted import ListGraph, ListWeb, ScriptedReasoner, judgement, passage, triple
from scripted_model import Asked, Reply, ScriptedModel
from wkgfc.checker import FactChecker
from wkgfc.claim import Veracity, read_claim
from wkgfc.config import load_settings
from wkgfc.reasoning.debate import Argument, DebateReasoner, Side, side_of
from wkgfc.reasoning.embedded.texts.sides import without_value
from wkgfc.reasoning.llm.hybrid import read_choice
from wkgfc.reasoning.opening import open_reasoner
from wkgfc.reasoning.reasoner import Decision
from wkgfc.result import CheckResult
from wkgfc.state import BeliefState, ExpandKG, GiveVerdict, SearchWeb

CLAIM = "Alpha leads to Delta."


class ListSides:
    """Sides that ask from lists."""

    def __init__(self, advocate: Iterable[str] = (), sceptic: Iterable[str] = (), before: Decision | None = None):
        self.queries: dict[Side, list[str]] = {"advocate": list(advocate), "sceptic": list(sceptic)}
        self.first = before

    async def before(self, state: BeliefState) -> Decision | None:
        first, self.first = self.first, None
        return first

    async def argue(self, state: BeliefState, side: Side) -> Argument:
        left = self.queries[side]
        return Argument(query=left.pop(0) if left else "", missing=f"{side} lacks something")


def check(sides: ListSides, rounds: int = 1, web: ListWeb | None = None, **settings: object) -> CheckResult:
    reasoner = ScriptedReasoner(judgements=[judgement(Veracity.SUPPORTED, "K1")])
    return FactChecker(
        load_settings(**{"hops": 1, **settings}),
        graph=ListGraph([triple("Alpha", "P1", "Delta")]),
        web=web or ListWeb([passage("Alpha leads to Delta. So it is.")]),
        reasoner=DebateReasoner(reasoner, sides, rounds),
    ).check(CLAIM)


def searches(result: CheckResult) -> list[tuple[Side | None, str]]:
    assert result.trajectory is not None
    return [
        (side_of(step), step.action.query) for step in result.trajectory.steps if isinstance(step.action, SearchWeb)
    ]


def test_each_side_is_heard_in_turn_and_then_the_judge() -> None:
    result = check(ListSides(["a1", "a2"], ["s1", "s2"]), rounds=2, max_steps=10)
    assert searches(result) == [("advocate", "a1"), ("sceptic", "s1"), ("advocate", "a2"), ("sceptic", "s2")]
    assert (result.veracity, result.stop_reason) == (Veracity.SUPPORTED, "verdict")
    assert result.sources[-1].name == "debate(scripted)"


def test_one_round_is_two_searches() -> None:
    assert len(searches(check(ListSides(["a1", "a2"], ["s1", "s2"])))) == 2


def test_a_side_that_asks_nothing_new_is_passed_over() -> None:
    assert searches(check(ListSides([""], ["s1"]))) == [("sceptic", "s1")]
    assert searches(check(ListSides(["same"], ["same"]))) == [("advocate", "same")]
    assert searches(check(ListSides())) == []


def test_what_the_graph_decides_needs_no_sides() -> None:
    sides = ListSides(["a1"], ["s1"], Decision(action=GiveVerdict(), reason="the graph decides"))
    assert searches(check(sides)) == []


def test_a_further_hop_comes_before_the_sides() -> None:
    result = check(ListSides(["a1"], ["s1"], Decision(action=ExpandKG(), reason="near")))
    assert result.trajectory is not None
    assert [step.action.name for step in result.trajectory.steps] == [
        "initKGRetrieval",
        "expandKG",
        "webSearch",
        "webSearch",
        "verdict",
    ]


def test_limits_are_the_same() -> None:
    result = check(ListSides(["a1", "a2"], ["s1", "s2"]), rounds=2, max_steps=3)
    assert (len(searches(result)), result.stop_reason) == (1, "step_limit")


def test_without_a_web_the_graph_is_judged() -> None:
    sides = ListSides(["a1"], ["s1"])
    reasoner = DebateReasoner(ScriptedReasoner(judgements=[judgement(Veracity.SUPPORTED, "K1")]), sides)
    graph = ListGraph([triple("Alpha", "P1", "Delta")])
    result = FactChecker(load_settings(web="none", hops=1), graph=graph, reasoner=reasoner).check(CLAIM)
    assert (searches(result), result.veracity) == ([], Veracity.SUPPORTED)


# by rules


@pytest.mark.parametrize(
    ("claim", "query"),
    [
        ("Penicillin was discovered by Marie Curie.", "Penicillin was discovered by"),
        ("The Colosseum stands in Athens.", "The Colosseum stands in"),
        ("The French Revolution began in 1917.", "The French Revolution began in"),
        ("Bats are mammals.", "Bats are"),
        ("It rains.", ""),
    ],
)
def test_the_sceptic_leaves_the_asserted_value_out(claim: str, query: str) -> None:
    assert without_value(claim) == query


async def test_the_embedded_reasoner_has_sides_by_rules() -> None:
    settings = load_settings(mode="debate")
    reasoner = open_reasoner(settings, read_choice("embedded"), None)
    state = BeliefState(claim=read_claim("Penicillin was discovered by Marie Curie."))
    decision = await reasoner.decide(state)
    assert reasoner.name == "debate(embedded)"
    assert decision.action == SearchWeb(query="Penicillin was discovered by Marie Curie")
    assert decision.reason.startswith("the advocate: ")


# by a model


def test_a_model_speaks_for_both_sides_and_the_judge_sees_what_they_say() -> None:
    script = obedient()

    def otherwise(asked: Asked) -> Reply:
        if asked.judgement != "argue":
            return script(asked)
        side = "advocate" if "You are the advocate" in asked.prompt else "sceptic"
        return {"case": f"{side}: K1 is enough.", "missing": f"a page of the {side}", "query": f"{side} Alpha"}

    model = ScriptedModel(otherwise=otherwise)
    reasoner = model.reasoner()
    web = ListWeb([passage("Alpha leads to Delta. So it is.")])
    result = FactChecker(
        load_settings(hops=1),
        graph=ListGraph([triple("Alpha", "P1", "Delta")]),
        web=web,
        reasoner=DebateReasoner(reasoner, reasoner),
    ).check(CLAIM)
    assert searches(result) == [("advocate", "advocate Alpha"), ("sceptic", "sceptic Alpha")]
    judged = [asked for asked in model.asked if asked.judgement == "judge"][-1]
    assert "for the sceptic: sceptic: K1 is enough. Missing: a page of the sceptic" in judged.prompt
    counts = {name: sum(asked.judgement == name for asked in model.asked) for name in ("argue", "decide", "judge")}
    assert counts == {"argue": 2, "decide": 0, "judge": 1}


async def test_a_side_that_repeats_a_query_is_asked_once_more_and_then_has_none() -> None:
    reply = {"case": "none", "missing": "all", "query": "Alpha Delta"}
    model = ScriptedModel([reply, reply])
    state = BeliefState(claim=read_claim(CLAIM))
    first = await ScriptedModel([reply]).reasoner().argue(state, "advocate")
    assert first.query == "Alpha Delta"
    checked = check(ListSides(["Alpha Delta"], []))
    assert checked.trajectory is not None
    state.steps.extend(checked.trajectory.steps)
    again = await model.reasoner().argue(state, "sceptic")
    assert again.query == ""
    assert "was asked before" in model.asked[1].prompt


async def test_a_query_that_repeats_the_instructions_is_sent_back_and_the_claim_asked_for_instead() -> None:
    echo = {"case": "none", "missing": "all", "query": "Search for who or what it is about"}
    state = BeliefState(claim=read_claim(CLAIM))
    model = ScriptedModel([echo, {**echo, "query": "Delta"}])
    assert (await model.reasoner().argue(state, "advocate")).query == "Delta"
    assert "is of the instructions" in model.asked[1].prompt
    assert (await ScriptedModel([echo, echo]).reasoner().argue(state, "sceptic")).query == CLAIM
