import bz2
import gzip
import json
import multiprocessing
import os
import signal
import socket
import sqlite3
import time
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from small_graphs import entity, ids, items, n_triples, properties, relation, statement
from wkgfc.errors import BadInput, NotConfigured
from wkgfc.evidence import Direction, Missing, Quantity, Rank, Relation, Text, Time
from wkgfc.kg.builders import writing
from wkgfc.kg.builders.wikidata import build_wikidata
from wkgfc.kg.builders.wikidata_json import EntityReader
from wkgfc.kg.builders.wikidata_triples import TripleReader
from wkgfc.kg.builders.writing import StoreWriter
from wkgfc.kg.store import EmbeddedStore, open_store

DUMP = n_triples(
    "\n".join(
        [
            properties({"P36": "capital"}),
            'wd:Q142 rdfs:label "France"@en',
            'wd:Q142 rdfs:label "Frankreich"@de',
            'wd:Q90 rdfs:label "Paris"@en',
            'wd:Q90 skos:altLabel "City of Light"@en',
            'wd:Q90 schema:description "capital of France"@en',
            statement("Q142-a", "Q142", "P36", "wd:Q90"),
            # what no query asks for
            "<https://en.wikipedia.org/wiki/Paris> schema:about wd:Q90",
            'wd:Q90 schema:dateModified "2024-01-01T00:00:00Z"^^xsd:dateTime',
            "wd:Q90 rdf:type wikibase:Item",
        ]
    )
)


def claim(identifier: str, kind: str, value: Any, **more: Any) -> dict[str, Any]:
    """A claim as Wikidata's JSON has it."""
    return {"mainsnak": snak(identifier, kind, value), "type": "statement", "rank": "normal", **more}


def snak(identifier: str, kind: str, value: Any) -> dict[str, Any]:
    if kind in ("somevalue", "novalue"):
        return {"snaktype": kind, "property": identifier}
    return {"snaktype": "value", "property": identifier, "datavalue": {"type": kind, "value": value}}


def item(identifier: str) -> dict[str, Any]:
    return {"entity-type": "item", "numeric-id": int(identifier[1:]), "id": identifier}


def time_value(text: str, precision: int, calendar: str = "Q1985727") -> dict[str, Any]:
    return {
        "time": text,
        "timezone": 0,
        "before": 0,
        "after": 0,
        "precision": precision,
        "calendarmodel": f"http://www.wikidata.org/entity/{calendar}",
    }


ADAMS = {
    "type": "item",
    "id": "Q42",
    "labels": {"en": {"language": "en", "value": "Douglas Adams"}, "de": {"language": "de", "value": "Adams (DE)"}},
    "descriptions": {"en": {"language": "en", "value": "English writer"}},
    "aliases": {"en": [{"language": "en", "value": "Douglas Noel Adams"}], "fr": [{"language": "fr", "value": "DNA"}]},
    "claims": {
        "P31": [claim("P31", "wikibase-entityid", item("Q5"))],
        "P569": [
            claim(
                "P569",
                "time",
                time_value("+1952-03-11T00:00:00Z", 11),
                references=[
                    {"hash": "x", "snaks": {"P854": [snak("P854", "string", "https://example.org/a b")]}},
                    {"hash": "y", "snaks": {"P248": [snak("P248", "wikibase-entityid", item("Q36578"))]}},
                ],
            )
        ],
        "P570": [claim("P570", "time", time_value("+0000001564-04-26T00:00:00Z", 11, "Q1985786"))],
        "P2048": [
            claim("P2048", "quantity", {"amount": "+1.96", "unit": "http://www.wikidata.org/entity/Q11573"}),
        ],
        "P1971": [claim("P1971", "quantity", {"amount": "+1", "unit": "1"})],
        "P1477": [claim("P1477", "monolingualtext", {"text": 'Douglas "Noël"\nAdams', "language": "en"})],
        "P345": [claim("P345", "string", "nm0010930")],
        "P625": [claim("P625", "globecoordinate", {"latitude": 51.5, "longitude": -0.1, "globe": "x"})],
        "P20": [claim("P20", "somevalue", None)],
        "P40": [claim("P40", "novalue", None)],
        "P26": [
            claim(
                "P26",
                "wikibase-entityid",
                item("Q14623681"),
                qualifiers={
                    "P580": [snak("P580", "time", time_value("+1991-11-25T00:00:00Z", 11))],
                    "P582": [snak("P582", "novalue", None)],
                    "P1545": [snak("P1545", "string", "1"), snak("P1545", "string", "2")],
                },
            )
        ],
        "P551": [
            claim("P551", "wikibase-entityid", item("Q65"), rank="preferred"),
            claim("P551", "wikibase-entityid", item("Q84")),
            claim("P551", "wikibase-entityid", item("Q90"), rank="deprecated"),
        ],
        "P1000": [claim("P1000", "time", time_value("+1999-99-99T00:00:00Z", 11))],
        "P1001": [claim("P1001", "time", time_value("+0000-01-01T00:00:00Z", 9))],
        "P1002": [claim("P1002", "time", time_value("-0044-03-15T00:00:00Z", 11, "Q1985786"))],
        "P1003": [claim("P1003", "quantity", {"amount": "+1e999999999", "unit": "1"})],
        "P5137": [claim("P5137", "wikibase-entityid", {"entity-type": "lexeme", "id": "L42"})],
    },
    "sitelinks": {"enwiki": {"site": "enwiki", "title": "Douglas Adams"}},
}
RESIDENCE = {
    "type": "property",
    "datatype": "wikibase-item",
    "id": "P551",
    "labels": {"en": {"language": "en", "value": "residence"}},
    "claims": {},
}
LOS_ANGELES = {
    "type": "item",
    "id": "Q65",
    "labels": {"mul": {"language": "mul", "value": "Los Angeles"}},
    "claims": [],
}
REDIRECT = {"entity": "Q99", "redirect": "Q42"}
LEXEME = {"type": "lexeme", "id": "L1", "lemmas": {}}


