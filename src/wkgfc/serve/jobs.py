"""Checks as jobs, in one SQLite file: what was accepted is found again whatever ends the process.

A check goes from ``queued`` to ``running`` to ``done``, ``failed`` or ``cancelled``, and each thing that happens is an
event with a number of its own. The file is in write-ahead mode: a transaction that was committed survives a kill of
the process; the last ones may be lost where the machine itself loses power.
"""

import datetime as dt
import json
import secrets
import sqlite3
import threading
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from wkgfc.claim import Claim, Veracity
from wkgfc.errors import NotConfigured
from wkgfc.serve.refusals import NotNow, NotThere

State = Literal["queued", "running", "done", "failed", "cancelled"]
EventKind = Literal["queued", "started", "step_started", "step", "result", "failed", "cancelled"]
LAST: frozenset[str] = frozenset({"result", "failed", "cancelled"})  # the events that nothing follows
STATES: tuple[State, ...] = get_args(State)
MAX_STARTS = 5  # a claim that ends the process that checks it, again and again, must not keep the service from others
MAX_WORDS = 16  # of a search over history

_VERSION = 1
_SCHEMA = (
    "CREATE TABLE checks (number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, claim TEXT NOT NULL,"
    " state TEXT NOT NULL, bulk INTEGER NOT NULL, created_at TEXT NOT NULL, started_at TEXT, ended_at TEXT,"
    " starts INTEGER NOT NULL DEFAULT 0, veracity TEXT, confidence REAL, error TEXT, result BLOB,"
    " events INTEGER NOT NULL DEFAULT 0)",
    "CREATE INDEX checks_open ON checks (bulk, number) WHERE state IN ('queued', 'running')",
    "CREATE INDEX checks_ended ON checks (ended_at) WHERE ended_at IS NOT NULL",
    "CREATE TABLE events (number INTEGER NOT NULL REFERENCES checks ON DELETE CASCADE, seq INTEGER NOT NULL,"
    " kind TEXT NOT NULL, data TEXT, PRIMARY KEY (number, seq)) WITHOUT ROWID",
    "CREATE TABLE batches (id TEXT PRIMARY KEY, kind TEXT NOT NULL, created_at TEXT NOT NULL, about BLOB NOT NULL)",
    "CREATE TABLE batch_checks (batch TEXT NOT NULL REFERENCES batches ON DELETE CASCADE, position INTEGER NOT NULL,"
    " number INTEGER NOT NULL REFERENCES checks ON DELETE CASCADE, PRIMARY KEY (batch, position)) WITHOUT ROWID",
    "CREATE INDEX batches_by_check ON batch_checks (number)",
    "CREATE TABLE corrections (id INTEGER PRIMARY KEY, number INTEGER NOT NULL REFERENCES checks ON DELETE CASCADE,"
    " veracity TEXT, evidence TEXT, note TEXT NOT NULL, at TEXT NOT NULL)",
    "CREATE INDEX corrections_by_check ON corrections (number)",
    "CREATE VIRTUAL TABLE words USING fts5 (text, tokenize = 'unicode61 remove_diacritics 2')",
    f"PRAGMA user_version = {_VERSION}",
)
_COLUMNS = (
    "checks.number, checks.id, claim, state, created_at, started_at, ended_at, checks.veracity, confidence, error"
)
_IS_EMPTY = "NOT EXISTS (SELECT 1 FROM batch_checks WHERE batch = batches.id)"


@dataclass(frozen=True)
class Job:
    """A check and where it stands.

    ``result`` is the contract's JSON object with the trajectory, once the check is done; in lists it is left out.
    ``veracity`` and ``confidence`` are those of the result. ``error`` says why the check failed.
    """

    id: str
    claim: Claim
    state: State
    created_at: dt.datetime
    started_at: dt.datetime | None = None
    ended_at: dt.datetime | None = None
    veracity: Veracity | None = None
    confidence: float | None = None
    error: str | None = None
    result: dict[str, Any] | None = None

    @property
    def has_ended(self) -> bool:
        """Whether nothing more happens to it."""
        return self.state not in ("queued", "running")


