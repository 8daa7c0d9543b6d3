"""The environments as somebody uses them, with Pgx too, and what docs/vector.md says of them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from functools import cache
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from runpy import run_path
from statistics import fmean
from types import SimpleNamespace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pgx
import ppo
import pytest
import training_chart
import training_curves
from best_response import BestResponse
from exploitability import response_to
from network import Network
from pgx.experimental.utils import act_randomly
from pgx.experimental.wrappers import auto_reset
from policy import new_policy
from starting import PATIENCE
from trainer import REWARDS, Plan, Trainer

from strongroom import load
from strongroom.contract import Refusal
from strongroom.minds.policy import read_policy
from strongroom.plugins.extras import MissingExtra
from strongroom.plugins.registry import GAMES
from strongroom.referee.bout import TURN_LIMIT
from strongroom.terminal.main import main
from strongroom.vector import Env, State, make
from strongroom.vector.devices import OutOfMemory, device, on_device
from strongroom.vector.pgx import make as as_pgx
from strongroom.vector.players import batched_player
from strongroom.vector.words import Layout, words_of_set

WIDE = 8
WORDS = np.arange(WIDE, dtype=np.uint32)


@cache
def stepping(name: str) -> Any:
    """A step of a batch and what it shows, compiled once a game."""
    env = make(name)
    told = "rewards terminated truncated legal_action_mask latest_action latest_answer _step_count"

    def step(state: State, action: Any, key: Any) -> Any:
        after = env.step(state, action, key)
        shown = {each: getattr(after, each) for each in told.split()}
        return {"state": after, "known": env.observe(after, 0), **shown}

    return jax.jit(jax.vmap(step))


def batch(name: str) -> State:
    state: State = jax.vmap(make(name).init)(WORDS)
    return state


def stepped(name: str, state: State, actions: list[int], kind: type = np.int32) -> Any:
    """The batch after these actions, repeated as often as it takes, and what it shows."""
    after = stepping(name)(state, np.resize(np.array(actions, kind), WIDE), WORDS)
    return SimpleNamespace(**after)


@pytest.mark.parametrize("name", GAMES)
def test_a_state_has_the_shapes_and_types_of_pgx_and_stays_small(name: str) -> None:
    env = make(name)
    of_all = {
        "current_player": ((), "int32"),
        "rewards": ((2,), "float32"),
        "terminated": ((), "bool"),
        "truncated": ((), "bool"),
        "observation": (env.observation_shape, "bool"),
        "legal_action_mask": ((env.num_actions,), "bool"),
        "observation_bits": ((words_of_set(env.observation_shape[0]),), "uint32"),
        "legal_action_bits": ((words_of_set(env.num_actions),), "uint32"),
    }

    def attributes(key: Any) -> Any:
        state = jax.vmap(env.init)(jax.random.split(key, WIDE))
        action = jax.vmap(env.random_action)(state, jax.random.split(key, WIDE))
        return action, {each: getattr(state, each) for each in of_all}

    action, shapes = jax.eval_shape(attributes, jax.random.key(0))
    assert (action.shape, action.dtype.name) == ((WIDE,), "int32")
    assert {each: (it.shape[1:], it.dtype.name) for each, it in shapes.items()} == of_all
    assert (env.id, env.num_players, env.version) == (name, 2, "v0")
    ends = [(part.start, part.stop) for part in env.layout.values()]
    assert ends[0] == (0, 1)  # whether it is one's turn
    assert all(end == start for (_, end), (start, _) in pairwise(ends))
    assert env.observation_shape == (ends[-1][1],)
    short, long = (
        len(jax.tree_util.tree_leaves(jax.eval_shape(make(name, turn_limit=most).init)))
        for most in (100, 10_000)
    )
    assert long <= short + 1  # however long the game, a counter may need a word more


def test_equal_arguments_make_the_same_environment_and_a_start_needs_no_key() -> None:
    env = make("safe-cracker")
    assert jax.tree_util.tree_all(
        jax.tree_util.tree_map(lambda a, b: a == b, env.init(), env.init(jax.random.key(3)))
    )
    assert make("safe-cracker", digits=4) is make("safe-cracker", digits=4, turn_limit=100)
    assert make("safe-cracker", digits=4) is not env
    assert isinstance(env, Env)
    assert repr(make("safe-cracker", turn_limit=7)) == "<safe-cracker in batches, 7 turns at most>"


@pytest.mark.parametrize("name", GAMES)
def test_an_illegal_action_loses_and_then_nothing_changes(name: str) -> None:
    game = load(name)
    never = [-1, game.actions.by_players, -(2**31), 2**31 - 1]
    legal = game.actions.mask(game.start().moves)[: game.actions.by_players]
    lost = stepped(name, batch(name), never + np.flatnonzero(~legal).tolist()[-WIDE + 4 :])
    assert lost.rewards.tolist() == [[-1, 1]] * WIDE
    assert lost.terminated.all()
    assert not lost.truncated.any()
    assert lost.legal_action_mask.all()
    assert (lost._step_count == 1).all()
    assert (lost.latest_action == -1).all()
    after = stepped(name, lost.state, [0, 1, *never])
    assert (after.rewards == 0).all()
    assert after.terminated.all()
    assert (after._step_count == 1).all()
    assert (after.known == lost.known).all()


@pytest.mark.parametrize("kind", [np.int8, np.uint32])
def test_actions_may_have_any_type_of_integer_and_the_second_player_loses_by_illegal_ones_too(
    kind: type,
) -> None:
    name = "safecracker-duel"  # whose highest action has no place in a byte
    assert make(name).num_actions > np.iinfo(np.int8).max
    hidden = stepped(name, batch(name), [100], kind)
    assert not hidden.terminated.any()
    lost = stepped(name, hidden.state, [-1 if kind is np.int8 else np.iinfo(kind).max], kind)
    assert lost.terminated.all()
    assert lost.rewards.tolist() == [[1, -1]] * WIDE


def test_a_win_is_rewarded_once_and_a_game_without_a_winner_stays_truncated() -> None:
    state = batch("safe-cracker")
    for code in (5, 9):
        hidden = stepped("safe-cracker", state, [code])
        assert (hidden.rewards == 0).all()
        state = hidden.state
    won = stepped("safe-cracker", state, [9])
    assert won.rewards.tolist() == [[1, -1]] * WIDE
    assert (won.latest_action.tolist(), won.latest_answer.tolist()) == ([9] * WIDE, [3] * WIDE)
    for _ in range(2):
        won = stepped("safe-cracker", won.state, [9])
        assert won.terminated.all()
        assert (won.rewards == 0).all()
    env = make("safe-cracker", turn_limit=1)
    step, state = jax.jit(env.step), env.init()
    for action in (0, 0, 1, 2, 3):
        state = step(state, action)
    assert (bool(state.truncated), bool(state.terminated)) == (True, False)
    assert state.rewards.tolist() == [0, 0]
    assert int(state._step_count) == 3
    assert state.legal_action_mask.all()


def test_after_auto_reset_the_next_game_shows_how_the_last_one_ended() -> None:
    env = make("quantum-duel", turn_limit=1)
    step, start = jax.jit(env.step_and_reset), env.init()
    ended = step(start, jnp.int32(4), jnp.uint32(1))
    assert (bool(ended.truncated), bool(ended.terminated)) == (True, False)
    lost = step(ended, jnp.int32(8), jnp.uint32(1))  # a reply, when nothing has been observed
    assert (bool(lost.truncated), bool(lost.terminated)) == (False, True)
    assert lost.rewards.tolist() == [-1, 1]
    for fresh in (ended, lost):
        assert (fresh.legal_action_mask == start.legal_action_mask).all()
        assert not fresh.legal_action_mask.all()
        assert (fresh.observation == start.observation).all()
        assert (int(fresh.current_player), int(fresh._step_count)) == (0, 0)
        assert int(fresh.latest_action) == -1


def test_what_cannot_be_made_stepped_or_replaced_is_refused(subtests: pytest.Subtests) -> None:
    unmakeable: list[tuple[str, dict[str, Any], str]] = [
        ("safe-crackr", {}, "Did you mean safe-cracker"),
        ("safe-cracker", {"digits": 99}, "digits must be a number from 3 to 9; you gave 99."),
        ("safe-cracker", {"digits": 9, "length": 6}, "531,441 codes is too large"),
        ("safe-cracker", {"turn_limit": 10_001}, "turn_limit must be a whole number from 1 to 10,"),
        *(("safe-code", {"turn_limit": no}, "turn_limit must be") for no in (0, "ten", True, 1.5)),
    ]
    for name, options, why in unmakeable:
        with subtests.test(f"{name} {options}"):
            with pytest.raises(Refusal) as refused:
                make(name, **options)
            assert why in str(refused.value)
            assert "\n" not in str(refused.value)
    env = make("quantum-duel")
    for step in (env.step, env.step_and_reset):
        with pytest.raises(TypeError, match="A step of Quantum Duel needs a key"):
            step(env.init(), 0)
    with pytest.raises(TypeError, match="cannot replace observation"):
        env.init().replace(observation=0)


def test_without_jax_only_batches_are_refused_and_the_refusal_names_the_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    needing = re.compile(r"strongroom\.(vector|(arena|measuring)\.in_batches)")
    for name in [each for each in sys.modules if needing.match(each)]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "jax", None)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    install = "Install it: pip install 'strongroom[vector]'"
    with pytest.raises(MissingExtra) as missing:
        import_module("strongroom.vector")
    assert str(missing.value) == f"strongroom.vector needs the extra vector. {install}"
    one_by_one = "tournament quantum --players casual random --games 1"
    batches = ("tournament quantum --batches", "measure random --batches")
    assert [main(typed.split()) for typed in (one_by_one, *batches)] == [0, 2, 2]
    assert capsys.readouterr().err.count(f"{install}\n") == 2


OPTIONS: list[tuple[str, dict[str, Any]]] = [
    ("safecracker-duel", {"allow_same_digit": True}),
    ("safe-cracker", {"attempts": 3, "digits": 4}),
    ("quantum-duel", {"turn_limit": 3}),  # which many games reach
]
"""The example of the page runs Pgx's test at the five games by default; these come on top."""


