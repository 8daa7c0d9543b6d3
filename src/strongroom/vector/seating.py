"""Who plays a game in batches, by name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from strongroom.contract import Game, Refusal, UnknownName
from strongroom.plugins import registry
from strongroom.referee.bout import TURN_LIMIT
from strongroom.vector.environment import Env
from strongroom.vector.making import make
from strongroom.vector.players import NAMES, BatchedPlayer, batched_player

OTHERS: Final = "Name other games or players"
ONE_BY_ONE: Final = f"{OTHERS}, or leave --batches out."


def seated(
    game: Game, names: Iterable[str], turn_limit: int = TURN_LIMIT
) -> tuple[Env, list[BatchedPlayer]]:
    """A game in batches, and the players with these names; or a refusal.

    >>> from strongroom import load
    >>> env, (one, two) = seated(load("safe-cracker", digits=4), ["random", "random"])
    >>> env.num_actions, one is two
    (64, True)
    """
    if not registry.is_registered("vector", game.name):
        raise Refusal(f"{game.title} is not played in batches.", ONE_BY_ONE)
    env = make(game.name, turn_limit=turn_limit, **game.options.to_json())
    names = list(names)
    try:
        return env, [batched_player(env, name) for name in names]
    except UnknownName:
        raise
    except Refusal as refusal:
        one_by_one = {*names} <= {*registry.names("player")}
        raise Refusal(refusal.reason, ONE_BY_ONE if one_by_one else f"{OTHERS}.") from None


def batched_names(game: Game) -> list[str]:
    """Who plays a game in batches.

    >>> from strongroom import load
    >>> batched_names(load("safe-cracker", attempts=3))
    ['random']
    """
    return [name for name in NAMES if can_be_seated(game, [name])]


def can_be_seated(game: Game, names: Iterable[str]) -> bool:
    """Whether all with these names play a game in batches; a refusal if there is no such name."""
    try:
        seated(game, names)
    except UnknownName:
        raise
    except Refusal:
        return False
    return True
