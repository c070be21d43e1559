"""The fact-checker: the parts wired together from the settings.

>>> from wkgfc import FactChecker
>>> checker = FactChecker()
>>> result = checker.check("Charlie Chaplin was born in 1889.")  # doctest: +SKIP
>>> print(result.veracity, result.confidence)  # doctest: +SKIP
"""

import asyncio
import datetime as dt
import logging
import sys
import threading
import time
from collections import defaultdict
from collections.abc import AsyncGenerator, AsyncIterator, Coroutine, Iterator, Sequence
from contextlib import aclosing, asynccontextmanager, contextmanager, nullcontext, suppress
from typing import TYPE_CHECKING, Any, TypeVar

from wkgfc.agent.environment import Environment
from wkgfc.agent.episode import Concluded, StepStarted, run_episode
from wkgfc.budget import Budget, Limits, concluding, spending
from wkgfc.claim import Checkability, Claim, read_claim
from wkgfc.config import Settings, load_settings
from wkgfc.errors import JudgementFailed, UserError
from wkgfc.evidence import Evidence, Passage, Triple
from wkgfc.http import Http
from wkgfc.http.deadline import deadline
from wkgfc.kg.expansion import Beam
from wkgfc.kg.graph import KnowledgeGraph
from wkgfc.reasoning.embedded.facts.verbalise import verbalise
from wkgfc.reasoning.llm.hybrid import read_choice
from wkgfc.reasoning.opening import open_reasoner
from wkgfc.reasoning.reasoner import Judgement, Reasoner
from wkgfc.result import CheckResult, CitedEvidence, Results, SourceVersion, StopReason
from wkgfc.sources import is_live, open_sources
from wkgfc.state import BeliefState, Step, Trajectory
from wkgfc.stores import Progress, silent
from wkgfc.tracing import Whole
from wkgfc.usage import Meter, Usage, metered
from wkgfc.web.earlier_checks import GoogleFactCheck, open_lookup, with_earlier_checks
from wkgfc.web.search import WebSearch

if TYPE_CHECKING:
    from wkgfc.exports.cell import Cell
    from wkgfc.http.cassette import Recorder
    from wkgfc.network import Network

T = TypeVar("T")

_log = logging.getLogger(__name__)

REDRAWN_S = 0.2  # between two looks at what a cell of a notebook shows


