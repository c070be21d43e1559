"""The evidence graph: ids, merging, corroboration, and the way through JSON."""

import datetime as dt
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scripted import entity, passage, triple
from wkgfc.evidence import (
    Annotation,
    Contradiction,
    Entity,
    Evidence,
    EvidenceGraph,
    EvidenceRecord,
    Missing,
    Qualifier,
    Quantity,
    Rank,
    Relation,
    Source,
    Stance,
    Text,
    Time,
    Triple,
    independent_sources,
    value_key,
)


def test_identity_is_the_id_never_the_label() -> None:
    assert entity("Q1", "Paris") == entity("Q1", "Lutetia")
    assert entity("Q1", "Paris") != entity("Q2", "Paris")
    assert Relation(id="P1", label="a") == Relation(id="P1", label="b")


def test_ids_count_up_by_kind_and_a_fact_is_kept_once() -> None:
    graph = EvidenceGraph()
    first = graph.add_kg_triple(triple("A", "P1", "B"), hop=1)
    assert graph.add_kg_triple(triple("A", "P1", "B"), hop=2) == first
    assert graph.add_kg_triple(triple("A", "P1", "C"), hop=2).id == "K2"
    assert graph.add_passage(passage("Text.")).id == "W1"
    assert graph.add_passage(passage("Text.")).id == "W1"
    assert graph.add_passage(passage("Text.", url="https://example.org/other")).id == "W2"


def test_a_web_fact_that_the_kg_has_corroborates_it() -> None:
    graph = EvidenceGraph()
    known = graph.add_kg_triple(triple("A", "P1", "B"), hop=1)
    page = graph.add_passage(passage("A is B."))
    for _ in range(2):
        merged = graph.add_web_triple(triple("A", "P1", "B"), passage_id=page.id, consistency=0.7)
    assert (merged.id, merged.corroborated_by) == (known.id, (page.id,))
    new = graph.add_web_triple(triple("A", "P1", "D"), passage_id=page.id, consistency=0.7)
    assert (new.id, new.from_passage, new.consistency) == ("W2", page.id, 0.7)


def year(number: int) -> Time:
    return Time(value=f"{number}-01-01", precision=9)


def presidency(start: int | None = None, end: int | None = None, text_id: str = "cleveland") -> Triple:
    """Grover Cleveland was president twice: 1885 to 1889 and 1893 to 1897."""
    times = (("P580", start), ("P582", end))
    return Triple(
        subject=entity("Q35171", "Grover Cleveland"),
        relation=Relation(id="P39", label="position held"),
        object=entity("Q11696", "President of the United States"),
        qualifiers=tuple(Qualifier(relation=Relation(id=p, label=p), value=year(value)) for p, value in times if value),
        source=Source(name="test", text_id=text_id, url=f"https://example.org/{text_id}"),
    )


def test_a_second_term_of_one_office_is_another_statement_of_the_same_fact() -> None:
    graph = EvidenceGraph()
    first = graph.add_kg_triple(presidency(1885, 1889), hop=1)
    second = graph.add_kg_triple(presidency(1893, 1897), hop=1)
    assert (first.id, second.id) == ("K1", "K2")
    assert graph.find(presidency(1893, 1897)) == second
    assert graph.find(presidency()) is None
    assert [evidence.id for evidence, _ in graph.statements_of(presidency().fact)] == ["K1", "K2"]


def test_qualifiers_are_compared_whatever_their_order() -> None:
    statement = presidency(1885, 1889)
    turned = statement.model_copy(update={"qualifiers": statement.qualifiers[::-1]})
    graph = EvidenceGraph()
    assert graph.add_kg_triple(statement, hop=1) == graph.add_kg_triple(turned, hop=2)


def test_the_same_statement_of_another_text_is_a_further_reference() -> None:
    graph = EvidenceGraph()
    graph.add_kg_triple(presidency(1885, 1889), hop=1)
    for _ in range(2):
        merged = graph.add_kg_triple(presidency(1885, 1889, text_id="almanac"), hop=1)
    assert (len(graph), merged.id, merged.text_id) == (1, "K1", "cleveland")
    assert isinstance(merged.content, Triple)
    assert merged.content.references == ("https://example.org/almanac",)


def test_a_passage_that_gives_no_dates_corroborates_every_term() -> None:
    graph = EvidenceGraph()
    for start, end in ((1885, 1889), (1893, 1897)):
        graph.add_kg_triple(presidency(start, end), hop=1)
    page = graph.add_passage(passage("Grover Cleveland was President of the United States."))
    assert graph.add_web_triple(presidency(), passage_id=page.id, consistency=0.7).id == "K1"
    assert [graph[name].corroborated_by for name in ("K1", "K2")] == [(page.id,), (page.id,)]
    assert len(graph) == 3


def test_a_passage_that_dates_one_term_corroborates_that_one() -> None:
    graph = EvidenceGraph()
    for start, end in ((1885, 1889), (1893, 1897)):
        graph.add_kg_triple(presidency(start, end), hop=1)
    page = graph.add_passage(passage("From 1893 on Cleveland was president."))
    assert graph.add_web_triple(presidency(1893), passage_id=page.id, consistency=0.7).id == "K2"
    assert [graph[name].corroborated_by for name in ("K1", "K2")] == [(), (page.id,)]


