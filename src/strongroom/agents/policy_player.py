"""A player who decides by numbers: a policy that was trained through one of the frameworks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from strongroom.agents.observation import Observer
from strongroom.contract import Game, Move, View
from strongroom.referee.bout import TURN_LIMIT

Act = Callable[[Any, Any], Any]
"""Chooses an action, given an observation and the mask of the legal actions."""


class PolicyPlayer:
    """Asks a policy for an action, with the observations that it was trained on.

    >>> from strongroom import load
    >>> from strongroom.contract import Seat
    >>> player = PolicyPlayer(load("quantum-duel"), lambda observation, mask: mask.argmax())
    >>> str(player.choose(player.game.start().view(Seat.ONE)))
    '1'
    """

    def __init__(
        self,
        game: Game,
        act: Act,
        memory: int | None = None,
        turn_limit: int | None = TURN_LIMIT,
    ) -> None:
        self.game, self._act = game, act
        self._observer = Observer(game, turn_limit, memory)

    def choose(self, view: View) -> Move:
        """The move whose number the policy gives."""
        action = self._act(self._observer.observe(view), self._observer.mask(view))
        move: Move = self.game.actions[int(action)]
        return move
