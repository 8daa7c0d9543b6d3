"""Who plays a game in batches, by name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from strongroom.contract import Game, Refusal, UnknownName
from strongroom.plugins import registry
from strongroom.referee.bout import TURN_LIMIT
from strongroom.vector.environment import Env
from strongroom.vector.making import make
from strongroom.vector.players import BatchedPlayer, batched_player

ONE_BY_ONE: Final = "Name other games or players, or leave --batches out."


def seated(
    game: Game, names: Iterable[str], turn_limit: int = TURN_LIMIT
) -> tuple[Env, list[BatchedPlayer]]:
    """A game in batches, and the players with these names; or a refusal.

    >>> from strongroom import load
    >>> env, (one, two) = seated(load("safe-cracker", digits=4), ["random", "random"])
    >>> env.num_actions, one is two
    (64, True)
    """
    if game.name not in registry.names("vector"):
        raise Refusal(f"{game.title} is not played in batches.", ONE_BY_ONE)
    env = make(game.name, turn_limit=turn_limit, **game.options.to_json())
    try:
        return env, [batched_player(env, name) for name in names]
    except UnknownName:
        raise
    except Refusal as refusal:
        raise Refusal(refusal.reason, ONE_BY_ONE) from None
