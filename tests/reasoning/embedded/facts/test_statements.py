"""What statements of the knowledge graph say of a claim, rule by rule, over small evidence graphs."""

import datetime as dt
from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wkgfc.claim import Claim, Veracity
from wkgfc.evidence import (
    Entity,
    Missing,
    Qualifier,
    Quantity,
    Rank,
    Relation,
    Source,
    Text,
    Time,
    Triple,
    Value,
)
from wkgfc.reasoning.embedded.claims.reading import read_claim_text
from wkgfc.reasoning.embedded.facts.statements import ENDED, StatementParameters, decided, judge_statements
from wkgfc.reasoning.embedded.facts.verbalise import verbalise
from wkgfc.reasoning.embedded.findings import Finding
from wkgfc.reasoning.embedded.lexicon.relations import lexicon
from wkgfc.state import BeliefState

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

SOURCE = Source(name="test")
DESCRIPTIONS = {
    "Honolulu": "city in Hawaii, United States",
    "Hawaii": "state of the United States of America",
    "Nairobi": "capital city of Kenya",
    "Kenya": "country in East Africa",
    "United States of America": "country in North America",
    "Toulouse": "city in Occitania, France",
    "Lyon": "city in the Auvergne-Rhône-Alpes region, France",
    "France": "country in Western Europe",
    "Poland": "country in Central Europe",
    "Warsaw": "capital of Poland",
    "Russian Empire": "former empire in Eurasia (1721–1917)",
    "Europe": "continent",
    "Asia": "continent",
    "Ada Verne": "French novelist (1850–1910)",
    "Jo Marsh": "American film director",
    "Kim Lane": "American film director and producer",
    "The Red Dye": "1925 film by Jo Marsh",
    "lung cancer": "cancer in the lung",
    "liver cancer": "cancer in the liver",
    "cancer": "group of diseases",
    "actor": "occupation",
    "novelist": "occupation",
    "writer": "occupation",
    "poet": "occupation",
    "chemist": "occupation",
}


def thing(label: str) -> Entity:
    return Entity(id=f"Q-{label}", label=label, description=DESCRIPTIONS.get(label))


def year(number: int) -> Time:
    return Time(value=f"{number:04d}-01-01", precision=9)


def day(text: str) -> Time:
    return Time(value=text, precision=11)


def fact(subject: str, relation: str, value: str | Value, count: int | None = None, **qualifiers: Value) -> Triple:
    label = lexicon()[relation].label if relation in lexicon() else relation
    return Triple(
        subject=thing(subject),
        relation=Relation(id=relation, label=label),
        object=thing(value) if isinstance(value, str) else value,
        qualifiers=tuple(
            Qualifier(relation=Relation(id=name, label=name), value=each) for name, each in qualifiers.items()
        ),
        source=SOURCE,
        count=count,
    )


def state_of(
    text: str, facts: Sequence[Triple], linked: str | dict[str, Any] = "", date: dt.date | None = None
) -> BeliefState:
    """A state with these facts. ``linked`` names the mentions, parted by ";", or maps them to candidates."""
    state = BeliefState(claim=Claim(text=text, date=date))
    if isinstance(linked, str):
        linked = {name.strip(): [(name.strip(), 0.95)] for name in linked.split(";") if name.strip()}
    for mention, candidates in linked.items():
        state.topic_entities[mention] = tuple((thing(label), score) for label, score in candidates)
    for each in facts:
        state.evidence.add_kg_triple(each, hop=1)
    return state


def judge(text: str, facts: Sequence[Triple], linked: str | dict[str, Any] = "", **options: Any) -> tuple[Finding, ...]:
    date = options.pop("date", None)
    return judge_statements(state_of(text, facts, linked, date), **options)


def verdict(text: str, facts: Sequence[Triple], linked: str | dict[str, Any] = "", **options: Any) -> Veracity | None:
    return decided(judge(text, facts, linked, **options))


BORN = [fact("Ada Verne", "P19", "Lyon"), fact("Ada Verne", "P569", day("1850-04-16"))]


