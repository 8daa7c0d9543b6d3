"""Connections: what waits for them is counted in bytes, for each and for an address."""

from __future__ import annotations

import asyncio

from strongroom.server.connection import LARGE, Backlog, Connection
from strongroom.wire import TOO_SLOW

MOST = 1000


class Stuck:
    """A socket that takes what it is given, and from which nobody reads."""

    def __init__(self) -> None:
        self.held = 0

    def write(self, text: bytes) -> bool:
        """Take a text."""
        self.held += len(text)
        return True

    def unsent(self) -> int:
        """How much was taken."""
        return self.held

    def cut(self) -> None:
        """Cut it."""


def closed_with(connection: Connection) -> int | None:
    """The code with which a connection is to be closed."""
    return connection.closed and connection.closed[0]


def test_a_frame_of_any_length_may_wait_alone_and_no_more_than_so_many_bytes() -> None:
    async def scene() -> None:
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

    asyncio.run(scene())


def test_of_an_address_the_connection_is_closed_for_which_most_waits() -> None:
    async def scene() -> None:
        backlog = Backlog(MOST)
        light, heavy = (Connection(10**9, backlog) for _ in range(2))
        light.send(b"x" * 300)
        heavy.send(b"x" * 600)
        assert (closed_with(light), closed_with(heavy)) == (None, None)
        light.send(b"x" * 200)
        assert (closed_with(light), closed_with(heavy)) == (None, TOO_SLOW)

    asyncio.run(scene())


def test_what_the_socket_holds_counts_too() -> None:
    async def scene() -> None:
        backlog = Backlog(3 * LARGE)
        connections = [Connection(10**9, backlog, Stuck()) for _ in range(4)]
        for connection in connections:
            writing = asyncio.create_task(connection.waiting())
            await connection.drained()
            connection.send(b"x" * LARGE)
            writing.cancel()
        assert sum(closed_with(each) == TOO_SLOW for each in connections) == 1

    asyncio.run(scene())


def test_who_has_something_waiting_is_not_heard_until_it_is_sent() -> None:
    async def scene() -> None:
        connection = Connection(MOST, Backlog(10**9))
        connection.send(b"one")
        hearing = asyncio.create_task(connection.drained())
        assert await connection.waiting() == [b"one"]
        await asyncio.sleep(0)
        assert not hearing.done()  # it is being sent
        sending = asyncio.create_task(connection.waiting())
        await hearing
        assert connection.unsent == 0
        sending.cancel()

    asyncio.run(scene())
