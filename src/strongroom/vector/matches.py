"""Matches between players in batches: as many games as wanted, each played to its end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from numpy.typing import NDArray

from strongroom.contract import Refusal
from strongroom.vector.devices import LAST_SEED, MOST_GAMES, on_device, whole
from strongroom.vector.environment import ENDS, Env, Result, State, Tables, by_seat
from strongroom.vector.players import BatchedPlayer, Costs
from strongroom.vector.words import Array, Words, draw, either, lane_of, unsigned

SEGMENT: Final = 64
"""After how many launches of moves progress is reported."""
LAUNCH: Final = 8
"""How many moves are made between two checks whether all games are over."""
BATCH: Final = 1 << 13
"""How many games a CPU plays side by side: few enough for its caches."""
BATCH_ON_GPU: Final = 1 << 20
"""How many games a GPU plays side by side."""
FEWEST_EACH: Final = 16
"""How many games each place of a batch plays, so that few places wait for the last game."""

Progress = Callable[[int], None]
"""Is told how many games are over."""


class MeanCost(NamedTuple):
    """What a seat gives away in a game, on average."""

    mean: float
    error: float
    """The standard error of the mean."""

    @classmethod
    def of(cls, sums: Sequence[float], games: int) -> MeanCost:
        """The mean of costs, from their sum and the sum of their squares in so many games."""
        mean, squared = (each / games for each in sums)
        return cls(mean, (max(0.0, squared - mean * mean) / games) ** 0.5)


class Matches(NamedTuple):
    """How games ended."""

    games: int
    won_by_one: int
    won_by_two: int
    undecided: int
    moves: int
    """How many moves the players made."""
    costs: tuple[MeanCost, MeanCost] | None = None
    """What each seat gave away against the certified player, if it was asked for."""

    @property
    def score(self) -> float:
        """The share of Seat.ONE; an undecided game counts as half a win."""
        return (self.won_by_one + self.undecided / 2) / self.games


class Place(NamedTuple):
    """One place of a batch: the game that is played there, and what came of those before it."""

    state: State
    notes: tuple[Words, ...]
    """The notes of each party."""
    number: Array
    """The number of the game, from which its random words are made."""
    left: Array
    """How many games are still to be finished here."""
    ended: tuple[Array, ...]
    """How many games ended in each result since this was last looked at."""
    moves: Array
    """How many moves were made since then."""
    spent: tuple[Array, ...]
    """What each seat has given away in this game."""
    sums: tuple[Array, ...]
    """What each seat gave away in those that ended since then, and its squares."""


def play(
    env: Env,
    one: BatchedPlayer,
    two: BatchedPlayer,
    games: int,
    seed: int = 0,
    *,
    batch: int | None = None,
    costs: Costs | None = None,
    progress: Progress | None = None,
) -> Matches:
    """Play exactly this many games: a batch side by side, one after the other in each place.

    How many games a place plays is settled before the first, so that short games do not count more
    than long ones. A game's random words follow from the seed and the game's number, so that the
    batch changes nothing but the speed.

    >>> from strongroom.vector import make
    >>> from strongroom.vector.players import batched_player
    >>> env = make("safe-cracker")
    >>> anybody = batched_player(env, "random")
    >>> played = play(env, anybody, anybody, games=1000)
    >>> played.won_by_one + played.won_by_two + played.undecided
    1000
    """
    games, seed = whole("games", games, 1, MOST_GAMES), whole("seed", seed, 0, LAST_SEED)
    if any(each.env is not env for each in (one, two, costs or one)):
        told = "Make them of the environment that is played."
        raise Refusal("A player or the costs belong to another game.", told)
    with on_device():
        return _play(env, (one, two), games, seed, _width(games, batch), costs, progress)


def _play(
    env: Env,
    sitting: tuple[BatchedPlayer, BatchedPlayer],
    games: int,
    seed: int,
    width: int,
    costs: Costs | None,
    progress: Progress | None,
) -> Matches:
    one, two = sitting
    players = tuple(sorted({one, two}, key=id))  # compiled once, however they sit
    begin, go_on = _compile(env, players, costs, width)
    tables = tuple(party.player.on_device() for party in _parties(players, costs))
    places, over, turned = begin(jnp.uint32(games)), 0, jnp.uint32(players[0] is not one)
    totals: list[NDArray[np.float64]] = []
    while over < games:
        places, counted = go_on(places, jnp.uint32(seed), turned, tables)
        # Added up here, because the device has neither counts nor sums for billions of games.
        totals.append(np.array([np.asarray(each).sum(dtype=np.float64) for each in counted]))
        over += int(totals[-1][: len(ENDS)].sum())
        if progress is not None:
            progress(over)
    won_by_one, won_by_two, undecided, moves, *sums = np.sum(totals, axis=0).tolist()
    spent = None
    if costs is not None:
        spent = MeanCost.of(sums[::2], games), MeanCost.of(sums[1::2], games)
    return Matches(games, int(won_by_one), int(won_by_two), int(undecided), int(moves), spent)


def _width(games: int, batch: int | None) -> int:
    """How many games are played side by side."""
    if batch is None:
        most = BATCH_ON_GPU if jax.default_backend() == "gpu" else BATCH
        return min(most, -(-games // FEWEST_EACH))
    return min(whole("batch", batch, 1, MOST_GAMES), games)


class Party(NamedTuple):
    """A player or the costs, and for how many seats it keeps notes; in both it is compiled once."""

    player: BatchedPlayer
    seats: int

    def update_notes(
        self,
        notes: Words,
        first: Array,
        before: State,
        action: Array,
        after: State,
        tables: Tables,
    ) -> Words:
        """The notes of all its seats, of which this is the first, after an action."""

        def of_one(own: Words, seat: Array) -> Words:
            return self.player.update_notes(own, seat, before, action, after, tables)

        words: Words = jax.vmap(of_one)(notes, first + jnp.arange(self.seats, dtype=jnp.uint32))
        return words

    def notes_of(self, notes: Words, first: Array, seat: Array) -> tuple[Words, Array]:
        """The notes for the seat to move, and that seat; for the only one, if there is but one."""
        if self.seats == 1:
            return tuple(word[0] for word in notes), first
        return tuple(by_seat(seat, word[0], word[1]) for word in notes), seat


def _parties(players: tuple[BatchedPlayer, ...], costs: Costs | None) -> list[Party]:
    """Who keeps notes: first the players, then the costs."""
    seated = [Party(player, 2 // len(players)) for player in players]
    return seated if costs is None else [*seated, Party(costs, 2)]


@lru_cache(maxsize=64)
def _compile(
    env: Env, players: tuple[BatchedPlayer, ...], costs: Costs | None, width: int
) -> tuple[Any, Any]:
    """The start of a batch, and the function that plays on for some moves.

    It is told whether the first of two players sits in Seat.TWO.
    """
    parties = _parties(players, costs)
    seats = 2 if costs is not None else 0

    def begin(games: Array) -> Place:
        first = jnp.arange(width, dtype=jnp.uint32)
        each = jnp.full(width, games // width, jnp.uint32)
        none, nothing = jnp.zeros(width, jnp.uint32), jnp.zeros(width, jnp.float32)
        state = jax.vmap(lambda number: env.init())(first)
        notes = tuple(
            tuple(
                jnp.full((width, party.seats), word, jnp.uint32)
                for word in party.player.first_notes()
            )
            for party in parties
        )
        left = each + (first < games % width)
        return Place(
            state, notes, first, left, (none,) * 3, none, (nothing,) * seats, (nothing,) * 2 * seats
        )

    def first_seats(turned: Array) -> list[Array]:
        """The only seat of each party, or the first of both."""
        none = jnp.uint32(0)
        seats = [turned, 1 - turned] if len(players) == 2 else [none]
        return [*seats, none][: len(parties)]

    def move(place: Place, seed: Array, turned: Array, tables: tuple[Tables, ...]) -> Place:
        before, seat = place.state, unsigned(place.state.current_player)
        lane, at = lane_of(seed, place.number), unsigned(before._step_count)
        word, chance = draw(lane, 2 * at), draw(lane, 2 * at + 1)
        sitting = [*zip(parties, place.notes, first_seats(turned), tables, strict=True)]
        known = [
            (party.player, *party.notes_of(notes, first, seat), each)
            for party, notes, first, each in sitting
        ]
        actions = [
            player.choose(before, notes, sits, word, each)
            for player, notes, sits, each in known[: len(players)]
        ]
        action = jnp.where(seat == turned, actions[0], actions[-1])
        after = env.step(before, action, chance)
        notes = tuple(
            party.update_notes(notes, first, before, action, after, each)
            for party, notes, first, each in sitting
        )
        spent = place.spent
        if costs is not None:
            _, own, _, each = known[-1]
            given = costs.cost(before, own, seat, action, each)
            spent = tuple(
                total + jnp.where(seat == sits, given, 0.0) for sits, total in enumerate(spent)
            )
        return settle(place._replace(notes=notes, spent=spent), after)

    def settle(place: Place, after: State) -> Place:
        """The place after a move; the next game begins where one is over."""
        result, counts = unsigned(after._result), place.left > 0
        over = result != Result.NONE
        done = over & counts
        added = (*place.spent, *(each * each for each in place.spent))
        fresh = tuple(tuple(map(unsigned, party.player.first_notes())) for party in parties)
        return Place(
            either(over, env.init(), after),
            either(over, fresh, place.notes),
            place.number + jnp.where(over, unsigned(width), unsigned(0)),
            place.left - done,
            tuple(
                count + (done & (result == kind))
                for count, kind in zip(place.ended, ENDS, strict=True)
            ),
            place.moves + counts,
            tuple(jnp.where(over, 0.0, each) for each in place.spent),
            tuple(
                total + jnp.where(done, each, 0.0)
                for total, each in zip(place.sums, added, strict=True)
            ),
        )

    def go_on(
        places: Place, seed: Array, turned: Array, tables: tuple[Tables, ...]
    ) -> tuple[Place, tuple[Array, ...]]:
        mapped = jax.vmap(lambda place: move(place, seed, turned, tables))

        def launch(carried: tuple[Array, Place]) -> tuple[Array, Place]:
            count, at = carried
            return count + 1, lax.fori_loop(0, LAUNCH, lambda _, each: mapped(each), at)

        def unfinished(carried: tuple[Array, Place]) -> Array:
            return (carried[0] < SEGMENT) & (carried[1].left > 0).any()

        _, places = lax.while_loop(unfinished, launch, (jnp.uint32(0), places))
        counted = (*places.ended, places.moves, *places.sums)
        nothing = jax.tree_util.tree_map(jnp.zeros_like, (places.ended, places.moves, places.sums))
        ended, moves, sums = nothing
        return places._replace(ended=ended, moves=moves, sums=sums), counted

    return jax.jit(begin), jax.jit(go_on, donate_argnums=0)
