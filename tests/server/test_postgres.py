"""PostgreSQL: several processes at once, lost connections, notifications, and its errors."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import chain, product
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import psycopg
import pytest
from starting import PATIENCE

from strongroom.referee.randomness import fresh_token as fresh
from strongroom.referee.randomness import hash_of as digest
from strongroom.server.background import cancel
from strongroom.server.settings import DEFAULTS
from strongroom.server.store import DatabaseTrouble, Store, StoredSeat
from strongroom.server.store.postgres import CHANNEL, MOST_NAMED, PostgresServer, mark
from tests.server.stores import (
    ONE,
    PASSWORD,
    TWO,
    append,
    database_away,
    end_connections,
    game,
    numbers,
    opened,
    outcome,
    statement,
    trouble,
)
from tests.server.waiting import until

RACES = 40
"""How many races are run between two processes for each kind of seat."""
PORT = ".s.PGSQL.5432"


@pytest.fixture
def database(postgres: str) -> str:
    """PostgreSQL alone."""
    return postgres


class Proxy:
    """A proxy between the store and PostgreSQL."""

    def __init__(self, url: str, folder: Path) -> None:
        parts = urlsplit(url)
        self._server = Path(parse_qs(parts.query)["host"][0], PORT)
        self._folder = folder
        self.url = parts._replace(query=f"host={folder}").geturl()
        self.cut_at = b""
        """The connection of a request with these bytes is cut."""
        self.passes_on = False
        """Whether that request is passed on first."""
        self.lost = 0
        """How many connections were cut."""
        self.flows = asyncio.Event()
        """While it is not set, nothing is passed on."""
        self.flows.set()

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        server = await asyncio.start_unix_server(self._serve, self._folder / PORT)
        try:
            yield
        finally:
            server.close()
            await asyncio.sleep(0)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        answers, requests = await asyncio.open_unix_connection(self._server)
        answering = asyncio.create_task(self._answer(answers, writer))
        try:
            while data := await reader.read(65536):
                await self.flows.wait()
                if self.cut_at and self.cut_at in data:
                    self.cut_at = b""
                    self.lost += 1
                    if self.passes_on:
                        requests.write(data)
                    return
                requests.write(data)
        except (ConnectionError, asyncio.CancelledError):
            pass
        finally:
            answering.cancel()
            requests.close()
            writer.close()

    async def _answer(self, answers: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await answers.read(65536):
            await self.flows.wait()
            writer.write(data)
        writer.close()


async def test_processes_that_start_together_create_tables_once(postgres: str) -> None:
    games = [fresh() for _ in range(60)]
    async with AsyncExitStack() as all_stores:
        opening = [all_stores.enter_async_context(opened(postgres)) for _ in range(8)]
        store, elsewhere, *_ = stores = await asyncio.gather(*opening)
        await asyncio.gather(*(each.beat(fresh()) for each in stores))
        assert len(await store.beats()) == 8
        for number in range(1, 11):  # only one of two processes gets a number that both want
            mine = [append(store, game, number) for game in games]
            theirs = [append(elsewhere, game, number) for game in reversed(games)]
            got = [await outcome(each) for each in mine]
            rest = [await outcome(each) for each in reversed(theirs)]
            assert [{one, two} for one, two in zip(got, rest, strict=True)] == [{0, 1}] * len(games)
        assert len(await numbers(store)) == 10 * len(games)


async def test_processes_tell_each_other_what_nobody_stores(postgres: str) -> None:
    async with opened(postgres) as store, opened(postgres) as elsewhere:
        heard: list[list[str]] = []
        elsewhere.database.listen(heard.append)
        store.database.listen(lambda games: None)
        await until(lambda: heard == [[]])
        store.database.tell("game:1:3")
        await until(lambda: ["game:1:3"] in heard)


async def test_of_a_withdrawal_and_a_join_at_once_one_happens(postgres: str, store: Store) -> None:
    def comes(where: Store, id: str, is_kept: bool) -> asyncio.Future[int]:
        if is_kept:
            return where.give_seed(id, TWO, fresh())
        return where.sit_down(id, StoredSeat(TWO, "Bob", token=digest(fresh())), time.time())

    async with opened(postgres) as elsewhere:
        for turn, is_kept in product(range(RACES), (False, True)):
            ada = StoredSeat(ONE, "Ada", token=digest(fresh()), seed=fresh())
            bob = StoredSeat(TWO, "Bob" if is_kept else None)
            stored = game(seats=(ada, bob), started=1.0 if is_kept else None)
            await store.create(stored)
            came = comes(elsewhere, stored.id, is_kept)
            for _ in range(turn):  # whoever takes the game back is so many turns late
                await asyncio.sleep(0)
            is_back, is_here = bool(await store.withdraw(stored, 2.0)), bool(await came)
            found = await store.game(stored.id)
            assert found is not None
            assert found.is_withdrawn is is_back
            assert (found.started == stored.started) is is_back
            if not is_kept:
                assert (is_here, found.is_open) == (not is_back, is_back)


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


async def test_a_write_lost_before_its_commit_is_written_once_and_one_lost_after_it_fails(
    postgres: str, tmp_path: Path
) -> None:
    one, *games = (fresh() for _ in range(6))
    proxy, id = Proxy(postgres, tmp_path), fresh()
    async with proxy.open(), opened(proxy.url) as store:
        for lost, text in enumerate((b"INSERT INTO journal", b"BEGIN"), start=1):
            proxy.cut_at = text
            written = [append(store, game, lost) for game in games]
            assert [await each for each in written] == [1] * len(games)
            await asyncio.to_thread(end_connections, postgres)  # so that the SQL is sent again
        assert proxy.lost == 2
        assert len(await numbers(store)) == 2 * len(games)

        proxy.cut_at, proxy.passes_on = b"COMMIT", True
        with pytest.raises(DatabaseTrouble, match="cannot be used"):
            await append(store, one, 1, id)
        assert proxy.lost == 3
        async with asyncio.timeout(PATIENCE):  # PostgreSQL has yet to act on it
            while not (journal := await store.journal(one)):
                await asyncio.sleep(0.01)
        assert len(journal) == 1
        assert await append(store, one, 1, id) == 0
        assert await append(store, one, 2) == 1

        # A server that stops answering runs into a timeout.
        hasty = {"statement_timeout": 0.2, "postgres_timeout": 0.0, "connect_timeout": 2}
        async with opened(proxy.url, **hasty) as waiting:
            proxy.flows.clear()
            assert "cannot be used" in str(await outcome(append(waiting, one, 3)))
            with pytest.raises(DatabaseTrouble, match="cannot be used"):
                await waiting.journal(one)
            proxy.flows.set()
        assert await append(store, one, 3) in (0, 1)
        assert len(await store.journal(one)) == 3


async def test_a_write_that_waits_too_long_for_a_lock_fails_alone(postgres: str) -> None:
    one, other = fresh(), fresh()
    async with opened(postgres, statement_timeout=0.5) as store:
        with psycopg.connect(postgres) as greedy:
            greedy.execute("LOCK TABLE journal")
            assert "cannot be used" in str(await outcome(append(store, one, 1)))
        assert await append(store, other, 1) == 1
        assert await numbers(store) == [(other, 1)]


async def test_reads_take_turns_and_cancelled_ones_give_connections_back(store: Store) -> None:
    for _ in range(2 * DEFAULTS.postgres_readers):
        reading = asyncio.create_task(store.database.read("SELECT pg_sleep(60)"))
        await asyncio.sleep(0.02)
        await cancel([reading])
    reads = (store.database.read("SELECT :n + 0", n=number) for number in range(100))
    assert await asyncio.gather(*reads) == [[(number,)] for number in range(100)]
    with pytest.raises(DatabaseTrouble, match="refused a statement: Invalid") as trouble:
        await store.database.read("SELECT CAST(CAST(:text AS TEXT) AS INTEGER)", text=PASSWORD)
    assert PASSWORD not in str(trouble.value), "no error quotes the values of a query"
    assert await store.database.read("SELECT 1") == [(1,)]


async def test_a_commit_is_synced_even_if_the_default_is_asynchronous(postgres: str) -> None:
    with psycopg.connect(postgres, autocommit=True) as administrator:
        name = administrator.info.dbname
        administrator.execute(f"ALTER DATABASE {name} SET synchronous_commit = off".encode())
    async with opened(postgres) as store:
        now = "INSERT INTO processes (id, beat) SELECT current_setting('synchronous_commit'), 1"
        await store.database.write(statement(now))
        assert set(await store.beats()) == {"on"}


async def test_a_connection_is_closed_when_its_opening_is_cancelled(postgres: str) -> None:
    others = "FROM pg_stat_activity WHERE datname = current_database() AND pid != pg_backend_pid()"
    server = PostgresServer(postgres, "0" * 32, DEFAULTS)
    with psycopg.connect(postgres, autocommit=True) as another:

        def counted(condition: str = "") -> int:
            row = another.execute(f"SELECT count(*) {others} {condition}".encode()).fetchone()
            assert row is not None
            return int(row[0])

        # It waits for the lock that would mark it as the process's own.
        another.execute("SELECT pg_advisory_lock(%s)", (mark("0" * 32),))
        connecting = asyncio.create_task(server.connect())
        await until(lambda: counted("AND wait_event = 'advisory'") == 1)
        await cancel([connecting])
        await until(lambda: counted() == 0)


async def test_what_a_write_changed_is_told_to_others_only(postgres: str, store: Store) -> None:
    mine, theirs = list[list[str]](), list[list[str]]()
    early, one, other, *games = (fresh() for _ in range(3 + 1000))
    async with opened(postgres) as elsewhere:
        await append(store, early, 1)
        store.database.listen(mine.append)
        elsewhere.database.listen(theirs.append)
        await until(lambda: [] in mine and [] in theirs)  # from now on it misses nothing
        assert await append(store, early, 1) == 0  # which changes nothing
        await store.beat("about no game")
        await append(store, one, 1)
        await append(elsewhere, other, 1)
        await until(lambda: len(mine) == len(theirs) == 2)
        assert (theirs, mine) == ([[], [one]], [[], [other]])

        for game in games:  # more than fit into one notification
            append(store, game, 1)
        await until(lambda: {*chain(*theirs)} == {one, *games})
        assert len(theirs) == 2 + 1000 / MOST_NAMED

        for lost in range(2, 4):  # a listener that loses its connection says so and reconnects
            await asyncio.to_thread(end_connections, postgres)
            await until(lambda lost=lost: theirs.count([]) == lost)  # type: ignore[misc]
            await append(store, last := fresh(), 1)
            await until(lambda last=last: theirs[-1] == [last])  # type: ignore[misc]
        assert len([*chain(*theirs)]) == 1 + 1000 + 2


async def test_a_listener_that_is_notified_while_it_closes_still_ends(postgres: str) -> None:
    for steps in range(8):
        async with opened(postgres) as elsewhere:
            heard: list[list[str]] = []
            elsewhere.database.listen(heard.append)
            await until(lambda heard=heard: bool(heard))  # type: ignore[misc]
            # This blocks the event loop, so the notification and the close reach it together.
            with psycopg.connect(postgres, autocommit=True) as another:
                another.execute(f"NOTIFY {CHANNEL}, 'process game'".encode())
            for _ in range(steps):
                await asyncio.sleep(0)


async def test_addresses_are_told_without_passwords(postgres_server: str, tmp_path: Path) -> None:
    for address in (
        f"ada:{PASSWORD}@example.org:port/games",
        f"ada:{PASSWORD}@example.org/games?what=is+this",
        f"ada:p/{PASSWORD}@example.org/games",
        f"ada:1/{PASSWORD}@example.org/games",
        f"ada:p@{PASSWORD}@example.org/games",
        f"ada:{PASSWORD}@[::1/games",
        f"ada:%{PASSWORD}zz@example.org/games",
    ):
        said = await trouble(f"postgresql://{address}")
        assert "cannot be read. It should look like postgresql://" in said
    said = await trouble(f"postgresql://ada:{PASSWORD}@127.0.0.1:1/games")
    assert said == "PostgreSQL at 127.0.0.1:1/games cannot be used: Connection refused."
    said = await trouble(f"postgresql://ada:{PASSWORD}@/games?host={tmp_path}")
    assert said.startswith(f"PostgreSQL at {tmp_path}:5432/games cannot be used: No such file")
    said = await trouble(f"postgresql://ada:{PASSWORD}@nowhere.invalid/games")
    assert "PostgreSQL at nowhere.invalid:5432/games cannot be used: failed to resolve" in said
    url = postgres_server.replace("/postgres?", "/nowhere?").replace(":@", f":{PASSWORD}@")
    assert (await trouble(url)).endswith(
        '/nowhere cannot be used: database "nowhere" does not exist.'
    )


async def test_a_wrong_password_and_missing_rights_are_reported(postgres: str) -> None:
    guest, locked = f"guest_{fresh()[:8]}", f"locked_{fresh()[:8]}"
    with psycopg.connect(postgres, autocommit=True) as administrator:
        administrator.execute(f"CREATE ROLE {guest} LOGIN".encode())
        administrator.execute(f"CREATE ROLE {locked} LOGIN PASSWORD 'right'".encode())
        row = administrator.execute("SHOW hba_file").fetchone()
        assert row is not None
        rules = Path(row[0])
        rules.write_text(f"local all {locked} scram-sha-256\n{rules.read_text()}")
        administrator.execute("SELECT pg_reload_conf()")
        try:
            said = await trouble(postgres.replace("postgres:@", f"{locked}:{PASSWORD}@"))
            assert said.endswith(f'password authentication failed for user "{locked}".')
            said = await trouble(postgres.replace("postgres:@", f"{guest}@"))
            assert said.endswith("permission denied for schema public.")
        finally:
            administrator.execute(f"DROP ROLE {guest}, {locked}".encode())


async def test_a_database_that_comes_back_is_used_again(postgres: str) -> None:
    games = [fresh() for _ in range(20)]
    async with (
        opened(postgres, postgres_timeout=30.0) as store,
        opened(postgres, postgres_timeout=0.1) as hasty,
    ):
        for each in (store, hasty):
            assert [await append(each, game, 1) for game in games] == [int(each is store)] * 20
        with database_away(postgres):
            lost = await asyncio.gather(*(outcome(append(hasty, game, 2)) for game in games))
            assert all("cannot be used" in str(each) for each in lost)
            with pytest.raises(DatabaseTrouble, match="cannot be used"):
                await numbers(hasty)
            waiting = [append(store, game, 2) for game in games]
            await asyncio.sleep(0.2)
            assert not any(each.done() for each in waiting)
        assert [await each for each in waiting] == [1] * len(games)
        assert len(await numbers(store)) == 2 * len(games)
