"""Logs: one JSON object per line, or a short line on a terminal; all fields are named here.

Nothing else can be logged, so no secret, token, nonce, seed or move ever is.
"""

from __future__ import annotations

import json
import logging
import sys
import time
from typing import Final

from strongroom.server.limits import Bucket
from strongroom.text.quoting import printable

LOGGER: Final = logging.getLogger("strongroom.server")
LONGEST: Final = 300
ERRORS_A_SECOND: Final = 5.0
"""How many errors are logged a second in the long run, with room for a burst."""
LEAST: Final = {
    "strongroom.server": logging.INFO,
    "uvicorn.error": logging.ERROR,  # else a line for every bad request
    "asyncio": logging.ERROR,
    "psycopg": logging.ERROR,  # whoever uses a lost connection reports it
}
"""The loggers, and their lowest levels."""


class _Few(logging.Filter):
    """Limits the rate of errors: what fails for everybody, or on purpose, fails many times."""

    def __init__(self) -> None:
        super().__init__()
        self._bucket = Bucket(ERRORS_A_SECOND)
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


class _Objects(logging.Formatter):
    """For programs: one JSON object per line."""

    def format(self, record: logging.LogRecord) -> str:
        at = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        line = {"at": f"{at}.{int(record.msecs):03}Z", "level": record.levelname.lower()}
        return json.dumps(line | self.told(record))

    def told(self, record: logging.LogRecord) -> dict[str, object]:
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
            name: printable(text[:LONGEST]) if isinstance(text, str) else text
            for name, text in parts.items()
        }


class _Lines(_Objects):
    """For people: the time, the level, and what happened."""

    def format(self, record: logging.LogRecord) -> str:
        at = time.strftime("%H:%M:%S", time.localtime(record.created))
        return " ".join(map(str, (at, record.levelname.lower(), *self.told(record).values())))


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


LATELY: Final = 8.0
"""How many seconds ago the server's last own write may be."""


class Outage:
    """Whether the database is lost; logged once when it is, and once when it is back."""

    def __init__(self) -> None:
        self._lost = False
        self._stored = time.monotonic()

    @property
    def has_stored_lately(self) -> bool:
        """Whether the database works, and the last write was stored recently."""
        return not self._lost and time.monotonic() - self._stored < LATELY

    def begins(self, trouble: Exception) -> None:
        """Note that the database could not be used."""
        if not self._lost:
            self._lost = True
            log("database", text=str(trouble), level=logging.WARNING)

    def ends(self) -> None:
        """Note that the database has stored something."""
        self._stored = time.monotonic()
        if self._lost:
            self._lost = False
            log("database", text="The database is back.")


def set_up(level: int = logging.INFO) -> None:
    """Let the server and its libraries log to standard error, one line per event."""
    handler = logging.StreamHandler(sys.stderr)
    handler.addFilter(_Few())
    handler.setFormatter(_Lines() if sys.stderr.isatty() else _Objects())
    for name, least in LEAST.items():
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(level if logger is LOGGER else least)
