"""The names of a knowledge graph's entities: one SQLite file that answers which entities a mention may mean.

A name is looked up by its folded form (``fold``), graded by how exactly it was met (the ``MATCH_…`` constants) and
ordered by grade and popularity. Only where few names are met as a whole do parts of longer names count (the last
words of a person's name, the first words of a title) and names that are spelled a little differently.
"""

import re
import sqlite3
import threading
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from wkgfc.errors import NotConfigured
from wkgfc.evidence import Entity
from wkgfc.kg.builders.records import LOCAL_PREFIX, title_of, wikipedia_url
from wkgfc.kg.graph import Candidate

LAYOUT = 1  # SQLite's user_version of the file; another one means that it was written by another version

# How a mention met a name: 1 is the label to the letter.
MATCH_LABEL = 1.0
MATCH_ALIAS = 0.95
MATCH_LABEL_CASE = 0.92  # but for upper and lower case
MATCH_LABEL_FOLDED = 0.9  # but for diacritics, punctuation, articles, possessives
MATCH_LABEL_UNBRACKETED = 0.88  # "Mercury" for "Mercury (planet)"
MATCH_ALIAS_CASE = 0.85
MATCH_ALIAS_FOLDED = 0.82
MATCH_TAIL = 0.55  # "Chaplin" for "Charlie Chaplin", "John Kennedy" for "John Fitzgerald Kennedy"
MATCH_SPELLING = 0.5  # "Phillip Glass" for "Philip Glass": one of several words is a letter or two off
MATCH_HEAD = 0.45  # "The Two Towers" for "The Two Towers: Deluxe Edition"

MAX_FULL = 400  # names with one folded form that are looked at, most linked first
MAX_PARTIAL = 8  # entities that a part of their name brings
_SCANNED_PARTIAL = 400  # longer names that are read to find them, most linked first
_MAX_MENTION = 200  # characters; no name of Wikidata is longer than 250, and few than 100
_VARIABLES = 500  # ids in one query; SQLite's own limit was 999 for long
_BATCH = 10_000

_LABEL, _ALIAS, _UNBRACKETED = 0, 1, 2

_LETTERS = str.maketrans(  # letters that Unicode does not decompose
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h", "&": " and "}
)
_EQUIVALENT = {"st": "saint", "mt": "mount", "jr": "junior", "sr": "senior", "vs": "versus", "dr": "doctor"}
_ARTICLES = {"the", "a", "an"}
_INVISIBLE = {"Cf", "Cs"}  # signs that are not seen, halves of characters
_POSSESSIVE = re.compile(r"['’`´ʼ]s\b|(?<=s)['’`´ʼ](?!\w)")
_APOSTROPHE = re.compile(r"['’`´ʼ‘]")
_NOT_WORD = re.compile(r"[^\w]+|_")
_BRACKETED = re.compile(r"\([^()]*\)\s*$")


class NameRow(NamedTuple):
    """An entity with the names it goes by. ``links`` counts the statements about it and towards it."""

    entity_id: str
    label: str
    description: str | None
    aliases: Sequence[str]
    links: int
    is_page: bool = False


@lru_cache(maxsize=65_536)
def fold(name: str) -> str:
    """What two spellings of one name have in common.

    Case, diacritics, punctuation, a leading article and possessive endings go; initials are joined; a few
    abbreviations are written out. Empty where no letter or digit is left.

    >>> fold("The Röntgens'"), fold("U.S."), fold("J. K. Rowling"), fold("St. Louis"), fold("Kellogg’s")
    ('rontgens', 'us', 'jk rowling', 'saint louis', 'kellogg')
    """
    text = name.casefold()
    if not text.isascii():
        decomposed = unicodedata.normalize("NFKD", text)
        text = "".join(
            letter
            for letter in decomposed
            if not unicodedata.combining(letter) and unicodedata.category(letter) not in _INVISIBLE
        ).casefold()
    text = _APOSTROPHE.sub("", _POSSESSIVE.sub("", text)).translate(_LETTERS)
    words: list[str] = []
    initials = False
    for word in _NOT_WORD.split(text):
        if not word:
            continue
        is_initial = len(word) == 1 and word.isalpha() and word.isascii()
        if is_initial and initials:
            words[-1] += word
        else:
            words.append(_EQUIVALENT.get(word, word))
        initials = is_initial
    if len(words) > 1 and words[0] in _ARTICLES:
        del words[0]
    return " ".join(words)


