"""Best responses: the most that anybody can win against a player whose mixtures are known.

They certify a solution, whoever found it: what the best response of the other seat leaves a
strategy is what that strategy guarantees, and where the guarantees of both seats meet is the value.
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
"""With which probability each move is made; a move that is not there is never made."""


class NoPolicy(Refusal):
    """Weights that are no probabilities of legal moves."""


@dataclass(frozen=True)
class Response:
    """A best response."""

    value: Fraction
    """The probability that the responder wins, an undecided game counted as half a win."""
    moves: dict[Known, Move]
    """A best move in each information set of the responder."""
    values: dict[Known, dict[Move, Fraction]]
    """How likely each move wins, given what the responder knows, if it goes on as best it can.

    Where the policy never leads nothing can be known, and nothing is told.
    """


def best_response(tree: Tree, seat: Seat, policy: Policy) -> Response:
    """The best that a seat can do against an opponent who plays a policy."""
    reach = _reach(tree, seat.other, policy)
    wins: dict[Choice | None, Fraction] = defaultdict(Fraction)
    ends: dict[Choice | None, Fraction] = defaultdict(Fraction)
    for leaf in tree.leaves:
        likely, last = reach(leaf), leaf.last[seat.index]
        wins[last] += likely * leaf.won[seat.index]
        ends[last] += likely
    moves: dict[Known, Move] = {}
    values: dict[Known, dict[Move, Fraction]] = {}
    for known, before in reversed(tree.before.items()):  # from the last decisions to the first
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
    """Between what Seat.ONE's value lies, if both seats can play this policy: lower, upper.

    The lower bound is what the policy guarantees in Seat.ONE, the upper what it concedes in
    Seat.TWO. If they meet, the policy is perfect in both seats and the bounds are the value.
    """
    tree = Tree.of(game)
    lower = 1 - best_response(tree, Seat.TWO, policy).value
    return lower, best_response(tree, Seat.ONE, policy).value


def _reach(tree: Tree, seat: Seat, policy: Policy) -> Callable[[Leaf], Fraction]:
    """The probability of a leaf, as far as it is up to chance and a seat with a policy."""
    played = {known: _checked(policy(known), known) for known in tree.before if known.seat is seat}

    def reach(leaf: Leaf) -> Fraction:
        mine = (choice for choice in leaf.path if choice.known.seat is seat)
        return leaf.chance * prod(played[known].get(move, Fraction(0)) for known, move in mine)

    return reach


def _checked(mixture: Mapping[Move, Fraction], known: Known) -> Mapping[Move, Fraction]:
    """A mixture, if it is one over the legal moves."""
    fair = all(isinstance(each, int | Fraction) and each >= 0 for each in mixture.values())
    if not fair or sum(mixture.values()) != 1 or any(move not in known.moves for move in mixture):
        told = ", ".join(f"{move}: {each}" for move, each in mixture.items())
        raise NoPolicy(f"These are no probabilities of the legal moves: {told}.")
    return mixture
