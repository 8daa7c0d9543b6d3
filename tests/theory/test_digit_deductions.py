"""Tests of the solved Digit Deductions, on the shipped table and on real states and views."""

import random
from fractions import Fraction

import pytest

from strongroom.game import Move, Seat
from strongroom.games.digit_deductions import DigitDeductions, DigitDeductionsState
from strongroom.theory import digit_deductions as theory
from strongroom.theory import digit_deductions_player as board
from strongroom.theory.shelf import table_of

VALUE = Fraction(140488, 172183)
GAME = DigitDeductions()
TABLE = table_of(GAME)


def quiet(done: float, words: str) -> None:
    """Progress that nobody watches."""


def test_the_certified_bounds_meet_at_the_exact_value() -> None:
    assert theory.certify(GAME, TABLE, quiet) == (VALUE, VALUE)


def test_the_table_is_rebuilt_from_nothing_and_alike() -> None:
    pytest.importorskip("scipy")
    again = theory.solve(GAME, quiet)
    assert {k: v.tolist() for k, v in again.items()} == {k: v.tolist() for k, v in TABLE.items()}


def test_secrets_have_the_derived_weights() -> None:
    one, two = (theory.player(TABLE, seat) for seat in Seat)
    assert sum(one.secrets) == sum(two.secrets) == VALUE.denominator
    by_orbit = [one.secrets[orbit[0]] for orbit in board.ORBITS]
    assert by_orbit == [
        0,
        449,
        1347,
        3711,
        1347,
        1347,
        3711,
        1347,
        3711,
        1347,
        3711,
        1347,
        1347,
        3711,
        1347,
    ]
    assert all(sum(board.CODES[s].digits) % 2 == 0 for s in two.support)


def test_two_corners_tell_everything_apart() -> None:
    for a, b in ((0, 8), (0, 72), (80, 8)):
        assert len({(board.FAR[s][a], board.FAR[s][b]) for s in board.ALL}) == 81


@pytest.mark.parametrize("first", [1, 14, 40])
def test_a_guess_is_treated_as_one_that_hits_as_much_and_tells_as_much(first: int) -> None:
    for _, cell in board.split(board.ALL, first):
        for guess in board.ALL:
            treated = board.translated(cell, guess)
            assert treated == guess or guess not in cell
            for _, finer in board.split(cell, treated):
                assert len({board.FAR[s][guess] for s in finer}) == 1


def random_game(rng: random.Random, strict: Seat | None) -> list[DigitDeductionsState]:
    """The states of a game in which all but the strict seat move at random."""
    state = GAME.start()
    states: list[DigitDeductionsState] = []
    while isinstance(seat := state.actor, Seat) and len(states) < 14:
        states.append(state)
        odds = theory.policy(TABLE, state.view(seat))
        if seat is strict:
            state = state.play(rng.choices(list(odds), [float(p) for p in odds.values()])[0])
        else:
            state = state.play(rng.choice(state.moves))
    return states


@pytest.mark.parametrize("strict", [Seat.ONE, Seat.TWO, None])
def test_every_view_has_a_policy_that_is_legal_adds_up_and_takes_wins(strict: Seat | None) -> None:
    rng = random.Random(7)
    for _ in range(60):
        for state in random_game(rng, strict):
            seat = state.actor
            assert isinstance(seat, Seat)
            view = state.view(seat)
            odds = theory.policy(TABLE, view)
            assert sum(odds.values()) == 1
            assert min(odds.values()) > 0
            assert set(odds) <= set(view.moves)
            known = board.candidates(theory._steps(view, seat))
            if not view.setting_up and len(known) == 1:
                assert odds == {board.CODES[known[0]]: 1}


def sampled(seat: Seat, cell: tuple[int, ...]) -> tuple[int, ...]:
    """The responder's guesses in the brute-force check: few at first, then all that can hit."""
    few = (0, 13, 31, 40) if seat is Seat.ONE else (0, 1)
    return few if len(cell) > 20 else (40, *cell[:3], *cell[-2:])


Group = dict[DigitDeductionsState, Fraction]


