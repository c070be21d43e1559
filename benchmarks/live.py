"""What ranking the windows of fetched pages takes: sums over counted words, against an index of tantivy's in memory.

Usage: python benchmarks/live.py [WINDOWS]   (default 300: eight pages of some 35 windows each)

Windows are the World Factbook's texts cut as pages are; the query is a sentence of one of them.
"""

import statistics
import sys
import time

import tantivy

from wkgfc.kg.builders.factbook import Factbook
from wkgfc.web.bm25 import bm25
from wkgfc.web.corpus import searchable
from wkgfc.web.splitting import passage_spans

RUNS = 7


def windows(number: int) -> list[str]:
    """The first ``number`` windows of the Factbook."""
    found: list[str] = []
    for _, text, _, _ in Factbook().texts():
        found += [text[start:end] for start, end in passage_spans(text)]
        if len(found) >= number:
            break
    return found[:number]


def by_tantivy(query: str, texts: list[str], limit: int) -> list[int]:
    """The places of the best texts by an index made for them."""
    analyzer = (
        tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
        .filter(tantivy.Filter.remove_long(60))
        .filter(tantivy.Filter.lowercase())
        .filter(tantivy.Filter.ascii_fold())
        .filter(tantivy.Filter.stemmer("english"))
        .build()
    )
    schema = (
        tantivy.SchemaBuilder()
        .add_text_field("words", tokenizer_name="words", index_option="freq")
        .add_integer_field("place", stored=True)
        .build()
    )
    index = tantivy.Index(schema)
    index.register_tokenizer("words", analyzer)
    writer = index.writer(heap_size=20_000_000, num_threads=1)
    for place, text in enumerate(texts):
        document = tantivy.Document()
        document.add_text("words", searchable(text))
        document.add_integer("place", place)
        writer.add_document(document)
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    searcher = index.searcher()
    terms = dict.fromkeys(analyzer.analyze(searchable(query)))
    clauses = [(tantivy.Occur.Should, tantivy.Query.term_query(schema, "words", term, "freq")) for term in terms]
    hits = searcher.search(tantivy.Query.boolean_query(clauses), limit, count=False).hits
    return [searcher.doc(address)["place"][0] for _, address in hits]


def by_sums(query: str, texts: list[str], limit: int) -> list[int]:
    """The places of the best texts by ``bm25``."""
    scores = bm25(query, texts)
    return sorted(range(len(texts)), key=lambda place: -scores[place])[:limit]


def main() -> None:
    """Print a table: milliseconds of each way, the median of some runs, and how many of the best ten both have."""
    texts = windows(int(sys.argv[1]) if len(sys.argv) > 1 else 300)
    query = texts[len(texts) // 2][:150]
    print(f"{len(texts)} windows, {sum(map(len, texts)):,} characters")
    best: dict[str, list[int]] = {}
    for name, way in (("sums", by_sums), ("tantivy", by_tantivy)):
        taken = []
        for _ in range(RUNS):
            started = time.perf_counter()
            best[name] = way(query, texts, 10)
            taken.append(1_000 * (time.perf_counter() - started))
        print(f"{name:8} {statistics.median(taken):8.1f} ms")
    print(f"of the best ten, {len({*best['sums']} & {*best['tantivy']})} are the same")


if __name__ == "__main__":
    main()
