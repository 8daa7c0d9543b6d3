"""The games in OpenSpiel: the same rules, what each player knows there, and its searches."""

from __future__ import annotations

import copy
import pickle
import re
import sys
from importlib.metadata import EntryPoint
from itertools import product
from random import Random
from typing import Any

import pyspiel
import pytest
from open_spiel.python.algorithms.best_response import BestResponsePolicy
from open_spiel.python.algorithms.exploitability import nash_conv
from open_spiel.python.bots.uniform_random import UniformRandomBot
from open_spiel.python.observation import make_observation
from open_spiel.python.policy import UniformRandomPolicy, tabular_policy_from_callable
from strongroom_bluff.game import Bluff
from strongroom_bluff.theory import BluffSolution

from strongroom import load, measure
from strongroom.contract import CHANCE, Game, Refusal, Seat
from strongroom.doors.openspiel import (
    OpenSpielGame,
    OpenSpielPlayer,
    OpenSpielPolicy,
    OpenSpielState,
    master,
    register,
    short_name,
)
from strongroom.doors.openspiel_bots import FEWEST, seats
from strongroom.players import Player, player, seat_name
from strongroom.plugins import registry
from strongroom.plugins.registry import GAMES
from strongroom.referee.bout import Bout
from strongroom.referee.match import Match
from strongroom.referee.record import Sitter
from strongroom.referee.table import Table
from strongroom.testing.perft import after
from strongroom.theory.shelf import solution_of
from strongroom.theory.solution import NoTheory

ONE, TWO = Seat
EVERY = [*(load(name) for name in GAMES), load("safe-cracker", attempts=2), Bluff()]
HIDING = [game for game in EVERY if game.secrets_each]


def drawn(state: OpenSpielState, rng: Random) -> int:
    if not state.is_chance_node():
        return int(rng.choice(state.legal_actions()))
    actions, odds = zip(*state.chance_outcomes(), strict=True)
    return int(rng.choices(actions, odds)[0])


def walked(game: Game, rng: Random, longest: int) -> OpenSpielState:
    state = OpenSpielGame(game).new_initial_state()
    for _ in range(rng.randrange(longest)):
        if not state.is_terminal():
            state.apply_action(drawn(state, rng))
    return state


@pytest.mark.parametrize("game", EVERY, ids=repr)
def test_random_games_go_as_by_our_rules_and_pass_openspiels_own_check(game: Game) -> None:
    for seed in range(3):
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
    registered = game.name in GAMES  # others cannot be found again by their names
    checked = OpenSpielGame(game, 30)
    pyspiel.random_sim_test(checked, num_sims=1, serialize=registered, verbose=False)


@pytest.mark.proof
def test_games_are_registered_with_options_and_a_turn_limit_which_are_checked() -> None:
    # It imports half of SciPy, which the other tests do without.
    from open_spiel.python.algorithms.generate_playthrough import playthrough

    for name in GAMES:
        text = playthrough(f"{short_name(name)}(turn_limit=2)", None, seed=1)
        assert f'long_name = "{load(name).title}"' in text
        assert "IsTerminal() = True" in text
    game = pyspiel.load_game("strongroom_safe_cracker(digits=4,attempts=2,turn_limit=3)")
    assert game.rules == load("safe-cracker", digits=4, attempts=2)
    assert game.max_game_length() == 2 + 3
    assert pyspiel.load_game("strongroom_safe_cracker(attempts=0)").rules.options.attempts is None
    usual = pyspiel.load_game("strongroom_safe_cracker")
    assert usual == pyspiel.load_game("strongroom_safe_cracker(digits=3)")
    assert usual == OpenSpielGame(load("safe-cracker"))
    assert usual != pyspiel.load_game("strongroom_safe_cracker(digits=4)")
    for parameters, told in (
        ("attempts=-1", "attempts must be a number from 1 to 100, or none; you gave -1."),
        ("turn_limit=0", "turn_limit must be a number from 1 to 1000000; you gave 0."),
        ("digit=4", "Unknown parameter 'digit'. Available parameters are: attempts, digits, "),
    ):
        with pytest.raises((Refusal, pyspiel.SpielError), match=f"^{re.escape(told)}[^\n]*$"):
            pyspiel.load_game(f"strongroom_safe_cracker({parameters})")


def test_an_added_game_is_registered_if_it_loads(monkeypatch: pytest.MonkeyPatch) -> None:
    modules = {"broken": "no_such_module:Game", "bluff": "strongroom_bluff.game:Bluff"}
    points = {name: EntryPoint(name, at, "strongroom.games") for name, at in modules.items()}
    monkeypatch.setattr(registry, "_entry_points", lambda kind: points)
    register()
    assert short_name("broken") not in pyspiel.registered_names()
    game = pyspiel.load_game("strongroom_bluff")
    assert game == OpenSpielGame(Bluff())
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)


