"""Engines at a match: what they are told, how they are read, and what they cannot do."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import Mock

import pytest
from starting import PATIENCE

from strongroom import load
from strongroom.agents.engine import SECONDS, Engine, EnginePlayer, asked, legal_move, seats
from strongroom.agents.engine_pool import POOL, Pool
from strongroom.agents.engine_process import TAIL
from strongroom.contract import Ending, Refusal, Seat, View
from strongroom.measuring.protocol import Fixture
from strongroom.players import Player
from strongroom.players.drive import Drive
from strongroom.players.random import RandomPlayer
from strongroom.referee.match import Match
from strongroom.referee.randomness import draws
from tests.agents.engines import engine

GAME = load("quantum-duel")


def finished(*players: Player) -> Match:
    """A match between two players, or one and a random one."""
    both = [*players, RandomPlayer(GAME, Random(1))][:2]
    match = Match.start(GAME, turn_limit=20, draw=draws(1))
    return Drive(match, dict(zip(Seat, both, strict=True))).run()


def forfeit_of(bot: Engine) -> str:
    """Why an engine forfeits."""
    outcome = finished(bot(GAME, Random(1))).outcome
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == (Seat.TWO, Ending.FORFEITED)
    return outcome.detail


def told(folder: Path) -> list[Any]:
    """What an engine that logs its messages was told, until its end."""
    with pytest.MonkeyPatch.context() as patience:
        patience.setattr("strongroom.agents.engine_pool.GRACE", PATIENCE)
        POOL.close()
    return [json.loads(line) for line in (folder / "log").read_text().splitlines()]


LOGS = 'open(os.path.dirname(__file__) + "/log", "a").write(line)'


# --- what an engine is told -----------------------------------------------------------------------


def test_an_engine_is_told_of_a_game_its_questions_and_its_end(tmp_path: Path) -> None:
    bot = engine(tmp_path, LOGS)
    match = finished(bot(GAME, Random(7)))
    hello, new, *questions, over, bye = told(tmp_path)
    assert (hello["type"], hello["protocol"]) == ("hello", 1)
    assert new == {
        "type": "new",
        "game": "quantum-duel",
        "options": {},
        "seat": 1,
        "seed": Random(7).getrandbits(31),
    }
    assert {each["type"] for each in questions} == {"choose"}
    assert View.from_json(GAME, over["view"]) == match.view(Seat.ONE)
    assert bye == {"type": "bye"}


def test_a_question_holds_the_view_the_legal_moves_and_the_time() -> None:
    view = Match.start(GAME).view(Seat.ONE)
    question = asked(view, 30.0)
    assert question["moves"] == [str(move) for move in view.moves]
    assert (question["count"], question["seconds"]) == (7, 30.0)
    assert View.from_json(GAME, question["view"]) == view


def test_all_clues_of_safe_code_are_listed() -> None:
    match, _ = Match.start(load("safe-code")).step(Seat.ONE, load("safe-code").move("12"))
    question = asked(match.view(Seat.ONE), 30.0)
    assert len(question["moves"]) == question["count"] > 800


def test_of_very_many_moves_some_are_listed_from_first_to_last() -> None:
    game = load("safe-cracker", digits=9, length=6)
    view = Match.start(game).view(Seat.ONE)
    question = asked(view, 30.0)
    assert question["count"] == 9**6
    assert 100 <= len(question["moves"]) <= 101
    assert all(legal_move(text, view) for text in question["moves"])


def test_a_measured_engine_is_told_the_end_and_its_time_is_taken(tmp_path: Path) -> None:
    bot = engine(tmp_path, LOGS)
    trial = Fixture(GAME, 0, Seat.TWO, 1).play("test", "random", bot)
    assert trial.spent.seconds > 0
    assert [each["type"] for each in told(tmp_path)].count("over") == 1


def test_an_engine_is_kept_from_game_to_game(tmp_path: Path) -> None:
    bot = engine(tmp_path, LOGS)
    for _ in range(3):
        finished(bot(GAME, Random(1)))
    kinds = [each["type"] for each in told(tmp_path)]
    assert (kinds.count("hello"), kinds.count("new")) == (1, 3)


def test_an_engine_against_itself_is_two_processes(tmp_path: Path) -> None:
    bot = engine(tmp_path, LOGS)
    finished(bot(GAME, Random(1)), bot(GAME, Random(2)))
    kinds = [each["type"] for each in told(tmp_path)]
    assert (kinds.count("hello"), kinds.count("new"), kinds.count("over")) == (2, 2, 2)


def test_games_beyond_the_most_processes_take_turns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("strongroom.agents.engine.POOL", pool := Pool(most=1))
    bot = engine(tmp_path, LOGS)
    outcome = finished(bot(GAME, Random(1)), bot(GAME, Random(2))).outcome
    pool.close()
    assert outcome is not None
    assert outcome.reason is not Ending.FORFEITED
    kinds = [each["type"] for each in told(tmp_path)]
    assert kinds.count("hello") == 1
    assert kinds.count("new") > 2


def test_a_game_that_waits_for_a_process_goes_on_as_soon_as_that_engines_is_free() -> None:
    class Waits(threading.Condition):
        """Tells that a thread has begun to wait, while nobody else can release a process."""

        def wait(self, timeout: float | None = None) -> bool:
            waiting.release()
            return super().wait(timeout)

    class Nobody:
        """A player, for the pool."""

    waiting, pool = threading.Semaphore(0), Pool(most=1)
    pool._changed = Waits()

    def play(name: str) -> None:
        with pool.lent(name, Nobody(), Mock()):
            pass

    games = {name: threading.Thread(target=play, args=[name], daemon=True) for name in "ab"}
    with pool.lent("a", Nobody(), Mock()):
        with pool.lent("b", Nobody(), Mock()):
            for each in games.values():
                each.start()
                waiting.acquire()
        games["b"].join(PATIENCE)
        assert not games["b"].is_alive()
    games["a"].join(PATIENCE)
    assert not games["a"].is_alive()


def test_variables_with_a_servers_secrets_are_not_passed_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STRONGROOM_DATABASE", "postgresql://user:secret@host/games")
    bot = engine(tmp_path, 'hello["name"] = os.environ.get("STRONGROOM_DATABASE", "Nothing")')
    assert bot.called == "Nothing"


# --- what it answers ------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ['"3"', "3", '" 3 "'])
def test_a_move_is_read_as_a_persons_line_is(tmp_path: Path, text: str) -> None:
    bot = engine(tmp_path, f'if kind == "choose": say(type="move", move={text}, more=1); continue')
    player = bot(GAME, Random(1))
    assert player.choose(Match.start(GAME).view(Seat.ONE)) == GAME.move("3")


def test_an_engine_can_resign(tmp_path: Path) -> None:
    bot = engine(tmp_path, 'if kind == "choose": say(type="resign"); continue')
    outcome = finished(bot(GAME, Random(1))).outcome
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == (Seat.TWO, Ending.RESIGNED)


@pytest.mark.parametrize(
    ("does", "reason"),
    [
        ("raise ValueError('no\\x1b[31m luck')", "exit code 1"),
        ("raise ValueError('no\\x1b[31m luck')", "'ValueError: no?[31m luck'"),
        ("os.kill(os.getpid(), 9)", "by signal 9"),
        ("sys.exit()", "exit code 0"),
        ("os.close(1); time.sleep(1000)", "closed its standard output"),
        ("print('I think', flush=True); continue", "not JSON: 'I think'"),
        ("print('[' * 60000, flush=True); continue", "not JSON: '[[["),
        ("print('\\x1b]0;hi', flush=True); continue", "not JSON: '?]0;hi'"),
        ("os.write(1, b'\\xff\\n'); continue", "not JSON"),
        ("print('[]', flush=True); continue", "not a JSON object: '[]'"),
        ("say(move='1'); continue", 'not the type "move" or "resign"'),
        ("say(type='move'); continue", "not a text"),
        ("say(type='move', move='99'); continue", "its move was refused"),
        ("print('{\"type\": ' + '1' * 5000 + '}', flush=True); continue", "not JSON"),
        ("os.write(1, b'{}\\n{}\\n'); time.sleep(9)", "more than one line: '{}', then '{}'"),
        ("print('x' * 10 ** 6); continue", "the engine wrote a line of more than"),
        ("while True: os.write(1, b'{}\\n{}\\n')", "the engine wrote more than one line"),
        ("while True: sys.stdout.write('x')", "the engine wrote a line of more than"),
    ],
)
def test_whatever_goes_wrong_forfeits_with_the_reason(
    tmp_path: Path, does: str, reason: str
) -> None:
    why = forfeit_of(engine(tmp_path, f'if kind == "choose":\n    {does}'))
    assert reason in why
    assert why.isprintable()


def test_silence_forfeits(tmp_path: Path) -> None:
    bot = engine(tmp_path, 'if kind == "choose": time.sleep(1000)', seconds=0.2)
    assert forfeit_of(bot) == "it failed: no move within 0.2 seconds"


def test_half_a_line_is_no_answer(tmp_path: Path) -> None:
    does = 'if kind == "choose": os.write(1, b"half"); time.sleep(1000)'
    assert "'half' without a line's end" in forfeit_of(engine(tmp_path, does, seconds=5.0))


def test_what_was_not_asked_for_forfeits(tmp_path: Path) -> None:
    bot = engine(tmp_path, 'if kind == "hello": say(**hello); print("ready"); sys.stdout.flush()')
    assert "'ready" in forfeit_of(bot)


def test_much_on_standard_error_disturbs_nobody(tmp_path: Path) -> None:
    bot = engine(tmp_path, 'os.write(2, b"x" * 300_000)')
    outcome = finished(bot(GAME, Random(1))).outcome
    assert outcome is not None
    assert outcome.reason is not Ending.FORFEITED
    with POOL.lent(bot.command, bot, bot.start) as (process, _):
        assert len(process._tail) <= TAIL


def test_after_a_crash_a_fresh_process_plays_the_next_game(tmp_path: Path) -> None:
    once = 'if kind == "choose" and not os.path.exists("%s"): open("%s", "w"); sys.exit(1)'
    bot = engine(tmp_path, (once % (tmp_path / "was", tmp_path / "was")))
    assert "exit code 1" in forfeit_of(bot)
    outcome = finished(bot(GAME, Random(1))).outcome
    assert outcome is not None
    assert outcome.reason is not Ending.FORFEITED


def test_illegal_answers_are_counted(tmp_path: Path) -> None:
    bot = engine(tmp_path, 'if kind == "choose": say(type="move", move="99"); continue')
    player = bot(GAME, Random(1))
    with pytest.raises(Refusal):
        player.choose(Match.start(GAME).view(Seat.ONE))
    assert player.illegal == 1


# --- what it is called ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "called"),
    [
        ("Deep Fox", "Deep Fox"),
        ("x" * 30, "x" * 24),
        ("\x1b[31mred", "bot"),
        ("master", "bot"),
        ("You", "bot"),
        ("", "bot"),
        (7, "bot"),
    ],
)
def test_an_engine_is_called_as_it_says_or_else_like_its_file(
    tmp_path: Path, name: object, called: str
) -> None:
    bot = engine(tmp_path, f"hello['name'] = {name!r}")
    assert Engine((bot.command[0].rpartition("/")[2], *bot.command[1:])).called == called


@pytest.mark.parametrize(
    ("says", "trouble"),
    [
        ("hello['protocol'] = 2", "the protocol '2'; this is protocol 1"),
        ("hello['type'] = 'hi'", 'not the type "hello"'),
        ("hello['games'] = 'all'", "games is a list"),
        ("sys.exit(3)", "exit code 3"),
    ],
)
def test_an_engine_that_does_not_say_hello_is_refused_before_the_match(
    tmp_path: Path, says: str, trouble: str
) -> None:
    player = engine(tmp_path, says)(GAME, Random(1))
    assert isinstance(player, EnginePlayer)
    with pytest.raises(Refusal, match="strongroom engine check") as refused:
        player.check()
    assert trouble in refused.value.reason


def test_an_engine_is_refused_at_a_game_that_it_does_not_play(tmp_path: Path) -> None:
    bot = engine(tmp_path, "hello['games'] = ['safe-code']")
    bot(load("safe-code"), Random(1)).check()
    with pytest.raises(Refusal, match="Test does not play Quantum Duel"):
        bot(GAME, Random(1)).check()


def test_the_command_is_split_like_a_shells(tmp_path: Path) -> None:
    found = seats("sh -c 'exit 0' ?seconds=2.5")
    assert found == Engine(("sh", "-c", "exit 0"), 2.5)
    assert seats("sh why?").seconds == SECONDS


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("", "For example: engine:./mybot"),
        ("./nothing", "There is no program './nothing' in this folder."),
        ("nothing-like-that", "There is no program 'nothing-like-that' here."),
        ("sh 'open", "A quotation mark is missing"),
        ("./data", "chmod \\+x ./data"),
        ("data", "The file is engine:./data"),
        ("sh?hours=1", "An engine has: seconds=30"),
        ("sh?seconds=0", "Choose a number up to 3600."),
        ("sh?seconds=nan", "Choose a number up to 3600."),
        ("sh?seconds=", "Choose a number up to 3600."),
    ],
)
def test_a_bad_command_is_refused_in_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, advice: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data").touch()
    with pytest.raises(Refusal, match=advice):
        seats(text)
