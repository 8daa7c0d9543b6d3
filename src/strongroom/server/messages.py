"""What clients send: messages on the WebSocket and bodies of HTTP requests, as typed values.

The documentation of the API is generated from the bodies of requests and responses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

import orjson
from pydantic import BaseModel, ConfigDict, Field

from strongroom.contract import quote, shown_value
from strongroom.referee.randomness import TOKEN_FORM, is_token
from strongroom.referee.record import LONGEST_NAME
from strongroom.server.clocks import LONGEST_CLOCK

LONGEST_MOVE: Final = 1000
"""The most characters of a move."""
LATEST_NUMBER: Final = 2**31
PHRASES: Final = (
    *("Good one", "Well played", "Again?", "Thank you", "One moment", "I have to go"),
)
"""What players can say to each other, by its number; there is no free text."""


@dataclass(eq=False)
class WireError(Exception):
    """An error to tell a client: a code for programs, a sentence for people."""

    code: str
    text: str
    id: str | None = None
    """The id of the request that it answers, if there was one."""


@dataclass(frozen=True, slots=True)
class Hello:
    """The first message: who wants to play or watch, and how many entries they already have."""

    game: str
    token: str | None
    have: int | None
    words: bool | None
    seed: str | None


@dataclass(frozen=True, slots=True)
class PlayerRequest:
    """An idempotent request: repeating it with the same id has no further effect."""

    id: str


@dataclass(frozen=True, slots=True)
class NumberedRequest(PlayerRequest):
    """A request that is about the journal's next entry, and says which number that has."""

    number: int


@dataclass(frozen=True, slots=True)
class MoveRequest(NumberedRequest):
    """A move."""

    move: str


@dataclass(frozen=True, slots=True)
class ReadRequest(NumberedRequest):
    """A move in words, to be parsed and read back but not made."""

    move: str


@dataclass(frozen=True, slots=True)
class HintRequest(NumberedRequest):
    """A request for a hint."""


@dataclass(frozen=True, slots=True)
class ResignRequest(PlayerRequest):
    """A resignation."""


@dataclass(frozen=True, slots=True)
class ClaimRequest(PlayerRequest):
    """A claim to win the game because the opponent has been away for too long."""


@dataclass(frozen=True, slots=True)
class PhraseRequest(PlayerRequest):
    """One of the phrases, to be said to everybody at the table; nothing of it is stored."""

    phrase: int


@dataclass(frozen=True, slots=True)
class Ping:
    """A ping, answered with the server time."""


Message = (
    Hello
    | MoveRequest
    | ReadRequest
    | HintRequest
    | ResignRequest
    | ClaimRequest
    | PhraseRequest
    | Ping
)
"""Any message that a client may send."""


def parse(text: str | bytes) -> Message:
    """The message in a frame, or an error."""
    try:
        data = orjson.loads(text)
    except ValueError:
        raise _bad("A frame must be a JSON object.") from None
    if not isinstance(data, dict):
        raise _bad("A frame must be a JSON object.")
    type = data.get("type")
    kind = MESSAGES.get(type) if isinstance(type, str) else None
    if kind is None:
        raise _bad(f"There is no message {shown_value(type)}. Choose from: {', '.join(MESSAGES)}.")
    found: dict[str, Any] = {}
    for name in kind.__match_args__:
        value, (accepts, text) = data.get(name), PARTS[name]
        if not accepts(value):
            raise _bad(text, found.get("id"))
        found[name] = value
    message: Message = kind(**found)
    return message


def _bad(text: str, id: str | None = None) -> WireError:
    return WireError("bad-frame", text, id)


def _is_number(number: Any, least: int) -> bool:
    return type(number) is int and least <= number < LATEST_NUMBER


