"""The next claims to check: pending ones, in the order of what they are about, a page of the store at a time."""

import asyncio
from collections import deque

from wkgfc.batch.claiming import see_that_none_has_it_alone
from wkgfc.batch.rows import ClaimRow
from wkgfc.batch.run import Run
from wkgfc.batch.store import START, Store
from wkgfc.batch.store_thread import StoreThread

PAGE = 512  # claims read at once by a process that has the run alone
LEASED = 32  # claims leased at once by one that shares it: few, so that at the end none waits long for another
LOOK_AGAIN_S = 1.0  # between looks for claims of others whose process has ended


class Feed:
    """Pending claims of a run, each given once to this process. With an ``owner`` they are leased to it first."""

    def __init__(self, store: Store, run: Run, thread: StoreThread, owner: str | None = None) -> None:
        self._store, self._run, self._thread, self._owner = store, run, thread, owner
        self._waiting: deque[ClaimRow] = deque()
        self._after = START
        self._is_over = False
        self._one_at_a_time = asyncio.Lock()

    async def next(self, most: int) -> tuple[ClaimRow, ...]:
        """The next claims, at most ``most``; none when nothing is pending that nobody is at work on."""
        async with self._one_at_a_time:
            while not self._waiting and not self._is_over:
                await (self._fill() if self._owner is None else self._fill_with_others(self._owner))
            return tuple(self._waiting.popleft() for _ in range(min(most, len(self._waiting))))

    async def _fill(self) -> None:
        rows, self._after = await self._thread.do(lambda: self._store.take(self._run, self._after, PAGE))
        self._waiting.extend(rows)
        self._is_over = not rows

    async def _fill_with_others(self, owner: str) -> None:
        def take() -> tuple[ClaimRow, ...]:
            rows, self._after = self._store.take(self._run, self._after, LEASED, owner)
            see_that_none_has_it_alone(self._store, self._run)
            return rows

        rows = await self._thread.do(take)
        self._waiting.extend(rows)
        if rows:
            return
        if self._after != START:  # what was leased when it was passed over may be free now
            self._after = START
            return
        others = await self._thread.do(lambda: self._others(owner))
        if not others:
            self._is_over = not await self._thread.do(lambda: self._store.has_free(self._run))
        else:
            await asyncio.sleep(LOOK_AGAIN_S)

    def _others(self, owner: str) -> int:
        self._store.release_dead(self._run)
        return sum(each != owner for each in self._store.owners(self._run))
