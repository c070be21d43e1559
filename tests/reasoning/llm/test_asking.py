"""Asking a model: whatever it answers, it is read, sent back once with the exact complaint, or fails; never a guess."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from pydantic import BaseModel, SecretStr
from pydantic_ai.exceptions import ModelAPIError, ModelHTTPError
from pydantic_ai.messages import ModelResponse, TextPart

from chat_server import CHAT, completion
from misbehaving import Misbehaving
from scripted_model import Reply, ScriptedModel, calls
from wkgfc.config import load_settings
from wkgfc.errors import JudgementFailed
from wkgfc.http.client import LiveHttp
from wkgfc.reasoning.llm.asking import Asking, Complaint, Question, Tool
from wkgfc.reasoning.llm.models import open_model
from wkgfc.reasoning.llm.places import Places
from wkgfc.usage import metered


class Number(BaseModel):
    id: str
    value: float


def read(answer: Number, _is_last: bool) -> float:
    if answer.id not in {"A1", "A2"}:
        raise Complaint(f"{answer.id} is unknown: choose of A1, A2")
    return answer.value


def question(text: str = "How much?", **changes: Any) -> Question[Number, float]:
    asked = Question(judgement="number", instructions="Say.", text=text, answer=Number, read=read, max_tokens=100)
    return replace(asked, **changes)


GOOD = '{"id": "A1", "value": 0.5}'
MALFORMED: dict[str, tuple[Reply, str]] = {
    "no JSON": ("I think it is about a half.", "no JSON object"),
    "cut JSON": ('{"id": "A1", "val', "not whole"),
    "cut by the limit": (ModelResponse(parts=[TextPart('{"id": "A1",')], finish_reason="length"), "too long"),
    "wrong type": ('{"id": "A1", "value": "much"}', "value: Input should be a valid number"),
    "a property is missing": ('{"id": "A1"}', "value: Field required"),
    "unknown id": ('{"id": "A9", "value": 1}', "A9 is unknown: choose of A1, A2"),
    "a list": ("[1, 2, 3]", "no JSON object"),
    "refusal": ("I'm sorry, but I can't help with that.", "no JSON object"),
    "empty": ("", "it is empty"),
    "white space": (" \n\t ", "it is empty"),
    "thoughts alone": ("<think>Let me see. {", "it is empty"),
    "another language": ('{"Kennung": "A1", "Wert": 0,5}', "not whole"),
    "properties of another language": ('{"Kennung": "A1", "Wert": 0.5}', "id: Field required"),
    "endless": ("half " * 50_000, "no JSON object"),
    "endless braces": ("{" * 50_000, "not whole"),
    "deep": ('{"a":' * 5_000 + "1" + "}" * 5_000, "not whole"),
}


@pytest.mark.parametrize("reply", MALFORMED.values(), ids=list(MALFORMED))
async def test_a_malformed_answer_is_sent_back_with_the_exact_complaint(reply: tuple[Reply, str]) -> None:
    model = ScriptedModel([reply[0], GOOD])
    assert await model.asking().ask(question()) == 0.5
    assert [asked.turns for asked in model.asked] == [1, 3]
    assert reply[1] in model.asked[1].prompt
    assert len(model.asked[1].prompt) < 1_000


@pytest.mark.parametrize("reply", MALFORMED.values(), ids=list(MALFORMED))
async def test_after_the_second_one_it_fails_and_says_why(reply: tuple[Reply, str]) -> None:
    model = ScriptedModel([reply[0], reply[0]])
    with pytest.raises(JudgementFailed, match=r"test:scripted gave no usable answer \(number\), twice") as failure:
        await model.asking().ask(question())
    assert reply[1] in str(failure.value)
    assert len(model.asked) == 2


@pytest.mark.parametrize(
    "reply",
    [
        f"Here you are:\n```json\n{GOOD}\n```\nAnything else?",
        f"<think>It may be {{0.7}}, or not.</think>{GOOD}",
        '{"id": " A1", "value": "0.5", "note": "as you asked"}'.replace(" A1", "A1"),
        f"{GOOD}{GOOD}",
        f"The set {{A1, A2}} has it: {GOOD}",
    ],
    ids=["fenced", "thought first", "more than was asked", "twice", "braces before it"],
)
async def test_text_around_an_answer_does_no_harm(reply: str) -> None:
    model = ScriptedModel([reply])
    assert await model.asking().ask(question()) == 0.5


def served(server: Misbehaving, http: LiveHttp) -> Asking:
    """What asks a model behind a server of OpenAI's protocol."""
    return Asking(open_model("openai-compatible:tiny", load_settings(llm_url=server.url("/v1")), http))


