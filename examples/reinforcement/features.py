"""What an agent looks at in an observation of Quantum Duel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from strongroom.minds.observation import Observer

GAME, MEMORY = "quantum-duel", 1
"""Nothing is hidden at Quantum Duel: of all that happened, the latest event is enough."""
OPEN = 1
"""The answer to an observation that may still be challenged, as observations number it."""

Features = NDArray[np.float32]
Encode = Callable[[Any], Features]


def encoder(observer: Observer) -> Encode:
    """What turns observations into features: the player's own cells, the opponent's, the contested.

    Both seats look alike, so what is learned in one helps in the other.
    """
    board, latest = observer.layout["board"], observer.layout["history"]

    def encode(observation: Any) -> Features:
        seat, cells, (action, answer) = observation[0], observation[board], observation[latest]
        contested = np.arange(1, len(cells) + 1) == abs(action) * (answer == OPEN)
        return np.concatenate([cells == seat, cells == 3 - seat, contested]).astype(np.float32)

    return encode
