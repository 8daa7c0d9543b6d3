"""A remote sitting, against a server that sends more than the welcome at once."""

from __future__ import annotations

import json
import threading

import pytest
from websockets.sync.server import ServerConnection

from strongroom.contract import Seat
from strongroom.remote.connection import RemoteConnection
from strongroom.remote.info import GameInfo
from strongroom.remote.link import Link, LinkKind
from strongroom.terminal.faces import Looks
from strongroom.terminal.table.remote_sitting import RemoteSitting
from tests.network_games import played
from tests.remote.test_connection import PATIENCE, Crowd, running
from tests.remote.test_seat import Telling, info_of
from tests.server.waiting import wait_until


def test_a_move_that_arrives_together_with_the_welcome_is_not_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    record = played("digit-deductions", 1)
    telling = Telling(record, Seat.TWO)
    frames = (telling.welcome(), telling.entries(0, 1))

    def sends_both(socket: ServerConnection) -> None:
        crowd.hears(socket)
        for frame in frames:
            socket.send(json.dumps(frame))
        ended.wait(PATIENCE)

    def opens_slowly(connection: RemoteConnection) -> None:
        open_connection(connection)
        wait_until(lambda: any(each["type"] == "entries" for each in list(connection._came)))

    open_connection = RemoteConnection.open
    monkeypatch.setattr(RemoteConnection, "open", opens_slowly)
    ended, crowd = threading.Event(), Crowd(sends_both)
    with running(crowd) as address:
        base = address.replace("ws:", "http:").removesuffix("/ws")
        link = Link(base, LinkKind.PLAY, record.id, "cd" * 16)
        info = GameInfo.from_json(info_of(record))
        sitting = RemoteSitting(link, info, None, record.game.words, Looks(plain=True))
        try:
            assert sitting.place.number == 0
            sitting.place.entries(*sitting.connection.take())
            assert sitting.place.number == 1
        finally:
            ended.set()
            sitting.connection.close()
