"""The bots of a server: only those that the operator allows, and none in others' way."""

from __future__ import annotations

import shlex
import time
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any

import httpx
import pytest
from playing import fresh
from serving import PATIENCE, Server
from talking import Talk

from strongroom.contract import CHANCE, Refusal
from strongroom.server.catalog import ServerBots
from tests.minds.engines import written
from tests.server.conftest import Serve
from tests.server.local import Locals, LocalServer
from tests.server.waiting import wait_until
from tests.server.whole.forms import form, trouble

BODIES = {
    "Some": "hello['games'] = ['quantum-duel', 'safe-code']",
    "Crasher": 'if kind == "choose": sys.exit("in /home/operator")',
    "Quitter": 'if kind == "choose": say(type="resign"); continue',
}
"""What the engines of the shared server do, by name, beside one that plays."""
ENDED = "the engine ended with exit code 1 instead of writing a move"
SILENT = 'if kind == "choose": time.sleep(1000)'


def bot(folder: Path, body: str = "", settings: str = "", name: str = "Test") -> tuple[str, str]:
    """The options of a server with an engine of this name."""
    command = written(folder / f"{name}.py", f"hello['name'] = {name!r}\n{dedent(body)}")
    return "--bot", f"engine:{shlex.join(command)}{settings}"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalServer]:
    folder = tmp_path_factory.mktemp("engines")
    bots = [bot(folder), *(bot(folder, does, name=name) for name, does in BODIES.items())]
    bots.append(bot(folder, SILENT, "?seconds=2", "Silent"))
    with Locals(str(folder / "games.db")) as start:
        yield start(bots=tuple(name for _, name in bots))


def begun(server: Server | LocalServer, opponent: str = "test", **terms: Any) -> Talk:
    """A person at a new game against a bot, when it is the person's turn."""
    token = terms.setdefault("token", fresh())
    body = form(opponent=opponent, invitation=None, **terms)
    made = httpx.post(f"{server.address}/api/games", json=body, timeout=PATIENCE)
    assert made.status_code == 201, made.text
    talk = Talk(server.address, game=made.json()["game"]["id"], token=token)
    talk.hear("welcome")
    return talk


def to_move(talk: Talk) -> None:
    while not talk.is_to_move and talk.view.outcome is None:
        talk.hear("entries")


def test_an_engine_is_listed_by_name_and_no_visitor_can_name_a_command(server: LocalServer) -> None:
    told = httpx.get(f"{server.address}/api/catalog", timeout=PATIENCE)
    assert ".py" not in told.text
    assert {each["name"]: each["title"] for each in told.json()["bots"]}["some"] == "Some"
    able = {each["name"] for each in told.json()["games"] if "some" in each["bots"]}
    assert able == {"quantum-duel", "safe-code"}
    for opponent in ("engine:sh", "engine:test", "model:gpt"):
        body = form(opponent=opponent, invitation=None)
        made = httpx.post(f"{server.address}/api/games", json=body, timeout=PATIENCE)
        assert trouble(made) == (422, "refused")


def test_people_play_an_engine_in_several_games_at_once(server: LocalServer) -> None:
    talks = [begun(server) for _ in range(10)]  # more than the engine has processes
    for talk in talks:
        talk.move("7")
    for talk in talks:
        with talk:
            to_move(talk)
            assert [str(event.move) for event in talk.view.history] == ["7", "1"]
            seat = talk.seen.frames[0]["game"]["seats"][1]
            assert (seat["name"], seat["player"]) == ("Test", "test")


def test_bots_take_their_time_and_longer_after_a_coin(local: Locals, tmp_path: Path) -> None:
    _, slow = bot(tmp_path, 'if kind == "choose": time.sleep(0.65)')
    server = local(pace=0.3, toss=1.5, bots=(slow,))
    for opponent, least in (("random", 0.3), ("test", 0.65)):
        with begun(server, opponent) as talk:
            begin = time.monotonic()
            talk.move()
            to_move(talk)
            assert time.monotonic() - begin >= least
    with begun(server, "random") as talk:
        took = 0.0
        while not any(event.actor is CHANCE for event in talk.view.history):
            begin = time.monotonic()
            talk.move(
                "no" if "no" in map(str, talk.view.moves) else None
            )  # only the bot challenges
            to_move(talk)
            took = time.monotonic() - begin
        assert took >= 1.5


def test_an_engine_that_fails_or_resigns_has_lost_and_keeps_no_other_game_waiting(
    server: LocalServer, caplog: pytest.LogCaptureFixture
) -> None:
    for opponent, reason, detail in (
        ("silent", "forfeited", "it failed: no move within 2 seconds"),
        ("crasher", "forfeited", f"it failed: {ENDED}"),
        ("quitter", "resigned", ""),
    ):
        with begun(server, opponent) as talk, begun(server, "random") as quick:
            talk.move("7")
            for _ in range(3 if opponent == "silent" else 0):
                if quick.is_to_move:
                    quick.move()
                to_move(quick)
            to_move(talk)
            assert talk.view.outcome is not None
            outcome = talk.view.outcome
            assert (outcome.reason.value, outcome.detail or "") == (reason, detail)
    logged = str([line.__dict__.get("parts") for line in caplog.records])
    assert "its last words: 'in /home/operator'" in logged, "visitors are not told"


def test_a_server_that_stops_ends_its_engines_and_the_game_goes_on_afterwards(
    serve: Serve, tmp_path: Path
) -> None:
    body = f"""
    open({str(tmp_path / "pids")!r}, "a").write(f"{{os.getpid()}}\\n")
    if kind == "choose" and not os.path.exists({str(tmp_path / "again")!r}):
        time.sleep(1000)
    """
    server = serve("--fast", *bot(tmp_path, body, "?seconds=900"))
    token = fresh()
    with begun(server, token=token) as talk:
        id = talk.seen.frames[0]["game"]["id"]
        talk.move("7")
        wait_until(lambda: len((tmp_path / "pids").read_text().split()) > 2)  # it thinks
        assert server.stop() == 0
    pids = {*(tmp_path / "pids").read_text().split()}
    assert not any(Path("/proc", pid).exists() for pid in pids)
    (tmp_path / "again").touch()
    server.start()
    with Talk(server.address, game=id, token=token) as back:
        back.hear("welcome")
        to_move(back)
        assert [str(event.move) for event in back.view.history] == ["7", "1"]


def test_what_is_no_engine_and_two_with_one_name_are_refused_at_the_start(tmp_path: Path) -> None:
    _, engine = bot(tmp_path)
    for names, told in (
        (["master"], "cannot be a server's bot. --bot takes an engine"),
        (["engine:./nobody"], "There is no program './nobody'"),
        ([engine, engine], "Two bots would be called test"),
    ):
        with pytest.raises(Refusal, match=told):
            ServerBots(names)
