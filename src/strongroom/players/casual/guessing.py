"""How the casual player guesses codes, in Safe Cracker and in Digit Deductions."""

from __future__ import annotations

from typing import Final

from strongroom.contract import Move, View
from strongroom.games.codes import Code
from strongroom.players.candidates import codes_left, guesses_of
from strongroom.players.casual.slips import remembered
from strongroom.players.ideas import Idea

COME_TO_MIND: Final = 5
"""Of so many codes it hides the most varied one."""


class FirstThatFits(Idea):
    """A varied code to hide; then any code that fits what it remembers."""

    told = (
        "It hides a code that looks random, one of different digits mostly, and guesses the first "
        "code that comes to its mind and fits all the answers it remembers. "
        "Each answer but the last one slips its memory one turn in five."
    )

    def choose(self, view: View) -> Move:
        """A code."""
        rng = self._rng
        if view.setting_up:
            return max(rng.sample(view.moves, COME_TO_MIND), key=_variety)
        assert view.seat is not None
        left = codes_left(view.game, remembered(guesses_of(view, view.seat), rng))
        return Code(tuple(map(int, left[rng.randrange(len(left))])))


def _variety(code: Move) -> int:
    """How many different digits a code has; the more, the safer it looks."""
    return len(set(code.digits)) if isinstance(code, Code) else 0
