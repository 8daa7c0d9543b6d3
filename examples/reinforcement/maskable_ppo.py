"""MaskablePPO of sb3-contrib learns Quantum Duel against master, and is measured.

    pip install 'strongroom[gymnasium]' sb3-contrib
    python examples/reinforcement/maskable_ppo.py agent.zip --reward cost

With the reward `cost` every move is judged by itself, so nothing is discounted or bootstrapped.
"""

from __future__ import annotations

import argparse
from typing import Any

import gymnasium
import numpy as np
from features import GAME, MEMORY, Features, encoder
from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_util import make_vec_env

import strongroom
from strongroom.doors.gymnasium import SeatEnv
from strongroom.minds.observation import Observer, PolicyPlayer

STEPS, ENVIRONMENTS = 20_000, 8


def environment(reward: str) -> gymnasium.Env[Features, np.int64]:
    """The game against master, with those features as observations."""
    env = gymnasium.make("strongroom/QuantumDuel-v0", reward=reward, memory=MEMORY)
    seat = env.unwrapped
    assert isinstance(seat, SeatEnv)
    encode = encoder(seat.observer)
    size = len(encode(seat.observation_space.sample()))
    space = gymnasium.spaces.Box(0, 1, (size,), np.float32)
    return gymnasium.wrappers.TransformObservation(env, encode, space)


def main() -> None:
    """Learn, keep what was learned, and measure it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", help="where the agent is written")
    parser.add_argument("--reward", choices=("result", "cost"), default="cost")
    parser.add_argument("--steps", type=int, default=STEPS, help=f"moves ({STEPS})")
    parser.add_argument("--rounds", type=int, default=50, help="games in each seat (50)")
    chosen = parser.parse_args()

    envs = make_vec_env(lambda: environment(chosen.reward), ENVIRONMENTS, seed=1)
    discount = 0.0 if chosen.reward == "cost" else 1.0
    model = MaskablePPO("MlpPolicy", envs, gamma=discount, n_steps=256, device="cpu", seed=1)
    model.learn(chosen.steps)
    model.save(chosen.file)

    kept = MaskablePPO.load(chosen.file, device="cpu")
    encode = encoder(Observer(strongroom.load(GAME), memory=MEMORY))

    def act(observation: Any, mask: Any) -> Any:
        return kept.predict(encode(observation), action_masks=mask, deterministic=True)[0]

    measured = strongroom.measure(
        lambda game, rng: PolicyPlayer(game, act, MEMORY),
        GAME,
        rounds=chosen.rounds,
        seed=1,
        name="ppo",
    )
    figures = measured.figures[GAME]
    print(f"{measured}; it gives away {figures['start'] - figures['by_costs']:.3f} of a win a game")


if __name__ == "__main__":
    main()
