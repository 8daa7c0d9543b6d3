"""The games in Gymnasium: its own checks, its seeds and vectors, our rewards and refusals."""

from __future__ import annotations

import runpy
import sys
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from strongroom.agents.gymnasium import SeatEnv
from strongroom.agents.policy_player import PolicyPlayer
from strongroom.contract import Refusal, Seat
from strongroom.measuring.account import account
from strongroom.plugins.registry import GAMES, env_id, load
from strongroom.referee.bout import UNDECIDED
from strongroom.theory.shelf import solution_of
from tests.agents.hears import seat_hears

QUANTUM = "strongroom/QuantumDuel-v0"
CHECKED: list[tuple[str, dict[str, Any]]] = [
    *((name, {"opponent": "casual", "seat": 2, "memory": 3}) for name in GAMES),
    *(("quantum-duel", each) for each in ({}, {"reward": "cost", "seat": 1})),
]
"""Every game, and every kind of settings once."""


def made(name: str = QUANTUM, **settings: Any) -> SeatEnv:
    """An environment without its wrappers."""
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


# --- the framework's own checks ---


@pytest.mark.parametrize(("name", "settings"), CHECKED, ids=str)
def test_every_game_passes_the_check_without_a_warning(name: str, settings: dict[str, Any]) -> None:
    check_env(made(env_id(name), **settings))


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


def test_it_imports_twice_and_names_a_missing_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    module = sys.modules[SeatEnv.__module__].__file__
    assert module is not None
    runpy.run_path(module)  # registers nothing twice, which would warn
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    with pytest.raises(Refusal, match=r"strongroom\[gymnasium\]"):
        runpy.run_path(module)


# --- rules ---


def test_masks_are_those_of_the_legal_moves_until_the_end() -> None:
    env = made("strongroom/SafeCode-v0", opponent="random")
    _, info = env.reset(seed=1)
    assert env.sitting is not None
    legal = [env.game.actions.index(move) for move in env.sitting.view.moves]
    assert np.flatnonzero(info["action_mask"]).tolist() == legal
    assert np.flatnonzero(env.action_masks()).tolist() == legal
    assert env.action_space.contains(env.action_space.sample(info["action_mask"]))
    *_, (_, reward, terminated, truncated) = episode(env, 1)
    assert env.sitting.forfeited is None
    assert reward == env.sitting.result != 0
    assert (terminated, truncated) == (True, False)
    assert not env.action_masks().any()


@pytest.mark.parametrize(
    ("action", "why"), [(7, "yes is not a cell"), (-3, "no action -3"), (9, "no action 9")]
)
def test_an_illegal_action_loses_the_game_and_says_why(action: int, why: str) -> None:
    for reward, lost in (("result", -1.0), ("cost", -0.5)):
        env = made(seat=1, reward=reward)
        env.reset(seed=1)
        _, gained, terminated, truncated, info = env.step(action)
        assert (gained, terminated, truncated) == (lost, True, False)
        assert why in info["reason"]
        with pytest.raises(gymnasium.error.ResetNeeded, match="reset"):
            env.step(0)


def test_what_is_no_whole_number_is_no_action_and_changes_nothing() -> None:
    env = made(seat=1)
    env.reset(seed=1)
    for action in (2.5, "2", None):
        with pytest.raises(TypeError, match="integer"):
            env.step(action)
    assert env.sitting is not None
    assert env.sitting.decided == []


def test_a_turn_limit_options_and_a_policy_as_the_opponent_are_settings() -> None:
    *_, (_, reward, terminated, truncated) = episode(made(opponent="random", turn_limit=2), 1)
    assert (reward, terminated, truncated) == (0.0, False, True)
    env = made("strongroom/SafeCracker-v0", digits=4, opponent="random")
    assert env.game == load("safe-cracker", digits=4)
    assert env.action_space.contains(63)
    first = PolicyPlayer(load("quantum-duel"), lambda observation, mask: mask.argmax())
    env = made(opponent=first, seat=2)
    assert episode(env, 1)
    assert env.sitting is not None
    assert env.sitting.forfeited is None


def test_the_picture_is_what_the_seat_knows() -> None:
    env = made("strongroom/SafeCracker-v0", opponent="random", seat=1, render_mode="ansi")
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.render()
    env.reset(seed=1)
    env.step(env.game.actions.index(env.game.move("2-1-3")))
    picture = env.render()
    assert picture is not None
    assert "You are Player 1." in picture
    assert "2-1-3" in picture
    assert env.sitting is not None
    hidden = env.sitting.record.steps[1].move
    assert str(hidden) not in picture


# --- rewards ---


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


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"reward": "cost", "opponent": "expert"}, "Choose the opponent master, or the reward res"),
    ({"reward": "money"}, "Choose from: result, cost"),
    ({"opponent": "nobody"}, "There is no player"),
    ({"opponent": None}, r"an object with choose\(view\)"),
    ({"opponent": PolicyPlayer}, r"an object with choose\(view\)"),
    ({"seat": 3}, "3"),
    ({"turn_limit": None}, "turn limit"),
    ({"digits": 4}, "digits"),
    ({"render_mode": "human"}, "There is no render mode 'human'"),
]


def test_bad_settings_are_refused() -> None:
    for settings, why in WRONG:
        with pytest.raises(Refusal, match=why):
            SeatEnv("quantum-duel", **settings)


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
