"""The games in OpenSpiel: the same rules, what each player knows there, and its searches."""

from __future__ import annotations

import sys
from random import Random
from typing import Any

import pyspiel
import pytest
from open_spiel.python.algorithms.exploitability import nash_conv
from open_spiel.python.policy import tabular_policy_from_callable
from strongroom_bluff.game import Bluff
from strongroom_bluff.theory import BluffSolution

from strongroom import load, measure
from strongroom.agents.openspiel import OpenSpielGame
from strongroom.agents.openspiel_bots import FEWEST, seats
from strongroom.agents.openspiel_state import OpenSpielState
from strongroom.contract import CHANCE, Game, Refusal, Seat
from strongroom.players import called, player
from strongroom.plugins.registry import GAMES
from strongroom.referee.bout import Bout
from strongroom.referee.sitter import Sitter

ONE, TWO = Seat
EVERY = [*(load(name) for name in GAMES), load("safe-cracker", attempts=2), Bluff()]
HIDING = [game for game in EVERY if game.secrets_each]


def drawn(state: OpenSpielState, rng: Random) -> int:
    """A random action, or what chance decides."""
    if not state.is_chance_node():
        return int(rng.choice(state.legal_actions()))
    actions, odds = zip(*state.chance_outcomes(), strict=True)
    return int(rng.choices(actions, odds)[0])


def walked(game: Game, rng: Random, longest: int) -> OpenSpielState:
    """The state after some random moves."""
    state = OpenSpielGame(game).new_initial_state()
    for _ in range(rng.randrange(longest)):
        if state.is_terminal():
            break
        state.apply_action(drawn(state, rng))
    return state


# --- the rules ---


@pytest.mark.parametrize("game", EVERY, ids=repr)
def test_random_games_go_as_by_our_rules(game: Game) -> None:
    for seed in range(8):
        rng, bout = Random(seed), Bout.start(game, 100)
        state = OpenSpielGame(game, 100).new_initial_state()
        while (actor := bout.actor) is not None:
            by_chance = actor is CHANCE
            assert state.is_chance_node() == by_chance
            assert not isinstance(actor, Seat) or state.current_player() == actor.index
            texts = [state.action_to_string(number) for number in state.legal_actions()]
            assert texts == [*map(str, bout.state.moves)]
            if by_chance:
                assert tuple(odds for _, odds in state.chance_outcomes()) == bout.state.odds
            action = drawn(state, rng)
            bout = bout.play(game.move(state.action_to_string(action)))
            state.apply_action(action)
        assert state.is_terminal()
        assert state.bout == bout
        assert bout.outcome is not None
        assert state.returns() == {None: [0, 0], ONE: [1, -1], TWO: [-1, 1]}[bout.outcome.winner]


@pytest.mark.parametrize("game", EVERY, ids=repr)
def test_openspiels_own_check_of_a_game_passes(game: Game) -> None:
    pyspiel.random_sim_test(OpenSpielGame(game), num_sims=3, serialize=False, verbose=False)


def test_a_clone_goes_its_own_way() -> None:
    state = walked(load("quantum-duel"), Random(1), 2)
    clone, before = state.clone(), state.bout
    clone.apply_action(clone.legal_actions()[0])
    assert state.bout == before
    assert clone.bout != before
    assert clone.history()[:-1] == state.history()


def test_openspiel_finds_nothing_to_exploit_in_a_certified_strategy() -> None:
    game = OpenSpielGame(Bluff())
    solution = BluffSolution(Bluff(), BluffSolution.solve(Bluff(), lambda done, words: None))

    def certified(state: OpenSpielState) -> dict[int, float]:
        policy = solution.policy(state.bout.view(list(Seat)[state.current_player()]))
        return {Bluff().actions.index(move): float(odds) for move, odds in policy.items()}

    def careless(state: OpenSpielState) -> dict[int, float]:
        return {state.legal_actions()[0]: 1.0}

    found = nash_conv(game, tabular_policy_from_callable(game, certified))
    assert found == pytest.approx(0, abs=1e-9)
    assert nash_conv(game, tabular_policy_from_callable(game, careless)) > 0.5


