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


def test_the_best_response_to_the_certified_player_wins_what_is_certified() -> None:
    duel = DuelResponse(SafecrackerDuel(), certified(SafecrackerDuel()))
    assert duel.settled == 3
    assert duel.value(Seat.ONE, silent) == pytest.approx(VALUE)
    assert duel.value(Seat.TWO, silent) == pytest.approx(1 - VALUE)
    chain = ChainWorth(QuantumDuel(), certified(QuantumDuel()))
    assert [chain.start(seat, 60) for seat in Seat] == pytest.approx([0.5, 0.5])


def test_players_who_never_settle_reveal_much_or_learn_nothing_are_too_complex() -> None:
    duel, code, cracker = SafecrackerDuel(), SafeCode(), load("safe-cracker")
    response = DuelResponse(duel, RandomPlayer(duel, Random(1)).policy)
    assert response.settled is None
    with pytest.raises(TooComplex):
        response.value(Seat.ONE, silent)
    with pytest.raises(TooComplex, match="tell more"):
        ClueResponse(code, RandomPlayer(code, Random(1)).policy).value(Seat.ONE, silent)
    with pytest.raises(TooComplex, match="tells nothing"):
        RaceResponse(cracker, lambda view: Uniform(view.moves[:1])).value(Seat.TWO, silent)


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


@pytest.mark.parametrize("name", ["safe-cracker", "digit-deductions"])
def test_the_experts_guesses_depend_only_on_the_remaining_codes(name: str) -> None:
    game = load(name)
    expert = ExpertPlayer(game, Random(1))
    response = RaceResponse(game, expert.policy)
    number = response.codes.number
    checked = 0
    for seed in range(6):
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
    assert checked > 8


def test_a_tree_of_guesses_finds_every_code_when_there_is_time() -> None:
    game = load("safe-cracker")
    codes = Codes(game, Uniform(game.start().moves))
    assert GuessTree(codes, [1.0] * 12).worth(codes.all, 0) == pytest.approx(1)
    assert GuessTree(codes, [1.0]).worth(codes.all, 0) == pytest.approx(1 / 27)


def test_a_number_has_a_mirror_image_for_each_symmetry_of_the_board() -> None:
    assert {str(code) for code in mirrored(Code((2, 5)))} == {"2-5", "5-2", "8-5", "5-8"}
    assert len(set(mirrored(Code((2, 4))))) == 8
