"""An index of passages, built from small texts and asked anything."""

import asyncio
import datetime as dt
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from wkgfc.errors import BadInput, NotConfigured
from wkgfc.evidence import Passage
from wkgfc.state import Failed, Found, Nothing
from wkgfc.stores import MANIFEST
from wkgfc.usage import metered
from wkgfc.web.corpus import Corpus, build_corpus, build_embedded_corpus, open_corpus, searchable
from wkgfc.web.search import WebSearch

ROWS: list[dict[str, Any]] = [
    {
        "title": "Royal Albert Bridge",
        "text": "The bridge was opened by Prince Albert on 2 May 1859.",
        "url": "https://en.wikipedia.org/wiki/Royal_Albert_Bridge",
        "date": "2019-04-01",
    },
    {
        "title": "Isambard Kingdom Brunel",
        "text": "Brunel's last great work was a railway bridge at Saltash.",
        "url": "https://www.britannica.example/biography/brunel",
        "date": "2021",
    },
    {
        "title": "Saltash",
        "text": "Saltash is a town in Cornwall with 16,184 inhabitants.",
        "url": "https://news.paper.example/towns/saltash",
        "date": "2022-05-03",
    },
    {
        "title": "Toll",
        "text": "The toll at Saltash was abolished.",
        "url": "https://paper.example/newsroom/toll",
        "date": "2020-01-31",
    },
    {"title": "Beyoncé", "text": "Beyoncé Knowles was born in Houston in the U.S. state of Texas."},
    {"title": "The Who", "text": "The Who are an English rock band. It is not what to be or not to be is."},
    {"title": "東京", "text": "東京は日本の首都です。"},
]


def build(folder: Path, rows: list[dict[str, Any]], name: str = "index") -> Path:
    source = folder / f"{name}.jsonl"
    source.write_text("\n".join(json.dumps(row) for row in rows))
    build_corpus(source, folder / name)
    return folder / name


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return open_corpus(build(tmp_path_factory.mktemp("corpus"), ROWS))


def passages(corpus: Corpus, query: str, limit: int = 10, **given: Any) -> list[Passage]:
    answer = corpus.find(query, limit, **given)
    assert not isinstance(answer, Failed)
    return [hit.passage for hit in answer.items] if isinstance(answer, Found) else []


def titles(corpus: Corpus, query: str, limit: int = 10, **given: Any) -> list[str | None]:
    return [passage.title for passage in passages(corpus, query, limit, **given)]


def test_a_hit_is_the_passage_verbatim_with_its_source(corpus: Corpus) -> None:
    search: WebSearch = corpus
    answer = asyncio.run(search.search("Who opened the Royal Albert Bridge in 1859?", 3))
    assert isinstance(answer, Found)
    first = answer.items[0].passage
    assert first.text == ROWS[0]["text"]
    assert (first.title, first.url, first.date) == (ROWS[0]["title"], ROWS[0]["url"], dt.date(2019, 4, 1))
    assert (first.start, first.end) == (0, len(first.text))
    assert first.source.name == "index"
    assert first.source.text_id == ROWS[0]["url"]
    assert first.retrieved_at == corpus.manifest.built_at
    scores = [hit.score for hit in answer.items]
    assert scores == sorted(scores, reverse=True)


def test_a_search_is_counted(corpus: Corpus) -> None:
    with metered() as meter:
        asyncio.run(corpus.search("bridge", 3))
    assert meter.total.web_searches == 1


def test_no_more_hits_than_asked_for(corpus: Corpus) -> None:
    assert len(titles(corpus, "bridge Saltash", 1)) == 1
    assert isinstance(corpus.find("bridge", 0), Nothing)


@pytest.mark.parametrize(
    ("query", "title"),
    [
        ("BRIDGES OPENING", "Royal Albert Bridge"),  # letter case, stems
        ("Brunel’s works", "Isambard Kingdom Brunel"),  # possessives
        ("beyonce knowles", "Beyoncé"),  # diacritics left out
        ("Beyonce\u0301", "Beyoncé"),  # a letter and a mark of its own
        ("\uff22\uff45\uff59once", "Beyoncé"),  # full-width letters
        ("born in the US", "Beyoncé"),  # initialisms
        ("a town of 16184", "Saltash"),  # thousands
        ("首都", "東京"),  # no spaces between words
        ("The Who", "The Who"),  # nothing but common words
        ("brunel", "Isambard Kingdom Brunel"),
    ],
)
def test_words_are_found_in_their_forms(corpus: Corpus, query: str, title: str) -> None:
    assert titles(corpus, query)[0] == title


def test_a_title_counts_more_than_a_mention(corpus: Corpus) -> None:
    assert titles(corpus, "Saltash")[0] == "Saltash"


