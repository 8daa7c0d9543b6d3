"""Links: how a game on a server is named, joined, continued and watched.

The secrets of a link come after its `#`, a part that no browser sends and no server logs.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final
from urllib.parse import urlsplit

from strongroom.contract import Refusal, quote
from strongroom.referee.randomness import is_token

LONGEST: Final = 2000
"""The most characters in the address of a server."""
LIKE: Final = "For example: 'https://duels.example/#join/0123…/4567…', all of it, in quotes."
SERVER: Final = "For example: https://duels.example or http://127.0.0.1:8000"


class LinkKind(Enum):
    """What a link allows."""

    JOIN = "join"
    """To take the seat opposite the sender."""
    PLAY = "play"
    """To continue in one's own seat; whoever has the link is that player."""
    WATCH = "watch"


@dataclass(frozen=True, slots=True)
class Link:
    """A link to a game on a server."""

    base: str
    """The address of the server, without a trailing slash."""
    kind: LinkKind
    game: str
    """The game's id."""
    token: str | None = None
    """The invitation, or the token of a seat; None for spectators."""

    def __str__(self) -> str:
        rest = () if self.token is None else (self.token,)
        return f"{self.base}/#{'/'.join((self.kind.value, self.game, *rest))}"

    @classmethod
    def parse(cls, text: str) -> Link:
        """The link in a text, or a refusal that says what is wrong with it.

        >>> text = "http://127.0.0.1:8000/#watch/00112233445566778899aabbccddeeff"
        >>> Link.parse(text).kind, str(Link.parse(text)) == text
        (<LinkKind.WATCH: 'watch'>, True)
        """
        before, mark, fragment = text.strip().partition("#")
        if not mark:
            if "://" not in before:
                raise Refusal(f"{quote(text, 60)} is not a link to a game.", LIKE)
            address(before)
            raise Refusal(f"{quote(text, 60)} names no game: nothing follows a #.", LIKE)
        base = address(before)
        name, *tokens = fragment.strip("/").split("/")
        kind = next((each for each in LinkKind if each.value == name), None)
        if kind is None:
            raise Refusal(f"{quote(name)} is not a kind of link.", "Use join, play or watch.")
        if len(tokens) != (1 if kind is LinkKind.WATCH else 2):
            raise Refusal("The link is incomplete, or has a part too many.", LIKE)
        for token in tokens:
            if not is_token(token):
                raise Refusal("The link is damaged: its parts have 32 digits and letters.", LIKE)
        return cls(base, kind, *tokens)


def address(text: str) -> str:
    """The address of a server as a person typed it, without a trailing slash; or a refusal.

    >>> address("http://127.0.0.1:8000/")
    'http://127.0.0.1:8000'
    """
    text = text.strip()
    try:
        parts = urlsplit(text)
        name, _ = parts.hostname, parts.port
    except ValueError:
        raise Refusal(f"{quote(text, 60)} is not an address.", SERVER) from None
    if parts.scheme not in ("http", "https") or not name or len(text) > LONGEST:
        raise Refusal(f"{quote(text, 60)} is not the address of a server.", SERVER)
    if not text.isascii() or not text.isprintable() or " " in text:
        raise Refusal("An address has only printable ASCII characters and no blanks.", SERVER)
    if parts.username is not None or parts.query or parts.fragment:
        raise Refusal("An address has no password, no ? and no #.", SERVER)
    return text.rstrip("/")


def websocket(base: str) -> str:
    """The address of a server's WebSocket.

    >>> websocket("https://duels.example/games")
    'wss://duels.example/games/ws'
    """
    return f"ws{base.removeprefix('http')}/ws"
