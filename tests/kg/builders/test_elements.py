"""Chemical elements: groups and periods by number, what is stated of an element, and the package itself."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wkgfc.errors import NotConfigured
from wkgfc.evidence import Entity, Quantity, Text, Triple
from wkgfc.kg.builders import elements as module
from wkgfc.kg.builders.elements import ElementData, Elements, IsotopeData, facts_of, group_of, period_of, read_elements
from wkgfc.kg.builders.properties import PROPERTIES
from wkgfc.kg.builders.records import BuilderRecord, Item, local_id
from wkgfc.kg.builders.titles import Titles

NOTHING = ElementData("unobtainium", "Un", 119 - 1, None, None, "", [])


def objects(records: list[BuilderRecord], subject: str, property_id: str) -> list[str]:
    found = []
    for record in records:
        if isinstance(record, Triple) and (record.subject.label, record.relation.id) == (subject, property_id):
            value = record.object
            found.append(
                value.label
                if isinstance(value, Entity)
                else f"{value.amount:f}"
                if isinstance(value, Quantity)
                else value.value
            )
    return found


@pytest.mark.parametrize(
    ("number", "period", "group"),
    [
        (1, 1, 1), (2, 1, 18), (3, 2, 1), (4, 2, 2), (5, 2, 13), (10, 2, 18), (13, 3, 13), (21, 4, 3), (26, 4, 8),
        (30, 4, 12), (36, 4, 18), (47, 5, 11), (56, 6, 2), (57, 6, None), (70, 6, None), (71, 6, 3), (79, 6, 11),
        (80, 6, 12), (86, 6, 18), (88, 7, 2), (92, 7, None), (102, 7, None), (103, 7, 3), (104, 7, 4), (118, 7, 18),
    ],
)  # fmt: skip
def test_the_place_in_the_table(number: int, period: int, group: int | None) -> None:
    assert period_of(number) == period
    assert group_of(number) == group


@given(st.integers(1, 118))
def test_every_element_has_a_place(number: int) -> None:
    group = group_of(number)
    assert 1 <= period_of(number) <= 7
    assert group is None or 1 <= group <= 18
    assert (group is None) == (57 <= number <= 70 or 89 <= number <= 102)


def test_every_place_is_taken_once() -> None:
    places = [(period_of(number), group) for number in range(1, 119) if (group := group_of(number)) is not None]
    assert len(places) == len(set(places)) == 118 - 28


def test_what_the_package_does_not_know_is_not_stated() -> None:
    records = list(facts_of(NOTHING))
    assert objects(records, "Unobtainium", "P2067") == []
    assert objects(records, "Unobtainium", "P2054") == []
    assert objects(records, "Unobtainium", "P246") == ["Un"]


@pytest.mark.parametrize(
    ("caveat", "is_stated"),
    [
        ("", True),
        ("approximate", True),
        ("T=20", True),
        ("T=25 C", True),
        ("T=-269", False),
        ("T=0", False),
        ("liquid", False),
    ],
)
def test_only_the_density_at_room_temperature(caveat: str, is_stated: bool) -> None:
    records = list(facts_of(NOTHING._replace(density=1.25, density_caveat=caveat)))
    assert objects(records, "Unobtainium", "P2054") == (["1.25"] if is_stated else [])


def test_a_whole_number_is_no_atomic_weight() -> None:
    assert objects(list(facts_of(NOTHING._replace(mass=294.0))), "Unobtainium", "P2067") == []
    assert objects(list(facts_of(NOTHING._replace(mass=294.5))), "Unobtainium", "P2067") == ["294.5"]


def test_isotopes() -> None:
    records = list(facts_of(ElementData("carbon", "C", 6, 12.011, 2.1, "", [IsotopeData(13, 13.00335483507, 1.06)])))
    assert objects(records, "Carbon-13", "P279") == ["Carbon"]
    assert objects(records, "Carbon-13", "P1148") == ["7"]
    assert objects(records, "Carbon-13", "P2067") == ["13.00335483507"]
    assert objects(records, "Carbon-13", "P1107") == ["1.06"]


def test_a_missing_package_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PACKAGE", "no_such_package_at_all")
    with pytest.raises(NotConfigured):
        read_elements()


@pytest.fixture(scope="module")
def built() -> list[BuilderRecord]:
    return list(Elements().records(lambda stage, done, total: None))


@pytest.mark.parametrize(
    ("element", "number", "symbol", "mass", "group"),
    [
        ("Hydrogen", "1", "H", "1.008", "Group 1 element"),
        ("Carbon", "6", "C", "12.011", "Group 14 element"),
        ("Iron", "26", "Fe", "55.845", "Group 8 element"),
        ("Gold", "79", "Au", "196.96657", "Group 11 element"),
        ("Mercury", "80", "Hg", "200.592", "Group 12 element"),
        ("Lead", "82", "Pb", "207.2", "Group 14 element"),
    ],
)
def test_known_elements(
    built: list[BuilderRecord], element: str, number: str, symbol: str, mass: str, group: str
) -> None:
    assert objects(built, element, "P1086") == [number]
    assert objects(built, element, "P246") == [symbol]
    assert objects(built, element, "P2067")[0][:6] == mass[:6]
    assert group in objects(built, element, "P361")
    assert "Chemical element" in objects(built, element, "P31")


def test_kinds_of_elements(built: list[BuilderRecord]) -> None:
    assert objects(built, "Helium", "P31") == ["Chemical element", "Noble gas"]
    assert objects(built, "Hydrogen", "P31") == ["Chemical element"]
    assert objects(built, "Uranium", "P31") == ["Chemical element", "Actinide"]
    assert objects(built, "Oganesson", "P31") == ["Chemical element"]


def test_all_elements_are_there_and_consistent(built: list[BuilderRecord]) -> None:
    numbers = [
        record.object.amount
        for record in built
        if isinstance(record, Triple) and record.relation.id == "P1086" and isinstance(record.object, Quantity)
    ]
    assert numbers == [Decimal(number) for number in range(1, 119)]
    symbols = [record.object for record in built if isinstance(record, Triple) and record.relation.id == "P246"]
    assert len({symbol.value for symbol in symbols if isinstance(symbol, Text)}) == 118
    for record in built:
        if isinstance(record, Triple):
            assert record.relation.id in PROPERTIES
            assert record.source is not None
            assert record.source.text_id is not None
            assert record.source.text_id.startswith("elements:")
    shares: dict[str, Decimal] = {}
    parents = {
        record.subject.id: record.object.id
        for record in built
        if isinstance(record, Triple) and record.relation.id == "P279" and isinstance(record.object, Entity)
    }
    for record in built:
        if isinstance(record, Triple) and record.relation.id == "P1107" and isinstance(record.object, Quantity):
            parent = parents[record.subject.id]
            shares[parent] = shares.get(parent, Decimal(0)) + record.object.amount
    assert len(shares) > 80
    assert all(Decimal("99.8") < share < Decimal("100.2") for share in shares.values())


def test_elements_have_the_ids_of_their_articles(built: list[BuilderRecord]) -> None:
    titles = Titles.of_vital_articles()
    ids = {record.entity.id for record in built if isinstance(record, Item)}
    assert {local_id(title) for title in ("Mercury (element)", "Aluminium", "Caesium", "Gold", "Oxygen")} <= ids
    missing = [
        title for title in ("Mercury (element)", "Aluminium", "Caesium", "Gold", "Oxygen") if title not in titles
    ]
    assert missing == []
    assert Elements().fingerprint() == Elements().fingerprint()
