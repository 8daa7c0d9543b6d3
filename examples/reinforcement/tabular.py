"""A table learns Quantum Duel against master, through Gymnasium, with numpy alone, and is measured.

    python examples/reinforcement/tabular.py agent.npz --reward cost --games 300
    strongroom measure "engine:python examples/reinforcement/tabular_engine.py agent.npz" \\
        --only quantum-duel

For every position the table has a weight for each action, and a softmax over the legal ones gives
their odds. After a game they follow the gradient of what came after each move: with the reward
`cost` that move's own cost, which no later luck can blur; otherwise the result of the game.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from random import Random
from typing import Any

import gymnasium
import numpy as np
from features import GAME, MEMORY, encoder
from numpy.typing import NDArray

import strongroom
from strongroom.contract import Game
from strongroom.doors.gymnasium import SeatEnv
from strongroom.measuring.measure import Measurement
from strongroom.minds.observation import Observer, PolicyPlayer
from strongroom.plugins.registry import env_id

Weights = NDArray[np.float64]
REWARDS = {"cost": (0.0, 30.0), "result": (1.0, 0.5)}
"""For each reward, what later rewards count for a move, and the rate of learning: of those that
`learning_curve.py --rates` compares, none leaves less given away in the end."""
BASELINE_RATE = 0.1
GAMES = 300


class Table:
    """A policy in a table: weights of all actions, by position; new positions have zeros."""

    def __init__(self, game: Game) -> None:
        observer = Observer(game, memory=MEMORY)
        self.weights: dict[bytes, Weights] = {}
        self.baselines: dict[bytes, float] = {}
        self._encode, self._zeros = encoder(observer), np.zeros(observer.actions)

    def position(self, observation: Any) -> bytes:
        """What an observation is found by."""
        return self._encode(observation).tobytes()

    def odds(self, position: bytes, mask: Any) -> Weights:
        """The probability of each action."""
        weights = np.where(mask, self.weights.get(position, self._zeros), -np.inf)
        odds = np.exp(weights - weights.max())
        return np.asarray(odds / odds.sum())

    def act(self, observation: Any, mask: Any) -> int:
        """The likeliest action."""
        return int(self.odds(self.position(observation), mask).argmax())

    def learn(self, position: bytes, odds: Weights, action: int, worth: float, rate: float) -> None:
        """Make an action likelier if it was worth more than expected, otherwise less likely."""
        expected = self.baselines.get(position, 0.0)
        step = -odds * (worth - expected)
        step[action] += worth - expected
        self.weights[position] = self.weights.get(position, self._zeros) + rate * step
        self.baselines[position] = expected + BASELINE_RATE * (worth - expected)

    def __call__(self, game: Game, rng: Random) -> PolicyPlayer:
        """A player at the game, so that `strongroom.measure(table)` measures it."""
        return PolicyPlayer(game, self.act, MEMORY)

    def write(self, file: str) -> None:
        """Write the weights to a file."""
        positions = np.frombuffer(b"".join(self.weights), np.float32)
        with open(file, "wb") as opened:
            np.savez_compressed(
                opened,
                positions=positions.reshape(len(self.weights), -1),
                weights=np.array([*self.weights.values()]),
            )

    @classmethod
    def read(cls, file: str) -> Table:
        """The table in a file."""
        table = cls(strongroom.load(GAME))
        with np.load(file) as kept:
            for position, weights in zip(kept["positions"], kept["weights"], strict=True):
                table.weights[position.tobytes()] = weights
        return table


def train(
    reward: str,
    games: int,
    seed: int = 1,
    after: Callable[[int, Table], None] | None = None,
    rate: float | None = None,
) -> Table:
    """A table that has learned from so many games against master; `after` is called after each."""
    env = gymnasium.make(env_id(GAME), opponent="master", reward=reward, memory=MEMORY)
    seat = env.unwrapped
    assert isinstance(seat, SeatEnv)
    table, rng = Table(seat.game), np.random.default_rng(seed)
    discount, usual = REWARDS[reward]
    rate = usual if rate is None else rate
    observation, info = env.reset(seed=seed)
    for number in range(1, games + 1):
        played, over = list[tuple[bytes, Weights, int, float]](), False
        while not over:
            position = table.position(observation)
            odds = table.odds(position, info["action_mask"])
            action = int(rng.choice(len(odds), p=odds))
            observation, gained, terminated, truncated, info = env.step(np.int64(action))
            played.append((position, odds, action, float(gained)))
            over = terminated or truncated
        worth = 0.0
        for position, odds, action, gained in reversed(played):
            worth = gained + discount * worth
            table.learn(position, odds, action, worth, rate)
        if after is not None:
            after(number, table)
        observation, info = env.reset()
    return table


def given_away(measured: Measurement) -> float:
    """How much of a win the measured player gives away a game."""
    figures = measured.figures[GAME]
    return float(figures["start"] - figures["by_costs"])


def main() -> None:
    """Learn, keep what was learned, and measure it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", help="where the weights are written")
    parser.add_argument("--reward", choices=[*REWARDS], default="cost")
    parser.add_argument("--games", type=int, default=GAMES, help=f"to learn from ({GAMES})")
    parser.add_argument("--seed", type=int, default=1, help="the same seed learns the same (1)")
    parser.add_argument("--rounds", type=int, default=20, help="measured in each seat (20)")
    chosen = parser.parse_args()
    train(chosen.reward, chosen.games, chosen.seed).write(chosen.file)
    table = Table.read(chosen.file)
    measured = strongroom.measure(table, GAME, rounds=chosen.rounds, seed=1, name="tabular")
    print(f"{measured}; it gives away {given_away(measured):.3f} of a win a game")


if __name__ == "__main__":
    main()