class FactChecker:
    """Checks claims. The sources are opened, and the embedded ones built, on the first check.

    A part that is passed in is used instead of the one that the settings name. One checker may serve many checks at
    a time, in any event loop. Connections to live sources are closed when the last check in a loop ends; several in
    ``async with checker.connected()`` share them.

    Args:
        settings: those of the environment and the settings file by default.
        graph: a knowledge graph to use as it is.
        web: a search, likewise.
        reasoner: who judges, likewise.
        http: what sends the requests to live sources, instead of the network: a replay, or a client of a test.
        recorder: given, every request to a live source and its answer are written there.
        progress: told of what is built.
    """

    def __init__(
        self,
        settings: Settings | None = None,
        *,
        graph: KnowledgeGraph | None = None,
        web: WebSearch | None = None,
        reasoner: Reasoner | None = None,
        http: Http | None = None,
        recorder: "Recorder | None" = None,
        progress: Progress = silent,
    ) -> None:
        self.settings = settings or load_settings()
        self._graph, self._web, self._reasoner = graph, web, reasoner
        self._http, self._recorder, self._progress = http, recorder, progress
        self._cells: set[Cell] = set()
        self._environment: Environment | None = None
        self._network: Network | None = None
        self._lookup: GoogleFactCheck | None = None
        self._opening = threading.Lock()
        self.spent = budget_of_run(self.settings)

    def check(self, claim: str | Claim) -> CheckResult:
        """Check one claim and wait for the result. It also works where an event loop runs, as in a notebook.

        Raises:
            BadInput: the text is no claim (empty, or far too long).
            NotConfigured: a source cannot be opened.
        """
        with self._cell(1) as cell:
            return _run(self._followed(claim, cell), cell)

    def check_many(self, claims: Sequence[str | Claim], *, concurrency: int = 4) -> Results:
        """Check several claims, ``concurrency`` at a time; the results in the order of the claims.

        In a notebook a line under the cell says how far it is. ``pandas.DataFrame(results.to_records())`` is a table.
        A fault in one check is a result with ``errors``; the others go on.

        Raises:
            BadInput: a text is no claim; nothing is checked then.
            NotConfigured: a source cannot be opened.
        """
        read = [claim if isinstance(claim, Claim) else read_claim(claim) for claim in claims]

        async def all_of_them() -> Results:
            places = asyncio.Semaphore(concurrency)

            async def one(claim: Claim) -> CheckResult:
                async with places:
                    began = dt.datetime.now(dt.UTC)
                    try:
                        return await self._followed(claim, cell)
                    except UserError:
                        raise
                    except Exception as error:  # a bug: what the others have cost is not lost for it
                        _log.exception("the check failed")
                        said = f"{type(error).__name__}: {str(error)[:300]}"
                        return self._result(BeliefState(claim=claim), began, "error", error=said)

            async with self.connected():
                return Results(await asyncio.gather(*map(one, read)))

        with self._cell(len(claims)) as cell:
            return _run(all_of_them(), cell)

    async def check_async(self, claim: str | Claim) -> CheckResult:
        """Check one claim inside a running event loop."""
        return await self._followed(claim, None)

    async def _followed(self, claim: str | Claim, cell: "Cell | None") -> CheckResult:
        """Check one claim, with its events told to the cell of a notebook."""
        async with aclosing(self.stream(claim)) as events:
            async for event in events:
                if cell is not None:
                    cell.saw(event)
                if isinstance(event, CheckResult):
                    return event
        raise AssertionError("a stream ends with a result")

    @contextmanager
    def _cell(self, total: int) -> "Iterator[Cell | None]":
        """The line under the cell of a notebook, for the block; none elsewhere."""
        if "IPython" not in sys.modules:
            yield None
            return
        from wkgfc.exports.cell import Cell, in_notebook  # noqa: PLC0415 - a drawing, which a program does not need

        cell = Cell(total) if in_notebook() else None
        if cell is not None:
            self._cells.add(cell)
        try:
            yield cell
        finally:
            if cell is not None:
                self._cells.discard(cell)
                cell.close()

    def _building(self, stage: str, done: int, total: int | None) -> None:
        self._progress(stage, done, total)
        for cell in tuple(self._cells):
            cell.built(stage, done, total)

    async def stream(self, claim: str | Claim) -> AsyncGenerator[StepStarted | Step | CheckResult, None]:
        """Check one claim and say each step as it begins and ends. The result comes last."""
        read = claim if isinstance(claim, Claim) else read_claim(claim)
        environment = self.open().speaking(read.language)
        check = Whole(
            "check",
            said=read.text,
            has_content=self.settings.trace_content,
            kg=environment.graph.name,
            web=environment.web.name if environment.web is not None else None,
            reasoner=environment.reasoner.name,
        )
        try:
            async with self.connected():
                async for event in self._events(read, environment, check):
                    if isinstance(event, CheckResult):
                        if self._lookup is not None and event.stop_reason != "run_limit":
                            event = await with_earlier_checks(event, self._lookup)  # noqa: PLW2901
                        check.end(veracity=event.veracity, stop_reason=event.stop_reason)
                    yield event
        finally:
            check.end(failure="not finished")

    async def _events(
        self, read: Claim, environment: Environment, check: Whole
    ) -> AsyncIterator[StepStarted | Step | CheckResult]:
        reasoner = environment.reasoner
        checked_at = dt.datetime.now(dt.UTC)
        if (reached := self.spent.reached()) is not None:
            yield self._result(BeliefState(claim=read), checked_at, "run_limit", error=f"not begun: {reached}")
            return
        budget = Budget(Limits(tokens=self.settings.max_tokens, cost_usd=self.settings.max_cost_usd), within=self.spent)
        meter = Meter()
        try:
            # The first call of a check, which may be its last.
            with check.within(), spending(budget), concluding(), metered(meter):
                checkability = await reasoner.screen(read)
        except JudgementFailed as error:
            yield self._result(BeliefState(claim=read), checked_at, "error", error=str(error), usage=meter.total)
            return
        if not checkability.is_checkable:
            yield self._result(
                BeliefState(claim=read), checked_at, "not_checkable", checkability=checkability, usage=meter.total
            )
            return
        state = environment.beginning(read, max_steps=self.settings.max_steps)
        left = budget.seconds_left()
        is_slow = read_choice(self.settings.reasoner).has_local_model
        within = self.settings.local_timeout_s if is_slow else self.settings.timeout_s
        end = time.monotonic() + (within if left is None else min(within, left))
        episode = run_episode(state, environment, reasoner, deadline=end)
        try:
            while True:
                # Not around a yield: it would hold for whoever looks on.
                with deadline(end - time.monotonic()), spending(budget), check.within(), metered(meter):
                    event = await anext(episode, None)
                if event is None:
                    return
                if isinstance(event, Step):
                    budget.count_step()
                if isinstance(event, Concluded):
                    yield self._result(
                        state, checked_at, event.stop_reason, judgement=event.judgement, usage=meter.total
                    )
                else:
                    yield event
        except JudgementFailed as error:
            yield self._result(state, checked_at, "error", error=str(error), usage=meter.total)

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[None]:
        """Keep the connections to live sources open until the block ends, for the checks in this event loop."""
        self.open()
        async with self._network.connected() if self._network is not None else nullcontext():
            yield

    def open(self) -> Environment:
        """Open the sources, once. The embedded ones are built where they are missing or out of date.

        Raises:
            NotConfigured: the reasoner or a source cannot be opened; the text says what to do.
        """
        with self._opening:
            if self._environment is None:
                settings = self.settings
                choice = read_choice(settings.reasoner)
                needs_network = (
                    (is_live(settings) and (self._graph is None or self._web is None))
                    or (choice.has_model and self._reasoner is None)
                    or settings.earlier_checks
                )
                self._network = self._open_network() if needs_network else None
                if self._network is not None:
                    self._lookup = open_lookup(settings, self._network.http)
                models = self._network.models if self._network else None
                reasoner = self._reasoner or open_reasoner(settings, choice, models)
                sources = open_sources(  # last, as the embedded stores may have to be built
                    settings,
                    self._network.http if self._network else None,
                    self._building,
                    graph=self._graph,
                    web=self._web,
                )
                self._environment = Environment(
                    graph=sources.graph,
                    web=sources.web,
                    reasoner=reasoner,
                    beam=Beam(
                        hops=settings.hops, width=settings.beam, triples=settings.triples, counting=settings.counting
                    ),
                    passages=settings.passages,
                    allowed_sites=settings.allowed_sites,
                    blocked_sites=settings.blocked_sites,
                    benchmark=settings.benchmark,
                )
            return self._environment

    def _open_network(self) -> "Network":
        from wkgfc.network import Network  # noqa: PLC0415 - and the HTTP libraries with it

        return Network(self.settings, http=self._http, recorder=self._recorder)

    def _result(
        self,
        state: BeliefState,
        checked_at: dt.datetime,
        stop_reason: StopReason,
        *,
        judgement: Judgement | None = None,
        checkability: Checkability | None = None,
        error: str | None = None,
        usage: Usage | None = None,
    ) -> CheckResult:
        environment = self.open()
        return result_of(
            state,
            checked_at,
            stop_reason,
            policy=environment.reasoner.policy,
            sources=_versions(environment),
            judgement=judgement,
            checkability=checkability,
            error=error,
            usage=usage,
        )


