"""Kept passages become triples that align with the evidence graph, or annotations; never more than they say."""

from hypothesis import given, settings
from hypothesis import strategies as st

from scripted import entity, passage
from wkgfc.claim import read_claim
from wkgfc.evidence import Entity, Stance, Time
from wkgfc.reasoning.embedded.texts.extraction import extract
from wkgfc.reasoning.reasoner import Grade
from wkgfc.state import BeliefState

NAMES = {"Ada Verne": "Q1", "Lyon": "Q2", "Turin": "Q3", "The Red Dye": "Q4"}
NEITHER = Stance(supports=0.0, refutes=0.0, neither=1.0)


def state() -> BeliefState:
    state = BeliefState(claim=read_claim("Ada Verne was born in Lyon."))
    for name, identifier in NAMES.items():
        state.topic_entities[name] = ((entity(identifier, name), 0.9),)
    return state


def grade(quote: str) -> Grade:
    return Grade(relevance=0.9, stance=NEITHER, consistency=0.8, quote=quote)


def facts(text: str, title: str = "Ada Verne") -> set[tuple[str, str, str]]:
    found = extract(state(), passage(text, title=title), grade(text)).triples
    return {
        (each.subject.id, each.relation.id, each.object.id if isinstance(each.object, Entity) else str(each.object))
        for each in found
    }


def test_a_sentence_about_two_known_entities_states_a_triple() -> None:
    assert ("Q1", "P19", "Q2") in facts("Ada Verne was born in Lyon.")
    assert ("Q4", "P50", "Q1") in facts("The Red Dye was written by Ada Verne.")


def test_a_pronoun_means_the_entity_of_the_page() -> None:
    assert ("Q1", "P20", "Q3") in facts("She died in Turin.")
    assert facts("She died in Turin.", title="Another Person") == set()


def test_a_time_becomes_a_value_with_its_precision() -> None:
    text = "Ada Verne was born on 3 May 1851."
    (triple,) = extract(state(), passage(text), grade(text)).triples
    assert (triple.relation.id, triple.object) == ("P569", Time(value="1851-05-03", precision=11))
    assert facts("Ada Verne was born about 1851.") == set()


def test_what_states_no_triple_explains_the_entity() -> None:
    text = "Ada Verne was praised for her patience."
    extraction = extract(state(), passage(text), grade(text))
    assert extraction.triples == ()
    assert extraction.annotations == ((entity("Q1"), text),)


def test_the_names_of_a_list_say_nothing_of_each_other() -> None:
    assert facts("The bodies responsible for it sit on its council: Lyon, Turin, Chile.") == set()
    assert facts("The bodies responsible for it sit on its council: Chile, Lyon and Turin.") == set()
    assert facts("Ada Verne was born in Lyon, Turin.") == {("Q1", "P19", "Q2"), ("Q1", "P19", "Q3")}


def test_one_pair_states_one_triple_in_one_direction() -> None:
    assert len(facts("Ada Verne was born in Lyon.")) == 1


@settings(max_examples=30, deadline=None)
@given(st.text(max_size=200))
def test_any_text_is_read_without_a_fault(text: str) -> None:
    for triple in extract(state(), passage(text or "x", title=text[:20]), grade(text)).triples:
        assert triple.source.name == "test"
