"""Making environments by name."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from strongroom.contract import Game
from strongroom.plugins.registry import find_entry, load
from strongroom.referee.bout import TURN_LIMIT
from strongroom.vector.checking import whole
from strongroom.vector.environment import Env

LONGEST = 10_000
"""The highest turn limit."""


def make(name: str, /, *, turn_limit: int = TURN_LIMIT, **options: Any) -> Env:
    """The environment of a game with these options; equal arguments give the same one.

    >>> env = make("safe-cracker", digits=4)
    >>> env.num_actions, env.observation_shape
    (64, (200,))
    """
    limit = whole("turn_limit", turn_limit, 1, LONGEST)
    return _made(load(name, **options), limit)


@lru_cache(maxsize=64)
def _made(game: Game, turn_limit: int) -> Env:
    return Env(find_entry("vector", game.name)(game, turn_limit))
