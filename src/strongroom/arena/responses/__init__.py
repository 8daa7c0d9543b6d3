"""What a best response wins: a file for each kind of game, exact wherever that can be computed."""

from __future__ import annotations

from collections.abc import Callable

from strongroom.contract import Refusal, View
from strongroom.players.ideas import Mixture

Policy = Callable[[View], Mixture]
"""How a player mixes its moves in each view."""
Report = Callable[[float], None]
"""Hears how far a computation is, from 0 to 1."""


def silent(done: float) -> None:
    """The report to nobody."""


class TooComplex(Refusal):
    """A player whose best response is not computed here."""
