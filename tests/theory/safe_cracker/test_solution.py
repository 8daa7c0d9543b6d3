"""The theory of Safe Cracker: exact values, and the certificate against real play."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import pytest

from strongroom.contract import AnyState, Move, Seat
from strongroom.games.codes import Code
from strongroom.games.safe_cracker.rules import (
    SafeCracker,
    SafeCrackerOptions,
    SafeCrackerState,
)
from strongroom.theory.safe_cracker.board import space_of
from strongroom.theory.safe_cracker.player import RaceGuesser
from strongroom.theory.safe_cracker.proof import exact_bounds, race_bounds
from strongroom.theory.safe_cracker.race import race_of
from strongroom.theory.safe_cracker.response import ExactResponse
from strongroom.theory.safe_cracker.solution import SafeCrackerSolution
from strongroom.theory.shelf import fingerprint, read
from strongroom.theory.solution import NotProved

if TYPE_CHECKING:
    from tests.theory.safe_cracker.conftest import Played, Remaining

VALUE = Fraction(163, 243)


def quiet(done: float, words: str) -> None:
    assert 0 <= done <= 1
    assert words


def variation(digits: int, length: int) -> SafeCracker:
    return SafeCracker(SafeCrackerOptions(digits=digits, length=length))


@pytest.fixture(scope="module")
def game() -> SafeCracker:
    return SafeCracker()


@pytest.fixture(scope="module")
def solution(game: SafeCracker) -> SafeCrackerSolution:
    """The shipped solution; a test checks that solving gives the same table."""
    return shipped(game)


def shipped(game: SafeCracker) -> SafeCrackerSolution:
    return SafeCrackerSolution(game, read(game)[0])


@pytest.mark.proof
def test_the_value_is_163_243_and_both_guarantees_meet_it(
    solution: SafeCrackerSolution,
) -> None:
    assert solution.certify(quiet) == (VALUE, VALUE)
    assert solution.figures(quiet) == {"race": VALUE}


def test_the_table_is_the_same_every_time_and_the_shipped_one(game: SafeCracker) -> None:
    for _ in range(2):
        race_of.cache_clear()
        table = SafeCrackerSolution.solve(game, quiet)
        assert fingerprint(table) == fingerprint(read(game)[0])


@pytest.mark.proof
def test_without_the_mixtures_the_two_guarantees_do_not_meet(
    solution: SafeCrackerSolution,
) -> None:
    table, plain = solution.table, len(solution.table["choice"])
    bare = {name: table[name] for name in ("keys", "ends", "orbits", "cells", "choice")}
    bare |= {"ends": table["ends"][:plain], "options": np.array([3, 3, 0])}
    lower, upper = race_bounds(RaceGuesser(bare), quiet)
    assert lower < float(VALUE) - 1e-3
    assert upper == pytest.approx(float(VALUE), abs=1e-8)
    exact = exact_bounds(RaceGuesser(bare), quiet)
    assert lower < exact[0] < lower + 1e-8
    assert upper - 1e-8 < exact[1] < upper


@pytest.mark.proof
def test_a_spoiled_strategy_does_not_keep_the_bounds(solution: SafeCrackerSolution) -> None:
    """Always plays the first action of a node, whether or not it is the best."""
    first = {**solution.table, "choice": np.zeros_like(solution.table["choice"])}
    lower, upper = SafeCrackerSolution(solution.game, first).certify(quiet)
    assert (lower, upper) == (Fraction(470, 729), Fraction(490, 729))
    assert lower < VALUE < upper


def test_weights_that_are_not_a_mixture_prove_nothing(
    game: SafeCracker, solution: SafeCrackerSolution
) -> None:
    table = solution.table
    halved = {**table, "denominators": 2 * table["denominators"]}
    with pytest.raises(NotProved, match="add up to 1"):
        SafeCrackerSolution(game, halved).certify(quiet)
    idle = {**table, "choice": np.where(table["choice"] > 0, -1, table["choice"])}
    with pytest.raises(NotProved, match="tells it nothing"):
        SafeCrackerSolution(game, idle).certify(quiet)


def test_a_table_that_takes_a_set_for_another_proves_nothing(
    game: SafeCracker, solution: SafeCrackerSolution
) -> None:
    cells = solution.table["cells"].copy()
    cells[0, 0] = cells[0, 1]
    with pytest.raises(NotProved, match="a set of codes for another"):
        SafeCrackerSolution(game, {**solution.table, "cells": cells}).certify(quiet)


def test_a_table_of_another_game_proves_nothing(solution: SafeCrackerSolution) -> None:
    with pytest.raises(NotProved, match="digits=4"):
        SafeCrackerSolution(variation(4, 3), solution.table).certify(quiet)


@pytest.mark.parametrize(
    ("digits", "length"),
    [
        (3, 3),
        pytest.param(4, 3, marks=pytest.mark.proof),
        pytest.param(3, 4, marks=pytest.mark.proof),
    ],
)
def test_the_race_is_the_one_that_brute_force_finds(
    digits: int, length: int, played: Played, remaining: Remaining
) -> None:
    """Tries every guess on small sets of codes, without symmetry."""
    answers = space_of(digits, length).game.answer_table.tolist()

    @cache
    def wins(own: frozenset[int], other: frozenset[int]) -> int:
        best = 0
        for line in answers:
            cells = {a: frozenset(c for c in own if line[c] == a) for a in {line[c] for c in own}}
            total = len(cells.pop(length, ())) * len(other)
            if own not in cells.values():  # a guess that tells nothing never helps
                best = max(
                    best, total + sum(len(c) * len(other) - wins(other, c) for c in cells.values())
                )
        return best

    game, rng = variation(digits, length), random.Random(1)
    guesser, checked = shipped(game).guesser, 0
    while checked < 25:
        state = played(game, rng, rng.randint(4, 6))
        seat = state.actor
        assert isinstance(seat, Seat)
        own, other = (
            frozenset(game.actions.index(code) for code in remaining(state, each))
            for each in (seat, seat.other)
        )
        if max(len(own), len(other)) <= 6:
            mind = guesser.follow(state.view(seat)).mind
            assert guesser.race(guesser.plain(mind.own)[0], mind.other) == wins(own, other)
            checked += 1


def relabelled(state: SafeCrackerState, rng: random.Random) -> tuple[SafeCrackerState, object]:
    """The same game with positions and digits renamed, separately for each side's guesses."""
    digits, length = state.game.options.digits, state.game.options.length

    def renaming() -> dict[Move, Code]:
        places = rng.sample(range(length), length)
        names = [rng.sample(range(1, digits + 1), digits) for _ in range(length)]
        return {
            code: Code(tuple(names[j][code.digits[places[j]] - 1] for j in range(length)))
            for code in state.game.space.codes
        }

    guesses = {seat: renaming() for seat in Seat}
    other = state.game.start()
    other = other.play(guesses[Seat.TWO][state.secrets[0][0]])
    other = other.play(guesses[Seat.ONE][state.secrets[1][0]])
    for event in state.log:
        assert isinstance(event.actor, Seat)
        other = other.play(guesses[event.actor][event.move])
    return other, guesses


