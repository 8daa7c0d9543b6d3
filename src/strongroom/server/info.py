"""The public information about a game, whether or not anybody is connected to it."""

from __future__ import annotations

from collections.abc import Sequence

from strongroom.contract import Json, Outcome
from strongroom.server.store import StoredGame


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
        "coins": stored.coins(None).to_json(),
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
