import asyncio
import os
import shutil
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from small_graphs import (
    HOSTILE,
    WORLD,
    as_literal,
    entity,
    ids,
    items,
    properties,
    relation,
    statement,
    store_of,
    triples_around,
)
from wkgfc.errors import NotConfigured
from wkgfc.evidence import Direction, Entity, Missing, Quantity, Rank, Text, Time
from wkgfc.kg import queries
from wkgfc.kg.expansion import DIRECTIONS
from wkgfc.kg.graph import KnowledgeGraph, NameTable, Neighbourhood
from wkgfc.kg.store import EmbeddedStore, open_store
from wkgfc.reasoning.reasoner import Ranking
from wkgfc.state import Failed, Found, Nothing
from wkgfc.usage import metered


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedStore]:
    store = store_of(tmp_path_factory.mktemp("world"), WORLD)
    yield store
    store.close()


async def test_it_is_what_retrieval_and_linking_ask_for(world: EmbeddedStore) -> None:
    graph: KnowledgeGraph = world
    assert isinstance(graph, NameTable)
    assert isinstance(graph, Neighbourhood)
    assert world.name == "wikidata"
    assert world.version == world.manifest.fingerprint


async def test_candidates_have_what_they_are_called_and_how_popular_they_are(world: EmbeddedStore) -> None:
    by_alias = items(await world.candidates("charles chaplin"))
    assert by_alias[0].entity == entity("Q10")
    assert by_alias[0].entity.description == "English actor"
    assert by_alias[0].links == 8  # eight facts about him: "no value" has no direct link, and no fact leads to him
    assert await world.candidates("nobody of this name") == Nothing()
    assert items(await world.candidates("Charlot")) == []  # French was not asked for
    pages = [each for each in items(await world.candidates("Chaplin")) if each.is_page]
    assert ids(each.entity for each in pages) == {"Q50"}
    assert world.known(["LONDON", "Paris ", "Atlantis"]) == {"LONDON", "Paris "}


async def test_a_redirected_id_brings_the_entity_that_it_leads_to(world: EmbeddedStore) -> None:
    assert [each.id for each in items(await world.entities(["Q99", "Q20", "Q10", "Q404", "no id"]))] == ["Q10", "Q20"]


async def test_relations_of_a_frontier_come_with_both_directions_and_counts(world: EmbeddedStore) -> None:
    offered = items(await world.relations([entity("Q10"), entity("Q20"), entity("no > id")]))
    counts = {(each.relation.id, each.direction): (each.count, ids(each.entities)) for each in offered}
    assert counts[("P31", "out")] == (2, {"Q10", "Q20"})
    assert counts[("P19", "in")] == (1, {"Q20"})
    assert counts[("P1082", "out")] == (4, {"Q20"})
    assert counts[("P40", "out")] == (1, {"Q10"})  # only "no value": no direct link leads there
    labels = {each.relation.id: each.relation.label for each in offered}
    assert labels["P569"] == "date of birth"
    assert next(each.relation.datatype for each in offered if each.relation.id == "P569") == "Time"
    incoming = items(await world.relations([entity("Q41")]))
    assert [(each.relation.id, each.direction) for each in incoming] == [("P6", "in")]  # of normal rank, but there


async def test_values_come_in_full(world: EmbeddedStore) -> None:
    chosen: list[tuple[Any, Direction]] = [
        (relation(each), "out") for each in ("P569", "P2048", "P1559", "P20", "P40", "P19", "P27")
    ]
    found = {each.relation.id: each for each in items(await world.triples([entity("Q10")], chosen, 5))}
    assert found["P569"].object == Time(value="1889-04-16", precision=11)
    assert found["P569"].references == ("https://example.org/register",)
    assert found["P569"].source.url == "https://www.wikidata.org/wiki/Q10"
    assert found["P569"].source.name == "wikidata"
    assert found["P2048"].object == Quantity(amount=Decimal("1.65"), unit=Entity(id="Q11573", label="metre"))
    assert found["P2048"].object.unit.label == "metre"
    assert found["P1559"].object == Text(value="Charles Spencer Chaplin", language="en")
    assert found["P20"].object == Missing(value="unknown")
    assert found["P40"].object == Missing(value="none")
    assert found["P19"].object.label == "London"  # though no statement stands behind the direct link
    assert found["P19"].qualifiers == ()
    qualifiers = {each.relation.label: each.value for each in found["P27"].qualifiers}
    assert qualifiers == {"start time": Time(value="1889-01-01", precision=9), "end time": Missing(value="none")}
    assert all(each.count == 1 for each in found.values())


