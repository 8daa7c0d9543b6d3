"""Running: signals, a second process, slow readers, silent clients, and plain libraries."""

from __future__ import annotations

import contextlib
import json
import socket
from pathlib import Path
from random import Random

import httpx
import pytest
from playing import fresh, play_address
from serving import PATIENCE, Server
from talking import Talk, duel, settle
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from strongroom.server.messages import LONGEST_MESSAGE
from strongroom.server.protocols import lacks_parts
from strongroom.server.settings import Limits
from tests.server.conftest import Serve
from tests.server.local import Locals
from tests.server.waiting import wait_until
from tests.server.whole.forms import figure


def test_on_sigterm_all_are_told_and_nothing_is_lost_as_by_a_kill(
    serve: Serve, tmp_path: Path
) -> None:
    server = serve("--fast")
    game = duel(server.address, "quantum-duel")
    one, two = game.both()
    with one, two, game.watch() as watcher, Talk(server.address) as silent:
        asked = one.ask()
        first = one.made(asked.id)
        second = Server(str(tmp_path / "games.db"), tmp_path / "second")
        second.begin()
        assert second.wait() != 0
        (line,) = second.log.splitlines()
        assert "is in use by another server. SQLite supports one server process" in line
        assert "postgresql" in line
        second.stop()
        server.terminate()
        for talk in (one, two, watcher):
            assert talk.hear("closing")["why"] == "restart"
            assert talk.hear_close() == 1012
        assert silent.hear_close() == 1012
        assert server.wait() == 0
    for _ in range(2):
        server.start()
        with game.sit(1) as back:
            assert back.hear("welcome")["number"] == 1
            back.repeat(asked)
            assert back.made(asked.id)["entries"] == first["entries"]
            assert back.seen.number == 1
        server.kill()


def test_a_server_is_ready_while_it_can_store_and_alive_anyway(
    local: Locals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("strongroom.server.hub.BEAT", 3600.0)  # only the test's time passes
    server, file = local(), tmp_path / "games.db"

    def says(path: str = "/readyz") -> tuple[int, str]:
        answer = httpx.get(server.address + path, timeout=PATIENCE)
        return answer.status_code, answer.text

    assert says() == (200, "ready\n")
    file.rename(tmp_path / "elsewhere.db")
    assert says() == (503, "no database\n")
    local.pass_time(1)
    assert says() == (503, "cannot store\n")
    assert says("/healthz") == (200, "alive\n")
    (tmp_path / "elsewhere.db").rename(file)
    local.pass_time(1)
    assert says() == (200, "ready\n")


def test_a_slow_reader_is_disconnected_and_the_others_go_on(
    local: Locals, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("strongroom.server.limits.AT_ONCE", 1e6)
    monkeypatch.setattr("strongroom.server.pacing.UNREAD", 1.0)
    server = local(limits=Limits())
    game = server.deal("digit-deductions")
    one, two = game.both()
    with one, two, socket.socket() as slow:
        first = one.ask("4-7")
        one.made(first.id)
        two.hear("entries")
        two.move("6-5")
        one.hear("entries")
        settle((one, two), Random(1), 60, "1-2")
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        slow.connect(("127.0.0.1", server.port))
        address = play_address(server.address)
        with connect(address, sock=slow, max_queue=1, compression=None) as never_read:
            hello = {"type": "hello", "game": game.id, "token": game.tokens[0]}
            never_read.send(json.dumps(hello))
            assert one.hear_close() == 4001
            wait_until(lambda: figure(server.address, "strongroom_connections") == 2)
            repeated = {"type": "move", "id": first.id, "number": 1, "move": "4-7"}
            for _ in range(100):
                if figure(server.address, "strongroom_connections") < 2:
                    break
                for _ in range(50):  # each is answered with the whole journal
                    with contextlib.suppress(ConnectionClosed):
                        never_read.send(json.dumps(repeated))
                two.hear_until_quiet()
            wait_until(lambda: figure(server.address, "strongroom_connections") == 1)
        with game.sit(1) as back:
            back.hear("welcome")
            settle((back, two), Random(1), 2, "1-2")
            assert two.seen.number == 64


def test_a_client_without_a_hello_is_disconnected(
    local: Locals, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("strongroom.server.websocket.PATIENCE", 0.3)
    server = local()
    with Talk(server.address) as silent, Talk(server.address) as chatty:
        assert silent.hear()["code"] == "hello-first"
        assert silent.hear_close() == 4000
        with contextlib.suppress(ConnectionClosed):
            while True:
                chatty.say("ping")
                chatty.hear()
        assert chatty.hear_close() == 4000


def test_games_that_nobody_touches_expire_and_connected_players_are_told(local: Locals) -> None:
    server = local(expire_after=100.0, keep_records=50.0)
    kept, left = server.deal(), server.deal()

    def pass_and_sweep(seconds: float) -> None:
        local.pass_time(seconds)
        server.do(server.hub._sweep())

    one, two = kept.both()
    with one, two:
        pass_and_sweep(99)
        assert httpx.get(f"{server.address}/api/games/{left.id}").status_code == 200
        pass_and_sweep(2)
        assert httpx.get(f"{server.address}/api/games/{left.id}").status_code == 404
        one.move()
        one.say("resign", id=fresh())
        two.hear_up_to(2)
        pass_and_sweep(51)
        assert two.hear("closing")["why"] == "expired"
        assert two.hear_close() == 4004
    with Talk(server.address, game=kept.id) as gone:
        assert gone.hear()["code"] == "unknown-game"
        assert gone.hear_close() == 4004


def test_games_are_played_and_messages_limited_without_the_libraries_internals(
    local: Locals, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    assert lacks_parts() == []
    missing = "no_version_has_this"
    monkeypatch.setattr("strongroom.server.protocols.FRAME_PARTS", (missing,))
    server = local()
    assert missing in str([line.__dict__.get("parts") for line in caplog.records])
    game = server.deal()
    one, two = game.both()
    with one, two, game.watch(words=True) as watcher:
        watcher.hear("welcome")
        settle((one, two), Random(1))
        assert one.view.outcome == two.view.outcome is not None
        watcher.hear_up_to(one.seen.number)
        one.socket.send("x" * (LONGEST_MESSAGE + 1))
        assert one.hear_close() == 1009
