import asyncio
import errno
import itertools
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from small_graphs import entity, items, relation, triples_around
from wkgfc.errors import NotConfigured
from wkgfc.evidence import (
    Direction,
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
from wkgfc.kg.builders import embedded, n_triples, writing
from wkgfc.kg.builders.embedded import build_embedded, build_from, embedded_path
from wkgfc.kg.builders.records import BuilderRecord, Item, local_id, wikipedia_url
from wkgfc.kg.builders.writing import StoreWriter
from wkgfc.kg.store import EmbeddedStore, open_store
from wkgfc.stores import Progress, silent

CHAPLIN = Entity(id=local_id("Charlie Chaplin"), label="Charlie Chaplin")
LONDON = Entity(id=local_id("London"), label="London")
BORN_IN = Relation(id="P19", label="place of birth", datatype="WikibaseItem")
BORN = Relation(id="P569", label="date of birth", datatype="Time")
ARTICLE = Source(
    name="vital", url=wikipedia_url("Charlie Chaplin"), text_id="vital:Charlie Chaplin", title="Charlie Chaplin"
)
REGISTER = Source(name="register", url="https://example.org/a?b=c#d", text_id="register/é 1", title='The "Register"')


class ListBuilder:
    """A builder over a list."""

    licence = "CC0-1.0"
    origin = "https://example.org/"

    def __init__(self, records: Iterable[BuilderRecord], name: str = "list", version: str = "1") -> None:
        self.name = name
        self.version = version
        self.kept = list(records)

    def fingerprint(self) -> str:
        return self.version

    def records(self, progress: Progress) -> Iterator[BuilderRecord]:
        progress(self.name, 0, len(self.kept))
        yield from self.kept


_folders = itertools.count()


def written(folder: Path, records: Iterable[BuilderRecord]) -> EmbeddedStore:
    store = folder / f"store{next(_folders)}"
    build_from([ListBuilder(records)], store, "embedded")
    return open_store(store)


def fact(
    subject: Entity, of: Relation, value: Value, source: Source = ARTICLE, rank: Rank = Rank.NORMAL, **more: object
) -> Triple:
    return Triple.model_validate(
        {"subject": subject, "relation": of, "object": value, "source": source, "rank": rank, **more}
    )


def around(graph: EmbeddedStore, identifier: str, direction: Direction = "out", limit: int = 50) -> list[Triple]:
    return triples_around(asyncio.run(graph.neighbourhood(entity(identifier), direction, limit)))


def test_a_fact_keeps_the_text_that_it_was_read_from(tmp_path: Path) -> None:
    graph = written(tmp_path, [Item(entity=CHAPLIN, aliases=("Charlot",)), fact(CHAPLIN, BORN_IN, LONDON)])
    (born,) = around(graph, CHAPLIN.id)
    assert born.source == Source(
        name="embedded",
        url="https://en.wikipedia.org/wiki/Charlie_Chaplin",
        text_id="vital:Charlie Chaplin",
        title="Charlie Chaplin",
    )
    assert isinstance(born.object, Entity)
    # London is named by the fact, as nothing else names it
    assert (born.subject.label, born.object.id, born.object.label) == ("Charlie Chaplin", LONDON.id, "London")
    assert (born.relation.label, born.relation.datatype) == ("place of birth", "WikibaseItem")
    assert items(asyncio.run(graph.candidates("Charlot")))[0].entity == CHAPLIN
    graph.close()


def test_one_fact_from_two_texts_is_one_statement_with_two_references(tmp_path: Path) -> None:
    twice = [fact(CHAPLIN, BORN_IN, LONDON, source) for source in (ARTICLE, REGISTER)]
    graph = written(tmp_path, [*twice, *twice])
    (born,) = around(graph, CHAPLIN.id)
    assert set(born.references) == {"https://en.wikipedia.org/wiki/Charlie_Chaplin", "https://example.org/a?b=c#d"}
    assert born.source.text_id in ("vital:Charlie Chaplin", "register/é 1")
    assert born.count == 1
    graph.close()


def test_statements_have_the_same_ids_whenever_they_are_written() -> None:
    once = list(n_triples.statement_lines(fact(CHAPLIN, BORN, Time(value="1889-04-16", precision=11)), is_best=True))
    again = list(n_triples.statement_lines(fact(CHAPLIN, BORN, Time(value="1889-04-16", precision=11)), is_best=True))
    year = list(n_triples.statement_lines(fact(CHAPLIN, BORN, Time(value="1889-04-16", precision=9)), is_best=True))
    assert once == again
    assert not {line for line in once if b"/statement/" in line} & set(year)


def test_direct_links_go_to_the_best_ranked(tmp_path: Path) -> None:
    preferred, normal, deprecated = (Entity(id=f"Q{number}", label=f"Place {number}") for number in (1, 2, 3))
    graph = written(
        tmp_path,
        [
            fact(CHAPLIN, BORN_IN, normal),
            fact(CHAPLIN, BORN_IN, preferred, rank=Rank.PREFERRED),
            fact(CHAPLIN, BORN_IN, deprecated, rank=Rank.DEPRECATED),
        ],
    )
    assert [each.object for each in around(graph, CHAPLIN.id)] == [preferred, normal]
    near = items(asyncio.run(graph.neighbours([CHAPLIN.id])))
    assert [each.other for each in near] == [preferred]
    assert items(asyncio.run(graph.candidates("Place 3")))[0].links == 0
    graph.close()


def test_names_of_one_item_are_joined_and_pages_marked(tmp_path: Path) -> None:
    instance_of = Relation(id="P31", label="instance of")
    disambiguation = Entity(id="Q4167410", label="Wikimedia disambiguation page")
    mercury = Entity(id="wkgfc:Mercury", label="Mercury")
    graph = written(
        tmp_path,
        [
            Item(entity=Entity(id="Q1", label="Berlin", description="capital"), aliases=("Spree-Athens",)),
            fact(mercury, instance_of, disambiguation),
            Item(entity=Entity(id="Q1", label="Berlin, Germany"), aliases=("Athens on the Spree",)),
            Item(entity=Entity(id="Q2", label="List of cities in Germany")),
            Item(entity=Entity(id="Q3", label="Berlin (song)"), is_page=True),
            Item(entity=mercury),
        ],
    )
    for name in ("Berlin", "Berlin, Germany", "Spree-Athens", "Athens on the Spree"):
        best = items(asyncio.run(graph.candidates(name)))[0]
        assert (best.entity.id, best.entity.label, best.entity.description) == ("Q1", "Berlin", "capital")
        assert not best.is_page
    for name in ("Mercury", "List of cities in Germany", "Berlin (song)"):
        assert items(asyncio.run(graph.candidates(name)))[0].is_page
    graph.close()


LABELS = st.text(min_size=1, max_size=20).filter(lambda text: text.strip() and text.isprintable())
ENTITIES = st.builds(
    lambda number: Entity(id=f"Q{number}" if number % 2 else local_id(f"Item {number}"), label=f"Item {number}"),
    st.integers(1, 12),
)
AMOUNTS = st.decimals(min_value=-(10**9), max_value=10**9, places=3, allow_nan=False)
VALUES = st.one_of(
    ENTITIES,
    st.builds(
        lambda day, precision, calendar: Time(value=day.isoformat(), precision=precision, calendar=calendar),
        st.dates(),
        st.sampled_from([9, 10, 11]),
        st.sampled_from(["gregorian", "julian"]),
    ),
    st.builds(Quantity, amount=AMOUNTS, unit=st.none() | ENTITIES),
    st.builds(
        Text, value=st.text(alphabet=st.characters(exclude_categories=["Cs"])), language=st.none() | st.just("en")
    ),
    st.sampled_from([Missing(value="unknown"), Missing(value="none")]),
)
RELATIONS = st.builds(relation, st.sampled_from(["P1", "P2", "P3"]))
QUALIFIERS = st.lists(
    st.builds(Qualifier, relation=st.builds(relation, st.sampled_from(["P4", "P5"])), value=VALUES), max_size=2
)
FACTS = st.builds(
    lambda subject, of, value, qualifiers, rank: fact(subject, of, value, rank=rank, qualifiers=tuple(qualifiers)),
    ENTITIES,
    RELATIONS,
    VALUES,
    QUALIFIERS,
    st.sampled_from(Rank),
)


def content(triple: Triple) -> tuple[object, ...]:
    """What a fact says, in a form that compares by content and knows no order of qualifiers."""

    def shown(value: Value) -> str:
        if isinstance(value, Quantity):
            return f"{value.amount.normalize() + 0} {value.unit.id if value.unit else ''}"
        return value.id if isinstance(value, Entity) else str(value)

    qualifiers = {(each.relation.id, shown(each.value)) for each in triple.qualifiers}
    return triple.subject.id, triple.relation.id, shown(triple.object), frozenset(qualifiers), triple.rank


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(FACTS, min_size=1, max_size=25))
def test_facts_are_read_as_they_were_written(tmp_path: Path, facts: list[Triple]) -> None:
    """Outwards and inwards, in both ways of asking, whatever the values, qualifiers and ranks are."""
    graph = written(tmp_path, facts)
    said = {content(each) for each in facts if each.rank is not Rank.DEPRECATED}
    subjects = sorted({each.subject.id for each in facts})
    assert {content(each) for subject in subjects for each in around(graph, subject)} == said
    ends = sorted({each.object.id for each in facts if isinstance(each.object, Entity)})
    incoming = {content(each) for each in facts if isinstance(each.object, Entity)} & said
    assert {content(each) for end in ends for each in around(graph, end, "in")} == incoming

    async def in_two_steps(identifier: str, direction: Direction) -> list[Triple]:
        offered = items(await graph.relations([entity(identifier)]))
        chosen = [(each.relation, direction) for each in offered if each.direction == direction]
        return items(await graph.triples([entity(identifier)], chosen, 50)) if chosen else []

    for identifier in subjects:
        assert in_order(asyncio.run(in_two_steps(identifier, "out"))) == in_order(around(graph, identifier))
    for identifier in ends:
        assert in_order(asyncio.run(in_two_steps(identifier, "in"))) == in_order(around(graph, identifier, "in"))
    graph.close()


