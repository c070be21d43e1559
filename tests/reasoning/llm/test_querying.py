"""Queries that repeat the prompt: told from those that ask for something."""

import pytest

from wkgfc.reasoning.llm.querying import is_of_instructions

TOLD = (
    "Write a query of a few words and names. What is so instead: leave out what the claim asserts. The evidence counts."
)


@pytest.mark.parametrize(
    "query",
    [
        "What is so instead?",
        "what is so INSTEAD: leave out what the claim asserts, and pages",
        "a few words",
        "evidence",
    ],
)
def test_words_of_the_prompt_alone_are_no_query(query: str) -> None:
    assert is_of_instructions(query, "Riz Ahmed is an actor.", TOLD)


@pytest.mark.parametrize(
    ("query", "claim"),
    [
        ("Riz Ahmed", "Riz Ahmed is an actor."),
        ("what is so instead of Riz", "Riz Ahmed is an actor."),  # one word is the claim's
        ("Four Lions cast", "Riz Ahmed is an actor."),  # what the evidence has led to
        ("evidence tampering", "Evidence was destroyed by the police."),
        ("里兹·阿迈德", "里兹·阿迈德是演员。"),
        ("", "Riz Ahmed is an actor."),
    ],
)
def test_what_asks_for_something_is_a_query(query: str, claim: str) -> None:
    assert not is_of_instructions(query, claim, TOLD)
