"""Language models that run in this process: llama.cpp's own server, which speaks OpenAI's protocol, on loopback alone.

A server starts when its model is first asked, serves all checks of the process, and ends with it. It has a key of its
own, made by chance, so that no other program of this machine can use it. The address that is asked, and so recorded,
is ``URL``, which exists nowhere: ``LocalModels`` puts the real one in its place, whose port is another each time. A
replay therefore needs neither the model nor the server.

Needs ``xllamacpp`` (``pip install 'wkgfc[local]'``). Source: llama.cpp's server, its parameters and its endpoints.
"""

import asyncio
import atexit
import os
import secrets
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from pydantic import SecretStr

from wkgfc.errors import NotConfigured
from wkgfc.http import Answer, Http, Request, Unanswered

HOST = "local-model.invalid"  # RFC 2606: a name that nobody has
URL = f"http://{HOST}/v1"
INSTALL = "pip install 'wkgfc[local]'"
_LOOPBACK = "127.0.0.1"
# LLGuidance's word for JSON in one line. Left to itself a small model writes a line for every bracket, and white space
# takes it as long as words.
_IN_ONE_LINE = {"whitespace_flexible": False, "item_separator": ", ", "key_separator": ": "}

GrammarOf = Callable[[Mapping[str, Any]], str]


@dataclass(frozen=True)
class LocalModel:
    """A file and how it is run. ``threads`` of ``None`` is one a core that this process may use."""

    path: Path
    context: int
    threads: int | None = None


@dataclass(frozen=True)
class Running:
    """A server that runs: where, with which key, what keeps it alive, and what makes a grammar of a JSON schema."""

    address: str
    key: SecretStr
    server: Any
    grammar_of: GrammarOf | None = None


class Servers:
    """The models of a process by their names, and the servers of those that were asked. Threads may share it.

    ``start`` is for tests.
    """

    def __init__(self, start: Callable[[LocalModel], Running] | None = None) -> None:
        self._start = start or start_server
        self._models: dict[str, LocalModel] = {}
        self._running: dict[str, Running] = {}
        self._lock = threading.Lock()

    def name(self, model: LocalModel) -> str:
        """The name by which requests call ``model`` from now on; the same for the same model."""
        with self._lock:
            name, number = model.path.stem, 1
            while self._models.setdefault(name, model) != model:
                number += 1
                name = f"{model.path.stem}-{number}"
            return name

    def running(self, name: str) -> Running:
        """The server of the model of that name, started where it is not there yet, which takes seconds.

        Raises:
            NotConfigured: it cannot be started.
            KeyError: there is no such model.
        """
        with self._lock:
            if name not in self._running:
                self._running[name] = self._start(self._models[name])
            return self._running[name]

    def close(self) -> None:
        """Stop all servers."""
        with self._lock:
            self._running.clear()


@cache
def process_servers() -> Servers:
    """Those of this process: a model is in its memory once, whoever asks it."""
    servers = Servers()
    atexit.register(servers.close)
    return servers


class LocalModels:
    """Sends what is for ``URL`` to the models of this process, and the rest through ``elsewhere``.

    Args:
        here: reaches the servers of this process; it should send one request at a time, as they answer one at a time.
        elsewhere: sends the rest.
        servers: those of this process by default.
    """

    def __init__(self, here: Http, elsewhere: Http, servers: Servers | None = None) -> None:
        self._here, self._elsewhere, self._servers = here, elsewhere, servers or process_servers()

    async def send(self, request: Request) -> Answer | Unanswered:
        """What the model says. One that cannot be started is ``Unanswered``."""
        if urlsplit(request.url).hostname != HOST:
            return await self._elsewhere.send(request)
        name = request.json_body.get("model") if isinstance(request.json_body, Mapping) else None
        try:
            running = await asyncio.to_thread(self._servers.running, str(name))
        except KeyError:
            return Unanswered(f"no model named {str(name)[:60]!a} was opened in this process")
        except NotConfigured as error:
            return Unanswered(str(error))
        outcome = await self._here.send(
            replace(
                request,
                url=running.address + urlsplit(request.url).path,
                json_body=in_one_line(request.json_body, running.grammar_of),
                secret_headers={"Authorization": SecretStr(f"Bearer {running.key.get_secret_value()}")},
            )
        )
        if isinstance(outcome, Answer):
            return replace(outcome, url=request.url)
        here = urlsplit(running.address)
        reason = outcome.reason.replace(here.netloc, name or HOST).replace(str(here.hostname), name or HOST)
        return replace(outcome, reason=reason)


def in_one_line(body: Any, grammar_of: GrammarOf | None) -> Any:
    """What is asked of a model: its JSON schema, if it has one, as a grammar without white space between words.

    The server makes a grammar of a schema by itself, too, but leaves that freedom in it.
    """
    match body:
        case {"response_format": {"json_schema": {"schema": dict(schema)}}, **asked} if grammar_of is not None:
            return {**asked, "grammar": grammar_of({**schema, "x-guidance": _IN_ONE_LINE})}
    return body


def start_server(model: LocalModel) -> Running:
    """Load a model and serve it on a free port of loopback.

    Raises:
        NotConfigured: the package is missing, or the file cannot be loaded.
    """
    try:
        import xllamacpp  # noqa: PLC0415 - a hundred megabytes of library, where it is used
    except ImportError as error:
        raise NotConfigured(f"a model on this machine needs a package that is not installed: {INSTALL}") from error
    key = SecretStr(secrets.token_urlsafe(24))
    params = xllamacpp.CommonParams()
    params.model.path = str(model.path)
    params.model_alias = {model.path.stem}
    params.n_ctx, params.n_parallel = model.context, 1  # the whole context for one request
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = model.threads or _cores()
    params.hostnames, params.port, params.api_keys = [_LOOPBACK], 0, [key.get_secret_value()]
    params.warmup = params.ui = params.endpoint_slots = False
    params.verbosity = 0  # it writes to the terminal otherwise
    try:
        server = xllamacpp.Server(params)
    except RuntimeError as error:  # it says no more than that it failed
        raise NotConfigured(
            f"{model.path} cannot be loaded: it may be damaged, of a kind that llama.cpp does not know, or too large "
            f"for this machine with local_context {model.context}"
        ) from error
    return Running(server.listening_address, key, server, xllamacpp.json_schema_to_grammar)


def _cores() -> int:
    """The cores that this process may use, which are fewer than the machine's in many a container."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
