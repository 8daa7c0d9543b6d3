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
from typing import Final

from strongroom.arena.tournament import Make
from strongroom.contract import CHANCE, AnyState, Game, Move, Refusal, Seat, View
from strongroom.players import Player
from strongroom.players.ideas import Mixture
from strongroom.plugins.registry import find_entry, is_registered
from strongroom.referee.bout import Bout
from strongroom.referee.randomness import stream
from strongroom.theory.solvers.small_games import NoSmallTree, Tree, best_response

STATES: Final = 12
"""How many states are sampled for each decision."""
MOVES: Final = 30
"""The most moves that are tried in each of them; of more, a sample."""
PLAYED_ON: Final = 20
"""How many further turns are played at random before a game counts as undecided."""
Policy = Callable[[View], Mixture]
"""A player's mixture of moves in each view."""
ShareDone = Callable[[float], None]
"""Called with the share of the work that is done, from 0 to 1."""
ResponseValue = Callable[[Seat, ShareDone], float]
"""Computes what a best response from a seat wins."""
Script = Callable[[], Player]
"""Creates a script for a new game."""


def silent(done: float) -> None:
    """ShareDone nothing."""


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


class SearchScript:
    """Tries its moves in states that fit its view, plays on at random, and makes the best one."""

    def __init__(self, game: Game, rng: Random) -> None:
        self._game, self._rng = game, rng

    def choose(self, view: View) -> Move:
        """The move that won most often."""
        rng, moves = self._rng, view.moves
        tried = moves if len(moves) <= MOVES else rng.sample(moves, MOVES)
        states = [self._game.sample(view, rng) for _ in range(STATES)]
        assert view.seat is not None
        score = {
            move: sum(self._won(state.play(move), view.seat) for state in states) for move in tried
        }
        return max(score, key=score.__getitem__)

    def _won(self, state: AnyState, seat: Seat) -> float:
        """What the seat wins if both play on at random: 1, 0, or a half if it takes too long."""
        bout = Bout(state, state.turns + PLAYED_ON)
        while bout.outcome is None:
            odds = bout.state.odds if bout.actor is CHANCE else None
            bout = bout.play(self._rng.choices(bout.state.moves, odds)[0])
        winner = bout.outcome.winner
        return 0.5 if winner is None else float(winner is seat)


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
