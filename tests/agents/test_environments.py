"""A view as numbers, and the environments of Gymnasium and PettingZoo that tell a seat of it."""

from __future__ import annotations

import pickle
import re
import runpy
import sys
import warnings
from collections.abc import Iterable, Iterator
from copy import deepcopy
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.utils import wrappers
from strongroom_bluff.game import Bluff

from strongroom.agents.gymnasium import SeatEnv
from strongroom.agents.observation import EVENT, Observer
from strongroom.agents.pettingzoo import AGENTS, env, raw_env
from strongroom.agents.policy_player import PolicyPlayer
from strongroom.contract import Game, NotLegal, Phase, Refusal, Seat, View
from strongroom.measuring.account import account
from strongroom.plugins.registry import GAMES, env_id, load
from strongroom.referee.bout import UNDECIDED, Bout
from strongroom.testing.perft import after
from strongroom.testing.playouts import playout
from strongroom.theory.shelf import solution_of
from tests.agents.hears import seat_hears
from tests.plugins.packages import BLUFF, add_package

FULL = [*map(load, GAMES), load("safecracker-duel", allow_same_digit=True), Bluff()]
LARGE = load("safe-cracker", digits=9, length=6, attempts=10)


def decisions(bout: Bout) -> Iterator[Bout]:
    """The bout and all that can follow it, wherever a seat has to decide."""
    if bout.outcome is None:
        if isinstance(bout.actor, Seat):
            yield bout
        last = bout.turn_limit is None and bout.state.turns + 1 == bout.state.game.most_turns
        if not (last and isinstance(bout.actor, Seat)):  # what only ends the game is not played
            for move in bout.state.moves:
                yield from decisions(bout.play(move))


def sampled(game: Game, games: int = 8) -> list[View]:
    """The views of both seats at each moment of some random games that go on."""
    return [
        state.view(seat)
        for seed in range(games)
        for state in playout(game, Random(seed), longest=60).states
        if state.outcome is None
        for seat in Seat
    ]


def check_one_vector_for_one_view(observer: Observer, views: Iterable[View]) -> int:
    """Assert that views are equal if and only if their vectors are, and count the vectors."""
    vectors: dict[object, bytes] = {}
    known: dict[bytes, object] = {}
    for view in views:
        vector = observer.observe(view).tobytes()
        legal = (*observer.game.actions.ranges(view.moves),)
        told = (view._replace(moves=()), legal)  # half a million moves would take long to compare
        assert vectors.setdefault(told, vector) == vector
        assert known.setdefault(vector, told) == told
    return len(known)


@pytest.mark.parametrize(
    ("game", "turn_limit"), [(Bluff(), None), (load("quantum-duel"), 3)], ids=repr
)
def test_every_information_state_of_a_small_game_has_a_vector_of_its_own(
    game: Game, turn_limit: int | None
) -> None:
    bouts = [*decisions(Bout.start(game, turn_limit))]
    views = [bout.view(seat) for bout in bouts for seat in Seat]
    told = check_one_vector_for_one_view(Observer(game, turn_limit), views)
    assert told == len(views) if not game.secrets_each else 10 < told < len(views)


@pytest.mark.parametrize("game", [*FULL, LARGE], ids=repr)
def test_views_have_vectors_of_their_own_and_masks_within_bounds(game: Game) -> None:
    observer, views = Observer(game), sampled(game)
    assert check_one_vector_for_one_view(observer, views) > 10
    assert observer.largest <= np.iinfo(observer.dtype).max
    assert observer.dtype == (np.int32 if game is LARGE else np.int16)
    for view in views[:40] + views[-40:]:
        vector, mask = observer.observe(view), observer.mask(view)
        assert vector.shape == (observer.size,)
        assert vector.dtype == observer.dtype
        assert abs(vector).max() <= observer.largest
        assert mask.shape == (observer.actions,)
        assert mask.dtype == np.int8
        if game is not LARGE:
            assert mask.nonzero()[0].tolist() == [game.actions.index(move) for move in view.moves]


