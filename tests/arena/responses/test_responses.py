"""Best responses reproduce what the certificates prove, and check their own assumptions."""

from __future__ import annotations

from random import Random

import pytest

from strongroom.arena.responses.clues import ClueResponse
from strongroom.arena.responses.codes import Codes, GuessTree, mirrored
from strongroom.arena.responses.duel import DuelResponse
from strongroom.arena.responses.race import RaceResponse
from strongroom.arena.responses.responder import Policy, TooComplex, silent
from strongroom.contract import Game, Seat, View
from strongroom.games.codes import Code
from strongroom.games.quantum_duel.rules import QuantumDuel
from strongroom.games.safe_code.rules import SafeCode
from strongroom.games.safecracker_duel.rules import SafecrackerDuel
from strongroom.players.candidates import guesses_of
from strongroom.players.expert import ExpertPlayer
from strongroom.players.ideas import Mixture, Uniform
from strongroom.players.master import MasterPlayer
from strongroom.players.random import RandomPlayer
from strongroom.plugins.registry import load
from strongroom.testing.playouts import playout
from strongroom.theory.quantum_duel.worth import ChainWorth

VALUE = 8752 / 15553


def certified(game: Game) -> Policy:
    """The policy of the master."""
    master = MasterPlayer(game, Random(1))
    return lambda view: {move: float(chance) for move, chance in master.policy(view).items()}


def test_the_best_response_to_the_certified_duellist_wins_what_is_certified() -> None:
    game = SafecrackerDuel()
    response = DuelResponse(game, certified(game))
    assert response.settled == 3
    assert response.value(Seat.ONE, silent) == pytest.approx(VALUE)
    assert response.value(Seat.TWO, silent) == pytest.approx(1 - VALUE)


def test_a_duellist_who_never_settles_is_too_complex() -> None:
    game = SafecrackerDuel()
    response = DuelResponse(game, RandomPlayer(game, Random(1)).policy)
    assert response.settled is None
    with pytest.raises(TooComplex):
        response.value(Seat.ONE, silent)


def test_the_best_response_to_the_certified_chain_wins_one_half() -> None:
    game = QuantumDuel()
    response = ChainWorth(game, certified(game))
    assert response.start(Seat.ONE, 60) == pytest.approx(0.5)
    assert response.start(Seat.TWO, 60) == pytest.approx(0.5)


def test_a_longer_match_is_worth_more_against_a_player_who_errs() -> None:
    game = QuantumDuel()
    response = ChainWorth(game, RandomPlayer(game, Random(1)).policy)
    short, long = (response.start(Seat.ONE, turns) for turns in (8, 40))
    assert 0.5 < short < long < 1


def test_a_player_who_races_without_asking_is_worth_the_certified_race() -> None:
    game = SafeCode()
    expert = ExpertPlayer(game, Random(1))

    def races(view: View) -> Mixture:
        if view.setting_up:
            return expert.policy(view)
        own = {event.move for event in view.history if event.actor is view.seat}
        return Uniform([move for move in view.moves[:30] if move not in own])

    response = ClueResponse(game, races)
    assert response.value(Seat.ONE, silent) == pytest.approx(31 / 60)
    assert response.value(Seat.TWO, silent) == pytest.approx(29 / 60)


def test_clues_that_reveal_much_are_too_complex() -> None:
    game = SafeCode()
    with pytest.raises(TooComplex, match="tell more"):
        ClueResponse(game, RandomPlayer(game, Random(1)).policy).value(Seat.ONE, silent)


@pytest.mark.parametrize("name", ["safe-cracker", "digit-deductions"])
def test_the_experts_guesses_depend_only_on_the_remaining_codes(name: str) -> None:
    game = load(name)
    expert = ExpertPlayer(game, Random(1))
    response = RaceResponse(game, expert.policy)
    number = response.codes.number
    checked = 0
    for seed in range(12):
        for state in playout(game, Random(seed), longest=12).states:
            if state.actor is Seat.ONE and not state.setting_up and state.turns:
                view = state.view(Seat.ONE)
                own, other = (
                    [(number[Code(digits)], told) for digits, told in guesses_of(view, seat)]
                    for seat in Seat
                )
                again = response.view(own[::-1], other[::-1])
                assert dict(expert.policy(again)) == pytest.approx(dict(expert.policy(view)))
                checked += 1
    assert checked > 20


def test_a_guesser_who_learns_nothing_is_too_complex_for_the_race() -> None:
    game = load("safe-cracker")
    with pytest.raises(TooComplex):
        RaceResponse(game, lambda view: Uniform(view.moves[:1])).value(Seat.TWO, silent)


def test_a_tree_of_guesses_finds_every_code_when_there_is_time() -> None:
    game = load("safe-cracker")
    codes = Codes(game, Uniform(game.start().moves))
    assert GuessTree(codes, [1.0] * 12).worth(codes.all, 0) == pytest.approx(1)
    assert GuessTree(codes, [1.0]).worth(codes.all, 0) == pytest.approx(1 / 27)


def test_a_number_has_a_mirror_image_for_each_symmetry_of_the_board() -> None:
    assert {str(code) for code in mirrored(Code((2, 5)))} == {"2-5", "5-2", "8-5", "5-8"}
    assert len(set(mirrored(Code((2, 4))))) == 8
