"""Players and costs in batches are those of the theory, decision by decision and in matches."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from strongroom import load
from strongroom.contract import CHANCE, AnyState, Refusal, Seat, View
from strongroom.theory.safe_cracker.board import space_of
from strongroom.theory.shelf import solution_of
from strongroom.vector import make
from strongroom.vector.draws import draw, lanes
from strongroom.vector.environment import Env
from strongroom.vector.matches import play
from strongroom.vector.players import batched_player, costs_of
from strongroom.vector.renamings import Renamings
from strongroom.vector.words import Layout

GAMES, STEPS = 120, 20
CLOSE = 1e-6
ENVS: dict[str, tuple[str, dict[str, Any]]] = {
    "quantum-duel": ("quantum-duel", {"turn_limit": 9}),
    "safe-cracker": ("safe-cracker", {"turn_limit": 100}),
    "safe-cracker, 4 digits": ("safe-cracker", {"turn_limit": 5, "digits": 4}),
    "safecracker-duel, 11 turns": ("safecracker-duel", {"turn_limit": 11}),
    "safecracker-duel, the same digit": (
        "safecracker-duel",
        {"turn_limit": 12, "allow_same_digit": True},
    ),
}
"""Games with their turn limits; on an odd number of turns Seat.ONE makes the last."""
ALL = pytest.mark.parametrize("which", ENVS)
CERTIFIED = ((True, True), (True, False), (False, True), (False, False))
"""Who plays as certified, in one game after the other; others play at random."""


class Said(NamedTuple):
    """What was said in batches about every decision: [step, game]."""

    over: Any
    actor: Any
    action: Any
    chance: Any
    odds: Any
    value: Any
    worth: Any
    best: Any


class Decision(NamedTuple):
    """A decision of one game, who plays as certified there, and what was said about it."""

    view: View
    certified: tuple[bool, bool]
    said: Said


def environment(which: str) -> Env:
    name, options = ENVS[which]
    return make(name, **options)


@cache
def recorded(which: str) -> Said:
    """What is said about the decisions of games whose seats are filled by turns."""
    env = environment(which)
    master, costs = batched_player(env, "master"), costs_of(env)
    # At Safe Cracker the response is that of Quantum Duel over other costs, and long to compile.
    response = batched_player(env, "random" if env.id == "safe-cracker" else "response")
    followers = (master, response, costs)

    def decision(carried: Any, lane: Any, sits: Any, step: Any, tables: Any) -> Any:
        state, notes = carried
        seat = state.current_player.astype(jnp.uint32)
        word, chance = draw(lane, 3 * step), draw(lane, 3 * step + 1)
        by_master, by_response, by_costs = (
            (state, own, seat, table)
            for own, table in zip(
                jax.tree_util.tree_map(lambda both: both[seat], notes), tables, strict=True
            )
        )
        certified = master.choose(*by_master[:3], word, tables[0])
        anything = env.random_action(state, draw(lane, 3 * step + 2))
        action = jnp.where(sits[seat], certified, anything)
        worth = partial(costs.worth, *by_costs[:3], tables=tables[2])
        said = Said(
            state.terminated | state.truncated,
            seat,
            action,
            chance,
            master.odds(*by_master),
            costs.value(*by_costs),
            jax.vmap(worth)(jnp.arange(env.num_actions)),
            response.choose(*by_response[:3], word, tables[1]),
        )
        after = env.step(state, action, chance)

        def noted(follower: Any, each: Any, known: Any) -> Any:
            def of_one(mine: Any, seat: Any) -> Any:
                return follower.noted(mine, seat, state, action, after, known)

            return jax.vmap(of_one)(each, jnp.arange(2, dtype=jnp.uint32))

        return (after, tuple(map(noted, followers, notes, tables))), said

    def played(sits: Any, tables: Any) -> Any:
        notes = tuple(
            tuple(jnp.full((GAMES, 2), word, jnp.uint32) for word in each.first_notes())
            for each in followers
        )
        start = jax.vmap(lambda _: env.init())(sits[:, 0])
        lane = lanes(jnp.uint32(1), GAMES)

        def step(carried: Any, number: Any) -> Any:
            decide = partial(decision, step=number, tables=tables)
            return jax.vmap(decide)(carried, lane, sits)

        return jax.lax.scan(step, (start, notes), jnp.arange(STEPS, dtype=jnp.uint32))[1]

    sits = jnp.array([CERTIFIED[game % 4] for game in range(GAMES)])
    tables = tuple(each.on_device() for each in followers)
    said: Said = jax.tree_util.tree_map(np.asarray, jax.jit(played)(sits, tables))
    return said


def decisions(which: str) -> Iterator[Decision]:
    """The same games by the rules, with what was said about each decision."""
    said, env = recorded(which), environment(which)
    game, limit = env.packed.game, ENVS[which][1]["turn_limit"]
    for number in range(GAMES):
        state: AnyState = game.start()
        for step in range(STEPS):
            here = Said(*(each[step, number] for each in said))
            assert here.over == (state.outcome is not None or state.turns == limit)
            if here.over:
                break
            assert isinstance(state.actor, Seat)
            assert state.actor.index == here.actor
            yield Decision(state.view(state.actor), CERTIFIED[number % 4], here)
            state = state.play(game.actions[int(here.action)])
            if state.actor is CHANCE:
                state = state.play(state.moves[1 - int(here.chance) % 2])


@ALL
def test_the_batched_master_draws_every_move_as_often_as_the_certified_player(which: str) -> None:
    certain, seen = solution_of(environment(which).packed.game), []
    for view, certified, said in decisions(which):
        wanted = np.zeros_like(said.odds)
        for move, share in certain.policy(view).items():
            wanted[view.game.actions.index(move)] = share
        assert abs(said.odds - wanted).max() < CLOSE
        assert wanted[said.action] > 0 or not certified[said.actor]
        seen.append(view.seat)
    assert len(seen) > 450
    assert {*seen} == {*Seat}


@ALL
def test_costs_are_those_of_the_theory_and_the_response_pays_none(which: str) -> None:
    worth, limit = solution_of(environment(which).packed.game).worth, ENVS[which][1]["turn_limit"]
    count = last = 0
    for view, certified, said in decisions(which):
        if certified[1 - said.actor]:  # otherwise a position need not be one of the theory's
            value, moves = worth.weighed(view, limit)
            numbers = [view.game.actions.index(move) for move in moves]
            assert said.value == pytest.approx(value, abs=CLOSE)
            assert said.worth[numbers] == pytest.approx([*moves.values()], abs=CLOSE)
            best = moves[view.game.actions[int(said.best)]]
            assert best == pytest.approx(value, abs=CLOSE) or view.game.name == "safe-cracker"
            count += 1
            last += view.turns == limit - 1
        elif view.game.name == "safecracker-duel":  # whose costs are known in every position
            numbers = [view.game.actions.index(move) for move in view.moves]
            assert abs(said.worth[numbers].max() - said.value) < CLOSE
            assert said.worth[numbers].min() >= 0
    assert count > 225
    assert last > 5 or limit > STEPS


def error(share: float, games: int) -> float:
    """Three standard errors of a share of games."""
    return 3 * float((share * (1 - share) / games) ** 0.5)


def test_random_play_loses_to_the_batched_master_what_is_computed_and_what_it_gives_away() -> None:
    worth = solution_of(load("quantum-duel")).worth
    follows = worth.following(lambda view: dict.fromkeys(view.moves, 1 / len(view.moves)))
    assert follows is not None
    env = environment("quantum-duel")
    players = batched_player(env, "master"), batched_player(env, "random")
    played = play(env, *players, 40_000, seed=1, costs=costs_of(env))
    expected = 1 - follows.start(Seat.TWO, 9)
    assert played.score == pytest.approx(expected, abs=error(0.5, played.games) / 2)
    assert played.costs is not None
    spent, lost = played.costs[1], worth.start(Seat.TWO, 9) - (1 - played.score)
    assert spent.error > 0
    assert spent.mean == pytest.approx(
        lost, abs=error(played.score, played.games) + 3 * spent.error
    )


def test_exactly_as_many_games_are_played_as_wanted_and_the_batch_changes_nothing() -> None:
    env, told = environment("quantum-duel"), list[int]()
    players = batched_player(env, "random"), batched_player(env, "random")
    played = play(env, *players, games=1001, batch=100, progress=told.append)
    assert played.won_by_one + played.won_by_two + played.undecided == played.games == 1001
    assert told[-1] == 1001
    assert play(env, *players, games=1001, batch=1001) == played
    assert play(env, *players, games=1001, batch=100, seed=1) != played


def test_a_game_without_a_batched_master_says_so() -> None:
    env = make("digit-deductions")
    for name in ("master", "response"):
        with pytest.raises(Refusal, match="in batches"):
            batched_player(env, name)
    with pytest.raises(Refusal, match="no player"):
        batched_player(env, "grandmaster")
    with pytest.raises(Refusal, match=r"not solved|certified"):
        batched_player(make("safe-cracker", attempts=5), "master")


@pytest.mark.parametrize(("digits", "length"), [(3, 5), (9, 3)])
def test_renamings_name_codes_as_the_theory_does(digits: int, length: int) -> None:
    space, rng = space_of(digits, length), np.random.default_rng(1)
    renamings, codes = Renamings(space), np.arange(digits**length)
    layout = Layout(**{str(place): width for place, width in enumerate(renamings.widths)})

    def any_names() -> Any:
        columns = rng.permutation(length)
        ranks = [rng.permutation(digits) for _ in columns]
        named = [rank[space.digits[:, c]] for rank, c in zip(ranks, columns, strict=True)]
        return space.number(np.stack(named, axis=-1))

    def packed(names: Any) -> Any:
        """The words of a renaming, written to a packed state and read back."""
        nothing = tuple(np.zeros(1, np.uint32) for _ in range(layout.words))
        words = renamings.packed(names[renamings.probes])
        fields = zip(layout.values(), words, strict=True)
        return tuple(field.get(field.put(nothing, word)) for field, word in fields)

    @jax.jit
    def named(first: Any, then: Any) -> Any:
        every = jnp.arange(len(codes), dtype=jnp.uint32)
        names, origins = renamings.name(first, every), renamings.origin(first, every)
        return names, origins, renamings.name(renamings.composed(first, then), every)

    one, two = any_names(), any_names()
    names, origins, twice = named(packed(one), packed(two))
    assert (names == one).all()
    assert (origins[one] == codes).all()
    assert (twice == two[one]).all()


def test_settings_that_cannot_be_played_and_players_of_another_game_are_refused() -> None:
    env, other = environment("quantum-duel"), make("quantum-duel", turn_limit=7)
    here, elsewhere = batched_player(env, "random"), batched_player(other, "random")
    settings: list[dict[str, Any]] = [
        *({"games": games} for games in (20.0, 0)),
        *({"games": 20, "batch": batch} for batch in (0, 2.0)),
        *({"games": 20, "seed": seed} for seed in (-1, 1.5, 1 << 32)),
    ]
    for setting in settings:
        with pytest.raises(Refusal, match=f"{[*setting][-1]} must be a whole number"):
            play(env, here, here, **setting)
    with pytest.raises(Refusal, match="belong to another game"):
        play(env, here, elsewhere, games=10)
    with pytest.raises(Refusal, match="belong to another game"):
        play(env, here, here, games=10, costs=costs_of(other))
