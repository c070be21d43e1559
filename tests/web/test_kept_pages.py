"""Kept pages: a citation opens when the page is gone."""

import datetime as dt
import hashlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wkgfc.errors import NotConfigured
from wkgfc.web.kept_pages import INDEX, TEXTS, KeptPage, KeptPages
from wkgfc.web.page import Page

NOW = dt.datetime(2024, 1, 1, 12, tzinfo=dt.UTC)
TEXT = "The bridge was opened in 1859. " * 60


def page(text: str = TEXT, url: str = "https://a.example/1", at: dt.datetime = NOW) -> Page:
    return Page(url=url, address=url, text=text, title="Bridge", retrieved_at=at, language="en")


def files(folder: Path) -> list[Path]:
    return [file for file in (folder / TEXTS).rglob("*") if file.is_file()]


def test_a_kept_page_has_its_text_address_and_time(tmp_path: Path) -> None:
    row = KeptPages(tmp_path / "kept").keep(page())
    again = KeptPages(tmp_path / "kept")
    assert list(again) == [row]
    assert (row.url, row.retrieved_at, row.title) == ("https://a.example/1", NOW, "Bridge")
    assert row.content_hash == hashlib.sha256(TEXT.encode()).hexdigest()
    assert again.text(row.content_hash) == TEXT


def test_every_passage_opens(tmp_path: Path) -> None:
    kept = KeptPages(tmp_path)
    row = kept.keep(page())
    passages = page().passages("serper")
    assert len(passages) > 1
    assert all(kept.find(passage) == row for passage in passages)


def test_a_passage_opens_in_the_version_that_has_it(tmp_path: Path) -> None:
    kept = KeptPages(tmp_path)
    first = kept.keep(page("It was opened in 1859."))
    second = kept.keep(page("Corrected: it was opened in 1860.", at=NOW + dt.timedelta(days=1)))
    assert kept.find(page("It was opened in 1859.").passages("x")[0]) == first
    assert kept.find(page("Corrected: it was opened in 1860.").passages("x")[0]) == second
    assert kept.find(page("It was never opened.").passages("x")[0]) is None
    assert kept.find(page("It was opened in 1859.", url="https://b.example/").passages("x")[0]) is None


def test_the_same_is_kept_once(tmp_path: Path) -> None:
    kept = KeptPages(tmp_path)
    kept.keep(page())
    kept.keep(page())
    KeptPages(tmp_path).keep(page())
    kept.keep(page(url="https://b.example/"))
    assert len(list(kept)) == 2
    assert len(files(tmp_path)) == 1, "one text, two addresses"


def test_a_row_that_was_cut_costs_itself_alone(tmp_path: Path) -> None:
    kept = KeptPages(tmp_path)
    first = kept.keep(page())
    with (tmp_path / INDEX).open("ab") as index:
        index.write(b'{"content_hash": "ab')
    second = kept.keep(page(url="https://b.example/"))
    assert list(KeptPages(tmp_path)) == [first, second]


def test_a_text_that_has_been_changed_is_none(tmp_path: Path) -> None:
    kept = KeptPages(tmp_path)
    row = kept.keep(page())
    files(tmp_path)[0].write_text("Something else.")
    assert kept.text(row.content_hash) is None


def test_a_text_that_is_damaged_is_written_again(tmp_path: Path) -> None:
    kept = KeptPages(tmp_path)
    row = kept.keep(page())
    files(tmp_path)[0].write_text("")
    kept.keep(page(at=NOW + dt.timedelta(days=1)))
    assert kept.text(row.content_hash) == TEXT


@pytest.mark.parametrize("name", ["", "../../etc/passwd", "a" * 63, "A" * 64, "a" * 64])
def test_what_is_no_hash_names_no_text(tmp_path: Path, name: str) -> None:
    assert KeptPages(tmp_path).text(name) is None


def test_several_write_at_once(tmp_path: Path) -> None:
    def keep(number: int) -> KeptPage:
        return KeptPages(tmp_path).keep(page(f"Text {number % 5}.", url=f"https://a.example/{number}"))

    with ThreadPoolExecutor(8) as threads:
        rows = list(threads.map(keep, range(40)))
    assert sorted(row.url for row in KeptPages(tmp_path)) == sorted(row.url for row in rows)
    assert len(files(tmp_path)) == 5


def _make_file(folder: Path) -> None:
    folder.write_text("")


def _make_text_folder_a_file(folder: Path) -> None:
    folder.mkdir()
    (folder / TEXTS).write_text("")


@pytest.mark.parametrize("spoil", [_make_file, _make_text_folder_a_file])
def test_a_folder_that_cannot_be_used_is_told(tmp_path: Path, spoil: Callable[[Path], None]) -> None:
    spoil(tmp_path / "kept")
    with pytest.raises(NotConfigured, match="pages cannot be kept in"):
        KeptPages(tmp_path / "kept")


def test_a_folder_that_is_lost_on_the_way_is_told(tmp_path: Path) -> None:
    kept = KeptPages(tmp_path / "kept")
    (tmp_path / "kept" / TEXTS).rmdir()
    (tmp_path / "kept" / TEXTS).write_text("")
    with pytest.raises(NotConfigured, match="pages cannot be kept in"):
        kept.keep(page())


@settings(max_examples=30, deadline=None)
@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), min_size=1))
def test_any_text_comes_back_as_it_was(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    kept = KeptPages(tmp_path_factory.mktemp("kept"))
    assert kept.text(kept.keep(page(text)).content_hash) == text
