"""The verdict of a model: only what stands on cited evidence; statement by statement; confidence from the evidence."""

import asyncio
import datetime as dt
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from pydantic_ai.exceptions import ModelHTTPError
from pydantic_ai.messages import ModelResponse

from scripted import passage, triple
from scripted_model import Reply, ScriptedModel
from wkgfc.claim import Veracity, read_claim
from wkgfc.errors import JudgementFailed
from wkgfc.evidence import Stance
from wkgfc.http.deadline import deadline, remaining_s
from wkgfc.reasoning.llm.asking import Asking
from wkgfc.reasoning.llm.confidence import probabilities_of, stance_of_part, together
from wkgfc.reasoning.llm.judging import veracity_of_parts
from wkgfc.reasoning.llm.policy import read_policy
from wkgfc.reasoning.llm.reasoner import LLMReasoner
from wkgfc.reasoning.llm.second_opinion import SecondOpinion
from wkgfc.reasoning.rules import broken_rule
from wkgfc.state import BeliefState, InitKGRetrieval, Observation, Step
from wkgfc.usage import metered

S, R, N, C = Veracity.SUPPORTED, Veracity.REFUTED, Veracity.NOT_ENOUGH_EVIDENCE, Veracity.CONFLICTING_EVIDENCE
FOR = Stance(supports=0.8, refutes=0.0, neither=0.2)
AGAINST = Stance(supports=0.0, refutes=0.8, neither=0.2)


@pytest.fixture
def state() -> BeliefState:
    state = BeliefState(claim=read_claim("Alpha leads to Beta."))
    state.evidence.add_kg_triple(triple("Alpha", "P1", "Beta"), hop=1)
    state.evidence.add_passage(passage("Alpha leads to Beta. It is so."), stance=FOR, quote="Alpha leads to Beta.")
    state.evidence.add_passage(passage("Alpha leads nowhere at all.", url="https://b.example/"), stance=AGAINST)
    observation = Observation(id="S1", outcome="found", text="Alpha: 1 facts", evidence=("K1",))
    state.steps.append(
        Step(
            number=1,
            action=InitKGRetrieval(),
            observation=observation,
            started_at=dt.datetime(2024, 1, 1, tzinfo=dt.UTC),
            seconds=0.0,
        )
    )
    return state


def said(
    verdict: str, *sentences: tuple[str, str | list[str], str], statement: int = 1, sureness: float = 0.9
) -> dict[str, Any]:
    given = [{"text": text, "evidence": evidence, "shows": shows} for text, evidence, shows in sentences]
    part = {"statement": statement, "sentences": given, "verdict": verdict}
    return {"statements": [part], "sureness": sureness}


GOOD = said("Supported", ("The graph has it.", ["K1"], "supports"))


async def test_a_verdict_on_cited_evidence_stands(state: BeliefState) -> None:
    answer = said("Supported", ("The graph has it.", "K1", "supports"), ("So does a page.", ["W1", "K1"], "supports"))
    judgement = await ScriptedModel([answer]).reasoner().judge(state, forced=False)
    assert judgement.veracity is S
    assert [sentence.citations for sentence in judgement.justification] == [("K1",), ("W1", "K1")]
    assert judgement.stances["K1"].supports > 0.8
    assert judgement.stances["W1"] == FOR
    assert judgement.model_confidence == 0.9
    assert judgement.flags == ()
    assert broken_rule(judgement, state) is None
    assert [each.evidence for each in judgement.contradictions] == [("W1", "W2"), ("K1", "W2")]