class TestSupport:
    @pytest.mark.parametrize(
        ("text", "facts", "linked"),
        [
            ("Ada Verne was born in Lyon.", BORN, "Ada Verne; Lyon"),
            ("Lyon is the birthplace of Ada Verne.", BORN, "Ada Verne; Lyon"),
            ("Ada Verne was born in 1850.", BORN, "Ada Verne"),
            ("Ada Verne was born on 16 April 1850.", BORN, "Ada Verne"),
            ("On April 16, 1850, Ada Verne was born.", BORN, "Ada Verne"),
            ("Ada Verne was born earlier than 1860.", BORN, "Ada Verne"),
            ("Ada Verne was born no later than 1850.", BORN, "Ada Verne"),
            ("Ada Verne was born no earlier than 1850.", BORN, "Ada Verne"),
            ("Jo Marsh directed The Red Dye.", [fact("The Red Dye", "P57", "Jo Marsh")], "Jo Marsh; The Red Dye"),
            ("Lyon borders Toulouse.", [fact("Toulouse", "P47", "Lyon")], "Lyon; Toulouse"),
            ("Kim Lane is the child of Jo Marsh.", [fact("Kim Lane", "P22", "Jo Marsh")], "Kim Lane; Jo Marsh"),
            ("Jo Marsh is Kim Lane's father.", [fact("Jo Marsh", "P40", "Kim Lane")], "Kim Lane; Jo Marsh"),
        ],
    )
    def test_a_statement_bears_out_what_names_both_ends(self, text: str, facts: list[Triple], linked: str) -> None:
        (finding,) = judge(text, facts, linked)
        assert decided([finding]) is Veracity.SUPPORTED
        assert finding.strength > 0.6

    def test_the_finding_cites_the_statement_and_says_it(self) -> None:
        (finding,) = judge("Ada Verne was born in Lyon.", BORN, "Ada Verne; Lyon")
        assert finding.evidence_ids == ("K1",)
        assert finding.sentence == "Ada Verne was born in Lyon."

    def test_words_that_nothing_links_are_met_by_their_label(self) -> None:
        facts = [fact("Ada Verne", "P106", "novelist")]
        assert verdict("Ada Verne was a novelist.", facts, "Ada Verne") is Veracity.SUPPORTED
        assert verdict("Ada Verne was a chemist.", facts, "Ada Verne") is None

    def test_a_demonym_names_its_country(self) -> None:
        facts = [fact("Jo Marsh", "P27", "United States of America"), fact("Jo Marsh", "P106", "film director")]
        assert verdict("Jo Marsh was an American film director.", facts, "Jo Marsh") is Veracity.SUPPORTED
        (finding,) = judge("Jo Marsh was an American film director.", facts, "Jo Marsh")
        assert set(finding.evidence_ids) == {"K1", "K2"}

    def test_an_actress_is_an_actor(self) -> None:
        assert verdict("Kim Lane is an actress.", [fact("Kim Lane", "P106", "actor")], "Kim Lane") is Veracity.SUPPORTED

    def test_a_modified_noun_names_something_narrower(self) -> None:
        facts = [fact("Ada Verne", "P106", "writer")]
        assert verdict("Ada Verne was a science fiction writer.", facts, "Ada Verne") is None
        assert verdict("Ada Verne was a singer-writer.", facts, "Ada Verne") is None

    def test_a_class_is_widened_by_its_superclass(self) -> None:
        facts = [fact("Ada Verne", "P106", "novelist"), fact("novelist", "P279", "writer")]
        (finding,) = judge("Ada Verne was a writer.", facts, "Ada Verne")
        assert decided([finding]) is Veracity.SUPPORTED
        assert finding.evidence_ids == ("K1", "K2")

    def test_a_place_is_widened_by_what_holds_it(self) -> None:
        facts = [fact("Ada Verne", "P19", "Lyon"), fact("Lyon", "P17", "France"), fact("France", "P30", "Europe")]
        (finding,) = judge("Ada Verne was born in Europe.", facts, "Ada Verne; Europe")
        assert decided([finding]) is Veracity.SUPPORTED
        assert finding.evidence_ids == ("K1", "K2", "K3")

    def test_citizenship_is_not_widened(self) -> None:
        facts = [fact("Ada Verne", "P27", "France"), fact("France", "P361", "Europe")]
        assert verdict("Ada Verne was a citizen of Europe.", facts, "Ada Verne; Europe") is None

    def test_what_the_object_is_bears_out_what_only_describes_it(self) -> None:
        facts = [fact("The Red Dye", "P57", "Jo Marsh"), fact("Jo Marsh", "P27", "United States of America")]
        (finding,) = judge("The Red Dye was directed by an American.", facts, "The Red Dye")
        assert decided([finding]) is Veracity.SUPPORTED
        assert set(finding.evidence_ids) == {"K1", "K2"}

    def test_quantities_agree_as_they_are_rounded(self) -> None:
        facts = [fact("Lyon", "P1082", Quantity(amount=Decimal(522_250)))]
        assert verdict("Lyon has a population of about 520,000.", facts, "Lyon") is Veracity.SUPPORTED

    def test_a_link_that_is_unsure_supports_less(self) -> None:
        text = "Ada Verne was born in Lyon."
        sure = judge(text, BORN, "Ada Verne; Lyon")[0].strength
        unsure = judge(text, BORN, {"Ada Verne": [("Ada Verne", 0.3)], "Lyon": [("Lyon", 0.95)]})[0].strength
        assert unsure < sure

    def test_a_relation_that_is_not_said_supports_nothing(self) -> None:
        facts = [fact("The Red Dye", "P161", "Jo Marsh")]
        assert verdict("Jo Marsh hated The Red Dye.", facts, "Jo Marsh; The Red Dye") is None

    def test_exchanged_ends_support_nothing(self) -> None:
        facts = [fact("Kim Lane", "P22", "Jo Marsh")]
        assert verdict("Kim Lane is the father of Jo Marsh.", facts, "Kim Lane; Jo Marsh") is not Veracity.SUPPORTED

    def test_what_no_statement_covers_weighs(self) -> None:
        short = judge("Ada Verne was born in Lyon.", BORN, "Ada Verne; Lyon")[0].strength
        long = judge("Ada Verne, who sold stolen horses, was born in Lyon.", BORN, "Ada Verne; Lyon")[0].strength
        assert long < short

    def test_a_year_that_no_statement_gives_leaves_the_claim_open(self) -> None:
        facts = [fact("The Red Dye", "P161", "Kim Lane")]
        assert verdict("Kim Lane starred in The Red Dye.", facts, "Kim Lane; The Red Dye") is Veracity.SUPPORTED
        assert verdict("Kim Lane starred in The Red Dye in 1931.", facts, "Kim Lane; The Red Dye") is None


