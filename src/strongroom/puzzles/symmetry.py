"""The games' symmetries: which positions are the same puzzle, which moves the same answer.

A renaming maps a view to another one of equal worth. Guessing games have two sets of names, one for
each hidden code, which can be renamed apart.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import permutations, product
from math import factorial
from random import Random
from typing import Any, NamedTuple

from strongroom.contract import Event, Game, History, Move, Rules, View
from strongroom.games.codes import Code
from strongroom.games.digit_deductions.rules import DigitDeductions
from strongroom.games.guessing import GuessingGame
from strongroom.games.quantum_duel.rules import CELLS, Observe, QuantumDuel
from strongroom.games.safe_code.clues import Clue
from strongroom.games.safe_code.kinds import HIGHEST, LOWEST
from strongroom.games.safe_code.rules import Number, SafeCode
from strongroom.games.safe_cracker.rules import SafeCracker
from strongroom.games.safecracker_duel.rules import CODES, INITIAL_SAFE, Change, SafecrackerDuel
from strongroom.theory.quantum_duel.board import position_of
from strongroom.theory.safe_code.solution import SafeCodeSolution
from strongroom.theory.shelf import solution_of

Digits = tuple[int, ...]
"""The digits of a code."""
Trials = tuple[tuple[Digits, int], ...]
"""Guesses with their answers."""

MOST_RENAMINGS = 2000
"""A game with more renamings than this is compared without them."""
INITIAL = INITIAL_SAFE.digits[0]
"""The digit that every position of a safe shows first; it keeps its name."""


class Renamed(NamedTuple):
    """A view under other names."""

    view: View
    move: Callable[[Move], Move]
    """The new name of one of the viewer's moves."""


class Symmetry:
    """What can be renamed in a game; by default nothing."""

    def __init__(self, game: Rules) -> None:
        self.game = game

    def key(self, view: View) -> Hashable:
        """The same for two views if a renaming leads from one to the other."""
        return repr(view.to_json())

    def alike(self, view: View, move: Move) -> Hashable:
        """The same for two moves if they are the same answer under another name."""
        return str(move)

    def renamed(self, view: View, rng: Random) -> Renamed:
        """The view under names drawn at random."""
        return Renamed(view, lambda move: move)


@dataclass(frozen=True, slots=True)
class CodeNames:
    """Other names for codes: their positions in another order, the digits of each renamed."""

    places: Digits
    """The old position, from 0, of the digit at each new one."""
    digits: tuple[Digits, ...]
    """The new digit for each old one, from 1, at each new position."""

    def code(self, code: Digits) -> Digits:
        """The digits of a code under these names."""
        return tuple(
            names[code[place] - 1] for place, names in zip(self.places, self.digits, strict=True)
        )

    def rename(self, value: Any) -> Any:
        """A code or a change of a digit under these names; anything else as it is."""
        if isinstance(value, Code):
            return Code(self.code(value.digits))
        if isinstance(value, Change):
            place = self.places.index(value.position - 1)
            return Change(place + 1, self.digits[place][value.digit - 1])
        return value


