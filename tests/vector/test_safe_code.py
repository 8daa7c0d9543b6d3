"""Safe Code in batches: random clues, and what observations keep of a game."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import Any

import jax
import numpy as np
import pytest

from strongroom.contract import Move, Seat
from strongroom.games.safe_code.clues import CLUES, MEANINGS, Clue
from strongroom.games.safe_code.rules import REQUEST, Number
from strongroom.referee.bout import TURN_LIMIT, Bout
from strongroom.theory.safe_code.player import PromiseKeeper, Standing
from strongroom.theory.safe_code.racing import worst_against_racing
from strongroom.theory.safe_code.solution import SafeCodeSolution
from strongroom.theory.shelf import solution_of
from strongroom.vector import Env, make
from strongroom.vector.draws import draw, lanes

GRID = 1 << 16
"""How many random words, evenly spread, are tried at a position."""
GAMES = 10
"""In how many games the certified player's standing is compared."""
Parts = dict[str, Any]


@pytest.fixture(scope="module")
def env() -> Env:
    return make("safe-code")


@pytest.fixture(scope="module")
def spread(env: Env) -> Any:
    """The actions chosen at a position by evenly spread random words."""
    words = np.arange(GRID, dtype=np.uint32) << 16
    return jax.jit(lambda state: jax.vmap(partial(env.random_action, state))(words))


@pytest.fixture(scope="module")
def masks(env: Env) -> Any:
    """The legal actions, as the mask says and as `step` decides."""
    every = np.arange(env.num_actions, dtype=np.uint32)

    def both(state: Any) -> Any:
        allows = partial(env.packed.allows, tables=env.tables)
        return state.legal_action_mask, jax.vmap(allows, (None, 0))(state._position, every)

    return jax.jit(both)


def said(meaning_size: int, code: int, last: bool = False) -> Clue:
    """The first or last clue true of a code among those with so many wordings."""
    groups = [clues for clues in MEANINGS.values() if len(clues) == meaning_size]
    return [clues[-1] for clues in groups if clues[0].holds(code)][-1 if last else 0]


BY_ONE: list[Move] = [Number(4), said(1, 4), said(2, 4), said(3, 4)]
BY_TWO: list[Move] = [Number(19), said(5, 19), said(1, 19), said(2, 19)]


@pytest.mark.parametrize(
    "moves",
    [
        [],
        [Number(1)],
        [Number(30), said(4, 30)],
        [Number(8), said(10, 8), said(1, 8)],
        [Number(8), said(1, 8), said(10, 8)],
        [Number(17), said(4, 17, last=True), said(4, 17)],
        [Number(17), said(1, 17), said(1, 17, last=True)],
        [Number(2), CLUES[-1] if CLUES[-1].holds(2) else said(1, 2, last=True), said(2, 2)],
        BY_ONE,
        [*BY_ONE, *BY_TWO[:3]],
        [*BY_ONE, *BY_TWO],
        [*BY_ONE, *BY_TWO, *[REQUEST] * 6],  # and no fourth clue
    ],
    ids=lambda moves: f"{len(moves)} moves",
)
def test_every_legal_action_is_equally_likely(
    moves: list[Move], env: Env, spread: Any, masks: Any
) -> None:
    rules, state = env.packed.game.start(), env.init()
    for move in moves:
        state = env.step(state, env.packed.game.actions.index(move))
        rules = rules.play(move)
    legal = env.packed.game.actions.numbers(rules.moves)
    times = Counter(spread(state).tolist())
    assert sorted(times) == legal
    assert max(times.values()) - min(times.values()) <= 2
    for mask in masks(state):
        assert np.flatnonzero(mask).tolist() == legal


@pytest.fixture(scope="module")
def player() -> PromiseKeeper:
    solution = solution_of(make("safe-code").packed.game)
    assert isinstance(solution, SafeCodeSolution)
    return solution.player


def test_observations_have_what_the_certified_player_goes_by(
    env: Env, masks: Any, player: PromiseKeeper
) -> None:
    def turn(state: Any, word: Any) -> Any:
        action = env.random_action(state, word)
        known = [env.observe(state, seat) for seat in (0, 1)]
        return action, known, masks(state), env.step(state, action, word)

    turns = jax.jit(jax.vmap(turn))
    game, lane = env.packed.game, lanes(21, GAMES)
    bouts = [Bout.start(game, TURN_LIMIT) for _ in range(GAMES)]
    state = jax.vmap(env.init)(lane)
    for number in range(8 + TURN_LIMIT):
        *shown, state = turns(state, draw(lane, np.uint32(number)))
        actions, known, (legal, allowed) = jax.device_get(shown)
        for at, bout in enumerate(bouts):
            if bout.outcome is None:
                for seat in Seat:
                    row = known[seat.index][at]
                    parts = {name: row[where] for name, where in env.layout.items()}
                    check_standing(parts, player.standing(bout.view(seat), seat))
                assert np.array_equal(legal[at], allowed[at])
                bouts[at] = bout.play(game.actions[int(actions[at])])
    assert {bout.outcome.winner for bout in bouts if bout.outcome} >= set(Seat)


def check_standing(parts: Parts, standing: Standing) -> None:
    """What the certified player goes by, except its own promise, must be in the observation."""
    seen = tuple(number - 1 for number in numbers_of(parts["clues given to me"]) if number)
    left, opened = (
        tuple(np.flatnonzero(parts[name]).tolist()) for name in ("left to me", "left to the other")
    )
    assert (seen, left, opened) == (standing.seen, standing.left, standing.open)


def numbers_of(clues: Any) -> list[int]:
    """The numbers of three clues, from their bits."""
    by_clue = clues.reshape(3, -1)
    numbers: list[int] = (by_clue @ (1 << np.arange(by_clue.shape[1]))).tolist()
    return numbers


def test_the_numbers_left_are_all_that_guaranteeing_the_value_takes(player: PromiseKeeper) -> None:
    race = player.race
    worst = worst_against_racing(race.size, lambda *_: None)
    assert all(worth == race.waiting(mine, theirs) for (mine, theirs, _), worth in worst.items())


def test_a_high_turn_limit_only_adds_a_word() -> None:
    env = make("safe-code", turn_limit=10_000)
    assert (make("safe-code").packed.layout.words, env.packed.layout.words) == (3, 4)
    actions, state = env.packed.game.actions, env.init()
    clues = [said(1, 4, last=True), said(2, 4, last=True), said(3, 4, last=True)]
    for move in (Number(4), *clues, Number(4), *reversed(clues), *[REQUEST] * 6):
        state = env.step(state, actions.index(move))
    row = np.asarray(env.observe(state, 1))
    own, told = (numbers_of(row[env.layout[name]]) for name in ("own clues", "clues given to me"))
    assert [actions[number - 1] for number in own] == clues[::-1]
    assert [actions[number - 1] for number in told] == clues
