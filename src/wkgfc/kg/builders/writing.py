"""What turns facts into a store: N-Triples in Wikidata's vocabulary, the graph they are loaded into, and the names.

A finished store has ``graph/`` (pyoxigraph) and ``names.sqlite``. The graph has the statements and the properties;
names and descriptions of items stand in the table of names alone. Memory does not grow with the number of facts:
lines are loaded in chunks, and names and links wait in a table on disk until all are there.
"""

import errno
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from wkgfc.evidence import Entity, Quantity, Rank, Relation, Triple
from wkgfc.kg.builders.n_triples import relation_lines, statement_lines
from wkgfc.kg.builders.records import BuilderRecord, Item
from wkgfc.kg.names import NameRow, write_names
from wkgfc.kg.store import GRAPH, NAMES, files_of
from wkgfc.kg.vocabulary import PAGE_LABELS, PAGE_TYPES

_CHUNK_BYTES = 32 << 20  # N-Triples loaded at a time: the loader takes several times that in memory
_COUNTED_ENTITIES = 300_000  # entities whose links are counted in memory before they go to the table
_NAME_BATCH = 20_000
_REMEMBERED_MENTIONS = 200_000  # so that a name is not staged once a fact

_LABEL, _DESCRIPTION, _ALIAS, _MENTIONED = 0, 1, 2, 3


