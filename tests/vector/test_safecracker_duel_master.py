"""The players and costs of Safecracker Duel in batches are those of the theory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from strongroom import load
from strongroom.contract import AnyState, Seat, View
from strongroom.theory.safecracker_duel.solution import SafecrackerDuelSolution
from strongroom.theory.shelf import solution_of
from strongroom.vector import make
from strongroom.vector.draws import draw, lanes
from strongroom.vector.players import batched_player, costs_of

GAMES = 160
CLOSE = 1e-6
SHORT, ODD, EVEN = 3, 11, 12
"""Turn limits; on an odd number of turns Seat.ONE makes the last."""
NOBODY, ONE, TWO = (False, False), (True, False), (False, True)
"""Who plays as certified; the others play at random."""


class Said(NamedTuple):
    """What was said in batches about the decisions of all games."""

    over: Any
    actor: Any
    action: Any
    odds: Any
    response: Any
    value: Any
    worth: Any


class Decision(NamedTuple):
    """A decision of one game, and what was said about it."""

    view: View
    """What the actor knows."""
    said: Said


@cache
def compiled(same: bool, limit: int) -> Callable[[tuple[bool, bool]], Said]:
    """Plays games in which some seats play as certified, the others at random."""
    env = make("safecracker-duel", turn_limit=limit, allow_same_digit=same)
    master, response, costs = (
        batched_player(env, "master"),
        batched_player(env, "response"),
        costs_of(env),
    )

    def decide(at: Any, word: Any, plays: Any, tables: Any) -> Any:
        state, notes = at
        actor = state.current_player.astype(jnp.uint32)
        by_master = master.choose(state, (), actor, word, tables[0])
        action = jnp.where(plays[actor], by_master, env.random_action(state, word))
        after = env.step(state, action)
        own = tuple(jnp.where(actor == 0, *pair) for pair in zip(*notes, strict=True))
        weigh = partial(costs.worth, state, own, actor, tables=tables[2])
        said = Said(
            state.terminated | state.truncated,
            actor,
            action,
            master.odds(state, (), actor, tables[0]),
            response.choose(state, (), actor, word, tables[1]),
            costs.value(state, own, actor, tables[2]),
            jax.vmap(weigh)(jnp.arange(env.num_actions)),
        )
        notes = tuple(
            costs.noted(each, jnp.uint32(seat), state, action, after, tables[2])
            for seat, each in enumerate(notes)
        )
        return (after, notes), said

    def game(lane: Any, plays: Any, tables: Any) -> Any:
        first = tuple(jnp.uint32(note) for note in costs.first_notes())
        words = draw(lane, jnp.arange(limit + 2, dtype=jnp.uint32))
        start = env.init(), (first, first)
        return jax.lax.scan(lambda at, word: decide(at, word, plays, tables), start, words)[1]

    tables = tuple(each.on_device() for each in (master, response, costs))
    run = jax.jit(jax.vmap(game, in_axes=(0, None, None)))
    lane = lanes(jnp.uint32(limit), GAMES)
    return lambda certified: Said(*map(np.asarray, run(lane, jnp.array(certified), tables)))


def decisions(same: bool, limit: int, certified: tuple[bool, bool]) -> Iterator[Decision]:
    """All decisions of these games, replayed by the rules."""
    said = compiled(same, limit)(certified)
    start = load("safecracker-duel", allow_same_digit=same).start()
    for number in range(GAMES):
        state: AnyState = start
        for time in range(limit + 2):
            here = Said(*(each[number, time] for each in said))
            assert here.over == (state.outcome is not None or state.turns == limit)
            if here.over:
                break
            assert isinstance(state.actor, Seat)
            assert state.actor.index == here.actor
            yield Decision(state.view(state.actor), here)
            state = state.play(state.game.actions[int(here.action)])


def solved(view: View) -> SafecrackerDuelSolution:
    solution = solution_of(view.game)
    assert isinstance(solution, SafecrackerDuelSolution)
    return solution


@pytest.mark.parametrize(("same", "limit"), [(False, ODD), (True, EVEN)])
@pytest.mark.parametrize("certified", [NOBODY, ONE, TWO])
def test_master_in_batches_has_the_odds_of_master(
    same: bool, limit: int, certified: tuple[bool, bool]
) -> None:
    seen = 0
    for view, said in decisions(same, limit, certified):
        odds = np.zeros(len(said.odds))
        for move, chance in solved(view).policy(view).items():
            odds[view.game.actions.index(move)] = float(chance)
        assert np.abs(said.odds - odds).max() < CLOSE
        assert odds[said.action] or not certified[said.actor]
        seen += 1
    assert seen > 1200


@pytest.mark.parametrize(("same", "limit"), [(False, ODD), (True, EVEN), (False, SHORT)])
@pytest.mark.parametrize("certified", [ONE, TWO])
def test_costs_in_batches_are_those_of_the_theory(
    same: bool, limit: int, certified: tuple[bool, bool]
) -> None:
    last = late = 0
    for view, said in decisions(same, limit, certified):
        if certified[said.actor]:
            continue
        value, moves = solved(view).worth.weighed(view, limit)
        worth = {view.game.actions.index(move): each for move, each in moves.items()}
        assert abs(said.value - value) < CLOSE
        assert np.abs(said.worth[[*worth]] - [*worth.values()]).max() < CLOSE
        assert value - worth[int(said.response)] < CLOSE
        late += view.turns > 3
        last += view.turns == limit - 1
    assert late > 100 or limit == SHORT
    assert last > 10 or limit % 2 != certified.index(True)


def test_costs_are_known_in_every_position_and_of_a_best_move_nothing() -> None:
    for view, said in decisions(False, ODD, NOBODY):
        worth = said.worth[[view.game.actions.index(move) for move in view.moves]]
        assert abs(worth.max() - said.value) < CLOSE
        assert worth.min() >= 0
