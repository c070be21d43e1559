"""What a check spends its time on: a tree of spans, for the screen and for OpenTelemetry.

A span is a step, or a call that one makes: a SPARQL query, a search, a page, a question to a language model. Inside of
``watched`` they are gathered into a tree. Where the program around this one has set up OpenTelemetry they go there too;
where neither is the case, a span is nothing. The calls of language models carry the attributes of OpenTelemetry's
conventions for generative AI (https://opentelemetry.io/docs/specs/semconv/gen-ai/). What was said (claims, queries,
prompts, answers) is in them only where the setting ``trace_content`` wants it.
"""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

SCOPE = "wkgfc"  # the name of the instrumentation, and the beginning of its own attributes' names

Attribute = str | int | float | bool


@dataclass
class Span:
    """Something that took time. ``kind`` is ``check``, ``step``, ``query``, ``search``, ``page``, ``llm`` …"""

    name: str
    kind: str
    attributes: dict[str, Attribute] = field(default_factory=dict)
    seconds: float = 0.0
    failure: str | None = None
    children: "list[Span]" = field(default_factory=list)
    _exported: Any = None

    def set(self, **attributes: Attribute | None) -> None:
        """Note what came of it; ``None`` is nothing to note. ``a__b`` becomes ``a.b``."""
        for name, value in attributes.items():
            if value is not None:
                self.attributes[name.replace("__", ".")] = value
                if self._exported is not None:
                    self._exported.set_attribute(_exported_name(name.replace("__", ".")), value)

    def fail(self, reason: str) -> None:
        """Note that it did not work, and why."""
        self.failure = reason
        if self._exported is not None:
            _mark_failed(self._exported, reason)


_parent: ContextVar[Span | None] = ContextVar("wkgfc_span", default=None)
_content: ContextVar[bool] = ContextVar("wkgfc_trace_content", default=False)


@contextmanager
def watched(name: str) -> Iterator[Span]:
    """Gather the spans of the block, and of the tasks and threads that it starts, below the one that is given."""
    root = Span(name, "check")
    token = _parent.set(root)
    started = time.perf_counter()
    try:
        yield root
    finally:
        root.seconds = time.perf_counter() - started
        _parent.reset(token)


def has_content() -> bool:
    """Whether spans carry what was said."""
    return _content.get()


@contextmanager
def span(name: str, kind: str, *, said: str | None = None, **attributes: Attribute | None) -> Iterator[Span]:
    """A span around the block, which fails with it. ``said`` is text of a user or a page: kept with content alone."""
    parent, tracer = _parent.get(), _tracer()
    if parent is None and tracer is None:
        yield Span(name, kind)
        return
    own = Span(name, kind)
    if tracer is None:
        with _timed(own, parent):
            own.set(said=said if _content.get() else None, **attributes)
            yield own
        return
    with (
        tracer.start_as_current_span(name, record_exception=False, set_status_on_exception=False) as own._exported,
        _timed(own, parent),
    ):
        own.set(kind=kind, said=said if _content.get() else None, **attributes)
        yield own


@contextmanager
def _timed(own: Span, parent: Span | None) -> Iterator[None]:
    if parent is not None:
        parent.children.append(own)
    token = _parent.set(own if parent is not None else None)
    started = time.perf_counter()
    try:
        yield
    except BaseException as error:
        own.fail(type(error).__name__)
        raise
    finally:
        own.seconds = time.perf_counter() - started
        _parent.reset(token)


class Whole:
    """The span of a whole check, which runs in pieces: ``within`` makes it the parent of what a piece of it does.

    ``has_content``: whether it and all spans below carry what was said.
    """

    def __init__(self, name: str, *, said: str, has_content: bool, **attributes: Attribute | None) -> None:
        tracer = _tracer()
        self._has_content = has_content
        self._span = Span(name, "check", _exported=tracer.start_span(name) if tracer is not None else None)
        self._span.set(kind="check" if tracer is not None else None, said=said if has_content else None, **attributes)
        self._gathered_by = _parent.get()
        if self._gathered_by is not None:
            self._gathered_by.children.append(self._span)
        self._started = time.perf_counter()
        self._is_over = False

    @contextmanager
    def within(self) -> Iterator[None]:
        """Spans of the block are below this one."""
        parent = _parent.set(self._span if self._gathered_by is not None else None)
        has_content = _content.set(self._has_content)
        try:
            if self._span._exported is None:
                yield
                return
            from opentelemetry.trace import use_span  # noqa: PLC0415 - loaded by others already

            with use_span(self._span._exported, record_exception=False, set_status_on_exception=False):
                yield
        finally:
            _content.reset(has_content)
            _parent.reset(parent)

    def end(self, *, failure: str | None = None, **attributes: Attribute | None) -> None:
        """It is over. Only the first time counts."""
        if self._is_over:
            return
        self._is_over = True
        self._span.set(**attributes)
        if failure is not None:
            self._span.fail(failure)
        self._span.seconds = time.perf_counter() - self._started
        if self._span._exported is not None:
            self._span._exported.end()


def tracer_provider() -> Any:
    """Where spans go in OpenTelemetry; ``None`` where nobody has set it up, for which they must have loaded it."""
    if "opentelemetry.trace" not in sys.modules:
        return None
    from opentelemetry import trace  # noqa: PLC0415 - loaded by others already

    provider = trace.get_tracer_provider()
    return None if isinstance(provider, trace.ProxyTracerProvider) else provider


def _tracer() -> Any:
    provider = tracer_provider()
    return None if provider is None else provider.get_tracer(SCOPE)


def _exported_name(name: str) -> str:
    """Names of conventions as they are, ours below our own."""
    return name if "." in name else f"{SCOPE}.{name}"


def _mark_failed(exported: Any, reason: str) -> None:
    from opentelemetry.trace import Status, StatusCode  # noqa: PLC0415

    exported.set_status(Status(StatusCode.ERROR, reason))
    exported.set_attribute("error.type", reason.partition(":")[0][:80])