def unbracketed(label: str) -> str:
    """A label without what stands in brackets at its end: "Mercury" of "Mercury (planet)"."""
    bracketed = _BRACKETED.search(label)
    return label[: bracketed.start()].rstrip() if bracketed else label


def entity_url(entity_id: str) -> str | None:
    """The page that shows an entity: Wikidata's for an item, the English Wikipedia's for an id made of a title."""
    if entity_id.startswith(LOCAL_PREFIX):
        return wikipedia_url(title_of(entity_id))
    if entity_id[:1] == "Q" and entity_id[1:].isdecimal():
        return f"https://www.wikidata.org/wiki/{entity_id}"
    return None


def grade(mention: str, name: str, *, is_alias: bool) -> float:
    """How a mention meets a name of an entity: one of the ``MATCH_…`` constants, 0 where it does not.

    >>> grade("paris", "Paris", is_alias=False), grade("Chaplin", "Charlie Chaplin", is_alias=False)
    (0.92, 0.55)
    """
    folded = fold(mention[:_MAX_MENTION])
    if not folded:
        return 0.0
    if fold(name) == folded:
        return _full_match(mention, name, _ALIAS if is_alias else _LABEL)
    bare = unbracketed(name)
    if not is_alias and bare != name and fold(bare) == folded:
        return MATCH_LABEL_UNBRACKETED
    return _partial_match(folded, folded.split(), fold(bare))


def write_names(path: Path, rows: Iterable[NameRow]) -> int:
    """Write the names of all entities into a new file at ``path``; how many entities it has.

    Rows are streamed: memory does not grow with their number. Each entity comes once.

    Raises:
        FileExistsError: there is a file at ``path``.
        OSError: the file cannot be written.
        sqlite3.OperationalError: the disk is full.
    """
    if path.exists():
        raise FileExistsError(f"{path} exists")
    database = sqlite3.connect(path, isolation_level=None)
    try:
        # Whoever writes a store swaps it in when it is whole: a journal and waiting for the disk only cost time.
        database.executescript(
            f"""
            PRAGMA page_size = 8192; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
            PRAGMA user_version = {LAYOUT};
            CREATE TABLE entity (number INTEGER PRIMARY KEY, id TEXT NOT NULL, label TEXT NOT NULL, description TEXT,
                links INTEGER NOT NULL, is_page INTEGER NOT NULL) STRICT;
            CREATE TABLE name (entity INTEGER NOT NULL, text TEXT NOT NULL, folded TEXT NOT NULL, kind INTEGER NOT NULL,
                links INTEGER NOT NULL, first TEXT, last TEXT) STRICT;
            """
        )
        database.execute("BEGIN")
        written = 0
        stream = iter(rows)
        while batch := list(islice(stream, _BATCH)):
            numbered = list(enumerate(batch, start=written))
            database.executemany(
                "INSERT INTO entity VALUES (?, ?, ?, ?, ?, ?)",
                ((n, r.entity_id, r.label, r.description, r.links, int(r.is_page)) for n, r in numbered),
            )
            database.executemany(
                "INSERT INTO name VALUES (?, ?, ?, ?, ?, ?, ?)",
                (values for number, row in numbered for values in _name_values(number, row)),
            )
            written += len(batch)
        database.execute("COMMIT")
        database.executescript(
            """
            CREATE UNIQUE INDEX entity_by_id ON entity (id);
            CREATE INDEX name_by_folded ON name (folded, links DESC);
            CREATE INDEX name_by_first ON name (first, links DESC) WHERE first IS NOT NULL;
            CREATE INDEX name_by_last ON name (last, links DESC) WHERE last IS NOT NULL;
            """
        )
    finally:
        database.close()
    return written


