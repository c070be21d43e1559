"""A client whose requests to sources are spans (``wkgfc.tracing``). Those to models are spans of whoever asks them."""

from collections.abc import Mapping
from urllib.parse import urlsplit

from wkgfc.http.request import Answer, Http, Kind, Request, Unanswered
from wkgfc.tracing import span

NAMES: Mapping[Kind, str] = {"entity": "look-up", "query": "SPARQL query", "search": "search", "page": "page"}


class TracedHttp:
    """Sends with another client, and tells how long it took and what came of it.

    A span has the host, not the address: that may hold the claim, and is there where content is wanted.
    """

    def __init__(self, http: Http) -> None:
        self._http = http

    async def send(self, request: Request) -> Answer | Unanswered:
        """See ``Http.send``."""
        if request.kind not in NAMES:
            return await self._http.send(request)
        asked = request.params.get("query") or (request.form or {}).get("query") or request.url
        with span(
            NAMES[request.kind],
            request.kind,
            said=asked,
            server__address=urlsplit(request.url).hostname,
            http__request__method=request.method,
        ) as traced:
            answer = await self._http.send(request)
            if isinstance(answer, Unanswered):
                traced.set(http__response__status_code=answer.status)
                traced.fail(answer.reason)
            else:
                traced.set(
                    http__response__status_code=answer.status,
                    http__response__body__size=len(answer.body),
                    from_cache=answer.from_cache or None,
                )
            return answer
