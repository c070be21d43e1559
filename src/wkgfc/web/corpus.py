"""Passages on this machine, found by BM25: the embedded corpus, or anyone's own archive.

An index is a store (``wkgfc.stores``) with a tantivy index in it: memory-mapped, read only, opened in milliseconds.
One field is searched: the title twice and the text, which is what finds FEVER's gold pages best; see
``benchmarks/corpus.py``.
"""

import asyncio
import datetime as dt
import errno
import json
import os
import re
import shutil
import tempfile
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wkgfc.errors import NotConfigured
from wkgfc.evidence import Passage, Source
from wkgfc.kg.builders.records import rules_fingerprint, wikipedia_url
from wkgfc.state import Failed, Retrieved, found
from wkgfc.stores import Manifest, Progress, build_store, fingerprint_of, read_manifest, silent
from wkgfc.tracing import span
from wkgfc.usage import count
from wkgfc.web.reading import Document, Problem, read_documents, state_of
from wkgfc.web.search import Hit
from wkgfc.web.sites import host_and_parents, host_and_path, turned_round
from wkgfc.web.splitting import passage_spans

if TYPE_CHECKING:
    from tantivy import Index, Query, Schema, Searcher, TextAnalyzer

KIND = "corpus"
LAYOUT = 2
FILES = "files.json"  # name and size of every file of the index: how one that was cut short is known at once
EMBEDDED = "embedded"

MAX_QUERY_TERMS = 64  # the rarest of a query's terms: a long text asks for what is particular to it
WRITER_BYTES = 256_000_000  # of passages in memory before a segment is written; one segment answers fastest
MAX_ADDRESS_CHARACTERS = 2_000  # what browsers take
PROBLEMS_SHOWN = 20  # of the files or rows left out, in the manifest; all are counted


