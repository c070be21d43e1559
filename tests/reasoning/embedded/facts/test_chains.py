"""Chains: the statements that lead from what a claim names to what it describes, and what is judged at their end."""

import os
from collections import Counter
from pathlib import Path

import pytest

from wkgfc.checker import FactChecker
from wkgfc.claim import Claim, Veracity
from wkgfc.config import load_settings
from wkgfc.datasets import read_claims
from wkgfc.evidence import Direction, Entity, Relation, Source, Time, Triple
from wkgfc.reasoning.embedded.appraisal import findings_of, meant_entities
from wkgfc.reasoning.embedded.facts.chains import all_chains, chains_of, relations_for
from wkgfc.reasoning.embedded.findings import Finding
from wkgfc.reasoning.reasoner import OfferedRelation
from wkgfc.state import BeliefState

SOURCE = Source(name="test")
LABELS = {
    "P57": "director", "P26": "spouse", "P19": "place of birth", "P17": "country", "P569": "date of birth",
    "P86": "composer", "P178": "developer", "P740": "location of formation", "P36": "capital", "P20": "place of death",
    "P1906": "office held by head of state", "P35": "head of state",
    "P159": "headquarters location",
}  # fmt: skip
DESCRIPTIONS = {"France": "country in Europe", "Lyon": "city in France", "Rome": "city in Italy"}
Fact = tuple[str, str, str | Time]


def entity(label: str) -> Entity:
    return Entity(id=f"wkgfc:{label.replace(' ', '_')}", label=label, description=DESCRIPTIONS.get(label))


def state_of(claim: str, *facts: Fact, names: tuple[str, ...]) -> BeliefState:
    """A state with these statements, where the claim's ``names`` are linked."""
    state = BeliefState(claim=Claim(text=claim))
    for subject, relation, value in facts:
        triple = Triple(
            subject=entity(subject),
            relation=Relation(id=relation, label=LABELS[relation]),
            object=entity(value) if isinstance(value, str) else value,
            source=SOURCE,
        )
        state.evidence.add_kg_triple(triple, hop=1)
    state.topic_entities = {name: ((entity(name), 0.95),) for name in names}
    return state


def offers(*offered: tuple[str, Direction, str]) -> list[OfferedRelation]:
    return [
        OfferedRelation(
            relation=Relation(id=relation, label=LABELS[relation]),
            direction=direction,
            entities=(entity(label),),
            count=1,
        )
        for relation, direction, label in offered
    ]


def judged(claim: str, *facts: Fact, names: tuple[str, ...]) -> Finding | None:
    """The one finding of a claim, or none."""
    found = findings_of(state_of(claim, *facts, names=names), claim)
    assert len(found) < 2
    return found[0] if found else None


SAVAGES: tuple[Fact, ...] = (("Savages", "P57", "Ann"), ("Ann", "P26", "Ben"), ("Ben", "P19", "Lyon"))


def test_a_chain_of_three_statements_bears_a_claim_out_and_each_is_cited() -> None:
    finding = judged("The spouse of the director of Savages was born in Lyon.", *SAVAGES, names=("Savages", "Lyon"))
    assert finding is not None
    assert finding.stance.supports > 0.9
    assert finding.evidence_ids == ("K1", "K2", "K3")


def test_another_value_at_the_end_refutes() -> None:
    finding = judged("The spouse of the director of Savages was born in Rome.", *SAVAGES, names=("Savages", "Rome"))
    assert finding is not None
    assert finding.stance.refutes > 0.9


def test_what_the_director_has_is_not_held_against_the_spouse() -> None:
    facts: tuple[Fact, ...] = (("Savages", "P57", "Ann"), ("Ann", "P19", "Lyon"))
    assert judged("The spouse of the director of Savages was born in Rome.", *facts, names=("Savages", "Rome")) is None


def test_a_chain_that_returns_is_borne_out_by_both_works() -> None:
    facts: tuple[Fact, ...] = (("Savages", "P57", "Ann"), ("Arabia", "P86", "Ann"))
    finding = judged("The director of Savages composed the music of Arabia.", *facts, names=("Savages", "Arabia"))
    assert finding is not None
    assert finding.stance.supports > 0.9


