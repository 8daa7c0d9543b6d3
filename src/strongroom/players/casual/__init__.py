"""The player who plays sensibly and errs like a person: it forgets, overlooks and is impatient."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from strongroom.players.casual.guessing import EdgeThenFits, FirstThatFits
from strongroom.players.casual.quantum_duel import CompletesOrBlocks
from strongroom.players.casual.safe_code import AsksForEverything
from strongroom.players.casual.safecracker_duel import TakesTurnsBack
from strongroom.players.ideas import Idea, PlayerByIdeas


class CasualPlayer(PlayerByIdeas):
    """Plays each game as people do; its slips and its preferences are drawn from `rng`."""

    name = "casual"
    ideas: ClassVar[Mapping[str, type[Idea]]] = {
        "safecracker-duel": TakesTurnsBack,
        "safe-cracker": FirstThatFits,
        "safe-code": AsksForEverything,
        "digit-deductions": EdgeThenFits,
        "quantum-duel": CompletesOrBlocks,
    }
