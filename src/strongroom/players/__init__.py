"""Who can sit down at a table: anything that chooses a move from a view.

A view is all that a player is given. It keeps honest code honest and is no fence: a program that
nobody trusts belongs in a process of its own.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from random import Random
from typing import Protocol

from strongroom.contract import Game, Move, Refusal, View, shown
from strongroom.foreign import FAILURES, told
from strongroom.registry import PLAYERS, find_entry


class Player(Protocol):
    """Anything that chooses a move from a view."""

    def choose(self, view: View) -> Move:
        """One of the view's moves."""


class Patient(ABC):
    """A player who is told of a refused move and asked again, instead of forfeiting.

    To be one is a choice, made by inheriting: a bot that happens to have such a method is none.
    """

    @abstractmethod
    def refused(self, refusal: Refusal) -> None:
        """Hear why the last move was refused."""


class Resigns(Exception):
    """Raised by a player who, asked for a move, gives up."""


class Leaves(Exception):
    """Raised by a patient player who, asked for a move, leaves the match as it stands."""


def player(name: str, game: Game, rng: Random) -> Player:
    """The bot with this name for this game, drawing its randomness from `rng`.

    One of another package that breaks at once is refused.
    """
    seat = find_entry("player", name)
    try:
        seated: Player = seat(game, rng)
    except Refusal:
        raise
    except FAILURES as failure:
        if name in PLAYERS:
            raise
        why = shown(told(failure), 80)
        raise Refusal(f"The player {shown(name)} cannot sit down: {why}.") from failure
    return seated


def stand_in(name: str, game: Game) -> tuple[str, str]:
    """Who takes the seat of a bot at a game, and a line on it if that is somebody else.

    Master leaves what is not certified to expert, where expert knows the game.
    """
    if name != "master" or game.name not in find_entry("player", "expert").ideas:
        return name, ""
    from strongroom.theory.shelf import is_certified, label

    if is_certified(game):
        return name, ""
    return "expert", f"Nothing is certified for {label(game)}: expert plays instead of master."
