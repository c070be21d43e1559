"""Logs as JSON, one object a line, with the run and the claim that each is about."""

import contextvars
import datetime as dt
import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from wkgfc.errors import BadInput

_claim: contextvars.ContextVar[tuple[str, str] | None] = contextvars.ContextVar("wkgfc_claim", default=None)
_OWN = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "asctime", "taskName"}


@contextmanager
def of_claim(run: str, claim: str) -> Iterator[None]:
    """Let what the block logs, in the tasks and threads that it starts too, say which claim it is about."""
    token = _claim.set((run, claim))
    try:
        yield
    finally:
        _claim.reset(token)


class JsonLines(logging.Formatter):
    """A record as one JSON object: time, level, logger, message, run, claim, and the numbers given as ``extra``."""

    def format(self, record: logging.LogRecord) -> str:
        """The line, without its end."""
        line: dict[str, object] = {
            "time": dt.datetime.fromtimestamp(record.created, dt.UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        about = _claim.get()
        if about is not None:
            line["run"], line["claim"] = about
        given = {name: value for name, value in record.__dict__.items() if name not in _OWN}
        line |= {name: value for name, value in given.items() if isinstance(value, str | int | float | bool)}
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


@contextmanager
def json_logs(path: Path | None) -> Iterator[None]:
    """Append the logs of ``wkgfc`` to a file during the block; without a ``path`` they go where they went before.

    Raises:
        BadInput: the file cannot be written.
    """
    if path is None:
        yield
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handler = logging.FileHandler(path, encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise BadInput(f"the log {path} cannot be written: {error.strerror or error}") from error
    handler.setFormatter(JsonLines())
    logger = logging.getLogger("wkgfc")
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(min(level or logging.INFO, logging.INFO))
    try:
        yield
    finally:
        logger.setLevel(level)
        logger.removeHandler(handler)
        handler.close()
