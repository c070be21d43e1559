"""The table of names: what two spellings have in common, how a mention meets a name, and what bad files get."""

import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wkgfc.errors import NotConfigured
from wkgfc.kg import names as module
from wkgfc.kg.names import NameRow, Names, entity_url, fold, write_names

ROWS = [
    NameRow("Q882", "Charlie Chaplin", "British comic actor", ["Charles Spencer Chaplin", "Sir Charlie Chaplin"], 76),
    NameRow("Q556967", "Chaplin", "1992 film", [], 31),
    NameRow("Q230636", "Geraldine Chaplin", "British actress", [], 17),
    NameRow("Q30", "United States of America", "country in North America", ["US", "U.S.", "America"], 10_000),
    NameRow("Q35149", "Wilhelm Röntgen", "German physicist", ["Wilhelm Conrad Röntgen", "W. C. Röntgen"], 30),
    NameRow("Q856897", "Kellogg's", "American food company", ["Kellogg Company"], 9),
    NameRow("wkgfc:Mercury_(planet)", "Mercury (planet)", "planet", [], 12),
    NameRow("wkgfc:Mercury_(element)", "Mercury (element)", "chemical element", ["Hg", "quicksilver"], 20),
    NameRow("Q227", "Mercury", "Wikimedia disambiguation page", [], 3, True),
    NameRow("Q189729", "Philip Glass", "American composer", [], 37),
    NameRow("Q164963", "The Lord of the Rings: The Two Towers", "2002 film", [], 40),
    NameRow("Q9696", "John Fitzgerald Kennedy", "president", [], 76),
    NameRow("Q38022", "St. Louis", "city in Missouri", ["Saint Louis"], 50),
    NameRow("Q11424", "film", "sequence of images", ["movie"], 500),
]


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Names]:
    path = tmp_path_factory.mktemp("names") / "names.sqlite"
    assert write_names(path, iter(ROWS)) == len(ROWS)
    names = Names(path)
    yield names
    names.close()


def ids(names: Names, mention: str, limit: int = 20) -> list[str]:
    return [candidate.entity.id for candidate in names.candidates(mention, limit)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Röntgen", "Rontgen"),
        ("Kellogg's", "Kellogg’s"),
        ("the United States'", "United States"),
        ("U.S.", "US"),
        ("J. K. Rowling", "J.K. Rowling"),
        ("Simon & Garfunkel", "Simon and Garfunkel"),
        ("St. Louis", "Saint Louis"),
        ("BEYONCÉ", "beyonce"),
        ("Spider-Man", "spider man"),
        ("O'Mahoney", "OMahoney"),
        ("Łódź", "Lodz"),
        ("Straße", "STRASSE"),
        ("ﬁlm", "film"),
    ],
)
def test_spellings_of_one_name_fold_alike(one: str, other: str) -> None:
    assert fold(one) == fold(other) != ""


@pytest.mark.parametrize(("one", "other"), [("C", "C++ 3"), ("A", "B"), ("Paris", "Parish"), ("The Who", "The The")])
def test_other_names_stay_apart(one: str, other: str) -> None:
    assert fold(one) != fold(other)


@given(st.text())
def test_any_text_folds_to_plain_words(text: str) -> None:
    folded = fold(text)
    assert folded == folded.strip()
    assert "  " not in folded


def test_a_better_match_comes_before_a_more_linked_entity(table: Names) -> None:
    assert ids(table, "Chaplin") == ["Q556967", "Q882", "Q230636"]
    assert table.candidates("Chaplin")[0].match == module.MATCH_LABEL
    assert table.candidates("Chaplin")[1].match == module.MATCH_TAIL


@pytest.mark.parametrize(
    ("mention", "entity_id", "match"),
    [
        ("Charlie Chaplin", "Q882", module.MATCH_LABEL),
        ("charlie chaplin", "Q882", module.MATCH_LABEL_CASE),
        ("Charlie Chaplin's", "Q882", module.MATCH_LABEL_FOLDED),
        ("US", "Q30", module.MATCH_ALIAS),
        ("america", "Q30", module.MATCH_ALIAS_CASE),
        ("the U.S", "Q30", module.MATCH_ALIAS_FOLDED),
        ("Wilhelm Conrad Rontgen", "Q35149", module.MATCH_ALIAS_FOLDED),
        ("Röntgen", "Q35149", module.MATCH_TAIL),
        ("Rontgen", "Q35149", module.MATCH_TAIL),
        ("Kelloggs", "Q856897", 0.0),
        ("Kellogg", "Q856897", module.MATCH_LABEL_FOLDED),
        ("John Kennedy", "Q9696", module.MATCH_TAIL),
        ("Lord of the Rings", "Q164963", module.MATCH_HEAD),
        ("Phillip Glass", "Q189729", module.MATCH_SPELLING),
        ("Saint Louis", "Q38022", module.MATCH_ALIAS),
        ("movie", "Q11424", module.MATCH_ALIAS),
    ],
)
def test_how_a_mention_meets_a_name(table: Names, mention: str, entity_id: str, match: float) -> None:
    matches = {candidate.entity.id: candidate.match for candidate in table.candidates(mention)}
    assert matches.get(entity_id, 0.0) == match