REFUSED: dict[str, tuple[Reply, str]] = {
    "evidence that is not there": (
        said("Supported", ("It is so.", ["K9"], "supports")),
        "K9 is not among the evidence",
    ),
    "an invented address": (
        said("Refuted", ("See the page.", ["https://x.y"], "refutes")),
        "https://x.y is not among the evidence: cite of K1, W1, W2, S1",
    ),
    "nothing cited": (said("Refuted", ("It is well known.", [], "refutes")), "cites no evidence"),
    "no reason": (said("Supported"), "statement 1 has no sentence"),
    "a step as evidence": (
        said("Supported", ("It was found.", ["S1"], "supports")),
        "no sentence cites evidence that supports",
    ),
    "silence as refutation": (
        said("Refuted", ("It is silent.", ["K1"], "neither")),
        "no sentence cites evidence that refutes",
    ),
    "a conflict with one side": (
        said("Conflicting Evidence", ("It says so.", ["K1"], "supports")),
        "no sentence cites evidence that refutes",
    ),
    "a quote that is not there": (
        said("Supported", ("The page says “Alpha always leads to Beta”.", ["W1"], "supports")),
        "does not stand in the evidence that the sentence cites",
    ),
    "a verdict that there is not": (
        said("Mostly true", ("So.", ["K1"], "supports")),
        "verdict: Input should be 'Supported'",
    ),
    "another statement": (
        said("Supported", ("So.", ["K1"], "supports"), statement=2),
        "judge statement 1, each exactly once",
    ),
    "two verdicts": (
        {"statements": [*GOOD["statements"], *GOOD["statements"]], "sureness": 1},
        "judge statement 1, each exactly once",
    ),
    "a refusal": ("I'm sorry, I can't judge that.", "no JSON object"),
    "more sentences than anyone reads": (
        said("Supported", *[("So.", ["K1"], "supports")] * 50),
        "sentences: List should have at most 4 items",
    ),
}


@pytest.mark.parametrize("reply", REFUSED.values(), ids=list(REFUSED))
async def test_a_verdict_that_breaks_a_rule_is_sent_back(state: BeliefState, reply: tuple[Reply, str]) -> None:
    model = ScriptedModel([reply[0], GOOD])
    assert (await model.reasoner().judge(state, forced=False)).veracity is S
    assert reply[1] in model.asked[1].prompt


@pytest.mark.parametrize("reply", REFUSED.values(), ids=list(REFUSED))
async def test_and_is_no_verdict_the_second_time(state: BeliefState, reply: tuple[Reply, str]) -> None:
    with pytest.raises(JudgementFailed):
        await ScriptedModel([reply[0], reply[0]]).reasoner().judge(state, forced=False)


async def test_on_the_last_turn_a_sentence_without_ground_is_left_out_where_others_stand(state: BeliefState) -> None:
    answer = said("Supported", ("The graph has it.", ["K1"], "supports"), ("Everybody knows it.", ["K9"], "supports"))
    judgement = await ScriptedModel([answer, answer]).reasoner().judge(state, forced=False)
    assert [sentence.text for sentence in judgement.justification] == ["The graph has it."]


async def test_not_enough_evidence_cites_the_steps(state: BeliefState) -> None:
    answer = said("Not Enough Evidence", ("Nothing is said of it.", [], "neither"))
    judgement = await ScriptedModel([answer]).reasoner().judge(state, forced=False)
    assert judgement.veracity is N
    assert judgement.justification[0].citations == ("S1",)


async def test_a_quote_may_be_of_the_evidence_or_of_the_claim(state: BeliefState) -> None:
    text = "The page says “Alpha leads to Beta. It is so”, which is “Alpha leads to Beta.”"
    model = ScriptedModel([said("Supported", (text, ["W1"], "supports"))])
    assert (await model.reasoner().judge(state, forced=False)).veracity is S


@pytest.mark.parametrize(
    "text",
    [
        '"Titanic" was directed by James Cameron, who also made "Avatar".',
        "“Titanic” was directed by James Cameron, who also made “Avatar”.",
        "„Titanic“ was directed by James Cameron, who also made „Avatar“.",
        "«Titanic» was directed by James Cameron, who also made «Avatar».",
        "»Titanic« was directed by James Cameron, who also made »Avatar«.",
        '“Titanic" was directed by James Cameron, who also made “Avatar".',
    ],
)
async def test_what_stands_between_two_titles_is_no_quote(state: BeliefState, text: str) -> None:
    model = ScriptedModel([said("Supported", (text, ["W1"], "supports"))])
    assert (await model.reasoner().judge(state, forced=False)).veracity is S


