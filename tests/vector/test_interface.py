"""The environments as somebody uses them: shapes, endings, auto-reset, and what is refused."""

from __future__ import annotations

import sys
from functools import cache
from importlib import import_module
from itertools import pairwise
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from strongroom import load
from strongroom.contract import Refusal
from strongroom.plugins.extras import MissingExtra
from strongroom.plugins.registry import GAMES
from strongroom.vector import Env, State, make

WIDE = 8
"""How many games a batch of these tests has."""
WORDS = np.arange(WIDE, dtype=np.uint32)
"""Random words for a step."""


class Stepped(NamedTuple):
    """A batch after a step, and what it shows."""

    state: State
    rewards: Any
    terminated: Any
    truncated: Any
    legal: Any
    number: Any
    latest_action: Any
    latest_answer: Any
    known: Any
    """What the first player knows."""


@cache
def stepping(name: str) -> Any:
    """A step of a batch, compiled once a game."""
    env = make(name)

    def step(state: State, action: Any, key: Any) -> Stepped:
        after = env.step(state, action, key)
        return Stepped(
            state=after,
            rewards=after.rewards,
            terminated=after.terminated,
            truncated=after.truncated,
            legal=after.legal_action_mask,
            number=after._step_count,
            latest_action=after.latest_action,
            latest_answer=after.latest_answer,
            known=env.observe(after, 0),
        )

    return jax.jit(jax.vmap(step))


def batch(name: str) -> State:
    """A batch of new games."""
    state: State = jax.vmap(make(name).init)(WORDS)
    return state


def stepped(name: str, state: State, actions: list[int], kind: type = np.int32) -> Stepped:
    """The batch after these actions, repeated as often as it takes."""
    after: Stepped = stepping(name)(state, np.resize(np.array(actions, kind), WIDE), WORDS)
    return after


# --- shapes and types ---


@pytest.mark.parametrize("name", GAMES)
def test_a_state_has_the_shapes_and_types_of_pgx(name: str) -> None:
    env = make(name)

    def attributes(key: Any) -> Any:
        state = jax.vmap(env.init)(jax.random.split(key, WIDE))
        names = ("current_player", "rewards", "terminated", "truncated")
        return {each: getattr(state, each) for each in names} | {
            "observation": state.observation,
            "legal_action_mask": state.legal_action_mask,
            "random_action": jax.vmap(env.random_action)(state, jax.random.split(key, WIDE)),
        }

    shapes = jax.eval_shape(attributes, jax.random.key(0))
    assert {each: (*it.shape, it.dtype.name) for each, it in shapes.items()} == {
        "current_player": (WIDE, "int32"),
        "rewards": (WIDE, 2, "float32"),
        "terminated": (WIDE, "bool"),
        "truncated": (WIDE, "bool"),
        "observation": (WIDE, *env.observation_shape, "bool"),
        "legal_action_mask": (WIDE, env.num_actions, "bool"),
        "random_action": (WIDE, "int32"),
    }
    assert (env.id, env.num_players, env.version) == (name, 2, "v0")


@pytest.mark.parametrize("name", GAMES)
def test_the_parts_of_an_observation_stand_side_by_side(name: str) -> None:
    env = make(name)
    ends = [(part.start, part.stop) for part in env.layout.values()]
    assert ends[0] == (0, 1)  # whether it is one's turn
    assert all(end == start for (_, end), (start, _) in pairwise(ends))
    assert env.observation_shape == (ends[-1][1],)


@pytest.mark.parametrize("name", GAMES)
def test_a_state_stays_as_small_however_long_the_game(name: str) -> None:
    def size(turn_limit: int) -> int:
        return len(
            jax.tree_util.tree_leaves(jax.eval_shape(make(name, turn_limit=turn_limit).init))
        )

    assert size(10_000) <= size(100) + 1  # a longer counter may need a word more


def test_a_state_starts_without_a_key_as_with_one() -> None:
    env = make("safe-cracker")
    assert jax.tree_util.tree_all(
        jax.tree_util.tree_map(lambda a, b: a == b, env.init(), env.init(jax.random.key(3)))
    )


def test_equal_arguments_make_the_same_environment() -> None:
    assert make("safe-cracker", digits=4) is make("safe-cracker", digits=4, turn_limit=100)
    assert make("safe-cracker", digits=4) is not make("safe-cracker")


def test_games_are_played_in_a_scan_with_keys_of_either_kind() -> None:
    env = make("safe-cracker", turn_limit=6)

    def move(state: State, key: Any) -> tuple[State, Any]:
        after = env.step_and_reset(state, env.random_action(state, key), key)
        return after, (after.truncated, after._step_count)

    keys = jax.random.split(jax.random.key(2), 50)
    for kind in (keys, jax.random.bits(keys[0], (50,), jnp.uint32)):
        _, (truncated, numbers) = jax.jit(lambda keys: jax.lax.scan(move, env.init(), keys))(kind)
        assert truncated.any()
        assert numbers.max() == 2 + 6 - 1  # a game that ends shows the start of the next one
        assert (np.asarray(numbers)[np.asarray(truncated)] == 0).all()


