"""Entity linking: which words of a claim name what, and when it abstains or fails."""

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wkgfc.claim import Claim
from wkgfc.evidence import Direction, Entity, Relation, Triple
from wkgfc.kg.graph import Candidate, Neighbour, RelatedTriples
from wkgfc.kg.linking import MAX_CANDIDATES, MAX_MENTIONS, MAX_SEARCHES, LinkedClaim, link
from wkgfc.kg.mentions import propose
from wkgfc.kg.names import NameRow, Names, write_names
from wkgfc.language import parse
from wkgfc.reasoning.reasoner import OfferedRelation, Ranking
from wkgfc.state import Failed, Nothing, Retrieved, found

ROWS = [
    NameRow("Q243", "Eiffel Tower", "tower in Paris, France", ["La Tour Eiffel"], 20),
    NameRow("Q90", "Paris", "capital and largest city of France", [], 900),
    NameRow("Q830149", "Paris", "city in Texas, United States", ["Paris, Texas"], 12),
    NameRow("Q47899", "Paris Hilton", "American media personality", [], 15),
    NameRow("Q882", "Charlie Chaplin", "British comic actor and filmmaker", ["Charles Chaplin"], 76),
    NameRow("Q230636", "Geraldine Chaplin", "British actress", [], 17),
    NameRow("Q84", "London", "capital of England", [], 800),
    NameRow("Q30", "United States of America", "country in North America", ["US", "U.S.", "United States"], 10_000),
    NameRow("Q16", "Canada", "country in North America", [], 2_000),
    NameRow("Q76", "Barack Obama", "44th president of the United States", ["Obama"], 61),
    NameRow("Q782", "Hawaii", "state of the United States", [], 84),
    NameRow("Q127367", "The Lord of the Rings: The Fellowship of the Ring", "2001 film", [], 80),
    NameRow("Q164963", "The Lord of the Rings: The Two Towers", "2002 film", [], 70),
    NameRow("Q15228", "The Lord of the Rings", "fantasy novel", ["Lord of the Rings"], 32),
    NameRow("Q4465", "Peter Jackson", "New Zealand film director", [], 40),
    NameRow("Q35149", "Wilhelm Röntgen", "German physicist", ["Wilhelm Conrad Röntgen"], 30),
    NameRow("Q856897", "Kellogg's", "American food company", [], 9),
    NameRow("Q1", "2 Hearts", "song by Kylie Minogue", [], 6),
    NameRow("Q2", "2 Hearts", "1999 novel", [], 6),
    NameRow("Q41044", "Kylie Minogue", "Australian singer", [], 44),
    NameRow("Q308", "Mercury", "planet of the Solar System", [], 40),
    NameRow("Q925", "mercury", "chemical element", ["Hg"], 40),
    NameRow("Q227", "Mercury", "Wikimedia disambiguation page", [], 90, True),
    NameRow("Q500", "Category:Moon", "Wikimedia category", ["Moon"], 5, True),
    NameRow("Q336", "giraffe", "African mammal", [], 8),
    NameRow("Q897", "gold", "chemical element", [], 25),
    NameRow("Q332368", "A View to a Kill", "1985 film", [], 20),
    NameRow("Q449743", "Always", "1989 film", [], 7),
    NameRow("Q2449", "Mogadishu", "capital of Somalia", [], 21),
    NameRow("Q272069", "Damon Albarn", "English musician", [], 33),
    NameRow("Q189729", "Philip Glass", "American composer", [], 37),
    NameRow("Q9531", "BBC", "British broadcaster", [], 200),
    NameRow("Q5", "human", "species", [], 900),
    NameRow("Q600789", "Joe", "1970 film", [], 14),
    NameRow("Q23", "George Washington", "president of the United States", ["Washington"], 57),
    NameRow("Q1223", "Washington", "state of the United States", [], 57),
    NameRow("Q35657", "U.S. state", "constituent political entity", [], 300),
    NameRow("Q144", "dog", "domestic animal", [], 60),
]
FACTS = [
    ("Q1", "P175", "Q41044"),
    ("Q882", "P31", "Q5"),
    ("Q882", "P19", "Q84"),
    ("Q230636", "P31", "Q5"),
    ("Q23", "P31", "Q5"),
    ("Q1223", "P31", "Q35657"),
    ("Q243", "P131", "Q90"),
]


