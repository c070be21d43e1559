"""The reward: what raises and lowers each part, and what each step gets of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from small_episodes import AGAINST, FOR, SILENT, episode, good, piece
from wkgfc.claim import Veracity
from wkgfc.config import load_settings
from wkgfc.errors import NotConfigured
from wkgfc.optimize.episodes import GoldFound
from wkgfc.optimize.reward import DISCOUNT, RETURNED, RewardWeights, reward_of, spent, step_rewards, weights_of
from wkgfc.usage import Usage

NEI = Veracity.NOT_ENOUGH_EVIDENCE
CONFLICT = Veracity.CONFLICTING_EVIDENCE


def test_a_good_episode_has_nearly_the_whole_reward() -> None:
    reward = reward_of(good())
    assert (reward.correctness, reward.citations, reward.efficiency, reward.contradictions) == (1.0, 1.0, 1.0, 1.0)
    assert reward.sufficiency == pytest.approx(0.9)
    assert reward.total == pytest.approx(0.98)


def test_correctness_is_half_the_statement_and_half_the_lean() -> None:
    assert reward_of(good(said=Veracity.REFUTED)).correctness == 0.0
    assert reward_of(good(said=NEI)).correctness == 0.25  # a tie of the forced choice, and no statement
    assert reward_of(good(gold=NEI, said=NEI)).correctness == 1.0
    assert reward_of(good(said=None)).correctness == 0.0


def test_sufficiency_counts_the_labels_side_and_the_sets_own_evidence() -> None:
    assert reward_of(good(gold=Veracity.REFUTED)).sufficiency == 0.0
    assert reward_of(good(found=GoldFound(pages=1.0, sentences=0.0))).sufficiency == pytest.approx((0.9 + 0.5) / 2)
    assert reward_of(good(gold=NEI)).sufficiency == pytest.approx(0.1)
    both = [piece("W1", FOR), piece("W2", AGAINST, consistency=0.5)]
    assert reward_of(good(gold=CONFLICT, evidence=both)).sufficiency == pytest.approx(0.45)


def test_two_pieces_of_one_page_are_one_text() -> None:
    once = [piece("W1", FOR, consistency=0.5)]
    twice = [*once, piece("W2", FOR, consistency=0.5).model_copy(update={"url": once[0].url})]
    assert reward_of(good(evidence=twice)).sufficiency == reward_of(good(evidence=once)).sufficiency


def test_citations_must_lean_to_the_side_of_the_verdict() -> None:
    evidence = [piece("W1", FOR), piece("W2", AGAINST), piece("W3", SILENT)]
    assert reward_of(good(evidence=evidence, cites=["W1", "W2"])).citations == 0.5
    assert reward_of(good(evidence=evidence, cites=["W1", "W2"], said=CONFLICT)).citations == 1.0
    assert reward_of(good(evidence=evidence, cites=["W3"])).citations == 0.0
    assert reward_of(good(cites=[])).citations == 0.0
    assert reward_of(good(said=NEI, cites=["S1"])).citations == 1.0


def test_efficiency_falls_with_redundant_steps_and_with_cost() -> None:
    redundant = good(way="ISSV", brought=[["K1"], ["W1"], ["W1"]])
    assert reward_of(redundant).efficiency == pytest.approx((2 / 3 + 1) / 2)
    assert reward_of(good(usage=Usage(kg_queries=30))).efficiency == pytest.approx(0.75)
    failed = good(way="ISSV", brought=[["K1"], ["W1"]], failed=[3])
    assert reward_of(failed).efficiency == 1.0  # a source that fails is no redundant action
    assert spent(Usage(kg_queries=1_000)) == 1.0


def test_a_contradiction_is_handled_or_it_costs() -> None:
    pair = [("W1", "K1")]
    assert reward_of(good(contradictions=pair)).contradictions == 1.0
    assert reward_of(good(contradictions=pair, said=NEI)).contradictions == 0.0
    assert reward_of(good(said=CONFLICT)).contradictions == 0.0
    assert reward_of(good(gold=CONFLICT, said=CONFLICT)).contradictions == 1.0


def test_the_weights_decide_what_counts() -> None:
    wrong = good(said=Veracity.REFUTED)
    nothing = dict.fromkeys(RewardWeights.model_fields, 0.0)
    assert reward_of(wrong, RewardWeights(**nothing | {"correctness": 3.0})).total == 0.0
    assert reward_of(wrong, RewardWeights(**nothing | {"efficiency": 3.0})).total == 1.0
    assert reward_of(wrong, RewardWeights(**nothing)).total == 0.0


def test_the_weights_are_settings_with_the_documented_defaults() -> None:
    assert weights_of(load_settings()) == RewardWeights()
    assert weights_of(load_settings(reward_efficiency=0.6)).efficiency == 0.6
    with pytest.raises(NotConfigured, match="reward_citations"):
        load_settings(reward_citations=-1)
    with pytest.raises(NotConfigured, match="all reward_… settings are 0"):
        weights_of(load_settings(**{f"reward_{name}": 0.0 for name in RewardWeights.model_fields}))


def test_the_final_reward_goes_back_to_the_steps_by_the_rule() -> None:
    found = good(way="IESV", brought=[["K1"], ["K1"], ["W1"]])
    reward = reward_of(found)
    first, expansion, search, verdict = step_rewards(found, reward)
    assert verdict == pytest.approx(RETURNED * reward.total + (1 - RETURNED) * 1.0)
    assert search == pytest.approx(RETURNED * reward.total * DISCOUNT + (1 - RETURNED) * 1.0)
    assert expansion == pytest.approx(RETURNED * reward.total * DISCOUNT**2)
    assert first == pytest.approx(RETURNED * reward.total * DISCOUNT**3 + (1 - RETURNED) * 0.5)


@given(
    way=st.text("IESVF", max_size=6),
    gold=st.sampled_from(Veracity),
    said=st.none() | st.sampled_from(Veracity),
    stances=st.lists(st.sampled_from([FOR, AGAINST, SILENT, None]), max_size=4),
    usage=st.builds(Usage, kg_queries=st.integers(0, 500), llm_calls=st.integers(0, 500)),
)
def test_every_part_and_every_step_stays_between_nothing_and_one(way, gold, said, stances, usage) -> None:  # type: ignore[no-untyped-def]
    evidence = [piece(f"W{number}", stance) for number, stance in enumerate(stances)]
    ids = [each.id for each in evidence]
    one = episode(way, gold=gold, said=said, evidence=evidence, brought=[ids] * len(way), cites=ids, usage=usage)
    reward = reward_of(one)
    assert all(0.0 <= value <= 1.0 for value in reward.model_dump().values())
    assert all(0.0 <= value <= 1.0 for value in step_rewards(one, reward))
    assert len(step_rewards(one, reward)) == len(way)
