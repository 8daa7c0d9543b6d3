"""PostgreSQL: several processes at once, and connections that are lost."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import psycopg
import pytest

from strongroom.referee.tokens import digest, fresh
from strongroom.server.store import (
    DatabaseTrouble,
    Store,
    StoredRequest,
    StoredSeat,
    postgres_connection,
)
from strongroom.server.store import postgres as postgres_module
from strongroom.server.store.postgres import READERS
from strongroom.server.tasks import cancel
from tests.server.proxies import Proxy
from tests.server.stores import (
    LINE,
    ONE,
    TWO,
    append,
    end_connections,
    game,
    numbers,
    opened,
    outcome,
    statement,
)
from tests.server.waiting import until

HITS = 12
"""How often connections are ended under load."""
RACES = 120
"""How many races are run between two processes."""


# --- several processes ---


async def test_processes_that_start_together_create_the_tables_once(
    postgres: str, store: Store
) -> None:
    async def start() -> None:
        async with opened(postgres) as store:
            await store.beat(fresh())

    async def all_start() -> None:
        await asyncio.gather(*(start() for _ in range(8)))

    asyncio.run(all_start())
    assert len(await store.beats()) == 8


async def test_only_one_of_two_processes_gets_a_number_that_both_want(
    postgres: str, store: Store
) -> None:
    games = [fresh() for _ in range(60)]
    async with opened(postgres) as elsewhere:
        for number in range(1, 11):
            mine = [append(store, game, number) for game in games]
            theirs = [append(elsewhere, game, number) for game in reversed(games)]
            got = [await outcome(each) for each in mine]
            rest = [await outcome(each) for each in reversed(theirs)]
            assert [one + two for one, two in zip(got, rest, strict=True)] == [1] * len(games)  # type: ignore[operator]
    assert len(await numbers(store)) == 10 * len(games)


@pytest.mark.parametrize("is_kept", [False, True], ids=["free seat", "kept seat"])
async def test_of_a_withdrawal_and_a_join_at_the_same_moment_only_one_happens(
    postgres: str, is_kept: bool, store: Store
) -> None:
    def comes(where: Store, id: str) -> asyncio.Future[int]:
        if is_kept:
            return where.give_seed(id, TWO, fresh())
        return where.sit_down(id, StoredSeat(TWO, "Bob", token=digest(fresh())), time.time())

    async def race(store: Store, elsewhere: Store, lead: int) -> None:
        """Let somebody take the game back who is so many turns of the loop late."""
        ada = StoredSeat(ONE, "Ada", token=digest(fresh()), seed=fresh())
        bob = StoredSeat(TWO, "Bob" if is_kept else None)
        stored = game(seats=(ada, bob), started=1.0 if is_kept else None)
        await store.create(stored)
        came = comes(elsewhere, stored.id)
        for _ in range(lead):
            await asyncio.sleep(0)
        is_back, is_here = bool(await store.withdraw(stored, 2.0)), bool(await came)
        found = await store.game(stored.id)
        assert found is not None
        assert found.is_withdrawn is is_back
        assert (found.started == stored.started) is is_back
        if not is_kept:
            assert (is_here, found.is_open) == (not is_back, is_back)

    async with opened(postgres) as elsewhere:
        for turn in range(RACES):
            await race(store, elsewhere, turn % 40)


async def test_a_deadlock_between_processes_is_resolved(postgres: str, store: Store) -> None:
    ids = ["one", "two"]

    def change_both(where: Store, *ids: str) -> asyncio.Future[int]:
        change = "UPDATE processes SET beat = beat + 1 WHERE id = :id"
        nap = "UPDATE processes SET beat = 0 WHERE pg_sleep(0.2) IS NULL"
        first, second = (statement(change, id=id) for id in ids)
        return where.database.write(first, statement(nap), second)

    async with opened(postgres) as elsewhere:
        for id in ids:
            await store.beat(id)
        before = await store.beats()
        both = change_both(store, *ids), change_both(elsewhere, *reversed(ids))
        happened = [await outcome(each) for each in both].count(1)
        assert happened >= 1
        after = await store.beats()
        assert [round(after[id] - before[id]) for id in ids] == [happened] * 2
        assert await change_both(store, *ids) == 1


# --- lost connections ---


async def test_a_connection_that_was_lost_while_idle_is_replaced_unnoticed(
    postgres: str, store: Store
) -> None:
    game = fresh()
    for number in range(1, 6):
        assert await append(store, game, number) == 1
        assert len(await store.journal(game)) == number
        assert await asyncio.to_thread(end_connections, postgres) >= 2
    assert len(await store.journal(game)) == 5


async def test_connections_lost_under_load_neither_lose_nor_double_a_write(
    postgres: str, store: Store
) -> None:
    games, acknowledged, failed = [fresh() for _ in range(30)], set[tuple[str, int]](), 0
    over = False

    async def play(store: Store, game: str) -> None:
        nonlocal failed
        number = 0
        while not over:
            number += 1
            request = StoredRequest(number, number, fresh(), LINE)
            while True:
                stored = await outcome(store.append(game, request, None, 0.0))
                if isinstance(stored, int):
                    break
                failed += 1
            assert stored == 1 or request in await store.journal(game)
            acknowledged.add((game, number))

    playing = asyncio.gather(*(play(store, game) for game in games))
    for _ in range(HITS):
        enough = len(acknowledged) + 50
        await until(lambda enough=enough: len(acknowledged) > enough or playing.done())  # type: ignore[misc]
        await asyncio.to_thread(end_connections, postgres)
    over = True
    await playing
    assert await numbers(store) == sorted(acknowledged)


async def test_a_commit_whose_answer_was_lost_fails_and_is_not_retried(
    postgres: str, tmp_path: Path
) -> None:
    game, id = fresh(), fresh()
    proxy = Proxy(postgres, tmp_path)
    async with proxy.open(), opened(proxy.url) as store:
        proxy.lose_answer_to = b"COMMIT"
        with pytest.raises(DatabaseTrouble, match="cannot be used"):
            await append(store, game, 1, id)
        assert proxy.lost == 1
        assert await numbers(store) == [(game, 1)]
        assert await append(store, game, 1, id) == 0
        assert await append(store, game, 2) == 1


async def test_a_write_lost_before_its_commit_is_retried_and_written_once(
    postgres: str, tmp_path: Path
) -> None:
    games = [fresh() for _ in range(5)]
    proxy = Proxy(postgres, tmp_path)
    async with proxy.open(), opened(proxy.url) as store:
        for lost, text in enumerate((b"INSERT INTO journal", b"BEGIN"), start=1):
            proxy.lose_request_with = text
            written = [append(store, game, lost) for game in games]
            assert [await each for each in written] == [1] * len(games)
            await asyncio.to_thread(end_connections, postgres)  # so that the SQL is sent again
        assert proxy.lost == 2
        assert len(await numbers(store)) == 2 * len(games)


async def test_a_server_that_stops_answering_runs_into_a_timeout(
    postgres: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = fresh()
    proxy = Proxy(postgres, tmp_path)
    async with proxy.open(), opened(proxy.url) as store:
        assert await append(store, game, 1) == 1
        assert len(await store.journal(game)) == 1
        monkeypatch.setattr(postgres_connection, "LONGEST", 0.2)
        monkeypatch.setattr(postgres_module, "PATIENCE", 0.0)
        monkeypatch.setitem(postgres_connection.USUAL, "connect_timeout", 2)
        proxy.flows.clear()
        assert "cannot be used" in str(await outcome(append(store, game, 2)))
        with pytest.raises(DatabaseTrouble, match="cannot be used"):
            await store.journal(game)
        monkeypatch.setattr(postgres_connection, "LONGEST", 10.0)
        monkeypatch.setattr(postgres_module, "PATIENCE", 30.0)
        proxy.flows.set()
        assert await append(store, game, 2) in (0, 1)
        assert len(await store.journal(game)) == 2


async def test_a_write_that_waits_too_long_for_a_lock_fails_alone(
    postgres: str, monkeypatch: pytest.MonkeyPatch, store: Store
) -> None:
    one, other = fresh(), fresh()
    monkeypatch.setattr(postgres_connection, "LONGEST", 0.5)
    await asyncio.to_thread(end_connections, postgres)
    with psycopg.connect(postgres) as greedy:
        greedy.execute("LOCK TABLE journal")
        assert "cannot be used" in str(await outcome(append(store, one, 1)))
    monkeypatch.setattr(postgres_connection, "LONGEST", 10.0)
    await asyncio.to_thread(end_connections, postgres)
    assert await append(store, other, 1) == 1
    assert await numbers(store) == [(other, 1)]


async def test_cancelled_reads_give_their_connections_back(store: Store) -> None:
    for _ in range(2 * READERS):
        reading = asyncio.create_task(store.database.read("SELECT pg_sleep(60)"))
        await asyncio.sleep(0.02)
        await cancel([reading])
    assert await store.database.read("SELECT 1") == [(1,)]


async def test_more_reads_than_connections_take_turns(store: Store) -> None:
    reads = (store.database.read("SELECT :n + 0", n=number) for number in range(100))
    assert await asyncio.gather(*reads) == [[(number,)] for number in range(100)]


async def test_a_commit_is_synced_even_if_the_server_defaults_to_asynchronous_commits(
    postgres: str, store: Store
) -> None:
    with psycopg.connect(postgres, autocommit=True) as administrator:
        name = administrator.info.dbname
        administrator.execute(f"ALTER DATABASE {name} SET synchronous_commit = off".encode())
    now = "INSERT INTO processes (id, beat) SELECT current_setting('synchronous_commit'), 1"
    await store.database.write(statement(now))
    assert set(await store.beats()) == {"on"}


def test_a_connection_is_closed_when_its_opening_is_cancelled(postgres: str) -> None:
    others = "FROM pg_stat_activity WHERE datname = current_database() AND pid != pg_backend_pid()"
    server = postgres_connection.PostgresServer(postgres, "0" * 32)

    async def work() -> None:
        connecting = asyncio.create_task(server.connect())
        await until(lambda: counted(f"SELECT count(*) {others} AND wait_event = 'advisory'") == 1)
        await cancel([connecting])
        await until(lambda: counted(f"SELECT count(*) {others}") == 0)

    with psycopg.connect(postgres, autocommit=True) as another:

        def counted(query: str) -> int:
            row = another.execute(query.encode()).fetchone()
            assert row is not None
            return int(row[0])

        # It waits for the lock that would mark it as the process's own.
        another.execute("SELECT pg_advisory_lock(%s)", (postgres_connection.mark("0" * 32),))
        asyncio.run(work())
