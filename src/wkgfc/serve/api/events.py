"""What happens to a check, live: server-sent events, which go on where a connection broke off."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Annotated

from fastapi import APIRouter, Header, Query, Request, Response
from starlette.responses import StreamingResponse

from wkgfc.serve.api.asking import Identifier, Serving
from wkgfc.serve.jobs import Event
from wkgfc.serve.measures import Measures
from wkgfc.serve.problems import ANYWHERE, documented, json_line, problem
from wkgfc.serve.refusals import NotThere

router = APIRouter(prefix="/v1/checks", tags=["checks"], responses=ANYWHERE)

_LATE = {"Retry-After": "5"}
_STREAM = {
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",  # nginx would keep the events until there are enough of them
}
MAX_SEQ = 2**53  # what every reader of JSON takes for a whole number


@router.get(
    "/{check}/events",
    response_class=Response,
    responses={
        200: {
            "content": {"text/event-stream": {"schema": {"type": "string"}}},
            "description": "Each event with its number as id, its kind as event, and JSON as data. "
            "The stream ends after the last.",
        },
        **documented(404),
    },
)
async def events(
    request: Request,
    service: Serving,
    check: Identifier,
    last_event_id: Annotated[int | None, Header(ge=0, le=MAX_SEQ, description="the last event that was seen")] = None,
    after: Annotated[int, Query(ge=0, le=MAX_SEQ, description="the same, where no header can be sent")] = 0,
) -> Response:
    """What has happened to a check, and what happens, as it happens."""
    service.get(check)  # a 404, if it is none
    open_streams: set[object] = request.app.state.streams
    if len(open_streams) >= service.settings.serve_streams:
        said = f"{len(open_streams):,} streams of events are open, as many as may be (serve_streams)"
        return problem(request.scope, 429, "too_many_streams", said, _LATE)
    measures: Measures = request.app.state.measures
    heartbeat_s = service.settings.serve_heartbeat_s
    seen = last_event_id if last_event_id is not None else after

    async def stream() -> AsyncIterator[bytes]:
        mark = object()
        open_streams.add(mark)
        measures.streams.set(len(open_streams))
        try:
            async with aclosing(with_heartbeats(service.events(check, seen), heartbeat_s)) as lines:
                async for line in lines:
                    yield line
        finally:
            open_streams.discard(mark)
            measures.streams.set(len(open_streams))

    return StreamingResponse(stream(), media_type="text/event-stream", headers=_STREAM)


async def with_heartbeats(happening: AsyncIterator[Event], heartbeat_s: float) -> AsyncGenerator[bytes, None]:
    """The events as they stand in the stream, and a comment where there is none for ``heartbeat_s`` seconds."""
    following: asyncio.Future[Event] | None = None
    try:
        while True:
            following = following or asyncio.ensure_future(anext(happening))
            done, _ = await asyncio.wait({following}, timeout=heartbeat_s)
            if not done:
                yield b": alive\n\n"
                continue
            try:
                event = following.result()
            except (StopAsyncIteration, NotThere):  # removed as the answer began
                return
            following = None
            yield written(event)
    finally:
        if following is not None:
            following.cancel()
            await asyncio.wait({following})


def written(event: Event) -> bytes:
    """An event as it stands in the stream."""
    return b"id: %d\nevent: %s\ndata: %s\n\n" % (event.seq, event.kind.encode(), json_line(event.data))
