"""The fact-checker and the verifier in a chain of LangChain."""

import datetime as dt
import subprocess
import sys
from typing import Any

import pytest

from scripted import ListGraph, ScriptedReasoner, judgement, triple
from scripted_judge import SUPPORTS, ScriptedJudge
from wkgfc.checker import FactChecker
from wkgfc.claim import Veracity
from wkgfc.config import Settings
from wkgfc.errors import BadInput
from wkgfc.serve.langchain_runnable import claim_checker, text_verifier

runnables = pytest.importorskip("langchain_core.runnables")

CLAIM = "The bridge was opened in 1932."
TEXT = "The bridge, opened in 1932, has two towers."
PAIR = {"claim": CLAIM, "text": TEXT}


@pytest.fixture
def checker() -> FactChecker:
    reasoner = ScriptedReasoner(judgements=[judgement(Veracity.SUPPORTED, "K1")])
    graph = ListGraph([triple("bridge", "opened", "1932")])
    return FactChecker(Settings(kg="none", web="none"), graph=graph, reasoner=reasoner)


@pytest.fixture
def judge() -> ScriptedJudge:
    return ScriptedJudge({(TEXT, CLAIM): SUPPORTS})


def test_a_text_is_verified_in_a_chain(judge: ScriptedJudge) -> None:
    chain = text_verifier(judge) | (lambda said: said["answer"])

    assert chain.invoke(PAIR) == "supports"
    assert chain.batch([PAIR, {"claim": "It is red.", "text": TEXT}]) == ["supports", "neither"]


async def test_it_can_be_awaited(judge: ScriptedJudge) -> None:
    said: dict[str, Any] = await text_verifier(judge).ainvoke(PAIR)

    assert said["sentence"] == TEXT


@pytest.mark.parametrize("date", [None, "2020-05-31", dt.date(2020, 5, 31)])
def test_a_claim_is_checked(checker: FactChecker, date: Any) -> None:
    said = claim_checker(checker).invoke({"claim": CLAIM, "date": date})

    assert said["claim"]["text"] == CLAIM
    assert said["claim"]["date"] == (str(date) if date else None)
    assert {"veracity", "confidence", "justification"} <= set(said)


def test_a_claim_may_be_a_text(checker: FactChecker) -> None:
    assert claim_checker(checker).invoke(CLAIM)["claim"]["text"] == CLAIM


@pytest.mark.parametrize("wrong", [{}, {"claim": CLAIM}, {"claim": 1, "text": TEXT}, {"claim": "", "text": TEXT}, 3])
def test_what_is_no_input_is_refused(judge: ScriptedJudge, wrong: Any) -> None:
    with pytest.raises(BadInput):
        text_verifier(judge).invoke(wrong)


@pytest.mark.parametrize("wrong", ["", {}, {"claim": CLAIM, "date": "soon"}, 3])
def test_what_is_no_claim_is_refused(checker: FactChecker, wrong: Any) -> None:
    with pytest.raises(BadInput):
        claim_checker(checker).invoke(wrong)


def test_a_reading_that_takes_too_long_can_fall_back() -> None:
    judge = ScriptedJudge({}, stuck_at=TEXT)
    limited = text_verifier(judge, timeout_s=0.2)
    fallback = runnables.RunnableLambda(lambda pair: {"answer": "not judged"})
    try:
        with pytest.raises(TimeoutError):
            limited.invoke(PAIR)
        assert limited.with_fallbacks([fallback]).invoke(PAIR) == {"answer": "not judged"}
    finally:
        judge.released.set()


def test_without_langchain_it_says_how_to_install_it() -> None:
    code = (
        "import sys; sys.modules['langchain_core'] = None; sys.modules['langchain_core.runnables'] = None\n"
        "from wkgfc.errors import NotConfigured\n"
        "from wkgfc.serve.langchain_runnable import text_verifier\n"
        "try:\n    text_verifier()\nexcept NotConfigured as error:\n    print(error)"
    )

    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert "pip install 'wkgfc[langchain]'" in said.stdout
