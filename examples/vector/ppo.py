"""PPO by self-play, in the manner of Pgx's own trainers: one loop, any of the five games.

    python examples/vector/ppo.py quantum-duel quantum.npz
    strongroom measure policy:quantum.npz --only quantum-duel

The environment is made in one line, `env = make(game)`, and all that follows is written for Pgx:
`env.init`, `auto_reset(env.step, env.init)`, `state.observation`, `state.legal_action_mask`,
`state.current_player`, `state.rewards`. At each checkpoint the file is written again, with what the
network wins against random moves and, with --exploit, what a best response wins from it, or the
best script known.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from network import Adam, Array, Network, new_network, outputs
from pgx.experimental.wrappers import auto_reset

from strongroom.arena.exploitation import exploit
from strongroom.contract import Refusal
from strongroom.minds.policy import NetworkPolicy, write_policy
from strongroom.players import player
from strongroom.plugins.registry import GAMES
from strongroom.vector.pgx import PgxEnv, make

NEVER = -1e9
"""The logit of an illegal action."""
UNSEEN = {"turns"}
"""What the network is not shown, so that at Quantum Duel a best response can be computed."""
EXACT = {"quantum-duel"}
"""Where that takes seconds, and is told without being asked for."""
TRIED_GAMES = 100
"""In how many games the best script is measured, where no best response is known."""


@dataclass(frozen=True)
class Settings:
    """How a network is trained."""

    games: int = 256
    """How many games are played side by side."""
    steps: int = 32
    """How many moves of each are played between two updates."""
    epochs: int = 4
    """How often each of these moves is learned from."""
    batches: int = 4
    """In how many parts."""
    hidden: tuple[int, ...] = (64,)
    rate: float = 3e-3
    """How far a step goes at first; at the end, not at all."""
    clip: float = 0.2
    entropy: float = 0.05
    """What is paid for playing at random, so that nobody plays by heart."""
    updates: int = 60
    trace: float = 0.95
    """How much of a result is handed back to each earlier move: lambda of GAE."""


class Moves(NamedTuple):
    """A move of each game."""

    seen: Array
    legal: Array
    action: Array
    chance: Array
    """The logarithm of how likely it was."""
    value: Array
    """The result that was expected, for player 0."""
    reward: Array
    """What it brought player 0."""
    over: Array
    sign: Array
    """1 if player 0 moved, else -1."""


class Run(NamedTuple):
    """Where a training stands."""

    network: Network
    adam: Adam
    state: Any
    key: Array
    done: Array
    """How many updates were made."""


class Learner:
    """Learns one game; its functions can be compiled."""

    def __init__(self, env: PgxEnv, settings: Settings) -> None:
        self.env, self.settings = env, settings
        layout = env.env.layout
        self.parts = [part for part in layout if part not in UNSEEN]
        self.columns = np.concatenate([np.r_[layout[part]] for part in self.parts])
        self._step = jax.vmap(auto_reset(env.step, env.init))

    def start(self, key: Array) -> Run:
        """An untrained network, which moves at random, and new games."""
        own, games, later = jax.random.split(key, 3)
        network = new_network(
            own, len(self.columns), self.settings.hidden, self.env.num_actions + 1
        )
        state = jax.vmap(self.env.init)(jax.random.split(games, self.settings.games))
        return Run(network, Adam.of(network), state, later, jnp.int32(0))

    def judge(self, network: Network, seen: Array, legal: Array) -> tuple[Array, Array]:
        """The logarithm of each action's odds, and the result that the player to move expects."""
        found = outputs(network, seen)
        logits = jnp.where(legal, found[..., :-1], NEVER)
        return jax.nn.log_softmax(logits), jnp.tanh(found[..., -1])

    def see(self, state: Any) -> tuple[Array, Array]:
        """What the network is shown, and the mask."""
        return state.observation[..., self.columns].astype(jnp.float32), state.legal_action_mask

    def _move(self, network: Network, carried: tuple[Any, Array], _: None) -> Any:
        state, key = carried
        key, choosing, stepping = jax.random.split(key, 3)
        seen, legal = self.see(state)
        chances, value = self.judge(network, seen, legal)
        action = jax.random.categorical(choosing, chances)
        sign = 1.0 - 2.0 * state.current_player
        after = self._step(state, action, jax.random.split(stepping, len(action)))
        chance = jnp.take_along_axis(chances, action[:, None], axis=-1)[:, 0]
        over = after.terminated | after.truncated
        reward = after.rewards[:, 0]
        return (after, key), Moves(seen, legal, action, chance, sign * value, reward, over, sign)

    def _targets(self, moves: Moves, last: Array) -> Array:
        """What each move led to, for player 0: generalized advantage estimation."""

        def earlier(later: tuple[Array, Array], move: Moves) -> tuple[tuple[Array, Array], Array]:
            value, target = later
            mixed = self.settings.trace * target + (1 - self.settings.trace) * value
            target = move.reward + jnp.where(move.over, 0.0, mixed)
            return (move.value, target), target

        found: Array = lax.scan(earlier, (last, last), moves, reverse=True)[1]
        return found

    def _loss(self, network: Network, batch: tuple[Moves, Array, Array]) -> Array:
        moves, target, better = batch
        chances, value = self.judge(network, moves.seen, moves.legal)
        taken = jnp.take_along_axis(chances, moves.action[:, None], axis=-1)[:, 0]
        ratio, clip = jnp.exp(taken - moves.chance), self.settings.clip
        gain = jnp.minimum(ratio * better, jnp.clip(ratio, 1 - clip, 1 + clip) * better)
        entropy = -(jnp.exp(chances) * jnp.where(moves.legal, chances, 0.0)).sum(-1)
        surprise = (moves.sign * target - value) ** 2
        return (0.5 * surprise - gain - self.settings.entropy * entropy).mean()

    def update(self, run: Run) -> Run:
        """Play on, and learn from it."""
        chosen = self.settings
        (state, key), moves = lax.scan(
            partial(self._move, run.network), (run.state, run.key), None, chosen.steps
        )
        last = (1.0 - 2.0 * state.current_player) * self.judge(run.network, *self.see(state))[1]
        target = self._targets(moves, last)
        better = moves.sign * (target - moves.value)
        better = (better - better.mean()) / (better.std() + 1e-6)
        flat = jax.tree_util.tree_map(
            lambda each: each.reshape(-1, *each.shape[2:]), (moves, target, better)
        )
        rate = chosen.rate * (1 - run.done / chosen.updates)
        key, *shuffling = jax.random.split(key, chosen.epochs + 1)

        def learn(now: tuple[Network, Adam], batch: Any) -> tuple[tuple[Network, Adam], None]:
            network, adam = now
            gradient = jax.grad(self._loss)(network, batch)
            after: tuple[Network, Adam] = adam.step(network, gradient, rate)
            return after, None

        def epoch(now: tuple[Network, Adam], key: Array) -> tuple[tuple[Network, Adam], None]:
            order = jax.random.permutation(key, chosen.games * chosen.steps)
            parts = jax.tree_util.tree_map(
                lambda each: each[order].reshape(chosen.batches, -1, *each.shape[1:]), flat
            )
            return lax.scan(learn, now, parts)  # type: ignore[no-any-return]

        (network, adam), _ = lax.scan(epoch, (run.network, run.adam), jnp.stack(shuffling))
        return Run(network, adam, state, key, run.done + 1)

    def against_random(self, network: Network, key: Array, games: int = 1000) -> Array:
        """The share that the network wins as player 0, who begins in half of the games."""
        env = self.env
        key, own = jax.random.split(key)
        state = jax.vmap(env.init)(jax.random.split(own, games))

        def move(carried: tuple[Any, Array, Array]) -> tuple[Any, Array, Array]:
            state, won, key = carried
            key, choosing, stepping = jax.random.split(key, 3)
            seen, legal = self.see(state)
            chances, _ = self.judge(network, seen, legal)
            mine = (state.current_player == 0)[:, None]
            action = jax.random.categorical(
                choosing, jnp.where(mine, chances, jnp.where(legal, 0.0, NEVER))
            )
            state = jax.vmap(env.step)(state, action, jax.random.split(stepping, games))
            return state, won + state.rewards[:, 0], key

        def going_on(carried: tuple[Any, Array, Array]) -> Array:
            return ~carried[0].terminated.all()

        _, won, _ = lax.while_loop(going_on, move, (state, jnp.zeros(games), key))
        return (1 + won.mean()) / 2

    def write(self, network: Network, file: str) -> NetworkPolicy:
        """Write the network to a file, without the output for the expected result."""
        *hidden, (weights, offsets) = network
        layers = [*hidden, (weights[:, :-1], offsets[:-1])]
        game, limit = self.env.env.packed.game, self.env.env.packed.turn_limit
        return write_policy(file, game, layers, parts=self.parts, turn_limit=limit)


