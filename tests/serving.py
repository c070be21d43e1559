"""A checker that answers from a script, and the service and its API around it."""

import asyncio
import datetime as dt
import socket
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import uvicorn
from fastapi import FastAPI

from wkgfc.agent.episode import StepStarted
from wkgfc.checker import cited_evidence
from wkgfc.claim import Claim, Veracity
from wkgfc.config import Settings, load_settings
from wkgfc.errors import NotConfigured
from wkgfc.evidence import EvidenceGraph, Passage, Source
from wkgfc.result import CheckResult, Sentence
from wkgfc.serve.app import make_app
from wkgfc.serve.service import Service
from wkgfc.state import GiveVerdict, Observation, Step, Trajectory


class ScriptedChecker:
    """Says what its gate lets through: a claim with "wait" in it waits for ``gate``, one with "break" is a bug."""

    gate = threading.Event()
    checked: list[str] = []

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    def open(self) -> None:
        if self.settings.policy is not None:
            raise NotConfigured("there is no policy in that folder")

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[None]:
        yield

    async def stream(self, claim: Claim) -> AsyncGenerator[StepStarted | Step | CheckResult, None]:
        yield StepStarted(1, GiveVerdict(), "it is enough")
        if "break" in claim.text:
            raise TypeError("secret-of-the-checker")
        while "wait" in claim.text and not self.gate.is_set():  # noqa: ASYNC110 - the gate is another thread's
            await asyncio.sleep(0.005)
        step = Step(
            number=1,
            action=GiveVerdict(),
            reason="it is enough",
            observation=Observation(id="S1", outcome="found", text="done", evidence=("W1",)),
            started_at=dt.datetime.now(dt.UTC),
            seconds=0.01,
        )
        yield step
        self.checked.append(claim.text)
        yield result_of(claim, step)


def result_of(claim: Claim, step: Step) -> CheckResult:
    """A supported claim with one passage."""
    graph = EvidenceGraph()
    text = "Nepal borders China and India."
    graph.add_passage(
        Passage(text=text, title="Nepal", url="https://example.org/nepal", source=Source(name="test")), quote=text
    )
    return CheckResult(
        claim=claim,
        veracity=Veracity.SUPPORTED,
        probabilities={each: 0.7 if each is Veracity.SUPPORTED else 0.1 for each in Veracity},
        confidence=0.7,
        justification=(Sentence(text="It does.", citations=("W1",)),),
        evidence=tuple(cited_evidence(each, used=True) for each in graph),
        stop_reason="verdict",
        checked_at=dt.datetime.now(dt.UTC),
        trajectory=Trajectory(steps=(step,)),
        graph=graph.to_record(),
    )


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
