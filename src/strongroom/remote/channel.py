"""One WebSocket to a server: to the named address and no other, and within limits.

Only this module imports `websockets` at module level; it is itself imported only to open a
connection.
"""

from __future__ import annotations

import logging
from typing import Any, Final

from websockets.exceptions import InvalidStatus
from websockets.frames import Frame, Opcode
from websockets.sync.client import ClientConnection, connect

from strongroom.remote.api import LARGEST_ANSWER, SentElsewhere

MOST_FRAGMENTS: Final = 1024
"""The most fragments in a message; empty ones would escape the limit on bytes."""
OPEN_TIMEOUT: Final = 10
"""How long a server may take to open a connection, in seconds."""
CLOSE_TIMEOUT: Final = 1
"""How long a server may take to close one, in seconds."""

_silent: Final = logging.getLogger("strongroom.remote")
_silent.propagate = False  # errors are told to the person, not logged onto the page
_silent.addHandler(logging.NullHandler())


class TooManyFragments(Exception):
    """A message has more fragments than any that a server of ours sends."""


class Channel(ClientConnection):
    """A WebSocket that follows no redirect and limits the fragments of a message."""

    _parts = 0
    """How many fragments of an incomplete message have arrived."""

    def handshake(self, *given: Any, **named: Any) -> None:
        """Open the connection without redirects: a token is for the named server and no other."""
        try:
            super().handshake(*given, **named)
        except InvalidStatus as refused:
            elsewhere = refused.response.headers.get("Location")
            if elsewhere and 300 <= refused.response.status_code < 400:
                raise SentElsewhere(elsewhere) from None  # else `connect` would follow it
            raise

    def process_event(self, event: Any) -> None:
        """Process a frame, unless it is one fragment too many."""
        if isinstance(event, Frame) and event.opcode in (Opcode.TEXT, Opcode.BINARY, Opcode.CONT):
            self._parts = 0 if event.fin else self._parts + 1
            if self._parts > MOST_FRAGMENTS:
                raise TooManyFragments
        super().process_event(event)


def open_channel(address: str) -> ClientConnection:
    """Open a WebSocket connection to an address."""
    return connect(
        address,
        open_timeout=OPEN_TIMEOUT,
        close_timeout=CLOSE_TIMEOUT,
        max_size=LARGEST_ANSWER,
        compression=None,  # a few bytes could expand to a great many
        create_connection=Channel,
        logger=_silent,
    )