@pytest.mark.parametrize(
    "query",
    [
        'the "bridge',
        "bridge) OR (",
        "bridge AND",
        "NOT bridge",
        "+bridge -Saltash ^2",
        "title:bridge words:x",
        "bridge*?",
        "bridge~2",
        "/bridge.*/",
        "[a TO z] bridge",
        "\\bridge",
        "bridge 🙂",
        "bridge\x00\x07",
        "bridge\u202e",
        "IN [bridge]",
        "bridge" + "!" * 5_000,
    ],
)
def test_signs_of_query_languages_mean_nothing(corpus: Corpus, query: str) -> None:
    assert "Royal Albert Bridge" in titles(corpus, query)


@pytest.mark.parametrize("query", ["", " ", "?!", "🙂🙂", "…", "\x00", "'s", "xyzzy"])
def test_a_query_without_a_known_word_finds_nothing(corpus: Corpus, query: str) -> None:
    assert isinstance(corpus.find(query, 5), Nothing)


def test_a_long_text_asks_for_its_rarest_words(corpus: Corpus) -> None:
    text = "the of is in a was " * 6_000 + "Houston"
    assert len(text) > 100_000
    assert titles(corpus, text)[0] == "Beyoncé"
    everything = " ".join(f"{row['title']} {row['text']}" for row in ROWS) * 300
    assert set(titles(corpus, everything)) == {row["title"] for row in ROWS}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    query=st.text(max_size=300),
    limit=st.integers(-1, 20),
    before=st.none() | st.dates(),
    sites=st.lists(
        st.text(max_size=30) | st.sampled_from(["paper.example/", "wikipedia.org/wiki", "example"]), max_size=3
    ),
)
def test_any_query_is_answered(
    corpus: Corpus, query: str, limit: int, before: dt.date | None, sites: list[str]
) -> None:
    answer = corpus.find(query + " bridge", limit, before=before, allowed_sites=sites, blocked_sites=sites[1:])
    assert not isinstance(answer, Failed)


# Dates


def test_nothing_known_to_be_later_is_found(corpus: Corpus) -> None:
    query = "bridge Saltash Houston"
    assert set(titles(corpus, query)) >= {
        "Saltash",
        "Toll",
        "Royal Albert Bridge",
        "Isambard Kingdom Brunel",
        "Beyoncé",
    }
    assert set(titles(corpus, query, before=dt.date(2020, 1, 31))) == {"Toll", "Royal Albert Bridge", "Beyoncé"}
    assert set(titles(corpus, query, before=dt.date(2020, 1, 30))) == {"Royal Albert Bridge", "Beyoncé"}
    assert set(titles(corpus, query, before=dt.date(1000, 1, 1))) == {"Beyoncé"}


def test_a_passage_without_a_day_is_kept_and_undated(corpus: Corpus) -> None:
    (houston,) = passages(corpus, "Houston", before=dt.date(1900, 1, 1))
    assert houston.date is None


def test_a_year_alone_is_no_day_but_bounds_it(corpus: Corpus) -> None:
    (brunel,) = passages(corpus, "Brunel", before=dt.date(2021, 1, 1))
    assert brunel.date is None
    assert titles(corpus, "Brunel", before=dt.date(2020, 12, 31)) == []


# Sites


@pytest.mark.parametrize(
    ("site", "found"),
    [
        ("paper.example", {"Saltash", "Toll"}),
        ("www.paper.example", {"Saltash", "Toll"}),
        ("news.paper.example", {"Saltash"}),
        ("https://paper.example/newsroom/", {"Toll"}),
        ("paper.example/news", set()),
        ("paper.example/towns", {"Saltash"}),
        ("per.example", set()),
        ("EN.Wikipedia.org/wiki/Royal_Albert_Bridge", {"Royal Albert Bridge"}),
        ("wikipedia.org", {"Royal Albert Bridge"}),
        ("org", {"Royal Albert Bridge"}),
        ("", set()),
        ("[", set()),
    ],
)
def test_sites_are_allowed_or_blocked(corpus: Corpus, site: str, found: set[str]) -> None:
    query = "bridge Saltash Houston"
    everything = set(titles(corpus, query))
    assert set(titles(corpus, query, allowed_sites=[site])) == found
    assert set(titles(corpus, query, blocked_sites=[site])) == everything - found


def test_several_sites_are_allowed_and_blocked_together(corpus: Corpus) -> None:
    allowed = ["paper.example", "wikipedia.org"]
    assert set(titles(corpus, "bridge Saltash", allowed_sites=allowed, blocked_sites=["news.paper.example"])) == {
        "Toll",
        "Royal Albert Bridge",
    }


