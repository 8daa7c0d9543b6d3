"""The certified player does what its policy says."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random

import pytest
from strongroom_bluff.game import Bluff

from strongroom import load
from strongroom.contract import Ending, Seat
from strongroom.games.safe_cracker.rules import Cracked
from strongroom.players import Player, stand_in
from strongroom.players.drive import Drive
from strongroom.players.master import MasterPlayer
from strongroom.players.random import RandomPlayer
from strongroom.plugins.registry import THEORIES
from strongroom.referee.match import Match
from strongroom.referee.randomness import draws
from strongroom.testing.perft import after
from strongroom.testing.playouts import playout
from strongroom.theory.solution import NoTheory

VARIATIONS = [
    *({"digits": digits} for digits in range(4, 10)),
    {"length": 4},
    {"digits": 4, "length": 4},
    {"length": 5},
]


@pytest.mark.parametrize("name", THEORIES)
def test_the_policy_is_a_mixture_of_legal_moves_after_any_random_play(name: str) -> None:
    game = load(name)
    master = MasterPlayer(game, Random(1))
    for seed in range(3):
        for state in playout(game, Random(seed), longest=40).states:
            if isinstance(state.actor, Seat):
                policy = master.policy(state.view(state.actor))
                assert set(policy) <= set(state.moves)
                assert sum(policy.values()) == pytest.approx(1, abs=1e-12)
                assert min(policy.values()) >= 0
    for viewer in (Seat.TWO, None):
        assert master.policy(game.start().view(viewer)) == {}, "out of turn, or a spectator"


def test_moves_are_drawn_as_often_as_the_policy_says() -> None:
    game = load("safecracker-duel")
    view = game.start().view(Seat.ONE)
    master = MasterPlayer(game, Random(2))
    policy = master.policy(view)
    drawn = Counter(master.choose(view) for _ in range(4000))
    assert set(drawn) <= {move for move, weight in policy.items() if weight > 0}
    top = max(policy, key=lambda move: policy[move])
    assert drawn[top] / 4000 == pytest.approx(float(policy[top]), abs=0.02)


def test_exact_policies_are_fractions_that_sum_to_one() -> None:
    game = load("safe-cracker")
    policy = MasterPlayer(game, Random(1)).policy(game.start().view(Seat.ONE))
    assert all(isinstance(weight, Fraction) for weight in policy.values())
    assert sum(policy.values()) == 1


def test_a_win_on_offer_is_taken() -> None:
    # Player 1's code 3-4-2 is one change away, on the second turn.
    state = after("safecracker-duel", "3-4-2", "5-5-5", "1 3", "3 2")
    master = MasterPlayer(state.game, Random(1))
    assert {str(move) for move in master.policy(state.view(Seat.ONE))} == {"2 4"}


@pytest.mark.parametrize("name", THEORIES)
def test_it_beats_random_play_clearly(name: str) -> None:
    game = load(name)
    points = 0.0
    for number in range(40):
        seat = Seat.ONE if number % 2 else Seat.TWO
        players: dict[Seat, Player] = {
            seat: MasterPlayer(game, Random(f"master {number}")),
            seat.other: RandomPlayer(game, Random(f"random {number}")),
        }
        match = Match.start(game, turn_limit=60, draw=draws(number))
        outcome = Drive(match, players).run().outcome
        assert outcome is not None
        assert outcome.reason is not Ending.FORFEITED
        points += 0.5 if outcome.winner is None else float(outcome.winner is seat)
    assert points / 40 > 0.55


@pytest.mark.parametrize("options", VARIATIONS, ids=str)
def test_it_plays_the_variations_of_safe_cracker(options: dict[str, int]) -> None:
    game = load("safe-cracker", **options)
    players = {seat: MasterPlayer(game, Random(f"{seat} {options}")) for seat in Seat}
    outcome = Drive(Match.start(game, turn_limit=60, draw=draws(1)), players).run().outcome
    assert outcome is not None
    assert outcome.reason is Cracked.CRACKED


@pytest.mark.parametrize(
    "options", [{"digits": 5, "length": 4}, {"attempts": 3}, {"digits": 9, "length": 6}], ids=str
)
def test_it_refuses_options_for_which_nothing_is_certified_and_expert_stands_in(
    options: dict[str, int],
) -> None:
    game = load("safe-cracker", **options)
    with pytest.raises(NoTheory, match="Nothing is certified for safe-cracker,"):
        MasterPlayer(game, Random(1))
    name, told = stand_in("master", game)
    assert name == "expert"
    assert told.startswith("Nothing is certified for safe-cracker,")
    assert told.endswith(": expert plays instead of master.")


def test_a_player_that_can_play_needs_no_stand_in() -> None:
    for options in VARIATIONS:
        assert stand_in("master", load("safe-cracker", **options)) == ("master", "")
    assert stand_in("casual", load("safe-cracker", attempts=3)) == ("casual", "")
    assert stand_in("master", Bluff()) == ("master", ""), "expert does not know that game"
