"""The environments of PettingZoo: agents in both seats, told of them in numbers."""

from __future__ import annotations

import pickle
import re
import warnings
from collections.abc import Iterator
from copy import deepcopy
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pettingzoo
import pytest
from pettingzoo.utils import wrappers

from strongroom.contract import NotLegal, Refusal
from strongroom.doors.pettingzoo import AGENTS, env, raw_env
from strongroom.plugins.registry import GAMES, load
from tests.plugins.packages import BLUFF, add_package

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # where pygame is installed, it imports a game in an old way
    from pettingzoo.test import api_test, render_test, seed_test

NAMES = [*GAMES, "bluff"]
THEIRS = ("Observation is not a NumPy array", "Observation space for each agent probably should be")
"""What `api_test` finds odd about any dictionary, unless the environment is one of PettingZoo's."""
pytestmark = [
    pytest.mark.filterwarnings(f"ignore:{message}:UserWarning:pettingzoo.test.api_test")
    for message in THEIRS
]


@pytest.fixture(autouse=True)
def _bluff_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(add_package(tmp_path, "bluff", BLUFF))


def legal(observation: Any) -> list[int]:
    numbers: list[int] = np.flatnonzero(observation["action_mask"]).tolist()
    return numbers


def played(table: Any, seed: int, rng: Random) -> list[int]:
    """The actions of a random game; afterwards both agents are dead, and not yet removed."""
    actions = []
    table.reset(seed=seed)
    while not any((*table.terminations.values(), *table.truncations.values())):
        actions.append(rng.choice(legal(table.observe(table.agent_selection))))
        table.step(actions[-1])
    return actions


@pytest.mark.parametrize(
    "make",
    [
        *(partial(env, name) for name in NAMES),
        partial(raw_env, "quantum-duel"),
        partial(env, "safe-cracker", observation="flags"),
    ],
    ids=str,
)
def test_pettingzoos_checks_pass_without_a_warning_of_ours(make: partial[Any]) -> None:
    api_test(make(), num_cycles=100)
    seed_test(make, num_cycles=20)
    render_test(make)


def test_games_are_registered_on_import_and_take_options_and_a_memory() -> None:
    for name in GAMES:
        made: Any = pettingzoo.make("aec", f"strongroom/{name.replace('-', '_')}_v0", turn_limit=7)
        assert made.unwrapped.game == load(name)
        assert made.unwrapped.turn_limit == 7
    table: Any = env("safe-cracker", digits=4, attempts=2, memory=1)
    assert table.unwrapped.game == load("safe-cracker", digits=4, attempts=2)
    assert table.action_space("player_1").n == 64
    assert table.observation_space("player_1")["observation"].shape == (6,)
    with pytest.raises(Refusal, match=re.escape("Choose from: ansi, human.")):
        raw_env("quantum-duel", render_mode="rgb_array")


def test_whoever_moves_twice_in_a_row_is_selected_twice_and_a_copy_goes_on_by_itself(
    capsys: pytest.CaptureFixture[str],
) -> None:
    table: Any = env("quantum-duel", render_mode="human")
    with pytest.raises(AttributeError, match="no agent_selection here, or not yet: call reset"):
        table.last()
    table.reset(seed=1)
    selected = []
    for action in (3, 0, 4):
        selected.append(table.agent_selection)
        table.step(action)
    assert selected == ["player_1", "player_2", "player_1"]
    assert capsys.readouterr().out.count("Quantum Duel") == 3
    assert legal(table.last()[0]) == [7, 8]  # player 2 replies to the observation
    copies = deepcopy(table), pickle.loads(pickle.dumps(table))
    table.step(8)
    assert table.agent_selection == "player_2"
    for copy in copies:
        copy.step(7)
        assert legal(table.last()[0]) != legal(copy.last()[0])


def test_games_after_a_seed_follow_from_it() -> None:
    def chances(seed: int) -> list[list[Any]]:
        table: Any = raw_env("bluff")
        table.reset(seed=seed)
        games = []
        for _ in range(6):
            games.append([table.observe(agent)["observation"].tolist() for agent in AGENTS])
            table.reset()
        return games

    assert chances(1) == chances(1) != chances(2)
    assert len({str(game) for game in chances(1)}) > 1


@pytest.mark.parametrize("actions", [(3, 3), (3, 8), (7,)])
def test_an_illegal_action_loses_as_in_the_wrappers_of_pettingzoos_games(actions: Any) -> None:
    inner = wrappers.TerminateIllegalWrapper(raw_env("quantum-duel"), illegal_reward=-1)
    wrapped = wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(inner))
    told = []
    for table in (env("quantum-duel"), wrapped):
        table.reset(seed=1)
        for action in actions:
            table.step(action)
        told.append([(agent, table.last(observe=False)[1:3]) for agent in dying(table)])
    assert told[0] == told[1]
    assert sorted(reward for _, (reward, _) in told[0]) == [-1, 0]


def dying(table: Any) -> Iterator[str]:
    """The agents that a finished game still asks for nothing, until they are removed."""
    for agent in table.agent_iter():
        yield agent
        table.step(None)


def test_what_is_no_action_is_refused_and_so_is_an_illegal_one_by_a_bare_environment() -> None:
    for table in (env("quantum-duel"), raw_env("quantum-duel")):
        table.reset(seed=1)
        table.step(3)
        before = table.bout
        for action in (-1, 9, None):
            with pytest.raises(Refusal, match="Actions run from 0 to 8"):
                table.step(action)
        for action in (3, 8) if type(table) is raw_env else ():
            with pytest.raises(NotLegal):
                table.step(action)
        assert table.bout == before
        assert not any(table.terminations.values())


@pytest.mark.parametrize("name", [name for name in NAMES if name != "quantum-duel"])
def test_rendering_shows_what_a_spectator_may_know(name: str) -> None:
    table: Any = raw_env(name, render_mode="ansi", turn_limit=10)
    rng, compared = Random(1), 0
    for seed in range(4):
        table.reset(seed=seed)
        while not any((*table.terminations.values(), *table.truncations.values())):
            bout = table.bout
            if not bout.state.setting_up:
                other = bout.state.game.sample(bout.view(None), rng)
                told = table.render()
                table._state = other
                assert table.render() == told
                table._state, compared = bout.state, compared + (other != bout.state)
            table.step(rng.choice(legal(table.observe(table.agent_selection))))
    assert compared


def test_who_is_not_to_move_has_no_action_and_nobody_wins_at_the_turn_limit() -> None:
    table: Any = raw_env("digit-deductions", render_mode="ansi")
    table.reset(seed=1)
    assert legal(table.observe("player_2")) == []
    for action in (5, 7, 7):
        table.step(action)
    for agent in AGENTS:
        assert len(legal(table.observe(agent))) == table.action_space(agent).n
    assert table.rewards == {"player_1": 1, "player_2": -1}
    assert "Player 1" in table.render().splitlines()[-1]
    for late in (None, None, 5):  # the last is after the end, and changes nothing
        table.step(late)
    assert table.agents == []
    table = env("quantum-duel", turn_limit=2)
    assert len(played(table, 1, Random(1))) == table.bout.state.turns == 2
    assert [*table.truncations.values()] == [True, True]
    assert [*table.terminations.values()] == [False, False]
    assert [*table.rewards.values()] == [0, 0]