# --- what a player knows ---


@pytest.mark.parametrize("game", HIDING, ids=repr)
def test_what_a_player_knows_does_not_depend_on_what_is_hidden(game: Game) -> None:
    differed = False
    for seed in range(30):
        rng = Random(seed)
        state = walked(game, rng, 14)
        for seat in () if state.is_terminal() else Seat:
            other = state.resample_from_infostate(seat.index, rng.random)
            known = state.information_state_string(seat.index)
            assert other.information_state_string(seat.index) == known
            assert other.bout.view(seat) == state.bout.view(seat)
            differed |= other.bout.state.secrets != state.bout.state.secrets
    assert differed


@pytest.mark.parametrize("game", EVERY, ids=repr)
def test_a_player_who_knows_something_else_has_another_information_state(game: Game) -> None:
    seen: dict[str, Any] = {}
    for seed in range(60):
        state = walked(game, Random(seed), 14)
        for seat in Seat:
            view = state.bout.view(seat)
            assert seen.setdefault(state.information_state_string(seat.index), view) == view


@pytest.mark.parametrize("game", HIDING, ids=repr)
def test_a_resampled_state_goes_on_like_any_other(game: Game) -> None:
    rng = Random(3)
    state = walked(game, rng, 8)
    other = state.resample_from_infostate(0, rng.random)
    assert len(other.history()) == len(state.history())
    while not other.is_terminal():
        other.apply_action(drawn(other, rng))
    assert other.returns()[0] in (-1, 0, 1)


# --- the searches ---


@pytest.mark.parametrize("search", ["mcts", "ismcts"])
@pytest.mark.parametrize("name", GAMES)
def test_a_search_makes_the_same_legal_move_from_the_same_seed(search: str, name: str) -> None:
    game = load(name)
    view = walked(game, Random(5), 1).bout.view(ONE)
    chosen = {
        player(f"openspiel:{search}?simulations=20", game, Random(7)).choose(view) for _ in "12"
    }
    assert len(chosen) == 1
    assert chosen <= {*view.moves}


@pytest.mark.parametrize("search", ["mcts", "ismcts"])
def test_a_search_takes_a_win_that_is_certain(search: str) -> None:
    game = load("safe-cracker")
    state = game.start()
    for text in ("1-1-1", "3-2-1", "3-2-2", "1-1-2", "3-3-1", "1-2-2", "2-2-1"):
        state = state.play(game.move(text))
    state = state.play(game.move("1-3-3"))
    found = player(f"openspiel:{search}?simulations=200", game, Random(1)).choose(state.view(ONE))
    assert str(found) == "3-2-1"


def test_a_search_is_measured_like_any_player() -> None:
    found = measure("openspiel:ismcts?simulations=5", "safe-cracker", rounds=2)
    assert found.figures["safe-cracker"]["games"] == 4
    assert found.figures["safe-cracker"]["forfeits"] == 0


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("minimax", "Choose from: openspiel:mcts, openspiel:ismcts."),
        ("mcts?speed=3", "Write openspiel:mcts?simulations=100, for example."),
        ("mcts?simulations=ten", "Write openspiel:mcts?simulations=100, for example."),
        ("ismcts?simulations=1", f"simulations must be a number from {FEWEST} to"),
    ],
)
def test_a_name_that_asks_for_something_else_is_refused(text: str, told: str) -> None:
    with pytest.raises(Refusal) as refused:
        seats(text)
    assert told in str(refused.value)


def test_a_search_of_any_length_has_a_name_at_the_table() -> None:
    assert Sitter(called("openspiel:ismcts?simulations=1000000")).name.startswith("ismcts?simul")


def test_without_openspiel_a_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(Refusal, match=r"Install it: pip install 'strongroom\[openspiel\]'"):
        player("openspiel:mcts", load("quantum-duel"), Random(1))
