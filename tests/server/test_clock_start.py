"""Clocks start with time on them, and run once both players are there."""

from __future__ import annotations

import asyncio
import time

from strongroom.contract import Seat
from strongroom.referee.tokens import fresh
from strongroom.server.clocks import Clocks, Pauses
from strongroom.server.deal import TimeControl
from strongroom.server.store import StoredSeat
from tests.server.stores import ONE, TWO, game, opened


def test_a_clock_of_seconds_a_move_alone_gives_them_to_the_first_move() -> None:
    clocks = Clocks(TimeControl(0, 5), started=100.0, pauses=Pauses(), seat_pauses={})
    assert [clocks.left(seat, Seat.ONE, 102.0) for seat in Seat] == [3.0, 5.0]


def test_a_game_starts_when_the_last_player_has_come_not_when_it_was_made(database: str) -> None:
    seats = (StoredSeat(ONE, "Ada", token=fresh()), StoredSeat(TWO, "Bob"))
    stored = game(seats=seats, started=1.0)

    async def come() -> None:
        async with opened(database) as store:
            assert await store.create(stored)
            for seat in (ONE, TWO):
                began = time.time()
                await store.give_seed(stored.id, seat, fresh())
                there = await store.game(stored.id)
                assert there is not None
                assert there.started is not None
                assert there.started >= began

    asyncio.run(come())
