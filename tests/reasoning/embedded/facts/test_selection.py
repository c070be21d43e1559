"""What is followed in the knowledge graph: relations, triples, the next frontier, and when it is enough."""

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from wkgfc.claim import Claim
from wkgfc.evidence import Direction, Entity, Relation, Source, Time, Triple, Value
from wkgfc.reasoning.embedded.facts.selection import Review, is_promising, select_entities, select_relations
from wkgfc.reasoning.embedded.lexicon.relations import lexicon
from wkgfc.reasoning.reasoner import EntitySelection, OfferedRelation
from wkgfc.state import BeliefState

DESCRIPTIONS = {
    "Lyon": "city in France",
    "Turin": "city in Italy",
    "Italy": "country in Southern Europe",
    "Ada Verne": "French novelist (1850–1910)",
    "Kim Lane": "American actor",
    "novelist": "occupation",
}
LABELS = {"P99999": "sponsor of"}


def thing(label: str) -> Entity:
    return Entity(id=f"Q-{label}", label=label, description=DESCRIPTIONS.get(label))


def relation(identifier: str) -> Relation:
    return Relation(id=identifier, label=LABELS.get(identifier) or lexicon()[identifier].label)


def offer(identifier: str, *of: str, direction: Direction = "out", count: int = 1) -> OfferedRelation:
    return OfferedRelation(
        relation=relation(identifier), direction=direction, entities=tuple(map(thing, of)), count=count
    )


def fact(subject: str, identifier: str, value: str | Value) -> Triple:
    return Triple(
        subject=thing(subject),
        relation=relation(identifier),
        object=thing(value) if isinstance(value, str) else value,
        source=Source(name="test"),
    )


def state_of(text: str, *mentions: str, expanded: Sequence[str] = ()) -> BeliefState:
    state = BeliefState(claim=Claim(text=text))
    for mention in mentions:
        state.topic_entities[mention] = ((thing(mention), 0.95),)
    state.expanded.update(thing(label).id for label in expanded)
    state.hops = 1
    return state


def chosen(state: BeliefState, offered: Sequence[OfferedRelation], limit: int = 4) -> list[tuple[str, Direction]]:
    return [(each.relation.id, each.direction) for each in select_relations(state, offered, limit).relations]


OFFERED = [offer(each, "Ada Verne") for each in ("P21", "P106", "P27", "P69", "P20", "P569", "P570", "P19", "P26")]