class Checkpoint(NamedTuple):
    """How far a training is."""

    moves: int
    won: float
    """The share that is won against random moves."""
    lost: str
    """What is won from the network in either seat, by somebody who knows it."""


def train(
    learner: Learner, file: str, looks: int, seed: int, exploited: bool = True
) -> Iterator[Checkpoint]:
    """Train a network, and write it to a file at each of so many looks."""
    looking, key = jax.random.split(jax.random.key(seed))
    run = jax.jit(learner.start)(key)

    def several(run: Run, count: Array) -> Run:
        return lax.fori_loop(0, count, lambda _, now: learner.update(now), run)  # type: ignore[no-any-return]

    go_on, play, done = jax.jit(several), jax.jit(learner.against_random), 0
    for look in range(looks + 1):
        now = learner.settings.updates * look // looks
        run, done = go_on(run, now - done), now
        learner.write(run.network, file)
        won = float(play(run.network, looking))
        moves = done * learner.settings.games * learner.settings.steps
        yield Checkpoint(moves, won, _exploited(learner, file) if exploited else "-")


def _exploited(learner: Learner, file: str) -> str:
    """What is won from the policy in a file, moving first and moving second."""
    found = exploit(learner.env.env.packed.game, f"policy:{file}", player, TRIED_GAMES)
    least = "" if all(each.exact for each in found) else "at least "
    return least + " and ".join(f"{each.value:.3f}" for each in found)


