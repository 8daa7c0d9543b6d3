"""Self-play on the vector environment: a network plays both seats of many games and learns.

The reward of a move is the result of the game, or what the move costs. A result is 1, 0 or -1, and
the moves before it share it, each by the difference that it made to what was expected (generalized
advantage estimation). A cost is exact, V - Q against `master`, looked up on the device, doubled to
be in the same units: it says all there is to say about a move, so nothing is handed back.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax import lax
from network import Adam, Array, Network
from policy import Sight, log_odds, new_policy, sight

from strongroom.vector import Env, State
from strongroom.vector.players import Costs, costs_of
from strongroom.vector.words import Words, below, choice, draw, lanes, unsigned

REWARDS = ("result", "cost")


@dataclass(frozen=True)
class Plan:
    """How a network is trained."""

    games: int = 128
    """How many games are played at once."""
    steps: int = 16
    """How many moves of each are played between two updates of the network."""
    updates: int = 1500
    hidden: tuple[int, ...] = (64, 64)
    """The widths of the network's hidden layers."""
    rate: float = 6e-3
    """How far an update goes at first; at the end, not at all."""
    entropy: tuple[float, float] = (0.1, 0.0005)
    """What is paid for playing at random, at first and in the end."""
    opening: int = 12
    """A game begins with fewer random moves than this, so that all kinds of positions are met."""
    trace: float = 0.95
    """How much of a result is handed back to each earlier move."""

    @property
    def moves(self) -> int:
        """How many moves are played between two updates."""
        return self.games * self.steps


class Training(NamedTuple):
    """Where a training stands: the network, and the games in progress."""

    network: Network
    adam: Adam
    state: State
    notes: tuple[Words, Words]
    """What each seat must remember of a game, for the costs of its moves."""
    lane: Array
    """The games' random numbers."""
    done: Array
    """How many updates were made."""


class Step(NamedTuple):
    """A move of every game."""

    seen: Sight
    output: Array
    value: Array
    """The result that was expected, for Seat.ONE."""
    reward: Array
    """The reward, for Seat.ONE."""
    over: Array
    sign: Array
    """1 if Seat.ONE moved, else -1."""


class Trainer:
    """Trains networks for one game with one kind of reward; its functions can be mapped."""

    def __init__(self, env: Env, reward: str, plan: Plan) -> None:
        self.env, self.plan = env, plan
        self.costs: Costs | None = costs_of(env) if reward == "cost" else None
        self.tables = self.costs.on_device() if self.costs else {}

    def start(self, seed: Array) -> Training:
        """An untrained network, and new games."""
        games = self.plan.games
        network = new_policy(self.env, jax.random.key(seed), self.plan.hidden)
        state = jax.vmap(self.env.init)(jnp.arange(games))
        first = self.costs.first_notes() if self.costs else ()
        notes = tuple(jnp.full(games, word, jnp.uint32) for word in first)
        return Training(
            network, Adam.of(network), state, (notes, notes), lanes(seed, games), jnp.uint32(0)
        )

    def train(self, at: Training, updates: Array, tables: Any) -> Training:
        """The training after so many more updates."""
        return lax.fori_loop(0, updates, lambda _, now: self._update(now, tables), at)  # type: ignore[no-any-return]

    def _update(self, at: Training, tables: Any) -> Training:
        """Play on, and learn from it."""
        first = at.done * self.plan.steps

        def step(now: Training, number: Array) -> tuple[Training, Step]:
            return self._move(now, first + number, tables)

        at, played = lax.scan(step, at, jnp.arange(self.plan.steps, dtype=jnp.uint32))
        target = self._targets(at, played)
        share = at.done.astype(jnp.float32) / self.plan.updates
        gradient = jax.grad(self._loss)(at.network, played, target, share)
        network, adam = at.adam.step(at.network, gradient, self.plan.rate * (1 - share))
        return at._replace(network=network, adam=adam, done=at.done + 1)

    def _move(self, at: Training, number: Array, tables: Any) -> tuple[Training, Step]:
        """A move of every game."""
        state, words = at.state, [draw(at.lane, 4 * number + purpose) for purpose in range(3)]
        seen = sight(self.env, state, words[0])
        played = self.env.packed.number(state.position, state.memory)
        opening = below(draw(at.lane, 4 * (number - played) + 3), self.plan.opening)
        seen = seen._replace(decides=seen.decides & (played >= opening))
        chances, value = log_odds(at.network, seen)
        output = choice(jnp.exp(chances), words[1])
        action = jnp.take_along_axis(seen.actions, output[..., None], axis=-1)[..., 0]
        sign = 1.0 - 2.0 * state.current_player
        after = jax.vmap(self.env.step_and_reset)(state, action, words[2])
        over = after.terminated | after.truncated
        reward, notes = after.rewards[..., 0], at.notes
        if self.costs:
            reward, notes = self._cost(at, action, after, over, tables)
            reward = -2 * sign * reward
        step = Step(seen, output, sign * value, reward, over, sign)
        return at._replace(state=after, notes=notes), step

    def _cost(
        self, at: Training, action: Array, after: State, over: Array, tables: Any
    ) -> tuple[Array, tuple[Words, Words]]:
        """What the moves cost, and the notes after them."""
        assert self.costs is not None
        seat, costs, before = unsigned(at.state.current_player), self.costs, at.state
        mine = tuple(jnp.where(seat == 0, a, b) for a, b in zip(*at.notes, strict=True))
        mapped: Callable[..., Array] = jax.vmap(costs.cost, (0, 0, 0, 0, None))
        cost = mapped(before, mine, seat, action, tables)
        noted: Callable[..., Words] = jax.vmap(costs.update_notes, (0, None, 0, 0, 0, None))

        def then(notes: Words, of: int) -> Words:
            new = noted(notes, jnp.uint32(of), before, action, after, tables)
            fresh = zip(costs.first_notes(), new, strict=True)
            return tuple(jnp.where(over, unsigned(first), word) for first, word in fresh)

        return cost, (then(at.notes[0], 0), then(at.notes[1], 1))

    def _targets(self, at: Training, played: Step) -> Array:
        """What each move led to, for Seat.ONE."""
        if self.costs:
            return played.reward
        sign = 1.0 - 2.0 * at.state.current_player
        last = sign * log_odds(at.network, sight(self.env, at.state))[1]

        def earlier(later: tuple[Array, Array], step: Step) -> tuple[tuple[Array, Array], Array]:
            value, target = later
            goes_on = 1.0 - step.over
            mixed = self.plan.trace * target + (1 - self.plan.trace) * value
            target = step.reward + goes_on * mixed
            return (step.value, target), target

        found: Array = lax.scan(earlier, (last, last), played, reverse=True)[1]
        return found

    def _loss(self, network: Network, played: Step, target: Array, share: Array) -> Array:
        """What is to become small: of good moves' odds the negative, and errors of expectation."""
        chances, value = log_odds(network, played.seen)
        taken = jnp.take_along_axis(chances, played.output[..., None], axis=-1)[..., 0]
        better = played.sign * (target - played.value)
        entropy = -(jnp.exp(chances) * jnp.where(played.seen.legal, chances, 0.0)).sum(-1)
        first, last = self.plan.entropy
        paid = first * (last / first) ** share
        surprise = (played.sign * target - value) ** 2
        return (0.5 * surprise - better * taken - paid * entropy).mean()
