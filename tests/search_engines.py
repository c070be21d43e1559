"""Search engines on loopback: the documented form of each one's answer, and the real client that asks for it.

>>> async with engine("serper") as (search, server):
...     server.on(PATH, reply(answer("serper", "eiffel tower", [Page("https://a.example/1", "Eiffel", "It is tall.")])))
...     await search.search("eiffel tower", 5)
"""

import asyncio
import html
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from pydantic import SecretStr

from misbehaving import HTML, JSON, Behaviour, Misbehaving, misbehaving, reply
from wkgfc.http import Http
from wkgfc.http.client import LiveHttp
from wkgfc.http.courtesy import Courtesy
from wkgfc.web.providers.brave import Brave
from wkgfc.web.providers.duckduckgo import DuckDuckGo
from wkgfc.web.providers.google import Google
from wkgfc.web.providers.searxng import SearXNG
from wkgfc.web.providers.serper import Serper
from wkgfc.web.providers.tavily import Tavily
from wkgfc.web.search import WebSearch

PATH = "/search"
SECRET = SecretStr("key-that-nobody-may-see")
NAMES = ("serper", "brave", "tavily", "searxng", "google", "duckduckgo")
SPEAK_JSON = NAMES[:-1]
WITH_KEY = ("serper", "brave", "tavily", "google")


@dataclass(frozen=True)
class Page:
    """A result; ``date`` is written as the engine writes it."""

    url: str
    title: str = "A title"
    text: str = "A snippet."
    date: str | None = None


def make(name: str, http: Http, url: str) -> WebSearch:
    """An engine that asks a server of the test."""
    engines: dict[str, Callable[[], WebSearch]] = {
        "serper": lambda: Serper(http, SECRET, url=url),
        "brave": lambda: Brave(http, SECRET, url=url),
        "tavily": lambda: Tavily(http, SECRET, url=url),
        "searxng": lambda: SearXNG(http, url),
        "google": lambda: Google(http, SECRET, "engine-id", url=url),
        "duckduckgo": lambda: DuckDuckGo(http, url=url),
    }
    return engines[name]()


@asynccontextmanager
async def engine(name: str) -> AsyncIterator[tuple[WebSearch, Misbehaving]]:
    """An engine and the server that it asks, through the client of real runs with its waits left out."""

    async def no_wait(_seconds: float) -> None:
        await asyncio.sleep(0)

    async with misbehaving() as server, LiveHttp("test", courtesy=Courtesy(sleep=no_wait), sleep=no_wait) as http:
        yield make(name, http, server.url(PATH)), server


def rows(name: str, pages: list[Page]) -> list[Any]:
    """The results in the engine's own words."""
    fields = {
        "serper": ("link", "title", "snippet", "date"),
        "brave": ("url", "title", "description", "age"),
        "tavily": ("url", "title", "content", "published_date"),
        "searxng": ("url", "title", "content", "publishedDate"),
        "google": ("link", "title", "snippet", "pagemap"),
    }[name]
    made = []
    for place, page in enumerate(pages, start=1):
        date: Any = page.date
        if name == "google" and date:
            date = {"metatags": [{"article:published_time": date}]}
        row = dict(zip(fields, (page.url, page.title, page.text, date), strict=True))
        made.append({key: value for key, value in {**row, "position": place}.items() if value is not None})
    return made


def around(name: str, query: str, found: Any) -> Any:
    """A whole answer around results of any kind, as the engine's reference shows it."""
    return {
        "serper": {"searchParameters": {"q": query, "gl": "us", "type": "search"}, "organic": found, "credits": 1},
        "brave": {
            "type": "search",
            "query": {"original": query, "more_results_available": False},
            "web": {"type": "search", "results": found, "family_friendly": True},
        },
        "tavily": {"query": query, "answer": None, "images": [], "results": found, "response_time": 1.2},
        "searxng": {"query": query, "number_of_results": 0, "results": found, "unresponsive_engines": []},
        "google": {
            "kind": "customsearch#search",
            "queries": {"request": [{"searchTerms": query, "count": 10}]},
            "items": found,
        },
    }[name]


def body(name: str, query: str, pages: list[Page]) -> bytes:
    """An answer as the engine sends it."""
    if name == "duckduckgo":
        return duckduckgo_page(pages).encode()
    return json.dumps(around(name, query, rows(name, pages))).encode()


def answer(name: str, query: str, pages: list[Page]) -> Behaviour:
    """The server's answer with these pages."""
    return reply(body(name, query, pages), HTML if name == "duckduckgo" else JSON)


def duckduckgo_page(pages: list[Page]) -> str:
    """The HTML page: links behind a redirect, an advertisement first, the words of the query in bold."""
    nothing = '<div class="result results_links result--no-result"><div class="no-results">No results.</div></div>'
    advertisement = (
        '<div class="result results_links result--ad"><a class="result__a" href="https://duckduckgo.com/y.js?ad=1">Buy'
        '</a><a class="result__snippet" href="#">Now</a></div>'
    )
    return (
        "<!DOCTYPE html><html><body><div id='links' class='results'>"
        + (advertisement + "".join(map(_duckduckgo_result, pages)) if pages else nothing)
        + "</div></body></html>"
    )


def _duckduckgo_result(page: Page) -> str:
    date = f"<span>&nbsp; &nbsp; {page.date}T00:00:00.0000000</span>" if page.date else ""
    first, _, rest = html.escape(page.text).partition(" ")
    return (
        '<div class="result results_links results_links_deep web-result"><div class="result__body">'
        f'<h2><a class="result__a" href="//duckduckgo.com/l/?uddg={quote(page.url, safe="")}&amp;rut=1">'
        f"{html.escape(page.title)}</a></h2>"
        f'<div class="result__extras"><div class="result__extras__url"><a class="result__url">x</a>{date}</div></div>'
        f'<a class="result__snippet" href="#"><b>{first}</b> {rest}</a></div></div>'
    )