def test_only_whoever_moves_has_actions_and_others_are_refused() -> None:
    state = OpenSpielGame(load("quantum-duel"), 1).new_initial_state()
    for number in (11, 27):
        told = f"^{number} is not the number of an action of quantum-duel."
        with pytest.raises(Refusal, match=told):
            state.apply_action(number)
    state.apply_action(3)
    assert state.is_terminal()
    assert state.legal_actions() == state.legal_actions(0) == []
    with pytest.raises(Refusal, match="The game is over"):
        state.apply_action(4)
    state = OpenSpielGame(load("safe-code")).new_initial_state()
    for _ in range(5):
        before = state.legal_actions()
        state.legal_actions().clear()  # a changed list changes nothing
        assert state.legal_actions() == before == state.legal_actions(state.current_player())
        assert state.legal_actions(1 - state.current_player()) == []
        state.apply_action(before[0])


@pytest.mark.parametrize("name", GAMES)
def test_a_state_survives_every_way_of_copying_it_and_a_copy_goes_its_own_way(name: str) -> None:
    state = walked(load(name), Random(4), 12)
    game, before = state.get_game(), state.bout
    copies = [
        state.clone(),
        copy.copy(state),
        copy.deepcopy(state),
        pickle.loads(pickle.dumps(state)),
        game.deserialize_state(state.serialize()),
        pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))[1],
    ]
    for other in copies:
        assert other.bout == before
        assert other.history() == state.history()
        assert other.get_game() == game
        other.apply_action(drawn(other, Random(1)))
        assert state.bout == before != other.bout
        assert other.history()[:-1] == state.history()


@pytest.mark.parametrize("game", EVERY, ids=repr)
def test_strings_and_tensors_tell_apart_what_players_know_and_nothing_else(game: Game) -> None:
    views: dict[str, Any] = {}
    tensors: dict[str, list[float]] = {}
    for seed in range(40):
        state = walked(game, Random(seed), 14)
        for seat in Seat:
            view, text = state.bout.view(seat), state.information_state_string(seat.index)
            assert views.setdefault(text, view) == view
            if not state.is_terminal():  # where the strings show the secrets, too
                tensor = state.information_state_tensor(seat.index)
                assert tensors.setdefault(text, tensor) == tensor
    assert len({tuple(tensor) for tensor in tensors.values()}) == len(tensors)


PRIVATE, KIND = pyspiel.PrivateInfoType, pyspiel.IIGObservationType
KINDS = [
    KIND(perfect_recall=recall, public_info=shown, private_info=secret)
    for recall, shown in product((False, True), repeat=2)
    for secret in (PRIVATE.NONE, PRIVATE.SINGLE_PLAYER)
]


@pytest.mark.parametrize("game", HIDING, ids=repr)
def test_nothing_tells_what_is_hidden_from_a_player(game: Game) -> None:
    observers = [make_observation(OpenSpielGame(game), kind) for kind in (None, *KINDS)]
    differed = False
    for seed in range(12):
        rng = Random(seed)
        state = walked(game, rng, 14)
        for seat in () if state.is_terminal() else Seat:
            other = state.resample_from_infostate(seat.index, rng.random)
            assert other.bout.view(seat) == state.bout.view(seat)
            for tells in (state.information_state_string, state.information_state_tensor):
                assert getattr(other, tells.__name__)(seat.index) == tells(seat.index)
            for observer in observers:
                told = [observed(observer, each, seat.index) for each in (state, other)]
                assert told[0] == told[1]
            assert len(other.history()) == len(state.history())
            differed |= other.bout.state.secrets != state.bout.state.secrets
    assert differed
    while not other.is_terminal():  # a resampled state goes on like any other
        other.apply_action(drawn(other, rng))
    assert other.returns()[0] in (-1, 0, 1)


def observed(observer: Any, state: OpenSpielState, player: int) -> tuple[str, list[float]]:
    observer.set_from(state, player)
    assert [part for each in observer.dict.values() for part in each.flat] == [*observer.tensor]
    return observer.string_from(state, player), observer.tensor.tolist()


def test_a_public_observation_is_the_same_for_both_and_none_shows_both_secrets() -> None:
    state = walked(load("safe-cracker"), Random(2), 9)
    game, public = state.get_game(), KIND(perfect_recall=True, private_info=PRIVATE.NONE)
    observer = make_observation(game, public)
    assert observed(observer, state, 0) == observed(observer, state, 1)
    with pytest.raises(ValueError, match="No observer shows what several players keep private"):
        make_observation(game, KIND(perfect_recall=True, private_info=PRIVATE.ALL_PLAYERS))


