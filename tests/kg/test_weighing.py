"""What speaks for a candidate: each feature where it should, and shares that leave room for "none"."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wkgfc.claim import Claim
from wkgfc.evidence import Entity
from wkgfc.kg.graph import Candidate, Neighbour
from wkgfc.kg.mentions import Span, propose
from wkgfc.kg.names import MATCH_ALIAS, MATCH_LABEL, MATCH_TAIL
from wkgfc.kg.weighing import WEIGHTS, Features, LookUp, features_of, priors_of, shares_of
from wkgfc.language import parse

HUMAN = Entity(id="Q5", label="human")


def candidate(
    entity_id: str, label: str, description: str = "", match: float = MATCH_LABEL, links: int = 5
) -> Candidate:
    entity = Entity(id=entity_id, label=label, description=description or None)
    return Candidate(entity=entity, matched=label, match=match, links=links)


def spans(text: str) -> dict[str, Span]:
    return {span.text: span for span in propose(parse(text))}


def weigh(text: str, *met: tuple[str, list[Candidate]], near: list[Neighbour] | None = None) -> list[list[Features]]:
    found = spans(text)
    looked = [LookUp(found[mention], tuple(candidates)) for mention, candidates in met]
    return features_of(Claim(text=text), looked, near or [])


@given(st.lists(st.floats(-50, 50), max_size=20), st.floats(-50, 50))
def test_shares_leave_room_for_none(utilities: list[float], none: float) -> None:
    shares = shares_of(utilities, none)
    assert all(0 <= share <= 1 for share in shares)
    assert sum(shares) <= 1 + 1e-9
    assert sorted(shares) == [share for _, share in sorted(zip(utilities, shares, strict=True))]


def test_dominance_is_among_those_met_alike() -> None:
    span = spans("Chaplin was born in London.")["Chaplin"]
    film, actor, actress = priors_of(
        span,
        [
            candidate("Q1", "Chaplin", links=17),
            candidate("Q2", "Charlie Chaplin", match=MATCH_TAIL, links=97),
            candidate("Q3", "Geraldine Chaplin", match=MATCH_TAIL, links=0),
        ],
    )
    assert (film.dominance, film.label, film.exact, film.rival) == (1.0, 1.0, 1.0, 0.0)
    assert (actor.dominance, actor.part, actor.rival) == (0.0, 0.0, 1.0)
    assert actress.rival == 1.0


def test_a_part_counts_where_nothing_bears_the_whole_name() -> None:
    span = spans("Chaplin was born in London.")["Chaplin"]
    actor, actress = priors_of(
        span,
        [
            candidate("Q2", "Charlie Chaplin", match=MATCH_TAIL, links=97),
            candidate("Q3", "Geraldine Chaplin", match=MATCH_TAIL, links=0),
        ],
    )
    assert actor.part == actress.part == 1.0
    assert actor.part_dominance == pytest.approx(100 / 103)
    assert actor.part_dominance + actress.part_dominance == pytest.approx(1.0)


def test_what_belongs_to_a_place_is_not_the_place() -> None:
    county = Candidate(
        entity=Entity(id="Q1", label="York County", description="county in Maine"),
        matched="Maine",
        match=MATCH_ALIAS,
        links=30,
    )
    state, other = priors_of(spans("Maine borders Canada.")["Maine"], [candidate("Q2", "Maine", "U.S. state"), county])
    assert (state.belongs, state.label) == (0.0, 1.0)
    assert (other.belongs, other.label) == (1.0, 0.0)


def test_what_the_claim_says_of_it() -> None:
    ((song, novel),) = weigh(
        "Hearts is a song by Kylie Minogue.",
        ("Hearts", [candidate("Q1", "Hearts", "song by Kylie Minogue"), candidate("Q2", "Hearts", "1999 novel")]),
    )
    assert song.stated == 1.0
    assert novel.stated == 0.0
    assert song.description > novel.description == 0.0


def test_a_verb_says_what_its_subject_is() -> None:
    state = Entity(id="Q35657", label="U.S. state")
    ((person, place),) = weigh(
        "Washington was born in 1732.",
        ("Washington", [candidate("Q23", "Washington"), candidate("Q1223", "Washington")]),
        near=[
            Neighbour(entity_id="Q23", relation_id="P31", other=HUMAN),
            Neighbour(entity_id="Q1223", relation_id="P31", other=state),
        ],
    )
    assert person.deed == 1.0
    assert place.deed == -1.0
    assert WEIGHTS.utility(person) > WEIGHTS.utility(place)


def test_mentions_that_are_near_to_each_other_speak_for_each_other() -> None:
    london = candidate("Q84", "London", links=800)
    (_, (actor, racer)) = weigh(
        "London is where Charlie Chaplin lived.",
        ("London", [london]),
        ("Charlie Chaplin", [candidate("Q882", "Charlie Chaplin"), candidate("Q9", "Charlie Chaplin")]),
        near=[Neighbour(entity_id="Q882", relation_id="P19", other=london.entity)],
    )
    assert actor.coherence > 0.5
    assert racer.coherence == 0.0
    assert actor.neighbours == 0.5