@pytest.mark.parametrize(("name", "options"), OPTIONS)
def test_pgx_accepts_environments_with_other_options(name: str, options: dict[str, Any]) -> None:
    env = as_pgx(name, **options)
    assert isinstance(env, pgx.Env)
    pgx.api_test(env, 1)


def test_without_pgx_its_environments_are_refused_and_the_refusal_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delitem(sys.modules, "strongroom.vector.pgx")
    monkeypatch.setitem(sys.modules, "pgx", None)
    with pytest.raises(MissingExtra, match=r"needs Pgx\. Install it: pip install 'pgx>=2\.6'"):
        import_module("strongroom.vector.pgx")


def test_only_quantum_duel_needs_a_key_in_the_test_of_pgx() -> None:
    pgx.api_test(as_pgx("safe-cracker"), 1, use_key=False)
    with pytest.raises(TypeError, match="A step of Quantum Duel needs a key"):
        pgx.api_test(as_pgx("quantum-duel"), 1, use_key=False)


def test_an_environment_of_pgx_draws_who_begins_and_gives_each_player_its_own() -> None:
    env, ours = as_pgx("safe-cracker", turn_limit=2), make("safe-cracker", turn_limit=2)
    step, same = jax.jit(jax.vmap(env.step)), jax.jit(jax.vmap(ours.step))
    keys = jax.random.split(jax.random.key(1), WIDE)
    state, other = jax.vmap(env.init)(keys), jax.vmap(ours.init)(keys)
    first = np.asarray(state.current_player)
    assert {*first.tolist()} == {0, 1}
    assert isinstance(state, pgx.State)
    for code in (5, 9, 0, 5):  # two codes, a miss, a hit: the second seat wins
        action = np.full(WIDE, code)
        state, other = step(state, action), same(other, action)
        assert (state.current_player == other.current_player ^ first).all()
        assert (state.observation == other.observation).all()
        assert (state.legal_action_mask == other.legal_action_mask).all()
    assert state.terminated.all()
    assert (state.rewards[np.arange(WIDE), first] == -1).all()
    assert (state.rewards.sum(axis=1) == 0).all()
    state = jax.vmap(env.init)(keys)
    for code in (5, 9, 0, 0):  # undecided at the limit
        state = step(state, np.full(WIDE, code))
    assert state.terminated.all()
    assert not state.truncated.any()
    assert not state.rewards.any()
    changed = state.replace(observation=state.observation[:, :1])
    assert changed.observation.shape == (WIDE, 1)