class SmallGraph:
    """A knowledge graph of a table of names and a few facts."""

    name = "small"
    version = "1"

    def __init__(self, names: Names) -> None:
        self._names = names
        self.searches: list[str] = []

    async def candidates(self, mention: str, limit: int = 20) -> Retrieved[Candidate]:
        self.searches.append(mention)
        return found(self._names.candidates(mention, limit))

    async def entities(self, ids: Sequence[str]) -> Retrieved[Entity]:
        return found(self._names.entities(ids))

    async def relations(self, frontier: Sequence[Entity]) -> Retrieved[OfferedRelation]:
        return Nothing()

    async def triples(
        self,
        frontier: Sequence[Entity],
        chosen: Sequence[tuple[Relation, Direction]],
        limit: int,
        towards: Sequence[Entity] = (),
    ) -> Retrieved[Triple]:
        return Nothing()

    async def neighbourhood(
        self, entity: Entity, direction: Direction, limit: int, towards: Sequence[Entity] = ()
    ) -> Retrieved[RelatedTriples]:
        return Nothing()

    async def ranking(self, ranking: Ranking, limit: int) -> Retrieved[Triple]:
        return Nothing()


class LocalGraph(SmallGraph):
    """The same with all its names and facts at hand."""

    def known(self, mentions: Iterable[str]) -> frozenset[str]:
        return self._names.known(mentions)

    async def neighbours(self, ids: Sequence[str], limit: int = 48) -> Retrieved[Neighbour]:
        return found(
            [
                Neighbour(entity_id=subject, relation_id=relation, other=self._names.entities([other])[0])
                for subject, relation, other in FACTS
                if subject in ids
            ]
        )


class BrokenGraph(LocalGraph):
    """One whose searches fail, all or some of them."""

    def __init__(self, names: Names, failing: Sequence[str] | None = None) -> None:
        super().__init__(names)
        self._failing = failing

    async def candidates(self, mention: str, limit: int = 20) -> Retrieved[Candidate]:
        if self._failing is None or mention in self._failing:
            return Failed("the search timed out")
        return await super().candidates(mention, limit)


class LonelyGraph(LocalGraph):
    """One that cannot say what is near."""

    async def neighbours(self, ids: Sequence[str], limit: int = 48) -> Retrieved[Neighbour]:
        return Failed("the query timed out")


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Names]:
    path: Path = tmp_path_factory.mktemp("names") / "names.sqlite"
    write_names(path, ROWS)
    table = Names(path)
    yield table
    table.close()


def linked(text: str, graph: SmallGraph) -> LinkedClaim:
    outcome = asyncio.run(link(Claim(text=text), graph))
    assert isinstance(outcome, LinkedClaim)
    return outcome


def best(text: str, graph: SmallGraph) -> dict[str, str]:
    """The first candidate of each mention."""
    return {mention.text: mention.candidates[0].entity.id for mention in linked(text, graph).mentions}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The Eiffel Tower is in Paris.", {"The Eiffel Tower": "Q243", "Paris": "Q90"}),
        ("Chaplin was born in London.", {"Chaplin": "Q882", "London": "Q84"}),
        ("The US borders Canada.", {"The US": "Q30", "Canada": "Q16"}),
        ("The U.S. has fifty states.", {"U.S.": "Q30"}),
        ("barack obama was born in hawaii", {"barack obama": "Q76", "hawaii": "Q782"}),
        ("chaplin was born in london", {"chaplin": "Q882", "london": "Q84"}),
        ("glass was born in london", {"glass": "Q189729", "london": "Q84"}),  # which the parse takes for a thing
        ("röntgen was a physicist", {"röntgen": "Q35149"}),
        ("BARACK OBAMA WAS BORN IN HAWAII.", {"BARACK OBAMA": "Q76", "HAWAII": "Q782"}),
        ("President Obama lives there.", {"Obama": "Q76"}),
        ("“2 Hearts” was sung by Kylie Minogue.", {"2 Hearts": "Q1", "Kylie Minogue": "Q41044"}),
        (
            "The Lord of the Rings: The Two Towers was directed by Peter Jackson.",
            {"The Lord of the Rings: The Two Towers": "Q164963", "Peter Jackson": "Q4465"},
        ),
        ("The Lord of the Rings: The Musical was a flop.", {"The Lord of the Rings": "Q15228"}),
        ("A View to a Kill is the fourteenth film.", {"A View to a Kill": "Q332368"}),
        ("Always was directed by Peter Jackson.", {"Always": "Q449743", "Peter Jackson": "Q4465"}),
        ("Rontgen was a physicist.", {"Rontgen": "Q35149"}),
        ("Wilhelm Conrad Rontgen was a physicist.", {"Wilhelm Conrad Rontgen": "Q35149"}),
        ("Kellogg's makes cereal.", {"Kellogg's": "Q856897"}),
        ("Paris Hilton lives in Paris, Texas.", {"Paris Hilton": "Q47899", "Paris, Texas": "Q830149"}),
        ("There is a capital called Mogadishu.", {"Mogadishu": "Q2449"}),
        ("Damon Albarn's debut album was released in 2011.", {"Damon Albarn": "Q272069"}),
        ("Phillip Glass has written operas.", {"Phillip Glass": "Q189729"}),
        ("Giraffes are the tallest animals.", {"Giraffes": "Q336"}),
        ("The chemical symbol of gold is unknown.", {"gold": "Q897"}),
        ("The colour of the Eiffel Tower is gold.", {"Eiffel Tower": "Q243", "gold": "Q897"}),
    ],
)
def test_what_a_claim_names(names: Names, text: str, expected: dict[str, str]) -> None:
    assert best(text, LocalGraph(names)) == expected


