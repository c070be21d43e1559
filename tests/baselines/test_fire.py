"""FIRE's loop: when it stops, and what it answers then."""

import pytest

from scripted import passage
from wkgfc.baselines.course import Course
from wkgfc.baselines.fire import MAX_STEPS, Ask, Fire, Sure
from wkgfc.baselines.method import Seen
from wkgfc.claim import Veracity, read_claim
from wkgfc.evaluate.given import GivenTexts
from wkgfc.evaluate.workbench import Workbench
from wkgfc.evidence import Passage
from wkgfc.result import CheckResult

TEXTS = [passage(text, url=f"https://example.org/{n}") for n, text in enumerate(
    ["Ada Verne discovered a red dye.", "Malmö has a harbour.", "Turin lies on the Po.", "A mill bought the dye.",
     "The painter liked ships.", "Nobody knows the river Arn."]
)]  # fmt: skip


class Script:
    """Says what the script says, step by step."""

    def __init__(self, *steps: Sure | Ask, final: float | None = 0.3) -> None:
        self.steps, self.final = list(steps), final
        self.forced = 0

    async def verify_or_search(self, course: Course) -> Sure | Ask:
        return self.steps.pop(0)

    async def must_answer(self, course: Course) -> float | None:
        self.forced += 1
        return self.final


def run(bench: Workbench, script: Script, texts: list[Passage] = TEXTS) -> CheckResult:
    fire = Fire(bench.tools)
    fire._mind = script
    return bench.run(fire.check(read_claim("Ada Verne discovered a red dye."), Seen(web=GivenTexts(texts))))


def queries(result: CheckResult) -> list[str]:
    assert result.trajectory is not None
    return [step.action.query for step in result.trajectory.steps if step.action.name == "webSearch"]


def reason(result: CheckResult) -> str:
    assert result.trajectory is not None
    return result.trajectory.steps[-1].reason


def test_it_stops_when_it_is_sure(bench: Workbench) -> None:
    script = Script(Ask("red dye"), Sure(0.95))
    result = run(bench, script)
    assert queries(result) == ["red dye"]
    assert result.veracity is Veracity.SUPPORTED
    assert result.confidence == pytest.approx(0.95)
    assert not script.forced


def test_a_query_that_is_nearly_the_one_before_ends_it_unasked(bench: Workbench) -> None:
    result = run(bench, Script(Ask("the red dye of Ada Verne"), Ask("Ada Verne's red dye")))
    assert len(queries(result)) == 1
    assert reason(result) == "the new query repeats the one before"
    assert result.veracity is Veracity.REFUTED  # the forced answer is 0.3


def test_results_that_are_those_of_the_step_before_end_it(bench: Workbench) -> None:
    twins = [passage("Ada Verne sold a dye in Lyon.", url="https://a.example/1"),
             passage("In Lyon Ada Verne sold a dye", url="https://b.example/2")]  # fmt: skip
    fire = Fire(bench.tools)
    fire._mind = Script(Ask("dye"), Ask("Lyon mill"), Ask("harbour"))
    brought = iter(twins)

    class OneByOne(GivenTexts):
        async def search(self, *given: object, **more: object):  # type: ignore[no-untyped-def]
            return await GivenTexts([next(brought)]).search("dye", 1)

    result = bench.run(fire.check(read_claim("Ada Verne had a dye."), Seen(web=OneByOne([]))))
    assert reason(result) == "the results repeat those before"


def test_the_same_results_again_end_it_and_are_evidence_once(bench: Workbench) -> None:
    result = run(bench, Script(Ask("dye"), Ask("a mill in Lyon"), Ask("harbour")), TEXTS[:2])
    assert queries(result) == ["dye", "a mill in Lyon"]
    assert reason(result) == "the results repeat those before"
    assert len(result.evidence) == 2


def test_after_results_that_repeat_it_may_still_be_sure(bench: Workbench) -> None:
    script = Script(Ask("dye"), Ask("a mill in Lyon"), Sure(0.9))
    assert reason(run(bench, script, TEXTS[:2])) == "the model is sure"
    assert not script.forced


def test_it_searches_five_times_at_most_and_then_must_answer(bench: Workbench) -> None:
    asked = ["dye", "harbour", "violin", "mill", "ships", "bridge"]
    said = ["Ada sold a {}.", "Turin praised one {} in winter.", "Nobody painted that {} better."]
    texts = [passage(text.format(word), url=f"https://example.org/{word}/{n}")
             for word in asked for n, text in enumerate(said)]  # fmt: skip
    script = Script(*map(Ask, asked))
    result = run(bench, script, texts)
    assert queries(result) == asked[:MAX_STEPS]
    assert script.forced == 1
    assert reason(result) == f"the limit of {MAX_STEPS} steps is reached"


def test_where_nothing_is_known_the_answer_is_not_enough_evidence(bench: Workbench) -> None:
    result = run(bench, Script(Ask(None), final=None))
    assert result.veracity is Veracity.NOT_ENOUGH_EVIDENCE
    assert result.probabilities[Veracity.SUPPORTED] == result.probabilities[Veracity.REFUTED]


def test_with_the_verifier_the_first_query_is_the_claim_and_results_decide(bench: Workbench) -> None:
    result = bench.run(
        Fire(bench.tools).check(read_claim("Ada Verne discovered a red dye."), Seen(web=GivenTexts(TEXTS)))
    )
    assert queries(result)[0] == "Ada Verne discovered a red dye."
    assert result.veracity is Veracity.SUPPORTED