def test_of_all_that_lies_in_a_country_only_what_is_described_is_meant() -> None:
    facts: tuple[Fact, ...] = (("Nice", "P17", "France"), ("Lyon", "P17", "France"), ("Eve", "P20", "Lyon"))
    claim = "Eve died in a place that is in France."
    (chain,) = chains_of(state_of(claim, *facts, names=("Eve", "France")), claim)
    assert chain.found == {1: entity("Lyon")}


def test_where_both_ends_lead_to_something_the_one_that_is_named_first_refutes() -> None:
    facts: tuple[Fact, ...] = (("XNU", "P178", "Apple"), ("Advania", "P740", "Rome"), ("Apple", "P740", "Lyon"))
    claim = "XNU was developed by an organisation that was formed in Rome."
    finding = judged(claim, *facts, names=("XNU", "Rome"))
    assert finding is not None
    assert finding.stance.refutes > 0.5


def test_what_holds_a_place_is_not_meant_beside_it() -> None:
    facts: tuple[Fact, ...] = (("Boca", "P159", "Lyon"), ("Boca", "P17", "France"), ("Lyon", "P17", "France"))
    claim = "Boca has its headquarters in a place that is in Rome."
    assert [chain.found[1].label for chain in all_chains(state_of(claim, *facts, names=("Boca", "Rome")), claim)] == [
        "Lyon"
    ]


def test_a_person_is_no_office() -> None:
    facts: tuple[Fact, ...] = (("France", "P1906", "President"), ("France", "P35", "Ann"))
    claim = "The head of state of France was born in 1950."
    (chain,) = chains_of(state_of(claim, *facts, names=("France",)), claim)
    assert chain.found == {1: entity("Ann")}


def test_a_common_noun_leads_nowhere() -> None:
    claim = "The composer of Savages was born in 1950."
    state = state_of(claim, ("Ann", "P86", "composer"), names=("Savages", "composer"))
    assert all(not chain.found for chain in chains_of(state, claim))


def test_the_next_relation_is_asked_of_what_was_found_last() -> None:
    claim = "The spouse of the director of Savages was born in Lyon."
    state = state_of(claim, SAVAGES[0], names=("Savages", "Lyon"))
    offered = offers(("P19", "out", "Ann"), ("P26", "out", "Ann"), ("P57", "in", "Ann"))
    assert [chosen.relation.id for chosen in relations_for(state, claim, offered)] == ["P26"]
    assert meant_entities(state) == (entity("Ann"),)


def test_a_year_is_read_of_the_founder_and_not_of_what_was_founded() -> None:
    born = Time(value="1942-01-10", precision=11)
    facts: tuple[Fact, ...] = (("Savages", "P57", "Ann"), ("Ann", "P569", born))
    finding = judged("Savages was directed by someone born in 1942.", *facts, names=("Savages",))
    assert finding is not None
    assert finding.stance.supports > 0.9


SUBSET = "WKGFC_SUBSET_STORE"  # a store of ``wkgfc kg build`` from the Wikidata subset
OWN = Path(__file__).parents[3] / "data" / "multihop_own.jsonl"


@pytest.mark.skipif(SUBSET not in os.environ, reason=f"needs a store of the Wikidata subset: set {SUBSET}")
def test_claims_of_several_hops_in_natural_english_are_mostly_right() -> None:
    gold = {
        "SUPPORTS": Veracity.SUPPORTED,
        "REFUTES": Veracity.REFUTED,
        "NOT ENOUGH INFO": Veracity.NOT_ENOUGH_EVIDENCE,
    }
    checker = FactChecker(load_settings(kg=os.environ[SUBSET], web="none"))
    outcomes: Counter[str] = Counter()
    for row in read_claims(OWN):
        said = checker.check(row.claim).veracity
        is_right = said == gold[str(row.label)]
        outcomes["right" if is_right else "none" if said == Veracity.NOT_ENOUGH_EVIDENCE else "wrong"] += 1
    assert outcomes.total() >= 50
    assert outcomes["wrong"] <= 2
    assert outcomes["right"] / outcomes.total() >= 0.85  # measured: 48 of 54
