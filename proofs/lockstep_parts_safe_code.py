"""What an observation of Safe Code in batches should say, computed from a view of the rules."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from strongroom.contract import Move, Seat, View
from strongroom.games.safe_code.clues import CLUES, Clue
from strongroom.games.safe_code.kinds import HIGHEST, LOWEST
from strongroom.games.safe_code.rules import CLUES_EACH, NUMBERS
from strongroom.referee.bout import TURN_LIMIT

Flags = NDArray[np.bool_]


def safe_code_parts(view: View, turn_limit: int = TURN_LIMIT) -> dict[str, Flags]:
    """Each part of an observation by name; after the end, nobody is to move."""
    seat, game = view.seat, view.game
    assert seat is not None
    longest = game.longest_game(turn_limit)
    assert longest is not None
    own = view.secret[0] if view.secret else None
    asked = [event.answer for event in view.history if event.actor is seat]
    told = [answer for answer in asked if isinstance(answer, Clue)]
    return {
        "to move": np.array([view.actor is seat]),
        "number": _in_bits(view.number, longest.bit_length()),
        "own code": np.array([number == own for number in NUMBERS]),
        "own clues": _numbered(view, view.secret[1:]),
        "clues given to me": _numbered(view, told),
        "clues given to the other": _in_bits(view.board[seat.other.index], 2),
        "left to me": _left(view, seat),
        "left to the other": _left(view, seat.other),
    }


def _in_bits(number: int, width: int) -> Flags:
    return np.array([digit == "1" for digit in f"{number:0{width}b}"[::-1]])


def _numbered(view: View, clues: list[Clue] | tuple[Move, ...]) -> Flags:
    numbers = [view.game.actions.index(clue) + 1 for clue in clues]
    numbers += [0] * (CLUES_EACH - len(numbers))
    return np.concatenate([_in_bits(number, len(CLUES).bit_length()) for number in numbers])


def _left(view: View, seat: Seat) -> Flags:
    candidates = view.game.candidates(seat)
    assert candidates is not None
    left = candidates.after_all(view.history)
    return np.array([(number,) in left for number in range(LOWEST, HIGHEST + 1)])
