"""The end of Safe Code, searched, against the rules played out."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from random import Random

import pytest

from strongroom import load
from strongroom.contract import AnyState, Move, Seat, View
from strongroom.games.safe_code.rules import CLUES_EACH, Number
from strongroom.puzzles.finding import positions
from strongroom.theory.safe_code.ending import Ending
from strongroom.theory.safe_code.solution import SafeCodeSolution
from strongroom.theory.shelf import solution_of

GAME = load("safe-code")


def solution() -> SafeCodeSolution:
    found = solution_of(GAME)
    assert isinstance(found, SafeCodeSolution)
    return found


def still_open(view: View) -> list[Move]:
    left = GAME.candidates(view.seat or Seat.ONE)
    assert left is not None
    for event in view.history:
        left = left.after(event)
    return [Number(*numbers) for numbers in sorted(left)]


def won(state: AnyState, seat: Seat, first: Move | None = None) -> Fraction:
    """What guessing the numbers left in order wins from a state, after a first move."""
    if state.outcome is not None:
        return Fraction(state.outcome.winner is seat)
    view = state.view(state.actor if isinstance(state.actor, Seat) else None)
    if state.actor is seat:
        return won(state.play(first or still_open(view)[0]), seat)
    mixture = solution().policy(view)
    return sum((Fraction(p) * won(state.play(m), seat) for m, p in mixture.items()), Fraction(0))


@cache
def late_views() -> list[View]:
    """Positions near the end in which the player has had all clues, so that only a number is left.

    The fewer numbers the opponent has left, the shorter is the rest of the game.
    """
    found = []
    for number in range(400):
        for view in positions(GAME, f"late {number}"):
            assert view.seat is not None
            ending = Ending(solution().player, view)
            few = ending.searchable and len(still_open(view)) < 28
            if few and view.board[view.seat.index] == CLUES_EACH:
                found.append(view)
        if len(found) >= 3:
            break
    return found[:3]


def hidden(view: View) -> list[AnyState]:
    """A state for each number that the opponent may hide."""
    states: dict[Move, AnyState] = {}
    rng, left = Random(1), still_open(view)
    assert view.seat is not None
    while len(states) < len(left):
        state = GAME.sample(view, rng)
        states.setdefault(state.secrets[view.seat.other.index][0], state)
    return [*states.values()]


@pytest.mark.parametrize("number", range(3))
def test_the_search_agrees_with_the_rules_played_out(number: int) -> None:
    view = late_views()[number]
    assert view.seat is not None
    states, moves = hidden(view), solution().worth.best_response(view)
    assert moves is not None
    left = still_open(view)
    closed = next(Number(n) for n in range(1, 31) if Number(n) not in left)
    for move in (left[0], closed):
        mean = sum(won(state, view.seat, move) for state in states) / len(states)
        assert moves[move] == pytest.approx(float(mean), abs=1e-12)


def test_before_the_end_it_is_not_known_what_a_best_response_wins() -> None:
    first = next(positions(GAME, "early"))
    for view in (first, GAME.start().view(Seat.ONE)):
        assert solution().worth.best_response(view) is None
