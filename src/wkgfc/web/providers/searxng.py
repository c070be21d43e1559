"""SearXNG: anyone's own instance of a search over many engines."""

import datetime as dt
from collections.abc import Mapping, Sequence

from wkgfc.http import Http, Request
from wkgfc.state import Nothing, Retrieved
from wkgfc.web.dates import UNKNOWN, read_published
from wkgfc.web.providers.answers import Asked, Result, is_another_query, read_object, read_result, read_rows, read_text
from wkgfc.web.providers.asking import ask
from wkgfc.web.providers.wording import Syntax, with_sites
from wkgfc.web.search import Hit, search_language

URL_SETTING = "SEARXNG_URL"
SYNTAX = Syntax(max_characters=500, max_words=32, alternatives=False)  # what the narrowest engines behind it take
MAX_NAMED = 5  # engines of an instance in a reason

_FIELDS = ("query", "results", "number_of_results", "answers", "infoboxes", "suggestions", "unresponsive_engines")
_REFUSALS = {403: "the instance gives no JSON: add json to search.formats in its settings.yml"}


class SearXNG:
    """The search of a SearXNG instance.

    Source: https://docs.searxng.org/dev/search_api.html. Needs ``SEARXNG_URL``, an instance whose settings have
    ``json`` among ``search.formats``. No key. Public instances mostly refuse programs; run one of your own.

    There is no parameter for ``before`` (``time_range`` counts back from today): it is looked at in what comes back.
    An instance whose engines were all refused answers with no results: that is ``Failed``, with the engines named.
    """

    name = "searxng"
    version = "live"

    def __init__(self, http: Http, url: str, *, country: str | None = None, language: str | None = None) -> None:
        self._http, self._country, self._language = http, country, language
        self._url = url.rstrip("/").removesuffix("/search") + "/search"

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
        request = Request(
            url=self._url,
            kind="search",
            params={"q": wording, "format": "json", "language": self._locale(), "pageno": "1"},
            accepts=("application/json",),
        )
        return await ask(self._http, request, asked, _rows, _read, refusals=_REFUSALS)

    def _locale(self) -> str:
        """The language, with the country where there is one: ``de-AT``."""
        language = self._language or search_language()
        return f"{language}-{self._country.upper()}" if self._country else language


def _rows(body: bytes, asked: Asked) -> Sequence[object] | str:
    content = read_object(body, _FIELDS)
    if isinstance(content, str):
        return content
    if is_another_query(asked, content.get("query")):
        return "an answer to another query"
    if not content.get("results") and (silent := _silent_engines(content.get("unresponsive_engines"))):
        return f"nothing, as no engine answered it ({silent})"
    return read_rows(content.get("results"))


def _read(row: Mapping[str, object], now: dt.datetime) -> Result | None:
    published = read_published(row.get("publishedDate"), now)
    if published == UNKNOWN:
        published = read_published(row.get("pubdate"), now)
    return read_result(row.get("url"), row.get("title"), row.get("content"), published)


def _silent_engines(value: object) -> str:
    """The engines that did not answer, each with its reason, from pairs of both."""
    pairs = [pair for pair in value if isinstance(pair, list) and pair] if isinstance(value, list) else []
    named = [
        ": ".join(words) for pair in pairs[:MAX_NAMED] if (words := [w for part in pair if (w := read_text(part, 60))])
    ]
    return ", ".join(named)