def json_dump(*entities: Any) -> str:
    """An array with one entity a line, as Wikidata's dumps are."""
    return "[\n" + ",\n".join(json.dumps(each) for each in entities) + "\n]\n"


def built(folder: Path, data: str | bytes, **options: Any) -> EmbeddedStore:
    dump = folder / "dump"
    dump.write_bytes(data.encode() if isinstance(data, str) else data)
    build_wikidata(dump, folder / "store", **options)
    return open_store(folder / "store")


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress])
@pytest.mark.parametrize("data", [DUMP, json_dump(ADAMS, RESIDENCE)])
async def test_a_dump_is_read_whatever_packs_it(tmp_path: Path, data: str, pack: Callable[[bytes], bytes]) -> None:
    graph = built(tmp_path, pack(data.encode()))
    assert graph.describe().contents["malformed"] == 0
    assert graph.describe().contents["facts"] >= 1
    mention = "City of Light" if data is DUMP else "Douglas Noel Adams"
    assert ids(each.entity for each in items(await graph.candidates(mention))) <= {"Q90", "Q42"}
    graph.close()


async def test_only_the_languages_asked_for_are_kept_the_first_one_first(tmp_path: Path) -> None:
    graph = built(tmp_path, DUMP, languages=("de", "en"))
    assert [each.label for each in items(await graph.entities(["Q142", "Q90"]))] == ["Frankreich", "Paris"]
    assert items(await graph.relations([entity("Q142")]))[0].relation.label == "capital"
    graph.close()


async def test_the_json_dump_keeps_every_kind_of_value(tmp_path: Path) -> None:
    graph = built(tmp_path, json_dump(ADAMS, LEXEME, RESIDENCE, LOS_ANGELES, REDIRECT))
    (adams,) = items(await graph.entities(["Q99"]))
    assert (adams.id, adams.label, adams.description) == ("Q42", "Douglas Adams", "English writer")
    (shown,) = items(graph.show("Q42"))
    values: dict[str, list[Any]] = {}
    for each in shown.statements:
        values.setdefault(each.relation.id, []).append(each.object)
    assert values["P31"] == [entity("Q5")]
    assert values["P569"] == [Time(value="1952-03-11", precision=11)]
    assert values["P570"] == [Time(value="1564-04-26", precision=11, calendar="julian")]
    assert values["P2048"] == [Quantity(amount=Decimal("1.96"), unit=entity("Q11573"))]
    assert values["P1971"] == [Quantity(amount=Decimal(1))]
    assert values["P1477"] == [Text(value='Douglas "Noël"\nAdams', language="en")]
    assert values["P345"] == [Text(value="nm0010930")]
    assert values["P625"] == [Text(value="Point(-0.1 51.5)")]
    assert values["P20"] == [Missing(value="unknown")]
    assert values["P40"] == [Missing(value="none")]
    assert values["P5137"] == [Text(value="L42")]
    assert values["P1000"] == [Text(value="+1999-99-99T00:00:00Z")]  # no date, and said to be none
    assert values["P1001"] == [Text(value="+0000-01-01T00:00:00Z")]  # 1 BCE is -1
    assert values["P1002"] == [Time(value="-0044-03-15", precision=11, calendar="julian")]
    assert values["P1003"] == [Text(value="+1e999999999")]  # too large to be written out
    (born,) = [each for each in shown.statements if each.relation.id == "P569"]
    assert set(born.references) == {"https://example.org/a%20b", "http://www.wikidata.org/entity/Q36578"}
    (married,) = [each for each in shown.statements if each.relation.id == "P26"]
    assert [(each.relation.id, each.value) for each in married.qualifiers] == [
        ("P580", Time(value="1991-11-25", precision=11)),
        ("P582", Missing(value="none")),
        ("P1545", Text(value="1")),
        ("P1545", Text(value="2")),
    ]
    graph.close()