class TestRefutation:
    @pytest.mark.parametrize(
        ("text", "facts", "linked"),
        [
            ("Ada Verne was born in Toulouse.", BORN, "Ada Verne; Toulouse"),
            ("Ada Verne was born in 1851.", BORN, "Ada Verne"),
            ("Ada Verne was born later than 1851.", BORN, "Ada Verne"),
            ("Ada Verne was born no earlier than 1851.", BORN, "Ada Verne"),
            ("Ada Verne was born no later than 1849.", BORN, "Ada Verne"),
            ("Ada Verne was born on 17 April 1850.", BORN, "Ada Verne"),
            ("Kim Lane directed The Red Dye.", [fact("The Red Dye", "P57", "Jo Marsh")], "Kim Lane; The Red Dye"),
            ("The capital of France is Toulouse.", [fact("France", "P36", "Lyon")], "France; Toulouse"),
            ("Lyon lies in Asia.", [fact("Lyon", "P30", "Europe")], "Lyon; Asia"),
            ("Ada Verne died of liver cancer.", [fact("Ada Verne", "P509", "lung cancer")], "Ada Verne; liver cancer"),
        ],
    )
    def test_another_value_of_a_one_value_relation_refutes(self, text: str, facts: list[Triple], linked: str) -> None:
        (finding,) = judge(text, facts, linked)
        assert decided([finding]) is Veracity.REFUTED
        assert finding.evidence_ids

    @pytest.mark.parametrize(
        ("text", "facts", "linked"),
        [
            ("Ada Verne was a chemist.", [fact("Ada Verne", "P106", "novelist")], "Ada Verne; chemist"),
            ("Ada Verne was a citizen of Poland.", [fact("Ada Verne", "P27", "France")], "Ada Verne; Poland"),
            ("Kim Lane starred in The Red Dye.", [fact("The Red Dye", "P161", "Jo Marsh")], "Kim Lane; The Red Dye"),
            ("Ada Verne was married to Jo Marsh.", [fact("Ada Verne", "P26", "Kim Lane")], "Ada Verne; Jo Marsh"),
            ("The Red Dye is set in Lyon.", [fact("The Red Dye", "P840", "Toulouse")], "The Red Dye; Lyon"),
        ],
    )
    def test_another_value_of_an_open_relation_says_nothing(self, text: str, facts: list[Triple], linked: str) -> None:
        assert judge(text, facts, linked) == ()

    def test_absence_says_nothing(self) -> None:
        assert judge("Ada Verne was born in Lyon.", [fact("Ada Verne", "P106", "novelist")], "Ada Verne; Lyon") == ()
        assert judge("Ada Verne was born in Lyon.", [], "Ada Verne; Lyon") == ()

    @pytest.mark.parametrize("claimed", ["Hawaii", "United States of America"])
    def test_a_wider_place_is_no_contradiction(self, claimed: str) -> None:
        facts = [fact("Ada Verne", "P19", "Honolulu"), fact("Honolulu", "P131", "Hawaii")]
        facts.append(fact("Hawaii", "P17", "United States of America"))
        found = verdict(f"Ada Verne was born in {claimed}.", facts, f"Ada Verne; {claimed}")
        assert found is Veracity.SUPPORTED

    def test_a_wider_place_that_only_the_description_names_is_no_contradiction(self) -> None:
        facts = [fact("Ada Verne", "P19", "Honolulu")]
        assert verdict("Ada Verne was born in Hawaii.", facts, "Ada Verne; Hawaii") is not Veracity.REFUTED

    def test_a_narrower_place_is_neither_borne_out_nor_contradicted(self) -> None:
        facts = [fact("Ada Verne", "P19", "Hawaii"), fact("Honolulu", "P131", "Hawaii")]
        assert judge("Ada Verne was born in Honolulu.", facts, "Ada Verne; Honolulu") == ()

    def test_another_country_than_the_one_that_holds_the_place_refutes(self) -> None:
        facts = [fact("Ada Verne", "P19", "Nairobi"), fact("Nairobi", "P17", "Kenya")]
        (finding,) = judge("Ada Verne was born in France.", facts, "Ada Verne; France")
        assert decided([finding]) is Veracity.REFUTED
        assert finding.evidence_ids == ("K1", "K2")

    def test_a_country_that_is_gone_is_not_contradicted_by_one_of_today(self) -> None:
        facts = [fact("Ada Verne", "P19", "Warsaw"), fact("Warsaw", "P17", "Poland")]
        assert judge("Ada Verne was born in the Russian Empire.", facts, "Ada Verne; Russian Empire") == ()

    def test_a_narrower_class_is_no_contradiction(self) -> None:
        facts = [fact("Ada Verne", "P509", "lung cancer")]
        assert verdict("Ada Verne died of cancer.", facts, "Ada Verne; cancer") is not Veracity.REFUTED

    def test_one_of_several_values_is_enough(self) -> None:
        facts = [fact("The Red Dye", "P57", "Jo Marsh", 2), fact("The Red Dye", "P57", "Kim Lane", 2)]
        assert verdict("Kim Lane directed The Red Dye.", facts, "Kim Lane; The Red Dye") is Veracity.SUPPORTED

    def test_a_list_that_was_cut_refutes_nothing(self) -> None:
        facts = [fact("The Red Dye", "P57", "Jo Marsh", 3)]
        assert judge("Kim Lane directed The Red Dye.", facts, "Kim Lane; The Red Dye") == ()

    def test_a_subject_that_may_be_another_refutes_nothing(self) -> None:
        linked = {"Verne": [("Ada Verne", 0.4), ("Jules Verne", 0.38)], "Toulouse": [("Toulouse", 0.9)]}
        facts = [*BORN, fact("Jules Verne", "P19", "Nantes")]
        assert judge("Verne was born in Toulouse.", facts, linked) == ()

    def test_another_place_named_alike_refutes_nothing(self) -> None:
        linked = {"Ada Verne": [("Ada Verne", 0.9)], "Lyon": [("Lyon County", 0.9)]}
        assert verdict("Ada Verne was born in Lyon.", BORN, linked) is not Veracity.REFUTED

    def test_a_kind_of_thing_is_no_other_value(self) -> None:
        facts = [fact("The Red Dye", "P449", "CBS")]
        assert judge("The Red Dye aired on television.", facts, "The Red Dye; television") == ()

    def test_only_makes_an_open_relation_exclude(self) -> None:
        facts = [fact("Ada Verne", "P106", "novelist")]
        text = "Ada Verne has only ever been a chemist."
        assert verdict(text, facts, "Ada Verne; chemist") is Veracity.REFUTED


