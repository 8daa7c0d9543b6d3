"""The sentences that go with what a viewer is sent, for those who want to read."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from strongroom.contract import YOU, Candidates, Drawing, Game, Json, Names, Seat, Turn, View
from strongroom.registry import GAMES

MOST_LEFT: Final = 200
"""So many possible secrets are listed; of more, only their number is told."""
NOTHING_LEFT: Final[Json] = {"left": None, "count": ""}


class Audience:
    """Those who read the same words at a game: whoever plays for a seat, or the spectators."""

    def __init__(self, game: Game, viewer: Seat | None, names: Names) -> None:
        self._words = game.words
        self._seat = viewer
        self._names = names if viewer is None else {**names, viewer: YOU}
        self._here = frozenset(seat for seat in Seat if self._names[seat] == YOU)
        # Faces draw the package's own games themselves; a drawing costs more than all the rest.
        self._needs_drawing = game.name not in GAMES
        self._left: Candidates | None = None
        self._left_told = NOTHING_LEFT
        """The candidates that were told last, as JSON data."""

    def said(self, views: Sequence[View]) -> str:
        """What the referee says of some moments."""
        said = [self._words.say(view, self._names, self._here).strip() for view in views]
        return "\n".join(filter(None, said))

    def shown(self, view: View, left: Candidates | None) -> Json:
        """What a face shows with a view, besides what is said; `left`: what aids may count."""
        words, names, seat = self._words, self._names, self._seat
        asked = words.question(view, names) if isinstance(view.actor, Seat) else None
        drawing = None
        if self._needs_drawing:
            drawing = words.drawing(view, seat or Seat.ONE, names, left)
        return {
            "heading": asked.heading if asked else "",
            "prompt": asked.prompt.strip() if asked else "",
            "accepted": asked.accepted if asked and seat is view.actor else "",
            "ending": words.ending(view.outcome, names) if view.outcome else "",
            "picture": words.picture(view),
            "drawing": drawing and _drawn(drawing),
            **self._counted(left),
        }

    def _counted(self, left: Candidates | None) -> Json:
        """How much is left, written anew only when that is not what it was."""
        if left is not self._left:
            self._left, self._left_told = left, NOTHING_LEFT
            if left is not None:
                assert self._seat is not None
                few = len(left) <= MOST_LEFT
                self._left_told = {
                    "left": list(map(_written, left)) if few else None,
                    "count": self._words.count(self._seat, self._names, left),
                }
        return self._left_told


def rows(turns: Sequence[Turn], begin: int) -> Json:
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


@lru_cache(maxsize=1 << 12)
def _written(numbers: tuple[int, ...]) -> str:
    """A candidate as text.

    >>> _written((3, 1, 2))
    '3-1-2'
    """
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
