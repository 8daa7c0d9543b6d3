"""The player who knows one or two good ideas per game, and follows them without a slip."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from strongroom.players.expert.digit_deductions import CornersThenSplits
from strongroom.players.expert.guessing import Splits
from strongroom.players.expert.quantum_duel import LooksAhead
from strongroom.players.expert.safe_code import AsksWhileItPays
from strongroom.players.expert.safecracker_duel import DrawsThenChangesBack
from strongroom.players.ideas import Idea, PlayerByIdeas


class ExpertPlayer(PlayerByIdeas):
    """Plays each game by a good idea; where a habit would be predictable, it draws from `rng`."""

    name = "expert"
    ideas: ClassVar[Mapping[str, type[Idea]]] = {
        "safecracker-duel": DrawsThenChangesBack,
        "safe-cracker": Splits,
        "safe-code": AsksWhileItPays,
        "digit-deductions": CornersThenSplits,
        "quantum-duel": LooksAhead,
    }
