"""Players and costs in batches are those of the theory, decision by decision and in matches."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from strongroom import load
from strongroom.contract import CHANCE, AnyState, Refusal, Seat, View
from strongroom.players.master import MasterPlayer
from strongroom.theory.safe_cracker.board import space_of
from strongroom.theory.shelf import read, solution_of
from strongroom.theory.solution import Solution
from strongroom.vector import make
from strongroom.vector.draws import draw, lanes
from strongroom.vector.environment import Env
from strongroom.vector.matches import Matches, play
from strongroom.vector.players import batched_player, costs_of
from strongroom.vector.renamings import Renamings
from strongroom.vector.words import Layout

GAMES, STEPS = 201, 20
CLOSE = 1e-6
SEATS = [*Seat]
QUANTUM_DUEL = ("quantum-duel", 9)
CRACKER = ("safe-cracker", 100)
SHORT = ("safe-cracker digits=4", 5)
ALL = pytest.mark.parametrize("which", [QUANTUM_DUEL, CRACKER, SHORT], ids=lambda which: which[0])
"""Games with their turn limits; those of the first and the last end some games undecided."""

Which = tuple[str, int]


class Said(NamedTuple):
    """What was said in batches about every decision: [step, game]."""

    over: Any
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


def settings(which: Which) -> tuple[str, dict[str, int]]:
    name, *options = which[0].split()
    return name, {key: int(number) for key, _, number in (each.partition("=") for each in options)}


def environment(which: Which) -> Env:
    name, options = settings(which)
    return make(name, turn_limit=which[1], **options)


def solution(which: Which) -> Solution:
    return solution_of(environment(which).packed.game)


def seated(game: int) -> tuple[bool, bool]:
    """Who plays as certified: both, Seat.ONE or Seat.TWO; others play at random."""
    return ((True, True), (True, False), (False, True))[game % 3]


@cache
def recorded(which: Which) -> Said:
    env = environment(which)
    master, response, costs = (
        batched_player(env, "master"),
        batched_player(env, "response"),
        costs_of(env),
    )
    actions = jnp.arange(env.num_actions)

    def decision(carried: Any, lane: Any, sits: Any, step: Any, tables: Any) -> Any:
        state, minds, notes = carried
        seat = state.current_player.astype(jnp.uint32)
        word, chance = draw(lane, 3 * step), draw(lane, 3 * step + 1)

        mind, note = jax.tree_util.tree_map(lambda both: both[seat], (minds, notes))
        certified = master.choose(state, mind, seat, word, tables[0])
        anything = env.random_action(state, draw(lane, 3 * step + 2))
        action = jnp.where(sits[seat], certified, anything)
        said = Said(
            state.terminated | state.truncated,
            action,
            chance,
            master.odds(state, mind, seat, tables[0]),
            costs.value(state, note, seat, tables[1]),
            jax.vmap(lambda each: costs.worth(state, note, seat, each, tables[1]))(actions),
            certified if which == SHORT else response.choose(state, note, seat, word, tables[1]),
        )
        after = env.step(state, action, chance)

        def noted(follower: Any, each: Any, known: Any) -> Any:
            def of_one(mine: Any, seat: Any) -> Any:
                return follower.noted(mine, seat, state, action, after, known)

            return jax.vmap(of_one)(each, jnp.arange(2, dtype=jnp.uint32))

        minds, notes = noted(master, minds, tables[0]), noted(costs, notes, tables[1])
        return (after, minds, notes), said

    def played(sits: Any, tables: Any) -> Any:
        first = [
            tuple(jnp.full((GAMES, 2), word, jnp.uint32) for word in each.first_notes())
            for each in (master, costs)
        ]
        start = jax.vmap(lambda _: env.init())(sits[:, 0])
        lane = lanes(jnp.uint32(1), GAMES)

        def step(carried: Any, number: Any) -> Any:
            return jax.vmap(lambda each, own, those: decision(each, own, those, number, tables))(
                carried, lane, sits
            )

        return jax.lax.scan(step, (start, *first), jnp.arange(STEPS, dtype=jnp.uint32))[1]

    sits = jnp.array([seated(game) for game in range(GAMES)])
    tables = master.on_device(), costs.on_device()
    said: Said = jax.tree_util.tree_map(np.asarray, jax.jit(played)(sits, tables))
    return said


def decisions(which: Which) -> Iterator[Decision]:
    """The same games by the rules, with what was said about each decision."""
    said, game = recorded(which), environment(which).packed.game
    for number in range(GAMES):
        state: AnyState = game.start()
        for step in range(STEPS):
            here = Said(*(each[step, number] for each in said))
            if here.over:
                break
            assert isinstance(state.actor, Seat)
            yield Decision(state.view(state.actor), seated(number), here)
            state = state.play(game.actions[int(here.action)])
            if state.actor is CHANCE:
                state = state.play(state.moves[1 - int(here.chance) % 2])


@ALL
def test_the_batched_master_draws_every_move_as_often_as_the_certified_player(which: Which) -> None:
    certain, seen = solution(which), set[tuple[Seat | None, bool]]()
    count = 0
    for view, _, said in decisions(which):
        policy, moves = certain.policy(view), view.game.actions
        wanted = np.zeros_like(said.odds)
        for move, share in policy.items():
            wanted[moves.index(move)] = share
        assert abs(said.odds - wanted).max() < CLOSE
        seen.add((view.seat, view.setting_up))
        count += 1
    assert count > 1000
    assert {seat for seat, _ in seen} == {*Seat}


@ALL
def test_the_batched_master_chooses_what_it_may(which: Which) -> None:
    for view, certified, said in decisions(which):
        assert view.seat is not None
        assert said.odds[said.action] > 0 or not certified[SEATS.index(view.seat)]


@ALL
def test_costs_are_those_of_the_theory_and_the_response_pays_none(which: Which) -> None:
    worth, count = solution(which).worth, 0
    for view, certified, said in decisions(which):
        assert view.seat is not None
        if not certified[1 - SEATS.index(view.seat)]:
            continue
        value, moves = worth.weighed(view, which[1])
        numbers = [view.game.actions.index(move) for move in moves]
        assert said.value == pytest.approx(value, abs=CLOSE)
        assert said.worth[numbers] == pytest.approx([*moves.values()], abs=CLOSE)
        if which != SHORT:
            assert moves[view.game.actions[int(said.best)]] == pytest.approx(value, abs=CLOSE)
        count += 1
    assert count > 500


@cache
def hundred_thousand(which: Which, two: str, costed: bool = False) -> Matches:
    env = environment(which)
    players = batched_player(env, "master"), batched_player(env, two)
    return play(env, *players, 100_000, seed=1, costs=costs_of(env) if costed else None)


def error(share: float, games: int) -> float:
    """Three standard errors of a share of games."""
    return 3 * float((share * (1 - share) / games) ** 0.5)


def test_two_batched_masters_share_the_wins_as_certified() -> None:
    played = hundred_thousand(CRACKER, "master")
    value = 163 / 243
    assert read(load("safe-cracker"))[1]["lower"] == "163/243"
    assert played.undecided == 0
    assert played.score == pytest.approx(value, abs=error(value, played.games))


def test_random_play_loses_to_the_batched_master_exactly_as_often_as_computed() -> None:
    worth, limit = solution(QUANTUM_DUEL).worth, QUANTUM_DUEL[1]

    def anything(view: View) -> dict[Any, float]:
        return dict.fromkeys(view.moves, 1 / len(view.moves))

    follows = worth.following(anything)
    assert follows is not None
    played = hundred_thousand(QUANTUM_DUEL, "random", True)
    expected = 1 - follows.start(Seat.TWO, limit)
    assert played.score == pytest.approx(expected, abs=error(0.5, played.games) / 2)


def test_batched_games_end_like_games_one_by_one() -> None:
    game, games, won = load("safe-cracker"), 400, 0
    for number in range(games):
        state, rng = game.start(), Random(number)
        players = {seat: MasterPlayer(game, rng) for seat in Seat}
        while isinstance(state.actor, Seat):
            state = state.play(players[state.actor].choose(state.view(state.actor)))
        assert state.outcome is not None
        won += state.outcome.winner is Seat.ONE
    played = hundred_thousand(CRACKER, "master")
    assert won / games == pytest.approx(played.score, abs=error(played.score, games))


def test_what_a_player_gave_away_is_what_it_lost() -> None:
    played = hundred_thousand(QUANTUM_DUEL, "random", True)
    assert played.costs is not None
    spent, value = played.costs[1], solution(QUANTUM_DUEL).worth.start(Seat.TWO, QUANTUM_DUEL[1])
    lost = value - (1 - played.score)
    allowed = error(played.score, played.games) + 3 * spent.error
    assert spent.error > 0
    assert spent.mean == pytest.approx(lost, abs=allowed)


def test_exactly_as_many_games_are_played_as_wanted_and_the_batch_changes_nothing() -> None:
    env, told = environment(QUANTUM_DUEL), list[int]()
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

    def any_names() -> Any:
        columns = rng.permutation(length)
        ranks = [rng.permutation(digits) for _ in columns]
        named = [rank[space.digits[:, c]] for rank, c in zip(ranks, columns, strict=True)]
        return space.number(np.stack(named, axis=-1))

    layout = Layout(**{str(place): width for place, width in enumerate(renamings.widths)})
    one, two = any_names(), any_names()
    first, then = (
        tuple(
            field.get(field.put(tuple(np.zeros(1, np.uint32) for _ in range(layout.words)), word))
            for field, word in zip(
                layout.values(), renamings.packed(names[renamings.probes]), strict=True
            )
        )
        for names in (one, two)
    )

    @jax.jit
    def named(first: Any, then: Any) -> Any:
        every = jnp.arange(len(codes), dtype=jnp.uint32)
        both = renamings.composed(first, then)
        return (
            renamings.name(first, every),
            renamings.origin(first, every),
            renamings.name(both, every),
        )

    names, origins, twice = named(first, then)
    assert (names == one).all()
    assert (origins[one] == codes).all()
    assert (twice == two[one]).all()


@pytest.mark.parametrize(
    ("setting", "told"),
    [
        ({"games": 20.0}, "games must be a whole number"),
        ({"games": 0}, "games must be a whole number"),
        ({"games": 20, "batch": 0}, "batch must be a whole number"),
        ({"games": 20, "batch": 2.0}, "batch must be a whole number"),
        ({"games": 20, "seed": -1}, "seed must be a whole number"),
        ({"games": 20, "seed": 1.5}, "seed must be a whole number"),
        ({"games": 20, "seed": 1 << 32}, "seed must be a whole number"),
    ],
)
def test_settings_that_cannot_be_played_are_refused(setting: dict[str, Any], told: str) -> None:
    env = environment(QUANTUM_DUEL)
    anybody = batched_player(env, "random")
    with pytest.raises(Refusal, match=told):
        play(env, anybody, anybody, **setting)


def test_a_player_of_another_game_is_refused() -> None:
    env, other = make("quantum-duel"), make("quantum-duel", turn_limit=7)
    here, elsewhere = batched_player(env, "random"), batched_player(other, "random")
    with pytest.raises(Refusal, match="belong to another game"):
        play(env, here, elsewhere, games=10)
    with pytest.raises(Refusal, match="belong to another game"):
        play(env, here, here, games=10, costs=costs_of(other))