def test_what_stands_in_brackets_may_be_left_out(table: Names) -> None:
    candidates = table.candidates("Mercury")
    assert {c.entity.id for c in candidates} == {"wkgfc:Mercury_(planet)", "wkgfc:Mercury_(element)", "Q227"}
    assert [c.is_page for c in candidates if c.entity.id == "Q227"] == [True]
    assert ids(table, "Mercury (planet)") == ["wkgfc:Mercury_(planet)"]


def test_hostile_names_are_read_at_once() -> None:
    spaces = "a" + " " * 500_000 + "b"
    assert module.unbracketed(spaces) == spaces
    assert module.unbracketed(spaces + " (c) ") == spaces
    assert module.grade("a" * 200, "a" + "b" * 5_000_000, is_alias=False) == 0.0


def test_half_a_character_is_no_name(table: Names) -> None:
    assert table.candidates("\ud800") == []
    assert ids(table, "Chap\udffflin")[0] == "Q556967"


def test_no_more_than_asked_for(table: Names) -> None:
    assert ids(table, "Mercury", 1) == ["Q227"]
    assert ids(table, "Mercury", 0) == []


def test_which_of_many_are_names(table: Names) -> None:
    mentions = ["the US", "was born", "WILHELM RÖNTGEN", "", "…", "Chaplin", "Charlie"]
    assert table.known(mentions) == {"the US", "WILHELM RÖNTGEN", "Chaplin"}
    assert table.known(str(number) for number in range(2_000)) == frozenset()


def test_entities_come_in_the_order_asked_for_with_their_addresses(table: Names) -> None:
    entities = table.entities(["Q30", "Q0", "wkgfc:Mercury_(planet)", "Q30"])
    assert [(e.id, e.label, e.url) for e in entities] == [
        ("Q30", "United States of America", "https://www.wikidata.org/wiki/Q30"),
        ("wkgfc:Mercury_(planet)", "Mercury (planet)", "https://en.wikipedia.org/wiki/Mercury_(planet)"),
    ]
    assert [e.id for e in table.entities(f"Q{number}" for number in range(3_000))] == ["Q30", "Q227", "Q882"]
    assert entity_url("P31") is None


@given(mention=st.text(max_size=300), limit=st.integers(-1, 30))
def test_any_text_can_be_looked_up(table: Names, mention: str, limit: int) -> None:
    candidates = table.candidates(mention, limit)
    assert len(candidates) <= max(limit, 0)
    assert candidates == sorted(candidates, key=lambda c: (-c.match, -c.links, c.entity.id))
    assert all(0 < candidate.match <= 1 for candidate in candidates)
    assert len({candidate.entity.id for candidate in candidates}) == len(candidates)


@given(label=st.text(min_size=1), aliases=st.lists(st.text(), max_size=5))
def test_every_name_that_has_a_letter_is_found_again(
    tmp_path_factory: pytest.TempPathFactory, label: str, aliases: list[str]
) -> None:
    path = tmp_path_factory.mktemp("one") / "names.sqlite"
    write_names(path, [NameRow("Q1", label, None, aliases, 1)])
    names = Names(path)
    for name in [label, *aliases]:
        assert ids(names, name) == (["Q1"] if fold(name) and len(name) <= 200 else [])
    names.close()


def test_many_threads_may_ask(table: Names) -> None:
    answers: list[list[str]] = []
    threads = [threading.Thread(target=lambda: answers.append(ids(table, "Chaplin"))) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [["Q556967", "Q882", "Q230636"]] * 16


def test_a_missing_file_is_said_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(NotConfigured, match="no table of names") as error:
        Names(tmp_path / "names.sqlite")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("content", [b"", b"not a database", b"SQLite format 3\x00" + b"\x00" * 5_000])
def test_a_damaged_file_is_said_in_one_line(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "names.sqlite"
    path.write_bytes(content)
    with pytest.raises(NotConfigured, match="remove the store and build it again") as error:
        Names(path)
    assert "\n" not in str(error.value)


def test_a_truncated_file_is_said_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "names.sqlite"
    write_names(path, (NameRow(f"Q{n}", f"Entity number {n}", "x" * 50, [], n) for n in range(5_000)))
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(NotConfigured, match="remove the store and build it again"):
        _ = [Names(path).candidates(f"Entity number {number}") for number in range(0, 5_000, 100)]


def test_another_layout_is_built_again(tmp_path: Path) -> None:
    path = tmp_path / "names.sqlite"
    write_names(path, ROWS)
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA user_version = 99")
    database.close()
    with pytest.raises(NotConfigured, match="another version"):
        Names(path)


def test_a_finished_file_is_never_written_over(tmp_path: Path) -> None:
    path = tmp_path / "names.sqlite"
    write_names(path, ROWS)
    with pytest.raises(FileExistsError):
        write_names(path, ROWS)