@dataclass(frozen=True)
class Event:
    """Something that happened to a check. ``seq`` counts from 1, and goes on where a check is run again."""

    seq: int
    kind: EventKind
    data: dict[str, Any]

    def to_json(self) -> dict[str, Any]:
        """The event as the API shows it."""
        return {"seq": self.seq, "kind": self.kind, "data": self.data}


@dataclass(frozen=True)
class Correction:
    """What a person says of a check: the right veracity, or the evidence that does not say what it is cited for."""

    check: str
    veracity: Veracity | None
    evidence: str | None
    note: str
    at: dt.datetime


@dataclass(frozen=True)
class Batch:
    """Several checks that were asked for at once, in their order. ``about`` is what else belongs to them."""

    id: str
    kind: str
    created_at: dt.datetime
    about: dict[str, Any]
    checks: tuple[Job, ...]


class Jobs:
    """The store. Any thread may use it; one process at a time does (``service.py`` sees to it).

    Raises:
        NotConfigured: the file cannot be made or read, or was written by a later version.
    """

    def __init__(self, path: Path) -> None:
        self._lock = threading.RLock()
        self._reading = threading.Lock()  # of a connection of its own: a long search keeps nobody from writing
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._base = _opened(path)
            self._reader = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=10.0)
            self._reader.execute("PRAGMA query_only = ON")
        except (OSError, sqlite3.Error) as error:
            raise NotConfigured(
                f"the checks in {path} cannot be read: {error}; give another --data, or move the file away"
            ) from error

    def close(self) -> None:
        """Close the file."""
        with self._lock, self._reading:
            self._reader.close()
            self._base.close()

    def add(self, claims: Sequence[Claim], *, bulk: bool = False) -> tuple[Job, ...]:
        """Accept claims, all or none. ``bulk``: they wait for those that are not. Once returned, they are not lost."""
        with self._transaction():
            return tuple(self._job(self._add(claim, bulk)) for claim in claims)

    def add_batch(self, kind: str, claims: Sequence[Claim], places: Sequence[int], about: Mapping[str, Any]) -> Batch:
        """Accept a batch. ``places`` are the positions of its items among ``claims``, as one claim may stand twice."""
        batch, packed = secrets.token_urlsafe(16), zlib.compress(json.dumps(dict(about)).encode(), 1)
        with self._transaction() as base:
            base.execute("INSERT INTO batches VALUES (?, ?, ?, ?)", (batch, kind, _now(), packed))
            numbers = [self._add(claim, bulk=True) for claim in claims]
            base.executemany(
                "INSERT INTO batch_checks VALUES (?, ?, ?)",
                [(batch, position, numbers[place]) for position, place in enumerate(places)],
            )
        return self.batch(batch)

    def get(self, check: str) -> Job:
        """A check with its result.

        Raises:
            NotThere: there is none of that id.
        """
        with self._lock:
            row = self._row(self._number(check), with_result=True)
        return _job(row)

    def batch(self, batch: str, *, with_results: bool = False) -> Batch:
        """A batch with its checks.

        Raises:
            NotThere: there is none of that id.
        """
        result = "result" if with_results else "NULL"
        found = self._read("SELECT kind, created_at, about FROM batches WHERE id = ?", (batch,))
        if not found:
            raise NotThere(f"there is no batch or text {batch[:64]!r}")
        rows = self._read(
            f"SELECT {_COLUMNS}, {result} FROM batch_checks JOIN checks USING (number) WHERE batch = ?"
            " ORDER BY position",
            (batch,),
        )
        kind, created_at, about = found[0]
        distinct = {each[0]: each for each in rows}
        jobs = {number: _job(each) for number, each in distinct.items()}
        checks = tuple(jobs[each[0]] for each in rows)
        return Batch(batch, kind, _time(created_at), json.loads(zlib.decompress(about)), checks)

    def waiting(self) -> tuple[list[str], list[str]]:
        """The ids of those that wait, in order: those asked for one at a time, and those of batches."""
        with self._lock:
            rows = self._base.execute(
                "SELECT id, bulk FROM checks WHERE state = 'queued' ORDER BY bulk, number"
            ).fetchall()
        return [check for check, bulk in rows if not bulk], [check for check, bulk in rows if bulk]

    def start(self, check: str) -> Job:
        """A check that waited begins."""
        with self._transaction() as base:
            number, now = self._number(check), _now()
            self._move(number, ("queued",), "state = 'running', started_at = ?, starts = starts + 1", now)
            self._happen(base, number, "started", {"started_at": now})
            return self._job(number)

    def note(self, check: str, kind: EventKind, data: Mapping[str, Any]) -> None:
        """A running check has come to something: a step that begins or has ended."""
        with self._transaction() as base:
            number = self._number(check)
            self._move(number, ("running",), "state = state")
            self._happen(base, number, kind, data)

    def finish(self, check: str, result: Mapping[str, Any]) -> None:
        """A running check is done: ``result`` is the contract's JSON object."""
        packed = zlib.compress(json.dumps(dict(result)).encode(), 1)
        with self._transaction() as base:
            number = self._number(check)
            self._move(
                number,
                ("running",),
                "state = 'done', ended_at = ?, veracity = ?, confidence = ?, result = ?",
                _now(),
                result.get("veracity"),
                result.get("confidence"),
                packed,
            )
            self._happen(base, number, "result", None)  # the result itself, which is kept once

    def fail(self, check: str, error: str) -> None:
        """An open check is given up; ``error`` says why."""
        with self._transaction() as base:
            number = self._number(check)
            self._move(number, ("queued", "running"), "state = 'failed', ended_at = ?, error = ?", _now(), error)
            self._happen(base, number, "failed", {"error": error})

    def cancel(self, check: str) -> State:
        """An open check is not wanted any more. The state that it was in.

        Raises:
            NotThere: there is none of that id.
            NotNow: it has ended.
        """
        with self._transaction() as base:
            number = self._number(check)
            before = self._job(number).state
            self._move(number, ("queued", "running"), "state = 'cancelled', ended_at = ?", _now())
            self._happen(base, number, "cancelled", {})
            return before

    def again(self, check: str, reason: str, *, is_its_fault: bool = True) -> bool:
        """A check that was running waits again, and its events begin anew. Whether it does.

        One that was started ``MAX_STARTS`` times and never ended fails instead. ``is_its_fault=False``: this start does
        not count.
        """
        with self._transaction() as base:
            number = self._number(check)
            (starts,) = base.execute("SELECT starts FROM checks WHERE number = ?", (number,)).fetchone()
            if is_its_fault and starts >= MAX_STARTS:
                self.fail(check, f"given up after {starts} starts: {reason} each time")
                return False
            less = 0 if is_its_fault else 1
            self._move(number, ("running",), "state = 'queued', started_at = NULL, starts = starts - ?", less)
            base.execute("DELETE FROM events WHERE number = ?", (number,))
            self._happen(base, number, "queued", {"again": True, "reason": reason})
            return True

    def recover(self, reason: str) -> int:
        """What was running when the process ended waits again. How many those are."""
        with self._lock:
            rows = self._base.execute("SELECT id FROM checks WHERE state = 'running' ORDER BY number").fetchall()
            return sum(self.again(check, reason) for (check,) in rows)

    def events(self, check: str, after: int = 0) -> list[Event]:
        """The events with a higher number than ``after``.

        Raises:
            NotThere: there is no check of that id.
        """
        with self._lock:
            number = self._number(check)
            rows = self._base.execute(
                "SELECT seq, kind, data FROM events WHERE number = ? AND seq > ? ORDER BY seq", (number, after)
            ).fetchall()
            result = self._job(number, with_result=True).result if any(data is None for _, _, data in rows) else None
        return [Event(seq, kind, (result or {}) if data is None else json.loads(data)) for seq, kind, data in rows]

    def history(self, query: str = "", limit: int = 50, before: str | None = None) -> list[Job]:
        """Checks, the latest first, at most ``limit`` of them: those whose claim has all words of ``query``.

        The last word may be the beginning of one. ``before``: the id of a check, and only older ones are meant.

        Raises:
            NotThere: there is no check of the id ``before``.
        """
        where, values = ["1"], list[Any]()
        if before is not None:
            with self._lock:
                values.append(self._number(before))
            where.append("checks.number < ?")
        if words := "".join(sign if sign.isalnum() else " " for sign in query).split()[:MAX_WORDS]:
            where.append("checks.number IN (SELECT rowid FROM words WHERE words MATCH ?)")
            values.append(" ".join(f'"{word}"' for word in words) + "*")
        elif query.strip():
            return []
        rows = self._read(
            f"SELECT {_COLUMNS}, NULL FROM checks WHERE {' AND '.join(where)} ORDER BY checks.number DESC LIMIT ?",
            (*values, limit),
        )
        return [_job(row) for row in rows]

    def correct(self, check: str, *, veracity: Veracity | None, evidence: str | None, note: str) -> Correction:
        """Keep what a person says of a check.

        Raises:
            NotThere: there is no check of that id.
        """
        correction = Correction(check, veracity, evidence, note, dt.datetime.now(dt.UTC))
        with self._transaction() as base:
            base.execute(
                "INSERT INTO corrections (number, veracity, evidence, note, at) VALUES (?, ?, ?, ?, ?)",
                (self._number(check), veracity, evidence, note, correction.at.isoformat()),
            )
        return correction

    def corrections(self, check: str | None = None, after: int = 0, limit: int = -1) -> list[tuple[int, Correction]]:
        """Corrections in the order in which they came, each with its number: of one check, or of all.

        ``after`` is the number of one, and only later ones are meant; ``limit`` is how many at most, -1: all.
        """
        with self._lock:
            number = None if check is None else self._number(check)
            rows = self._base.execute(
                "SELECT corrections.id, checks.id, corrections.veracity, evidence, note, at FROM corrections"
                " JOIN checks USING (number) WHERE corrections.id > ? AND (? IS NULL OR number = ?)"
                " ORDER BY corrections.id LIMIT ?",
                (after, number, number, limit),
            ).fetchall()
        return [
            (row, Correction(of, Veracity(veracity) if veracity else None, evidence, note, _time(at)))
            for row, of, veracity, evidence, note, at in rows
        ]

    def forget(self, check: str) -> None:
        """Remove an ended check with all that belongs to it.

        Raises:
            NotThere: there is none of that id.
            NotNow: it has not ended.
        """
        with self._transaction():
            number = self._number(check)
            if not self._job(number).has_ended:
                raise NotNow(f"the check {check} has not ended: cancel it first")
            self._remove([number])

    def forget_before(self, then: dt.datetime) -> int:
        """Remove the checks that ended before ``then``, and the texts of before that had none. How many checks."""
        before = then.astimezone(dt.UTC).isoformat()
        with self._transaction() as base:
            rows = base.execute("SELECT number FROM checks WHERE ended_at < ?", (before,)).fetchall()
            self._remove([number for (number,) in rows])
            base.execute(f"DELETE FROM batches WHERE created_at < ? AND {_IS_EMPTY}", (before,))
        return len(rows)

    def _remove(self, numbers: Sequence[int]) -> None:
        """Remove checks, and the batches that lose their last one. A text without a claim never had any, and stays."""
        each = [(number,) for number in numbers]
        held = "SELECT batch FROM batch_checks WHERE number = ?"
        batches = {row for number in each for row in self._base.execute(held, number)}
        self._base.executemany("DELETE FROM words WHERE rowid = ?", each)
        self._base.executemany("DELETE FROM checks WHERE number = ?", each)
        self._base.executemany(f"DELETE FROM batches WHERE id = ? AND {_IS_EMPTY}", batches)

    def _add(self, claim: Claim, bulk: bool) -> int:
        now = _now()
        number = self._base.execute(
            "INSERT INTO checks (id, claim, state, bulk, created_at) VALUES (?, ?, 'queued', ?, ?)",
            (secrets.token_urlsafe(16), claim.model_dump_json(), bulk, now),
        ).lastrowid
        assert number is not None
        self._base.execute("INSERT INTO words (rowid, text) VALUES (?, ?)", (number, claim.text))
        self._happen(self._base, number, "queued", {"again": False, "reason": None})
        return number

    def _happen(self, base: sqlite3.Connection, number: int, kind: EventKind, data: Mapping[str, Any] | None) -> None:
        (seq,) = base.execute(
            "UPDATE checks SET events = events + 1 WHERE number = ? RETURNING events", (number,)
        ).fetchone()
        packed = None if data is None else json.dumps(dict(data))
        base.execute("INSERT INTO events VALUES (?, ?, ?, ?)", (number, seq, kind, packed))

    def _move(self, number: int, states: Sequence[State], change: str, *values: Any) -> None:
        """Change a check that is in one of ``states``.

        Raises:
            NotNow: it is in another.
        """
        marks = ", ".join("?" * len(states))
        moved = self._base.execute(
            f"UPDATE checks SET {change} WHERE number = ? AND state IN ({marks})", (*values, number, *states)
        )
        if moved.rowcount != 1:
            job = self._job(number)
            raise NotNow(f"the check {job.id} is {job.state}")

    def _number(self, check: str) -> int:
        row = self._base.execute("SELECT number FROM checks WHERE id = ?", (check,)).fetchone()
        if row is None:
            raise NotThere(f"there is no check {check[:64]!r}")
        return int(row[0])

    def _job(self, number: int, *, with_result: bool = False) -> Job:
        return _job(self._row(number, with_result=with_result))

    def _row(self, number: int, *, with_result: bool) -> tuple[Any, ...]:
        result = "result" if with_result else "NULL"
        row: tuple[Any, ...] = self._base.execute(
            f"SELECT {_COLUMNS}, {result} FROM checks WHERE number = ?", (number,)
        ).fetchone()
        return row

    def _read(self, statement: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
        """The rows of a question that may take its time, about what was last committed."""
        with self._reading:
            return self._reader.execute(statement, values).fetchall()

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """All of the block or nothing of it. A block within a block belongs to the outer one."""
        with self._lock:
            if self._base.in_transaction:
                yield self._base
                return
            self._base.execute("BEGIN IMMEDIATE")
            try:
                yield self._base
                self._base.commit()
            except BaseException:
                self._base.rollback()
                raise


def _opened(path: Path) -> sqlite3.Connection:
    base = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=10.0)
    path.chmod(0o600)  # the claims of whoever uses the service are for that user alone
    base.execute("PRAGMA journal_mode = WAL")
    base.execute("PRAGMA synchronous = NORMAL")
    base.execute("PRAGMA foreign_keys = ON")
    (version,) = base.execute("PRAGMA user_version").fetchone()
    if version not in (0, _VERSION):
        base.close()
        raise sqlite3.DatabaseError("another version of wkgfc has written it")
    if version == 0:
        base.execute("BEGIN IMMEDIATE")
        for statement in _SCHEMA:
            base.execute(statement)
        base.commit()
    return base


def _job(row: tuple[Any, ...]) -> Job:
    _, check, claim, state, created_at, started_at, ended_at, veracity, confidence, error, result = row
    return Job(
        id=check,
        claim=Claim.model_validate_json(claim),
        state=state,
        created_at=_time(created_at),
        started_at=_time(started_at) if started_at else None,
        ended_at=_time(ended_at) if ended_at else None,
        veracity=Veracity(veracity) if veracity else None,
        confidence=confidence,
        error=error,
        result=json.loads(zlib.decompress(result)) if result is not None else None,
    )


def _time(text: str) -> dt.datetime:
    return dt.datetime.fromisoformat(text)


def _now() -> str:
    return dt.datetime.now(dt.UTC).isoformat()
