"""Pages of the web: fetched, read, and cut into passages that can be cited.

A fetch ends as ``Found`` with one page, or as ``Failed`` with its reason, of which the first word is the kind:
``address``, ``robots``, ``gone``, ``refused``, ``withheld``, ``unanswered``, ``unreadable``, or that of a barrier
(``paywall``, ``captcha`` …, see ``barriers.py``). The text of a wall is never taken for a page's.
"""

import datetime as dt
import hashlib
from collections.abc import Awaitable, Callable
from urllib.parse import urlsplit

from wkgfc.evidence import Passage, Record, Source
from wkgfc.http import Answer, Http, Request, Unanswered
from wkgfc.state import Failed, Found, Retrieved
from wkgfc.usage import count
from wkgfc.web.archive import Copy, WaybackMachine
from wkgfc.web.barriers import WORDS, barrier_of_error
from wkgfc.web.content import READABLE, Content
from wkgfc.web.domains import registrable_domain
from wkgfc.web.reader import Reader
from wkgfc.web.robots import Robots
from wkgfc.web.splitting import passage_spans

MAX_BYTES = 10_000_000  # a long report as PDF; an article is a hundredth of it
TIMEOUT_S = 15.0
MAX_ADDRESS_CHARACTERS = 2_000  # what browsers take

SNIPPET = " snippet"  # ends the source's name where the passage is a search engine's, not read from the page

# Failures after which a copy in an archive may stand for the page. What a site gives only to those who pay or log in,
# or wants no machine to read, is not fetched behind its back.
REPLACED_BY_COPY = ("gone", "refused", "unanswered", "challenge", "captcha", "scripts", "error")


class Page(Record):
    """A page's main text with what is known of its origin.

    ``url`` opens the text: where it was found after redirects, or the page's own canonical address where that is of
    the same owner, or the archived copy. ``address`` is the page's even where ``url`` is a copy's. ``date`` and
    ``earliest`` are the day of publication by its own markup (``Document`` of ``reading.py``). ``language`` is what it
    declares. ``archived_at`` is when the copy was taken, if it is one. ``complete``: no limit cut the text.
    """

    url: str
    address: str
    text: str
    title: str | None = None
    author: str | None = None
    date: dt.date | None = None
    earliest: dt.date | None = None
    language: str | None = None
    retrieved_at: dt.datetime
    archived_at: dt.datetime | None = None
    complete: bool = True

    @property
    def content_hash(self) -> str:
        """SHA-256 of the text, in hexadecimal digits."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    def passages(self, source: str) -> list[Passage]:
        """The text in windows of whole sentences, each verbatim in it from ``start`` to ``end``.

        ``source`` is the name of the search that led here.
        """
        name = source if self.archived_at is None else f"{source} (archived {self.archived_at:%Y-%m-%d})"
        return [
            Passage(
                text=self.text[start:end],
                title=self.title,
                url=self.url,
                date=self.date,
                retrieved_at=self.retrieved_at,
                start=start,
                end=end,
                source=Source(name=name, url=self.url, text_id=self.address, title=self.title),
            )
            for start, end in passage_spans(self.text)
        ]


def as_snippet(passage: Passage) -> Passage:
    """A search engine's summary, marked as that: the page itself was not read."""
    source = passage.source.model_copy(update={"name": passage.source.name + SNIPPET})
    return passage.model_copy(update={"source": source})


def is_snippet(passage: Passage) -> bool:
    """Whether a passage is a search engine's summary, and its page was not read."""
    return passage.source.name.endswith(SNIPPET)