# --- endings ---


@pytest.mark.parametrize("name", GAMES)
def test_an_illegal_action_loses_and_then_nothing_changes(name: str) -> None:
    game = load(name)
    never = [-1, game.actions.by_players, -(2**31), 2**31 - 1]
    legal = game.actions.mask(game.start().moves)[: game.actions.by_players]
    lost = stepped(name, batch(name), never + np.flatnonzero(~legal).tolist()[-WIDE + 4 :])
    assert lost.rewards.tolist() == [[-1, 1]] * WIDE
    assert lost.terminated.all()
    assert not lost.truncated.any()
    assert lost.legal.all()
    assert (lost.number == 1).all()
    assert (lost.latest_action == -1).all()
    after = stepped(name, lost.state, [0, 1, *never])
    assert (after.rewards == 0).all()
    assert after.terminated.all()
    assert (after.number == 1).all()
    assert (after.known == lost.known).all()


def test_the_second_player_loses_by_an_illegal_action_too() -> None:
    hidden = stepped("safe-cracker", batch("safe-cracker"), [3])
    assert stepped("safe-cracker", hidden.state, [27]).rewards.tolist() == [[1, -1]] * WIDE


@pytest.mark.parametrize("kind", [np.int8, np.uint32])
def test_actions_may_have_any_type_of_integer(kind: type) -> None:
    hidden = stepped("safe-cracker", batch("safe-cracker"), [26], kind)
    assert not hidden.terminated.any()
    assert stepped("safe-cracker", hidden.state, [np.iinfo(kind).max], kind).terminated.all()


def test_a_type_too_narrow_for_the_highest_action_makes_no_other_illegal() -> None:
    assert make("safecracker-duel").num_actions > np.iinfo(np.int8).max
    chosen = stepped("safecracker-duel", batch("safecracker-duel"), [100], np.int8)
    assert not chosen.terminated.any()


def test_a_win_is_rewarded_once() -> None:
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


def test_a_game_without_a_winner_stays_truncated() -> None:
    env = make("safe-cracker", turn_limit=1)
    step = jax.jit(env.step)
    state = env.init()
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


# --- what is refused ---


@pytest.mark.parametrize(
    ("name", "options", "why"),
    [
        ("chess", {}, "There is no game 'chess'."),
        ("safe-crackr", {}, "Did you mean safe-cracker"),
        ("safe-cracker", {"digit": 4}, "There is no option 'digit'. Did you mean digits"),
        ("safe-cracker", {"digits": 99}, "digits must be a number from 3 to 9; you gave 99."),
        ("safe-cracker", {"digits": 9, "length": 6}, "531,441 codes is too large"),
        ("quantum-duel", {"digits": 3}, "There is no option 'digits'. This game has none."),
        ("safe-cracker", {"turn_limit": 0}, "turn_limit must be"),
        (
            "safe-cracker",
            {"turn_limit": 10_001},
            "turn_limit must be a whole number from 1 to 10,000",
        ),
        ("safe-cracker", {"turn_limit": "ten"}, "turn_limit must be"),
        ("safe-cracker", {"turn_limit": None}, "turn_limit must be"),
        ("safe-cracker", {"turn_limit": True}, "turn_limit must be"),
        ("safe-cracker", {"turn_limit": 1.5}, "turn_limit must be"),
    ],
)
def test_what_cannot_be_made_is_refused_in_one_line(
    name: str, options: dict[str, Any], why: str
) -> None:
    with pytest.raises(Refusal) as refused:
        make(name, **options)
    assert why in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_step_with_chance_needs_a_key() -> None:
    env = make("quantum-duel")
    with pytest.raises(TypeError, match="A step of Quantum Duel needs a key"):
        env.step(env.init(), 0)
    with pytest.raises(TypeError, match="A step of Quantum Duel needs a key"):
        env.step_and_reset(env.init(), 0)


def test_wrappers_can_replace_results_alone() -> None:
    with pytest.raises(TypeError, match="cannot replace observation"):
        make("safe-cracker").init().replace(observation=0)


def test_without_jax_a_line_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [each for each in sys.modules if each.startswith("strongroom.vector")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "jax", None)
    with pytest.raises(MissingExtra) as missing:
        import_module("strongroom.vector")
    install = "Install it: pip install 'strongroom[vector]'"
    assert str(missing.value) == f"strongroom.vector needs the extra vector. {install}"


def test_an_environment_says_what_it_plays() -> None:
    assert repr(make("safe-cracker", turn_limit=7)) == "<safe-cracker in batches, 7 turns at most>"
    assert isinstance(make("safe-cracker"), Env)
