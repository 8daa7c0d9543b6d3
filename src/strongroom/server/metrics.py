"""Figures for Prometheus, for whoever runs the server alone."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 5.0)


class Metrics:
    """The figures of one process."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self.connections = Gauge(
            "strongroom_connections", "Open WebSockets.", registry=self._registry
        )
        self.tables = Gauge(
            "strongroom_tables", "Games with somebody at them.", registry=self._registry
        )
        self.games = Counter(
            "strongroom_games", "Games that were made.", ["game"], registry=self._registry
        )
        self.refused = Counter(
            "strongroom_requests_refused", "Moves that were refused.", registry=self._registry
        )
        self.errors = Counter(
            "strongroom_errors", "Errors told to clients.", ["code"], registry=self._registry
        )
        self.seconds = Histogram(
            "strongroom_store_seconds",
            "From a request until it was stored.",
            buckets=SECONDS,
            registry=self._registry,
        )

    def page(self) -> bytes:
        """All of them, in Prometheus's text form."""
        return generate_latest(self._registry)
