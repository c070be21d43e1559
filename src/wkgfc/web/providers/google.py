"""Google's Programmable Search."""

import datetime as dt
import re
from collections.abc import Mapping, Sequence

from pydantic import SecretStr

from wkgfc.http import Http, Request
from wkgfc.state import Nothing, Retrieved
from wkgfc.web.dates import UNKNOWN, Published, read_published
from wkgfc.web.providers.answers import Asked, Result, inside, is_another_query, read_object, read_result, read_rows
from wkgfc.web.providers.asking import ask
from wkgfc.web.providers.serper import gl
from wkgfc.web.providers.wording import Syntax, with_sites
from wkgfc.web.search import Hit, search_language

URL = "https://customsearch.googleapis.com/customsearch/v1"
KEY = "GOOGLE_API_KEY"
ENGINE_SETTING = "GOOGLE_CX"
PAGE = 10  # results of a page at most
SYNTAX = Syntax(max_characters=2_000, max_words=32, paths=True)

# Values of ``lr`` by the same reference, which writes Hebrew in the old way. English is not asked for: most is in it.
LANGUAGES = {"he": "iw", "nb": "no", "zh": "zh-CN"} | {
    code: code
    for code in (
        *("ar", "bg", "ca", "cs", "da", "de", "el", "es", "et", "fi", "fr", "hr", "hu", "id", "is", "it", "ja", "ko"),
        *("lt", "lv", "nl", "no", "pl", "pt", "ro", "ru", "sk", "sl", "sr", "sv", "tr"),
    )
}

_FIELDS = ("kind", "url", "queries", "context", "searchInformation", "items", "spelling")
_DATE_TAGS = (
    "article:published_time",
    "datepublished",
    "date",
    "dc.date",
    "og:published_time",
    "pubdate",
    "publish-date",
)


class Google:
    """Google's Custom Search JSON API over a Programmable Search Engine.

    Source: https://developers.google.com/custom-search/v1/reference/rest/v1/cse/list. Needs ``GOOGLE_API_KEY`` and
    ``GOOGLE_CX``, the id of an engine. One page of at most 10 results a search. Google closes the API to new customers
    and has announced its end for 1 January 2027.

    ``before`` is sent as ``sort=date:r:19000101:YYYYMMDD``, which brings pages with a date alone
    (https://developers.google.com/custom-search/docs/structured_search#restrict_to_range). A page's date is that of its
    tags, or the one that Google sets before the snippet.

    ``country`` (two letters) is sent as ``gl``; the language as ``hl`` and, where it is another one than English, as
    ``lr``, which brings pages in that language alone.
    """

    name = "google"
    version = "live"

    def __init__(
        self,
        http: Http,
        key: SecretStr,
        engine: str,
        *,
        country: str | None = None,
        language: str | None = None,
        url: str = URL,
    ) -> None:
        self._http, self._key, self._url = http, key, url
        self._engine, self._country, self._language = engine, country, language

    async def search(
        self,
        query: str,
        limit: int,
        *,
        before: dt.date | None = None,
        allowed_sites: Sequence[str] = (),
        blocked_sites: Sequence[str] = (),
    ) -> Retrieved[Hit]:
        """Hits for ``query``, best first; see ``WebSearch.search``."""
        wording = with_sites(query, allowed_sites, blocked_sites, SYNTAX)
        if not wording or limit < 1:
            return Nothing()
        asked = Asked(self.name, wording, limit, before, allowed_sites, blocked_sites)
        language = self._language or search_language()
        params = {"q": wording, "cx": self._engine, "num": str(PAGE), "hl": language, **gl(self._country)}
        if language in LANGUAGES:
            params["lr"] = f"lang_{LANGUAGES[language]}"
        if before is not None:
            params["sort"] = f"date:r:19000101:{before:%Y%m%d}"
        request = Request(
            url=self._url,
            kind="search",
            params=params,
            secret_params={"key": self._key},
            accepts=("application/json",),
        )
        return await ask(self._http, request, asked, _rows, _read, key=KEY)


def _rows(body: bytes, asked: Asked) -> Sequence[object] | str:
    content = read_object(body, _FIELDS)
    if isinstance(content, str):
        return content
    requests = inside(content, "queries", "request")
    if isinstance(requests, list) and requests and is_another_query(asked, inside(requests[0], "searchTerms")):
        return "an answer to another query"
    return read_rows(content.get("items"))


def _read(row: Mapping[str, object], now: dt.datetime) -> Result | None:
    snippet = row.get("snippet")
    before_it = re.match(r"\W{0,3}([\w., ]{6,24}?) (?:\.\.\.|…|—) ", snippet) if isinstance(snippet, str) else None
    published = _date_of_tags(row, now)
    if before_it is not None and (written := read_published(before_it[1], now)) != UNKNOWN:
        published = published if published != UNKNOWN else written
        snippet = snippet[before_it.end() :] if isinstance(snippet, str) else None
    return read_result(row.get("link"), row.get("title"), snippet, published)


def _date_of_tags(row: Mapping[str, object], now: dt.datetime) -> Published:
    tags = inside(row, "pagemap", "metatags")
    first = tags[0] if isinstance(tags, list) and tags else None
    for name in _DATE_TAGS:
        published = read_published(inside(first, name), now)
        if published != UNKNOWN:
            return published
    return UNKNOWN
