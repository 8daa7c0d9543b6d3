"""The codes of a guessing game, and the best tree of guesses at them.

A set of codes is stored as an integer with a bit for each code.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from strongroom.contract import Game, Move
from strongroom.games.codes import Code
from strongroom.games.digit_deductions.rules import NUMBERS, DigitDeductions
from strongroom.games.guessing import GuessingGame
from strongroom.games.safe_cracker.rules import SafeCracker

Floats = NDArray[np.float64]
Set = int
"""A set of codes: bit n for code n."""
FEW: Final = 100
"""Games with more codes than this are too large for these responses."""
LONGEST: Final = 12
"""The depth of a tree of guesses; later hits are not counted."""


def few_codes(game: Game) -> bool:
    """Whether these responses support a game."""
    few = isinstance(game, GuessingGame) and len(game.space.codes) <= FEW
    return few and game.most_turns is None


class Guess(NamedTuple):
    """A guess at a set: its code, the mass that it hits, and the parts left by other answers."""

    code: int
    hit: float
    parts: tuple[Set, ...]


class Codes:
    """The codes of a game, what a guess tells about them, and how often each is hidden."""

    def __init__(self, game: Game, hidden: Mapping[Move, float]) -> None:
        assert isinstance(game, GuessingGame)
        self.game = game
        self.codes = game.space.codes
        self.number: dict[Move, int] = {code: n for n, code in enumerate(self.codes)}
        self.told: list[list[int]] = game.answer_table.tolist()
        self.all: Set = (1 << len(self.codes)) - 1
        self.hidden = [hidden.get(code, 0.0) for code in self.codes]
        self._masses: dict[Set, float] = {}
        self._guesses: dict[Set, list[Guess]] = {}

    @cached_property
    def cells(self) -> list[dict[int, Set]]:
        """The codes that give an answer to a guess, by guess and answer."""
        cells: list[dict[int, Set]] = []
        for row in self.told:
            cells.append({})
            for code, answer in enumerate(row):
                cells[-1][answer] = cells[-1].get(answer, 0) | 1 << code
        return cells

    @cached_property
    def _first(self) -> list[int]:
        """The first guesses, one for each class of equivalent guesses.

        In Safe Cracker positions and digits may be renamed; the board of Digit Deductions may be
        rotated and reflected; of other games no symmetry is known. Guesses are equivalent only if
        equivalent codes are hidden equally often.
        """
        kinds: dict[frozenset[Move], list[int]] = {}
        for number, code in enumerate(self.codes):
            kinds.setdefault(self._kind(code), []).append(number)
        if all(len({self.hidden[code] for code in kind}) == 1 for kind in kinds.values()):
            return [kind[0] for kind in kinds.values()]
        return [*range(len(self.codes))]

    def _kind(self, code: Code) -> frozenset[Move]:
        if isinstance(self.game, SafeCracker):
            return frozenset()
        return frozenset(mirrored(code) if isinstance(self.game, DigitDeductions) else [code])

    def right(self, guess: int) -> int:
        """The answer to a guess that hits."""
        return self.told[guess][guess]

    def mass(self, some: Set) -> float:
        """The probability that one of these codes is hidden."""
        if some not in self._masses:
            self._masses[some] = sum(self.hidden[code] for code in members(some))
        return self._masses[some]

    def likeliest(self, some: Set) -> int:
        """The code of a set that is hidden most often."""
        return max(members(some), key=self.hidden.__getitem__)

    def guesses(self, some: Set) -> list[Guess]:
        """The guesses that tell something about a set; of those that tell the same, the first."""
        if some not in self._guesses:
            found: dict[tuple[frozenset[Set], bool], Guess] = {}
            for number in self._first if some == self.all else range(len(self.codes)):
                cells = self.cells[number]
                right, may_hit = self.right(number), bool(some >> number & 1)
                parts = {a: some & cell for a, cell in cells.items() if some & cell}
                if len(parts) == 1:
                    continue
                others = tuple(p for a, p in parts.items() if a != right and self.mass(p))
                hit = self.hidden[number] if may_hit else 0.0
                found.setdefault((frozenset(others), may_hit), Guess(number, hit, others))
            self._guesses[some] = [*found.values()]
        return self._guesses[some]


def mirrored(code: Code) -> list[Code]:
    """A number of Digit Deductions under every rotation and reflection of the board."""
    first, second = ((digit, NUMBERS.highest + 1 - digit) for digit in code.digits)
    return [Code(pair) for a in first for b in second for pair in ((a, b), (b, a))]


def members(some: Set) -> Iterator[int]:
    """The codes of a set."""
    while some:
        lowest = some & -some
        yield lowest.bit_length() - 1
        some ^= lowest


class GuessTree:
    """The best tree of guesses that ignores the opponent's: it adapts only to its own answers.

    `alive[t]` is the probability that the opponent has not won when the tree makes guess number t;
    beyond the last, nothing is won.
    """

    def __init__(self, codes: Codes, alive: Sequence[float]) -> None:
        self.codes, self.alive = codes, alive
        self._best: dict[tuple[Set, int], tuple[float, int]] = {}

    def worth(self, left: Set, turn: int) -> float:
        """The mass of a set that is won in time, if this turn is the next."""
        return self._found(left, turn)[0]

    def guess(self, left: Set, turn: int) -> Code:
        """The best guess there."""
        return self.codes.codes[self._found(left, turn)[1]]

    def _found(self, left: Set, turn: int) -> tuple[float, int]:
        key = left, turn
        if turn >= len(self.alive):
            return 0.0, next(members(left))
        if key not in self._best:
            if left.bit_count() <= 2:
                code = self.codes.likeliest(left)
                rest = self.worth(left & ~(1 << code), turn + 1) if left & (left - 1) else 0.0
                self._best[key] = self.codes.hidden[code] * self.alive[turn] + rest, code
            else:
                self._best[key] = max(
                    (
                        guess.hit * self.alive[turn]
                        + sum(self.worth(part, turn + 1) for part in guess.parts),
                        guess.code,
                    )
                    for guess in self.codes.guesses(left)
                )
        return self._best[key]
