"""gg-bench's interface: one environment that both players step, as its scripts step it."""

from __future__ import annotations

import runpy
import warnings
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any, cast

import gymnasium
import pytest
from gg_bench_differences import COMPARED, DIFFERENCES, Difference, ours
from gymnasium.utils.env_checker import check_env

from strongroom.contract import Refusal, Seat
from strongroom.doors.gg_bench import GAMES, SECRETS, STEP_LIMIT, SelfPlayEnv, benchmark_files
from strongroom.terminal.main import main
from tests.docs.pages import page, rows, run_example

THEIRS = {0.0, 1.0}
"""What gg-bench's ranking of agents accepts as rewards of a legal game."""


@pytest.mark.parametrize("secrets", SECRETS)
@pytest.mark.parametrize("name", GAMES.values())
def test_a_game_is_played_by_strict_turns_and_ends_with_the_winners_step(
    name: str, secrets: Any
) -> None:
    env, rng = SelfPlayEnv(name, secrets=secrets), Random(1)
    for seed in range(12):
        observation, _ = env.reset(seed=seed)
        over, reward, steps = False, 0.0, 0
        while not over:
            assert env.seat is [*Seat][steps % 2]
            assert observation in env.observation_space
            assert observation[0] == env.seat.value
            assert steps > 5 or env.render()
            seat = env.seat
            observation, reward, over, cut, info = env.step(rng.choice(env.valid_moves()))
            steps += 1
            assert not (reward and not over)
        assert 1 < steps <= STEP_LIMIT
        assert reward in THEIRS
        outcome = env.bout.outcome
        winner = None if outcome is None else outcome.winner
        assert (reward == 1, cut) == (winner is seat, winner is None)
        assert (env.valid_moves(), env.step(env.wait)[1:3]) == ([env.wait], (0.0, True))
        assert info["reason"]


def test_gymnasium_and_gg_bench_find_nothing_wrong_with_an_environment() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it has no render modes, because gg-bench gives none
        for name in GAMES.values():
            check_env(SelfPlayEnv(name), skip_render_check=True)


def test_a_first_guess_that_wins_is_told_at_the_third_step() -> None:
    env = SelfPlayEnv("safe-cracker")
    env.reset(seed=1)
    secret = env.bout.state.secrets[1][0]
    assert env.step(env.game.actions.index(secret))[1:3] == (0.0, False)
    assert (env.valid_moves(), env.step(env.wait)[1:3]) == ([env.wait], (0.0, False))
    assert (env.valid_moves(), env.step(env.wait)[1:3]) == ([env.wait], (1.0, True))
    assert env.seat is Seat.TWO


@pytest.mark.parametrize("action", [-1, 99, 9])
def test_an_illegal_action_loses_the_game(action: int) -> None:
    env = SelfPlayEnv("quantum-duel")
    env.reset(seed=1)
    _, reward, over, cut, info = env.step(action)
    assert (reward, over, cut, env.is_over) == (-10, True, False, True)
    assert info["reason"]


def test_a_player_who_waits_can_do_nothing_else() -> None:
    env = SelfPlayEnv("quantum-duel")
    env.reset(seed=1)
    for action in (3, 0, 2, 8):  # cells 4, 1 and 3, and no challenge
        env.step(action)
    assert (env.seat, env.valid_moves()) == (Seat.ONE, [env.wait])
    assert env.step(6)[1:3] == (-10, True)


def test_a_seed_gives_the_same_games_and_no_seed_the_next_ones() -> None:
    one, two = SelfPlayEnv("safe-code"), SelfPlayEnv("safe-code")
    for seed in (1, None, None):
        for env in (one, two):
            env.reset(seed=seed)
        assert one.bout == two.bout
    secrets = one.bout.state.secrets
    one.reset()
    assert one.bout.state.secrets != secrets


