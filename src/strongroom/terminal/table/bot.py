"""A bot in a seat at the table."""

from __future__ import annotations

import sys
import time
from contextlib import redirect_stdout
from random import Random

from strongroom.contract import Game, Move, View
from strongroom.players import Player, player


class Bot:
    """A bot that takes as long over an open move as people need to follow it.

    What it prints goes to standard error: standard output is the table's, or a stream of events.
    """

    def __init__(self, name: str, game: Game, rng: Random, pause: float) -> None:
        with redirect_stdout(sys.stderr):
            self._player: Player = player(name, game, rng)
        self._pause = pause

    def choose(self, view: View) -> Move:
        """The bot's own choice."""
        with redirect_stdout(sys.stderr):
            move = self._player.choose(view)
        if not view.setting_up:
            time.sleep(self._pause)
        return move