@pytest.mark.parametrize(
    "text",
    [
        "He was born on May 5, 1990.",
        "It is raining.",
        "They came second in the 1980s.",
        "She won 3 of 14 in us.",
        "Everyone knows that this is so.",
        "On Monday, 25 percent were left.",
        "running is healthy",
        "anger is bad",
    ],
)
def test_pronouns_dates_and_numbers_name_nothing(names: Names, text: str) -> None:
    outcome = linked(text, LocalGraph(names))
    assert outcome.mentions == ()
    assert outcome.abstention
    assert outcome.ranked == ()
    assert outcome.topic_entities == {}


def test_what_the_claim_says_of_it_decides(names: Names) -> None:
    graph = LocalGraph(names)
    assert best("Mercury is the smallest planet.", graph)["Mercury"] == "Q308"
    assert best("Mercury is a chemical element.", graph)["Mercury"] == "Q925"
    assert best("“2 Hearts” is a song.", graph)["2 Hearts"] == "Q1"
    assert best("“2 Hearts” is a novel.", graph)["2 Hearts"] == "Q2"
    assert best("Washington was born in 1732.", graph)["Washington"] == "Q23"


def test_close_candidates_are_kept_and_pages_are_not(names: Names) -> None:
    (mention,) = linked("Mercury is well known.", LocalGraph(names)).mentions
    assert {candidate.entity.id for candidate in mention.candidates} == {"Q308", "Q925"}
    scores = [candidate.score for candidate in mention.candidates]
    assert scores == sorted(scores, reverse=True)
    assert sum(scores) <= 1


def test_a_name_that_only_pages_bear_is_not_linked(names: Names) -> None:
    outcome = linked("Moon is nice.", LocalGraph(names))
    assert outcome.mentions == ()
    assert outcome.abstention is not None
    assert "Moon" in outcome.abstention


def test_it_abstains_where_nothing_fits(names: Names) -> None:
    outcome = linked("Zorblax Quuxington invented the flumph.", LocalGraph(names))
    assert outcome.mentions == ()
    assert [each.text for each in outcome.unlinked] == ["Zorblax Quuxington"]
    assert outcome.abstention == "nothing in the knowledge graph is named “Zorblax Quuxington”"


def test_a_person_who_is_not_there_is_not_taken_for_what_shares_a_name(names: Names) -> None:
    assert "Joe" not in best("Joe Rogan works for the BBC.", LocalGraph(names))
    assert best("Joe Rogan works for the BBC.", LocalGraph(names)) == {"BBC": "Q9531"}


@pytest.mark.parametrize(
    ("text", "entity"),
    [
        ("Paris Hilton vient juste d'arriver à Londres.", "Q47899"),
        ("Geraldine Chaplin vient juste de tourner un film.", "Q230636"),
    ],
)
def test_a_part_of_a_name_waits_for_the_name(names: Names, text: str, entity: str) -> None:
    outcome = asyncio.run(link(Claim(text=text, language="fr"), LocalGraph(names)))
    assert isinstance(outcome, LinkedClaim)
    assert [mention.candidates[0].entity.id for mention in outcome.mentions] == [entity]