async def test_the_json_dump_keeps_ranks(tmp_path: Path) -> None:
    graph = built(tmp_path, json_dump(ADAMS, RESIDENCE, LOS_ANGELES))
    chosen: list[tuple[Relation, Direction]] = [(relation("P551"), "out")]
    homes = items(await graph.triples([entity("Q42")], chosen, 5))
    assert [(each.object.label, each.rank) for each in homes] == [
        ("Los Angeles", Rank.PREFERRED),  # its label is the one for all languages
        ("Q84", Rank.NORMAL),
    ]
    assert homes[0].relation == Relation(id="P551", label="residence")
    assert (homes[0].relation.label, homes[0].relation.datatype) == ("residence", "WikibaseItem")
    near = items(await graph.neighbours(["Q42"]))
    assert "Q84" not in ids(each.other for each in near)  # no direct link: it is not of the best rank
    graph.close()


async def test_a_limit_keeps_the_first_entities_with_all_their_facts(tmp_path: Path) -> None:
    dump = n_triples(
        "\n".join(
            f'wd:Q{n} rdfs:label "Item {n}"@en\n'
            + statement(f"Q{n}-a", f"Q{n}", "P36", f"wd:Q{n + 1}")
            + f"\ns:Q{n}-a prov:wasDerivedFrom ref:r{n}\nref:r{n} pr:P854 <https://example.org/{n}>"
            for n in range(1, 50)
        )
    )
    graph = built(tmp_path, dump, limit=3)
    (second,) = items(graph.show("Q2"))[0].statements
    assert second.references == ("https://example.org/2",)
    assert graph.describe().contents["rdf_triples"] == 3 * 6 + 5  # five are of the property
    assert graph.describe().contents["facts"] == 3
    assert len(items(await graph.entities([f"Q{n}" for n in range(1, 50)]))) == 3
    graph.close()
    many = [{"type": "item", "id": f"Q{n}", "claims": {}, "labels": {}} for n in range(100, 120)]
    again = tmp_path / "json"
    again.mkdir()
    graph = built(again, json_dump(ADAMS, *many, LOS_ANGELES), limit=1)
    assert len(items(await graph.entities(["Q42", "Q65"]))) == 1
    graph.close()


def test_progress_is_told(tmp_path: Path) -> None:
    told: list[tuple[str, int, int | None]] = []
    built(tmp_path, DUMP, progress=lambda *each: told.append(each)).close()
    assert told[0] == ("entities and facts", len(DUMP.encode()), len(DUMP.encode()))
    assert told[-1][0] == "names and indexes"


def test_few_malformed_lines_are_counted_and_left_out(tmp_path: Path) -> None:
    bad = [
        "this is no triple\n",
        '<http://www.wikidata.org/entity/Q1> <http://www.w3.org/2000/01/rdf-schema#label> "\\uD800"@en .\n',
        '<http://www.wikidata.org/entity/Q1> <http://www.wikidata.org/prop/direct/P1> "bad \\q escape" .\n',
        "<http://www.wikidata.org/entity/Q1> <http://www.wikidata.org/prop/direct/P1> <http://a b> .\n",
        '<http://www.wikidata.org/entity/Q1> <http://www.w3.org/2000/01/rdf-schema#label> "\\UFFFFFFFF"@en .\n',
        "<" + "\\uAAAAAAAA" * 40 + " <http://www.wikidata.org/prop/direct/P1> <http://a> .\n",
    ]
    graph = built(tmp_path, "# a comment\n\n" + DUMP * 70 + "".join(bad))
    assert graph.describe().contents["malformed"] == 6
    graph.close()