@pytest.mark.parametrize("game", FULL, ids=repr)
def test_a_vector_depends_on_nothing_hidden_and_on_nothing_written_before(game: Game) -> None:
    used, rng = Observer(game), Random(1)
    for view in rng.sample(sampled(game), 30):
        fresh = deepcopy(used) if rng.random() < 0.5 else Observer(game)
        other = game.sample(view, rng).view(view.seat)
        for written in (used.observe(other), fresh.observe(view)):
            assert (used.observe(view) == written).all()
        for mask in (used.mask(other), fresh.mask(view)):
            assert (used.mask(view) == mask).all()


def test_the_parts_of_a_vector_say_what_they_are_said_to() -> None:
    state = after("safe-cracker", "1-1-1", "1-2-3", "3-2-1", "1-3-1")
    game, observer = state.game, Observer(state.game)
    vector = observer.observe(state.view(Seat.TWO))
    parts = {name: vector[where].tolist() for name, where in observer.layout.items()}
    number = {text: game.actions.index(game.move(text)) + 1 for text in ("1-2-3", "3-2-1", "1-3-1")}
    assert parts.pop("history")[: 3 * EVENT] == [-number["1-3-1"], 3, number["3-2-1"], 2, 0, 0]
    own = [number["1-2-3"]]
    assert parts == {"seat": [2], "actor": [1], "number": [4], "own": own, "board": []}


def test_what_chance_did_in_the_open_is_marked_and_vectors_and_masks_are_the_callers() -> None:
    observer = Observer(load("quantum-duel"))
    start = observer.game.start().view(Seat.ONE)
    observer.observe(start)[:] = 7
    observer.mask(start)[:] = 0
    assert observer.observe(start)[:3].tolist() == [1, 1, 0]
    assert observer.mask(start).sum() == 7
    state = after("quantum-duel", "4", "1", "3", "yes", "heads")
    latest = observer.observe(state.view(Seat.ONE))[observer.layout["history"]][:EVENT]
    assert latest[0] - 1 == observer.game.actions.section(Phase.CHANCE).start
    assert latest[1] < 0


def test_a_memory_keeps_the_latest_events_and_what_makes_no_sense_is_refused() -> None:
    game = load("quantum-duel")
    everything = Observer(game)
    for memory in (0, 1, 5):
        some = Observer(game, memory=memory)
        for view in sampled(game, games=2):
            assert (everything.observe(view)[: some.size] == some.observe(view)).all()
        assert some.size == everything.layout["history"].start + EVENT * memory
    game = load("safe-cracker")
    assert Observer(load("safe-cracker", attempts=4), turn_limit=None).size > 0
    wrong: list[dict[str, Any]] = [{"memory": -1}, {"memory": "10"}]
    wrong += [{"turn_limit": 0}, {"turn_limit": 1.5}, {"turn_limit": None}]
    for numbers in wrong:
        with pytest.raises(Refusal, match=r"at least|Set a turn limit, like turn_limit=100"):
            Observer(game, **numbers)


QUANTUM = "strongroom/QuantumDuel-v0"


def made(name: str = QUANTUM, **settings: Any) -> Any:
    env = gymnasium.make(name, **settings).unwrapped
    assert isinstance(env, SeatEnv)
    return env


def episode(env: SeatEnv, seed: int | None = None) -> list[Any]:
    """All that an agent sees in a game in which it always takes the first legal action."""
    observation, info = env.reset(seed=seed)
    seen: list[Any] = [observation.tolist()]
    over = False
    while not over:
        action = info["action_mask"].argmax()
        observation, reward, terminated, truncated, info = env.step(action)
        seen.append((observation.tolist(), reward, terminated, truncated))
        over = terminated or truncated
    return seen


@pytest.mark.parametrize("name", GAMES)
def test_every_game_passes_the_check_without_a_warning(name: str) -> None:
    check_env(made(env_id(name), opponent="casual", seat=2, memory=3))


def test_the_usual_settings_and_costs_pass_it_too_and_nothing_is_registered_twice() -> None:
    check_env(made())
    check_env(made(reward="cost", seat=1))
    module = sys.modules[SeatEnv.__module__].__file__
    assert module is not None
    runpy.run_path(module)  # a second registration would warn


