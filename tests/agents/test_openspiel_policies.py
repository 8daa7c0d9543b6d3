"""OpenSpiel's algorithms on our games: they find what our theory proves; policies both ways."""

from __future__ import annotations

from random import Random

import pyspiel
import pytest
from open_spiel.python.algorithms.best_response import BestResponsePolicy
from open_spiel.python.algorithms.cfr import CFRPlusSolver
from open_spiel.python.algorithms.expected_game_score import policy_value
from open_spiel.python.algorithms.exploitability import nash_conv
from open_spiel.python.bots.uniform_random import UniformRandomBot
from open_spiel.python.policy import UniformRandomPolicy, tabular_policy_from_callable
from strongroom_bluff.game import Bluff
from strongroom_bluff.theory import BluffSolution

from strongroom import load, measure
from strongroom.agents.openspiel import OpenSpielGame
from strongroom.agents.openspiel_policies import OpenSpielPlayer, OpenSpielPolicy, master
from strongroom.agents.openspiel_state import OpenSpielState
from strongroom.contract import Game, Seat
from strongroom.players import Player, player
from strongroom.theory.shelf import solution_of
from strongroom.theory.solution import NoTheory

ONE, TWO = Seat


def bluff_solution() -> BluffSolution:
    """Perfect play in Bluff."""
    return BluffSolution(Bluff(), BluffSolution.solve(Bluff(), lambda done, words: None))


def score(value: float) -> float:
    """A value from -1 to 1 as a win probability, half of what is undecided counted in."""
    return (1 + value) / 2


@pytest.mark.parametrize(
    ("name", "turn_limit"),
    [
        ("safe-cracker", 1),
        ("digit-deductions", 1),
        ("safecracker-duel", 1),
        ("safecracker-duel", 2),
    ],
)
@pytest.mark.parametrize("seed", [1, 2])
def test_a_best_response_to_master_wins_what_our_theory_says(
    name: str, turn_limit: int, seed: int
) -> None:
    game = OpenSpielGame(load(name), turn_limit)
    view = game.rules.start().view(ONE)
    secret = Random(seed).choice(view.moves)
    root = game.state_at(game.rules.start().play(secret))
    response = BestResponsePolicy(game, ONE.index, master(game), root)
    _, worth = solution_of(game.rules).worth.weighed(view, turn_limit)
    assert score(response.value(root)) == pytest.approx(worth[secret])


def test_a_best_response_late_in_quantum_duel_wins_what_our_theory_says() -> None:
    found = set()
    for seed in range(40):
        state, rng = load("quantum-duel").start(), Random(seed)
        while state.outcome is None and (state.number < 14 or not isinstance(state.actor, Seat)):
            state = state.play(rng.choice(state.moves))
        if state.outcome is not None or state.board.count(None) > 2:
            continue
        assert isinstance(state.actor, Seat)
        game = OpenSpielGame(load("quantum-duel"), state.turns + 2)
        root = game.state_at(state)
        response = BestResponsePolicy(game, state.actor.index, master(game), root)
        worth = solution_of(game.rules).worth
        expected, _ = worth.weighed(state.view(state.actor), game.turn_limit)
        assert score(response.value(root)) == pytest.approx(expected)
        found.add(expected)
    assert len(found) > 1


def test_openspiel_finds_nothing_to_exploit_in_a_certified_strategy() -> None:
    game, solution = OpenSpielGame(Bluff()), bluff_solution()

    def careless(state: OpenSpielState) -> dict[int, float]:
        return {state.legal_actions()[0]: 1.0}

    low, high = solution.certify(lambda done, words: None)
    certified = tabular_policy_from_callable(
        game, OpenSpielPolicy(game, solution.policy).action_probabilities
    )
    assert nash_conv(game, certified) == pytest.approx(2 * float(high - low), abs=1e-9)
    assert nash_conv(game, tabular_policy_from_callable(game, careless)) > 0.5


@pytest.mark.parametrize("by", [CFRPlusSolver, pyspiel.CFRPlusSolver])
def test_counterfactual_regret_minimisation_finds_the_value_of_bluff(by: type) -> None:
    game = OpenSpielGame(Bluff())
    solver = by(game)
    for _ in range(20):
        solver.evaluate_and_update_policy()
    found = tabular_policy_from_callable(
        game, lambda state: dict(solver.average_policy().action_probabilities(state))
    )
    exploitable = nash_conv(game, found)
    value = policy_value(game.new_initial_state(), [found, found])[ONE.index]
    proved, _ = bluff_solution().certify(lambda done, words: None)
    assert exploitable < 0.2
    assert abs(score(value) - proved) <= exploitable / 2


def test_counterfactual_regret_minimisation_finds_the_value_of_a_short_quantum_duel() -> None:
    game = pyspiel.load_game("strongroom_quantum_duel(turn_limit=2)")
    solver = pyspiel.CFRSolver(game)
    solver.evaluate_and_update_policy()
    value = pyspiel.expected_returns(game.new_initial_state(), solver.average_policy(), -1, True)
    worth = solution_of(game.rules).worth
    assert [*map(score, value)] == [worth.start(seat, 2) for seat in Seat]


def test_master_is_known_only_where_something_is_certified() -> None:
    with pytest.raises(NoTheory, match=r"Nothing is certified for safe-cracker,attempts=2\."):
        master(OpenSpielGame(load("safe-cracker", attempts=2)))


# --- the other way ---


@pytest.mark.parametrize("name", ["safe-cracker", "quantum-duel", "safecracker-duel"])
def test_masters_policy_sits_down_as_the_player_that_it_is(name: str) -> None:
    def seated(game: Game, rng: Random) -> Player:
        there = OpenSpielGame(game)
        return OpenSpielPlayer(master(there), there, rng)

    found = measure(seated, name, rounds=1, seed=1)
    assert found.figures[name]["cost_per_decision"] == pytest.approx(0, abs=1e-9)
    assert found.figures[name]["forfeits"] == 0


def test_a_policy_is_drawn_by_its_probabilities() -> None:
    game = OpenSpielGame(load("safe-cracker"))
    view = game.rules.start().view(ONE)
    seated = OpenSpielPlayer(UniformRandomPolicy(game), game, Random(1))
    assert len({seated.choose(view) for _ in range(300)}) == 27


def test_a_bot_of_openspiel_plays_a_game_with_ours() -> None:
    game = OpenSpielGame(load("digit-deductions"))
    seats: list[Player] = [
        OpenSpielPlayer(UniformRandomBot(0, Random(1)), game, Random(2)),
        player("casual", game.rules, Random(3)),
    ]
    state = game.rules.start()
    while state.outcome is None:
        assert isinstance(state.actor, Seat)
        state = state.play(seats[state.actor.index].choose(state.view(state.actor)))
    assert state.outcome.winner is not None