def in_order(triples: Sequence[Triple]) -> list[str]:
    return sorted(str(each) for each in triples)


@settings(max_examples=100, deadline=None)
@given(st.text())
def test_any_string_is_a_literal_that_parses(text: str) -> None:
    from pyoxigraph import Literal, RdfFormat, parse

    line = f"<http://example.org/a> <http://example.org/b> {n_triples.literal(text, 'en')} ."
    (triple,) = parse(line, RdfFormat.N_TRIPLES)
    assert isinstance(triple.object, Literal)
    assert triple.object.value == "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in text)


def test_a_language_that_is_none_does_not_reach_the_line() -> None:
    assert n_triples.literal("x", 'en" . <evil>') == '"x"'


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=40), st.text(max_size=40))
def test_any_address_and_text_id_make_lines_that_parse(tmp_path: Path, url: str, text_id: str) -> None:
    from pyoxigraph import RdfFormat, parse

    source = Source(name="x", url=url, text_id=text_id.encode("utf-8", "replace").decode(), title=url)
    lines = n_triples.statement_lines(fact(CHAPLIN, BORN_IN, LONDON, source, references=(url,)), is_best=True)
    assert len(list(parse(b"".join(lines), RdfFormat.N_TRIPLES, lenient=True))) >= 5


def test_more_than_one_chunk_is_one_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "_CHUNK_BYTES", 5_000)
    monkeypatch.setattr(writing, "_NAME_BATCH", 3)
    monkeypatch.setattr(writing, "_COUNTED_ENTITIES", 3)
    monkeypatch.setattr(writing, "_REMEMBERED_MENTIONS", 3)
    people = [Entity(id=f"Q{number}", label=f"Person {number}") for number in range(1, 40)]
    graph = written(tmp_path, [fact(each, BORN_IN, LONDON) for each in people])
    assert len(around(graph, LONDON.id, "in")) == 39
    assert items(asyncio.run(graph.candidates("London")))[0].links == 39
    graph.close()