def main(arguments: list[str] | None = None) -> None:
    """Train at the game that is named."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game", choices=[*GAMES], metavar="GAME", help=", ".join(GAMES))
    parser.add_argument("file", help="where the policy is written")
    parser.add_argument("--updates", type=int, default=Settings.updates, help="of the network (60)")
    parser.add_argument("--looks", type=int, default=3, help="checkpoints (3)")
    parser.add_argument("--seed", type=int, default=1, help="(1)")
    told = f"look for what beats the network, which takes minutes but at {', '.join(sorted(EXACT))}"
    parser.add_argument("--exploit", action="store_true", help=told)
    chosen = parser.parse_args(arguments)
    if chosen.updates < 1 or chosen.looks < 1:
        parser.error("--updates and --looks must be at least 1")
    env = make(chosen.game)
    exploited = chosen.exploit or chosen.game in EXACT
    learner, begin = Learner(env, Settings(updates=chosen.updates)), time.monotonic()
    try:
        for at in train(learner, chosen.file, chosen.looks, chosen.seed, exploited):
            lost = f", loses {at.lost} to who knows it" if exploited else ""
            seconds = time.monotonic() - begin
            print(f"{at.moves:>9,} moves, {seconds:4.0f} s: wins {at.won:.3f}{lost}", flush=True)
    except (OSError, Refusal) as trouble:
        sys.exit(f"ppo.py: {trouble}")


if __name__ == "__main__":
    main()
