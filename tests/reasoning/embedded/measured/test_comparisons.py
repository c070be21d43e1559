"""Comparisons, counts, superlatives and numbered offices: how they are read, and what statements say of them."""

import datetime as dt
import json
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wkgfc.claim import read_claim
from wkgfc.evidence import Entity, Evidence, Qualifier, Quantity, Rank, Relation, Source, Text, Time, Triple, Value
from wkgfc.reasoning.embedded.findings import Finding
from wkgfc.reasoning.embedded.measured.comparisons import comparison_of, judge_comparison
from wkgfc.reasoning.embedded.measured.counting import counting_of, judge_counting
from wkgfc.reasoning.embedded.measured.measures import (
    count_rules,
    measure,
    measure_of_adjective,
    measure_of_noun,
    words,
)
from wkgfc.reasoning.embedded.measured.measuring import measured_findings
from wkgfc.reasoning.embedded.measured.mention_matching import entities_of
from wkgfc.reasoning.embedded.measured.ordinals import judge_office_number, office_number_of
from wkgfc.reasoning.embedded.measured.stated_values import stated_values
from wkgfc.reasoning.embedded.measured.superlatives import judge_superlative, ranking_of, superlative_of
from wkgfc.state import BeliefState

DATA = Path(__file__).parents[3] / "data"
TODAY = dt.date(2024, 1, 1)


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


def named(row: dict[str, Any]) -> str:
    return str(row["text"])


class Statements:
    """Statements with ids K1, K2 …, as an evidence graph would hold them."""

    def __init__(self) -> None:
        self.evidence: list[Evidence] = []

    def add(
        self,
        subject: str,
        relation: str,
        value: Value,
        *,
        qualifiers: dict[str, Value] | None = None,
        rank: Rank = Rank.NORMAL,
        count: int | None = None,
    ) -> Evidence:
        triple = Triple(
            subject=Entity(id=subject, label=subject),
            relation=Relation(id=relation, label=relation),
            object=value,
            qualifiers=tuple(
                Qualifier(relation=Relation(id=key, label=key), value=one) for key, one in (qualifiers or {}).items()
            ),
            rank=rank,
            source=Source(name="test"),
            count=count,
        )
        self.evidence.append(Evidence(id=f"K{len(self.evidence) + 1}", content=triple))
        return self.evidence[-1]


def amount(number: float | str, unit: str | None = None) -> Quantity:
    return Quantity(amount=Decimal(str(number)), unit=Entity(id=f"unit {unit}", label=unit) if unit else None)


def day(value: str, precision: int = 11) -> Time:
    return Time(value=value, precision=precision)


def thing(name: str, description: str | None = None) -> Entity:
    return Entity(id=name, label=name, description=description)


def verdict(finding: Finding | None) -> str:
    if finding is None:
        return "nothing"
    assert finding.evidence_ids
    assert finding.sentence.endswith(".")
    assert 0 < finding.strength <= 1
    return "supports" if finding.stance.polarity > 0 else "refutes"


# --- the table -------------------------------------------------------------------------------------------------------


def test_every_word_of_the_table_measures_something() -> None:
    for word in (*words("adjectives"), *words("irregular")):
        assert measure_of_adjective(word) is not None, word
    for noun in words("nouns"):
        assert measure_of_noun(noun) is not None, noun


def test_the_kind_of_a_thing_says_what_an_adjective_measures() -> None:
    for kind, name in (("country", "area"), ("city", "population"), ("company", "employees"), (None, "size")):
        found = measure_of_adjective("largest", kind)
        assert found is not None
        assert found[0].name == name


def test_every_count_says_what_it_counts() -> None:
    for rule in count_rules():
        assert rule.nouns
        assert rule.relations or rule.number


# --- comparisons -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("row", rows("comparisons.jsonl"), ids=named)
def test_comparisons_are_read(row: dict[str, Any]) -> None:
    found = comparison_of(row["text"])
    expected = row["comparison"]
    if expected is None:
        assert found is None
        return
    assert found is not None
    assert (found.left, found.measure.name, found.order, found.right) == (
        expected["left"],
        expected["measure"],
        expected["order"],
        expected["right"],
    )
    assert found.right_measure.name == expected.get("right_measure", expected["measure"])
    assert (str(found.ratio.amount) if found.ratio else None) == expected.get("ratio")
    assert (found.difference.text if found.difference else None) == expected.get("difference")
    assert found.is_negated == expected.get("is_negated", False)


