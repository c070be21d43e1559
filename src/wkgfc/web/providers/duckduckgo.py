"""DuckDuckGo's page for browsers without JavaScript, read as well as that goes."""

import datetime as dt
from collections.abc import Mapping, Sequence
from urllib.parse import parse_qs, urlsplit

import lxml.etree
import lxml.html

from wkgfc.http import Http, Request
from wkgfc.state import Nothing, Retrieved
from wkgfc.web.dates import read_published
from wkgfc.web.providers.answers import MAX_ROWS, MAX_TEXT_CHARACTERS, Asked, Result, read_result
from wkgfc.web.providers.asking import ask
from wkgfc.web.providers.wording import Syntax, with_sites
from wkgfc.web.search import Hit, search_language

URL = "https://html.duckduckgo.com/html/"
SYNTAX = Syntax(max_characters=400, max_words=32, alternatives=False)
FIRST_DAY = "1970-01-01"  # a range of days needs a beginning
MAX_BYTES = 1_000_000  # of a page, which has some 40,000

EVERYWHERE = "wt-wt"
# Values of ``kl``: https://duckduckgo.com/duckduckgo-help-pages/settings/params
_REGIONS = (
    "ar-es au-en at-de be-fr be-nl br-pt bg-bg ca-en ca-fr cl-es cn-zh co-es hr-hr cz-cs dk-da ee-et fi-fi fr-fr "
    "de-de gr-el hk-tzh hu-hu in-en id-id id-en ie-en il-he it-it jp-jp kr-kr lv-lv lt-lt my-ms my-en mx-es nl-nl "
    "nz-en no-no pe-es ph-en ph-tl pl-pl pt-pt ro-ro ru-ru sg-en sk-sk sl-sl za-en es-es se-sv ch-de ch-fr ch-it "
    "tw-tzh th-th tr-tr ua-uk uk-en us-en ve-es vn-vi"
)
REGIONS = tuple(_REGIONS.split())
OTHER_CODES = {"ja": "jp", "ko": "kr", "nb": "no", "zh": "tzh"}  # languages that it calls otherwise

_CHALLENGE = (b"anomaly-modal", b"anomaly.js", b"challenge-form", b"bots use DuckDuckGo")
_UNKNOWN = "a page of another form"
_REFUSALS = dict.fromkeys((403, 429), "the page refuses programs for now: choose another engine")


class DuckDuckGo:
    """The results on DuckDuckGo's HTML page; best effort, as there is no interface for programs.

    No key. After a few searches the page asks for proof of a human being (with a status of success): that is
    ``Failed``, and so is a page that is not of the form known. Choose another engine for more than a few checks.

    ``before`` is sent as ``df``, a range of days. Few results have a date. ``country`` (two letters) and the language
    are sent as ``kl``, where the page has such a region: it knows no language without a country.
    """

    name = "duckduckgo"
    version = "live"

    def __init__(self, http: Http, *, country: str | None = None, url: str = URL) -> None:
        self._http, self._country, self._url = http, country, url

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
        form = {"q": wording, "b": "", "kl": region(self._country, search_language())}
        if before is not None:
            form["df"] = f"{FIRST_DAY}..{before.isoformat()}"
        request = Request(
            url=self._url,
            kind="search",
            method="POST",
            form=form,
            accepts=("text/html",),
            max_bytes=MAX_BYTES,
        )
        return await ask(self._http, request, asked, _rows, _read, refusals=_REFUSALS)


def region(country: str | None, language: str) -> str:
    """The value of ``kl``: all regions, where there is none for the country or it is not known which is meant."""
    place = (country or "").lower()
    place = {"gb": "uk", "si": "sl"}.get(place, place)
    of_country = [each for each in REGIONS if each.startswith(f"{place}-")] if place else []
    same = [each for each in of_country if each.partition("-")[2] in (language, OTHER_CODES.get(language))]
    return same[0] if same else of_country[0] if len(of_country) == 1 else EVERYWHERE


def _rows(body: bytes, _asked: Asked) -> Sequence[object] | str:
    """The results on the page, advertisements left out, each with the fields that the other engines have as JSON."""
    if any(mark in body for mark in _CHALLENGE):
        return "a demand to prove that a human being asks: wait, or choose another engine"
    try:
        page = lxml.html.document_fromstring(body, parser=lxml.html.HTMLParser(encoding="utf-8"))
    except (lxml.etree.LxmlError, ValueError):
        return _UNKNOWN
    found = page.xpath("//div[contains(concat(' ', normalize-space(@class), ' '), ' result ')]")
    results = [node for node in found if "result--ad" not in _class(node) and "result--no-result" not in _class(node)][
        :MAX_ROWS
    ]
    if not results:
        return [] if found or page.xpath("//*[contains(@class, 'no-result')]") else _UNKNOWN
    return [
        {
            "url": _behind_redirect(_first(node, ".//a[contains(@class, 'result__a')]/@href")),
            "title": _first(node, ".//a[contains(@class, 'result__a')]"),
            "text": _first(node, ".//*[contains(@class, 'result__snippet')]"),
            "date": _first(node, ".//*[contains(@class, 'result__extras')]//span[contains(., 'T00:00')]"),
        }
        for node in results
    ]


def _read(row: Mapping[str, object], now: dt.datetime) -> Result | None:
    date = row.get("date")
    published = read_published(date.replace("\xa0", " ").strip()[:10] if isinstance(date, str) else None, now)
    return read_result(row.get("url"), row.get("title"), row.get("text"), published)


def _first(node: "lxml.html.HtmlElement", path: str) -> str:
    found = node.xpath(path)
    if not found:
        return ""
    text = found[0].text_content() if hasattr(found[0], "text_content") else str(found[0])
    return text[: 4 * MAX_TEXT_CHARACTERS]  # nested results would bring the whole page each


def _class(node: "lxml.html.HtmlElement") -> str:
    return node.get("class") or ""


def _behind_redirect(address: str) -> str:
    """The address of the page that a link of DuckDuckGo's redirects to (``//duckduckgo.com/l/?uddg=…``)."""
    absolute = f"https:{address}" if address.startswith("//") else address
    try:
        parts = urlsplit(absolute)
        if (parts.hostname or "").endswith("duckduckgo.com"):
            return parse_qs(parts.query).get("uddg", [""])[0]
    except ValueError:
        return ""
    return absolute
