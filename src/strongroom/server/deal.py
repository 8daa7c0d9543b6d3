"""A deal: what is played on a server, on what terms, and who sits where."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from strongroom.contract import Game, Json, Refusal, Seat
from strongroom.registry import load
from strongroom.sitter import PERSON, Sitter

LONGEST_CLOCK: Final = 180
"""How many minutes a clock may give, and how many seconds a move may add."""


@dataclass(frozen=True, slots=True)
class Clock:
    """How long each player may think: so many minutes, and so many seconds more for every move."""

    minutes: float
    increment: float

    def __post_init__(self) -> None:
        for number in (self.minutes, self.increment):
            if type(number) not in (int, float) or not 0 <= number <= LONGEST_CLOCK:
                raise Refusal(f"A clock has 0 to {LONGEST_CLOCK} minutes and seconds a move.")
        if (self.minutes * 60 or self.increment) < 1:  # what is added comes after the first move
            raise Refusal("A clock gives a second at least.")

    def to_json(self) -> Json:
        """The clock as JSON data."""
        return {"minutes": self.minutes, "increment": self.increment}


@dataclass(frozen=True, slots=True)
class Deal:
    """What is played and on what terms."""

    game: Game
    aids: bool = True
    clock: Clock | None = None
    score: tuple[float, float] = (0.0, 0.0)
    """What the players of the two seats have won against each other before."""

    def to_json(self) -> Json:
        """The deal as JSON data."""
        return {
            "game": self.game.name,
            "options": self.game.options.to_json(),
            "aids": self.aids,
            "clock": self.clock and self.clock.to_json(),
            "score": list(self.score),
        }

    @classmethod
    def from_json(cls, data: Any) -> Deal:
        """The deal whose `to_json` gave this data."""
        one, two = data["score"]
        return cls(
            played(data["game"], **data["options"]),
            data["aids"],
            Clock(**data["clock"]) if data["clock"] else None,
            (one, two),
        )


@lru_cache(200, typed=True)
def played(name: str, /, **options: Any) -> Game:
    """A game with its options: the same one for all who play it, for with its words it is large."""
    return load(name, **options)


@dataclass(frozen=True, slots=True)
class Chair:
    """A seat of a game on the server, and who has it."""

    seat: Seat
    name: str | None
    """None: nobody has sat down yet."""
    player: str = PERSON
    token: str | None = None
    """The digest of the token of the person who sits here."""
    seed: str | None = None
    """What this seat gave for the coins."""
    connection: str | None = None
    """The connection that plays for this seat now, if there is one."""
    process: str | None = None
    """The process of the server that has that connection."""
    left_at: float | None = None
    """Since when there is none."""

    @property
    def is_bot(self) -> bool:
        """Whether the server plays for this seat."""
        return self.player != PERSON

    @property
    def sitter(self) -> Sitter:
        """Who sits here, once somebody does."""
        assert self.name is not None
        return Sitter(self.name, self.player)
