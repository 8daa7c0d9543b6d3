"""The theory of Safecracker Duel: its value in several ways, its proof, its player and hints."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, nullcontext
from fractions import Fraction

import numpy as np
import pytest
import solutions
from solutions import response_of_one, response_of_two, small_safe, solved_value

from strongroom.contract import Seat
from strongroom.games.safecracker_duel.rules import SafecrackerDuel
from strongroom.testing.perft import after
from strongroom.theory.hints import advise
from strongroom.theory.safecracker_duel.solution import SafecrackerDuelSolution as Solution
from strongroom.theory.shelf import read
from strongroom.theory.solution import NotProved
from strongroom.theory.worth import Unreachable
from tests.theory.progress import quiet

VALUE = Fraction(8752, 15553)
GAME = SafecrackerDuel()
SOLUTION = Solution(GAME, read(GAME)[0])
Solved = Callable[..., tuple[Solution, Fraction]]


@pytest.fixture
def solved() -> Iterator[Solved]:
    """Solves a game with the same rules and shorter codes or fewer digits; with its value."""
    with ExitStack() as resized:
        yield lambda *size: solved_value(resized.enter_context(small_safe(*size)))


@pytest.mark.proof
def test_both_strategies_are_certified_to_the_same_fraction() -> None:
    assert SOLUTION.certify(quiet) == (VALUE, VALUE)


@pytest.mark.parametrize("same", [False, True])
def test_a_responder_gets_the_value_by_walking_the_real_game(solved: Solved, same: bool) -> None:
    """With some code that it may hide; with no code it gets more, so that this is the value."""
    solution, value = solved(2, 3, same)
    assert solution.certify(quiet) == (value, value)
    codes = solution.game.start().moves
    assert max(response_of_one(solution, code) for code in codes) == value
    assert max(response_of_two(solution, code) for code in codes) == 1 - value


@pytest.mark.parametrize(("length", "highest", "horizon"), [(2, 2, 5), (2, 3, 4), (3, 2, 4)])
def test_brute_force_over_the_rules_finds_the_same_value(
    length: int, highest: int, horizon: int
) -> None:
    with small_safe(length, highest) as game:
        value = solved_value(game)[1]
        found = solutions.sequence_form_value(game, horizon)
    assert found == pytest.approx(float(value), abs=1e-8)


@pytest.mark.proof
@pytest.mark.parametrize(("length", "highest", "same"), [(2, 4, True), (3, 3, False)])
def test_a_spoiled_strategy_does_not_keep_the_bounds(
    solved: Solved, length: int, highest: int, same: bool
) -> None:
    solution, value = solved(length, highest, same)
    assert solution.certify(quiet) == (value, value)
    # Both always hide the likeliest code; their turns are still the certified ones.
    likeliest = dict(solution.table)
    for name in ("one_code", "two_code"):
        weights = solution.table[name]
        likeliest[name] = (np.arange(len(weights)) == weights.argmax()).astype(np.int64)
    evenly = {name: (weights > 0).astype(np.int64) for name, weights in solution.table.items()}
    # Playing evenly all that is ever played is also worse, on the longer codes.
    for table in (likeliest, evenly) if (length, same) == (3, False) else (likeliest,):
        lower, upper = Solution(solution.game, table).certify(quiet)
        assert lower < value < upper


def test_weights_that_are_not_a_mixture_of_legal_moves_prove_nothing(solved: Solved) -> None:
    solution, _ = solved(2, 3)
    dial, table = solution.player.dial, solution.table
    below = {**table, "two_code": table["two_code"].copy()}
    below["two_code"][:2] = -1, 1 + below["two_code"][:2].sum()
    with pytest.raises(NotProved, match="add up to 1"):
        Solution(solution.game, below).certify(quiet)
    safe, code = dial.near[dial.home][0], table["one_code"] * 0
    code[safe] = 1
    forbidden = {**table, "one_code": code, "one_first": table["one_first"].copy()}
    forbidden["one_first"][safe] = np.arange(dial.near.shape[1]) == 0
    with pytest.raises(NotProved, match="not legal"):
        Solution(solution.game, forbidden).certify(quiet)


def test_only_turns_back_lead_on_against_a_certified_opponent_who_cannot_win() -> None:
    state = GAME.start()
    for text in ("3-1-1", "3-5-4", "1 5", "2 5", "2 3"):  # each is certified
        state = state.play(GAME.move(text))
    for move in state.moves:
        view = state.play(move).view(Seat.ONE)
        with nullcontext() if str(move) == "2 5" else pytest.raises(Unreachable):
            assert SOLUTION.worth.best_response(view)


def test_a_hint_repeats_no_position_a_third_time_and_says_what_certified_play_would_do() -> None:
    for times in range(4):
        moves = ("5-5-5", "3-4-2", "1 2", "2 3", *("1 3", "1 2") * times)
        state = after("safecracker-duel", *moves)
        advised = advise(state.view(Seat.ONE))
        told = advised.plain(state.game.words)
        assert (str(advised.moves[0].move) == "1 3") == (times == 1), times
        assert ("for a third time. Master plays dial 1 → 3." in told) == (times > 1)


def test_hints_and_the_truth_average_to_the_value_until_somebody_can_win() -> None:
    state = GAME.start()
    one = SOLUTION.worth.judge(state.view(Seat.ONE)).moves
    assert max(one.values()) == pytest.approx(float(VALUE))
    assert one[GAME.move("3-4-5")] < float(VALUE) - 0.09
    two = SOLUTION.worth.judge(state.play(GAME.move("1-1-1")).view(Seat.TWO)).moves
    assert list(two.values()) == pytest.approx([1 - float(VALUE)] * 125)
    start = state
    state = start.play(next(iter(SOLUTION.policy(start.view(Seat.ONE)))))
    theirs = SOLUTION.policy(state.view(Seat.TWO))
    mean = sum(float(p) * SOLUTION.truth(state.play(code)) for code, p in theirs.items())
    assert mean == pytest.approx(float(VALUE))
    state = start
    for text in ("3-4-2", "5-5-5", "1 3", "2 2", "3 3"):
        state = state.play(GAME.move(text))
    assert SOLUTION.truth(state) == 0.5  # Seat.TWO changes back, and nobody makes progress
    missed = state.play(GAME.move("2 4"))
    assert SOLUTION.truth(missed) == 1.0  # 3-4-3: Seat.ONE wins at once
    # If Seat.ONE misses that win, Seat.TWO still changes back, and offers it again.
    assert SOLUTION.truth(missed.play(GAME.move("2 5"))) == 1.0
