"""The SQLite file: one server uses it at a time, and errors say why it cannot be used."""

from __future__ import annotations

import asyncio
import os
import resource
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from strongroom.referee.tokens import fresh
from strongroom.server.store import DatabaseTrouble, Store, StoredRequest
from tests.server.stores import append, numbers, opened, outcome


@pytest.fixture
def database(sqlite: str) -> str:
    """SQLite alone."""
    return sqlite


def trouble(file: Path) -> str:
    """The line that says why a file cannot be used."""
    with pytest.raises(DatabaseTrouble) as trouble:
        asyncio.run(open_and_close(str(file)))
    assert "\n" not in str(trouble.value)
    return str(trouble.value)


async def open_and_close(url: str) -> None:
    """Open a store that nobody uses."""
    async with opened(url):
        pass


async def test_a_second_server_is_refused_in_one_clear_line_and_not_noticed_by_the_first(
    sqlite: str, store: Store
) -> None:
    for number in range(1, 4):
        with pytest.raises(DatabaseTrouble, match="in use by another server"):
            async with opened(sqlite):
                pass
        assert await append(store, "game", number) == 1
    assert await numbers(store) == [("game", 1), ("game", 2), ("game", 3)]


def test_what_cannot_be_a_database_is_refused_in_one_line_and_left_alone(tmp_path: Path) -> None:
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
        assert told in trouble(tmp_path / path)
    assert letter.read_text() == "Dear Ada, " * 500
    assert not (tmp_path / "new").exists()
    with closing(sqlite3.connect(tmp_path / "old.db")) as old:
        assert old.execute("SELECT name FROM sqlite_master").fetchall() == [("games",)]
    assert {path for path in before if path.exists()} == {*before}


def test_a_read_only_folder_or_file_is_refused() -> None:
    with tempfile.TemporaryDirectory() as name:
        file = Path(name, "games.db")
        Path(name).chmod(0o555)
        with unprivileged():
            assert "games.db cannot be opened: Permission denied." in trouble(file)
        Path(name).chmod(0o777)
        asyncio.run(open_and_close(str(file)))
        for each in Path(name).iterdir():
            each.chmod(0o666 if each.name.endswith(".lock") else 0o444)
        with unprivileged():
            assert "attempt to write a readonly database" in trouble(file)


async def test_nothing_is_acknowledged_once_the_file_has_been_removed_or_replaced(
    tmp_path: Path, store: Store
) -> None:
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
    least, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    async with opened(sqlite) as store:
        resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, most))
        try:
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
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (least, most))
        assert await append(store, "afterwards", 1) == 1
    assert "games.db cannot be written: " in str(troubles)
    async with opened(sqlite) as store:
        assert await numbers(store) == sorted([("afterwards", 1), *acknowledged])


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