async def test_a_day_of_the_julian_calendar_before_the_common_era(world: EmbeddedStore) -> None:
    (death,) = items(await world.triples([entity("Q60")], [(relation("P570"), "out")], 5))
    assert death.object == Time(value="-0044-03-15", precision=11, calendar="julian")
    assert death.relation.label == "P570"  # the dump does not name it


async def test_ranks_are_kept_and_deprecated_statements_left_out(world: EmbeddedStore) -> None:
    mayors = items(await world.triples([entity("Q20")], [(relation("P6"), "out")], 5))
    assert [(each.object.id, each.rank) for each in mayors] == [("Q42", Rank.PREFERRED), ("Q41", Rank.NORMAL)]
    assert mayors[1].qualifiers[0].value == Time(value="2008-05-04", precision=11)
    assert {each.count for each in mayors} == {2}
    for mayor, expected in (("Q41", 1), ("Q42", 1), ("Q43", 0)):
        assert len(items(await world.triples([entity(mayor)], [(relation("P6"), "in")], 5))) == expected


async def test_the_newest_come_first_where_not_all_do(world: EmbeddedStore) -> None:
    populations = items(await world.triples([entity("Q20")], [(relation("P1082"), "out")], 2))
    assert [int(each.object.amount) for each in populations] == [8_800_000, 7_200_000]
    assert {each.count for each in populations} == {4}


async def test_what_leads_to_the_claims_entities_comes_before_that(tmp_path: Path) -> None:
    members = "\n".join(statement(f"Q1-{n}", "Q1", "P463", f"wd:Q{n}") for n in range(100, 160))
    towards = "\n".join(statement(f"Q{n}-1", f"Q{n}", "P463", "wd:Q1") for n in range(200, 260))
    graph = store_of(tmp_path, f"{members}\n{towards}")
    chosen: list[tuple[Any, Direction]] = [(relation("P463"), "out"), (relation("P463"), "in")]
    both = [entity("Q157"), entity("Q257")]
    found = items(await graph.triples([entity("Q1")], chosen, 3, both))
    assert found[0].object == entity("Q157")
    assert entity("Q257") in [each.subject for each in found]
    assert len(found) == 6
    assert {each.count for each in found} == {60}
    (outgoing, *_) = triples_around(await graph.neighbourhood(entity("Q1"), "out", 3, both))
    (incoming, *_) = triples_around(await graph.neighbourhood(entity("Q1"), "in", 3, both))
    assert (outgoing.object, incoming.subject) == (entity("Q157"), entity("Q257"))
    graph.close()


async def test_both_ways_of_asking_bring_the_same_triples(world: EmbeddedStore) -> None:
    for identifier in ("Q10", "Q20", "Q30", "Q46", "Q41", "Q515"):
        offered = items(await world.relations([entity(identifier)]))
        for direction in DIRECTIONS:
            chosen = [(each.relation, direction) for each in offered if each.direction == direction]
            asked = items(await world.triples([entity(identifier)], chosen, 3)) if chosen else []
            around = triples_around(await world.neighbourhood(entity(identifier), direction, 3))
            assert sorted(asked, key=str) == sorted(around, key=str)


@pytest.mark.parametrize("has_statements", [True, False])
async def test_both_ways_cut_many_incoming_triples_alike(tmp_path: Path, has_statements: bool) -> None:
    everyone = "\n".join(
        statement(f"Q{n}-{p}", f"Q{n}", p, "wd:Q1") if has_statements else f"wd:Q{n} wdt:{p} wd:Q1"
        for n in range(100, 180)
        for p in ("P17", "P131")
    )
    graph = store_of(tmp_path, everyone)
    chosen: list[tuple[Any, Direction]] = [(relation("P17"), "in"), (relation("P131"), "in")]
    asked = items(await graph.triples([entity("Q1")], chosen, 6, [entity("Q150")]))
    around = triples_around(await graph.neighbourhood(entity("Q1"), "in", 6, [entity("Q150")]))
    assert sorted(map(str, asked)) == sorted(map(str, around))
    assert len(asked) == 12
    assert {each.count for each in asked} == {80}
    graph.close()


