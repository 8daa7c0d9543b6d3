"""The environments of Gymnasium: one agent in a seat, told of it in numbers."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from strongroom.accounts.account import account
from strongroom.contract import Refusal, Seat
from strongroom.doors.gymnasium import SeatEnv
from strongroom.minds.observation import PolicyPlayer
from strongroom.minds.policy import write_policy
from strongroom.plugins.registry import GAMES, env_id, load
from strongroom.referee.bout import UNDECIDED
from strongroom.theory.shelf import solution_of
from tests.minds.hears import seat_hears

QUANTUM = "strongroom/QuantumDuel-v0"


def made(name: str = QUANTUM, **settings: Any) -> SeatEnv:
    env = gymnasium.make(name, **settings).unwrapped
    assert isinstance(env, SeatEnv)
    return env


def episode(env: SeatEnv, seed: int | None = None) -> list[Any]:
    """All that an agent sees in a game in which it always takes the first legal action."""
    observation, info = env.reset(seed=seed)
    seen: list[Any] = [observation.tolist()]
    over = False
    while not over:
        action = info["action_mask"].argmax()
        observation, reward, terminated, truncated, info = env.step(action)
        seen.append((observation.tolist(), reward, terminated, truncated))
        over = terminated or truncated
    return seen


@pytest.mark.parametrize("name", GAMES)
def test_every_game_passes_the_check_without_a_warning(name: str) -> None:
    check_env(made(env_id(name), opponent="casual", seat=2, memory=3))


def test_the_usual_settings_and_costs_pass_it_too_and_nothing_is_registered_twice() -> None:
    check_env(made())
    check_env(made(reward="cost", seat=1))
    module = sys.modules[SeatEnv.__module__].__file__
    assert module is not None
    runpy.run_path(module)  # a second registration would warn


@pytest.mark.parametrize("name", GAMES)
def test_a_policy_in_a_file_has_the_same_odds_for_the_flags_of_an_environment(
    name: str, tmp_path: Path
) -> None:
    env, rng = made(env_id(name), opponent="random", observation="flags"), Random(1)
    check_env(env)
    assert isinstance(env.observation_space, gymnasium.spaces.Box)
    assert (env.observation_space.low.min(), env.observation_space.high.max()) == (0, 1)
    layer = np.random.default_rng(1).normal(size=(env.observer.size, env.observer.actions))
    network = write_policy(tmp_path / "mine.npz", env.game, [(layer, layer[0])])
    observation, info = env.reset(seed=1)
    for _ in range(12):
        legal = np.flatnonzero(info["action_mask"])
        if env._sitting.view.outcome is not None:
            break
        scores = np.exp(network.scores(observation)[legal])
        odds = network(env.game, rng).policy(env._sitting.view)
        assert [*odds.values()] == pytest.approx((scores / scores.sum()).tolist(), rel=1e-4)
        observation, _, _, _, info = env.step(rng.choice(legal.tolist()))
    env.close()


def test_the_same_seed_gives_the_same_episodes_and_further_ones_follow_from_it() -> None:
    one, two = made(opponent="casual"), made(opponent="casual")
    first = [episode(one, 5), episode(one), episode(one)]
    assert [episode(two, 5), episode(two), episode(two)] == first
    assert first[0] != first[1] != first[2]
    assert [episode(two, 6), episode(two), episode(two)] != first
    seats = {one.reset(seed=seed)[0][one.observer.layout["seat"]][0] for seed in range(8)}
    assert seats == {1, 2}  # without a seat, both are played


def test_vectors_of_environments_play_the_games_of_their_seeds() -> None:
    spawned = {"context": "spawn"}
    envs = gymnasium.make_vec(QUANTUM, 2, "async", spawned, opponent="random", seat=1)
    observations, infos = envs.reset(seed=4)
    alone = [made(opponent="random", seat=1) for _ in range(2)]
    starts = [env.reset(seed=4 + number)[0] for number, env in enumerate(alone)]
    assert (observations == np.stack(starts)).all()
    for _ in range(3):
        actions = infos["action_mask"].argmax(axis=1)
        observations, rewards, ended, _, infos = envs.step(actions)
        steps = [env.step(action) for env, action in zip(alone, actions, strict=True)]
        assert (observations == np.stack([step[0] for step in steps])).all()
        assert rewards.tolist() == [step[1] for step in steps]
        assert not ended.any()
    envs.close()


def test_masks_are_those_of_the_legal_moves_until_the_end() -> None:
    env = made("strongroom/SafeCode-v0", opponent="random")
    _, info = env.reset(seed=1)
    assert env.sitting is not None
    legal = [env.game.actions.index(move) for move in env.sitting.view.moves]
    for mask in (info["action_mask"], env.action_masks()):
        assert np.flatnonzero(mask).tolist() == legal
    assert env.action_space.contains(env.action_space.sample(info["action_mask"]))
    *_, (_, reward, terminated, truncated) = episode(env, 1)
    assert env.sitting.forfeit_outcome is None
    assert (reward, terminated, truncated) == (env.sitting.result, True, False)
    assert not env.action_masks().any()


@pytest.mark.parametrize(
    ("action", "why"), [(7, "yes is not a cell"), (-3, "no action -3"), (9, "no action 9")]
)
def test_an_illegal_action_loses_the_game_and_says_why(action: int, why: str) -> None:
    for reward, lost in (("result", -1.0), ("cost", -0.5)):
        env = made(seat=1, reward=reward)
        env.reset(seed=1)
        for no_number in (2.5, "2", None):
            with pytest.raises(TypeError, match="integer"):
                env.step(no_number)
        assert env.sitting is not None
        assert env.sitting.decided == []
        _, gained, terminated, truncated, info = env.step(action)
        assert (gained, terminated, truncated) == (lost, True, False)
        assert why in info["reason"]
        with pytest.raises(gymnasium.error.ResetNeeded, match="reset"):
            env.step(0)


def test_a_turn_limit_options_and_a_policy_as_the_opponent_are_settings() -> None:
    *_, (_, reward, terminated, truncated) = episode(made(opponent="random", turn_limit=2), 1)
    assert (reward, terminated, truncated) == (0.0, False, True)
    env = made("strongroom/SafeCracker-v0", digits=4, opponent="random")
    assert env.game == load("safe-cracker", digits=4)
    first = PolicyPlayer(load("quantum-duel"), lambda observation, mask: mask.argmax())
    env = made(opponent=first, seat=2)
    assert episode(env, 1)
    assert env.sitting is not None
    assert env.sitting.forfeit_outcome is None


def test_the_picture_is_what_the_seat_knows() -> None:
    env = made("strongroom/SafeCracker-v0", opponent="random", seat=1, render_mode="ansi")
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.render()
    env.reset(seed=1)
    env.step(env.game.actions.index(env.game.move("2-1-3")))
    picture = env.render() or ""
    assert "You are Player 1." in picture
    assert "2-1-3" in picture
    assert env.sitting is not None
    assert str(env.sitting.record.steps[1].move) not in picture  # what is hidden


def test_the_reward_cost_is_minus_what_each_move_cost_and_the_end_tells_all() -> None:
    env = made(reward="cost", seat=2)
    rewards = [reward for _, reward, *_ in episode(env, 2)[1:]]
    assert env.sitting is not None
    own = account(env.sitting.record, Seat.TWO, solution_of(env.game).worth)
    assert rewards == [-decision.cost for decision in own.decisions]
    env = made(reward="cost", seat=1)
    env.reset(seed=1)
    env.step(0)
    *_, info = env.step(7)
    assert info["costs"] == (0.0, 0.5)
    assert info["result"] == -1.0


def test_bad_settings_are_refused() -> None:
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"reward": "cost", "opponent": "expert"}, "Choose the opponent master, or the reward res"),
        ({"reward": "money"}, "Choose from: result, cost"),
        ({"opponent": "nobody"}, "There is no player"),
        ({"name": "safe-cracker", "attempts": 2}, "Nothing is certified .* choose expert, which"),
        *(({"opponent": none}, r"an object with choose\(view\)") for none in (None, PolicyPlayer)),
        ({"seat": 3}, "3"),
        ({"turn_limit": None}, "turn limit"),
        ({"turn_limit": None, "observation": "flags"}, "there must be a turn limit"),
        ({"observation": "picture"}, "Choose from: numbers, flags"),
        ({"observation": "flags", "memory": 3}, "Flags have no memory of events"),
        ({"render_mode": "human"}, "There is no render mode 'human'"),
    ]
    for settings, why in wrong:
        with pytest.raises(Refusal, match=why):
            SeatEnv(**{"name": "quantum-duel", **settings})


def test_an_opponent_is_told_of_every_game_that_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    ends = seat_hears(monkeypatch)
    env = made(opponent="hears", seat=1)
    env.reset(seed=1)
    env.step(7)
    env.reset(seed=2)
    env.reset(seed=3)
    env.close()
    assert [end.outcome and end.outcome.winner for end in ends] == [Seat.TWO, None, None]
    assert [end.outcome for end in ends[1:]] == [UNDECIDED] * 2