@pytest.mark.parametrize("digits", [3, 4])
def test_the_policy_treats_equivalent_codes_equally_and_ignores_the_players_own_code(
    digits: int,
    game: SafeCracker,
    solution: SafeCrackerSolution,
    played: Played,
    remaining: Remaining,
) -> None:
    rng = random.Random(2)
    if digits > 3:
        game = variation(digits, 3)
        solution = shipped(game)
    for turns in range(7):
        for _ in range(12):
            state = played(game, rng, turns, solution if rng.random() < 0.7 else None)
            seat = state.actor
            assert isinstance(seat, Seat)
            policy = solution.policy(state.view(seat))
            assert sum(policy.values()) == 1
            other, guesses = relabelled(state, rng)
            renamed = {guesses[seat][move]: p for move, p in policy.items()}  # type: ignore[index]
            assert solution.policy(other.view(seat)) == renamed
            code = (rng.choice(remaining(state, seat.other)),)
            one, two = state.secrets
            twin = state._replace(secrets=(code, two) if seat is Seat.ONE else (one, code))
            assert solution.policy(twin.view(seat)) == policy
            assert solution.policy(state.view(seat.other)) == {}
            assert solution.values(state.view(seat.other)) == {}


Met = dict[object, Fraction]
"""What the responder wins from the player's standing with these secrets."""


