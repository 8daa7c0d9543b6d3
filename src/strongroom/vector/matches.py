"""Matches between players in batches: as many games as wanted, each played to its end."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final, NamedTuple

from strongroom.contract import Refusal
from strongroom.plugins.extras import extra
from strongroom.vector.draws import draw, lanes
from strongroom.vector.environment import Env, State
from strongroom.vector.packed_game import Result, Tables
from strongroom.vector.players import BatchedPlayer, Follower
from strongroom.vector.words import Array, Words, unsigned

with extra("vector", "strongroom.vector"):
    import jax
    import jax.numpy as jnp
    from jax import lax

SEGMENT: Final = 1024
"""How many moves are made between two reports of progress."""
BATCH: Final = 1 << 14
"""How many games a CPU plays side by side."""
BATCH_ON_GPU: Final = 1 << 20
"""How many games a GPU plays side by side."""
MOST_GAMES: Final = 1 << 40
"""The most games of one call."""
FEWEST_EACH: Final = 16
"""How many games each place of a batch plays at least, so that few places wait for the last."""

Progress = Callable[[int], None]
"""Is told how many games are over."""


class Matches(NamedTuple):
    """How games ended."""

    games: int
    won_by_one: int
    won_by_two: int
    undecided: int
    moves: int
    """How many moves the players made."""

    @property
    def score(self) -> float:
        """The share of Seat.ONE; an undecided game counts as half a win."""
        return (self.won_by_one + self.undecided / 2) / self.games


class Lane(NamedTuple):
    """One place of a batch: the game that is played there, and what came of those before it."""

    state: State
    notes: tuple[Words, Words]
    word: Array
    """From which random words are made."""
    left: Array
    """How many games are still to be finished here."""
    ended: Array
    """How many games ended in each result."""
    moves: Array


def play(
    env: Env,
    one: BatchedPlayer,
    two: BatchedPlayer,
    games: int,
    seed: int = 0,
    *,
    batch: int | None = None,
    progress: Progress | None = None,
) -> Matches:
    """Play exactly this many games; a batch of them at a time, one after the other in each place.

    How many games each place plays is settled before the first, so that short games do not count
    more than long ones. Equal arguments give equal results on every device.

    >>> from strongroom.vector import make
    >>> from strongroom.vector.players import batched_player
    >>> env = make("safe-cracker")
    >>> played = play(env, *[batched_player(env, "random")] * 2, games=1000)
    >>> played.games, played.undecided
    (1000, 0)
    """
    if not 0 < games <= MOST_GAMES:
        raise Refusal(f"{games:,} games cannot be played.", f"Play 1 to {MOST_GAMES:,}.")
    width = _width(games, batch)
    tables = one.on_device(), two.on_device()
    begin, segment = _compiled(env, one, two, width)
    lane, step = begin(jnp.uint32(seed), *(jnp.uint32(n) for n in divmod(games, width))), 0
    over = 0
    while over < games:
        lane, counts = segment(lane, jnp.uint32(step), tables)
        won_by_one, won_by_two, undecided, moves = (int(count) for count in counts)
        over, step = won_by_one + won_by_two + undecided, step + SEGMENT
        if progress is not None:
            progress(over)
    return Matches(games, won_by_one, won_by_two, undecided, moves)


def _width(games: int, batch: int | None) -> int:
    """How many games are played side by side."""
    if batch is None:
        most = BATCH_ON_GPU if jax.default_backend() == "gpu" else BATCH
        return min(most, -(-games // FEWEST_EACH))
    if batch < 1:
        raise Refusal(f"A batch of {batch:,} games cannot be played.", "Choose 1 or more.")
    return min(batch, games)
