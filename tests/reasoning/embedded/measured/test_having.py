"""Claims that something has some of a thing, or none of it."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wkgfc.evidence import Entity, EvidenceGraph, Quantity, Relation, Source, Triple, Value
from wkgfc.reasoning.embedded.measured.counting import judge_counting
from wkgfc.reasoning.embedded.measured.having import having_of

SUBJECT = Entity(id="Q1", label="Nepal")
COASTLINE, CHILD, CHILDREN, LANGUAGE = "P5141", "P40", "P1971", "P37"


def judged(claim: str, *stated: tuple[str, Value], count: int | None = None) -> str | None:
    claimed = having_of(claim)
    assert claimed is not None, claim
    graph = EvidenceGraph()
    for relation, value in stated:
        named = Relation(id=relation, label=relation)
        triple = Triple(subject=SUBJECT, relation=named, object=value, source=Source(name="test"), count=count)
        graph.add_kg_triple(triple, hop=1)
    finding = judge_counting(claimed, tuple(graph), {"Q1"}, dt.date(2026, 6, 1))
    return None if finding is None else "supports" if finding.stance.polarity > 0 else "refutes"


@pytest.mark.parametrize(
    ("claim", "of_none", "of_some"),
    [
        ("Nepal has no coastline.", "supports", "refutes"),
        ("Nepal does not have a coastline.", "supports", "refutes"),
        ("Nepal doesn't have any coastline.", "supports", "refutes"),
        ("Nepal lacks a coastline.", "supports", "refutes"),
        ("Nepal has a coastline.", "refutes", "supports"),
        ("Nepal does not lack a coastline.", "refutes", "supports"),
    ],
)
def test_a_measure_of_nothing_is_none(claim: str, of_none: str, of_some: str) -> None:
    kilometres = Entity(id="Q828224", label="kilometre")
    for length, outcome in ((0, of_none), ("0.4", of_some), (4853, of_some)):
        assert judged(claim, (COASTLINE, Quantity(amount=length, unit=kilometres))) == outcome
    assert judged(claim) is None


def test_a_stated_number_and_a_list_tell_whether_there_are_any() -> None:
    assert judged("Ada had no children.", (CHILDREN, Quantity(amount=0))) == "supports"
    assert judged("Ada had no children.", (CHILDREN, Quantity(amount=3))) == "refutes"
    assert judged("Ada had children.", (CHILD, Entity(id="Q2", label="Byron"))) == "supports"
    assert judged("Ada had no children.", (CHILD, Entity(id="Q2", label="Byron")), count=3) == "refutes"
    assert judged("Nepal has no official language.", (LANGUAGE, Entity(id="Q3", label="Nepali"))) == "refutes"


@pytest.mark.parametrize(
    "claim",
    [
        "Nepal has a coastline of 3 km.",
        "Nepal has no coastline on the Atlantic.",
        "Nepal has no known dinosaurs.",
        "Ada had three children.",
        "Ada had no male children.",
        "Ada had no children in 1840.",
        "It has no coastline.",
        "Nepal is landlocked.",
        "",
    ],
)
def test_what_says_more_or_is_known_by_no_rule(claim: str) -> None:
    assert having_of(claim) is None


@given(st.text(max_size=60))
def test_any_text_can_be_read(text: str) -> None:
    having_of(text)
    having_of(f"Nepal has no {text}.")
