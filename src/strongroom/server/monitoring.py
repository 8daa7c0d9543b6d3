"""Logs and metrics for the operator.

A log has one JSON object per line, or a short line on a terminal. Only the fields that `log` names
can be logged, so no secret, token, nonce, seed or move ever is.
"""

from __future__ import annotations

import json
import logging
import sys
import time
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from strongroom.server.limits import Bucket
from strongroom.server.settings import DEFAULTS, Settings
from strongroom.text.quoting import printable

LOGGER: Final = logging.getLogger("strongroom.server")
LOWEST_LEVELS: Final = {
    "strongroom.server": logging.INFO,
    "uvicorn.error": logging.ERROR,  # else a line for every bad request
    "asyncio": logging.ERROR,
    "psycopg": logging.ERROR,  # whoever uses a lost connection reports it
}
"""The loggers, and their lowest levels."""


class _ErrorLimit(logging.Filter):
    """Limits the rate of errors: what fails for everybody, or on purpose, fails many times."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._bucket = Bucket(settings.errors_a_second)
        self._left_out = 0

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a record is logged; the next one that is says how many were not."""
        if record.levelno < logging.ERROR:
            return True
        if not self._bucket.takes():
            self._left_out += 1
            return False
        record.left_out, self._left_out = self._left_out, 0
        return True


class _JsonLines(logging.Formatter):
    """For programs: one JSON object per line."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._longest = settings.longest_log_text

    def format(self, record: logging.LogRecord) -> str:
        at = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        line = {"at": f"{at}.{int(record.msecs):03}Z", "level": record.levelname.lower()}
        return json.dumps(line | self.fields(record))

    def fields(self, record: logging.LogRecord) -> dict[str, object]:
        """The fields of an event that may be logged."""
        parts = getattr(record, "parts", None) or {
            "event": "library",
            "text": record.getMessage().partition("\n")[0],
        }
        if record.exc_info and record.exc_info[0] is not None:
            # Only the type and the place; a message could quote what somebody sent.
            parts = {**parts, "error": record.exc_info[0].__name__, "where": _where(record)}
        if left_out := getattr(record, "left_out", 0):
            parts = {**parts, "left_out": left_out}
        return {
            name: printable(text[: self._longest]) if isinstance(text, str) else text
            for name, text in parts.items()
        }


class _TerminalLines(_JsonLines):
    """For people: the time, the level, and what happened."""

    def format(self, record: logging.LogRecord) -> str:
        at = time.strftime("%H:%M:%S", time.localtime(record.created))
        return " ".join(map(str, (at, record.levelname.lower(), *self.fields(record).values())))


def _where(record: logging.LogRecord) -> str:
    assert record.exc_info is not None
    trace = record.exc_info[2]
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return "?"
    return f"{trace.tb_frame.f_globals.get('__name__', '?')}:{trace.tb_lineno}"


def log(
    event: str,
    *,
    game: str | None = None,
    code: str | None = None,
    text: str | None = None,
    count: int | None = None,
    level: int | None = None,
    failed: bool | BaseException = False,
) -> None:
    """Log an event, with only the start of a game's id; `failed` adds where an error came from."""
    parts = {"event": event, "game": game and game[:8], "code": code, "text": text, "count": count}
    if level is None:
        level = logging.ERROR if failed else logging.INFO
    given = {name: value for name, value in parts.items() if value is not None}
    LOGGER.log(level, event, extra={"parts": given}, exc_info=failed)


def set_up_logging(level: int = logging.INFO, settings: Settings = DEFAULTS) -> None:
    """Let the server and its libraries log to standard error, one line per event."""
    handler = logging.StreamHandler(sys.stderr)
    handler.addFilter(_ErrorLimit(settings))
    handler.setFormatter((_TerminalLines if sys.stderr.isatty() else _JsonLines)(settings))
    for name, least in LOWEST_LEVELS.items():
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(level if logger is LOGGER else least)


STORE_SECONDS: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 5.0)


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
            buckets=STORE_SECONDS,
            registry=registry,
        )

    def page(self) -> bytes:
        """All metrics, in Prometheus's text format."""
        return generate_latest(self._registry)
