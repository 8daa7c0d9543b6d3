"""The elements of Safe Code: numbers, the clues about them, and the race that remains.

The weakest clue rules out one number. A guess rules out one number too, and may win. So against
weakest clues, drawn so that they tell nothing else, asking only loses a turn. What remains is a
race between two hidden numbers, which Seat.ONE wins with probability 31/60.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from strongroom.contract import Game, Move
from strongroom.games.safe_code.clues import Clue
from strongroom.games.safe_code.rules import Number
from strongroom.theory.solution import Table

Floats = NDArray[np.float64]


class Race:
    """A player's value of the race, with `mine` numbers to try against the opponent's `theirs`."""

    def __init__(self, table: Table) -> None:
        self._to_move = [[Fraction(*pair) for pair in row] for row in table["race"].tolist()]
        self._waiting = [[1 - worth for worth in row] for row in self._to_move]
        self.size = len(self._to_move) - 1

    def to_move(self, mine: int, theirs: int) -> Fraction:
        """The probability of winning when it is the player's turn."""
        return self._to_move[mine][theirs]

    def waiting(self, mine: int, theirs: int) -> Fraction:
        """The probability of winning when it is the opponent's turn."""
        return self._waiting[theirs][mine]


@dataclass(frozen=True)
class ClueLanguage:
    """The numbers and clues of a game, and each kind of writer's probability of each clue."""

    numbers: tuple[Number, ...]
    clues: tuple[Clue, ...]
    index: dict[Move, int]
    """The index of each number among the numbers, and of each clue among the clues."""
    true: NDArray[np.bool_]
    """Whether a clue is true of a number: [clue, number]."""
    weakest: dict[int, Clue]
    """A weakest clue, by the one number that it rules out."""
    careful: Floats
    """The probabilities of a writer of weakest clues: [clue, number]."""
    plain: Floats
    """The probabilities of a writer who draws a kind of clue, then a clue of it: [clue, number]."""


def language_of(game: Game) -> ClueLanguage:
    """The clue language of a game, by enumeration."""
    numbers = tuple(move for move in game.actions if isinstance(move, Number))
    clues = tuple(move for move in game.actions if isinstance(move, Clue))
    values = [number.value for number in numbers]
    true = np.array([[value in clue.meaning for value in values] for clue in clues])
    synonyms: dict[int, list[int]] = {
        value: [i for i, row in enumerate(true) if not row[x] and row.sum() == len(values) - 1]
        for x, value in enumerate(values)
    }
    if not all(synonyms.values()):
        raise ValueError("the clue language lacks a weakest clue for some number")
    # The first wording sounds stronger than "not equal to": "less than 30", for example.
    weakest = {value: clues[rows[0]] for value, rows in synonyms.items()}
    index: dict[Move, int] = {move: i for moves in (numbers, clues) for i, move in enumerate(moves)}
    careful, plain = _careful(true, synonyms), _plain(true, clues)
    return ClueLanguage(numbers, clues, index, true, weakest, careful, plain)


def _careful(true: NDArray[np.bool_], synonyms: dict[int, list[int]]) -> Floats:
    careful = np.zeros(true.shape)
    for rows in synonyms.values():
        careful[rows] = true[rows] / (true.shape[1] - 1) / len(rows)
    return careful


def _plain(true: NDArray[np.bool_], clues: tuple[Clue, ...]) -> Floats:
    forms: dict[tuple[str, bool], list[int]] = {}
    for i, clue in enumerate(clues):
        forms.setdefault((clue.kind, clue.negated), []).append(i)
    plain = np.zeros(true.shape)
    for rows in forms.values():
        plain[rows] = true[rows] / np.maximum(true[rows].sum(axis=0), 1)
    plain /= plain.sum(axis=0)
    return plain
