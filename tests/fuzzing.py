"""Spoiled answers for everything that reads answers of others: what comes of each, and what no answer may do.

The real answers that are spoiled are those of the tests' own servers: search engines in their documented forms, the
Action API, DBpedia's lookup service, any SPARQL query over a small graph (answered by pyoxigraph), pages and walls.
"""

import datetime as dt
import json
import random
import time
import traceback
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pyoxigraph

import action_api
import lookup_service
import small_graphs
from action_api import Item
from mutations import spoiled
from search_engines import NAMES, Page, body, make
from small_pages import PAGE, pdf
from wkgfc.evidence import Entity, Relation
from wkgfc.http import Answer, Http, Request, Unanswered
from wkgfc.kg.dbpedia import open_dbpedia
from wkgfc.kg.expansion import DIRECTIONS
from wkgfc.kg.plain_rdf import open_plain_rdf
from wkgfc.kg.wikidata import open_wikidata
from wkgfc.state import Failed, Found, Nothing
from wkgfc.web.archive import WaybackMachine
from wkgfc.web.content import Content
from wkgfc.web.reader import Reader
from wkgfc.web.robots import Robots

QUERY = "eiffel tower height"
REFUSED = 0.1  # the share of answers that come with a status of failure
SEVERAL = 0.4  # the share of answers that are spoiled where a question takes several
AT = dt.datetime(2026, 1, 2, 3, 4, tzinfo=dt.UTC)

_STATUSES = (300, 400, 401, 403, 404, 422, 429, 432, 500, 502, 503, 504)
_HEADERS: tuple[Mapping[str, str], ...] = (
    {},
    {},
    {},
    {"x-sparql-maxrows": "2"},
    {"x-sparql-maxrows": "9" * 30},
    {"x-sql-state": "S1TAT"},
    {"content-type": "text/html; charset=nonsense"},
)
_DATA = Path(__file__).parent / "data"
_BROKE = "it broke the process"

Real = Callable[[Request], bytes]
Ask = Callable[[Http, random.Random], Awaitable[Any]]


@dataclass(frozen=True)
class Source:
    """A reader of answers: what a request to it is really answered with, and one question.

    ``share``: of the answers to it that are spoiled. Where a question takes several answers it is smaller, so that the
    later ones are asked for at all.
    """

    name: str
    real: Real
    ask: Ask
    share: float = 1.0


@dataclass
class Outcomes:
    """What came of the answers to one source. Crashes and the slowest question have the number that asks it again."""

    answers: int = 0
    came: Counter[str] = field(default_factory=Counter)
    crashes: list[dict[str, Any]] = field(default_factory=list)
    slowest_ms: float = 0.0
    slowest: int = 0


class Spoiling:
    """A client whose answers are spoiled. It looks for faults as the real one does."""

    def __init__(self, source: Source, chooser: random.Random) -> None:
        self.answers = 0
        self._source, self._chooser = source, chooser

    async def send(self, request: Request) -> Answer | Unanswered:
        self.answers += 1
        chooser, content = self._chooser, self._source.real(request)
        if chooser.random() < self._source.share:
            content = spoiled(content, chooser)
        host = urlsplit(request.url).hostname
        if chooser.random() < REFUSED:
            status = chooser.choice(_STATUSES)
            return Unanswered(f"{host} answered {status}", status, content[:2_000])
        answer = Answer(request.url, 200, chooser.choice(_HEADERS), content, AT)
        if request.fault is not None and (wrong := request.fault(answer)) is not None:
            return Unanswered(f"{host} sent {wrong}", 200, content[:2_000])
        return answer