TOOLS = (Tool("look", "look further", ("value",)), Tool("stop", "stop", ("value",)))


class Act(BaseModel):
    action: str
    value: float


def act() -> Question[Act, str]:
    return Question(
        judgement="act",
        instructions="Act.",
        text="What now?",
        answer=Act,
        read=lambda a, _: a.action,
        max_tokens=99,
        tools=TOOLS,
    )


@pytest.mark.parametrize(
    ("reply", "complaint"),
    [
        (calls(("fly", {"value": 1})), "there is no function 'fly': call one of look, stop"),
        (calls(("look", {"value": 1}), ("stop", {"value": 1})), "it calls 2 functions: call exactly one"),
        (calls(("look", "{")), "not whole"),
        (calls(("look", {"value": "far"})), "value: Input should be a valid number"),
        (calls(("look", "")), "value: Field required"),
        ("I would look further.", "no JSON object"),
    ],
    ids=["no such function", "two at once", "cut arguments", "wrong type", "no arguments", "words instead"],
)
async def test_a_wrong_call_of_a_function_is_sent_back(reply: Reply, complaint: str) -> None:
    model = ScriptedModel([reply, calls(("stop", '{"value": 0}'))])
    assert await model.asking(actions="tools").ask(act()) == "stop"
    assert model.asked[0].tools == ("look", "stop")
    assert complaint in model.asked[1].prompt


async def test_a_call_that_is_written_as_text_is_read() -> None:
    model = ScriptedModel(['{"action": "look", "value": 1}'])
    assert await model.asking(actions="tools").ask(act()) == "look"


async def test_without_functions_the_actions_are_a_schema() -> None:
    model = ScriptedModel(['{"action": "look", "value": 1}'])
    offered = replace(act(), allowed={"Act.action": ["look"]}, always=frozenset({"Act.action"}))
    assert await model.asking().ask(offered) == "look"
    assert model.asked[0].tools == ()
    assert model.asked[0].schema is not None
    assert model.asked[0].schema["properties"]["action"] == {"type": "string", "enum": ["look"]}


@pytest.mark.parametrize("form", ["schema", "tool", "prompt"])
async def test_three_ways_to_hold_a_model_to_a_form(form: Any) -> None:
    reply: Reply = calls(("answer", {"id": "A1", "value": 0.5})) if form == "tool" else GOOD
    assert await ScriptedModel([reply]).asking(answers=form).ask(question()) == 0.5


async def test_the_same_question_is_asked_once_in_a_run() -> None:
    model = ScriptedModel([GOOD, '{"id": "A2", "value": 0.7}', '{"id": "A2", "value": 0.9}'])
    asking = model.asking()
    assert await asyncio.gather(*(asking.ask(question()) for _ in range(5))) == [0.5] * 5
    assert await asking.ask(question("How many?")) == 0.7
    assert await asking.ask(question(), sample=1) == 0.9
    assert len(model.asked) == 3


def test_the_same_question_is_asked_once_over_event_loops() -> None:
    model = ScriptedModel([GOOD])
    asking = model.asking()
    assert [asyncio.run(asking.ask(question())) for _ in range(2)] == [0.5, 0.5]
    assert len(model.asked) == 1


async def test_a_failure_is_not_remembered() -> None:
    model = ScriptedModel(["no", "no", GOOD])
    asking = model.asking()
    with pytest.raises(JudgementFailed):
        await asking.ask(question())
    assert await asking.ask(question()) == 0.5


async def test_an_answer_that_does_not_fit_another_reader_is_asked_for_again() -> None:
    """Two states may look alike and have other ids: what one accepted is read again by the other."""

    def other(answer: Number, _is_last: bool) -> float:
        if answer.id != "A2":
            raise Complaint("choose A2")
        return answer.value

    model = ScriptedModel([GOOD, '{"id": "A2", "value": 0.7}'])
    asking = model.asking()
    assert await asking.ask(question()) == 0.5
    assert await asking.ask(question(read=other)) == 0.7


async def test_only_so_many_questions_at_a_time() -> None:
    now, most = 0, 0

    opened = ScriptedModel(otherwise=lambda _: GOOD).opened()
    inner = opened.model.request

    async def request(*args: Any, **named: Any) -> ModelResponse:
        nonlocal now, most
        now += 1
        most = max(most, now)
        await asyncio.sleep(0)
        now -= 1
        return await inner(*args, **named)

    opened.model.request = request  # type: ignore[method-assign]
    asking = Asking(opened, places=Places(3))
    await asyncio.gather(*(asking.ask(question(f"Number {number}?")) for number in range(20)))
    assert most == 3


