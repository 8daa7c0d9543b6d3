"""The words that accompany what a viewer is sent, for viewers who want to read them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Final

from strongroom.contract import YOU, Candidates, Game, Json, Names, Seat, Turn, View
from strongroom.server.files import BOARDS

MOST_LEFT: Final = 200
"""Up to this many possible secrets are listed; beyond that, only their number is sent."""
NOTHING_LEFT: Final[Json] = {"left": None, "codes": None, "count": ""}


class Audience:
    """The viewers of a game who read the same words: the player of a seat, or the spectators."""

    def __init__(self, game: Game, viewer: Seat | None, names: Names) -> None:
        self._game = game
        self._words = game.words
        self._seat = viewer
        self._names = names if viewer is None else {**names, viewer: YOU}
        self._here = frozenset(seat for seat in Seat if self._names[seat] == YOU)
        # A drawing costs more than all the rest, so only the generic board is sent one.
        self._needs_drawing = game.name not in BOARDS
        self._left: Candidates | None = None
        self._left_told = NOTHING_LEFT
        """The candidates that were sent last, as JSON data."""

    def said(self, views: Sequence[View]) -> str:
        """What the referee says about some views."""
        said = [self._words.say(view, self._names, self._here).strip() for view in views]
        return "\n".join(filter(None, said))

    def shown(self, view: View, left: Candidates | None) -> Json:
        """What a face shows with a view besides what is said; `left` is what the aids may count."""
        words, names, seat = self._words, self._names, self._seat
        asked = words.question(view, names) if isinstance(view.actor, Seat) else None
        own = asked if seat is view.actor else None
        drawing = None
        if self._needs_drawing:
            drawing = words.drawing(view, seat or Seat.ONE, names, left)
        return {
            "heading": asked.heading if asked else "",
            "prompt": asked.prompt.strip() if asked else "",
            "accepted": own.accepted if own else "",
            "secrecy": words.secrecy(view, names) if own and view.setting_up else "",
            "ending": words.ending(view.outcome, names) if view.outcome else "",
            "picture": words.picture(view),
            "drawing": drawing and drawing.to_json(),
            **self._counted(left),
        }

    def _counted(self, left: Candidates | None) -> Json:
        """What is left, serialized again only when it has changed."""
        if left is not self._left:
            self._left, self._left_told = left, NOTHING_LEFT
            if left is not None:
                assert self._seat is not None
                self._left_told = {
                    "left": self._listed(left),
                    "codes": self._codes,
                    "count": self._words.count(self._seat, self._names, left),
                }
        return self._left_told

    @cached_property
    def _codes(self) -> list[str] | None:
        """All that could be hidden from this player before the first turn."""
        assert self._seat is not None
        candidates = self._game.candidates(self._seat)
        return None if candidates is None else self._listed(candidates)

    def _listed(self, left: Candidates) -> list[str] | None:
        """Candidates as texts, in the order of their numbers; None if there are too many."""
        if len(left) > MOST_LEFT:
            return None
        return [str(self._game.secret_of(each)) for each in sorted(left)]


def rows(turns: Sequence[Turn], begin: int) -> Json:
    """The rows of the running record from `begin` on."""
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
