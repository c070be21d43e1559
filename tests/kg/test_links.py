"""All statements of a relation, of whatever rank, with their ends and with times at their precision."""

from pathlib import Path

import pytest

from small_graphs import WORLD, store_of
from wkgfc.errors import NotConfigured
from wkgfc.evidence import Time
from wkgfc.kg.links import Link, Links


@pytest.fixture
def links(tmp_path: Path) -> Links:
    return Links(store_of(tmp_path, WORLD).path)


def test_ranks_and_ends_are_told(links: Links) -> None:
    mayors = {(link.object, link.is_best, link.has_ended) for link in links.of("P6")}
    assert mayors >= {("Q41", False, True), ("Q42", True, False), ("Q43", False, False)}


def test_a_fact_that_only_a_direct_link_states_is_there(links: Links) -> None:
    assert Link("Q10", "Q20", is_best=True) in set(links.of("P19"))


def test_times_come_with_their_precision(links: Links) -> None:
    assert [link.object for link in links.times_of("P569")] == [Time(value="1889-04-16", precision=11)]


def test_a_time_whose_precision_is_none_is_left_out(tmp_path: Path) -> None:
    graph = store_of(
        tmp_path,
        WORLD
        + '''
wd:Q10 p:P571 s:Q10-end
s:Q10-end psv:P571 v:end
v:end wikibase:timeValue "1977-12-25T00:00:00Z"^^xsd:dateTime
v:end wikibase:timePrecision "a day"''',
    )
    assert list(Links(graph.path).times_of("P571")) == []


def test_what_is_no_property_or_no_store_is_refused(links: Links, tmp_path: Path) -> None:
    for ask in (links.of, links.times_of):
        with pytest.raises(ValueError, match="no id of a property"):
            list(ask("P31> ?o } #"))
    with pytest.raises(NotConfigured, match="cannot be opened"):
        Links(tmp_path / "nowhere")
