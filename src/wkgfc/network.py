"""The client of a checker's live sources: what the network, the cache and the recorder are to each other."""

import asyncio
import threading
import weakref
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from wkgfc.config import Settings
from wkgfc.http import Http
from wkgfc.http.cassette import Recorder, RecordingHttp
from wkgfc.http.client import LiveHttp, user_agent
from wkgfc.http.courtesy import Courtesy
from wkgfc.http.proxy import Proxy, read_proxy
from wkgfc.http.traced import TracedHttp

CACHE = "answers.sqlite"

# Of requests to language models. How many are asked at once is the reasoner's to say; a local one answers one after
# the other, and the others wait for their turn.
MODELS_AT_ONCE = 256
MODEL_PATIENCE_S = 900.0
LOCAL_MODEL_PATIENCE_S = 36_000.0


class Network:
    """Two clients as the settings say, which write into one recording.

    ``http`` is Traced(Recording(Caching(Live))), for sources. ``models`` is Recording(Live, or of this machine), what
    language models are asked with (``wkgfc.reasoning.llm``); nothing of theirs is cached.

    Connections belong to an event loop and are closed in it, when nobody there is ``connected`` any more.

    Args:
        settings: contact, attempts, redirects, and what the cache keeps.
        http: what sends instead of the network and the cache (a replay); whoever made it closes it.
        recorder: given, everything that is asked and answered is written there.

    Raises:
        NotConfigured: the contact, the proxy or the cache cannot be used.
    """

    def __init__(self, settings: Settings, *, http: Http | None = None, recorder: Recorder | None = None) -> None:
        self._live: list[LiveHttp] = []
        models = http
        if http is None:
            http, models = self._cached(settings, self._opened(settings)), self._models(settings)
        assert models is not None
        self.http: Http = TracedHttp(http if recorder is None else RecordingHttp(http, recorder))
        self.models: Http = models if recorder is None else RecordingHttp(models, recorder)
        self._connected: Counter[asyncio.AbstractEventLoop] = Counter()
        self._lock = threading.Lock()

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[None]:
        """The connections of this event loop stay open for the block, and for others' blocks in the same loop."""
        loop = asyncio.get_running_loop()
        with self._lock:
            self._connected[loop] += 1
        try:
            yield
        finally:
            with self._lock:
                self._connected[loop] -= 1
                is_last = not self._connected[loop]
                if is_last:
                    del self._connected[loop]
            if is_last:
                for live in self._live:
                    await live.aclose()

    def _opened(self, settings: Settings, **limits: Any) -> LiveHttp:
        live = LiveHttp(
            user_agent(settings.contact),
            attempts=settings.attempts,
            redirects=settings.redirects,
            proxy=_proxy(settings),
            **limits,
        )
        self._live.append(live)
        return live

    def _models(self, settings: Settings) -> Http:
        from wkgfc.reasoning.llm.local_server import LocalModels  # noqa: PLC0415 - what a check without models is spared

        return LocalModels(
            here=self._opened(settings, courtesy=Courtesy(at_once=1), patience_s=LOCAL_MODEL_PATIENCE_S),
            elsewhere=self._opened(settings, courtesy=Courtesy(at_once=MODELS_AT_ONCE), patience_s=MODEL_PATIENCE_S),
        )

    def _cached(self, settings: Settings, live: LiveHttp) -> Http:
        if not settings.cache_bytes:
            return live
        from wkgfc.http.cache import Cache, CachingHttp  # noqa: PLC0415 - the file is opened where it is used

        cache = Cache(
            settings.cache_dir / CACHE,
            ages_s={
                "entity": settings.cache_entity_s,
                "query": settings.cache_query_s,
                "search": settings.cache_search_s,
                "page": settings.cache_page_s,
            },
            max_bytes=settings.cache_bytes,
        )
        weakref.finalize(self, cache.close)
        return CachingHttp(live, cache)


def _proxy(settings: Settings) -> Proxy | None:
    if settings.proxy is None or not settings.proxy.get_secret_value().strip():
        return None
    exempt = (settings.no_proxy or "").replace(",", " ").split()
    return read_proxy(settings.proxy.get_secret_value(), exempt, resolves=settings.proxy_resolves)
