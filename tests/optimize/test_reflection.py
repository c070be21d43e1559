"""Critiques: what the rules find, and which critiques of others are refused with the reason."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from small_episodes import AGAINST, FOR, SILENT, episode, good, piece
from wkgfc.claim import Veracity
from wkgfc.optimize.episodes import Episode, GoldFound
from wkgfc.optimize.reflection import KINDS, Critique, Kind, complaint_about, critique_by_rules
from wkgfc.result import SourceVersion

NEI, REFUTED = Veracity.NOT_ENOUGH_EVIDENCE, Veracity.REFUTED
WEB = (SourceVersion(role="web", name="list", version="1"),)


def with_web(one: Episode) -> Episode:
    return one.model_copy(update={"result": one.result.model_copy(update={"sources": WEB})})


def critique(kind: Kind, step: int | None) -> Critique:
    return Critique(kind=kind, step=step, reason="", advice="", critic="test")


@pytest.mark.parametrize(
    ("one", "kind", "step"),
    [
        (good(), "none", None),
        (good(way="IESV", brought=[["K1"], ["K1"], ["W1"]]), "redundant_expansion", 2),
        (good(evidence=[piece("W1", FOR), piece("W2", AGAINST)], gold=REFUTED), "mishandled_contradiction", 3),
        (good(said=NEI, evidence=[piece("W1", SILENT)], found=GoldFound(entities=0.0)), "wrong_linking", 1),
        (good(gold=REFUTED), "wrong_grading", 2),
        (good(gold=NEI), "wrong_grading", 2),
        (good(said=NEI, evidence=[piece("W1", SILENT)], found=GoldFound(sentences=1.0)), "wrong_grading", 2),
        (good(gold=NEI, evidence=[piece("W1", SILENT)]), "wrong_grading", 2),
        (with_web(episode("IV", said=NEI, brought=[["K1"]], evidence=[piece("K1")])), "premature_stop", 2),
        (episode("IV", said=NEI), "insufficient_coverage", 1),
        (with_web(episode("ISF", said=NEI, stop_reason="step_limit")), "insufficient_coverage", 2),
        (episode("", said=None), "insufficient_coverage", None),
    ],
)
def test_the_rules_name_the_mistake_and_the_step(one: Episode, kind: str, step: int | None) -> None:
    found = critique_by_rules(one)
    assert (found.kind, found.step) == (kind, step)
    assert complaint_about(found, one) is None
    assert bool(found.advice) == (kind != "none")


@pytest.mark.parametrize(
    ("kind", "step", "one", "said"),
    [
        ("none", None, good(gold=REFUTED), "the verdict was wrong"),
        ("none", 1, good(), "blames no step"),
        ("premature_stop", 9, good(gold=REFUTED), "there is no step 9: the steps are 1 to 3"),
        ("wrong_grading", None, good(gold=REFUTED), "there is no step None"),
        ("premature_stop", 1, good(gold=REFUTED), "a mistake of the verdict, and step 1 is initKGRetrieval"),
        ("premature_stop", 3, good(), "the verdict was right"),
        ("premature_stop", 3, good(gold=REFUTED, stop_reason="step_limit"), "a limit ended the retrieval"),
        ("redundant_expansion", 2, good(), "step 2 was not redundant"),
        ("mishandled_contradiction", 3, good(gold=REFUTED), "no evidence contradicts"),
        ("wrong_linking", 2, good(gold=REFUTED), "entities are linked by initKGRetrieval"),
        ("wrong_linking", 1, good(gold=REFUTED, found=GoldFound(entities=1.0)), "every entity"),
        ("wrong_grading", 1, good(gold=REFUTED), "step 1 brought nothing that stands against"),
        ("insufficient_coverage", 3, good(gold=REFUTED), "a matter of the retrievals"),
        ("premature_stop", 1, episode("", said=None), "ended before its first step"),
    ],
)
def test_a_critique_that_does_not_fit_what_happened_is_refused(
    kind: Kind, step: int | None, one: Episode, said: str
) -> None:
    assert said in (complaint_about(critique(kind, step), one) or "")


@given(
    way=st.sampled_from(["", "I", "IV", "IF", "IEV", "ISV", "IESSV", "ISSF"]),
    gold=st.sampled_from(Veracity),
    said=st.none() | st.sampled_from(Veracity),
    stances=st.lists(st.sampled_from([FOR, AGAINST, SILENT, None]), max_size=4),
    share=st.none() | st.sampled_from([0.0, 0.5, 1.0]),
    failed=st.sets(st.integers(1, 5)),
)
def test_the_rules_own_critique_always_passes_the_checks(way, gold, said, stances, share, failed) -> None:  # type: ignore[no-untyped-def]
    ids = [f"W{number}" for number in range(len(stances))]
    one = episode(
        way,
        gold=gold,
        said=said,
        brought=[ids[:2], ids[2:], ids[1:]],
        evidence=[piece(each, stance) for each, stance in zip(ids, stances, strict=True)],
        found=GoldFound(sentences=share, entities=share),
        failed=sorted(failed),
    )
    found = critique_by_rules(one)
    assert found.kind in KINDS
    assert complaint_about(found, one) is None