async def test_direct_links_alone_lose_nothing_though_nothing_is_said_of_their_properties(tmp_path: Path) -> None:
    graph = store_of(tmp_path, 'wd:Q1 rdfs:label "Earth"@en\nwd:Q1 wdt:P31 wd:Q2\nwd:Q1 wdt:P2046 "510"^^xsd:decimal')
    offered = items(await graph.relations([entity("Q1"), entity("Q2")]))
    assert {(each.relation.id, each.direction) for each in offered} == {("P31", "out"), ("P31", "in"), ("P2046", "out")}
    around = triples_around(await graph.neighbourhood(entity("Q1"), "out", 5))
    assert {each.object for each in around} == {entity("Q2"), Quantity(amount=Decimal(510))}
    assert len(triples_around(await graph.neighbourhood(entity("Q2"), "in", 5))) == 1
    graph.close()


async def test_a_ranking_compares_entities_of_a_type_within_a_place(world: EmbeddedStore) -> None:
    def ask(within: str | None, *, descending: bool = True) -> Ranking:
        place = entity(within) if within else None
        return Ranking(relation=relation("P1082"), instance_of=entity("Q515"), within=place, descending=descending)

    everywhere = items(await world.ranking(ask(None), 10))
    assert [(each.subject.label, int(each.object.amount)) for each in everywhere] == [
        ("London", 8_800_000),  # a big city, one subclass down, with its largest population
        ("Paris", 2_100_000),  # though no statement stands behind it
        ("Bristol", 470_000),
    ]
    assert {each.count for each in everywhere} == {3}
    assert everywhere[0].qualifiers[0].value == Time(value="2021-01-01", precision=9)
    in_country = items(await world.ranking(ask("Q30", descending=False), 1))
    assert [(each.subject.label, each.count) for each in in_country] == [("Bristol", 2)]
    on_continent = items(await world.ranking(ask("Q46"), 10))
    assert [each.subject.label for each in on_continent] == ["London", "Paris", "Bristol"]
    assert await world.ranking(ask("Q5"), 10) == Nothing()


async def test_a_ranking_compares_amounts_of_different_units_as_what_they_are(tmp_path: Path) -> None:
    lines = [properties({"P2044": "elevation above sea level", "P31": "instance of"})]
    lines += amount("Q101", "P2044", "99999", "Q3710", rank="Normal", best=False)  # as it was once thought
    lines += ['wd:Q11573 rdfs:label "metre"@en', 'wd:Q3710 rdfs:label "foot"@en', 'wd:Q7 rdfs:label "ell of Ulm"@en']
    heights = {
        "Q101": ("8849", "Q11573"),
        "Q102": ("8611", "Q11573"),
        "Q103": ("20310", "Q3710"),
        "Q104": ("99999", "Q7"),
    }
    for mountain, (number, unit) in heights.items():
        lines += [f"wd:{mountain} wdt:P31 wd:Q8502", *amount(mountain, "P2044", number, unit, rank="Preferred")]
    graph = store_of(tmp_path, "\n".join(lines))

    async def ranked(*, descending: bool) -> list[str]:
        asked = Ranking(relation=relation("P2044"), instance_of=entity("Q8502"), descending=descending)
        found = items(await graph.ranking(asked, 10))
        assert {each.count for each in found} == {3}
        return [each.subject.id for each in found]

    assert await ranked(descending=True) == ["Q101", "Q102", "Q103"]  # 20,310 feet are 6,190 metres
    assert await ranked(descending=False) == ["Q103", "Q102", "Q101"]
    asked = Ranking(relation=relation("P2044"), instance_of=entity("Q8502"))
    assert items(await graph.ranking(asked, 1))[0].object == Quantity(amount=Decimal(8849), unit=entity("Q11573"))
    graph.close()


def amount(subject: str, name: str, number: str, unit: str, **rank: Any) -> list[str]:
    """An amount with its unit, as Wikidata's dumps write it."""
    node, literal = f"{subject}-{unit}", f'"+{number}"^^xsd:decimal'
    return [
        statement(node, subject, name, literal, **rank),
        f"s:{node} psv:{name} v:{node}",
        f"v:{node} wikibase:quantityAmount {literal}",
        f"v:{node} wikibase:quantityUnit wd:{unit}",
    ]


