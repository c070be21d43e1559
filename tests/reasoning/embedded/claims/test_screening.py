"""What can be checked and what cannot; what is said to have been said."""

import datetime as dt
import gzip
import json
import os
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wkgfc.claim import Claim
from wkgfc.reasoning.embedded.claims.screening import attribution_of, screen

DATA = Path(__file__).parents[3] / "data"
SHARED = Path(os.environ.get("WKGFC_TEST_DATA") or Path(__file__).parents[5] / "shared" / "data")


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


def test_what_cannot_be_checked_is_found() -> None:
    missed = []
    wrong_kind = []
    sentences = rows("not_checkable.jsonl")
    for row in sentences:
        answer = screen(Claim(text=row["text"]))
        if answer.is_checkable:
            missed.append(row["text"])
        elif answer.kind != row["kind"]:
            wrong_kind.append(row["text"])
        else:
            assert answer.reason.endswith(".")
    assert len(sentences) >= 100
    assert len(missed) <= 0.1 * len(sentences), missed
    assert len(wrong_kind) <= 0.1 * len(sentences), wrong_kind


@pytest.mark.parametrize("row", rows("checkable.jsonl"), ids=lambda row: row["text"])
def test_what_can_be_checked_is_let_through(row: dict[str, Any]) -> None:
    answer = screen(Claim(text=row["text"]))
    assert answer.is_checkable, answer.kind


@pytest.mark.skipif(not (SHARED / "claims").is_dir(), reason="the folder of WKGFC_TEST_DATA is not there")
def test_claims_of_benchmarks_are_let_through() -> None:
    refused, seen = [], 0
    for name in ("fever_dev", "fm2_dev"):
        with gzip.open(SHARED / "claims" / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
            claims = [json.loads(line)["claim"] for line in lines]
        for text in random.Random(7).sample(claims, 250):
            seen += 1
            if not screen(Claim(text=text)).is_checkable:
                refused.append(text)
    assert len(refused) <= 0.01 * seen, refused


def test_a_prediction_depends_on_the_day_of_the_claim() -> None:
    text = "Brazil will win the 2022 World Cup."
    assert screen(Claim(text=text, date=dt.date(2021, 1, 1))).kind == "prediction"
    assert screen(Claim(text=text, date=dt.date(2024, 1, 1))).is_checkable


def test_what_someone_said_can_be_checked_as_said() -> None:
    assert screen(Claim(text="Joe Biden said that Paris is beautiful.")).is_checkable
    assert not screen(Claim(text="Paris is beautiful.")).is_checkable


def test_one_checkable_sentence_is_enough() -> None:
    assert screen(Claim(text="Chaplin was born in London. He is the best actor ever.")).is_checkable


def test_other_languages_are_not_screened() -> None:
    assert screen(Claim(text="Ist Paris schön?", language="de")).is_checkable


@pytest.mark.parametrize("row", rows("attributions.jsonl"), ids=lambda row: row["text"])
def test_attributions_are_read(row: dict[str, Any]) -> None:
    found = attribution_of(row["text"])
    read = found and {"speaker": found.speaker, "verb": found.verb, "content": found.content}
    assert read == row["attribution"]


WORDS = st.sampled_from(
    """Will the next president win in 2050 ? I think Paris is beautiful best film said that “ ” " , . please write do
    not never who what tomorrow should ought going to be""".split()  # noqa: SIM905
)


@settings(max_examples=150, deadline=None)
@given(st.one_of(st.text(min_size=1, max_size=60), st.lists(WORDS, min_size=1, max_size=12).map(" ".join)))
def test_any_text_is_screened(text: str) -> None:
    answer = screen(Claim(text=text))
    assert answer.is_checkable == (answer.kind == "claim")
    assert answer.is_checkable or answer.reason
    attribution_of(text)
