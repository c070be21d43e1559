"""Google's results through Serper."""

import datetime as dt
from collections.abc import Mapping, Sequence

from pydantic import SecretStr

from wkgfc.http import Http, Request
from wkgfc.state import Nothing, Retrieved
from wkgfc.web.dates import read_published
from wkgfc.web.providers.answers import Asked, Result, inside, is_another_query, read_object, read_result, read_rows
from wkgfc.web.providers.asking import ask
from wkgfc.web.providers.wording import Syntax, with_sites
from wkgfc.web.search import Hit, search_language

URL = "https://google.serper.dev/search"
KEY = "SERPER_API_KEY"
PAGE = 10  # results of a page; Google gives no more since September 2025
SYNTAX = Syntax(max_characters=2_000, max_words=32, paths=True)  # Google reads 32 words

_FIELDS = ("searchParameters", "organic", "answerBox", "knowledgeGraph", "peopleAlsoAsk", "relatedSearches", "credits")


class Serper:
    """Google's results through Serper's search endpoint.

    Source: https://serper.dev/playground. Needs ``SERPER_API_KEY``. One page of at most 10 results a search, with the
    answer box and the knowledge panel before them where they name a page.

    ``before`` is sent as Google's ``tbs=cdr`` and holds for what Google has a date for; ``country`` (two letters) as
    ``gl``, which is ``us`` where it is not said, and the language as ``hl``.
    """

    name = "serper"
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
        language = self._language or search_language()
        body: dict[str, object] = {"q": wording, "num": PAGE, "hl": language, **gl(self._country)}
        if before is not None:
            body["tbs"] = f"cdr:1,cd_min:1/1/1900,cd_max:{before:%m/%d/%Y}"
        request = Request(
            url=self._url,
            kind="search",
            method="POST",
            secret_headers={"X-API-KEY": self._key},
            json_body=body,
            accepts=("application/json",),
        )
        return await ask(self._http, request, asked, _rows, _read, key=KEY)


def gl(country: str | None) -> dict[str, str]:
    """Google's parameter for the country that a search comes from."""
    return {"gl": "uk" if country.lower() == "gb" else country.lower()} if country else {}


def _rows(body: bytes, asked: Asked) -> Sequence[object] | str:
    content = read_object(body, _FIELDS)
    if isinstance(content, str):
        return content
    if is_another_query(asked, inside(content, "searchParameters", "q")):
        return "an answer to another query"
    organic = read_rows(content.get("organic"))
    return organic if isinstance(organic, str) else [*_boxes(content), *organic]


def _boxes(content: Mapping[str, object]) -> list[object]:
    """The answer box and the knowledge panel as rows, where they name the page that they are from."""
    box, panel = content.get("answerBox"), content.get("knowledgeGraph")
    rows: list[object] = []
    if isinstance(box, Mapping) and box.get("link"):
        rows.append({**box, "snippet": box.get("snippet") or box.get("answer")})
    if isinstance(panel, Mapping) and panel.get("descriptionLink"):
        rows.append(
            {"title": panel.get("title"), "link": panel["descriptionLink"], "snippet": panel.get("description")}
        )
    return rows


def _read(row: Mapping[str, object], now: dt.datetime) -> Result | None:
    return read_result(row.get("link"), row.get("title"), row.get("snippet"), read_published(row.get("date"), now))
