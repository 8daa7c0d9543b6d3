"""Players who choose for a whole batch at once, from tables on the device, and who sits where.

What a player must remember of a game beyond the state stands in notes: words of its own that it
updates after every action. Functions are about one game, to be mapped over a batch (`jax.vmap`);
tables are passed in, so that compiled code does not contain them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, Final

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from strongroom.contract import Game, Refusal, UnknownName
from strongroom.plugins import registry
from strongroom.referee.bout import TURN_LIMIT
from strongroom.text.quoting import quote
from strongroom.vector.environment import Env, State, Tables, make
from strongroom.vector.words import Array, Layout, Words, choice

NAMES: Final = ("master", "random", "response")
"""The players that there are in batches; not every game has all of them."""
TIE: Final = 1e-6
"""The largest difference that rounding makes between moves that are worth the same."""


class BatchedPlayer(ABC):
    """Chooses actions for every game of a batch, in either seat, and follows it in notes."""

    notes: Layout = Layout()
    """Where each number of the notes stands."""

    def __init__(self, env: Env) -> None:
        self.env = env
        self.tables: Mapping[str, NDArray[np.generic]] = self.make_tables()
        """What is looked up, in flat tables by name."""

    def make_tables(self) -> Mapping[str, NDArray[np.generic]]:
        """The tables, made from the theory."""
        return {}

    def on_device(self) -> Tables:
        """The tables as arrays of JAX, to be passed to the functions."""
        return {name: jnp.asarray(table) for name, table in self.tables.items()}

    def first_notes(self) -> tuple[int, ...]:
        """The notes before the first move."""
        return (0,) * self.notes.words

    def update_notes(
        self, notes: Words, seat: Array, before: State, action: Array, after: State, tables: Tables
    ) -> Words:
        """The notes of this seat after an action of either seat.

        The state before may hold the other's secret; notes must not depend on it. What was answered
        is `after.latest_answer`.
        """
        return notes

    @abstractmethod
    def odds(self, state: State, notes: Words, seat: Array, tables: Tables) -> Array:
        """How likely this seat, which is to move, chooses each action, along a new last axis."""

    def choose(self, state: State, notes: Words, seat: Array, word: Array, tables: Tables) -> Array:
        """An action for this seat, which is to move, by a random word."""
        return choice(self.odds(state, notes, seat, tables), word)


class Costs(BatchedPlayer):
    """What every action costs against the certified player, exactly.

    As a player it is a best response: it makes any move that costs nothing.

    The notes of a seat are about its own decisions: in self-play each seat has notes of its own. In
    a position that the certified player never reaches, costs assume that it plays on from there.
    """

    @abstractmethod
    def value(self, state: State, notes: Words, seat: Array, tables: Tables) -> Array:
        """The probability with which a best response wins from here, for the seat to move."""

    @abstractmethod
    def worth(
        self, state: State, notes: Words, seat: Array, action: Array, tables: Tables
    ) -> Array:
        """The same if this legal action is made first."""

    def cost(self, state: State, notes: Words, seat: Array, action: Array, tables: Tables) -> Array:
        """What a legal action of the seat to move gives away, as a probability of winning."""
        worth = self.worth(state, notes, seat, action, tables)
        return jnp.maximum(self.value(state, notes, seat, tables) - worth, 0.0)

    def odds(self, state: State, notes: Words, seat: Array, tables: Tables) -> Array:
        """Every move without a cost is as likely as the others."""
        actions = jnp.arange(self.env.num_actions, dtype=jnp.int32)
        worth = jax.vmap(lambda action: self.worth(state, notes, seat, action, tables))(actions)
        wins = jnp.where(state.legal_action_mask, worth, -1.0)
        best = (wins > wins.max() - TIE).astype(jnp.float32)
        return best / best.sum()


SETTLED: Final = 1e-9
"""Once another turn changes no value by as much as this, all higher numbers share a layer."""


def layers_of(layer: Callable[[int], NDArray[np.float64]], turns: int) -> NDArray[np.float64]:
    """The layers of a table of values, by the turns left: from none on, as far as they differ."""
    layers = [layer(0)]
    for left in range(1, turns + 1):
        layers.append(layer(left))
        if left > 1 and abs(layers[-1] - layers[-2]).max() < SETTLED:
            break
    return np.array(layers)


class Certified(ABC):
    """What a packed game has if its certified player plays in batches."""

    @abstractmethod
    def master(self, env: Env) -> BatchedPlayer:
        """The certified player; a Refusal if nothing is certified for the game's options."""

    @abstractmethod
    def costs(self, env: Env) -> Costs:
        """What actions cost against the certified player."""

    def response(self, env: Env) -> BatchedPlayer:
        """A best response to the certified player: by default any move that costs nothing."""
        return costs_of(env)


