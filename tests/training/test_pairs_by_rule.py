"""Pairs made by rule: what is right for them follows from how they are made, and the same seed makes the same ones."""

import random
import re

import pytest

from training.verifier import graph
from training.verifier.company import among_strangers, several_pairs, strangers
from training.verifier.measured import measured_pairs, number
from training.verifier.names import DEEDS, Names
from training.verifier.pair import NEITHER, REFUTES, SUPPORTS, Pair
from training.verifier.worded import affirmed, denied_of, worded_pairs

MARY = Pair("Mary", "Mary was born in Lyon.", "Mary was born in France.", SUPPORTS, "test")
OTHERS = ("The bridge over the river was closed last year.", "It took nine weeks until the roof was mended.")


def names(seed: int) -> Names:
    """A few of each kind."""
    return Names(
        random.Random(seed),
        people=("Ada Verne", "Ben Moor", "Cleo Hart", "Dan Pike"),
        places=("Oldham", "Turov", "Lanz", "Ribe"),
        organisations=("Acme", "Globex", "Initech"),
        works=("The Long Day", "Winter", "A Small House"),
        countries=("France", "Peru", "Chad"),
    )


def test_the_same_seed_makes_the_same_pairs() -> None:
    def make() -> list[Pair]:
        rng = random.Random(3)
        drawn = names(3)
        return [*worded_pairs(drawn, rng, each=5), *measured_pairs(drawn, rng, each=5),
                *several_pairs(drawn, rng, number=5)]  # fmt: skip

    assert make() == make()


def test_every_pair_is_a_text_and_a_claim_without_gaps() -> None:
    rng, drawn = random.Random(5), names(5)

    for pair in (*worded_pairs(drawn, rng, each=60), *measured_pairs(drawn, rng, each=60),
                 *several_pairs(drawn, rng, number=200)):  # fmt: skip
        assert pair.target in (SUPPORTS, REFUTES, NEITHER)
        for text in (pair.text, pair.claim):
            assert not re.search(r"[{}]|  |\.\.", text), text
            assert text[0] == text[0].upper()
            assert text.endswith(".")


@pytest.mark.parametrize("seed", range(20))
def test_a_denied_denial_affirms(seed: int) -> None:
    rng, deed = random.Random(seed), DEEDS[0].filled(p="Turov", o="Acme", w="Winter")

    twice = affirmed("Ada Verne", deed, rng, twice=1.0)
    once = denied_of("Ada Verne", deed, rng)

    denial = re.compile(
        r"\b(?:not|never|untrue|false|wrong|fail(?:ed)?|nobody|no|didn't|against|contrary)\b|^at no time"
    )
    assert denial.search(twice)
    assert denial.search(once)


def test_units_and_rounded_numbers_are_computed() -> None:
    rng, drawn = random.Random(11), names(11)

    for pair in measured_pairs(drawn, rng, each=300):
        feet, metres = (
            re.search(rf"([\d,.]+) {unit} high", f"{pair.text} {pair.claim}") for unit in ("feet", "metres")
        )
        if pair.source == "unit" and feet and metres and "than" not in pair.claim:
            ratio = float(feet.group(1).replace(",", "")) / float(metres.group(1).replace(",", ""))
            assert (abs(ratio - 3.28) < 0.1) == (pair.target == SUPPORTS), pair


def test_a_rounded_number_is_near_and_nearly_is_below_it() -> None:
    rounded = [pair for pair in measured_pairs(names(13), random.Random(13), each=600) if pair.source == "rounding"]
    for pair in rounded:
        about = re.search(r"(?i)\b(about|around|roughly|nearly) ([\d,]+)", pair.claim)
        if about is None or pair.target != SUPPORTS:
            continue
        text = re.search(r"(?<!in )\b\d[\d,]*", pair.text)
        assert text is not None
        near, value = (int(each.replace(",", "")) for each in (about[2], text[0]))
        assert abs(near - value) <= value / 10, pair
        assert about[1].lower() != "nearly" or near > value, pair


def test_what_came_first_may_have_come_in_the_same_year_where_no_year_is_given() -> None:
    ordered = [pair for pair in measured_pairs(names(17), random.Random(17), each=900) if pair.source == "order"]
    together = [pair for pair in ordered if "in the same year" in pair.claim]
    assert {pair.target for pair in together} == {REFUTES, NEITHER}
    for pair in together:
        assert (pair.target == REFUTES) == bool(re.search(r"\d", pair.text)), pair


def test_a_child_has_two_parents() -> None:
    for pair in worded_pairs(names(19), random.Random(19), each=900):
        if pair.source == "roles" and "father" in pair.claim and pair.target == SUPPORTS:
            assert "father" in pair.text, pair


def test_a_day_in_a_month_that_is_given_can_only_be_of_that_month() -> None:
    for seed in range(60):
        claim, target = graph._other_day("Ada", "was born", ("died", (0,)), graph.Day(1950, 3), random.Random(seed))
        assert target == (NEITHER if "March" in claim else REFUTES), claim


def test_nobody_dies_before_they_are_born() -> None:
    for relation, first in (("P569", True), ("P570", False), ("P571", True), ("P577", False)):
        for seed in range(40):
            claim, target = graph._other_event(
                "Ada", "", graph.OTHER_TIME[relation], graph.Day(1950), random.Random(seed)
            )
            year = int(claim[-5:-1])
            assert target == NEITHER
            assert year >= 1950 if first else year <= 1950, claim


def test_numbers_are_shown_in_significant_digits() -> None:
    assert [number(each) for each in (1234.5, 99.95, 0.254, 12.0)] == ["1,230", "100", "0.254", "12"]


def test_a_sentence_among_strangers_says_the_same() -> None:
    (pair,) = among_strangers([MARY], OTHERS * 2, random.Random(2), "among", silent=0.0)

    assert MARY.text in pair.text
    assert len(pair.text) > len(MARY.text)
    assert (pair.title, pair.claim, pair.target, pair.source) == ("Mary", MARY.claim, SUPPORTS, "among")


def test_strangers_alone_say_nothing() -> None:
    (pair,) = among_strangers([MARY], OTHERS * 2, random.Random(2), "among", silent=1.0)

    assert MARY.text not in pair.text
    assert pair.target == NEITHER


def test_strangers_are_whole_sentences_of_ordinary_length() -> None:
    assert strangers([f"Yes. {OTHERS[0]} {OTHERS[1]}", "without an end and long enough to be one"]) == list(OTHERS)
