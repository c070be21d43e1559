"""Fitting the embedded policy: a replay does what a check does, the search is seeded and gains, no page is shared."""

import asyncio

import pytest

from small_world import World
from wkgfc.checker import FactChecker
from wkgfc.config import load_settings
from wkgfc.metrics import two_way_balanced
from wkgfc.optimize.exploration import Explored, explore
from wkgfc.optimize.parameters import Outcome, compared, fit, replay, split
from wkgfc.optimize.reward import Reward, RewardWeights
from wkgfc.reasoning.embedded.policy import EmbeddedPolicy
from wkgfc.reasoning.embedded.reasoner import EmbeddedReasoner

LETTERS = {"initKGRetrieval": "I", "expandKG": "E", "webSearch": "S", "verdict": ""}


@pytest.fixture(scope="module")
def checker(world: World) -> FactChecker:
    return FactChecker(load_settings(kg=world.kg, web=world.web))


@pytest.fixture(scope="module")
def explored(world: World, checker: FactChecker) -> list[Explored]:
    async def walk() -> list[Explored]:
        environment = checker.open()
        return [await explore(row, environment, source="small", max_steps=6) for row in world.rows("fever_val")]

    return asyncio.run(walk())


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"steering": {"max_searches": 0}},
        {"steering": {"max_searches": 1, "after_search": 0.5}, "verdict": {"silent": 0.3, "lean": 0.6}},
        {"verdict": {"sufficient": 1.0, "anchor": 1.0}, "passages": {"sharpness": 0.5, "trust": 0.0}},
        {"verdict": {"sufficient": 0.0}},
    ],
)
def test_a_replay_goes_the_way_and_says_what_a_check_says(
    world: World, checker: FactChecker, explored: list[Explored], changes: dict[str, dict[str, float]]
) -> None:
    policy = EmbeddedPolicy().having(changes)
    environment = checker.open()
    settings = load_settings(kg="none", web="none")
    other = FactChecker(
        settings, graph=environment.graph, web=environment.web, reasoner=EmbeddedReasoner(learned=policy)
    )
    for each in explored:
        result, outcome = other.check(each.claim), replay(policy, each)
        assert result.trajectory is not None
        assert outcome.way == "".join(LETTERS[step.action.name] for step in result.trajectory.steps), each.claim
        assert outcome.veracity is result.veracity
        assert outcome.probabilities == pytest.approx(result.probabilities)
        assert outcome.kg_queries == result.usage.kg_queries
        assert outcome.searches == result.usage.web_searches


def test_exploration_goes_through_json(explored: list[Explored]) -> None:
    for each in explored:
        again = Explored.model_validate_json(each.model_dump_json())
        assert replay(EmbeddedPolicy(), again) == replay(EmbeddedPolicy(), each)


def test_a_claim_that_is_not_checked_has_no_reward(explored: list[Explored]) -> None:
    none = explored[0].model_copy(update={"nodes": {}})
    outcome = replay(EmbeddedPolicy(), none)
    assert (outcome.veracity, outcome.reward.total, outcome.prediction.probabilities) == (None, 0.0, None)


def test_the_search_gains_on_what_it_is_fitted_on_and_is_the_same_for_a_seed(explored: list[Explored]) -> None:
    bad = EmbeddedPolicy().having({"verdict": {"sufficient": 0.95, "silent": 0.9}})
    learned, changes = fit(explored, seed=3, start=bad)
    assert changes
    rewards = [change.reward for change in changes]
    assert rewards == sorted(rewards)
    assert fit(explored, seed=3, start=bad) == (learned, changes)
    before, after = [replay(bad, each) for each in explored], [replay(learned, each) for each in explored]
    figures = compared(before, after, samples=50)
    assert figures["reward"].difference > 0
    assert figures["reward"].after == pytest.approx(rewards[-1])
    assert figures["reward"].low <= figures["reward"].difference <= figures["reward"].high
    for figure, outcomes in (("before", before), ("after", after)):
        scored = two_way_balanced([outcome.prediction for outcome in outcomes])
        assert getattr(figures["forced balanced accuracy"], figure) == pytest.approx(scored)


def test_where_no_label_counts_in_it_there_is_no_balanced_accuracy(explored: list[Explored]) -> None:
    open_ones = [replay(EmbeddedPolicy(), each) for each in explored if each.gold == "Not Enough Evidence"]
    figures = compared(open_ones, open_ones)
    assert "forced balanced accuracy" not in figures
    assert figures["reward"].difference == 0.0


@pytest.mark.parametrize(("helped", "is_learned"), [(1, False), (30, True)])
def test_what_helps_a_few_claims_alone_is_not_learned(
    monkeypatch: pytest.MonkeyPatch, helped: int, is_learned: bool
) -> None:
    claims = [Explored(id=str(n), claim="x", gold="Supported", max_steps=6) for n in range(60)]
    nothing = Reward(correctness=0, sufficiency=0, citations=0, efficiency=0, contradictions=0, total=0)

    def rewarded(policy: EmbeddedPolicy, each: Explored, _weights: RewardWeights | None = None) -> Outcome:
        is_helped = policy.steering.max_searches == 0 and int(each.id) < helped
        return Outcome(id=each.id, gold=each.gold, way="", veracity=None,
                       reward=nothing.model_copy(update={"total": 0.5 + 0.4 * is_helped}))  # fmt: skip

    monkeypatch.setattr("wkgfc.optimize.parameters.replay", rewarded)
    learned, changes = fit(claims)
    assert [change.name for change in changes] == ["max_searches"] * is_learned
    assert (learned.steering.max_searches == 0) is is_learned


def test_a_policy_that_cannot_be_bettered_stays(explored: list[Explored]) -> None:
    best, _ = fit(explored, seed=0)
    assert fit(explored, seed=0, start=best)[1] == ()


def test_the_parts_share_no_page() -> None:
    claims = [
        Explored(id=f"c{n}", claim="x", gold="Supported", about=(f"p{n // 3}", f"q{n % 40}"), max_steps=6)
        for n in range(60)
    ]
    fitted, held = split(claims, 0.3, seed=1)
    assert sorted(each.id for each in (*fitted, *held)) == sorted(each.id for each in claims)
    assert not {p for each in fitted for p in each.about} & {p for each in held for p in each.about}
    assert fitted
    assert held
    assert split(claims, 0.3, seed=1) == (fitted, held)
