"""The door to TextArena: private messages, clean episodes, and its own agents and wrappers."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pytest
import textarena as ta

from strongroom.contract import Refusal, Seat
from strongroom.doors.textarena import CurrentQuestionWrapper, TextArenaEnv
from strongroom.minds.dialogue import LONGEST_ANSWER, TRIES, move_answer
from strongroom.plugins import registry
from strongroom.plugins.registry import env_id, load, names
from strongroom.referee.bout import moves_to
from tests.docs.pages import page, run_example
from tests.doors.test_conformance import words_for


def listed_move(seed: int = 1) -> Callable[[str], str]:
    rng = Random(seed)

    def answer(observation: str) -> str:
        *_, moves = re.findall(r"Legal moves: (.*)\.", observation)
        return f"Why not? {move_answer(rng.choice(moves.split(', ')))}"

    return answer


def played(env: Any, agents: Sequence[Callable[[Any], str]], seed: int = 1) -> tuple[Any, Any]:
    """The rewards and the information that TextArena gives at the end of a game."""
    env.reset(num_players=2, seed=seed)
    done = False
    while not done:
        player, observation = env.get_observation()
        done, _ = env.step(action=agents[player](observation))
    rewards, info = env.close()
    return rewards, info


def begun(game: str = "quantum-duel", **options: Any) -> TextArenaEnv:
    env: TextArenaEnv = ta.make(f"{env_id(game)}-raw", **options)
    env.reset(2, seed=1)
    return env


@pytest.mark.parametrize("game", names("game"))
def test_every_game_is_registered_and_its_end_is_told_to_both(game: str) -> None:
    rng, env = Random(7), ta.make(env_id(game))
    inner: TextArenaEnv = env.env

    def at_random(_: str) -> str:
        view = inner.bout.view([*Seat][inner.state.current_player_id])
        return move_answer(words_for(inner.dialogue.game, view, rng.choice(view.moves)))

    rewards, info = played(env, [at_random, at_random])
    outcome = inner.bout.outcome
    assert outcome is not None
    assert rewards == {seat.index: outcome.reward(seat) for seat in Seat}
    assert info[0]["reason"] == info[1]["reason"] == inner.dialogue.game.words.ending(outcome)
    assert not info[0]["invalid_move"]


def test_a_question_and_why_an_answer_is_refused_are_told_to_who_is_to_move_alone() -> None:
    env = begun()
    player, told = env.get_observation()
    assert (player, [kind.name for _, _, kind in told]) == (0, ["PROMPT", "GAME_BOARD"])
    assert told[1][1].startswith("You are Player 1.")
    done, _ = env.step("<move>9</move>")
    player, told = env.get_observation()
    assert (done, player) == (False, 0)
    assert told[0] == (0, "<move>9</move>", ta.ObservationType.PLAYER_ACTION)
    assert told[1][1].startswith("Cells run from 1 to 7; you typed 9.")
    assert [kind.name for _, _, kind in env.state.observations[1]] == ["PROMPT"]
    env.step("<move>4</move>")
    assert env.get_observation()[0] == 1


@pytest.mark.parametrize("game", [name for name in registry.GAMES if load(name).secrets_each])
def test_thoughts_and_slips_about_what_is_hidden_reach_nobody_else(game: str) -> None:
    rules, heard = load(game), []
    for hidden in (0, -1):
        env = begun(game)
        assert env.bout.state.setting_up
        while (view := env.bout.view(Seat.ONE)).actor is Seat.ONE and view.setting_up:
            secret = words_for(rules, view, view.moves[hidden])
            env.step(f"I hide {secret}, and say so. <move>rubbish {secret}</move>")
            env.step(f"I hide {secret}. {move_answer(secret)}")
        heard.append(env.state.observations[1])
    assert heard[0] == heard[1]


def test_whatever_is_no_answer_is_refused_and_the_third_loses_the_game() -> None:
    env = begun("safe-cracker")
    for code in ("1-1-1", "2-2-2"):
        for _ in range(TRIES - 1):
            env.step("What?")
        env.step(move_answer(code))
    for tried in range(TRIES):
        done, _ = env.step("My code is <move>1-2-3-1</move>")
        assert done == (tried == TRIES - 1)
    rewards, info = env.close()
    assert rewards == {0: -1, 1: 1}
    assert (info[0]["invalid_move"], info[1]["invalid_move"]) == (True, False)
    assert info[1]["reason"] == "None of 3 answers was a legal move."
    assert "1-2-3-1" not in str(env.state.observations[1])
    for junk in ("", "x" * (LONGEST_ANSWER + 1), "\x1b[2J\x00", None, 4):
        other: Any = begun()
        other.step(junk)
        _, told = other.get_observation()
        assert told[-1][1].endswith("Answer again.")
        assert sum(len(text) for _, text, _ in told) < 10_000


def test_a_move_needs_two_players_and_a_game_that_goes_on() -> None:
    env: TextArenaEnv = ta.make(f"{env_id('quantum-duel')}-raw")
    with pytest.raises(Refusal, match=r"No game has begun\. Call reset first\."):
        env.step("<move>1</move>")
    for agents in (1, 3):
        with pytest.raises(AssertionError, match="has to be 2"):
            env.reset(agents)
    env.reset(2)
    for _ in range(TRIES):
        env.step("no")
    with pytest.raises(Refusal, match=r"The game is over\. Call reset first\."):
        env.step("<move>1</move>")


def test_a_new_episode_starts_clean_whatever_became_of_the_last() -> None:
    used, fresh = (ta.make(env_id("safe-cracker"), style="legal-moves") for _ in range(2))
    agent = listed_move()
    used.reset(num_players=2, seed=1)
    for _ in range(5):
        _, told = used.get_observation()
        used.step(agent(told))
    used.step("One slip of the tongue.")
    assert heard_in(used) == heard_in(fresh)


def heard_in(env: Any) -> list[str]:
    heard: list[str] = []
    agent = listed_move(seed=2)

    def listening(told: str) -> str:
        heard.append(told)
        return agent(told)

    played(env, [listening, listening], seed=2)
    return heard


def test_an_observation_has_the_rules_and_the_current_question_once() -> None:
    env = ta.make(env_id("quantum-duel"))
    env.reset(num_players=2, seed=1)
    for move in ("1", "7", "3", "5"):
        env.get_observation()
        env.step(move_answer(move))
    env.get_observation()
    env.step("Hm.")
    _, told = env.get_observation()
    assert told.count("You play a game against an opponent.") == 1
    assert told.count("You are Player 1.") == 1
    assert told.index("You play") < told.index("You are Player 1.") < told.index("[Player 1] Hm.")
    assert told.endswith("Answer again.")


def test_the_renderer_of_textarena_shows_what_a_spectator_may_know(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("LINES", "40")
    env = ta.wrappers.SimpleRenderWrapper(begun("safe-cracker"), render_mode="board")
    env.reset(num_players=2, seed=1)
    for move in ("1-2-3", "3-2-1", "3-3-3"):
        env.step(move_answer(move))
    shown = capsys.readouterr().out
    assert "Player 1: 3-3-3" in shown
    assert not re.search("1-2-3|3-2-1", shown)


def test_a_copy_goes_on_by_itself_and_a_game_at_its_turn_limit_is_a_draw() -> None:
    env = begun(turn_limit=2)
    env.step("<move>1</move>")
    other = copy.deepcopy(env)
    env.step("<move>2</move>")
    assert other.state.current_player_id == 1
    assert other.step("<move>3</move>")[0]
    assert [str(move) for move in moves_to(env.bout.state)] == ["1", "2"]
    assert [str(move) for move in moves_to(other.bout.state)] == ["1", "3"]
    assert env.close()[0] == other.close()[0] == {0: 0, 1: 0}


def test_options_and_a_style_are_taken_and_wrong_ones_are_refused() -> None:
    assert begun("safe-cracker", digits=4).dialogue.game == load("safe-cracker", digits=4)
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"colours": 4}, "There is no option 'colours'"),
        ({"style": "rhyme"}, "There is no setting 'rhyme'"),
        ({"turn_limit": 0}, "turn_limit must be a whole number, at least 1"),
    ]
    for options, told in wrong:
        with pytest.raises(Refusal, match=told):
            begun("safe-cracker", **options)
    env = ta.make(env_id("quantum-duel"), style="disguise")
    env.reset(num_players=2)
    assert isinstance(env, CurrentQuestionWrapper)
    assert "uantum" not in env.get_observation()[1]


def test_the_example_of_the_page_prints_what_the_page_says() -> None:
    printed, told = run_example(page("doors.md#TextArena"))
    assert printed == told
