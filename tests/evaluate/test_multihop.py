"""Claims of several hops: what is true is in the graph, what is wrong is excluded by it, what is missing is missing."""

import re
from collections import Counter
from pathlib import Path

import pytest

from film_world import film_store, world
from wkgfc.datasets import LabelledClaim
from wkgfc.evaluate.chains import Facts
from wkgfc.evaluate.multihop import LABELS, SHAPES, multihop_claims, start_of
from wkgfc.evaluate.phrases import PHRASES, named, when
from wkgfc.evidence import Time


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Facts:
    return Facts(film_store(tmp_path_factory.mktemp("kg")).path)


@pytest.fixture(scope="module")
def claims(facts: Facts) -> list[LabelledClaim]:
    return list(multihop_claims(facts, each=30, seed=1, hops=(2, 3)))


def test_labels_and_shapes_are_balanced_and_no_claim_comes_twice(claims: list[LabelledClaim]) -> None:
    counts = Counter((row.meta["hops"], row.label) for row in claims)
    assert counts == {(hops, label): 10 for hops in (2, 3) for label in LABELS}
    assert {row.meta["shape"] for row in claims} == set(SHAPES)
    assert len({row.claim for row in claims}) == len(claims) == len({row.id for row in claims})


def test_the_seed_decides(facts: Facts) -> None:
    def texts(seed: int) -> list[str]:
        return [row.claim for row in multihop_claims(facts, each=9, seed=seed, hops=(2,))]

    assert texts(1) == texts(1) != texts(2)


def test_without_earlier_claims_neither_these_nor_their_beginnings_come(facts: Facts) -> None:
    earlier = list(multihop_claims(facts, each=9, seed=1, hops=(2,)))
    texts, starts = {row.claim for row in earlier}, {start_of(row) for row in earlier}
    again = list(multihop_claims(facts, each=9, seed=2, hops=(2,)))
    assert starts & {start_of(row) for row in again}  # another seed alone does not keep them apart

    others = list(multihop_claims(facts, each=9, seed=2, hops=(2,), without=earlier))
    assert others
    assert not texts & {row.claim for row in others}
    assert not starts & {start_of(row) for row in others}


def test_of_a_true_claim_every_statement_is_in_the_graph(claims: list[LabelledClaim]) -> None:
    known = world()
    for row in claims:
        if row.label == "SUPPORTS":
            assert len(row.meta["chain"]) == row.meta["hops"]
            assert all(known[subject, relation] == [value] for subject, relation, value in row.meta["chain"]), row.claim


def test_of_a_wrong_claim_the_graph_has_another_value_at_the_hop_that_it_names(claims: list[LabelledClaim]) -> None:
    known = world()
    for row in claims:
        if row.label == "REFUTES":
            assert all(known[subject, relation] == [value] for subject, relation, value in row.meta["chain"]), row.claim
            assert 1 <= row.meta["wrong_hop"] <= row.meta["hops"]
            if row.meta["how"] == "object":
                subject, relation, value = row.meta["claimed"]
                assert value not in known[subject, relation], row.claim
                assert len(known[subject, relation]) == 1
                assert PHRASES[relation].exact


def test_a_wrong_place_is_in_another_country_and_a_wrong_country_on_another_continent(
    claims: list[LabelledClaim],
) -> None:
    known = world()
    for row in claims:
        if row.label == "REFUTES" and row.meta["how"] == "object":
            subject, relation, value = row.meta["claimed"]
            (true,) = known[subject, relation]
            if relation == "P19":
                assert known[true, "P17"] != known[value, "P17"]
            if relation == "P17":
                assert known[true, "P30"] != known[value, "P30"]


def test_of_a_claim_that_cannot_be_decided_one_statement_is_missing(claims: list[LabelledClaim]) -> None:
    known = world()
    for row in claims:
        if row.label == "NOT ENOUGH INFO":
            subject, relation, _ = row.meta["claimed"]
            assert (subject, relation) not in known, row.claim
            assert all(value in known[s, r] for s, r, value in row.meta["chain"])


def test_only_names_that_say_which_thing_is_meant_are_used(facts: Facts, claims: list[LabelledClaim]) -> None:
    assert facts.is_clear("Q50")
    assert not facts.is_clear("Q51")  # two things are called Bronze Day
    assert not any("Bronze Day" in row.claim for row in claims)


def test_what_is_stated_the_other_way_round_is_not_missing(facts: Facts) -> None:
    capital = PHRASES["P36"]
    assert facts.value("Q26", "P36") is None
    assert not facts.says_nothing("Q26", capital)  # a city is the capital of it


def test_a_subject_with_several_values_has_no_value(facts: Facts, claims: list[LabelledClaim]) -> None:
    assert facts.value("Q52", "P57") is None
    assert not any("director of the film Copper Road" in row.claim for row in claims)


def test_claims_are_sentences(claims: list[LabelledClaim]) -> None:
    for row in claims:
        assert re.fullmatch(r"[A-Z][^{}]*[^ .]\.", row.claim), row.claim
        assert row.to_claim().text == row.claim


def test_a_graph_that_is_too_small_gives_fewer(facts: Facts) -> None:
    claims = list(multihop_claims(facts, each=3_000, seed=1, hops=(2,)))
    assert 0 < len(claims) < 3_000


@pytest.mark.parametrize(
    ("label", "kind", "classes", "said"),
    [
        ("Savages", "work", ["film", "3D film"], "the film Savages"),
        ("Symphony in White", "work", ["symphony"], "Symphony in White"),
        ("The Beatles", "group", [], "The Beatles"),
        ("The Bahamas", "country", [], "the Bahamas"),
        ("United Kingdom", "country", [], "the United Kingdom"),
        ("Puerto Rico", "country", ["archipelago"], "Puerto Rico"),
        ("Danube", "nature", ["river"], "the Danube"),
        ("Euro", "money", [], "the euro"),
        ("Lao kip", "money", [], "the Lao kip"),
        ("Battle of Hastings", "event", [], "the Battle of Hastings"),
        ("Paris", "place", ["city"], "Paris"),
    ],
)
def test_names_have_their_articles(label: str, kind: str, classes: list[str], said: str) -> None:
    assert named(label, kind, classes) == said  # type: ignore[arg-type]


def test_times_have_their_prepositions() -> None:
    assert when(Time(value="1889-04-16", precision=11)) == "on 16 April 1889"
    assert when(Time(value="1889-00-00", precision=9)) == "in 1889"


def test_every_phrase_can_be_said() -> None:
    for phrase in PHRASES.values():
        assert phrase.is_description or phrase.says is not None
        assert "{" not in phrase.clause("X", "Y") + phrase.inverted("X", "Y")
        assert phrase.says is not None or phrase.noun is not None  # it can stand behind a relative
        assert phrase.object != "time" or phrase.says is not None


def test_a_folder_that_is_no_store_is_said_so(tmp_path: Path) -> None:
    from wkgfc.errors import NotConfigured

    with pytest.raises(NotConfigured, match="cannot be opened"):
        Facts(tmp_path)
