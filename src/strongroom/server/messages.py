"""What a client may say on the WebSocket: typed values, or an error that says what is wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import orjson

from strongroom.contract import shown, shown_value
from strongroom.tokens import is_token

LONGEST_MESSAGE: Final = 4096
"""How many bytes a client's message may have."""
LONGEST_MOVE: Final = 1000
LATEST_NUMBER: Final = 2**31


class WireError(Exception):
    """Something that a client did wrong: a code for programs, a sentence for people."""

    def __init__(self, code: str, text: str, id: str | None = None) -> None:
        super().__init__(code, text)
        self.code = code
        self.text = text
        self.id = id
        """The request that it answers, if that had an id."""


@dataclass(frozen=True, slots=True)
class Hello:
    """The first message: who wants to sit down or to watch, and what they have already."""

    game: str
    token: str | None
    have: int | None
    words: bool
    seed: str | None


@dataclass(frozen=True, slots=True)
class Asked:
    """A request that a repetition does not make twice."""

    id: str


@dataclass(frozen=True, slots=True)
class Moves(Asked):
    """A move, for the place that it expects to take in the journal."""

    number: int
    move: str


@dataclass(frozen=True, slots=True)
class Reads(Asked):
    """Words for the journal's next entry, which are to be read back and not to be made."""

    number: int
    move: str


@dataclass(frozen=True, slots=True)
class WantsHint(Asked):
    """A question for a hint."""

    number: int


@dataclass(frozen=True, slots=True)
class GivesUp(Asked):
    """A resignation."""


@dataclass(frozen=True, slots=True)
class Claims(Asked):
    """The wish to be given the game, because the other is away for so long."""


@dataclass(frozen=True, slots=True)
class Ping:
    """Is anybody there?"""


Message = Hello | Moves | Reads | WantsHint | GivesUp | Claims | Ping
"""Whatever a client may say."""


def parse(text: str | bytes) -> Message:
    """The message in a frame, or an error."""
    try:
        data = orjson.loads(text)
    except ValueError:
        raise _bad("A frame is a JSON object.") from None
    if not isinstance(data, dict):
        raise _bad("A frame is a JSON object.")
    kind = data.get("type")
    reader = READERS.get(kind) if isinstance(kind, str) else None
    if reader is None:
        raise _bad(f"There is no message of type {shown_value(kind)}: {', '.join(READERS)}.")
    return reader(data)


def _bad(text: str, id: str | None = None) -> WireError:
    return WireError("bad-frame", text, id)


def _hello(data: dict[str, Any]) -> Hello:
    token, have, words, seed = map(data.get, ("token", "have", "words", "seed"))
    if have is not None and not _is_number(have, 0):
        raise _bad("have is how many entries you have.")
    if words is not None and type(words) is not bool:
        raise _bad("words is true or false.")
    for name, value in (("token", token), ("seed", seed)):
        if value is not None and not is_token(value):
            raise _bad(f"{name} is 32 hexadecimal digits, in lower case.")
    return Hello(_token(data, "game"), token, have, bool(words), seed)


def _words(data: dict[str, Any], kind: type[Moves] | type[Reads]) -> Moves | Reads:
    id, move = _token(data, "id"), data.get("move")
    if not isinstance(move, str) or len(move) > LONGEST_MOVE:
        raise _bad(f"move is a text of at most {LONGEST_MOVE} characters.", id)
    return kind(id, _number(data, id), move)


def _hint(data: dict[str, Any]) -> WantsHint:
    id = _token(data, "id")
    return WantsHint(id, _number(data, id))


READERS: Final[dict[str, Callable[[dict[str, Any]], Message]]] = {
    "hello": _hello,
    "move": lambda data: _words(data, Moves),
    "read": lambda data: _words(data, Reads),
    "hint": _hint,
    "resign": lambda data: GivesUp(_token(data, "id")),
    "claim": lambda data: Claims(_token(data, "id")),
    "ping": lambda data: Ping(),
}


def _token(data: dict[str, Any], name: str) -> str:
    text = data.get(name)
    if not is_token(text):
        raise _bad(f"{shown(name)} is 32 hexadecimal digits, in lower case.")
    assert isinstance(text, str)
    return text


def _number(data: dict[str, Any], id: str) -> int:
    number = data.get("number")
    if not _is_number(number, 1):
        raise _bad("number is the number that the journal's next entry will have.", id)
    assert isinstance(number, int)
    return number


def _is_number(number: Any, least: int) -> bool:
    return type(number) is int and least <= number < LATEST_NUMBER
