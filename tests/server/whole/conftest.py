"""The server whole: a process that a test talks to as anybody could."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from serving import PATIENCE, Server, served
from talking import Duel, duel

Serve = Callable[..., Server]
Deals = Callable[..., Duel]


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that all tests share which leave it as it is."""
    folder = tmp_path_factory.mktemp("server")
    with served(str(folder / "games.db"), folder / "log", "--fast") as server:
        yield server


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Starts a server of the test's own, that may be stopped and started again."""
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


@pytest.fixture
def deal(server: Server) -> Deals:
    """Makes games between two people on the server that all share."""
    return lambda game="quantum-duel", **terms: duel(server.address, game, **terms)


@pytest.fixture
def api(server: Server) -> Iterator[httpx.Client]:
    """The HTTP side of the server that all share."""
    with httpx.Client(base_url=f"{server.address}/api", timeout=PATIENCE) as client:
        yield client
