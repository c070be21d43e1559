"""What a check uses: queries, searches, model calls, money. Whoever uses something counts it where it is used."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from pydantic import BaseModel, ConfigDict


class Usage(BaseModel):
    """What a check, or one step of it, used.

    ``cost_usd`` is money paid to providers, as far as prices are known; ``unpriced_tokens`` are those of models whose
    price is not.
    """

    model_config = ConfigDict(frozen=True, json_schema_serialization_defaults_required=True)

    kg_queries: int = 0
    entity_searches: int = 0
    web_searches: int = 0
    pages: int = 0
    verifier_pairs: int = 0
    llm_calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0
    unpriced_tokens: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(**{name: getattr(self, name) + getattr(other, name) for name in Usage.model_fields})

    def __sub__(self, other: "Usage") -> "Usage":
        return Usage(**{name: getattr(self, name) - getattr(other, name) for name in Usage.model_fields})


class Meter:
    """The running total of one check, or of a part of one, which counts in the whole too."""

    def __init__(self) -> None:
        self._total: dict[str, Any] = {}
        self._around: Meter | None = None

    @property
    def total(self) -> Usage:
        """What was used so far."""
        return Usage(**self._total)

    def add(self, name: str, amount: float) -> None:
        """Add ``amount`` to the quantity ``name`` of ``Usage``."""
        self._total[name] = self._total.get(name, 0) + amount
        if self._around is not None:
            self._around.add(name, amount)


_meter: ContextVar[Meter | None] = ContextVar("wkgfc_meter", default=None)


def count(name: str, amount: float = 1) -> None:
    """Count ``amount`` of the quantity ``name`` of ``Usage`` for the check that runs; without one, nothing happens."""
    meter = _meter.get()
    if meter is not None:
        meter.add(name, amount)


@contextmanager
def metered(meter: Meter | None = None) -> Iterator[Meter]:
    """Count what the block uses, in this task and in the threads and tasks that it starts, with a new ``meter`` or on.

    A block inside of another one counts in both.
    """
    meter = meter or Meter()
    meter._around = _meter.get()
    token = _meter.set(meter)
    try:
        yield meter
    finally:
        _meter.reset(token)
