"""Measures of the service in Prometheus's format: what waits and runs, what came of checks, how requests fare."""

from collections.abc import Iterator, Mapping
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from starlette.types import Scope

from wkgfc.serve.service import Service

SECONDS = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 30.0, 60.0, 120.0, 600.0)


class Measures:
    """Counts since the start of the service. ``ended`` and ``observed`` are what it listens with."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._checks = Counter("wkgfc_checks", "Checks that ended.", ["state"], registry=self._registry)
        self._verdicts = Counter("wkgfc_verdicts", "Verdicts of checks.", ["veracity"], registry=self._registry)
        self._check_seconds = Histogram(
            "wkgfc_check_seconds", "Seconds of a check that is done.", buckets=SECONDS, registry=self._registry
        )
        self._requests = Counter(
            "wkgfc_requests", "Requests answered.", ["method", "route", "status"], registry=self._registry
        )
        self._request_seconds = Histogram(
            "wkgfc_request_seconds", "Seconds of a request.", ["route"], buckets=SECONDS, registry=self._registry
        )
        self.streams = Gauge("wkgfc_streams", "Streams of events that are open.", registry=self._registry)

    def watch(self, service: Service) -> None:
        """Show what waits and runs in ``service``."""
        self._registry.register(_Standing(service))

    def ended(self, how: str, about: Mapping[str, Any]) -> None:
        """A check has ended."""
        self._checks.labels(how).inc()
        if how == "done":
            self._verdicts.labels(about.get("veracity") or "none").inc()
            if about.get("seconds") is not None:
                self._check_seconds.observe(about["seconds"])

    def observed(self, scope: Scope, status: int, seconds: float) -> None:
        """A request was answered. Of a path only the route counts, so that nobody makes names by asking for them."""
        route = getattr(scope.get("route"), "path", "other")
        method = scope["method"] if scope["method"] in _METHODS else "other"
        self._requests.labels(method, route, str(status)).inc()
        self._request_seconds.labels(route).observe(seconds)

    def page(self) -> bytes:
        """All of them, as Prometheus reads it."""
        return generate_latest(self._registry)


_METHODS = frozenset({"GET", "HEAD", "POST", "DELETE", "OPTIONS"})


class _Standing(Collector):
    """How the service stands at the moment of asking."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def collect(self) -> Iterator[Metric]:
        service = self._service
        yield GaugeMetricFamily("wkgfc_waiting", "Checks that wait.", value=service.waiting)
        yield GaugeMetricFamily("wkgfc_running", "Checks that run.", value=service.running)
        yield GaugeMetricFamily("wkgfc_ready", "Whether the service takes and runs checks.", value=service.is_ready)
