"""Claims that something was there at a time, and claims that say what something is."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wkgfc.evidence import Entity, Evidence, EvidenceGraph, Qualifier, Relation, Source, Time, Triple
from wkgfc.reasoning.embedded.facts.sorts import is_apart, sort_of
from wkgfc.reasoning.embedded.measured.lifespans import judge_presence, presence_of

TODAY = dt.date(2025, 6, 1)
SUBJECT = Entity(id="Q1", label="X")


def graph_of(start: int | None, end: int | None, relations: tuple[str, str] = ("P571", "P576")) -> EvidenceGraph:
    graph = EvidenceGraph()
    for year, relation in ((start, relations[0]), (end, relations[1])):
        if year is not None:
            time = Time(value=f"{year:04}", precision=9)
            relation_ = Relation(id=relation, label=relation)
            graph.add_kg_triple(
                Triple(subject=SUBJECT, relation=relation_, object=time, source=Source(name="test")), hop=1
            )
    return graph


def judged(claim: str, start: int | None, end: int | None, relations: tuple[str, str] = ("P571", "P576")) -> str | None:
    claimed = presence_of(claim)
    assert claimed is not None, claim
    finding = judge_presence(claimed, tuple(graph_of(start, end, relations)), {"Q1"}, TODAY)
    return None if finding is None else "supports" if finding.stance.polarity > 0 else "refutes"


@pytest.mark.parametrize(
    ("claim", "outcome"),
    [
        ("The Ottoman Empire existed in 1700.", "supports"),
        ("The Ottoman Empire existed in 1950.", "refutes"),
        ("The Ottoman Empire existed from 1299 to 1922.", "supports"),
        ("The Ottoman Empire existed from 1299 to 1800.", "refutes"),
        ("The Ottoman Empire still exists.", "refutes"),
        ("The Ottoman Empire no longer exists.", "supports"),
        ("The Ottoman Empire did not exist in 1700.", "refutes"),
        ("The Ottoman Empire lasted until 1922.", "supports"),
    ],
)
def test_presence(claim: str, outcome: str) -> None:
    assert judged(claim, 1299, 1922) == outcome


def test_lives_and_wars_have_spans_of_their_own() -> None:
    assert judged("Ada Lovelace was alive in 1840.", 1815, 1852, ("P569", "P570")) == "supports"
    assert judged("Ada Lovelace was alive in 1900.", 1815, 1852, ("P569", "P570")) == "refutes"
    assert judged("The war was being fought in 1942.", 1939, 1945, ("P580", "P582")) == "supports"


@pytest.mark.parametrize(
    ("claim", "outcome"),
    [
        ("Ada Lovelace was dead by 1860.", "supports"),
        ("Ada Lovelace was dead by 1840.", "refutes"),
        ("Ada Lovelace was dead before 1860.", "supports"),
        ("Ada Lovelace was dead before 1840.", "refutes"),
        ("Ada Lovelace was no longer alive by 1860.", "supports"),
        ("Ada Lovelace was not alive by 1840.", "refutes"),
        ("Ada Lovelace was not alive before 1815.", "supports"),
    ],
)
def test_who_was_dead_by_a_day_need_not_have_been_so_before(claim: str, outcome: str) -> None:
    assert judged(claim, 1815, 1852, ("P569", "P570")) == outcome


def in_office(*terms: tuple[str | None, str | None]) -> tuple[Evidence, ...]:
    graph = EvidenceGraph()
    for term in terms:
        dates = [(relation, year) for relation, year in zip(("P580", "P582"), term, strict=True) if year]
        qualifiers = tuple(
            Qualifier(relation=Relation(id=relation, label=relation), value=Time(value=year, precision=9))
            for relation, year in dates
        )
        triple = Triple(
            subject=SUBJECT,
            relation=Relation(id="P39", label="position held"),
            object=Entity(id="Q2", label="President of Chile"),
            qualifiers=qualifiers,
            source=Source(name="test"),
        )
        graph.add_kg_triple(triple, hop=1)
    return tuple(graph)


@pytest.mark.parametrize(
    ("claim", "outcome"),
    [
        ("Ada ruled Chile in 1905.", "supports"),
        ("Ada reigned in 1915.", "supports"),
        ("Ada ruled in 1911.", None),  # perhaps in another office
        ("Ada ruled Chile in 1890.", None),
        ("Ada ruled Peru in 1905.", None),
        ("Ada ruled out a tax in 1905.", None),
        ("Ada ruled against the bank in 1905.", None),
        ("Ada did not rule Chile in 1905.", "refutes"),
        ("Ada was president in 1905.", "supports"),
        ("Ada was the president of Chile from 1912 to 1918.", "supports"),
        ("Ada was president of Chile in 1911.", "refutes"),
        ("Ada was not president in 1911.", "supports"),
        ("Ada was president of Peru in 1905.", None),
        ("Ada was mayor in 1905.", None),
    ],
)
def test_terms_of_office_say_who_ruled(claim: str, outcome: str | None) -> None:
    claimed = presence_of(claim)
    assert claimed is not None
    finding = judge_presence(claimed, in_office(("1902", "1909"), ("1912", "1918")), {"Q1"}, TODAY)
    assert (finding and ("supports" if finding.stance.polarity > 0 else "refutes")) == outcome


@pytest.mark.parametrize(
    "claim",
    [
        "Ada was the president of Chile who died in 1930.",
        "Ada was president of Chile, winning a prize in 1930.",
        "Ada was president of Chile but resigned in 1905.",
        "Ada was president from 1905.",
        "Ada was not president until 1905.",
        "Ada was no longer president in 1909.",
        "Ada has been president since 1905.",
        "Ada could be president in 1930.",
        "Ada was almost president in 1930.",
        "Ada was vice president of Chile in 1930.",
        "Ada was the youngest president of Chile in 1930.",
        "Ada was president of the University of Chile in 1930.",
    ],
)
def test_a_time_or_an_office_of_something_else_says_nothing(claim: str) -> None:
    claimed = presence_of(claim)
    terms = in_office(("1902", "1909"), ("1912", "1918"))
    assert claimed is None or judge_presence(claimed, terms, {"Q1"}, TODAY) is None


def test_a_term_whose_beginning_is_not_known_may_hold_any_earlier_time() -> None:
    claimed = presence_of("Ada was president in 1890.")
    assert claimed is not None
    assert judge_presence(claimed, in_office(("1902", "1909"), (None, "1895")), {"Q1"}, TODAY) is None


def test_a_missing_end_supports_and_refutes_nothing() -> None:
    assert judged("The company existed in 1950.", 1900, None) is None
    assert judged("The company still exists.", 1900, None) is None
    assert judged("The company existed in 1850.", 1900, None) == "refutes"


@pytest.mark.parametrize("claim", ["Napoleon fought in 1805.", "He was alive in 1940.", "Paris is in France.", ""])
def test_other_claims_say_nothing_of_presence(claim: str) -> None:
    assert presence_of(claim) is None


@given(st.text(max_size=80))
def test_any_text_is_read(text: str) -> None:
    presence_of(text)
    sort_of(text)


@pytest.mark.parametrize(
    ("claim", "classes", "apart"),
    [
        ("The Nile is a mountain.", ["river"], True),
        ("The Nile is a river.", ["river"], False),
        ("The Nile is a mountain in Africa.", ["river", "north-flowing river"], True),
        ("Hawaii is a volcano.", ["island"], False),
        ("Singapore is a city.", ["island country", "city-state"], False),
        ("Alien is a river.", ["film"], True),
        ("Ann was a painter.", ["human", "actor"], False),
        ("The Nile is a wonder.", ["river"], False),
    ],
)
def test_kinds_that_exclude_each_other(claim: str, classes: list[str], apart: bool) -> None:
    claimed = sort_of(claim)
    assert claimed is not None
    assert is_apart(claimed, [Entity(id=f"Q{number}", label=label) for number, label in enumerate(classes, 2)]) is apart