async def run(source: Source, answers: int, seed: int, first: int = 0) -> Outcomes:
    """Ask ``source`` until so many answers were given, beginning with question ``first``."""
    outcomes, number = Outcomes(), first
    while outcomes.answers < answers:
        chooser = random.Random(f"{seed} {source.name} {number}")
        http = Spoiling(source, chooser)
        started = time.perf_counter()
        try:
            outcomes.came[_kind_of(await source.ask(http, chooser))] += 1
        except Exception as error:
            told = traceback.format_exception(error)[-3:]
            outcomes.crashes.append({"number": number, "error": repr(error)[:300], "trace": "".join(told)[-1_500:]})
        took_ms = 1_000 * (time.perf_counter() - started)
        if took_ms > outcomes.slowest_ms:
            outcomes.slowest_ms, outcomes.slowest = took_ms, number
        outcomes.answers += max(http.answers, 1)
        number += 1
    return outcomes


def _kind_of(outcome: Any) -> str:
    """Found, nothing or failed.

    Raises:
        AssertionError: it is none of them, or what was found cannot be used.
    """
    match outcome:
        case Failed(reason=reason):
            assert reason.isprintable(), f"a reason in more than a line: {reason!r}"
            assert _BROKE not in reason, reason
            return "failed"
        case Nothing() | None:
            return "nothing"
        case Content(text=text):
            assert text.strip()
            text.encode()
            return "found"
        case Found(items=items):
            assert items
            for each in items:
                each.model_dump_json() if hasattr(each, "model_dump_json") else repr(each).encode()
                if (passage := getattr(each, "passage", None)) is not None:
                    assert passage.text
                    assert passage.url.startswith(("http://", "https://"))
            return "found"
    raise AssertionError(f"no outcome: {outcome!r}")


def sources(reader: Reader) -> list[Source]:
    """Everything that reads what others send. ``reader`` reads pages."""
    return [
        *(_engine(name) for name in NAMES),
        *_wikidata(),
        *_dbpedia(),
        _pages(reader),
        Source("archive", _snapshot, lambda http, _: WaybackMachine(http).closest("https://x.example/1")),
        Source("robots.txt", lambda _: b"User-agent: *\nDisallow: /private\n", _ask_robots),
    ]


def _engine(name: str) -> Source:
    pages = [Page(f"https://x.example/{n}", f"Page {n}", "It is 330 metres high.", "2020-01-02") for n in range(5)]

    async def ask(http: Http, chooser: random.Random) -> Any:
        before = chooser.choice((None, dt.date(2021, 1, 1)))
        return await make(name, http, "https://engine.example/search").search(QUERY, 5, before=before)

    return Source(name, lambda _: body(name, QUERY, pages), ask)


_ITEMS = {
    "Q10": Item({"en": "Charlie Chaplin"}, {"en": "English actor"}, {"en": ("Charles Chaplin",)}, sitelinks=180),
    "Q20": Item({"en": "London"}, {"en": "capital of the United Kingdom"}, sitelinks=300),
    "Q200": Item({"en": "London"}, {"en": "city in Ontario, Canada"}, sitelinks=40),
}


def _wikidata() -> list[Source]:
    asked = _answered_by(small_graphs.n_triples(small_graphs.WORLD))

    def real(request: Request) -> bytes:
        if "action" in request.params:
            return json.dumps(action_api.answer(request.params, _ITEMS, {"Q99": "Q10"})).encode()
        return asked(request)

    def graph(http: Http) -> Any:
        return open_wikidata(http, "desk@news.example")

    chaplin, london = (Entity(id=each, label=each) for each in ("Q10", "Q20"))
    relations = [Relation(id=each, label=each) for each in ("P19", "P27", "P569", "P1082", "P31")]

    async def triples(http: Http, chooser: random.Random) -> Any:
        chosen = [(chooser.choice(relations), chooser.choice(DIRECTIONS)) for _ in range(3)]
        return await graph(http).triples([chaplin, london], chosen, 5, [london])

    async def neighbourhood(http: Http, chooser: random.Random) -> Any:
        return await graph(http).neighbourhood(london, chooser.choice(DIRECTIONS), 5, [chaplin])

    async def by_endpoint(http: Http, _: random.Random) -> Any:
        return await open_wikidata(http, "desk@news.example", api=None).candidates("London")

    asks: dict[str, Ask] = {
        "wbsearchentities": lambda http, _: graph(http).candidates("London"),
        "wbgetentities": lambda http, _: graph(http).entities(["Q10", "Q20", "Q99"]),
        "SPARQL relations": lambda http, _: graph(http).relations([chaplin, london]),
        "SPARQL triples": triples,
        "SPARQL neighbourhood": neighbourhood,
        "SPARQL neighbours": lambda http, _: graph(http).neighbours(["Q10", "Q20"]),
        "SPARQL names": by_endpoint,
    }
    return [Source(name, real, ask, SEVERAL) for name, ask in asks.items()]