class StoreWriter:
    """Fills the folder of a new store. Use it as a context; ``finish`` writes what is still open.

    Raises:
        OSError: the folder cannot be written.
    """

    def __init__(self, folder: Path, languages: Sequence[str] = ("en",)) -> None:
        import pyoxigraph  # noqa: PLC0415 - a native library that only builders and readers of stores need

        self.languages = tuple(languages)
        self.facts = 0
        self.relations: Counter[str] = Counter()
        self._folder = folder
        self._pyoxigraph = pyoxigraph
        self._graph: Any = pyoxigraph.Store(str(folder / GRAPH))
        self._lines: list[bytes] = []
        self._bytes = 0
        self._loading: Future[int] | None = None
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="wkgfc-load")
        self._links: Counter[str] = Counter()
        self._relations: dict[str, Relation] = {}
        self._mentioned: set[tuple[str, str]] = set()
        self._names: list[tuple[str, int, int, str]] = []
        self.malformed = 0
        self._staging = sqlite3.connect(folder / "staging.sqlite", isolation_level=None)
        self._staging.executescript(
            """
            PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA temp_store = FILE;
            CREATE TABLE name (entity TEXT NOT NULL, kind INTEGER NOT NULL, priority INTEGER NOT NULL,
                text TEXT NOT NULL);
            CREATE TABLE links (entity TEXT PRIMARY KEY, number INTEGER NOT NULL) WITHOUT ROWID;
            CREATE TABLE page (entity TEXT PRIMARY KEY) WITHOUT ROWID;
            BEGIN;
            """
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)
        self._staging.close()
        self._graph = None

    def add_line(self, line: bytes) -> None:
        """Add one N-Triples line, with its line feed, to the graph."""
        self._lines.append(line)
        self._bytes += len(line)
        if self._bytes >= _CHUNK_BYTES:
            self._load()

    def add_relation(self, relation: Relation, language: str = "en") -> None:
        """Add a property. One that facts use and that is never added gets its roles, and its id for a label."""
        known = self._relations.get(relation.id)
        if known is None or (known.label == known.id != relation.label):
            self._relations[relation.id] = relation
            for line in relation_lines(relation, language):
                self.add_line(line)

    def add_fact(self, subject_id: str, property_id: str, object_id: str | None) -> None:
        """Count a fact for the popularity of its ends."""
        self.facts += 1
        self.relations[property_id] += 1
        self._links[subject_id] += 1
        if object_id is not None:
            self._links[object_id] += 1
            if property_id == "P31" and object_id in PAGE_TYPES:
                self.add_page(subject_id)
        if len(self._links) >= _COUNTED_ENTITIES:
            self._store_links()

    def add_page(self, entity_id: str) -> None:
        """Mark an entity as a page: a disambiguation page, a category, a list or a template."""
        with _system_errors(self._folder):
            self._staging.execute("INSERT OR IGNORE INTO page VALUES (?)", (entity_id,))

    def add_label(self, entity_id: str, text: str, language: str | None = None) -> None:
        """Add a label. The language that was asked for first wins; among equal ones, the first that came."""
        self._add_name(entity_id, _LABEL, text, language)

    def add_description(self, entity_id: str, text: str, language: str | None = None) -> None:
        """Add a description, chosen as labels are."""
        self._add_name(entity_id, _DESCRIPTION, text, language)

    def add_alias(self, entity_id: str, text: str, language: str | None = None) -> None:
        """Add a further name. Those of all languages that were asked for are kept."""
        self._add_name(entity_id, _ALIAS, text, language)

    def add_mentioned(self, entity_id: str, label: str) -> None:
        """Add the label by which a fact calls an entity: it counts where nothing else names it."""
        if (entity_id, label) not in self._mentioned:
            if len(self._mentioned) >= _REMEMBERED_MENTIONS:
                self._mentioned.clear()
            self._mentioned.add((entity_id, label))
            self._add_name(entity_id, _MENTIONED, label, None)

    def finish(self) -> dict[str, Any]:
        """Load what is left, write the table of names; what the store now contains, for its manifest."""
        for property_id in self.relations:
            self.add_relation(Relation(id=property_id, label=property_id))
        self._load()
        self._wait()
        with _system_errors(self._folder):
            self._graph.optimize()
            self._graph.flush()
            statements = len(self._graph)
        self._graph = None  # closed: the last reference is gone
        self._store_links()
        self._store_names()
        with _system_errors(self._folder):
            self._staging.execute("COMMIT")
            self._staging.execute("CREATE INDEX name_by_entity ON name (entity, kind, priority)")
            named = write_names(self._folder / NAMES, self._name_rows())
        self._staging.close()
        (self._folder / "staging.sqlite").unlink()
        return {
            "items": named,
            "facts": self.facts,
            "relations": len(self.relations),
            "rdf_triples": statements,
            "languages": list(self.languages),
            "files": files_of(self._folder),
        }

    def _load(self) -> None:
        self._wait()
        if self._lines:
            # In a thread of its own: the next chunk is read meanwhile.
            self._loading = self._pool.submit(self._load_lines, self._lines)
            self._lines, self._bytes = [], 0

    def _wait(self) -> None:
        if self._loading is not None:
            self.malformed += self._loading.result()
            self._loading = None

    def _load_lines(self, lines: list[bytes]) -> int:
        """Load a chunk; how many of its lines the parser refused."""
        try:
            self._bulk_load(b"".join(lines))
        except SyntaxError:  # rare: a line that the builder's own look let pass
            good = [line for line in lines if self._is_good(line)]
            self._bulk_load(b"".join(good))
            return len(lines) - len(good)
        return 0

    def _bulk_load(self, text: bytes) -> None:
        with _system_errors(self._folder):
            self._graph.bulk_load(text, self._pyoxigraph.RdfFormat.N_TRIPLES, lenient=True)

    def _is_good(self, line: bytes) -> bool:
        try:
            list(self._pyoxigraph.parse(line, self._pyoxigraph.RdfFormat.N_TRIPLES, lenient=True))
        except SyntaxError:
            return False
        return True

    def _add_name(self, entity_id: str, kind: int, text: str, language: str | None) -> None:
        priority = 0
        if language is not None:
            if language not in self.languages:
                return
            priority = self.languages.index(language)
        if not text.strip():
            return
        self._names.append((entity_id, kind, priority, text))
        if len(self._names) >= _NAME_BATCH:
            self._store_names()

    def _store_names(self) -> None:
        with _system_errors(self._folder):
            self._staging.executemany("INSERT INTO name VALUES (?, ?, ?, ?)", self._names)
        self._names = []

    def _store_links(self) -> None:
        with _system_errors(self._folder):
            self._staging.executemany(
                "INSERT INTO links VALUES (?, ?) ON CONFLICT (entity) DO UPDATE SET number = number + excluded.number",
                self._links.items(),
            )
        self._links = Counter()

    def _name_rows(self) -> Iterator[NameRow]:
        cursor = self._staging.execute(
            """
            SELECT name.entity, kind, text, coalesce(number, 0), page.entity IS NOT NULL
            FROM name LEFT JOIN links ON links.entity = name.entity LEFT JOIN page ON page.entity = name.entity
            ORDER BY name.entity, kind, priority, name.rowid
            """
        )
        for entity_id, group in groupby(cursor, key=lambda row: row[0]):
            rows = list(group)
            texts: dict[int, dict[str, None]] = {}
            for row in rows:
                texts.setdefault(row[1], {})[row[2]] = None
            label = next(iter(texts.get(_LABEL) or texts.get(_MENTIONED) or texts.get(_ALIAS) or ()), None)
            if label is None:
                continue
            names = [*texts.get(_LABEL, ()), *texts.get(_ALIAS, ())]
            yield NameRow(
                entity_id=entity_id,
                label=label,
                description=next(iter(texts.get(_DESCRIPTION, ())), None),
                aliases=tuple(name for name in dict.fromkeys(names) if name != label),
                links=rows[0][3],
                is_page=bool(rows[0][4]) or label.startswith(PAGE_LABELS),
            )