def test_sites_do_not_change_the_order(corpus: Corpus) -> None:
    scored = corpus.find("Saltash bridge", 10)
    limited = corpus.find("Saltash bridge", 10, allowed_sites=["paper.example"])
    assert isinstance(scored, Found)
    assert isinstance(limited, Found)
    score_of = {hit.passage.title: hit.score for hit in scored.items}
    assert all(hit.score == pytest.approx(score_of[hit.passage.title]) for hit in limited.items)


# Passages of longer texts


def test_a_long_text_is_found_by_its_passages(tmp_path: Path) -> None:
    text = "\n\n".join(
        f"Section {number}. The river bends here. " + "It flows on to the sea. " * 30 for number in range(8)
    )
    rows = [{"title": "River", "text": text, "url": "https://a.example/river"}]
    corpus = open_corpus(build(tmp_path, rows))
    found = passages(corpus, "Section 5 of the river", 20)
    assert len(found) == len(corpus) > 1
    assert "Section 5" in found[0].text
    for passage in found:
        assert text[passage.start : passage.end] == passage.text
        assert passage.source.text_id == "https://a.example/river"


def test_rows_without_address_are_told_apart(tmp_path: Path) -> None:
    rows = [{"text": "One bridge."}, {"text": "Another bridge."}, {"text": "A third bridge.", "text_id": "desk:3"}]
    found = passages(open_corpus(build(tmp_path, rows)), "bridge")
    assert {passage.source.text_id for passage in found} == {"index:0", "index:1", "desk:3"}
    assert all(passage.url is None for passage in found)


# Building and opening


def test_the_manifest_says_what_is_inside_and_what_was_left_out(tmp_path: Path) -> None:
    rows = [*ROWS, *ROWS, {"text": ""}]
    contents = open_corpus(build(tmp_path, rows)).manifest.contents
    assert contents == {
        "name": "index",
        "documents": 14,
        "passages": 14,
        "dated": 8,
        "left_out": 1,
        "problems": ["index.jsonl, line 15: no text"],
    }


def test_a_folder_of_documents_is_searched(tmp_path: Path) -> None:
    folder = tmp_path / "archive"
    folder.mkdir()
    (folder / "ferry.md").write_text("# The ferry\n\nIt **sank** in 1911.")
    (folder / "broken.pdf").write_bytes(b"no")
    contents = build_corpus(folder, tmp_path / "index").contents
    assert (contents["documents"], contents["left_out"]) == (1, 1)
    (ferry,) = passages(open_corpus(tmp_path / "index"), "When did the ferry sink? 1911")
    assert ferry.text == "The ferry\n\nIt sank in 1911."
    assert ferry.url == (folder / "ferry.md").resolve().as_uri()
    assert ferry.source.name == "archive"


def test_the_progress_is_told(tmp_path: Path) -> None:
    told: list[tuple[str, int, int | None]] = []
    (tmp_path / "rows.jsonl").write_text(json.dumps(ROWS[0]))
    build_corpus(tmp_path / "rows.jsonl", tmp_path / "index", lambda *stage: told.append(stage))
    assert told[-1][1] == told[-1][2] == (tmp_path / "rows.jsonl").stat().st_size


def test_an_index_is_built_once_and_again_when_its_source_changes(tmp_path: Path) -> None:
    first = open_corpus(build(tmp_path, ROWS[:2])).version
    source = tmp_path / "index.jsonl"
    assert build_corpus(source, tmp_path / "index").fingerprint == first
    source.write_text(json.dumps(ROWS[0]))
    with pytest.raises(BadInput, match="exists"):
        build_corpus(source, tmp_path / "index")
    assert open_corpus(tmp_path / "index").version == first
    assert build_corpus(source, tmp_path / "index", replace=True).fingerprint != first
    assert len(open_corpus(tmp_path / "index")) == 1


def test_an_open_index_answers_while_it_is_replaced(tmp_path: Path) -> None:
    before = open_corpus(build(tmp_path, ROWS))
    (tmp_path / "index.jsonl").write_text(json.dumps(ROWS[0]))
    build_corpus(tmp_path / "index.jsonl", tmp_path / "index", replace=True)
    assert titles(before, "Houston") == ["Beyoncé"]


def test_what_cannot_be_read_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "rows.jsonl").write_text("no\n" * 20)
    with pytest.raises(BadInput, match="20 of 20 rows"):
        build_corpus(tmp_path / "rows.jsonl", tmp_path / "index")
    assert {path.name for path in tmp_path.iterdir()} <= {"rows.jsonl", ".index.lock"}