class Corpus:
    """An index of passages, opened to be searched. Make one with ``open_corpus``."""

    def __init__(self, index: "Index", name: str, manifest: Manifest) -> None:
        self.name = name
        self.version = manifest.fingerprint
        self.manifest = manifest
        self._index = index
        self._schema = index.schema
        self._searcher: Searcher = index.searcher()
        self._analyzer = analyzer()

    def __len__(self) -> int:
        return int(self._searcher.num_docs)

    async def search(
        self,
        query: str,
        limit: int,
        *,
        before: dt.date | None = None,
        allowed_sites: Sequence[str] = (),
        blocked_sites: Sequence[str] = (),
    ) -> Retrieved[Hit]:
        """Passages for ``query``, best first; see ``WebSearch.search``. Undated passages are always among them."""
        count("web_searches")
        with span("search", "search", said=query):
            return await asyncio.to_thread(
                self.find, query, limit, before=before, allowed_sites=allowed_sites, blocked_sites=blocked_sites
            )

    def find(
        self,
        query: str,
        limit: int,
        *,
        before: dt.date | None = None,
        allowed_sites: Sequence[str] = (),
        blocked_sites: Sequence[str] = (),
    ) -> Retrieved[Hit]:
        """``search`` for callers without an event loop. It counts nothing."""
        terms = self._terms(query)
        if not terms or limit < 1:
            return found([])
        try:
            asked = self._query(terms, before, allowed_sites, blocked_sites)
            results = self._searcher.search(asked, limit, count=False).hits
            return found([self._hit(score, self._searcher.doc(address)) for score, address in results])
        except (ValueError, OSError, KeyError) as error:
            return Failed(f"the passages cannot be read ({error}): build the index again")
        except BaseException as error:
            if not _is_panic(error):
                raise
            return Failed("the passages cannot be read (the index is damaged): build it again")

    def _terms(self, query: str) -> list[str]:
        """The different terms of a query that the index has, at most ``MAX_QUERY_TERMS``, the rarest ones."""
        terms = dict.fromkeys(self._analyzer.analyze(searchable(query)))
        frequency = {term: number for term in terms if (number := self._searcher.doc_freq("words", term))}
        if len(frequency) <= MAX_QUERY_TERMS:
            return list(frequency)
        return sorted(frequency, key=lambda term: frequency[term])[:MAX_QUERY_TERMS]

    def _query(
        self, terms: Sequence[str], before: dt.date | None, allowed: Sequence[str], blocked: Sequence[str]
    ) -> "Query":
        from tantivy import FieldType, Occur, Query  # noqa: PLC0415 - loaded when an index is opened

        words = [(Occur.Should, Query.term_query(self._schema, "words", term, "freq")) for term in terms]
        clauses = [(Occur.Must, Query.boolean_query(words))]
        if before is not None:
            later = Query.range_query(
                self._schema, "day", FieldType.Integer, lower_bound=before.toordinal(), include_lower=False
            )
            clauses.append((Occur.MustNot, later))
        if allowed:
            on_site = Query.boolean_query([(Occur.Should, self._on_site(site)) for site in allowed])
            clauses.append((Occur.Must, Query.const_score_query(on_site, 0.0)))
        clauses += [(Occur.MustNot, self._on_site(site)) for site in blocked if self._has_pages_of(site)]
        return Query.boolean_query(clauses)

    def _has_pages_of(self, site: str) -> bool:
        """Whether a host is in the index at all: hundreds of sites may be kept out, and nearly all of them are not."""
        wanted = host_and_path(site)
        return wanted is not None and self._searcher.doc_freq("site", wanted[0]) > 0

    def _on_site(self, site: str) -> "Query":
        from tantivy import Query  # noqa: PLC0415 - loaded when an index is opened

        wanted = host_and_path(site)
        turned = turned_round(site)
        if wanted is None or turned is None:
            return Query.empty_query()
        host, path = wanted
        if not path:
            return Query.term_query(self._schema, "site", host, "basic")
        folder = f"{_literal(turned.removesuffix(path))}([.][^/]*)?{_literal(path)}(/.*)?"
        return Query.regex_query(self._schema, "address", folder)

    def _hit(self, score: float, stored: Any) -> Hit:
        record = json.loads(stored.get_first("record"))
        date = record.get("date")
        passage = Passage(
            text=record["text"],
            title=record.get("title"),
            url=record.get("url"),
            date=dt.date.fromisoformat(date) if date else None,
            retrieved_at=self.manifest.built_at,
            start=record["start"],
            end=record["end"],
            source=Source(
                name=self.name, url=record.get("url"), text_id=record.get("text_id"), title=record.get("title")
            ),
        )
        return Hit(passage=passage, score=score)


def open_corpus(path: Path) -> Corpus:
    """The index at ``path``.

    Raises:
        NotConfigured: there is none, another version built it, or files of it are damaged or missing.
    """
    manifest = read_manifest(path, KIND, LAYOUT)
    damaged = f"the index at {path} is damaged: build it again"
    try:
        for name, size in json.loads((path / FILES).read_bytes()).items():
            if (path / name).stat().st_size != size:
                raise NotConfigured(f"{damaged} ({name} has another size)")
        if os.access(path, os.W_OK):
            return _opened(path, path.name, manifest)
        with tempfile.TemporaryDirectory(prefix="wkgfc-") as view:
            for file in path.iterdir():
                if file.suffix != ".lock":
                    Path(view, file.name).symlink_to(file.resolve())
            return _opened(Path(view), path.name, manifest)
    except (ValueError, OSError, AttributeError) as error:
        raise NotConfigured(f"{damaged} ({str(error).splitlines()[0][:120]})") from error
    except BaseException as error:
        if not _is_panic(error):
            raise
        raise NotConfigured(damaged) from error


def _opened(folder: Path, name: str, manifest: Manifest) -> Corpus:
    """The index in ``folder``. While it is opened, and only then, tantivy writes there: it makes a lock file.

    So ``open_corpus`` shows it a folder of links where the store itself is on a read-only disk or someone else's.
    """
    from tantivy import Index  # noqa: PLC0415 - ``wkgfc --help`` must not pay for it

    index = Index.open(str(folder))
    index.config_reader("manual")  # what is open stays as it is when the store is built anew
    index.register_tokenizer("words", analyzer())
    return Corpus(index, str(manifest.contents.get("name", name)), manifest)