class GuessingSymmetry(Symmetry):
    """Games of guessing codes: whatever keeps all answers renames the codes."""

    game: GuessingGame

    def __init__(self, game: Rules) -> None:
        super().__init__(game)
        space = self.game.space
        self._digits: Digits = tuple(range(1, space.highest + 1))
        same = CodeNames(tuple(range(space.length)), (self._digits,) * space.length)
        few = factorial(space.length) * self.digit_names**space.length <= MOST_RENAMINGS
        self._all = tuple(self._renamings()) if few else (same,)
        self._fitting = lru_cache(maxsize=64)(self._fits)

    @property
    def digit_names(self) -> int:
        """In how many ways the digits of a position can be renamed: they can be turned round."""
        return 2

    def digits_named(self) -> Iterable[Digits]:
        """All ways to rename the digits of a position."""
        return self._digits, self._digits[::-1]

    def _renamings(self) -> Iterator[CodeNames]:
        length = self.game.space.length
        for places in permutations(range(length)):
            for digits in product(self.digits_named(), repeat=length):
                yield CodeNames(places, digits)

    def key(self, view: View) -> Hashable:
        """The guesses of both, and the own code, each up to renaming."""
        own, theirs = _trials(view, mine=True), _trials(view, mine=False)
        secret = tuple((secret.digits, -1) for secret in view.secret if isinstance(secret, Code))
        return view.seat, self._least(own), self._least(secret + theirs)

    def _least(self, trials: Trials) -> Hashable:
        """The first of all trials that these can be renamed to."""
        return min(
            tuple(sorted((names.code(code), told) for code, told in trials)) for names in self._all
        )

    def alike(self, view: View, move: Move) -> Hashable:
        """How the guess tells the codes left apart, up to renamings that keep that set."""
        assert isinstance(move, Code)
        left, keeping = self._fitting(_trials(view, mine=True))
        return min(self._told(left, names.code(move.digits)) for names in keeping)

    def _told(self, left: Sequence[Digits], guess: Digits) -> tuple[Digits, Digits]:
        """Which of the codes left a guess tells apart, and which one it may hit."""
        seen: dict[int, int] = {}
        answers = (self._answer(code, guess) for code in left)
        parts = tuple(seen.setdefault(answer, len(seen)) for answer in answers)
        return parts, guess if guess in left else ()

    def _fits(self, trials: Trials) -> tuple[tuple[Digits, ...], tuple[CodeNames, ...]]:
        """The codes that fit some answers, and the renamings that keep the set of them."""
        left = tuple(
            code.digits
            for code in self.game.space.codes
            if all(self._answer(code.digits, guess) == told for guess, told in trials)
        )
        among = {*left}
        keeping = (names for names in self._all if all(names.code(code) in among for code in left))
        return left, tuple(keeping)

    def _answer(self, code: Digits, guess: Digits) -> int:
        return sum(map(self.game.digit_feedback, code, guess))

    def renamed(self, view: View, rng: Random) -> Renamed:
        """The view with both players' codes renamed, each in its own way."""
        theirs, own = rng.choice(self._all), rng.choice(self._all)

        def event(each: Event) -> Event:
            names = theirs if each.actor is view.seat else own
            return Event(each.actor, names.rename(each.move), each.answer)

        secret = tuple(map(own.rename, view.secret))
        history = History(*map(event, view.history))
        return Renamed(view._replace(history=history, secret=secret), theirs.rename)


def _trials(view: View, mine: bool) -> Trials:
    """The guesses of the viewer, or of its opponent."""
    return tuple(
        (event.move.digits, event.answer)
        for event in view.history
        if (event.actor is view.seat) is mine
        and isinstance(event.move, Code)
        and isinstance(event.answer, int)
    )


class MatchSymmetry(GuessingSymmetry):
    """Safe Cracker: the digits of a position are alike, because they only match or do not."""

    @property
    def digit_names(self) -> int:
        """In how many ways the digits of a position can be renamed: any."""
        return factorial(len(self._digits))

    def digits_named(self) -> Iterable[Digits]:
        """All orders of the digits."""
        return tuple(permutations(self._digits))

    def _least(self, trials: Trials) -> Hashable:
        """The first pattern of these trials, in any order; faster than trying all renamings."""
        patterns = []
        for ordered in permutations(trials):
            columns = zip(*(code for code, _ in ordered), strict=True)
            patterns.append((tuple(told for _, told in ordered), sorted(map(_pattern, columns))))
        told, columns_of = min(patterns)
        return told, tuple(columns_of)


class DuelSymmetry(Symmetry):
    """Safecracker Duel: positions are alike, and so are a position's digits but its first."""

    def key(self, view: View) -> Hashable:
        """The own code and all that the safe has shown."""
        return view.seat, tuple(sorted(self._columns(view)))

    def alike(self, view: View, move: Move) -> Hashable:
        """Which dial is turned, and whether to the digit of the own code: it is one idea."""
        assert isinstance(move, Change)
        columns, (own,) = self._columns(view), view.secret
        assert isinstance(own, Code)
        return columns[move.position - 1], own.digits[move.position - 1] == move.digit

    def _columns(self, view: View) -> list[Digits]:
        """What each dial has shown after its digit of the own code, up to renaming."""
        codes = [*view.secret, *(event.answer for event in view.history)]
        rows = [code.digits for code in codes if isinstance(code, Code)]
        return [_pattern(column, INITIAL) for column in zip(*rows, strict=True)]

    def renamed(self, view: View, rng: Random) -> Renamed:
        """The view with the positions in another order, and other digits."""
        places = tuple(rng.sample(range(CODES.length), CODES.length))
        others = [digit for digit in CODES.digits if digit != INITIAL]
        digits = tuple((INITIAL, *rng.sample(others, len(others))) for _ in places)
        names = CodeNames(places, digits)
        events = (
            Event(each.actor, names.rename(each.move), names.rename(each.answer))
            for each in view.history
        )
        other = view._replace(
            history=History(*events),
            secret=tuple(map(names.rename, view.secret)),
            board=names.rename(view.board),
            moves=_in_order(view.game, [names.rename(move) for move in view.moves]),
        )
        return Renamed(other, names.rename)


