"""A text as a graph: facts from a parse, an encoder that has learned nothing, groups that hang together."""

from hypothesis import given
from hypothesis import strategies as st

from scripted import passage
from wkgfc.baselines.text_graph import Fact, aligned, as_triples, communities, encoded, node_of, parsed_facts

TEXT = "Ada Verne discovered a red dye in 1871. She sold the dye to a mill. Bo Lind, a painter, lived in Malmö."


def fact(subject: str, relation: str, value: str) -> Fact:
    return Fact(subject=subject, relation=relation, object=value)


def test_the_parse_gives_clauses_prepositions_and_appositions() -> None:
    facts = {each.text: each for each in parsed_facts(TEXT)}
    assert "Ada Verne discovered a red dye" in facts
    assert "Bo Lind lived in Malmö" in facts
    assert "Bo Lind is a painter" in facts
    assert facts["Bo Lind lived in Malmö"].sentence == "Bo Lind, a painter, lived in Malmö."


def test_two_spellings_of_a_name_are_one_node() -> None:
    assert node_of("The Red Dyes") == node_of("red dye")


def test_a_fact_is_aligned_by_words_and_by_what_is_around_it() -> None:
    given_ = [fact("Ada Verne", "sold", "a dye"), fact("a dye", "is", "red"), fact("Bo Lind", "painted", "ships")]
    best, second = aligned([fact("Ada Verne", "discovered", "a red dye")], given_, 2)[0]
    assert {best.text, second.text} == {"Ada Verne sold a dye", "a dye is red"}
    assert aligned([fact("x", "y", "z")], [], 3) == [[]]


def test_what_hangs_together_is_one_community() -> None:
    first = [fact("a", "r", "b"), fact("b", "r", "c"), fact("a", "r", "c")]
    second = [fact("x", "r", "y")]
    groups = communities([*second, *first])
    assert [len(group) for group in groups] == [3, 1]
    assert communities([*second, *first]) == groups


def test_facts_become_triples_of_the_text_alone() -> None:
    page = passage("Ada Verne sold a dye.")
    (triple,) = as_triples([fact("Ada Verne", "sold", "a dye")], page)
    assert triple.subject.id == f"text:{node_of('Ada Verne')}"
    assert triple.source.url == page.url


@given(st.text(max_size=300))
def test_any_text_has_facts_or_none(text: str) -> None:
    facts = parsed_facts(text)
    assert len(encoded(facts)) == len(facts)
    assert sum(map(len, communities(facts))) == len(facts)
