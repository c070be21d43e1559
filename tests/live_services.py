"""The live sources of a whole check on loopback: a query service, an Action API, a search engine, and pages.

>>> async with live_services(query_service) as services:
...     services.server.on(PAGE, cut())
...     result = await services.checker().check_async(CLAIM_OF_THE_WEB)
"""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from ipaddress import IPv4Network
from typing import Any

from action_api import Item, action_api
from misbehaving import HTML, Behaviour, Misbehaving, Seen, misbehaving, reply
from small_graphs import n_triples, properties, statement
from wkgfc.checker import FactChecker
from wkgfc.config import Settings, load_settings
from wkgfc.http.client import LiveHttp, user_agent
from wkgfc.http.courtesy import Courtesy
from wkgfc.http.dialling import PublicOnly

CLAIM_OF_THE_GRAPH = "Ada Verne was born in Lyon."
CLAIM_OF_THE_WEB = "Ada Verne discovered a red dye in 1871."
SENTENCE = "She discovered a red dye in 1871 and sold it to a mill."
PAGE, OTHER, API, SEARCH, QUERY = "/ada", "/turin", "/w/api.php", "/search", "/sparql"
ITEMS = {
    "Q1": Item({"en": "Ada Verne", "de": "Ada von Verne"}, {"en": "French chemist"}, sitelinks=20),
    "Q2": Item({"en": "Lyon"}, {"en": "city in France"}, sitelinks=200),
    "Q3": Item({"en": "Turin"}, {"en": "city in Italy"}, sitelinks=200),
    "Q5": Item({"en": "human"}),
}
GRAPH = n_triples(
    "\n".join(
        [
            *(f'wd:{each} rdfs:label "{item.labels["en"]}"@en' for each, item in ITEMS.items()),
            statement("born", "Q1", "P19", "wd:Q2"),
            statement("type", "Q1", "P31", "wd:Q5"),
            properties({"P19": "place of birth", "P31": "instance of"}),
        ]
    )
)


@dataclass
class Services:
    """What runs: ``query_service`` is a real SPARQL endpoint, everything else is ``server``."""

    server: Misbehaving
    query_service: str
    http: LiveHttp

    def settings(self, **changes: Any) -> Settings:
        """Settings that choose Wikidata and a search engine, both of them here."""
        return load_settings(
            **{
                "kg": "wikidata",
                "web": "searxng",
                "contact": "desk@news.example",
                "wikidata_endpoint": self.query_service,
                "wikidata_api": self.server.url(API),
                "searxng_url": self.server.url(),
                "timeout_s": 250.0,  # a busy machine is slow, and no test is about that
                "pages_timeout_s": 200.0,
                "page_timeout_s": 200.0,
                "reading_timeout_s": 200.0,
                **changes,
            }
        )

    def checker(self, settings: Settings | None = None, **parts: Any) -> FactChecker:
        """A checker whose client may read pages on loopback: the one thing that no setting allows."""
        return FactChecker(settings or self.settings(), http=self.http, **parts)


@asynccontextmanager
async def live_services(query_service: str) -> AsyncIterator[Services]:
    """The services for the block; two pages are found for any query."""
    async with misbehaving() as server:
        here = PublicOnly(ports=frozenset({server.port}), networks=(IPv4Network("127.0.0.0/8"),))
        agent = user_agent("desk@news.example")
        async with LiveHttp(agent, courtesy=Courtesy(sleep=_at_once), public=here, sleep=_at_once) as http:
            server.on(API, action_api(ITEMS))
            server.on(SEARCH, finds({server.url(PAGE): "A chemist.", server.url(OTHER): "A city."}))
            server.on(PAGE, reply(page("Ada Verne", f"Ada Verne was a chemist. {SENTENCE}"), HTML))
            server.on(OTHER, reply(page("Turin", "Turin is a city in Italy, on the river Po."), HTML))
            yield Services(server, query_service, http)


def finds(snippets: Mapping[str, str], dates: Mapping[str, str] | None = None) -> Behaviour:
    """What a SearXNG instance answers that has these pages, with their summaries, for whatever is asked."""

    async def behave(seen: Seen, writer: asyncio.StreamWriter) -> bool:
        rows = [
            {"url": url, "title": "Found", "content": text, "publishedDate": (dates or {}).get(url)}
            for url, text in snippets.items()
        ]
        return await reply(json.dumps({"query": seen.params["q"], "results": rows}))(seen, writer)

    return behave


def page(title: str, text: str) -> str:
    """An article as a newspaper's site has it."""
    about = "The article is from the archive of the museum, where it was copied by hand and then set in type again."
    return (
        f"<html lang='en'><head><title>{title}</title></head><body><article><h1>{title}</h1><p>{text}</p>"
        f"<p>{about}</p></article></body></html>"
    )


async def _at_once(_seconds: float) -> None:
    """Waits are left out."""
    await asyncio.sleep(0)