def test_a_passage_that_says_more_is_a_hypothesis_of_its_own() -> None:
    graph = EvidenceGraph()
    graph.add_kg_triple(presidency(), hop=1)
    page = graph.add_passage(passage("Cleveland was president from 1885."))
    merged = graph.add_web_triple(presidency(1885), passage_id=page.id, consistency=0.7)
    assert (merged.id, merged.from_passage) == ("W2", page.id)
    assert graph["K1"].corroborated_by == ()


@pytest.mark.parametrize("said", [presidency(), presidency(1885, 1889)])
def test_what_passages_said_first_corroborates_the_statement_of_the_kg(said: Triple) -> None:
    graph = EvidenceGraph()
    pages = [graph.add_passage(passage(text)) for text in ("He was president.", "He was the president.")]
    for page in pages:
        hypothesis = graph.add_web_triple(said, passage_id=page.id, consistency=0.7)
    anchor = graph.add_kg_triple(presidency(1885, 1889), hop=1)
    assert (hypothesis.id, anchor.id) == ("W3", "K1")
    assert anchor.corroborated_by == tuple(page.id for page in pages)
    assert graph.add_kg_triple(presidency(1885, 1889), hop=2) == anchor


def test_several_terms_go_through_json() -> None:
    graph = EvidenceGraph()
    for start, end in ((1885, 1889), (1893, 1897)):
        graph.add_kg_triple(presidency(start, end), hop=1)
    again = EvidenceGraph.from_record(EvidenceRecord.model_validate_json(graph.to_record().model_dump_json()))
    assert again.add_kg_triple(presidency(1893, 1897), hop=2).id == "K2"
    assert len(list(again.statements_of(presidency().fact))) == 2


def test_two_facts_of_one_text_are_one_source() -> None:
    graph = EvidenceGraph()
    page = graph.add_passage(passage("A is B and C."))
    facts = [graph.add_web_triple(triple("A", "P1", each), passage_id=page.id, consistency=1.0) for each in "BC"]
    assert independent_sources(facts) == 1
    other = graph.add_kg_triple(triple("A", "P2", "B"), hop=1)
    assert independent_sources([*facts, other]) == 2


TIMES = st.builds(
    Time,
    value=st.builds(
        lambda year, month, day: f"{'-' if year < 0 else ''}{abs(year):04d}-{month:02d}-{day:02d}",
        st.integers(-9999, 9999).filter(bool),
        st.integers(1, 12),
        st.integers(1, 28),
    ),
    precision=st.sampled_from([7, 8, 9, 10, 11]),
)
ENTITIES = st.builds(Entity, id=st.from_regex(r"\AQ[1-9][0-9]{0,6}\Z"), label=st.text(max_size=20))
QUANTITIES = st.builds(
    Quantity, amount=st.decimals(allow_nan=False, allow_infinity=False, places=3), unit=st.none() | ENTITIES
)
VALUES = st.one_of(
    ENTITIES, TIMES, QUANTITIES, st.builds(Text, value=st.text(max_size=30)), st.just(Missing(value="none"))
)


@given(st.lists(VALUES, min_size=1, max_size=6))
def test_an_evidence_graph_goes_through_json(values: list[Entity | Time | Quantity | Text | Missing]) -> None:
    graph = EvidenceGraph()
    relation = Relation(id="P1", label="relation", datatype="WikibaseItem")
    for value in values:
        fact = Triple(
            subject=entity("Q1", "Subject"),
            relation=relation,
            object=value,
            qualifiers=(Qualifier(relation=relation, value=value),),
            rank=Rank.PREFERRED,
            source=Source(name="test"),
        )
        graph.add_kg_triple(fact, hop=1, relevance=0.5)
    page = graph.add_passage(passage("Words."), stance=Stance(supports=0.2, refutes=0.3, neither=0.5), quote="Words.")
    graph.annotate(Annotation(entity=entity("Q1"), passage_id=page.id, text="Words."))
    graph.contradict(Contradiction(evidence=("K1", page.id), reason="they differ"))
    record = graph.to_record()
    read = EvidenceRecord.model_validate_json(record.model_dump_json())
    assert read == record
    again = EvidenceGraph.from_record(read)
    assert again.to_record() == record
    assert again.add_passage(passage("New.")).id == "W2"


def test_a_time_says_no_more_than_its_precision() -> None:
    year = Time(value="1987-00-00", precision=9)
    assert (year.year, year.month, year.day) == (1987, None, None)
    day = Time(value="-0044-03-15", precision=11)
    assert (day.year, day.month, day.day) == (-44, 3, 15)


@pytest.mark.parametrize(("left", "right"), [("1", "1.00"), ("100", "1E+2")])
def test_equal_amounts_are_one_value(left: str, right: str) -> None:
    assert value_key(Quantity(amount=Decimal(left))) == value_key(Quantity(amount=Decimal(right)))


def test_evidence_of_a_passage_keeps_when_it_was_read() -> None:
    at = dt.datetime(2026, 1, 2, tzinfo=dt.UTC)
    evidence = EvidenceGraph().add_passage(passage("x").model_copy(update={"retrieved_at": at}))
    assert Evidence.model_validate_json(evidence.model_dump_json()) == evidence
