"""Titles of vital articles by name: exact, folded, without brackets; and what a missing or damaged package gets."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wkgfc.errors import NotConfigured
from wkgfc.kg.builders import titles as module
from wkgfc.kg.builders.titles import Article, Titles, package_folder


def titles_of(*names: str) -> Titles:
    return Titles({name: Article(name, f"description of {name}", "") for name in names})


def anything(article: Article) -> bool:
    return True


def test_a_name_finds_the_exact_title_first() -> None:
    titles = titles_of("Mercury (element)", "Mercury (planet)", "Mercury", "São Paulo", "Punjab, India")
    assert [article.title for article in titles.named("Mercury")] == [
        "Mercury",
        "Mercury (element)",
        "Mercury (planet)",
    ]
    assert titles.find("sao paulo", anything) == "São Paulo"
    assert titles.find("Punjab", anything) == "Punjab, India"
    assert titles.find("Venus", anything) is None
    assert titles.find("Mercury", lambda article: "planet" in article.title) == "Mercury (planet)"
    assert "Mercury" in titles
    assert "mercury" not in titles
    assert 3 not in titles
    assert titles["Mercury"].description == "description of Mercury"


@given(st.lists(st.text(max_size=20), max_size=8), st.text(max_size=20))
def test_any_titles_and_names_never_raise(names: list[str], name: str) -> None:
    titles = titles_of(*names)
    found = [article.title for article in titles.named(name)]
    assert len(found) == len(set(found))
    assert set(found) <= set(names)
    assert all(titles.find(title, anything) == title for title in names)


def test_a_missing_package_is_told() -> None:
    with pytest.raises(NotConfigured, match="pip install no-such-thing"):
        package_folder("no_such_package_at_all", "no-such-thing")
    with pytest.raises(NotConfigured):
        package_folder("json.decoder", "a-module-is-no-package")


def test_damaged_data_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "package_folder", lambda package, requirement: tmp_path)
    with pytest.raises(NotConfigured):
        Titles.of_vital_articles()
    file = tmp_path / "data" / "summaries_en-us.json"
    file.parent.mkdir()
    for damaged in (b"{", b"\xff\xfe"):
        file.write_bytes(damaged)
        with pytest.raises(NotConfigured):
            Titles.of_vital_articles()
    shapes: list[object] = [[], 3, "x", None]
    for shape in shapes:
        file.write_text(json.dumps(shape))
        with pytest.raises(NotConfigured):
            Titles.of_vital_articles()
    file.write_text(json.dumps({"A": {"description": None}, "B": [], "C": {"extract": "c"}}))
    titles = Titles.of_vital_articles()
    assert titles["A"] == Article("A", "", "")
    assert "B" not in titles
    assert titles["C"].extract == "c"


def test_the_package_has_the_titles_that_items_share() -> None:
    titles = Titles.of_vital_articles()
    for title in ("France", "French language", "Mount Everest", "Mercury (element)", "Euro", "Washington, D.C."):
        assert title in titles
