"""Engines: what they are told, how they are read, and that none outlives a run."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from textwrap import dedent
from typing import Any
from unittest.mock import Mock

import pytest
from starting import PATIENCE, Piped

from strongroom import load
from strongroom.contract import Ending, Outcome, Refusal, Seat, View
from strongroom.measuring.protocol import Fixture
from strongroom.minds.engine import (
    POOL,
    SECONDS,
    TAIL,
    Ended,
    Engine,
    EngineProcess,
    Pool,
    TooSlow,
    choose_message,
    end_all,
    legal_move,
    seats,
)
from strongroom.players import Player
from strongroom.players.random import RandomPlayer
from strongroom.referee.match import Match
from strongroom.referee.randomness import draws
from strongroom.referee.table import Table
from tests.minds.engines import engine, is_alive
from tests.server.waiting import wait_until

GAME = load("quantum-duel")


def finished(*players: Player) -> Match:
    both = [*players, RandomPlayer(GAME, Random(1))][:2]
    match = Match.start(GAME, turn_limit=20, draw=draws(1))
    return Table(match, dict(zip(Seat, both, strict=True))).run()


def forfeit_of(bot: Engine) -> str:
    outcome = finished(bot(GAME, Random(1))).outcome
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == (Seat.TWO, Ending.FORFEITED)
    return outcome.detail


def plays_on(match: Match) -> bool:
    return match.outcome is not None and match.outcome.reason is not Ending.FORFEITED


def told(folder: Path) -> list[Any]:
    """What an engine that logs its messages was told, until its end."""
    with pytest.MonkeyPatch.context() as patience:
        patience.setattr("strongroom.minds.engine.GRACE", PATIENCE)
        POOL.close()
    return [json.loads(line) for line in (folder / "log").read_text().splitlines()]


LOGS = 'open(os.path.dirname(__file__) + "/log", "a").write(line)'


def test_an_engine_has_its_usual_time_to_start_however_short_its_moves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask, given = EngineProcess.ask, {}

    def noted(process: EngineProcess, message: Any, seconds: float, what: str) -> Any:
        given[what] = seconds
        return ask(process, message, seconds, what)

    monkeypatch.setattr(EngineProcess, "ask", noted)
    assert plays_on(finished(replace(engine(tmp_path), seconds=9.0)(GAME, Random(7))))
    assert given == {"hello": 10.0, "move": 9.0}


def test_an_engine_is_told_of_its_games_and_kept_from_one_to_the_next(tmp_path: Path) -> None:
    bot = engine(tmp_path, LOGS)
    match = finished(bot(GAME, Random(7)))
    hello, new, *questions, over, bye = told(tmp_path)
    assert (hello["type"], hello["protocol"]) == ("hello", 1)
    seed = Random(7).getrandbits(31)
    assert new == {"type": "new", "game": GAME.name, "options": {}, "seat": 1, "seed": seed}
    assert {each["type"] for each in questions} == {"choose"}
    assert View.from_json(GAME, over["view"]) == match.view(Seat.ONE)
    assert bye == {"type": "bye"}
    (tmp_path / "log").unlink()
    trial = Fixture(GAME, 0, Seat.TWO, 1).play("test", "random", bot)  # a measured one
    assert trial.spent.seconds > 0
    finished(bot(GAME, Random(1)))
    finished(bot(GAME, Random(1)), bot(GAME, Random(2)))
    kinds = [each["type"] for each in told(tmp_path)]
    assert (kinds.count("hello"), kinds.count("new"), kinds.count("over")) == (2, 4, 4)


def test_a_question_holds_the_view_the_time_and_the_legal_moves_or_some_of_all() -> None:
    view = Match.start(GAME).view(Seat.ONE)
    question = choose_message(view, 30.0)
    assert question["moves"] == [str(move) for move in view.moves]
    assert (question["count"], question["seconds"]) == (7, 30.0)
    assert View.from_json(GAME, question["view"]) == view
    match = Match.start(load("safe-code")).step(Seat.ONE, load("safe-code").move("12"))
    question = choose_message(match.view(Seat.ONE), 30.0)
    assert len(question["moves"]) == question["count"] > 800
    view = Match.start(load("safe-cracker", digits=9, length=6)).view(Seat.ONE)
    question = choose_message(view, 30.0)
    assert question["count"] == 9**6
    assert 100 <= len(question["moves"]) <= 101
    assert all(legal_move(text, view) for text in question["moves"])


def test_games_take_turns_at_a_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("strongroom.minds.engine.POOL", pool := Pool(most=1))
    bot = engine(tmp_path, LOGS)
    assert plays_on(finished(bot(GAME, Random(1)), bot(GAME, Random(2))))
    pool.close()
    kinds = [each["type"] for each in told(tmp_path)]
    assert kinds.count("hello") == 1
    assert kinds.count("new") > 2


def test_a_game_that_waits_for_a_process_goes_on_as_soon_as_that_engines_is_free() -> None:
    class Waits(threading.Condition):
        """Tells that a thread has begun to wait, while nobody else can release a process."""

        def wait(self, timeout: float | None = None) -> bool:
            waiting.release()
            return super().wait(timeout)

    waiting, pool = threading.Semaphore(0), Pool(most=1)
    pool._changed = Waits()

    def play(name: str) -> None:
        with pool.lend(name, Mock(), Mock()):
            pass

    games = {name: threading.Thread(target=play, args=[name], daemon=True) for name in "ab"}
    with pool.lend("a", Mock(), Mock()):
        with pool.lend("b", Mock(), Mock()):
            for each in games.values():
                each.start()
                waiting.acquire()
        games["b"].join(PATIENCE)
        assert not games["b"].is_alive()
    games["a"].join(PATIENCE)
    assert not games["a"].is_alive()


def test_no_servers_secret_is_passed_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STRONGROOM_DATABASE", "postgresql://user:secret@host/games")
    bot = engine(tmp_path, 'hello["name"] = os.environ.get("STRONGROOM_DATABASE", "Nothing")')
    assert bot.seat_name == "Nothing"


def test_a_move_is_read_as_a_persons_line_is_and_an_illegal_one_is_counted(tmp_path: Path) -> None:
    lines = """
    if kind == "choose":
        said = globals().get("said", -1) + 1
        say(type="move", move=["3", 3, " 3 ", "99"][said], more=1)
        continue
    """
    player, view = engine(tmp_path, lines)(GAME, Random(1)), Match.start(GAME).view(Seat.ONE)
    for _ in range(3):
        assert player.choose(view) == GAME.move("3")
    with pytest.raises(Refusal):
        player.choose(view)
    assert player.illegal == 1


def test_an_engine_can_resign(tmp_path: Path) -> None:
    bot = engine(tmp_path, 'if kind == "choose": say(type="resign"); continue')
    assert finished(bot(GAME, Random(1))).outcome == Outcome(Seat.TWO, Ending.RESIGNED)


@pytest.mark.proof
@pytest.mark.parametrize(
    ("does", "reason"),
    [
        ("raise ValueError('no\\x1b[31m luck')", "last words: 'ValueError: no?[31m luck'"),
        ("os.kill(os.getpid(), 9)", "by signal 9"),
        ("sys.exit()", "exit code 0"),
        ("os.close(1); time.sleep(1000)", "closed its standard output"),
        ("print('I think', flush=True); continue", "not JSON: 'I think'"),
        ("print('[' * 60000, flush=True); continue", "not JSON: '[[["),
        ("os.write(1, b'\\xff\\n'); continue", "not JSON"),
        ("print('[]', flush=True); continue", "not a JSON object: '[]'"),
        ("say(move='1'); continue", 'not the type "move" or "resign"'),
        ("say(type='move'); continue", "not a text"),
        ("say(type='move', move='99'); continue", "its move was refused"),
        ("print('{\"type\": ' + '1' * 5000 + '}', flush=True); continue", "not JSON"),
        ("os.write(1, b'{}\\n{}\\n'); time.sleep(9)", "more than one line: '{}', then '{}'"),
        ("while True: sys.stdout.write('x')", "the engine wrote a line of more than"),
        ("time.sleep(1000)", "it failed: no move within 0.2 seconds"),
    ],
)
def test_whatever_goes_wrong_forfeits(tmp_path: Path, does: str, reason: str) -> None:
    seconds = 0.2 if "within" in reason else 60.0
    why = forfeit_of(engine(tmp_path, f'if kind == "choose":\n    {does}', seconds))
    assert reason in why
    assert why.isprintable()


def test_half_a_line_is_no_answer_nor_is_what_was_not_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    process = EngineProcess(engine(tmp_path).command)
    monkeypatch.setattr(process, "check_silence", lambda: process._read.extend(b"half"))
    with pytest.raises(TooSlow, match="no move within 0 seconds; it wrote 'half' without a line's"):
        process.ask({"type": "hello"}, 0.0, "move")
    process.kill()
    bot = engine(tmp_path, 'if kind == "hello": say(**hello); print("ready"); sys.stdout.flush()')
    assert "'ready" in forfeit_of(bot)


def test_much_on_standard_error_disturbs_nobody(tmp_path: Path) -> None:
    bot = engine(tmp_path, 'os.write(2, b"x" * 300_000)')
    assert plays_on(finished(bot(GAME, Random(1))))
    with POOL.lend(bot.command, bot, bot.start) as (process, _):
        assert len(process._tail) <= TAIL


def test_after_a_crash_a_fresh_process_plays_the_next_game(tmp_path: Path) -> None:
    once = 'if kind == "choose" and not os.path.exists("%s"): open("%s", "w"); sys.exit(1)'
    bot = engine(tmp_path, (once % (tmp_path / "was", tmp_path / "was")))
    assert "exit code 1" in forfeit_of(bot)
    assert plays_on(finished(bot(GAME, Random(1))))


@pytest.mark.parametrize(
    ("name", "called"),
    [
        *(("Deep Fox", "Deep Fox"), ("x" * 30, "x" * 24)),
        *((name, "bot") for name in ("\x1b[31mred", "master", "You", "", 7)),
    ],
)
def test_an_engine_is_called_as_it_says_or_else_like_its_file(
    tmp_path: Path, name: object, called: str
) -> None:
    bot = engine(tmp_path, f"hello['name'] = {name!r}")
    assert Engine((bot.command[0].rpartition("/")[2], *bot.command[1:])).seat_name == called


@pytest.mark.parametrize(
    ("says", "trouble"),
    [
        ("hello['protocol'] = 2", "the protocol '2'; this is protocol 1"),
        ("hello['type'] = 'hi'", 'not the type "hello"'),
        ("hello['games'] = 'all'", "games is a list"),
        ("sys.exit(3)", "exit code 3.* Check it: strongroom engine check "),
        ("hello['games'] = ['safe-code']", r"^Test does not play Quantum Duel\.$"),
    ],
)
def test_an_engine_is_refused_before_a_match_but_not_where_it_plays(
    tmp_path: Path, says: str, trouble: str
) -> None:
    bot = engine(tmp_path, says)
    with pytest.raises(Refusal, match=trouble):
        bot(GAME, Random(1)).check()
    if "safe-code" in says:
        bot(load("safe-code"), Random(1)).check()


def test_a_command_is_split_or_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert seats("sh -c 'exit 0' ?seconds=2.5") == Engine(("sh", "-c", "exit 0"), 2.5)
    assert seats("sh why?").seconds == SECONDS
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data").touch()
    for text, advice in (
        ("", "For example: engine:./mybot"),
        ("./nothing", "There is no program './nothing' in this folder."),
        ("nothing-like-that", "There is no program 'nothing-like-that' here."),
        ("sh 'open", "A quotation mark is missing"),
        ("./data", "chmod +x ./data"),
        ("data", "The file is engine:./data"),
        ("sh?hours=1", "An engine has: seconds=30"),
        *((f"sh?seconds={odd}", "Choose a number up to 3600.") for odd in ("0", "nan", "")),
    ):
        with pytest.raises(Refusal) as refused:
            seats(text)
        assert advice in str(refused.value)


STUBBORN = """
    import json, os, signal, sys, time
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    pids = [os.getpid()]
    for leaves in (False, True):
        child = os.fork()
        if child == 0:
            if leaves:  # a session of its own, and no parent
                os.setsid()
                if os.fork():
                    os._exit(0)
            with open(sys.argv[1], "a") as file:
                print(os.getpid(), file=file)
            while True:
                time.sleep(1000)
    with open(sys.argv[1], "a") as file:
        print(os.getpid(), file=file)
    while len(open(sys.argv[1]).read().split()) < 3:
        time.sleep(0.01)
    for line in sys.stdin:
        {deed}
        print(json.dumps(dict(type="hello", protocol=1, name="Stubborn")), flush=True)
    while True:
        time.sleep(1000)