@pytest.mark.parametrize("marks", ['""', "“”", "„“", "„”", "«»", "»«", '“"'])
async def test_a_quote_in_any_marks_must_stand_in_the_evidence(state: BeliefState, marks: str) -> None:
    text = f"{marks[0]}Alpha{marks[1]} is said to {marks[0]}always lead to Beta{marks[1]}."
    model = ScriptedModel([said("Supported", (text, ["W1"], "supports")), GOOD])
    await model.reasoner().judge(state, forced=False)
    assert "“always lead to Beta” does not stand in the evidence" in model.asked[1].prompt


async def test_a_vote_that_fails_is_told_when_all_have_ended(state: BeliefState) -> None:
    """What was still under way would be counted nowhere, and spent all the same."""
    model = ScriptedModel([ModelHTTPError(500, "m", None), *[GOOD] * 4])
    opened = model.opened()
    inner, ended = opened.model.request, list[int]()

    async def request(*given: Any, **named: Any) -> ModelResponse:
        turn = len(model.asked)
        try:
            response = await inner(*given, **named)
            for _ in range(5):
                await asyncio.sleep(0)
            return response
        finally:
            ended.append(turn)

    opened.model.request = request  # type: ignore[method-assign]
    with metered() as meter, pytest.raises(JudgementFailed, match="status 500"):
        await LLMReasoner(Asking(opened), read_policy(), votes=5).judge(state, forced=False)
    assert len(ended) == meter.total.llm_calls == 5
    assert meter.total.output_tokens > 0


async def test_a_judge_that_reads_a_passage_otherwise_than_its_grade_is_flagged(state: BeliefState) -> None:
    model = ScriptedModel([said("Refuted", ("It denies it.", ["W1"], "refutes"))])
    judgement = await model.reasoner().judge(state, forced=False)
    assert judgement.veracity is R
    assert judgement.stances["W1"].refutes > 0.5
    assert "judge_overrules_grade" in judgement.flags


COMPOUND = "Marie Curie was born in Warsaw and died in Passy."


@pytest.mark.parametrize(
    ("verdicts", "veracity"),
    [
        (("Supported", "Supported"), S),
        (("Supported", "Refuted"), R),
        (("Refuted", "Not Enough Evidence"), R),
        (("Supported", "Not Enough Evidence"), N),
        (("Supported", "Conflicting Evidence"), C),
    ],
)
async def test_a_compound_claim_is_judged_statement_by_statement(
    state: BeliefState, verdicts: tuple[str, str], veracity: Veracity
) -> None:
    state.claim = read_claim(COMPOUND)
    sides = {"Supported": ("K1", "supports"), "Refuted": ("W2", "refutes"), "Not Enough Evidence": ("S1", "neither")}
    parts = []
    for number, verdict in enumerate(verdicts, 1):
        if verdict in sides:
            shown = [{"text": f"{number}.", "evidence": [sides[verdict][0]], "shows": sides[verdict][1]}]
        else:
            shown = [
                {"text": f"{number}a.", "evidence": ["W1"], "shows": "supports"},
                {"text": f"{number}b.", "evidence": ["W2"], "shows": "refutes"},
            ]
        parts.append({"statement": number, "sentences": shown, "verdict": verdict})
    model = ScriptedModel([{"statements": parts, "sureness": 0.5}])
    judgement = await model.reasoner().judge(state, forced=False)
    assert "1. Marie Curie was born in Warsaw.\n2. Marie Curie died in Passy." in model.asked[0].prompt
    assert judgement.veracity is veracity
    assert "compound" in judgement.flags
    assert judgement.confidence == judgement.probabilities[veracity]
    first = verdicts.index(str(veracity)) + 1
    assert judgement.justification[0].text.startswith(str(first)), "what decided is said first"


