"""Every judgement and whole checks by a real language model on this machine, from what was recorded of it.

What was recorded runs without the model and without a network, and comes to exactly the same. ``pytest -m local`` asks
the model itself; ``python -m tests.recorded_model`` records it again, which changed prompts make necessary.
"""

import datetime as dt
import json
from typing import Any

import pytest

from local_model import local_model
from recorded_model import (
    AGAIN,
    CHECKED,
    JUDGED,
    RUNS,
    as_json,
    check_whole,
    from_json,
    judge_all,
    judgements_of,
    judging,
    path_of,
    questions_of,
    settings_for,
    shown_as_then,
)
from wkgfc.checker import FactChecker
from wkgfc.claim import Veracity
from wkgfc.recording import Run, read_run
from wkgfc.result import CheckResult

JUDGEMENTS = {"screen", "select_relations", "select_entities", "decide", "grade", "extract", "judge"}
OF_THE_CLOCK = {"seconds", "started_at", "checked_at", "retrieved_at"}  # the last: when the embedded index was built
FITTED = {"confidence", "probabilities"}
OF_THE_PROCESS = {"verifier_pairs"}  # a pair that was scored before in this process is not counted again
OF_THE_VERSION = {"contract"}  # of what a result is written by, which may have more properties today
LEFT_OUT = OF_THE_CLOCK | OF_THE_PROCESS | OF_THE_VERSION


def recorded(name: str) -> Run:
    path = path_of(name)
    if not path.is_file():
        pytest.skip(f"{path.name} was not recorded: {AGAIN} {name}")
    return read_run(path)


def without_times(value: Any) -> Any:
    """JSON without what a clock has written into it, what the process did before, and which version wrote it."""
    if isinstance(value, dict):
        return {name: without_times(each) for name, each in value.items() if name not in LEFT_OUT}
    return [without_times(each) for each in value] if isinstance(value, list) else value


def without_calibration(values: dict[str, Any]) -> dict[str, Any]:
    """Judgements without what is computed from them and fitted elsewhere."""
    return {
        name: {key: each for key, each in value.items() if key not in FITTED} if isinstance(value, dict) else value
        for name, value in values.items()
    }


def check_result(result: CheckResult) -> None:
    """What holds of every result, whoever judges and however well."""
    assert result.stop_reason != "error", result.errors
    assert result.veracity is not None
    known = {evidence.id for evidence in result.evidence}
    steps = {step.observation.id for step in result.trajectory.steps} if result.trajectory else set()
    cited = [citation for sentence in result.justification for citation in sentence.citations]
    assert cited
    assert set(cited) <= known | steps
    if result.veracity is not Veracity.NOT_ENOUGH_EVIDENCE:
        assert set(cited) & known


def check_judgements(values: dict[str, Any]) -> None:
    failed = {name: value["failed"] for name, value in values.items() if isinstance(value, dict) and "failed" in value}
    assert not failed


@pytest.mark.parametrize("name", JUDGED)
async def test_the_judgements_are_those_of_the_recording(name: str) -> None:
    run = recorded(f"judged-{name}")
    questions = from_json(run.cassette.notes["questions"], run.claim)
    with shown_as_then(run):
        values = await judgements_of(judging(run.settings(), run.http()), questions)
    then = without_calibration(run.cassette.notes["judgements"])
    assert without_calibration(values) == then, f"other prompts than then: {AGAIN} judged-{name}"
    check_judgements(values)


async def test_questions_are_kept_whole(embedded_checker: FactChecker) -> None:
    claim = JUDGED["borders"].model_copy(update={"today": dt.date(2026, 1, 2)})
    questions = await questions_of(claim, embedded_checker.open())
    assert set(questions) == JUDGEMENTS
    kept = json.loads(json.dumps(as_json(questions)))
    again = from_json(kept, claim)
    assert as_json(again) == kept
    state, before = again["judge"][0], questions["judge"][0]
    assert list(state.evidence) == list(before.evidence)
    assert (state.claim, state.claim.today, state.steps) == (before.claim, dt.date(2026, 1, 2), before.steps)
    assert again["extract"][1:] == questions["extract"][1:]


def test_every_judgement_was_made() -> None:
    made = set().union(*(recorded(f"judged-{name}").cassette.notes["judgements"] for name in JUDGED))
    assert made == JUDGEMENTS


@pytest.mark.parametrize("name", CHECKED)
async def test_the_check_is_that_of_the_recording(name: str, embedded_checker: FactChecker) -> None:
    run = recorded(f"checked-{name}")
    assert run.result is not None
    environment = embedded_checker.open()
    checker = FactChecker(run.settings(), graph=environment.graph, web=environment.web, http=run.http())
    with shown_as_then(run):
        result = await checker.check_async(run.claim)
    check_result(result)
    now, then = (without_times(each.to_json(trace=True)) for each in (result, run.result))
    assert now["trajectory"] == then["trajectory"], f"other prompts or evidence than then: {AGAIN} checked-{name}"
    for each in (now, then):
        each.pop("policy")  # a name for all prompts, of which a check asks some: those are in the exchanges
        for source in each["sources"]:
            source.pop("version")  # likewise, or of a store that other rules have built of the same facts
    assert now == then
    assert result.usage.llm_calls == len(run.cassette.exchanges)


@pytest.mark.parametrize("name", RUNS)
def test_a_question_of_a_small_model_is_short(name: str) -> None:
    """Under 800 tokens, by the model's own count; a repair turn shows a question and its answer again."""
    exchanges = [each for each in recorded(name).cassette.exchanges if len(each.request["json"]["messages"]) == 2]
    tokens = [json.loads(each.text or "{}")["usage"]["prompt_tokens"] for each in exchanges]
    assert tokens
    assert max(tokens) < 800, tokens


@pytest.mark.parametrize("name", RUNS)
def test_no_recording_names_a_folder_of_a_machine(name: str) -> None:
    run = recorded(name)
    assert "/" not in run.recorded["reasoner"]
    assert all(
        "/" not in str(value) for name, value in run.recorded.items() if name.endswith(("dir", "path", "folder"))
    )


@pytest.mark.local
@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("name", JUDGED)
async def test_the_model_itself_makes_every_judgement(
    name: str, embedded_checker: FactChecker, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    model = local_model().absolute()
    monkeypatch.chdir(tmp_path)
    check_judgements(await judge_all(JUDGED[name], settings_for(model), embedded_checker.open(), None))


@pytest.mark.local
@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("name", CHECKED)
async def test_the_model_itself_checks_a_claim(
    name: str, embedded_checker: FactChecker, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    model = local_model().absolute()
    monkeypatch.chdir(tmp_path)
    check_result(await check_whole(CHECKED[name], settings_for(model), embedded_checker.open(), None))