def _name_values(number: int, row: NameRow) -> Iterator[tuple[int, str, str, int, int, str | None, str | None]]:
    """The rows of the name table for one entity: each spelling once, with its first and last word if it has several."""
    texts = {row.label: _LABEL}
    if (bare := unbracketed(row.label)) != row.label:
        texts.setdefault(bare, _UNBRACKETED)
    for alias in row.aliases:
        texts.setdefault(alias, _ALIAS)
    for text, kind in texts.items():
        folded = fold(text)
        if not folded:
            continue
        first, _, rest = folded.partition(" ")
        last = rest.rpartition(" ")[2]
        if not last or unbracketed(text) != text:  # "Symphony No. 5 (Beethoven)" is no one called Beethoven
            yield number, text, folded, kind, row.links, None, None
        else:
            yield number, text, folded, kind, row.links, first, last


class Names:
    """A file of names, opened to read. Any thread may ask."""

    def __init__(self, path: Path) -> None:
        """Open the file.

        Raises:
            NotConfigured: it is missing, damaged, or of another layout.
        """
        self._path = path
        self._lock = threading.Lock()
        if not path.is_file():
            raise NotConfigured(f"there is no table of names at {path}: remove the store and build it again")
        # immutable: nobody writes to a finished store, so no lock file is made beside it, and a read-only disk will do
        address = f"{path.resolve().as_uri()}?mode=ro&immutable=1"
        try:
            self._database = sqlite3.connect(address, uri=True, check_same_thread=False)
        except sqlite3.Error as error:
            raise self._damaged(error) from error
        try:
            layout = self._ask("PRAGMA user_version")[0][0]
            self._ask("SELECT number, id, label, description, links, is_page FROM entity LIMIT 1")
            self._ask("SELECT entity, text, folded, kind, links, first, last FROM name LIMIT 1")
        except NotConfigured:
            self._database.close()
            raise
        if layout != LAYOUT:
            self._database.close()
            raise NotConfigured(
                f"the table of names at {path} was written by another version: remove the store and build it again"
            )

    def __len__(self) -> int:
        return int(self._ask("SELECT count(*) FROM entity")[0][0])

    def candidates(self, mention: str, limit: int = 20) -> list[Candidate]:
        """The entities that ``mention`` may name: best match first, then most linked; at most ``limit``.

        Parts of longer names are looked up only to fill what whole names leave, and bring at most ``MAX_PARTIAL``.
        """
        folded = fold(mention[:_MAX_MENTION])
        if not folded or limit < 1:
            return []
        found: dict[str, Candidate] = {}
        for row in self._ask(
            f"SELECT {_CANDIDATE} WHERE n.folded = ? ORDER BY n.links DESC LIMIT ?", (folded, MAX_FULL)
        ):
            _keep_better(found, _candidate(row, _full_match(mention, row[5], row[6])))
        if len(found) < limit:
            for candidate in self._partial(folded):
                found.setdefault(candidate.entity.id, candidate)
        return _best(found.values(), limit)

    def known(self, mentions: Iterable[str]) -> frozenset[str]:
        """Those of ``mentions`` that are, folded, the whole name of some entity."""
        folded = {mention: fold(mention[:_MAX_MENTION]) for mention in mentions}
        names = sorted({name for name in folded.values() if name})
        met: set[str] = set()
        for start in range(0, len(names), _VARIABLES):
            part = names[start : start + _VARIABLES]
            marks = ",".join("?" * len(part))
            met.update(row[0] for row in self._ask(f"SELECT DISTINCT folded FROM name WHERE folded IN ({marks})", part))
        return frozenset(mention for mention, name in folded.items() if name in met)

    def entities(self, ids: Iterable[str]) -> list[Entity]:
        """The entities of these ids, in their order, each once; unknown ids are left out."""
        wanted = list(dict.fromkeys(ids))
        found: dict[str, Entity] = {}
        for start in range(0, len(wanted), _VARIABLES):
            part = wanted[start : start + _VARIABLES]
            marks = ",".join("?" * len(part))
            for row in self._ask(f"SELECT id, label, description FROM entity WHERE id IN ({marks})", part):
                found[row[0]] = _entity(*row)
        return [found[entity_id] for entity_id in wanted if entity_id in found]

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._database.close()

    def _partial(self, folded: str) -> list[Candidate]:
        """The most linked entities of which the mention is a part of a name, or a misspelling."""
        words = folded.split()
        matches: dict[int, tuple[float, int, str]] = {}
        for column, word in (("last", words[-1]), ("first", words[0])):
            for entity, text, name, links in self._ask(
                f"SELECT entity, text, folded, links FROM name WHERE {column} = ? ORDER BY links DESC LIMIT ?",
                (word, _SCANNED_PARTIAL),
            ):
                match = _partial_match(folded, words, name)
                if match and (entity not in matches or match > matches[entity][0]):
                    matches[entity] = (match, links, text)
        best = sorted(matches, key=lambda entity: (-matches[entity][0], -matches[entity][1], entity))[:MAX_PARTIAL]
        marks = ",".join("?" * len(best))
        rows = self._ask(
            f"SELECT id, label, description, links, is_page, number FROM entity WHERE number IN ({marks})", best
        )
        return [_candidate((*row[:5], matches[row[5]][2]), matches[row[5]][0]) for row in rows]

    def _ask(self, query: str, values: Sequence[Any] = ()) -> list[Any]:
        try:
            with self._lock:
                return self._database.execute(query, values).fetchall()
        except sqlite3.DatabaseError as error:
            raise self._damaged(error) from error

    def _damaged(self, error: sqlite3.Error) -> NotConfigured:
        return NotConfigured(
            f"the table of names at {self._path} cannot be read ({error}): remove the store and build it again"
        )


