"""The one thread that uses a store, so that the event loop never waits for a disk."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


class StoreThread:
    """Runs functions one after the other. Close it when the last one has ended."""

    def __init__(self) -> None:
        self._executor = ThreadPoolExecutor(1, thread_name_prefix="wkgfc-store")

    async def do(self, function: Callable[[], T]) -> T:
        """What ``function`` gives or raises. Once begun it ends, even where who waits for it is cancelled."""
        return await asyncio.get_running_loop().run_in_executor(self._executor, function)

    def close(self) -> None:
        """Wait for what was begun, and end the thread."""
        self._executor.shutdown(wait=True)
