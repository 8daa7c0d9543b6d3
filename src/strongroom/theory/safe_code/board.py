"""What Safe Code is played with: numbers, the clues about them, and the race that is left.

The weakest clue rules out one number. A guess rules out one number too, and may win. So against
weakest clues, drawn so that they tell nothing else, asking only loses a turn, and what is left is
a race between two hidden numbers: Seat.ONE wins it with probability 31/60.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from strongroom.contract import Event, Game, Move, Seat, View
from strongroom.games.safe_code.clues import Clue
from strongroom.games.safe_code.rules import Number, RequestClue
from strongroom.theory.solution import Table

Floats = NDArray[np.float64]


class Race:
    """What the race is worth to a player with `mine` numbers to try, the opponent with `theirs`."""

    def __init__(self, table: Table) -> None:
        self._table = table["race"]
        self.size = len(self._table) - 1
        self._worths: dict[tuple[int, int], tuple[Fraction, Fraction]] = {}

    def to_move(self, mine: int, theirs: int) -> Fraction:
        """The probability of winning when it is the player's turn."""
        return self._worth(mine, theirs)[0]

    def waiting(self, mine: int, theirs: int) -> Fraction:
        """The probability of winning when it is the opponent's turn."""
        return self._worth(theirs, mine)[1]

    def _worth(self, mover: int, other: int) -> tuple[Fraction, Fraction]:
        """The probability that whoever is to move wins, and that the other does."""
        if (mover, other) not in self._worths:
            numerator, denominator = self._table[mover, other]
            worth = Fraction(int(numerator), int(denominator))
            self._worths[mover, other] = worth, 1 - worth
        return self._worths[mover, other]


@dataclass(frozen=True)
class ClueLanguage:
    """The numbers and clues of a game, and how likely each kind of writer writes each clue."""

    numbers: tuple[Number, ...]
    clues: tuple[Clue, ...]
    index: dict[Move, int]
    """Where each clue stands."""
    true: NDArray[np.bool_]
    """Clue by number."""
    weakest: dict[int, Clue]
    """By the one number that is ruled out."""
    careful: Floats
    """Clue by number: a writer of weakest clues."""
    plain: Floats
    """Clue by number: somebody who takes a kind of clue, then one of that kind."""


def language_of(game: Game) -> ClueLanguage:
    """The clue language of a game, counted out."""
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
    # The first wording sounds like more than "not equal to": "less than 30", say.
    weakest = {value: clues[rows[0]] for value, rows in synonyms.items()}
    index: dict[Move, int] = {clue: i for i, clue in enumerate(clues)}
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


# --- reading a view -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PublicTurn:
    """A turn as both saw it: a clue that was told, or a number that was tried, by index."""

    seat: Seat
    told: int | None
    tried: int | None


def public_turn(language: ClueLanguage, event: Event) -> PublicTurn:
    """A turn of a view's history."""
    seat, move, answer = event
    assert isinstance(seat, Seat)
    if isinstance(move, RequestClue):
        assert isinstance(answer, Clue)
        return PublicTurn(seat, clue_index(language, answer), None)
    return PublicTurn(seat, None, number_index(language, move))


def number_index(language: ClueLanguage, move: Move) -> int:
    """Where a number stands in the language."""
    assert isinstance(move, Number)
    return language.numbers.index(move)


def clue_index(language: ClueLanguage, move: Move) -> int:
    """Where a clue stands in the language."""
    return language.index[move]


@dataclass(frozen=True, slots=True)
class Prepared:
    """What a player has chosen in the set-up so far, by index."""

    code: int | None
    clues: tuple[int, ...]


def prepared_in(language: ClueLanguage, view: View) -> Prepared:
    """What the view's own player has chosen."""
    if not view.secret:
        return Prepared(None, ())
    code, *clues = view.secret
    told = tuple(clue_index(language, clue) for clue in clues)
    return Prepared(number_index(language, code), told)
