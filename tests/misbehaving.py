"""A web server on loopback that does what a test tells it to: answers, delays, cuts, floods, lies.

>>> async with misbehaving() as server:
...     server.on("/facts", refuse(503, {"Retry-After": "1"}), reply('{"facts": []}'))  # the last one goes on
...     await http.send(Request(server.url("/facts"), kind="query"))
...     server.seen[0].headers["user-agent"]
"""

import asyncio
import gzip
import os
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import parse_qsl, urlsplit

JSON = "application/json"
HTML = "text/html; charset=utf-8"


@dataclass(frozen=True)
class Seen:
    """A request as it came."""

    method: str
    path: str
    params: Mapping[str, str]
    headers: Mapping[str, str]  # names in lower case
    body: bytes


Behaviour = Callable[[Seen, asyncio.StreamWriter], Awaitable[bool]]
"""What to do with one request. It says whether the connection may take another one."""


class Misbehaving:
    """The server.

    ``seen`` are the requests so far, ``connections`` counts what they came over, and ``most_at_once`` is how many
    were under way together at most.
    """

    def __init__(self, scheme: str = "http") -> None:
        self.seen: list[Seen] = []
        self.at_once = self.most_at_once = self.connections = 0
        self.address = ""
        self.port = 0
        self._scheme = scheme
        self._told: dict[str, list[Behaviour]] = {}

    def on(self, path: str, *behaviours: Behaviour) -> None:
        """Do this for requests to ``path``: each in turn, and the last one from then on. Other paths are a 404."""
        self._told[path] = list(behaviours)

    def url(self, path: str = "/", host: str | None = None) -> str:
        """The address of ``path``; ``host`` is another name for this server."""
        return f"{self._scheme}://{host or self.address}:{self.port}{path}"

    def asked(self, path: str) -> int:
        """How many requests came to ``path``."""
        return sum(seen.path == path for seen in self.seen)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection."""
        self.connections += 1
        try:
            while True:
                seen = await _read(reader)
                self.seen.append(seen)
                behaviours = self._told.get(seen.path, [refuse(404)])
                behaviour = behaviours.pop(0) if len(behaviours) > 1 else behaviours[0]
                self.at_once += 1
                self.most_at_once = max(self.most_at_once, self.at_once)
                try:
                    if not await behaviour(seen, writer):
                        return
                finally:
                    self.at_once -= 1
        except (asyncio.IncompleteReadError, ConnectionError, ssl.SSLError):
            return  # the client went away, as it may
        finally:
            writer.close()


@asynccontextmanager
async def misbehaving(tls: ssl.SSLContext | None = None, address: str = "127.0.0.1") -> AsyncIterator[Misbehaving]:
    """A server that runs for the block, on a free port of ``address``."""
    server = Misbehaving("https" if tls else "http")
    tasks: set[asyncio.Task[None]] = set()

    def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(server.serve(reader, writer))
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    listening = await asyncio.start_server(accept, address, 0, ssl=tls)
    server.address, server.port = listening.sockets[0].getsockname()[:2]
    try:
        yield server
    finally:
        listening.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def reply(
    body: str | bytes = b"{}", kind: str = JSON, status: int = 200, headers: Mapping[str, str] | None = None
) -> Behaviour:
    """An answer as it should be."""
    content = body.encode() if isinstance(body, str) else body
    sent = {"Content-Type": kind, "Content-Length": str(len(content)), **(headers or {})}

    async def behave(seen: Seen, writer: asyncio.StreamWriter) -> bool:
        writer.write(_head(status, sent) + content)
        await writer.drain()
        return True

    return behave


def refuse(status: int, headers: Mapping[str, str] | None = None, body: str | bytes = b"no") -> Behaviour:
    """An answer with the status of an error."""
    return reply(body, "text/plain", status, headers)


def redirect(to: str, status: int = 301) -> Behaviour:
    """The answer is elsewhere."""
    return reply(b"", "text/plain", status, {"Location": to})


def squeezed(body: bytes, kind: str = JSON) -> Behaviour:
    """An answer compressed with gzip."""
    return reply(gzip.compress(body), kind, headers={"Content-Encoding": "gzip"})


def bomb(size: int, kind: str = JSON) -> Behaviour:
    """A few kilobytes that decompress to ``size`` bytes of nothing."""
    return squeezed(bytes(size), kind)


def silence() -> Behaviour:
    """The request is read, and no byte ever comes back."""

    async def behave(seen: Seen, writer: asyncio.StreamWriter) -> bool:
        await asyncio.Event().wait()
        return False

    return behave


def drip(every_s: float = 0.02, kind: str = JSON) -> Behaviour:
    """A body that comes byte by byte and never ends, so that something is always about to be read."""

    async def behave(seen: Seen, writer: asyncio.StreamWriter) -> bool:
        writer.write(_head(200, {"Content-Type": kind, "Content-Length": "1000000"}))
        while True:
            writer.write(b" ")
            await writer.drain()
            await asyncio.sleep(every_s)

    return behave


def cut(body: bytes = b'{"facts": [', kind: str = JSON) -> Behaviour:
    """The connection ends in the middle of the body."""

    async def behave(seen: Seen, writer: asyncio.StreamWriter) -> bool:
        writer.write(_head(200, {"Content-Type": kind, "Content-Length": str(len(body) + 1000)}) + body)
        await writer.drain()
        return False

    return behave


def broken_record(kind: str = JSON) -> Behaviour:
    """Over TLS: a head as it should be, and then a record that nobody encrypted."""

    async def behave(seen: Seen, writer: asyncio.StreamWriter) -> bool:
        writer.write(_head(200, {"Content-Type": kind, "Content-Length": "1000"}))
        await writer.drain()
        os.write(writer.get_extra_info("socket").fileno(), b"\x17\x03\x03\x00\x20" + b"x" * 32)
        await asyncio.Event().wait()
        return False

    return behave


def hang_up() -> Behaviour:
    """The connection ends without an answer."""
    return raw(b"")


def raw(sent: bytes) -> Behaviour:
    """Exactly these bytes, and then the end of the connection."""

    async def behave(seen: Seen, writer: asyncio.StreamWriter) -> bool:
        writer.write(sent)
        await writer.drain()
        return False

    return behave


class Flood:
    """A body of ``size`` bytes, announced or not; ``sent`` is how many of them were taken off the server's hands."""

    def __init__(self, size: int, *, announced: bool = False, kind: str = JSON) -> None:
        self.size, self.sent = size, 0
        self._head = _head(200, {"Content-Type": kind, **({"Content-Length": str(size)} if announced else {})})

    async def __call__(self, seen: Seen, writer: asyncio.StreamWriter) -> bool:
        writer.write(self._head)
        piece = b"x" * 65536
        while self.sent < self.size:
            writer.write(piece)
            await writer.drain()
            self.sent += len(piece)
        return False


