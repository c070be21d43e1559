"""Brave's own index of the web."""

import datetime as dt
from collections.abc import Mapping, Sequence

from pydantic import SecretStr

from wkgfc.http import Http, Request
from wkgfc.state import Nothing, Retrieved
from wkgfc.web.dates import UNKNOWN, read_published
from wkgfc.web.providers.answers import Asked, Result, inside, is_another_query, read_object, read_result, read_rows
from wkgfc.web.providers.asking import ask
from wkgfc.web.providers.wording import Syntax, with_sites
from wkgfc.web.search import Hit, search_language

URL = "https://api.search.brave.com/res/v1/web/search"
KEY = "BRAVE_API_KEY"
PAGE = 20  # results of a page at most
SYNTAX = Syntax(max_characters=400, max_words=50)
FIRST_DAY = "1970-01-01"  # a range of days needs a beginning

# Values of ``search_lang`` and ``country``, by the same documentation; most are ISO 639-1 and ISO 3166.
CODES = frozenset(
    {"ar", "bg", "bn", "ca", "cs", "da", "de", "el", "en", "es", "et", "eu", "fi", "fr", "gl", "gu", "he", "hi", "hr"}
    | {"hu", "is", "it", "jp", "kn", "ko", "lt", "lv", "ml", "mr", "ms", "nb", "nl", "pa", "pl", "pt-pt", "ro", "ru"}
    | {"sk", "sl", "sr", "sv", "ta", "te", "th", "tr", "uk", "vi", "zh-hans"}
)
COUNTRIES = frozenset(
    {"AR", "AU", "AT", "BE", "BR", "CA", "CL", "DK", "FI", "FR", "DE", "GR", "HK", "IN", "ID", "IT", "JP", "KR", "MY"}
    | {"MX", "NL", "NZ", "NO", "CN", "PL", "PT", "PH", "RU", "SA", "ZA", "ES", "SE", "CH", "TW", "TR", "GB", "US"}
)
OTHER_CODES = {"ja": "jp", "pt": "pt-pt", "zh": "zh-hans", "no": "nb"}

_FIELDS = ("type", "query", "web", "mixed", "news", "infobox")


class Brave:
    """Brave's web search endpoint.

    Source: https://api-dashboard.search.brave.com/app/documentation/web-search/get-started. Needs ``BRAVE_API_KEY``.
    One page of at most 20 results a search; a query has at most 400 characters and 50 words.

    ``before`` is sent as ``freshness``, a range of days. A result's ``page_age`` is when the page was published or, for
    some pages, last changed. A ``country`` (two letters) that Brave does not know is left out, and so is a language: it
    would refuse the search. Without one it takes the United States.
    """

    name = "brave"
    version = "live"

    def __init__(
        self, http: Http, key: SecretStr, *, country: str | None = None, language: str | None = None, url: str = URL
    ) -> None:
        self._http, self._key, self._url = http, key, url
        self._country, self._language = country, language

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
        params = {
            "q": wording,
            "count": str(PAGE),
            "result_filter": "web",
            "text_decorations": "false",
            "spellcheck": "false",  # the query that was asked, not the one that Brave thinks was meant
            **wished(self._country, self._language or search_language()),
        }
        if before is not None:
            params["freshness"] = f"{FIRST_DAY}to{before.isoformat()}"
        request = Request(
            url=self._url,
            kind="search",
            params=params,
            headers={"Accept": "application/json"},
            secret_headers={"X-Subscription-Token": self._key},
            accepts=("application/json",),
        )
        return await ask(self._http, request, asked, _rows, _read, key=KEY)


def wished(country: str | None, language: str) -> dict[str, str]:
    """The parameters for a country and a language, where Brave knows them: it refuses a search with other ones."""
    code, place = OTHER_CODES.get(language, language), (country or "").upper()
    return {**({"country": place} if place in COUNTRIES else {}), **({"search_lang": code} if code in CODES else {})}


def _rows(body: bytes, asked: Asked) -> Sequence[object] | str:
    content = read_object(body, _FIELDS)
    if isinstance(content, str):
        return content
    if is_another_query(asked, inside(content, "query", "original")):
        return "an answer to another query"
    web = content.get("web")
    if web is not None and not isinstance(web, Mapping):
        return "JSON of another form (web is no object)"
    return read_rows(inside(web, "results"))


def _read(row: Mapping[str, object], now: dt.datetime) -> Result | None:
    stamp, age = read_published(row.get("page_age"), now), read_published(row.get("age"), now)
    published = stamp if stamp != UNKNOWN else age
    return read_result(row.get("url"), row.get("title"), row.get("description"), published)
