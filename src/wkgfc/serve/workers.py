"""Whoever checks the claims of the service: processes, or threads of its own, each with sources that it opens once.

A worker is told what to do, and says what comes of it, in lines of JSON over a pipe. It is the same work in a process
and in a thread. A worker whose service has ended, by whatever, ends too.
"""

import asyncio
import json
import logging
import os
import signal
import threading
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, aclosing
from dataclasses import dataclass, field
from multiprocessing import Pipe, get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from queue import SimpleQueue
from typing import Any, Protocol

from wkgfc.agent.episode import StepStarted
from wkgfc.checker import FactChecker
from wkgfc.claim import Claim
from wkgfc.config import Settings
from wkgfc.errors import UserError
from wkgfc.reasoning.llm.hybrid import read_choice
from wkgfc.result import CheckResult
from wkgfc.serve.tasks import Task, perform
from wkgfc.sources import is_live
from wkgfc.state import Step

_log = logging.getLogger(__name__)

Message = dict[str, Any]
Told = Callable[["Worker", Message | None], None]  # ``None``: the worker has ended


class Checker(Protocol):
    """What a worker checks with; ``FactChecker`` is one."""

    def open(self) -> Any:
        """Open the sources, once."""

    def connected(self) -> AbstractAsyncContextManager[None]:
        """Keep connections to live sources open in the block."""

    def stream(self, claim: Claim) -> AsyncGenerator[StepStarted | Step | CheckResult, None]:
        """Check one claim and say each step. The result comes last."""


OpenChecker = Callable[[Settings], Checker]

WARMING = "The Earth is a planet."  # checked before the first claim, so that no person waits for models to load


def waits_for_others(settings: Settings) -> bool:
    """Whether a check spends its time on the network, waiting for live sources or models."""
    choice = read_choice(settings.reasoner)
    return (is_live(settings) or choice.has_model) and not choice.has_local_model


def open_warm(settings: Settings) -> FactChecker:
    """A checker that has its models loaded, where a check asks nothing of others and costs nothing.

    Raises:
        NotConfigured: a source cannot be opened.
    """
    checker = FactChecker(settings)
    checker.open()
    if not is_live(settings) and not read_choice(settings.reasoner).has_model:
        checker.check(WARMING)
    return checker


def work(connection: Connection, settings: Settings, open_checker: OpenChecker, *, is_process: bool) -> None:
    """What a worker does, until it is told to stop or the other end of the pipe is gone."""
    if is_process:  # a service that is told to stop ends its workers itself, when they have finished
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    try:
        asyncio.run(_Work(connection, settings, open_checker, is_process).run())
    except (BrokenPipeError, ConnectionResetError):  # the service has ended
        pass
    finally:
        connection.close()


class _Work:
    """The running tasks of a worker."""

    def __init__(self, connection: Connection, settings: Settings, open_checker: OpenChecker, is_process: bool) -> None:
        self._connection, self._settings, self._is_process = connection, settings, is_process
        self._open_checker = open_checker
        self._running: dict[str, asyncio.Task[None]] = {}
        self._sending = threading.Lock()
        self._stop = asyncio.Event()

    async def run(self) -> None:
        loop = asyncio.get_running_loop()
        threading.Thread(target=self._listen, args=(loop,), name="wkgfc-worker-listens", daemon=True).start()
        try:
            checker = await asyncio.to_thread(self._opened)
        except Exception as error:
            if not isinstance(error, UserError):
                _log.exception("a fault of the checker as it was opened")
            said = str(error) if isinstance(error, UserError) else f"a fault, which is in the log: {error!r:.200}"
            self._say({"kind": "broken", "error": said})
            await self._stop.wait()
            return
        self._checker = checker
        async with checker.connected():
            self._say({"kind": "ready"})
            await self._stop.wait()
            for task in self._running.values():
                task.cancel()
            await asyncio.gather(*self._running.values(), return_exceptions=True)

    def _opened(self) -> Checker:
        checker = self._open_checker(self._settings)
        checker.open()
        return checker

    def _listen(self, loop: asyncio.AbstractEventLoop) -> None:
        while True:
            try:
                order = json.loads(self._connection.recv_bytes())
            except (EOFError, OSError):
                if self._is_process:  # nobody is there to hear of what is still done
                    os._exit(0)
                order = {"do": "stop"}
            try:
                loop.call_soon_threadsafe(self._obey, order)
            except RuntimeError:  # the loop has ended
                return
            if order["do"] == "stop":
                return

    def _obey(self, order: Message) -> None:
        match order["do"]:
            case "stop":
                self._stop.set()
            case "cancel":
                if (task := self._running.get(order["id"])) is not None:
                    task.cancel()
            case "check":
                self._begin(order["id"], self._check(order["id"], Claim.model_validate(order["claim"])))
            case _:
                self._begin(order["id"], self._perform(order["id"], order["do"], order["of"]))

    def _begin(self, name: str, doing: Any) -> None:
        task = asyncio.ensure_future(self._ending(name, doing))
        self._running[name] = task
        task.add_done_callback(lambda ended: self._ended(name, doing, ended))

    def _ended(self, name: str, doing: Any, task: asyncio.Task[None]) -> None:
        self._running.pop(name, None)
        if task.cancelled():  # before it began, so that it could not say so itself
            doing.close()
            self._say({"id": name, "kind": "cancelled"})

    async def _ending(self, name: str, doing: Any) -> None:
        """Do it, and say in every case that it has ended and how."""
        try:
            last = await doing
        except asyncio.CancelledError:
            last = {"kind": "cancelled"}
        except UserError as error:
            last = {"kind": "failed", "error": str(error)}
        except Exception as error:  # a bug fails the check that it is in, with its traceback in the log
            _log.exception("a fault of the checker")
            last = {"kind": "failed", "error": f"a fault of the checker, which is in the log: {type(error).__name__}"}
        self._say({"id": name, **last})

    async def _check(self, name: str, claim: Claim) -> Message:
        async with aclosing(self._checker.stream(claim)) as events:
            async for event in events:
                match event:
                    case CheckResult():
                        return {"kind": "result", "data": event.to_json(trace=True)}
                    case Step():
                        self._say({"id": name, "kind": "step", "data": event.model_dump(mode="json")})
                    case StepStarted():
                        data = {
                            "number": event.number,
                            "action": event.action.model_dump(mode="json"),
                            "reason": event.reason,
                        }
                        self._say({"id": name, "kind": "step_started", "data": data})
                await asyncio.sleep(0)  # what is cancelled ends here, where the checker itself never waits
        raise AssertionError("a stream ends with a result")

    async def _perform(self, name: str, task: Task, of: Message) -> Message:
        return {"kind": "answer", "data": await asyncio.to_thread(perform, task, of, self._settings)}

    def _say(self, message: Message) -> None:
        with self._sending:
            self._connection.send_bytes(json.dumps(message).encode())