@pytest.fixture
def world() -> Statements:
    known = Statements()
    known.add("Canada", "P2046", amount(9984670, "square kilometre"))
    known.add("China", "P2046", amount(9596961, "square kilometre"))
    known.add("Spain", "P2046", amount(195360, "square mile"))
    known.add("Canada", "P1082", amount(38_000_000))
    known.add("China", "P1082", amount(1_400_000_000))
    known.add("Eiffel Tower", "P2048", amount(330, "metre"))
    known.add("Chrysler Building", "P2048", amount(1046, "foot"))
    known.add("Chaplin", "P569", day("1889-04-16"))
    known.add("Chaplin", "P570", day("1977-12-25"))
    known.add("Hitler", "P569", day("1889-04-20"))
    known.add("Nehru", "P569", day("1889-00-00", 9))
    known.add("Einstein", "P569", day("1879-03-14"))
    return known


@pytest.mark.parametrize(
    ("claim", "left", "right", "expected"),
    [
        ("Canada is larger than China.", "Canada", "China", "supports"),
        ("Canada is smaller than China.", "Canada", "China", "refutes"),
        ("Canada isn't larger than China.", "Canada", "China", "refutes"),
        ("China is more populous than Canada.", "China", "Canada", "supports"),
        ("Canada has more people than China.", "Canada", "China", "refutes"),
        ("China is larger than Spain.", "China", "Spain", "supports"),
        ("China is as large as Canada.", "China", "Canada", "supports"),
        ("Spain is as large as Canada.", "Spain", "Canada", "refutes"),
        ("China is ten times as populous as Canada.", "China", "Canada", "refutes"),
        ("China is more than twice as populous as Canada.", "China", "Canada", "supports"),
        ("The Eiffel Tower is taller than the Chrysler Building.", "Eiffel Tower", "Chrysler Building", "supports"),
        (
            "The Eiffel Tower is 11 metres taller than the Chrysler Building.",
            "Eiffel Tower",
            "Chrysler Building",
            "supports",
        ),
        (
            "The Eiffel Tower is 90 metres taller than the Chrysler Building.",
            "Eiffel Tower",
            "Chrysler Building",
            "refutes",
        ),
        ("Chaplin was born before Hitler.", "Chaplin", "Hitler", "supports"),
        ("Chaplin is younger than Hitler.", "Chaplin", "Hitler", "refutes"),
        ("Chaplin is older than Nehru.", "Chaplin", "Nehru", "nothing"),
        ("Einstein is older than Nehru.", "Einstein", "Nehru", "supports"),
        ("Chaplin died before Hitler was born.", "Chaplin", "Hitler", "refutes"),
        ("Chaplin outlived Hitler.", "Chaplin", "Hitler", "nothing"),
        ("Chaplin was born 10 years after Einstein.", "Chaplin", "Einstein", "supports"),
        ("Chaplin was born 30 years after Einstein.", "Chaplin", "Einstein", "refutes"),
        ("Chaplin was born more than 5 years after Einstein.", "Chaplin", "Einstein", "supports"),
        ("Chaplin was born more than 15 years after Einstein.", "Chaplin", "Einstein", "refutes"),
        ("Chaplin was born more than 10 years after Einstein.", "Chaplin", "Einstein", "nothing"),
        ("Chaplin was born less than 15 years after Einstein.", "Chaplin", "Einstein", "supports"),
        ("Chaplin was born three centuries after Einstein.", "Chaplin", "Einstein", "refutes"),
        ("Chaplin was born two months after Einstein.", "Chaplin", "Einstein", "refutes"),
        ("Chaplin was born four days before Hitler.", "Chaplin", "Hitler", "supports"),
        ("Spain is not as large as Canada.", "Spain", "Canada", "supports"),
        ("Canada is not as small as Spain.", "Canada", "Spain", "supports"),
        ("Spain is not as small as Canada.", "Spain", "Canada", "refutes"),
        ("Chaplin is not as old as Einstein.", "Chaplin", "Einstein", "supports"),
        ("Einstein is not as old as Chaplin.", "Einstein", "Chaplin", "refutes"),
        ("Einstein is not as young as Chaplin.", "Einstein", "Chaplin", "supports"),
        ("Canada is deeper than China.", "Canada", "China", "nothing"),
    ],
)
def test_comparisons_are_judged(world: Statements, claim: str, left: str, right: str, expected: str) -> None:
    comparison = comparison_of(claim)
    assert comparison is not None
    assert verdict(judge_comparison(comparison, world.evidence, {left}, {right}, TODAY)) == expected