class PageFetcher:
    """Fetches pages of the public web and reads them.

    Args:
        http: the client. It refuses addresses that are not public, limits redirects, bytes and time.
        reader: the processes that read; without one, one of its own.
        robots: given, a site's robots.txt is obeyed.
        archive: given, a page that cannot be had is replaced by its archived copy (``REPLACED_BY_COPY``).
        public_only: refuse every address that is not of the public internet; off for tests alone.
        max_bytes: of a page, after decompression.
        timeout_s: of one request.
    """

    def __init__(
        self,
        http: Http,
        *,
        reader: Reader | None = None,
        robots: Robots | None = None,
        archive: WaybackMachine | None = None,
        public_only: bool = True,
        max_bytes: int = MAX_BYTES,
        timeout_s: float = TIMEOUT_S,
    ) -> None:
        self._http, self._reader = http, reader or Reader()
        self._robots, self._archive = robots, archive
        self._public_only, self._max_bytes, self._timeout_s = public_only, max_bytes, timeout_s

    async def fetch(self, url: str, before: dt.date | None = None) -> Retrieved[Page]:
        """The page at ``url``. An archived copy that stands for it is not later than ``before``."""
        live = await self._live(url)
        if not isinstance(live, Failed) or self._archive is None or _kind(live) not in REPLACED_BY_COPY:
            return live
        copy = await self._archive.closest(url, before)
        match copy:
            case Found(items=[closest, *_]):
                archived = await self._archived(closest, url)
            case Failed(reason=reason):
                return Failed(f"{live.reason}; {reason}")
            case _:
                return Failed(f"{live.reason}; no archived copy")
        if isinstance(archived, Failed):
            return Failed(f"{live.reason}; its archived copy: {archived.reason}")
        return archived

    async def _live(self, url: str) -> Retrieved[Page]:
        unfit = _unfit(url)
        if unfit is not None:
            return Failed(f"address: {unfit}")
        refusal = await self._refusal(url)
        if refusal is not None:
            return Failed(refusal)
        answer = await self._send(url, self._refusal)
        if isinstance(answer, Unanswered):
            return Failed(_said(answer))
        if answer.url != url:  # it may come from the cache
            refusal = await self._refusal(answer.url)
            if refusal is not None:
                return Failed(refusal)
        content = await self._read(answer, answer.url)
        if isinstance(content, Failed):
            return content
        address = _own_address(content.address, answer.url)
        return Found([_page(content, answer, url=address, address=address)])

    async def _archived(self, copy: Copy, url: str) -> Retrieved[Page]:
        answer = await self._send(copy.raw_url)
        if isinstance(answer, Unanswered):
            return Failed(_said(answer))
        content = await self._read(answer, url)
        if isinstance(content, Failed):
            return content
        page = _page(content, answer, url=copy.url, address=_own_address(content.address, url))
        return Found([page.model_copy(update={"archived_at": copy.taken_at})])

    async def _read(self, answer: Answer, url: str) -> Content | Failed:
        """What an answer says as the page at ``url``. A wall is not kept: the next reader may be let through."""
        content = await self._reader.read(answer.body, answer.headers.get("content-type", ""), url)
        if isinstance(content, Failed) and _kind(content) in WORDS and answer.forget is not None:
            answer.forget()
        return content

    async def _send(
        self, url: str, hindrance: Callable[[str], Awaitable[str | None]] | None = None
    ) -> Answer | Unanswered:
        count("pages")
        return await self._http.send(
            Request(
                url,
                kind="page",
                headers={"Accept": f"{', '.join(READABLE[:2])}, {READABLE[2]};q=0.9, {READABLE[3]};q=0.8"},
                accepts=READABLE,
                max_bytes=self._max_bytes,
                timeout_s=self._timeout_s,
                public_only=self._public_only,
                hindrance=hindrance,
            )
        )

    async def _refusal(self, url: str) -> str | None:
        refusal = await self._robots.refusal(url) if self._robots is not None else None
        return f"{_ROBOTS}: {refusal}" if refusal is not None else None


def _page(content: Content, answer: Answer, *, url: str, address: str) -> Page:
    return Page(
        url=url,
        address=address,
        text=content.text,
        title=content.title,
        author=content.author,
        date=content.date,
        earliest=content.earliest,
        language=content.language,
        retrieved_at=answer.retrieved_at,
        complete=content.complete,
    )


def _unfit(url: str) -> str | None:
    """Why an address is not even asked for."""
    try:
        parts = urlsplit(url)
        host, user = parts.hostname, parts.username
    except ValueError:
        return "it is none"
    if parts.scheme not in ("http", "https"):
        return "only http and https are read"
    if not host:
        return "it has no host"
    if user is not None:
        return "it has a user's name in it"
    if len(url) > MAX_ADDRESS_CHARACTERS:
        return f"of more than {MAX_ADDRESS_CHARACTERS:,} characters"
    return None


def _own_address(claimed: str | None, found_at: str) -> str:
    """The canonical address that a page claims, where it can be true: of the same owner, and not just the front page.

    Any page can claim to be another site's, and evidence must not be dressed up as theirs.
    """
    if claimed is None or _unfit(claimed) is not None:
        return found_at
    if registrable_domain(claimed) != registrable_domain(found_at):
        return found_at
    if urlsplit(claimed).path in ("", "/") and urlsplit(found_at).path not in ("", "/"):
        return found_at
    return claimed


def _said(answer: Unanswered) -> str:
    """What an unanswered request was, with its kind."""
    if answer.reason.startswith(f"{_ROBOTS}: "):
        return answer.reason
    barrier = barrier_of_error(answer.status, answer.body)
    if barrier is not None:
        return f"{barrier} ({answer.reason})"
    return f"{_KINDS_OF_STATUS.get(answer.status, 'unanswered')}: {answer.reason}"


_ROBOTS = "robots"
_KINDS_OF_STATUS: dict[int | None, str] = {
    200: "unreadable",  # an answer, but of a kind or a size that is not read
    403: "refused",
    404: "gone",
    410: "gone",
    429: "refused",
    451: "withheld",  # for legal reasons
}


def _kind(failed: Failed) -> str:
    return failed.reason.partition(":")[0]
