"""PostgreSQL: the notifications by which processes hear of each other's writes."""

from __future__ import annotations

import asyncio

import psycopg

from strongroom.referee.tokens import fresh
from strongroom.server.store import Store
from strongroom.server.store.transaction import CHANNEL, MOST_NAMED
from tests.server.stores import append, end_connections, opened
from tests.server.waiting import until


class Ears:
    """A listener that records what it heard."""

    def __init__(self) -> None:
        self.games: list[str] = []
        self.hints = 0
        self.losses = 0

    def __call__(self, games: list[str]) -> None:
        self.games += games
        self.hints += bool(games)
        self.losses += not games


async def test_a_write_is_announced_to_the_other_processes_only(
    postgres: str, store: Store
) -> None:
    mine, theirs, one, other = Ears(), Ears(), fresh(), fresh()
    async with opened(postgres) as elsewhere:
        store.database.listen(mine)
        elsewhere.database.listen(theirs)
        await until(lambda: bool(mine.losses and theirs.losses))
        await append(store, one, 1)
        await append(elsewhere, other, 1)
        await until(lambda: bool(mine.games and theirs.games))
        assert (theirs.games, mine.games) == ([one], [other])


async def test_a_write_that_changed_nothing_is_not_announced(postgres: str, store: Store) -> None:
    ears, one, other = Ears(), fresh(), fresh()
    async with opened(postgres) as elsewhere:
        await append(store, one, 1)
        elsewhere.database.listen(ears)
        await until(lambda: bool(ears.losses))
        assert await append(store, one, 1) == 0
        await store.beat("about no game")
        await append(store, other, 1)
        await until(lambda: bool(ears.games))
        assert ears.games == [other]


async def test_more_games_than_fit_into_one_notification_are_all_announced(
    postgres: str, store: Store
) -> None:
    ears, games = Ears(), {fresh() for _ in range(1000)}
    async with opened(postgres) as elsewhere:
        elsewhere.database.listen(ears)
        await until(lambda: bool(ears.losses))
        for game in games:
            append(store, game, 1)
        await until(lambda: set(ears.games) == games)
        assert ears.hints == 1000 / MOST_NAMED


async def test_a_listener_that_loses_its_connection_says_so_and_reconnects(
    postgres: str, store: Store
) -> None:
    ears, game = Ears(), fresh()
    async with opened(postgres) as elsewhere:
        elsewhere.database.listen(ears)
        for time in range(1, 4):
            await until(lambda time=time: ears.losses == time)  # type: ignore[misc]
            await append(store, game, time)
            await until(lambda time=time: len(ears.games) == time)  # type: ignore[misc]
            await asyncio.to_thread(end_connections, postgres)


async def test_a_listener_that_is_notified_while_it_closes_still_ends(
    postgres: str, store: Store
) -> None:
    for steps in range(8):
        async with opened(postgres) as elsewhere:
            ears = Ears()
            elsewhere.database.listen(ears)
            await until(lambda ears=ears: bool(ears.losses))  # type: ignore[misc]
            # This blocks the event loop, so the notification and the close reach it together.
            with psycopg.connect(postgres, autocommit=True) as another:
                another.execute(f"NOTIFY {CHANNEL}, 'process game'".encode())
            for _ in range(steps):
                await asyncio.sleep(0)
