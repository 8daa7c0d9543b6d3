"""Policies both ways: ours for OpenSpiel's algorithms, its policies and bots as our players."""

from __future__ import annotations

from random import Random
from typing import Any

from strongroom.agents.openspiel import OpenSpielGame
from strongroom.agents.openspiel_state import OpenSpielState
from strongroom.contract import Move, Seat, View
from strongroom.plugins.extras import extra
from strongroom.theory.shelf import solution_of
from strongroom.theory.worth import Policy

with extra("openspiel", "strongroom.agents.openspiel"):
    import pyspiel
    from open_spiel.python import policy as openspiel_policy


class OpenSpielPolicy(openspiel_policy.Policy):
    """A policy on views, as one of OpenSpiel's; it lists only the actions that it may take."""

    def __init__(self, game: OpenSpielGame, policy: Policy) -> None:
        super().__init__(game, [0, 1])
        self._policy = policy

    def action_probabilities(
        self, state: OpenSpielState, player_id: int | None = None
    ) -> dict[int, float]:
        """How likely the policy takes each action."""
        player = state.current_player() if player_id is None else player_id
        view = state.bout.view(Seat(player + 1))
        index = view.game.actions.index
        return {index(move): float(odds) for move, odds in self._policy(view).items() if odds}


def master(game: OpenSpielGame) -> OpenSpielPolicy:
    """The certified player's policy, or a refusal if nothing is certified for these options.

    >>> duel = pyspiel.load_game("strongroom_quantum_duel")
    >>> master(duel).action_probabilities(duel.new_initial_state())
    {3: 1.0}
    """
    return OpenSpielPolicy(game, solution_of(game.rules).policy)


class OpenSpielPlayer:
    """A policy or a bot of OpenSpiel as a player: it is shown a state that fits the player's view.

    A bot must choose by the state it is shown, because that is another one every time.
    """

    def __init__(self, decides: Any, game: OpenSpielGame, rng: Random) -> None:
        self._decides, self._game, self._rng = decides, game, rng

    def choose(self, view: View) -> Move:
        """The bot's move, or one drawn by the policy."""
        state = self._game.fitting(view, self._rng)
        if isinstance(self._decides, pyspiel.Bot):
            number = self._decides.step(state)
        else:
            odds = self._decides.action_probabilities(state)
            number = self._rng.choices([*odds], [*odds.values()])[0]
        move: Move = self._game.rules.actions[int(number)]
        return move
