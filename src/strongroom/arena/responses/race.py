"""Best responses in games of guessing codes, where a player's guesses do not tell its own code.

So to the responder the player's code is always as likely as it was hidden, among those that fit the
answers. What is left of a code is a set, written as a number with a bit for each code.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from strongroom.arena.responses import Policy, Report, TooComplex
from strongroom.contract import Event, Game, History, Move, Seat, View
from strongroom.games.codes import Code
from strongroom.games.digit_deductions.rules import NUMBERS, DigitDeductions
from strongroom.games.safe_cracker.rules import SafeCracker
from strongroom.players.candidates import all_codes, answers

Floats = NDArray[np.float64]
Set = int
"""A set of codes: bit n for code n."""
FEW: Final = 100
"""Games with more codes than this are too large for these responses."""
LONGEST: Final = 12
"""After so many guesses without a hit a tree of guesses no longer counts on winning."""


def few_codes(game: Game) -> bool:
    """Whether these responses fit a game."""
    if isinstance(game, SafeCracker):
        return len(game.space.codes) <= FEW and game.options.attempts is None
    return isinstance(game, DigitDeductions)


class Guess(NamedTuple):
    """What a guess does to a set: the code it hits, if any, and the parts left by other answers."""

    code: int
    hit: float
    parts: tuple[Set, ...]


class Codes:
    """The codes of a game, what a guess tells of them, and how likely each is hidden."""

    def __init__(self, game: Game, hidden: Mapping[Move, float]) -> None:
        self.game = game
        rows = all_codes(game)
        self.codes = [Code(tuple(map(int, row))) for row in rows]
        self.number: dict[Move, int] = {code: n for n, code in enumerate(self.codes)}
        self.told: list[list[int]] = answers(game, rows[np.newaxis], rows[:, np.newaxis]).tolist()
        self.all: Set = (1 << len(self.codes)) - 1
        self.hidden = [hidden.get(code, 0.0) for code in self.codes]
        self._masses: dict[Set, float] = {}
        self._guesses: dict[Set, list[Guess]] = {}

    @cached_property
    def cells(self) -> list[dict[int, Set]]:
        """By guess and answer, the codes that would be answered so."""
        cells: list[dict[int, Set]] = []
        for row in self.told:
            cells.append({})
            for code, answer in enumerate(row):
                cells[-1][answer] = cells[-1].get(answer, 0) | 1 << code
        return cells

    @cached_property
    def _first(self) -> list[int]:
        """The first guesses, one for all that are alike before anything is known.

        In Safe Cracker positions and digits may be renamed; the board of Digit Deductions may be
        turned and mirrored. That makes guesses alike if codes that are alike are hidden as often.
        """
        kinds: dict[frozenset[Move], list[int]] = {}
        for number, code in enumerate(self.codes):
            everything = isinstance(self.game, SafeCracker)
            kind = frozenset() if everything else frozenset(mirrored(code))
            kinds.setdefault(kind, []).append(number)
        if all(len({self.hidden[code] for code in kind}) == 1 for kind in kinds.values()):
            return [kind[0] for kind in kinds.values()]
        return [*range(len(self.codes))]

    def right(self, guess: int) -> int:
        """The answer to a guess that hits."""
        return self.told[guess][guess]

    def mass(self, some: Set) -> float:
        """How likely one of these codes is hidden."""
        if some not in self._masses:
            self._masses[some] = sum(self.hidden[code] for code in members(some))
        return self._masses[some]

    def likeliest(self, some: Set) -> int:
        """The code of a set that is hidden most often."""
        return max(members(some), key=self.hidden.__getitem__)

    def guesses(self, some: Set) -> list[Guess]:
        """The guesses that tell something of a set; of those that tell the same, the first."""
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
    """A number of Digit Deductions on the board turned and mirrored in every way."""
    first, second = ((digit, NUMBERS.highest + 1 - digit) for digit in code.digits)
    return [Code(pair) for a in first for b in second for pair in ((a, b), (b, a))]


def members(some: Set) -> Iterator[int]:
    """The codes of a set."""
    while some:
        lowest = some & -some
        yield lowest.bit_length() - 1
        some ^= lowest


class RaceResponse:
    """The best response to a player who looks only at the codes left, and not at its own.

    How it guesses may depend on the codes left to itself, and on how many are left to the
    responder. The responder may guess anything, and knows its own code and all that was said.
    """

    def __init__(self, game: Game, policy: Policy) -> None:
        self.game, self.policy = game, policy
        self.codes = Codes(game, policy(game.start().view(Seat.ONE)))
        self._n = len(self.codes.codes)
        self._ways: dict[Set, tuple[tuple[int, int], ...]] = {self.codes.all: ()}
        """A way of guesses and answers to each set that came up."""
        self._masks: dict[Set, Floats] = {}
        self._tried: dict[Set, list[Guess]] = {}
        self._left: dict[tuple[Set, int], list[tuple[Set, float]]] = {}
        self._to_move: dict[tuple[Set, Set], Floats] = {}
        self._to_wait: dict[tuple[Set, Set], Floats] = {}

    def value(self, seat: Seat, report: Report) -> float:
        """The most that a responder in this seat wins, with its best code."""
        everything = self.codes.all
        if seat is Seat.TWO:
            return float(self._wait(everything, everything).max())
        best, guesses = np.zeros(self._n), self._guesses(everything)
        for done, guess in enumerate(guesses):
            report(done / len(guesses))
            best = np.maximum(best, self._after(guess, everything, everything))
        return float(best.max())

    def _move(self, theirs: Set, mine: Set) -> Floats:
        """The responder to move: the mass of `theirs` against which it wins, by its own code."""
        key = theirs, mine
        best = self._to_move.get(key)
        if best is None:
            if theirs & (theirs - 1) == 0:
                best = self.codes.mass(theirs) * self._mask(mine)
            elif mine & (mine - 1) == 0:  # the player knows, and wins next turn
                best = self.codes.hidden[self.codes.likeliest(theirs)] * self._mask(mine)
            else:
                best = np.zeros(self._n)
                for guess in self._guesses(theirs):
                    np.maximum(best, self._after(guess, theirs, mine), out=best)
            self._to_move[key] = best
        return best

    def _after(self, guess: Guess, theirs: Set, mine: Set) -> Floats:
        worth = guess.hit * self._mask(mine)
        for part in guess.parts:
            worth += self._wait(part, mine)
        return worth

    def _guesses(self, theirs: Set) -> list[Guess]:
        """What the responder may guess there, once it is known how to come to what that leaves."""
        if theirs not in self._tried:
            self._tried[theirs] = self.codes.guesses(theirs)
            for guess in self._tried[theirs]:
                for part in guess.parts:
                    answer = self.codes.told[guess.code][next(members(part))]
                    self._ways.setdefault(part, (*self._ways[theirs], (guess.code, answer)))
        return self._tried[theirs]

    def _wait(self, theirs: Set, mine: Set) -> Floats:
        """The same while the player is to move."""
        key = theirs, mine
        worth = self._to_wait.get(key)
        if worth is None:
            worth = np.zeros(self._n)
            for part, chance in self._leaves(mine, theirs):
                worth += chance * self._move(theirs, part)
            self._to_wait[key] = worth
        return worth

    def _mask(self, mine: Set) -> Floats:
        """1 for each code of a set, 0 for all others."""
        if mine not in self._masks:
            self._masks[mine] = np.zeros(self._n)
            self._masks[mine][list(members(mine))] = 1.0
        return self._masks[mine]

    def _leaves(self, mine: Set, theirs: Set) -> list[tuple[Set, float]]:
        """What the player leaves of its codes, and how often, with so many left to the responder.

        What it hits is left out.
        """
        key = mine, theirs.bit_count()
        if key not in self._left:
            mixture = self.policy(self.view(self._ways[mine], self._ways[theirs]))
            parts: dict[Set, float] = {}
            for move, chance in mixture.items():
                guess = self.codes.number[move]
                for answer, cell in self.codes.cells[guess].items():
                    part = mine & cell
                    if part and answer != self.codes.right(guess):
                        if part == mine:
                            raise TooComplex("A guess that tells nothing could go on for ever.")
                        self._ways.setdefault(part, (*self._ways[mine], (guess, answer)))
                        parts[part] = parts.get(part, 0.0) + chance
            self._left[key] = [*parts.items()]
        return self._left[key]

    def view(self, own: Sequence[tuple[int, int]], other: Sequence[tuple[int, int]]) -> View:
        """What the player, to move, sees after these guesses of its own and of the responder."""
        seat = Seat.ONE
        events = [
            Event(actor, self.codes.codes[guess], answer)
            for actor, guesses in ((seat, own), (seat.other, other))
            for guess, answer in guesses
        ]
        state = self.game.start().play(self.codes.codes[0]).play(self.codes.codes[0])
        seen = state.view(seat)
        return View(
            seen.game,
            seat,
            seat,
            number=2 + len(events),
            setting_up=False,
            private=False,
            turns=len(events),
            moves=seen.moves,
            history=History(*events),
            secret=seen.secret,
            board=None,
            outcome=None,
            secrets=None,
        )


class GuessTree:
    """The best tree of guesses that never looks at the other's: adaptive only in its own answers.

    `alive[t]` is how likely the other has not won when the tree makes its guess number t; beyond
    the last, nothing is won.
    """

    def __init__(self, codes: Codes, alive: Sequence[float]) -> None:
        self.codes, self.alive = codes, alive
        self._best: dict[tuple[Set, int], tuple[float, int]] = {}

    def worth(self, left: Set, turn: int) -> float:
        """How much of the mass of a set is won in time, if this turn is the next."""
        return self._found(left, turn)[0]

    def guess(self, left: Set, turn: int) -> Code:
        """What to guess there."""
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