def rollout(env: Env, step: Any, moves: int) -> Any:
    """Games with auto-reset as a trainer plays them: actions drawn from the mask."""

    def move(state: Any, key: Any) -> tuple[Any, Any]:
        action = act_randomly(key, state.legal_action_mask)
        after = jax.vmap(step)(state, action, jax.random.split(key, WIDE))
        shown = (after.rewards, after.terminated, after.truncated, after.current_player)
        return after, (action, *shown, after.observation, after.legal_action_mask)

    def play(seed: Any) -> Any:
        keys = jax.random.split(jax.random.key(seed), moves + 1)
        start = jax.vmap(env.init)(jax.random.split(keys[0], WIDE))
        return jax.lax.scan(move, start, keys[1:])

    return jax.jit(play)


def test_a_wrapper_of_pgx_gives_the_same_as_our_auto_reset() -> None:
    env = make("quantum-duel", turn_limit=12)  # whose first moves are not all legal, and chance
    wrapped = auto_reset(env.step, env.init)

    def ours(state: Any, action: Any, key: Any) -> Any:
        return env.step_and_reset(state, action, jax.random.split(key)[0])  # as the wrapper does

    ends = [rollout(env, step, moves=40)(7) for step in (wrapped, ours)]
    for one, other in zip(*map(jax.tree_util.tree_leaves, ends), strict=True):
        np.testing.assert_array_equal(one, other)
    _, rewards, terminated, truncated, *_ = ends[0][1]
    assert terminated.any()
    assert truncated.any()
    assert ((rewards != 0).any(axis=-1) == terminated).all()