class BatchedRandom(BatchedPlayer):
    """Makes random legal moves."""

    def odds(self, state: State, notes: Words, seat: Array, tables: Tables) -> Array:
        """Every legal action is as likely as the others."""
        legal = state.legal_action_mask.astype(jnp.float32)
        return legal / legal.sum(-1, keepdims=True)

    def choose(self, state: State, notes: Words, seat: Array, word: Array, tables: Tables) -> Array:
        """Any legal action."""
        return self.env.random_action(state, word)


class BatchedNetwork(BatchedPlayer):
    """Draws its moves with the odds of a network from a file, as `policy:FILE` does one by one."""

    def __init__(self, env: Env, network: Any) -> None:
        self.network = network
        if network.game != env.packed.game or network.turn_limit != env.packed.turn_limit:
            told = f"{network.game!r} with {network.turn_limit} turns at most"
            raise Refusal(f"This policy was trained at {told}.", "In batches it plays just that.")
        super().__init__(env)

    def make_tables(self) -> Mapping[str, NDArray[np.generic]]:
        """The weights and the offsets of each layer, and which flags the network sees."""
        named = {
            f"{kind}_{number}": array
            for number, layer in enumerate(self.network.layers)
            for kind, array in zip(("weights", "offsets"), layer, strict=True)
        }
        return {"columns": self.network.columns(self.env.layout), **named}

    def odds(self, state: State, notes: Words, seat: Array, tables: Tables) -> Array:
        """The softmax of the network's numbers over the legal actions."""
        count = len(self.network.layers)
        layers = [(tables[f"weights_{n}"], tables[f"offsets_{n}"]) for n in range(count)]
        seen = state.observation[..., tables["columns"]]
        scores = self.network.scores(seen, layers, jnp)
        return jax.nn.softmax(jnp.where(state.legal_action_mask, scores, -jnp.inf))


def batched_player(env: Env, name: str) -> BatchedPlayer:
    """The player with this name; a Refusal where the game, with its options, has no such player.

    `master` plays the certified strategy, `response` a best response to it, `random` any move, and
    `policy:FILE` what a network in a file says.
    """
    if name.partition(":")[0] == "policy":  # the file may have changed
        return BatchedNetwork(env, registry.find_entry("player", name))
    return _named_player(env, name)


@lru_cache(maxsize=64)
def _named_player(env: Env, name: str) -> BatchedPlayer:
    packed = env.packed
    if name == "random":
        return BatchedRandom(env)
    if name == "response":
        return packed.response(env) if isinstance(packed, Certified) else costs_of(env)
    if name == "master":
        if isinstance(packed, Certified):
            return packed.master(env)
        raise _missing(env, "master", "strongroom.players.master plays one game at a time.")
    there = f"There are {', '.join(NAMES)}."
    raise UnknownName(f"There is no player {quote(str(name))} in batches.", there)


@lru_cache(maxsize=64)
def costs_of(env: Env) -> Costs:
    """What actions cost in this game; a Refusal where that is not known in batches."""
    if isinstance(env.packed, Certified):
        return env.packed.costs(env)
    raise _missing(env, "table of costs", "strongroom analyze weighs one game at a time.")


def _missing(env: Env, what: str, instead: str) -> Refusal:
    return Refusal(f"{env.packed.game.title} has no {what} in batches.", instead)


# --- seating ---


OTHERS: Final = "Name other games or players"
ONE_BY_ONE: Final = f"{OTHERS}, or leave --batches out."


def seat_players(
    game: Game, names: Iterable[str], turn_limit: int = TURN_LIMIT
) -> tuple[Env, list[BatchedPlayer]]:
    """A game in batches, and the players with these names; or a refusal.

    >>> from strongroom import load
    >>> env, (one, two) = seat_players(load("safe-cracker", digits=4), ["random", "random"])
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
        seat_players(game, names)
    except UnknownName:
        raise
    except Refusal:
        return False
    return True
