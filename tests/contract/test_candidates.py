"""Candidates: what can still be hidden by the games' own rules, updated move by move."""

from __future__ import annotations

from random import Random

import pytest

from strongroom.contract import (
    NAMES,
    CandidateTracker,
    Event,
    Game,
    History,
    Move,
    Seat,
    State,
)
from strongroom.games.codes import Code
from strongroom.games.safe_code.rules import Number
from strongroom.plugins.registry import GAMES, load
from strongroom.server.telling import Audience
from strongroom.testing.conformance import check_game
from strongroom.theory.worth import equally_likely
from tests.contract.lettered import ALL, Lettered

HIDING = [name for name in GAMES if load(name).secrets_each]
TURNS = 30


def numbers_of(secret: Move) -> tuple[int, ...]:
    """The numbers of a secret."""
    if isinstance(secret, Code):
        return secret.digits
    assert isinstance(secret, Number)
    return (secret.value,)


def played(name: str, seed: int) -> list[State[Game, object, Move]]:
    """The states of a random game after its set-up, until its end or the turn limit."""
    random, state, states = Random(seed), load(name).start(), []
    while state.outcome is None and state.turns < TURNS:
        if not state.setting_up:
            states.append(state)
        state = state.play(random.choice(state.moves))
    return states


def explained(state: State[Game, object, Move], seat: Seat) -> set[tuple[int, ...]]:
    """The secrets of the other with which the rules would have given the same game."""
    ((one,), (two,)) = state.secrets
    return {
        numbers_of(secret)
        for secret in state.game.start().moves
        if _goes_the_same_way(state, (one, secret) if seat is Seat.ONE else (secret, two))
    }


def _goes_the_same_way(state: State[Game, object, Move], secrets: tuple[Move, Move]) -> bool:
    again = state.game.start()
    for secret in secrets:
        again = again.play(secret)
    for event in state.log:
        if again.outcome is not None or event.move not in again.moves:
            return False
        again = again.play(event.move)
        if again.log[-1].answer != event.answer:
            return False
    return again.outcome is None


@pytest.mark.parametrize("name", ["safe-cracker", "digit-deductions"])
@pytest.mark.parametrize("seed", range(3))
def test_the_candidates_are_the_secrets_that_the_rules_would_have_answered_alike(
    name: str, seed: int
) -> None:
    states = played(name, seed)
    tracker = CandidateTracker(states[0].game)
    for state in states:
        for seat in Seat:
            left = tracker.left_for(seat, state.log)
            assert left is not None
            assert set(left) == explained(state, seat)


@pytest.mark.parametrize("name", HIDING)
@pytest.mark.parametrize("seed", range(3))
def test_the_secret_is_always_a_candidate_and_candidates_never_come_back(
    name: str, seed: int
) -> None:
    states = played(name, seed)
    tracker = CandidateTracker(states[0].game)
    before = {seat: set[tuple[int, ...]]() for seat in Seat}
    for number, state in enumerate(states):
        for seat in Seat:
            left = tracker.left_for(seat, state.log)
            assert left is not None
            assert numbers_of(state.secrets[seat.other.index][0]) in left
            assert len(left) == len(list(left))
            if number:
                assert set(left) <= before[seat]
            before[seat] = set(left)


@pytest.mark.parametrize("name", HIDING)
def test_an_earlier_moment_or_another_game_gives_its_own_candidates(name: str) -> None:
    states, others = played(name, 1), played(name, 2)
    tracker = CandidateTracker(states[0].game)
    for state in (states[-1], states[0], others[-1], states[len(states) // 2], others[0]):
        fresh = CandidateTracker(state.game)
        for seat in Seat:
            assert tracker.left_for(seat, state.log) == fresh.left_for(seat, state.log)


def test_a_game_without_secrets_has_no_candidates() -> None:
    game = load("quantum-duel")
    log: History[Event] = game.start().play(game.move("3")).log
    assert CandidateTracker(game).left_for(Seat.ONE, log) is None


def test_an_event_is_read_once_however_often_candidates_are_asked_for() -> None:
    states = played("digit-deductions", 1)
    tracker = CandidateTracker(states[0].game)
    left = tracker.left_for(Seat.ONE, states[-1].log)
    assert tracker.left_for(Seat.ONE, states[-1].log) is left


@pytest.mark.parametrize("name", HIDING)
@pytest.mark.parametrize(
    "other", [(0, 1, 1), (0,), (1, 1, 10), (1.5, 1, 1), ([1], 1, 1), (None,), (), "111", None]
)
def test_what_can_be_no_secret_is_no_candidate(name: str, other: object) -> None:
    for seat in Seat:
        left = load(name).candidates(seat)
        assert left is not None
        assert other not in left


def test_a_secret_need_not_be_written_as_its_candidates_numbers() -> None:
    game, (a, b, c, d, e) = Lettered(), ALL
    check_game(game, seed=1)
    view = game.start().play(a).play(d).play(b).play(e).play(c).view(Seat.ONE)
    assert equally_likely(view) == {a: 1 / 3, d: 1 / 3, e: 1 / 3}
    assert {game.sample(view, Random(seed)).secrets[1] for seed in range(20)} == {(a,), (d,), (e,)}
    told = Audience(game, Seat.ONE, NAMES).shown(
        view, CandidateTracker(game).left_for(Seat.ONE, view.history)
    )
    assert (told["left"], told["codes"]) == (["A", "D", "E"], ["A", "B", "C", "D", "E"])
