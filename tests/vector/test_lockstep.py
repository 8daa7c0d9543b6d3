"""Random games in batches and by the rules; what observations tell, and what words are drawn."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations, product
from random import Random
from typing import Any, NamedTuple
from unittest.mock import Mock

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from lockstep import CASES, Lockstep, lockstep, main, prove, tasks
from lockstep_sides import Batches, Case, Difference
from numpy.typing import NDArray

from strongroom import load
from strongroom.contract import AnyState, Game, Move, Refusal, Seat, View
from strongroom.games.safe_code.clues import MEANINGS
from strongroom.games.safe_code.rules import REQUEST, Number
from strongroom.minds.knowledge import Public, SeatKnowledge
from strongroom.players import player
from strongroom.plugins.registry import GAMES
from strongroom.referee.bout import TURN_LIMIT, Bout
from strongroom.referee.randomness import draws
from strongroom.theory.safe_code.proof import worst_against_racing
from strongroom.theory.safe_code.solution import SafeCodeSolution
from strongroom.theory.shelf import solution_of
from strongroom.theory.worth import Unreachable
from strongroom.vector import Env, make
from strongroom.vector.playouts import LAUNCH, as_kernel, in_chunks, move_randomly, playouts
from strongroom.vector.safe_cracker import PackedSafeCracker
from strongroom.vector.words import (
    Array,
    Flags,
    Words,
    below,
    draw,
    draw_from_mixture,
    flag,
    lane_of,
    lanes,
    mix,
    mixture_odds,
    mixture_words,
    unpack,
)

SHARE = 100
SHORT = 30
"""A turn limit that some games reach, and that keeps the tests short."""
TESTED = [*(Case(game, SHORT) for game in GAMES), CASES["safe-cracker attempts=5 digits=4"]]


@pytest.mark.parametrize("case", TESTED, ids=str)
def test_random_games_in_batches_agree_with_the_rules(case: Case) -> None:
    tally = Lockstep(case).play(seed=1, batch=0, games=SHARE)
    assert tally.games == SHARE
    assert (tally.undecided > 0) == (case.turn_limit == SHORT)


class Tampered(Batches):
    """A batch whose flags are not as they should be, from its fifth move on."""

    spoiled = ""

    def play(self, seed: int, batch: int, games: int) -> Any:
        for number, (shown, made) in enumerate(super().play(seed, batch, games)):
            right: Any = made if self.spoiled == "allowed" else shown
            flags = np.array(getattr(right, self.spoiled))
            flags.flat[-1] ^= number >= 5
            wrong = right._replace(**{self.spoiled: flags})
            yield (shown, wrong) if right is made else (wrong, made)


SMALL = Case("safe-cracker", 20)
FEW = 8


def test_whatever_differs_is_told_and_what_agrees_too(
    subtests: pytest.Subtests, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    compared = lockstep(SMALL)
    for spoiled in ("known_to_two", "allowed"):
        told = "the mask and `step` disagree" if spoiled == "allowed" else "known to two"
        where = r"safe-cracker turn_limit=20, seed 3, batch 0, game \d+, after 5 moves of players: "
        with monkeypatch.context() as patch, subtests.test(spoiled):
            patch.setattr(compared.batches, "__class__", Tampered)
            patch.setattr(Tampered, "spoiled", spoiled)
            with pytest.raises(Difference, match=where + told):
                compared.play(seed=3, batch=0, games=FEW)
    assert prove(SMALL, tasks(SMALL, seed=5, games=FEW), Mock(imap_unordered=map))
    assert "safe-cracker turn_limit=20: 8 games with " in capsys.readouterr().out
    assert {case.game for case in CASES.values()} == set(GAMES)
    monkeypatch.setattr(sys, "argv", ["lockstep.py", "--only", "checkers"])
    with pytest.raises(SystemExit):
        main()
    assert "safe-cracker attempts=5 digits=4" in capsys.readouterr().err


PAIRS = 150
MOVES = 18


class Worlds(NamedTuple):
    """Pairs of games that differ, if at all, in what their viewer may not know."""

    states: Any  # by world, viewer and pair
    alike: Array  # by viewer and pair: whether the viewer cannot tell the two apart; they go on


class Compared(NamedTuple):
    """How the worlds differ that their viewer cannot tell apart, by viewer and pair."""

    hidden: Array  # whether they differ at all
    leaks: dict[str, Array]  # whether the viewer is told of it, by what tells them


def mapped(function: Callable[..., Any], axes: int) -> Callable[..., Any]:
    """The function over so many axes: pairs, viewers, worlds."""
    return jax.vmap(mapped(function, axes - 1)) if axes else function


def differ(values: Any) -> Array:
    """By viewer and pair, whether values of the two worlds differ in any of their parts."""
    parts = [leaf.reshape(2, 2, PAIRS, -1) for leaf in jax.tree_util.tree_leaves(values)]
    return jnp.stack([(one != other).any(axis=-1) for one, other in parts]).any(axis=0)


def after_a_move(env: Env, worlds: Worlds, key: Array) -> tuple[Worlds, Compared]:
    """The worlds after a move: the same one in both, unless the viewer does not see it."""
    before, alike = worlds
    here, there = (jax.tree_util.tree_map(lambda word, n=n: word[n], before) for n in (0, 1))
    viewer = jnp.broadcast_to(jnp.arange(2)[:, None], (2, PAIRS))
    draws = jax.random.bits(key, (4, 2, PAIRS), jnp.uint32)
    move, another = (
        mapped(env.random_action, 2)(s, d) for s, d in ((here, draws[0]), (there, draws[1]))
    )
    unseen = (here.current_player != viewer) & (here._step_count < env.packed.set_up)
    legal = jnp.take_along_axis(there.legal_action_mask, move[..., None], axis=-1)[..., 0]
    repeated = legal & (~unseen | (draws[1] % 2 == 0))
    actions = jnp.stack([move, jnp.where(repeated, move, another)])
    after = mapped(env.step, 3)(before, actions, draws[2:])
    # The worlds can be told apart if with that secret the opponent could not have moved so, or if
    # the referee answered something else.
    told = (after.latest_action, after.latest_answer, after.terminated, after.truncated)
    over = (after.terminated | after.truncated).any(axis=0)
    alike &= (repeated | unseen) & ~differ(told) & ~over
    on_turn = (after.current_player == viewer).any(axis=0)
    seen = mapped(env.observe, 3)(after, jnp.broadcast_to(viewer, (2, 2, PAIRS)))
    leaks = {
        "observation": differ(seen) & alike,
        "mask": differ(after.legal_action_mask) & alike & on_turn,
        "turn": differ((after.current_player, after._step_count, after.rewards)) & alike,
    }
    return Worlds(after, alike), Compared(differ((after._position, after._memory)) & alike, leaks)


def check_no_leak(env: Env) -> int:
    """Assert that no viewer is told what they may not know; how often something was hidden."""
    states = jax.tree_util.tree_map(lambda word: jnp.full((2, 2, PAIRS), word), env.init())
    worlds, found = Worlds(states, jnp.ones((2, PAIRS), bool)), 0
    step = jax.jit(partial(after_a_move, env))
    for number in range(MOVES):
        worlds, compared = step(worlds, jax.random.key(number))
        for name, leak in jax.device_get(compared.leaks).items():
            assert not leak.any(), f"The {name} tells a hidden thing after move {number + 1}."
        found += int(compared.hidden.sum())
    return found


@pytest.mark.parametrize("name", GAMES)
def test_no_seat_is_told_what_is_hidden(name: str) -> None:
    found = check_no_leak(make(name))
    assert found > 300 if load(name).secrets_each else found == 0


class Leaking(PackedSafeCracker):
    """Who guesses is told whether the other's code is the second."""

    def knowledge(self, words: Words, memory: Words, seat: Array) -> dict[str, Flags]:
        one, two = (self.layout[name].get(words) for name in ("code_one", "code_two"))
        leak = jnp.where(seat == 0, two, one) == 1
        return {**super().knowledge(words, memory, seat), "leak": flag(leak)}