def test_a_comparison_cites_both_values(world: Statements) -> None:
    comparison = comparison_of("China is more populous than Canada.")
    assert comparison is not None
    finding = judge_comparison(comparison, world.evidence, {"China"}, {"Canada"}, TODAY)
    assert finding is not None
    assert finding.evidence_ids == ("K5", "K4")
    assert "1,400,000,000" in finding.sentence
    assert "38,000,000" in finding.sentence


def test_what_another_measure_contradicts_is_weaker(world: Statements) -> None:
    comparison = comparison_of("Canada is larger than China.")
    assert comparison is not None
    finding = judge_comparison(comparison, world.evidence, {"Canada"}, {"China"}, TODAY)
    assert finding is not None
    assert finding.strength < 0.6  # larger by area, not by population


def test_several_undated_values_must_nearly_agree() -> None:
    comparison = comparison_of("X is more populous than Y.")
    assert comparison is not None
    known = Statements()
    for number in (90, 100, 110, 120, 130):
        known.add("X", "P1082", amount(number))
    known.add("Y", "P1082", amount(80))
    whole = judge_comparison(comparison, known.evidence, {"X"}, {"Y"}, TODAY)
    assert verdict(whole) == "supports"
    known.add("X", "P1082", amount(20))
    most = judge_comparison(comparison, known.evidence, {"X"}, {"Y"}, TODAY)
    assert verdict(most) == "supports"
    assert whole is not None
    assert most is not None
    assert most.strength < whole.strength
    known.add("Y", "P1082", amount(115))
    assert judge_comparison(comparison, known.evidence, {"X"}, {"Y"}, TODAY) is None


# --- which value counts ----------------------------------------------------------------------------------------------


def populations(**at: int) -> Statements:
    known = Statements()
    for year, number in at.items():
        known.add("X", "P1082", amount(number), qualifiers={"P585": day(f"{year[1:]}-00-00", 9)})
    return known


def values(known: Statements, as_of: dt.date = TODAY) -> list[Decimal]:
    found = stated_values(known.evidence, {"X"}, "P1082", as_of)
    return [value.value.amount for value in found if isinstance(value.value, Quantity)]


def test_the_latest_value_before_the_claim_counts() -> None:
    known = populations(y2000=100, y2010=120, y2020=140)
    assert values(known) == [140]
    assert values(known, dt.date(2015, 6, 1)) == [120]


def test_preferred_hides_normal_and_deprecated_never_counts() -> None:
    known = populations(y2000=100)
    known.add("X", "P1082", amount(90), rank=Rank.PREFERRED)
    known.add("X", "P1082", amount(1), rank=Rank.DEPRECATED)
    assert values(known) == [90]


def test_values_without_a_date_all_count() -> None:
    known = Statements()
    known.add("X", "P1082", amount(90))
    known.add("X", "P1082", amount(95))
    assert values(known) == [90, 95]


# --- counts ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("row", rows("countings.jsonl"), ids=named)
def test_counts_are_read(row: dict[str, Any]) -> None:
    found = counting_of(row["text"])
    expected = row["counting"]
    if expected is None:
        assert found is None
        return
    assert found is not None
    assert (found.subject, found.noun, list(found.relations)) == (
        expected["subject"],
        expected["noun"],
        expected["relations"],
    )
    assert found.is_negated == expected.get("is_negated", False)
    assert found.is_past == expected.get("is_past", False)


def count(claim: str, known: Statements, subject: str) -> str:
    counting = counting_of(claim)
    assert counting is not None
    return verdict(judge_counting(counting, known.evidence, {subject}, TODAY))


def listed(subject: str, relation: str, objects: Sequence[Value], total: int | None = None) -> Statements:
    known = Statements()
    for one in objects:
        known.add(subject, relation, one, count=total if total is not None else len(objects))
    return known


def test_a_thing_that_is_stated_for_two_times_counts_once() -> None:
    known = Statements()
    for name, start in (("German", 1848), ("German", 1874), ("French", 1848)):
        known.add("X", "P37", thing(name), qualifiers={"P580": day(f"{start}-01-01", 9)}, count=2)
    counting = counting_of("X has two official languages.")
    assert counting is not None
    assert verdict(judge_counting(counting, known.evidence, {"X"}, TODAY)) == "supports"


