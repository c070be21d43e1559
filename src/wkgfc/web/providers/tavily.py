"""Tavily: search made for language models, with extracts longer than snippets."""

import datetime as dt
from collections.abc import Mapping, Sequence

from pydantic import SecretStr

from wkgfc.http import Http, Request
from wkgfc.state import Nothing, Retrieved
from wkgfc.web.dates import read_published
from wkgfc.web.providers.answers import Asked, Result, is_another_query, read_object, read_result, read_rows
from wkgfc.web.providers.asking import ask
from wkgfc.web.providers.wording import cleaned, hosts_of
from wkgfc.web.search import Hit

URL = "https://api.tavily.com/search"
KEY = "TAVILY_API_KEY"
PAGE = 20  # results of a search at most
MAX_QUERY_CHARACTERS = 400
MAX_INCLUDED, MAX_EXCLUDED = 300, 150  # domains

# Values of ``country`` by the same reference, which has them by their English names.
_COUNTRIES = (
    "ar=argentina au=australia at=austria be=belgium br=brazil bg=bulgaria ca=canada cl=chile cn=china co=colombia "
    "hr=croatia cy=cyprus dk=denmark eg=egypt ee=estonia fi=finland fr=france de=germany gr=greece hu=hungary "
    "is=iceland in=india id=indonesia ie=ireland il=israel it=italy jp=japan ke=kenya lv=latvia lt=lithuania "
    "lu=luxembourg my=malaysia mt=malta mx=mexico ma=morocco np=nepal nl=netherlands nz=new_zealand ng=nigeria "
    "no=norway pk=pakistan pe=peru ph=philippines pl=poland pt=portugal ro=romania ru=russia sa=saudi_arabia "
    "rs=serbia sg=singapore sk=slovakia si=slovenia za=south_africa kr=south_korea es=spain se=sweden ch=switzerland "
    "tw=taiwan th=thailand tr=turkey ua=ukraine gb=united_kingdom us=united_states vn=vietnam"
)
COUNTRIES = {code: name.replace("_", " ") for code, _, name in (each.partition("=") for each in _COUNTRIES.split())}

_FIELDS = ("query", "results", "answer", "images", "response_time", "request_id")


class Tavily:
    """Tavily's search endpoint.

    Source: https://docs.tavily.com/documentation/api-reference/endpoint/search. Needs ``TAVILY_API_KEY``. At most 20
    results a search, of the basic depth (one credit).

    ``before`` is sent as ``end_date``. Results of the general topic come without a date; where one has it, it is
    looked at. Sites are sent as lists of domains; a site with a path counts as its domain among those allowed, and
    is looked for in what comes back. ``country`` (two letters) is sent by its name, where Tavily's is beyond doubt: it
    refuses a search with another one. There is no parameter for a language.
    """

    name = "tavily"
    version = "live"

    def __init__(self, http: Http, key: SecretStr, *, country: str | None = None, url: str = URL) -> None:
        self._http, self._key, self._url = http, key, url
        self._country = COUNTRIES.get((country or "").lower())

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
        wording = cleaned(query, MAX_QUERY_CHARACTERS)
        if not wording or limit < 1:
            return Nothing()
        asked = Asked(self.name, wording, limit, before, allowed_sites, blocked_sites)
        included, excluded = hosts_of(allowed_sites, whole=False), hosts_of(blocked_sites, whole=True)
        body: dict[str, object] = {"query": wording, "max_results": PAGE, "search_depth": "basic", "topic": "general"}
        if 0 < len(included) <= MAX_INCLUDED:
            body["include_domains"] = included
        if excluded:
            body["exclude_domains"] = excluded[:MAX_EXCLUDED]
        if self._country is not None:
            body["country"] = self._country
        if before is not None:
            body["end_date"] = before.isoformat()
        request = Request(
            url=self._url,
            kind="search",
            method="POST",
            secret_headers={"Authorization": SecretStr(f"Bearer {self._key.get_secret_value()}")},
            json_body=body,
            accepts=("application/json",),
        )
        return await ask(self._http, request, asked, _rows, _read, key=KEY)


def _rows(body: bytes, asked: Asked) -> Sequence[object] | str:
    content = read_object(body, _FIELDS)
    if isinstance(content, str):
        return content
    if is_another_query(asked, content.get("query")):
        return "an answer to another query"
    return read_rows(content.get("results"))


def _read(row: Mapping[str, object], now: dt.datetime) -> Result | None:
    published = read_published(row.get("published_date"), now)
    return read_result(row.get("url"), row.get("title"), row.get("content"), published)
