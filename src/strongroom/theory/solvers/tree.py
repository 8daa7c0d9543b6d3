"""Game trees: a small game written out, every way that it can go, for solvers to work on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from strongroom.contract import CHANCE, Game, Move, Refusal, Seat, State, View

DEEPEST = 50
"""A game that can last longer than this many moves is refused."""
LARGEST = 200_000
"""A game with more states than this is refused."""
FINEST = 10**6
"""Odds are floats; each stands for the nearest fraction with a denominator up to this."""

HALF, SURE = Fraction(1, 2), Fraction(1)

Known = View
"""An information set is all that the seat to move knows there: its view."""


class NoSmallTree(Refusal):
    """A game that cannot be written out as a small tree in which nobody forgets anything."""


class Choice(NamedTuple):
    """A move that a seat made, and what it knew when it made it."""

    known: Known
    move: Move


class Leaf(NamedTuple):
    """An end of the game."""

    chance: Fraction
    """The probability of all that chance did on the way."""
    last: tuple[Choice | None, Choice | None]
    """The last choice of each seat; what it chose before that follows from what it knew."""
    path: tuple[Choice, ...]
    """All choices on the way, both seats'."""
    won: tuple[Fraction, Fraction]
    """What each seat has of the win: 1, 0, or 1/2 each if it is undecided."""


@dataclass(frozen=True)
class Tree:
    """A game written out, as far as a solver needs it."""

    leaves: tuple[Leaf, ...]
    before: dict[Known, Choice | None]
    """The last choice of the same seat before each information set; earlier sets come first."""

    @classmethod
    def of(cls, game: Game, deepest: int = DEEPEST, largest: int = LARGEST) -> Tree:
        """The tree of a game; one that is too deep or too large for this is refused."""
        walk = _Walk(deepest, largest)
        leaves = tuple(walk.leaves(game.start(), SURE, (None, None), ()))
        return cls(leaves, walk.before)


class _Walk:
    """One walk through all states of a game."""

    def __init__(self, deepest: int, largest: int) -> None:
        self.before: dict[Known, Choice | None] = {}
        self._deepest, self._largest, self._states = deepest, largest, 0

    def leaves(
        self,
        state: State[Any, Any, Any],
        chance: Fraction,
        last: tuple[Choice | None, Choice | None],
        path: tuple[Choice, ...],
    ) -> Iterator[Leaf]:
        self._count(state)
        seat = state.actor
        if seat is None:
            yield Leaf(chance, last, path, won(state))
        elif seat is CHANCE:
            for move, odds in zip(state.moves, exact_odds(state), strict=True):
                yield from self.leaves(state.play(move), chance * odds, last, path)
        else:
            known = state.view(seat)
            if self.before.setdefault(known, last[seat.index]) != last[seat.index]:
                raise NoSmallTree("What a seat did itself has to follow from its view.")
            for move in state.moves:
                choice = Choice(known, move)
                done = (choice, last[1]) if seat is Seat.ONE else (last[0], choice)
                yield from self.leaves(state.play(move), chance, done, (*path, choice))

    def _count(self, state: State[Any, Any, Any]) -> None:
        self._states += 1
        if state.number > self._deepest:
            raise NoSmallTree(f"{state.game.title} can last longer than {self._deepest} moves.")
        if self._states > self._largest:
            raise NoSmallTree(f"{state.game.title} has more than {self._largest:,} states.")


def exact_odds(state: State[Any, Any, Any]) -> tuple[Fraction, ...]:
    """The odds at a chance state as fractions, which have to add up to 1."""
    odds = tuple(Fraction(each).limit_denominator(FINEST) for each in state.odds)
    if sum(odds) != 1:
        raise NoSmallTree(f"The odds {state.odds} are no fractions that add up to 1.")
    return odds


def won(state: State[Any, Any, Any]) -> tuple[Fraction, Fraction]:
    """What each seat has of the win at the end of a game."""
    winner = state.outcome.winner if state.outcome else None
    one = HALF if winner is None else Fraction(winner is Seat.ONE)
    return one, SURE - one