async def test_what_is_asked_is_counted() -> None:
    model = ScriptedModel(["no", GOOD])
    with metered() as meter:
        await model.asking().ask(question())
    assert meter.total.llm_calls == 2
    assert meter.total.input_tokens > 0
    assert meter.total.output_tokens > 0


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (
            ModelHTTPError(401, "m", {"error": {"message": "wrong key geheim-123"}}),
            r"status 401 \(number\): wrong key \[secret\]",
        ),
        (ModelHTTPError(500, "m", None), "status 500"),
        (ModelAPIError("m", "no connection to geheim-123"), r"no answer \(number\): no connection to \[secret\]"),
        (TimeoutError(), "did not answer within"),
    ],
)
async def test_what_the_provider_does_not_answer_is_told_without_the_key(error: Exception, said: str) -> None:
    model = ScriptedModel([error])
    asking = Asking(replace(model.opened(), secrets=(SecretStr("geheim-123"),)))
    with pytest.raises(JudgementFailed, match=said) as failure:
        await asking.ask(question())
    assert "geheim" not in str(failure.value)
    assert len(model.asked) == 1


@pytest.mark.parametrize(
    "changed",
    [{"choices": []}, {"choices": [None]}, {"choices": "none"}, {"created": 10**18}, {"created": -(10**30)}],
    ids=lambda changed: str(changed)[:40],
)
async def test_an_answer_that_no_library_can_read_is_a_failure(
    server: Misbehaving, http: LiveHttp, changed: dict[str, Any]
) -> None:
    server.on(CHAT, completion(GOOD, **changed))
    with pytest.raises(JudgementFailed, match=r"openai-compatible:tiny gave an answer that cannot be read \(number\)"):
        await served(server, http).ask(question())


async def test_a_bug_of_ours_is_not_taken_for_a_failure_of_the_model() -> None:
    def broken(_answer: Number, _is_last: bool) -> float:
        raise LookupError("a bug")

    with pytest.raises(LookupError, match="a bug"):
        await ScriptedModel([GOOD]).asking().ask(question(read=broken))


async def test_half_a_character_is_sent_back_as_a_whole_one(server: Misbehaving, http: LiveHttp) -> None:
    server.on(CHAT, completion('{"id": "A1", "value": "\ud800"}'), completion("\ud800"), completion(GOOD))
    asking = served(server, http)
    with pytest.raises(JudgementFailed, match="no usable answer"):
        await asking.ask(question())
    assert await asking.ask(question()) == 0.5


@pytest.mark.parametrize(
    ("thinks", "given", "sent"), [(False, None, 100), (True, None, 8_100), (True, 0, 100), (False, 16_000, 16_100)]
)
async def test_a_model_that_thinks_first_has_room_for_it(thinks: bool, given: int | None, sent: int) -> None:
    model = ScriptedModel([GOOD])
    opened = model.opened()
    opened.model.profile["thinking_always_enabled"] = thinks
    await Asking(opened, thinking_tokens=given).ask(question())
    assert model.asked[0].settings["max_tokens"] == sent


async def test_a_local_model_is_told_in_its_schema_which_ids_there_are() -> None:
    """A hosted one is not: each new schema costs it seconds."""
    for is_local in (True, False):
        model = ScriptedModel([GOOD])
        await Asking(model.opened(is_local=is_local)).ask(question(allowed={"Number.id": ["A1", "A2"]}))
        assert model.asked[0].schema is not None
        told = model.asked[0].schema["properties"]["id"].get("enum")
        assert told == (["A1", "A2"] if is_local else None)


class Several(BaseModel):
    numbers: list[Number]


async def test_a_local_model_is_told_in_its_schema_how_many_there_are() -> None:
    """Left to itself a small one gives an empty list where each of several was asked for."""
    for is_local in (True, False):
        model = ScriptedModel(['{"numbers": []}'])
        asked = Question("numbers", "Say.", "How much?", Several, lambda answer, _: answer, 100)
        await Asking(model.opened(is_local=is_local)).ask(replace(asked, counts={"Several.numbers": (2, 3)}))
        assert model.asked[0].schema is not None
        told = model.asked[0].schema["properties"]["numbers"]
        assert (told.get("minItems"), told.get("maxItems")) == ((2, 3) if is_local else (None, None))