def test_a_file_that_cannot_grow_is_told_and_leaves_nothing_behind(tmp_path: Path) -> None:
    """As on a full disk, a write of tantivy's fails: in a process of its own, as the limit holds for all it writes."""
    rows = [{"text": f"Row {number} {os.urandom(200).hex()}"} for number in range(2_000)]
    (tmp_path / "rows.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
    program = (
        "import resource, sys; from pathlib import Path; from wkgfc.errors import NotConfigured\n"
        "from wkgfc.web.corpus import build_corpus\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))\n"
        "try: build_corpus(Path(sys.argv[1], 'rows.jsonl'), Path(sys.argv[1], 'index'))\n"
        "except NotConfigured as told: print(told)\n"
    )
    done = subprocess.run([sys.executable, "-c", program, tmp_path], capture_output=True, text=True, check=True)
    assert "cannot be written" in done.stdout or "was not built" in done.stdout
    assert {path.name for path in tmp_path.iterdir()} <= {"rows.jsonl", ".index.lock"}


def test_an_index_of_someone_else_is_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tantivy writes a lock file where it opens an index; where that is not allowed it is shown the files elsewhere."""
    store = build(tmp_path, ROWS)
    before = {file.name for file in store.iterdir()} - {".tantivy-meta.lock"}
    (store / ".tantivy-meta.lock").unlink(missing_ok=True)
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    corpus = open_corpus(store)
    assert titles(corpus, "Houston") == ["Beyoncé"]
    assert {file.name for file in store.iterdir()} == before


def test_there_is_no_index(tmp_path: Path) -> None:
    with pytest.raises(NotConfigured, match=r"there is no corpus store at .*wkgfc corpus build"):
        open_corpus(tmp_path / "gone")
    (tmp_path / "rows.jsonl").write_text("{}")
    with pytest.raises(NotConfigured, match="is a file, not a store"):
        open_corpus(tmp_path / "rows.jsonl")


def files_of(store: Path) -> list[Path]:
    return sorted(file for file in store.iterdir() if not file.name.startswith(".") and file.name != MANIFEST)


@pytest.mark.parametrize("number", range(7))
@pytest.mark.parametrize("harm", ["cut", "emptied", "removed", "grown"])
def test_a_damaged_index_is_told_in_one_line(tmp_path: Path, number: int, harm: str) -> None:
    store = build(tmp_path, ROWS)
    files = files_of(store)
    if number >= len(files):
        pytest.skip("the index has fewer files")
    content = files[number].read_bytes()
    match harm:
        case "cut":
            files[number].write_bytes(content[: len(content) // 2])
        case "emptied":
            files[number].write_bytes(b"")
        case "grown":
            files[number].write_bytes(content + b"more")
        case _:
            files[number].unlink()
    with pytest.raises(NotConfigured) as told:
        open_corpus(store)
    assert "is damaged: build it again" in str(told.value)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("seed", range(12))
def test_bytes_that_changed_raise_nothing_but_what_the_user_mends(tmp_path: Path, seed: int) -> None:
    """Same sizes, other bytes: found out when opened, or when searched, or without a consequence; never a crash."""
    store = build(tmp_path, ROWS * 20)
    for file in files_of(store):
        content = bytearray(file.read_bytes())
        for place in range(seed, len(content), 37 + seed):
            content[place] ^= 0x55
        file.write_bytes(content)
    try:
        corpus = open_corpus(store)
    except NotConfigured:
        return
    assert isinstance(corpus.find("bridge Saltash", 5), Found | Nothing | Failed)


# The embedded corpus


def test_the_embedded_corpus_holds_articles_and_the_factbook(tmp_path: Path) -> None:
    store = build_embedded_corpus(tmp_path)
    corpus = open_corpus(store)
    assert corpus.name == "embedded"
    chaplin = passages(corpus, "Charlie Chaplin was born in 1889.", 1)[0]
    assert chaplin.title == "Charlie Chaplin"
    assert chaplin.url == "https://en.wikipedia.org/wiki/Charlie_Chaplin"
    assert (chaplin.source.name, chaplin.source.text_id) == ("embedded", "vital:Charlie Chaplin")
    chad = passages(corpus, "The capital of Chad is N'Djamena.", 5)
    assert any((passage.source.text_id or "").startswith("factbook:") for passage in chad)
    assert build_embedded_corpus(tmp_path) == store
    assert open_corpus(store).manifest.built_at == corpus.manifest.built_at


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Chaplin's, James’ and the 1990s'", "Chaplin, James’ and the 1990s'"),
        ("the U.S. and the U.S.S.R., i.e. not A. Smith", "the US and the USSR, ie not A. Smith"),
        ("1,234,567 of 12,34 and 1,2345", "1234567 of 12,34 and 1,2345"),
        ("ﬁne ½", "fine 1⁄2"),
    ],
)
def test_text_is_made_ready_for_a_tokenizer(text: str, words: str) -> None:
    assert searchable(text) == words
