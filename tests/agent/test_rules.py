"""A verdict that breaks a rule of evidence is asked for once more, then becomes an error."""

import pytest

from scripted import ScriptedReasoner, judgement, passage, probabilities, triple
from wkgfc.agent.rules import conclude
from wkgfc.claim import Veracity, read_claim
from wkgfc.errors import JudgementFailed
from wkgfc.evidence import NEUTRAL
from wkgfc.reasoning.rules import broken_rule
from wkgfc.state import BeliefState


@pytest.fixture
def state() -> BeliefState:
    state = BeliefState(claim=read_claim("A is B."))
    state.evidence.add_kg_triple(triple("A", "P1", "B"), hop=1)
    state.evidence.add_passage(passage("A is B. It says so."), quote="A is B.")
    return state


def test_a_verdict_that_cites_stored_evidence_of_its_direction_stands(state: BeliefState) -> None:
    assert broken_rule(judgement(Veracity.SUPPORTED, "K1", "W1"), state) is None
    assert broken_rule(judgement(Veracity.REFUTED, "W1"), state) is None


def test_no_evidence_no_verdict() -> None:
    empty = BeliefState(claim=read_claim("A is B."))
    assert "not stored" in (broken_rule(judgement(Veracity.SUPPORTED, "K1"), empty) or "")
    assert "cites nothing" in (broken_rule(judgement(Veracity.REFUTED), empty) or "")


def test_a_citation_that_is_not_stored_is_refused(state: BeliefState) -> None:
    assert "K9" in (broken_rule(judgement(Veracity.SUPPORTED, "K1", "K9"), state) or "")


def test_the_cited_evidence_must_speak_for_the_verdict(state: BeliefState) -> None:
    silent = judgement(Veracity.SUPPORTED, "K1").model_copy(update={"stances": {"K1": NEUTRAL}})
    assert "no cited evidence supports" in (broken_rule(silent, state) or "")
    one_sided = judgement(Veracity.CONFLICTING_EVIDENCE, "K1").model_copy(
        update={"stances": judgement(Veracity.SUPPORTED, "K1").stances}
    )
    assert "does not conflict" in (broken_rule(one_sided, state) or "")


def test_a_quote_must_stand_in_its_passage(state: BeliefState) -> None:
    state.evidence.update("W1", quote="A is not B.")
    assert "quote of W1" in (broken_rule(judgement(Veracity.SUPPORTED, "W1"), state) or "")


def test_probabilities_must_be_probabilities(state: BeliefState) -> None:
    wrong = {**probabilities(Veracity.SUPPORTED), Veracity.REFUTED: 0.9}
    assert "sum to one" in (
        broken_rule(judgement(Veracity.SUPPORTED, "K1").model_copy(update={"probabilities": wrong}), state) or ""
    )
    sure = judgement(Veracity.SUPPORTED, "K1").model_copy(update={"confidence": 1.2})
    assert "no probability" in (broken_rule(sure, state) or "")


async def test_it_is_asked_for_once_more(state: BeliefState) -> None:
    reasoner = ScriptedReasoner(judgements=[judgement(Veracity.SUPPORTED, "K9"), judgement(Veracity.SUPPORTED, "K1")])
    assert (await conclude(reasoner, state, forced=False)).veracity is Veracity.SUPPORTED
    assert reasoner.asked == ["judge", "judge"]


async def test_and_then_becomes_an_error(state: BeliefState) -> None:
    reasoner = ScriptedReasoner(judgements=[judgement(Veracity.SUPPORTED, "K9")] * 2)
    with pytest.raises(JudgementFailed, match="K9"):
        await conclude(reasoner, state, forced=False)