def test_a_list_is_not_whole_because_one_of_it_is_stated_twice() -> None:
    known = Statements()
    for name, start in (("German", 1848), ("German", 1874), ("French", 1848)):
        known.add("X", "P37", thing(name), qualifiers={"P580": day(f"{start}-01-01", 9)}, count=3)
    counting = counting_of("X has two official languages.")
    assert counting is not None
    assert verdict(judge_counting(counting, known.evidence, {"X"}, TODAY)) != "supports"


SWISS = [thing(name) for name in ("German", "French", "Italian", "Romansh")]


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("Switzerland has four official languages.", "supports"),
        ("Switzerland has two official languages.", "refutes"),
        ("Switzerland has more than two official languages.", "supports"),
        ("Switzerland has fewer than four official languages.", "refutes"),
        ("Switzerland has at least five official languages.", "refutes"),
        ("Switzerland doesn't have two official languages.", "supports"),
    ],
)
def test_a_complete_list_is_counted(claim: str, expected: str) -> None:
    assert count(claim, listed("Switzerland", "P37", SWISS), "Switzerland") == expected


def test_a_list_that_was_cut_is_counted_by_its_total() -> None:
    known = listed("Germany", "P47", [thing("France", "country in Europe"), thing("Poland", "country")], total=9)
    assert count("Germany borders nine countries.", known, "Germany") == "supports"
    assert count("Germany borders five countries.", known, "Germany") == "refutes"


def test_only_objects_of_the_kind_are_counted() -> None:
    known = listed("X", "P47", [thing("Mali", "country in Africa"), thing("Riverside", "county of Y")])
    assert count("X borders one country.", known, "X") == "supports"


def test_an_ended_statement_is_not_counted_for_the_present() -> None:
    known = listed("X", "P37", [thing("A")])
    known.add("X", "P37", thing("B"), qualifiers={"P582": day("1950-00-00", 9)}, count=2)
    assert count("X has one official language.", known, "X") == "supports"


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("X had three children.", "supports"),  # as many as are known
        ("X had two children.", "nothing"),  # more are known, but two names may mean one
        ("X did not have three children.", "nothing"),
        ("X had at most two children.", "nothing"),
        ("X had five children.", "nothing"),  # the list may lack two
        ("X had more than two children.", "supports"),
        ("X had more than four children.", "nothing"),
    ],
)
def test_an_open_list_bears_out_a_lower_bound_and_refutes_nothing(claim: str, expected: str) -> None:
    assert count(claim, listed("X", "P40", [thing(name) for name in "ABC"]), "X") == expected


def test_a_stated_number_decides() -> None:
    known = listed("X", "P40", [thing("A")])
    known.add("X", "P1971", amount(11))
    assert count("X had eleven children.", known, "X") == "supports"
    assert count("X had three children.", known, "X") == "refutes"


def test_awards_are_told_apart_by_name() -> None:
    awards = [thing("Academy Award for Best Actress"), thing("Academy Award for Best Picture"), thing("Tony Award")]
    known = listed("X", "P166", awards)
    assert count("X won two Oscars.", known, "X") == "supports"
    assert count("X won one Tony Award.", known, "X") == "supports"


def test_a_prize_and_the_same_one_for_a_field_are_one() -> None:
    names = ("Nobel Prize", "Nobel Prize in Chemistry", "Nobel Peace Prize", "Priestley Medal")
    known = listed("X", "P166", [thing(name) for name in names])
    assert count("X won two Nobel Prizes.", known, "X") == "supports"
    assert count("X won three Nobel Prizes.", known, "X") == "nothing"
    assert count("X won one Nobel Prize.", known, "X") == "nothing"


@pytest.mark.parametrize(("noun", "verb", "relation"), [("directors", "has", "P57"), ("authors", "has", "P50")])
def test_makers_that_a_text_names_need_not_be_all(noun: str, verb: str, relation: str) -> None:
    known = listed("X", relation, [thing("A"), thing("B")])
    assert count(f"X {verb} two {noun}.", known, "X") == "supports"
    assert count(f"X {verb} three {noun}.", known, "X") == "nothing"


def test_things_found_inwards_are_counted() -> None:
    known = Statements()
    for film in ("A", "B", "C"):
        known.add(film, "P57", thing("X"), count=3)
    assert count("X directed at least three films.", known, "X") == "supports"