class TestNegation:
    def test_a_denied_fact_is_refuted(self) -> None:
        assert verdict("Ada Verne was born in Lyon.", BORN, "Ada Verne; Lyon", negated=True) is Veracity.REFUTED

    def test_a_denied_falsehood_is_supported(self) -> None:
        found = verdict("Ada Verne was born in Toulouse.", BORN, "Ada Verne; Toulouse", negated=True)
        assert found is Veracity.SUPPORTED

    @pytest.mark.parametrize(
        "text",
        [
            "Ada Verne was born in Lyon, not in Toulouse.",
            "Ada Verne was not born in Toulouse but in Lyon.",
            "Ada Verne was not born in Toulouse. This is well known.",
        ],
    )
    def test_what_a_not_reaches_is_no_claimed_value(self, text: str) -> None:
        assert verdict(text, BORN, "Ada Verne; Toulouse; Lyon") is not Veracity.REFUTED

    def test_what_a_not_reaches_is_not_borne_out(self) -> None:
        assert judge("Ada Verne was not born in Lyon. This is well known.", BORN, "Ada Verne; Lyon") == ()

    def test_one_of_two_that_an_or_offers_refutes_nothing(self) -> None:
        facts = [*BORN, fact("Ada Verne", "P569", year(1850))]
        linked = "Ada Verne; Toulouse; Lyon"
        assert verdict("Ada Verne was born in Toulouse or Lyon.", facts, linked) is not Veracity.REFUTED
        assert verdict("Ada Verne was born in 1849 or 1850.", facts, linked) is Veracity.SUPPORTED
        assert verdict("Ada Verne was born in 1850 or 1849.", facts, linked) is Veracity.SUPPORTED
        assert verdict("Ada Verne was born in 1860, 1861 or in 1862.", facts, linked) is Veracity.REFUTED

    def test_a_denial_in_other_words_is_refuted(self) -> None:
        facts = [fact("Kim Lane", "P106", "actor")]
        assert verdict("Kim Lane refuses to be an actor.", facts, "Kim Lane") is Veracity.REFUTED

    def test_what_was_only_hoped_for_is_left_open(self) -> None:
        facts = [fact("Kim Lane", "P106", "actor")]
        assert judge("Kim Lane hoped to be an actor.", facts, "Kim Lane") == ()