def best_response(
    solution: SafeCrackerSolution, states: list[SafeCrackerState], responder: Seat, met: Met
) -> Fraction:
    """What the responder wins by walking the real game, over the player's equally likely codes."""
    first = states[0]
    if first.outcome is not None:
        return Fraction(first.outcome.winner is responder)
    # The player looks only at its standing, so all ways to the same standing are one.
    stand = solution.guesser.follow(first.view(responder.other))
    names = (stand.own.tobytes(), stand.other.tobytes())
    key = (first.actor, stand.mind, names, tuple(state.secrets for state in states))
    if key not in met:
        walk = _responding if first.actor is responder else _answering
        met[key] = walk(solution, states, responder, met)
    return met[key]


def _answering(
    solution: SafeCrackerSolution, states: list[SafeCrackerState], responder: Seat, met: Met
) -> Fraction:
    return sum(
        (
            Fraction(p) * best_response(solution, [s.play(move) for s in states], responder, met)
            for move, p in solution.policy(states[0].view(responder.other)).items()
        ),
        Fraction(0),
    )


def _responding(
    solution: SafeCrackerSolution, states: list[SafeCrackerState], responder: Seat, met: Met
) -> Fraction:
    best, idle = Fraction(0), False
    for guess in states[0].moves:
        groups: dict[object, list[SafeCrackerState]] = {}
        for state in states:
            then = state.play(guess)
            groups.setdefault(then.log[-1].answer, []).append(then)
        if len(groups) == 1 and len(states) > 1:
            if idle:
                continue  # all guesses that tell nothing lead to the same
            idle = True
        won = (
            len(group) * best_response(solution, group, responder, met) for group in groups.values()
        )
        best = max(best, sum(won, Fraction(0)) / len(states))
    return best


@pytest.mark.proof
@pytest.mark.parametrize("responder", list(Seat))
def test_the_certificate_is_about_what_the_policy_really_plays(
    responder: Seat,
    game: SafeCracker,
    solution: SafeCrackerSolution,
    played: Played,
    remaining: Remaining,
) -> None:
    rng, guesser, checked, several = random.Random(3), solution.guesser, 0, 0
    response, met = ExactResponse(guesser), Met()
    while checked < 12 or several < 2:
        state = played(game, rng, rng.randint(3, 6), solution, responder.other)
        own, other = (remaining(state, seat) for seat in (responder.other, responder))
        if not (state.actor is responder and 2 <= len(own) <= 5 and 2 <= len(other) <= 3):
            continue
        stand = guesser.follow(state.view(responder.other))
        mind = stand.mind
        several += mind.memory is not None
        if checked >= 12 and mind.memory is None:
            continue
        secret = state.secrets[responder.index][0]
        states = []
        for code in other:
            pair = ((secret,), (code,)) if responder is Seat.ONE else ((code,), (secret,))
            states.append(state._replace(secrets=pair))
        place = guesser.sets[mind.own].tolist().index(stand.own[game.actions.index(secret)])
        assert best_response(solution, states, responder, met) == response.to_move(mind)[place]
        checked += 1


