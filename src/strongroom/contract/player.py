"""What a player is: anything that chooses a move from a view, and what else it may want to hear."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Protocol

from strongroom.contract.moves import Move
from strongroom.contract.view import View


class Player(Protocol):
    """Anything that chooses a move from a view."""

    def choose(self, view: View) -> Move:
        """One of the view's moves."""


class Follows(ABC):
    """A player who is told how a match ended."""

    @abstractmethod
    def over(self, view: View) -> None:
        """Receive the player's last view of the match."""


class Limited(ABC):
    """A player who is told after how many turns its match will be undecided."""

    @abstractmethod
    def limit(self, turns: int | None) -> None:
        """Receive the turn limit of the match before it begins; None is no limit."""


class Checked(ABC):
    """A player who may turn out to be unable to play, and can be asked before a match."""

    @abstractmethod
    def check(self) -> None:
        """Raise a refusal if the player cannot play."""


class Resigns(Exception):
    """Raised by a player who resigns when asked for a move."""
