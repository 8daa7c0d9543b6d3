"""What anybody may know of a game, whether or not somebody sits at it."""

from __future__ import annotations

from collections.abc import Sequence

from strongroom.contract import Json, Outcome
from strongroom.server.store import Kept


def game_info(
    kept: Kept,
    outcome: Outcome | None = None,
    presence: Sequence[float | None] = (None, None),
    watchers: int = 0,
) -> Json:
    """A game as JSON data; `presence`: since when the players are away."""
    seats = [
        None
        if chair.name is None
        else {
            "name": chair.name,
            "player": chair.player,
            "here": away is None,
            "away_since": away,
        }
        for chair, away in zip(kept.chairs, presence, strict=True)
    ]
    won = kept.result if outcome is None else outcome.winner and outcome.winner.value
    return {
        "id": kept.id,
        **kept.deal.to_json(),
        "title": kept.deal.game.title,
        "watch": kept.watch,
        "state": _state(kept, outcome),
        "winner": won or None,
        "open": kept.waits and kept.is_open,
        "seats": seats,
        "coins": kept.coins(None).to_json(),
        "watchers": watchers,
        "rematch": kept.rematch,
        "created": round(kept.created, 3),
    }


def _state(kept: Kept, outcome: Outcome | None) -> str:
    if kept.is_withdrawn:
        return "withdrawn"
    if outcome is not None or kept.result is not None:
        return "over"
    return "playing" if kept.is_complete else "waiting"
