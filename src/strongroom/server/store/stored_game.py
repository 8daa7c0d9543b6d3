"""A game as the server stores it, and what everybody may know about it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, NamedTuple

from strongroom.contract import Game, Json, Outcome, Seat
from strongroom.contract.codec import to_json
from strongroom.plugins.registry import load
from strongroom.referee.randomness import Coins, hash_of
from strongroom.referee.record import PERSON, Sitter
from strongroom.server.clocks import TimeControl
from strongroom.server.store.database import Row


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
            load_shared(data["game"], **data["options"]),
            data["aids"],
            TimeControl(**data["clock"]) if data["clock"] else None,
            (one, two),
        )


@lru_cache(200, typed=True)
def load_shared(name: str, /, **options: Any) -> Game:
    """A game with its options, cached and shared because it is large with its words."""
    return load(name, **options)


SEAT: Final = ("seat", "name", "player", "token", "seed", "connection", "process", "left_at")
GAMES: Final = f"""
    SELECT id, deal, server_seed, created, invitation, waits, watch, started, ended,
           result, address,
           (SELECT later.id FROM games later WHERE later.rematch_of = games.id),
           (SELECT max(seat_pauses.ended) FROM seat_pauses WHERE seat_pauses.game = games.id),
           {", ".join(f"{seat}.{part}" for seat in ("one", "two") for part in SEAT)}
    FROM games
    JOIN seats one ON one.game = games.id AND one.seat = 1
    JOIN seats two ON two.game = games.id AND two.seat = 2
"""


@dataclass(frozen=True, slots=True)
class StoredSeat:
    """A seat of a stored game, and who has it."""

    seat: Seat
    name: str | None
    """None until somebody sits down."""
    player: str = PERSON
    token: str | None = None
    """The digest of the token of the person who sits here."""
    seed: str | None = None
    """The seed that this seat gave for the coins."""
    connection: str | None = None
    """The connection that plays for this seat now, if there is one."""
    process: str | None = None
    """The server process that holds that connection."""
    left_at: float | None = None
    """Since when there is no connection."""

    @property
    def is_bot(self) -> bool:
        """Whether the server plays for this seat."""
        return self.player != PERSON

    @property
    def sitter(self) -> Sitter:
        """Who sits here, once somebody does."""
        assert self.name is not None
        return Sitter(self.name, self.player)


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game as it is stored, without its journal."""

    id: str
    deal: Deal
    server_seed: str
    """The server's seed for the coins, secret until the end."""
    created: float
    seats: tuple[StoredSeat, StoredSeat]
    invitation: str | None = None
    """The digest of the invitation that the second player needs to sit down."""
    waits: bool = False
    """Whether anybody may sit down."""
    watch: bool = True
    """Whether anybody may watch."""
    started: float | None = None
    """When the second player sat down; later, when the last player first connected."""
    ended: float | None = None
    result: int | None = None
    """The winning seat, or 0 if nobody won; None before the end, and for a withdrawn game."""
    address: str = ""
    """The address whose limit of open games it counts towards; empty if nobody's."""
    rematch: str | None = None
    """The id of the rematch."""
    paused: float | None = None
    """When the last pause of one of its seats ended."""

    @classmethod
    def from_row(cls, row: Row) -> StoredGame:
        """The game in a row of `GAMES`."""
        id, deal, server_seed, created, invitation, waits, watch, *rest = row
        started, ended, result, address, rematch, paused, *parts = rest
        deal = Deal.from_json(json.loads(deal))
        seats = _seat(*parts[: len(SEAT)]), _seat(*parts[len(SEAT) :])
        terms = invitation, bool(waits), bool(watch)
        return cls(
            *(id, deal, server_seed, created, seats, *terms),
            *(started, ended, result, address, rematch, paused),
        )

    def seat_of(self, token: str) -> Seat | None:
        """The seat that a token opens, if it opens one."""
        digested = hash_of(token)
        return next((each.seat for each in self.seats if each.token == digested), None)

    @property
    def is_open(self) -> bool:
        """Whether a seat is free."""
        return any(each.name is None for each in self.seats)

    @property
    def is_complete(self) -> bool:
        """Whether both players are there and have given their seeds, so that the match begins."""
        return all(each.name is not None and each.seed is not None for each in self.seats)

    def coins(self, seed: str | None) -> Coins:
        """What determines chance, with the server's seed or, before the end, without it."""
        one, two = self.seats
        return Coins(hash_of(self.server_seed), (one.seed, two.seed), seed)

    @property
    def is_withdrawn(self) -> bool:
        """Whether it was withdrawn before it began."""
        return self.ended is not None and self.result is None


class StoredRequest(NamedTuple):
    """The journal entries of one request, from `number` to `last`."""

    number: int
    last: int
    id: str | None
    lines: str


def _seat(seat: int, *parts: Any) -> StoredSeat:
    return StoredSeat(Seat(seat), *parts)


def game_info(
    stored: StoredGame,
    outcome: Outcome | None = None,
    presence: Sequence[float | None] = (None, None),
    watchers: int = 0,
) -> Json:
    """A game as JSON data; `presence` is since when each player has been away."""
    seats = [
        None
        if each.name is None
        else {"name": each.name, "player": each.player, "here": away is None, "away_since": away}
        for each, away in zip(stored.seats, presence, strict=True)
    ]
    won = stored.result if outcome is None else outcome.winner and outcome.winner.value
    return {
        "id": stored.id,
        **stored.deal.to_json(),
        "title": stored.deal.game.title,
        "watch": stored.watch,
        "state": _state(stored, outcome),
        "winner": won or None,
        "open": stored.waits and stored.is_open,
        "seats": seats,
        "coins": to_json(stored.coins(None)),
        "watchers": watchers,
        "rematch": stored.rematch,
        "created": round(stored.created, 3),
    }


def _state(stored: StoredGame, outcome: Outcome | None) -> str:
    if stored.is_withdrawn:
        return "withdrawn"
    if outcome is not None or stored.result is not None:
        return "over"
    return "playing" if stored.is_complete else "waiting"
