"""Players and costs in batches are those of the theory; tournaments and measurements with them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache, partial
from math import hypot
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from strongroom import load
from strongroom.arena.in_batches import heats, play_in_batches
from strongroom.arena.standings import NO_COST
from strongroom.contests.schedule import Schedule, Score
from strongroom.contract import CHANCE, AnyState, Game, Refusal, Seat, View
from strongroom.measuring.in_batches import BatchedResult, Tally, measure_in_batches
from strongroom.measuring.protocol import Protocol
from strongroom.measuring.result import exact_score
from strongroom.minds.policy import read_policy, write_policy
from strongroom.terminal.main import main
from strongroom.theory.safe_cracker.race import space_of
from strongroom.theory.shelf import solution_of
from strongroom.vector import make
from strongroom.vector.environment import Env
from strongroom.vector.matches import Matches, MeanCost, play
from strongroom.vector.players import batched_player, costs_of
from strongroom.vector.safe_cracker import Renamings
from strongroom.vector.words import Layout, draw, lanes

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
                return follower.update_notes(mine, seat, state, action, after, known)

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
            value, moves = worth.weigh(view, limit)
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


def test_exactly_as_many_games_are_played_as_wanted_and_the_batch_changes_nothing() -> None:
    env, told = environment("quantum-duel"), list[int]()
    players = batched_player(env, "random"), batched_player(env, "random")
    played = play(env, *players, games=1001, batch=100, progress=told.append)
    assert played.won_by_one + played.won_by_two + played.undecided == played.games == 1001
    assert told[-1] == 1001
    assert play(env, *players, games=1001, batch=1001) == played
    assert play(env, *players, games=1001, batch=100, seed=1) != played


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
        words = renamings.pack(names[renamings.probes])
        fields = zip(layout.values(), words, strict=True)
        return tuple(field.get(field.put(nothing, word)) for field, word in fields)

    @jax.jit
    def named(first: Any, then: Any) -> Any:
        every = jnp.arange(len(codes), dtype=jnp.uint32)
        names, origins = renamings.name(first, every), renamings.origin(first, every)
        return names, origins, renamings.name(renamings.compose(first, then), every)

    one, two = any_names(), any_names()
    names, origins, twice = named(packed(one), packed(two))
    assert (names == one).all()
    assert (origins[one] == codes).all()
    assert (twice == two[one]).all()


@pytest.mark.parametrize("name", ["quantum-duel", "safe-code"])  # without secrets, with masks
def test_a_policy_in_a_file_has_the_same_odds_in_batches_as_one_by_one(
    name: str, tmp_path: Path
) -> None:
    game, env, rng = load(name), make(name), np.random.default_rng(1)
    (size,), count = env.observation_shape, env.num_actions
    layers = [
        (rng.normal(size=(size, 4)), rng.normal(size=4)),
        (rng.normal(size=(4 + size, count)), rng.normal(size=count)),
    ]
    file = tmp_path / "mine.npz"
    network = write_policy(file, game, layers)
    assert read_policy(file).parts == (*env.layout,)
    one, many = network(game, Random(1)), batched_player(env, f"policy:{file}")
    odds, step = jax.jit(partial(many.odds, notes=(), seat=0)), jax.jit(env.step)
    rules, state = game.start(), env.init()
    for number in range(10):
        assert isinstance(rules.actor, Seat)
        expected = one.policy(rules.view(rules.actor))
        found = odds(state, tables=many.on_device())
        legal = [game.actions.index(move) for move in expected]
        assert np.flatnonzero(found).tolist() == [n for n in legal if found[n] > 0]
        assert [*expected.values()] == pytest.approx(found[np.array(legal)].tolist(), abs=1e-5)
        move = [*expected][number % len(expected)]
        rules, state = rules.play(move), step(state, game.actions.index(move), jnp.uint32(1))
        if rules.actor is CHANCE:
            rules = rules.play(rules.moves[0])
    with pytest.raises(Refusal, match=r"trained at .* with 100 turns at most\. In batches"):
        batched_player(make(name, turn_limit=9), f"policy:{file}")


def test_settings_and_players_of_another_game_or_of_none_are_refused() -> None:
    env, other = environment("quantum-duel"), make("quantum-duel", turn_limit=7)
    here, elsewhere = batched_player(env, "random"), batched_player(other, "random")
    for name, wrong in {"games": (20.0, 0), "batch": (0, 2.0), "seed": (-1, 1 << 32)}.items():
        for each in wrong:
            with pytest.raises(Refusal, match=f"{name} must be a whole number"):
                play(env, here, here, **{"games": 20, name: each})  # type: ignore[arg-type]
    with pytest.raises(Refusal, match="belong to another game"):
        play(env, here, elsewhere, games=10)
    with pytest.raises(Refusal, match="belong to another game"):
        play(env, here, here, games=10, costs=costs_of(other))
    third = make("digit-deductions")
    for name in ("master", "response"):
        with pytest.raises(Refusal, match="in batches"):
            batched_player(third, name)
    with pytest.raises(Refusal, match="no player"):
        batched_player(third, "grandmaster")
    with pytest.raises(Refusal, match=r"not solved|certified"):
        batched_player(make("safe-cracker", attempts=5), "master")


DUEL = "safecracker-duel"
PAIR = ("master", "random")
BATCH = 256
"""The same in all tests, so that each game is compiled once."""


def score_of(schedule: Schedule) -> Score:
    scores = [score for _, score in play_in_batches(schedule, batch=BATCH)]
    return sum(scores[1:], scores[0])


def measured(name: str, player: str, rounds: int, against: str = "master") -> BatchedResult:
    protocol = Protocol(player, (load(name),), rounds, against=against)
    return measure_in_batches(protocol, batch=BATCH).results[name]


def test_the_score_of_very_many_games_is_the_exact_one_and_follows_from_the_seed() -> None:
    game = load("quantum-duel")
    found = score_of(Schedule((game,), ("random", "master"), 20_000))
    exact = exact_score(game, "random", tuple(Seat))
    assert exact is not None
    assert found.games == 20_000
    assert abs(found.mean - exact) < 3 * found.error
    scores = [score_of(Schedule((load(DUEL),), PAIR, 1024, seed)) for seed in (1, 1, 2, 3)]
    assert scores[0] == scores[1]
    assert len({each.mean for each in scores}) > 1


def test_the_two_of_a_pair_alternate_in_the_seats() -> None:
    played = heats(Schedule((load(DUEL),), ("master", "response", "random"), 7))
    assert [(each.sitting, each.games) for each in played[:2]] == [
        (("master", "response"), 4),
        (("response", "master"), 3),
    ]
    assert len(played) == 6
    assert len({each.own_seed for each in played}) == 6
    assert len(heats(Schedule((load(DUEL),), PAIR, 1))) == 1


def test_counting_and_costs_agree_and_random_against_random_is_even() -> None:
    found = measured(DUEL, "random", 2048)
    counted, by_costs = found.counted, found.by_costs
    assert by_costs is not None
    assert abs(counted.mean - by_costs.mean) < 3 * hypot(counted.error, by_costs.error)
    found = measured(DUEL, "random", 4096, against="random")
    low, high = found.counted.interval
    assert low < 0.5 < high
    assert (found.by_costs, found.cost, found.exact) == (None, None, None)


def test_the_estimates_follow_from_the_sums() -> None:
    tallies = {
        Seat.ONE: Tally(60, 20, 20, 0.6, MeanCost(0.1, 0.01)),
        Seat.TWO: Tally(30, 0, 70, 0.4, MeanCost(0.3, 0.02)),
    }
    found = BatchedResult(load(DUEL), Protocol("random", (load(DUEL),), 100), tallies)
    assert found.counted.mean == pytest.approx(0.5)
    variances = (0.65 - 0.7**2) / 99, (0.3 - 0.3**2) / 99
    assert found.counted.error == pytest.approx(sum(variances) ** 0.5 / 2)
    assert found.by_costs is not None
    assert found.by_costs.mean == pytest.approx(0.3)
    assert found.by_costs.error == pytest.approx(hypot(0.01, 0.02) / 2, rel=0.01)
    assert found.cost == pytest.approx(0.2)


def test_a_tournament_is_shown_and_written_and_says_that_no_game_is_kept(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file, page = tmp_path / "all.json", tmp_path / "all.html"
    typed = ["tournament", DUEL, "--games", "1024", "--batches", "--batch-size", f"{BATCH}"]
    assert main([*typed, "--json", str(file), "--html", str(page)]) == 0
    shown = capsys.readouterr().out
    assert "| | master | random |" in shown  # they are all bots that play in batches
    assert NO_COST in shown
    data = json.loads(file.read_text())
    assert (data["batches"], data["games"], data["jax"]) == (True, [], jax.__version__)
    (pair,) = data["results"][DUEL]["pairs"]
    assert pair["wins"] + pair["undecided"] + pair["losses"] == 1024
    assert pair == pair | {"player": "master", "opponent": "random", "forfeits": 0}
    assert pair["interval"][0] < pair["score"] < pair["interval"][1]
    assert data["results"][DUEL]["players"]["random"]["cost"] is None
    told = page.read_text()
    assert "1,024 games" in told
    assert NO_COST in told


def test_a_measurement_is_shown_and_written(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "random.json"
    typed = f"measure random --only {DUEL} --rounds 2048 --seed 1 --batches --batch-size {BATCH}"
    assert main([*typed.split(), "--json", str(file)]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("random against master\n")
    assert "4,096 games on " in shown
    assert "no profile and no worst move" in shown
    report = json.loads(file.read_text())
    assert report["format"] == "strongroom measurement in batches"
    assert report["jax"] == jax.__version__
    assert (report["player"], report["against"], report["seed"]) == ("random", "master", 1)
    figures = report["results"][DUEL]
    assert figures == measured(DUEL, "random", 2048).to_json()
    assert f"{figures['counted']:.5f} (" in shown
    assert figures["wins"] + figures["undecided"] + figures["losses"] == figures["games"] == 4096
    for reading in (["measure", "--check"], ["compare", str(file)]):
        assert main([*reading, str(file)]) == 2
        assert "It has only sums of games in batches" in capsys.readouterr().err
    typed = f"measure random --against random --seats 1 --rounds 1 --batches --only {DUEL}"
    assert main([*typed.split(), "--batch-size", f"{BATCH}"]) == 0
    assert "\n1 game on " in capsys.readouterr().out


def test_of_all_games_those_are_played_that_the_players_play_in_batches(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    played: list[str] = []

    def heard(schedule: Schedule, **_: object) -> Iterator[tuple[Game, Score]]:
        for game in schedule.games:
            played.append(game.name)
            yield game, Score(*PAIR, wins=schedule.rounds, undecided=0, losses=0)

    monkeypatch.setattr("strongroom.arena.in_batches.play_in_batches", heard)
    assert main(["tournament", "--all", "--batches"]) == 0
    told = capsys.readouterr().err
    assert re.search(r"^Left out: .*Safe Code.*\. Not all of these players play them", told, re.M)
    assert DUEL in played
    assert "safe-code" not in played


@pytest.mark.parametrize(
    "typed", [f"tournament {DUEL} --batches", f"measure random --only {DUEL} --batches"]
)
def test_an_interrupted_run_says_that_nothing_is_kept(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, typed: str
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    for module in ("arena", "measuring"):
        monkeypatch.setattr(f"strongroom.{module}.in_batches.play", interrupted)
    leaving: list[tuple[object, ...]] = []
    monkeypatch.setattr("atexit.register", lambda *what: leaving.append(what))
    assert main(typed.split()) == 130
    assert [code for _, code in leaving] == [130]
    told = capsys.readouterr()
    assert told.err.endswith("\nInterrupted; nothing is kept of games in batches.\n")
    assert told.out == ""


def test_what_cannot_be_played_in_batches_is_refused_in_a_line(
    capsys: pytest.CaptureFixture[str], subtests: pytest.Subtests
) -> None:
    at_most = " is at most 1,000,000, unless games are played in batches. Choose a smaller "
    only_in_batches = "response plays only in batches. Add --batches."
    refused_lines = [
        (f"{DUEL} --batches --players random expert", "There is no player 'expert' in batches. "),
        ("digit-deductions --batches", "Digit Deductions has no master in batches. Name other "),
        (
            "safe-code --batches --players random response",
            "Safe Code has no table of costs in batches. Name other games or players.\n",
        ),
        (f"{DUEL} --batches --csv a", "--csv cannot be used with --batches. Leave it out."),
        (f"{DUEL} --batches --cluster local", "--cluster cannot be used with --batches."),
        (f"{DUEL} --batches --players random", "A tournament needs two players."),
        (f"{DUEL} --batch-size 8", "--batch-size is for games in batches. Add --batches."),
        (f"{DUEL} --games 1000001", f"--games{at_most}"),
        (f"{DUEL} --players random response", only_in_batches),
        (
            "measure random --batches --only safe-code",
            "Safe Code has no master in batches. --against can be random, or leave --batches out.",
        ),
        (
            "measure random --batches --only safe-cracker --set attempts=3",
            "Nothing is certified for safe-cracker,attempts=3. --against can be random.\n",
        ),
        ("measure random --batches --html a", "--html cannot be used with --batches. Leave it "),
        ("measure random --batches --puzzles a", "--batches cannot be used with --puzzles."),
        ("measure random --batch-size 8", "--batch-size is for games in batches. Add --batches."),
        (f"measure random --only {DUEL} --rounds 1000001", f"--rounds{at_most}"),
        ("measure response", only_in_batches),
        ("measure random --against response", only_in_batches),
    ]
    for typed, told in refused_lines:
        line = typed.split()
        with subtests.test(typed):
            assert main(line if line[0] == "measure" else ["tournament", *line]) == 2
            refused = capsys.readouterr().err
            assert refused.startswith(f"strongroom: {told}")
            assert refused.count("\n") == 1


@pytest.mark.parametrize(
    "typed", [f"tournament {DUEL} --games", f"measure random --only {DUEL} --rounds"]
)
def test_billions_of_games_in_large_batches_are_accepted(
    monkeypatch: pytest.MonkeyPatch, typed: str
) -> None:
    asked: list[tuple[int, object]] = []

    def heard(*given: Any, batch: int | None = None, **_: object) -> Matches:
        asked.append((given[3], batch))
        return Matches(given[3], given[3], 0, 0, given[3])

    for module in ("arena", "measuring"):
        monkeypatch.setattr(f"strongroom.{module}.in_batches.play", heard)
    most = f"{2**31 - 1} --batches --batch-size {2**24}".split()
    assert main([*typed.split(), *most]) == 0
    assert sum(games for games, _ in asked) in (2**31 - 1, 2 * (2**31 - 1))
    assert {batch for _, batch in asked} == {2**24}
    assert main([*typed.split(), f"{2**31}", *most[1:]]) == 2
