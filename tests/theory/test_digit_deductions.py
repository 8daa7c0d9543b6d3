"""The theory of Digit Deductions: board, player, advice, proof, and how strategies are found."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from math import inf
from random import Random

import numpy as np
import pytest
from solutions import walk_digit_deductions

from strongroom.contract import Seat
from strongroom.games.digit_deductions.rules import DigitDeductions
from strongroom.testing import perft
from strongroom.theory import shelf
from strongroom.theory.digit_deductions import player as board
from strongroom.theory.digit_deductions import proof, solver
from strongroom.theory.digit_deductions.player import OWN_RULE, DiagonalPlayer, Knowledge, Path
from strongroom.theory.digit_deductions.proof import DiagonalResponse, guarantee
from strongroom.theory.digit_deductions.solution import DigitDeductionsSolution
from strongroom.theory.digit_deductions.worth import (
    SECOND_TURNS,
    belief,
    firsts_with_seconds,
    guesses,
    posterior,
)
from strongroom.theory.solution import NotProved
from tests.theory.progress import quiet

VALUE = Fraction(140488, 172183)
GAME = DigitDeductions()
SOLUTION = DigitDeductionsSolution(GAME, shelf.read(GAME)[0])
EXACT = 1e-9
after = partial(perft.after, GAME.name)


def test_symmetries_keep_all_distances_and_what_they_turn_into_each_other_is_an_orbit() -> None:
    for turn in board.SYMMETRIES:
        assert all(
            board.FAR[turn[s]][turn[g]] == board.FAR[s][g] for s in board.ALL for g in board.ALL
        )
        assert tuple(board.inverse(turn)[turn[s]] for s in board.ALL) == board.ALL
    assert len(board.ORBITS) == 15
    assert sorted(s for orbit in board.ORBITS for s in orbit) == list(board.ALL)
    for guess in board.ALL:
        turned = {turn[guess] for turn in board.frames(guess)}
        assert turned == {board.ORBITS[board.ORBIT[guess]][0]}
    for corner in board.CORNERS:  # a folded step says the same about every number
        for answer, cell in board.split(board.ALL, corner):
            assert board.candidates((board.fold_trial((corner, answer)),)) == cell


@pytest.mark.parametrize("first", [1, 14, 40])
def test_a_guess_is_represented_by_one_that_hits_as_often_and_tells_as_much(first: int) -> None:
    for _, cell in board.split(board.ALL, first):
        for guess in board.ALL:
            treated = board.translate(cell, guess)
            assert treated == guess or guess not in cell
            for _, finer in board.split(cell, treated):
                assert len({board.FAR[s][guess] for s in finer}) == 1
        kept = board.distinct(cell)
        assert set(cell) <= set(kept)
        assert {board.labels(cell, g) for g in kept} == {board.labels(cell, g) for g in board.ALL}


def test_secrets_have_the_derived_weights() -> None:
    one, two = (SOLUTION.players[seat] for seat in Seat)
    assert sum(one.secrets) == sum(two.secrets) == 172183
    rare, often = 1347, 3711
    assert [one.secrets[orbit[0]] for orbit in board.ORBITS] == [
        *(0, 449, rare, often, rare),
        *(rare, often, rare, often, rare),
        *(often, rare, rare, often, rare),
    ]
    assert all(sum(board.CODES[s].digits) % 2 == 0 for s in two.support)


def test_a_view_says_what_its_player_knows_and_no_other_view_does() -> None:
    state = after("5-5", "4-7", "1-1", "9-1")
    here = board.knowledge(state.view(Seat.ONE))
    assert here is not None
    assert (here.seat, here.secret) == (Seat.ONE, board.number(GAME.move("5-5")))
    assert here.own == ((board.number(GAME.move("1-1")), 9),)
    assert here.theirs == ((board.number(GAME.move("9-1")), 8),)
    for viewer in (Seat.TWO, None):
        assert board.knowledge(state.view(viewer)) is None


def test_the_best_secrets_and_first_guesses_reach_exactly_the_value() -> None:
    start = GAME.start()
    state = start.play(board.CODES[40])
    for view, value in ((start.view(Seat.ONE), VALUE), (state.view(Seat.TWO), 1 - VALUE)):
        best = max(SOLUTION.worth.judge(view).moves.values())
        assert best == pytest.approx(float(value), abs=1e-6)
    first = SOLUTION.worth.judge(state.play(board.CODES[30]).view(Seat.ONE)).moves
    assert max(first, key=lambda move: first[move]) in [board.CODES[g] for g in board.CORNERS]


def test_the_reason_says_how_a_guess_splits_the_numbers_and_what_it_assumes() -> None:
    hidden = SOLUTION.effect(GAME.start().view(Seat.ONE), GAME.move("1-1"))
    assert hidden.why == "It is hidden in 0.0% of perfectly played games."
    view, far = after("5-5", "4-7", "1-1", "1-1").view(Seat.ONE), GAME.move("5-5")
    may_hit = SOLUTION.effect(view, GAME.move("2-9"))
    assert may_hit.why == "It may hit, and splits the 8 numbers left; it wins 90%."
    assert SOLUTION.effect(view, far).why == "It splits the 8 numbers left; it wins 50%."
    assert (
        SOLUTION.effect(view, far).instead == "would have split the 8 numbers left, which wins 50%"
    )
    with pytest.raises(ValueError, match="turn"):
        SOLUTION.effect(GAME.start().view(Seat.TWO), far)
    by_plan, astray = (after("5-5", "4-7", guess).view(Seat.TWO) for guess in ("1-1", "5-6"))
    assert SOLUTION.worth.judge(by_plan).assumes == SOLUTION.worth.assumes
    assert "has strayed since" in SOLUTION.worth.judge(astray).assumes


def test_the_truth_averages_to_the_value_for_a_number_that_the_strategy_hides() -> None:
    """Because no number that the strategy hides is worse than another."""
    one, two = SOLUTION.players[Seat.ONE], SOLUTION.players[Seat.TWO]
    hidden = GAME.start().play(board.CODES[one.support[5]])
    truths = {s: SOLUTION.truth(hidden.play(board.CODES[s])) for s in two.support}
    mean = sum(two.secrets[s] * truth for s, truth in truths.items()) / sum(two.secrets)
    assert mean == pytest.approx(float(VALUE), abs=1e-6)
    state = after("5-5", "4-7", "1-1", "5-6", "1-8", "9-9")  # the mover knows the number
    known = board.candidates(board.trials(state.view(Seat.ONE), Seat.ONE))
    assert [board.CODES[s] for s in known] == [GAME.move("4-7")]
    assert SOLUTION.truth(state) == 1.0


@pytest.mark.parametrize(
    ("own", "theirs"),
    [
        (((57, 2),), ((16, 7),)),  # a number that is never hidden: its digits add up to an odd sum
        (((43, 2),), ((43, 5),)),
        (((1, 2),), ((0, 6),)),  # the same, and a first guess that is made
        (((54, 4),), ((18, 6),)),
        (((27, 4), (39, 6)), ((33, 1), (34, 2))),
        (((40, 8),), ((40, 4),)),
        (((0, 16),), ((40, 4),)),
    ],
)
def test_guesses_at_an_opponent_off_its_plan_are_worth_what_a_full_search_finds(
    own: board.Trials, theirs: board.Trials
) -> None:
    them = SOLUTION.players[Seat.TWO]
    odds = belief(them, theirs, own)
    assert them.strays(theirs, odds)
    found = guesses(DiagonalResponse(them), odds, theirs, own)
    for secret in {min(found), max(found)}:
        values = SOLUTION.worth.estimate(Knowledge(Seat.ONE, secret, own, theirs))
        assert values == pytest.approx(found[secret], abs=1e-12)


def test_whoever_can_be_hit_next_must_try_what_may_hit() -> None:
    view = after("1-1", "4-7", "1-2", "6-6").view(Seat.ONE)
    effects = {move: SOLUTION.effect(view, move).why for move in view.moves}
    trying = {str(move) for move, why in effects.items() if "must try" in why}
    assert len(trying) == len(board.candidates(board.trials(view, Seat.ONE))) == 9
    assert "4-7" in trying


def test_the_shipped_second_guesses_agree_with_a_search() -> None:
    rng, two = Random(9), SOLUTION.players[Seat.TWO]
    for first in rng.sample(firsts_with_seconds(two), 6):
        answer, diagonal = rng.choice(board.DIAGONALS)
        theirs, response = ((board.CORNER, answer),), DiagonalResponse(two, every=True)
        odds = posterior(two, theirs, first)
        for turns in SECOND_TURNS:
            searched = guesses(response, odds, theirs, first, turns)
            for secret in diagonal:
                here = Knowledge(Seat.ONE, secret, first, theirs)
                shipped = SOLUTION.worth.numbers(here, None if turns == inf else int(turns))
                assert shipped == pytest.approx(searched[secret], abs=EXACT)


@pytest.mark.proof
def test_the_certified_bounds_meet_at_the_exact_value() -> None:
    assert SOLUTION.certify(quiet) == (VALUE, VALUE)


@pytest.mark.proof
def test_a_spoiled_strategy_does_not_keep_its_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    # One guess a turn is enough for the response; more could only widen the bounds.
    monkeypatch.setattr(proof, "useful", lambda cell: board.useful(cell)[:1])
    # Choosing evenly in a plan is legal and plausible, and much worse than rounding errors.
    even = {name: np.ones_like(SOLUTION.table[name]) for name in ("one_weights", "two_weights")}
    lower, upper = DigitDeductionsSolution(GAME, {**SOLUTION.table, **even}).certify(quiet)
    assert lower < VALUE - Fraction(1, 1000)
    assert upper > VALUE + Fraction(1, 1000)
    for name in ("one_secrets", "one_weights", "two_secrets", "two_weights"):
        spoiled = SOLUTION.table[name].copy()
        spoiled[40] = -1
        seat = Seat.ONE if name.startswith("one") else Seat.TWO
        with pytest.raises(NotProved, match="negative"):
            guarantee(DiagonalPlayer({**SOLUTION.table, name: spoiled}, seat), quiet)


@pytest.mark.proof
@pytest.mark.parametrize("seat", Seat, ids=str)
def test_the_certificate_is_about_what_the_policy_plays_in_real_states(seat: Seat) -> None:
    few = (0, 31) if seat is Seat.ONE else (1,)
    walk_digit_deductions(SOLUTION, seat, 12, few, lambda cell: (40, *cell[:2], *cell[-1:]))


@pytest.mark.proof
def test_the_main_line_gives_the_value_and_what_both_hide() -> None:
    pytest.importorskip("scipy")
    assert solver.MainLineOfTwo().size == 16566
    main, table = solver.main_line(), SOLUTION.table
    assert main.value == 1 - VALUE
    assert main.one == table["one_secrets"].tolist()
    assert main.two == table["two_secrets"].tolist()
    assert main.shot == table["two_shot"].tolist()


@pytest.mark.proof
def test_the_plans_on_and_off_the_main_line_have_the_derived_sizes_and_values() -> None:
    pytest.importorskip("scipy")
    one, two = ([n / 172183 for n in SOLUTION.table[f"{who}_secrets"]] for who in ("one", "two"))
    anything = dict.fromkeys(board.ALL, -1), dict.fromkeys(board.ALL, 1)
    main, rule = solver.MainLineOfOne(one, *anything), solver.RuleOfTwo(two, OWN_RULE)
    assert (main.size, len(main.above)) == (3818, 3205)
    assert (rule.size, len(rule.above)) == (11653, 19255)
    assert main.best().values[main.goal] == pytest.approx(float(VALUE), abs=EXACT)
    # Off the main line there is something to spare.
    assert rule.best().values[rule.goal] == pytest.approx(0.1853722427, abs=1e-8)
    other = solver.RuleOfTwo(two, solver.ANY_OTHER)
    assert (other.size, len(other.above)) == (12892, 29218)


def test_shares_become_whole_numbers_that_a_later_choice_divides() -> None:
    assert solver.integers({1: 1 / 3, 2: 2 / 3, 3: 1e-12}, 9) == {1: 3, 2: 6}
    assert sum(solver.integers({1: 1.0, 2: 1.0, 3: 1.0}, 100).values()) == 100
    assert solver.common([1 / 4, 1 / 6, 0.0, 1e-12]) == 12
    here: Path = ((0, 1), (0, 2))
    there: Path = (*here, (5, 3), (7, 4))
    plan = {(here, 81, 5): 0.75, (here, 81, 6): 0.25, (there, 81, 1): 0.5, (there, 81, 2): 0.25}
    lines = solver.round_plan(plan, 2, lambda _: 8)
    assert lines == {(here, 81): {5: 6, 6: 2}, (there, 81): {1: 4, 2: 2}}
    rows, weights = solver.arrays(lines)
    assert rows.tolist() == [
        [0, 1, 0, 2, -1, -1, -1, -1, 81, 5],
        [0, 1, 0, 2, -1, -1, -1, -1, 81, 6],
        [0, 1, 0, 2, 5, 3, 7, 4, 81, 1],
        [0, 1, 0, 2, 5, 3, 7, 4, 81, 2],
    ]
    assert weights.tolist() == [6, 2, 4, 2]
