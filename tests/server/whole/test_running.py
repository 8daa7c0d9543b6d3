"""Running: signals, a second process, slow readers, and silent clients."""

from __future__ import annotations

import contextlib
import json
import re
import resource
import socket
import sqlite3
from pathlib import Path
from random import Random

import httpx
import pytest
from playing import fresh, play_address
from serving import FIGURES, PATIENCE, Server
from talking import Talk, duel, settle
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tests.server.waiting import wait_until
from tests.server.whole.conftest import Serve


def figure(server: Server, name: str) -> float:
    """The value of a Prometheus metric."""
    page = httpx.get(f"{server.address}/metrics", headers=FIGURES, timeout=PATIENCE).text
    found = re.search(rf"^{re.escape(name)} (\S+)$", page, re.MULTILINE)
    assert found is not None, name
    return float(found[1])


def test_on_sigterm_everybody_is_told_and_nothing_is_lost(serve: Serve) -> None:
    server = serve("--fast")
    game = duel(server.address, "quantum-duel")
    one, two = game.both()
    with one, two, game.watch() as watcher, Talk(server.address) as silent:
        asked = one.ask()
        one.made(asked.id)
        server.terminate()
        for talk in (one, two, watcher):
            assert talk.hear("closing")["why"] == "restart"
            assert talk.hear_close() == 1012
        assert silent.hear_close() == 1012
        assert server.wait() == 0
    server.start()
    with game.sit(1) as back:
        assert back.hear("welcome")["number"] == 1
        back.repeat(asked)
        assert back.made(asked.id)["number"] == 1


def test_a_server_is_ready_and_alive_while_it_serves(server: Server) -> None:
    assert httpx.get(f"{server.address}/healthz", timeout=PATIENCE).text == "alive\n"
    assert httpx.get(f"{server.address}/readyz", timeout=PATIENCE).text == "ready\n"


def test_a_server_is_not_ready_while_it_cannot_store(serve: Serve) -> None:
    server = serve("--fast")
    _, most = resource.prlimit(server.pid, resource.RLIMIT_FSIZE)

    def says() -> tuple[int, str]:
        answer = httpx.get(f"{server.address}/readyz", timeout=PATIENCE)
        return answer.status_code, answer.text

    assert says() == (200, "ready\n")
    resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (4096, most))  # as if the disk were full
    wait_until(lambda: says() == (503, "cannot store\n"))
    assert httpx.get(f"{server.address}/healthz", timeout=PATIENCE).status_code == 200
    resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (most, most))
    wait_until(lambda: says() == (200, "ready\n"))


def test_a_second_process_on_the_same_file_is_refused_in_one_line(
    serve: Serve, tmp_path: Path
) -> None:
    serve("--fast")
    second = Server(str(tmp_path / "games.db"), tmp_path / "second")
    second.begin()
    assert second.wait() != 0
    (line,) = second.log.splitlines()
    assert "is in use by another server" in line
    assert "postgresql" in line
    second.stop()


def test_a_slow_reader_is_disconnected_and_the_others_go_on(serve: Serve) -> None:
    soon = {"strongroom.server.limits:AT_ONCE": 1e6, "strongroom.server.pacing:UNREAD": 1.0}
    server = serve("--fast", limits=True, constants=soon)
    game = duel(server.address, "digit-deductions")
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
            wait_until(lambda: figure(server, "strongroom_connections") == 2)
            repeated = {"type": "move", "id": first.id, "number": 1, "move": "4-7"}
            for _ in range(100):
                if figure(server, "strongroom_connections") < 2:
                    break
                for _ in range(50):  # each is answered with the whole journal
                    with contextlib.suppress(ConnectionClosed):
                        never_read.send(json.dumps(repeated))
                two.hear_until_quiet()
            wait_until(lambda: figure(server, "strongroom_connections") == 1)
        with game.sit(1) as back:
            back.hear("welcome")
            settle((back, two), Random(1), 2, "1-2")
            assert two.seen.number == 64


def test_a_client_that_never_says_hello_is_disconnected(serve: Serve) -> None:
    server = serve("--fast", constants={"strongroom.server.websocket:PATIENCE": 0.5})
    with Talk(server.address) as silent, Talk(server.address) as chatty:
        assert silent.hear()["code"] == "hello-first"
        assert silent.hear_close() == 4000
        with pytest.raises(ConnectionClosed):
            _ping_for_ever(chatty)


def _ping_for_ever(talk: Talk) -> None:
    while True:
        talk.say("ping")
        talk.hear()


def test_games_that_nobody_touches_expire_and_connected_players_are_told(serve: Serve) -> None:
    soon = {"strongroom.server.hub:SWEEP": 0.2, "strongroom.server.settings:DAY": 1}
    server = serve("--fast", "--expire-days", "4", "--keep-days", "1", constants=soon)
    kept, left = (duel(server.address, "quantum-duel") for _ in range(2))
    address = f"{server.address}/api/games/"
    one, two = kept.both()
    with one, two:
        wait_until(lambda: httpx.get(address + left.id, timeout=PATIENCE).status_code == 404)
        one.move()
        one.say("resign", id=fresh())
        assert two.hear("closing")["why"] == "expired"
        assert two.hear_close() == 4004
    with Talk(server.address, game=kept.id) as gone:
        assert gone.hear()["code"] == "unknown-game"
        assert gone.hear_close() == 4004


def test_errors_are_counted_even_while_nothing_can_be_stored(serve: Serve, tmp_path: Path) -> None:
    server = serve("--fast", constants={"strongroom.server.store.sqlite:BUSY": 0.05})
    one, two = duel(server.address, "quantum-duel").both()
    with one, two:
        other = sqlite3.connect(tmp_path / "games.db", isolation_level=None)
        with contextlib.closing(other):
            other.execute("BEGIN IMMEDIATE")
            one.say("resign", id=fresh())
            assert one.hear("error")["code"] == "unavailable"
        two.say("nonsense")
        assert two.hear("error")["code"] == "bad-frame"
        for code in ("unavailable", "bad-frame"):
            assert figure(server, f'strongroom_errors_total{{code="{code}"}}') == 1