class TestRelations:
    def test_what_the_claim_says_comes_first(self) -> None:
        state = state_of("Ada Verne was born in Lyon.", "Ada Verne", "Lyon")
        assert chosen(state, OFFERED)[0] == ("P19", "out")
        state = state_of("Ada Verne studied at Lyon.", "Ada Verne", "Lyon")
        assert chosen(state, OFFERED)[0] == ("P69", "out")

    def test_the_kind_of_the_other_mention_tells_born_in_from_born_in(self) -> None:
        assert chosen(state_of("Ada Verne was born in 1850.", "Ada Verne"), OFFERED)[0] == ("P569", "out")
        state = state_of("Ada Verne was born in Lyon.", "Ada Verne", "Lyon")
        assert ("P19", "out") in chosen(state, OFFERED, 1)

    def test_no_more_than_asked_for(self) -> None:
        state = state_of("Ada Verne was a novelist who was born and died in Lyon.", "Ada Verne", "Lyon")
        assert len(chosen(state, OFFERED, 2)) == 2

    def test_what_nothing_speaks_for_is_not_followed(self) -> None:
        state = state_of("Ada Verne liked cycling.", "Ada Verne")
        assert chosen(state, OFFERED) == []

    def test_scores_are_shares_and_in_order(self) -> None:
        state = state_of("Ada Verne was a novelist who died in Lyon.", "Ada Verne", "Lyon")
        scores = [each.score for each in select_relations(state, OFFERED, 9).relations]
        assert scores == sorted(scores, reverse=True)
        assert all(0.0 < score <= 1.0 for score in scores)

    def test_a_relation_that_reaches_both_mentions_is_asked_where_fewer_statements_are(self) -> None:
        state = state_of("Ada Verne was born in Lyon.", "Ada Verne", "Lyon")
        offered = [
            offer("P19", "Ada Verne"),
            offer("P19", "Lyon", direction="in", count=5_000),
            offer("P20", "Ada Verne"),
        ]
        assert chosen(state, offered, 1) == [("P19", "out")]

    def test_a_relation_beside_the_lexicon_is_chosen_by_its_label(self) -> None:
        state = state_of("Ada Verne is the sponsor of Lyon.", "Ada Verne", "Lyon")
        assert chosen(state, [offer("P99999", "Ada Verne"), *OFFERED])[0] == ("P99999", "out")

    def test_without_words_the_kind_of_the_other_mention_still_counts(self) -> None:
        state = state_of("Ada Verne loved Lyon.", "Ada Verne", "Lyon")
        found = chosen(state, [offer("P551", "Ada Verne"), offer("P1412", "Ada Verne")])
        assert found == [("P551", "out")]

    def test_of_an_unnamed_place_what_holds_it_is_followed(self) -> None:
        state = state_of("Ada Verne was born in Italy.", "Ada Verne", "Italy")
        offered = [offer("P17", "Turin"), offer("P131", "Turin"), offer("P190", "Turin"), offer("P47", "Turin")]
        assert {identifier for identifier, _ in chosen(state, offered, 2)} == {"P17", "P131"}

    def test_equals_are_ordered_by_id(self) -> None:
        state = state_of("Ada Verne died.", "Ada Verne")
        offered = [offer("P570", "Ada Verne"), offer("P20", "Ada Verne")]
        assert chosen(state, offered) == chosen(state, list(reversed(offered)))

    @settings(max_examples=50, deadline=None)
    @given(st.text(min_size=1, max_size=80), st.text(max_size=30), st.text(max_size=30))
    def test_any_text_and_label_can_be_selected_by(self, text: str, name: str, label: str) -> None:
        state = BeliefState(claim=Claim(text=text))
        entity = Entity(id="Q1", label=name)
        state.topic_entities[text[:8]] = ((entity, 0.5),)
        offered = [
            OfferedRelation(relation=Relation(id="P1", label=label), direction=direction, entities=(entity,), count=2)
            for direction in ("out", "in")
        ]
        assert len(select_relations(state, offered, 1).relations) <= 1


def select(
    state: BeliefState, triples: Sequence[Triple], *, max_triples: int = 2, max_entities: int = 2, enough: bool = False
) -> EntitySelection:
    return select_entities(state, triples, max_triples, max_entities, lambda _: Review(suffices=enough))