@pytest.mark.parametrize("search", ["mcts", "ismcts"])
def test_a_search_follows_its_seed_and_takes_a_certain_win(search: str) -> None:
    for name in GAMES:
        view = walked(load(name), Random(5), 1).bout.view(ONE)
        named = f"openspiel:{search}?simulations=20"
        one, other = (player(named, load(name), Random(7)).choose(view) for _ in "12")
        assert one == other
        assert one in {*view.moves}
    guesses = ("3-2-2", "1-1-2", "3-3-1", "1-2-2", "2-2-1", "1-3-3")
    view = after("safe-cracker", "1-1-1", "3-2-1", *guesses).view(ONE)
    seated = player(f"openspiel:{search}?simulations=200", load("safe-cracker"), Random(1))
    assert str(seated.choose(view)) == "3-2-1"


def test_a_name_of_no_search_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    for text, told in (
        ("minimax", "Choose from: openspiel:mcts, openspiel:ismcts."),
        ("mcts,simulations=1000", "Write openspiel:mcts?simulations=100, for example."),
        ("mcts?simulations=ten", "Write openspiel:mcts?simulations=100, for example."),
        ("ismcts?simulations=1", f"simulations must be a number from {FEWEST} to"),
    ):
        with pytest.raises(Refusal, match=re.escape(told)):
            seats(text)
    long = seat_name("openspiel:ismcts?simulations=1000000")
    assert Sitter(long).name.startswith("ismcts?simul")
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(Refusal, match=r"Install it: pip install 'strongroom\[openspiel\]'"):
        player("openspiel:mcts", load("quantum-duel"), Random(1))


@pytest.mark.parametrize("name", ["safe-cracker", "digit-deductions", "safecracker-duel"])
def test_a_best_response_to_master_wins_what_our_theory_says(name: str) -> None:
    turn_limit = 2 if name == "safecracker-duel" else 1
    game = OpenSpielGame(load(name), turn_limit)
    view = game.rules.start().view(ONE)
    secret = Random(1).choice(view.moves)
    root = game.state_at(game.rules.start().play(secret))
    response = BestResponsePolicy(game, ONE.index, master(game), root)
    _, worth = solution_of(game.rules).worth.weigh(view, turn_limit)
    won = (1 + response.value(root)) / 2  # half of what is undecided counted in
    assert won == pytest.approx(worth[secret])


def test_openspiel_finds_nothing_to_exploit_in_a_certified_strategy() -> None:
    game = OpenSpielGame(Bluff())
    solution = BluffSolution(Bluff(), BluffSolution.solve(Bluff(), lambda done, words: None))

    def careless(state: OpenSpielState) -> dict[int, float]:
        return {state.legal_actions()[0]: 1.0}

    low, high = solution.certify(lambda done, words: None)
    certified = tabular_policy_from_callable(
        game, OpenSpielPolicy(game, solution.policy).action_probabilities
    )
    assert nash_conv(game, certified) == pytest.approx(2 * float(high - low), abs=1e-9)
    assert nash_conv(game, tabular_policy_from_callable(game, careless)) > 0.5


@pytest.mark.proof
@pytest.mark.parametrize("name", ["safe-cracker", "quantum-duel", "safecracker-duel"])
def test_masters_policy_sits_down_as_the_player_that_it_is(name: str) -> None:
    def seated(game: Game, rng: Random) -> Player:
        there = OpenSpielGame(game)
        return OpenSpielPlayer(master(there), there, rng)

    found = measure(seated, name, rounds=1, seed=1)
    assert found.figures[name]["cost_per_decision"] == pytest.approx(0, abs=1e-9)
    assert found.figures[name]["forfeits"] == 0
    with pytest.raises(NoTheory, match=r"safe-cracker,attempts=2\..* Or choose expert"):
        master(OpenSpielGame(load("safe-cracker", attempts=2)))


def test_a_policy_is_drawn_by_its_probabilities_and_a_bot_of_openspiel_plays_with_ours() -> None:
    game = OpenSpielGame(load("safe-cracker"))
    view = game.rules.start().view(ONE)
    seated = OpenSpielPlayer(UniformRandomPolicy(game), game, Random(1))
    assert len({seated.choose(view) for _ in range(300)}) == 27
    game = OpenSpielGame(load("digit-deductions"))
    both: list[Player] = [
        OpenSpielPlayer(UniformRandomBot(0, Random(1)), game, Random(2)),
        player("casual", game.rules, Random(3)),
    ]
    match = Table(Match.start(game.rules), dict(zip(Seat, both, strict=True))).run()
    assert match.outcome is not None
    assert match.outcome.detail == ""
    assert match.outcome.winner is not None
