"""One WebSocket to a server: to the address that was named and no other, and within limits.

`websockets` is imported here alone, and this module only where a connection is opened.
"""

from __future__ import annotations

import logging
from typing import Any, Final

from websockets.exceptions import InvalidStatus
from websockets.frames import Frame, Opcode
from websockets.sync.client import ClientConnection, connect

from strongroom.remote.api import SentElsewhere

LARGEST: Final = 2**24
"""How many bytes a message may have: a whole game's view."""
MOST_PARTS: Final = 1024
"""How many parts a message may come in; empty ones would have no limit of their own."""
OPENING: Final = 10
"""How many seconds a server may take to open a connection."""
CLOSING: Final = 1
"""How many seconds a server may take to close one."""

_silent: Final = logging.getLogger("strongroom.remote")
_silent.propagate = False  # what goes wrong is told to the person, not logged onto the page
_silent.addHandler(logging.NullHandler())


class TooManyParts(Exception):
    """A message in more parts than any that a server of ours sends."""


class Channel(ClientConnection):
    """A WebSocket that follows no redirect, and takes no message in endless parts."""

    _parts = 0
    """How many parts have come of a message that has not come whole."""

    def handshake(self, *given: Any, **named: Any) -> None:
        """Open the connection here: a token is for the server that was named, and for no other."""
        try:
            super().handshake(*given, **named)
        except InvalidStatus as refused:
            elsewhere = refused.response.headers.get("Location")
            if elsewhere and 300 <= refused.response.status_code < 400:
                raise SentElsewhere(elsewhere) from None  # else `connect` would go there
            raise

    def process_event(self, event: Any) -> None:
        """Take a frame, unless it is one part too many."""
        if isinstance(event, Frame) and event.opcode in (Opcode.TEXT, Opcode.BINARY, Opcode.CONT):
            self._parts = 0 if event.fin else self._parts + 1
            if self._parts > MOST_PARTS:
                raise TooManyParts
        super().process_event(event)


def opened(address: str) -> ClientConnection:
    """A connection to the WebSocket at an address."""
    return connect(
        address,
        open_timeout=OPENING,
        close_timeout=CLOSING,
        max_size=LARGEST,
        compression=None,  # a few bytes could become a great many
        create_connection=Channel,
        logger=_silent,
    )
