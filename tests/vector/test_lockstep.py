"""A share of `proofs/lockstep.py`; what observations must not tell, and what they need not."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations
from random import Random
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from lockstep import CASES, Lockstep, lockstep, main, prove, tasks
from lockstep_sides import Batches, Case, Difference, Shown
from seat_knowledge import Public, SeatKnowledge

from strongroom import load
from strongroom.contract import AnyState, Game, Move, Seat, View
from strongroom.games.safe_code.clues import MEANINGS
from strongroom.games.safe_code.rules import REQUEST, Number
from strongroom.players import player
from strongroom.plugins.registry import GAMES
from strongroom.referee.bout import TURN_LIMIT, Bout
from strongroom.referee.randomness import draws
from strongroom.theory.safe_code.racing import worst_against_racing
from strongroom.theory.safe_code.solution import SafeCodeSolution
from strongroom.theory.shelf import solution_of
from strongroom.theory.worth import Unreachable
from strongroom.vector import Env, make
from strongroom.vector.packed_game import Tables
from strongroom.vector.safe_cracker import PackedSafeCracker
from strongroom.vector.words import Array, Words

SHARE = 100
SHORT = 30
"""A turn limit that some games reach, and that keeps the tests short."""
TESTED = [
    *(Case(game, SHORT) for game in GAMES),
    CASES["safe-cracker attempts=5 digits=4"],
]


@pytest.mark.parametrize("case", TESTED, ids=str)
def test_random_games_in_batches_agree_with_the_rules(case: Case) -> None:
    tally = Lockstep(case).play(seed=1, batch=0, games=SHARE)
    assert tally.games == SHARE
    assert (tally.undecided > 0) == (case.turn_limit == SHORT)


class Tampered(Batches):
    """A batch of which one thing is not as it should be, from its fifth move on."""

    spoiled = ""

    def play(self, seed: int, batch: int, games: int) -> Any:
        for number, (shown, made) in enumerate(super().play(seed, batch, games)):
            if number < 5:
                yield shown, made
                continue
            if self.spoiled == "allowed":
                yield shown, made._replace(allowed=~made.allowed)
                continue
            value = np.array(getattr(shown, self.spoiled))
            value.flat[-1] = not value.flat[-1]
            yield shown._replace(**{self.spoiled: value}), made


SMALL = Case("safe-cracker", 20)
FEW = 8


class Alone:
    """A pool that works in this process."""

    imap_unordered = map


def test_whatever_differs_is_told_and_what_agrees_too(
    subtests: pytest.Subtests,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    compared = lockstep(SMALL)
    for spoiled in (*Shown._fields, "allowed"):
        told = "the mask and `step` disagree" if spoiled == "allowed" else spoiled.replace("_", " ")
        where = r"safe-cracker turn_limit=20, seed 3, batch 0, game \d+, after 5 moves of players: "
        with monkeypatch.context() as patch, subtests.test(spoiled):
            patch.setattr(compared.batches, "__class__", Tampered)
            patch.setattr(Tampered, "spoiled", spoiled)
            with pytest.raises(Difference, match=where + told):
                compared.play(seed=3, batch=0, games=FEW)
    assert prove(SMALL, tasks(SMALL, seed=5, games=FEW), Alone())
    assert "safe-cracker turn_limit=20: 8 games with " in capsys.readouterr().out
    assert {case.game for case in CASES.values()} == set(GAMES)
    monkeypatch.setattr(sys, "argv", ["lockstep.py", "--only", "checkers"])
    with pytest.raises(SystemExit):
        main()
    assert "safe-cracker attempts=5 digits=4" in capsys.readouterr().err


# --- no leak: what a seat is told does not depend on what it may not know, bit for bit ---


PAIRS = 150
"""How many pairs of games are played for each viewer."""
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
    """Who guesses is told whether the other's code is the second, or may not guess right."""

    spoiled = ""

    def hidden(self, words: Words, seat: Array) -> Array:
        """The other's code."""
        one, two = (self.layout[name].get(words) for name in ("code_one", "code_two"))
        return jnp.where(seat == 0, two, one)

    def known(self, words: Words, memory: Words, seat: Array) -> dict[str, Array]:
        parts = super().known(words, memory, seat)
        leak = (self.hidden(words, seat) == 1)[..., None]
        return {**parts, "leak": leak} if self.spoiled == "observation" else parts

    def legal(self, words: Words, tables: Tables) -> Array:
        others = jnp.arange(self.codes) != self.hidden(words, self.actor(words))[..., None]
        legal = super().legal(words, tables)
        return legal & others if self.spoiled == "mask" else legal


@pytest.mark.parametrize("spoiled", ["observation", "mask"])
def test_a_leak_is_caught(spoiled: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Leaking, "spoiled", spoiled)
    with pytest.raises(AssertionError, match=f"The {spoiled} tells a hidden thing"):
        check_no_leak(Env(Leaking(load("safe-cracker"), 100)))  # type: ignore[arg-type]


# --- what observations forget, certified players do not need ---


def observed(view: View) -> bytes:
    """An observation of the view's seat."""
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
            solution.worth.weighed(view, TURN_LIMIT) for view in (one, other)
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
        bout, flips = Bout.start(game, TURN_LIMIT).settled(draws(number)), draws(number)
        while isinstance(seat := bout.actor, Seat):
            yield bout.view(seat)
            move = players[(number + seat.index) % 2].choose(bout.view(seat))
            bout = bout.play(move).settled(flips)


def test_the_board_and_the_turns_are_all_that_quantum_duel_needs() -> None:
    seen: dict[bytes, View] = {}
    met_again = 0
    for view in decisions(load("quantum-duel"), 60, "random", "casual"):
        other = seen.setdefault(observed(view), view)
        if other.history != view.history:
            met_again += agree(view, other)
    assert met_again > 100


def numbers_of(clues: Any) -> list[int]:
    """The numbers of three clues, from their bits."""
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