def test_a_device_that_is_not_there_is_refused_in_a_line() -> None:
    typed = "tournament safecracker-duel --players random master --batches"
    done = subprocess.run(
        [sys.executable, "-m", "strongroom", *typed.split()],
        env=os.environ | {"JAX_PLATFORMS": "nowhere"},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    told = "Set it to cpu, or install JAX for that device."
    assert done.stderr == f"strongroom: JAX finds no device for JAX_PLATFORMS='nowhere'. {told}\n"
    assert done.returncode == 2


def test_a_batch_that_is_too_large_for_the_memory_is_refused_in_a_line() -> None:
    assert device() == jax.devices()[0].device_kind
    with pytest.raises(OutOfMemory, match=r"does not fit .* choose a smaller batch\."), on_device():
        jnp.zeros(1 << 47, jnp.uint8).block_until_ready()
    with on_device() as found:
        assert found == device()
    with pytest.raises(RuntimeError, match="something else"), on_device():
        raise RuntimeError("something else")


ROOT = Path(__file__).parents[2]
CHARTS = ROOT / "docs" / "charts"
PLAN = Plan(games=128, steps=8, updates=100, hidden=(32,), rate=1e-2)
LOST = {"quantum-duel": [0.996, 0.995], "safe-cracker": [0.910, 0.876]}
"""What a best response to random moves wins in either seat, as the arena publishes it."""


@cache
def env_of(game: str) -> Env:
    # Nobody needs more than 20 turns who plays Safe Cracker against a best response.
    return make(game, turn_limit=20 if game == "safe-cracker" else TURN_LIMIT)


@cache
def response(game: str) -> BestResponse:
    return response_to(env_of(game))


@cache
def _compiled(game: str) -> tuple[Any, Any]:
    return jax.jit(response(game).odds), jax.jit(response(game).wins)


def wins(game: str, odds: Any) -> list[float]:
    return [float(won) for won in _compiled(game)[1](odds)]


def wins_from(game: str, network: Network) -> list[float]:
    """What best responses to a network's policy win, in either seat."""
    return wins(game, _compiled(game)[0](network))


@pytest.mark.parametrize("game", [*LOST])
def test_random_moves_lose_what_the_arena_publishes(game: str) -> None:
    untrained = new_policy(env_of(game), jax.random.key(1), PLAN.hidden)
    assert wins_from(game, untrained) == pytest.approx(LOST[game], abs=0.0006)


def test_at_quantum_duel_master_loses_nothing() -> None:
    env, master = env_of("quantum-duel"), batched_player(env_of("quantum-duel"), "master")
    marked = master.odds(response(env.id).positions, (), jnp.uint32(0), master.on_device())
    assert wins(env.id, marked) == pytest.approx([0.5, 0.5], abs=1e-5)


# Compiling takes longer than training, so that each game has only one of the rewards here.
@pytest.mark.parametrize(("game", "reward"), [("quantum-duel", "result"), ("safe-cracker", "cost")])
def test_a_short_training_makes_a_policy_less_exploitable(game: str, reward: str) -> None:
    trainer = Trainer(env_of(game), reward, PLAN)

    def trained(tables: Any) -> Network:
        return trainer.train(trainer.start(jnp.uint32(1)), PLAN.updates, tables).network

    assert sum(wins_from(game, jax.jit(trained)(trainer.tables))) < sum(LOST[game]) - 0.05


def test_the_picture_in_the_docs_is_drawn_from_figures_in_which_costs_teach_more(
    tmp_path: Path,
) -> None:
    training_chart.main([str(CHARTS / "training.jsonl"), str(tmp_path / "drawn.svg")])
    drawn = (tmp_path / "drawn.svg").read_text(encoding="utf-8")
    assert drawn == (CHARTS / "training.svg").read_text(encoding="utf-8")
    curves = {
        (curve.game, curve.reward): curve
        for curve in training_chart.read(CHARTS / "training.jsonl")
    }
    last = {of: fmean(curve.won[-1]) for of, curve in curves.items()}
    assert {*last} == {(game, reward) for game in LOST for reward in REWARDS}
    assert last["safe-cracker", "cost"] < last["safe-cracker", "result"] / 3


def test_wrong_arguments_and_figures_of_something_else_are_refused_in_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert training_curves.stages(100)[:4] == [0, 1, 2, 3]
    assert training_curves.stages(100)[-2:] == [68, 100]  # looks become rarer
    with pytest.raises(SystemExit):
        training_curves.main([str(tmp_path / "x.jsonl"), "--seeds", "0"])
    assert "--seeds must be at least 1" in capsys.readouterr().err.splitlines()[-1]
    other = tmp_path / "other.jsonl"
    for told in ("No such file", r"is not a file of training_curves\.py"):
        with pytest.raises(SystemExit, match=told):
            training_chart.main([str(other), str(tmp_path / "other.svg")])
        other.write_text(json.dumps({"moves": 3}) + "\n", encoding="utf-8")


@pytest.mark.parametrize("name", GAMES)
def test_the_trainer_in_the_manner_of_pgx_takes_every_game(name: str, tmp_path: Path) -> None:
    learner, key = ppo.Learner(as_pgx(name, turn_limit=12), ppo.Settings()), jax.random.key(1)
    run = jax.eval_shape(learner.start, key)  # traced, because compiling takes long
    after = jax.eval_shape(learner.update, run)
    shapes = [[*map(jnp.shape, jax.tree_util.tree_leaves(each))] for each in (run, after)]
    assert shapes[0] == shapes[1]
    assert jax.eval_shape(learner.against_random, run.network, key).shape == ()
    zeros = jax.tree_util.tree_map(lambda each: np.zeros(each.shape), run.network)
    learner.write(zeros, str(tmp_path / "policy.npz"))
    written = read_policy(tmp_path / "policy.npz")
    assert (written.game, written.turn_limit) == (load(name), 12)


def test_the_trainer_learns_to_beat_random_moves_and_says_what_beats_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    typed = ["quantum-duel", str(tmp_path / "policy.npz"), "--updates", "6", "--looks", "1"]
    ppo.main(typed)
    shown = (
        r" *([\d,]+) moves, +\d+ s: wins (\d\.\d+), loses (\d\.\d+) and (\d\.\d+) to who knows it"
    )
    before, after = re.findall(shown, capsys.readouterr().out)
    assert (before[0], after[0]) == ("0", "49,152")
    assert float(before[1]) == pytest.approx(0.5, abs=0.06)
    assert float(after[1]) > 0.6
    assert [*map(float, before[2:])] == pytest.approx([0.996, 0.995], abs=0.001)  # at random
    assert sum(map(float, after[2:])) < sum(map(float, before[2:]))
    with pytest.raises(SystemExit, match="No such file or directory"):
        ppo.main(["quantum-duel", str(tmp_path / "none" / "policy.npz")])


PAGE = (ROOT / "docs" / "vector.md").read_text(encoding="utf-8")


def written(layout: Layout) -> str:
    """A layout as the page writes it: fields with their bits, a dot between words."""
    words: dict[int, list[str]] = {}
    for name, field in layout.items():
        words.setdefault(field.word, []).append(f"{name} {field.width}")
    return " · ".join(", ".join(fields) for fields in words.values())


def test_the_page_says_how_states_are_packed_and_what_is_observed() -> None:
    for name in GAMES:
        packed = make(name).packed
        row = f"| {load(name).title} | {written(packed.layout)} | {written(packed.memory)} |"
        assert row in PAGE
    rows = re.findall(r"^\| (`.*?) \| .* \|$", PAGE.partition("| part |")[2], re.MULTILINE)
    told = {part for row in rows for part in re.findall("`(.*?)`", row)}
    envs = [*map(make, GAMES), make("safe-cracker", attempts=3)]
    assert told == {part for env in envs for part in env.layout}


TOLD = {
    "batches.py": r"[\d,]+ random games were won while a thousand boards saw 200 moves each\n"
    r"master wins 9\d\.\d%; random gives away 0\.\d\d a game\n",
    "check.py": "".join(f"{name} passes\n" for name in GAMES),
    "costs.py": r"a random first guess costs 0\.0\d\d\n",
}


@pytest.mark.parametrize("name", TOLD)
def test_the_examples_of_the_page_run(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    examples = dict(re.findall(r"```python\n# (\S+)\n(.*?)```", PAGE, re.DOTALL))
    (tmp_path / name).write_text(examples[name], encoding="utf-8")
    run_path(str(tmp_path / name), run_name="__main__")
    shown = capsys.readouterr().out
    assert re.fullmatch(TOLD[name], shown), shown
