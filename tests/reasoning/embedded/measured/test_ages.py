"""Claims of an age, judged by dates of birth and death."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wkgfc.evidence import Entity, EvidenceGraph, Qualifier, Relation, Source, Time, Triple
from wkgfc.reasoning.embedded.measured.ages import age_of, judge_age

TODAY = dt.date(2026, 6, 1)
SUBJECT = Entity(id="Q1", label="Mozart")
BORN, DIED = ("P569", "1756-01-27"), ("P570", "1791-12-05")


def in_office(start: str) -> Triple:
    return Triple(
        subject=SUBJECT,
        relation=Relation(id="P39", label="position held"),
        object=Entity(id="Q2", label="King of Salzburg"),
        qualifiers=(Qualifier(relation=Relation(id="P580", label="start"), value=time(start)),),
        source=Source(name="test"),
    )


def time(date: str) -> Time:
    return Time(value=date, precision=9 + date.lstrip("-").count("-"))


def graph_of(*dates: tuple[str, str]) -> EvidenceGraph:
    graph = EvidenceGraph()
    for relation, date in dates:
        graph.add_kg_triple(
            Triple(
                subject=SUBJECT,
                relation=Relation(id=relation, label=relation),
                object=time(date),
                source=Source(name="test"),
            ),
            hop=1,
        )
    return graph


def judged(claim: str, *dates: tuple[str, str]) -> str | None:
    claimed = age_of(claim)
    assert claimed is not None, claim
    finding = judge_age(claimed, tuple(graph_of(*dates)), {"Q1"}, TODAY)
    if finding is None or finding.is_open:
        return None if finding is None else "open"
    return "supports" if finding.stance.polarity > 0 else "refutes"


@pytest.mark.parametrize(
    ("claim", "outcome"),
    [
        ("Mozart was 35 when he died.", "supports"),
        ("Mozart was 35 years old at the time of his death.", "supports"),
        ("Mozart was 36 years old when he died.", "refutes"),
        ("Mozart died at the age of 35.", "supports"),
        ("Mozart died aged 34.", "refutes"),
        ("Mozart died young, at 35.", "supports"),
        ("Mozart died when he was only 35.", "supports"),
        ("Mozart was killed at age 35.", "supports"),
        ("Mozart lived for 35 years.", "supports"),
        ("Mozart lived less than 40 years.", "supports"),
        ("Mozart lived to be 60.", "refutes"),
        ("Mozart reached the age of 30.", "supports"),
        ("Mozart was over 30 at the time of his death.", "supports"),
        ("Mozart was over 40 when he died.", "refutes"),
        ("Mozart died at about 35 years of age.", "supports"),
        ("Mozart was not 40 years old when he died.", "supports"),
        ("Mozart did not die at the age of 35.", "refutes"),
        ("Mozart did not live to be 40.", "supports"),
        ("Mozart did not live to be 30.", "refutes"),
        ("Mozart was 5 years old in 1761.", "supports"),
        ("Mozart was 4 years old in 1761.", "supports"),
        ("Mozart was 6 in 1761.", "refutes"),
        ("Mozart turned 5 in 1761.", "supports"),
        ("Mozart turned 4 in 1761.", "refutes"),
    ],
)
def test_ages_follow_from_birth_and_death(claim: str, outcome: str) -> None:
    assert judged(claim, BORN, DIED) == outcome


@pytest.mark.parametrize(
    ("claim", "outcome"),
    [
        ("Mozart died at 35.", "open"),
        ("Mozart died at 34.", "open"),
        ("Mozart died at 33.", "refutes"),
        ("Mozart was over 30 when he died.", "supports"),
        ("Mozart was 5 in 1761.", "supports"),
        ("Mozart turned 5 in 1761.", "supports"),
        ("Mozart was 3 in 1761.", "refutes"),
    ],
)
def test_years_alone_leave_one_of_two_ages(claim: str, outcome: str) -> None:
    assert judged(claim, ("P569", "1756"), ("P570", "1791")) == outcome


def test_two_dates_of_birth_must_say_the_same() -> None:
    assert judged("Mozart died at 35.", BORN, ("P569", "1755-01-27"), DIED) == "open"
    assert judged("Mozart died at 50.", BORN, ("P569", "1755-01-27"), DIED) == "refutes"


def test_what_is_missing_tells_nothing() -> None:
    assert judged("Mozart died at 35.", BORN) is None
    assert judged("Mozart died at 35.", DIED) is None
    assert judged("Mozart died at 35.", ("P569", "1750"), ("P570", "1700")) is None  # died before the birth


@pytest.mark.parametrize(
    ("claim", "outcome"),
    [
        ("Mozart is 46 years old.", "supports"),
        ("Mozart is 46.", "supports"),
        ("Mozart is 47 years old.", "refutes"),
        ("Mozart is currently over 40 years old.", "supports"),
        ("Mozart is not 46 years old.", "refutes"),
    ],
)
def test_the_living_have_the_age_of_the_claims_day(claim: str, outcome: str) -> None:
    assert judged(claim, ("P569", "1980-03-05")) == outcome
    assert judged(claim, ("P569", "1980-03-05"), ("P570", "2020-01-01")) is None


def test_things_have_an_age_since_they_were_founded() -> None:
    assert judged("The bank is 100 years old.", ("P571", "1925-08-01")) == "supports"
    assert judged("The bank is over 200 years old.", ("P571", "1925-08-01")) == "refutes"
    assert judged("The bank is 100.", ("P571", "1925-08-01")) is None


@pytest.mark.parametrize(
    ("claim", "outcome"),
    [
        ("Mozart was 18 when he became king.", "supports"),
        ("Mozart was 18 years old when he was sworn in as King of Salzburg.", "supports"),
        ("Mozart became king at the age of 18.", "supports"),
        ("Mozart came to the throne at age 18.", None),  # or with the second term
        ("Mozart came to the throne at age 30.", "refutes"),
        ("Mozart was over 20 when he took office.", None),
        ("Mozart was over 30 when he took office.", "refutes"),
        ("Mozart was 19 when he became king.", "refutes"),
        ("Mozart was not 19 when he became king.", "supports"),
        ("Mozart was 18 when he became mayor of Vienna.", None),
    ],
)
def test_an_office_has_an_age_at_which_it_was_first_held(claim: str, outcome: str | None) -> None:
    graph = graph_of(BORN)
    graph.add_kg_triple(in_office("1774-05-01"), hop=1)
    graph.add_kg_triple(in_office("1780-05-01"), hop=1)
    claimed = age_of(claim)
    assert claimed is not None
    finding = judge_age(claimed, tuple(graph), {"Q1"}, TODAY)
    if finding is None or finding.is_open:
        assert outcome is None
    else:
        assert outcome == ("supports" if finding.stance.polarity > 0 else "refutes")


def test_years_before_the_common_era_have_no_year_0() -> None:
    assert judged("Augustus died at the age of 75.", ("P569", "-0063-09-23"), ("P570", "0014-08-19")) == "supports"


def test_a_right_age_bears_out_only_part_of_a_claim_that_says_more() -> None:
    whole, more = age_of("Mozart died at 35."), age_of("Mozart died at 35 while climbing a mountain.")
    assert whole is not None
    assert more is not None
    findings = [judge_age(claimed, tuple(graph_of(BORN, DIED)), {"Q1"}, TODAY) for claimed in (whole, more)]
    assert findings[0] is not None
    assert findings[1] is not None
    assert findings[1].strength < findings[0].strength
    assert findings[0].sentence.endswith("That makes 35 years.")


@pytest.mark.parametrize(
    "claim",
    [
        "Mozart died at 10 Downing Street.",
        "Mozart died at 1 am.",
        "Mozart lived for 10 years in Vienna.",
        "Mozart lived 10 years before Beethoven.",
        "Mozart was 18 years old when he became ill, in 1774, in Vienna.",
        "Mozart was 1.63 metres tall.",
        "Mozart has 6 siblings.",
        "He died at 35.",
        "Mozart died in 1791.",
        "The 35th president died.",
        "",
    ],
)
def test_what_gives_no_age(claim: str) -> None:
    assert age_of(claim) is None


@given(st.text(max_size=60))
def test_any_text_can_be_read(text: str) -> None:
    age_of(text)
    age_of(f"Mozart died at {text}.")