class Gate:
    """Answers wait until the test opens the gate; ``arrived`` counts the requests that came to it."""

    def __init__(self, then: Behaviour | None = None) -> None:
        self.arrived = 0
        self.opened = asyncio.Event()
        self._arrival = asyncio.Condition()
        self._then = then or reply()

    async def __call__(self, seen: Seen, writer: asyncio.StreamWriter) -> bool:
        async with self._arrival:
            self.arrived += 1
            self._arrival.notify_all()
        await self.opened.wait()
        return await self._then(seen, writer)

    async def wait_for(self, count: int) -> None:
        """Wait until so many requests have come."""
        async with self._arrival:
            await self._arrival.wait_for(lambda: self.arrived >= count)


def _head(status: int, headers: Mapping[str, str]) -> bytes:
    phrase = HTTPStatus(status).phrase if status in set(HTTPStatus) else "Odd"
    lines = [f"HTTP/1.1 {status} {phrase}", *(f"{name}: {value}" for name, value in headers.items()), "", ""]
    return "\r\n".join(lines).encode("latin-1")


async def _read(reader: asyncio.StreamReader) -> Seen:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    method, target, _ = head[0].split(" ")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:-2])}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    parts = urlsplit(target)
    return Seen(method, parts.path, dict(parse_qsl(parts.query, keep_blank_values=True)), headers, body)
