"""A share of `proofs/lockstep.py`; what observations must not tell, and what they need not."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from lockstep import CASES, Lockstep, lockstep, prove, tasks
from lockstep_sides import Batches, Case, Difference, Shown
from seat_knowledge import Public, SeatKnowledge

from strongroom import load
from strongroom.contract import AnyState, Game, Move, Seat, View
from strongroom.players import player
from strongroom.plugins.registry import GAMES
from strongroom.referee.bout import TURN_LIMIT, Bout
from strongroom.referee.randomness import draws
from strongroom.theory.shelf import solution_of
from strongroom.theory.worth import Unreachable
from strongroom.vector import Env, make
from strongroom.vector.packed_game import Tables
from strongroom.vector.safe_cracker import PackedSafeCracker
from strongroom.vector.words import Array, Words

PROOF = Path(__file__).parents[2] / "proofs" / "lockstep.py"
SHARE = 200
SHORT = 30
"""A turn limit that some games reach, and that keeps the tests short."""
TESTED = [
    *(Case(game, SHORT) for game in GAMES),
    CASES["safe-cracker attempts=5 digits=4"],
]


def test_all_games_are_among_the_cases() -> None:
    assert {case.game for case in CASES.values()} == set(GAMES)


@pytest.mark.parametrize("case", TESTED, ids=str)
def test_random_games_in_batches_agree_with_the_rules(case: Case) -> None:
    tally = Lockstep(case).play(seed=1, batch=0, games=SHARE)
    assert tally.games == SHARE
    assert (tally.undecided > 0) == (case.turn_limit == SHORT)


class Tampered(Batches):
    """A batch of which one thing is not as it should be, from its fifth move on."""

    spoiled: str

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


@pytest.fixture
def compared() -> Lockstep:
    """A few games, compiled once for all tests."""
    return lockstep(SMALL)


@pytest.mark.parametrize("spoiled", [*Shown._fields, "allowed"])
def test_whatever_differs_is_told(
    compared: Lockstep, spoiled: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compared.batches, "__class__", Tampered)
    monkeypatch.setattr(compared.batches, "spoiled", spoiled, raising=False)
    told = "the mask and `step` disagree" if spoiled == "allowed" else spoiled.replace("_", " ")
    where = r"safe-cracker turn_limit=20, seed 3, batch 0, game \d+, after 5 moves of players: "
    with pytest.raises(Difference, match=where + told):
        compared.play(seed=3, batch=0, games=FEW)


class Alone:
    """A pool that works in this process."""

    imap_unordered = map


def test_a_proof_says_what_agreed(capsys: pytest.CaptureFixture[str]) -> None:
    assert prove(SMALL, tasks(SMALL, seed=5, games=FEW), Alone())
    assert "safe-cracker turn_limit=20: 8 games with " in capsys.readouterr().out


def test_the_command_names_its_cases_and_refuses_others() -> None:
    command = [sys.executable, str(PROOF), "--only", "checkers"]
    refused = subprocess.run(command, capture_output=True, text=True, check=False)
    assert refused.returncode == 2
    assert "safe-cracker attempts=5 digits=4" in refused.stderr


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


class TellsTheOthersCode(PackedSafeCracker):
    """Who guesses is told whether the other's code is the second of all."""

    def known(self, words: Words, memory: Words, seat: Array) -> dict[str, Array]:
        one, two = (self.layout[name].get(words) for name in ("code_one", "code_two"))
        code = jnp.where(seat == 0, two, one)
        return {**super().known(words, memory, seat), "leak": (code == 1)[..., None]}


class ForbidsTheOthersCode(PackedSafeCracker):
    """Who guesses may not guess right."""

    def legal(self, words: Words, tables: Tables) -> Array:
        one, two = (self.layout[name].get(words) for name in ("code_one", "code_two"))
        code = jnp.where(self.actor(words) == 0, two, one)
        return super().legal(words, tables) & (jnp.arange(self.codes) != code[..., None])


@pytest.mark.parametrize(
    ("leaking", "where"), [(TellsTheOthersCode, "observation"), (ForbidsTheOthersCode, "mask")]
)
def test_a_leak_is_caught(leaking: type[PackedSafeCracker], where: str) -> None:
    game = load("safe-cracker")
    with pytest.raises(AssertionError, match=f"The {where} tells a hidden thing"):
        check_no_leak(Env(leaking(game, 100)))  # type: ignore[arg-type]


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


def test_the_board_and_the_turns_are_all_that_quantum_duel_needs() -> None:
    game = load("quantum-duel")
    players = [player(name, game, Random(1)) for name in ("random", "casual")]
    seen: dict[bytes, View] = {}
    met_again = 0
    for number in range(60):
        bout, flips = Bout.start(game, TURN_LIMIT).settled(draws(number)), draws(number)
        while isinstance(seat := bout.actor, Seat):
            view = bout.view(seat)
            other = seen.setdefault(observed(view), view)
            if other.history != view.history:
                met_again += agree(view, other)
            move = players[(number + seat.index) % 2].choose(view)
            bout = bout.play(move).settled(flips)
    assert met_again > 100


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
