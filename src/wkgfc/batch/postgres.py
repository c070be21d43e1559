"""Runs in PostgreSQL: several machines, several services. Locks are the server's, which fall with their connection.

Source: PostgreSQL's manual, "Advisory Locks"; psycopg 3's manual, "Transactions management".
"""

import hashlib
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from wkgfc.batch.database import Ask, Row, StoreFailed
from wkgfc.errors import NotConfigured

CONNECT_S = 10  # to reach the server
_CLASS = 0x776B  # of our advisory locks among those of others in the same database: "wk"
_WRITING = 0  # the one of them that a transaction holds: "no other writer's between them"


class PostgresDatabase:
    """The database at ``url`` (``postgresql://user@host/database``). The password is psycopg's to find.

    A connection that is lost is made again by the next statement; its locks are taken again then.

    Raises:
        NotConfigured: the package is missing, or the server cannot be reached.
    """

    bytes_type = "BYTEA"

    def __init__(self, url: str) -> None:
        try:
            import psycopg  # noqa: PLC0415 - an extra
        except ImportError as error:
            raise NotConfigured("PostgreSQL needs a package that is missing: pip install 'wkgfc[postgres]'") from error
        self._psycopg, self._url = psycopg, url
        parts = urlsplit(url)
        self.where = f"{parts.scheme}://{parts.hostname or ''}{parts.path}"
        self._guard = threading.RLock()
        self._held: set[str] = set()
        try:
            self._connection = self._connected()
        except psycopg.Error as error:
            raise NotConfigured(f"{self.where} cannot be reached: {_first_line(error)}") from error

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """See ``Database``."""
        with self._guard, self._failures():
            connection = self._alive()
            with connection.transaction():
                connection.execute("SELECT pg_advisory_xact_lock(%s, %s)", (_CLASS, _WRITING))
                yield

    def execute(self, statement: str, values: Sequence[Any] = ()) -> list[Row]:
        """See ``Database``."""
        with self._guard, self._failures():
            cursor = self._alive().execute(_marked(statement), values)
            return cursor.fetchall() if cursor.description is not None else []

    def execute_many(self, statement: str, rows: Iterable[Sequence[Any]]) -> None:
        """See ``Database``."""
        with self._guard, self._failures(), self._alive().cursor() as cursor:
            cursor.executemany(_marked(statement), list(rows))

    @contextmanager
    def reading(self) -> Iterator[Ask]:
        """See ``Database``."""
        with self._failures(), self._connected() as connection:
            yield lambda statement, values: connection.execute(_marked(statement), values).fetchall()

    def hold(self, name: str) -> bool:
        """See ``Database``."""
        ((taken,),) = self.execute("SELECT pg_try_advisory_lock(?, ?)", (_CLASS, _key(name)))
        if taken and name in self._held:  # the server counts how often one connection takes a lock
            self.execute("SELECT pg_advisory_unlock(?, ?)", (_CLASS, _key(name)))
            return False
        if taken:
            self._held.add(name)
        return bool(taken)

    def is_held(self, name: str) -> bool:
        """See ``Database``."""
        rows = self.execute(
            "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND classid::bigint = ? AND objid::bigint = ?"
            " AND objsubid = 2 AND granted",
            (_CLASS, _key(name) % 2**32),
        )
        return bool(rows)

    def release(self, name: str) -> None:
        """See ``Database``."""
        self._held.discard(name)
        self.execute("SELECT pg_advisory_unlock(?, ?)", (_CLASS, _key(name)))

    def forget(self, name: str) -> None:
        """See ``Database``."""
        if name in self._held:
            self.release(name)

    def close(self) -> None:
        """See ``Database``."""
        self._connection.close()

    def _connected(self) -> Any:
        return self._psycopg.connect(self._url, autocommit=True, connect_timeout=CONNECT_S)

    def _alive(self) -> Any:
        """The connection, made anew where it was lost. Locks that another has taken meanwhile are an error."""
        if self._connection.closed:
            self._connection = self._connected()
            for name in self._held:
                row = self._connection.execute("SELECT pg_try_advisory_lock(%s, %s)", (_CLASS, _key(name))).fetchone()
                if row is None or not row[0]:
                    self._connection.close()
                    raise StoreFailed(f"{self.where}: while the connection was lost another process took the run over")
        return self._connection

    @contextmanager
    def _failures(self) -> Iterator[None]:
        try:
            yield
        except (self._psycopg.ProgrammingError, self._psycopg.IntegrityError):
            raise  # a bug
        except self._psycopg.Error as error:
            raise StoreFailed(f"{self.where}: {_first_line(error)}") from error


def _marked(statement: str) -> str:
    """Our marks of values as psycopg's."""
    return statement.replace("%", "%%").replace("?", "%s")


def _key(name: str) -> int:
    """A lock's name as the number of 32 bits that the server knows it by."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:4], "big", signed=True)


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0][:200]
