"""How a game on a server stands, as everybody is told: who sits there, and on what terms."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from strongroom.coins import Coins
from strongroom.contract import Game, Json, Refusal, Seat
from strongroom.contract.rules import listed, parts
from strongroom.contract.seat import seat_of
from strongroom.registry import load
from strongroom.sitter import Sitter
from strongroom.tokens import is_token


@contextmanager
def understood() -> Iterator[None]:
    """Within this, whatever is wrong with what a server sent becomes a refusal."""
    try:
        yield
    except Refusal:
        raise
    except (LookupError, TypeError, ValueError, AttributeError, OverflowError):
        told = "What the server sends is not understood here."
        raise Refusal(told, "Is it a strongroom server of this version?") from None


@dataclass(frozen=True, slots=True)
class Chair:
    """A seat that somebody has taken."""

    sitter: Sitter
    """Who sits there."""
    here: bool
    """Whether that player is connected now."""


@dataclass(frozen=True, slots=True)
class Info:
    """A game on a server, without anything that is played."""

    id: str
    game: Game
    """What is played."""
    state: str
    """`waiting`, `playing`, `over` or `withdrawn`."""
    chairs: tuple[Chair | None, Chair | None]
    """Who sits where; None: nobody yet."""
    aids: bool
    watch: bool
    """Whether anybody may watch it."""
    coins: Coins
    """What the coins come from, as far as it is published."""
    score: tuple[float, float]
    """What the players of the seats had won against each other before."""
    claim_after: float
    """How many seconds a player may be away before the other may claim the game."""
    rematch: str | None
    """The id of the game that follows this one, once a player has asked for it."""

    @classmethod
    @understood()
    def from_json(cls, data: Any) -> Info:
        """What a server told of a game; a refusal if it is not understood here."""
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
            (_chair(first), _chair(second)),
            bool(data.get("aids")),
            bool(data.get("watch")),
            Coins.from_json(coins),
            (float(one), float(two)),
            float(claim_after),
            rematch,
        )

    def name(self, seat: Seat) -> str | None:
        """What the player in a seat is called; None: nobody sits there."""
        chair = self.chairs[seat.index]
        return None if chair is None else chair.sitter.name


@understood()
def seated(answer: Json) -> tuple[Info, Seat]:
    """The game that a server made or let somebody join, and which seat they have."""
    game, seat = parts(answer, "game", "seat")
    return Info.from_json(game), seat_of(seat)


def _chair(data: Any) -> Chair | None:
    if data is None:
        return None
    name, player, here = parts(data, "name", "player", "here")
    return Chair(Sitter(name, player), bool(here))