"""
"""Ignores signals and the end of its input, has a child and an orphan, and does a deed."""
STOPS_GUARD = "os.kill(os.getppid(), signal.SIGSTOP)"
DEEDS = {
    "nothing": "pass",
    "stops its guard": STOPS_GUARD,
    "kills its guard": "os.kill(os.getppid(), signal.SIGKILL); time.sleep(1000)",
}


@pytest.fixture
def stubborn(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[list[str]]:
    """The command of a stubborn engine, whose last word is the file with its processes."""
    bot, pids = tmp_path / "stubborn.py", tmp_path / "pids"
    bot.write_text(dedent(STUBBORN).format(deed=getattr(request, "param", "pass")))
    pids.touch()
    yield [sys.executable, str(bot), str(pids)]
    for pid in map(int, pids.read_text().split()):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def started(stubborn: list[str]) -> list[int]:
    """The engine's three processes, once they are there."""
    pids = Path(stubborn[-1])
    wait_until(lambda: len(pids.read_text().split()) == 3)
    return [*map(int, pids.read_text().split())]


def all_end(pids: list[int]) -> None:
    wait_until(lambda: not any(map(is_alive, pids)))


@pytest.mark.parametrize("stubborn", DEEDS.values(), ids=DEEDS, indirect=True)
def test_an_engine_is_ended_whatever_it_did_to_its_guard(stubborn: list[str]) -> None:
    process = EngineProcess(stubborn)
    pids = started(stubborn)
    assert all(map(is_alive, pids))
    try:
        process.ask({"type": "hello"}, PATIENCE, "hello")
        killed = False
    except Ended as ended:  # at once, though orphans keep the output open
        killed = "guard was killed by signal 9 when a hello was expected" in str(ended)
    assert killed == ("SIGKILL" in Path(stubborn[1]).read_text())
    assert not process.close(grace=0.1)
    assert not any(map(is_alive, pids))


