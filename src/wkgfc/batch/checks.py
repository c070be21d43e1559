"""Whoever checks the claims of a run: this process, several, or a cluster. And the first of them."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import date
from typing import Protocol, Self

from wkgfc.batch.logs import of_claim
from wkgfc.batch.rows import ClaimRow, Outcome, failed, outcome_of
from wkgfc.batch.sharing import Asked, Shared, SharedGraph, SharedWeb
from wkgfc.checker import FactChecker
from wkgfc.claim import Claim
from wkgfc.config import Settings
from wkgfc.errors import BadInput, NotConfigured
from wkgfc.network import Network
from wkgfc.reasoning.llm.hybrid import read_choice
from wkgfc.reasoning.opening import open_reasoner
from wkgfc.reasoning.reasoner import Reasoner
from wkgfc.result import CheckResult
from wkgfc.sources import is_live, open_sources
from wkgfc.stores import Progress, silent
from wkgfc.tracing import span
from wkgfc.usage import metered

_log = logging.getLogger(__name__)

CLAIM_TIMES = 4.0  # a check's retrieval has ``timeout_s``; with its last judgements it has so many times as much


@dataclass(frozen=True)
class Checked:
    """What came of some claims, and what their sources were asked on the way."""

    outcomes: Sequence[Outcome]
    asked: Asked = field(default_factory=Asked)


class Checks(Protocol):
    """Whoever checks. ``block`` claims are given to it at a time, ``places`` blocks at once."""

    block: int
    places: int

    async def check(self, claims: Sequence[ClaimRow]) -> Checked:
        """An outcome for each claim. A claim whose check goes wrong has one that says so.

        Raises:
            NotConfigured: nothing can be checked at all.
        """
        ...


class CheckedBy:
    """Checks by a function, in this event loop: the errors of a claim become its outcome.

    Args:
        check: checks one claim.
        today: the day that claims without a date mean.
        run: the run's label, for logs and traces.
        timeout_s: seconds for one claim, after which its check is given up.
        trace: keep the trajectories.
    """

    block = 1

    def __init__(
        self,
        check: Callable[[Claim], Awaitable[CheckResult]],
        *,
        places: int,
        today: date | None = None,
        run: str = "",
        timeout_s: float | None = None,
        trace: bool = False,
        shared: Shared | None = None,
    ) -> None:
        self.places = places
        self._check, self._today, self._run = check, today, run
        self._timeout_s, self._trace, self._shared = timeout_s, trace, shared

    async def check(self, claims: Sequence[ClaimRow]) -> Checked:
        """See ``Checks``."""
        if len(claims) == 1:
            outcomes = [await self._one(claims[0])]
        else:
            outcomes = list(await asyncio.gather(*map(self._one, claims)))
        return Checked(outcomes, self._shared.asked.taken() if self._shared else Asked())

    async def _one(self, row: ClaimRow) -> Outcome:
        started = time.perf_counter()

        def gave_up(reason: str) -> Outcome:
            return failed(row.place, reason, time.perf_counter() - started, meter.total)

        with (
            of_claim(self._run, row.id),
            span("claim", "claim", run=self._run, claim=row.id),
            metered() as meter,
        ):
            try:
                async with asyncio.timeout(self._timeout_s) as limit:
                    result = await self._check(row.to_claim(self._today))
            except BadInput as error:
                return failed(row.place, str(error))
            except NotConfigured:
                raise
            except TimeoutError:
                if not limit.expired():
                    raise
                _log.warning("given up after %g s", self._timeout_s)
                return gave_up(f"not finished within {self._timeout_s:g} s")
            except Exception as error:  # a bug: this claim's row says so, and the others go on
                _log.exception("the check failed")
                said = f"{type(error).__name__}: {str(error).splitlines()[0][:300] if str(error) else ''}"
                return gave_up(said)
            return outcome_of(row.place, result, time.perf_counter() - started, trace=self._trace)


class OpenedChecks:
    """A checker whose sources are shared by the claims of a run. Use it in ``async with``.

    Args:
        settings: which sources, which reasoner, and the limits.
        progress: told of stores that are built.
        reasoner: who judges; that of the settings without.

    Raises:
        NotConfigured: a source, a model or a prompt cannot be opened; the text says what to do.
    """

    def __init__(self, settings: Settings, progress: Progress = silent, *, reasoner: Reasoner | None = None) -> None:
        choice = read_choice(settings.reasoner)
        self._network = Network(settings) if is_live(settings) or choice.has_model else None
        reasoner = reasoner or open_reasoner(settings, choice, self._network.models if self._network else None)
        sources = open_sources(settings, self._network.http if self._network else None, progress)
        self.shared = Shared(settings.run_kept_answers)
        self.settings = settings
        self.checker = FactChecker(
            settings,
            graph=SharedGraph(sources.graph, self.shared),
            web=SharedWeb(sources.web, self.shared) if sources.web is not None else None,
            reasoner=reasoner,
        )
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        if self._network is not None:
            await self._stack.enter_async_context(self._network.connected())
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    def checks(self, *, places: int, today: date, run: str, trace: bool) -> CheckedBy:
        """Checks of this checker, ``places`` at a time."""
        return CheckedBy(
            self.checker.check_async,
            places=places,
            today=today,
            run=run,
            timeout_s=claim_timeout_s(self.settings),
            trace=trace,
            shared=self.shared,
        )


def claim_timeout_s(settings: Settings) -> float:
    """Seconds after which the check of one claim is given up, whatever it waits for."""
    if settings.run_claim_timeout_s is not None:
        return settings.run_claim_timeout_s
    is_slow = read_choice(settings.reasoner).has_local_model
    return CLAIM_TIMES * (settings.local_timeout_s if is_slow else settings.timeout_s)