@contextmanager
def _system_errors(folder: Path) -> Iterator[None]:
    """Errors of the two databases as the system's, with the number that says whether the disk is full."""
    try:
        yield
    except (OSError, RuntimeError, sqlite3.OperationalError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        text = str(error)
        is_full = "No space left" in text or "is full" in text
        raise OSError(errno.ENOSPC if is_full else errno.EIO, text, str(folder)) from error


def write_records(writer: StoreWriter, records: Iterable[BuilderRecord]) -> None:
    """Write what builders yield.

    Direct links (``wdt:``) go to the best-ranked statements only, as in Wikidata; best among the statements of one
    subject that come in a row.
    """
    for subject_id, group in groupby(records, key=_subject_of):
        if subject_id is None:
            for record in group:
                if isinstance(record, Item):
                    _write_item(writer, record)
                elif isinstance(record, Relation):
                    writer.add_relation(record)
            continue
        triples = [record for record in group if isinstance(record, Triple)]
        preferred = {triple.relation.id for triple in triples if triple.rank is Rank.PREFERRED}
        for triple in triples:
            best = Rank.PREFERRED if triple.relation.id in preferred else Rank.NORMAL
            write_triple(writer, triple, is_best=triple.rank is best)


def write_triple(writer: StoreWriter, triple: Triple, *, is_best: bool) -> None:
    """Write one statement and count it. ``is_best``: nothing of the same subject and relation has a higher rank."""
    for line in statement_lines(triple, is_best=is_best):
        writer.add_line(line)
    for relation in (triple.relation, *(qualifier.relation for qualifier in triple.qualifiers)):
        writer.add_relation(relation)
    entities = [triple.subject, triple.object, *(qualifier.value for qualifier in triple.qualifiers)]
    entities += [value.unit for value in entities if isinstance(value, Quantity) and value.unit is not None]
    for value in entities:
        if isinstance(value, Entity) and value.label != value.id:
            writer.add_mentioned(value.id, value.label)
    if triple.rank is not Rank.DEPRECATED:
        object_id = triple.object.id if isinstance(triple.object, Entity) else None
        writer.add_fact(triple.subject.id, triple.relation.id, object_id)


def _subject_of(record: BuilderRecord) -> str | None:
    return record.subject.id if isinstance(record, Triple) else None


def _write_item(writer: StoreWriter, item: Item) -> None:
    writer.add_label(item.entity.id, item.entity.label)
    if item.entity.description:
        writer.add_description(item.entity.id, item.entity.description)
    for alias in item.aliases:
        writer.add_alias(item.entity.id, alias)
    if item.is_page:
        writer.add_page(item.entity.id)
