"""Metrics for Prometheus, meant only for the server's operator."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 5.0)


class Metrics:
    """The metrics of one process."""

    def __init__(self) -> None:
        registry = self._registry = CollectorRegistry()
        self.connections = Gauge("strongroom_connections", "Open WebSockets.", registry=registry)
        self.tables = Gauge(
            "strongroom_tables", "Games with somebody connected.", registry=registry
        )
        self.games = Counter("strongroom_games", "Games created.", ["game"], registry=registry)
        self.refused = Counter("strongroom_requests_refused", "Moves refused.", registry=registry)
        self.errors = Counter(
            "strongroom_errors", "Errors sent to clients.", ["code"], registry=registry
        )
        self.seconds = Histogram(
            "strongroom_store_seconds",
            "Time from a request until it is stored.",
            buckets=SECONDS,
            registry=registry,
        )

    def page(self) -> bytes:
        """All metrics, in Prometheus's text format."""
        return generate_latest(self._registry)