@dataclass(eq=False)
class Worker:
    """The service's end of a worker. ``running`` are the ids of what it has to do."""

    settings: Settings
    open_checker: OpenChecker = open_warm
    is_process: bool = True
    running: set[str] = field(default_factory=set)
    is_ready: bool = False
    done: int = 0  # checks that it has ended
    successor: "Worker | None" = None  # who takes its place when ready
    is_retired: bool = False  # begins nothing more
    _orders: SimpleQueue[Message | None] = field(default_factory=SimpleQueue)
    _process: BaseProcess | None = None
    _thread: threading.Thread | None = None

    def start(self, told: Told) -> None:
        """Begin. ``told`` is called in the running event loop of each message, and at last of the end."""
        loop = asyncio.get_running_loop()
        if self.is_process:
            context = get_context("spawn")
            self._connection, theirs = context.Pipe()
            self._process = context.Process(
                target=work,
                args=(theirs, self.settings, self.open_checker),
                kwargs={"is_process": True},
                name="wkgfc-worker",
                daemon=True,
            )
            self._process.start()
            theirs.close()  # so that its end is seen here
        else:
            self._connection, theirs = Pipe()
            self._thread = threading.Thread(
                target=work,
                args=(theirs, self.settings, self.open_checker),
                kwargs={"is_process": False},
                name="wkgfc-worker",
                daemon=True,
            )
            self._thread.start()
        speaker = threading.Thread(target=self._speak, name="wkgfc-worker-told", daemon=True)
        speaker.start()
        threading.Thread(
            target=self._listen, args=(loop, told, speaker), name="wkgfc-worker-heard", daemon=True
        ).start()

    def send(self, order: Message) -> None:
        """Tell it what to do, without waiting until it hears. That it has ended is told where its messages are."""
        self._orders.put(order)

    def kill(self) -> None:
        """End a process at once, whatever it does. A thread cannot be; it is told to stop."""
        if self._process is not None:
            self._process.kill()
        else:
            self.send({"do": "stop"})

    def join(self, within_s: float) -> bool:
        """Wait for its end, which it was told. Whether it came in time."""
        if self._process is not None:
            self._process.join(within_s)
            return self._process.exitcode is not None
        if self._thread is not None:
            self._thread.join(within_s)
            return not self._thread.is_alive()
        return True

    def _speak(self) -> None:
        """Send the orders: in a thread of its own, as a long text fills the pipe until the worker reads it."""
        while (order := self._orders.get()) is not None:
            try:
                self._connection.send_bytes(json.dumps(order).encode())
            except (OSError, ValueError):  # it has ended, or is about to
                return

    def _listen(self, loop: asyncio.AbstractEventLoop, told: Told, speaker: threading.Thread) -> None:
        message: Message | None
        while True:
            try:
                message = json.loads(self._connection.recv_bytes())
            except (EOFError, OSError):
                message = None
                self._orders.put(None)
            try:
                loop.call_soon_threadsafe(told, self, message)
            except RuntimeError:  # the service's loop has ended
                return
            if message is None:
                speaker.join()  # whose sending ends, as nobody is at the other end
                self._connection.close()
                return
