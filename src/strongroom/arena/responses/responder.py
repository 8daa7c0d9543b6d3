"""Responders: what is known about winning against the players of a game.

A game without a responder of its own gets the general one, which needs nothing but the contract:
the best response over the game tree, or else a search over sampled states.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from random import Random

from strongroom.arena.responses.scripts import SearchScript
from strongroom.arena.tournament import Make
from strongroom.contract import Game, Move, Refusal, Seat, View
from strongroom.players import Player
from strongroom.players.ideas import Mixture
from strongroom.plugins.registry import find_entry, is_registered
from strongroom.referee.randomness import stream
from strongroom.theory.solvers.small_games import NoSmallTree, Tree, best_response

Policy = Callable[[View], Mixture]
"""A player's mixture of moves in each view."""
Report = Callable[[float], None]
"""A progress callback: the share done, from 0 to 1."""
ResponseValue = Callable[[Seat, Report], float]
"""Computes what a best response from a seat wins."""
Script = Callable[[], Player]
"""Creates a script for a new game."""


def silent(done: float) -> None:
    """Report nothing."""


class TooComplex(Refusal):
    """A player to whom no best response can be computed here."""


@dataclass(frozen=True)
class Opponent:
    """The player that is responded to, from one seat."""

    game: Game
    name: str
    """The player's name."""
    make: Make
    """Creates the player."""
    responder_seat: Seat
    seed: int

    def sit(self, rng: Random) -> Player:
        """The player for a new game."""
        return self.make(self.name, self.game, rng)


class Responder:
    """Responds at any game, by its contract alone."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def best(self, bot: Player, policy: Policy) -> ResponseValue:
        """A function for the values of the best responses; TooComplex if they are out of reach."""
        try:
            tree = Tree.of(self.game)
        except NoSmallTree as trouble:
            raise TooComplex(trouble.reason) from trouble
        return lambda seat, _: float(best_response(tree, seat, partial(_exact, policy)).value)

    def scripts(self, opponent: Opponent) -> Iterator[tuple[str, Script]]:
        """Scripts to try against a player of whom no best response is known, with descriptions."""
        rng = stream(opponent.seed, "searching")
        yield "searches states that fit what it knows", partial(SearchScript, self.game, rng)


def responder_of(game: Game) -> Responder:
    """The responder that is registered for a game, or the general one."""
    known = is_registered("responder", game.name)
    kind = find_entry("responder", game.name) if known else Responder
    if not (isinstance(kind, type) and issubclass(kind, Responder)):
        raise Refusal(f"What is registered as the responder of {game.name} is not a Responder.")
    return kind(game)


def _exact(policy: Policy, view: View) -> dict[Move, Fraction]:
    """A mixture in fractions that add up to 1, as floats seldom do."""
    weights = {move: Fraction(weight) for move, weight in policy(view).items()}
    total = sum(weights.values())
    return {move: weight / total for move, weight in weights.items()}
