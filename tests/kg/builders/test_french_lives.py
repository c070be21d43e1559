"""What the French summaries add to a person: days and places of birth and death, sex; and when nothing is added."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wkgfc.errors import NotConfigured
from wkgfc.evidence import Entity, Time, Triple
from wkgfc.kg.builders.vital.builder import VitalArticles
from wkgfc.kg.builders.vital.french import french_file, french_url, read_french, with_french_life
from wkgfc.stores import silent

CITIES = {
    "Warsaw": ("Geography", "Capital of Poland", "Warsaw is the capital of Poland."),
    "Paris": ("Geography", "Capital of France", "Paris is the capital of France."),
    "Carthage": ("History", "Ancient city in North Africa", "Carthage was a city in North Africa."),
    "Cairo": ("Geography", "Capital of Egypt", "Cairo is the capital of Egypt."),
}
Read = Callable[..., dict[str, set[str]]]


def write(file: Path, articles: dict[str, tuple[str, str, str]]) -> Path:
    data = {
        title: {"title": title, "topic": topic, "description": description, "extract": extract}
        for title, (topic, description, extract) in articles.items()
    }
    file.write_text(json.dumps(data), encoding="utf-8")
    return file


def builder_of(folder: Path, description: str, french: str) -> VitalArticles:
    english = {**CITIES, "Anna Berg": ("People", description, "Anna Berg was a painter.")}
    return VitalArticles(
        write(folder / "summaries_en-us.json", english),
        write(folder / "summaries_fr-fr.json", {"Anna Berg": ("Personnalités", "peintre", french)}),
    )


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """What is said of Anna Berg, by relation."""

    def facts(french: str, description: str = "Polish painter (1880–1950)") -> dict[str, set[str]]:
        builder = builder_of(tmp_path, description, french)
        found: dict[str, set[str]] = {}
        for article, said in builder.facts(builder.articles):
            for fact in said if article.title == "Anna Berg" else ():
                if isinstance(fact.value, Time):
                    found.setdefault(fact.relation, set()).add(f"{fact.value.value}/{fact.value.precision}")
                elif isinstance(fact.value, Entity):
                    found.setdefault(fact.relation, set()).add(fact.value.label)
        return found

    return facts


def test_the_day_takes_the_place_of_the_year(read: Read) -> None:
    found = read(
        "Anna Berg, née Anna Lund le 1er mars 1880 à Varsovie et morte le 12 août 1950 à Paris, est une peintre."
    )
    assert found["P569"] == {"1880-03-01/11"}
    assert found["P570"] == {"1950-08-12/11"}
    assert found["P19"] == {"Warsaw"}
    assert found["P20"] == {"Paris"}
    assert found["P21"] == {"female"}


def test_a_life_that_the_english_text_does_not_date(read: Read) -> None:
    found = read(
        "Anna Berg, né le 2 mai 1880 et mort assassiné le 3 mai 1950 au Caire, est un peintre.", "Polish painter"
    )
    assert (found["P569"], found["P570"], found["P20"]) == ({"1880-05-02/11"}, {"1950-05-03/11"}, {"Cairo"})
    assert found["P21"] == {"male"}


def test_the_same_town(read: Read) -> None:
    found = read("Anna Berg, née le 2 mai 1880 à Paris 7e et morte le 3 mai 1950 dans la même ville, est une peintre.")
    assert found["P19"] == found["P20"] == {"Paris"}


@pytest.mark.parametrize(
    "french",
    [
        "Anna Berg, née le 2 mai 1881 à Paris, est une peintre.",  # another year
        "Anna Berg, née le 2 mai 1880 et morte le 4 juin 1951, est une peintre.",
        "Anna Berg, née le 31 février 1880, est une peintre.",  # no such day
        "Anna Berg, née le 2 mai 1880 (20 avril dans le calendrier julien), est une peintre.",
        "Anna Berg, née le 2 mai 1880 ou 1881, est une peintre.",
        "Anna Berg, née vers le 2 mai 1880, est une peintre.",
        "Anna Berg, née le 2 mai 1880 av. J.-C., est une peintre.",
        "Anna Berg est une peintre.",
        "",
    ],
)
def test_what_is_doubtful_or_contradicted_adds_nothing(read: Read, french: str) -> None:
    found = read(french)
    assert found["P569"] == {"1880-01-01/9"}
    assert found["P570"] == {"1950-01-01/9"}
    assert "P19" not in found


def test_no_one_dies_before_birth_or_after_a_hundred_and_fifteen_years(read: Read) -> None:
    assert "P569" not in read("Anna Berg, née le 2 mai 1880, morte le 2 mai 1879, est une peintre.", "Polish painter")
    assert "P569" not in read("Anna Berg, née le 2 mai 1680, morte le 2 mai 1879, est une peintre.", "Polish painter")


@pytest.mark.parametrize(
    "place", ["Bourg-la-Reine", "Cairo", "Carthage (Illinois)", "Paris ou Varsovie", "l'hôtel Ritz de Paris"]
)
def test_a_place_without_a_sure_english_name_is_left_out(read: Read, place: str) -> None:
    found = read(f"Anna Berg, née le 2 mai 1880 à {place}, est une peintre.")
    assert found["P569"] == {"1880-05-02/11"}
    assert "P19" not in found  # "Cairo" in a French text is a town in Georgia


def test_each_fact_names_the_text_that_it_is_from(tmp_path: Path) -> None:
    builder = builder_of(tmp_path, "Polish painter (1880–1950)", "Anna Berg, née le 2 mai 1880, est une peintre.")
    sources = {
        record.relation.id: record.source
        for record in builder.records(silent)
        if isinstance(record, Triple) and record.subject.label == "Anna Berg"
    }
    assert (sources["P569"].text_id, sources["P569"].url) == ("vital-fr:Anna Berg", french_url("Anna Berg"))
    assert sources["P570"].text_id == "vital:Anna Berg"


def test_a_file_that_is_broken_says_what_to_install(tmp_path: Path) -> None:
    for content in ("{", "[]", '{"a": {"title": "a"}}'):
        (tmp_path / "broken.json").write_text(content, encoding="utf-8")
        with pytest.raises(NotConfigured, match="install"):
            read_french(tmp_path / "broken.json")
    with pytest.raises(NotConfigured):
        read_french(french_file(tmp_path / "none" / "summaries_en-us.json"))


@pytest.fixture(scope="module")
def anna(tmp_path_factory: pytest.TempPathFactory) -> VitalArticles:
    return builder_of(tmp_path_factory.mktemp("french"), "Polish painter (1880–1950)", "")


WORDS = ["né", "née", "le", "1er", "12", "mars", "1880", "à", "Paris", "mort", "morte", ",", "et", "ou", "(", ")"]


@given(st.text(max_size=200) | st.lists(st.sampled_from(WORDS), max_size=80).map(" ".join))
def test_any_text_is_read_without_an_error(anna: VitalArticles, french: str) -> None:
    article = anna.articles[-1]
    for fact in with_french_life(article, (), french, anna.names):
        assert fact.source is not None
        assert fact.source.url == french_url(article.title)