class TestEntities:
    BORN = "Ada Verne was born in Italy."

    def test_triples_that_lead_to_what_the_claim_names_come_first(self) -> None:
        state = state_of("Ada Verne was married to Kim Lane.", "Ada Verne", "Kim Lane", expanded=["Ada Verne"])
        triples = [fact("Ada Verne", "P26", name) for name in ("Al", "Bo", "Kim Lane", "Cy")]
        kept = select(state, triples).triples
        assert len(kept) == 2
        assert kept[0].triple.object == thing("Kim Lane")
        assert kept[0].score > kept[1].score

    def test_words_that_nothing_links_count_too(self) -> None:
        state = state_of("Ada Verne was a novelist.", "Ada Verne", expanded=["Ada Verne"])
        triples = [fact("Ada Verne", "P106", name) for name in ("baker", "cook", "novelist", "diver")]
        assert select(state, triples, max_triples=1).triples[0].triple.object == thing("novelist")

    def test_a_date_that_agrees_comes_first(self) -> None:
        state = state_of("Ada Verne was born in 1850.", "Ada Verne", expanded=["Ada Verne"])
        triples = [fact("Ada Verne", "P569", Time(value=f"{year}-01-01", precision=9)) for year in (1849, 1850, 1851)]
        assert select(state, triples, max_triples=1).triples[0].triple.key == triples[1].key

    def test_each_relation_keeps_its_own(self) -> None:
        state = state_of(self.BORN, "Ada Verne", "Italy", expanded=["Ada Verne"])
        triples = [fact("Ada Verne", each, name) for each in ("P19", "P551") for name in ("Turin", "Lyon", "Rome")]
        kept = [each.triple.relation.id for each in select(state, triples).triples]
        assert sorted(kept) == ["P19", "P19", "P551", "P551"]

    def test_a_place_that_the_claim_may_name_wider_is_expanded_next(self) -> None:
        state = state_of(self.BORN, "Ada Verne", "Italy", expanded=["Ada Verne", "Italy"])
        triples = [fact("Ada Verne", "P19", "Turin"), fact("Ada Verne", "P26", "Kim Lane")]
        frontier = select(state, triples).frontier
        assert frontier[0].entity == thing("Turin")
        assert all(0.0 <= each.score <= 1.0 for each in frontier)

    def test_what_was_expanded_or_is_named_is_not_expanded_again(self) -> None:
        state = state_of(self.BORN, "Ada Verne", "Italy", expanded=["Ada Verne", "Turin"])
        triples = [fact("Ada Verne", "P19", "Turin"), fact("Ada Verne", "P19", "Italy")]
        assert select(state, triples).frontier == ()

    def test_the_frontier_has_no_more_than_asked_for(self) -> None:
        state = state_of(self.BORN, "Ada Verne", "Italy", expanded=["Ada Verne"])
        triples = [fact("Ada Verne", "P19", f"Town {number}") for number in range(9)]
        assert len(select(state, triples, max_triples=9).frontier) == 2

    def test_when_it_is_enough_nothing_is_expanded(self) -> None:
        state = state_of(self.BORN, "Ada Verne", "Italy", expanded=["Ada Verne"])
        found = select(state, [fact("Ada Verne", "P19", "Turin")], enough=True)
        assert found.sufficient
        assert found.frontier == ()

    def test_the_review_sees_the_kept_triples_and_the_state_stays(self) -> None:
        state = state_of("Ada Verne was married to Kim Lane.", "Ada Verne", "Kim Lane", expanded=["Ada Verne"])
        seen: list[int] = []

        def review(after: BeliefState) -> Review:
            seen.append(len(after.evidence))
            return Review(suffices=False, meant=(thing("Lyon"),))

        triples = [fact("Ada Verne", "P26", name) for name in ("Al", "Bo", "Kim Lane")]
        found = select_entities(state, triples, 2, 2, review)
        assert seen == [2]
        assert len(state.evidence) == 0
        assert found.frontier[0].entity == thing("Lyon")

    def test_the_order_in_which_triples_come_does_not_matter(self) -> None:
        state = state_of(self.BORN, "Ada Verne", "Italy", expanded=["Ada Verne"])
        triples = [fact("Ada Verne", each, name) for each in ("P19", "P551") for name in ("Turin", "Lyon", "Rome")]
        assert select(state, triples) == select(state, list(reversed(triples)))

    def test_no_triples_leave_nothing(self) -> None:
        found = select(state_of(self.BORN, "Ada Verne"), [])
        assert (found.triples, found.frontier, found.sufficient) == ((), (), False)


class TestPromise:
    def test_a_value_that_is_not_compared_yet_promises_something(self) -> None:
        state = state_of("Ada Verne was born in Italy.", "Ada Verne", "Italy", expanded=["Ada Verne", "Italy"])
        state.evidence.add_kg_triple(fact("Ada Verne", "P19", "Turin"), hop=1)
        state.frontier = (thing("Turin"),)
        assert is_promising(state)

    def test_a_frontier_that_the_claim_does_not_turn_on_promises_nothing(self) -> None:
        state = state_of("Ada Verne was born in Italy.", "Ada Verne", "Italy", expanded=["Ada Verne", "Italy"])
        state.evidence.add_kg_triple(fact("Ada Verne", "P26", "Kim Lane"), hop=1)
        state.frontier = (thing("Kim Lane"),)
        assert not is_promising(state)