def test_the_same_seed_gives_the_same_episodes_and_further_ones_follow_from_it() -> None:
    one, two = made(opponent="casual"), made(opponent="casual")
    first = [episode(one, 5), episode(one), episode(one)]
    assert [episode(two, 5), episode(two), episode(two)] == first
    assert first[0] != first[1] != first[2]
    assert [episode(two, 6), episode(two), episode(two)] != first
    seats = {one.reset(seed=seed)[0][one.observer.layout["seat"]][0] for seed in range(8)}
    assert seats == {1, 2}  # without a seat, both are played


def test_vectors_of_environments_play_the_games_of_their_seeds() -> None:
    spawned = {"context": "spawn"}
    envs = gymnasium.make_vec(QUANTUM, 2, "async", spawned, opponent="random", seat=1)
    observations, infos = envs.reset(seed=4)
    alone = [made(opponent="random", seat=1) for _ in range(2)]
    starts = [env.reset(seed=4 + number)[0] for number, env in enumerate(alone)]
    assert (observations == np.stack(starts)).all()
    for _ in range(3):
        actions = infos["action_mask"].argmax(axis=1)
        observations, rewards, ended, _, infos = envs.step(actions)
        steps = [env.step(action) for env, action in zip(alone, actions, strict=True)]
        assert (observations == np.stack([step[0] for step in steps])).all()
        assert rewards.tolist() == [step[1] for step in steps]
        assert not ended.any()
    envs.close()


def test_masks_are_those_of_the_legal_moves_until_the_end() -> None:
    env = made("strongroom/SafeCode-v0", opponent="random")
    _, info = env.reset(seed=1)
    legal = [env.game.actions.index(move) for move in env.sitting.view.moves]
    for mask in (info["action_mask"], env.action_masks()):
        assert np.flatnonzero(mask).tolist() == legal
    assert env.action_space.contains(env.action_space.sample(info["action_mask"]))
    *_, (_, reward, terminated, truncated) = episode(env, 1)
    assert env.sitting.forfeited is None
    assert (reward, terminated, truncated) == (env.sitting.result, True, False)
    assert not env.action_masks().any()


@pytest.mark.parametrize(
    ("action", "why"), [(7, "yes is not a cell"), (-3, "no action -3"), (9, "no action 9")]
)
def test_an_illegal_action_loses_the_game_and_says_why(action: int, why: str) -> None:
    for reward, lost in (("result", -1.0), ("cost", -0.5)):
        env = made(seat=1, reward=reward)
        env.reset(seed=1)
        for no_number in (2.5, "2", None):
            with pytest.raises(TypeError, match="integer"):
                env.step(no_number)
        assert env.sitting.decided == []
        _, gained, terminated, truncated, info = env.step(action)
        assert (gained, terminated, truncated) == (lost, True, False)
        assert why in info["reason"]
        with pytest.raises(gymnasium.error.ResetNeeded, match="reset"):
            env.step(0)


def test_a_turn_limit_options_and_a_policy_as_the_opponent_are_settings() -> None:
    *_, (_, reward, terminated, truncated) = episode(made(opponent="random", turn_limit=2), 1)
    assert (reward, terminated, truncated) == (0.0, False, True)
    env = made("strongroom/SafeCracker-v0", digits=4, opponent="random")
    assert env.game == load("safe-cracker", digits=4)
    first = PolicyPlayer(load("quantum-duel"), lambda observation, mask: mask.argmax())
    env = made(opponent=first, seat=2)
    assert episode(env, 1)
    assert env.sitting.forfeited is None


def test_the_picture_is_what_the_seat_knows() -> None:
    env = made("strongroom/SafeCracker-v0", opponent="random", seat=1, render_mode="ansi")
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.render()
    env.reset(seed=1)
    env.step(env.game.actions.index(env.game.move("2-1-3")))
    picture = env.render() or ""
    assert "You are Player 1." in picture
    assert "2-1-3" in picture
    assert str(env.sitting.record.steps[1].move) not in picture  # what is hidden


