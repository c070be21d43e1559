"""Answers kept for a while in one SQLite file, so that a question asked twice costs its source one request.

Failed answers are not kept, secrets are not, and the file does not grow beyond its limit. It holds what was looked up
for the claims of whoever uses it, so it is for the eyes of that user alone.
"""

import datetime as dt
import json
import logging
import os
import sqlite3
import threading
import time
import zlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import MappingProxyType

from wkgfc.errors import NotConfigured
from wkgfc.http.keys import request_key
from wkgfc.http.redaction import redacted
from wkgfc.http.request import Answer, Http, Kind, Request, Unanswered

_log = logging.getLogger(__name__)

DAY_S = 86_400.0
AGES_S: Mapping[Kind, float] = MappingProxyType(
    {"entity": 7 * DAY_S, "query": DAY_S, "search": 3_600.0, "page": 7 * DAY_S, "model": 0.0}
)
_SCHEMA_VERSION = 1
_SCHEMA = (
    "CREATE TABLE answers (key TEXT PRIMARY KEY, url TEXT NOT NULL, status INTEGER NOT NULL, headers TEXT NOT NULL,"
    " body BLOB NOT NULL, length INTEGER NOT NULL, retrieved_at TEXT NOT NULL, kept_at REAL NOT NULL,"
    " size INTEGER NOT NULL) WITHOUT ROWID",
    "CREATE INDEX answers_by_age ON answers (kept_at, size)",
    "CREATE TABLE total (size INTEGER NOT NULL)",
    "INSERT INTO total VALUES (0)",
    f"PRAGMA user_version = {_SCHEMA_VERSION}",
)
_ROW_BYTES = 200  # what a row takes besides its texts, about


