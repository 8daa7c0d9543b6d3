"""The games in OpenSpiel: the same rules, what each player knows there, and its searches."""

from __future__ import annotations

import copy
import pickle
import sys
from importlib import import_module
from importlib.metadata import EntryPoint
from random import Random
from typing import Any

import pyspiel
import pytest
from open_spiel.python.algorithms.generate_playthrough import playthrough
from open_spiel.python.observation import make_observation
from strongroom_bluff.game import Bluff

from strongroom import load, measure
from strongroom.agents.openspiel import OpenSpielGame, register, short_name
from strongroom.agents.openspiel_bots import FEWEST, seats
from strongroom.agents.openspiel_state import OpenSpielState
from strongroom.contract import CHANCE, Game, Refusal, Seat
from strongroom.players import called, player
from strongroom.plugins import registry
from strongroom.plugins.extras import MissingExtra
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
    registered = game.name in GAMES  # others cannot be found again by their names
    checked = OpenSpielGame(game, 30)
    pyspiel.random_sim_test(checked, num_sims=2, serialize=registered, verbose=False)


@pytest.mark.parametrize("name", GAMES)
def test_every_game_is_registered_and_gives_a_playthrough(name: str) -> None:
    text = playthrough(f"{short_name(name)}(turn_limit=2)", None, seed=1)
    assert f'long_name = "{load(name).title}"' in text
    assert "IsTerminal() = True" in text


def test_options_and_the_turn_limit_are_parameters() -> None:
    game = pyspiel.load_game("strongroom_safe_cracker(digits=4,attempts=2,turn_limit=3)")
    assert game.rules == load("safe-cracker", digits=4, attempts=2)
    assert game.max_game_length() == 2 + 3
    assert pyspiel.load_game("strongroom_safe_cracker(attempts=0)").rules.options.attempts is None


def test_games_are_equal_if_their_parameters_are() -> None:
    usual = pyspiel.load_game("strongroom_safe_cracker")
    assert usual == pyspiel.load_game("strongroom_safe_cracker(digits=3)")
    assert usual == OpenSpielGame(load("safe-cracker"))
    assert usual != pyspiel.load_game("strongroom_safe_cracker(digits=4)")


@pytest.mark.parametrize(
    ("parameters", "told"),
    [
        ("digits=2", "digits must be a number from 3 to 9; you gave 2."),
        ("attempts=-1", "attempts must be a number from 1 to 100, or none; you gave -1."),
        ("turn_limit=0", "turn_limit must be a number from 1 to 1000000; you gave 0."),
        ("digit=4", "Unknown parameter 'digit'. Available parameters are: attempts, digits, "),
        ("digits=four", "Wrong type for parameter digits."),
    ],
)
def test_bad_parameters_get_one_clear_line(parameters: str, told: str) -> None:
    with pytest.raises((Refusal, pyspiel.SpielError)) as refused:
        pyspiel.load_game(f"strongroom_safe_cracker({parameters})")
    assert told in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_game_of_a_package_that_does_not_load_is_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    point = EntryPoint("broken", "no_such_module:Game", "strongroom.games")
    monkeypatch.setattr(registry, "_added", lambda kind: {"broken": point})
    register()
    assert short_name("broken") not in pyspiel.registered_names()


def test_a_game_of_another_package_is_registered_like_ours(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    point = EntryPoint("bluff", "strongroom_bluff.game:Bluff", "strongroom.games")
    monkeypatch.setattr(registry, "_added", lambda kind: {"bluff": point})
    register()
    game = pyspiel.load_game("strongroom_bluff")
    assert game == OpenSpielGame(Bluff())
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)


@pytest.mark.parametrize("number", [11, 27])
def test_an_action_that_no_move_has_is_refused(number: int) -> None:
    state = OpenSpielGame(load("quantum-duel")).new_initial_state()
    with pytest.raises(Refusal, match=f"^{number} is not the number of an action of quantum-duel."):
        state.apply_action(number)


def test_nothing_is_played_after_the_turn_limit() -> None:
    state = OpenSpielGame(load("quantum-duel"), 1).new_initial_state()
    state.apply_action(3)
    assert state.is_terminal()
    assert state.legal_actions() == state.legal_actions(0) == []
    with pytest.raises(Refusal, match="The game is over"):
        state.apply_action(4)


