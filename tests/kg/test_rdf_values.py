"""Terms of plain RDF as values."""

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wkgfc.evidence import Entity, Quantity, Text, Time, value_key
from wkgfc.kg.rdf_values import UNITS, entity_of, name_of_iri, value_of
from wkgfc.kg.values import Term
from wkgfc.kg.vocabulary import XSD


@pytest.mark.parametrize(
    ("text", "datatype", "expected"),
    [
        ("1889-04-16", "date", Time(value="1889-04-16", precision=11)),
        ("1889-04-16Z", "date", Time(value="1889-04-16", precision=11)),
        ("1889-04-16+02:00", "date", Time(value="1889-04-16", precision=11)),
        ("1889-04-16T12:30:00.5-05:00", "dateTime", Time(value="1889-04-16", precision=11)),
        ("1889", "gYear", Time(value="1889-01-01", precision=9)),
        ("1889-04", "gYearMonth", Time(value="1889-04-01", precision=10)),
        ("-0043-03-15", "date", Time(value="-0044-03-15", precision=11)),
        ("1889-13-16", "date", Text(value="1889-13-16")),
        ("--04-16", "gMonthDay", Text(value="--04-16")),
        ("yesterday", "date", Text(value="yesterday")),
        ("3.50", "decimal", Quantity(amount=Decimal("3.50"))),
        ("1.65E0", "double", Quantity(amount=Decimal("1.65"))),
        ("42", "nonNegativeInteger", Quantity(amount=Decimal(42))),
        ("INF", "double", Text(value="INF")),
        ("1e999999999", "double", Text(value="1e999999999")),
        ("many", "integer", Text(value="many")),
        ("true", "boolean", Text(value="true")),
    ],
)
def test_literals_are_what_they_are(text: str, datatype: str, expected: object) -> None:
    assert value_of(Term(text, XSD + datatype)) == expected


def test_a_year_before_the_common_era_is_counted_as_the_graph_counts() -> None:
    ides = Term("-0044-03-15", XSD + "date")
    assert value_of(ides, has_year_zero=False) == Time(value="-0044-03-15", precision=11)
    assert value_of(ides) == Time(value="-0045-03-15", precision=11)


def test_amounts_have_the_unit_of_their_datatype_or_of_their_property() -> None:
    area = value_of(Term("891.7", UNITS + "squareKilometre"))
    assert area == Quantity(amount=Decimal("891.7"), unit=Entity(id=UNITS + "squareKilometre", label=""))
    assert isinstance(area, Quantity)
    assert area.unit is not None
    assert area.unit.label == "square kilometre"
    height = value_of(Term("1.65", XSD + "double"), "metre")
    assert isinstance(height, Quantity)
    assert height.unit is not None
    assert height.unit.label == "metre"
    assert value_of(Term("1889", XSD + "gYear"), "metre") == Time(value="1889-01-01", precision=9)


def test_iris_are_entities_and_texts_keep_their_language() -> None:
    berlin = value_of(Term("http://dbpedia.org/resource/Berlin"))
    assert isinstance(berlin, Entity)
    assert (berlin.label, berlin.url) == ("Berlin", "http://dbpedia.org/resource/Berlin")
    assert value_of(Term("mailto:me@example.org")) == Text(value="mailto:me@example.org")
    assert value_of(Term("Berlin", "langString", "de")) == Text(value="Berlin", language="de")


@pytest.mark.parametrize(
    ("iri", "name"),
    [
        ("http://dbpedia.org/resource/Douglas_Adams", "Douglas Adams"),
        ("http://dbpedia.org/resource/Caf%C3%A9_(film)", "Café (film)"),
        ("http://dbpedia.org/ontology/birthPlace", "birth place"),
        ("http://xmlns.com/foaf/0.1/givenName", "given name"),
        ("http://www.w3.org/1999/02/22-rdf-syntax-ns#type", "type"),
        ("http://example.org/", "example.org"),
        ("http://a", "a"),
    ],
)
def test_what_has_no_label_is_called_by_the_end_of_its_iri(iri: str, name: str) -> None:
    assert name_of_iri(iri) == name
    assert entity_of(iri).label == name


@given(
    st.text(max_size=30) | st.from_regex(r"-?\d{1,12}-\d\d-\d\dT.{0,5}", fullmatch=True),
    st.sampled_from(["date", "dateTime", "gYear", "gYearMonth", "decimal", "double", "integer", "string"]),
    st.booleans(),
)
@settings(deadline=None)
def test_any_literal_is_a_value_that_can_be_written_down(text: str, datatype: str, has_year_zero: bool) -> None:
    value = value_of(Term(text, XSD + datatype), "metre", has_year_zero=has_year_zero)
    assert value_key(value)
    if isinstance(value, Time):
        assert value.year