def test_a_leak_is_caught() -> None:
    with pytest.raises(AssertionError, match="The observation tells a hidden thing"):
        check_no_leak(Env(Leaking(load("safe-cracker"), 100)))  # type: ignore[arg-type]


def observed(view: View) -> bytes:
    assert isinstance(view.game, Game)
    parts = SeatKnowledge(view.game, TURN_LIMIT).parts(view, Public.of(view))
    return b"".join(part.tobytes() for part in parts.values())


def agree(one: View, other: View) -> bool:
    """That the certified player plays the same in both views, and moves are worth the same.

    Whether their worth was compared: it has none where the certified player cannot have led.
    """
    solution = solution_of(one.game)
    assert solution.policy(one) == solution.policy(other)
    try:
        (value, moves), (same, others) = (
            solution.worth.weigh(view, TURN_LIMIT) for view in (one, other)
        )
    except Unreachable:
        return False
    assert same == pytest.approx(value)
    assert dict(others) == pytest.approx(dict(moves))
    return True


def decisions(game: Game, rounds: int, *names: str) -> Iterator[View]:
    """What is known at each decision of games in which both seats are taken by turns."""
    players = [player(name, game, Random(1)) for name in names]
    for number in range(rounds):
        bout, flips = Bout.start(game, TURN_LIMIT).settle(draws(number)), draws(number)
        while isinstance(seat := bout.actor, Seat):
            yield bout.view(seat)
            move = players[(number + seat.index) % 2].choose(bout.view(seat))
            bout = bout.play(move).settle(flips)