class Cache:
    """Answers by request. It may be used by several threads, and the file by several processes.

    Args:
        path: the file; made where there is none. A damaged one is set aside as ``….damaged`` and begun anew.
        ages_s: for how many seconds an answer of each kind is fresh; 0 keeps none of that kind.
        max_bytes: of what is stored, compressed. The oldest answers make room.
        clock: seconds since 1970.

    Raises:
        NotConfigured: the file cannot be made.
    """

    def __init__(
        self,
        path: Path,
        *,
        ages_s: Mapping[Kind, float] = AGES_S,
        max_bytes: int = 500_000_000,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._path, self._ages_s, self._max_bytes, self._clock = path, {**AGES_S, **ages_s}, max_bytes, clock
        self._lock = threading.Lock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._base = self._opened()
        except (OSError, sqlite3.Error) as error:
            raise NotConfigured(f"the cache {path} cannot be used: {error}") from error

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._base.close()

    def find(self, request: Request) -> Answer | None:
        """The fresh answer to ``request``, if there is one."""
        age_s, key = self._ages_s[request.kind], request_key(request)
        if request.max_age_s is not None:
            age_s = min(age_s, request.max_age_s)
        with self._lock:
            try:
                row = self._base.execute(
                    "SELECT url, status, headers, body, length, retrieved_at FROM answers"
                    " WHERE key = ? AND kept_at > ? AND length <= ?",
                    (key, self._clock() - age_s, request.max_bytes),
                ).fetchone()
                answer = None if row is None else _answer(row)
            except sqlite3.OperationalError as error:  # another process holds the file, or the disk is full
                _log.warning("the cache cannot be read now: %s", error)
                return None
            except sqlite3.ProgrammingError:
                raise  # the cache was closed
            except (sqlite3.DatabaseError, zlib.error, ValueError, TypeError) as error:
                self._begin_anew(error)
                return None
        return answer

    def keep(self, request: Request, answer: Answer) -> None:
        """Keep ``answer`` for as long as its kind is fresh, without secrets; not where it alone is over the limit."""
        if self._ages_s[request.kind] <= 0:
            return
        clean = redacted(request, answer)
        assert isinstance(clean, Answer)
        key, headers, body = request_key(request), json.dumps(dict(clean.headers)), zlib.compress(clean.body, 1)
        size = len(body) + len(headers) + len(clean.url) + _ROW_BYTES
        if size > self._max_bytes:
            return
        row = (key, clean.url, clean.status, headers, body, len(clean.body), clean.retrieved_at.isoformat())
        self._change(lambda: self._write(row, size))

    def forget(self, request: Request) -> None:
        """Drop the answer to ``request``, if there is one."""
        key = request_key(request)
        self._change(lambda: self._drop(key))

    def _change(self, change: Callable[[], None]) -> None:
        with self._lock:
            try:
                change()
            except sqlite3.OperationalError as error:
                _log.warning("the cache cannot be written now: %s", error)
            except sqlite3.ProgrammingError:
                raise  # the cache was closed
            except sqlite3.DatabaseError as error:
                self._begin_anew(error)

    def _drop(self, key: str) -> None:
        with self._base:
            self._base.execute("BEGIN IMMEDIATE")
            kept = self._base.execute("SELECT size FROM answers WHERE key = ?", (key,)).fetchone()
            if kept is not None:
                self._base.execute("DELETE FROM answers WHERE key = ?", (key,))
                self._base.execute("UPDATE total SET size = size - ?", kept)

    def _write(self, row: tuple[object, ...], size: int) -> None:
        key, values = row[0], (*row, self._clock(), size)
        with self._base:
            self._base.execute("BEGIN IMMEDIATE")
            (total,) = self._base.execute("SELECT size FROM total").fetchone()
            replaced = self._base.execute("SELECT size FROM answers WHERE key = ?", (key,)).fetchone()
            total += size - (replaced[0] if replaced else 0)
            self._base.execute(f"INSERT OR REPLACE INTO answers VALUES ({', '.join('?' * len(values))})", values)
            if total > self._max_bytes:
                total = self._make_room(total)
            self._base.execute("UPDATE total SET size = ?", (total,))

    def _make_room(self, total: int) -> int:
        """Drop the oldest answers until a tenth is free, so that not every new one drops another."""
        last = None
        for kept_at, size in self._base.execute("SELECT kept_at, size FROM answers ORDER BY kept_at"):
            if total <= self._max_bytes * 0.9:
                break
            total, last = total - size, kept_at
        if last is not None:
            self._base.execute("DELETE FROM answers WHERE kept_at <= ?", (last,))
        (total,) = self._base.execute("SELECT COALESCE(SUM(size), 0) FROM answers").fetchone()
        return int(total)

    def _opened(self) -> sqlite3.Connection:
        try:
            return self._connected()
        except (sqlite3.OperationalError, sqlite3.ProgrammingError):
            raise  # no permission, no space: nothing is wrong with what is in it
        except sqlite3.DatabaseError as error:
            self._set_aside(error)
            return self._connected()

    def _connected(self) -> sqlite3.Connection:
        if not self._path.exists():
            os.close(os.open(self._path, os.O_CREAT | os.O_RDWR, 0o600))
        base = sqlite3.connect(self._path, timeout=1.0, isolation_level=None, check_same_thread=False)
        try:
            base.execute("PRAGMA journal_mode = WAL")
            base.execute("PRAGMA synchronous = NORMAL")
            with base:
                base.execute("BEGIN IMMEDIATE")  # another process may be making the tables
                (found,) = base.execute("PRAGMA user_version").fetchone()
                if found == 0:
                    for statement in _SCHEMA:
                        base.execute(statement)
                elif found != _SCHEMA_VERSION:
                    raise sqlite3.DatabaseError(f"it has version {found} of the tables, and not {_SCHEMA_VERSION}")
        except BaseException:
            base.close()
            raise
        return base

    def _begin_anew(self, error: Exception) -> None:
        self._base.close()
        self._set_aside(error)
        self._base = self._connected()

    def _set_aside(self, error: Exception) -> None:
        aside = self._path.with_name(self._path.name + ".damaged")
        _log.warning("the cache %s is damaged (%s): it is now %s, and a new one is begun", self._path, error, aside)
        os.replace(self._path, aside)
        for suffix in ("-wal", "-shm"):
            self._path.with_name(self._path.name + suffix).unlink(missing_ok=True)


class CachingHttp:
    """Answers from ``cache`` where there is a fresh one, and from ``inner`` otherwise."""

    def __init__(self, inner: Http, cache: Cache) -> None:
        self._inner, self._cache = inner, cache

    async def send(self, request: Request) -> Answer | Unanswered:
        """As ``inner`` does; an answer that was kept has ``from_cache``, and each can be forgotten."""
        outcome: Answer | Unanswered | None = self._cache.find(request)
        if outcome is None:
            outcome = await self._inner.send(request)
            if isinstance(outcome, Answer):
                self._cache.keep(request, outcome)
        return replace(outcome, forget=partial(self._cache.forget, request)) if isinstance(outcome, Answer) else outcome


def _answer(row: tuple[str, int, str, bytes, int, str]) -> Answer:
    """The answer of a row.

    Raises:
        zlib.error, ValueError, TypeError: it is not what was written.
    """
    url, status, headers, packed, length, retrieved_at = row
    stream = zlib.decompressobj()
    body = stream.decompress(packed, length + 1)
    if len(body) != length:
        raise ValueError("an answer is not as long as it was")
    moment = dt.datetime.fromisoformat(retrieved_at)
    return Answer(url, status, json.loads(headers), body, moment, from_cache=True)
