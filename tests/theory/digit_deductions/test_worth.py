"""What decisions in Digit Deductions are worth, against brute force and by their own laws."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from math import inf

import numpy as np
import pytest

from strongroom.contract import Move, Seat, View
from strongroom.games.digit_deductions.rules import DigitDeductions
from strongroom.players import Player, player
from strongroom.referee.bout import Bout
from strongroom.theory.digit_deductions import board
from strongroom.theory.digit_deductions.knowledge import Knowledge, in_turn
from strongroom.theory.digit_deductions.opening import (
    SECOND_TURNS,
    firsts_with_seconds,
    second_guesses,
)
from strongroom.theory.digit_deductions.proof import DiagonalResponse
from strongroom.theory.digit_deductions.response import guesses, posterior
from strongroom.theory.digit_deductions.solution import DigitDeductionsSolution
from strongroom.theory.worth import Policy, Turns, Unreachable
from tests.theory.expectimax import believed, until_next, worth_of_moves

VALUE = float(Fraction(140488, 172183))
GAME = DigitDeductions()
EXACT = 1e-9
LEVELS = ("random", "casual", "expert", "stubborn")


class Stubborn:
    """Plays at random, but every other guess repeats the last one, which tells it nothing."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def choose(self, view: View) -> Move:
        """The same move as last time, or a random one."""
        mine = [event.move for event in view.history if event.actor is view.seat]
        return mine[-1] if len(mine) % 2 else self._rng.choice(view.moves)


def left(view: View, limit: Turns) -> Turns:
    """How many turns are left under a limit."""
    return None if limit is None else limit - view.turns


def decisions(
    level: str, seat: Seat, rng: random.Random, limit: Turns = None
) -> Iterator[tuple[View, Move, float]]:
    """One game against master: the views in which the seat moves, its moves, and the result."""
    me: Player = Stubborn(rng) if level == "stubborn" else player(level, GAME, rng)
    master, bout, taken = player("master", GAME, rng), Bout.start(GAME, limit), []
    while isinstance(actor := bout.actor, Seat):
        view = bout.view(actor)
        move = (me if actor is seat else master).choose(view)
        if actor is seat:
            taken.append((view, move))
        bout = bout.play(move)
    assert bout.outcome is not None
    winner = bout.outcome.winner
    result = 0.5 if winner is None else float(winner is seat)
    return ((view, move, result) for view, move in taken)


def floats(solution: DigitDeductionsSolution) -> Policy:
    """Master's mixtures in floating point."""
    return lambda view: {move: float(p) for move, p in solution.policy(view).items()}


def expected(solution: DigitDeductionsSolution, view: View, move: Move, limit: Turns) -> float:
    """The mean of V after a move, over all that master may hide and reply."""
    policy = floats(solution)
    belief = believed(view, policy, limit)
    won, groups = 0.0, defaultdict[View, float](float)
    for bout, weight in belief:
        for after, share in until_next(bout.play(move), weight, view.seat, policy):
            if after.outcome is not None:
                winner = after.outcome.winner
                won += share * (0.5 if winner is None else float(winner is view.seat))
            else:
                groups[after.view(view.seat)] += share
    won += sum(
        share * solution.worth.value(seen, left(seen, limit)) for seen, share in groups.items()
    )
    return won / sum(weight for _, weight in belief)


@pytest.mark.parametrize("turns", [None, 100])
def test_the_start_is_worth_what_the_certificate_says(
    turns: Turns, solution: DigitDeductionsSolution
) -> None:
    assert solution.worth.start(Seat.ONE, turns) == pytest.approx(VALUE, abs=EXACT)
    assert solution.worth.start(Seat.TWO, turns) == pytest.approx(1 - VALUE, abs=EXACT)


@pytest.mark.parametrize("seat", Seat, ids=str)
def test_hiding_a_number_before_a_single_turn_agrees_with_brute_force(
    seat: Seat, solution: DigitDeductionsSolution
) -> None:
    bout = Bout.start(GAME, 1)
    if seat is Seat.TWO:
        bout = bout.play(board.CODES[40])
    view = bout.view(seat)
    assert solution.worth.moves(view, 1) == pytest.approx(
        worth_of_moves(view, floats(solution), 1), abs=EXACT
    )


@pytest.mark.parametrize("seat", Seat, ids=str)
@pytest.mark.parametrize("level", LEVELS)
def test_guesses_with_few_turns_left_agree_with_brute_force(
    level: str, seat: Seat, solution: DigitDeductionsSolution
) -> None:
    rng, policy = random.Random(f"{level} {seat}"), floats(solution)
    for _ in range(3):
        for view, _, _ in decisions(level, seat, rng):
            belief = [] if view.setting_up else believed(view, policy, None)
            for turns in range(1, 4 if len(belief) < 6 else 3):
                if belief:
                    assert solution.worth.moves(view, turns) == pytest.approx(
                        worth_of_moves(view, policy, view.turns + turns), abs=EXACT
                    )


