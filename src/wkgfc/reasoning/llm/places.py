"""How many questions go to one provider at a time, whichever of its models they are for."""

import asyncio
import weakref


class Places:
    """So many places in each event loop: whoever asks takes one, and waits where there is none."""

    def __init__(self, number: int) -> None:
        self._number = number
        self._of_loop: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = (
            weakref.WeakKeyDictionary()
        )

    def place(self) -> asyncio.Semaphore:
        """A place in the event loop that runs, to be held with ``async with``."""
        loop = asyncio.get_running_loop()
        if loop not in self._of_loop:
            self._of_loop[loop] = asyncio.Semaphore(self._number)
        return self._of_loop[loop]
