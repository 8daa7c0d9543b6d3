"""The HTTP request and response bodies, from which the API documentation is generated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from strongroom.referee.randomness import TOKEN_FORM

TOKEN: Final = f"^{TOKEN_FORM}$"
DAY: Final = "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
MEANING: Final = {TOKEN: "32 hexadecimal digits", DAY: "a date like 2026-11-16"}
"""What a text has to be that has to match a pattern."""

Token = Annotated[str, Field(pattern=TOKEN, description=MEANING[TOKEN])]
Name = Annotated[str, Field(min_length=1, max_length=24, examples=["Ada"])]


class Form(BaseModel):
    """A request's body: values are not converted, and unknown fields are refused."""

    model_config = ConfigDict(extra="forbid", strict=True)


class ClockForm(Form):
    """How long each player may think."""

    minutes: float = Field(ge=0, le=180)
    increment: float = Field(ge=0, le=180, description="seconds added per move")


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


def fault(error: Mapping[str, Any]) -> str:
    """One sentence about the first fault that was found in a request, and what is accepted."""
    if error["type"] == "json_invalid":
        return "The body is not JSON."
    _, *place = map(str, error["loc"])  # after the part of the request: body, query or path
    if error["type"] == "string_pattern_mismatch":
        return f"{'.'.join(place)} has to be {MEANING[error['ctx']['pattern']]}."
    return f"{'.'.join(place) or 'body'}: {error['msg']}."
