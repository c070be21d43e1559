"""The service and its API over a scripted checker, on a port of this machine."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import uvicorn
from fastapi import FastAPI

from scripted_checker import ScriptedChecker, result_of
from wkgfc.config import load_settings
from wkgfc.serve.app import make_app
from wkgfc.serve.service import Service

__all__ = ["ScriptedChecker", "Served", "result_of", "served"]


@dataclass(frozen=True)
class Served:
    """A service that listens, and a client that asks it."""

    app: FastAPI
    address: str
    http: httpx2.Client

    @property
    def service(self) -> Service:
        service: Service = self.app.state.service
        return service

    def submit(self, claim: str, wait: float = 10.0) -> dict[str, Any]:
        """What the API answers to a claim."""
        answer = self.http.post("/v1/checks", params={"wait": wait}, json={"claim": claim})
        assert answer.status_code in (200, 202), answer.text
        body: dict[str, Any] = answer.json()
        return body


@contextmanager
def served(folder: Path, **given: Any) -> Iterator[Served]:
    """The API over a scripted checker, on a port of this machine, until the block ends."""
    settings = load_settings(serve_dir=folder, **{"serve_workers": 0, "serve_shutdown_s": 0, **given})
    app = make_app(settings, open_checker=ScriptedChecker)
    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_config=None, lifespan="on", ws="none", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=server.run, args=([listening],), name="served")
    thread.start()
    address = f"http://127.0.0.1:{listening.getsockname()[1]}"
    try:
        with httpx2.Client(base_url=address, timeout=20, trust_env=False) as http:
            yield Served(app, address, http)
    finally:
        server.should_exit = True
        thread.join()
