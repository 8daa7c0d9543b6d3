"""Repetition: a position that has come up three times in a game, which no rule ends for that."""

from __future__ import annotations

from collections import Counter
from typing import Final

from strongroom.contract import Seat, View

OFTEN: Final = 3
REPEATS: Final = (
    "This position has now come up three times. No rule ends the game for that: to get on, "
    "somebody has to try something else."
)


class Repetition:
    """Counts the positions of a game: the board, who is to move, and how much has been revealed.

    Where players have secrets, every event can reveal something; the same event on the same board
    reveals nothing new. A game with a limit on its turns repeats no position: fewer are left.
    """

    def __init__(self) -> None:
        self._seen: Counter[str] = Counter()
        self._revealed: set[str] = set()
        self._board = ""

    def clear(self) -> None:
        """Forget the last game."""
        self._seen.clear()
        self._revealed.clear()
        self._board = ""

    def noticed(self, view: View) -> bool:
        """Count a position; whether it is the first in this game to come up three times."""
        game = view.game
        if view.board is None or view.setting_up or game.most_turns is not None:
            return False
        before, self._board = self._board, str(game.board_to_json(view.board))
        if game.secrets_each and view.history:
            self._revealed.add(f"{before} {game.event_to_json(view.history[-1])}")
        if not isinstance(view.actor, Seat):
            return False
        most = max(self._seen.values(), default=0)
        position = f"{self._board} {view.actor} {len(self._revealed)}"
        self._seen[position] += 1
        return most < OFTEN == self._seen[position]