class TestTime:
    TERM = fact("Jo Marsh", "P54", "Lyon Reds", P580=year(2001), P582=year(2009))

    def test_a_stretch_is_borne_out_by_both_its_ends(self) -> None:
        facts = [fact("The Long War", "P580", year(1914)), fact("The Long War", "P582", year(1918))]
        (finding,) = judge("The Long War lasted from 1914 to 1918.", facts, "The Long War")
        assert finding.stance.supports > 0.5
        assert len(finding.evidence_ids) == 2
        assert judge("The Long War lasted from 1914 to 1920.", facts, "The Long War") == ()
        assert judge("The Long War lasted from 1914 to 1918.", facts[:1], "The Long War") == ()

    def test_what_has_ended_is_no_support_of_what_is(self) -> None:
        (finding,) = judge("Jo Marsh plays for Lyon Reds.", [self.TERM], "Jo Marsh; Lyon Reds")
        assert finding.kind == ENDED
        assert decided([finding]) is None
        assert "2001 to 2009" in finding.sentence

    def test_is_means_at_the_date_of_the_claim(self) -> None:
        text, linked = "Jo Marsh plays for Lyon Reds.", "Jo Marsh; Lyon Reds"
        assert verdict(text, [self.TERM], linked, date=dt.date(2005, 5, 1)) is Veracity.SUPPORTED

    def test_what_has_ended_supports_what_was(self) -> None:
        text = "Jo Marsh played for Lyon Reds."
        assert verdict(text, [self.TERM], "Jo Marsh; Lyon Reds") is Veracity.SUPPORTED

    def test_a_year_within_the_term_is_covered(self) -> None:
        text = "Jo Marsh played for Lyon Reds in 2005."
        assert verdict(text, [self.TERM], "Jo Marsh; Lyon Reds") is Veracity.SUPPORTED

    def test_a_year_outside_the_term_refutes(self) -> None:
        text = "Jo Marsh played for Lyon Reds in 1995."
        (finding,) = judge(text, [self.TERM], "Jo Marsh; Lyon Reds")
        assert decided([finding]) is Veracity.REFUTED
        assert "1995" in finding.sentence

    SECOND = fact("Jo Marsh", "P54", "Lyon Reds", P580=year(2015), P582=year(2019))

    @pytest.mark.parametrize("number", [2005, 2017])
    def test_a_year_within_either_of_two_terms_is_covered(self, number: int) -> None:
        text, linked = f"Jo Marsh played for Lyon Reds in {number}.", "Jo Marsh; Lyon Reds"
        (finding,) = judge(text, [self.TERM, self.SECOND], linked)
        assert decided([finding]) is Veracity.SUPPORTED
        assert finding.evidence_ids == (("K1",) if number == 2005 else ("K2",))

    def test_a_year_between_two_terms_refutes(self) -> None:
        text, linked = "Jo Marsh played for Lyon Reds in 2012.", "Jo Marsh; Lyon Reds"
        assert verdict(text, [self.TERM, self.SECOND], linked) is Veracity.REFUTED

    def test_is_means_in_one_of_the_terms(self) -> None:
        text, linked = "Jo Marsh plays for Lyon Reds.", "Jo Marsh; Lyon Reds"
        assert verdict(text, [self.TERM, self.SECOND], linked, date=dt.date(2016, 5, 1)) is Veracity.SUPPORTED

    def test_a_coarse_date_does_not_refute_a_finer_one(self) -> None:
        facts = [fact("Ada Verne", "P569", Time(value="1850-01-01", precision=7))]
        assert judge("Ada Verne was born on 16 April 1850.", facts, "Ada Verne") == ()

    def test_the_present_tense_may_tell_of_the_dead(self) -> None:
        facts = [fact("Jo Marsh", "P54", "Lyon Reds", P582=year(1930)), fact("Jo Marsh", "P570", year(1960))]
        assert verdict("Jo Marsh plays for Lyon Reds.", facts, "Jo Marsh; Lyon Reds") is Veracity.SUPPORTED


