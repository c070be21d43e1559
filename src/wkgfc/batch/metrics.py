"""What a run counts for OpenTelemetry. Where the program around has not set it up, nothing is counted."""

import sys
from typing import Any

from wkgfc.batch.rows import Outcome
from wkgfc.tracing import SCOPE


class RunMetrics:
    """Claims, seconds, dollars and calls of a run, as instruments of OpenTelemetry's meter ``wkgfc``.

    ``wkgfc.batch.claims`` (by state and veracity), ``wkgfc.batch.cost`` (USD), ``wkgfc.batch.calls``,
    ``wkgfc.batch.claim.duration`` (s). Each carries ``wkgfc.run``.
    """

    def __init__(self, run: str) -> None:
        self._run = run
        meter = _meter()
        self._is_on = meter is not None
        if meter is not None:
            self._claims = meter.create_counter("wkgfc.batch.claims", unit="{claim}", description="claims that ended")
            self._cost = meter.create_counter("wkgfc.batch.cost", unit="USD", description="money paid to providers")
            self._calls = meter.create_counter("wkgfc.batch.calls", unit="{call}", description="questions to sources")
            self._duration = meter.create_histogram("wkgfc.batch.claim.duration", unit="s", description="of one check")

    def count(self, outcome: Outcome) -> None:
        """Count a claim that ended."""
        if not self._is_on:
            return
        named = {f"{SCOPE}.run": self._run, f"{SCOPE}.state": outcome.state}
        self._claims.add(1, named | {f"{SCOPE}.veracity": outcome.veracity or "none"})
        self._cost.add(outcome.cost_usd, {f"{SCOPE}.run": self._run})
        self._calls.add(outcome.calls, {f"{SCOPE}.run": self._run})
        self._duration.record(outcome.seconds, named)


def _meter() -> Any:
    """OpenTelemetry's meter, where someone has loaded it; it counts nothing until they have set it up."""
    if "opentelemetry.metrics" not in sys.modules:
        return None
    from opentelemetry import metrics  # noqa: PLC0415 - loaded by others already

    return metrics.get_meter(SCOPE)
