"""The sources that the settings name, opened: a knowledge graph and a web search, on this machine or live."""

from dataclasses import dataclass
from pathlib import Path

from wkgfc.config import Settings, is_url
from wkgfc.errors import NotConfigured
from wkgfc.http import Http
from wkgfc.kg.graph import KnowledgeGraph, NoGraph
from wkgfc.stores import Progress
from wkgfc.web.providers.registry import JOINED_BY, PROVIDERS, is_provider, open_web
from wkgfc.web.search import WebSearch

EMBEDDED, NONE = "embedded", "none"
LIVE_GRAPHS = ("wikidata", "dbpedia")


@dataclass(frozen=True)
class Sources:
    """What a check retrieves from."""

    graph: KnowledgeGraph
    web: WebSearch | None


def is_live_graph(choice: str) -> bool:
    """Whether a value of ``kg`` is a service on the network."""
    return choice in LIVE_GRAPHS or is_url(choice)


def is_live_web(choice: str) -> bool:
    """Whether a value of ``web`` names a search engine, alone or among others."""
    return is_provider(choice)


def is_live(settings: Settings) -> bool:
    """Whether a check with these settings asks anything of the network."""
    return is_live_graph(settings.kg) or is_live_web(settings.web)


def open_sources(
    settings: Settings,
    http: Http | None,
    progress: Progress,
    *,
    graph: KnowledgeGraph | None = None,
    web: WebSearch | None = None,
) -> Sources:
    """Open both sources; one that is given is taken as it is. No live source is asked anything yet.

    ``http`` is needed where ``is_live``. What is live is opened first, as the embedded stores may have to be built.

    Raises:
        NotConfigured: a source cannot be opened. The text says all that is missing, for both of them, and what to do.
    """
    problems: list[str] = []
    if http is not None and graph is None and is_live_graph(settings.kg):
        try:
            graph = open_live_graph(settings, http)
        except NotConfigured as error:
            problems.append(str(error))
    if http is not None and web is None and is_live_web(settings.web):
        try:
            web = open_live_web(settings, http, progress)
        except NotConfigured as error:
            problems.append(str(error))
    problems += _mistyped(settings, graph is None, web is None)
    if problems:
        raise NotConfigured("; ".join(problems))
    return Sources(graph or open_local_graph(settings, progress), web or open_local_web(settings, progress))


def open_live_graph(settings: Settings, http: Http) -> KnowledgeGraph:
    """The knowledge graph behind a service.

    Raises:
        NotConfigured: the contact that it asks for is missing, or its address is none.
    """
    if settings.kg == "wikidata":
        from wkgfc.kg.wikidata import open_wikidata  # noqa: PLC0415 - each where it is used

        return open_wikidata(
            http,
            settings.contact,
            endpoint=settings.wikidata_endpoint,
            api=settings.wikidata_api,
            timeout_s=settings.query_timeout_s,
        )
    if settings.kg == "dbpedia":
        from wkgfc.kg.dbpedia import open_dbpedia  # noqa: PLC0415

        return open_dbpedia(
            http,
            endpoint=settings.dbpedia_endpoint,
            lookup=settings.dbpedia_lookup,
            timeout_s=settings.query_timeout_s,
        )
    from wkgfc.kg.any_endpoint import AnyEndpoint  # noqa: PLC0415

    return AnyEndpoint(http, settings.kg, timeout_s=settings.query_timeout_s)


def open_live_web(settings: Settings, http: Http, progress: Progress) -> WebSearch:
    """The search engines of ``settings.web``, with the pages that they find read; the embedded passages among them.

    Raises:
        NotConfigured: an engine is unknown, or what it needs is not set.
    """
    names = tuple(dict.fromkeys(name.strip() for name in settings.web.split(JOINED_BY)))
    engines = JOINED_BY.join(name for name in names if name != EMBEDDED)
    search = with_pages(open_web(engines, http, settings.environment()), settings, http)
    if EMBEDDED not in names:
        return search
    from wkgfc.web.combined import Combined  # noqa: PLC0415

    return Combined([_open_embedded_web(settings, progress), search])


