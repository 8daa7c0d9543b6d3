"""What is left: by the games' own rules, counted on from move to move."""

from __future__ import annotations

from random import Random

import pytest

from strongroom.aids import CandidateTracker
from strongroom.contract import Event, Game, History, Move, Seat, State
from strongroom.games.codes import Code
from strongroom.games.safe_code.rules import Number
from strongroom.registry import GAMES, load

HIDING = [name for name in GAMES if load(name).secrets_each]
TURNS = 30


def numbers_of(secret: Move) -> tuple[int, ...]:
    """What somebody hides, as its numbers."""
    if isinstance(secret, Code):
        return secret.digits
    assert isinstance(secret, Number)
    return (secret.value,)


def played(name: str, seed: int) -> list[State[Game, object, Move]]:
    """The states of a game of random moves after its set-up, as long as it goes on."""
    random, state, states = Random(seed), load(name).start(), []
    while state.outcome is None and state.turns < TURNS:
        if not state.setting_up:
            states.append(state)
        state = state.play(random.choice(state.moves))
    return states


def explained(state: State[Game, object, Move], seat: Seat) -> set[tuple[int, ...]]:
    """What the other could hide so that all would have happened just as it did, by the rules."""
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
def test_what_is_left_is_what_the_rules_would_have_answered_alike(name: str, seed: int) -> None:
    states = played(name, seed)
    tracker = CandidateTracker(states[0].game)
    for state in states:
        for seat in Seat:
            left = tracker.left_for(seat, state.log)
            assert left is not None
            assert set(left) == explained(state, seat)


@pytest.mark.parametrize("name", HIDING)
@pytest.mark.parametrize("seed", range(3))
def test_what_is_hidden_is_always_left_and_nothing_comes_back(name: str, seed: int) -> None:
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
def test_whoever_goes_back_or_to_another_game_is_told_what_was_left_there(name: str) -> None:
    states, others = played(name, 1), played(name, 2)
    tracker = CandidateTracker(states[0].game)
    for state in (states[-1], states[0], others[-1], states[len(states) // 2], others[0]):
        fresh = CandidateTracker(state.game)
        for seat in Seat:
            assert tracker.left_for(seat, state.log) == fresh.left_for(seat, state.log)


def test_a_game_that_hides_nothing_counts_nothing() -> None:
    game = load("quantum-duel")
    log: History[Event] = game.start().play(game.move("3")).log
    assert CandidateTracker(game).left_for(Seat.ONE, log) is None


def test_an_event_is_read_once_however_often_somebody_asks() -> None:
    states = played("digit-deductions", 1)
    tracker = CandidateTracker(states[0].game)
    left = tracker.left_for(Seat.ONE, states[-1].log)
    assert tracker.left_for(Seat.ONE, states[-1].log) is left
