"""Runs in a SQLite file: one machine, several processes. Locks are files beside it, which fall with their process."""

import hashlib
import os
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from wkgfc.batch.database import Ask, Row, StoreFailed
from wkgfc.errors import NotConfigured

BUSY_S = 30.0  # that a writer waits for another's transaction, which takes milliseconds
CACHE_KIB = 16_000  # of pages in memory: of a table of a million rows what is being written fits


class SqliteDatabase:
    """The database in ``path``, made where there is none.

    Raises:
        NotConfigured: the file cannot be made or opened, or is none of SQLite's.
    """

    bytes_type = "BLOB"

    def __init__(self, path: Path) -> None:
        self.where = str(path)
        self._path = path
        self._locks: dict[str, FileLock] = {}
        self._guard = threading.Lock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if not path.exists():  # it holds the claims of whoever uses it: for the eyes of that user alone
                os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
            self._connection = self._connected()
        except (OSError, sqlite3.Error) as error:
            raise NotConfigured(f"{path} cannot be used: {error}") from error

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """See ``Database``. It is on the disk when the block has ended."""
        with self._guard, _failures(self.where):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def execute(self, statement: str, values: Sequence[Any] = ()) -> list[Row]:
        """See ``Database``."""
        with _failures(self.where):
            return self._connection.execute(statement, values).fetchall()

    def execute_many(self, statement: str, rows: Iterable[Sequence[Any]]) -> None:
        """See ``Database``."""
        with _failures(self.where):
            self._connection.executemany(statement, rows)

    @contextmanager
    def reading(self) -> Iterator[Ask]:
        """See ``Database``. No query lasts: as long as one does, the log of what is written cannot be folded back."""
        with _failures(self.where), closing(self._connected()) as connection:
            yield lambda statement, values: connection.execute(statement, values).fetchall()

    def hold(self, name: str) -> bool:
        """See ``Database``."""
        lock = FileLock(self._lock_file(name))
        try:
            lock.acquire(timeout=0)
        except Timeout:
            return False
        except OSError as error:
            raise StoreFailed(f"no lock can be made beside {self.where}: {error.strerror or error}") from error
        self._locks[name] = lock
        return True

    def is_held(self, name: str) -> bool:
        """See ``Database``."""
        if name in self._locks:
            return True
        if not self._lock_file(name).exists():
            return False
        if not self.hold(name):
            return True
        self.release(name)
        return False

    def release(self, name: str) -> None:
        """See ``Database``."""
        self._locks.pop(name).release()

    def forget(self, name: str) -> None:
        """See ``Database``."""
        self._lock_file(name).unlink(missing_ok=True)
        if name in self._locks:
            self.release(name)

    def close(self) -> None:
        """See ``Database``."""
        for lock in self._locks.values():
            lock.release()
        self._locks.clear()
        self._connection.close()

    def _lock_file(self, name: str) -> Path:
        mark = hashlib.sha256(name.encode()).hexdigest()[:12]
        return self._path.with_name(f".{self._path.name}.{mark}.lock")

    def _connected(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._path, timeout=BUSY_S, isolation_level=None, check_same_thread=False)
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")  # what was paid for is on the disk, also when power fails
            connection.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
        except BaseException:
            connection.close()
            raise
        return connection


@contextmanager
def _failures(where: str) -> Iterator[None]:
    try:
        yield
    except sqlite3.ProgrammingError:
        raise  # a bug
    except sqlite3.IntegrityError:
        raise
    except (sqlite3.Error, OSError) as error:
        raise StoreFailed(f"{where}: {error}") from error
