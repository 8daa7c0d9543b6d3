"""The door to TextArena: private messages, clean episodes, and its own agents and wrappers."""

from __future__ import annotations

import copy
import re
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from random import Random
from typing import Any

import pytest
import textarena as ta
from textarena.agents import OpenAIAgent

from strongroom.agents.dialogue import LONGEST_ANSWER, NO_LEGAL_ANSWER, TRIES, marked
from strongroom.agents.text_sitting import TextSitting
from strongroom.agents.textarena import CurrentQuestionWrapper, TextArenaEnv
from strongroom.contract import CHANCE, BadOption, Move, Refusal, Seat, UnknownName
from strongroom.plugins.extras import MissingExtra
from strongroom.plugins.registry import env_id, load, names
from strongroom.referee.bout import moves_to
from tests.agents.api_server import KEY, MODEL, ApiServer, Deed, Says, asked
from tests.docs.pages import page
from tests.doors.examples import run_example

GAMES = names("game")
Sent = tuple[int, str, ta.ObservationType]


class ListedMove(ta.Agent):
    """An agent that takes any of the listed moves."""

    def __init__(self, seed: int = 1) -> None:
        self.rng = Random(seed)

    def __call__(self, observation: str) -> str:
        *_, moves = re.findall(r"Legal moves: (.*)\.", observation)
        return f"Why not? {marked(self.rng.choice(moves.split(', ')))}"


def played(env: Any, agents: Sequence[Callable[[Any], str]], seed: int = 1) -> tuple[Any, Any]:
    """The rewards and the information that TextArena gives at the end of a game."""
    env.reset(num_players=2, seed=seed)
    done = False
    while not done:
        player, observation = env.get_observation()
        done, _ = env.step(action=agents[player](observation))
    rewards, info = env.close()
    return rewards, info


def answer(env: TextArenaEnv, move: Move) -> str:
    """An answer that means a move to whoever is asked."""
    words, actor = env.dialogue.game.words, env.bout.actor
    assert isinstance(actor, Seat)
    view = env.bout.view(actor)
    for text in (str(move), words.text(move), words.spoken(move)):
        try:
            if words.parse(text, view) == move:
                return marked(text)
        except Refusal:
            continue
    raise AssertionError(f"{move} cannot be typed")


def raw(game: str, **options: Any) -> TextArenaEnv:
    env: TextArenaEnv = ta.make(f"{env_id(game)}-raw", **options)
    return env


@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_registered_and_played_to_its_end(game: str) -> None:
    ta.check_env_exists(env_id(game))
    rng = Random(7)
    env = ta.make(env_id(game))
    inner: TextArenaEnv = env.env

    def at_random(_: str) -> str:
        return answer(inner, rng.choice(inner.bout.state.moves))

    rewards, info = played(env, [at_random, at_random])
    outcome = inner.bout.outcome
    assert outcome is not None
    winner = outcome.winner and outcome.winner.index
    assert rewards == {0: 0, 1: 0} if winner is None else rewards == {winner: 1, 1 - winner: -1}
    assert info[0]["reason"] == info[1]["reason"] == inner.dialogue.game.words.ending(outcome)
    assert not info[0]["invalid_move"]


def test_the_example_of_the_page_prints_what_the_page_says() -> None:
    printed, told = run_example(page("doors/textarena.md"))
    assert printed == told


def test_a_game_has_the_chance_that_its_seed_has_everywhere() -> None:
    sitting = TextSitting(load("quantum-duel"), "random", seed=5)
    while not sitting.over:
        sitting.play(sitting.view.moves[-1])
    env = raw("quantum-duel")
    env.reset(2, seed=5)
    steps = sitting.record.steps
    for step in steps:
        if step.actor is not CHANCE:
            assert step.move is not None
            env.step(answer(env, step.move))
    assert [*moves_to(env.bout.state)] == [step.move for step in steps]


def test_the_question_is_put_to_the_player_who_is_to_move_alone() -> None:
    env = raw("quantum-duel")
    env.reset(2)
    player, told = env.get_observation()
    assert (player, [kind.name for _, _, kind in told]) == (0, ["PROMPT", "GAME_BOARD"])
    assert told[1][1].startswith("You are Player 1.")
    assert [kind.name for _, _, kind in env.state.observations[1]] == ["PROMPT"]