_CANDIDATE = (
    "e.id, e.label, e.description, e.links, e.is_page, n.text, n.kind "
    "FROM name AS n CROSS JOIN entity AS e ON e.number = n.entity"  # CROSS: names first, in the order of their index
)


def _entity(entity_id: str, label: str, description: str | None) -> Entity:
    return Entity(id=entity_id, label=label, description=description, url=entity_url(entity_id))


def _candidate(row: Sequence[Any], match: float) -> Candidate:
    return Candidate(
        entity=_entity(row[0], row[1], row[2]), matched=row[5], match=match, links=row[3], is_page=bool(row[4])
    )


def _full_match(mention: str, name: str, kind: int) -> float:
    if kind == _UNBRACKETED:
        return MATCH_LABEL_UNBRACKETED
    if name == mention:
        return MATCH_LABEL if kind == _LABEL else MATCH_ALIAS
    if name.casefold() == mention.casefold():
        return MATCH_LABEL_CASE if kind == _LABEL else MATCH_ALIAS_CASE
    return MATCH_LABEL_FOLDED if kind == _LABEL else MATCH_ALIAS_FOLDED


def _partial_match(folded: str, words: Sequence[str], name: str) -> float:
    """How a mention meets a name that is not it, both folded; 0 where it does not."""
    named = name.split()
    if len(named) > len(words):
        if named[-1] == words[-1] and _is_subsequence(words, named):
            return MATCH_TAIL
        return MATCH_HEAD if name.startswith(folded + " ") else 0.0
    if len(named) == len(words):
        different = [(ours, theirs) for ours, theirs in zip(words, named, strict=True) if ours != theirs]
        if len(different) == 1 and _is_misspelled(*different[0]):
            return MATCH_SPELLING
    return 0.0


def _is_misspelled(word: str, right: str) -> bool:
    """Whether two words of four letters or more are one slip apart, of seven or more two."""
    if word[0] != right[0] or min(len(word), len(right)) < 4 or not (word + right).isalpha():
        return False
    most = 1 if max(len(word), len(right)) < 7 else 2
    return abs(len(word) - len(right)) <= most and _edits(word, right) <= most


def _edits(left: str, right: str) -> int:
    """Letters inserted, deleted, replaced, or swapped with the next (optimal string alignment distance)."""
    before: list[int] = []
    above = list(range(len(right) + 1))
    for i, letter in enumerate(left, start=1):
        row = [i]
        for j, other in enumerate(right, start=1):
            cost = min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == right[j - 2] and left[i - 2] == other:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        before, above = above, row
    return above[-1]


def _is_subsequence(words: Sequence[str], name: Sequence[str]) -> bool:
    remaining = iter(name)
    return all(word in remaining for word in words)


def _keep_better(found: dict[str, Candidate], candidate: Candidate) -> None:
    known = found.get(candidate.entity.id)
    if known is None or candidate.match > known.match:
        found[candidate.entity.id] = candidate


def _best(candidates: Iterable[Candidate], limit: int) -> list[Candidate]:
    return sorted(candidates, key=lambda c: (-c.match, -c.links, c.entity.id))[:limit]