def test_a_writer_that_is_left_by_an_error_lets_go_of_its_folder(tmp_path: Path) -> None:
    def interrupted() -> None:
        with StoreWriter(tmp_path) as writer:
            writer.add_label("Q1", "One")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    (tmp_path / "graph").rename(tmp_path / "elsewhere")


def test_a_disk_that_fills_at_the_end_is_told_as_one(tmp_path: Path) -> None:
    with StoreWriter(tmp_path) as writer:
        writer.add_label("Q1", "London")
        writer._store_names()
        (pages,) = writer._staging.execute("PRAGMA page_count").fetchone()
        writer._staging.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(OSError, match="full") as told:
            writer.finish()
    assert told.value.errno == errno.ENOSPC


def test_the_embedded_store_is_built_once_and_again_when_a_source_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    builder = ListBuilder([fact(CHAPLIN, BORN, Time(value="1889-04-16", precision=11))], name="articles")
    monkeypatch.setattr(embedded, "embedded_builders", lambda: [builder])
    path = build_embedded(tmp_path, silent)
    assert path == embedded_path(tmp_path)
    first = open_store(path)
    assert first.name == "embedded"
    assert first.describe().contents["sources"] == [
        {"name": "articles", "licence": "CC0-1.0", "origin": "https://example.org/", "facts": 1}
    ]
    build_embedded(tmp_path)
    assert open_store(path).manifest == first.manifest
    builder.version = "2"
    build_embedded(tmp_path)
    assert open_store(path).version != first.version


def test_a_builder_that_stops_leaves_the_store_that_was_there(tmp_path: Path) -> None:
    builder = ListBuilder([fact(CHAPLIN, BORN_IN, LONDON)])
    build_from([builder], tmp_path / "kg", "embedded")

    class Missing(ListBuilder):
        def records(self, progress: Progress) -> Iterator[BuilderRecord]:
            yield from self.kept
            raise NotConfigured("the package that carries the data is missing: pip install it")

    with pytest.raises(NotConfigured, match="pip install"):
        build_from([Missing([], version="2")], tmp_path / "kg", "embedded")
    graph = open_store(tmp_path / "kg")
    assert len(around(graph, CHAPLIN.id)) == 1
    graph.close()
    assert {each.name for each in tmp_path.iterdir()} == {"kg", ".kg.lock"}


def test_amounts_keep_their_value(tmp_path: Path) -> None:
    height = Relation(id="P2048", label="height")
    amounts = ["0.1", "-17", "123456789012345678901234567890", "1e-7", "0"]
    graph = written(tmp_path, [fact(CHAPLIN, height, Quantity(amount=Decimal(each))) for each in amounts])
    read = {each.object.amount for each in around(graph, CHAPLIN.id) if isinstance(each.object, Quantity)}
    assert read == {Decimal(each) for each in amounts}
    graph.close()
