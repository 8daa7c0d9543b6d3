"""The SQLite file: one server uses it at a time, and errors say why it cannot be used."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from starting import PATIENCE

from strongroom.referee.tokens import fresh
from strongroom.server.store import DatabaseTrouble, Store, StoredRequest
from tests.server.stores import another_process, append, numbers, opened, within_a_store

HOLDER = """
import asyncio, sys
from strongroom.server.store import open_database

async def main():
    database = open_database(sys.argv[1])
    try:
        await database.open()
    except Exception as trouble:
        print(f"{type(trouble).__name__}: {trouble}")
    else:
        print("open", flush=True)
        sys.stdin.read()
        await database.close()

asyncio.run(main())
"""

FILLER = """
import asyncio, os, resource, sys
from strongroom.server.store import DatabaseTrouble, Store, StoredRequest, open_database

async def append(store, game, number):
    try:
        return await store.append(game, StoredRequest(number, number, None, "x" * 2000), None, 0.0)
    except DatabaseTrouble as trouble:
        return str(trouble)

async def main():
    store = Store(open_database(sys.argv[1]))
    await store.database.open()
    resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, resource.RLIM_INFINITY))
    for number in range(1, 100):
        results = await asyncio.gather(*(append(store, f"game{k}", number) for k in range(10)))
        for game, result in enumerate(results):
            if result == 1:
                print(f"game{game}", number)
            else:
                print(result, file=sys.stderr)
        if set(results) != {1}:
            break
    print("rows", (await store.database.read("SELECT count(*) FROM journal"))[0][0])
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    print("afterwards", await append(store, "afterwards", 1))
    await store.database.close()