def test_the_board_and_the_turns_are_all_that_quantum_duel_needs() -> None:
    seen: dict[bytes, View] = {}
    met_again = 0
    for view in decisions(load("quantum-duel"), 60, "random", "casual"):
        other = seen.setdefault(observed(view), view)
        if other.history != view.history:
            met_again += agree(view, other)
    assert met_again > 100


def numbers_of(clues: Any) -> list[int]:
    by_clue = clues.reshape(3, -1)
    numbers: list[int] = (by_clue @ (1 << np.arange(by_clue.shape[1]))).tolist()
    return numbers


def test_the_clues_and_the_numbers_left_are_all_that_safe_code_needs() -> None:
    """They are all that the certified player goes by, except its own promise."""
    game = load("safe-code")
    solution, knowledge = solution_of(game), SeatKnowledge(game, TURN_LIMIT)
    assert isinstance(solution, SafeCodeSolution)
    race = solution.player.race
    for view in decisions(game, 6, "random", "casual"):
        assert view.seat is not None
        standing = solution.player.standing(view, view.seat)
        parts = knowledge.parts(view, Public.of(view))
        seen = tuple(number - 1 for number in numbers_of(parts["clues given to me"]) if number)
        left, opened = (
            tuple(np.flatnonzero(parts[name]).tolist())
            for name in ("left to me", "left to the other")
        )
        assert (seen, left, opened) == (standing.seen, standing.left, standing.open)
    worst = worst_against_racing(race.size, lambda *_: None)
    assert all(worth == race.waiting(mine, theirs) for (mine, theirs, _), worth in worst.items())


def test_a_high_turn_limit_only_adds_a_word_to_safe_code() -> None:
    env = make("safe-code", turn_limit=10_000)
    assert (make("safe-code").packed.layout.words, env.packed.layout.words) == (3, 4)
    actions, state = env.packed.game.actions, env.init()
    clues = [group[-1] for group in MEANINGS.values() if group[0].holds(4)][-3:]
    for move in (Number(4), *clues, Number(4), *reversed(clues), *[REQUEST] * 6):
        state = env.step(state, actions.index(move))
    row = np.asarray(env.observe(state, 1))
    own, told = (numbers_of(row[env.layout[name]]) for name in ("own clues", "clues given to me"))
    assert [actions[number - 1] for number in own] == clues[::-1]
    assert [actions[number - 1] for number in told] == clues


def reordered(game: Game, secrets: list[Move], guesses: list[Move]) -> Iterator[AnyState]:
    """The states after the same guesses of both seats, two of one seat's exchanged."""
    for first, second in [(0, 0), *((a, b) for a, b in combinations(range(len(guesses)), 2))]:
        if (second - first) % 2:
            continue
        order = guesses.copy()
        order[first], order[second] = guesses[second], guesses[first]
        state: AnyState = game.start()
        for move in (*secrets, *order):
            state = state.play(move)
        yield state


@pytest.mark.parametrize("options", [{}, {"digits": 4}], ids=str)
def test_the_sets_of_codes_are_all_that_safe_cracker_needs(options: dict[str, int]) -> None:
    game, rng = load("safe-cracker", **options), Random(2)
    compared = 0
    for _ in range(40):
        secrets = rng.sample([*game.actions], 2)
        wrong = [move for move in game.actions if move not in secrets]
        first, *others = reordered(game, secrets, rng.sample(wrong, 4))
        for other in others:
            views = first.view(Seat.ONE), other.view(Seat.ONE)
            assert observed(views[0]) == observed(views[1])
            compared += agree(*views)
    assert compared > 5


