"""The public information about a game on a server: who is seated, and on what terms."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from strongroom.contract import Game, Json, Refusal, Seat
from strongroom.contract.moves import seat_of
from strongroom.contract.rules import listed, parts
from strongroom.plugins.registry import load
from strongroom.referee.randomness import Coins, is_token
from strongroom.referee.record import Sitter


@contextmanager
def understood() -> Iterator[None]:
    """Turn any error in the data that a server sent into a refusal."""
    try:
        yield
    except Refusal:
        raise
    except (LookupError, TypeError, ValueError, AttributeError, OverflowError):
        told = "The server's answer is not understood."
        raise Refusal(told, "Check that it is a strongroom server of this version.") from None


@dataclass(frozen=True, slots=True)
class SeatInfo:
    """A seat that somebody has taken."""

    sitter: Sitter
    """Who sits there."""
    here: bool
    """Whether that player is connected now."""


@dataclass(frozen=True, slots=True)
class GameInfo:
    """A game on a server, without any of its moves."""

    id: str
    game: Game
    """The game being played."""
    state: str
    """`waiting`, `playing`, `over` or `withdrawn`."""
    seats: tuple[SeatInfo | None, SeatInfo | None]
    """Who sits in each seat; None if it is free."""
    aids: bool
    """Whether the players get hints, and a notebook of what is still possible."""
    watch: bool
    """Whether spectators are allowed."""
    coins: Coins
    """The source of the coins, as far as it is published."""
    score: tuple[float, float]
    """The points of each seat's player from earlier games between the two."""
    claim_after: float
    """How long a player may be away before the opponent may claim the game, in seconds."""
    rematch: str | None
    """The id of the game that follows this one, once a player has asked for it."""

    @classmethod
    @understood()
    def from_json(cls, data: Any) -> GameInfo:
        """The information from a server's data; a refusal if it is not understood here."""
        name, options, seats, coins, score = parts(
            data, "game", "options", "seats", "coins", "score"
        )
        id, state, claim_after = parts(data, "id", "state", "claim_after")
        rematch = data.get("rematch")
        if not all(map(is_token, (id,) if rematch is None else (id, rematch))):
            raise ValueError("that is no id")
        (first, second), (one, two) = listed(seats), listed(score)
        return cls(
            id,
            load(name, **options),
            state,
            (_seat(first), _seat(second)),
            bool(data.get("aids")),
            bool(data.get("watch")),
            Coins.from_json(coins),
            (float(one), float(two)),
            float(claim_after),
            rematch,
        )

    @property
    def sitters(self) -> list[Sitter | None]:
        """Who sits in each seat; None if it is free."""
        return [None if seat is None else seat.sitter for seat in self.seats]

    def name(self, seat: Seat) -> str | None:
        """The name of the player in a seat; None if it is free."""
        taken = self.seats[seat.index]
        return None if taken is None else taken.sitter.name


@understood()
def seated(answer: Json) -> tuple[GameInfo, Seat]:
    """The game that a server created or let somebody join, and which seat they have."""
    game, seat = parts(answer, "game", "seat")
    return GameInfo.from_json(game), seat_of(seat)


def _seat(data: Any) -> SeatInfo | None:
    if data is None:
        return None
    name, player, here = parts(data, "name", "player", "here")
    return SeatInfo(Sitter(name, player), bool(here))
