"""The theory of Safe Cracker and its variations: exact values, and proofs against real play."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from random import Random

import numpy as np
import pytest
from solutions import walk_safe_cracker

from strongroom.contract import AnyState, Seat
from strongroom.games.safe_cracker.rules import SafeCracker, SafeCrackerOptions
from strongroom.testing.perft import after
from strongroom.theory.safe_cracker.player import RaceGuesser
from strongroom.theory.safe_cracker.proof import bounds, check_node
from strongroom.theory.safe_cracker.race import race_of
from strongroom.theory.safe_cracker.solution import LARGEST, SafeCrackerSolution
from strongroom.theory.safe_cracker.worth import START, ExactResponse, RaceResponse
from strongroom.theory.shelf import fingerprint, is_certified, read
from strongroom.theory.solution import NoTheory, NotProved
from tests.theory.progress import quiet

VALUE = Fraction(163, 243)
SHIPPED = [(digits, length) for length, most in LARGEST.items() for digits in range(3, most + 1)]
RACES = {
    (3, 3): "163/243",
    (4, 3): "2653/4096",
    (5, 3): "9811/15625",
    (6, 3): "397/648",
    (7, 3): "70666/117649",
    (3, 4): "1468/2187",
    (4, 4): "21411/32768",
}


@cache
def shipped(digits: int, length: int) -> SafeCrackerSolution:
    game = SafeCracker(SafeCrackerOptions(digits=digits, length=length))
    return SafeCrackerSolution(game, read(game)[0])


GAME, SOLUTION = SafeCracker(), shipped(3, 3)


def spoiled(solution: SafeCrackerSolution, **arrays: np.ndarray) -> SafeCrackerSolution:
    """A solution with a changed table, which only a proof can detect."""
    return SafeCrackerSolution(solution.game, {**solution.table, **arrays})


def test_the_value_is_163_243_and_both_guarantees_meet_it() -> None:
    assert SOLUTION.certify(quiet) == (VALUE, VALUE)
    assert SOLUTION.figures(quiet) == {"race": VALUE}


@pytest.mark.parametrize(("digits", "length"), [(3, 3), (4, 3)])
def test_solving_gives_the_shipped_table(digits: int, length: int) -> None:
    race_of.cache_clear()
    solution = shipped(digits, length)
    table = SafeCrackerSolution.solve(solution.game, quiet)
    assert fingerprint(table) == fingerprint(solution.table)


@pytest.mark.proof
@pytest.mark.parametrize(("digits", "length"), SHIPPED)
def test_every_variation_is_shipped_with_bounds_close_to_the_race_and_nodes_that_pass_the_proof(
    digits: int, length: int
) -> None:
    solution = shipped(digits, length)
    guesser, provenance = solution.guesser, read(solution.game)[1]
    assert is_certified(solution.game)
    assert guesser.space.game.options == solution.game.options
    if (digits, length) in RACES:
        race = Fraction(guesser.race(0, 0), len(guesser.same) ** 2)
        assert race == Fraction(RACES[digits, length])
        lower, upper = (Fraction(provenance[bound]) for bound in ("lower", "upper"))
        close = lower < race < upper < lower + 0.006
        assert lower == race == upper if digits == length == 3 else close
    several = [x for x, codes in enumerate(guesser.sets) if 2 <= len(codes) <= 30]
    for x in Random(1).sample(several, 8) if digits + length > 6 else ():
        check_node(guesser, x)
    for x in Random(2).sample(several, 8) if (digits, length) in ((5, 3), (4, 4), (3, 5)) else ():
        pursuit = RaceResponse(guesser).pursuit(x)
        sizes = np.bincount(pursuit.kinds)
        for k, goes in pursuit.goes.items():
            hit = (1 - goes.sum(0)) @ sizes
            assert hit == pytest.approx(float(guesser.splits(x)[k].hit))


def test_a_turn_limit_lets_nobody_pass_the_first_guess() -> None:
    guesser = shipped(3, 4).guesser
    exact = [*map(float, ExactResponse(guesser).to_wait(START, 5))]
    assert RaceResponse(guesser).to_wait(START, 5) == pytest.approx(exact)


@pytest.mark.proof
def test_a_spoiled_strategy_does_not_keep_the_bounds_nor_do_they_meet_unmixed() -> None:
    """Always plays the first action of a node, whether or not it is the best."""
    first = spoiled(SOLUTION, choice=np.zeros_like(SOLUTION.table["choice"]))
    assert first.certify(quiet) == (Fraction(470, 729), Fraction(490, 729))
    four = shipped(4, 3)
    lower, upper = four.certify(quiet)
    worse = spoiled(four, choice=np.zeros_like(four.table["choice"])).certify(quiet)
    assert worse[0] < lower - 0.01
    assert upper + 0.005 < worse[1]
    table, plain = SOLUTION.table, len(SOLUTION.table["choice"])
    bare = {name: table[name] for name in ("keys", "ends", "orbits", "cells", "choice")}
    bare |= {"ends": table["ends"][:plain], "options": np.array([3, 3, 0])}
    lower, upper = bounds(RaceGuesser(bare), quiet)
    assert lower == pytest.approx(0.669410, abs=1e-6)
    assert upper == pytest.approx(float(VALUE), abs=1e-8)
    exact = bounds(RaceGuesser(bare), quiet, ExactResponse)
    assert lower < exact[0] < lower + 1e-8
    assert upper - 1e-8 < exact[1] < upper


@pytest.mark.proof
def test_a_table_that_is_no_strategy_proves_nothing(subtests: pytest.Subtests) -> None:
    table, four = SOLUTION.table, shipped(4, 3)
    idle = np.where(table["choice"] > 0, -1, table["choice"])
    cells = table["cells"].copy()
    cells[0, 0] = cells[0, 1]
    begin = four.table["ends"][0]
    choice, orbits, telling, other, keys = (
        four.table[n].copy() for n in ("choice", "orbits", "orbits", "cells", "keys")
    )
    choice[1, 0] = 50
    orbits[1, [0, -1]] = orbits[1, [-1, 0]]
    telling[0] = np.where(telling[0] == telling[0].max(), -1, telling[0])
    other[-1, 0] = other[0, 0]
    keys[-1] = (keys[-1] + 1) % 4
    late = {"keys": four.table["keys"][begin:], "ends": four.table["ends"][1:] - begin}
    wrong_tables = {
        "no mixture": (spoiled(SOLUTION, denominators=2 * table["denominators"]), "add up to 1"),
        "idle": (spoiled(SOLUTION, choice=idle), "tells it nothing"),
        "a cell": (spoiled(SOLUTION, cells=cells), "a set of codes for another"),
        "of another game": (SafeCrackerSolution(four.game, table), "digits=4"),
        "a late begin": (spoiled(four, **late), "begin with every code"),
        "a choice out of range": (spoiled(four, choice=choice), ""),
        "an idle guess that tells": (spoiled(four, orbits=telling), "alike that are not"),
        "exchanged orbits": (spoiled(four, orbits=orbits), ""),
        "another cell": (spoiled(four, cells=other), ""),
        "another code": (spoiled(four, keys=keys), ""),
    }
    for name, (solution, told) in wrong_tables.items():
        wrong = NotProved if told else (NotProved, LookupError)
        with subtests.test(name), pytest.raises(wrong, match=told or None):
            solution.certify(quiet)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"attempts": 3}, "limited attempts"),
        ({"digits": 5, "length": 4}, "625 codes of length 4 are too many"),
        ({"digits": 4, "length": 5}, "1,024 codes of length 5 are too many"),
        ({"length": 6}, "729 codes of length 6 are too many"),
        ({"digits": 9, "length": 6}, "531,441 codes of length 6 are too many"),
    ],
)
def test_a_variation_that_cannot_be_solved_is_refused_at_once(
    options: dict[str, int], reason: str
) -> None:
    with pytest.raises(NoTheory, match=reason):
        SafeCrackerSolution.solve(SafeCracker(SafeCrackerOptions(**options)), quiet)


@pytest.mark.proof
@pytest.mark.parametrize("responder", Seat)
@pytest.mark.parametrize(("digits", "cases"), [(3, 6), (4, 3)])
def test_the_proof_is_about_what_the_policy_really_plays(
    digits: int, cases: int, responder: Seat
) -> None:
    walk_safe_cracker(shipped(digits, 3), responder, cases)


def test_the_code_and_the_first_guess_are_drawn_evenly_and_worth_the_value() -> None:
    even = dict.fromkeys(GAME.actions, Fraction(1, 27))
    state, code = GAME.start(), GAME.actions[0]
    for seat, worth in ((Seat.ONE, VALUE), (Seat.TWO, 1 - VALUE), (Seat.ONE, VALUE)):
        assert SOLUTION.policy(state.view(seat)) == even
        values = SOLUTION.worth.judge(state.view(seat)).moves
        assert [*values.values()] == pytest.approx([float(worth)] * 27, abs=1e-12)
        state = state.play(code) if state.setting_up else state
    for guess in GAME.actions[1:]:
        assert SOLUTION.policy(state.play(guess).view(Seat.TWO)) == even


def test_a_hint_says_how_a_guess_splits_the_codes() -> None:
    state = after(GAME.name, "1-1-1", "1-2-2", "1-1-1", "3-3-3")
    view = state.view(Seat.ONE)
    nothing = GAME.move("1-1-1")
    answers = SOLUTION.worth.judge(state.play(nothing).view(Seat.TWO)).moves.values()
    assert SOLUTION.worth.judge(view).moves[nothing] == pytest.approx(1 - max(answers))
    say = {text: SOLUTION.effect(view, GAME.move(text)).why for text in ("1-2-2", "1-1-1", "2-2-1")}
    assert say["1-2-2"] == "It may hit, and splits the 12 codes left into 5, 4, 2 and 1."
    assert say["1-1-1"] == "It tells nothing about the 12 codes left."
    assert "splits the 12 codes left" in say["2-2-1"]
    assert SOLUTION.effect(view, GAME.move("1-2-2")).instead == (
        "could have hit, and would have split the 12 codes left into 5, 4, 2 and 1"
    )


def walked(state: AnyState) -> float:
    """What Player 1 wins by a walk through every move of both policies."""
    if state.outcome is not None:
        return float(state.outcome.winner is Seat.ONE)
    assert isinstance(state.actor, Seat)
    moves = SOLUTION.policy(state.view(state.actor))
    return sum(float(p) * walked(state.play(move)) for move, p in moves.items())


def test_the_truth_is_what_both_certified_players_make_of_the_codes() -> None:
    for codes in (("1-1-1", "1-1-1"), ("1-2-3", "3-3-1")):
        assert SOLUTION.truth(after(GAME.name, *codes)) == pytest.approx(float(VALUE))
    for guesses in ("1-1-1 2-2-2 1-2-2 2-1-1", "3-3-1 1-1-2 1-1-1 1-1-1 2-2-3"):
        state = after(GAME.name, "1-2-3", "2-3-3", *guesses.split())
        assert SOLUTION.truth(state) == pytest.approx(walked(state))
