"""Facts from summaries: what title, description and sentences state, and no more; any text is read without a fault."""

import json
import random
import statistics
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from wkgfc.evidence import Entity, Time, Triple
from wkgfc.kg.builders.vital import VitalArticles
from wkgfc.stores import silent

ARTICLES = {
    "Ada Verne": {
        "title": "Ada Verne",
        "extract": "Ada Marie Verne (3 May 1851 – 9 June 1920) was a French chemist and painter. She was born in Lyon.",
        "description": "French chemist (1851–1920)",
        "topic": "People",
    },
    "Lyon": {
        "title": "Lyon",
        "extract": "Lyon is a city in France. It lies on the Rhône.",
        "description": "City in France",
        "topic": "Geography",
    },
    "France": {
        "title": "France",
        "extract": "France is a country in Western Europe. Its capital is Paris.",
        "description": "Country in Western Europe",
        "topic": "Geography",
    },
}


def builder(folder: Path, articles: dict[str, dict[str, str]]) -> VitalArticles:
    file = folder / "summaries.json"
    file.write_text(json.dumps(articles), encoding="utf-8")
    return VitalArticles(file)


def triples(folder: Path, articles: dict[str, dict[str, str]]) -> list[Triple]:
    return [record for record in builder(folder, articles).records(silent) if isinstance(record, Triple)]


def test_a_person_has_nationality_occupation_and_dates_with_their_precision(tmp_path: Path) -> None:
    facts = [each for each in triples(tmp_path, ARTICLES) if each.subject.label == "Ada Verne"]
    stated = {(each.relation.id, each.object.label) for each in facts if isinstance(each.object, Entity)}
    times = {each.relation.id: each.object for each in facts if isinstance(each.object, Time)}
    assert ("P27", "France") in stated
    assert ("P106", "chemist") in {(relation, label.lower()) for relation, label in stated}
    assert (times["P569"].year, times["P570"].year) == (1851, 1920)


def test_a_fact_and_its_passage_are_one_source(tmp_path: Path) -> None:
    for fact in triples(tmp_path, ARTICLES):
        assert fact.source.text_id is not None
        assert fact.source.text_id.startswith("vital:")
        assert fact.source.url is not None
        assert fact.source.url.startswith("https://en.wikipedia.org/wiki/")


@pytest.mark.parametrize(
    "text", ["<script>alert(1)</script> is a city.", "\u202eA\u0000 was (born – died", "(" * 400, ""]
)
def test_hostile_text_is_read_as_text(tmp_path: Path, text: str) -> None:
    odd = {"Odd": {"title": "Odd", "extract": text, "description": text, "topic": "People"}}
    for fact in triples(tmp_path, {**ARTICLES, **odd}):
        assert fact.relation.id.startswith("P")


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=200), st.text(max_size=60), st.sampled_from(["People", "Geography", "Arts", "History"]))
def test_any_article_is_read(tmp_path: Path, extract: str, description: str, topic: str) -> None:
    odd = {"Odd thing": {"title": "Odd thing", "extract": extract, "description": description, "topic": topic}}
    triples(tmp_path, odd)


def test_the_median_article_of_the_package_has_four_facts() -> None:
    """A floor against loss: the aim is six (docs/embedded-kg.md)."""
    vital = VitalArticles()
    sample = random.Random(1).sample(list(vital.articles), 300)
    assert statistics.median(len(facts) for _, facts in vital.facts(sample)) >= 4
