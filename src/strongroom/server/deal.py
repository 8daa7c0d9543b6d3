"""A deal: what is played on a server, and on what terms."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from strongroom.contract import Game, Json, Refusal
from strongroom.plugins.registry import load

LONGEST_CLOCK: Final = 180
"""The most minutes of a clock, and the most seconds of its increment."""


@dataclass(frozen=True, slots=True)
class TimeControl:
    """A time control: the initial minutes, and the increment in seconds per move."""

    minutes: float
    increment: float

    def __post_init__(self) -> None:
        for number in (self.minutes, self.increment):
            if type(number) not in (int, float) or not 0 <= number <= LONGEST_CLOCK:
                raise Refusal(f"A clock has 0 to {LONGEST_CLOCK} minutes and seconds per move.")
        if (self.minutes * 60 or self.increment) < 1:  # the increment comes after the first move
            raise Refusal("A clock must allow at least one second.")

    def to_json(self) -> Json:
        """The clock as JSON data."""
        return {"minutes": self.minutes, "increment": self.increment}


@dataclass(frozen=True, slots=True)
class Deal:
    """What is played and on what terms."""

    game: Game
    aids: bool = True
    """Whether the players get hints, and a notebook of what is still possible."""
    clock: TimeControl | None = None
    score: tuple[float, float] = (0.0, 0.0)
    """The points of the two seats' players from their earlier games against each other."""

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
            TimeControl(**data["clock"]) if data["clock"] else None,
            (one, two),
        )


@lru_cache(200, typed=True)
def played(name: str, /, **options: Any) -> Game:
    """A game with its options, cached and shared because it is large with its words."""
    return load(name, **options)
