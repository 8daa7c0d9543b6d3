"""Which game the puzzle of a day is taken from; it loads no theory, so a start need not wait."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any, Final, NamedTuple

from strongroom.contract import Seat
from strongroom.plugins.registry import load


class Slot(NamedTuple):
    """What the puzzle of a weekday is taken from."""

    game: str
    difficulty: int
    options: Mapping[str, Any] = {}


WEEK: Final = (
    Slot("safe-cracker", 1, {"digits": 4, "length": 4}),
    Slot("quantum-duel", 1),
    Slot("safe-cracker", 1, {"digits": 4, "length": 4}),
    Slot("quantum-duel", 1),
    Slot("digit-deductions", 2),
    Slot("digit-deductions", 3),
    Slot("digit-deductions", 4),
)
"""The game and the difficulty of each day's puzzle, from Monday on.

At Safe Cracker, puzzles of more lamps have dozens of right moves: the same one in other digits.
"""


def headline_of(day: date) -> str:
    """The game and the question of a day's puzzle, in a line.

    >>> headline_of(date(2026, 11, 20))
    'Digit Deductions: try to hit, or measure first?'
    """
    slot = WEEK[day.weekday()]
    words = load(slot.game, **slot.options).words
    question = words.puzzle(words.game.start().view(Seat.ONE))
    return f"{words.title}: {question[:1].lower()}{question[1:]}"