GRID = np.arange(1 << 16, dtype=np.uint32) << 16
FAR = 4.5
"""How many standard deviations from the expected value are too far; about 1 in 150,000 is."""


def check_uniform(bytes_drawn: NDArray[Any]) -> None:
    """Every byte is as frequent as chance allows: chi square is near its expected value."""
    counts, expected = np.bincount(bytes_drawn.ravel(), minlength=256), bytes_drawn.size / 256
    chi_square = ((counts - expected) ** 2).sum() / expected
    assert expected > 20, "there are too few values to say"
    assert abs(chi_square - 255) / np.sqrt(2 * 255) < FAR


def test_words_are_uniform_and_independent_and_no_game_repeats_a_stretch_of_another() -> None:
    lane, numbers = jax.jit(lanes, static_argnums=1), jnp.arange(1024, dtype=jnp.uint32)
    words = np.asarray(jax.jit(draw)(lane(jnp.uint32(0), 1024)[:, None], numbers[None]))
    each = jax.vmap(lambda seed: draw(lane(seed, 256), jnp.uint32(0)))
    first = np.asarray(each(jnp.arange(4096, dtype=jnp.uint32)))  # of many seeds
    for shift in (0, 8, 16, 24):
        check_uniform(words >> shift & 0xFF)
        check_uniform(first >> shift & 0xFF)
    for one, other in (
        *((words[:, :-step], words[:, step:]) for step in (1, 2)),
        *((words[:-1, :-1], words[1:, step:][:, :1023]) for step in (0, 1)),
        *((first[:-1], first[1:]), (first[:, :-1], first[:, 1:])),
    ):
        for a, b in ((28, 28), (0, 0), (28, 0), (0, 28), (12, 16)):
            check_uniform((one >> a & 15) * 16 + (other >> b & 15))
    pairs = (words[::4, :-1].astype(np.uint64) << np.uint64(32)) | words[::4, 1:]
    assert len(np.unique(pairs)) == pairs.size


def hashed(word: int) -> int:
    for shift, factor in ((16, 0x21F0AAAD), (15, 0xD35A2D97)):
        word = (word ^ word >> shift) * factor % 2**32
    return word ^ word >> 15


def test_words_are_hashes_of_seed_game_and_number_and_no_two_words_share_one() -> None:
    for seed, game, number in ((0, 0, 0), (7, 3, 1), (2**32 - 1, 1000, 2**32 - 1)):
        lane = hashed(hashed(game) ^ hashed((seed + 1) % 2**32))
        word = hashed((lane + hashed(number ^ 0x9E3779B9)) % 2**32)
        assert int(draw(lane_of(jnp.uint32(seed), jnp.uint32(game)), jnp.uint32(number))) == word
    some = np.concatenate([np.arange(2**18), 2**32 - 1 - np.arange(2**18)]).astype(np.uint32)
    assert len(np.unique(np.asarray(jax.jit(mix)(some)))) == len(some)


def first_with(least: int, bound: int) -> int:
    """The lowest word whose number is so high; numbers never fall as words rise."""
    low, high = 0, 2**32
    while low < high:
        middle = (low + high) // 2
        number = int(below(np.uint32(middle), bound))
        low, high = (middle + 1, high) if number < least else (low, middle)
    return low