def test_the_reward_cost_is_minus_what_each_move_cost_and_the_end_tells_all() -> None:
    env = made(reward="cost", seat=2)
    rewards = [reward for _, reward, *_ in episode(env, 2)[1:]]
    own = account(env.sitting.record, Seat.TWO, solution_of(env.game).worth)
    assert rewards == [-decision.cost for decision in own.decisions]
    env = made(reward="cost", seat=1)
    env.reset(seed=1)
    env.step(0)
    *_, info = env.step(7)
    assert info["costs"] == (0.0, 0.5)
    assert info["result"] == -1.0


def test_bad_settings_are_refused() -> None:
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"reward": "cost", "opponent": "expert"}, "Choose the opponent master, or the reward res"),
        ({"reward": "money"}, "Choose from: result, cost"),
        ({"opponent": "nobody"}, "There is no player"),
        *(({"opponent": none}, r"an object with choose\(view\)") for none in (None, PolicyPlayer)),
        ({"seat": 3}, "3"),
        ({"turn_limit": None}, "turn limit"),
        ({"render_mode": "human"}, "There is no render mode 'human'"),
    ]
    for settings, why in wrong:
        with pytest.raises(Refusal, match=why):
            SeatEnv("quantum-duel", **settings)


def test_an_opponent_is_told_of_every_game_that_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    ends = seat_hears(monkeypatch)
    env = made(opponent="hears", seat=1)
    env.reset(seed=1)
    env.step(7)
    env.reset(seed=2)
    env.reset(seed=3)
    env.close()
    assert [end.outcome and end.outcome.winner for end in ends] == [Seat.TWO, None, None]
    assert [end.outcome for end in ends[1:]] == [UNDECIDED] * 2


with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # where pygame is installed, it imports a game in an old way
    from pettingzoo.test import api_test, render_test, seed_test

NAMES = [*GAMES, "bluff"]
THEIRS = ("Observation is not a NumPy array", "Observation space for each agent probably should be")
"""What `api_test` finds odd about any dictionary, unless the environment is one of PettingZoo's."""
pytestmark = [
    pytest.mark.filterwarnings(f"ignore:{message}:UserWarning:pettingzoo.test.api_test")
    for message in THEIRS
]


@pytest.fixture(autouse=True)
def _bluff_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(add_package(tmp_path, "bluff", BLUFF))


def legal(observation: Any) -> list[int]:
    numbers: list[int] = np.flatnonzero(observation["action_mask"]).tolist()
    return numbers


def played(table: Any, seed: int, rng: Random) -> list[int]:
    """The actions of a random game; afterwards both agents are dead, and not yet removed."""
    actions = []
    table.reset(seed=seed)
    while not any((*table.terminations.values(), *table.truncations.values())):
        actions.append(rng.choice(legal(table.observe(table.agent_selection))))
        table.step(actions[-1])
    return actions


@pytest.mark.parametrize(
    "make", [*(partial(env, name) for name in NAMES), partial(raw_env, "quantum-duel")], ids=str
)
def test_pettingzoos_checks_pass_without_a_warning_of_ours(make: partial[Any]) -> None:
    api_test(make(), num_cycles=100)
    seed_test(make, num_cycles=20)
    render_test(make)


def test_games_are_registered_on_import_and_take_options_and_a_memory() -> None:
    for name in GAMES:
        made: Any = pettingzoo.make("aec", f"strongroom/{name.replace('-', '_')}_v0", turn_limit=7)
        assert made.unwrapped.game == load(name)
        assert made.unwrapped.turn_limit == 7
    table: Any = env("safe-cracker", digits=4, attempts=2, memory=1)
    assert table.unwrapped.game == load("safe-cracker", digits=4, attempts=2)
    assert table.action_space("player_1").n == 64
    assert table.observation_space("player_1")["observation"].shape == (6,)
    with pytest.raises(Refusal, match=re.escape("Choose from: ansi, human.")):
        raw_env("quantum-duel", render_mode="rgb_array")


