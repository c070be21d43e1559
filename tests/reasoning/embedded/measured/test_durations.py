"""Claims of how long something was, judged by when it began and ended."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wkgfc.evidence import Entity, Evidence, EvidenceGraph, Qualifier, Relation, Source, Time, Triple
from wkgfc.reasoning.embedded.findings import Finding
from wkgfc.reasoning.embedded.measured.durations import duration_of, judge_duration
from wkgfc.reasoning.embedded.values.calendar_spans import Day, days_between

TODAY = dt.date(2026, 6, 1)
SUBJECT = Entity(id="Q1", label="Ada")
PRESIDENT = Entity(id="Q2", label="President of Freedonia")


def time(date: str) -> Time:
    return Time(value=date, precision=9 + date.lstrip("-").count("-"))


def dated(*dates: tuple[str, str]) -> tuple[Evidence, ...]:
    graph = EvidenceGraph()
    for relation, date in dates:
        graph.add_kg_triple(_statement(relation, time(date)), hop=1)
    return tuple(graph)


def held(*terms: tuple[str, str | None], office: Entity = PRESIDENT) -> tuple[Evidence, ...]:
    graph = EvidenceGraph()
    for start, end in terms:
        qualifiers = [Qualifier(relation=_relation("P580"), value=time(start))]
        qualifiers += [Qualifier(relation=_relation("P582"), value=time(end))] if end else []
        graph.add_kg_triple(_statement("P39", office, *qualifiers), hop=1)
    return tuple(graph)


def _statement(relation: str, value: Entity | Time, *qualifiers: Qualifier) -> Triple:
    return Triple(
        subject=SUBJECT,
        relation=_relation(relation),
        object=value,
        qualifiers=qualifiers,
        source=Source(name="test"),
    )


def _relation(identifier: str) -> Relation:
    return Relation(id=identifier, label=identifier)


def found(claim: str, evidence: tuple[Evidence, ...]) -> Finding | None:
    claimed = duration_of(claim)
    assert claimed is not None, claim
    return judge_duration(claimed, evidence, {"Q1"}, TODAY)


def judged(claim: str, evidence: tuple[Evidence, ...]) -> str | None:
    finding = found(claim, evidence)
    if finding is None or finding.is_open:
        return None if finding is None else "open"
    return "supports" if finding.stance.polarity > 0 else "refutes"


DAYS = dated(("P580", "1914-07-28"), ("P582", "1918-11-11"))  # four years and three months
YEARS = dated(("P580", "1914"), ("P582", "1918"))


@pytest.mark.parametrize(
    ("claim", "outcome"),
    [
        ("The war lasted four years.", "supports"),
        ("The war lasted for about four years.", "supports"),
        ("The war went on for more than four years.", "supports"),
        ("The war lasted over four years in total.", "supports"),
        ("The war lasted less than five years.", "supports"),
        ("The war lasted between four and five years.", "supports"),
        ("The war lasted 51 months.", "supports"),
        ("The war did not last five years and a day.", None),
        ("The war was fought over four years.", "supports"),
        ("The war lasted three years.", "refutes"),
        ("The war lasted five years.", "open"),  # nobody calls it so, but it is no more than rounded up
        ("The war lasted six years.", "refutes"),
        ("The war lasted less than four years.", "refutes"),
        ("The war lasted over a decade.", "refutes"),
        ("The war did not last four years.", "refutes"),
        ("The war didn't last ten years.", "supports"),
    ],
)
def test_a_duration_follows_from_beginning_and_end(claim: str, outcome: str | None) -> None:
    if outcome is None:
        assert duration_of(claim) is None
    else:
        assert judged(claim, DAYS) == outcome


@pytest.mark.parametrize(
    ("claim", "outcome"),
    [
        ("The war lasted four years.", "supports"),
        ("The war lasted three years.", "open"),
        ("The war lasted five years.", "open"),
        ("The war lasted two years.", "refutes"),
        ("The war lasted more than four years.", "open"),
        ("The war lasted more than five years.", "refutes"),
        ("The war lasted more than two years.", "supports"),
    ],
)
def test_of_years_alone_the_difference_is_what_is_said(claim: str, outcome: str) -> None:
    assert judged(claim, YEARS) == outcome


def test_the_difference_of_years_is_less_sure_than_days() -> None:
    of_years, of_days = found("The war lasted four years.", YEARS), found("The war lasted four years.", DAYS)
    assert of_years is not None
    assert of_days is not None
    assert of_years.strength < of_days.strength
    assert of_years.sentence.endswith("That makes 3 or 4 years.")
    assert of_days.sentence.endswith("That makes 4 years.")


@pytest.mark.parametrize(
    ("claim", "outcome"),
    [
        ("Ada was president for eight years.", "supports"),
        ("Ada was president of Freedonia for 8 years.", "supports"),
        ("Ada served as the president of Freedonia for four years.", "supports"),  # each time
        ("Ada ruled Freedonia for over seven years.", "supports"),
        ("Ada's presidency lasted eight years.", "supports"),
        ("The presidency of Ada lasted eight years.", "supports"),
        ("Ada was in power for eight years.", "supports"),
        ("Ada held the office of president for 12 years.", "refutes"),
        ("Ada was president for more than ten years.", "refutes"),
        ("Ada was president for less than five years.", "refutes"),
        ("Ada did not serve as president for ten years.", "supports"),
        ("Ada was mayor of Fredville for eight years.", None),
        ("Ada has been president for eight years.", None),
    ],
)
def test_terms_of_an_office_count_each_and_together(claim: str, outcome: str | None) -> None:
    terms = held(("1901-03-04", "1905-03-04"), ("1913-03-04", "1917-03-04"))
    assert judged(claim, terms) == outcome


def test_other_offices_and_other_realms_are_none_of_the_claim() -> None:
    vice = held(("2009", "2017"), office=Entity(id="Q5", label="Vice President of Freedonia"))
    assert judged("Ada was president of Freedonia for eight years.", vice) is None
    assert judged("Ada was vice president of Freedonia for eight years.", vice) == "supports"
    terms = held(("2009", "2017"))
    assert judged("Ada ruled Freedonia for eight years.", terms) == "supports"
    for claim in ("Ada ruled Sylvania for eight years.", "Ada led the Union of Bakers for 30 years."):
        assert judged(claim, terms) is None
    assert judged("Ada was president of the University of Freedonia for two years.", terms) is None


def test_who_ruled_longer_may_have_had_other_offices() -> None:
    terms = held(("2009", "2017"))
    assert judged("Ada ruled for 30 years.", terms) is None
    assert judged("Ada ruled for three years.", terms) == "refutes"


def test_terms_that_follow_each_other_are_one() -> None:
    twice = held(("2009-01-20", "2013-01-20"), ("2013-01-20", "2017-01-20"))
    assert judged("Ada was president for only four years.", twice) == "refutes"
    assert judged("Ada was president for eight years.", twice) == "supports"
    assert judged("Ada was president for eight years.", held(("2009", "2013"), ("2013", "2017"))) == "supports"
    assert judged("Ada has been president for four years.", held(("2017", "2021"), ("2025", None))) == "refutes"


@pytest.mark.parametrize(
    ("claim", "outcome"),
    [
        ("The war lasted about a decade.", "refutes"),
        ("The war lasted a decade.", "refutes"),
        ("The war lasted about a century.", "refutes"),
        ("The war lasted about five years.", "supports"),
        ("The war lasted about six years.", "open"),
        ("The war lasted 4.3 years.", "supports"),
        ("The war lasted 3.5 years.", "refutes"),
        ("The war did not last a year.", "refutes"),  # it was not over before
        ("The war did not last five years.", "supports"),
    ],
)
def test_what_is_rounded_is_rounded_by_no_more_than_its_step(claim: str, outcome: str) -> None:
    assert judged(claim, DAYS) == outcome


def test_a_round_figure_may_be_rounded_far() -> None:
    empire = dated(("P571", "1299"), ("P576", "1922"))
    assert judged("The empire lasted 600 years.", empire) == "open"
    assert judged("The empire lasted 623 years.", empire) == "supports"
    assert judged("The empire lasted 400 years.", empire) == "refutes"


def test_years_alone_say_nothing_of_months() -> None:
    assert judged("The war lasted 3 months.", dated(("P580", "1967"), ("P582", "1967"))) == "open"
    assert judged("The war lasted 48 months.", YEARS) == "open"


def test_what_is_stated_twice_is_one_term() -> None:
    twice = held(("1901", "1909"), ("1901-03-04", "1909-03-04"))
    assert judged("Ada was president for sixteen years.", twice) == "refutes"
    assert judged("Ada was president for eight years.", twice) == "supports"


def test_an_office_that_is_held_still_counts_to_the_claims_day() -> None:
    still = held(("2020-01-15", None))
    assert judged("Ada has been president for six years.", still) == "supports"
    assert judged("Ada has been president for ten years.", still) == "refutes"
    assert judged("Ada was president for six years.", still) is None


def test_days_count_with_or_without_the_last() -> None:
    short = held(("1978-08-26", "1978-09-28"), office=Entity(id="Q4", label="pope"))
    assert judged("Ada was pope for just 33 days.", short) == "supports"
    assert judged("Ada was pope for 34 days.", short) == "supports"
    assert judged("Ada was pope for 36 days.", short) == "refutes"
    finding = found("Ada was pope for 33 days.", short)
    assert finding is not None
    assert finding.sentence.endswith("That makes 33 days.")


def test_there_is_no_year_0() -> None:
    empire = dated(("P571", "-0027"), ("P576", "0014"))
    assert judged("The empire existed for 40 years.", empire) == "supports"


def test_what_is_missing_or_impossible_tells_nothing() -> None:
    assert judged("The war lasted four years.", dated(("P580", "1914"))) is None
    assert judged("The war lasted four years.", dated(("P580", "1918"), ("P582", "1914"))) is None
    assert judged("Ada was president for four years.", held()) is None


def test_two_beginnings_must_say_the_same() -> None:
    either = dated(("P580", "1914-07-28"), ("P580", "1912-07-28"), ("P582", "1918-11-11"))
    assert judged("The war lasted four years.", either) == "open"
    assert judged("The war lasted nine years.", either) == "refutes"


@pytest.mark.parametrize(
    "claim",
    [
        "The war lasted from 1914 to 1918.",
        "The film lasted two hours.",
        "The war lasted a year and a half.",
        "He reigned for ten years.",
        "Ada was born 10 years after the war.",
        "Ada won for the first time in ten years.",
        "Ada is 40 years old.",
        "The effects of the war lasted 50 years.",
        "The queen's son ruled for nine years.",
        "By 1977 Ada had been queen for 25 years.",
        "Ada wanted to rule for ten years.",
        "The war was expected to last four years.",
        "Ada will rule for ten years.",
        "",
    ],
)
def test_what_gives_no_duration(claim: str) -> None:
    assert duration_of(claim) is None


@given(st.text(max_size=60))
def test_any_text_can_be_read(text: str) -> None:
    duration_of(text)
    duration_of(f"The war lasted {text} years.")


@given(st.dates(), st.dates())
def test_days_are_those_of_the_calendar(first: dt.date, second: dt.date) -> None:
    days = days_between(Day(first.year, first.month, first.day), Day(second.year, second.month, second.day))
    assert days == (second - first).days
