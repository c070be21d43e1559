"""The client of a checker's live sources: what the network, the cache and the recorder are to each other."""

import asyncio
import threading
import weakref
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from wkgfc.config import Settings
from wkgfc.http import Http
from wkgfc.http.cassette import Recorder, RecordingHttp
from wkgfc.http.client import LiveHttp, user_agent

CACHE = "answers.sqlite"


class Network:
    """A client as the settings say: Recording(Caching(Live)).

    Connections belong to an event loop and are closed in it, when nobody there is ``connected`` any more.

    Args:
        settings: contact, attempts, redirects, and what the cache keeps.
        http: what sends instead of the network and the cache (a replay); whoever made it closes it.
        recorder: given, everything that is asked and answered is written there.

    Raises:
        NotConfigured: the contact or the cache cannot be used.
    """

    def __init__(self, settings: Settings, *, http: Http | None = None, recorder: Recorder | None = None) -> None:
        self._live: LiveHttp | None = None
        if http is None:
            self._live = LiveHttp(
                user_agent(settings.contact), attempts=settings.attempts, redirects=settings.redirects
            )
            http = self._cached(settings, self._live)
        self.http: Http = http if recorder is None else RecordingHttp(http, recorder)
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
            if is_last and self._live is not None:
                await self._live.aclose()

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
