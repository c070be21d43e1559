"""What a store of runs needs of a database, whichever it is: SQLite in a file, or PostgreSQL by its address."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

Row = tuple[Any, ...]
Ask = Callable[[str, Sequence[Any]], list[Row]]


class StoreFailed(Exception):
    """The database cannot be read or written now: the disk is full, the server is gone. The text is one line."""


class Database(Protocol):
    """A connection. Statements have ``?`` where a value belongs, whatever the driver's own mark is.

    Everything but ``close`` raises ``StoreFailed``. One thread uses it at a time; ``reading`` makes a connection of its
    own, for another one.
    """

    where: str  # as a message names it: without a password
    bytes_type: str  # what a column of bytes is called

    def transaction(self) -> AbstractContextManager[None]:
        """The block's statements happen together or not at all, and no other writer's between them."""
        ...

    def execute(self, statement: str, values: Sequence[Any] = ()) -> list[Row]:
        """Run a statement; its rows, if it has any."""
        ...

    def execute_many(self, statement: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run a statement for each row of values."""
        ...

    def reading(self) -> AbstractContextManager[Ask]:
        """What runs queries on a connection of its own. Each sees what is kept at its moment, and holds nobody up."""
        ...

    def hold(self, name: str) -> bool:
        """Take a lock that falls with this process, however it ends. ``False``: another one has it."""
        ...

    def is_held(self, name: str) -> bool:
        """Whether someone (this connection too) has the lock ``name``."""
        ...

    def release(self, name: str) -> None:
        """Let go of a lock that this connection has."""
        ...

    def forget(self, name: str) -> None:
        """Remove what is left of a lock that nobody will take again, and let it go."""
        ...

    def close(self) -> None:
        """Close the connection, and let its locks go."""
        ...
