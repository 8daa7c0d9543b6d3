"""A bot in a seat at the table."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from io import StringIO
from random import Random

from strongroom.contract import Game, Move, View
from strongroom.players import Follows, Player, check, player, tell_end


class Bot(Follows):
    """A bot that is shown thinking over its public moves, so that people can follow them.

    Its output goes to standard error, since standard output is the table's or a stream of events.
    If standard error is a terminal, the output is dropped, as it would end up on somebody's page.
    """

    def __init__(self, name: str, game: Game, rng: Random, thinks: Callable[[View], None]) -> None:
        with _heard_aside():
            self._player: Player = player(name, game, rng)
            check(self._player)
        self._thinks = thinks

    def choose(self, view: View) -> Move:
        """The bot's own choice."""
        if not view.setting_up:
            self._thinks(view)  # first, so that it is still seen if the choice takes long
        with _heard_aside():
            return self._player.choose(view)

    def over(self, view: View) -> None:
        """Tell the bot how the match ended, if it wants to know."""
        with _heard_aside():
            tell_end(self._player, view)


@contextmanager
def _heard_aside() -> Iterator[None]:
    aside = StringIO() if sys.stderr.isatty() else sys.stderr
    with redirect_stdout(aside), redirect_stderr(aside):
        yield
