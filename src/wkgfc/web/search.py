"""Web search as the retrieval sees it: what any source of passages must answer."""

import datetime as dt
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol

from wkgfc.evidence import Passage, Record
from wkgfc.state import Retrieved

_language: ContextVar[str] = ContextVar("wkgfc_search_language", default="en")


@contextmanager
def searching_in(language: str) -> Iterator[None]:
    """Let searches of the block prefer pages in ``language`` (an IETF tag), where the engine takes a wish."""
    token = _language.set(language)
    try:
        yield
    finally:
        _language.reset(token)


def search_language() -> str:
    """The language that pages are wished in, as ``fr``: the first part of the claim's tag."""
    return _language.get().lower().replace("_", "-").partition("-")[0]


class Hit(Record):
    """One result of a search, in rank order. ``score`` is the engine's own and compares only within one answer."""

    passage: Passage
    score: float


class WebSearch(Protocol):
    """A source of passages. Every answer is ``Found``, ``Nothing`` or ``Failed``; it raises only for a bug."""

    name: str
    version: str

    async def search(
        self,
        query: str,
        limit: int,
        *,
        before: dt.date | None = None,
        allowed_sites: Sequence[str] = (),
        blocked_sites: Sequence[str] = (),
    ) -> Retrieved[Hit]:
        """Hits for ``query``, best first, at most ``limit``.

        None is known to be published after ``before``. A site is a host name with or without a path; it covers its
        subdomains. Any text is a legal query.
        """
        ...