class TestStanding:
    def test_deprecated_statements_say_nothing(self) -> None:
        withdrawn = BORN[0].model_copy(update={"rank": Rank.DEPRECATED})
        assert judge("Ada Verne was born in Lyon.", [withdrawn], "Ada Verne; Lyon") == ()

    def test_facts_read_from_passages_are_left_to_their_passages(self) -> None:
        state = state_of("Ada Verne was born in Lyon.", [], "Ada Verne; Lyon")
        state.evidence.add_web_triple(BORN[0], passage_id="W1", consistency=0.9)
        assert judge_statements(state) == ()

    def test_a_threshold_of_the_parameters_decides(self) -> None:
        findings = judge("Ada Verne was born in Lyon.", BORN, "Ada Verne; Lyon")
        assert decided(findings, StatementParameters(decisive=0.999)) is None

    def test_findings_of_both_sides_decide_nothing(self) -> None:
        supports = judge("Ada Verne was born in Lyon.", BORN, "Ada Verne; Lyon")
        refutes = judge("Ada Verne was born in Toulouse.", BORN, "Ada Verne; Toulouse")
        assert decided([*supports, *refutes]) is None
        assert decided([]) is None


class Always:
    """A verifier that finds the same in everything, and counts what it was asked."""

    def __init__(self, supports: float) -> None:
        self.row = (supports, 0.0, 1.0 - supports)
        self.asked = 0

    def score(self, evidence: Sequence[str], claims: Sequence[str]) -> "NDArray[float64]":
        import numpy as np

        self.asked += len(evidence)
        return np.array([self.row] * len(evidence))


