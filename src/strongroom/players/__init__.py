"""Players: anything that chooses a move from a view.

A view is all that a player is given. It keeps honest code honest but is no sandbox: an untrusted
program belongs in a process of its own.
"""

from __future__ import annotations

from random import Random
from typing import Final

from strongroom.contract import Game, Refusal, harmless, quote
from strongroom.contract.player import Checked as Checked
from strongroom.contract.player import Follows as Follows
from strongroom.contract.player import Player as Player
from strongroom.contract.player import Resigns as Resigns
from strongroom.plugins.foreign import FAILURES, failure_text
from strongroom.plugins.foreign import Stops as Stops
from strongroom.plugins.registry import PLAYERS, find_entry, is_by_scheme
from strongroom.referee.record import LONGEST_NAME

CERTIFIED: Final = "master"
"""The player against whom every decision has an exact worth."""


def player(name: str, game: Game, rng: Random) -> Player:
    """The bot with this name for this game, drawing its randomness from `rng`.

    A player from another package that fails on creation is refused.
    """
    seat = find_entry("player", name)
    try:
        seated: Player = seat(game, rng)
    except Refusal:
        raise
    except FAILURES as failure:
        if name in PLAYERS:
            raise
        why = quote(failure_text(failure), 80)
        raise Refusal(f"The player {quote(name)} cannot play: {why}.") from failure
    return seated


def check(seated: Player) -> None:
    """Refuse a player who knows by now that it cannot play."""
    if isinstance(seated, Checked):
        seated.check()


def seat_name(name: str) -> str:
    """What the player with this name is called at a table; or a refusal.

    >>> seat_name("master")
    'Master'
    """
    if not is_by_scheme(name):
        return name.title()
    own = getattr(find_entry("player", name), "seat_name", "")
    return harmless(own or name.partition(":")[2])[:LONGEST_NAME].strip()


def stand_in(name: str, game: Game) -> tuple[str, str]:
    """The bot that plays a game for the one named, and a sentence about it if it is another.

    Where nothing is certified, expert plays instead of master.
    """
    if name != "master":
        return name, ""
    from strongroom.theory.shelf import is_certified, label

    if is_certified(game):
        return name, ""
    return "expert", f"Nothing is certified for {label(game)}: expert plays instead of master."