def test_the_code_and_the_first_guess_are_drawn_evenly(
    game: SafeCracker, solution: SafeCrackerSolution
) -> None:
    even = dict.fromkeys(game.actions, Fraction(1, 27))
    state = game.start()
    assert solution.policy(state.view(Seat.ONE)) == even
    for secret in game.actions[:2]:
        state = state.play(secret)
    assert solution.policy(state.view(Seat.ONE)) == even
    for guess in (each for each in game.actions if each != state.secrets[1][0]):
        assert solution.policy(state.play(guess).view(Seat.TWO)) == even


def test_only_guesses_of_the_highest_value_are_played_and_a_win_is_taken(
    game: SafeCracker, solution: SafeCrackerSolution, played: Played, remaining: Remaining
) -> None:
    rng = random.Random(4)
    for turns in range(7):
        for _ in range(15):
            state = played(game, rng, turns, solution)
            seat = state.actor
            assert isinstance(seat, Seat)
            view = state.view(seat)
            values, policy = solution.values(view), solution.policy(view)
            assert set(values) == set(game.actions)
            best = max(values.values())
            assert all(values[move] == pytest.approx(best, abs=1e-12) for move in policy)
            left = remaining(state, seat)
            if len(left) == 1:
                assert policy == {left[0]: 1}
                assert values[left[0]] == 1.0


def test_the_first_guess_is_worth_the_value(
    game: SafeCracker, solution: SafeCrackerSolution
) -> None:
    state = game.start()
    assert set(solution.values(state.view(Seat.ONE)).values()) == {float(VALUE)}
    state = state.play(game.actions[0])
    assert set(solution.values(state.view(Seat.TWO)).values()) == {1 - float(VALUE)}
    state = state.play(game.actions[0])
    first = solution.values(state.view(Seat.ONE))
    assert set(first.values()) == {float(VALUE)}


def test_a_hint_says_how_a_guess_splits_the_codes(
    game: SafeCracker, solution: SafeCrackerSolution
) -> None:
    state = game.start()
    for text in ("1-1-1", "1-2-2", "1-1-1", "3-3-3"):
        state = state.play(game.move(text))
    view = state.view(Seat.ONE)
    say = {text: solution.why(view, game.move(text)) for text in ("1-2-2", "1-1-1", "2-2-1")}
    assert say["1-2-2"] == "It may hit, and splits the 12 codes left into 5, 4, 2 and 1."
    assert say["1-1-1"] == "It tells nothing about the 12 codes left."
    assert "splits the 12 codes left" in say["2-2-1"]
    assert solution.instead(view, game.move("1-2-2")) == (
        "could have hit, and would have split the 12 codes left into 5, 4, 2 and 1"
    )


def test_the_truth_before_any_guess_is_the_value_whatever_the_codes(
    game: SafeCracker, solution: SafeCrackerSolution
) -> None:
    for one, two in (("1-1-1", "1-1-1"), ("1-2-3", "3-3-1")):
        state = game.start().play(game.move(one)).play(game.move(two))
        assert solution.truth(state) == pytest.approx(163 / 243)


def test_the_truth_is_what_both_certified_players_make_of_the_codes(
    game: SafeCracker, solution: SafeCrackerSolution
) -> None:
    """Compared with a walk through every move of `policy`, over the game's own states."""

    def walked(state: AnyState) -> float:
        if state.outcome is not None:
            return float(state.outcome.winner is Seat.ONE)
        assert isinstance(state.actor, Seat)
        moves = solution.policy(state.view(state.actor))
        return sum(float(p) * walked(state.play(move)) for move, p in moves.items())

    for guesses in ("1-1-1 2-2-2 1-2-2 2-1-1", "3-3-1 1-1-2 1-1-1 1-1-1 2-2-3"):
        state = game.start().play(game.move("1-2-3")).play(game.move("2-3-3"))
        for guess in guesses.split():
            state = state.play(game.move(guess))
        assert solution.truth(state) == pytest.approx(walked(state))