@pytest.mark.parametrize(
    ("claim", "strength"),
    [
        ("Norby has more than 900 residents.", 0.9),
        ("Norby has more than 900 residents by the North Survey.", 0.45),  # of which the number says nothing
    ],
)
def test_a_name_that_the_count_says_nothing_of_weakens_it(claim: str, strength: float) -> None:
    state = BeliefState(claim=read_claim(claim))
    for mention in ("Norby", "North Survey"):
        if mention in claim:
            state.topic_entities[mention] = ((thing(mention), 0.9),)
    known = Statements()
    known.add(thing("Norby").id, "P1082", amount(700))
    for piece in known.evidence:
        assert isinstance(piece.content, Triple)
        state.evidence.add_kg_triple(piece.content, hop=1)
    (found,) = measured_findings(state, claim)
    assert found.stance.refutes > 0.5
    assert found.strength == pytest.approx(strength)


def test_nothing_known_decides_nothing() -> None:
    assert count("X had three children.", Statements(), "X") == "nothing"


# --- superlatives ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("row", rows("superlatives.jsonl"), ids=named)
def test_superlatives_are_read(row: dict[str, Any]) -> None:
    found = superlative_of(row["text"])
    expected = row["superlative"]
    if expected is None:
        assert found is None
        return
    assert found is not None
    assert (found.subject, found.measure.name, found.order, found.kind, found.place) == (
        expected["subject"],
        expected["measure"],
        expected["order"],
        expected["kind"],
        expected["place"],
    )
    assert found.rank == expected.get("rank", 1)
    assert found.is_among == expected.get("is_among", False)
    assert found.is_negated == expected.get("is_negated", False)
    assert found.is_past == expected.get("is_past", False)


def countries() -> Statements:
    known = Statements()
    areas = {
        "Algeria": 2381741,
        "Congo": 2344858,
        "Sudan": 1861484,
        "Libya": 1759540,
        "Chad": 1284000,
        "Niger": 1267000,
    }
    for name, area in areas.items():
        known.add(name, "P2046", amount(area, "square kilometre"), count=54)
    return known


@pytest.mark.parametrize(
    ("claim", "subject", "expected"),
    [
        ("Algeria is the largest country in Africa.", "Algeria", "supports"),
        ("Libya is the largest country in Africa.", "Libya", "refutes"),
        ("Libya is not the largest country in Africa.", "Libya", "supports"),
        ("Libya is the fourth largest country in Africa.", "Libya", "supports"),
        ("Libya is the second largest country in Africa.", "Libya", "refutes"),
        ("Libya is one of the largest countries in Africa.", "Libya", "supports"),
        ("Gabon is the largest country in Africa.", "Gabon", "nothing"),
        ("Libya was the largest country in Africa.", "Libya", "nothing"),
        ("Algeria was the largest country in Africa.", "Algeria", "supports"),
    ],
)
def test_superlatives_are_judged(claim: str, subject: str, expected: str) -> None:
    superlative = superlative_of(claim)
    assert superlative is not None
    assert verdict(judge_superlative(superlative, countries().evidence, {subject})) == expected


def test_a_refuted_superlative_cites_what_comes_first() -> None:
    superlative = superlative_of("Libya is the largest country in Africa.")
    assert superlative is not None
    finding = judge_superlative(superlative, countries().evidence, {"Libya"})
    assert finding is not None
    assert finding.evidence_ids == ("K1", "K4")
    assert "Algeria" in finding.sentence


def test_a_subject_beyond_the_list_is_judged_by_its_own_value() -> None:
    superlative = superlative_of("Gabon is the largest country in Africa.")
    own = Statements()
    own.add("Gabon", "P2046", amount(103347, "square mile"))
    own.evidence[0] = own.evidence[0].model_copy(update={"id": "K99"})
    assert superlative is not None
    finding = judge_superlative(superlative, countries().evidence, {"Gabon"}, own.evidence, TODAY)
    assert verdict(finding) == "refutes"
    assert finding is not None
    assert finding.evidence_ids == ("K1", "K99")


def test_the_question_to_the_graph() -> None:
    superlative = superlative_of("Vatican City is the smallest country in Europe.")
    assert superlative is not None
    ranking = ranking_of(superlative, Relation(id="P2046", label="area"), thing("country"), thing("Europe"))
    assert not ranking.descending
    assert ranking.within == thing("Europe")


