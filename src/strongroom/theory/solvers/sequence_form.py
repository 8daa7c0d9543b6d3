"""Small games solved exactly: optimal strategies of both seats by linear programming.

A strategy is written as a realization plan: for each choice, the product of the seat's own
probabilities up to and including it. The plan that guarantees most is then found by a linear
programme (the sequence form of Koller, Megiddo and von Stengel), no larger than the game tree.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from strongroom.contract import Game, Move, Seat, View
from strongroom.theory.solvers.exact_programme import ExactProgramme
from strongroom.theory.solvers.tree import Choice, Known, Tree

Strategy = dict[Known, dict[Move, Fraction]]
"""The probability of each move in each information set."""


@dataclass(frozen=True)
class Equilibrium:
    """Optimal strategies of both seats, and the value of the game."""

    value: Fraction
    """The probability that Seat.ONE wins, an undecided game counted as half a win."""
    strategies: tuple[Strategy, Strategy]
    """The strategy of each seat in each of its information sets.

    Information sets that a seat's own strategy never reaches get uniform probabilities.
    """

    def policy(self, view: View) -> dict[Move, Fraction]:
        """The probability of each move of the seat to move."""
        assert view.seat is not None
        return self.strategies[view.seat.index][view]


def solve(game: Game) -> Equilibrium:
    """The equilibrium of a game with a small tree; other games are refused."""
    tree = Tree.of(game)
    (lower, one), (for_two, two) = (best_plan(tree, seat) for seat in Seat)
    assert lower + for_two == 1, "the two programmes are dual, so their values meet"
    return Equilibrium(lower, (one, two))


def best_plan(tree: Tree, seat: Seat) -> tuple[Fraction, Strategy]:
    """The most that a seat can guarantee itself, and a strategy that guarantees it.

    The unknowns are the seat's plan, by choice, and what the opponent leaves it, by the opponent's
    information set. Since more weight in a plan never yields less, inequalities suffice: the
    choices in an information set weigh no more together than the choice before it.
    """
    programme = ExactProgramme()
    programme.at_most(1, [(None, 1)])
    left = _left_by_opponent(tree, seat)
    for known, before in tree.before.items():
        if known.seat is seat:
            choices = [(Choice(known, move), 1) for move in known.moves]
            programme.at_most(0, [(before, -1), *choices])
        else:
            for move in known.moves:
                scale, terms = _whole(left[Choice(known, move)])
                programme.at_most(0, [(known, scale), *((key, -n) for key, n in terms.items())])
    scale, goal = _whole(left[None])
    found = programme.solve(goal)
    value = sum((weight * found[key] for key, weight in goal.items()), Fraction(0)) / scale
    mine = [known for known in tree.before if known.seat is seat]
    return value, {known: _behaviour(known, found) for known in mine}


def _left_by_opponent(tree: Tree, seat: Seat) -> dict[Choice | None, dict[Hashable, Fraction]]:
    """What each choice of the opponent leaves the seat, as an expression in the unknowns."""
    left: dict[Choice | None, dict[Hashable, Fraction]] = defaultdict(lambda: defaultdict(Fraction))
    for leaf in tree.leaves:
        mine, theirs = leaf.last[seat.index], leaf.last[seat.other.index]
        left[theirs][mine] += leaf.chance * leaf.won[seat.index]
    for known, before in tree.before.items():
        if known.seat is seat.other:
            left[before][known] += 1
    return left


def _whole(terms: Mapping[Hashable, Fraction]) -> tuple[int, dict[Hashable, int]]:
    """The smallest factor that makes all weights integers, and the scaled terms."""
    scale = lcm(*(weight.denominator for weight in terms.values()))
    return scale, {key: int(weight * scale) for key, weight in terms.items()}


def _behaviour(known: Known, plan: Mapping[Hashable, Fraction]) -> dict[Move, Fraction]:
    """A plan's move probabilities in an information set: its weights there, normalised."""
    weights = {move: plan[Choice(known, move)] for move in known.moves}
    total = sum(weights.values())
    if not total:
        return dict.fromkeys(known.moves, Fraction(1, len(known.moves)))
    return {move: weight / total for move, weight in weights.items()}