@pytest.mark.parametrize("game", [name for name in GAMES if load(name).secrets_each])
@pytest.mark.parametrize("viewer", Seat)
def test_what_a_player_is_sent_does_not_depend_on_what_it_may_not_know(
    game: str, viewer: Seat
) -> None:
    compared = sum(_alike_for(viewer, raw(game), raw(game), Random(seed)) for seed in range(12))
    assert compared > 24


def _alike_for(viewer: Seat, here: TextArenaEnv, there: TextArenaEnv, rng: Random) -> int:
    """How many messages a viewer got in two games with other secrets, thoughts and slips."""
    here.reset(2, seed=1)
    there.reset(2, seed=1)
    compared = 0
    while here.bout.actor is not None and here.bout.actor is there.bout.actor:
        actor, state = here.bout.actor, here.bout.state
        told: list[list[Sent]] = [env.state.observations[viewer.index] for env in (here, there)]
        assert told[0] == told[1]
        compared += len(told[0])
        in_both = {*there.bout.state.moves}
        moves = [move for move in state.moves if move in in_both]
        if not moves:
            break
        first = second = rng.choice(moves)
        if actor is not viewer:
            if state.keeper is not None:
                second = rng.choice(there.bout.state.moves)
            there.step(f"I hide {second}, and say so. <move>rubbish {second}</move>")
        here.step(answer(here, first))
        there.step(answer(there, second))
        if here.bout.state.log != there.bout.state.log:
            break  # the referee's answer tells the games apart, as it should
    return compared


@pytest.mark.parametrize("agents", [1, 3])
def test_only_two_players_can_play(agents: int) -> None:
    with pytest.raises(AssertionError, match="has to be 2"):
        raw("quantum-duel").reset(agents)


def test_a_refused_answer_is_explained_to_its_player_who_answers_again() -> None:
    env = raw("quantum-duel")
    env.reset(2)
    env.get_observation()
    done, _ = env.step("<move>9</move>")
    player, told = env.get_observation()
    assert (done, player) == (False, 0)
    assert told[0] == (0, "<move>9</move>", ta.ObservationType.PLAYER_ACTION)
    assert told[1][1].startswith("Cells run from 1 to 7; you typed 9.")
    assert len(env.state.observations[1]) == 1
    env.step("<move>4</move>")
    assert env.get_observation()[0] == 1


def test_three_refused_answers_lose_the_game_and_nobody_hears_what_they_were() -> None:
    env = raw("safe-cracker")
    env.reset(2)
    for tried in range(TRIES):
        done, _ = env.step("My code is <move>1-2-3-1</move>")
        assert done == (tried == TRIES - 1)
    rewards, info = env.close()
    assert rewards == {0: -1, 1: 1}
    assert (info[0]["invalid_move"], info[1]["invalid_move"]) == (True, False)
    assert info[1]["reason"] == NO_LEGAL_ANSWER
    assert "1-2-3-1" not in str(env.state.observations[1])


def test_refused_answers_are_counted_for_one_move_at_a_time() -> None:
    env = raw("quantum-duel")
    env.reset(2)
    for move in ("1", "7", "2"):
        for _ in range(TRIES - 1):
            env.step("What?")
        env.step(marked(move))
    assert not env.state.done


@pytest.mark.parametrize("junk", ["", "x" * (LONGEST_ANSWER + 1), "\x1b[2J\x00", None, 4, "[4]"])
def test_whatever_is_no_answer_is_refused(junk: Any) -> None:
    env = raw("quantum-duel")
    env.reset(2)
    env.step(junk)
    _, told = env.get_observation()
    assert told[-1][1].endswith("Answer again.")
    assert sum(len(text) for _, text, _ in told) < 10_000


def test_a_move_needs_a_game_that_goes_on() -> None:
    env = raw("quantum-duel")
    with pytest.raises(Refusal, match=r"No game has begun\. Call reset first\."):
        env.step("<move>1</move>")
    env.reset(2)
    for _ in range(TRIES):
        env.step("no")
    with pytest.raises(Refusal, match=r"The game is over\. Call reset first\."):
        env.step("<move>1</move>")


@pytest.mark.parametrize("abandoned_after", [0, 1, 5])
def test_a_new_episode_starts_clean_whatever_became_of_the_last(abandoned_after: int) -> None:
    used, fresh = (ta.make(env_id("safe-cracker"), style="legal-moves") for _ in range(2))
    agent = ListedMove()
    used.reset(num_players=2, seed=1)
    for _ in range(abandoned_after):
        _, told = used.get_observation()
        used.step(agent(told))
    used.step("One slip of the tongue.")
    assert _heard(used) == _heard(fresh)


