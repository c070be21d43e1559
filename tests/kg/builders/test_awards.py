"""Ceremonies and Super Bowls: numbers, order, gaps, damaged data, and the package itself."""

import datetime as dt
import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wkgfc.errors import NotConfigured
from wkgfc.evidence import Entity, Time, Triple
from wkgfc.kg.builders import awards as module
from wkgfc.kg.builders.awards import SERIES, Awards, events, ordinal, read_dates, roman
from wkgfc.kg.builders.properties import PROPERTIES
from wkgfc.kg.builders.records import BuilderRecord, Item

OSCARS, SUPER_BOWL = SERIES


def dates_of(records: list[BuilderRecord]) -> dict[str, str]:
    return {
        record.subject.label: record.object.value
        for record in records
        if isinstance(record, Triple) and record.relation.id == "P585" and isinstance(record.object, Time)
    }


def aliases_of(records: list[BuilderRecord], label: str) -> set[str]:
    return {
        a for record in records if isinstance(record, Item) and record.entity.label == label for a in record.aliases
    }


@given(st.integers(1, 10_000))
def test_ordinals(number: int) -> None:
    written = ordinal(number)
    assert re.fullmatch(r"\d+(?:st|nd|rd|th)", written)
    assert written.startswith(str(number))
    assert written.endswith("th") or number % 100 not in (11, 12, 13)


@given(st.integers(1, 399))
def test_roman_numerals(number: int) -> None:
    values = {"C": 100, "L": 50, "X": 10, "V": 5, "I": 1}
    signs = [values[sign] for sign in roman(number)]
    after = [*signs[1:], 0]
    assert sum(-sign if sign < following else sign for sign, following in zip(signs, after, strict=True)) == number
    assert not re.search(r"IIII|XXXX|VV|LL", roman(number))


def test_events_are_numbered_and_linked() -> None:
    records = list(events(SUPER_BOWL, [dt.date(1967, 1, 15), dt.date(1968, 1, 14), dt.date(1969, 1, 12)]))
    assert dates_of(records) == {
        "Super Bowl I": "1967-01-15",
        "Super Bowl II": "1968-01-14",
        "Super Bowl III": "1969-01-12",
    }
    links = {
        (record.subject.label, record.relation.id, record.object.label)
        for record in records
        if isinstance(record, Triple) and isinstance(record.object, Entity) and record.relation.id in ("P155", "P156")
    }
    assert links == {
        ("Super Bowl I", "P156", "Super Bowl II"),
        ("Super Bowl II", "P155", "Super Bowl I"),
        ("Super Bowl II", "P156", "Super Bowl III"),
        ("Super Bowl III", "P155", "Super Bowl II"),
    }
    assert "Super Bowl 2" in aliases_of(records, "Super Bowl II")


def test_after_a_gap_nothing_is_numbered() -> None:
    records = list(events(SUPER_BOWL, [dt.date(1967, 1, 15), dt.date(1969, 1, 12), dt.date(1970, 1, 11)]))
    assert list(dates_of(records)) == ["Super Bowl I"]
    assert list(events(SUPER_BOWL, [])) == [Item(entity=SUPER_BOWL.entity)]
    assert list(dates_of(list(events(OSCARS, [dt.date(1980, 4, 14)])))) == []


def test_a_year_with_two_ceremonies_names_neither() -> None:
    dates = [dt.date(1929, 5, 16), dt.date(1930, 4, 3), dt.date(1930, 11, 5)]
    records = list(events(OSCARS, dates))
    assert aliases_of(records, "1st Academy Awards") == {"1st Oscars", "1929 Oscars", "1929 Academy Awards"}
    assert aliases_of(records, "2nd Academy Awards") == {"2nd Oscars"}


def test_only_dates_are_dates(tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    file.write_text(
        json.dumps({"1967": ["1967-01-15", "1967-02-30", None, 5, "<b>"], "1968": "1968-01-14", "y": {}, "z": []})
    )
    assert read_dates(file) == [dt.date(1967, 1, 15)]
    shapes: list[object] = [[], 3, None, "1967-01-15"]
    for shape in shapes:
        file.write_text(json.dumps(shape))
        assert read_dates(file) == []


def test_damaged_data_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(NotConfigured):
        read_dates(tmp_path / "none.json")
    for damaged in (b"{", b"\xff"):
        (tmp_path / "x.json").write_bytes(damaged)
        with pytest.raises(NotConfigured):
            read_dates(tmp_path / "x.json")
    monkeypatch.setattr(module, "PACKAGE", "no_such_package_at_all")
    with pytest.raises(NotConfigured):
        list(Awards().records(lambda stage, done, total: None))


@given(st.lists(st.dates(), max_size=12, unique=True))
def test_any_dates_never_raise(days: list[dt.date]) -> None:
    for series in SERIES:
        for record in events(series, sorted(days)):
            if isinstance(record, Triple):
                assert record.relation.id in PROPERTIES


@pytest.fixture(scope="module")
def built() -> list[BuilderRecord]:
    return list(Awards().records(lambda stage, done, total: None))


@pytest.mark.parametrize(
    ("event", "date"),
    [
        ("1st Academy Awards", "1929-05-16"),
        ("2nd Academy Awards", "1930-04-03"),
        ("3rd Academy Awards", "1930-11-05"),
        ("70th Academy Awards", "1998-03-23"),
        ("92nd Academy Awards", "2020-02-09"),
        ("Super Bowl I", "1967-01-15"),
        ("Super Bowl XXXIV", "2000-01-30"),
        ("Super Bowl 50", "2016-02-07"),
        ("Super Bowl LV", "2021-02-07"),
    ],
)
def test_known_events(built: list[BuilderRecord], event: str, date: str) -> None:
    assert dates_of(built)[event] == date


def test_the_package_in_full(built: list[BuilderRecord]) -> None:
    dates = dates_of(built)
    assert len(dates) > 150
    assert len(set(dates.values())) == len(dates)
    assert "Super Bowl L" in aliases_of(built, "Super Bowl 50")
    for record in built:
        if isinstance(record, Triple):
            assert record.source is not None
            assert record.source.text_id == f"awards:{record.subject.label}"
    assert Awards().fingerprint() == Awards().fingerprint()
