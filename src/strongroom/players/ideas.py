"""Players by ideas: each game that they know they play by an idea that two sentences can tell."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from random import Random
from typing import ClassVar

from strongroom.contract import Game, Move, UnknownName, View


class Idea(ABC):
    """How one game is played; at every seat a new one, so that it may remember what it saw."""

    told: ClassVar[str]
    """The idea in two sentences."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    @abstractmethod
    def choose(self, view: View) -> Move:
        """The move that the idea leads to."""


class PlayerByIdeas:
    """Plays each game by its idea in `ideas`, and does not sit down at any other."""

    name: ClassVar[str]
    ideas: ClassVar[Mapping[str, type[Idea]]]
    """By game, how it is played."""

    def __init__(self, game: Game, rng: Random) -> None:
        if game.name not in self.ideas:
            raise UnknownName(f"{self.name} does not know {game.name}.", "random plays every game.")
        self._idea = self.ideas[game.name](rng)

    def choose(self, view: View) -> Move:
        """The move that the idea of the game leads to."""
        return self._idea.choose(view)