def test_numbers_below_a_bound_have_equal_shares_of_all_words() -> None:
    for bound in (1, 2, 3, 7, 30, 31, 81, 125, 255, 256, 1717, 65_535, 65_536):
        for each in {0, 1, bound // 2, bound - 1} & set(range(bound)):
            share = first_with(each + 1, bound) - first_with(each, bound)
            assert abs(share - 2**32 / bound) <= 2**16
        assert int(below(np.uint32(2**32 - 1), bound)) == bound - 1
    # A bound may be known only later.
    for bound, most in ((3, 7), (12, 15), (31, 31), (200, 255), (900, 1717)):
        counts = np.bincount(np.asarray(below(GRID, np.uint32(bound), most)), minlength=bound)
        assert len(counts) == bound
        assert counts.max() - counts.min() <= 1


@pytest.mark.parametrize("name", GAMES)
def test_each_legal_action_has_the_same_share_of_all_words(name: str) -> None:
    env = make(name)
    packed, tables = env.packed, env.tables

    @jax.jit
    def counted(moves: Any, lane: Any) -> Any:
        """How often each action is chosen after so many random moves, and which are legal."""

        def move(number: Any, position: Any) -> Any:
            word = draw(lane, number)
            action = packed.random_action(position, word, tables)
            return packed.play(position, action, word, tables)[0]

        start = tuple(map(jnp.uint32, packed.start()))
        position = jax.lax.fori_loop(0, moves, move, start)
        chosen = jax.vmap(partial(packed.random_action, tables=tables), (None, 0))(position, GRID)
        legal = unpack(packed.legal(position, tables), env.num_actions)
        return jnp.bincount(chosen, length=env.num_actions), legal

    for moves, lane in product(range(12), (99, 7)):
        counts, legal = map(np.asarray, counted(moves, jnp.uint32(lane)))
        assert not counts[~legal].any()
        assert counts[legal].max() - counts[legal].min() <= 1


def test_a_key_of_jax_chooses_like_a_word() -> None:
    env = make("safe-cracker")
    key = jax.random.key(5)
    word = jax.random.bits(key, dtype=jnp.uint32)
    assert int(env.random_action(env.init(), key)) == int(env.random_action(env.init(), word))


def test_choices_are_drawn_with_their_odds() -> None:
    width = 13
    rng = np.random.default_rng(5)
    weights = rng.integers(0, 1000, (20, width)) * rng.integers(0, 2, (20, width))
    weights[0] = 0
    table = jnp.asarray(mixture_words(weights).ravel())

    @jax.jit
    @jax.vmap
    def row(first: Any) -> Any:
        choices = draw_from_mixture(table, first, jnp.uint32(width), jnp.asarray(GRID))
        return mixture_odds(table, first, width), choices

    odds, choices = map(np.asarray, row(jnp.arange(20, dtype=jnp.uint32) * width))
    weights[0] = 1  # where nothing has weight, all choices are as likely
    expected = weights / weights.sum(axis=1, keepdims=True)
    assert np.abs(odds - expected).max() < 1e-7
    counts = np.array([np.bincount(each, minlength=width) for each in choices])
    assert np.abs(counts / len(GRID) - expected).max() < 2 * width / len(GRID)
    assert not counts[expected == 0].any()


BATCH, BLOCK = 70, 32


@pytest.mark.parametrize("name", ["quantum-duel", "safe-code"])  # with chance, with large tables
def test_a_kernel_and_a_loop_make_the_same_moves(name: str) -> None:
    env, lane = make(name), lanes(5, BATCH)
    start = tuple(jnp.full(BATCH, word, jnp.uint32) for word in env.packed.start())
    kernel = jax.jit(as_kernel(env, BATCH, BLOCK, partial(move_randomly, env)))
    loop = jax.jit(in_chunks(env, BATCH, BATCH, partial(move_randomly, env)))
    first, second = (jax.tree_util.tree_leaves(f(start, lane, 0)) for f in (kernel, loop))
    for one, other in zip(first, second, strict=True):
        assert np.array_equal(one, other)
    assert len({*np.asarray(first[0]).tolist()}) > BATCH / 2


def test_playouts_count_what_steps_end_and_what_cannot_be_played_is_refused() -> None:
    env, lane = make("quantum-duel"), lanes(3, BATCH)

    def step(state: object, number: object) -> tuple[object, object]:
        word = draw(lane, number)
        after = jax.vmap(env.step_and_reset)(state, jax.vmap(env.random_action)(state, word), word)
        return after, (after.rewards[:, 0].sum(), after.truncated.sum(), after.terminated.sum())

    start = jax.vmap(env.init)(lane)
    _, counts = jax.lax.scan(step, start, jnp.arange(2 * LAUNCH, dtype=jnp.uint32))
    lead, undecided, decided = (int(each.sum()) for each in counts)
    played = playouts(env, BATCH, 2 * LAUNCH, seed=3)
    assert played.won_by_one - played.won_by_two == lead
    assert (played.undecided, played.won_by_one + played.won_by_two) == (undecided, decided)
    assert played.games > 100
    for (batch, moves, seed), told in (
        ((0, 128, 1), "batch must be"),
        ((8, 200, 1), "not a multiple of 128"),
        ((8, 128, -1), "seed must be"),
    ):
        with pytest.raises(Refusal, match=told) as refused:
            playouts(env, batch, moves, seed=seed)
        assert "\n" not in str(refused.value)
