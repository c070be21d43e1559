"""Answers of search engines, read with care: what cannot be read is left out, what is no answer is said to be none."""

import datetime as dt
import html
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from wkgfc.claim import visible_text
from wkgfc.evidence import Passage, Source
from wkgfc.web.addresses import canonical_address
from wkgfc.web.dates import UNKNOWN, Published, published_in_address
from wkgfc.web.search import Hit
from wkgfc.web.sites import is_on_site

MAX_TEXT_CHARACTERS = 4_000  # a snippet has some 300; Tavily's longest extracts some 2,000
MAX_TITLE_CHARACTERS = 300
MAX_URL_CHARACTERS = 2_000  # what browsers take
MAX_ROWS = 200  # of one answer; engines give 10 to 20


@dataclass(frozen=True)
class Asked:
    """What a search was asked: what comes back is held against it. ``engine`` is the provider's name."""

    engine: str
    query: str
    limit: int
    before: dt.date | None = None
    allowed_sites: Sequence[str] = ()
    blocked_sites: Sequence[str] = ()


@dataclass(frozen=True)
class Result:
    """One result of an engine as it can be used: ``url`` is http(s), ``text`` is what a reader sees, never empty."""

    url: str
    text: str
    title: str | None = None
    published: Published = UNKNOWN


RowsOf = Callable[[bytes, Asked], Sequence[object] | str]  # the rows of an answer, or what is wrong with it
ReadRow = Callable[[Mapping[str, object], dt.datetime], Result | None]  # a row, and when it was retrieved


def read_object(body: bytes, documented: Iterable[str]) -> Mapping[str, object] | str:
    """The JSON object of an answer that has one of the ``documented`` fields or is empty, else what is wrong."""
    try:
        content = json.loads(body.decode("utf-8"))
    except (ValueError, RecursionError):
        return "no JSON"
    if not isinstance(content, dict):
        return "JSON of another form (no object)"
    if content and not any(name in content for name in documented):
        return "JSON of another form (none of the documented fields)"
    return content


def read_rows(value: object) -> Sequence[object] | str:
    """A list of results; a missing one is empty, and what is none is wrong."""
    if value is None:
        return []
    return value[:MAX_ROWS] if isinstance(value, list) else "results that are no list"


def read_results(
    body: bytes, asked: Asked, rows_of: RowsOf, read_row: ReadRow, retrieved_at: dt.datetime
) -> list[Result] | str:
    """The results of an answer in the engine's order, or what is wrong with the answer, in a few words.

    Rows that cannot be read are left out. Where that is all of them the engine has changed its form: not the same as
    having found nothing.
    """
    rows = rows_of(body, asked)
    if isinstance(rows, str):
        return rows
    results = [
        result for row in rows if isinstance(row, Mapping) and (result := read_row(row, retrieved_at)) is not None
    ]
    return results if results or not rows else f"results of another form (none of {len(rows)} can be read)"


def hits_of(asked: Asked, results: Iterable[Result], retrieved_at: dt.datetime) -> list[Hit]:
    """The results that were asked for, as hits, at most ``asked.limit``.

    Left out are a page that came already, what is of another site than asked, and what is known to be published later.
    """
    hits: list[Hit] = []
    pages: set[str] = set()
    for place, result in enumerate(results, start=1):
        page = canonical_address(result.url)
        if page not in pages and _is_asked_for(asked, result):
            pages.add(page)
            hits.append(Hit(passage=_passage(asked.engine, result, retrieved_at), score=1 / place))
    return hits[: max(asked.limit, 0)]


def read_result(url: object, title: object, text: object, published: Published = UNKNOWN) -> Result | None:
    """A result from fields of any type; ``None`` without an http(s) address, or without title and text.

    Where the engine says no date, the one in the address counts, if there is one.
    """
    address = read_url(url)
    words, name = read_text(text, MAX_TEXT_CHARACTERS), read_text(title, MAX_TITLE_CHARACTERS)
    if address is None or not (words or name):
        return None
    if published == UNKNOWN:
        published = published_in_address(address)
    return Result(url=address, text=words or name, title=name or None, published=published)


def read_text(value: object, max_characters: int) -> str:
    """A text as a reader sees it: no tags of emphasis, no entities, no invisible characters. Empty: there is none."""
    if not isinstance(value, str):
        return ""
    plain = html.unescape(_EMPHASIS.sub("", value[: 4 * max_characters]))
    return " ".join(visible_text(plain).split())[:max_characters].strip()


def read_url(value: object) -> str | None:
    """An http(s) address with a host and without a user name, else ``None``."""
    if not isinstance(value, str) or len(value) > MAX_URL_CHARACTERS:
        return None
    address = value.strip()
    if not address.isprintable() or " " in address or not address.lower().startswith(("http://", "https://")):
        return None
    try:
        parts = urlsplit(address)
        usable = bool(parts.hostname) and not parts.username and parts.port != 0
        return parts.scheme + address[len(parts.scheme) :] if usable else None  # the scheme in lower case
    except ValueError:
        return None


def is_another_query(asked: Asked, echo: object) -> bool:
    """Whether the query that an engine repeats has less than half of the words of the one that was asked.

    Engines correct and shorten what they repeat, and some leave out operators: equality would be too much to ask for.
    """
    if not isinstance(echo, str) or not echo.strip():
        return False
    sent, repeated = (set(re.findall(r"\w+", _SITE.sub(" ", text).lower())) for text in (asked.query, echo[:10_000]))
    return len(sent & repeated) * 2 < len(sent)


def inside(value: object, *names: str) -> object:
    """The value at a path of names in nested objects, or ``None`` where something on the way is no object."""
    for name in names:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def _is_asked_for(asked: Asked, result: Result) -> bool:
    if asked.before is not None and result.published.is_after(asked.before):
        return False
    if asked.allowed_sites and not is_on_site(result.url, asked.allowed_sites):
        return False
    return not is_on_site(result.url, asked.blocked_sites)


def _passage(engine: str, result: Result, retrieved_at: dt.datetime) -> Passage:
    return Passage(
        text=result.text,
        title=result.title,
        url=result.url,
        date=result.published.day,
        retrieved_at=retrieved_at,
        source=Source(name=engine, url=result.url, title=result.title),
    )


_SITE = re.compile(r"[-(]{0,2}site:\S*|\bOR\b")
_EMPHASIS = re.compile(r"</?(?:b|strong|em|i|mark|span|br)\b[^<>]{0,200}>", re.IGNORECASE)
