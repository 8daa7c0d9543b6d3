"""What decisions are worth against the certified player, by brute force and by their own laws."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from random import Random

import pytest
from expectimax import against_master, believed, mean_after, worth_of_moves
from solutions import assert_start

from strongroom import load
from strongroom.contract import AnyState, Game, Seat
from strongroom.games.quantum_duel.rules import QuantumDuel
from strongroom.testing.perft import after
from strongroom.theory.quantum_duel.player import graph_of
from strongroom.theory.quantum_duel.worth import ChainWorth
from strongroom.theory.shelf import solution_of
from strongroom.theory.worth import Turns, Unreachable, turns_left

EXACT = 1e-9
EXACTLY_SOLVED = [
    load("quantum-duel"),
    load("safecracker-duel"),
    load("safecracker-duel", allow_same_digit=True),
    load("safe-cracker"),
    load("digit-deductions"),
]
GAMES = [*EXACTLY_SOLVED, load("safe-cracker", digits=4), load("safe-cracker", length=4)]
BOTS = ("random", "casual", "expert", "stubborn", "master")
LARGEST = 1500
"""How many ways to go on brute force tries in one position."""

each_seat = pytest.mark.parametrize("seat", Seat, ids=str)


@pytest.mark.parametrize("game", [*GAMES, load("safe-code")], ids=repr)
def test_the_start_is_worth_what_the_certificate_concedes(game: Game) -> None:
    assert_start(game)


@pytest.mark.proof
@each_seat
@pytest.mark.parametrize("game", GAMES[:-1], ids=repr)
def test_every_move_is_worth_what_brute_force_finds(game: Game, seat: Seat) -> None:
    solution, rng, checked = solution_of(game), Random(1), Counter[int]()
    views = (view for bot in BOTS for view, _ in against_master(game, bot, seat, rng, 9).decisions)
    for number, view in enumerate(each for each in views if not each.setting_up):
        if checked[1] == checked[2] == 2 and (number >= 12 or checked[3] == 2):
            break
        belief = believed(view, solution.policy, None)
        for turns in (1, 2, 3):
            tries = len(belief) * len(view.moves) ** ((turns + 1) // 2)
            if checked[turns] < 2 and tries <= LARGEST:
                found = worth_of_moves(view, solution.policy, view.turns + turns)
                assert solution.worth.move_values(view, turns) == pytest.approx(found, abs=EXACT)
                checked[turns] += 1
    assert checked[1] == checked[2] == 2
    state: AnyState = game.start()
    state = state if state.actor is seat else state.play(state.moves[-1])
    if state.setting_up:
        found = worth_of_moves(state.view(seat), solution.policy, 1)
        assert solution.worth.move_values(state.view(seat), 1) == pytest.approx(found, abs=EXACT)


@pytest.mark.proof
@each_seat
@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_a_move_is_worth_the_mean_of_what_follows(game: Game, seat: Seat) -> None:
    """No move of the certified player costs anything, and a limit far away changes nothing."""
    solution, rng = solution_of(game), Random(2)
    worth = solution.worth
    limits: tuple[Turns, ...] = (None, 8, 5, 3, 100)
    for bot, limit in zip(BOTS, limits, strict=True):
        decisions = against_master(game, bot, seat, rng, limit or 12).decisions
        for view, move in islice(decisions, 6 if game in EXACTLY_SOLVED else 3):
            if view.setting_up and game not in EXACTLY_SOLVED:
                continue
            left = turns_left(limit, view)
            moves = worth.move_values(view, left)
            assert [*moves] == [*view.moves]
            assert worth.value(view, left) == max(moves.values())
            for each in {move, rng.choice(view.moves)}:
                mean = mean_after(view, each, solution.policy, worth, limit)
                assert moves[each] == pytest.approx(mean, abs=EXACT)
            if limit is None:
                assert worth.move_values(view, 300) == pytest.approx(moves, abs=EXACT)
            if bot == "master" and game in EXACTLY_SOLVED:
                best = max(moves.values()) - EXACT
                assert all(moves[each] > best for each in solution.policy(view))


def test_at_quantum_duel_a_best_response_without_a_limit_wins_the_value_of_the_position() -> None:
    game = QuantumDuel()
    solution, graph = solution_of(game), graph_of(game)
    general = ChainWorth(game, solution.policy)
    for position in graph.positions[::11]:
        if isinstance(position.actor, Seat):
            view = graph.state(position).view(position.actor)
            certified = solution.worth.move_values(view, None)
            assert general.move_values(view, None) == pytest.approx(certified, abs=EXACT)
            assert solution.worth.value(view, None) == max(certified.values())


def test_nothing_is_worth_anything_where_the_certified_player_never_leads_or_out_of_turn() -> None:
    guesses = ("1-2-3", "1-3-1", "1-2-3", "1-3-1", "1-2-3")
    for state, seat in (
        *((after("safe-cracker", "1-1-1", "1-1-2", *guesses, digits=n), Seat.TWO) for n in (3, 4)),
        (after("digit-deductions", "5-5", "4-7", "5-6"), Seat.TWO),  # no first guess of master
        (after("digit-deductions", "5-5", "4-7", "1-1", "1-1"), Seat.ONE),  # not what master hides
    ):
        with pytest.raises(Unreachable, match="never leads"):
            solution_of(state.game).worth.best_response(state.view(seat))
    with pytest.raises(ValueError, match="turn"):
        solution_of(state.game).worth.move_values(state.game.start().view(Seat.TWO), None)