def test_an_engine_is_ended_when_its_guard_does_nothing_however_long_finding_it_takes(
    stubborn: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    process = EngineProcess(stubborn)
    pids = started(stubborn)
    monkeypatch.setattr("strongroom.minds.engine.AFTERMATH", 0.0)
    with monkeypatch.context() as nothing:
        nothing.setattr(process, "cut", lambda: None)
        nothing.setattr(process._guard, "wait", Mock(side_effect=subprocess.TimeoutExpired("", 0)))
        process.kill()
    all_end(pids)
    process._guard.wait(PATIENCE)


def test_what_was_interrupted_while_it_was_ended_is_ended_at_the_exit(
    stubborn: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    process = EngineProcess(stubborn)
    pids = started(stubborn)
    with monkeypatch.context() as interrupted:
        interrupted.setattr(process._guard, "wait", Mock(side_effect=KeyboardInterrupt))
        interrupted.setattr(process, "cut", lambda: None)
        with pytest.raises(KeyboardInterrupt):
            process.kill()
    end_all()
    assert not any(map(is_alive, pids))
    process.kill()


PLAYS = """
    import signal, sys, time
    from random import Random
    from strongroom import load
    from strongroom.minds.engine import Engine
    signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever started the tests
    engine = Engine(tuple(sys.argv[2:]), 1000.0)
    engine.introduction()
    print("ready", flush=True)
    {then}
"""


@pytest.mark.proof
@pytest.mark.parametrize(
    ("stubborn", "then", "sent"),
    [
        ("pass", "", None),
        ("pass", "import os; os._exit(3)", None),
        ("pass", "time.sleep(1000)", signal.SIGTERM),
        ("pass", "time.sleep(1000)", signal.SIGKILL),
        ("pass", "time.sleep(1000)", signal.SIGINT),
        (STOPS_GUARD, "time.sleep(1000)", signal.SIGKILL),
    ],
    ids=["the end", "a sudden end", "SIGTERM", "kill -9", "Ctrl-C", "kill -9, a stopped guard"],
    indirect=["stubborn"],
)
def test_no_process_outlives_the_run_however_it_ends(
    stubborn: list[str], then: str, sent: signal.Signals | None
) -> None:
    program = dedent(PLAYS).format(then=then)
    with Piped([sys.executable, "-c", program, "-", *stubborn], session=True) as run:
        assert run.stdout.readline() == "ready\n"
        pids = started(stubborn)
        if sent is not None:
            run.send_signal(sent)
        run.wait()
    all_end(pids)


def test_a_guard_that_is_ended_or_killed_leaves_no_engine(stubborn: list[str]) -> None:
    process = EngineProcess(stubborn)
    pids = started(stubborn)
    process._guard.terminate()
    all_end(pids)
    process.kill()
    Path(stubborn[-1]).write_text("")
    process = EngineProcess(stubborn)
    engine = next(pid for pid in started(stubborn) if os.getsid(pid) == pid)
    process._guard.kill()
    all_end([engine])
    process.kill()