def test_whoever_moves_twice_in_a_row_is_selected_twice_and_a_copy_goes_on_by_itself(
    capsys: pytest.CaptureFixture[str],
) -> None:
    table: Any = env("quantum-duel", render_mode="human")
    with pytest.raises(AttributeError, match="no agent_selection here, or not yet: call reset"):
        table.last()
    table.reset(seed=1)
    selected = []
    for action in (3, 0, 4):
        selected.append(table.agent_selection)
        table.step(action)
    assert selected == ["player_1", "player_2", "player_1"]
    assert capsys.readouterr().out.count("Quantum Duel") == 3
    assert legal(table.last()[0]) == [7, 8]  # player 2 replies to the observation
    copies = deepcopy(table), pickle.loads(pickle.dumps(table))
    table.step(8)
    assert table.agent_selection == "player_2"
    for copy in copies:
        copy.step(7)
        assert legal(table.last()[0]) != legal(copy.last()[0])


def test_games_after_a_seed_follow_from_it() -> None:
    def chances(seed: int) -> list[list[Any]]:
        table: Any = raw_env("bluff")
        table.reset(seed=seed)
        games = []
        for _ in range(6):
            games.append([table.observe(agent)["observation"].tolist() for agent in AGENTS])
            table.reset()
        return games

    assert chances(1) == chances(1) != chances(2)
    assert len({str(game) for game in chances(1)}) > 1


@pytest.mark.parametrize("actions", [(3, 3), (3, 8), (7,)])
def test_an_illegal_action_loses_as_in_the_wrappers_of_pettingzoos_games(actions: Any) -> None:
    inner = wrappers.TerminateIllegalWrapper(raw_env("quantum-duel"), illegal_reward=-1)
    wrapped = wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(inner))
    told = []
    for table in (env("quantum-duel"), wrapped):
        table.reset(seed=1)
        for action in actions:
            table.step(action)
        told.append([(agent, table.last(observe=False)[1:3]) for agent in dying(table)])
    assert told[0] == told[1]
    assert sorted(reward for _, (reward, _) in told[0]) == [-1, 0]


def dying(table: Any) -> Iterator[str]:
    """The agents that a finished game still asks for nothing, until they are removed."""
    for agent in table.agent_iter():
        yield agent
        table.step(None)


def test_what_is_no_action_is_refused_and_so_is_an_illegal_one_by_a_bare_environment() -> None:
    for table in (env("quantum-duel"), raw_env("quantum-duel")):
        table.reset(seed=1)
        table.step(3)
        before = table.bout
        for action in (-1, 9, None):
            with pytest.raises(Refusal, match="Actions run from 0 to 8"):
                table.step(action)
        for action in (3, 8) if type(table) is raw_env else ():
            with pytest.raises(NotLegal):
                table.step(action)
        assert table.bout == before
        assert not any(table.terminations.values())


@pytest.mark.parametrize("name", [name for name in NAMES if name != "quantum-duel"])
def test_rendering_shows_what_a_spectator_may_know(name: str) -> None:
    table: Any = raw_env(name, render_mode="ansi", turn_limit=10)
    rng, compared = Random(1), 0
    for seed in range(4):
        table.reset(seed=seed)
        while not any((*table.terminations.values(), *table.truncations.values())):
            bout = table.bout
            if not bout.state.setting_up:
                other = bout.state.game.sample(bout.view(None), rng)
                told = table.render()
                table._state = other
                assert table.render() == told
                table._state, compared = bout.state, compared + (other != bout.state)
            table.step(rng.choice(legal(table.observe(table.agent_selection))))
    assert compared


def test_who_is_not_to_move_has_no_action_and_nobody_wins_at_the_turn_limit() -> None:
    table: Any = raw_env("digit-deductions", render_mode="ansi")
    table.reset(seed=1)
    assert legal(table.observe("player_2")) == []
    for action in (5, 7, 7):
        table.step(action)
    for agent in AGENTS:
        assert len(legal(table.observe(agent))) == table.action_space(agent).n
    assert table.rewards == {"player_1": 1, "player_2": -1}
    assert "Player 1" in table.render().splitlines()[-1]
    for late in (None, None, 5):  # the last is after the end, and changes nothing
        table.step(late)
    assert table.agents == []
    table = env("quantum-duel", turn_limit=2)
    assert len(played(table, 1, Random(1))) == table.bout.state.turns == 2
    assert [*table.truncations.values()] == [True, True]
    assert [*table.terminations.values()] == [False, False]
    assert [*table.rewards.values()] == [0, 0]
