"""The certificate of Safecracker Duel is about what is played, and nothing else is certified."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import pytest

from strongroom.contract import Move, Seat
from strongroom.games.safecracker_duel.rules import SafecrackerDuel, SafecrackerDuelState
from strongroom.theory.safecracker_duel.solution import SafecrackerDuelSolution
from strongroom.theory.solution import NotProved

if TYPE_CHECKING:
    from tests.theory.conftest import Proved

VALUE = Fraction(8752, 15553)
HALF, SURE = Fraction(1, 2), Fraction(1)


def quiet(done: float, words: str) -> None:
    assert 0 <= done <= 1
    assert words


def solved(game: SafecrackerDuel) -> SafecrackerDuelSolution:
    return SafecrackerDuelSolution(game, SafecrackerDuelSolution.solve(game, quiet))


@pytest.mark.proof
def test_both_strategies_are_certified_to_the_same_fraction(
    solution: SafecrackerDuelSolution, proved: Proved
) -> None:
    assert proved(solution) == (VALUE, VALUE)


@pytest.mark.parametrize(("length", "highest"), [(2, 3), (2, 5), (3, 3)])
@pytest.mark.parametrize("same", [False, True])
def test_smaller_games_are_certified_in_both_readings(
    resized: Callable[..., SafecrackerDuel], length: int, highest: int, same: bool
) -> None:
    lower, upper = solved(resized(length, highest, same)).certify(quiet)
    assert lower == upper


@pytest.mark.parametrize(("length", "highest"), [(2, 5), (3, 3)])
@pytest.mark.parametrize("same", [False, True])
def test_a_spoiled_strategy_does_not_keep_the_bounds(
    resized: Callable[..., SafecrackerDuel], length: int, highest: int, same: bool
) -> None:
    """Both always hide the likeliest code; their turns are still the certified ones."""
    solution = solved(resized(length, highest, same))
    (value, _) = solution.certify(quiet)
    table = dict(solution.table)
    for name in ("one_code", "two_code"):
        table[name] = (np.arange(len(table[name])) == table[name].argmax()).astype(np.int64)
    lower, upper = SafecrackerDuelSolution(solution.game, table).certify(quiet)
    assert lower < value < upper


def test_uniform_play_is_certified_lower(resized: Callable[..., SafecrackerDuel]) -> None:
    solution = solved(resized(3, 3))
    (value, _) = solution.certify(quiet)
    uniform = {name: (weights > 0).astype(np.int64) for name, weights in solution.table.items()}
    lower, upper = SafecrackerDuelSolution(solution.game, uniform).certify(quiet)
    assert lower < value < upper


def test_weights_that_are_not_a_mixture_of_legal_moves_prove_nothing(
    resized: Callable[..., SafecrackerDuel],
) -> None:
    solution = solved(resized(2, 3))
    dial, table = solution.player.dial, solution.table
    below = {**table, "two_code": table["two_code"].copy()}
    below["two_code"][:2] = -1, 1 + below["two_code"][:2].sum()
    with pytest.raises(NotProved, match="add up to 1"):
        SafecrackerDuelSolution(solution.game, below).certify(quiet)
    safe, code = dial.near[dial.home][0], table["one_code"] * 0
    code[safe] = 1
    forbidden = {**table, "one_code": code, "one_first": table["one_first"].copy()}
    forbidden["one_first"][safe] = np.arange(dial.near.shape[1]) == 0
    with pytest.raises(NotProved, match="not legal"):
        SafecrackerDuelSolution(solution.game, forbidden).certify(quiet)


def mixture(solution: SafecrackerDuelSolution, state: SafecrackerDuelState) -> dict[Move, Fraction]:
    assert isinstance(state.actor, Seat)
    chances = solution.policy(state.view(state.actor))
    return {move: Fraction(chance) for move, chance in chances.items()}


def late(solution: SafecrackerDuelSolution, state: SafecrackerDuelState, me: Seat) -> Fraction:
    """What a responder to move wins in the end, by walking the real game against `policy`."""
    seen: set[object] = set()
    safe_for_ever = False
    waiting = [state]
    while waiting:
        here = waiting.pop()
        for move in here.moves:
            after = here.play(move)
            if not after.outcome:
                ((answer, chance),) = mixture(solution, after).items()
                assert chance == 1
                after = after.play(answer)
            if after.outcome and after.outcome.winner is me:
                return SURE
            if not after.outcome:
                safe_for_ever |= after.board in seen or after.board == here.board
                if after.board not in seen | {here.board}:
                    waiting.append(after)
        seen.add(here.board)
    return HALF if safe_for_ever else Fraction(0)


def result(state: SafecrackerDuelState, me: Seat) -> Fraction | None:
    return None if not state.outcome else Fraction(state.outcome.winner is me)


@pytest.mark.proof
@pytest.mark.parametrize("text", ["1-1-1", "1-1-3", "2-1-4", "4-2-5"])
def test_a_responder_in_seat_two_gets_the_value_by_walking_the_real_game(
    game: SafecrackerDuel, solution: SafecrackerDuelSolution, text: str
) -> None:
    opening = game.start()
    gains: dict[Move, dict[Move, Fraction]] = defaultdict(lambda: defaultdict(Fraction))
    handed = Fraction(0)
    for code, p in mixture(solution, opening).items():
        state = opening.play(code).play(game.move(text))
        for first, q in mixture(solution, state).items():
            second = state.play(first)
            if second.outcome:
                handed += p * q
                continue
            for answer in second.moves:
                third = second.play(answer)
                gain = result(third, Seat.TWO)
                if gain is None:
                    gain = Fraction(0)
                    for move, r in mixture(solution, third).items():
                        fourth = third.play(move)
                        over = result(fourth, Seat.TWO)
                        gain += r * (late(solution, fourth, Seat.TWO) if over is None else over)
                gains[first][answer] += p * q * gain
    assert handed + sum(max(each.values()) for each in gains.values()) == 1 - VALUE


@pytest.mark.proof
@pytest.mark.parametrize("text", ["2-2-1"])
def test_a_responder_in_seat_one_gets_the_value_by_walking_the_real_game(
    game: SafecrackerDuel, solution: SafecrackerDuelSolution, text: str
) -> None:
    opening = game.start().play(game.move(text))
    best = Fraction(0)
    for first in opening.play(game.move("1-1-1")).moves:
        total = Fraction(0)
        options: dict[Move, dict[Move, Fraction]] = defaultdict(lambda: defaultdict(Fraction))
        for code, p in mixture(solution, opening).items():
            second = opening.play(code).play(first)
            if second.outcome:
                continue
            for answer, q in mixture(solution, second).items():
                third = second.play(answer)
                if third.outcome:
                    total += p * q * (third.outcome.winner is Seat.ONE)
                    continue
                for move in third.moves:
                    after = third.play(move)
                    if not after.outcome:
                        ((reply, _),) = mixture(solution, after).items()
                        after = after.play(reply)
                    over = result(after, Seat.ONE)
                    gain = late(solution, after, Seat.ONE) if over is None else over
                    options[answer][move] += p * q * gain
        best = max(best, total + sum(max(each.values()) for each in options.values()))
    assert best == VALUE
