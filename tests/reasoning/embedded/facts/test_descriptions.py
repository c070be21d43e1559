"""Descriptions without a name: how they are read, and how what they mean stands in their place."""

import pytest

from wkgfc.claim import Claim
from wkgfc.evidence import Entity, Quantity, Relation, Source, Time, Triple
from wkgfc.reasoning.embedded.appraisal import findings_of, meant_entities, questions_of
from wkgfc.reasoning.embedded.facts.descriptions import descriptions_of, resolve
from wkgfc.state import BeliefState

SOURCE = Source(name="test")
LABELS = {"P50": "author", "P36": "capital", "P569": "date of birth", "P47": "shares border with", "P57": "director"}


def entity(label: str) -> Entity:
    return Entity(id=f"wkgfc:{label.replace(' ', '_')}", label=label)


def state_of(claim: str, *facts: tuple[str, str, str | Time | Quantity], names: tuple[str, ...]) -> BeliefState:
    """A state with these statements, where the claim's ``names`` are linked."""
    state = BeliefState(claim=Claim(text=claim))
    for subject, relation, value in facts:
        state.evidence.add_kg_triple(
            Triple(
                subject=entity(subject),
                relation=Relation(id=relation, label=LABELS[relation]),
                object=entity(value) if isinstance(value, str) else value,
                source=SOURCE,
            ),
            hop=1,
        )
    state.topic_entities = {name: ((entity(name), 0.95),) for name in names}
    return state


@pytest.mark.parametrize(
    ("claim", "says"),
    [
        ("The author of Dracula was born in 1847.", "{} is the author of Dracula"),
        ("Dracula's author was born in 1847.", "{} is the author of Dracula"),
        ("The man who wrote Dracula was born in 1847.", "{} wrote Dracula"),
        ("Hiroshima is in a country whose capital is Tokyo.", "{}'s capital is Tokyo"),
        ("The painting was made by an artist born in 1853.", "{} was born in 1853"),
    ],
)
def test_descriptions(claim: str, says: str) -> None:
    assert descriptions_of(claim)[0].says == says


@pytest.mark.parametrize(
    "claim",
    [
        "Paris is the capital of France.",
        "The capital of France is Paris.",
        "Bram Stoker was born in 1847.",
        "Bram Stoker is the author of Dracula.",
        "",
    ],
)
def test_what_is_named_is_no_description(claim: str) -> None:
    assert descriptions_of(claim) == ()


def test_nested_descriptions_come_innermost_first() -> None:
    first, *_ = descriptions_of("The mayor of the city where Mozart was born is old.")
    assert first.says == "Mozart was born in {}"


def test_a_path_of_two_hops_supports_and_refutes() -> None:
    born = Time(value="1847-11-08", precision=11)
    facts = (("Dracula", "P50", "Bram Stoker"), ("Bram Stoker", "P569", born))
    for year, supports in (("1847", True), ("1902", False)):
        claim = f"The author of Dracula was born in {year}."
        (finding,) = findings_of(state_of(claim, *facts, names=("Dracula",)), claim)
        assert (finding.stance.supports > 0.5) is supports
        assert finding.evidence_ids == ("K1", "K2")
        assert finding.sentence.startswith("Dracula was written by Bram Stoker.")
        assert finding.strength > 0.7


def test_what_the_rest_of_the_claim_names_finds_what_a_description_means() -> None:
    born = Time(value="1847-11-08", precision=11)
    claim = "Dracula was written by an author who was born in 1847."
    state = state_of(claim, ("Dracula", "P50", "Bram Stoker"), ("Bram Stoker", "P569", born), names=("Dracula",))
    (reading,) = resolve(state, claim)
    assert reading.text == "Bram Stoker was born in 1847"


def test_one_of_several_that_are_meant_is_no_ground_to_refute() -> None:
    born = Time(value="1847-11-08", precision=11)
    claim = "The director of Alien was born in 1900."
    facts = (("Alien", "P57", "Ann"), ("Alien", "P57", "Ben"), ("Ann", "P569", born))
    assert findings_of(state_of(claim, *facts, names=("Alien",)), claim) == ()


def test_what_is_meant_is_asked_for_next() -> None:
    claim = "The author of Dracula was born in 1847."
    state = state_of(claim, ("Dracula", "P50", "Bram Stoker"), names=("Dracula",))
    assert [each.label for each in meant_entities(state)] == ["Bram Stoker"]
    assert [question.text for question in questions_of(state)] == ["Bram Stoker was born in 1847.", claim]


def test_a_denied_path_is_turned() -> None:
    born = Time(value="1847-11-08", precision=11)
    claim = "The author of Dracula was not born in 1902."
    facts = (("Dracula", "P50", "Bram Stoker"), ("Bram Stoker", "P569", born))
    (finding,) = findings_of(state_of(claim, *facts, names=("Dracula",)), claim)
    assert finding.stance.supports > 0.5


def test_a_rank_is_not_borne_out_by_its_place() -> None:
    claim = "Egypt is the most populous country in Africa."
    state = state_of(claim, names=("Egypt", "Africa"))
    state.evidence.add_kg_triple(
        Triple(
            subject=entity("Egypt"),
            relation=Relation(id="P30", label="continent"),
            object=entity("Africa"),
            source=SOURCE,
        ),
        hop=1,
    )
    assert findings_of(state, claim) == ()