def _dbpedia() -> list[Source]:
    asked = _answered_by(lookup_service.n_triples(lookup_service.GRAPH))
    found = [
        lookup_service.document("Charlie_Chaplin", "<B>Charlie</B> <B>Chaplin</B>", refCount=["2190"]),
        lookup_service.document("Chaplin_(film)", "<B>Chaplin</B>", comment=["A film. It is of 1992."]),
    ]

    def real(request: Request) -> bytes:
        return json.dumps({"docs": found}).encode() if "query" in request.params else asked(request)

    chaplin = Entity(id="http://dbpedia.org/resource/Charlie_Chaplin", label="Charlie Chaplin")
    ontology = "http://dbpedia.org/ontology/"
    relations = [Relation(id=ontology + each, label=each) for each in ("birthPlace", "birthDate", "height", "director")]

    async def triples(http: Http, chooser: random.Random) -> Any:
        chosen = [(chooser.choice(relations), chooser.choice(DIRECTIONS)) for _ in range(3)]
        return await open_dbpedia(http).triples([chaplin], chosen, 5, [])

    async def neighbourhood(http: Http, chooser: random.Random) -> Any:
        graph = open_plain_rdf(http, "https://graph.example/sparql")
        return await graph.neighbourhood(chaplin, chooser.choice(DIRECTIONS), 5)

    return [
        Source("lookup", real, lambda http, _: open_dbpedia(http).candidates("Chaplin"), SEVERAL),
        Source("plain RDF triples", real, triples, SEVERAL),
        Source("plain RDF neighbourhood", real, neighbourhood, SEVERAL),
    ]


def _answered_by(triples: str) -> Real:
    """Answers to any query over these triples."""
    store = pyoxigraph.Store()
    store.load(triples.encode(), format=pyoxigraph.RdfFormat.N_TRIPLES)

    def real(request: Request) -> bytes:
        solutions: Any = store.query((request.form or {})["query"])
        document = json.loads(solutions.serialize(format=pyoxigraph.QueryResultsFormat.JSON))
        document["results"]["bindings"].sort(key=json.dumps)  # its order is another one in each process
        return json.dumps(document).encode()

    return real


def _pages(reader: Reader) -> Source:
    html = [file.read_bytes() for folder in ("pages", "walls") for file in sorted((_DATA / folder).glob("*.html"))]
    documents = [(page, "text/html; charset=utf-8") for page in (PAGE.encode(), *html)]
    documents += [(pdf("A bridge was opened.", "It is long.", title="Report"), "application/pdf")] * 4
    documents += [("Ein Text mit Umlauten: äöü.".encode("cp1252"), "text/plain; charset=latin-1")] * 2

    async def ask(_: Http, chooser: random.Random) -> Any:
        content, kind = chooser.choice(documents)
        kind = chooser.choice((kind, kind, kind, "", "text/html; charset=utf-16", "text/plain"))
        return await reader.read(spoiled(content, chooser), kind, "https://paper.example/1")

    return Source("pages", lambda _: b"", ask)


def _snapshot(_: Request) -> bytes:
    closest = {"status": "200", "available": True, "timestamp": "20200102030405", "url": "http://web.archive.org/x"}
    return json.dumps({"url": "https://x.example/1", "archived_snapshots": {"closest": closest}}).encode()


async def _ask_robots(http: Http, _: random.Random) -> Any:
    refusal = await Robots(http).refusal("https://x.example/private/1")
    return Nothing() if refusal is None else Failed(refusal)