def test_bytes_that_are_no_text_are_malformed(tmp_path: Path) -> None:
    bad = b'<http://www.wikidata.org/entity/Q1> <http://www.wikidata.org/prop/direct/P1> "\xff\xfe" .\n'
    worse = b'<http://www.wikidata.org/entity/\xff> <http://www.wikidata.org/prop/direct/P1> "x" .\n'
    graph = built(tmp_path, DUMP.encode() * 60 + bad + worse)
    assert graph.describe().contents["malformed"] == 2
    graph.close()


@pytest.mark.parametrize(
    "bad",
    [
        '"id": 7',
        '"id": "Q7", "aliases": {"en": [{"value": "\\ud800"}]}',
        '"id": "Q7", "deep": ' + "[" * 100_000 + "]" * 100_000,
    ],
)
def test_a_line_of_json_that_is_none_is_malformed(tmp_path: Path, bad: str) -> None:
    many = [{"type": "item", "id": f"Q{n}", "labels": {}, "claims": {}} for n in range(1, 300)]
    data = json_dump(ADAMS, *many).replace('"id": "Q7"', bad, 1)
    graph = built(tmp_path, data)
    assert graph.describe().contents["malformed"] == 1
    graph.close()


async def test_a_last_line_without_an_end_is_read(tmp_path: Path) -> None:
    """What the builder adds of properties that have no line of their own does not run into it."""
    last = '<http://www.wikidata.org/entity/P36> <http://www.w3.org/2000/01/rdf-schema#label> "Hauptstadt"@de .'
    graph = built(tmp_path, DUMP + last, languages=("de", "en"))
    assert items(await graph.relations([entity("Q142")]))[0].relation.label == "Hauptstadt"
    graph.close()


def refused(folder: Path, data: bytes) -> str:
    with pytest.raises(BadInput) as told:
        built(folder, data)
    assert "\n" not in str(told.value)
    assert not (folder / "store").exists()
    assert {each.name for each in folder.iterdir()} <= {"dump", ".store.lock"}
    return str(told.value)


