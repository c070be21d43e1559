"""The web query: from the claim, under the graph's names, and then from what no passage has covered."""

import datetime as dt

from hypothesis import given
from hypothesis import strategies as st

from scripted import entity, passage
from wkgfc.claim import read_claim
from wkgfc.reasoning.embedded.texts.queries import MAX_QUERY_CHARACTERS, write_query
from wkgfc.state import BeliefState, Observation, SearchWeb, Step


def state(text: str, **names: str) -> BeliefState:
    one = BeliefState(claim=read_claim(text))
    for mention, label in names.items():
        one.topic_entities[mention] = ((entity(label, label), 0.9),)
    return one


def asked(state: BeliefState, query: str) -> None:
    observation = Observation(id="S2", outcome="found", text="")
    at = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
    state.steps.append(
        Step(number=2, action=SearchWeb(query=query), observation=observation, started_at=at, seconds=0.1)
    )


def test_the_first_query_is_what_is_open_under_the_names_of_the_graph() -> None:
    one = state("Chaplin directed The Kid.", Chaplin="Charlie Chaplin")
    assert write_query(one, ["Chaplin directed The Kid."]) == "Chaplin directed The Kid Charlie Chaplin"
    common = state("Chaplin was an actor.", actor="film actor")
    assert write_query(common, ["Chaplin was an actor."]) == "Chaplin was an actor"


def test_what_is_settled_is_not_asked_for() -> None:
    one = state("Ada Verne was born in Lyon and discovered a red dye.")
    assert write_query(one, ["Ada Verne discovered a red dye."]) == "Ada Verne discovered a red dye"


def test_a_later_query_asks_for_what_no_passage_has() -> None:
    one = state("Ada Verne discovered a red dye in Lyon.")
    asked(one, "Ada Verne discovered a red dye in Lyon")
    one.evidence.add_passage(passage("Ada Verne lived in Lyon.", title="Ada Verne"))
    query = write_query(one, [one.claim.text])
    assert query is not None
    assert query.startswith("Ada Verne")
    assert {"discovered", "dye"} <= set(query.split())
    asked(one, query)
    assert write_query(one, [one.claim.text]) is None


def test_a_later_query_in_another_language_leaves_its_small_words_out() -> None:
    one = state("Les 4,500 vaccins de COVID-19 causent le sida, selon Pfizer.")
    asked(one, one.claim.text)
    one.evidence.add_passage(passage("La COVID-19 est une maladie.", title="COVID-19"))
    assert write_query(one, [one.claim.text]) == "COVID-19 Pfizer 4,500 vaccins causent sida"


def test_where_everything_is_covered_nothing_new_is_asked() -> None:
    one = state("Ada Verne lived in Lyon.")
    asked(one, "Ada Verne lived in Lyon")
    one.evidence.add_passage(passage("Ada Verne lived in Lyon all her life.", title="Ada Verne"))
    assert write_query(one, [one.claim.text]) is None


@given(st.text(min_size=1, max_size=400).filter(lambda text: any(map(str.isalnum, text))))
def test_any_claim_gets_a_query_of_bounded_length(text: str) -> None:
    one = BeliefState(claim=read_claim(text))
    query = write_query(one, [one.claim.text])
    assert query is None or len(query) <= MAX_QUERY_CHARACTERS
