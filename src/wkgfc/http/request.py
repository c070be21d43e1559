"""What a request to a live source is, and what comes of it."""

import datetime as dt
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from pydantic import SecretStr

Kind = Literal["entity", "query", "search", "page", "model"]  # how long an answer stays in the cache depends on it


@dataclass(frozen=True)
class Request:
    """One request. ``secret_headers`` and ``secret_params`` are sent and never kept: not in the cache, not in errors.

    ``idempotent`` requests are sent again after a failure that may pass. ``accepts`` are the content types that the
    caller can read (none: any); another one is a failure. ``max_bytes`` counts the body after decompression.
    ``public_only``: the address must be one of the public internet, at every redirect (for pages that a search found).

    ``timeout_s`` is the time that one attempt may take, from the connection to the last byte and through all redirects.
    The whole of the check has its own limit (``deadline.py``). An answer from the cache is at most ``max_age_s`` old,
    even where its kind may be older.

    ``fault`` looks at an answer that came with a good status and says in one line what is wrong with it, or None: such
    a one becomes ``Unanswered`` and is not kept (a cut result, an error that came as a 200, a part of the rows as a
    header says). It must not raise.

    ``hindrance`` is asked before a redirect is followed, with the address that it leads to: what it says, if anything,
    is why the request ends there as ``Unanswered``. It must not raise.
    """

    url: str
    kind: Kind
    method: Literal["GET", "POST"] = "GET"
    params: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    secret_headers: Mapping[str, SecretStr] = field(default_factory=dict)
    secret_params: Mapping[str, SecretStr] = field(default_factory=dict)
    json_body: Any = None
    form: Mapping[str, str] | None = None
    accepts: tuple[str, ...] = ()
    max_bytes: int = 4_000_000
    timeout_s: float = 20.0
    idempotent: bool = True
    public_only: bool = False
    max_age_s: float | None = None
    fault: "Callable[[Answer], str | None] | None" = None
    hindrance: Callable[[str], Awaitable[str | None]] | None = None


@dataclass(frozen=True)
class Answer:
    """An answer with a status of 200 to 299. ``url`` is where it came from, after redirects.

    ``forget``, where a cache keeps the answer, drops it there: for who finds on reading that it is not the answer.
    """

    url: str
    status: int
    headers: Mapping[str, str]  # names in lower case
    body: bytes
    retrieved_at: dt.datetime
    from_cache: bool = False
    forget: Callable[[], None] | None = field(default=None, compare=False, repr=False)

    def json(self) -> Any:
        """The body as JSON.

        Raises:
            ValueError: it is none, or not UTF-8.
        """
        return json.loads(self.body.decode("utf-8"))


@dataclass(frozen=True)
class Unanswered:
    """A request that brought no usable answer. ``reason`` is one line for the trace, without secrets.

    ``status`` is the HTTP status where there was one; ``body`` the first 2,000 bytes of what an error said.
    """

    reason: str
    status: int | None = None
    body: bytes = b""


class Http(Protocol):
    """What every live source sends its requests with."""

    async def send(self, request: Request) -> Answer | Unanswered:
        """Send one request; never raises for what the network or a server does."""
        ...
