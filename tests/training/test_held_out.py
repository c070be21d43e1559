"""Nothing that a figure is computed on is learned from."""

import os
from pathlib import Path

import pytest

from training.verifier.leakage import HeldOut, normal, without_leaks
from training.verifier.pair import NEITHER, SUPPORTS, Pair
from wkgfc.datasets import GoldEvidence, LabelledClaim

DATA = Path(os.environ.get("WKGFC_TEST_DATA") or Path(__file__).parents[3] / "shared" / "data")


@pytest.fixture
def held() -> HeldOut:
    held = HeldOut()
    held.add(
        LabelledClaim(
            id="1",
            claim="Ada Verne discovered a red dye.",
            evidence=(
                GoldEvidence(title="Ada Verne", text="She was born in Lyon in 1840. In 1871 she found a red dye."),
            ),
            meta={"pages": ["Ada Verne", "Verne family"], "triple": ["Q1", "P61", "Q2"]},
        ),
        with_pages=True,
    )
    return held


@pytest.mark.parametrize(
    ("title", "text", "claim"),
    [
        ("", "Some other text stands here.", "ada verne discovered a RED dye!"),
        ("Ada Verne", "Some other text stands here.", "Another claim."),
        ("Other page; Verne family", "Some other text stands here.", "Another claim."),
        ("ADA_VERNE", "Some other text stands here.", "Another claim."),
        ("Dyes", "Dyes are old. In 1871, she found a red dye. They fade.", "Another claim."),
    ],
    ids=[
        "the claim in other letters",
        "the page",
        "one of two pages",
        "the page in other letters",
        "a sentence of the evidence",
    ],
)
def test_what_is_shared_leaks(held: HeldOut, title: str, text: str, claim: str) -> None:
    assert held.leaks(Pair(title, text, claim, SUPPORTS, "test"))


def test_forms_of_unicode_are_one_text() -> None:
    for text in ("Beyonc\N{LATIN SMALL LETTER E WITH ACUTE}", "Beyonce\N{COMBINING ACUTE ACCENT}", "BEYONCE"):
        assert normal(text) == "beyonce"
    assert normal("\N{LATIN SMALL LIGATURE FI}nd_\N{FULLWIDTH DIGIT ONE}") == "find 1"
    assert normal("Alien (film)") != normal("Alien")


def test_what_shares_nothing_is_kept(held: HeldOut) -> None:
    pair = Pair("Lyon", "Lyon is a city on the Rhône in France.", "Lyon is in France.", NEITHER, "test")

    assert list(without_leaks([pair], held)) == [pair]
    assert held.subjects == {"Q1"}


def test_short_sentences_are_shared_by_chance(held: HeldOut) -> None:
    held.sentences.add(normal("He was an actor."))

    assert not held.leaks(Pair("Poe", "He was tall. Poe wrote many stories there.", "Poe wrote.", SUPPORTS, "test"))


@pytest.mark.skipif(not DATA.is_dir(), reason="needs the project's data folder")
def test_the_measured_splits_leak_into_themselves() -> None:
    held = HeldOut.of(DATA)

    assert len(held.claims) > 20_000
    assert len(held.pages) > 100
    assert held.leaks(Pair("2 Hearts (Kylie Minogue song)", "It is a song.", "It is old.", SUPPORTS, "test"))
