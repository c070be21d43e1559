"""The time that a whole check has: every request to a live source ends within it, whatever it waits for."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

GRACE_S = 0.5  # that a client gives beyond it: who set the time is the first to notice, and says so

_end: ContextVar[float | None] = ContextVar("wkgfc_deadline", default=None)


@contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """Let requests in the block, and in the tasks that it starts, end within ``seconds`` from now.

    Within an earlier deadline that one stays.
    """
    end, outer = time.monotonic() + seconds, _end.get()
    token = _end.set(end if outer is None else min(end, outer))
    try:
        yield
    finally:
        _end.reset(token)


@contextmanager
def extended(seconds: float) -> Iterator[None]:
    """Let requests in the block have at least ``seconds`` from now, whatever the deadline around it.

    For what comes after the time is up: the verdict on what was found until then.
    """
    end = _end.get()
    token = _end.set(end if end is None else max(end, time.monotonic() + seconds))
    try:
        yield
    finally:
        _end.reset(token)


def remaining_s() -> float | None:
    """Seconds left, 0.0 when the time is over; None without a deadline."""
    end = _end.get()
    return None if end is None else max(0.0, end - time.monotonic())