class TestVerifier:
    FACTS = [
        fact("The Red Dye", "P161", "Jo Marsh", 9),
        *(fact("The Red Dye", f"P9000{number}", "Jo Marsh") for number in range(6)),
    ]
    TEXT, LINKED = "Jo Marsh can be seen during The Red Dye.", "Jo Marsh; The Red Dye"

    def test_it_is_asked_little_and_only_where_no_words_decide(self) -> None:
        verifier = Always(0.99)
        judge(self.TEXT, self.FACTS, self.LINKED, verifier=verifier)
        assert 1 <= verifier.asked <= 3
        verifier = Always(0.99)
        judge("Ada Verne was born in Lyon.", BORN, "Ada Verne; Lyon", verifier=verifier)
        assert verifier.asked == 0

    def test_what_it_does_not_find_supporting_supports_nothing(self) -> None:
        assert judge(self.TEXT, self.FACTS, self.LINKED, verifier=Always(0.2)) == ()
        assert judge(self.TEXT, self.FACTS, self.LINKED, verifier=Always(0.99))


class TestVerbalise:
    @pytest.mark.parametrize(
        ("triple", "sentence"),
        [
            (fact("Ada Verne", "P19", "Lyon"), "Ada Verne was born in Lyon."),
            (fact("Ada Verne", "P569", day("1850-04-16")), "Ada Verne was born on 16 April 1850."),
            (fact("Ada Verne", "P569", year(1850)), "Ada Verne was born in 1850."),
            (fact("Ada Verne", "P106", "actor"), "Ada Verne works as an actor."),
            (
                fact("Jo Marsh", "P54", "Lyon Reds", P580=year(2001), P582=year(2009)),
                "Jo Marsh played for Lyon Reds from 2001 to 2009.",
            ),
            (fact("Jo Marsh", "P54", "Lyon Reds", P580=year(2001)), "Jo Marsh played for Lyon Reds since 2001."),
            (fact("Jo Marsh", "P166", "Gold Cup", P585=year(2001)), "Jo Marsh received Gold Cup in 2001."),
            (fact("Jo Marsh", "P40", Missing(value="none")), "Jo Marsh has no child."),
            (fact("Jo Marsh", "favourite colour", "red"), "The favourite colour of Jo Marsh is red."),
            (fact("Jo Marsh", "sponsor of", "Lyon Reds"), "Jo Marsh is sponsor of Lyon Reds."),
        ],
    )
    def test_a_statement_in_words(self, triple: Triple, sentence: str) -> None:
        assert verbalise(triple) == sentence

    def test_quantities_have_units_and_thousands(self) -> None:
        area = Quantity(amount=Decimal("48000"), unit=Entity(id="Q1", label="square kilometre"))
        sentence = verbalise(fact("Lyon", "P2046", area))
        assert "48,000 square kilometres" in sentence

    def test_a_withdrawn_statement_says_so(self) -> None:
        assert "withdrawn" in verbalise(BORN[0].model_copy(update={"rank": Rank.DEPRECATED}))

    def test_braces_in_labels_are_no_slots(self) -> None:
        assert verbalise(fact("{o} {s} {x}", "P19", "{s}")) == "{o} {s} {x} was born in {s}."

    @given(
        subject=st.text(max_size=300),
        relation=st.sampled_from([*sorted(lexicon())[:40], "P99999"]) | st.text(max_size=12),
        label=st.text(max_size=60),
        value=st.one_of(
            st.builds(Entity, id=st.text(max_size=9), label=st.text(max_size=300)),
            st.builds(Time, value=st.text(max_size=14), precision=st.integers(0, 14)),
            st.builds(
                Time, value=st.dates().map(str) | st.dates().map(lambda each: f"-{each}"), precision=st.integers(0, 14)
            ),
            st.builds(Quantity, amount=st.decimals(allow_nan=False, allow_infinity=False)),
            st.builds(Text, value=st.text(max_size=300)),
            st.builds(Missing, value=st.sampled_from(["unknown", "none"])),
        ),
        qualifier=st.sampled_from(["P580", "P582", "P585", "P453", "P9"]),
    )
    def test_it_never_raises_and_is_never_empty(
        self, subject: str, relation: str, label: str, value: Value, qualifier: str
    ) -> None:
        triple = Triple(
            subject=Entity(id="Q1", label=subject),
            relation=Relation(id=relation, label=label),
            object=value,
            qualifiers=(Qualifier(relation=Relation(id=qualifier, label=label), value=value),),
            source=SOURCE,
        )
        sentence = verbalise(triple)
        assert sentence.strip(". ")
        assert sentence.endswith(".")
        assert "\n" not in sentence


