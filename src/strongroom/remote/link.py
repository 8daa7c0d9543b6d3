"""Links: how a game on a server is named, joined, gone on with and watched.

What is secret in a link stands behind its `#`, which no browser sends and no server logs.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final
from urllib.parse import urlsplit

from strongroom.contract import Refusal, shown
from strongroom.tokens import is_token

LONGEST: Final = 2000
"""How many characters a link may have."""
LIKE: Final = "Like: 'https://duels.example/#join/0123…/4567…', all of it, between quotes."
SERVER: Final = "Like: https://duels.example or http://127.0.0.1:8000"


class Kind(Enum):
    """What a link is good for."""

    JOIN = "join"
    """To sit down opposite whoever sent it."""
    PLAY = "play"
    """To go on in one's own seat; whoever has it is that player."""
    WATCH = "watch"


@dataclass(frozen=True, slots=True)
class Link:
    """A link to a game on a server."""

    base: str
    """The address of the server, without a slash at its end."""
    kind: Kind
    game: str
    """The game's id."""
    token: str | None = None
    """The invitation, or the token of a seat; nothing, to watch."""

    def __str__(self) -> str:
        rest = () if self.token is None else (self.token,)
        return f"{self.base}/#{'/'.join((self.kind.value, self.game, *rest))}"

    @classmethod
    def parse(cls, text: str) -> Link:
        """The link in a text, or a refusal that says what is wrong with it.

        >>> text = "http://127.0.0.1:8000/#watch/00112233445566778899aabbccddeeff"
        >>> Link.parse(text).kind, str(Link.parse(text)) == text
        (<Kind.WATCH: 'watch'>, True)
        """
        before, mark, fragment = text.strip().partition("#")
        if not mark:
            if "://" not in before:
                raise Refusal(f"{shown(text, 60)} is no link to a game.", LIKE)
            address(before)
            raise Refusal(f"{shown(text, 60)} names no game: nothing stands behind a #.", LIKE)
        base = address(before)
        name, *tokens = fragment.strip("/").split("/")
        kind = next((each for each in Kind if each.value == name), None)
        if kind is None:
            raise Refusal(f"{shown(name)} is no kind of link.", "There are: join, play, watch.")
        if len(tokens) != (1 if kind is Kind.WATCH else 2):
            raise Refusal("The link is not whole: a part of it is missing, or too much.", LIKE)
        for token in tokens:
            if not is_token(token):
                raise Refusal("The link is not whole: its parts have 32 digits and letters.", LIKE)
        return cls(base, kind, *tokens)


def address(text: str) -> str:
    """The address of a server as a person typed it, without a slash at its end; or a refusal.

    >>> address("http://127.0.0.1:8000/")
    'http://127.0.0.1:8000'
    """
    text = text.strip()
    try:
        parts = urlsplit(text)
        name, _ = parts.hostname, parts.port
    except ValueError:
        raise Refusal(f"{shown(text, 60)} is no address.", SERVER) from None
    if parts.scheme not in ("http", "https") or not name or len(text) > LONGEST:
        raise Refusal(f"{shown(text, 60)} is no address of a server.", SERVER)
    if not text.isascii() or not text.isprintable() or " " in text:
        raise Refusal("An address has no blanks and no odd characters.", SERVER)
    if parts.username is not None or parts.query or parts.fragment:
        raise Refusal("An address has no password, no ? and no # in it.", SERVER)
    return text.rstrip("/")


def websocket(base: str) -> str:
    """Where the messages of a server's games go.

    >>> websocket("https://duels.example/games")
    'wss://duels.example/games/ws'
    """
    return f"ws{base.removeprefix('http')}/ws"
