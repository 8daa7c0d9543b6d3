"""Pacing: what happens to a socket's data while its address has no budget left."""

from __future__ import annotations

import asyncio
import gc
from weakref import ref

from strongroom.server.budget import Budget
from strongroom.server.pacing import A_PIECE, MOST_UNTAKEN, Paced


class Socket(asyncio.Transport):
    """A transport that records whether it is being read and whether it was aborted."""

    def __init__(self) -> None:
        super().__init__()
        self.is_read = True
        self.is_cut = False

    def pause_reading(self) -> None:
        self.is_read = False

    def resume_reading(self) -> None:
        self.is_read = True

    def is_closing(self) -> bool:
        return self.is_cut

    def abort(self) -> None:
        self.is_cut = True


class Reader(Paced):
    """A protocol that keeps what it receives."""

    def __init__(self, budget: Budget) -> None:
        self.transport: Socket = Socket()
        self._budget = budget
        self.received = b""

    def receive_piece(self, data: bytes) -> None:
        self.received += data

    def is_paused(self) -> bool:
        return False


async def test_a_socket_that_is_resumed_too_early_is_paused_again() -> None:
    budget = Budget(0.5, clock=lambda: 0.0)
    reader = Reader(budget)
    reader.take(b"x" * 2 * A_PIECE)
    budget.charge(1.0)
    reader.transport.resume_reading()  # as uvicorn does when it has handed out all messages
    reader.receive_rest()
    assert not reader.transport.is_read
    assert len(reader.received) == A_PIECE


async def test_everything_that_was_sent_is_received_in_the_end() -> None:
    reader, sent = Reader(Budget(0.5)), bytes(range(256)) * 64
    reader.take(sent)
    while not reader.transport.is_read:
        await asyncio.sleep(0)
    assert reader.received == sent


async def test_a_socket_that_sends_too_much_before_its_turn_is_aborted() -> None:
    budget = Budget(0.5, clock=lambda: 0.0)
    budget.charge(1.0)
    reader = Reader(budget)
    while not reader.transport.is_cut:
        reader.take(b"x" * 2**16)
        assert len(reader._rest) <= MOST_UNTAKEN
    assert reader.received == b""


async def test_data_from_a_closed_socket_is_released() -> None:
    budget = Budget(0.5)
    reader = Reader(budget)
    reader.take(b"x" * 2 * A_PIECE)
    budget.charge(1000.0)
    reader.take(b"x" * A_PIECE)
    reader.let_go()
    reader.transport.abort()
    await asyncio.sleep(0)
    assert len(reader.received) == A_PIECE
    gone = ref(reader)
    del reader
    gc.collect()
    assert gone() is None, "the budget is still in debt"
