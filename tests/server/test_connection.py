"""Connections: unsent bytes are counted for each connection and for its address."""

from __future__ import annotations

import asyncio

from strongroom.referee.wire import TOO_SLOW
from strongroom.server.connection import LARGE, Backlog, Connection

MOST = 1000


class Stuck:
    """A socket that accepts data that nobody reads."""

    def __init__(self) -> None:
        self.held = 0

    def write(self, text: bytes) -> bool:
        """Take a text."""
        self.held += len(text)
        return True

    def unsent(self) -> int:
        """How many bytes were accepted."""
        return self.held

    def cut(self) -> None:
        """Abort it."""


def closed_with(connection: Connection) -> int | None:
    """The code with which a connection is to be closed."""
    return connection.closed and connection.closed[0]


async def test_one_frame_of_any_length_may_wait_but_several_only_up_to_a_limit() -> None:
    connection = Connection(MOST, Backlog(10**9))
    connection.send(b"x" * 10 * MOST)
    assert closed_with(connection) is None
    connection.send(b"x")
    assert closed_with(connection) == TOO_SLOW
    other = Connection(MOST, Backlog(10**9))
    for _ in range(MOST // 10):
        other.send(b"x" * 10)
    assert closed_with(other) is None
    other.send(b"x")
    assert closed_with(other) == TOO_SLOW


async def test_the_slowest_connection_is_closed_when_its_address_exceeds_the_limit() -> None:
    backlog = Backlog(MOST)
    light, heavy = (Connection(10**9, backlog) for _ in range(2))
    light.send(b"x" * 300)
    heavy.send(b"x" * 600)
    assert (closed_with(light), closed_with(heavy)) == (None, None)
    light.send(b"x" * 200)
    assert (closed_with(light), closed_with(heavy)) == (None, TOO_SLOW)


async def test_bytes_in_the_socket_buffer_count_too() -> None:
    backlog = Backlog(3 * LARGE)
    connections = [Connection(10**9, backlog, Stuck()) for _ in range(4)]
    for connection in connections:
        writing = asyncio.create_task(connection.waiting())
        await connection.drained()
        connection.send(b"x" * LARGE)
        writing.cancel()
    assert sum(closed_with(each) == TOO_SLOW for each in connections) == 1


async def test_a_connection_is_not_read_while_frames_wait_to_be_sent() -> None:
    connection = Connection(MOST, Backlog(10**9))
    connection.send(b"one")
    hearing = asyncio.create_task(connection.drained())
    assert await connection.waiting() == [b"one"]
    await asyncio.sleep(0)
    assert not hearing.done()  # it is still being sent
    sending = asyncio.create_task(connection.waiting())
    await hearing
    assert connection.unsent == 0
    sending.cancel()