def _pattern(column: Sequence[int], *fixed: int) -> Digits:
    """The digits of one position: the fixed ones first, others numbered as they appear."""
    seen = {digit: number for number, digit in enumerate(fixed)}
    return tuple(seen.setdefault(digit, len(seen)) for digit in column)


def _in_order(game: Rules, moves: Sequence[Move]) -> tuple[Move, ...]:
    return tuple(sorted(moves, key=game.actions.index))


class MirrorSymmetry(Symmetry):
    """Quantum Duel: the row of cells can be read from either end."""

    def key(self, view: View) -> Hashable:
        """The board as the viewer sees it, from the end that comes first."""
        return min(self._read(view, turned) for turned in (False, True))

    def alike(self, view: View, move: Move) -> Hashable:
        """The cell, or its mirror image on a board that is its own."""
        if isinstance(move, Observe) and self._read(view, False) == self._read(view, True):
            return min(move.cell, CELLS + 1 - move.cell)
        return str(move)

    def _read(self, view: View, turned: bool) -> tuple[str, int]:
        board = ["_" if owner is None else "xo"[owner is view.seat] for owner in view.board]
        contested = position_of(view).contested
        if turned:
            board, contested = board[::-1], contested and CELLS + 1 - contested
        return "".join(board), contested

    def renamed(self, view: View, rng: Random) -> Renamed:
        """The view from either end."""
        if rng.random() < 0.5:
            return super().renamed(view, rng)

        def mirrored(move: Any) -> Any:
            return Observe(CELLS + 1 - move.cell) if isinstance(move, Observe) else move

        events = (each._replace(move=mirrored(each.move)) for each in view.history)
        other = view._replace(
            history=History(*events),
            board=view.board[::-1],
            moves=_in_order(view.game, [*map(mirrored, view.moves)]),
        )
        return Renamed(other, mirrored)


class NumberSymmetry(Symmetry):
    """Safe Code: all numbers left are alike, and so are all that are not."""

    def key(self, view: View) -> Hashable:
        """How many numbers and clues are left, and what the opponent was told of the own number."""
        told = tuple(
            (str(each.move) if each.answer is False else str(each.answer))
            for each in view.history
            if each.actor is not view.seat
        )
        own = [each for each in view.history if each.actor is view.seat]
        excluded = {_excluded(each) for each in own}
        return view.seat, len(excluded), len(own), told

    def alike(self, view: View, move: Move) -> Hashable:
        """Whether the number is left."""
        if not isinstance(move, Number):
            return str(move)
        own = (each for each in view.history if each.actor is view.seat)
        return move.value in {_excluded(each) for each in own}

    def renamed(self, view: View, rng: Random) -> Renamed:
        """The view with other numbers tried, and others ruled out by the opponent's clues."""
        assert isinstance(view.game, Game)
        solution = solution_of(view.game)
        assert isinstance(solution, SafeCodeSolution)
        weakest = solution.player.language.weakest
        names = dict(zip(weakest, rng.sample([*weakest], len(weakest)), strict=True))

        def move(each: Move) -> Move:
            return Number(names[each.value]) if isinstance(each, Number) else each

        def event(each: Event) -> Event:
            if each.actor is not view.seat:
                return each
            if isinstance(each.move, Number):
                return each._replace(move=move(each.move))
            return each._replace(answer=weakest[names[_excluded(each)]])

        return Renamed(view._replace(history=History(*map(event, view.history))), move)


def _excluded(event: Event) -> int:
    """The number that a guess of one's own, or a weakest clue, rules out."""
    if isinstance(event.move, Number):
        return event.move.value
    assert isinstance(event.answer, Clue)
    (number,) = {*range(LOWEST, HIGHEST + 1)} - event.answer.meaning
    return int(number)


_SYMMETRIES: dict[type[Rules], type[Symmetry]] = {
    SafecrackerDuel: DuelSymmetry,
    SafeCracker: MatchSymmetry,
    SafeCode: NumberSymmetry,
    DigitDeductions: GuessingSymmetry,
    QuantumDuel: MirrorSymmetry,
}


@cache
def symmetry_of(game: Rules) -> Symmetry:
    """The symmetries of a game."""
    return _SYMMETRIES.get(type(game), Symmetry)(game)
