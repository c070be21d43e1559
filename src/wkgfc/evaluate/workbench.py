"""What the checks of a cell share in one process: the sources, the reasoner and one event loop, opened once."""

import asyncio
import time
from collections.abc import Coroutine
from contextlib import AsyncExitStack
from copy import copy
from dataclasses import replace
from typing import Any, Self, TypeVar

from wkgfc.baselines.method import Method, Tools
from wkgfc.checker import FactChecker
from wkgfc.config import Settings
from wkgfc.datasets import LabelledClaim
from wkgfc.errors import NotConfigured
from wkgfc.evaluate.given import seen_by
from wkgfc.evaluate.records import ClaimRecord, record_of
from wkgfc.evaluate.sets import Sight
from wkgfc.network import Network
from wkgfc.reasoning.llm.hybrid import EMBEDDED, read_choice
from wkgfc.reasoning.opening import open_reasoner
from wkgfc.reasoning.verifier import load_verifier
from wkgfc.sources import is_live, open_sources
from wkgfc.stores import Progress, silent

T = TypeVar("T")


class Workbench:
    """The opened parts. Use it in ``with``: live sources keep their connections until it is closed.

    Raises:
        NotConfigured: a source, a model or a prompt cannot be opened; the text says what to do.
    """

    def __init__(self, settings: Settings, progress: Progress = silent) -> None:
        choice = read_choice(settings.reasoner)
        self._network = Network(settings) if is_live(settings) or choice.has_model else None
        sources = open_sources(settings, self._network.http if self._network else None, progress)
        self.graph, self.web = sources.graph, sources.web
        models = self._network.models if self._network else None
        asking = None
        if choice.main != EMBEDDED and models is not None:
            from wkgfc.reasoning.llm.opening import open_asking  # noqa: PLC0415 - a model's libraries where it is asked

            asking = open_asking(choice.main, settings, models)
        reasoner = open_reasoner(settings, choice, models)
        self.tools = Tools(
            settings=settings,
            reasoner=reasoner,
            verifier=load_verifier(settings.verifier),
            asking=asking,
            spent=FactChecker(settings, graph=self.graph, web=self.web, reasoner=reasoner).spent,
        )
        self._runner = asyncio.Runner()
        self._stack = AsyncExitStack()

    def __enter__(self) -> Self:
        if self._network is not None:
            self.run(self._stack.enter_async_context(self._network.connected()))
        return self

    def __exit__(self, *_: object) -> None:
        self.run(self._stack.aclose())
        self._runner.close()

    def having(self, **changes: Any) -> Self:
        """The same parts with other values of settings that nothing is opened by: hops, beam, steps."""
        other = copy(self)
        other.tools = replace(self.tools, settings=self.tools.settings.model_copy(update=changes))
        return other

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine to its end in the loop of this workbench."""
        return self._runner.run(work)

    def check(self, method: Method, row: LabelledClaim, sight: Sight, source: str) -> ClaimRecord:
        """Check one claim with what the sight lets the method see.

        The verifier has forgotten what it read for other checks: each method pays for its own pairs.

        Raises:
            NotConfigured: a limit of the whole run is reached; no further claim is begun.
        """
        if self.tools.spent is not None and (reached := self.tools.spent.reached()) is not None:
            raise NotConfigured(f"{reached}; what is done stays, and the same command goes on under a higher limit")
        seen = seen_by(sight, row, self.graph, self.web, source)
        self.tools.verifier.forget()  # which the reasoner shares: it is loaded once a process
        started = time.perf_counter()
        result = self.run(method.check(row.to_claim(), seen))
        return record_of(row, result, time.perf_counter() - started)
