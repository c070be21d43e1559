"""Budgets: what a call may take, what happens at a limit of a check and of a run, and totals that add up."""

import asyncio
import time
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scripted import ListGraph, ListWeb, ScriptedReasoner, triple
from wkgfc.budget import Budget, Charge, LimitReached, Limits, call, concluding, limit_reached, spending
from wkgfc.checker import FactChecker
from wkgfc.claim import Veracity
from wkgfc.config import load_settings
from wkgfc.errors import NotConfigured
from wkgfc.reasoning.reasoner import Decision, Judgement, OfferedRelation, RelationSelection
from wkgfc.result import CheckResult
from wkgfc.state import BeliefState, SearchWeb

CALL = Charge(900, 100, 0.01)
CLAIM = "Alpha leads to Beta."


def spend(budget: Budget, charge: Charge = CALL) -> None:
    with budget.call(charge) as taken:
        taken(charge)


def test_a_budget_adds_up_what_calls_took_and_not_what_was_expected() -> None:
    budget = Budget(Limits())
    with budget.call(Charge(5_000, 5_000)) as taken:
        taken(CALL)
    spend(budget, Charge(10, 1))
    assert (budget.calls, budget.tokens, budget.cost_usd, budget.unpriced_tokens) == (2, 1_011, 0.01, 11)


def test_what_a_check_takes_counts_in_its_run() -> None:
    run = Budget(Limits(), "run")
    for _ in range(3):
        spend(Budget(Limits(), within=run))
    assert (run.calls, run.tokens) == (3, 3_000)


def test_a_call_that_would_go_over_is_refused_and_room_is_kept_for_the_verdict() -> None:
    budget = Budget(Limits(tokens=4_000))
    spend(budget)
    spend(budget)
    spend(budget)
    with pytest.raises(LimitReached, match=r"4,000 tokens a check .*3,000 used") as refused:
        spend(budget)
    assert (refused.value.whose, refused.value.measure) == ("check", "tokens")
    with concluding():
        spend(budget)
    assert budget.tokens == 4_000


def test_after_a_refusal_smaller_calls_are_refused_too() -> None:
    budget = Budget(Limits(tokens=4_000))
    with pytest.raises(LimitReached):
        spend(budget, Charge(9_000, 0))
    with pytest.raises(LimitReached):
        spend(budget, Charge(1, 1))
    assert budget.reached() is not None


def test_calls_under_way_count() -> None:
    budget = Budget(Limits(cost_usd=0.05))
    with budget.call(CALL), budget.call(CALL), budget.call(CALL), pytest.raises(LimitReached, match=r"\$0\.05"):
        spend(budget)


def test_a_call_that_failed_took_nothing_and_leaves_its_room() -> None:
    budget = Budget(Limits(tokens=4_000))
    for _ in range(5):
        with pytest.raises(RuntimeError), budget.call(CALL):
            raise RuntimeError("no connection")
    spend(budget)
    assert budget.tokens == 1_000


def test_money_is_not_limited_where_the_price_is_unknown_and_that_is_said() -> None:
    with pytest.raises(NotConfigured, match="price_input_usd"):
        spend(Budget(Limits(cost_usd=1.0)), Charge(900, 100))
    with pytest.raises(NotConfigured, match=r"\$1 a run"):
        spend(Budget(Limits(), within=Budget(Limits(cost_usd=1.0), "run")), Charge(900, 100))


def test_a_model_that_costs_nothing_never_reaches_a_limit_of_money() -> None:
    budget = Budget(Limits(cost_usd=0.001))
    for _ in range(50):
        spend(budget, Charge(9_000, 1_000, 0.0))
    assert budget.reached() is None


def test_time_and_steps_are_limits_too() -> None:
    now = 0.0
    run = Budget(Limits(seconds=10.0, steps=3), "run", clock=lambda: now)
    check = Budget(Limits(seconds=60.0), within=run, clock=lambda: now)
    assert check.seconds_left() == 10.0
    now = 11.0
    reached = check.reached()
    assert reached is not None
    assert (reached.whose, reached.measure, check.seconds_left()) == ("run", "seconds", 0.0)
    run = Budget(Limits(steps=2), "run")
    for _ in range(2):
        Budget(Limits(), within=run).count_step()
    assert run.reached() is not None


def test_outside_of_a_check_nothing_is_limited() -> None:
    assert limit_reached() is None
    with call(CALL) as taken:
        taken(CALL)


def test_tasks_that_a_check_starts_spend_from_its_budget() -> None:
    async def one() -> None:
        with call(CALL) as taken:
            await asyncio.sleep(0)
            taken(CALL)

    async def both() -> None:
        with spending(first):
            await asyncio.gather(one(), one())
        with spending(second):
            await one()

    first, second = Budget(Limits()), Budget(Limits())
    asyncio.run(both())
    assert (first.calls, second.calls) == (2, 1)


@given(st.lists(st.integers(1, 3_000), max_size=40), st.integers(1_000, 20_000))
def test_a_limit_holds_for_calls_of_the_size_that_was_expected(sizes: list[int], limit: int) -> None:
    budget = Budget(Limits(tokens=limit))
    for size in sizes:
        try:
            spend(budget, Charge(size, 0))
        except LimitReached:
            break
    assert budget.tokens <= limit


