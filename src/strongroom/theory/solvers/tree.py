"""Game trees: a small game written out in full, for solvers to work on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from typing import NamedTuple

from strongroom.contract import CHANCE, AnyState, Game, Move, Refusal, Seat, View

DEEPEST = 50
"""A game that can last longer than this many moves is refused."""
LARGEST = 200_000
"""A game with more states than this is refused."""
FINEST = 10**6
"""Odds are floats; each is read as the nearest fraction with a denominator up to this."""

HALF, SURE = Fraction(1, 2), Fraction(1)

Known = View
"""An information set, given by the view of the seat to move."""


class NoSmallTree(Refusal):
    """A game that cannot be written out as a small tree with perfect recall."""


class Choice(NamedTuple):
    """A move that a seat made, and the information set in which it made it."""

    known: Known
    move: Move


LastChoices = tuple[Choice | None, Choice | None]
"""The last choice of each seat; with perfect recall it implies the earlier ones."""


class Leaf(NamedTuple):
    """A terminal state of the game."""

    chance: Fraction
    """The product of the chance probabilities on the path."""
    last: LastChoices
    path: tuple[Choice, ...]
    """All choices of both seats on the path."""
    won: tuple[Fraction, Fraction]
    """The payoff of each seat: 1, 0, or 1/2 each if the game is undecided."""


@dataclass(frozen=True)
class Tree:
    """The parts of a game tree that a solver needs."""

    leaves: tuple[Leaf, ...]
    before: dict[Known, Choice | None]
    """The last choice of the same seat before each information set; earlier sets come first."""

    @classmethod
    def of(cls, game: Game, deepest: int = DEEPEST, largest: int = LARGEST) -> Tree:
        """The tree of a game; a game that is too deep or too large is refused."""
        before: dict[Known, Choice | None] = {}
        states = count(1)

        def walk(
            state: AnyState, chance: Fraction, last: LastChoices, path: tuple[Choice, ...]
        ) -> Iterator[Leaf]:
            if state.number > deepest:
                raise NoSmallTree(f"{game.title} can last longer than {deepest} moves.")
            if next(states) > largest:
                raise NoSmallTree(f"{game.title} has more than {largest:,} states.")
            seat = state.actor
            if seat is None:
                yield Leaf(chance, last, path, won(state))
            elif seat is CHANCE:
                for move, odds in zip(state.moves, exact_odds(state), strict=True):
                    yield from walk(state.play(move), chance * odds, last, path)
            else:
                known = state.view(seat)
                if before.setdefault(known, last[seat.index]) != last[seat.index]:
                    raise NoSmallTree("What a seat did itself has to follow from its view.")
                for move in state.moves:
                    choice = Choice(known, move)
                    done = (choice, last[1]) if seat is Seat.ONE else (last[0], choice)
                    yield from walk(state.play(move), chance, done, (*path, choice))

        return cls(tuple(walk(game.start(), SURE, (None, None), ())), before)


def exact_odds(state: AnyState) -> tuple[Fraction, ...]:
    """The odds at a chance state as fractions, which must add up to 1."""
    odds = tuple(Fraction(each).limit_denominator(FINEST) for each in state.odds)
    if sum(odds) != 1:
        raise NoSmallTree(f"The odds {state.odds} are no fractions that add up to 1.")
    return odds


def won(state: AnyState) -> tuple[Fraction, Fraction]:
    """The payoff of each seat at the end of a game."""
    winner = state.outcome.winner if state.outcome else None
    one = HALF if winner is None else Fraction(winner is Seat.ONE)
    return one, SURE - one
