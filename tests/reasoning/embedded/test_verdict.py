"""How both sides become a verdict: silence changes nothing, failures lower, conflicts are shown, reasons are cited."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scripted import passage, triple
from wkgfc.claim import Veracity, read_claim
from wkgfc.evidence import EvidenceGraph, Stance
from wkgfc.reasoning.embedded.findings import Finding
from wkgfc.reasoning.embedded.texts.standing import Standing
from wkgfc.reasoning.embedded.verdict import VerdictParameters, assess, assess_part, conclude, together
from wkgfc.reasoning.rules import broken_rule
from wkgfc.state import BeliefState, InitKGRetrieval, Observation, SearchWeb, Step

PARAMETERS = VerdictParameters()
FOR = Stance(supports=0.95, refutes=0.01, neither=0.04)
AGAINST = Stance(supports=0.01, refutes=0.95, neither=0.04)


def finding(stance: Stance, *ids: str, strength: float = 0.9) -> Finding:
    return Finding("relation", stance, ids, f"It rests on {' and '.join(ids)}.", strength)


@pytest.fixture
def state() -> BeliefState:
    state = BeliefState(claim=read_claim("A is B."))
    state.evidence.add_kg_triple(triple("A", "P1", "B"), hop=1)
    state.evidence.add_kg_triple(triple("A", "P2", "C"), hop=1)
    state.evidence.add_passage(passage("A is not B."), relevance=0.9, stance=AGAINST, quote="A is not B.")
    at = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
    state.steps.append(
        Step(
            number=1,
            action=InitKGRetrieval(),
            observation=Observation(id="S1", outcome="found", text="2 facts"),
            started_at=at,
            seconds=0.1,
        )
    )
    state.steps.append(
        Step(
            number=2,
            action=SearchWeb(query="A B"),
            observation=Observation(id="S2", outcome="failed", text="failed: 503", reason="503"),
            started_at=at,
            seconds=0.1,
        )
    )
    return state


def test_a_side_that_says_nothing_changes_nothing(state: BeliefState) -> None:
    silent = assess([assess_part("A is B.", [], state.evidence)], AGAINST, 0, PARAMETERS)
    assert silent.probabilities[Veracity.REFUTED] == pytest.approx(AGAINST.refutes)
    assert silent.probabilities[Veracity.SUPPORTED] == pytest.approx(AGAINST.supports)


def test_a_finding_alone_decides_as_far_as_it_can_be_relied_on(state: BeliefState) -> None:
    strong, weak = (
        assess([assess_part("A is B.", [finding(FOR, "K1", strength=strength)], state.evidence)], None, 0, PARAMETERS)
        for strength in (0.95, 0.3)
    )
    assert strong.veracity is Veracity.SUPPORTED
    assert strong.decided > PARAMETERS.sufficient
    assert weak.veracity is Veracity.NOT_ENOUGH_EVIDENCE
    assert weak.probabilities[Veracity.SUPPORTED] > weak.probabilities[Veracity.REFUTED]


def test_a_weak_finding_does_not_silence_the_other_side(state: BeliefState) -> None:
    part = assess_part("A is B.", [finding(FOR, "K1", strength=0.3)], state.evidence)
    assert assess([part], AGAINST, 0, PARAMETERS).veracity is Veracity.REFUTED


def test_without_evidence_it_is_not_enough(state: BeliefState) -> None:
    nothing = assess([assess_part("A is B.", [], state.evidence)], None, 0, PARAMETERS)
    assert nothing.veracity is Veracity.NOT_ENOUGH_EVIDENCE
    assert nothing.probabilities[Veracity.SUPPORTED] == nothing.probabilities[Veracity.REFUTED]


def test_a_failed_source_lowers_confidence(state: BeliefState) -> None:
    part = assess_part("A is B.", [finding(FOR, "K1")], state.evidence)
    whole, failed = (assess([part], None, failures, PARAMETERS) for failures in (0, 1))
    assert failed.probabilities[Veracity.SUPPORTED] < whole.probabilities[Veracity.SUPPORTED]
    assert failed.probabilities[Veracity.REFUTED] <= whole.probabilities[Veracity.REFUTED]


def test_two_texts_add_up_and_two_facts_of_one_text_do_not() -> None:
    graph = EvidenceGraph()
    page = graph.add_passage(passage("A is B and C."))
    one = graph.add_web_triple(triple("A", "P1", "B"), passage_id=page.id, consistency=1.0)
    same = graph.add_web_triple(triple("A", "P1", "C"), passage_id=page.id, consistency=1.0)
    other = graph.add_kg_triple(triple("A", "P2", "B"), hop=1)
    alone, twice, both = (
        assess_part("A.", [finding(FOR, each, strength=0.6) for each in ids], graph).stance.supports
        for ids in ([one.id], [one.id, same.id], [one.id, other.id])
    )
    assert alone == pytest.approx(twice)
    assert both > alone


def test_a_compound_claim_is_supported_only_if_each_part_is(state: BeliefState) -> None:
    supported = assess_part("A is B", [finding(FOR, "K1")], state.evidence)
    refuted = assess_part("A is C", [finding(AGAINST, "K2")], state.evidence)
    silent = assess_part("A is D", [], state.evidence)
    assert assess([supported, silent], None, 0, PARAMETERS).veracity is Veracity.NOT_ENOUGH_EVIDENCE
    assert assess([supported, refuted], None, 0, PARAMETERS).veracity is Veracity.REFUTED
    assert together([supported, supported]).supports < supported.stance.supports


def test_one_statement_may_bear_out_a_part_and_contradict_another(state: BeliefState) -> None:
    borne_out = assess_part("A is B", [finding(FOR, "K1", strength=0.98)], state.evidence)
    contradicted = assess_part("A is C", [finding(AGAINST, "K1", strength=0.9)], state.evidence)
    judgement = conclude(state, assess([borne_out, contradicted], None, 0, PARAMETERS))
    assert judgement.veracity is Veracity.REFUTED
    assert broken_rule(judgement, state) is None


def test_sides_that_stand_against_each_other_conflict(state: BeliefState) -> None:
    part = assess_part("A is B.", [finding(FOR, "K1", strength=1.0)], state.evidence)
    assessment = assess([part], AGAINST, 0, PARAMETERS, Standing(0.9, 2, frozenset({"W1"})))
    assert assessment.veracity is Veracity.CONFLICTING_EVIDENCE
    assert assessment.probabilities[Veracity.CONFLICTING_EVIDENCE] == pytest.approx(assessment.kg.supports * 0.9)
    judgement = conclude(state, assessment)
    assert broken_rule(judgement, state) is None
    assert {citation for sentence in judgement.justification for citation in sentence.citations} == {"K1", "W1"}
    assert judgement.contradictions[0].evidence == ("K1", "W1")


@pytest.mark.parametrize(
    "against", [None, Standing(), Standing(0.76, 2, frozenset({"W1"})), Standing(0.95, 1, frozenset({"W1"}))]
)
def test_an_anchor_yields_to_no_single_text(state: BeliefState, against: Standing | None) -> None:
    part = assess_part("A is B.", [finding(FOR, "K1", strength=0.7)], state.evidence)
    opposed = assess([part], AGAINST, 0, PARAMETERS, against)
    alone = assess([part], None, 0, PARAMETERS)
    assert opposed.veracity is Veracity.SUPPORTED
    assert opposed.probabilities == alone.probabilities
    assert conclude(state, opposed).contradictions[0].evidence == ("K1", "W1")  # shown, not hidden


def test_a_statement_that_is_no_anchor_yields_to_texts(state: BeliefState) -> None:
    part = assess_part("A is B.", [finding(FOR, "K1", strength=0.4)], state.evidence)
    assert assess([part], AGAINST, 0, PARAMETERS).veracity is Veracity.REFUTED


def test_texts_that_agree_with_the_anchor_need_not_stand(state: BeliefState) -> None:
    part = assess_part("A is B.", [finding(FOR, "K1", strength=0.7)], state.evidence)
    agreed = assess([part], FOR, 0, PARAMETERS)
    assert agreed.probabilities[Veracity.SUPPORTED] > assess([part], None, 0, PARAMETERS).decided


def test_a_conflict_quotes_both_sides_however_much_one_has_to_say(state: BeliefState) -> None:
    for number in range(4):
        state.evidence.add_passage(
            passage(f"Page {number}: A is B."), relevance=0.9, stance=FOR, consistency=0.9, quote="A is B."
        )
    found = [finding(FOR, "K1", strength=1.0), finding(FOR, "K2", strength=0.9)]
    part = assess_part("A is B.", found, state.evidence)
    judgement = conclude(state, assess([part], AGAINST, 0, PARAMETERS, Standing(0.9, 2, frozenset({"W1"}))))
    assert judgement.veracity is Veracity.CONFLICTING_EVIDENCE
    assert broken_rule(judgement, state) is None


def test_the_justification_quotes_what_decides(state: BeliefState) -> None:
    judgement = conclude(state, assess([assess_part("A is B.", [], state.evidence)], AGAINST, 0, PARAMETERS))
    assert judgement.veracity is Veracity.REFUTED
    assert judgement.justification[0].text == "Page: “A is not B.”"
    assert judgement.confidence == judgement.probabilities[Veracity.REFUTED]


@pytest.mark.parametrize(("refutes", "quoted"), [(0.3, 1), (0.8, 2)])
def test_a_second_passage_is_quoted_only_if_it_is_clear(state: BeliefState, refutes: float, quoted: int) -> None:
    said = Stance(supports=0.05, refutes=refutes, neither=0.95 - refutes)
    state.evidence.add_passage(passage("A may not be B."), relevance=0.9, stance=said, quote="A may not be B.")
    judgement = conclude(state, assess([assess_part("A is B.", [], state.evidence)], AGAINST, 0, PARAMETERS))
    assert len(judgement.justification) == quoted


def test_not_enough_evidence_says_what_was_asked_and_what_failed(state: BeliefState) -> None:
    judgement = conclude(state, assess([assess_part("A is B.", [], state.evidence)], None, 1, PARAMETERS))
    assert judgement.veracity is Veracity.NOT_ENOUGH_EVIDENCE
    assert [sentence.citations for sentence in judgement.justification] == [("S1",), ("S2",)]
    assert "failed: 503" in judgement.justification[1].text
    assert broken_rule(judgement, state) is None


SHARES = st.tuples(st.floats(0, 1), st.floats(0, 1)).map(lambda pair: (pair[0], (1 - pair[0]) * pair[1]))
STANCES = SHARES.map(lambda pair: Stance(supports=pair[0], refutes=pair[1], neither=1 - pair[0] - pair[1]))


@given(STANCES, st.floats(0, 1), STANCES, st.integers(0, 4), st.floats(0, 1))
def test_probabilities_are_probabilities(
    kg: Stance, strength: float, text: Stance, failures: int, sureness: float
) -> None:
    graph = EvidenceGraph()
    graph.add_kg_triple(triple("A", "P1", "B"), hop=1)
    part = assess_part("A is B.", [finding(kg, "K1", strength=strength)], graph)
    probabilities = assess([part], text, failures, PARAMETERS, Standing(sureness, 2)).probabilities
    assert sum(probabilities.values()) == pytest.approx(1.0)
    assert all(-1e-9 <= value <= 1.0 + 1e-9 for value in probabilities.values())
