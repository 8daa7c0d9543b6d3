"""Who can sit down at a table: anything that chooses a move from a view."""

from __future__ import annotations

from random import Random
from typing import Protocol, runtime_checkable

from strongroom.game import Game, Move, Refusal, View
from strongroom.refusal import UnknownName
from strongroom.registry import PLAYERS


class Player(Protocol):
    """Anything that chooses a move from a view."""

    def choose(self, view: View) -> Move:
        """One of the view's moves."""


@runtime_checkable
class Patient(Protocol):
    """A player who is told of a refused move and asked again, instead of forfeiting."""

    def refused(self, refusal: Refusal) -> None:
        """Hear why the last move was refused."""


class Resigns(Exception):
    """Raised by a player who, asked for a move, gives up."""


def player(name: str, game: Game, rng: Random) -> Player:
    """The player with this name for this game, drawing its randomness from `rng`."""
    match name:
        case "master":
            from strongroom.players.master import MasterPlayer

            return MasterPlayer(game, rng)
        case "expert":
            from strongroom.players.expert import IDEAS as EXPERT_IDEAS
            from strongroom.players.expert import ExpertPlayer

            _refuse_unless(game.name in EXPERT_IDEAS, name, game)
            return ExpertPlayer(rng)
        case "casual":
            from strongroom.players.casual import IDEAS as CASUAL_IDEAS
            from strongroom.players.casual import CasualPlayer

            _refuse_unless(game.name in CASUAL_IDEAS, name, game)
            return CasualPlayer(rng)
        case "random":
            from strongroom.players.random import RandomPlayer

            return RandomPlayer(rng)
    raise UnknownName(f"There is no player {name!r}.", f"There are: {', '.join(PLAYERS)}.")


def _refuse_unless(knows: bool, name: str, game: Game) -> None:
    if not knows:
        raise UnknownName(f"{name} does not know {game.name}.", "random plays every game.")
