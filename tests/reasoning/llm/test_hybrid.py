"""Who makes which judgement: read from one line, said what is allowed where it cannot be read."""

import pytest

from scripted import ScriptedReasoner
from wkgfc.claim import read_claim
from wkgfc.errors import NotConfigured
from wkgfc.reasoning.llm.hybrid import JUDGEMENT_NAMES, Choice, HybridReasoner, read_choice
from wkgfc.state import BeliefState


@pytest.mark.parametrize(
    ("text", "choice"),
    [
        ("embedded", Choice("embedded", {})),
        ("openai:gpt-4o", Choice("openai:gpt-4o", {})),
        (
            "openai:gpt-4o, grade=embedded, select=embedded",
            Choice("openai:gpt-4o", {"grade": "embedded", "relations": "embedded", "entities": "embedded"}),
        ),
        ("embedded,judge=anthropic:claude-x", Choice("embedded", {"judge": "anthropic:claude-x"})),
        ("local:/m/a=b.gguf , screen = embedded", Choice("local:/m/a=b.gguf", {"screen": "embedded"})),
        ("openai:a, judge=local:/m/x.gguf", Choice("openai:a", {"judge": "local:/m/x.gguf"})),
    ],
)
def test_a_line_names_who_judges_what(text: str, choice: Choice) -> None:
    assert read_choice(text) == choice


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "names nobody first"),
        ("grade=embedded", "names nobody first"),
        ("embedded, verdict=openai:x", "the judgements are screen, relations, entities, decide, grade, extract, judge"),
        ("embedded, grade", "not JUDGEMENT=REASONER"),
        ("embedded, grade=", "not JUDGEMENT=REASONER"),
        ("embedded, ", "not JUDGEMENT=REASONER"),
        ("embedded, select=openai:x, relations=embedded", "for relations twice"),
    ],
)
def test_a_line_that_cannot_be_read_says_what_is_allowed(text: str, said: str) -> None:
    with pytest.raises(NotConfigured, match=said):
        read_choice(text)


def test_whether_a_model_is_needed_is_known_before_any_is_opened() -> None:
    assert not read_choice("embedded").has_model
    assert not read_choice("embedded, grade=embedded").has_model
    assert read_choice("embedded, judge=openai:x").has_model
    assert read_choice("openai:x, judge=embedded, grade=embedded").names == ("openai:x", "embedded")


async def test_each_judgement_goes_to_its_reasoner() -> None:
    asked: dict[str, list[str]] = {}
    for judgement in JUDGEMENT_NAMES[1:]:
        main, other = ScriptedReasoner(), ScriptedReasoner()
        reasoner = HybridReasoner(Choice("a", {judgement: "b"}), {"a": main, "b": other})
        state = BeliefState(claim=read_claim("A is B."))
        await reasoner.select_relations(state, [], 4)
        await reasoner.select_entities(state, [], 5, 4)
        await reasoner.decide(state)
        await reasoner.grade(state, [])
        asked[judgement] = other.asked
        assert len(main.asked) + len(other.asked) == 4
        assert await reasoner.screen(state.claim) == main.checkability
    assert asked == {
        "relations": ["select_relations"],
        "entities": ["select_entities"],
        "decide": ["decide"],
        "grade": ["grade"],
        "extract": [],
        "judge": [],
    }


def test_its_name_and_policy_say_who_took_part() -> None:
    main, other = ScriptedReasoner(), ScriptedReasoner()
    other.policy = "other"
    reasoner = HybridReasoner(read_choice("a:1, select=b:2"), {"a:1": main, "b:2": other})
    assert reasoner.name == "a:1, relations=b:2, entities=b:2"
    assert reasoner.policy == "test+other"