def test_the_subject_comes_first(names: Names) -> None:
    outcome = linked("In London, Charlie Chaplin met Barack Obama.", LocalGraph(names))
    roles = {mention.text: mention.role for mention in outcome.mentions}
    assert roles["Charlie Chaplin"] == "subject"
    assert roles["Barack Obama"] == "object"
    assert [mention.salience for mention in outcome.mentions] == sorted(
        (mention.salience for mention in outcome.mentions), reverse=True
    )
    outcome = linked("Charlie Chaplin met Barack Obama in London.", LocalGraph(names))
    assert [mention.text for mention in outcome.mentions] == ["Charlie Chaplin", "Barack Obama", "London"]
    assert outcome.ranked[0].entity.id == "Q882"
    assert next(iter(outcome.topic_entities)) == "Charlie Chaplin"


def test_a_graph_without_its_names_at_hand_is_searched_for_what_the_parse_gives(names: Names) -> None:
    graph = SmallGraph(names)
    assert best("The Eiffel Tower is in Paris.", graph) == {"The Eiffel Tower": "Q243", "Paris": "Q90"}
    assert best("Barack Obama was born in Hawaii.", graph) == {"Barack Obama": "Q76", "Hawaii": "Q782"}
    assert len(graph.searches) <= 8


def test_a_failed_search_is_a_failure(names: Names) -> None:
    outcome = asyncio.run(link(Claim(text="The Eiffel Tower is in Paris."), BrokenGraph(names)))
    assert outcome == Failed("the search timed out")


def test_a_search_that_fails_beside_one_that_works_is_told(names: Names) -> None:
    outcome = linked("The Eiffel Tower is in Paris.", BrokenGraph(names, failing=["Paris"]))
    assert [mention.text for mention in outcome.mentions] == ["The Eiffel Tower"]
    assert outcome.failures == ("the search timed out",)


def test_without_neighbours_it_links_by_what_it_has(names: Names) -> None:
    outcome = linked("Mercury is a planet near Paris.", LonelyGraph(names))
    assert outcome.mentions[0].candidates[0].entity.id == "Q308"
    assert outcome.failures == ("the query timed out",)


def test_the_same_claim_links_the_same(names: Names) -> None:
    text = "Mercury, Paris and Washington are names in the US and Canada."
    assert linked(text, LocalGraph(names)) == linked(text, LocalGraph(names))


def test_a_linked_claim_goes_through_json(names: Names) -> None:
    outcome = linked("The Eiffel Tower is in Paris, says Zorblax Quuxington.", LocalGraph(names))
    assert LinkedClaim.model_validate_json(outcome.model_dump_json()) == outcome


# Words that meet the names above in odd ways, and any text at all.
ODD_WORDS = """
    The the US us Paris paris 's " “ ” ( ) , . : - 1889 Chaplin was born of a is A View to Kill Mercury not é 2 Hearts
    Röntgen \u202e 🙂
"""
WORDS = st.sampled_from(ODD_WORDS.split())
CLAIMS = st.one_of(st.text(min_size=1, max_size=300), st.lists(WORDS, min_size=1, max_size=40).map(" ".join))


@settings(max_examples=150, deadline=None)
@given(text=CLAIMS)
def test_any_text_is_linked_or_not_and_mentions_quote_it(names: Names, text: str) -> None:
    for graph in (LocalGraph(names), SmallGraph(names)):
        outcome = linked(text, graph)
        assert len(outcome.mentions) <= MAX_MENTIONS
        assert len(set(graph.searches)) <= 2 * MAX_SEARCHES
        for mention in outcome.mentions:
            assert text[mention.start : mention.end] == mention.text
            assert 1 <= len(mention.candidates) <= MAX_CANDIDATES
            assert all(0 < candidate.score <= 1 for candidate in mention.candidates)
            assert 0 < mention.salience <= 1
        for one, other in zip(outcome.mentions, outcome.mentions[1:], strict=False):
            assert one.end <= other.start or other.end <= one.start
        assert (outcome.abstention is None) == bool(outcome.mentions)


@settings(max_examples=100, deadline=None)
@given(text=CLAIMS)
def test_proposed_spans_quote_the_text(text: str) -> None:
    doc = parse(text)
    for span in propose(doc):
        assert text[span.start : span.end] == span.text
        assert span.forms[0] == span.text


def test_a_long_text_costs_bounded_searches(names: Names) -> None:
    graph = LocalGraph(names)
    outcome = linked(" ".join(f"Paris, London and Canada{number} are named." for number in range(40))[:2_000], graph)
    assert len(outcome.mentions) <= MAX_MENTIONS
    assert len(graph.searches) <= 2 * MAX_SEARCHES