def build_corpus(
    source_path: Path, out: Path, progress: Progress = silent, replace: bool = False, name: str | None = None
) -> Manifest:
    """Build an index at ``out`` from what ``wkgfc.web.reading`` reads at ``source_path``, unless it is there already.

    ``name`` is what passages give as their source; without one, the name of the file or folder. The manifest's
    ``contents`` say how many documents and passages there are, and what was left out and why.

    Raises:
        BadInput: nothing can be read there, or ``out`` is taken and not to be replaced.
        NotConfigured: ``out`` cannot be written.
    """
    source = name or source_path.resolve().name.split(".")[0] or source_path.resolve().name
    fingerprint = fingerprint_of(LAYOUT, source, source_path.resolve(), state_of(source_path))

    def build(folder: Path) -> dict[str, Any]:
        return _fill(folder, source, read_documents(source_path, progress))

    return build_store(out, KIND, LAYOUT, fingerprint, build, replace=replace, again=replace)


def embedded_corpus_path(data_dir: Path) -> Path:
    """Where the embedded corpus belongs in a data folder."""
    return data_dir / KIND


def build_embedded_corpus(data_dir: Path, progress: Progress = silent) -> Path:
    """The embedded corpus in ``data_dir``, built if it is not there or its packages have changed.

    It holds the summaries of Wikipedia's 10,033 vital articles and the texts of the World Factbook.

    Raises:
        NotConfigured: a package that carries the data is missing, or ``data_dir`` cannot be written.
    """
    from wkgfc.kg.builders.factbook import Factbook  # noqa: PLC0415 - only to build
    from wkgfc.kg.builders.vital.articles import data_file, package_version  # noqa: PLC0415 - only to build

    store = embedded_corpus_path(data_dir)
    articles = data_file()
    if not articles.is_file():
        raise NotConfigured(f"{articles} is missing: install its package again")
    factbook = Factbook()
    fingerprint = fingerprint_of(
        LAYOUT, EMBEDDED, package_version(), articles.stat().st_size, factbook.fingerprint(), rules_fingerprint()
    )

    def documents() -> Iterator[Document]:
        summaries = json.loads(articles.read_bytes())
        for done, (title, summary) in enumerate(summaries.items()):
            if done % 256 == 0:
                progress("passages", done, len(summaries))
            yield Document(summary["extract"], title, wikipedia_url(title), text_id="vital:" + title)
        progress("passages", len(summaries), len(summaries))
        for title, text, url, text_id in factbook.texts():
            yield Document(text, title, url, text_id=text_id)

    build_store(store, KIND, LAYOUT, fingerprint, lambda folder: _fill(folder, EMBEDDED, documents()))
    return store


def searchable(text: str) -> str:
    """Text as it is indexed and asked for: characters composed, possessives off, U.S. as US, 3,000 as 3000.

    What a tokenizer cannot do: it sees one token at a time. Words of Chinese and Japanese, written without spaces,
    are taken apart into characters.
    """
    text = unicodedata.normalize("NFKC", text)
    text = _POSSESSIVE.sub("", text)
    text = _INITIALISM.sub(lambda found: found.group().replace(".", ""), text)
    text = _THOUSANDS.sub("", text)
    return _IDEOGRAPH.sub(r" \g<0> ", text)


_POSSESSIVE = re.compile(r"(?<=\w)['’ʼ＇`´][sS]\b")
_INITIALISM = re.compile(r"\b(?:[^\W\d_]\.){2,}")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_IDEOGRAPH = re.compile(r"[぀-ヿ㐀-鿿]")


def analyzer() -> "TextAnalyzer":
    """What makes words of a text: those of the index and of a query, and of whatever is compared with them."""
    from tantivy import Filter, TextAnalyzerBuilder, Tokenizer  # noqa: PLC0415 - loaded when an index is opened

    return (
        TextAnalyzerBuilder(Tokenizer.simple())
        .filter(Filter.remove_long(60))
        .filter(Filter.lowercase())
        .filter(Filter.ascii_fold())
        .filter(Filter.stemmer("english"))
        .build()
    )


