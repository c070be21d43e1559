"""Who waits for something to happen to a check, and is woken when it does."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager


class Watchers:
    """Those who look on, by the id of what they look at."""

    def __init__(self) -> None:
        self._changed: dict[str, set[asyncio.Event]] = {}

    @contextmanager
    def watch(self, name: str) -> Iterator[asyncio.Event]:
        """In the block, an event that is set when something happens to ``name``. Look after it is there, then wait."""
        changed = asyncio.Event()
        others = self._changed.setdefault(name, set())
        others.add(changed)
        try:
            yield changed
        finally:
            others.discard(changed)
            if not others and self._changed.get(name) is others:
                del self._changed[name]

    def wake(self, name: str) -> None:
        """Something has happened to ``name``."""
        for changed in self._changed.get(name, ()):
            changed.set()

    def wake_all(self) -> None:
        """Something has happened to everything."""
        for name in self._changed:
            self.wake(name)
