"""The proof for Digit Deductions: what the shipped strategies guarantee."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import pytest

from strongroom.contract import Move, Seat
from strongroom.games.digit_deductions.rules import DigitDeductions, DigitDeductionsState
from strongroom.theory.digit_deductions import board, proof
from strongroom.theory.digit_deductions.board import useful
from strongroom.theory.digit_deductions.knowledge import trials
from strongroom.theory.digit_deductions.player import DiagonalPlayer
from strongroom.theory.digit_deductions.proof import DiagonalResponse, guarantee, masses
from strongroom.theory.digit_deductions.solution import DigitDeductionsSolution
from strongroom.theory.solution import NotProved
from strongroom.theory.worth import Probability

if TYPE_CHECKING:
    from tests.theory.conftest import Proved

VALUE = Fraction(140488, 172183)
GAME = DigitDeductions()
Group = dict[DigitDeductionsState, Fraction]


def quiet(done: float, words: str) -> None:
    """Ignore the progress."""


@pytest.mark.proof
def test_the_certified_bounds_meet_at_the_exact_value(
    solution: DigitDeductionsSolution, proved: Proved
) -> None:
    assert proved(solution) == (VALUE, VALUE)


def test_a_spoiled_strategy_does_not_keep_its_bounds(
    solution: DigitDeductionsSolution, monkeypatch: pytest.MonkeyPatch
) -> None:
    # One guess a turn is enough for the response; more could only widen the bounds.
    monkeypatch.setattr(proof, "useful", lambda cell: useful(cell)[:1])
    # Choosing evenly in a plan is legal and plausible, and much worse than rounding errors.
    even = {name: np.ones_like(solution.table[name]) for name in ("one_weights", "two_weights")}
    lower, upper = DigitDeductionsSolution(GAME, {**solution.table, **even}).certify(quiet)
    assert lower < VALUE - Fraction(1, 1000)
    assert upper > VALUE + Fraction(1, 1000)


@pytest.mark.parametrize("name", ["one_secrets", "one_weights", "two_secrets", "two_weights"])
def test_a_negative_weight_proves_nothing(name: str, solution: DigitDeductionsSolution) -> None:
    spoiled = solution.table[name].copy()
    spoiled[40] = -1
    seat = Seat.ONE if name.startswith("one") else Seat.TWO
    player = DiagonalPlayer({**solution.table, name: spoiled}, seat)
    with pytest.raises(NotProved, match="negative"):
        guarantee(player, quiet)


def sampled(seat: Seat, cell: tuple[int, ...]) -> tuple[int, ...]:
    """The responder's guesses for brute force: a few at first, then all that can hit."""
    few = (0, 13, 31, 40) if seat is Seat.ONE else (0, 1)
    return few if len(cell) > 20 else (40, *cell[:3], *cell[-2:])


def real_response(solution: DigitDeductionsSolution, group: Group, seat: Seat) -> Fraction:
    """The least that the shipped player wins over real states that look alike to the responder."""
    won = sum((p for s, p in group.items() if s.outcome and s.outcome.winner is seat), Fraction(0))
    group = {s: p for s, p in group.items() if s.outcome is None}
    if not group:
        return won

    def played(moves: dict[DigitDeductionsState, dict[Move, Probability]]) -> Fraction:
        looks: dict[object, Group] = {}
        for state, p in group.items():
            for move, q in moves[state].items():
                after = state.play(move)
                looks.setdefault(after.log, {})[after] = p * Fraction(q)
        return sum((real_response(solution, look, seat) for look in looks.values()), Fraction(0))

    one = next(iter(group))
    if one.actor is seat:
        return won + played({s: solution.policy(s.view(seat)) for s in group})
    mine = trials(one.view(seat.other), seat.other)
    cell = board.candidates(mine, solution.players[seat].support)
    return won + min(
        played({s: {board.CODES[g]: Fraction(1)} for s in group}) for g in sampled(seat, cell)
    )


@pytest.mark.parametrize(
    "seat", [Seat.ONE, pytest.param(Seat.TWO, marks=pytest.mark.proof)], ids=str
)
@pytest.mark.parametrize("theirs", [12, 40])
def test_the_certificate_is_about_what_the_policy_plays_in_real_states(
    seat: Seat,
    theirs: int,
    solution: DigitDeductionsSolution,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    player = solution.players[seat]
    response = DiagonalResponse(player)
    monkeypatch.setattr(response, "guesses", lambda cell: sampled(seat, cell))
    reach = response.reach(masses(player))
    move = response.lead if seat is Seat.ONE else response.follow
    expected = Fraction(move(board.ALL, reach, (), ())[theirs], reach.total)
    group = {}
    for s in player.support:
        hidden = (s, theirs) if seat is Seat.ONE else (theirs, s)
        state = GAME.start().play(board.CODES[hidden[0]]).play(board.CODES[hidden[1]])
        group[state] = Fraction(player.secrets[s], VALUE.denominator)
    assert real_response(solution, group, seat) == expected