def result_of(
    state: BeliefState,
    checked_at: dt.datetime,
    stop_reason: StopReason,
    *,
    policy: str,
    sources: tuple[SourceVersion, ...],
    judgement: Judgement | None = None,
    checkability: Checkability | None = None,
    error: str | None = None,
    usage: Usage | None = None,
) -> CheckResult:
    """What a check returns, from the state that it ended in. Without a ``judgement`` there is no veracity.

    ``usage`` is that of the whole check, where it is more than its steps'.
    """
    seconds: defaultdict[str, float] = defaultdict(float)
    for step in state.steps:
        seconds[step.action.name] += step.seconds
    failures = tuple(
        f"{step.observation.id}: {step.observation.reason}"
        for step in state.steps
        if step.observation.outcome == "failed"
    )
    parts = tuple(f"{step.observation.id}: {failure}" for step in state.steps for failure in step.observation.failures)
    held_back = tuple(f"held_back:{number} {reason}" for reason, number in state.held_back.most_common())
    cited = {c for sentence in judgement.justification for c in sentence.citations} if judgement else set()
    stances = judgement.stances if judgement else {}
    return CheckResult(
        claim=state.claim,
        veracity=judgement.veracity if judgement else None,
        probabilities=judgement.probabilities if judgement else {},
        confidence=judgement.confidence if judgement else None,
        justification=judgement.justification if judgement else (),
        evidence=tuple(
            cited_evidence(
                evidence.model_copy(update={"stance": stances.get(evidence.id, evidence.stance)}),
                used=evidence.id in cited,
            )
            for evidence in state.evidence
        ),
        contradictions=judgement.contradictions if judgement else (),
        flags=tuple(dict.fromkeys((*state.flags, *held_back, *(judgement.flags if judgement else ())))),
        checkability=checkability or Checkability(is_checkable=True),
        stop_reason=stop_reason,
        usage=usage or sum((step.usage for step in state.steps), Usage()),
        seconds={name: round(value, 4) for name, value in seconds.items()},
        errors=(*failures, *parts, *((error,) if error else ())),
        policy=policy,
        sources=sources,
        checked_at=checked_at,
        trajectory=Trajectory(steps=tuple(state.steps)),
        graph=state.evidence.to_record(),
    )