@pytest.mark.parametrize("data", [DUMP * 50, json_dump(*[ADAMS] * 50)])
@pytest.mark.parametrize("compress", [gzip.compress, bz2.compress])
def test_a_dump_that_is_cut_off_is_refused(tmp_path: Path, data: str, compress: Callable[[bytes], bytes]) -> None:
    packed = compress(data.encode())
    assert "cut off" in refused(tmp_path, packed[: len(packed) * 2 // 3])


def test_a_damaged_archive_is_refused(tmp_path: Path) -> None:
    packed = bytearray(gzip.compress((DUMP * 200).encode()))
    packed[len(packed) // 2] ^= 0xFF
    assert "damaged" in refused(tmp_path, bytes(packed))
    packed = bytearray(bz2.compress((DUMP * 200).encode()))
    packed[len(packed) // 2] ^= 0xFF
    assert "damaged" in refused(tmp_path, bytes(packed))


@pytest.mark.parametrize(
    "data",
    [
        DUMP[:-40],
        DUMP * 50 + DUMP[:300],
        json_dump(ADAMS)[:-900],
        json_dump(ADAMS, RESIDENCE)[:-3],
        (json.dumps(ADAMS) + "\n") * 300 + json.dumps(ADAMS)[:900],
    ],
)
def test_a_plain_dump_that_ends_within_is_refused(tmp_path: Path, data: str) -> None:
    assert "cut off" in refused(tmp_path, data.encode())


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty"),
        (b"%PDF-1.7 something else", "neither"),
        (b"PK\x03\x04 an archive of another kind", "neither"),
        (b'<html><body class="x">no dump</body></html>\n' * 3000, "malformed"),
        (b"<http://example.org/a> <http://example.org/b> <http://example.org/c> .\n", "no statement"),
        (b'{"some": "other json"}\n', "malformed"),
        (b"[1, 2, 3]\n", "malformed"),
    ],
)
def test_what_is_no_dump_is_refused(tmp_path: Path, data: bytes, reason: str) -> None:
    assert reason in refused(tmp_path, data)


@pytest.mark.parametrize("language", ["", "EN", 'en") }', "english language", "zh-classical"])
def test_a_language_that_is_none_is_refused(tmp_path: Path, language: str) -> None:
    with pytest.raises(BadInput, match="no language"):
        built(tmp_path, DUMP, languages=("en", language))


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be read"):
        build_wikidata(tmp_path / "no.nt", tmp_path / "store")
    with pytest.raises(BadInput, match="is a folder"):
        build_wikidata(tmp_path, tmp_path / "store")
    with socket.socket(socket.AF_UNIX) as unreadable:
        unreadable.bind(str(tmp_path / "socket"))
        with pytest.raises(BadInput, match="cannot be read"):
            build_wikidata(tmp_path / "socket", tmp_path / "store")


def test_what_is_there_is_kept_unless_told(tmp_path: Path) -> None:
    built(tmp_path, DUMP).close()
    assert build_wikidata(tmp_path / "dump", tmp_path / "store").contents["facts"] == 1  # the same: nothing to do
    (tmp_path / "dump").write_text(DUMP.replace("Q90", "Q91"))
    with pytest.raises(BadInput, match="--replace"):
        build_wikidata(tmp_path / "dump", tmp_path / "store")
    open_store(tmp_path / "store").close()
    build_wikidata(tmp_path / "dump", tmp_path / "store", replace=True)
    graph = open_store(tmp_path / "store")
    assert items(graph.show("Q142"))[0].statements[0].object == entity("Q91")
    graph.close()
    (tmp_path / "store" / "names.sqlite").write_bytes(b"")
    with pytest.raises(NotConfigured, match="remove it and build it again"):
        open_store(tmp_path / "store")
    build_wikidata(tmp_path / "dump", tmp_path / "store", replace=True)
    open_store(tmp_path / "store").close()


def full(*_: Any) -> Any:
    raise OSError("IO error: No space left on device: While appending to file: 000012.sst")


@pytest.mark.parametrize("target", ["_bulk_load", "_store_names", "_store_links"])
def test_a_disk_that_fills_is_told_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, target: str
) -> None:
    def fill(*_: Any) -> Any:
        with writing._system_errors(tmp_path):
            full()

    monkeypatch.setattr(StoreWriter, target, fill)
    with pytest.raises(NotConfigured, match="the disk is full"):
        built(tmp_path, DUMP)
    assert {each.name for each in tmp_path.iterdir()} == {"dump", ".store.lock"}


def test_a_table_of_names_that_cannot_be_written_is_a_full_disk_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fill(*_: Any) -> int:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(writing, "write_names", fill)
    with pytest.raises(NotConfigured, match="the disk is full"):
        built(tmp_path, DUMP)
    assert not (tmp_path / "store").exists()


def _build(folder: Path, slowly: bool) -> None:
    def progress(stage: str, _done: int, _total: int | None) -> None:
        (folder / f"building-{os.getpid()}").touch()
        time.sleep(60 if slowly else 0.3)

    build_wikidata(folder / "dump", folder / "store", progress)


def test_two_processes_build_it_once(tmp_path: Path) -> None:
    (tmp_path / "dump").write_text(DUMP)
    context = multiprocessing.get_context("spawn")
    builders = [context.Process(target=_build, args=(tmp_path, False)) for _ in range(2)]
    for builder in builders:
        builder.start()
    for builder in builders:
        builder.join(60)
        assert builder.exitcode == 0
    assert len(list(tmp_path.glob("building-*"))) == 1
    open_store(tmp_path / "store").close()


def test_a_kill_in_the_middle_leaves_no_store_and_the_next_build_sweeps(tmp_path: Path) -> None:
    (tmp_path / "dump").write_text(DUMP)
    builder = multiprocessing.get_context("spawn").Process(target=_build, args=(tmp_path, True))
    builder.start()
    for _ in range(600):
        if any(tmp_path.glob("building-*")):
            break
        time.sleep(0.05)
    assert builder.pid is not None
    os.kill(builder.pid, signal.SIGKILL)
    builder.join(30)
    with pytest.raises(NotConfigured, match="no kg store"):
        open_store(tmp_path / "store")
    assert any(tmp_path.glob(".store.building-*"))
    build_wikidata(tmp_path / "dump", tmp_path / "store")
    assert not any(tmp_path.glob(".store.building-*"))
    open_store(tmp_path / "store").close()


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=200), st.binary(max_size=60))
def test_any_bytes_are_a_line_that_is_read_or_refused(start: bytes, end: bytes) -> None:
    class Writer:
        languages = ("en",)

        def __getattr__(self, _name: str) -> Callable[..., None]:
            return lambda *_: None

    writer: Any = Writer()
    refusals: list[bytes] = []
    subject = b"<http://www.wikidata.org/entity/Q1> <http://www.w3.org/2000/01/rdf-schema#label> "
    for reader in (TripleReader(writer, refusals.append), EntityReader(writer, refusals.append)):
        for line in (start + end, subject + start, subject + b'"' + start + b'"@en .', b'{"id": "Q1", ' + start + b"}"):
            reader.read(line.replace(b"\n", b" "))
