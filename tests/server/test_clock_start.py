"""A clock gives time to begin with, and runs from when both players are there."""

from __future__ import annotations

import asyncio
import time

from strongroom.contract import Seat
from strongroom.server.clocks import Clocks, Pauses
from strongroom.server.deal import Chair, Clock
from strongroom.tokens import fresh
from tests.server.stores import ONE, TWO, game, opened


def test_a_clock_of_seconds_a_move_alone_gives_them_to_the_first_move() -> None:
    clocks = Clocks(Clock(minutes=0, increment=5), started=100.0, pauses=Pauses(), own={})
    assert [clocks.left(seat, Seat.ONE, 102.0) for seat in Seat] == [3.0, 5.0]


def test_a_game_starts_when_the_last_player_has_come_not_when_it_was_made(database: str) -> None:
    chairs = (Chair(ONE, "Ada", token=fresh()), Chair(TWO, "Bob"))
    kept = game(chairs=chairs, started=1.0)

    async def come() -> None:
        async with opened(database) as store:
            assert await store.create(kept)
            for seat in (ONE, TWO):
                began = time.time()
                await store.give_seed(kept.id, seat, fresh())
                there = await store.game(kept.id)
                assert there is not None
                assert there.started is not None
                assert there.started >= began

    asyncio.run(come())
