"""A checker that answers from a script: for what is built around checkers."""

import asyncio
import datetime as dt
import os
import re
import threading
import time
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager

from wkgfc.agent.episode import StepStarted
from wkgfc.checker import cited_evidence
from wkgfc.claim import Claim, Veracity
from wkgfc.config import Settings
from wkgfc.errors import NotConfigured
from wkgfc.evidence import EvidenceGraph, Passage, Source
from wkgfc.result import CheckResult, Sentence
from wkgfc.serve import workers
from wkgfc.state import GiveVerdict, Observation, Step, Trajectory


class ScriptedChecker:
    """Says what its gate lets through: a claim with "wait" in it waits for ``gate``, one with "break" is a bug,
    one with "crash" ends the process that checks it, and one with "hang" lets it do nothing else any more."""

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
        if "crash" in claim.text:
            os._exit(9)
        if "hang" in claim.text:
            time.sleep(3_600)  # noqa: ASYNC251 - that is the fault
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


class ClosedChecker(ScriptedChecker):
    """Cannot be opened while there is a file ``closed`` in the service's folder; ``tried`` says that it was."""

    def open(self) -> None:
        assert self.settings.serve_dir is not None
        if (self.settings.serve_dir / "closed").exists():
            (self.settings.serve_dir / "tried").touch()
            raise OSError(24, "Too many open files")


class FreezingChecker(ScriptedChecker):
    """Its process does nothing any more, not even hear, once it is asked something that is no check."""

    def open(self) -> None:
        workers.perform = self._freeze  # type: ignore[attr-defined, assignment]

    @staticmethod
    def _freeze(*_: object) -> None:
        re.match("(a+)+$", "a" * 60 + "b")  # for ages, and no other thread has its turn meanwhile


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