class TestLink:
    """How surely a mention means the statement's subject: a part of a longer name means another thing."""

    IS = (fact("Rye", "P31", "city"), fact("French", "P31", "language"), fact("Jo Marsh", "P31", "human"))

    @pytest.mark.parametrize(
        ("text", "linked"),
        [
            ("Excuse My French is a film.", "French"),
            ("The Catcher in the Rye is a novel.", "Rye"),
            ("Jo Marsh's film Nordland is a comedy.", "Jo Marsh"),  # not the subject of what is said
        ],
    )
    def test_a_part_of_another_name_refutes_nothing(self, text: str, linked: str) -> None:
        assert verdict(text, self.IS, linked) is None

    @pytest.mark.parametrize(
        ("text", "linked"), [("Rye is a novel.", "Rye"), ("French is a film.", "French"), ("RYE IS A NOVEL.", "RYE")]
    )
    def test_the_whole_name_does(self, text: str, linked: str) -> None:
        known = {linked: [("Rye" if linked == "RYE" else linked, 0.95)]}
        assert verdict(text, self.IS, known) is Veracity.REFUTED

    def test_what_another_name_of_the_claim_says_is_not_refuted_by_a_side_remark(self) -> None:
        facts = [fact("Russian Empire", "P571", year(1721))]
        assert verdict("Russian Empire was founded in 1885.", facts, "Russian Empire") is Veracity.REFUTED
        text = "Lyon was founded in 1885, during the Russian Empire."
        assert verdict(text, facts, "Lyon; Russian Empire") is None

    @pytest.mark.parametrize(
        ("text", "span", "label", "share"),
        [
            ("Excuse My French is an album.", (10, 16), "French", 1 / 9),
            ("The Chrysler Building is tall.", (4, 12), "Chrysler", 1 / 4),
            ("President Marsh was born in Lyon.", (10, 15), "Jo Marsh", 1.0),  # a title
            ("Writer Jo Marsh was born in Lyon.", (7, 15), "Jo Marsh", 1.0),  # a common word, first in its sentence
            ("The American Jo Marsh was born in Lyon.", (13, 21), "Jo Marsh", 1.0),  # a demonym
        ],
    )
    def test_a_mention_counts_by_its_share_of_a_longer_name_squared(
        self, text: str, span: tuple[int, int], label: str, share: float
    ) -> None:
        mention = text[slice(*span)]
        facts = [fact(label, "P31", "city")]
        reading = read_claim_text(state_of(text, facts, {mention: [(label, 1.0)]}))
        assert reading.arguments(thing(label))[0].score == pytest.approx(share)


@settings(max_examples=60, deadline=None)
@given(
    text=st.text(alphabet=st.characters(codec="utf-8", exclude_categories=["Cs"]), min_size=1, max_size=80),
    labels=st.lists(st.text(min_size=1, max_size=25), min_size=2, max_size=5),
    relation=st.sampled_from(["P19", "P57", "P106", "P569", "P1082", "P31", "P530", "P99999"]),
)
def test_any_claim_over_any_labels_is_judged(text: str, labels: list[str], relation: str) -> None:
    facts = [fact(labels[0], relation, label) for label in labels[1:]]
    facts += [fact(labels[0], relation, year(1900)), fact(labels[0], relation, Quantity(amount=Decimal(7)))]
    state = state_of(text, facts, {labels[0]: [(labels[0], 0.9)], text[:10]: [(labels[1], 0.5)]})
    for finding in judge_statements(state):
        assert 0.0 <= finding.strength <= 1.0
        assert finding.evidence_ids
        assert all(each in state.evidence for each in finding.evidence_ids)