def cited_evidence(evidence: Evidence, *, used: bool) -> CitedEvidence:
    """A piece of evidence as the contract shows it."""
    source = evidence.source
    match evidence.content:
        case Triple() as triple:
            return CitedEvidence(
                id=evidence.id,
                kind="triple",
                text=verbalise(triple),
                source=source.name,
                url=source.url or triple.subject.url,
                title=source.title or triple.subject.label,
                stance=evidence.stance,
                consistency=evidence.consistency,
                corroborated_by=evidence.corroborated_by,
                used=used,
            )
        case Passage() as passage:
            return CitedEvidence(
                id=evidence.id,
                kind="passage",
                text=passage.text,
                source=source.name,
                url=passage.url,
                title=passage.title,
                date=passage.date,
                retrieved_at=passage.retrieved_at,
                stance=evidence.stance,
                consistency=evidence.consistency,
                quote=evidence.quote,
                used=used,
            )


def budget_of_run(settings: Settings) -> Budget:
    """The budget that the settings give a run."""
    return Budget(
        Limits(
            steps=settings.run_max_steps,
            tokens=settings.run_max_tokens,
            cost_usd=settings.run_max_cost_usd,
            seconds=settings.run_timeout_s,
        ),
        whose="run",
    )


def _versions(environment: Environment) -> tuple[SourceVersion, ...]:
    graph, web, reasoner = environment.graph, environment.web, environment.reasoner
    versions = [SourceVersion(role="kg", name=graph.name, version=graph.version)]
    if web is not None:
        versions.append(SourceVersion(role="web", name=web.name, version=web.version))
    return (*versions, SourceVersion(role="reasoner", name=reasoner.name, version=reasoner.policy))


def _run(work: Coroutine[Any, Any, T], cell: "Cell | None" = None) -> T:
    """Run a coroutine to its end, in a thread of its own where this thread's event loop is running.

    This thread then draws the ``cell`` while it waits. An interrupt of it ends the work too.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    outcome: list[T] = []
    failure: list[BaseException] = []
    running: list[tuple[asyncio.AbstractEventLoop, asyncio.Task[Any]]] = []

    async def cancellable() -> T:
        task = asyncio.current_task()
        assert task is not None
        running.append((asyncio.get_running_loop(), task))
        return await work

    def run() -> None:
        try:
            outcome.append(asyncio.run(cancellable()))
        except BaseException as error:
            failure.append(error)

    thread = threading.Thread(target=run, name="wkgfc-check")
    thread.start()
    try:
        while thread.is_alive():
            thread.join(None if cell is None else REDRAWN_S)
            if cell is not None:
                cell.draw()
    except BaseException:
        for loop, task in running:
            with suppress(RuntimeError):  # it has just ended
                loop.call_soon_threadsafe(task.cancel)
        thread.join()
        raise
    if failure:
        raise failure[0]
    return outcome[0]
