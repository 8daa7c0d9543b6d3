"""What is kept of a game, and how it is read."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from strongroom.coins import Coins, hash_of
from strongroom.contract import Seat
from strongroom.server.deal import Chair, Deal
from strongroom.server.store.database import Row
from strongroom.tokens import digest

CHAIR: Final = ("seat", "name", "player", "token", "seed", "connection", "process", "left_at")
GAMES: Final = f"""
    SELECT id, deal, server_seed, created, invitation, waits, watch, started, ended,
           result, address,
           (SELECT later.id FROM games later WHERE later.rematch_of = games.id),
           (SELECT max(seat_pauses.ended) FROM seat_pauses WHERE seat_pauses.game = games.id),
           {", ".join(f"{seat}.{part}" for seat in ("one", "two") for part in CHAIR)}
    FROM games
    JOIN seats one ON one.game = games.id AND one.seat = 1
    JOIN seats two ON two.game = games.id AND two.seat = 2
"""


@dataclass(frozen=True, slots=True)
class Kept:
    """What is kept of a game besides its journal."""

    id: str
    deal: Deal
    server_seed: str
    """For the coins; nobody knows it before the end."""
    created: float
    chairs: tuple[Chair, Chair]
    invitation: str | None = None
    """The digest of what the second player needs to sit down."""
    waits: bool = False
    """Whether anybody may sit down."""
    watch: bool = True
    """Whether anybody may watch."""
    started: float | None = None
    """When the second player sat down; then, when the last who came was there at first."""
    ended: float | None = None
    result: int | None = None
    """The seat that has won, 0 if nobody has; None before the end, and of a game taken back."""
    address: str = ""
    """Whose limit of open games it counts for; empty: nobody's."""
    rematch: str | None = None
    """The game in which the same two play again."""
    paused: float | None = None
    """When the last pause of a seat of it ended."""

    @classmethod
    def from_row(cls, row: Row) -> Kept:
        """What a row of `GAMES` says."""
        id, deal, server_seed, created, invitation, waits, watch, *rest = row
        started, ended, result, address, rematch, paused, *chairs = rest
        deal = Deal.from_json(json.loads(deal))
        seats = _chair(*chairs[: len(CHAIR)]), _chair(*chairs[len(CHAIR) :])
        terms = invitation, bool(waits), bool(watch)
        return cls(
            *(id, deal, server_seed, created, seats, *terms),
            *(started, ended, result, address, rematch, paused),
        )

    def seat_of(self, token: str) -> Seat | None:
        """The seat that a token opens, if it opens one."""
        digested = digest(token)
        return next((chair.seat for chair in self.chairs if chair.token == digested), None)

    @property
    def is_open(self) -> bool:
        """Whether a seat is free."""
        return any(chair.name is None for chair in self.chairs)

    @property
    def is_complete(self) -> bool:
        """Whether both players are there and have given their seeds, so that the match begins."""
        return all(chair.name is not None and chair.seed is not None for chair in self.chairs)

    def coins(self, seed: str | None) -> Coins:
        """What chance is bound to, with the server's seed or, before the end, without it."""
        one, two = self.chairs
        return Coins(hash_of(self.server_seed), (one.seed, two.seed), seed)

    @property
    def is_withdrawn(self) -> bool:
        """Whether it was taken back before it began."""
        return self.ended is not None and self.result is None


class Request(NamedTuple):
    """What one request brought: the journal's entries from `number` to `last`."""

    number: int
    last: int
    id: str | None
    lines: str


def _chair(seat: int, *parts: Any) -> Chair:
    return Chair(Seat(seat), *parts)