async def test_a_ranking_leaves_out_units_that_begin_elsewhere(tmp_path: Path) -> None:
    """Kelvins are no multiple of degrees Celsius: 300 of them are 26.85 degrees."""
    lines = [properties({"P2101": "melting point", "P31": "instance of"})]
    lines += ['wd:Q25267 rdfs:label "degree Celsius"@en', 'wd:Q11579 rdfs:label "kelvin"@en']
    for metal, number, unit in (("Q1", "660", "Q25267"), ("Q2", "1064", "Q25267"), ("Q3", "300", "Q11579")):
        lines += [f"wd:{metal} wdt:P31 wd:Q11344", *amount(metal, "P2101", number, unit)]
    graph = store_of(tmp_path, "\n".join(lines))
    for descending, first in ((True, "Q2"), (False, "Q1")):
        asked = Ranking(relation=relation("P2101"), instance_of=entity("Q11344"), descending=descending)
        found = items(await graph.ranking(asked, 10))
        assert (found[0].subject.id, found[0].count) == (first, 2)
    graph.close()


async def test_neighbours_are_the_entities_around_many_with_types_first(world: EmbeddedStore) -> None:
    near = items(await world.neighbours(["Q10", "Q21", "Q404", "no id"], 2))
    assert [(each.entity_id, each.relation_id, each.other.label) for each in near] == [
        ("Q10", "P31", "human"),
        ("Q10", "P19", "London"),
        ("Q21", "P31", "city"),
        ("Q21", "P17", "United Kingdom"),
    ]


async def test_what_is_asked_is_counted(world: EmbeddedStore) -> None:
    with metered() as meter:
        await world.relations([entity("Q10")])
        await world.triples([entity("Q10")], [(relation("P31"), "out")], 5)
        await world.candidates("London")
        await world.neighbours(["Q10"])
        await world.relations([])  # asks nothing
    assert (meter.total.kg_queries, meter.total.entity_searches) == (2, 2)


async def test_nothing_is_found_where_there_is_nothing(world: EmbeddedStore) -> None:
    stranger = entity("Q4040404")
    assert await world.relations([stranger]) == Nothing()
    assert await world.relations([entity("'; DROP")]) == Nothing()
    assert await world.triples([stranger], [(relation("P31"), "out")], 5) == Nothing()
    assert await world.triples([entity("Q10")], [(relation("no id"), "out")], 5) == Nothing()
    assert await world.neighbourhood(stranger, "in", 5) == Nothing()
    assert await world.entities([]) == Nothing()


def test_an_entity_is_shown_with_all_that_is_stated_of_it(world: EmbeddedStore) -> None:
    (shown,) = items(world.show("London"))
    assert shown.entity.id == "Q20"
    assert len([each for each in shown.statements if each.relation.id == "P1082"]) == 4
    assert ("P19", 1) in [(each.relation.id, each.count) for each in shown.incoming]
    assert items(world.show("Q10"))[0].entity.label == "Charlie Chaplin"
    assert items(world.show("Q99"))[0].entity.id == "Q10"
    assert world.show("Atlantis") == Nothing()


def test_a_store_describes_itself(world: EmbeddedStore) -> None:
    described = world.describe()
    assert described.contents["facts"] > 20
    assert described.contents["languages"] == ["en", "mul"]
    assert described.contents["sources"][0]["licence"] == "CC0-1.0"
    assert described.bytes > 0


async def test_a_property_as_a_value_is_called_by_its_label(tmp_path: Path) -> None:
    graph = store_of(
        tmp_path, properties({"P1647": "subproperty of", "P19": "place of birth"}) + "\nwd:Q1 wdt:P1647 wd:P19"
    )
    (found,) = items(await graph.triples([entity("Q1")], [(relation("P1647"), "out")], 5))
    assert found.object.label == "place of birth"
    graph.close()


async def test_identifiers_are_shown_and_not_offered(world: EmbeddedStore) -> None:
    offered = items(await world.relations([entity("Q10")]))
    assert "P345" not in [each.relation.id for each in offered]
    assert "P345" not in [
        each.relation.id for each in triples_around(await world.neighbourhood(entity("Q10"), "out", 5))
    ]
    assert "P345" in [each.relation.id for each in items(world.show("Q10"))[0].statements]
    (asked,) = items(await world.triples([entity("Q10")], [(relation("P345"), "out")], 5))
    assert asked.object == Text(value="nm0000122")


async def test_a_hub_is_sampled_and_its_triples_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queries, "COUNTED", 500)
    everyone = "\n".join(statement(f"Q{n}-a", f"Q{n}", "P31", "wd:Q5") for n in range(1000, 3000))
    graph = store_of(tmp_path, everyone)
    (offered,) = items(await graph.relations([entity("Q5")]))
    assert (offered.relation.id, offered.direction) == ("P31", "in")
    assert 100 <= offered.count <= 500  # of the links looked at, as many are values of statements
    people = items(await graph.triples([entity("Q5")], [(relation("P31"), "in")], 7))
    assert len(people) == 7
    assert all(100 <= each.count <= 500 for each in people)
    assert all(each.object.id == "Q5" for each in people)
    graph.close()


