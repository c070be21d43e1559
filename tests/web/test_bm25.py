"""BM25 over a handful of texts, compared with tantivy's over the same."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wkgfc.web.bm25 import bm25, words

TEXTS = [
    "The bridge over the river was opened in 1859 by the prince.",
    "A ferry crossed the river before the bridge was built, and the ferry was slow.",
    "The museum shows ferries and other boats.",
    "Ferry, ferry, ferry!",
    "",
    "Nothing of the kind is said in this text about the town, its mayor and its council.",
]


def by_tantivy(query: str, texts: list[str]) -> list[float]:
    import tantivy

    schema = (
        tantivy.SchemaBuilder()
        .add_text_field("words", tokenizer_name="raw", index_option="freq")
        .add_integer_field("place", stored=True)
        .build()
    )
    index = tantivy.Index(schema)
    analyzer = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build()
    index.register_tokenizer("raw", analyzer)
    writer = index.writer(heap_size=20_000_000, num_threads=1)
    for place, text in enumerate(texts):
        document = tantivy.Document()
        document.add_text("words", " ".join(words(text)))
        document.add_integer("place", place)
        writer.add_document(document)
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    terms = dict.fromkeys(words(query))
    clauses = [(tantivy.Occur.Should, tantivy.Query.term_query(schema, "words", term, "freq")) for term in terms]
    scores = [0.0] * len(texts)
    searcher = index.searcher()
    for score, address in searcher.search(tantivy.Query.boolean_query(clauses), len(texts), count=False).hits:
        scores[searcher.doc(address)["place"][0]] = score
    return scores


@pytest.mark.parametrize(
    "query", ["ferry", "the bridge of the prince", "opened in 1859", "boats and ferries", "zeppelin"]
)
def test_scores_are_those_of_tantivy(query: str) -> None:
    assert bm25(query, TEXTS) == pytest.approx(by_tantivy(query, TEXTS), abs=1e-4)


def test_words_are_those_of_the_embedded_corpus() -> None:
    assert words("The U.S. président's 3,000 Ferries") == ["the", "us", "presid", "3000", "ferri"]


def test_nothing_shared_is_nothing() -> None:
    assert bm25("zeppelin", TEXTS) == [0.0] * len(TEXTS)
    assert bm25("", TEXTS) == [0.0] * len(TEXTS)
    assert bm25("ferry", []) == []
    assert bm25("ferry", ["", "  "]) == [0.0, 0.0]


@settings(deadline=None)
@given(st.text(max_size=100), st.lists(st.text(max_size=200), max_size=10))
def test_any_texts_have_scores(query: str, texts: list[str]) -> None:
    scores = bm25(query, texts)
    assert len(scores) == len(texts)
    assert all(score >= 0 for score in scores)
