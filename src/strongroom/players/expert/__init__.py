"""The player who knows one or two good ideas a game, and follows them without a slip."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from types import MappingProxyType
from typing import Final

from strongroom.game import Move, View
from strongroom.players.expert import guessing, quantum_duel, safe_code, safecracker_duel
from strongroom.refusal import UnknownName

IDEAS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "safecracker-duel": safecracker_duel.IDEA,
        "safe-cracker": guessing.IDEA,
        "safe-code": safe_code.IDEA,
        "digit-deductions": guessing.IDEA,
        "quantum-duel": quantum_duel.IDEA,
    }
)
"""How the expert plays each game, in two sentences."""

_CHOICES: Final[Mapping[str, Callable[[View, Random], Move]]] = {
    "safecracker-duel": safecracker_duel.choose,
    "safe-cracker": guessing.choose,
    "safe-code": safe_code.choose,
    "digit-deductions": guessing.choose,
    "quantum-duel": quantum_duel.choose,
}


class ExpertPlayer:
    """Plays each game by its idea in `IDEAS`; only draws among equals are left to `rng`."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def choose(self, view: View) -> Move:
        """The move that the idea of the game leads to."""
        name = view.game.name
        if name not in _CHOICES:
            raise UnknownName(f"The expert does not know {name!r}.", f"Known: {', '.join(IDEAS)}.")
        return _CHOICES[name](view, self._rng)
