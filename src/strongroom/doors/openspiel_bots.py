"""OpenSpiel's searches as players: `openspiel:mcts` and `openspiel:ismcts`.

They are OpenSpiel's bots written in Python; those written in C++ crash on any game that is written
in Python, OpenSpiel's own included. A name is read here without OpenSpiel, so that a wrong one is
refused for what it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any, Final

from strongroom.contract import CHANCE, Game, Move, Refusal, View, quote
from strongroom.plugins.extras import extra
from strongroom.referee.bout import Bout

if TYPE_CHECKING:  # it needs an extra
    from strongroom.doors.openspiel import OpenSpielState

SIMULATIONS: Final = 100
"""How many games are simulated for a decision, unless the name says otherwise."""
FEWEST: Final = 2
MOST: Final = 1_000_000
EXPLORATION: Final = 2.0
"""The constant of UCT, as in OpenSpiel's examples."""
HORIZON: Final = 40
"""A simulated game that goes on for so many turns is a draw."""

Fitting = Callable[[], "OpenSpielState"]
"""Draws a state that fits what the player knows."""


def seats(text: str) -> partial[SearchPlayer]:
    """The seats of the search named after `openspiel:`; or a refusal.

    >>> seats("mcts?simulations=20").keywords
    {'search': 'mcts', 'simulations': 20}
    """
    search = re.split("[?,]", text)[0]
    settings = text[len(search) :].removeprefix("?")
    if search not in SEARCHES:
        known = ", ".join(f"openspiel:{each}" for each in SEARCHES)
        raise Refusal(f"OpenSpiel has no search {quote(search)} here.", f"Choose from: {known}.")
    if not re.fullmatch(r"(simulations=[0-9]{1,9})?", settings):
        reason = f"{quote(settings)} is not a setting of openspiel:{search}."
        raise Refusal(reason, f"Write openspiel:{search}?simulations={SIMULATIONS}, for example.")
    simulations = int(settings.partition("=")[2] or SIMULATIONS)
    if not FEWEST <= simulations <= MOST:
        raise Refusal(f"simulations must be a number from {FEWEST} to {MOST}.")
    with extra("openspiel", f"openspiel:{search}"):
        import pyspiel  # noqa: F401
    return partial(SearchPlayer, search=search, simulations=simulations)


class SearchPlayer:
    """Lets OpenSpiel search for each of its moves, from states that fit its view."""

    def __init__(self, game: Game, rng: Random, *, search: str, simulations: int) -> None:
        self._game = game
        self._rng = rng
        # OpenSpiel's ISMCTS takes only games that hide something; elsewhere it would be MCTS.
        self._search = SEARCHES[search if game.secrets_each else "mcts"]
        self._simulations = simulations

    def choose(self, view: View) -> Move:
        """The move that the search prefers."""
        from strongroom.doors.openspiel import OpenSpielGame

        if len(view.moves) == 1:
            return view.moves[0]
        game = OpenSpielGame(self._game, view.turns + HORIZON)
        fitting = partial(game.fitting, view, self._rng)
        move: Move = self._game.actions[self._search(fitting, self._simulations, self._rng)]
        return move


def search_by_mcts(fitting: Fitting, simulations: int, rng: Random) -> int:
    """Monte Carlo tree search on one state that fits, as if nothing in it were hidden."""
    from open_spiel.python.algorithms.mcts import MCTSBot

    state = fitting()
    game, random = state.get_game(), _numpy_generator(rng)
    bot = MCTSBot(game, EXPLORATION, simulations, RandomGames(rng), random_state=random)
    number: int = bot.step(state)
    return number


def search_by_ismcts(fitting: Fitting, simulations: int, rng: Random) -> int:
    """Information-set Monte Carlo tree search: each simulation has a new state that fits."""
    from open_spiel.python.algorithms.ismcts import ISMCTSBot

    state = fitting()
    game, random = state.get_game(), _numpy_generator(rng)
    bot = ISMCTSBot(game, RandomGames(rng), EXPLORATION, simulations, random_state=random)
    bot.set_resampler(lambda state, player: fitting())
    return int(bot.step(state))


SEARCHES: Final = {"mcts": search_by_mcts, "ismcts": search_by_ismcts}
"""The searches by name."""


class RandomGames:
    """Evaluates states as OpenSpiel's own evaluator does, by one random game, but faster."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def evaluate(self, state: OpenSpielState) -> list[float]:
        """Each player's result in a random game from this state."""
        from strongroom.doors.openspiel import results

        rng, (at, limit) = self._rng, state.bout
        assert limit is not None
        while at.outcome is None and at.turns < limit:
            by_chance = at.actor is CHANCE
            at = at.play(rng.choices(at.moves, at.odds)[0] if by_chance else rng.choice(at.moves))
        return results(Bout(at, limit))

    def prior(self, state: OpenSpielState) -> list[tuple[int, float]]:
        """The same probability for every action; at a chance node, its own."""
        if state.is_chance_node():
            return state.chance_outcomes()
        actions = state.legal_actions()
        return [(action, 1 / len(actions)) for action in actions]


def _numpy_generator(rng: Random) -> Any:
    """A generator for OpenSpiel, seeded by ours."""
    import numpy as np

    return np.random.RandomState(rng.getrandbits(32))