def _heard(env: Any) -> list[str]:
    """All that two players are told in a game."""
    heard: list[str] = []
    agent = ListedMove(seed=2)

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
        env.step(marked(move))
    env.get_observation()
    env.step("Hm.")
    _, told = env.get_observation()
    assert told.count("You play a game against an opponent.") == 1
    assert told.count("You are Player 1.") == 1
    assert told.index("You play") < told.index("You are Player 1.") < told.index("[Player 1] Hm.")
    assert told.endswith("Answer again.")


WRAPPERS = [
    ta.wrappers.LLMObservationWrapper,
    ta.wrappers.GameBoardObservationWrapper,
    ta.wrappers.GameMessagesObservationWrapper,
    ta.wrappers.GameMessagesAndCurrentBoardObservationWrapper,
]


@pytest.mark.parametrize("wrapper", WRAPPERS)
def test_the_wrappers_of_textarena_run_whole_games(wrapper: type[ta.Wrapper]) -> None:
    env = ta.wrappers.ActionFormattingWrapper(wrapper(raw("safe-cracker", style="legal-moves")))
    rewards, info = played(env, [ListedMove(1), ListedMove(2)])
    assert {*rewards.values()} == {1, -1}
    assert info[0]["turn_count"] > 2


def test_the_renderer_of_textarena_shows_the_public_record(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("LINES", "40")
    env = ta.wrappers.SimpleRenderWrapper(raw("safe-cracker"), render_mode="board")
    env.reset(num_players=2, seed=1)
    for move in ("1-2-3", "3-2-1", "3-3-3"):
        env.step(marked(move))
    shown = capsys.readouterr().out
    assert "Player 1: 3-3-3" in shown
    assert "1-2-3" not in shown
    assert "3-2-1" not in shown


def test_an_environment_can_be_copied_in_the_middle_of_a_game() -> None:
    env = ta.make(env_id("quantum-duel"))
    env.reset(num_players=2, seed=1)
    env.get_observation()
    env.step("<move>1</move>")
    other = copy.deepcopy(env)
    env.step("<move>2</move>")
    assert other.state.current_player_id == 1
    assert "2" not in [str(move) for move in moves_to(other.env.bout.state)]
    other.step("<move>3</move>")
    assert [str(move) for move in moves_to(env.env.bout.state)] == ["1", "2"]


def test_their_agent_for_a_chat_endpoint_plays_a_whole_game() -> None:
    model = ListedMove(seed=2)

    def plays(body: Any) -> Deed:
        return Says(model(asked(body)), streams=False)

    with ApiServer(plays) as server:
        agents = [OpenAIAgent(MODEL, api_key=KEY, base_url=server.address), ListedMove()]
        rewards, info = played(ta.make(env_id("quantum-duel"), style="legal-moves"), agents)
    assert sum(rewards.values()) == 0
    assert len(server.requests) == info[0]["turn_count"] > 2


def test_options_are_the_games_own_and_wrong_ones_are_refused() -> None:
    assert raw("safe-cracker", digits=4).dialogue.game == load("safe-cracker", digits=4)
    with pytest.raises(BadOption, match="There is no option 'colours'"):
        raw("safe-cracker", colours=4)
    with pytest.raises(Refusal, match="There is no setting 'rhyme'"):
        raw("safe-cracker", style="rhyme")
    with pytest.raises(UnknownName, match="There is no game 'poker'"):
        TextArenaEnv("poker")
    with pytest.raises(Refusal, match="turn_limit must be a whole number, at least 1"):
        raw("quantum-duel", turn_limit=0)


def test_a_disguised_game_is_told_in_other_words() -> None:
    env = ta.make(env_id("quantum-duel"), style="disguise")
    env.reset(num_players=2)
    _, told = env.get_observation()
    assert isinstance(env, CurrentQuestionWrapper)
    assert "uantum" not in told


def test_a_game_that_is_open_at_its_turn_limit_is_a_draw() -> None:
    env = raw("quantum-duel", turn_limit=2)
    env.reset(2)
    env.step("<move>1</move>")
    done, _ = env.step("<move>7</move>")
    assert done
    assert env.close()[0] == {0: 0, 1: 0}


def test_without_textarena_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "textarena", None)
    monkeypatch.delitem(sys.modules, "strongroom.agents.textarena")
    with pytest.raises(MissingExtra, match=r"pip install 'strongroom\[textarena\]'$"):
        import_module("strongroom.agents.textarena")