async def test_a_statement_that_is_left_out_is_asked_for(state: BeliefState) -> None:
    state.claim = read_claim(COMPOUND)
    model = ScriptedModel([GOOD, GOOD])
    with pytest.raises(JudgementFailed, match="judge the statements 1 to 2, each exactly once"):
        await model.reasoner().judge(state, forced=False)


def test_the_veracity_of_statements_together() -> None:
    assert veracity_of_parts([S, S]) is S
    assert veracity_of_parts([S, N, R, C]) is R
    assert veracity_of_parts([S, C, N]) is C
    assert veracity_of_parts([S, N]) is N
    assert veracity_of_parts([]) is N


SAID = "Ann Lee said that the bridge is closed."


async def test_what_somebody_said_is_checked_as_said_and_as_true_when_asked(state: BeliefState) -> None:
    state.claim = read_claim(SAID)
    as_said, as_true = ScriptedModel([GOOD]), ScriptedModel([GOOD])
    assert "attribution" in (await as_said.reasoner().judge(state, forced=False)).flags
    assert f"1. {SAID} (judge whether this was said, not whether" in as_said.asked[0].prompt
    await as_true.reasoner(attributions="true").judge(state, forced=False)
    assert "1. the bridge is closed" in as_true.asked[0].prompt
    assert "Ann Lee" not in as_true.asked[0].prompt


async def test_votes_are_samples_of_the_judge_and_their_agreement_is_in_the_confidence(state: BeliefState) -> None:
    against = said("Refuted", ("A page denies it.", ["W2"], "refutes"))
    split = ScriptedModel([GOOD, against, GOOD])
    judgement = await split.reasoner(votes=3).judge(state, forced=False)
    united = await ScriptedModel([GOOD] * 3).reasoner(votes=3).judge(state, forced=False)
    assert judgement.veracity is united.veracity is S
    assert judgement.confidence < united.confidence
    assert [asked.settings["temperature"] for asked in split.asked] == [0.7] * 3


NOTHING = said("Not Enough Evidence", ("It is not said.", ["S1"], "neither"))
AGAINST_IT = said("Refuted", ("A page denies it.", ["W2"], "refutes"))


@pytest.mark.parametrize(
    ("votes", "veracity", "cited"),
    [
        ([GOOD, AGAINST_IT], C, {"K1", "W2"}),
        ([AGAINST_IT, GOOD, GOOD, AGAINST_IT], C, {"K1", "W2"}),
        ([GOOD, NOTHING], N, {"S1"}),
        ([GOOD, AGAINST_IT, NOTHING], N, {"S1"}),
        ([GOOD, AGAINST_IT, AGAINST_IT], R, {"W2"}),
    ],
)
async def test_a_tie_is_what_the_evidence_makes_of_it(
    state: BeliefState, votes: list[Reply], veracity: Veracity, cited: set[str]
) -> None:
    judgement = await ScriptedModel(votes).reasoner(votes=len(votes)).judge(state, forced=False)
    assert judgement.veracity is veracity
    assert {each for sentence in judgement.justification for each in sentence.citations} == cited
    assert broken_rule(judgement, state) is None
    assert judgement.confidence == judgement.probabilities[veracity] < 0.75


async def test_a_tie_over_one_and_the_same_evidence_is_not_enough(state: BeliefState) -> None:
    other = said("Refuted", ("The graph denies it.", ["K1"], "refutes"))
    judgement = await ScriptedModel([GOOD, other]).reasoner(votes=2).judge(state, forced=False)
    assert judgement.veracity is N
    assert [sentence.citations for sentence in judgement.justification] == [("S1",)]


