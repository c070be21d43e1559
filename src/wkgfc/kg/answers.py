"""Answers from outside: JSON read strictly, and failures carried to where a retrieval ends.

Nothing here trusts its input: any bytes are either read or refused with ``Unreadable``.
"""

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NoReturn, TypeVar
from urllib.parse import urlsplit

from wkgfc.errors import NotConfigured
from wkgfc.http import Answer, Http, Request, Unanswered
from wkgfc.state import Failed, Retrieved, found

T = TypeVar("T")

MAX_TEXT = 100_000  # characters of one string; the longest literals of public graphs are abstracts of some 10,000

# What the query services write into an answer that they could not finish in time, though its status was 200.
_TIMED_OUT = (
    b"java.util.concurrent.TimeoutException",  # Blazegraph, which Wikidata's query service runs on
    b"QueryTimeoutException",
    b"Query deadline is expired",
    b"Transaction timed out",  # Virtuoso, which DBpedia runs on
    b"estimated execution time",
)


class SourceFailure(Exception):
    """A service that gave no usable answer. Its text is the reason, one line."""


def expect(outcome: T | Failed) -> T:
    """What a service answered.

    Raises:
        SourceFailure: it failed.
    """
    if isinstance(outcome, Failed):
        raise SourceFailure(outcome.reason)
    return outcome


async def ask(http: Http, request: Request, read: Callable[[Answer], T]) -> tuple[T, Answer] | Unanswered:
    """Send a request and ``read`` its answer. What ``read`` refuses (``Unreadable``) is no answer, and is not kept."""
    values: list[T] = []

    def fault(answer: Answer) -> str | None:
        try:
            values[:] = [read(answer)]
        except Unreadable as error:
            return str(error)
        return None

    answer = await http.send(replace(request, fault=fault))
    if isinstance(answer, Unanswered):
        return answer
    if not values and (wrong := fault(answer)):  # it came from a client that does not look
        return Unanswered(f"{host_of(request.url)} sent {wrong}", answer.status, answer.body[:2_000])
    return values[0], answer


def host_of(url: str) -> str:
    """The host of a service's address, with its port if it has one of its own: nothing that could be secret.

    Raises:
        NotConfigured: ``url`` is no http or https URL.
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if not host or parts.scheme not in ("http", "https"):
        raise NotConfigured(f"{url[:80]!r} is no address of a service: give one that begins with https://")
    return f"{host}:{port}" if port else host


async def retrieved(work: Awaitable[Sequence[T]]) -> Retrieved[T]:
    """What ``work`` brings; where a service fails on the way, the whole of it has failed."""
    try:
        return found(await work)
    except SourceFailure as failure:
        return Failed(str(failure))


class Unreadable(ValueError):
    """What was sent is not what was asked for. Its text says what it is instead, and follows "HOST sent"."""


def read_json(body: bytes) -> Any:
    """The value that ``body`` is the JSON text of.

    Raises:
        Unreadable: it is cut, no JSON, not UTF-8, or nested too deeply. A time-out of the service is told as one.
    """
    try:
        return json.loads(body.decode("utf-8-sig"), parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        if is_time_out(body):
            raise Unreadable("the beginning of an answer only: it ran out of time") from error
        if not body.strip():
            raise Unreadable("an empty answer") from error
        if body.lstrip()[:1] in (b"{", b"["):
            raise Unreadable("JSON that is cut off or malformed") from error
        raise Unreadable("something else than JSON") from error


def is_time_out(body: bytes) -> bool:
    """Whether the text of an error, or of an answer that broke off, says that the time was up."""
    return any(mark in body for mark in _TIMED_OUT)


def mapping_at(value: Any, *path: str) -> Mapping[str, Any]:
    """The object at ``path`` in ``value``; empty where anything on the way is missing or something else."""
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def items_at(value: Any, *path: str) -> Sequence[Any]:
    """The list at ``path`` in ``value``; empty where anything on the way is missing or something else."""
    *way, last = path
    found = mapping_at(value, *way).get(last)
    return found if isinstance(found, list) else []


def text_at(value: Any, *path: str) -> str | None:
    """The text at ``path`` in ``value``; ``None`` where it is missing, empty, overlong or something else."""
    *way, last = path
    found = mapping_at(value, *way).get(last)
    if not isinstance(found, str) or not found.strip() or len(found) > MAX_TEXT:
        return None
    return whole(found)


def whole(text: str) -> str:
    """A text without halves of characters, which JSON can spell and UTF-8 cannot."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")