@pytest.mark.parametrize("seat", Seat, ids=str)
@pytest.mark.parametrize("limit", [None, 3, 4, 5, 6, 7, 8, 100])
def test_a_move_is_worth_the_mean_of_what_follows(
    limit: Turns, seat: Seat, solution: DigitDeductionsSolution
) -> None:
    rng = random.Random(f"{limit} {seat}")
    for level in LEVELS:
        for view, move, _ in decisions(level, seat, rng, limit):
            worth = solution.worth.moves(view, left(view, limit))
            assert [*worth] == [*view.moves]
            assert solution.worth.value(view, left(view, limit)) == max(worth.values())
            assert worth[move] == pytest.approx(expected(solution, view, move, limit), abs=EXACT)


@pytest.mark.parametrize("seat", Seat, ids=str)
def test_a_long_limit_changes_nothing(seat: Seat, solution: DigitDeductionsSolution) -> None:
    rng = random.Random(8)
    for view, _, _ in (each for _ in range(5) for each in decisions("random", seat, rng)):
        worth = solution.worth.moves(view, None)
        for turns in (20, 100):
            assert solution.worth.moves(view, turns) == worth
    assert solution.worth.start(seat, 8) == solution.worth.start(seat, None)


@pytest.mark.parametrize("seat", Seat, ids=str)
def test_master_makes_no_move_that_costs_anything(
    seat: Seat, solution: DigitDeductionsSolution
) -> None:
    rng = random.Random(100)
    for view, _, _ in (each for _ in range(100) for each in decisions("master", seat, rng)):
        worth = solution.worth.moves(view, left(view, 100))
        best = max(worth.values())
        assert all(worth[move] > best - EXACT for move in solution.policy(view))


@pytest.mark.parametrize("seat", Seat, ids=str)
@pytest.mark.parametrize("level", [*LEVELS, "master"])
def test_costs_and_luck_add_up_to_the_result(
    level: str, seat: Seat, solution: DigitDeductionsSolution
) -> None:
    rng = random.Random(f"{seat} {level}")
    for _ in range(15):
        cost, luck, promised = 0.0, 0.0, solution.worth.start(seat, 100)
        result = promised
        for view, move, won in decisions(level, seat, rng, 100):
            worth = solution.worth.moves(view, left(view, 100))
            best, result = solution.worth.value(view, left(view, 100)), won
            assert worth[move] <= best
            cost += best - worth[move]
            luck += best - promised
            promised = worth[move]
        luck += result - promised
        assert solution.worth.start(seat, 100) - cost + luck == pytest.approx(result, abs=EXACT)


@pytest.mark.parametrize("seat", Seat, ids=str)
def test_the_symmetries_of_the_board_change_nothing(
    seat: Seat, solution: DigitDeductionsSolution
) -> None:
    """Neither does leaving out guesses later on that have a duplicate or cannot matter."""
    rng, them = random.Random(6), solution.players[seat.other]
    for level in (*LEVELS, "stubborn"):
        for view, _, _ in decisions(level, seat, rng):
            here = in_turn(view)
            if not here.own or here.secret is None:
                continue
            odds = posterior(them, here.theirs, here.own)
            response = DiagonalResponse(them, every=True)
            plain = guesses(response, odds, here.theirs, here.own, inf)[here.secret]
            assert solution.worth.numbers(here, None) == pytest.approx(plain, abs=EXACT)


@pytest.mark.proof
def test_the_shipped_second_guesses_follow_from_the_shipped_strategies(
    solution: DigitDeductionsSolution,
) -> None:
    for name, found in second_guesses(solution.players[Seat.TWO]).items():
        assert np.abs(solution.table[name] - found).max() < EXACT


def test_the_shipped_second_guesses_agree_with_a_search(solution: DigitDeductionsSolution) -> None:
    rng, two = random.Random(9), solution.players[Seat.TWO]
    for first in rng.sample(firsts_with_seconds(two), 15):
        answer, diagonal = rng.choice(board.DIAGONALS)
        theirs, response = ((board.CORNER, answer),), DiagonalResponse(two, every=True)
        odds = posterior(two, theirs, first)
        for turns in SECOND_TURNS:
            searched = guesses(response, odds, theirs, first, turns)
            for secret in diagonal:
                here = Knowledge(Seat.ONE, secret, first, theirs)
                shipped = solution.worth.numbers(here, None if turns == inf else int(turns))
                assert shipped == pytest.approx(searched[secret], abs=EXACT)


@pytest.mark.parametrize(
    ("seat", "texts"),
    [(Seat.TWO, ("5-5", "4-7", "5-6")), (Seat.ONE, ("5-5", "4-7", "1-1", "1-1"))],
    ids=["master never guesses that first", "master never hides that"],
)
def test_a_position_that_master_never_leads_to_is_worth_nothing(
    seat: Seat, texts: tuple[str, ...], solution: DigitDeductionsSolution
) -> None:
    state = GAME.start()
    for text in texts:
        state = state.play(GAME.move(text))
    for door in (solution.worth.best_response, solution.worth.odds):
        with pytest.raises(Unreachable):
            door(state.view(seat))


def test_moves_are_valued_only_for_the_seat_to_move(solution: DigitDeductionsSolution) -> None:
    with pytest.raises(ValueError, match="turn"):
        solution.worth.moves(GAME.start().view(Seat.TWO), None)
