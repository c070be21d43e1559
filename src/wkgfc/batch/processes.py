"""Several processes that do one kind of work, each with what it needs opened once. Claims of a batch and cells use it.

Processes are started anew (spawn), not forked: the libraries below have threads that a fork would lose. What they open
(graph, index, model) is read-only files, of which the operating system keeps one copy for all.
"""

import asyncio
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing import connection, get_context, parent_process
from typing import Any, Generic, Self, TypeVar

from wkgfc.errors import NotConfigured

I = TypeVar("I")  # noqa: E741 - an item
O = TypeVar("O")  # noqa: E741 - what comes of it

AHEAD = 4  # items that each process has before it


class ProcessLost(Exception):
    """A process ended by itself while it worked: for want of memory, or killed."""


class Processes(Generic[I, O]):
    """A pool of ``number`` processes. Each calls ``begin`` once, and then ``work`` for every item. Use it in ``with``.

    Ctrl-C is this process's alone: what the others have begun they finish. They end with it, however it ends.
    """

    def __init__(self, number: int, begin: Callable[..., None], given: tuple[Any, ...], work: Callable[[I], O]) -> None:
        self.number = number
        self._begin, self._given, self._work = begin, given, work
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = None

    async def do(self, item: I) -> O:
        """The work on one item.

        Whoever is cancelled while it waits wants no more of any: the processes are ended, in the midst of their work.

        Raises:
            ProcessLost: a process ended by itself, perhaps another one than that which had the item; the next call
                begins with new ones.
        """
        pool = self._opened()
        try:
            return await asyncio.wrap_future(pool.submit(self._work, item))
        except BrokenProcessPool as error:
            if self._pool is pool:
                self._pool = None
                pool.shutdown(wait=False, cancel_futures=True)
            raise ProcessLost from error
        except asyncio.CancelledError:
            self._end_all()
            raise

    def each(self, items: Iterable[I]) -> Iterator[O]:
        """The work on every item, in whatever order, with ``AHEAD`` of them before each process.

        Raises:
            NotConfigured: a process ended by itself.
        """
        waiting, pool = iter(items), self._opened()
        running: set[Future[O]] = set()
        try:
            running = {pool.submit(self._work, item) for item in islice(waiting, self.number * AHEAD)}
            while running:
                ended, running = wait(running, return_when=FIRST_COMPLETED)
                running |= {pool.submit(self._work, item) for item in islice(waiting, len(ended))}
                for each in ended:
                    yield each.result()
        except BrokenProcessPool as error:
            raise NotConfigured(
                "a process that checked claims ended by itself, perhaps for want of memory: try fewer --workers; "
                "the same command goes on with what is done"
            ) from error
        finally:
            for future in running:
                future.cancel()

    def _end_all(self) -> None:
        pool, self._pool = self._pool, None
        if pool is not None:
            for process in list((pool._processes or {}).values()):  # what Python 3.14 calls kill_workers
                process.kill()
            pool.shutdown(wait=False, cancel_futures=True)

    def _opened(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(
                self.number, get_context("spawn"), initializer=_begin, initargs=(self._begin, self._given)
            )
        return self._pool


def _begin(begin: Callable[..., None], given: tuple[Any, ...]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()
    begin(*given)


def _end_with(sentinel: int) -> None:
    """A process whose parent was killed would wait for work for ever."""
    connection.wait([sentinel])
    os._exit(1)
