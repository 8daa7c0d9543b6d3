"""Logs: a JSON object a line, or on a terminal a short line, of which every part is named here.

What is not named cannot be logged, so no secret, token, nonce, seed or move ever is.
"""

from __future__ import annotations

import json
import logging
import sys
import time
from typing import Final

from strongroom.quoting import printable
from strongroom.server.limits import Bucket

LOGGER: Final = logging.getLogger("strongroom.server")
LONGEST: Final = 300
ERRORS_A_SECOND: Final = 5.0
"""How many errors are written a second, and some more at once."""
LEAST: Final = {
    "strongroom.server": logging.INFO,
    "uvicorn.error": logging.ERROR,  # else a line for every bad request of anybody
    "asyncio": logging.ERROR,
    "psycopg": logging.ERROR,  # that a connection is lost is told by who used it
}
"""Who logs, and how bad it has to be."""


class _Few(logging.Filter):
    """Lets few errors through: what fails for everybody, or what somebody makes fail, is many."""

    def __init__(self) -> None:
        super().__init__()
        self._bucket = Bucket(ERRORS_A_SECOND)
        self._left_out = 0

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether this is written; the next one that is says how many were not."""
        if record.levelno < logging.ERROR:
            return True
        if not self._bucket.takes():
            self._left_out += 1
            return False
        record.left_out, self._left_out = self._left_out, 0
        return True


class _Objects(logging.Formatter):
    """For programs: an object a line."""

    def format(self, record: logging.LogRecord) -> str:
        at = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        line = {"at": f"{at}.{int(record.msecs):03}Z", "level": record.levelname.lower()}
        return json.dumps(line | self.told(record))

    def told(self, record: logging.LogRecord) -> dict[str, object]:
        """What may be said of an event."""
        parts = getattr(record, "parts", None) or {
            "event": "library",
            "text": record.getMessage().partition("\n")[0],
        }
        if record.exc_info and record.exc_info[0] is not None:
            # The kind and the place; a message could quote what somebody sent.
            parts = {**parts, "error": record.exc_info[0].__name__, "where": _where(record)}
        if left_out := getattr(record, "left_out", 0):
            parts = {**parts, "left_out": left_out}
        return {
            name: printable(text[:LONGEST]) if isinstance(text, str) else text
            for name, text in parts.items()
        }


class _Lines(_Objects):
    """For somebody who looks on: the time, how bad it is, and what happened."""

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
    """Log an event; of a game the beginning of its id. `failed` adds where an error came from."""
    parts = {"event": event, "game": game and game[:8], "code": code, "text": text, "count": count}
    if level is None:
        level = logging.ERROR if failed else logging.INFO
    kept = {name: value for name, value in parts.items() if value is not None}
    LOGGER.log(level, event, extra={"parts": kept}, exc_info=failed)


LATELY: Final = 8.0
"""How many seconds ago the last write may be that the server makes by itself."""


class Outage:
    """Whether the database is lost, which is logged once, and once more when it is back."""

    def __init__(self) -> None:
        self._lost = False
        self._stored = time.monotonic()

    @property
    def has_stored_lately(self) -> bool:
        """Whether the last write was stored, and that was not long ago."""
        return not self._lost and time.monotonic() - self._stored < LATELY

    def begins(self, trouble: Exception) -> None:
        """The database could not be used."""
        if not self._lost:
            self._lost = True
            log("database", text=str(trouble), level=logging.WARNING)

    def ends(self) -> None:
        """The database has stored something."""
        self._stored = time.monotonic()
        if self._lost:
            self._lost = False
            log("database", text="The database answers again.")


def set_up(level: int = logging.INFO) -> None:
    """Let the server and its libraries log to standard error, a line an event."""
    handler = logging.StreamHandler(sys.stderr)
    handler.addFilter(_Few())
    handler.setFormatter(_Lines() if sys.stderr.isatty() else _Objects())
    for name, least in LEAST.items():
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(level if logger is LOGGER else least)