@pytest.mark.parametrize("name", GAMES)
def test_a_state_survives_every_way_of_copying_it(name: str) -> None:
    state = walked(load(name), Random(4), 12)
    game = state.get_game()
    copies = [
        state.clone(),
        copy.copy(state),
        copy.deepcopy(state),
        pickle.loads(pickle.dumps(state)),
        game.deserialize_state(state.serialize()),
        pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))[1],
    ]
    for other in copies:
        assert other.bout == state.bout
        assert other.history() == state.history()
        assert other.get_game() == game


def test_a_changed_list_of_legal_actions_changes_nothing() -> None:
    state = walked(load("safe-code"), Random(1), 1)
    for _ in range(5):
        before = state.legal_actions()
        state.legal_actions().clear()
        assert state.legal_actions() == before
        state.apply_action(before[0])


def test_only_the_player_to_move_has_legal_actions() -> None:
    state = OpenSpielGame(load("safe-cracker")).new_initial_state()
    assert len(state.legal_actions(0)) == 27
    assert state.legal_actions(1) == []


def test_a_clone_goes_its_own_way() -> None:
    state = walked(load("quantum-duel"), Random(1), 2)
    clone, before = state.clone(), state.bout
    clone.apply_action(clone.legal_actions()[0])
    assert state.bout == before
    assert clone.bout != before
    assert clone.history()[:-1] == state.history()


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


@pytest.mark.parametrize("game", EVERY, ids=repr)
def test_tensors_tell_apart_what_strings_tell_apart(game: Game) -> None:
    seen: dict[str, list[float]] = {}
    for seed in range(60):
        state = walked(game, Random(seed), 14)
        if not state.is_terminal():  # where the strings show the secrets, too
            for player in (0, 1):
                text = state.information_state_string(player)
                seen.setdefault(text, state.information_state_tensor(player))
                assert seen[text] == state.information_state_tensor(player)
    assert len({tuple(tensor) for tensor in seen.values()}) == len(seen)


@pytest.mark.parametrize("game", HIDING, ids=repr)
def test_no_observer_tells_what_is_hidden(game: Game) -> None:
    private, public = pyspiel.PrivateInfoType, pyspiel.IIGObservationType
    kinds = [
        public(perfect_recall=recall, public_info=shown, private_info=secret)
        for recall in (False, True)
        for shown in (False, True)
        for secret in (private.NONE, private.SINGLE_PLAYER)
    ]
    observers = [make_observation(OpenSpielGame(game), kind) for kind in (None, *kinds)]
    for seed in range(5):
        rng = Random(seed)
        state = walked(game, rng, 14)
        for seat in () if state.is_terminal() else Seat:
            other = state.resample_from_infostate(seat.index, rng.random)
            for observer in observers:
                told = [observed(observer, each, seat.index) for each in (state, other)]
                assert told[0] == told[1]


def observed(observer: Any, state: OpenSpielState, player: int) -> tuple[str, list[float]]:
    """What an observer writes, as text and as numbers."""
    observer.set_from(state, player)
    parts = [number for part in observer.dict.values() for number in part.flat]
    assert parts == observer.tensor.tolist()
    return observer.string_from(state, player), parts


def test_a_public_observation_is_the_same_for_both() -> None:
    kind = pyspiel.IIGObservationType(
        perfect_recall=True, private_info=pyspiel.PrivateInfoType.NONE
    )
    state = walked(load("safe-cracker"), Random(2), 9)
    observer = make_observation(state.get_game(), kind)
    assert observed(observer, state, 0) == observed(observer, state, 1)


def test_no_observer_shows_both_players_secrets() -> None:
    kind = pyspiel.IIGObservationType(
        perfect_recall=True, private_info=pyspiel.PrivateInfoType.ALL_PLAYERS
    )
    with pytest.raises(ValueError, match="No observer shows what several players keep private"):
        make_observation(OpenSpielGame(load("safe-cracker")), kind)


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
    found = measure("openspiel:ismcts?simulations=5", "safe-cracker", rounds=2, seed=1)
    assert found.figures["safe-cracker"]["games"] == 4
    assert found.figures["safe-cracker"]["forfeits"] == 0


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("minimax", "Choose from: openspiel:mcts, openspiel:ismcts."),
        ("mcts,simulations=1000", "Write openspiel:mcts?simulations=100, for example."),
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


def test_without_openspiel_the_door_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [each for each in sys.modules if each.startswith("strongroom.agents.openspiel")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(MissingExtra, match=r"^strongroom.agents.openspiel needs the extra open"):
        import_module("strongroom.agents.openspiel")
