"""Repetition: a position that has come up three times in a game, which no rule ends for that."""

from __future__ import annotations

from collections import Counter
from typing import Final

from strongroom.contract import Seat, View

OFTEN: Final = 3
REPEATS: Final = (
    "This position has now come up three times. No rule ends the game for that: it goes on until "
    "somebody tries something else."
)


class Repetition:
    """Counts the positions of a game, as far as boards show them."""

    def __init__(self) -> None:
        self._seen: Counter[str] = Counter()

    def clear(self) -> None:
        """Forget the last game."""
        self._seen.clear()

    def noticed(self, view: View) -> bool:
        """Count a position; whether it is the first in this game to come up three times."""
        if view.board is None or view.setting_up or not isinstance(view.actor, Seat):
            return False
        before = max(self._seen.values(), default=0)
        position = f"{view.game.board_to_json(view.board)} {view.actor}"
        self._seen[position] += 1
        return before < OFTEN == self._seen[position]