MESSAGES: Final[dict[str, Any]] = {
    "hello": Hello,
    "move": MoveRequest,
    "read": ReadRequest,
    "hint": HintRequest,
    "resign": ResignRequest,
    "claim": ClaimRequest,
    "phrase": PhraseRequest,
    "ping": Ping,
}
"""The messages by their type."""
A_TOKEN: Final = "must be 32 lower-case hexadecimal digits."
PARTS: Final[dict[str, tuple[Callable[[Any], bool], str]]] = {
    "game": (is_token, f"{quote('game')} {A_TOKEN}"),
    "id": (is_token, f"{quote('id')} {A_TOKEN}"),
    "token": (lambda token: token is None or is_token(token), f"token {A_TOKEN}"),
    "seed": (lambda seed: seed is None or is_token(seed), f"seed {A_TOKEN}"),
    "have": (
        lambda have: have is None or _is_number(have, 0),
        "have must be the number of entries that you have.",
    ),
    "words": (lambda words: words is None or type(words) is bool, "words must be true or false."),
    "number": (
        lambda number: _is_number(number, 1),
        "number must be the number of the journal's next entry.",
    ),
    "move": (
        lambda move: isinstance(move, str) and len(move) <= LONGEST_MOVE,
        f"move must be a text of at most {LONGEST_MOVE} characters.",
    ),
    "phrase": (
        lambda phrase: type(phrase) is int and 0 <= phrase < len(PHRASES),
        f"phrase must be a number from 0 to {len(PHRASES) - 1}.",
    ),
}
"""What each part of a message has to be, and how a refusal says it."""


# --- HTTP bodies ---

TOKEN: Final = f"^{TOKEN_FORM}$"
DAY: Final = "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
MEANING: Final = {TOKEN: "32 hexadecimal digits", DAY: "a date like 2026-11-16"}
"""What a text has to be that has to match a pattern."""

Token = Annotated[str, Field(pattern=TOKEN, description=MEANING[TOKEN])]
Name = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME, examples=["Ada"])]


class Form(BaseModel):
    """A request's body: values are not converted, and unknown fields are refused."""

    model_config = ConfigDict(extra="forbid", strict=True)


class ClockForm(Form):
    """How long each player may think."""

    minutes: float = Field(ge=0, le=LONGEST_CLOCK)
    increment: float = Field(ge=0, le=LONGEST_CLOCK, description="seconds added per move")


class Position(Form):
    """A moment of a finished game, from which another game goes on."""

    game: Token = Field(description="the id of one's own finished game")
    step: int = Field(ge=1, lt=LATEST_NUMBER, description="the number of one's own step, made anew")


class NewGame(Form):
    """What is to be played, and against whom."""

    game: str = Field(max_length=60, examples=["safe-code"])
    options: dict[str, int | bool | None] = Field(default_factory=dict, max_length=20)
    aids: bool | None = Field(
        None, description="whether there are hints and a notebook; by default only against a bot"
    )
    watch: bool = Field(True, description="whether spectators are allowed")
    clock: ClockForm | None = None
    opponent: str = Field(
        "link", max_length=60, description="`link`, `lobby`, or the name of a bot"
    )
    seat: Literal["1", "2", "toss"] = "1"
    name: Name
    token: Token = Field(description="chosen by the client; opens its seat from now on")
    invitation: Token | None = Field(None, description="opens the other seat of a `link` game")
    position: Position | None = Field(
        None,
        description="against a bot: go on from here in the same seat, with the same options; what "
        "the other player hid is drawn anew",
    )


class Joining(Form):
    """Who sits down."""

    name: Name
    token: Token = Field(description="chosen by the client; opens its seat from now on")
    invitation: Token | None = None


class Again(Form):
    """Who plays again."""

    token: Token = Field(description="chosen by the client; opens its seat in the new game")


class Seated(BaseModel):
    """A game, and one's own seat in it."""

    game: dict[str, Any]
    seat: Literal[1, 2]


class OneGame(BaseModel):
    """A game."""

    game: dict[str, Any]


class SomeGames(BaseModel):
    """Some games, newest first."""

    games: list[dict[str, Any]]


class Rules(BaseModel):
    """The rules of a game."""

    title: str
    html: str


class Trouble(BaseModel):
    """Why a request was not granted: a code for programs, a sentence for people."""

    error: str
    text: str


def describe_fault(error: Mapping[str, Any]) -> str:
    """One sentence about the first fault that was found in a request, and what is accepted."""
    if error["type"] == "json_invalid":
        return "The body is not JSON."
    _, *place = map(str, error["loc"])  # after the part of the request: body, query or path
    if error["type"] == "string_pattern_mismatch":
        return f"{'.'.join(place)} has to be {MEANING[error['ctx']['pattern']]}."
    return f"{'.'.join(place) or 'body'}: {error['msg']}."