def _schema() -> "Schema":
    """``words`` is searched, ``record`` is the passage as it is given back, the others are what results are cut by."""
    from tantivy import SchemaBuilder  # noqa: PLC0415 - only to build

    return (
        SchemaBuilder()
        .add_text_field("words", tokenizer_name="words", index_option="freq")
        .add_text_field("site", tokenizer_name="raw", index_option="basic")
        .add_text_field("address", tokenizer_name="raw", index_option="basic")
        .add_integer_field("day", indexed=True, fast=True)
        .add_bytes_field("record", stored=True)
        .build()
    )


def _fill(folder: Path, name: str, documents: Iterable[Document | Problem]) -> dict[str, Any]:
    """Write the index of the documents into an empty folder. What is returned is kept in the store's manifest."""
    from tantivy import Index  # noqa: PLC0415 - only to build

    index = Index(_schema(), str(folder), reuse=False)
    index.register_tokenizer("words", analyzer())
    counted: Counter[str] = Counter()
    problems: list[str] = []
    # One thread: the order of passages, and so of equal scores, is the order of the documents.
    writer = index.writer(heap_size=WRITER_BYTES, num_threads=1)
    for number, document in enumerate(documents):
        if isinstance(document, Problem):
            counted["left_out"] += 1
            if len(problems) < PROBLEMS_SHOWN:
                problems.append(f"{document.where}: {document.reason}")
            continue
        counted["documents"] += 1
        counted["dated"] += document.earliest is not None
        indexed = [_indexed(document, *span, default_id=f"{name}:{number}") for span in passage_spans(document.text)]
        counted["passages"] += len(indexed)
        try:
            for passage in indexed:
                writer.add_document(passage)
        except ValueError as error:
            raise _not_written(folder, error) from error
    try:
        writer.commit()
        writer.wait_merging_threads()
    except ValueError as error:
        raise _not_written(folder, error) from error
    sizes = {file.name: file.stat().st_size for file in sorted(folder.iterdir()) if not file.name.startswith(".")}
    (folder / FILES).write_text(json.dumps(sizes), encoding="utf-8")
    return {
        "name": name,
        **{key: counted[key] for key in ("documents", "passages", "dated", "left_out")},
        "problems": problems,
    }


def _not_written(folder: Path, error: ValueError) -> Exception:
    """What a failed write means. Tantivy says that a thread of its own has died, and not of what."""
    if shutil.disk_usage(folder).free < WRITER_BYTES:
        return OSError(errno.ENOSPC, "no space left for the index")
    return NotConfigured(f"the index cannot be written in {folder.parent} ({str(error).splitlines()[0][:120]})")


def _indexed(document: Document, start: int, end: int, default_id: str) -> Any:
    from tantivy import Document as IndexedDocument  # noqa: PLC0415 - only to build

    text = document.text[start:end]
    title = document.title or ""
    record = {
        "text": text,
        "title": document.title,
        "url": document.url,
        "date": document.date.isoformat() if document.date else None,
        "start": start,
        "end": end,
        "text_id": document.text_id or document.url or default_id,
    }
    indexed = IndexedDocument()
    indexed.add_text("words", searchable(f"{title} {title} {text}"))
    indexed.add_bytes("record", json.dumps(record, ensure_ascii=False).encode())
    if document.earliest is not None:
        indexed.add_integer("day", document.earliest.toordinal())
    if document.url is not None and len(document.url) <= MAX_ADDRESS_CHARACTERS:
        for host in host_and_parents(document.url):
            indexed.add_text("site", host)
        address = turned_round(document.url)
        if address is not None:
            indexed.add_text("address", address)
    return indexed


def _literal(text: str) -> str:
    """A text as a regular expression of tantivy's, which has no look-around and no anchors."""
    return re.sub(r"[^\w/]", lambda found: "\\" + found.group(), text)


def _is_panic(error: BaseException) -> bool:
    """Whether tantivy's Rust code gave up on what it read: such an error is no ``Exception``, for no good reason."""
    return type(error).__name__ == "PanicException"
