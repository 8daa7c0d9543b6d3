"""The games' symmetries: which positions are the same puzzle, and which moves the same idea.

A renaming maps a view to another one of equal worth. Guessing games have two sets of names, one for
each hidden code, which can be renamed apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import chain, permutations, product
from random import Random
from typing import Any, NamedTuple

from strongroom.contract import Event, History, Move, Rules, View
from strongroom.games.codes import Code
from strongroom.games.guessing import GuessingGame
from strongroom.games.quantum_duel.rules import CELLS, Observe
from strongroom.games.safecracker_duel.rules import CODES, INITIAL_SAFE, Change
from strongroom.plugins.registry import find_entry, is_registered
from strongroom.theory.quantum_duel.player import position_of

Digits = tuple[int, ...]
"""The digits of a code."""
Trials = tuple[tuple[Digits, int], ...]
"""Guesses with their answers."""

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

    def idea(self, view: View, move: Move) -> Hashable:
        """The same for two moves, in one view or in two, if what speaks for them is the same."""
        return self.key(view), str(move)

    def rename(self, view: View, rng: Random) -> Renamed:
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
        self._fitting = lru_cache(maxsize=64)(self._fits)

    @cached_property
    def _renamings(self) -> Sequence[CodeNames]:
        """All orders of the positions, with the digits of each as they are or turned round."""
        length = self.game.space.length
        turned = (self._digits, self._digits[::-1])
        orders, digits = permutations(range(length)), [*product(turned, repeat=length)]
        return [CodeNames(places, each) for places in orders for each in digits]

    def draw_names(self, rng: Random) -> CodeNames:
        """Other names for codes, drawn at random."""
        return rng.choice(self._renamings)

    def key(self, view: View) -> Hashable:
        """The guesses of both, and the own code, each up to renaming."""
        own, theirs = _trials(view, mine=True), _trials(view, mine=False)
        secret = tuple((secret.digits, -1) for secret in view.secret if isinstance(secret, Code))
        return view.seat, self._least(own), self._least(secret + theirs)

    def _least(self, trials: Trials) -> Hashable:
        """The first of all trials that these can be renamed to."""
        return min(
            tuple(sorted((names.code(code), told) for code, told in trials))
            for names in self._renamings
        )

    def idea(self, view: View, move: Move) -> Hashable:
        """What was answered, how many codes are left to either, and how the guess splits them."""
        assert isinstance(move, Code)
        own = _trials(view, mine=True)
        left, theirs = self._fitting(own), self._fitting(_trials(view, mine=False))
        parts = Counter(self._answer(code, move.digits) for code in left)
        told = tuple(sorted(answer for _, answer in own))
        return told, len(left), len(theirs), tuple(sorted(parts.values())), move.digits in left

    def _fits(self, trials: Trials) -> frozenset[Digits]:
        """The codes that fit some answers."""
        return frozenset(
            code.digits
            for code in self.game.space.codes
            if all(self._answer(code.digits, guess) == told for guess, told in trials)
        )

    def _answer(self, code: Digits, guess: Digits) -> int:
        return sum(map(self.game.digit_feedback, code, guess))

    def rename(self, view: View, rng: Random) -> Renamed:
        """The view with both players' codes renamed, each in its own way."""
        theirs, own = self.draw_names(rng), self.draw_names(rng)

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

    def draw_names(self, rng: Random) -> CodeNames:
        """Any order of the positions, and any names of the digits of each, drawn at random."""
        length, digits = self.game.space.length, self._digits
        places = tuple(rng.sample(range(length), length))
        return CodeNames(places, tuple(tuple(rng.sample(digits, len(digits))) for _ in places))

    def _least(self, trials: Trials) -> Hashable:
        """The first pattern of these trials, in any order; faster than trying all renamings."""
        told = tuple(sorted(answer for _, answer in trials))
        alike = [[code for code, answer in trials if answer == each] for each in sorted({*told})]
        orders = product(*(permutations(codes) for codes in alike))  # the first is sorted by answer
        columns = (zip(*chain.from_iterable(order), strict=True) for order in orders)
        return told, min(tuple(sorted(map(_pattern, each))) for each in columns)


class DuelSymmetry(Symmetry):
    """Safecracker Duel: positions are alike, and so are a position's digits but its first."""

    def key(self, view: View) -> Hashable:
        """The own code and all that the safe has shown."""
        return view.seat, tuple(sorted(self._columns(view)))

    def idea(self, view: View, move: Move) -> Hashable:
        """What the dial that is turned has shown, and whether to the digit of the own code."""
        assert isinstance(move, Change)
        columns, (own,) = self._columns(view), view.secret
        assert isinstance(own, Code)
        return columns[move.position - 1], own.digits[move.position - 1] == move.digit

    def _columns(self, view: View) -> list[Digits]:
        """What each dial has shown after its digit of the own code, up to renaming."""
        codes = [*view.secret, *(event.answer for event in view.history)]
        rows = [code.digits for code in codes if isinstance(code, Code)]
        return [_pattern(column, INITIAL) for column in zip(*rows, strict=True)]

    def rename(self, view: View, rng: Random) -> Renamed:
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

    def idea(self, view: View, move: Move) -> Hashable:
        """How many cells are empty, and what stands on either side of the one in question."""
        cell = move.cell if isinstance(move, Observe) else position_of(view).contested
        board, _ = self._read(view, False)
        sides = board[: cell - 1][::-1], board[cell:]
        answer = "" if isinstance(move, Observe) else str(move)
        return board.count("_"), tuple(sorted(map(_first_run, sides))), answer

    def _read(self, view: View, turned: bool) -> tuple[str, int]:
        board = ["_" if owner is None else "xo"[owner is view.seat] for owner in view.board]
        contested = position_of(view).contested
        if turned:
            board, contested = board[::-1], contested and CELLS + 1 - contested
        return "".join(board), contested

    def rename(self, view: View, rng: Random) -> Renamed:
        """The view from either end."""
        if rng.random() < 0.5:
            return super().rename(view, rng)

        def mirror(move: Any) -> Any:
            return Observe(CELLS + 1 - move.cell) if isinstance(move, Observe) else move

        events = (each._replace(move=mirror(each.move)) for each in view.history)
        other = view._replace(
            history=History(*events),
            board=view.board[::-1],
            moves=_in_order(view.game, [*map(mirror, view.moves)]),
        )
        return Renamed(other, mirror)


def _first_run(cells: str) -> str:
    """The first symbols of some cells, as long as they are equal; "" beyond the end of the row."""
    return cells[: len(cells) - len(cells.lstrip(cells[:1]))]


@cache
def symmetry_of(game: Rules) -> Symmetry:
    """The symmetries that are registered for a game, or none."""
    known = is_registered("symmetry", game.name)
    kind: type[Symmetry] = find_entry("symmetry", game.name) if known else Symmetry
    return kind(game)