def with_pages(engine: WebSearch, settings: Settings, http: Http) -> WebSearch:
    """A search that reads the pages which ``engine`` finds, within the settings' limits; ``engine`` where it is 0.

    Raises:
        NotConfigured: the folder for kept pages cannot be written.
    """
    if not settings.max_pages:
        return engine
    from wkgfc.web.archive import WaybackMachine  # noqa: PLC0415
    from wkgfc.web.kept_pages import KeptPages  # noqa: PLC0415
    from wkgfc.web.live import LiveWeb  # noqa: PLC0415
    from wkgfc.web.page import PageFetcher  # noqa: PLC0415
    from wkgfc.web.reader import Reader  # noqa: PLC0415
    from wkgfc.web.robots import Robots  # noqa: PLC0415

    fetcher = PageFetcher(
        http,
        reader=Reader(timeout_s=settings.reading_timeout_s),
        robots=Robots(http) if settings.robots else None,
        archive=WaybackMachine(http) if settings.archive else None,
        max_bytes=settings.page_bytes,
        timeout_s=settings.page_timeout_s,
    )
    return LiveWeb(
        engine,
        fetcher,
        pages=settings.max_pages,
        budget_s=settings.pages_timeout_s,
        windows_per_page=settings.passages_per_page,
        kept=KeptPages(settings.keep_pages) if settings.keep_pages is not None else None,
    )


def missing(settings: Settings) -> dict[str, tuple[str, ...]]:
    """What each search engine still needs: the environment variables that are not set, by the engine's name."""
    environment = settings.environment()
    return {name: provider.missing(environment) for name, provider in PROVIDERS.items()}


def open_local_graph(settings: Settings, progress: Progress) -> KnowledgeGraph:
    """A store on this machine; the embedded one is built where it is missing or out of date.

    Raises:
        NotConfigured: there is no store at that path, or it cannot be used.
    """
    if settings.kg == NONE:
        return NoGraph()
    from wkgfc.kg.store import open_store  # noqa: PLC0415 - pyoxigraph only where it is used

    if settings.kg == EMBEDDED:
        from wkgfc.kg.builders.embedded import build_embedded  # noqa: PLC0415

        return open_store(build_embedded(settings.data_dir, progress))
    return open_store(Path(settings.kg))


def open_local_web(settings: Settings, progress: Progress) -> WebSearch | None:
    """An index on this machine; the embedded one is built where it is missing or out of date.

    Raises:
        NotConfigured: there is no index at that path, or it cannot be used.
    """
    if settings.web == NONE:
        return None
    if settings.web == EMBEDDED:
        return _open_embedded_web(settings, progress)
    from wkgfc.web.corpus import open_corpus  # noqa: PLC0415 - tantivy only where it is used

    return open_corpus(Path(settings.web))


def _mistyped(settings: Settings, needs_graph: bool, needs_web: bool) -> list[str]:
    """What is said of a word that is neither a name that is known nor a path: said before anything is built."""
    choices: list[tuple[str, str, tuple[str, ...]]] = []
    if needs_graph:
        choices.append((settings.kg, "knowledge graph", (EMBEDDED, NONE, *LIVE_GRAPHS)))
    if needs_web:
        choices.append((settings.web, "source of passages", (EMBEDDED, NONE, *PROVIDERS)))
    return [
        f"there is no {what} {choice!r}: choose of {', '.join(names)}, or give the path of a store"
        for choice, what, names in choices
        if choice not in names and choice == Path(choice).name and not Path(choice).exists()
    ]


def _open_embedded_web(settings: Settings, progress: Progress) -> WebSearch:
    from wkgfc.web.corpus import build_embedded_corpus, open_corpus  # noqa: PLC0415

    return open_corpus(build_embedded_corpus(settings.data_dir, progress))