# in a check


class Spender(ScriptedReasoner):
    """Asks a model of 1,000 tokens and one cent for each decision and each verdict."""

    async def decide(self, state: BeliefState) -> Decision:
        with call(CALL) as taken:
            taken(CALL)
        return await super().decide(state)

    async def judge(self, state: BeliefState, *, forced: bool) -> Judgement:
        with call(CALL) as taken:
            taken(CALL)
        return await super().judge(state, forced=forced)


def checker(searches: int = 20, **settings: object) -> FactChecker:
    decisions = [Decision(action=SearchWeb(query=f"query {each}"), reason="more") for each in range(searches)]
    return FactChecker(
        load_settings(hops=1, max_steps=20, **settings),
        graph=ListGraph([triple("Alpha", "P1", "Beta")]),
        web=ListWeb(),
        reasoner=Spender(decisions),
    )


def said(result: CheckResult) -> str:
    assert result.trajectory is not None
    return result.trajectory.steps[-1].reason


def test_the_limit_of_tokens_forces_a_verdict() -> None:
    result = checker(max_tokens=5_000).check(CLAIM)
    assert (result.veracity, result.stop_reason) == (Veracity.NOT_ENOUGH_EVIDENCE, "token_limit")
    assert "the limit of 5,000 tokens a check" in said(result)


def test_the_limit_of_money_forces_a_verdict() -> None:
    checked = checker(max_cost_usd=0.05)
    assert checked.check(CLAIM).stop_reason == "cost_limit"
    assert checked.spent.cost_usd <= 0.05


def test_a_refused_call_in_the_midst_of_an_action_is_told_and_the_verdict_follows() -> None:
    class Grader(Spender):
        async def select_relations(
            self, state: BeliefState, offered: Sequence[OfferedRelation], max_relations: int
        ) -> RelationSelection:
            with call(Charge(90_000, 0)):
                raise AssertionError("it is refused")

    checked = checker(max_tokens=5_000)
    checked = FactChecker(
        checked.settings, graph=ListGraph([triple("Alpha", "P1", "Beta")]), web=ListWeb(), reasoner=Grader()
    )
    result = checked.check(CLAIM)
    assert result.stop_reason == "token_limit"
    assert result.errors == ("S1: the limit of 5,000 tokens a check leaves no room for more (0 used)",)
    assert result.veracity is Veracity.NOT_ENOUGH_EVIDENCE


def test_a_run_that_is_used_up_begins_no_further_check() -> None:
    checked = checker(searches=1, run_max_cost_usd=0.05)
    results = checked.check_many([CLAIM] * 4, concurrency=1)
    assert [result.stop_reason for result in results] == ["verdict", "run_limit", "run_limit", "run_limit"]
    assert [result.veracity is None for result in results] == [False, False, True, True]  # the second had begun
    assert "not begun: the limit of $0.05 a run" in results[-1].errors[0]
    assert not any(result.evidence for result in results[2:])
    assert checked.spent.cost_usd <= 0.05


def test_a_check_under_way_concludes_when_the_run_is_used_up() -> None:
    checked = checker(run_max_tokens=5_000)
    result = checked.check(CLAIM)
    assert (result.veracity, result.stop_reason) == (Veracity.NOT_ENOUGH_EVIDENCE, "run_limit")


def test_steps_of_a_run_are_counted_over_its_checks() -> None:
    checked = checker(searches=0, run_max_steps=3)
    assert [result.stop_reason for result in checked.check_many([CLAIM] * 3, concurrency=1)] == [
        "verdict",
        "run_limit",
        "run_limit",
    ]


def test_the_time_of_a_run_that_is_over_ends_its_checks() -> None:
    checked = checker(run_timeout_s=1e-6)
    assert checked.check(CLAIM).stop_reason == "run_limit"


def test_a_verdict_that_the_time_of_the_run_forced_is_the_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    checked = checker(run_timeout_s=60.0)
    later = time.monotonic() + 61
    monkeypatch.setattr(checked.spent, "_clock", lambda: later if checked.spent.steps else later - 61)
    result = checked.check(CLAIM)
    assert (result.veracity, result.stop_reason) == (Veracity.NOT_ENOUGH_EVIDENCE, "run_limit")


def test_processes_that_do_a_run_together_have_a_share_of_its_limits_each() -> None:
    settings = load_settings(run_max_cost_usd=1.0, run_max_tokens=10_000, run_max_steps=3, run_timeout_s=60.0)
    each = settings.shared_by(4)
    assert (each.run_max_cost_usd, each.run_max_tokens, each.run_max_steps) == (0.25, 2_500, 1)
    assert each.run_timeout_s == 60.0
    assert settings.shared_by(1) == settings
    assert load_settings().shared_by(4) == load_settings()


def test_a_verdict_within_its_budget_is_an_ordinary_one() -> None:
    checked = checker(searches=1, max_tokens=50_000, max_cost_usd=1.0)
    assert checked.check(CLAIM).stop_reason == "verdict"
    assert checked.spent.calls == 3
