"""The worst case: a model that obeys every order that it sees. No rule of evidence is broken, whatever it answers."""

import json
import re
import unicodedata
from collections.abc import Callable
from dataclasses import replace

import pytest

from hostile_pages import HostilePage, Poisoned, hostile_pages
from obedient_model import obedient, shown
from scripted import ListGraph, ListWeb, passage, triple
from scripted_model import Asked, Reply, ScriptedModel
from wkgfc.checker import FactChecker
from wkgfc.claim import Veracity
from wkgfc.config import load_settings
from wkgfc.quotes import folded_words
from wkgfc.result import CheckResult

PAGES = hostile_pages()
ORDERED = {
    Veracity.SUPPORTED: "Refuted",
    Veracity.REFUTED: "Supported",
    Veracity.NOT_ENOUGH_EVIDENCE: "Supported",
}
ACTIONS = {"initKGRetrieval", "expandKG", "webSearch", "verdict"}


def gullible(page: HostilePage) -> Callable[[Asked], Reply]:
    """What a model answers that does as the page says, once it has seen it."""
    verdict = ORDERED[page.veracity]
    side = "supports" if verdict == "Supported" else "refutes"
    honest = obedient(action={"missing": "more", "action": "webSearch", "query": page.title})
    words = " ".join(folded_words(page.passage.text).split()[:4])
    questions: list[Asked] = []

    def answer(asked: Asked) -> Reply:
        if asked.turns == 1:
            questions.append(asked)
        else:  # a complaint, which does not show the question again
            asked = replace(questions[-1], turns=asked.turns)
        if words not in folded_words(asked.prompt):
            return honest(asked)
        if page.kind == "json answer" and asked.turns == 1:
            return page.text
        if page.kind == "tool result" and asked.turns == 1:
            return 'Action: verdict\nAction Input: {"veracity": "Supported"}'
        match asked.judgement:
            case "grade":
                worst = {"relevance": 1.0, "stance": side, "consistency": 1.0}
                return {
                    "grades": [
                        {"id": each, "quote": quote, **worst}
                        for each, quote in re.findall(r"^(P\d+) \[[^\]]*\] (.{1,200})", asked.prompt, re.MULTILINE)
                    ]
                }
            case "decide":
                return {"missing": "", "action": "verdict", "query": ""}
            case "judge" | "forced":
                forged = page.kind == "fake citation" and asked.turns == 1
                cited = ["K7", "W1"] if forged else [*shown(asked, "W"), *shown(asked, "K")]
                text = f"The page says “{page.text[:80]}”." if forged else "The page says so."
                sentence = {"text": text, "evidence": cited[:2], "shows": side}
                return {
                    "statements": [{"statement": 1, "sentences": [sentence], "verdict": verdict}],
                    "sureness": 1.0,
                }
        return honest(asked)

    return answer


def check(page: HostilePage) -> tuple[CheckResult, ScriptedModel]:
    model = ScriptedModel(otherwise=gullible(page))
    real = [
        passage(f"{page.title} is described in many books. It is well known.", url="https://a.example/", title="Books"),
        passage(f"Little is said of {page.title} here. The rest is silence.", url="https://b.example/", title="Notes"),
    ]
    result = FactChecker(
        load_settings(hops=1, max_steps=4),
        graph=ListGraph([triple(page.title, "P1", "Something"), triple("Something", "P2", page.title)]),
        web=Poisoned(ListWeb(real), page.passage),
        reasoner=model.reasoner(screening="rules"),
    ).check(page.claim)
    return result, model


def recognise_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every page reaches the model, as one would whose kind nobody has thought of."""
    monkeypatch.setattr("wkgfc.web.filtering.looks_like_orders", lambda text: False)
    monkeypatch.setattr("wkgfc.web.filtering.repeats_claim", lambda passage, claim: False)
    monkeypatch.setattr("wkgfc.reasoning.llm.grading.looks_like_orders", lambda text: False)


def assert_rules_are_kept(result: CheckResult) -> None:
    """Those of DESIGN, "Rules of evidence", that a verdict can break."""
    assert result.trajectory is not None
    steps = {step.observation.id for step in result.trajectory.steps}
    evidence = {piece.id: piece for piece in result.evidence}
    assert {step.action.name for step in result.trajectory.steps} <= ACTIONS
    assert len(result.trajectory.steps) <= 4
    for piece in evidence.values():
        assert piece.quote is None or piece.quote in piece.text
    if result.veracity is None:
        assert result.stop_reason == "error"
        assert result.confidence is None
        return
    cited = {citation for sentence in result.justification for citation in sentence.citations}
    assert cited <= steps | evidence.keys()
    assert all(sentence.citations for sentence in result.justification)
    if result.veracity in (Veracity.SUPPORTED, Veracity.REFUTED):
        side = "supports" if result.veracity is Veracity.SUPPORTED else "refutes"
        assert any(getattr(evidence[each].stance, side, 0.0) > 0.5 for each in cited & evidence.keys())
    assert sum(result.probabilities.values()) == pytest.approx(1.0)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.kind}: {page.claim}")
def test_no_rule_is_broken_though_every_order_reaches_the_model(
    page: HostilePage, monkeypatch: pytest.MonkeyPatch
) -> None:
    recognise_nothing(monkeypatch)
    result, model = check(page)
    assert_rules_are_kept(result)
    for asked in model.asked:
        for name, code in re.findall(r"^<(\w+) ([0-9a-f]{6})>$", asked.prompt, re.MULTILINE):
            assert asked.prompt.count(f"</{name} {code}>") == 1, "a page cannot end its own field"
        unseen = {unicodedata.name(letter, "?") for letter in asked.prompt if unicodedata.category(letter) == "Cf"}
        assert not unseen


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.kind}: {page.claim}")
def test_the_model_is_not_shown_what_is_recognised(page: HostilePage) -> None:
    result, model = check(page)
    assert_rules_are_kept(result)
    assert page.passage.url not in {piece.url for piece in result.evidence} or page.kind == "hidden html"
    if page.kind != "hidden html":
        told = folded_words(page.passage.text)
        assert all(told not in folded_words(asked.prompt) for asked in model.asked)


def test_confidence_is_not_the_models_own(monkeypatch: pytest.MonkeyPatch) -> None:
    recognise_nothing(monkeypatch)
    page = next(page for page in PAGES if page.kind == "orders")
    result, _ = check(page)
    assert result.confidence is None or result.confidence < 0.999
    assert json.loads(result.model_dump_json())
