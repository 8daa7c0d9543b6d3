"""The store and its group commits, on both databases; SQLite's file and its troubles."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from strongroom.contract import Refusal, Seat
from strongroom.referee.randomness import fresh_token as fresh
from strongroom.referee.randomness import hash_of as digest
from strongroom.server.settings import DEFAULTS
from strongroom.server.store import (
    DatabaseTrouble,
    Store,
    StoredGame,
    StoredRequest,
    StoredSeat,
    open_database,
)
from strongroom.server.store.database import Insert, Statement
from tests.full_disk import room_for
from tests.server.stores import (
    ENDED,
    LINE,
    ONE,
    TWO,
    append,
    game,
    numbers,
    opened,
    outcome,
    statement,
    trouble,
)

ROW = {"game": fresh(), "number": 1, "last": 1, "request": fresh(), "lines": "secret"}
sqlite_alone = pytest.mark.parametrize("database", ["sqlite"], indirect=True)


async def found(store: Store, id: str) -> StoredGame:
    stored = await store.game(id)
    assert stored is not None
    return stored


def bob() -> StoredSeat:
    return StoredSeat(TWO, "Bob", token=digest(fresh()))


async def test_a_game_that_is_kept_is_read_as_it_was_also_by_the_next_server(database: str) -> None:
    expert = StoredSeat(TWO, "Žofie 🎲", "expert", digest(fresh()))
    stored = game(
        invitation=digest(fresh()),
        waits=False,
        watch=False,
        seats=(StoredSeat(ONE, None, seed=fresh()), expert),
    )
    async with opened(database) as first:
        assert await first.create(stored) == 1
        assert await first.game(stored.id) == stored
        assert await first.game(fresh()) is None
        await append(first, stored.id, 1, expert.token)
    assert stored.is_open
    async with opened(database) as then:
        assert await then.game(stored.id) == stored
        assert await then.journal(stored.id) == [StoredRequest(1, 1, expert.token, LINE)]


async def test_a_token_creates_one_game_and_opens_its_seat_alone(store: Store) -> None:
    first = game()
    again = replace(first, id=fresh())
    assert await store.create(first) == 1
    assert await store.create(again) == 0
    assert await store.game(again.id) is None
    assert await store.database.read("SELECT count(*) FROM seats") == [(2,)]
    assert await store.database.read("SELECT count(*) FROM games") == [(1,)]
    assert first.seats[0].token is not None
    assert await store.with_token(first.seats[0].token) == (first, ONE)
    sitter, games = bob(), [first, game()]
    assert sitter.token is not None
    assert await store.with_token(sitter.token) is None
    await store.create(games[1])
    written = [store.sit_down(stored.id, sitter, 1.0) for stored in games]  # at once
    assert sorted([await each for each in written]) == [0, 1]
    assert await store.with_token(sitter.token) is not None


async def test_two_requests_for_a_rematch_create_one_game_until_withdrawn(store: Store) -> None:
    old, mine, yours = game(), game(waits=False), game(waits=False)
    await store.create(old)
    made = store.create(mine, rematch_of=old.id), store.create(yours, rematch_of=old.id)
    assert [await each for each in made] == [1, 0]
    assert (await found(store, old.id)).rematch == mine.id
    assert await store.game(yours.id) is None
    assert await store.withdraw(mine, 7.0) == 1
    assert await store.create(yours, rematch_of=old.id) == 1


async def test_of_those_who_want_a_seat_the_first_gets_it_and_starts_the_game(store: Store) -> None:
    stored, seed, token = game(), fresh(), digest(fresh())
    await store.create(stored)
    asked = [
        store.sit_down(stored.id, StoredSeat(TWO, name, token=digest(fresh())), 1000.0 + number)
        for number, name in enumerate(("Bea", "Cyd", "Dov"))
    ]
    assert [await each for each in asked] == [1, 0, 0]
    now = await found(store, stored.id)
    assert now.seats[1].name == "Bea"
    assert (now.started, now.waits, now.is_open) == (1000.0, False, False)
    kept = game(seats=(StoredSeat(ONE, "Ada", token=fresh()), StoredSeat(TWO, "Bob")), started=1.0)
    await store.create(kept)
    assert await store.give_token(kept.id, TWO, token) == 1
    assert await store.give_token(kept.id, TWO, digest(fresh())) == 0
    for seat in Seat:  # it starts when the last player has come, not when it was made
        began = time.time()
        assert await store.give_seed(kept.id, seat, seed) == 1
        assert await store.give_seed(kept.id, seat, fresh()) == 0
        now = await found(store, kept.id)
        assert (now.started or 0.0) >= began
    assert (now.seats[1].seed, now.seats[1].token) == (seed, token)


async def test_a_connection_that_was_taken_over_does_not_leave_for_the_next(store: Store) -> None:
    stored = game()

    async def seat() -> tuple[str | None, float | None]:
        one, two = (await found(store, stored.id)).seats
        assert two.connection is None
        return one.connection, one.left_at

    await store.create(stored)
    await store.arrive(stored.id, ONE, "tab 1", "process")
    await store.arrive(stored.id, ONE, "tab 2", "process")
    assert await store.leave(stored.id, ONE, "tab 1", 5.0) == 0
    assert await seat() == ("tab 2", None)
    assert await store.leave(stored.id, ONE, "tab 2", 6.0) == 1
    assert await seat() == (None, 6.0)
    await store.arrive(stored.id, ONE, "tab 3", "process")
    assert await seat() == ("tab 3", None)


async def test_a_journal_keeps_each_number_once_and_is_read_from_anywhere(store: Store) -> None:
    one, other, id = fresh(), fresh(), fresh()
    requests = [
        StoredRequest(1, 3, id, LINE * 3),
        StoredRequest(4, 4, None, LINE),
        StoredRequest(5, 5, None, "é"),
    ]
    for request in requests:
        assert await store.append(one, request, None, 0.0) == 1
    assert await append(store, one, 1) == 0
    assert await append(store, one, 6, id) == 0
    assert await append(store, other, 1, id) == 1
    assert await store.journal(one) == requests
    assert await store.journal(one, after=2) == requests
    assert await store.journal(one, after=3) == requests[1:]
    assert await store.journal(one, after=5) == []
    assert await store.lengths([one, fresh()]) == {one: 5}


async def test_the_last_entry_ends_the_game_and_a_repeated_one_does_not(store: Store) -> None:
    stored, other = game(), game()
    await store.create(stored)
    await store.create(other)
    await append(store, stored.id, 1)
    assert await store.append(stored.id, StoredRequest(1, 1, fresh(), LINE), ENDED, 77.0) == 0
    assert (await found(store, stored.id)).ended is None
    assert await store.append(stored.id, StoredRequest(2, 2, fresh(), LINE), ENDED, 88.0) == 1
    assert (await found(store, stored.id)).ended == 88.0
    assert (await found(store, other.id)).ended is None


async def test_games_are_listed_as_waiting_playing_or_over(store: Store) -> None:
    waiting, private = game(created=3.0), game(waits=False, created=2.0)
    both = tuple(StoredSeat(seat, "Ada", token=digest(fresh()), seed=fresh()) for seat in Seat)
    playing = game(waits=False, started=4.0, created=1.0, seats=both)
    unanswered = game(waits=False, started=4.0)  # a rematch that one of the two has asked for
    unwatched = game(waits=False, watch=False, started=4.0)
    over, elsewhere = game(waits=False, started=5.0), game(address="192.0.2.2")
    for each in (waiting, private, playing, unanswered, unwatched, over, elsewhere):
        await store.create(each)
    await store.append(over.id, StoredRequest(1, 1, fresh(), LINE), ENDED, 6.0)
    assert [each.id for each in await store.waiting()] == [elsewhere.id, waiting.id]
    assert await store.playing() == [playing]
    assert await store.over() == [replace(over, ended=6.0, result=2)]
    assert await store.open_games_of("192.0.2.1") == (5, 5)
    assert await store.open_games_of("192.0.2.2") == (1, 1)
    assert await store.open_games_of("192.0.2.3") == (0, 0)
    assert await store.games([waiting.id, private.id, fresh()]) == [waiting, private]
    assert await store.games([]) == []
    assert await store.lengths([]) == {}


async def test_a_game_that_is_taken_back_is_listed_nowhere_and_nobody_joins(store: Store) -> None:
    stored, long_ago, joined = game(), game(created=1.0), game()
    for each in (stored, long_ago):
        await store.create(each)
        assert await store.withdraw(each, 7.0) == 1
    assert await store.withdraw(stored, 8.0) == 0
    assert await store.sit_down(stored.id, bob(), 9.0) == 0
    withdrawn = await found(store, stored.id)
    assert withdrawn == replace(stored, ended=7.0, waits=False)
    assert withdrawn.is_withdrawn
    assert [*await store.waiting(), *await store.playing(), *await store.over()] == []
    assert await store.open_games_of(stored.address) == (0, 0)
    assert await store.expire(50, None) == [long_ago.id]
    await store.create(joined)
    comes = partial(store.sit_down, joined.id, bob(), 9.0)
    for come in (comes, partial(store.give_seed, joined.id, TWO, fresh())):
        before = await found(store, joined.id)
        assert await come() == 1
        assert await store.withdraw(before, 10.0) == 0, "somebody has come meanwhile"


async def test_lists_are_limited_but_games_asked_for_by_id_all_come(store: Store) -> None:
    games = [game(created=float(number)) for number in range(DEFAULTS.listed_games + 5)]
    await asyncio.gather(*(store.create(each) for each in games))
    assert len(await store.games([each.id for each in games])) == len(games)
    assert [each.id for each in await store.waiting()] == [each.id for each in reversed(games[5:])]


async def test_the_time_between_two_server_runs_is_a_pause(store: Store) -> None:
    for process in ("first", "beside it"):
        await store.begin(process)
        assert list(await store.pauses()) == []
    assert set(await store.beats()) == {"first", "beside it"}
    long = 10 * DEFAULTS.process_timeout
    long_ago = time.time() - long
    await store.database.write(statement("UPDATE processes SET beat = :then", then=long_ago))
    await store.begin("after a break")
    ((began, ended),) = await store.pauses()
    assert began == long_ago
    assert time.time() - ended < long
    await store.begin("first")
    assert list(await store.pauses()) == [(began, ended)]


async def test_games_that_nobody_touches_expire(store: Store) -> None:
    now = time.time()
    forgotten, fresh_one = game(created=now - 100), game()
    sat_at, just_left, left_long_ago = (game(created=now - 100) for _ in range(3))
    done, done_long_ago = game(created=now - 100), game(created=now - 100)
    for each in (forgotten, fresh_one, sat_at, just_left, left_long_ago, done, done_long_ago):
        await store.create(each)
        await append(store, each.id, 1)
    await store.begin("process")
    for each in (sat_at, just_left, left_long_ago):
        await store.arrive(each.id, ONE, "tab", "process")
    await store.leave(just_left.id, ONE, "tab", now - 10)
    await store.leave(left_long_ago.id, ONE, "tab", now - 90)
    await store.append(done.id, StoredRequest(2, 2, fresh(), LINE), ENDED, now - 10)
    await store.append(done_long_ago.id, StoredRequest(2, 2, fresh(), LINE), ENDED, now - 90)

    assert set(await store.expire(50, None)) == {forgotten.id, left_long_ago.id}
    assert await store.expire(50, None) == []
    assert set(await store.expire(50, 50)) == {done_long_ago.id}
    remain = {fresh_one.id, sat_at.id, just_left.id, done.id}
    for table in ("seats", "journal"):
        rows = await store.database.read(f"SELECT DISTINCT game FROM {table}")
        assert {row[0] for row in rows} == remain

    await store.database.write(statement("UPDATE processes SET beat = :then", then=now - 60))
    assert await store.expire(50, None) == [sat_at.id], "its process died"


@pytest.mark.parametrize(
    "begin", ["mysql://", "postgres:", "postgresql:/", "PostgreSQL://", "Postgres:"]
)
def test_an_address_of_no_database_is_refused_and_its_password_not_repeated(begin: str) -> None:
    kind = begin.partition(":")[0]
    with pytest.raises(Refusal, match=f"There is no database '{kind}'") as refusal:
        open_database(f"{begin}ada:secret@example.org/games")
    assert "secret" not in str(refusal.value)


async def test_of_simultaneous_writes_with_one_number_or_id_the_first_is_kept(store: Store) -> None:
    one, other, id = fresh(), fresh(), fresh()
    asked = ((one, 1, id), (one, 1, ""), (other, 1, ""), (one, 2, id), (one, 2, ""), (one, 1, id))
    together = [append(store, *each) for each in asked]
    assert [await each for each in together] == [1, 0, 1, 0, 1, 0]
    assert await numbers(store) == sorted([(one, 1), (one, 2), (other, 1)])
    assert (await store.journal(one))[0].id == id
    games = [one, *sorted(fresh() for _ in range(4))]  # now the first is taken
    together = [append(store, game, 1) for game in games]
    assert [await each for each in together] == [0, 1, 1, 1, 1]
    together = [append(store, one, 3, id), *(append(store, game, 3) for game in games)]
    assert [await each for each in together] == [0, 1, 1, 1, 1, 1]
    several_commits = DEFAULTS.writes_together + 100
    many = [append(store, fresh(), 1) for _ in range(several_commits)]
    assert [await each for each in many] == [1] * len(many)
    assert len(await numbers(store)) == 3 + 4 + 5 + len(many)


async def test_a_write_at_fault_does_not_harm_its_neighbours(store: Store) -> None:
    games = sorted(fresh() for _ in range(9))
    wrong: tuple[Statement | Insert, ...] = (
        *(Insert("journal", ROW | {"lines": lines}) for lines in (None, "lone \ud800", object())),
        Insert("journal", ROW | {"number": 2**70}),
        Statement(Insert("journal", ROW).sql, {}),
    )
    for number, write in enumerate(wrong, 1):
        before = [append(store, game, number) for game in games[:6]]
        refused = store.database.write(write, about=str(ROW["game"]))
        after = [append(store, game, number) for game in games[6:]]
        assert [await each for each in (*before, *after)] == [1] * len(games)
        with pytest.raises(DatabaseTrouble, match="refused a write") as trouble:
            await refused
        assert "secret" not in str(trouble.value)
        assert await numbers(store) == [(game, at + 1) for game in games for at in range(number)]


async def test_a_unit_that_fails_midway_or_touches_nothing_leaves_no_trace(store: Store) -> None:
    one, stored = fresh(), game()
    await store.create(stored)
    await append(store, one, 1)
    insert = Insert("journal", ROW | {"game": one, "number": 2, "last": 2})
    wrong = statement("UPDATE games SET deal = NULL WHERE id = :id", id=stored.id)
    neighbour = append(store, stored.id, 1)
    unit = store.database.write(insert, wrong, about=one)
    assert await neighbour == 1
    assert "refused" in str(await outcome(unit))
    assert await numbers(store) == sorted([(one, 1), (stored.id, 1)])
    nothing = statement("UPDATE seats SET name = :name WHERE game = :game", name="x", game=fresh())
    more = statement("UPDATE games SET ended = :now WHERE id = :id", now=1.0, id=stored.id)
    assert await store.database.write(nothing, more, about=stored.id) == 0
    assert await store.game(stored.id) == stored


async def test_a_write_is_whole_before_the_next_though_cancelled(store: Store) -> None:
    stored, other = game(), fresh()
    written = (
        store.create(stored),
        store.arrive(stored.id, ONE, "tab", "process"),
        store.database.write(
            statement("UPDATE games SET watch = :no WHERE id = :id", no=False, id=stored.id),
            statement("UPDATE games SET address = 'first' WHERE id = :id", id=stored.id),
            about=stored.id,
        ),
        store.database.write(
            statement("UPDATE games SET address = 'last' WHERE id = :id", id=stored.id),
            about=stored.id,
        ),
    )
    assert [await each for each in written] == [1, 1, 1, 1]
    now = await found(store, stored.id)
    assert now.seats[0].connection == "tab"
    assert (now.watch, now.address) == (False, "last")

    forget = statement("DELETE FROM journal WHERE game = :game", game=stored.id)
    left, *others = (
        append(store, stored.id, 1),
        append(store, other, 1),
        store.database.write(forget, about=stored.id),  # which sees the row before
    )
    left.cancel()
    assert [await each for each in others] == [1, 1]
    assert await numbers(store) == [(other, 1)]


async def test_closing_writes_what_waits_and_refuses_what_follows(database: str) -> None:
    one = fresh()
    async with opened(database) as store:
        written = [append(store, one, number) for number in range(1, 51)]
    assert [each.result() for each in written] == [1] * 50
    async with opened(database) as store:
        assert await numbers(store) == [(one, number) for number in range(1, 51)]
    assert await outcome(append(store, one, 51)) == "The database is closed."


@sqlite_alone
async def test_a_second_server_is_refused_unnoticed_by_the_first(sqlite: str, store: Store) -> None:
    for number in range(1, 4):
        assert "in use by another server" in await trouble(sqlite)
        assert await append(store, "game", number) == 1
    assert await numbers(store) == [("game", 1), ("game", 2), ("game", 3)]


async def test_what_is_no_database_is_refused_in_one_line_and_left_alone(tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Ada, " * 500)
    (tmp_path / "folder").mkdir()
    (tmp_path / "games.db.lock").symlink_to(letter)
    for name, create, version in (
        ("other.db", "games (title TEXT)", 0),
        ("old.db", "games (id)", 1),
    ):
        with closing(sqlite3.connect(tmp_path / name)) as other:
            other.execute(f"CREATE TABLE {create}")
            other.execute(f"PRAGMA user_version={version}")
    before = sorted(tmp_path.iterdir())
    for path, told in (
        ("letter.txt", "letter.txt cannot be used: file is not a database."),
        ("folder", "folder cannot be used: unable to open database file."),
        ("letter.txt/games.db", "games.db cannot be opened: "),
        ("new/newer/games.db", f"there is no folder {tmp_path}/new/newer."),
        ("games.db", "games.db cannot be opened: "),  # its lock file would truncate the letter
        ("other.db", "other.db cannot be used: "),
        ("old.db", "created by another version of strongroom"),
    ):
        assert told in await trouble(str(tmp_path / path))
    assert letter.read_text() == "Dear Ada, " * 500
    assert not (tmp_path / "new").exists()
    with closing(sqlite3.connect(tmp_path / "old.db")) as old:
        assert old.execute("SELECT name FROM sqlite_master").fetchall() == [("games",)]
    assert {path for path in before if path.exists()} == {*before}


async def test_a_read_only_folder_or_file_is_refused() -> None:
    with tempfile.TemporaryDirectory() as name:
        file = f"{name}/games.db"
        Path(name).chmod(0o555)
        with unprivileged():
            assert "games.db cannot be opened: Permission denied." in await trouble(file)
        Path(name).chmod(0o777)
        async with opened(file):
            pass
        for each in Path(name).iterdir():
            each.chmod(0o666 if each.name.endswith(".lock") else 0o444)
        with unprivileged():
            assert "attempt to write a readonly database" in await trouble(file)


@sqlite_alone
async def test_nothing_is_acknowledged_once_the_file_is_gone(tmp_path: Path, store: Store) -> None:
    file, elsewhere = tmp_path / "games.db", tmp_path / "elsewhere.db"
    for number in (1, 2):
        assert await append(store, "game", number) == 1
        file.rename(elsewhere)
        if number == 2:
            file.touch()
        for _ in range(2):
            with pytest.raises(DatabaseTrouble, match="was removed or replaced"):
                await append(store, "game", number + 1)
            with pytest.raises(DatabaseTrouble, match="was removed or replaced"):
                await store.database.read("SELECT 1")
        elsewhere.rename(file)
    assert await append(store, "game", 3) == 1


async def test_nothing_is_acknowledged_that_a_full_disk_did_not_store(sqlite: str) -> None:
    acknowledged, troubles = list[tuple[str, int]](), set[str]()
    async with opened(sqlite) as store:
        with room_for(600_000):
            while not troubles:
                number = len(acknowledged) // 10 + 1
                request = StoredRequest(number, number, None, "x" * 2000)
                together = [store.append(f"game{at}", request, None, 0.0) for at in range(10)]
                for at, write in enumerate(together):
                    if isinstance(written := await outcome(write), str):
                        troubles.add(written)
                    elif written == 1:
                        acknowledged.append((f"game{at}", number))
            assert await numbers(store) == sorted(acknowledged)
        assert await append(store, "afterwards", 1) == 1
    assert "games.db cannot be written: " in str(troubles)
    async with opened(sqlite) as store:
        assert await numbers(store) == sorted([("afterwards", 1), *acknowledged])


@sqlite_alone
async def test_a_commit_is_synced_and_no_failed_query_or_null_harms_it(store: Store) -> None:
    assert await store.database.read("PRAGMA journal_mode") == [("wal",)]
    assert await store.database.read("PRAGMA synchronous") == [(2,)]
    with pytest.raises(DatabaseTrouble, match="cannot be read"):
        await store.database.read("SELECT * FROM nowhere")
    games = [fresh(), fresh()]
    written = [
        store.append(each, StoredRequest(1, 1, fresh(), "a\0b"), None, 0.0) for each in games
    ]
    assert [await each for each in written] == [1, 1]
    assert [request.lines for request in await store.journal(games[0])] == ["a\0b"]


@contextmanager
def unprivileged() -> Iterator[None]:
    """Drop root's privileges for the block, since root may write anything."""
    user = os.geteuid()
    os.seteuid(user or 65534)
    yield
    os.seteuid(user)
