"""The tools for OpenAI's function calling: strict schemas, and arguments from a model that are not trusted."""

import asyncio
import json
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scripted import ListGraph, ScriptedReasoner, judgement, triple
from scripted_judge import SUPPORTS, ScriptedJudge
from wkgfc.checker import FactChecker
from wkgfc.claim import Checkability, Claim, Veracity
from wkgfc.config import Settings
from wkgfc.errors import NotConfigured
from wkgfc.serve.openai_tool import MAX_ARGUMENTS_CHARACTERS, run_tool, tool_definitions

CLAIM = "The bridge was opened in 1932."
TEXT = "The bridge, opened in 1932, has two towers."
JUDGE = ScriptedJudge({(TEXT, CLAIM): SUPPORTS})


def checker(reasoner: ScriptedReasoner | None = None) -> FactChecker:
    settings = Settings(kg="none", web="none")
    scripted = reasoner or ScriptedReasoner(judgements=[judgement(Veracity.SUPPORTED, "K1")])
    return FactChecker(settings, graph=ListGraph([triple("bridge", "opened", "1932")]), reasoner=scripted)


def answer(name: str, arguments: Any, **given_: Any) -> dict[str, Any]:
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    read: dict[str, Any] = json.loads(run_tool(name, text, **({"verifier": JUDGE} | given_)))
    return read


def test_the_schemas_are_strict() -> None:
    for definition in tool_definitions():
        function = definition["function"]
        parameters = function["parameters"]
        jsonschema.Draft202012Validator.check_schema(parameters)
        assert definition["type"] == "function"
        assert function["strict"] is True
        assert parameters["additionalProperties"] is False
        assert parameters["required"] == list(parameters["properties"])
        assert all(each["description"] for each in (function, *parameters["properties"].values()))


def test_the_responses_api_has_the_same_functions_without_the_envelope() -> None:
    chat, responses = tool_definitions(), tool_definitions("responses")

    assert [{"type": "function", **each["function"]} for each in chat] == responses
    assert [each["name"] for each in responses] == ["check_claim", "verify_text"]


def test_definitions_are_the_callers_own() -> None:
    tool_definitions()[0]["function"]["parameters"]["properties"]["claim"]["type"] = "number"

    assert tool_definitions()[0]["function"]["parameters"]["properties"]["claim"]["type"] == "string"


def test_verify_text_answers_with_the_sentence_that_decided() -> None:
    said = answer("verify_text", {"claim": CLAIM, "text": TEXT})

    assert said["answer"] == "supports"
    assert set(said["probabilities"]) == {"supports", "refutes", "neither"}
    assert said["sentence"] == TEXT[said["start"] : said["end"]] == TEXT
    assert said["verifier"] == "scripted"


def test_check_claim_answers_with_the_contract() -> None:
    said = answer("check_claim", {"claim": CLAIM, "date": "2020-05-31"}, checker=checker())

    assert said["claim"]["date"] == "2020-05-31"
    assert {"contract", "veracity", "confidence", "justification", "evidence", "errors"} <= set(said)
    assert said["trajectory"] is None


def test_the_date_may_be_null() -> None:
    assert answer("check_claim", {"claim": CLAIM, "date": None}, checker=checker())["claim"]["date"] is None


@pytest.mark.parametrize(
    "arguments",
    [
        "",
        "null",
        "[]",
        "{",
        "claim",
        {},
        {"claim": CLAIM},
        {"claim": CLAIM, "text": 3},
        {"claim": None, "text": TEXT},
        {"claim": [CLAIM], "text": TEXT},
        {"claim": CLAIM, "text": TEXT, "verifier": "/etc/passwd"},
        {"claim": "", "text": TEXT},
        {"claim": "?!", "text": TEXT},
        {"claim": "a" * 2_001, "text": TEXT},
        {"claim": CLAIM, "text": " "},
        {"claim": CLAIM, "text": "a" * 1_000_001},
        '{"claim": "\\ud800", "text": "x"}',
        "[" * 100_000,
        '{"claim": ' * 10_000,
        " " * (MAX_ARGUMENTS_CHARACTERS + 1),
    ],
)
def test_malformed_arguments_are_refused_in_words(arguments: Any) -> None:
    error = answer("verify_text", arguments)["error"]

    assert error["code"] == "bad_arguments"
    assert 0 < len(error["message"]) < 400


@pytest.mark.parametrize("date", ["yesterday", "2020-13-01", 2020, ""])
def test_a_date_that_is_none_is_refused(date: Any) -> None:
    assert answer("check_claim", {"claim": CLAIM, "date": date}, checker=checker())["error"]["code"] == "bad_arguments"


def test_an_unknown_tool_is_refused_with_the_names_of_the_others() -> None:
    error = answer("rm -rf", {"claim": CLAIM})["error"]

    assert error["code"] == "unknown_tool"
    assert "check_claim" in error["message"]
    assert "rm -rf" not in error["message"]


def test_a_reading_that_takes_too_long_is_given_up() -> None:
    judge = ScriptedJudge({}, stuck_at=TEXT)
    try:
        said = answer("verify_text", {"claim": CLAIM, "text": TEXT}, verifier=judge, timeout_s=0.2)
    finally:
        judge.released.set()

    assert said["error"]["code"] == "time_limit"
    assert "not judged" in said["error"]["message"]


def test_a_check_that_takes_too_long_is_given_up_and_ended() -> None:
    class Slow(ScriptedReasoner):
        async def screen(self, claim: Claim) -> Checkability:
            await asyncio.sleep(3_600)
            raise AssertionError("it was ended before")

    said = answer("check_claim", {"claim": CLAIM, "date": None}, checker=checker(Slow()), timeout_s=0.2)

    assert said["error"]["code"] == "time_limit"


def test_what_the_operator_has_to_mend_is_raised() -> None:
    broken = FactChecker(Settings(kg="/nowhere", web="none"), reasoner=ScriptedReasoner())

    with pytest.raises(NotConfigured):
        run_tool("check_claim", json.dumps({"claim": CLAIM, "date": None}), checker=broken)


_JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["claim", "text", "x"]), inner),
    max_leaves=8,
)


@given(st.sampled_from(["verify_text", "", "nothing"]), _JSON.map(json.dumps) | st.text(max_size=60))
def test_whatever_a_model_sends_it_gets_an_object_back(name: str, arguments: str) -> None:
    said = answer(name, arguments)

    assert ("error" in said) != ("answer" in said)


def test_it_works_where_an_event_loop_runs() -> None:
    async def inside() -> dict[str, Any]:
        return answer("check_claim", {"claim": CLAIM, "date": None}, checker=checker())

    assert "error" not in asyncio.run(inside())