async def test_a_model_that_takes_no_temperature_is_told_none_for_votes(state: BeliefState) -> None:
    model = ScriptedModel([GOOD] * 2)
    reasoner = LLMReasoner(model.asking(temperature=None), read_policy(), votes=2)
    await reasoner.judge(state, forced=False)
    assert all("temperature" not in asked.settings for asked in model.asked)


class Verdicts:
    """A verifier that says of every text what it is told."""

    def __init__(self, supports: float, refutes: float) -> None:
        self.row = (supports, refutes, 1.0 - supports - refutes)

    def score(self, evidence: Any, claims: Any) -> NDArray[np.float64]:
        return np.array([self.row] * len(evidence))


@pytest.mark.parametrize("is_shown", [True, False])
async def test_a_verifier_that_disagrees_is_reported_and_shown_where_asked(state: BeliefState, is_shown: bool) -> None:
    model = ScriptedModel([GOOD])
    opinion = SecondOpinion(Verdicts(0.1, 0.8), is_shown=is_shown)
    judgement = await model.reasoner(opinion=opinion).judge(state, forced=False)
    assert judgement.veracity is S
    assert "verifier_disagrees" in judgement.flags
    assert ("a verifier: refutes 0.80" in model.asked[0].prompt) == is_shown


async def test_a_verifier_that_agrees_is_not(state: BeliefState) -> None:
    reasoner = ScriptedModel([GOOD]).reasoner(opinion=SecondOpinion(Verdicts(0.8, 0.1)))
    assert "verifier_disagrees" not in (await reasoner.judge(state, forced=False)).flags


async def test_the_verdict_has_its_own_time(state: BeliefState) -> None:
    left: list[float | None] = []

    def otherwise(_: object) -> Reply:
        left.append(remaining_s())
        return GOOD

    with deadline(-1.0):
        await ScriptedModel(otherwise=otherwise).reasoner().judge(state, forced=True)
        assert remaining_s() == 0.0
    assert left[0] is not None
    assert left[0] > 100


@pytest.mark.parametrize(
    ("votes", "stance", "failures"),
    [({S: 1.0}, FOR, 0), ({S: 2 / 3, R: 1 / 3}, FOR, 0), ({N: 1.0}, AGAINST, 2), ({C: 1.0}, FOR, 1), ({}, FOR, 0)],
)
def test_probabilities_sum_to_one(votes: dict[Veracity, float], stance: Stance, failures: int) -> None:
    probabilities = probabilities_of(votes, stance, failures)
    assert set(probabilities) == set(Veracity)
    assert sum(probabilities.values()) == pytest.approx(1.0)


def test_confidence_comes_from_the_evidence() -> None:
    nothing = Stance(supports=0.0, refutes=0.0, neither=1.0)
    confidence = [probabilities_of({S: 1.0}, stance, 0)[S] for stance in (AGAINST, nothing, FOR)]
    assert confidence == sorted(confidence)
    assert probabilities_of({S: 1.0}, FOR, 1)[S] < probabilities_of({S: 1.0}, FOR, 0)[S]
    assert probabilities_of({N: 1.0}, nothing, 0)[N] == pytest.approx(0.6), "what nobody mentions may still be either"
    assert probabilities_of({N: 1.0}, AGAINST, 0)[R] > probabilities_of({N: 1.0}, AGAINST, 0)[S]


def test_two_pieces_of_one_text_are_one_source_and_an_anchor_weighs_more(state: BeliefState) -> None:
    stances = {"K1": FOR, "W1": FOR, "W2": FOR}
    piece = {each.id: each for each in state.evidence}
    anchor, page = (stance_of_part([piece[each]], stances) for each in ("K1", "W1"))
    assert anchor.supports > page.supports
    assert stance_of_part([piece["W1"], piece["W1"]], stances) == page
    assert stance_of_part([piece["W1"], piece["W2"]], stances).supports > page.supports
    assert together([FOR, AGAINST]).refutes > together([FOR, FOR]).refutes