async def test_hostile_labels_are_data(tmp_path: Path) -> None:
    lines = [properties({"P1559": "name"})]
    for number, text in enumerate(HOSTILE, start=1):
        lines += [
            f"wd:Q{number} rdfs:label {as_literal(text)}",
            statement(f"Q{number}-a", f"Q{number}", "P1559", as_literal(text)),
        ]
    graph = store_of(tmp_path, "\n".join(lines))
    for number, text in enumerate(HOSTILE, start=1):
        (known,) = items(await graph.entities([f"Q{number}"]))
        assert known.label == text
        (named,) = items(await graph.triples([known], [(relation("P1559"), "out")], 5))
        assert named.object == Text(value=text, language="en")
        assert known in [each.entity for each in items(await graph.candidates(text))]
    graph.close()


def test_a_place_without_a_store_is_told_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(NotConfigured, match="wkgfc kg build"):
        open_store(tmp_path / "nowhere")
    (tmp_path / "file").write_text("x")
    with pytest.raises(NotConfigured, match="is a file"):
        open_store(tmp_path / "file")


def truncate(file: Path) -> None:
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def scribble(file: Path) -> None:
    data = bytearray(file.read_bytes())
    for position in range(0, len(data), max(1, len(data) // 500)):
        data[position] ^= 0x5A
    file.write_bytes(data)


@pytest.mark.parametrize("damage", [Path.unlink, truncate, scribble])
@pytest.mark.parametrize(
    "pattern", ["store.json", "names.sqlite", "graph/CURRENT", "graph/MANIFEST-*", "graph/*.sst", "graph"]
)
def test_a_damaged_store_is_told_in_one_line(
    world: EmbeddedStore, tmp_path: Path, pattern: str, damage: Callable[[Path], None]
) -> None:
    """It is not opened, or every answer is a failure or right; never a traceback, never fewer facts."""
    copy = tmp_path / "copy"
    shutil.copytree(world.path, copy)
    if pattern == "graph":
        if damage is not truncate:
            return
        shutil.rmtree(copy / "graph")
    else:
        for file in copy.glob(pattern):
            damage(file)
    with pytest.raises(NotConfigured, match="build") as told:
        open_store(copy)
    assert "\n" not in str(told.value)


async def test_a_block_that_breaks_under_an_open_store_is_a_failed_source(world: EmbeddedStore) -> None:
    class Broken:
        def query(self, _text: str) -> Any:
            raise OSError("IO error: While pread offset 0 len 5: input/output error\nmore")

    broken = EmbeddedStore(world.path, world.manifest, Broken(), world._names)
    answers = [
        await broken.relations([entity("Q10")]),
        await broken.triples([entity("Q10")], [(relation("P31"), "out")], 5),
        await broken.neighbourhood(entity("Q10"), "out", 5),
        await broken.neighbours(["Q10"]),
        broken.show("Q10"),
    ]
    for answer in answers:
        assert isinstance(answer, Failed)
        assert "cannot be read" in answer.reason
        assert "\n" not in answer.reason


def test_a_store_is_read_and_never_written(world: EmbeddedStore) -> None:
    before = {file: file.stat().st_mtime_ns for file in world.path.rglob("*.sst")}
    again = open_store(world.path)  # beside the one that is open
    assert isinstance(asyncio.run(again.relations([entity("Q10")])), Found)
    again.close()
    assert {file: file.stat().st_mtime_ns for file in world.path.rglob("*.sst")} == before
    assert sorted(os.listdir(world.path)) == ["graph", "names.sqlite", "store.json"]


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=60), st.text(max_size=60))
def test_any_text_is_a_legal_question(world: EmbeddedStore, text: str, other: str) -> None:
    async def ask() -> None:
        stranger = Entity(id=text, label=text)
        for answer in (
            await world.candidates(text),
            await world.entities([text, other]),
            await world.relations([stranger, entity("Q10")]),
            await world.triples([stranger], [(relation(other), "in")], 3, [stranger]),
            await world.neighbourhood(stranger, "in", 3),
            await world.neighbours([text]),
            await world.ranking(Ranking(relation=relation(other), instance_of=stranger), 3),
        ):
            assert isinstance(answer, (Found, Nothing))

    asyncio.run(ask())