def test_a_tree_search_in_copies_sees_neither_the_secrets_nor_the_coins() -> None:
    env = SelfPlayEnv("digit-deductions")
    env.reset(seed=1)
    env.step(40)
    env.step(40)
    copies = [deepcopy(deepcopy(env)) for _ in range(40)]
    mine = {copy.bout.state.secrets[0] for copy in map(deepcopy, [env] * 40)}
    other = {copy.bout.state.secrets[1] for copy in copies}
    assert mine == {env.bout.state.secrets[0]}
    assert {str(code) for (code,) in other} == {"1-1", "1-9", "9-1", "9-9"}, "all that fit"
    view = env.bout.view(Seat.ONE)
    assert {copy.bout.view(Seat.ONE) == view for copy in copies} == {True}
    duel = SelfPlayEnv("quantum-duel")
    duel.reset(seed=1)
    for action in (3, 0, 2):
        duel.step(action)
    coins = set()
    for copy in map(deepcopy, [duel] * 40):
        copy.step(7)
        coins.add(str(copy.bout.state.board))
    assert len(coins) == 2


def test_options_and_settings_that_do_not_exist_are_refused() -> None:
    assert SelfPlayEnv("safe-cracker", digits=4).action_space == gymnasium.spaces.Discrete(65)
    with pytest.raises(Refusal, match="There is no secrets 'shown'"):
        SelfPlayEnv("safe-code", secrets=cast("Any", "shown"))
    with pytest.raises(Refusal, match="step_limit must be"):
        SelfPlayEnv("safe-code", step_limit=1)


# --- gg-bench's own environments -----------------------------------------------------------------


@pytest.mark.parametrize("each", DIFFERENCES, ids=lambda each: f"{each.number}-{each.rule}")
def test_here_the_rule_holds_that_gg_bench_breaks(each: Difference) -> None:
    assert each.ours(ours(each.number)) == each.ours_is != each.theirs_is


def test_the_page_names_every_difference_and_the_commit_compared() -> None:
    told = rows("doors.md", "number", "rule", "there", "here")
    assert [(int(number), rule, there, here) for number, rule, there, here in told] == [
        (each.number, each.rule.rstrip("."), each.theirs_is, each.ours_is) for each in DIFFERENCES
    ]
    assert COMPARED[:7] in page("doors.md#gg-bench")


def test_the_example_on_the_page_prints_what_the_page_says() -> None:
    printed, told = run_example(page("doors.md#gg-bench"))
    assert printed == told


# --- the files -----------------------------------------------------------------------------------


def test_the_command_writes_files_that_hold_a_custom_env_each(tmp_path: Path) -> None:
    assert main(["gg-bench", "duels"]) == 0
    root = tmp_path / "duels"
    written = {str(file.relative_to(root)) for file in root.rglob("*") if file.is_file()}
    assert written == {"README.md", *map(str, benchmark_files())}
    for number, name in GAMES.items():
        data = root / "gg_bench" / "data"
        env = runpy.run_path(str(data / "envs" / f"env_{number}.py"))["CustomEnv"]()
        assert (env.game.name, env.unwrapped) == (name, env)
        lines = (data / "actions" / f"{number}.txt").read_text().splitlines()[1:]
        assert [int(line.partition(":")[0]) for line in lines] == [*range(env.action_space.n)]
        assert (data / "descriptions" / f"{number}.txt").read_text().startswith("# ")
    assert main(["gg-bench", "duels", "--secrets", "chosen"]) == 0
    file = root / "gg_bench" / "data" / "envs" / "env_175.py"
    assert runpy.run_path(str(file))["CustomEnv"]().bout.state.setting_up


def test_a_folder_with_something_else_is_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "clone" / "gg_bench" / "cli.py"
    kept.parent.mkdir(parents=True)
    kept.write_text("theirs")
    assert main(["gg-bench", "clone"]) == 2
    assert "clone: the folder contains something else" in capsys.readouterr().err
    assert [*tmp_path.joinpath("clone").rglob("*.py")] == [kept]
    assert main(["gg-bench", "no/where"]) == 2
    assert "its folder does not exist" in capsys.readouterr().err
