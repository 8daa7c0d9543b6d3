"""Best responses: the most that a seat can win against a known strategy.

They certify a solution, however it was found: a strategy guarantees what the other seat's best
response leaves it, and if the guarantees of both seats meet, they are the value of the game.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import prod

from strongroom.contract import Game, Move, Refusal, Seat, View
from strongroom.theory.solvers.tree import Choice, Known, Leaf, Tree

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
    played = {known: _checked(policy(known), known) for known in tree.before if known.seat is seat}

    def reach(leaf: Leaf) -> Fraction:
        mine = (choice for choice in leaf.path if choice.known.seat is seat)
        return leaf.chance * prod(played[known].get(move, Fraction(0)) for known, move in mine)

    return reach


def _checked(mixture: Mapping[Move, Fraction], known: Known) -> Mapping[Move, Fraction]:
    """The mixture itself, if it is a probability distribution over the legal moves."""
    fair = all(isinstance(each, int | Fraction) and each >= 0 for each in mixture.values())
    if not fair or sum(mixture.values()) != 1 or any(move not in known.moves for move in mixture):
        told = ", ".join(f"{move}: {each}" for move, each in mixture.items())
        raise NoPolicy(f"These are no probabilities of the legal moves: {told}.")
    return mixture