asyncio.run(main())
"""


def _trouble(url: str) -> str:
    async def run() -> None:
        async with opened(url):
            pass

    with pytest.raises(DatabaseTrouble) as trouble:
        asyncio.run(run())
    sentence = str(trouble.value)
    assert "\n" not in sentence
    return sentence


def test_a_second_process_is_refused_in_one_clear_line(sqlite: str) -> None:
    with another_process(HOLDER, sqlite) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "open\n"
        with another_process(HOLDER, sqlite) as second:
            said, complaint = second.communicate(timeout=PATIENCE)
        assert not complaint
        assert said.startswith("DatabaseTrouble: ")
        assert "is in use by another server. SQLite supports one server process" in said
        assert said.count("\n") == 1
        first.communicate("", timeout=PATIENCE)
    with another_process(HOLDER, sqlite) as third:
        assert third.communicate("", timeout=PATIENCE)[0] == "open\n"


def test_a_second_server_in_the_same_process_is_refused_too(sqlite: str) -> None:
    async def work(store: Store) -> None:
        async with opened(sqlite):
            pass

    with pytest.raises(DatabaseTrouble, match="in use"):
        within_a_store(sqlite, work)


def test_the_first_server_does_not_notice_the_refused_one(sqlite: str) -> None:
    async def work(store: Store) -> None:
        for number in range(1, 4):
            with pytest.raises(DatabaseTrouble):
                async with opened(sqlite):
                    pass
            assert await append(store, "game", number) == 1
        assert await numbers(store) == [("game", 1), ("game", 2), ("game", 3)]

    within_a_store(sqlite, work)


def test_a_file_that_is_not_a_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("Dear Ada, " * 500)
    assert "letter.txt cannot be used: file is not a database." in _trouble(str(file))
    assert file.read_text() == "Dear Ada, " * 500


def test_a_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    assert "folder cannot be used: unable to open database file." in _trouble(
        str(tmp_path / "folder")
    )


def test_a_file_in_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert "games.db cannot be opened: " in _trouble(str(tmp_path / "file" / "games.db"))


def test_a_missing_folder_is_refused_and_not_created(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "newer"
    assert f"there is no folder {folder}." in _trouble(str(folder / "games.db"))
    assert not list(tmp_path.iterdir())


def test_a_read_only_folder_is_refused() -> None:
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o555)
        with _unprivileged():
            assert "games.db cannot be opened: Permission denied." in _trouble(f"{name}/games.db")
        Path(name).chmod(0o700)


def test_a_read_only_file_is_refused() -> None:
    with tempfile.TemporaryDirectory() as name:
        within_a_store(f"{name}/games.db", lambda store: append(store, "game", 1))
        Path(name).chmod(0o777)
        for file in Path(name).iterdir():
            file.chmod(0o666 if file.name.endswith(".lock") else 0o444)
        with _unprivileged():
            assert "attempt to write a readonly database" in _trouble(f"{name}/games.db")


def test_a_lock_file_that_is_a_symlink_does_not_truncate_its_target(tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Ada")
    (tmp_path / "games.db.lock").symlink_to(letter)
    assert "games.db cannot be opened: " in _trouble(str(tmp_path / "games.db"))
    assert letter.read_text() == "Dear Ada"


@pytest.mark.parametrize("replaced", [False, True])
def test_nothing_is_acknowledged_once_the_file_has_been_removed_or_replaced(
    tmp_path: Path, replaced: bool
) -> None:
    async def work(store: Store) -> None:
        assert await append(store, "game", 1) == 1
        (tmp_path / "games.db").rename(tmp_path / "elsewhere.db")
        if replaced:
            (tmp_path / "games.db").touch()
        for _ in range(2):
            with pytest.raises(DatabaseTrouble, match="was removed or replaced"):
                await append(store, "game", 2)
            with pytest.raises(DatabaseTrouble, match="was removed or replaced"):
                await store.database.read("SELECT 1")
        (tmp_path / "elsewhere.db").rename(tmp_path / "games.db")
        assert await append(store, "game", 2) == 1

    within_a_store(str(tmp_path / "games.db"), work)


def test_a_database_of_another_program_is_refused(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "other.db")) as other:
        other.execute("CREATE TABLE games (title TEXT)")
        other.commit()
    assert "other.db cannot be used: " in _trouble(str(tmp_path / "other.db"))


def test_nothing_is_acknowledged_that_a_full_disk_did_not_store(sqlite: str) -> None:
    with another_process(FILLER, sqlite) as filler:
        said, troubles = filler.communicate(timeout=PATIENCE)
    assert filler.returncode == 0, troubles
    *acknowledged, rows, afterwards = said.splitlines()
    assert "games.db cannot be written: " in troubles
    assert afterwards == "afterwards 1"

    async def work(store: Store) -> None:
        stored = [f"{name} {number}" for name, number in await numbers(store)]
        assert rows == f"rows {len(acknowledged)}"
        assert sorted([*acknowledged, "afterwards 1"]) == sorted(stored)

    within_a_store(sqlite, work)


def test_a_commit_is_synced_in_full(sqlite: str) -> None:
    async def work(store: Store) -> None:
        assert await store.database.read("PRAGMA journal_mode") == [("wal",)]
        assert await store.database.read("PRAGMA synchronous") == [(2,)]

    within_a_store(sqlite, work)


def test_a_failed_query_does_no_harm_to_later_ones(sqlite: str) -> None:
    async def work(store: Store) -> None:
        with pytest.raises(DatabaseTrouble, match="cannot be read"):
            await store.database.read("SELECT * FROM nowhere")
        assert await store.database.read("SELECT 1") == [(1,)]
        assert await append(store, fresh(), 1) == 1

    within_a_store(sqlite, work)


@contextmanager
def _unprivileged() -> Iterator[None]:
    """Drop root's privileges for the block, since root may write anything."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def test_a_file_with_the_tables_of_another_version_is_refused_and_left_alone(
    tmp_path: Path,
) -> None:
    file = tmp_path / "old.db"
    with closing(sqlite3.connect(file)) as old:
        old.execute("CREATE TABLE games (id TEXT PRIMARY KEY)")
        old.execute("PRAGMA user_version=1")
    with pytest.raises(DatabaseTrouble, match="created by another version of strongroom"):
        within_a_store(str(file), lambda store: asyncio.sleep(0))
    with closing(sqlite3.connect(file)) as old:
        assert old.execute("SELECT name FROM sqlite_master").fetchall()[0] == ("games",)


def test_a_text_with_a_null_character_is_stored_whole(tmp_path: Path) -> None:
    game, other = fresh(), fresh()

    async def work(store: Store) -> None:
        written = [
            store.append(each, StoredRequest(1, 1, fresh(), "a\0b"), None, 0.0)
            for each in (game, other)
        ]
        assert [await each for each in written] == [1, 1]
        assert [request.lines for request in await store.journal(game)] == ["a\0b"]

    within_a_store(str(tmp_path / "games.db"), work)
