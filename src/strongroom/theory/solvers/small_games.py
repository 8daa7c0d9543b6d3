"""Small games written out as trees: best responses to a strategy, and optimal strategies.

A best response certifies a strategy, however it was found: a strategy guarantees what the other
seat's best response leaves it, and if the guarantees of both seats meet, they are the value.

An optimal strategy is found as a realization plan: for each choice, the product of the seat's own
probabilities up to and including it. The plan that guarantees most is the result of a linear
programme (the sequence form of Koller, Megiddo and von Stengel), no larger than the game tree.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from math import lcm, prod
from typing import NamedTuple

from strongroom.contract import CHANCE, AnyState, Game, Move, Refusal, Seat, View
from strongroom.theory.solvers.linear_programmes import ExactProgramme

# --- the tree ---

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
                yield Leaf(chance, last, path, payoffs(state))
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


def payoffs(state: AnyState) -> tuple[Fraction, Fraction]:
    """The payoff of each seat at the end of a game."""
    assert state.outcome is not None
    one = Fraction(state.outcome.score(Seat.ONE))
    return one, SURE - one


# --- best responses ---

Policy = Callable[[View], Mapping[Move, Fraction]]
"""The probability of each move; a missing move has probability 0."""


class NoPolicy(Refusal):
    """Weights that are not a probability distribution over the legal moves."""


@dataclass(frozen=True)
class Response:
    """A best response."""

    value: Fraction
    """The probability that the responder wins, an undecided game counted as half a win."""
    moves: dict[Known, Move]
    """A best move in each information set of the responder."""
    values: dict[Known, dict[Move, Fraction]]
    """The win probability of each move, given the responder's information and its best play.

    Information sets that the policy never reaches are left out: no belief is defined there.
    """


def best_response(tree: Tree, seat: Seat, policy: Policy) -> Response:
    """A best response of a seat to an opponent who plays a policy."""
    reach = _reach(tree, seat.other, policy)
    wins: dict[Choice | None, Fraction] = defaultdict(Fraction)
    ends: dict[Choice | None, Fraction] = defaultdict(Fraction)
    for leaf in tree.leaves:
        likely, last = reach(leaf), leaf.last[seat.index]
        wins[last] += likely * leaf.won[seat.index]
        ends[last] += likely
    moves: dict[Known, Move] = {}
    values: dict[Known, dict[Move, Fraction]] = {}
    for known, before in reversed(tree.before.items()):  # backward induction
        if known.seat is seat:
            choices = [Choice(known, move) for move in known.moves]
            best = max(choices, key=wins.__getitem__)
            moves[known] = best.move
            if ends[best]:
                values[known] = {choice.move: wins[choice] / ends[choice] for choice in choices}
            wins[before] += wins[best]
            ends[before] += ends[best]
    return Response(wins[None], moves, values)


def bounds(game: Game, policy: Policy) -> tuple[Fraction, Fraction]:
    """Lower and upper bound on Seat.ONE's value, from a policy that covers both seats.

    The lower bound is what the policy guarantees in Seat.ONE, the upper what it concedes in
    Seat.TWO. If they meet, the policy is optimal in both seats and the bounds are the value.
    """
    tree = Tree.of(game)
    lower = 1 - best_response(tree, Seat.TWO, policy).value
    return lower, best_response(tree, Seat.ONE, policy).value


def _reach(tree: Tree, seat: Seat, policy: Policy) -> Callable[[Leaf], Fraction]:
    """The contribution of chance and of a seat with a policy to the probability of a leaf."""
    played = {
        known: _distribution(policy(known), known) for known in tree.before if known.seat is seat
    }

    def reach(leaf: Leaf) -> Fraction:
        mine = (choice for choice in leaf.path if choice.known.seat is seat)
        return leaf.chance * prod(played[known].get(move, Fraction(0)) for known, move in mine)

    return reach


def _distribution(mixture: Mapping[Move, Fraction], known: Known) -> Mapping[Move, Fraction]:
    """The mixture itself, if it is a probability distribution over the legal moves."""
    fair = all(isinstance(each, int | Fraction) and each >= 0 for each in mixture.values())
    if not fair or sum(mixture.values()) != 1 or any(move not in known.moves for move in mixture):
        weights = ", ".join(f"{move}: {each}" for move, each in mixture.items())
        raise NoPolicy(f"These are no probabilities of the legal moves: {weights}.")
    return mixture


# --- optimal strategies ---

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
