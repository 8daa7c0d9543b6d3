"""The sentences that go with what a viewer is sent, for those who want to read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from strongroom.aids import left_for
from strongroom.contract import (
    YOU,
    Drawing,
    Json,
    Left,
    Names,
    Seat,
    Turn,
    View,
    Words,
)
from strongroom.registry import GAMES

MOST_LEFT = 200
"""So many possible secrets are listed; of more, only their number is told."""


def names_for(viewer: Seat | None, names: Names) -> Names:
    """What the players are called before a viewer: who looks is "you"."""
    return names if viewer is None else {**names, viewer: YOU}


def sentences(words: Words[Any], views: Sequence[View], names: Names) -> str:
    """What the referee says of the moments that a request brought, to who has these views."""
    here = {seat for seat in Seat if names[seat] == YOU}
    said = [words.say(view, names, here).strip() for view in views]
    return "\n".join(filter(None, said))


def told(words: Words[Any], view: View, names: Names, aids: bool) -> Json:
    """What a face shows with a view besides the sentences that were just said."""
    asked = words.question(view, names) if isinstance(view.actor, Seat) else None
    ours = view.seat is not None and view.actor is view.seat
    seat = view.seat or Seat.ONE
    left = _left(view) if aids else None
    # Faces draw the package's own games themselves; a drawing costs more than all the rest.
    drawn = view.game.name not in GAMES
    drawing = words.drawing(view, seat, names, left) if drawn else None
    return {
        "heading": asked.heading if asked else "",
        "prompt": asked.prompt.strip() if asked else "",
        "accepted": asked.accepted if asked and ours else "",
        "ending": words.ending(view.outcome, names) if view.outcome else "",
        "picture": words.picture(view),
        "drawing": drawing and _drawn(drawing),
        "left": None if left is None or len(left) > MOST_LEFT else sorted(map(_code, left)),
        "count": "" if left is None else words.count(seat, names, left),
    }


def rows(turns: list[Turn], begin: int) -> Json:
    """The running record from one of its rows on."""
    return {
        "from": begin,
        "rows": [
            {
                "seat": turn.seat and turn.seat.value,
                "text": turn.text,
                "result": turn.result,
                "mark": turn.mark,
            }
            for turn in turns[begin:]
        ],
    }


def _left(view: View) -> Left | None:
    if view.seat is None or view.setting_up or view.outcome is not None:
        return None
    return left_for(view, view.seat)


def _code(numbers: tuple[int, ...]) -> str:
    return "-".join(map(str, numbers))


def _drawn(drawing: Drawing) -> Json:
    return {
        "framed": drawing.framed,
        "rows": [
            [
                {
                    "text": tile.text,
                    "label": tile.label,
                    "owner": tile.owner and tile.owner.value,
                    "look": tile.look.value,
                }
                for tile in row
            ]
            for row in drawing.rows
        ],
    }
