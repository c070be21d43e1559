"""Compound claims in parts, and denials as what they deny."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wkgfc.reasoning.embedded.claims.parts import MAX_PARTS, parts_of, positive_form

DATA = Path(__file__).parents[3] / "data"


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("row", rows("parts.jsonl"), ids=lambda row: row["text"])
def test_claims_are_split(row: dict[str, Any]) -> None:
    assert list(parts_of(row["text"])) == row["parts"]


@pytest.mark.parametrize("row", rows("negations.jsonl"), ids=lambda row: row["text"])
def test_denials_are_told_from_what_they_deny(row: dict[str, Any]) -> None:
    assert positive_form(row["text"]) == (row["positive"], row["is_negated"])


@pytest.mark.parametrize("text", ["", " ", "\t\n"])
def test_nothing_stays_nothing(text: str) -> None:
    assert parts_of(text) == (text,)
    assert positive_form(text) == (text, False)


WORDS = st.sampled_from(
    """Marie Curie was born in Warsaw and died , who which directed The Kid a an actor director not never no but or of
    France Germany between both he it . " ( ) if said that 1889 neither nor""".split()  # noqa: SIM905
)


@settings(max_examples=200, deadline=None)
@given(st.one_of(st.text(max_size=60), st.lists(WORDS, max_size=16).map(" ".join)))
def test_any_text_is_split(text: str) -> None:
    parts = parts_of(text)
    assert 1 <= len(parts) <= MAX_PARTS
    assert parts == (text,) or all(part.strip() for part in parts)
    positive, is_negated = positive_form(text)
    assert is_negated or positive == text