def real_response(group: Group, seat: Seat) -> Fraction:
    """The shipped player's wins over real states that look alike to the responder, at worst."""
    won = sum((p for s, p in group.items() if s.outcome and s.outcome.winner is seat), Fraction(0))
    group = {s: p for s, p in group.items() if s.outcome is None}
    if not group:
        return won

    def played(moves: dict[DigitDeductionsState, dict[Move, Fraction]]) -> Fraction:
        looks: dict[object, Group] = {}
        for state, p in group.items():
            for move, q in moves[state].items():
                after = state.play(move)
                looks.setdefault(after.log, {})[after] = p * q
        return sum((real_response(look, seat) for look in looks.values()), Fraction(0))

    one = next(iter(group))
    if one.actor is seat:
        return won + played({s: theory.policy(TABLE, s.view(seat)) for s in group})
    mine = theory._steps(one.view(seat.other), seat.other)
    cell = board.candidates(mine, theory.player(TABLE, seat).support)
    once = Fraction(1)
    return won + min(
        played({s: {board.CODES[g]: once} for s in group}) for g in sampled(seat, cell)
    )


@pytest.mark.parametrize("seat", list(Seat))
@pytest.mark.parametrize("theirs", [12, 40])
def test_the_certificate_is_about_what_the_policy_plays_in_real_states(
    seat: Seat, theirs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    player = theory.player(TABLE, seat)
    response = theory.Response(player)
    monkeypatch.setattr(response, "guesses", lambda cell: sampled(seat, cell))
    unit, grain = (int(n) for n in TABLE["grains"])
    scale = 64 * unit if seat is Seat.ONE else 128 * grain * sum(player.shot)
    reach = {s: player.secrets[s] * scale for s in player.support}
    move = response.lead if seat is Seat.ONE else response.follow
    expected = Fraction(move(board.ALL, reach, (), ())[theirs], sum(reach.values()))
    group = {}
    for s in player.support:
        hidden = (s, theirs) if seat is Seat.ONE else (theirs, s)
        state = GAME.start().play(board.CODES[hidden[0]]).play(board.CODES[hidden[1]])
        group[state] = Fraction(player.secrets[s], VALUE.denominator)
    assert real_response(group, seat) == expected


def test_the_best_secrets_and_first_guesses_reach_the_value_and_no_more() -> None:
    start = GAME.start()
    assert max(theory.values(TABLE, start.view(Seat.ONE)).values()) == pytest.approx(
        float(VALUE), abs=1e-6
    )
    state = start.play(board.CODES[40])
    assert max(theory.values(TABLE, state.view(Seat.TWO)).values()) == pytest.approx(
        1 - float(VALUE), abs=1e-6
    )
    first = theory.values(TABLE, state.play(board.CODES[30]).view(Seat.ONE))
    assert max(first, key=lambda move: first[move]) in [board.CODES[g] for g in board.CORNERS]


def test_values_are_probabilities_and_prefer_winning_at_once() -> None:
    rng = random.Random(11)
    for _ in range(6):
        for state in random_game(rng, None)[2:]:
            seat = state.actor
            assert isinstance(seat, Seat)
            view = state.view(seat)
            values = theory.values(TABLE, view)
            assert set(values) == set(view.moves)
            assert all(-1e-9 <= value <= 1 + 1e-9 for value in values.values())
            known = board.candidates(theory._steps(view, seat))
            if len(known) == 1:
                assert values[board.CODES[known[0]]] == pytest.approx(1)


def test_why_says_how_a_guess_splits_the_numbers() -> None:
    state = GAME.start()
    for text in ("5-5", "4-7", "1-1", "1-1"):
        state = state.play(GAME.move(text))
    view = state.view(Seat.ONE)
    assert theory.why(TABLE, view, GAME.move("2-9")) == (
        "can hit, and splits the 8 remaining numbers 1/1/1/1/1/1/1/1"
    )
    assert theory.why(TABLE, view, GAME.move("5-5")) == "splits the 8 remaining numbers 2/2/2/2"