def test_ties_share_a_place() -> None:
    known = Statements()
    for name in ("A", "B", "C"):
        known.add(name, "P2046", amount(5), count=3)
    superlative = superlative_of("C is the largest country in Africa.")
    assert superlative is not None
    assert verdict(judge_superlative(superlative, known.evidence, {"C"})) == "supports"


# --- numbered offices ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("row", rows("office_numbers.jsonl"), ids=named)
def test_office_numbers_are_read(row: dict[str, Any]) -> None:
    found = office_number_of(row["text"])
    expected = row["office"]
    assert (found and {"subject": found.subject, "number": found.number, "office": found.office}) == expected


@pytest.mark.parametrize(
    ("number", "qualifiers", "expected"),
    [
        (16, {"P1545": Text(value="16")}, "supports"),
        (15, {"P1545": Text(value="16")}, "refutes"),
        (1, {"P1545": amount(1)}, "supports"),
        (1, {"P1365": thing("Buchanan")}, "refutes"),
        (1, {}, "nothing"),
        (2, {"P1365": thing("Buchanan")}, "nothing"),
    ],
)
def test_office_numbers_are_judged(number: int, qualifiers: dict[str, Value], expected: str) -> None:
    claimed = office_number_of("Lincoln was the first president of the United States.")
    assert claimed is not None
    known = Statements()
    known.add("Lincoln", "P39", thing("President of the United States"), qualifiers=qualifiers)
    finding = judge_office_number(replace(claimed, number=number), known.evidence, {"Lincoln"})
    assert verdict(finding) == expected


@pytest.mark.parametrize(("number", "expected"), [(22, "supports"), (24, "supports"), (23, "refutes"), (1, "refutes")])
def test_who_held_an_office_twice_has_two_numbers(number: int, expected: str) -> None:
    claimed = office_number_of("Cleveland was the first president of the United States.")
    assert claimed is not None
    known = Statements()
    for term in ("22", "24"):
        known.add("Cleveland", "P39", thing("President of the United States"), qualifiers={"P1545": Text(value=term)})
    finding = judge_office_number(replace(claimed, number=number), known.evidence, {"Cleveland"})
    assert verdict(finding) == expected


def test_another_office_says_nothing() -> None:
    claimed = office_number_of("Lincoln was the first president of Mexico.")
    assert claimed is not None
    known = Statements()
    known.add("Lincoln", "P39", thing("President of the United States"), qualifiers={"P1545": Text(value="16")})
    assert judge_office_number(claimed, known.evidence, {"Lincoln"}) is None


# --- mentions --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("phrase", "expected"),
    [
        ("The German city of Munich", "Munich"),
        ("Mount Everest", "Mount Everest"),
        ("Sao Paulo", "São Paulo"),
        ("Bolivian Paola Suarez", "Paola Suarez"),
        ("the capital of France", None),
        ("the King of France", None),
        ("France and Germany", None),
        ("the actor who played Paola Suarez in a film", None),
    ],
)
def test_a_phrase_means_the_entity_that_it_names(phrase: str, expected: str | None) -> None:
    names = ("Munich", "France", "Germany", "Mount Everest", "Paola Suarez", "São Paulo", "Bolivian", "German")
    found = entities_of(phrase, {name: ((thing(name), 1.0),) for name in names})
    assert (found[0].id if found else None) == expected


# --- any text --------------------------------------------------------------------------------------------------------

WORDS = st.sampled_from(
    """X Paris is was has larger than as large the largest second most populous country city in Africa of and by area
    twice 10 metres taller born before died after not n't , . ( " one two official languages first president
    5 million""".split()  # noqa: SIM905
)


@settings(max_examples=150, deadline=None)
@given(st.one_of(st.text(max_size=60), st.lists(WORDS, max_size=14).map(" ".join)))
def test_any_text_is_read(text: str) -> None:
    for read in (comparison_of, counting_of, superlative_of, office_number_of):
        read(text)


@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**12), max_value=10**12), st.text(max_size=5))
def test_any_value_is_compared(number: Decimal, unit: str) -> None:
    comparison = comparison_of("A is twice as large as B.")
    assert comparison is not None
    assert comparison.measure == measure("size")
    known = Statements()
    known.add("A", "P2046", amount(str(number), unit or None))
    known.add("B", "P2046", amount(0))
    judge_comparison(comparison, known.evidence, {"A"}, {"B"}, TODAY)
